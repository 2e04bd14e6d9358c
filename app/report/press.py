"""The press: one warm child that prints, started at first use, replaced when it grows, hangs or fails.

The parent never imports WeasyPrint (2.5 s and 80 MB); documents queue for the one child.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final

from app.domain.text import Text

SECONDS: Final = 60.0
START_SECONDS: Final = 20.0
MOST_DOCUMENTS: Final = 20
MOST_MEMORY: Final = 200 * 2**20
MOST_HTML: Final = 8 * 2**20
_HEAD: Final = struct.Struct("!II")
_CHUNK: Final = 1 << 16
_ROOT: Final = Path(__file__).resolve().parents[2]
_KEPT: Final = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
)


class PressError(Exception):
    """The document could not be printed; `code` is `REPORT_TIMEOUT`, `REPORT_TOO_LARGE` or `REPORT_FAILED`."""

    def __init__(self, code: str, message: Text, detail: str = "") -> None:
        super().__init__(f"{code} {detail}".strip())
        self.code, self.message = code, message


MESSAGES: Final = {
    "REPORT_TIMEOUT": Text(
        "报告未能在限定时间内生成，请减少报价或资料后重试。",
        "The report was not ready in time; take out some offers or material and try again.",
    ),
    "REPORT_TOO_LARGE": Text(
        "报告内容过大，请减少报价或资料后重试。",
        "The report is too large; take out some offers or material and try again.",
    ),
    "REPORT_FAILED": Text("报告未能生成，请重试。", "The report could not be made; please try again."),
}


def _fault(code: str, detail: str = "") -> PressError:
    return PressError(code, MESSAGES[code], detail)


class _Child:
    """One warm printing process with a temporary folder of its own."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="linewise-press-", ignore_cleanup_errors=True)
        path = os.pathsep.join(p for p in (str(_ROOT), os.environ.get("PYTHONPATH", "")) if p)
        # Only what the child needs: no address of a database, no secret. Fixed hash seed and date: same bytes.
        environment = {k: os.environ[k] for k in _KEPT if k in os.environ} | {
            "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", "PYTHONHASHSEED": "0",
            "SOURCE_DATE_EPOCH": "0", "TMPDIR": self.folder.name,
        }  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.report.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=_ROOT,
        )  # fmt: skip
        self.documents, self.memory = 0, 0

    def ask(self, job: bytes, seconds: float) -> bytes:
        """Print one document; raises `PressError`."""
        deadline = time.monotonic() + seconds + (0 if self.documents else START_SECONDS)
        self.documents += 1
        answer = self._exchange(memoryview(struct.pack("!I", len(job)) + job), deadline)
        size, _ = _HEAD.unpack_from(answer)
        head: dict[str, Any] = json.loads(answer[_HEAD.size : _HEAD.size + size])
        if "error" in head:
            raise _fault("REPORT_FAILED", head["error"])
        self.memory = head["memory"]
        return answer[_HEAD.size + size :]

    def _exchange(self, outgoing: memoryview, deadline: float) -> bytes:
        source, sink = self.process.stdout, self.process.stdin
        if source is None or sink is None:  # pragma: no cover - both are pipes
            raise _fault("REPORT_FAILED")
        os.set_blocking(sink.fileno(), False)
        received = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(sink, selectors.EVENT_WRITE)
            selector.register(source, selectors.EVENT_READ)
            while not _complete(received):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise _fault("REPORT_TIMEOUT")
                for event, _ in selector.select(left):
                    if event.fileobj is source:
                        chunk = os.read(source.fileno(), _CHUNK)
                        received += chunk
                        if not chunk:
                            raise _fault("REPORT_FAILED", "the printing process ended")
                        continue
                    with contextlib.suppress(BlockingIOError, BrokenPipeError):
                        outgoing = outgoing[os.write(sink.fileno(), outgoing[:_CHUNK]) :]
                    if not outgoing:
                        selector.unregister(sink)
        return bytes(received)

    def close(self) -> None:
        """End the process, free its pipes and its folder."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()
        self.process.wait()
        self.folder.cleanup()


def _complete(received: bytearray) -> bool:
    return len(received) >= _HEAD.size and len(received) >= _HEAD.size + sum(_HEAD.unpack_from(received))


class Press:
    """Prints one document at a time in one child."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._child: _Child | None = None

    def print(self, html: str, attachment: str | None = None, moment: str | None = None) -> bytes:
        """The PDF of `html`; raises `PressError`."""
        job = json.dumps({"html": html, "attachment": attachment, "moment": moment}, ensure_ascii=False).encode()
        if len(job) > MOST_HTML:
            raise _fault("REPORT_TOO_LARGE", f"{len(job)} bytes")
        with self._lock:
            child = self._child = self._child or _Child()
            try:
                pdf = child.ask(job, self._seconds)
            except PressError:
                self._drop()
                raise
            if child.documents >= MOST_DOCUMENTS or child.memory > MOST_MEMORY:
                self._drop()
            return pdf

    def _drop(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def close(self) -> None:
        """End the child; a later document starts a new one."""
        with self._lock:
            self._drop()


PRESS: Final = Press()
atexit.register(PRESS.close)


def close() -> None:
    """End the printing child of this process (for an orderly shutdown)."""
    PRESS.close()
