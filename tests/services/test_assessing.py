"""Judging and freezing."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.canonical import canonical_json
from app.services import offers, review
from app.services.assessing import assess_project, get_snapshot, list_snapshots, recompute, snapshot
from app.services.errors import InputError
from app.services.projects import create_project, history

if TYPE_CHECKING:
    from app.store.records import ProjectRecord
    from app.store.unit_of_work import Store


def test_without_workload_or_offer_one_sentence_says_what_to_do(store: Store, project: ProjectRecord) -> None:
    empty = create_project(store, "empty")
    for project_id, code in ((empty.id, "NO_WORKLOAD"), (project.id, "NO_OFFERS")):
        with pytest.raises(InputError) as caught, store.read() as unit:
            assess_project(unit, project_id)
        assert caught.value.problems[0].code == code


def test_a_snapshot_is_kept_once_and_recomputes_to_the_same_hash(
    store: Store, project: ProjectRecord, offer: dict[str, Any]
) -> None:
    (record,) = offers.type_in(store, project.id, offer, "李")
    first = snapshot(store, project.id, "王")
    assert snapshot(store, project.id, "李") == first
    assert [h.action for h in history(store, project.id)].count("assessed") == 1
    assert recompute(first).content_sha256 == first.content_sha256 == first.result["content_sha256"]
    with store.read() as unit:
        workload, policy, judged, assessment = assess_project(unit, project.id)
    assert assessment.as_json() == first.result
    parts = {"workload": workload.as_json(), "policy": policy.as_json()}
    assert parts == {"workload": first.workload, "policy": first.policy}
    assert judged == (record.as_offer(),)
    assert hashlib.sha256(canonical_json(first.result)).hexdigest()  # finite numbers only

    fact = next(f for f in record.live_facts if f.fact.metric == "packet_loss")
    review.correct_fact(store, project.id, fact.id, {"value": "1e-5"}, "王", fact.version)
    second = snapshot(store, project.id, "王")
    assert second.content_sha256 != first.content_sha256
    assert list_snapshots(store, project.id) == (second, first)
    assert get_snapshot(store, project.id, first.id) == first  # the old one still says what it said
    assert recompute(first).content_sha256 == first.content_sha256
