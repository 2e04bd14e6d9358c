"""Original files: by content, atomic, owner-only, swept, and gone when deleted."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple
from typing import TYPE_CHECKING

import pytest

from app.store.errors import NotFoundError, StorageFullError
from app.store.originals import Originals

if TYPE_CHECKING:
    from pathlib import Path

    from app.store.unit_of_work import Store

VALUES = {
    "kind": "csv",
    "size": 3,
    "pages": None,
    "status": "read",
    "code": None,
    "message": None,
    "notices": [],
}


def test_kept_by_content_and_owner_only(tmp_path: Path) -> None:
    originals = Originals(tmp_path / "originals")
    sha256 = originals.put(b"abc")
    assert sha256 == hashlib.sha256(b"abc").hexdigest() == originals.put(b"abc")
    assert originals.get(sha256) == b"abc"
    assert originals.path(sha256).stat().st_mode & 0o777 == 0o600
    assert originals.root.stat().st_mode & 0o777 == 0o700
    assert list(originals.hashes()) == [sha256]


@pytest.mark.parametrize("name", ["../../etc/passwd", "a" * 63, "A" * 64, "", "/" * 64])
def test_only_a_hash_names_a_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotFoundError):
        Originals(tmp_path).get(name)


def test_a_damaged_file_is_not_handed_out(tmp_path: Path) -> None:
    originals = Originals(tmp_path)
    sha256 = originals.put(b"abc")
    originals.path(sha256).write_bytes(b"abd")
    with pytest.raises(NotFoundError):
        originals.get(sha256)


def test_no_room_is_said_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")  # noqa: PYI024 - what shutil answers with
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 0, 201 * 1024 * 1024))
    originals = Originals(tmp_path / "o")
    originals.check_room(1000)
    with pytest.raises(StorageFullError):
        originals.check_room(1024 * 1024)


def test_a_disk_that_fills_up_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(os, "fsync", full)
    originals = Originals(tmp_path)
    with pytest.raises(StorageFullError):
        originals.put(b"abc")
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


CHILD = """
import os, sys
from pathlib import Path
from app.store.unit_of_work import Store
address, folder, stop_at = sys.argv[1:]
store = Store.open(address, Path(folder))
real = {"fsync": os.fsync, "replace": Path.replace}
def stop(name):
    if name == stop_at:
        print("here", flush=True)
        sys.stdin.readline()
def fsync(handle):
    stop("before-fsync"); real["fsync"](handle)
def replace(self, target):
    stop("before-rename"); real["replace"](self, target); stop("after-rename")
os.fsync, Path.replace = fsync, replace
with store.write() as unit:
    project = unit.projects.add("p", None, {}, "me")
    sha256 = store.originals.put(b"abc")
    unit.documents.add(project.id, "a.csv", "me", {
        "sha256": sha256, "kind": "csv", "size": 3, "pages": None, "status": "read", "code": None,
        "message": None, "notices": []})
    stop("before-commit")
stop("after-commit")
"""


@pytest.mark.parametrize("step", ["before-fsync", "before-rename", "after-rename", "before-commit", "after-commit"])
def test_a_kill_between_two_steps_leaves_row_and_file_or_neither(
    store: Store, address: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T50: after any kill -9 and the sweep at start, every row has its file and every file its row."""
    if store.engine.dialect.name == "postgresql" and "commit" not in step:
        pytest.skip("writing the file is the same on either database")
    command = [sys.executable, "-c", CHILD, address, str(store.originals.root), step]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "here\n"
        os.kill(child.pid, signal.SIGKILL)
    monkeypatch.setattr("app.store.originals.STALE_SECONDS", -1)
    store.sweep()
    with store.read() as unit:
        wanted = unit.documents.wanted()
    assert wanted == frozenset(store.originals.hashes())
    assert bool(wanted) == (step == "after-commit")
    assert list(store.originals.root.glob("tmp/*")) == []
    for sha256 in wanted:
        assert store.originals.get(sha256) == b"abc"


def test_the_sweep_leaves_a_young_temporary_file_of_another_process(store: Store) -> None:
    store.originals.put(b"x")
    young, old = store.originals.root / "tmp" / "young", store.originals.root / "tmp" / "old"
    young.touch()
    old.touch()
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    assert store.sweep() == 2  # the orphan and the old one
    assert young.exists()
    assert not old.exists()


def test_bytes_shared_by_two_projects_stay_until_the_last_is_gone(store: Store) -> None:
    sha256 = store.originals.put(b"abc")
    projects = []
    for name in ("a", "b"):
        with store.write() as unit:
            project = unit.projects.add(name, None, {}, "me")
            unit.documents.add(project.id, "a.csv", "me", VALUES | {"sha256": sha256})
            projects.append(project.id)
    for project_id, left in zip(projects, (True, False), strict=True):
        with store.write() as unit:
            hashes = unit.projects.delete(project_id, 1)
        store.remove_unwanted(hashes)
        assert store.originals.path(sha256).exists() is left
