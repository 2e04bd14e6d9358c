"""At which weight of a factor the first two offers change places (presets that rank by points)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.assessment import POINT_DIGITS
from app.domain.points import weighed
from app.domain.weights import FULL, Factor, weights_of

if TYPE_CHECKING:
    from app.domain.assessment import Assessment
    from app.domain.points import Score


@dataclass(frozen=True, slots=True)
class WeightSwap:
    """One factor: its weight now and the weight at which the second draws level; the others keep their proportions.

    `swap` None: no weight of it changes the order.
    """

    factor: Factor
    now: float
    swap: float | None


def with_weight(weights: dict[str, float], factor: str, weight: float) -> dict[str, float]:
    """The weights with one set and the others scaled in proportion, so that they still add up to 100."""
    others = FULL - weights[factor]
    return {name: weight if name == factor else w * (FULL - weight) / others for name, w in weights.items()}


def _lead(first: Score, second: Score, weights: dict[str, float]) -> float:
    """Points by which the first is ahead; linear in every weight."""
    bands = [{row.factor.id: row.band for row in score.factors} for score in (first, second)]
    return weighed(bands[0], weights).low - weighed(bands[1], weights).low


def weight_swaps(assessment: Assessment) -> tuple[WeightSwap, ...]:
    """Every factor; empty where offers are not ranked by points, where fewer than two pass or the points are equal."""
    ranks = {o.rank: o for o in assessment.offers if o.rank is not None}
    if not {1, 2} <= ranks.keys():
        return ()
    first, second = ranks[1].score, ranks[2].score
    weights = weights_of(assessment.policy.preset, assessment.policy.weights)
    if first is None or second is None or round(_lead(first, second, weights), POINT_DIGITS) == 0:
        return ()
    found = []
    for row in first.factors:
        now = weights[row.factor.id]
        if now >= FULL:
            continue
        none, full = (_lead(first, second, with_weight(weights, row.factor.id, w)) for w in (0.0, FULL))
        swap = FULL * none / (none - full) if none * full < 0 else None
        found.append(WeightSwap(row.factor, now, swap))
    return tuple(sorted(found, key=lambda s: FULL if s.swap is None else abs(s.swap - s.now)))
