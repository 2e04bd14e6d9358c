"""Migrations: up from empty equals the metadata; refusals; a failed step changes nothing; two at once."""

from __future__ import annotations

import multiprocessing
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import text

from app.store.engine import open_engine
from app.store.errors import DatabaseRefusedError
from app.store.migrate import SCRIPTS, configuration, current_revision, upgrade
from app.store.unit_of_work import Store


@pytest.fixture
def address(own_address: str) -> str:
    """Here the schema is changed: every test has a database of its own."""
    return own_address


def test_up_from_empty_equals_the_tables(address: str) -> None:
    """`alembic check`: nothing left to generate, on either database."""
    engine = open_engine(address)
    with engine.connect() as connection:
        command.check(configuration(connection=connection))
        assert current_revision(connection) == "0001"
    engine.dispose()


def test_upgrade_twice_changes_nothing_and_makes_no_copy(address: str, tmp_path: Path) -> None:
    before = sorted(p.name for p in tmp_path.iterdir() if ".before-" in p.name)
    upgrade(address)
    assert sorted(p.name for p in tmp_path.iterdir() if ".before-" in p.name) == before == []


def test_a_new_database_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "new" / "linewise.sqlite3"
    upgrade(f"sqlite:///{path}")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_newer_schema_is_refused_with_a_sentence(address: str) -> None:
    engine = open_engine(address)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(DatabaseRefusedError, match="newer Linewise"):
        upgrade(address)


def test_the_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER)")
    with pytest.raises(DatabaseRefusedError, match="another program"):
        upgrade(f"sqlite:///{path}")


def later_revision(folder: Path, body: str) -> Path:
    """Our scripts with one more revision."""
    scripts = folder / "migrations"
    shutil.copytree(SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "later.py").write_text(
        f"from alembic import op\nimport sqlalchemy as sa\nrevision = '0002'\ndown_revision = '0001'\n"
        f"def upgrade():\n    {body}\n",
        encoding="utf-8",
    )
    return scripts


def test_an_existing_file_is_copied_before_it_is_migrated(store: Store, address: str, tmp_path: Path) -> None:
    with store.write() as unit:
        unit.projects.add("kept", None, {}, "me")
    scripts = later_revision(tmp_path, "op.add_column('projects', sa.Column('note', sa.Text()))")
    upgrade(address, scripts)
    with store.read() as unit:
        assert [p.name for p in unit.projects.summaries()] == ["kept"]
    copies = list(tmp_path.glob("*.before-0001-*"))
    if address.startswith("sqlite"):
        assert len(copies) == 1
        assert copies[0].stat().st_mode & 0o777 == 0o600
        with closing(sqlite3.connect(copies[0])) as copy:
            assert copy.execute("SELECT name FROM projects").fetchall() == [("kept",)]


def test_a_step_that_fails_halfway_leaves_everything_as_it_was(store: Store, address: str, tmp_path: Path) -> None:
    with store.write() as unit:
        unit.projects.add("kept", None, {}, "me")
    scripts = later_revision(
        tmp_path, "op.execute('DROP TABLE audit'); op.execute('DELETE FROM projects'); op.execute('nonsense')"
    )
    with pytest.raises(DatabaseRefusedError, match="failed"):
        upgrade(address, scripts)
    store.close()
    with store.read() as unit:
        (project,) = unit.projects.summaries()
        assert project.name == "kept"
        assert unit.audit.of(project.id) == ()


def test_processes_that_start_together_take_turns(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'shared.sqlite3'}"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=upgrade, args=(address,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [p.exitcode for p in processes] == [0, 0, 0, 0]


def test_revisions_import_nothing_of_the_program() -> None:
    for path in (SCRIPTS / "versions").glob("*.py"):
        assert "app" not in {line.split()[1].split(".")[0] for line in imports(path)}, path


def imports(path: Path) -> list[str]:
    """The import lines of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith(("import ", "from "))]
