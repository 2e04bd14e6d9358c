"""Bringing the database to the schema of this program.

An existing SQLite file is copied first; a step that fails leaves the data as it was. A schema newer than
the program, or a file that is not ours, is refused with a sentence. Two processes that start together take
turns.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from app.domain.text import Text
from app.store.backup import copy_database, put_back
from app.store.engine import WRITES, database_url, open_engine, sqlite_file, translate
from app.store.errors import BusyError, DatabaseRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

log = logging.getLogger(__name__)

SCRIPTS = Path(__file__).resolve().parents[2] / "migrations"
LOCK_KEY = 7_206_100  # any number no other program uses on this PostgreSQL database
WAIT_SECONDS = 60.0


def upgrade(address: str, scripts: Path = SCRIPTS) -> None:
    """Bring the database at `address` to the newest schema; does nothing when it is there already.

    Raises `DatabaseRefusedError` with a sentence for the person who starts the program.
    """
    path = sqlite_file(database_url(address))
    if path is not None:
        _prepare_file(path)
    engine = open_engine(address, foreign_keys=False)
    try:
        with _alone(engine, path):
            _upgrade(engine, path, scripts)
    finally:
        engine.dispose()


def configuration(scripts: Path = SCRIPTS, connection: Connection | None = None) -> Config:
    """Alembic's configuration, made here instead of in an ini file."""
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    if connection is not None:
        config.attributes["connection"] = connection
    return config


def current_revision(connection: Connection) -> str | None:
    """The revision of a database; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def known_revisions(scripts: Path = SCRIPTS) -> frozenset[str]:
    """Every revision this program can open."""
    return frozenset(s.revision for s in ScriptDirectory.from_config(configuration(scripts)).walk_revisions())


def _upgrade(engine: Engine, path: Path | None, scripts: Path) -> None:
    directory = ScriptDirectory.from_config(configuration(scripts))
    with engine.connect() as connection:
        current = current_revision(connection)
        foreign = current is None and bool(inspect(connection).get_table_names())
    if foreign:
        raise DatabaseRefusedError(_not_ours())
    if current is not None and current not in known_revisions(scripts):
        raise DatabaseRefusedError(_newer())
    if current == directory.get_current_head():
        return
    copy = None if path is None or current is None else _copy(path, current)
    try:
        _run(engine, scripts)
    except Exception as error:  # noqa: BLE001 - whatever failed, the data is put back
        if path is not None and copy is not None:
            engine.dispose()
            put_back(copy, path)
        # Frames and kind only: the database's own words may quote rows.
        frames = "".join(traceback.format_tb(error.__traceback__))
        log.error("the migration failed: %s\n%s", translate(error) or type(error).__name__, frames)  # noqa: TRY400
        raise DatabaseRefusedError(_failed(copy)) from None


def _run(engine: Engine, scripts: Path) -> None:
    """Every step in one transaction, followed by the check that foreign keys still hold."""
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        command.upgrade(configuration(scripts, connection), "head")
        if engine.dialect.name == "sqlite" and connection.execute(text("PRAGMA foreign_key_check")).first():
            raise RuntimeError("a migration step left rows that point at nothing")


def _copy(path: Path, revision: str) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    copy = path.with_name(f"{path.name}.before-{revision}-{stamp}")
    copy_database(path, copy)
    log.info("the database was copied to %s before it is migrated", copy.name)
    return copy


def _prepare_file(path: Path) -> None:
    """Make the folder and an empty file that only the owner can read."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise DatabaseRefusedError(
            Text(
                f"无法在 {path.parent} 创建数据库（{error.strerror}）。请用 LINEWISE_DATA 指定一个可写的目录。",
                f"The database cannot be created in {path.parent} ({error.strerror}). "
                "Name a folder that can be written to in LINEWISE_DATA.",
            )
        ) from error


@contextlib.contextmanager
def _alone(engine: Engine, path: Path | None) -> Iterator[None]:
    """Let one process migrate at a time."""
    if path is not None:
        with path.with_name(path.name + ".migrating").open("w", encoding="ascii") as file:
            _wait_for(file.fileno())
            yield  # closing the file gives the lock back
    elif engine.dialect.name == "postgresql":
        with engine.connect() as connection:
            connection.execute(text("SET lock_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": LOCK_KEY})
            connection.commit()
            try:
                yield
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": LOCK_KEY})
                connection.commit()
    else:
        yield


def _wait_for(handle: int) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise BusyError from None
            time.sleep(0.05)
        else:
            return


def _not_ours() -> Text:
    return Text(
        "这个数据库里有其他程序的表，不是 Linewise 的数据库。请换一个空的数据库或目录。",
        "This database holds tables of another program; it is not a Linewise database. "
        "Choose an empty database or another folder.",
    )


def _newer() -> Text:
    return Text(
        "数据库由更新版本的 Linewise 写入，本版本无法打开。请升级程序，或恢复升级前的备份。",
        "The database was written by a newer Linewise; this version cannot open it. "
        "Upgrade the program or restore the backup made before the upgrade.",
    )


def _failed(copy: Path | None) -> Text:
    if copy is None:
        return Text(
            "数据库升级失败，数据未作改动。请查看日志后重试。",
            "Upgrading the database failed; the data was not changed. See the log and try again.",
        )
    return Text(
        f"数据库升级失败，已恢复为升级前的内容（备份：{copy.name}）。请查看日志后重试。",
        f"Upgrading the database failed; it was put back as it was (backup: {copy.name}). See the log and try again.",
    )
