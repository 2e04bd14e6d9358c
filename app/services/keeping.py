"""Backup to one file and restore from it (SQLite; PostgreSQL has its own tools)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.store.archive import ArchiveSummary, read_archive, write_archive
from app.store.engine import database_url, sqlite_file
from app.store.migrate import known_revisions, upgrade
from app.store.originals import Originals

if TYPE_CHECKING:
    from pathlib import Path


def back_up(address: str, originals: Path, target: Path) -> ArchiveSummary:
    """Write everything to `target`; the program may keep running."""
    database = _file(address)
    if not database.exists():
        message = Text(f"没有数据库：{database}", f"There is no database at {database}.")
        raise InputError([Problem("NO_DATABASE", str(database), message)])
    if not target.parent.is_dir():
        message = Text("目标目录不存在，请先建立。", "The folder of the backup does not exist; make it first.")
        raise InputError([Problem("NO_FOLDER", str(target), message)])
    return write_archive(database, Originals(originals), target)


def restore(address: str, originals: Path, source: Path) -> ArchiveSummary:
    """Put a backup in the place of everything; refused while the program runs."""
    summary = read_archive(source, _file(address), Originals(originals), known_revisions())
    upgrade(address)
    return summary


def _file(address: str) -> Path:
    path = sqlite_file(database_url(address))
    if path is None:
        message = Text(
            "数据库在 PostgreSQL 上，请用 pg_dump 备份数据库，并另行备份 originals 目录。",
            "The database is on PostgreSQL: back it up with pg_dump, and the originals folder beside it.",
        )
        raise InputError([Problem("NOT_SQLITE", "database", message)])
    return path
