"""The database connection: SQLite made safe for many writers, PostgreSQL with time-outs."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.domain.text import Text
from app.store.errors import (
    BusyError,
    DatabaseFaultError,
    DatabaseRefusedError,
    StorageFullError,
    StoreError,
)

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

log = logging.getLogger(__name__)

BUSY_TIMEOUT_MS = 5000
LOCK_TIMEOUT_MS = 5000
STATEMENT_TIMEOUT_MS = 30000
POOL_SECONDS = 10
WRITES = "linewise_writes"

# Mounts on which SQLite's shared memory or its locks are known to fail (T48). The second set is also the
# root of some sandboxes, where one machine alone uses it and all is well: a warning, not a refusal.
_REFUSED_MOUNTS = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs"})
_DOUBTFUL_MOUNTS = ("9p", "virtiofs", "fuse")
_SQLITE_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_SQLITE_FULL = "SQLITE_FULL"
# SQLSTATE classes: 53100 disk full; lock, deadlock, serialization, shutdown, connection trouble.
_POSTGRES_FULL = "53100"
_POSTGRES_BUSY = ("55P03", "40P01", "40001", "53300", "57014", "57P", "08")


def database_url(address: str) -> URL:
    """Parse an address; `postgres://` and `postgresql://` mean psycopg 3."""
    try:
        url = make_url(address)
    except ArgumentError:
        raise DatabaseRefusedError(_unknown_address()) from None
    if url.get_backend_name() in {"postgres", "postgresql"}:
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite" or url.database in {None, "", ":memory:"}:
        raise DatabaseRefusedError(_unknown_address())
    return url


def _unknown_address() -> Text:
    return Text(
        "数据库地址无法识别。请使用 sqlite:///路径 或 postgresql://用户:口令@主机/库名。",
        "The database address is not understood. Use sqlite:///path or postgresql://user:password@host/name.",
    )


def sqlite_file(url: URL) -> Path | None:
    """The file behind an SQLite address; None for PostgreSQL."""
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def open_engine(address: str, *, foreign_keys: bool = True) -> Engine:
    """Open the database; statements in error messages never show their values.

    `foreign_keys=False` is for migrations, which rebuild tables on SQLite.
    """
    url = database_url(address)
    if url.get_backend_name() == "sqlite":
        return _open_sqlite(url, foreign_keys=foreign_keys)
    return create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,
        pool_recycle=1800,
        pool_size=8,
        max_overflow=12,
        pool_timeout=POOL_SECONDS,
        connect_args={
            "connect_timeout": POOL_SECONDS,
            "options": f"-c lock_timeout={LOCK_TIMEOUT_MS} -c statement_timeout={STATEMENT_TIMEOUT_MS} -c timezone=UTC",
        },
    )


def _open_sqlite(url: URL, *, foreign_keys: bool) -> Engine:
    if path := sqlite_file(url):
        _refuse_unfit_mount(path)
    engine = create_engine(url, hide_parameters=True, pool_size=8, max_overflow=40, pool_timeout=POOL_SECONDS)

    def on_connect(connection: sqlite3.Connection, _record: object) -> None:
        # We begin transactions ourselves: the driver's own BEGIN comes too late and is never IMMEDIATE.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise DatabaseRefusedError(_no_wal())
        # FULL, not NORMAL: under WAL, NORMAL may lose the last commits in a power cut (T50).
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")
        connection.execute("PRAGMA secure_delete=ON")  # deleted offers must not be readable in the file
        connection.execute("PRAGMA trusted_schema=OFF")

    def on_begin(connection: Connection) -> None:
        # A writer takes the lock before its first read; a read that turns into a write would fail at once.
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine


def _no_wal() -> Text:
    return Text(
        "数据目录所在的文件系统不支持 SQLite 的 WAL 日志。请把 LINEWISE_DATA 指向本机磁盘。",
        "The file system of the data folder does not support SQLite's write-ahead log. "
        "Point LINEWISE_DATA to a local disk.",
    )


def _refuse_unfit_mount(path: Path) -> None:
    kind = mount_type(path)
    if kind in _REFUSED_MOUNTS:
        raise DatabaseRefusedError(
            Text(
                f"数据目录位于 {kind} 文件系统，SQLite 在其上可能损坏。"
                "请把 LINEWISE_DATA 指向本机磁盘，或改用 PostgreSQL。",
                f"The data folder is on a {kind} file system, where SQLite may be corrupted. "
                "Point LINEWISE_DATA to a local disk or use PostgreSQL.",
            )
        )
    if kind.startswith(_DOUBTFUL_MOUNTS):
        log.warning("the data folder is on a %s file system; SQLite is safe on a local disk only", kind)


def mount_type(path: Path, table: Path = Path("/proc/self/mounts")) -> str:
    """Type of the file system that holds `path`; empty where the system has no mount table."""
    try:
        lines = table.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    place = path.resolve()
    best, kind = -1, ""
    for line in lines:
        fields = line.split(" ")
        mount = Path(fields[1].replace(r"\040", " "))
        if (mount == place or mount in place.parents) and len(mount.parts) >= best:
            best, kind = len(mount.parts), fields[2]
    return kind


def translate(error: Exception) -> StoreError | None:
    """The store error behind a database error; None for what does not come from the database."""
    if isinstance(error, PoolTimeoutError):
        return BusyError()
    if not isinstance(error, DBAPIError):
        return None
    if isinstance(error.orig, sqlite3.Error):
        return _from_sqlite(error.orig)
    return _from_postgres(error)


def _from_sqlite(error: sqlite3.Error) -> StoreError:
    name = str(getattr(error, "sqlite_errorname", type(error).__name__))
    if name.startswith(_SQLITE_FULL):
        return StorageFullError()
    return BusyError() if name.startswith(_SQLITE_BUSY) else DatabaseFaultError(name)


def _from_postgres(error: DBAPIError) -> StoreError:
    state = str(getattr(error.orig, "sqlstate", "") or "")
    if state == _POSTGRES_FULL:
        return StorageFullError()
    lost = isinstance(error, OperationalError) and (error.connection_invalidated or not state)
    if lost or state.startswith(_POSTGRES_BUSY):
        return BusyError()
    return DatabaseFaultError(f"{type(error.orig).__name__} {state}".strip())
