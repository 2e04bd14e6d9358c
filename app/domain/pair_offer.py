"""Two offers as one: a joint offer whose every fact keeps its evidence, so that the same rules can judge a pair.

Of each metric the facts of the worse member count, and what one of the two leaves open is worse than any figure.
Made of both are: bandwidth (the sum where both lines carry traffic, else the lesser), availability (joined with a
share of common causes), repair (the sooner promise, see `_repair`), paths, and money (the sum).
"""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.facts import Evidence, Fact, Offer, State
from app.domain.formulas.constants import ENCAPSULATION_BYTES
from app.domain.formulas.reliability import parallel_availability
from app.domain.metrics import BY_ID, MetricKind, Worse
from app.domain.terms import JITTER_SIGMAS, SOFT_COMMITMENTS, TRANSPARENT_LAYERS, rate_span, term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIX_NINES = Decimal("1e-8")  # a joint availability is rounded down here: 99.999897 %
ACTIVE_ACTIVE, ACTIVE_STANDBY = "active_active", "active_standby"
MODES = (ACTIVE_ACTIVE, ACTIVE_STANDBY)
DIVERSE, UNPROVEN, SHARED = "diverse", "unproven", "shared"
COMMON_CAUSE = {
    DIVERSE: p.COMMON_CAUSE_PROVEN.value,
    UNPROVEN: p.COMMON_CAUSE_UNPROVEN.value,
    SHARED: p.COMMON_CAUSE_SHARED.value,
}
MADE = frozenset({
    "bandwidth", "committed_rate", "burst_rate", "segment_bandwidth", "availability", "repair_time", "paths",
    "diverse_paths", "monthly_charge", "setup_charge",
})  # fmt: skip
# Terms of a contract that mean nothing together unless the two say the same.
ALIKE = frozenset({"contract_term", "tax_included", "tax_rate", "exit_share", "renewal_uplift"})
COMPARED = frozenset({MetricKind.QUANTITY, MetricKind.FLAG})

Facts = tuple[Fact, ...]


def _said(facts: Facts) -> set[tuple[object, ...]]:
    return {(f.state, f.value, f.lower, f.upper, f.readings) for f in facts}


# ---- facts of one of the two


def _badness(offer: Offer, metric: str) -> tuple[int, float]:
    """How bad a member's word on a figure or a yes/no is: declined, then open, then by value with its statistic."""
    found = term(offer, metric)
    if found.state is State.NONE:
        return (2, 0.0)
    if found.flag is not None:
        return (0, float(not found.flag))
    if found.state is not State.STATED or found.number is None or found.fact is None:
        return (1, 0.0)
    worst = max(found.readings) if BY_ID[metric].worse is Worse.HIGHER else -min(found.readings)
    if metric == "rtt" and found.fact.direction is None:
        worst *= 2  # read as one way, it counts twice
    if metric == "jitter":
        worst /= JITTER_SIGMAS.get(found.fact.statistic or "", 1.0)
    return (0, worst)


def _worse(one: Offer, two: Offer, metric: str) -> Facts:
    first, second = one.of(metric), two.of(metric)
    if not (first and second):
        return ()
    return first if _badness(one, metric) >= _badness(two, metric) else second


def _alike(one: Offer, two: Offer, metric: str) -> Facts:
    first, second = one.of(metric), two.of(metric)
    return first if first and _said(first) == _said(second) else ()


def _either(one: Offer, two: Offer, metric: str) -> Facts:
    """What holds of the pair as soon as one of them says it, each thing once."""
    found = {f.value: f for f in (*two.of(metric), *one.of(metric))}
    return tuple(found.values())


def _both(one: Offer, two: Offer, metric: str) -> Facts:
    """What is promised only as far as both promise it."""
    values = {f.value for f in two.of(metric)}
    return tuple(f for f in one.of(metric) if f.value in values)


def _layer(one: Offer, two: Offer, metric: str) -> Facts:
    """Two kinds of line are one kind only as far as the rules tell them apart: wave and OTN are both transparent."""
    words = {term(o, metric).word for o in (one, two)}
    return one.of(metric) if words <= TRANSPARENT_LAYERS else _alike(one, two, metric)


def _headers(one: Offer, two: Offer, metric: str) -> Facts:
    def size(offer: Offer) -> int:
        return sum(ENCAPSULATION_BYTES.get(str(f.value), 0) for f in offer.of(metric))

    return max(one, two, key=size).of(metric)


def _grade(one: Offer, two: Offer, metric: str) -> Facts:
    soft = [o.of(metric) for o in (one, two) if term(o, metric).word == "budgetary"]
    return soft[0] if soft else _alike(one, two, metric)


def _first_to_end(one: Offer, two: Offer, metric: str) -> Facts:
    dated = [o for o in (one, two) if term(o, metric).word]
    return min(dated, key=lambda o: term(o, metric).word or "").of(metric) if dated else ()


CHOSEN: dict[str, Callable[[Offer, Offer, str], Facts]] = {
    "layer": _layer,
    "exclusion": _either,
    "encapsulation": _headers,
    "price_item": _both,
    "quote_grade": _grade,
    "quote_valid_until": _first_to_end,
}


def _usage(one: Offer, two: Offer) -> Facts:
    """A charge for traffic: of the dearer line, as if everything went over it."""
    charged = [o for o in (one, two) if o.of("usage_charge")]
    return max(charged, key=lambda o: term(o, "usage_charge").number or 0.0).of("usage_charge") if charged else ()


def _kept(one: Offer, two: Offer) -> Iterator[Fact]:
    for metric in dict.fromkeys(f.metric for f in (*one.facts, *two.facts) if f.visible):
        if metric in MADE or metric == "usage_charge":
            continue
        ordinary = _worse if BY_ID[metric].kind in COMPARED and metric not in ALIKE else _alike
        yield from CHOSEN.get(metric, ordinary)(one, two, metric)
    yield from _usage(one, two)


# ---- facts made of both


def _beside(first: Fact, second: Fact) -> Evidence:
    """Both quotes, side by side."""
    return Evidence(reader="pair", quote=f"{first.evidence.words} + {second.evidence.words}")


def _made(first: Fact, second: Fact, value: Decimal | bool | None, **changes: Any) -> Fact:
    """One fact out of two: no firmer, no surer and no more confirmed than the weaker of them."""
    promises = [f.commitment for f in (first, second)]
    soft = [c for c in promises if c in SOFT_COMMITMENTS]
    firm = promises[0] if promises[0] == promises[1] else None
    conditions = dict.fromkeys(f.condition for f in (first, second) if f.condition)
    people = dict.fromkeys(f.confirmed_by for f in (first, second))
    merged: dict[str, Any] = {
        "value": value, "readings": (), "derived": True, "evidence": _beside(first, second),
        "commitment": soft[0] if soft else firm, "condition": " / ".join(c for c in conditions if c) or None,
        "confirmed_by": None if None in people else " + ".join(name for name in people if name),
        "confidence": min(first.confidence, second.confidence),
    }  # fmt: skip
    return replace(first, **(merged | changes))


def _whole(offer: Offer) -> bool:
    """Whether the rate holds from end to end: it says so, or every segment has a rate."""
    segments = offer.of("segment_bandwidth")
    said = term(offer, "bandwidth").fact
    return bool(segments) or (said is not None and said.scope == "end_to_end")


def _bandwidth(one: Offer, two: Offer, mode: str) -> Iterator[Fact]:
    """The sum or the lesser of the two weakest rates; nothing while a segment of either is open."""
    spans, facts = [rate_span(o) for o in (one, two)], []
    committed = all(o.of("committed_rate") for o in (one, two))
    for offer in (one, two):
        sources = (offer.of(m) for m in ("committed_rate", "bandwidth", "segment_bandwidth"))
        facts.append(next((found[0] for found in sources if found), None))
    first, second = facts
    if first is None or second is None or any(s.worst is None for s in spans):
        return
    join: Callable[[list[float]], float] = sum if mode == ACTIVE_ACTIVE else min
    low, high = join([s.worst or 0.0 for s in spans]), join([s.best for s in spans])
    whole = "end_to_end" if _whole(one) and _whole(two) else None
    known = low == high
    for metric in ("bandwidth", "committed_rate") if committed else ("bandwidth",):
        yield _made(
            first, second, Decimal(repr(low)) if known else None, metric=metric, scope=whole,
            state=State.STATED if known else State.AMBIGUOUS,
            readings=() if known else (Decimal(repr(low)), Decimal(repr(high))),
        )  # fmt: skip


def joint_inputs(one: Offer, two: Offer, relation: str) -> dict[str, Any] | None:
    """What goes into the joint availability; None unless both promise one end to end and over the same period."""
    found = [term(o, "availability") for o in (one, two)]
    facts = [t.fact for t in found if t.number is not None and t.fact is not None and t.fact.scope == "end_to_end"]
    if len(facts) < len(found) or facts[0].period is None or facts[0].period != facts[1].period:
        return None
    return {"availabilities": tuple(t.number or 0.0 for t in found), "common_cause": COMMON_CAUSE[relation]}


def joint_availability(one: Offer, two: Offer, relation: str) -> float | None:
    """Availability of the pair, end to end and over the period both name."""
    inputs = joint_inputs(one, two, relation)
    return None if inputs is None else parallel_availability(**inputs)


def _availability(one: Offer, two: Offer, relation: str) -> Iterator[Fact]:
    value = joint_availability(one, two, relation)
    first, second = (term(o, "availability").fact for o in (one, two))
    if value is not None and first is not None and second is not None:
        yield _made(first, second, Decimal(repr(value)).quantize(SIX_NINES, ROUND_FLOOR))


def _repair(one: Offer, two: Offer) -> Iterator[Fact]:
    """The sooner of two promised restorations, once both promise one.

    The pair is out only while both lines are: an outage starts with the later failure and ends with the first line
    that is back, so no line's own limit can pass without an end to it. Redundancy is back only with the slower.
    """
    found = [term(o, "repair_time") for o in (one, two)]
    first, second = (t.fact for t in found)
    if first is None or second is None:
        return
    if any(t.number is None or len(t.readings) > 1 for t in found):
        yield from _worse(one, two, "repair_time")
        return
    yield _made(first, second, Decimal(repr(min(t.number or 0.0 for t in found))))


def _apart(offer: Offer) -> bool:
    found = term(offer, "diverse_paths")
    return found.flag is True and not found.soft


def stated_relation(one: Offer, two: Offer) -> str:
    """What the offers themselves say of their ducts; two vendors are no proof (they may lease from one another).

    Of two single lines, each said to be apart from the other, that is proof. A member with several paths speaks of
    its own, which says nothing about the other member's ducts.
    """
    single = all((term(o, "paths").number or 1.0) < 2 for o in (one, two))  # noqa: PLR2004 - one path each
    return DIVERSE if single and _apart(one) and _apart(two) else UNPROVEN


def _paths(one: Offer, two: Offer, relation: str) -> Iterator[Fact]:
    """Two lines are two paths; that two of them are apart takes both to say so, or the relation."""
    number = sum(term(o, "paths").number or 1.0 for o in (one, two))
    where = Evidence(reader="pair", quote=f"{one.vendor} + {two.vendor}")
    said = Fact(
        metric="paths", state=State.STATED, value=Decimal(repr(number)), evidence=where, derived=True,
        commitment="guarantee", confirmed_by="pair",
    )  # fmt: skip
    yield said
    if relation != UNPROVEN or (_apart(one) and _apart(two)):
        yield replace(said, metric="diverse_paths", value=relation != SHARED)


def _money(one: Offer, two: Offer) -> Iterator[Fact]:
    for metric in ("monthly_charge", "setup_charge"):
        first, second = (term(o, metric).fact for o in (one, two))
        if first is None or second is None or first.currency != second.currency:
            continue
        if isinstance(first.value, Decimal) and isinstance(second.value, Decimal):
            yield _made(first, second, first.value + second.value)


def joint(one: Offer, two: Offer, mode: str, relation: str) -> Offer:
    """The pair as an offer: vendors and products side by side."""
    made = (
        *_bandwidth(one, two, mode),
        *_availability(one, two, relation),
        *_repair(one, two),
        *_paths(one, two, relation),
        *_money(one, two),
    )
    products = " + ".join(o.product or "–" for o in (one, two))
    return Offer(vendor=f"{one.vendor} + {two.vendor}", product=f"{products} ({mode})", facts=(*_kept(one, two), *made))
