"""The example project: real sheets, really read, with the three outcomes it is there to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.services import example, projects
from app.services.assessing import assess_project
from app.services.documents import fetch_original, list_documents
from app.services.errors import StorageFullError
from app.services.example.build import SHEETS, build
from app.services.offers import list_offers
from app.sheets.reading import read_file

if TYPE_CHECKING:
    from pathlib import Path

    from app.store.unit_of_work import Store


def test_one_recommended_one_rejected_one_conditional(store: Store) -> None:
    project = projects.load_example(store, "李")
    with store.read() as unit:
        *_, assessment = assess_project(unit, project.id)
    found = {judged.offer.vendor: judged for judged in assessment.offers}
    assert {name: judged.outcome.value for name, judged in found.items()} == {
        "甲山通信": "recommended",
        "乙河网络": "rejected",
        "丙原互联": "conditional",
    }
    failed = {c.rule.id for c in found["乙河网络"].checks if c.status.value == "fail"}
    assert {"bandwidth.end_to_end", "bandwidth.effective"} <= failed
    assert all("丢包" in reason.zh for reason in found["丙原互联"].reasons)


def test_every_value_has_its_evidence_and_the_file_behind_it(store: Store) -> None:
    project = projects.load_example(store)
    documents = {d.id: d for d in list_documents(store, project.id)}
    assert [d.status for d in documents.values()] == ["read"] * 3
    for offer in list_offers(store, project.id):
        assert offer.document_id is not None
        document, content = fetch_original(store, project.id, offer.document_id)
        assert content
        for record in offer.facts:
            evidence = record.fact.evidence
            assert (evidence.sha256, evidence.file) == (document.sha256, document.name)
            assert evidence.quote


def test_a_second_example_shares_the_files_and_stands_alone(store: Store) -> None:
    first, second = projects.load_example(store), projects.load_example(store)
    projects.delete_project(store, first.id, first.version)
    (document, *_) = list_documents(store, second.id)
    assert fetch_original(store, second.id, document.id)[1]


def test_an_example_that_does_not_fit_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_size: int) -> None:
        raise StorageFullError

    monkeypatch.setattr(store.originals, "check_room", full)
    with pytest.raises(StorageFullError):
        projects.load_example(store)
    assert projects.list_projects(store) == ()


def test_the_sheets_are_what_the_script_writes(tmp_path: Path) -> None:
    build(tmp_path)
    for (file, _), (label, kept) in zip(example.FILES, example.example_files(), strict=True):
        fresh = read_file(label, (tmp_path / file).read_bytes())
        stored = read_file(label, kept)
        said = [[(f.metric, f.value, f.evidence.quote) for f in o.facts] for o in stored.offers]
        assert said == [[(f.metric, f.value, f.evidence.quote) for f in o.facts] for o in fresh.offers]
    assert {file for file, _ in example.FILES} == set(SHEETS)
