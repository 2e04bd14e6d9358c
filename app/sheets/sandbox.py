"""Parsing in limited child processes: wall time, processor time and memory are capped, one bad file loses only itself.

The children are started as `python -m app.sheets.worker`, so they never import the program that uses them.
They stay warm between files, are replaced after a fault, and end with this process.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import selectors
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.sheets import wire
from app.sheets.codes import refusal
from app.sheets.detect import MAX_BYTES
from app.sheets.reading import refused
from app.sheets.worker import HEADER, LENGTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sheets.reading import FileReading

WALL_SECONDS: Final = 60.0
START_SECONDS: Final = 20.0
MAX_WORKERS: Final = 2
_FILES_PER_WORKER: Final = 50
_MAX_REPLY: Final = 64 * 2**20
_CHUNK: Final = 1 << 16
_ROOT: Final = Path(__file__).resolve().parents[2]


class _Stopped(Exception):  # noqa: N818 - tells why a child gave no answer
    """The child gave no answer; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class _Child:
    """One warm child process."""

    def __init__(self) -> None:
        path = os.pathsep.join(p for p in (str(_ROOT), os.environ.get("PYTHONPATH", "")) if p)
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.sheets.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=_ROOT,
        )  # fmt: skip
        self.files = 0

    def ask(self, name: str, data: bytes, seconds: float) -> bytes:
        """Send one file and wait for the answer; raises `_Stopped` when none comes in time."""
        spent = json.dumps(name).encode()
        outgoing = memoryview(HEADER.pack(len(spent), len(data)) + spent + data)
        deadline = time.monotonic() + seconds + (START_SECONDS if self.files == 0 else 0)
        self.files += 1
        source, sink = self.process.stdout, self.process.stdin
        if source is None or sink is None:  # both are pipes; the type checker cannot know
            raise _Stopped("PARSE_FAILED")
        os.set_blocking(sink.fileno(), False)
        received = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(sink, selectors.EVENT_WRITE)
            selector.register(source, selectors.EVENT_READ)
            while not _complete(received):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise _Stopped("PARSE_TIMEOUT")
                for event, _ in selector.select(left):
                    if event.fileobj is sink:
                        outgoing = self._send(sink.fileno(), outgoing)
                        if not outgoing:
                            selector.unregister(sink)
                    else:
                        self._receive(source.fileno(), received)
        return bytes(received[LENGTH.size :])

    @staticmethod
    def _send(descriptor: int, outgoing: memoryview) -> memoryview:
        try:
            return outgoing[os.write(descriptor, outgoing[:_CHUNK]) :]
        except BlockingIOError:
            return outgoing
        except OSError:
            raise _Stopped("PARSE_FAILED") from None

    @staticmethod
    def _receive(descriptor: int, received: bytearray) -> None:
        chunk = os.read(descriptor, _CHUNK)
        received += chunk
        if not chunk or len(received) > _MAX_REPLY:
            raise _Stopped("PARSE_FAILED")

    def timed_out(self) -> bool:
        """Whether the kernel ended the child for its processor time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(1) == -24  # noqa: PLR2004 - SIGXCPU
        return False

    def close(self) -> None:
        """End the child and free its pipes."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()
        self.process.wait()


def _complete(received: bytearray) -> bool:
    return len(received) >= LENGTH.size and len(received) >= LENGTH.size + LENGTH.unpack_from(received)[0]


class Sandbox:
    """A small pool of children; files wait for a free one."""

    def __init__(self, workers: int = MAX_WORKERS, seconds: float = WALL_SECONDS) -> None:
        self._seconds = seconds
        self._free: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        for _ in range(workers):
            self._free.put(None)
        self._lock = threading.Lock()
        self._children: set[_Child] = set()

    def read(self, name: str, data: bytes) -> FileReading:
        """Read one file in a child; never raises for a bad file."""
        if len(data) > MAX_BYTES:
            return refused(name, data, "FILE_TOO_LARGE", refusal("FILE_TOO_LARGE", limit=MAX_BYTES // 2**20))
        child = self._free.get()
        if child and child.process.poll() is not None:  # ended while it waited
            self._drop(child)
            child = None
        try:
            child = child or self._start()
            return wire.load(child.ask(name, data, self._seconds))
        except _Stopped as stop:
            code = "PARSE_TIMEOUT" if child and child.timed_out() else stop.code
            self._drop(child)
            child = None
            return refused(name, data, code, refusal(code, limit=int(self._seconds)))
        except (ValueError, KeyError, TypeError):
            self._drop(child)
            child = None
            return refused(name, data, "PARSE_FAILED", refusal("PARSE_FAILED"))
        finally:
            if child and child.files >= _FILES_PER_WORKER:
                self._drop(child)
                child = None
            self._free.put(child)

    def _start(self) -> _Child:
        child = _Child()
        with self._lock:
            self._children.add(child)
        return child

    def _drop(self, child: _Child | None) -> None:
        if child:
            child.close()
            with self._lock:
                self._children.discard(child)

    def close(self) -> None:
        """End all children; the pool starts new ones when it is used again."""
        with self._lock:
            children, self._children = self._children, set()
        for child in children:
            child.close()


_POOL: Sandbox | None = None
_POOL_LOCK = threading.Lock()


def pool() -> Sandbox:
    """The pool of this process, started at first use and closed at exit."""
    global _POOL  # noqa: PLW0603 - one pool a process
    with _POOL_LOCK:
        if _POOL is None:
            _POOL = Sandbox()
            atexit.register(_POOL.close)
        return _POOL


def read_files_safely(files: Sequence[tuple[str, bytes]]) -> list[FileReading]:
    """Read files in child processes, in order; each gives one reading."""
    return [pool().read(name, data) for name, data in files]


def close() -> None:
    """End the children of this process (for an orderly shutdown)."""
    if _POOL is not None:
        _POOL.close()
