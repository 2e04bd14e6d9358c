"""Consistent copies of a live SQLite database through its online backup, checked before they count."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class BadCopyError(RuntimeError):
    """A copy did not pass its check."""


def copy_database(source: Path, target: Path) -> None:
    """Copy `source` to `target` (owner-readable only) and check it; a failed copy is removed."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(target)) as written:
            read.backup(written)
            written.execute("PRAGMA journal_mode=DELETE")  # one file, no log beside it
        check_database(target)
        _flush(target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def put_back(copy: Path, target: Path) -> None:
    """Replace the content of a database by that of a copy, in one transaction."""
    with closing(sqlite3.connect(copy)) as read, closing(sqlite3.connect(target)) as written:
        read.backup(written)


def check_database(path: Path) -> None:
    """Raise `BadCopyError` unless every page is sound and every reference holds."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        if found != [("ok",)] or connection.execute("PRAGMA foreign_key_check").fetchall():
            raise BadCopyError("the copy of the database did not pass its check")


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
