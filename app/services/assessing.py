"""Judging a project as it stands now, and freezing a judgement so that it can be recomputed for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.advice import with_advice
from app.domain.assessment import Assessment, assess
from app.domain.policy import Policy, parse_policy
from app.domain.problems import InputError
from app.domain.requirement import derive
from app.domain.rulebook import RULEBOOK_VERSION
from app.domain.workload import Workload, parse_workload
from app.services.offers import merged
from app.services.typed_text import clean_actor
from app.services.workload import workload_of
from app.store.fact_columns import offer_from, offer_json

if TYPE_CHECKING:
    from app.domain.facts import Offer
    from app.domain.plausibility import Doubt
    from app.store.records import SnapshotRecord
    from app.store.unit_of_work import Store, UnitOfWork

    Assessed = tuple[Workload, Policy, tuple[Offer, ...], Assessment]


def assess_project(unit: UnitOfWork, project_id: str, alternative: str = "") -> Assessed:
    """Judge a project: workload, policy, offers and the assessment of them.

    `alternative` is the code of a piece of advice: the same offers, with the job placed as it says; nothing is kept.
    Raises `InputError` without a workload or without an offer, or when that advice is not given.
    """
    workload, policy = workload_of(unit, project_id)
    if alternative:
        workload = with_advice(workload, derive(workload, policy).advice, alternative)
    offers = merged(unit.offers.of(project_id))
    return workload, policy, offers, assess(workload, offers, policy)


def doubts_about(store: Store, project_id: str, offer: Offer) -> tuple[Doubt, ...]:
    """What is hard to believe about one offer of a project; nothing while the job is not described."""
    try:
        with store.read() as unit:
            workload, policy = workload_of(unit, project_id)
    except InputError:
        return ()
    return assess(workload, [offer], policy).offers[0].doubts


def frozen_parts(assessment: Assessment) -> dict[str, Any]:
    """Everything needed to compute an assessment anew: inputs with every fact, and the result; no times, no paths."""
    return {
        "workload": assessment.workload.as_json(),
        "policy": assessment.policy.as_json(),
        "offers": [offer_json(judged.offer) for judged in assessment.offers],
        "result": assessment.as_json(),
    }


def snapshot(store: Store, project_id: str, actor: str = "") -> SnapshotRecord:
    """Freeze the assessment of a project as it stands now; the same content is kept once."""
    actor = clean_actor(actor, required=False)
    with store.read() as unit:
        assessment = assess_project(unit, project_id)[-1]
    parts = frozen_parts(assessment)
    with store.write() as unit:
        unit.projects.lock(project_id)
        before = {s.id for s in unit.assessments.of(project_id)}
        kept = unit.assessments.add(project_id, actor, assessment.content_sha256, RULEBOOK_VERSION, parts)
        if kept.id not in before:
            unit.audit.add(project_id, actor, "assessed", "assessment", kept.id, new=kept.content_sha256)
        return kept


def list_snapshots(store: Store, project_id: str) -> tuple[SnapshotRecord, ...]:
    """The frozen assessments of a project, newest first."""
    with store.read() as unit:
        unit.projects.get(project_id)
        return unit.assessments.of(project_id)


def get_snapshot(store: Store, project_id: str, snapshot_id: str) -> SnapshotRecord:
    """One frozen assessment."""
    with store.read() as unit:
        return unit.assessments.get(project_id, snapshot_id)


def recompute(frozen: SnapshotRecord) -> Assessment:
    """The assessment computed anew from what was frozen; its hash equals the frozen one unless rules changed."""
    offers = [offer_from(raw) for raw in frozen.offers]
    return assess(parse_workload(frozen.workload), offers, parse_policy(frozen.policy))
