"""A backup as one file: a checked copy of the database and every original it names.

The file is a ZIP of `manifest.json`, `linewise.sqlite3` and `originals/<sha256>`. Every part is checked by its
hash before a restore touches anything.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sqlite3
import zipfile
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from app.domain.text import Text
from app.store.backup import BadCopyError, check_database, copy_database
from app.store.errors import DatabaseRefusedError, NotFoundError, StorageFullError
from app.store.use_lock import UseLock

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from app.store.originals import Originals

FORMAT = 1
DATABASE, MANIFEST, FOLDER = "linewise.sqlite3", "manifest.json", "originals/"
SIDECARS = ("-wal", "-shm")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class ArchiveSummary:
    """What a backup holds; `missing` are originals the database names and the disk did not have."""

    projects: int
    files: int
    missing: int
    revision: str

    def as_json(self) -> dict[str, Any]:
        """The summary as the command line prints it."""
        return {
            "projects": self.projects, "files": self.files, "missing": self.missing, "revision": self.revision,
        }  # fmt: skip


def write_archive(database: Path, originals: Originals, target: Path) -> ArchiveSummary:
    """Back up a database that may be in use; `target` appears whole or not at all."""
    copy, unfinished = target.with_name(target.name + ".database"), target.with_name(target.name + ".unfinished")
    try:
        with _room():
            copy_database(database, copy)
            summary = _pack(copy, originals, unfinished)
            unfinished.replace(target)
    finally:
        copy.unlink(missing_ok=True)
        unfinished.unlink(missing_ok=True)
    return summary


def _pack(copy: Path, originals: Originals, unfinished: Path) -> ArchiveSummary:
    revision, projects, hashes = _contents(copy)
    files = missing = 0
    handle = os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(copy, DATABASE)
            for sha256 in hashes:
                try:
                    archive.writestr(FOLDER + sha256, originals.get(sha256))
                    files += 1
                except NotFoundError:
                    missing += 1
            summary = ArchiveSummary(projects, files, missing, revision)
            manifest = {"format": FORMAT, "database_sha256": _hash_of(copy)} | summary.as_json()
            archive.writestr(MANIFEST, json.dumps(manifest, sort_keys=True))
        file.flush()
        os.fsync(file.fileno())
    return summary


def read_archive(source: Path, database: Path, originals: Originals, known: Collection[str]) -> ArchiveSummary:
    """Put a backup in the place of the database; the present one is kept as a copy beside it.

    `known` are the schema revisions this program can open. Raises `DatabaseRefusedError` while the database is
    in use and for a file that is not a sound backup; then nothing has changed.
    """
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    incoming = database.with_name(database.name + ".incoming")
    lock = UseLock(database, exclusive=True)
    try:
        with _room(), _sound(source) as archive:
            summary = _check(archive, incoming, known)
            for name in archive.namelist():
                if name.startswith(FOLDER):
                    originals.put(archive.read(name))
            if database.exists() and database.stat().st_size:
                stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
                copy_database(database, database.with_name(f"{database.name}.before-restore-{stamp}"))
            for ending in SIDECARS:  # a stale log would be played into the new file
                database.with_name(database.name + ending).unlink(missing_ok=True)
            incoming.replace(database)
    finally:
        incoming.unlink(missing_ok=True)
        lock.release()
    return summary


def _check(archive: zipfile.ZipFile, incoming: Path, known: Collection[str]) -> ArchiveSummary:
    """Unpack the database beside its place and compare every part with what the manifest says."""
    manifest = json.loads(archive.read(MANIFEST))
    if manifest["format"] != FORMAT or manifest["revision"] not in known:
        raise DatabaseRefusedError(
            Text(
                "备份由更新版本的 Linewise 写入，本版本无法恢复。请先升级程序。",
                "The backup was written by a newer Linewise; upgrade the program first.",
            )
        )
    handle = os.open(incoming, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(archive.read(DATABASE))
        file.flush()
        os.fsync(file.fileno())
    names = {n for n in archive.namelist() if n.startswith(FOLDER)}
    odd = set(archive.namelist()) - names - {DATABASE, MANIFEST}
    wrong = [n for n in names if hashlib.sha256(archive.read(n)).hexdigest() != n.removeprefix(FOLDER)]
    if odd or wrong or len(names) != manifest["files"] or _hash_of(incoming) != manifest["database_sha256"]:
        raise BadCopyError("a part of the backup is not what its manifest says")
    check_database(incoming)
    return ArchiveSummary(
        manifest["projects"], manifest["files"], manifest["missing"], manifest["revision"]
    )  # fmt: skip


@contextmanager
def _sound(source: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(source) as archive:
            yield archive
    except (zipfile.BadZipFile, BadCopyError, KeyError, TypeError, ValueError, sqlite3.Error, FileNotFoundError):
        raise DatabaseRefusedError(
            Text(
                "这个文件不是完好的 Linewise 备份，没有作任何改动。请换一个备份文件。",
                "This file is not a sound Linewise backup; nothing was changed. Choose another backup.",
            )
        ) from None


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StorageFullError from error
        raise


def _contents(database: Path) -> tuple[str, int, list[str]]:
    with closing(sqlite3.connect(database)) as connection:
        revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
        projects = connection.execute("SELECT count(*) FROM projects").fetchone()[0]
        hashes = connection.execute("SELECT DISTINCT sha256 FROM documents ORDER BY sha256").fetchall()
    return str(revision), int(projects), [str(row[0]) for row in hashes]


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
