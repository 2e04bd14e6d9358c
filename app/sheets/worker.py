"""The parsing child: reads files from its standard input one by one, under limits, and answers in JSON.

It imports only the reading room, never the web application, and ends with its parent.
"""

from __future__ import annotations

import json
import os
import resource
import struct
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

from app.sheets import wire
from app.sheets.codes import refusal
from app.sheets.detect import MAX_INFLATED
from app.sheets.reading import read_file, refused

if TYPE_CHECKING:
    from typing import BinaryIO

MEMORY_LIMIT: Final = 1536 * 2**20
CPU_SECONDS: Final = 60
FILE_LIMIT: Final = 64 * 2**20
HEADER: Final = struct.Struct("!II")
LENGTH: Final = struct.Struct("!I")


def limit() -> None:
    """Cap memory, written files and core dumps of this process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _watch_parent(parent: int) -> None:
    """End when the parent has gone, even in the middle of a file.

    Not by PR_SET_PDEATHSIG: that fires when the *thread* ends that started this process, and the server ends
    idle threads.
    """
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _more_cpu() -> None:
    """Processor time for the next file; beyond it the kernel ends the process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = int(used.ru_utime + used.ru_stime) + CPU_SECONDS
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, hard))


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def answer(name: str, data: bytes) -> bytes:
    """The reading of one file; an unforeseen fault becomes PARSE_FAILED, never an exception."""
    try:
        return wire.dump(read_file(name, data))
    except MemoryError:
        code = "PDF_STREAM_LIMIT" if data.startswith(b"%PDF") else "ZIP_TOO_LARGE"
        return wire.dump(refused(name, data, code, refusal(code, limit=MAX_INFLATED // 2**20)))
    except Exception:  # noqa: BLE001 - the border of the sandbox: one bad file loses only itself
        return wire.dump(refused(name, data, "PARSE_FAILED", refusal("PARSE_FAILED")))


def main() -> None:
    """Serve until the input ends."""
    limit()
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a library that prints must not spoil the answers
    while True:
        try:
            name_size, data_size = HEADER.unpack(_exactly(source, HEADER.size))
            name = json.loads(_exactly(source, name_size))
            data = _exactly(source, data_size)
        except EOFError:
            return
        _more_cpu()
        reply = answer(name, data)
        sink.write(LENGTH.pack(len(reply)) + reply)
        sink.flush()


if __name__ == "__main__":
    main()
