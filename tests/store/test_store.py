"""Transactions, versions, writers at once, restarts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import traceback
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import text

from app.domain.facts import Evidence, Fact, Offer, State
from app.store.engine import mount_type, open_engine
from app.store.errors import (
    BusyError,
    ConflictError,
    DatabaseFaultError,
    DatabaseRefusedError,
    NotFoundError,
)
from app.store.originals import Originals
from app.store.unit_of_work import Store

EVIDENCE = Evidence(reader="r", quote="10 ms")
FACT = Fact(metric="rtt", state=State.STATED, value=Decimal("0.010"), unit="s", evidence=EVIDENCE)
OFFER = Offer(vendor="甲山通信", product="400G", facts=(FACT, replace(FACT, metric="jitter")))


def project_with_offer(store: Store) -> tuple[str, str]:
    """The ids of a project and of an offer in it."""
    with store.write() as unit:
        project = unit.projects.add("p", {"scenario": "training"}, {}, "me")
        offer = unit.offers.add(project.id, OFFER, "me", origin="read")
    return project.id, offer.id


def test_a_block_that_raises_stores_nothing(store: Store) -> None:
    with pytest.raises(NotFoundError), store.write() as unit:
        unit.documents.get(unit.projects.add("half", None, {}, "me").id, "none")
    with store.read() as unit:
        assert unit.projects.summaries() == ()


def test_the_second_of_two_edits_is_refused_with_both_versions(store: Store) -> None:
    project_id, _ = project_with_offer(store)
    with store.write() as unit:
        unit.projects.change(project_id, 1, "李", {"name": "first"})
    with pytest.raises(ConflictError, match="李 changed this") as caught, store.write() as unit:
        unit.projects.change(project_id, 1, "王", {"name": "second"})
    assert (caught.value.expected, caught.value.actual, caught.value.changed_by) == (1, 2, "李")
    with store.read() as unit:
        assert unit.projects.get(project_id).name == "first"


def test_an_update_with_a_stale_version_is_seen_by_the_database_too(store: Store) -> None:
    """Belt and braces: the UPDATE itself names the version."""
    project_id, _ = project_with_offer(store)

    def change_behind_our_back() -> None:
        with store.write() as unit:
            row = unit.projects._row(project_id)
            unit.projects._session.execute(text("UPDATE projects SET version = 9"))
            row.name = "lost"

    with pytest.raises(ConflictError):
        change_behind_our_back()


def test_a_change_of_a_fact_moves_its_offer_to_the_next_version(store: Store) -> None:
    project_id, offer_id = project_with_offer(store)
    with store.write() as unit:
        fact = unit.offers.get(project_id, offer_id).facts[0]
        unit.offers.confirm(project_id, fact.id, fact.version, "me")
    with store.read() as unit:
        assert unit.offers.get(project_id, offer_id).version == 2
    with pytest.raises(ConflictError), store.write() as unit:
        unit.offers.confirm_all(project_id, offer_id, 1, "me")
    with store.write() as unit:
        assert [f.fact.metric for f in unit.offers.confirm_all(project_id, offer_id, 2, "me")] == ["jitter"]


def test_a_correction_keeps_the_old_fact_in_its_place(store: Store) -> None:
    project_id, offer_id = project_with_offer(store)
    with store.write() as unit:
        fact = unit.offers.get(project_id, offer_id).facts[0]
        old, new = unit.offers.supersede(
            project_id,
            fact.id,
            1,
            "me",
            replace(FACT, value=Decimal("0.012"), confirmed_by="me"),
            "corrected",
        )
    assert old.superseded_by == new.id
    with store.read() as unit:
        offer = unit.offers.get(project_id, offer_id)
    assert [f.fact.metric for f in offer.live_facts] == ["rtt", "jitter"]
    assert offer.as_offer().facts[0].value == Decimal("0.012")
    assert len(offer.facts) == 3


def test_nothing_is_reached_through_another_project(store: Store) -> None:
    project_id, offer_id = project_with_offer(store)
    other, _ = project_with_offer(store)
    with store.read() as unit:
        fact_id = unit.offers.get(project_id, offer_id).facts[0].id
        for look in (
            lambda: unit.offers.get(other, offer_id),
            lambda: unit.offers.fact(other, fact_id),
            lambda: unit.documents.get(other, "x"),
            lambda: unit.assessments.get(other, "x"),
            lambda: unit.projects.get("x"),
        ):
            with pytest.raises(NotFoundError):
                look()


def test_the_audit_trail_cannot_be_altered(store: Store) -> None:
    project_id, _ = project_with_offer(store)
    with store.write() as unit:
        unit.audit.add(project_id, "me", "renamed", "project", project_id, field="name", old="a", new="b")
    with pytest.raises(DatabaseFaultError), store.write() as unit:
        unit.audit._session.execute(text("UPDATE audit SET actor = 'somebody else'"))
    with store.read() as unit:
        assert [(a.actor, a.old, a.new) for a in unit.audit.of(project_id)] == [("me", "a", "b")]


def test_deleting_a_project_takes_everything_with_it(store: Store) -> None:
    project_id, _ = project_with_offer(store)
    with store.write() as unit:
        unit.audit.add(project_id, "me", "x", "y", "z")
        unit.assessments.add(
            project_id, "me", "0" * 64, "1", {"workload": {}, "policy": {}, "offers": [], "result": {}}
        )
        unit.projects.delete(project_id, 1)
    with store.engine.connect() as connection:
        for table in ("projects", "offers", "facts", "audit", "assessments"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 0, table  # noqa: S608


def test_the_same_assessment_is_kept_once(store: Store) -> None:
    project_id, _ = project_with_offer(store)
    parts = {"workload": {"b": 1, "a": 0.1}, "policy": {}, "offers": [], "result": {"x": None}}
    for _ in range(2):
        with store.write() as unit:
            kept = unit.assessments.add(project_id, "me", "0" * 64, "1", parts)
    with store.read() as unit:
        assert unit.assessments.of(project_id) == (unit.assessments.get(project_id, kept.id),)
        assert unit.assessments.get(project_id, kept.id).workload == parts["workload"]


def test_twenty_writers_at_once_all_get_through(store: Store) -> None:
    """Each reads, then writes: without BEGIN IMMEDIATE this fails with "database is locked" (T47)."""
    project_id, _ = project_with_offer(store)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(5):
                with store.write() as unit:
                    unit.projects.lock(project_id)
                    unit.offers.of(project_id)
                    unit.audit.add(project_id, f"w{number}", "write", "project", project_id, new=turn)
        except BaseException as error:  # noqa: BLE001 - the main thread reports it
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    with store.read() as unit:
        assert len(unit.audit.of(project_id)) == 100


def test_a_writer_that_waits_too_long_is_told_to_try_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    if store.engine.dialect.name != "sqlite":
        pytest.skip("SQLite's one writer")
    monkeypatch.setattr("app.store.engine.BUSY_TIMEOUT_MS", 50)
    store.close()
    with store.write() as first:
        first.projects.add("p", None, {}, "me")
        with pytest.raises(BusyError), store.write() as second:
            second.projects.summaries()


def test_a_reading_unit_cannot_write(store: Store) -> None:
    with pytest.raises(RuntimeError, match="reading"), store.read() as unit:
        unit.audit.add("p", "me", "x", "y", "z")


def test_times_are_utc_whatever_zone_they_came_in(address: str, tmp_path: Path) -> None:
    """UTC+8 at 00:30 is the day before in UTC (T63)."""
    moment = datetime(2026, 12, 1, 0, 30, tzinfo=timezone(timedelta(hours=8)))
    store = Store(open_engine(address), Originals(tmp_path), clock=lambda: moment)
    with store.write() as unit:
        project = unit.projects.add("p", None, {}, "me")
    with store.read() as unit:
        stored = unit.projects.get(project.id).created_at
    assert stored == moment
    assert stored.isoformat() == "2026-11-30T16:30:00+00:00"
    assert stored.tzinfo is UTC
    store.close()


WRITER = """
import sys
from pathlib import Path
from app.store.unit_of_work import Store
store = Store.open(sys.argv[1], Path(sys.argv[2]))
for number in range(100_000):
    with store.write() as unit:
        unit.projects.add(f"p{number}", None, {}, "me")
    print(number, flush=True)
"""


def test_a_kill_loses_nothing_committed(store: Store, address: str, tmp_path: Path) -> None:
    """What the child reported as committed is there afterwards; nothing half written is."""
    command = [sys.executable, "-c", WRITER, address, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        reported = -1
        while reported < 30:
            reported = int(child.stdout.readline())
        os.kill(child.pid, signal.SIGKILL)
        for line in child.stdout:
            reported = int(line)
    with store.read() as unit:
        names = {p.name for p in unit.projects.summaries()}
    assert {f"p{n}" for n in range(reported + 1)} <= names
    assert len(names) <= reported + 2


def test_sqlite_runs_with_the_safe_settings(store: Store) -> None:
    if store.engine.dialect.name != "sqlite":
        pytest.skip("SQLite's pragmas")
    with store.engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "secure_delete")
        }
    assert found == {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000, "secure_delete": 1,
    }  # fmt: skip


def test_deleted_text_is_not_readable_in_the_files(store: Store, tmp_path: Path) -> None:
    if store.engine.dialect.name != "sqlite":
        pytest.skip("SQLite's files")
    with store.write() as unit:
        project = unit.projects.add("SECRET-PRICE-4711", None, {}, "me")
    with store.write() as unit:
        unit.projects.delete(project.id, 1)
    store.forget_deleted()
    assert not [p for p in tmp_path.glob("linewise*") if b"SECRET-PRICE-4711" in p.read_bytes()]


@pytest.mark.parametrize("bad", ["mysql://x/y", "not an address", "sqlite://", "sqlite:///:memory:"])
def test_an_address_we_cannot_use_is_refused(bad: str) -> None:
    with pytest.raises(DatabaseRefusedError, match="address"):
        open_engine(bad)


def test_a_network_drive_is_refused_and_the_deepest_mount_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "mounts"
    table.write_text(f"/dev/a / ext4 rw 0 0\nhost:/x {tmp_path} nfs4 rw 0 0\n", encoding="utf-8")
    assert mount_type(tmp_path / "x.sqlite3", table) == "nfs4"
    assert mount_type(Path("/srv/x.sqlite3"), table) == "ext4"
    monkeypatch.setattr("app.store.engine.mount_type", lambda _path: "nfs4")
    with pytest.raises(DatabaseRefusedError, match="nfs4"):
        open_engine(f"sqlite:///{tmp_path / 'x.sqlite3'}")


def test_errors_never_show_values(store: Store) -> None:
    """No vendor figure in a log: statements are shown without their parameters."""
    project_id, _ = project_with_offer(store)
    statement = text("INSERT INTO projects (id, name) VALUES (:id, 'CANARY')")
    with pytest.raises(DatabaseFaultError) as caught, store.write() as unit:
        unit.audit._session.execute(statement, {"id": project_id})
    shown = "".join(traceback.format_exception(caught.value))
    assert project_id not in shown
    assert "constraint" in shown.lower() or "NotNull" in shown
