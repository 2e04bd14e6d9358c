"""Backup and restore: under load, complete, checked, refused while running."""

from __future__ import annotations

import threading
import zipfile
from typing import TYPE_CHECKING

import pytest

from app.services import keeping, projects
from app.services.documents import fetch_original, list_documents
from app.services.errors import DatabaseRefusedError, InputError
from app.store.unit_of_work import Store

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def address(store: Store, tmp_path: Path) -> str:
    """The address of the store's database."""
    del store
    return f"sqlite:///{tmp_path / 'linewise.sqlite3'}"


def test_a_backup_under_load_restores_to_what_was_committed(store: Store, address: str, tmp_path: Path) -> None:
    example = projects.load_example(store, "李")
    stop = threading.Event()

    def busy() -> None:
        while not stop.is_set():
            projects.create_project(store, "more")

    writer = threading.Thread(target=busy)
    writer.start()
    try:
        saved = keeping.back_up(address, store.originals.root, tmp_path / "backup.zip")
    finally:
        stop.set()
        writer.join()
    assert (saved.files, saved.missing) == (3, 0)
    assert (tmp_path / "backup.zip").stat().st_mode & 0o777 == 0o600

    elsewhere = tmp_path / "elsewhere"
    new_address = f"sqlite:///{elsewhere / 'linewise.sqlite3'}"
    assert keeping.restore(new_address, elsewhere / "originals", tmp_path / "backup.zip") == saved
    restored = Store.open(new_address, elsewhere / "originals")
    assert len(projects.list_projects(restored)) == saved.projects
    assert projects.get_project(restored, example.id) == projects.get_project(store, example.id)
    for document in list_documents(restored, example.id):
        assert fetch_original(restored, example.id, document.id) == fetch_original(store, example.id, document.id)
    restored.close()


def test_a_restore_keeps_what_was_there_and_is_refused_while_in_use(store: Store, address: str, tmp_path: Path) -> None:
    projects.create_project(store, "first")
    keeping.back_up(address, store.originals.root, tmp_path / "backup.zip")
    projects.create_project(store, "second")
    running = Store.open(address, store.originals.root)
    with pytest.raises(DatabaseRefusedError, match="in use"):
        keeping.restore(address, store.originals.root, tmp_path / "backup.zip")
    assert len(projects.list_projects(running)) == 2
    running.close()
    store.close()
    keeping.restore(address, store.originals.root, tmp_path / "backup.zip")
    assert [p.name for p in projects.list_projects(store)] == ["first"]
    assert len(list(tmp_path.glob("*.before-restore-*"))) == 1


def test_a_damaged_or_foreign_file_changes_nothing(store: Store, address: str, tmp_path: Path) -> None:
    projects.create_project(store, "kept")
    good = tmp_path / "backup.zip"
    keeping.back_up(address, store.originals.root, good)
    store.close()
    cut, other, extra = tmp_path / "cut.zip", tmp_path / "other.zip", tmp_path / "extra.zip"
    cut.write_bytes(good.read_bytes()[:-100])
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("hello", "x")
    extra.write_bytes(good.read_bytes())
    with zipfile.ZipFile(extra, "a") as archive:
        archive.writestr("originals/../../escape", "x")
    for bad in (cut, other, extra, tmp_path / "none.zip"):
        with pytest.raises(DatabaseRefusedError, match="not a sound"):
            keeping.restore(address, store.originals.root, bad)
    assert [p.name for p in projects.list_projects(store)] == ["kept"]
    assert not (tmp_path / "escape").exists()
    assert list(tmp_path.glob("*.incoming")) == []


def test_what_cannot_be_backed_up_is_said(tmp_path: Path) -> None:
    for address, code in (
        (f"sqlite:///{tmp_path / 'none.sqlite3'}", "NO_DATABASE"),
        ("postgresql://x@localhost/y", "NOT_SQLITE"),
    ):
        with pytest.raises(InputError) as caught:
            keeping.back_up(address, tmp_path, tmp_path / "b.zip")
        assert caught.value.problems[0].code == code
