"""Uploads: an outcome for each file, nothing lost, nothing half stored, bytes gone when deleted."""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections import namedtuple
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.facts import Evidence, Fact, Offer, State
from app.domain.problems import Notice
from app.domain.text import Text
from app.services.documents import Limits, delete_document, fetch_original, list_documents, upload
from app.services.errors import ConflictError, InputError, NotFoundError, StorageFullError
from app.services.offers import list_offers, restore_offer
from app.services.projects import create_project, delete_project, history
from app.sheets.reading import FileReading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.store.records import ProjectRecord
    from app.store.unit_of_work import Store

NOTICE = Notice("hidden_value", Text("有隐藏的行", "There are hidden rows"))


def reading(name: str, sha256: str, **more: Any) -> FileReading:
    """What the sheet room answers with for one file."""
    return FileReading(**({"name": name, "sha256": sha256, "kind": "csv", "status": "read"} | more))


def fake_reader(files: Sequence[tuple[str, bytes]]) -> list[FileReading]:
    """`BAD…` is refused; anything else is one offer whose vendor and rate stand in the bytes."""
    readings = []
    for name, content in files:
        sha256 = hashlib.sha256(content).hexdigest()
        if content.startswith(b"BAD"):
            message = Text("文件损坏", "The file is damaged")
            readings.append(reading(name, sha256, status="refused", code="DAMAGED", message=message))
            continue
        vendor, _, rate = content.decode().partition(" ")
        fact = Fact(
            metric="bandwidth", state=State.STATED, value=Decimal(rate or "1"), unit="bit/s",
            evidence=Evidence(reader="csv", quote=rate, sha256=sha256, cell="B2"),
        )  # fmt: skip
        offer = Offer(vendor=vendor, product="line", facts=(fact,))
        readings.append(reading(name, sha256, notices=(NOTICE,), offers=(offer,)))
    return readings


def send(store: Store, project: ProjectRecord, *files: tuple[str, bytes], **more):
    """Upload through the fake reader."""
    return upload(store, project.id, files, "李", reader=fake_reader, **more)


def test_a_bad_file_among_good_ones_loses_only_itself(store: Store, project: ProjectRecord) -> None:
    outcomes = send(
        store, project, ("a.csv", b"jia 1"), ("b.csv", b"BAD"), ("empty.csv", b""), ("big.csv", b"x" * 2000),
        ("c.csv", b"yi 2"), limits=Limits(file_bytes=1000),
    )  # fmt: skip
    assert [(o.name, o.outcome, o.code) for o in outcomes] == [
        ("a.csv", "stored", None),
        ("b.csv", "refused", "DAMAGED"),
        ("empty.csv", "rejected", "EMPTY_FILE"),
        ("big.csv", "rejected", "FILE_TOO_LARGE"),
        ("c.csv", "stored", None),
    ]
    assert [o.vendor for o in list_offers(store, project.id)] == ["jia", "yi"]
    documents = list_documents(store, project.id)
    assert [(d.name, d.status, d.code) for d in documents] == [
        ("a.csv", "read", None), ("b.csv", "refused", "DAMAGED"), ("c.csv", "read", None),
    ]  # fmt: skip
    assert documents[0].notices == (NOTICE,)
    assert documents[1].message is not None
    assert documents[1].message.zh == "文件损坏"


def test_the_same_bytes_are_the_same_document(store: Store, project: ProjectRecord) -> None:
    first, again = send(store, project, ("a.csv", b"jia 1"), ("copy.csv", b"jia 1"))
    assert (first.outcome, again.outcome) == ("stored", "same")
    (later,) = send(store, project, ("a.csv", b"jia 1"))
    assert (later.outcome, later.document) == ("same", first.document)
    assert len(list_offers(store, project.id)) == len(list_documents(store, project.id)) == 1


def test_two_uploads_of_the_same_bytes_at_once_make_one_document(store: Store, project: ProjectRecord) -> None:
    """T20: a double post."""
    outcomes: list[str] = []

    def post() -> None:
        outcomes.extend(o.outcome for o in send(store, project, ("a.csv", b"jia 1")))

    threads = [threading.Thread(target=post) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["same", "same", "same", "stored"]
    assert len(list_offers(store, project.id)) == len(list_documents(store, project.id)) == 1


def test_another_file_of_that_name_is_a_new_revision_and_takes_the_place_of_its_offers(
    store: Store, project: ProjectRecord
) -> None:
    send(store, project, ("a.csv", b"jia 1"))
    (second,) = send(store, project, ("a.csv", b"jia 2"))
    assert second.document is not None
    assert second.document.revision == 2
    assert [d.revision for d in list_documents(store, project.id)] == [1, 2]  # the old one is kept
    assert [o.as_offer().facts[0].value for o in list_offers(store, project.id)] == [2]
    (old,) = second.replaced
    restore_offer(store, project.id, old.id, "李", old.version)
    assert len(list_offers(store, project.id)) == 2


def test_a_refused_file_is_read_again_when_it_is_sent_again(store: Store, project: ProjectRecord) -> None:
    send(store, project, ("b.csv", b"BAD 1"))

    def better_reader(files: Sequence[tuple[str, bytes]]) -> list[FileReading]:
        offers = (Offer(vendor="v"),)
        return [reading(name, hashlib.sha256(c).hexdigest(), offers=offers) for name, c in files]

    (outcome,) = upload(store, project.id, [("b.csv", b"BAD 1")], "李", reader=better_reader)
    assert outcome.outcome == "stored"
    assert [d.status for d in list_documents(store, project.id)] == ["read"]


def test_too_many_or_none_store_nothing(store: Store, project: ProjectRecord) -> None:
    for files in ([], [("a.csv", b"jia 1"), ("b.csv", b"yi 2")]):
        with pytest.raises(InputError):
            upload(store, project.id, files, "李", limits=Limits(files=1), reader=fake_reader)
    with pytest.raises(NotFoundError):
        upload(store, "nowhere", [("a.csv", b"jia 1")], "李", reader=fake_reader)
    assert list_documents(store, project.id) == ()
    assert list(store.originals.hashes()) == []


def test_a_full_disk_is_said_and_nothing_is_stored(
    store: Store, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")  # noqa: PYI024 - what shutil answers with
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(1, 1, 0))
    with pytest.raises(StorageFullError):
        send(store, project, ("a.csv", b"jia 1"))
    assert list_documents(store, project.id) == ()


def test_a_disk_that_fills_up_on_the_way_loses_only_the_rest(
    store: Store, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = store.originals.put

    def filling(content: bytes) -> str:
        if content == b"yi 2":
            raise StorageFullError
        return put(content)

    monkeypatch.setattr(store.originals, "put", filling)
    outcomes = send(store, project, ("a.csv", b"jia 1"), ("b.csv", b"yi 2"))
    assert [(o.outcome, o.code) for o in outcomes] == [("stored", None), ("rejected", "STORAGE_FULL")]
    assert len(list_offers(store, project.id)) == 1


def test_a_clean_up_between_writing_and_committing_loses_no_file(
    store: Store, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = store.originals.put
    calls: list[bytes] = []

    def swept_after_first(content: bytes) -> str:
        sha256 = put(content)
        calls.append(content)
        if len(calls) == 1:
            store.sweep()  # another process starts now
        return sha256

    monkeypatch.setattr(store.originals, "put", swept_after_first)
    (outcome,) = send(store, project, ("a.csv", b"jia 1"))
    assert outcome.document is not None
    assert fetch_original(store, project.id, outcome.document.id)[1] == b"jia 1"


def test_deleting_a_document_removes_offers_and_bytes_and_leaves_a_trace(store: Store, project: ProjectRecord) -> None:
    (outcome,) = send(store, project, ("a.csv", b"jia 1"))
    document = outcome.document
    assert document is not None
    with pytest.raises(ConflictError):
        delete_document(store, project.id, document.id, "王", document.version + 1)
    delete_document(store, project.id, document.id, "王", document.version)
    assert list_offers(store, project.id, deleted=True) == ()
    assert list(store.originals.hashes()) == []
    assert next((h.action, h.actor, h.old) for h in history(store, project.id)) == ("deleted", "王", "a.csv")
    with pytest.raises(NotFoundError):
        fetch_original(store, project.id, document.id)


def test_bytes_used_by_another_project_stay(store: Store, project: ProjectRecord) -> None:
    other = create_project(store, "other")
    for where in (project, other):
        send(store, where, ("a.csv", b"jia 1"))
    delete_project(store, project.id, project.version)
    (document,) = list_documents(store, other.id)
    assert fetch_original(store, other.id, document.id)[1] == b"jia 1"
    delete_project(store, other.id, other.version)
    assert list(store.originals.hashes()) == []


def test_a_file_of_another_project_is_not_found(store: Store, project: ProjectRecord) -> None:
    (outcome,) = send(store, project, ("a.csv", b"jia 1"))
    assert outcome.document is not None
    other = create_project(store, "other")
    with pytest.raises(NotFoundError):
        fetch_original(store, other.id, outcome.document.id)
