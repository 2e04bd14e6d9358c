"""A migrated, empty store on each database: SQLite always, PostgreSQL where a server can be had."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from app.store.engine import open_engine
from app.store.migrate import upgrade
from app.store.originals import Originals
from app.store.unit_of_work import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: -int(p.parent.name))


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, copied for each test."""
    path = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server: `LINEWISE_TEST_POSTGRES`, or one started for these tests."""
    if given := os.environ.get("LINEWISE_TEST_POSTGRES"):
        yield given
        return
    if not BINARIES:
        pytest.skip("no PostgreSQL server binaries and no LINEWISE_TEST_POSTGRES")
    with started_server(BINARIES[0]) as address:
        yield address


@contextmanager
def started_server(binaries: Path) -> Iterator[str]:
    """Start a server on a socket; root hands it to another user, because initdb refuses root."""
    folder = Path(tempfile.mkdtemp(prefix="linewise-pg-"))
    user: str | None = None
    if os.geteuid() == 0:
        names = {entry.pw_name for entry in pwd.getpwall()}
        user = next((name for name in ("postgres", "nobody") if name in names), None)
        if user is None:
            pytest.skip("no user that could run PostgreSQL")
        shutil.chown(folder, user)

    def run(*command: str) -> None:
        subprocess.run(
            command, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=60,
        )  # fmt: skip

    data = str(folder / "data")
    options = f"-c listen_addresses= -c fsync=off -c timezone=Asia/Shanghai -k {folder}"
    try:
        run(str(binaries / "initdb"), "-D", data, "-U", "linewise", "-A", "trust", "-E", "UTF8", "--no-sync")
        run(str(binaries / "pg_ctl"), "-D", data, "-o", options, "-l", str(folder / "log"), "-w", "start")
        yield f"postgresql://linewise@/{{name}}?host={folder}"
    finally:
        if (folder / "data" / "postmaster.pid").exists():
            run(str(binaries / "pg_ctl"), "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """A migrated PostgreSQL database, copied for each test."""
    name = f"template_{secrets.token_hex(4)}"
    administer(postgres_server, f"CREATE DATABASE {name}")
    upgrade(postgres_server.format(name=name))
    return name


def administer(server: str, statement: str) -> None:
    """Run one statement outside a transaction."""
    engine = open_engine(server.format(name="postgres"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(statement))
    engine.dispose()


@pytest.fixture(scope="session")
def postgres_shared(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """The address of one migrated database for the tests that only change rows."""
    with copied(postgres_server, postgres_template) as address:
        yield address


@contextmanager
def copied(server: str, template: str) -> Iterator[str]:
    """A database of its own, copied from the migrated one."""
    name = f"test_{secrets.token_hex(4)}"
    administer(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    yield server.format(name=name)
    administer(server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def sqlite_address(sqlite_template: Path, tmp_path: Path) -> str:
    """The address of an empty, migrated SQLite database."""
    path = tmp_path / "linewise.sqlite3"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest) -> str:
    """The address of an empty, migrated database; its schema must not be changed."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite_address"))
    shared = str(request.getfixturevalue("postgres_shared"))
    engine = open_engine(shared)
    with engine.begin() as connection:
        connection.execute(text("TRUNCATE projects CASCADE"))
    engine.dispose()
    return shared


@pytest.fixture(params=["sqlite", "postgresql"])
def own_address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The same, in a database of its own whose schema may be changed."""
    if request.param == "sqlite":
        yield str(request.getfixturevalue("sqlite_address"))
        return
    server = request.getfixturevalue("postgres_server")
    with copied(server, request.getfixturevalue("postgres_template")) as own:
        yield own


@pytest.fixture
def store(address: str, tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    opened = Store(open_engine(address), Originals(tmp_path / "originals"))
    yield opened
    opened.close()
