"""What a person does to single facts: confirm, correct, decline, choose a reading, add, set aside.

A fact is never overwritten. A correction is a new fact in the place of the old one, which is kept; both stand
in the audit trail with the name the person gave.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.facts import Evidence, Fact, State
from app.domain.fields import MAX_TEXT
from app.domain.metrics import BY_ID
from app.services.offers import said
from app.services.typed_text import REASON, clean, clean_actor
from app.services.typed_values import metric_of, problem, typed_attributes, typed_value
from app.store.records import CORRECTED, TYPED, FactRecord, OfferRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.store.unit_of_work import Store, UnitOfWork


def confirm_fact(store: Store, project_id: str, fact_id: str, actor: str, version: int) -> FactRecord:
    """Stand behind one fact as it was read. An ambiguous one needs a reading chosen first."""
    actor = clean_actor(actor)
    with store.write() as unit:
        _require_clear(unit.offers.fact(project_id, fact_id))
        record = unit.offers.confirm(project_id, fact_id, version, actor)
        _note(unit, project_id, actor, "confirmed", record)
        return record


def confirm_offer(store: Store, project_id: str, offer_id: str, actor: str, version: int) -> OfferRecord:
    """Stand behind every fact of an offer; ambiguous ones stay open."""
    actor = clean_actor(actor)
    with store.write() as unit:
        for record in unit.offers.confirm_all(project_id, offer_id, version, actor):
            _note(unit, project_id, actor, "confirmed", record)
        return unit.offers.get(project_id, offer_id)


def correct_fact(
    store: Store,
    project_id: str,
    fact_id: str,
    changes: Mapping[str, object],
    actor: str,
    version: int,
    reason: str = "",
) -> FactRecord:
    """Put right what was read: `value` and the words that qualify it; what is not named stays.

    Answers with the new fact. The evidence stays: it shows what the sheet says, beside what the person says.
    """
    actor = clean_actor(actor)
    with store.write() as unit:
        old = unit.offers.fact(project_id, fact_id)
        metric = metric_of(old.fact.metric)
        words = typed_attributes(metric, {k: v for k, v in changes.items() if k != "value"})
        value = typed_value(metric, changes["value"]) if "value" in changes else old.fact.value
        if value is None:
            raise problem("MISSING", "value", "请填写数值。", "Enter the value.")
        fact = replace(
            old.fact, state=State.STATED, value=value, readings=(), derived=False, confidence=1.0,
            confirmed_by=actor, **words,
        )  # fmt: skip
        return _replace(unit, project_id, old, _directed(fact), actor, version, reason)


def mark_not_committed(
    store: Store, project_id: str, fact_id: str, actor: str, version: int, reason: str = ""
) -> FactRecord:
    """Say that the vendor does not commit to this metric; a gate on it fails."""
    actor = clean_actor(actor)
    with store.write() as unit:
        old = unit.offers.fact(project_id, fact_id)
        fact = replace(
            old.fact, state=State.NONE, value=None, readings=(), derived=False, confidence=1.0,
            confirmed_by=actor,
        )  # fmt: skip
        return _replace(unit, project_id, old, fact, actor, version, reason)


def choose_reading(store: Store, project_id: str, fact_id: str, reading: int, actor: str, version: int) -> FactRecord:
    """Settle an ambiguous fact on one of its readings, counted from 0."""
    actor = clean_actor(actor)
    with store.write() as unit:
        old = unit.offers.fact(project_id, fact_id)
        if not 0 <= reading < len(old.fact.readings):
            raise problem(
                "NO_SUCH_READING",
                "reading",
                "没有这个读法，请重新选择。",
                "There is no such reading; choose again.",
            )
        fact = replace(
            old.fact, state=State.STATED, value=old.fact.readings[reading], readings=(), confidence=1.0,
            confirmed_by=actor,
        )  # fmt: skip
        return _replace(unit, project_id, old, fact, actor, version, "")


def add_fact(
    store: Store,
    project_id: str,
    offer_id: str,
    metric_id: str,
    changes: Mapping[str, object],
    actor: str,
    version: int,
) -> FactRecord:
    """Add what the sheet is silent about, such as an answer by telephone. `version` is the offer's.

    Without a `value` the fact says that the vendor does not commit.
    """
    actor = clean_actor(actor)
    metric = metric_of(metric_id)
    typed = changes.get("value")
    words = typed_attributes(metric, {k: v for k, v in changes.items() if k != "value"})
    fact = Fact(
        metric=metric.id,
        state=State.NONE if typed is None else State.STATED,
        value=None if typed is None else typed_value(metric, typed),
        evidence=Evidence(reader="person", quote=str("" if typed is None else typed)[:MAX_TEXT], path=metric.path),
        confirmed_by=actor,
        **({"unit": metric.unit} | words),
    )
    with store.write() as unit:
        record = unit.offers.add_fact(project_id, offer_id, version, actor, _directed(fact), TYPED)
        _note(unit, project_id, actor, "added", record)
        return record


def set_fact_aside(store: Store, project_id: str, fact_id: str, actor: str, version: int) -> FactRecord:
    """Take out a fact that the sheet does not say at all; it is kept and can be taken back in."""
    return _set_withdrawn(store, project_id, fact_id, actor, version, withdrawn=True)


def take_fact_back(store: Store, project_id: str, fact_id: str, actor: str, version: int) -> FactRecord:
    """Undo `set_fact_aside`."""
    return _set_withdrawn(store, project_id, fact_id, actor, version, withdrawn=False)


def _set_withdrawn(
    store: Store, project_id: str, fact_id: str, actor: str, version: int, *, withdrawn: bool
) -> FactRecord:
    actor = clean_actor(actor)
    with store.write() as unit:
        record = unit.offers.set_withdrawn(project_id, fact_id, version, actor, withdrawn=withdrawn)
        _note(unit, project_id, actor, "set_aside" if withdrawn else "taken_back", record)
        return record


def _require_clear(record: FactRecord) -> None:
    if record.fact.state is State.AMBIGUOUS:
        raise problem(
            "CHOOSE_A_READING",
            "reading",
            "这一项有多种读法，请先选定一种。",
            "This can be read in several ways; choose one first.",
        )


def _directed(fact: Fact) -> Fact:
    """A latency belongs to the metric of its direction: one-way and round trip are never mixed."""
    metric = {("rtt", "one_way"): "one_way_delay", ("one_way_delay", "round_trip"): "rtt"}.get(
        (fact.metric, fact.direction or "")
    )
    return fact if metric is None else replace(fact, metric=metric, unit=BY_ID[metric].unit)


def _replace(
    unit: UnitOfWork, project_id: str, old: FactRecord, fact: Fact, actor: str, version: int, reason: str
) -> FactRecord:
    if not old.live:
        raise problem(
            "FACT_REPLACED",
            "fact",
            "这一项已被更正或移出，请刷新后查看现在的内容。",
            "This fact was corrected or set aside; reload to see what is there now.",
        )
    _, new = unit.offers.supersede(project_id, old.id, version, actor, fact, CORRECTED)
    unit.audit.add(
        project_id, actor, "corrected", "fact", new.id, field=fact.metric, old=said(old.fact), new=said(fact),
        reason=clean(REASON, reason, required=False) or None,
    )  # fmt: skip
    return new


def _note(unit: UnitOfWork, project_id: str, actor: str, action: str, record: FactRecord) -> None:
    unit.audit.add(project_id, actor, action, "fact", record.id, field=record.fact.metric, new=said(record.fact))
