"""Typing in, editing, copying, reviewing."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.facts import Evidence, Fact, Offer, State
from app.services import offers, review
from app.services.errors import ConflictError, InputError, NotFoundError
from app.services.projects import create_project, history

if TYPE_CHECKING:
    from app.store.records import FactRecord, OfferRecord, ProjectRecord
    from app.store.unit_of_work import Store

JSON = dict[str, Any]


def fact_of(record: OfferRecord, metric: str) -> FactRecord:
    """The one live fact of a metric."""
    (found,) = [f for f in record.live_facts if f.fact.metric == metric]
    return found


@pytest.fixture
def typed(store: Store, project: ProjectRecord, offer: JSON) -> OfferRecord:
    """An offer that 李 typed in."""
    (record,) = offers.type_in(store, project.id, offer, "李")
    return record


@pytest.fixture
def read(store: Store, project: ProjectRecord) -> OfferRecord:
    """An offer as a sheet reader leaves it: nothing confirmed, one fact with two readings."""
    cell = Evidence(reader="xlsx", quote="400G", file="a.xlsx", sheet="S", cell="B2")
    facts = (
        Fact(
            metric="bandwidth",
            state=State.STATED,
            value=Decimal("4e11"),
            unit="bit/s",
            evidence=cell,
            confidence=0.9,
        ),
        Fact(
            metric="rtt",
            state=State.AMBIGUOUS,
            unit="s",
            evidence=cell,
            readings=(Decimal("0.005"), Decimal("0.05")),
        ),
        Fact(
            metric="jitter",
            state=State.STATED,
            value=Decimal("0.001"),
            unit="s",
            evidence=cell,
            visible=False,
        ),
    )
    with store.write() as unit:
        return unit.offers.add(project.id, Offer(vendor="乙河网络", facts=facts), "王", origin="read")


# ---------------------------------------------------------------------------- whole offers
def test_typed_offers_are_confirmed_by_who_typed_them(store: Store, project: ProjectRecord, typed: OfferRecord) -> None:
    assert {f.fact.confirmed_by for f in typed.facts} == {"李"}
    assert {f.fact.evidence.reader for f in typed.facts} == {"person"}
    assert {f.origin for f in typed.facts} == {"typed"}
    assert typed.unconfirmed == 0
    shown = offers.offer_form(store, project.id, typed.id)
    assert shown["segments"] == [{"name": "A", "bandwidth_gbps": 400}, {"name": "Z", "bandwidth_gbps": 100}]
    assert shown["packet_loss"] == 1e-7


def test_several_offers_are_all_stored_or_none(store: Store, project: ProjectRecord, offer: JSON) -> None:
    bad = offer | {"vendor": "乙河网络", "rtt_ms": "soon"}
    with pytest.raises(InputError):
        offers.type_in(store, project.id, [offer, bad], "李")
    assert offers.list_offers(store, project.id) == ()
    with pytest.raises(InputError):
        offers.type_in(store, project.id, offer, "")
    with pytest.raises(NotFoundError):
        offers.type_in(store, "nowhere", offer, "李")


def test_the_same_vendor_and_product_twice_is_refused(
    store: Store, project: ProjectRecord, typed: OfferRecord, offer: JSON
) -> None:
    with pytest.raises(InputError) as caught:
        offers.type_in(store, project.id, offer, "李")
    assert caught.value.problems[0].code == "OFFER_REPEATED"
    assert offers.list_offers(store, project.id) == (typed,)


def test_editing_replaces_only_what_changed(store: Store, project: ProjectRecord, typed: OfferRecord) -> None:
    form = offers.offer_form(store, project.id, typed.id) | {"bandwidth_gbps": 200, "product": "200G"}
    del form["packet_loss"]
    edited = offers.edit_offer(store, project.id, typed.id, form, "王", typed.version)
    assert (edited.product, edited.version > typed.version) == ("200G", True)
    changed = {f.fact.metric for f in typed.live_facts} ^ {f.fact.metric for f in edited.live_facts}
    assert changed == {"packet_loss"}
    assert fact_of(edited, "bandwidth").fact.value == Decimal("2e11")
    assert fact_of(edited, "bandwidth").fact.confirmed_by == "王"
    assert fact_of(edited, "rtt") == fact_of(typed, "rtt")  # the same row, untouched
    entries = {h.field: (h.old, h.new) for h in history(store, project.id) if h.action == "edited"}
    assert set(entries) == {"bandwidth", "packet_loss"}
    assert entries["packet_loss"][1] == []
    with pytest.raises(ConflictError):
        offers.edit_offer(store, project.id, typed.id, form, "李", typed.version)


def test_an_edit_that_changes_nothing_keeps_every_fact(store: Store, project: ProjectRecord, read: OfferRecord) -> None:
    form = offers.offer_form(store, project.id, read.id)
    edited = offers.edit_offer(store, project.id, read.id, form, "王", read.version)
    assert edited.facts == read.facts


def test_an_offer_without_a_vendor_or_with_an_odd_figure_can_be_put_right(store: Store, project: ProjectRecord) -> None:
    """Sheets say what forms do not take: no vendor, an availability of 120 %."""
    cell = Evidence(reader="xlsx", quote="120%")
    odd = Fact(metric="availability", state=State.STATED, value=Decimal("1.2"), unit="1", evidence=cell)
    fine = Fact(metric="paths", state=State.STATED, value=Decimal(2), unit="1", evidence=cell)
    with store.write() as unit:
        record = unit.offers.add(project.id, Offer(vendor="", facts=(odd, fine)), "王", origin="read")
    form = offers.offer_form(store, project.id, record.id)
    form["vendor"] = "丁川数据"
    with pytest.raises(InputError) as caught:
        offers.edit_offer(store, project.id, record.id, form, "王", record.version)
    assert caught.value.problems[0].code == "OUT_OF_RANGE"
    form["sla"]["availability"] = 0.999
    edited = offers.edit_offer(store, project.id, record.id, form, "王", record.version)
    assert (edited.vendor, fact_of(edited, "availability").fact.value) == ("丁川数据", Decimal("0.999"))
    assert fact_of(edited, "paths") == fact_of(record, "paths")


def test_a_copy_stands_on_its_own(store: Store, project: ProjectRecord, typed: OfferRecord) -> None:
    copy = offers.copy_offer(store, project.id, typed.id, "王")
    again = offers.copy_offer(store, project.id, typed.id, "王")
    assert [o.product for o in offers.list_offers(store, project.id)] == ["400G", "400G (2)", "400G (3)"]
    assert copy.as_offer().facts == typed.as_offer().facts
    offers.delete_offer(store, project.id, typed.id, "王", typed.version)
    assert [o.id for o in offers.list_offers(store, project.id)] == [copy.id, again.id]
    with pytest.raises(InputError):
        offers.copy_offer(store, project.id, copy.id, "王", again.product)


def test_delete_and_bring_back(store: Store, project: ProjectRecord, typed: OfferRecord) -> None:
    gone = offers.delete_offer(store, project.id, typed.id, "", typed.version)
    assert offers.list_offers(store, project.id) == ()
    assert [o.id for o in offers.list_offers(store, project.id, deleted=True)] == [typed.id]
    back = offers.restore_offer(store, project.id, typed.id, "", gone.version)
    assert back.as_offer() == typed.as_offer()


def test_two_documents_of_one_offer_are_judged_together(
    store: Store, project: ProjectRecord, typed: OfferRecord, read: OfferRecord
) -> None:
    renamed = offers.rename_offer(store, project.id, read.id, " 甲山通信", "400G", "王", read.version)
    assert renamed.key == typed.key
    (together,) = offers.merged(offers.list_offers(store, project.id))
    assert together.facts == typed.as_offer().facts + read.as_offer().facts


# ---------------------------------------------------------------------------- single facts
def test_confirm_one_and_all(store: Store, project: ProjectRecord, read: OfferRecord) -> None:
    assert read.unconfirmed == 2  # the hidden one is not asked about
    first = fact_of(read, "bandwidth")
    confirmed = review.confirm_fact(store, project.id, first.id, "王", first.version)
    assert (confirmed.fact.confirmed_by, confirmed.confirmed_at is None) == ("王", False)
    with pytest.raises(ConflictError):
        review.confirm_fact(store, project.id, first.id, "李", first.version)
    with pytest.raises(ConflictError):
        review.confirm_offer(store, project.id, read.id, "李", read.version)
    now = offers.get_offer(store, project.id, read.id)
    done = review.confirm_offer(store, project.id, read.id, "李", now.version)
    assert done.unconfirmed == 1  # the ambiguous one stays open
    assert [h.action for h in history(store, project.id)].count("confirmed") == 1


def test_an_ambiguous_fact_is_settled_by_choosing(store: Store, project: ProjectRecord, read: OfferRecord) -> None:
    fact = fact_of(read, "rtt")
    with pytest.raises(InputError) as caught:
        review.confirm_fact(store, project.id, fact.id, "王", fact.version)
    assert caught.value.problems[0].code == "CHOOSE_A_READING"
    with pytest.raises(InputError):
        review.choose_reading(store, project.id, fact.id, 2, "王", fact.version)
    chosen = review.choose_reading(store, project.id, fact.id, 1, "王", fact.version)
    assert (chosen.fact.state, chosen.fact.value, chosen.fact.readings) == (State.STATED, Decimal("0.05"), ())
    assert chosen.origin == "corrected"


def test_a_correction_keeps_old_fact_evidence_and_reason(
    store: Store, project: ProjectRecord, read: OfferRecord
) -> None:
    fact = fact_of(read, "bandwidth")
    new = review.correct_fact(
        store,
        project.id,
        fact.id,
        {"value": "100", "commitment": "guarantee"},
        "王",
        fact.version,
        "看错一行",
    )
    assert (new.fact.value, new.fact.commitment, new.fact.confirmed_by) == (
        Decimal(10**11),
        "guarantee",
        "王",
    )
    assert new.fact.evidence == fact.fact.evidence
    assert new.fact.confidence == 1
    stored = offers.get_offer(store, project.id, read.id)
    old = next(f for f in stored.facts if f.id == fact.id)
    assert (old.superseded_by, old.fact) == (new.id, fact.fact)
    entry = history(store, project.id)[0]
    assert (entry.actor, entry.reason) == ("王", "看错一行")
    assert [Decimal(e["value"]) for e in (entry.old, entry.new)] == [Decimal("4e11"), Decimal("1e11")]
    with pytest.raises(InputError):  # the old one cannot be corrected again
        review.correct_fact(store, project.id, fact.id, {"value": "1"}, "王", old.version)


def test_not_committed(store: Store, project: ProjectRecord, read: OfferRecord) -> None:
    fact = fact_of(read, "bandwidth")
    new = review.mark_not_committed(store, project.id, fact.id, "王", fact.version)
    assert (new.fact.state, new.fact.value, new.fact.evidence.quote) == (State.NONE, None, "400G")


def test_set_aside_and_take_back(store: Store, project: ProjectRecord, read: OfferRecord) -> None:
    fact = fact_of(read, "bandwidth")
    aside = review.set_fact_aside(store, project.id, fact.id, "王", fact.version)
    assert offers.get_offer(store, project.id, read.id).as_offer().of("bandwidth") == ()
    review.take_fact_back(store, project.id, fact.id, "王", aside.version)
    assert offers.get_offer(store, project.id, read.id).as_offer() == read.as_offer()


def test_add_what_the_sheet_is_silent_about(store: Store, project: ProjectRecord, read: OfferRecord) -> None:
    added = review.add_fact(
        store, project.id, read.id, "packet_loss", {"value": "1×10⁻⁵", "period": "month"}, "王", read.version
    )
    assert (added.fact.value, added.fact.period, added.origin) == (Decimal("1e-5"), "month", "typed")
    assert (added.fact.evidence.reader, added.fact.evidence.quote) == ("person", "1×10⁻⁵")
    version = offers.get_offer(store, project.id, read.id).version
    declined = review.add_fact(store, project.id, read.id, "failover_time", {}, "王", version)
    assert declined.fact.state is State.NONE


def test_a_latency_moves_to_the_metric_of_its_direction(
    store: Store, project: ProjectRecord, typed: OfferRecord
) -> None:
    fact = fact_of(typed, "rtt")
    new = review.correct_fact(store, project.id, fact.id, {"direction": "one_way"}, "王", fact.version)
    assert (new.fact.metric, new.fact.value) == ("one_way_delay", Decimal("0.008"))


@pytest.mark.parametrize(
    ("metric", "typed_in", "stored"),
    [
        ("bandwidth", "400", Decimal("4e11")),
        ("bandwidth", "100 Mbps", Decimal("1e8")),
        ("rtt", "8.5", Decimal("0.0085")),
        ("rtt", "８．５ ms", Decimal("0.0085")),
        ("rtt", "500 µs", Decimal("0.0005")),
        ("availability", "99.99%", Decimal("0.9999")),
        ("availability", "0.9999", Decimal("0.9999")),
        ("packet_loss", "1e-5", Decimal("1e-5")),
        ("repair_time", "4", Decimal(14400)),
        ("repair_time", "30 min", Decimal(1800)),
        ("monthly_charge", "400,000", Decimal(400000)),
        ("delivery", "45", Decimal(45)),
        ("lossless_transport", "是", True),
        ("lossless_transport", False, False),
        ("layer", "otn", "otn"),
        ("quote_valid_until", "2027-03-31", "2027-03-31"),
        ("lossless_mechanism", " PFC  + ECN ", "PFC + ECN"),
    ],
)
def test_typed_values(
    store: Store, project: ProjectRecord, read: OfferRecord, metric: str, typed_in: object, stored: object
) -> None:
    with store.read() as unit:
        version = unit.offers.get(project.id, read.id).version
    added = review.add_fact(store, project.id, read.id, metric, {"value": typed_in}, "王", version)
    assert added.fact.value == stored


@pytest.mark.parametrize(
    ("metric", "changes", "code"),
    [
        ("rtt", {"value": "soon"}, "NOT_A_NUMBER"),
        ("rtt", {"value": "5 to 8 ms"}, "NOT_A_NUMBER"),
        ("rtt", {"value": "nan"}, "NOT_A_NUMBER"),
        ("rtt", {"value": float("inf")}, "NOT_A_NUMBER"),
        ("rtt", {"value": "1e308"}, "OUT_OF_RANGE"),
        ("rtt", {"value": "400 Gbit/s"}, "WRONG_UNIT"),
        ("rtt", {"value": ""}, "MISSING"),
        ("availability", {"value": "101%"}, "OUT_OF_RANGE"),
        ("packet_loss", {"value": "20"}, "OUT_OF_RANGE"),
        ("lossless_transport", {"value": "maybe"}, "NOT_A_FLAG"),
        ("layer", {"value": "copper"}, "NOT_A_CHOICE"),
        ("quote_valid_until", {"value": "31.3.2027"}, "NOT_A_DATE"),
        ("rtt", {"value": "5", "statistic": "p50"}, "NOT_A_CHOICE"),
        ("rtt", {"value": "5", "confirmed_by": "王"}, "UNKNOWN_FIELD"),
        ("monthly_charge", {"value": "5", "currency": "yuan"}, "BAD_CURRENCY"),
        ("colour", {"value": "5"}, "NO_SUCH_METRIC"),
    ],
)
def test_bad_values_say_what_is_wrong_and_store_nothing(
    store: Store, project: ProjectRecord, read: OfferRecord, metric: str, changes: JSON, code: str
) -> None:
    with pytest.raises(InputError) as caught:
        review.add_fact(store, project.id, read.id, metric, changes, "王", read.version)
    assert caught.value.problems[0].code == code
    assert offers.get_offer(store, project.id, read.id) == read


def test_nothing_is_reached_through_another_project(store: Store, read: OfferRecord) -> None:
    other = create_project(store, "other")
    fact = read.facts[0]
    with pytest.raises(NotFoundError):
        review.confirm_fact(store, other.id, fact.id, "王", fact.version)
    with pytest.raises(NotFoundError):
        offers.delete_offer(store, other.id, read.id, "王", read.version)


def test_a_name_is_needed_to_stand_behind_a_figure(store: Store, project: ProjectRecord, read: OfferRecord) -> None:
    fact = read.facts[0]
    for action in (
        lambda: review.confirm_fact(store, project.id, fact.id, " ", fact.version),
        lambda: review.confirm_offer(store, project.id, read.id, "", read.version),
        lambda: review.mark_not_committed(store, project.id, fact.id, "", fact.version),
    ):
        with pytest.raises(InputError):
            action()
