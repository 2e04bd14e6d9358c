"""Quantities of an offer that can be set to another value to ask "what if": how far, and which checks they move."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from app.domain.facts import Evidence, Fact, Offer, State
from app.domain.metrics import BY_ID, Worse
from app.domain.terms import rate_span, term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.facts import Value

WHAT_IF = Evidence(reader="person", quote="what if", path="what-if")
SUPPOSED = "what-if"  # stands behind a supposed figure, so that it weighs like a confirmed promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One metric that can be set: the metrics set with it, those it replaces, its range and the checks it moves.

    `low`/`high` are in the canonical unit; `said` completes attributes that the vendor left out, `must` are asked for;
    `whole` ones are counted in whole units.
    """

    metric: str
    checks: tuple[str, ...]
    low: float
    high: float
    together: tuple[str, ...] = ()
    instead_of: tuple[str, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)
    must: Mapping[str, str] = field(default_factory=lambda: {"commitment": "guarantee"})
    whole: bool = False

    @property
    def higher_is_better(self) -> bool:
        """Whether more of it is better for the buyer."""
        return BY_ID[self.metric].worse is not Worse.HIGHER

    @property
    def best(self) -> float:
        """The good end of the range."""
        return self.high if self.higher_is_better else self.low

    @property
    def worst(self) -> float:
        """The bad end of the range."""
        return self.low if self.higher_is_better else self.high


# Bandwidth comes last: what a quality figure can mend is not mended by buying more of the line.
KNOBS: tuple[Knob, ...] = (
    Knob(
        metric="rtt", instead_of=("one_way_delay",), low=1e-6, high=10.0, checks=("latency.rtt", "bandwidth.effective"),
        said={"direction": "round_trip", "statistic": "p99"},
    ),
    Knob(
        metric="jitter", low=1e-8, high=1.0, checks=("latency.jitter", "bandwidth.effective"),
        said={"statistic": "p99"},
    ),
    Knob(
        metric="packet_loss", instead_of=("bit_error_ratio",), low=1e-12, high=0.5,
        checks=("loss.packet_loss", "bandwidth.effective"),
    ),
    Knob(
        metric="availability", low=0.5, high=0.9999999, checks=("sla.availability",),
        must={"commitment": "guarantee", "scope": "end_to_end", "period": "month"},
    ),
    Knob(metric="repair_time", low=60.0, high=1e6, checks=("sla.repair_time",)),
    Knob(metric="failover_time", low=1e-4, high=1e4, checks=("sla.failover",)),
    Knob(
        metric="oversubscription", low=1.0, high=1000.0, must={},
        checks=("topology.oversubscription", "bandwidth.effective"),
    ),
    Knob(metric="mtu", low=576.0, high=9216.0, must={}, checks=("bandwidth.effective",), whole=True),
    Knob(
        metric="bandwidth", together=("committed_rate", "segment_bandwidth"), low=1e6, high=1e14, must={},
        checks=("bandwidth.end_to_end", "bandwidth.effective"),
    ),
)  # fmt: skip
BY_METRIC = {knob.metric: knob for knob in KNOBS}

# Check → what would have to be stated for it: yes-or-no answers, not quantities.
ANSWERS: dict[str, Mapping[str, Value]] = {
    "bandwidth.symmetric": {"symmetric_bandwidth": True},
    "topology.lossless_transport": {"lossless_transport": True, "lossless_mechanism": "named"},
    "topology.symmetric_routes": {"symmetric_routes": True},
    "topology.redundancy": {"paths": Decimal(2), "diverse_paths": True},
    "platform.telemetry": {"telemetry": True},
    "platform.fast_fault_detection": {"fast_fault_detection": True},
    "platform.unified_management": {"unified_management": True},
    "platform.multi_cloud_routing": {"multi_cloud_routing": True},
    "platform.traffic_isolation": {"traffic_isolation": True},
    "platform.mtu_adaptation": {"mtu_adaptation": True},
    "platform.address_planning": {"address_planning": True},
    "platform.api": {"api": True},
}


def current(offer: Offer, knob: Knob) -> float | None:
    """The figure as promised now, or None when there is none; of a line in segments the narrowest counts."""
    if knob.metric == "bandwidth":
        return rate_span(offer).central
    return term(offer, knob.metric).number


def with_value(offer: Offer, knob: Knob, value: float) -> Offer:
    """The offer with one quantity promised at another value; what the vendor said of it otherwise stays."""
    figure = Decimal(repr(value))
    stated = term(offer, knob.metric).fact
    base = stated or Fact(metric=knob.metric, state=State.STATED, evidence=WHAT_IF, unit=BY_ID[knob.metric].unit)
    words: dict[str, Any] = {name: word for name, word in knob.said.items() if getattr(base, name) is None}
    words |= knob.must
    fact = replace(base, state=State.STATED, value=figure, readings=(), confirmed_by=SUPPOSED, **words)
    moved = [replace(f, value=figure) for m in knob.together for f in offer.of(m) if f.value is not None]
    gone = {knob.metric, *knob.together, *knob.instead_of}
    return replace(offer, facts=(*(f for f in offer.facts if f.metric not in gone), fact, *moved))


def restored(offer: Offer, original: Offer, knob: Knob) -> Offer:
    """The offer with everything a knob moves as it was originally said."""
    moved = {knob.metric, *knob.together, *knob.instead_of}
    kept = (f for f in offer.facts if f.metric not in moved)
    return replace(offer, facts=(*kept, *(f for f in original.facts if f.metric in moved)))


def with_answers(offer: Offer, answers: Mapping[str, Value]) -> Offer:
    """The offer with yes-or-no answers given in writing."""
    facts = tuple(
        Fact(
            metric=metric, state=State.STATED, evidence=WHAT_IF, value=value, commitment="guarantee",
            confirmed_by=SUPPOSED,
        )
        for metric, value in answers.items()
    )  # fmt: skip
    return replace(offer, facts=(*(f for f in offer.facts if f.metric not in answers), *facts))


def with_promise(offer: Offer, metrics: frozenset[str]) -> Offer:
    """The offer as a firm quote, with the figures of some metrics guaranteed and confirmed as they stand."""
    facts = [
        replace(f, commitment="guarantee", confirmed_by=SUPPOSED) if f.metric in metrics else f for f in offer.facts
    ]
    facts = [replace(f, value="firm") if f.metric == "quote_grade" and f.value == "budgetary" else f for f in facts]
    return replace(offer, facts=tuple(facts))


def whole(knob: Knob, value: float | None) -> float | None:
    """The value in whole units where the quantity is counted in them, never below what was found."""
    return float(math.ceil(value)) if value is not None and knob.whole else value


def with_price(offer: Offer, monthly: float) -> Offer:
    """The offer at another monthly charge."""
    price = Decimal(repr(monthly))
    return replace(
        offer, facts=tuple(replace(f, value=price) if f.metric == "monthly_charge" else f for f in offer.facts)
    )


def renewed(offer: Offer) -> Offer:
    """The offer without its date of expiry."""
    return replace(offer, facts=tuple(f for f in offer.facts if f.metric != "quote_valid_until"))


def between(low: float, high: float) -> float:
    """The middle of a range on a logarithmic scale."""
    return math.sqrt(low * high)
