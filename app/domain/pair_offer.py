"""Two offers as one: a joint offer whose every fact keeps its evidence, so that the same rules can judge a pair.

What only one of the two says is not known of the pair. Of two figures the rules take the worse. Bandwidth adds up
when both lines carry traffic, money always; availability is joined with a share of common causes.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.facts import Fact, Offer, State
from app.domain.formulas.reliability import parallel_availability
from app.domain.terms import rate_span, term

if TYPE_CHECKING:
    from collections.abc import Iterator

ACTIVE_ACTIVE, ACTIVE_STANDBY = "active_active", "active_standby"
MODES = (ACTIVE_ACTIVE, ACTIVE_STANDBY)
DIVERSE, UNPROVEN, SHARED = "diverse", "unproven", "shared"
COMMON_CAUSE = {
    DIVERSE: p.COMMON_CAUSE_PROVEN.value,
    UNPROVEN: p.COMMON_CAUSE_UNPROVEN.value,
    SHARED: p.COMMON_CAUSE_SHARED.value,
}
# Named one by one: what either says holds of the pair.
EITHER = frozenset({"exclusion", "encapsulation", "usage_charge", "hops"})
# Where the two must say the same to mean anything together.
ALIKE = frozenset({"contract_term", "tax_included", "tax_rate", "exit_share", "renewal_uplift", "layer", "transport"})
MADE = frozenset({
    "bandwidth", "committed_rate", "burst_rate", "segment_bandwidth", "availability", "paths", "diverse_paths",
    "monthly_charge", "setup_charge", "price_item",
})  # fmt: skip
TRANSPARENT = frozenset({"wave", "otn"})


def _values(offer: Offer, metric: str) -> set[object]:
    return {f.value for f in offer.of(metric) if f.state is State.STATED}


def _kept(one: Offer, two: Offer) -> Iterator[Fact]:
    """Facts that both offers speak of, or that either may add."""
    metrics = dict.fromkeys(f.metric for f in (*one.facts, *two.facts) if f.visible)
    for metric in metrics:
        first, second = one.of(metric), two.of(metric)
        if metric in MADE or not ((first and second) or metric in EITHER):
            continue
        if metric == "layer" and (_values(one, metric) | _values(two, metric)) <= TRANSPARENT:
            yield from first
        elif metric not in ALIKE or _values(one, metric) == _values(two, metric):
            yield from (*first, *second)


def _bandwidth(one: Offer, two: Offer, mode: str) -> Iterator[Fact]:
    rates = [rate_span(one).central, rate_span(two).central]
    facts = (*one.of("bandwidth"), *two.of("bandwidth"))
    if not facts or any(rate is None for rate in rates):
        return
    total = sum(r or 0.0 for r in rates) if mode == ACTIVE_ACTIVE else min(r or 0.0 for r in rates)
    whole = all(f.scope == "end_to_end" for f in facts) or all(o.of("segment_bandwidth") for o in (one, two))
    yield replace(facts[0], value=Decimal(repr(total)), scope="end_to_end" if whole else None, derived=True)


def joint_availability(one: Offer, two: Offer, relation: str) -> float | None:
    """Availability of the pair, end to end and per month; None unless both promise just that for themselves."""
    found = [term(o, "availability") for o in (one, two)]
    if any(t.number is None or t.fact is None or t.fact.scope != "end_to_end" for t in found):
        return None
    if any(t.fact is None or t.fact.period != "month" for t in found):
        return None
    return parallel_availability(availabilities=[t.number or 0.0 for t in found], common_cause=COMMON_CAUSE[relation])


def _availability(one: Offer, two: Offer, relation: str) -> Iterator[Fact]:
    joint, facts = joint_availability(one, two, relation), [term(o, "availability").fact for o in (one, two)]
    if joint is None or facts[0] is None or facts[1] is None:
        return
    soft = [f.commitment for f in facts if f is not None and f.commitment != "guarantee"]
    confirmed = facts[0].confirmed_by if facts[1].confirmed_by else None
    yield replace(
        facts[0], value=Decimal(repr(joint)), readings=(), derived=True, commitment=soft[0] if soft else "guarantee",
        confirmed_by=confirmed, confidence=min(facts[0].confidence, facts[1].confidence),
    )  # fmt: skip


def _paths(one: Offer, two: Offer, relation: str) -> Iterator[Fact]:
    where = (*one.facts, *two.facts)[0].evidence
    number = sum(term(o, "paths").number or 1.0 for o in (one, two))
    known = all(f.confirmed_by for o in (one, two) for f in o.facts[:1])

    def said(metric: str, value: Decimal | bool) -> Fact:
        return Fact(
            metric=metric, state=State.STATED, value=value, evidence=where, derived=True, commitment="guarantee",
            confirmed_by="pair" if known else None,
        )  # fmt: skip

    yield said("paths", Decimal(repr(number)))
    if relation != UNPROVEN:
        yield said("diverse_paths", relation == DIVERSE)


def _money(one: Offer, two: Offer) -> Iterator[Fact]:
    for metric in ("monthly_charge", "setup_charge"):
        facts = [term(o, metric).fact for o in (one, two)]
        first, second = facts
        if first is None or second is None or first.currency != second.currency:
            continue
        if isinstance(first.value, Decimal) and isinstance(second.value, Decimal):
            yield replace(first, value=first.value + second.value, derived=True)
    items = _values(one, "price_item") & _values(two, "price_item")
    yield from (f for f in one.of("price_item") if f.value in items)


def joint(one: Offer, two: Offer, mode: str, relation: str) -> Offer:
    """The pair as an offer: vendors and products side by side."""
    made = (
        *_bandwidth(one, two, mode),
        *_availability(one, two, relation),
        *_paths(one, two, relation),
        *_money(one, two),
    )
    products = " + ".join(o.product or "–" for o in (one, two))
    return Offer(vendor=f"{one.vendor} + {two.vendor}", product=f"{products} ({mode})", facts=(*_kept(one, two), *made))
