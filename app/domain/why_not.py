"""Why an offer does not pass: what every open gate needs, all of it together, and one figure at a time.

Every answer comes from judging a changed offer with the same rules; there is no second model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.assessment import PASSING, Outcome
from app.domain.bench import edge
from app.domain.knobs import (
    ANSWERS,
    KNOBS,
    current,
    renewed,
    restored,
    whole,
    with_answers,
    with_price,
    with_promise,
    with_value,
)
from app.domain.rules import DOUBT_REASON, SOFT_REASON, Grade, Status, Step
from app.domain.terms import term

if TYPE_CHECKING:
    from app.domain.assessment import Judged
    from app.domain.bench import Bench
    from app.domain.facts import Offer
    from app.domain.knobs import Knob
    from app.domain.rules import Verdict

PRICE = "monthly_charge"
PRICE_RANGE = 100.0
QUANTITY, ANSWER, PROMISE, RENEWAL, OTHER = "quantity", "answer", "promise", "renewal", "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cure:
    """What open or failed gates need: another figure, a yes, a promise, or (`other`) nothing a figure can mend.

    `now` and `need` are in the canonical unit of `metric` (a charge in `currency`); equal ones ask for the same figure
    promised end to end and per month; `need` None: no value of it is enough. `alone` is True when this change by
    itself makes the offer pass; `beyond_physics` when light is too slow for it. Without `checks` it mends the price
    ceiling or an expired quote.
    """

    kind: str
    checks: tuple[Verdict, ...] = ()
    metric: str | None = None
    now: float | None = None
    need: float | None = None
    currency: str | None = None
    alone: bool = False
    beyond_physics: bool = False


@dataclass(frozen=True, slots=True)
class WhyNot:
    """What keeps one offer from passing.

    `cures` are one way to mend everything, as few changes as there can be, and `together` what the offer becomes with
    all of them. `routes` hold every single figure that moves an open gate, with the value at which that gate passes.
    """

    judged: Judged
    cures: tuple[Cure, ...]
    together: Outcome
    routes: tuple[Cure, ...]


def open_gates(judged: Judged) -> tuple[Verdict, ...]:
    """Gates that fail or are unknown."""
    return tuple(c for c in judged.checks if c.grade is Grade.GATE and c.status in (Status.FAIL, Status.UNKNOWN))


def why_not(bench: Bench, judged: Judged) -> WhyNot:
    """What keeps a rejected or conditional offer from passing."""
    gates, cures, offer = open_gates(judged), [], judged.offer
    firm = offer
    promised = tuple(c for c in gates if c.finding.reason in (SOFT_REASON, DOUBT_REASON))
    rest = tuple(c for c in gates if c not in promised)
    if promised:
        metrics = frozenset(f.metric for c in promised for f in c.finding.facts)
        alone = _passes(bench, with_promise(judged.offer, metrics))
        cures.append(Cure(kind=PROMISE, checks=promised, alone=alone))
        firm = offer = with_promise(offer, metrics)
    answers = [c for c in rest if c.rule.id in ANSWERS]
    for check in answers:
        offer = with_answers(offer, ANSWERS[check.rule.id])
    more = _points(bench, offer)
    for check in more:
        offer = with_answers(offer, ANSWERS[check.rule.id])
    cures += [_answer(bench, judged, check) for check in (*answers, *more)]
    values, offer = _values(bench, judged, offer, rest)
    priced, offer = _ceiling(bench, judged, offer)
    expired, offer = _expired(bench, judged, offer)
    mended = bench.judged(offer)
    still = {(c.rule.id, c.scenario) for c in open_gates(mended)}
    told = {c.rule.id for cure in values if cure.need is None for c in cure.checks}
    others = (c for c in rest if (c.rule.id, c.scenario) in still and c.rule.id not in told)
    cures += [*values, *priced, *expired, *(Cure(kind=OTHER, checks=(c,)) for c in others)]
    return WhyNot(judged, tuple(cures), mended.outcome, _routes(bench, judged, firm, rest))


def _passes(bench: Bench, offer: Offer) -> bool:
    return bench.judged(offer).outcome in PASSING


def _answer(bench: Bench, judged: Judged, check: Verdict) -> Cure:
    alone = _passes(bench, with_answers(judged.offer, ANSWERS[check.rule.id]))
    return Cure(kind=ANSWER, checks=(check,), alone=alone)


def _points(bench: Bench, offer: Offer) -> list[Verdict]:
    """Answers that lift the platform points over their share, the dearest first, so that they are the fewest."""
    asked: list[Verdict] = []
    while True:
        judged = bench.judged(offer)
        rows = [c for c in judged.checks if c.rule.step is Step.PLATFORM and c.rule.id in ANSWERS]
        rows = [c for c in rows if c.status in (Status.FAIL, Status.UNKNOWN)]
        if not rows or judged.steps[-1].status is Status.PASS:
            return asked
        asked.append(max(rows, key=lambda c: c.rule.points[c.scenario]))
        offer = with_answers(offer, ANSWERS[asked[-1].rule.id])


def _need(bench: Bench, offer: Offer, knob: Knob, checks: tuple[Verdict, ...], now: float | None) -> float | None:
    """The value of one figure at which some gates pass, the others as they are in `offer`."""
    found = edge(
        lambda v: bench.hold(with_value(offer, knob, v), checks), knob.best, knob.worst if now is None else now
    )
    return whole(knob, found)


def _cure(bench: Bench, judged: Judged, knob: Knob, checks: tuple[Verdict, ...], need: float | None) -> Cure:
    return Cure(
        kind=QUANTITY, checks=checks, metric=knob.metric, now=current(judged.offer, knob), need=need,
        alone=need is not None and _passes(bench, with_value(judged.offer, knob, need)),
        beyond_physics=knob.metric == "rtt" and need is not None and need < _light(judged),
    )  # fmt: skip


def _values(bench: Bench, judged: Judged, base: Offer, rest: tuple[Verdict, ...]) -> tuple[list[Cure], Offer]:
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
        if bench.hold(untouched, checks):
            offer = untouched
        else:
            needed.append((knob, checks))
    cures = []
    for knob, checks in needed:
        need = _need(bench, offer, knob, checks, current(base, knob))
        offer = offer if need is None else with_value(offer, knob, need)
        cures.append(_cure(bench, judged, knob, checks, need))
    return cures, offer


def _routes(bench: Bench, judged: Judged, firm: Offer, rest: tuple[Verdict, ...]) -> tuple[Cure, ...]:
    """For each open gate every single figure that moves it, the others as offered and promised (`firm`)."""
    found = []
    for check in rest:
        for knob in (k for k in KNOBS if check.rule.id in k.checks):
            need = _need(bench, firm, knob, (check,), current(firm, knob))
            found.append(_cure(bench, judged, knob, (check,), need))
        if check.rule.id in ANSWERS:
            found.append(_answer(bench, judged, check))
    return tuple(found)


def _light(judged: Judged) -> float:
    """Round-trip time of light over the distance (s), 0 when the distance is not known."""
    floor = next((c.finding.required for c in judged.checks if c.rule.id == "latency.physics"), None)
    return floor * 1e-3 if isinstance(floor, float) else 0.0


def _below_ceiling(bench: Bench, offer: Offer) -> bool:
    ceiling, got = bench.assessment.policy.price_ceiling, bench.judged(offer).cost.effective
    return ceiling is None or got is None or float(got) <= ceiling


def _ceiling(bench: Bench, judged: Judged, base: Offer) -> tuple[list[Cure], Offer]:
    """The charge at which an offer that is otherwise mended keeps below the buyer's price ceiling."""
    found = term(base, PRICE)
    price = found.number
    if not price or _below_ceiling(bench, base):
        return [], base
    need = edge(lambda v: _below_ceiling(bench, with_price(base, v)), price / PRICE_RANGE, price)
    cure = Cure(
        kind=QUANTITY, metric=PRICE, now=price, need=need, currency=found.fact.currency if found.fact else None,
        alone=need is not None and _passes(bench, with_price(judged.offer, need)),
    )  # fmt: skip
    return [cure], base if need is None else with_price(base, need)


def _expired(bench: Bench, judged: Judged, base: Offer) -> tuple[list[Cure], Offer]:
    """A new date, where the quote has expired."""
    until, day = term(base, "quote_valid_until").word, bench.assessment.policy.evaluation_date
    if until is None or day is None or until >= day.isoformat():
        return [], base
    return [Cure(kind=RENEWAL, alone=_passes(bench, renewed(judged.offer)))], renewed(base)
