"""What would have to change: for a rejected offer to pass, for second place to win, for the winner to lose.

Every answer comes from judging a changed offer with the same rules; there is no second model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from app.domain.assessment import PASSING, Outcome, judge_offer, ranked
from app.domain.knobs import (
    ANSWERS,
    BY_METRIC,
    KNOBS,
    between,
    current,
    restored,
    with_answers,
    with_promise,
    with_value,
)
from app.domain.rules import DOUBT_REASON, SOFT_REASON, Grade, Status
from app.domain.terms import term

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.assessment import Assessment, Judged
    from app.domain.facts import Offer
    from app.domain.knobs import Knob
    from app.domain.rules import Verdict

DIGITS = 5
BISECTIONS = 24  # of eight decades: to one part in a million
PRICE_RANGE = 100.0
CONTESTED = ("bandwidth", "rtt", "packet_loss")
QUANTITY, ANSWER, PROMISE, OTHER = "quantity", "answer", "promise", "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cure:
    """What one open or failed gate needs: another figure, a yes, a promise, or (`other`) nothing a figure can mend.

    `now` and `need` are in the canonical unit of `metric`; equal ones ask for the same figure promised end to end and
    per month; `need` None: no value of it is enough. `alone` is
    True when this change by itself makes the offer pass; `beyond_physics` when light is too slow for it.
    """

    kind: str
    checks: tuple[Verdict, ...]
    metric: str | None = None
    now: float | None = None
    need: float | None = None
    alone: bool = False
    beyond_physics: bool = False


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Everything that keeps one offer from passing, and what it becomes when all of it is mended."""

    judged: Judged
    cures: tuple[Cure, ...]
    together: Outcome


@dataclass(frozen=True, slots=True)
class Room:
    """How far one figure of a passing offer may go before a gate no longer passes, or None when it may go anywhere."""

    metric: str
    now: float
    limit: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A passing offer against the others: its break-even monthly charge, what else would make it win, its room.

    `price` is the offer's own monthly charge; `break_even` the charge at which it ties with the winner (for the
    winner: with the second); `wins_at` the figure of a metric at which it would win at its own price.
    """

    judged: Judged
    price: float | None
    break_even: float | None
    currency: str | None
    wins_at: tuple[tuple[str, float], ...]
    room: tuple[Room, ...]


class _Bench:
    """Judges changed offers of one assessment."""

    def __init__(self, assessment: Assessment) -> None:
        self.assessment = assessment

    def judged(self, offer: Offer) -> Judged:
        a = self.assessment
        return judge_offer(offer, a.workload, a.policy, a.requirement)

    def first(self, place: int, offer: Offer) -> bool:
        """Whether the offer at `place`, changed, would be recommended."""
        row = list(self.assessment.offers)
        row[place] = self.judged(offer)
        return ranked(row)[place].outcome is Outcome.RECOMMENDED


def _statuses(judged: Judged, checks: tuple[Verdict, ...]) -> bool:
    wanted = {(c.rule.id, c.scenario) for c in checks}
    return all(c.status is Status.PASS for c in judged.checks if (c.rule.id, c.scenario) in wanted)


def edge(holds: Callable[[float], bool], good: float, bad: float) -> float | None:
    """The value nearest `bad` at which a monotone condition still holds, or None when it never does.

    Kept to five digits on the side where it holds, so that the figure as printed is enough.
    """
    if not holds(good):
        return None
    if holds(bad):
        return bad
    start, worse = good, bad
    for _ in range(BISECTIONS):
        middle = between(good, worse)
        good, worse = (middle, worse) if holds(middle) else (good, middle)
    printed = _printed(good, up=start > bad)
    return printed if holds(printed) else good


def _printed(value: float, *, up: bool) -> float:
    """The value to five digits, rounded up or down."""
    step = Decimal(1).scaleb(Decimal(repr(value)).adjusted() - DIGITS + 1)
    return float(Decimal(repr(value)).quantize(step, ROUND_CEILING if up else ROUND_FLOOR))


def _open_gates(judged: Judged) -> tuple[Verdict, ...]:
    return tuple(c for c in judged.checks if c.grade is Grade.GATE and c.status in (Status.FAIL, Status.UNKNOWN))


def _values(bench: _Bench, judged: Judged, base: Offer, rest: tuple[Verdict, ...]) -> tuple[list[Cure], Offer]:
    """Figures that mend the open gates, each as little as is enough, and the offer with them.

    All figures in play start at their best. Those that may stay as promised go back to it; each of the others goes
    back as far as the gates it moves allow.
    """
    moved = [(knob, tuple(c for c in rest if c.rule.id in knob.checks)) for knob in KNOBS]
    moved = [(knob, checks) for knob, checks in moved if checks]
    offer = base
    for knob, _ in moved:
        offer = with_value(offer, knob, knob.best)
    needed = []
    for knob, checks in moved:
        untouched = restored(offer, base, knob)
        if _statuses(bench.judged(untouched), checks):
            offer = untouched
        else:
            needed.append((knob, checks, current(base, knob)))
    cures = []
    for knob, checks, now in needed:

        def holds(value: float, knob: Knob = knob, checks: tuple[Verdict, ...] = checks, offer: Offer = offer) -> bool:
            return _statuses(bench.judged(with_value(offer, knob, value)), checks)

        need = edge(holds, knob.best, knob.worst if now is None else now)
        offer = offer if need is None else with_value(offer, knob, need)
        alone = need is not None and bench.judged(with_value(judged.offer, knob, need)).outcome in PASSING
        beyond = knob.metric == "rtt" and need is not None and need < _light(judged)
        cures.append(
            Cure(
                kind=QUANTITY, checks=checks, metric=knob.metric, now=now, need=need, alone=alone, beyond_physics=beyond
            )
        )  # fmt: skip
    return cures, offer


def _light(judged: Judged) -> float:
    """Round-trip time of light over the distance (s), 0 when the distance is not known."""
    floor = next((c.finding.required for c in judged.checks if c.rule.id == "latency.physics"), None)
    return floor * 1e-3 if isinstance(floor, float) else 0.0


def why_not(assessment: Assessment, judged: Judged) -> WhyNot:
    """What keeps a rejected or conditional offer from passing: promises, answers, figures, and all of them together."""
    bench, rest, cures, offer = _Bench(assessment), _open_gates(judged), [], judged.offer
    promised = tuple(c for c in rest if c.finding.reason in (SOFT_REASON, DOUBT_REASON))
    if promised:
        offer = with_promise(offer, frozenset(f.metric for c in promised for f in c.finding.facts))
        cures.append(Cure(kind=PROMISE, checks=promised, alone=bench.judged(offer).outcome in PASSING))
    for check in (c for c in rest if c.rule.id in ANSWERS and c not in promised):
        alone = bench.judged(with_answers(judged.offer, ANSWERS[check.rule.id])).outcome in PASSING
        cures.append(Cure(kind=ANSWER, checks=(check,), alone=alone))
        offer = with_answers(offer, ANSWERS[check.rule.id])
    values, offer = _values(bench, judged, offer, tuple(c for c in rest if c not in promised))
    mended = bench.judged(offer)
    still = {(c.rule.id, c.scenario) for c in _open_gates(mended)}
    others = tuple(c for c in rest if (c.rule.id, c.scenario) in still)
    told = {c.rule.id for cure in values if cure.need is None for c in cure.checks}
    cures += [*values, *(Cure(kind=OTHER, checks=(c,)) for c in others if c.rule.id not in told)]
    return WhyNot(judged, tuple(cures), mended.outcome)


def _with_price(offer: Offer, monthly: float) -> Offer:
    price = Decimal(repr(monthly))
    return replace(
        offer, facts=tuple(replace(f, value=price) if f.metric == "monthly_charge" else f for f in offer.facts)
    )


def _break_even(bench: _Bench, place: int, price: float) -> float | None:
    """The monthly charge at which the offer just wins, or None when no charge makes or breaks it."""
    offer = bench.assessment.offers[place].offer
    wins = bench.assessment.offers[place].outcome is Outcome.RECOMMENDED
    good, bad = (price, price * PRICE_RANGE) if wins else (price / PRICE_RANGE, price)
    found = edge(lambda v: bench.first(place, _with_price(offer, v)), good, bad)
    return None if found is None or found == price * PRICE_RANGE else found


def _wins_at(bench: _Bench, place: int) -> tuple[tuple[str, float], ...]:
    offer, found = bench.assessment.offers[place].offer, []
    for metric in CONTESTED:
        knob = BY_METRIC[metric]
        now = current(offer, knob)
        if not now:
            continue
        value = edge(lambda v, knob=knob: bench.first(place, with_value(offer, knob, v)), knob.best, now)  # type: ignore[misc]
        if value is not None:
            found.append((metric, value))
    return tuple(found)


def _room(bench: _Bench, judged: Judged) -> tuple[Room, ...]:
    """For every figure promised, the worst value at which all gates still pass with the others as they are."""
    rooms = []
    for knob in KNOBS:
        now = current(judged.offer, knob)
        if not now:
            continue
        limit = edge(
            lambda v, knob=knob: bench.judged(with_value(judged.offer, knob, v)).outcome in PASSING,  # type: ignore[misc]
            now,
            knob.worst,
        )
        rooms.append(Room(knob.metric, now, None if limit == knob.worst else limit))
    return tuple(rooms)


def _standing(bench: _Bench, place: int) -> Standing:
    judged = bench.assessment.offers[place]
    charge = term(judged.offer, "monthly_charge")
    price, rivals = charge.number, sum(o.outcome in PASSING for o in bench.assessment.offers)
    contested = price and judged.cost.compared and rivals > 1
    wins = judged.outcome is Outcome.RECOMMENDED
    return Standing(
        judged=judged, price=price, currency=charge.fact.currency if charge.fact else None,
        break_even=_break_even(bench, place, price) if price and contested else None,
        wins_at=() if wins or not contested else _wins_at(bench, place), room=_room(bench, judged) if wins else (),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What would have to change, for every offer of an assessment."""

    why_not: tuple[WhyNot, ...]
    standings: tuple[Standing, ...]


def sensitivity(assessment: Assessment) -> Sensitivity:
    """Why-not of every offer that does not pass, and the standing of every one that does."""
    bench = _Bench(assessment)
    passing = [n for n, o in enumerate(assessment.offers) if o.outcome in PASSING]
    return Sensitivity(
        tuple(why_not(assessment, o) for o in assessment.offers if o.outcome not in PASSING),
        tuple(_standing(bench, n) for n in passing),
    )
