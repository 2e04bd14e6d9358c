"""Uploaded files as they came, each under the hash of its content.

A file is on the disk before the row that names it is committed, so a row never points at nothing. What a
crash leaves behind is a file without a row; `sweep` removes it at the next start.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
import time
from typing import TYPE_CHECKING

from app.store.errors import NotFoundError, StorageFullError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

_HASH = re.compile(r"[0-9a-f]{64}")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
ROOM_FACTOR = 3  # the file, its copy in the parser and the database's log (T51)
ROOM_BYTES = 200 * 1024 * 1024
STALE_SECONDS = 3600  # a temporary file this old belongs to a process that died


class Originals:
    """Files by content hash below `root`, readable by the owner only."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, sha256: str) -> Path:
        """Where a file lies; raises `NotFoundError` for anything that is not a hash."""
        if not _HASH.fullmatch(sha256):
            raise NotFoundError("original", sha256[:80])
        return self.root / sha256[:2] / sha256

    def put(self, content: bytes) -> str:
        """Keep `content` and return its hash; kept bytes are not written again."""
        sha256 = hashlib.sha256(content).hexdigest()
        target = self.path(sha256)
        try:
            if target.is_file() and target.stat().st_size == len(content):
                return sha256
            self._write(target, content)
        except OSError as error:
            if error.errno in _FULL:
                raise StorageFullError from error
            raise
        return sha256

    def _write(self, target: Path, content: bytes) -> None:
        for folder in (self.root, self.root / "tmp", target.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = self.root / "tmp" / secrets.token_hex(16)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)
        _sync_folder(self.root)

    def get(self, sha256: str) -> bytes:
        """The bytes of one file; raises `NotFoundError` when it is gone or no longer what it was."""
        try:
            content = self.path(sha256).read_bytes()
        except FileNotFoundError:
            raise NotFoundError("original", sha256) from None
        if hashlib.sha256(content).hexdigest() != sha256:
            raise NotFoundError("original", sha256)
        return content

    def remove(self, sha256: str) -> None:
        """Delete one file; a file already gone is no fault."""
        self.path(sha256).unlink(missing_ok=True)

    def hashes(self) -> Iterator[str]:
        """The hash of every file kept."""
        if self.root.is_dir():
            for path in sorted(self.root.glob("[0-9a-f][0-9a-f]/*")):
                if _HASH.fullmatch(path.name):
                    yield path.name

    def sweep(self, wanted: Collection[str]) -> int:
        """Delete every file no row names and every stale temporary file; returns how many."""
        orphans = [h for h in self.hashes() if h not in wanted]
        for sha256 in orphans:
            self.remove(sha256)
        stale = [p for p in self.root.glob("tmp/*") if time.time() - p.stat().st_mtime > STALE_SECONDS]
        for path in stale:
            path.unlink(missing_ok=True)
        return len(orphans) + len(stale)

    def check_room(self, size: int) -> None:
        """Raise `StorageFullError` unless `size` more bytes fit with a margin."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if shutil.disk_usage(self.root).free < ROOM_FACTOR * size + ROOM_BYTES:
            raise StorageFullError


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
