"""Judging changed offers of one assessment by the same rules, and finding the value at which an answer changes."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from app.domain.assessment import Outcome, judge_offer, ranked
from app.domain.cost import cost
from app.domain.knobs import between
from app.domain.points import score
from app.domain.prediction import Reading, predict
from app.domain.rules import Case, Status, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.domain.assessment import Assessment, Judged
    from app.domain.facts import Offer
    from app.domain.prediction import Prediction
    from app.domain.rules import Verdict

DIGITS = 5
NOTHING = 1e-12  # share of the other end that stands for 0 in a search on a logarithmic scale
CLOSE = 1 + 5e-6  # half a step of the fifth digit


class Bench:
    """Judges changed offers of one assessment."""

    def __init__(self, assessment: Assessment) -> None:
        self.assessment = assessment

    def judged(self, offer: Offer) -> Judged:
        """The whole judgement of a changed offer, without its rank."""
        a = self.assessment
        return judge_offer(offer, a.workload, a.policy, a.requirement)

    def first(self, place: int, judged: Judged) -> bool:
        """Whether the offer at `place`, judged so, would be recommended."""
        return self.ranked(place, judged).outcome is Outcome.RECOMMENDED

    def ranked(self, place: int, judged: Judged) -> Judged:
        """The offer at `place`, judged so, with its rank among the others as they are."""
        row = list(self.assessment.offers)
        row[place] = judged
        return ranked(row)[place]

    def hold(self, offer: Offer, checks: Iterable[Verdict]) -> bool:
        """Whether some checks pass for a changed offer; only their rules are asked."""
        a, wanted = self.assessment, list(checks)
        for lines in a.requirement.lines:
            rules = [c.rule for c in wanted if c.scenario == lines.scenario]
            case = Case(offer, a.workload, a.policy, lines, Reading(offer, a.workload, lines))
            if any(judge(rule, case).status is not Status.PASS for rule in rules):
                return False
        return True

    def at(self, judged: Judged, prediction: Prediction) -> Judged:
        """The offer with cost and points of another prediction; its gates stay as they were judged."""
        return self._reckoned(judged, self._case(judged.offer), prediction)

    def reckoned(self, judged: Judged, offer: Offer) -> Judged:
        """The offer changed, with its prediction, cost and points; its gates stay as they were judged."""
        case = self._case(offer)
        return self._reckoned(replace(judged, offer=offer), case, predict(case.reading))

    def _case(self, offer: Offer) -> Case:
        a, lines = self.assessment, self.assessment.requirement.main
        return Case(offer, a.workload, a.policy, lines, Reading(offer, a.workload, lines))

    def _reckoned(self, judged: Judged, case: Case, prediction: Prediction) -> Judged:
        money = cost(case, prediction).with_compared(judged.cost.compared)
        points = None if judged.score is None else score(case, judged.checks, prediction, money)
        return replace(judged, predictions=(prediction, *judged.predictions[1:]), cost=money, score=points)


def edge(holds: Callable[[float], bool], good: float, bad: float) -> float | None:
    """The value nearest `bad` at which a monotone condition still holds, or None when it never does.

    Kept to five digits, to the last of them that holds, so that the figure as printed is enough.
    """
    if not holds(good):
        return None
    if holds(bad):
        return bad
    if not good:
        good = bad * NOTHING
        if not holds(good):
            return 0.0
    if not bad:
        bad = good * NOTHING
        if holds(bad):
            return bad
    start, worse = good, bad
    while max(good, worse) > min(good, worse) * CLOSE:
        middle = between(good, worse)
        good, worse = (middle, worse) if holds(middle) else (good, middle)
    farther, nearer = (printed(good, up=up) for up in (start < bad, start > bad))
    return next((value for value in (farther, nearer) if holds(value)), good)


def confirmed_edge(
    quick: Callable[[float], bool], holds: Callable[[float], bool], good: float, bad: float
) -> float | None:
    """As `edge`, found by a part of the condition that costs less and confirmed by the whole of it."""
    found = edge(quick, good, bad)
    return found if found is None or holds(found) else edge(holds, good, bad)


def printed(value: float, *, up: bool) -> float:
    """The value to five digits, rounded up or down."""
    step = Decimal(1).scaleb(Decimal(repr(value)).adjusted() - DIGITS + 1)
    return float(Decimal(repr(value)).quantize(step, ROUND_CEILING if up else ROUND_FLOOR))
