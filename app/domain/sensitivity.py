"""What would have to change: for a rejected offer to pass, for second place to win, for the winner to lose.

Every answer comes from judging a changed offer with the same rules; there is no second model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from app.domain.assessment import PASSING, Outcome
from app.domain.bench import Bench, confirmed_edge
from app.domain.flips import Band, band
from app.domain.knobs import BY_METRIC, KNOBS, current, whole, with_price, with_value
from app.domain.rules import Grade, Status
from app.domain.terms import term
from app.domain.weight_swaps import WeightSwap, weight_swaps
from app.domain.why_not import PRICE_RANGE, WhyNot, why_not

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.assessment import Assessment, Judged
    from app.domain.facts import Offer
    from app.domain.knobs import Knob

CONTESTED = ("bandwidth", "rtt", "packet_loss")


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


def _break_even(bench: Bench, place: int, price: float) -> float | None:
    """The monthly charge at which the offer just wins, or None when no charge makes or breaks it."""
    judged = bench.assessment.offers[place]
    wins = judged.outcome is Outcome.RECOMMENDED
    good, bad = (price, price * PRICE_RANGE) if wins else (price / PRICE_RANGE, price)
    found = _first_edge(bench, place, lambda v: with_price(judged.offer, v), good, bad)
    return None if found is None or found == price * PRICE_RANGE else found


def _first_edge(bench: Bench, place: int, change: Callable[[float], Offer], good: float, bad: float) -> float | None:
    """The value at which the offer at `place` just wins: rank by rank, then with every gate judged again."""
    judged = bench.assessment.offers[place]
    return confirmed_edge(
        lambda v: bench.first(place, bench.reckoned(judged, change(v))),
        lambda v: bench.first(place, bench.judged(change(v))),
        good,
        bad,
    )


def _wins_at(bench: Bench, place: int) -> tuple[tuple[str, float], ...]:
    offer, found = bench.assessment.offers[place].offer, []
    for metric in CONTESTED:
        knob = BY_METRIC[metric]
        now = current(offer, knob)
        if not now:
            continue
        value = _first_edge(bench, place, partial(with_value, offer, knob), knob.best, now)
        if value is not None:
            found.append((metric, value))
    return tuple(found)


def _room(bench: Bench, judged: Judged) -> tuple[Room, ...]:
    """For every figure promised, the worst value at which all gates still pass with the others as they are."""
    return tuple(
        Room(knob.metric, now, _limit(bench, judged, knob, now))
        for knob in KNOBS
        if (now := current(judged.offer, knob))
    )


def _limit(bench: Bench, judged: Judged, knob: Knob, now: float) -> float | None:
    gates = [c for c in judged.checks if c.grade is Grade.GATE and c.rule.id in knob.checks and c.status is Status.PASS]
    change = partial(with_value, judged.offer, knob)
    found = confirmed_edge(
        lambda v: bench.hold(change(v), gates),
        lambda v: bench.judged(change(v)).outcome in PASSING,
        now,
        knob.worst,
    )
    return None if found == knob.worst else whole(knob, found)


def _standing(bench: Bench, place: int) -> Standing:
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
    """What would have to change, and what turns over inside the bands, for every offer of an assessment."""

    why_not: tuple[WhyNot, ...]
    standings: tuple[Standing, ...]
    weights: tuple[WeightSwap, ...]
    bands: tuple[Band, ...]


def sensitivity(assessment: Assessment) -> Sensitivity:
    """Why-not of every offer that does not pass, the standing of every one that does, and the band of each."""
    bench, places = Bench(assessment), range(len(assessment.offers))
    return Sensitivity(
        why_not=tuple(why_not(bench, o) for o in assessment.offers if o.outcome not in PASSING),
        standings=tuple(_standing(bench, n) for n in places if assessment.offers[n].outcome in PASSING),
        weights=weight_swaps(assessment),
        bands=tuple(band(bench, n) for n in places),
    )
