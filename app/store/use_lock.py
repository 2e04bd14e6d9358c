"""Who is using a database file: many processes share it, a restore needs it alone."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from app.domain.text import Text
from app.store.errors import DatabaseRefusedError

if TYPE_CHECKING:
    from pathlib import Path


class UseLock:
    """A lock on `<database>.in-use`; the system gives it back when the process ends, however it ends."""

    def __init__(self, database: Path, *, exclusive: bool) -> None:
        """Take the lock or raise `DatabaseRefusedError` at once."""
        place = database.with_name(database.name + ".in-use")
        self._handle: int | None = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._handle, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise DatabaseRefusedError(
                Text(
                    "数据库正在使用中。请先停止 Linewise，再恢复备份。",
                    "The database is in use. Stop Linewise first, then restore the backup.",
                )
                if exclusive
                else Text(
                    "正在恢复备份，请稍后再启动。",
                    "A backup is being restored; start again when it is done.",
                )
            ) from None

    def release(self) -> None:
        """Give the lock back."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
