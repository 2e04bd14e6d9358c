"""Points of the weighted presets: absolute intervals, 0 to 100 a factor, never relative to other bidders (policy 2).

What is unknown earns nothing at the low end and what its best reading would earn at the high end. A factor without
a line in this scenario gives its weight to the margin of the effective bandwidth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.credits import standard_credit
from app.domain.rules import Status
from app.domain.terms import TRANSPARENT_LAYERS, term
from app.domain.transport import effective_rate
from app.domain.weights import FACTORS, FULL, Factor, weights_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.cost import Cost
    from app.domain.prediction import Prediction
    from app.domain.rules import Case, Verdict
    from app.domain.terms import Span

# Points of the columns of policy 2, best first; a row of limits stands under them.
COLUMNS = (100.0, 85.0, 70.0, 50.0, 25.0)
AT_LEAST: dict[str, tuple[float, ...]] = {
    "bandwidth.effective": (1.50, 1.30, 1.25, 1.10, 1.00),
    "utilization": (0.98, 0.95, 0.90, 0.80, 0.65),
    "sla.availability": (0.99995, 0.9999, 0.9995, 0.999, 0.995),
    "sla.compensation": (0.50, 0.25, 0.10, 0.05, 0.0068),
    "sla.definition": (8, 7, 6, 5, 4),
}
AT_MOST: dict[str, tuple[float, ...]] = {
    "outcome": (0.50, 0.65, 0.80, 0.90, 1.00),
    "latency.rtt": (0.25, 0.50, 0.70, 0.85, 1.00),
    "latency.jitter": (0.10, 0.25, 0.50, 0.75, 1.00),
    "loss.packet_loss": (0.01, 0.10, 0.30, 0.60, 1.00),
    "sla.repair_time": (3600, 7200, 14400, 28800, 86400),
    "failover": (0.05, 0.5, 1, 3, 30),
    "contention": (1.0, 1.0, 1.5, 2, 4),
    "delivery": (30, 45, 60, 90, 120),
    "exit": (1, 2, 3, 6, 12),
    "price": (0.50, 0.65, 0.80, 0.90, 1.00),
}
DIVERSE_IN_CONTRACT, DIVERSITY_UNSTATED, ROUTES_BY_CONSTRUCTION, BUDGETARY = 85.0, 50.0, 70.0, 25.0
ROUNDING = 1e-9  # a figure on a boundary takes the upper row, whatever the last binary digit says


@dataclass(frozen=True, slots=True)
class Band:
    """Points at the worst and at the best reading."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Earned:
    """One factor: its weight as used and its band of 0 to 100 points; `band` None = no line in this scenario."""

    factor: Factor
    weight: float
    band: Band | None

    def as_json(self) -> dict[str, Any]:
        """The factor as a row of the score."""
        low, high = (None, None) if self.band is None else (self.band.low, self.band.high)
        return {
            "id": self.factor.id,
            "title": self.factor.title.as_json(),
            "weight": self.weight,
            "low": low,
            "high": high,
        }


@dataclass(frozen=True, slots=True)
class Score:
    """Weighted points of one offer out of 100; `low` decides the rank, for the unknown counts 0."""

    low: float
    high: float
    factors: tuple[Earned, ...]

    def as_json(self) -> dict[str, Any]:
        """The score in the form of the contract, with its factors."""
        return {"low": self.low, "high": self.high, "factors": [f.as_json() for f in self.factors]}


OPEN, NOTHING = Band(0.0, FULL), Band(0.0, 0.0)


def interval(row: str, value: float) -> float:
    """Points of a figure on one row of the table; the upper row wins on a boundary."""
    if row in AT_LEAST:
        held = (value >= limit * (1 - ROUNDING) for limit in AT_LEAST[row])
    else:
        held = (value <= limit * (1 + ROUNDING) for limit in AT_MOST[row])
    return next((points for points, holds in zip(COLUMNS, held, strict=True) if holds), 0.0)


def _exact(row: str, value: float | None) -> Band:
    if value is None:
        return OPEN
    points = interval(row, value)
    return Band(points, points)


def _spread(row: str, span: Span, scale: float) -> Band:
    """A span over its limit: the best end at the top, the worst end, when it is known, at the bottom."""
    high = interval(row, span.best / scale)
    return Band(0.0 if span.worst is None else interval(row, span.worst / scale), high)


def _mean(*bands: Band) -> Band:
    return Band(sum(b.low for b in bands) / len(bands), sum(b.high for b in bands) / len(bands))


def _effective(case: Case) -> Band:
    need, reading = case.lines.need, case.reading
    if not need:
        return NOTHING
    best = interval("bandwidth.effective", effective_rate(reading.best) / need) if reading.best else FULL
    central = reading.central
    return Band(interval("bandwidth.effective", effective_rate(central) / need) if central else 0.0, best)


def _outcome(case: Case, prediction: Prediction) -> Band | None:
    central = prediction.central
    if case.lines.training is not None:
        return _exact("utilization", central.utilization if central else None)
    job, move = case.workload.inference, case.lines.bulk
    if move is not None:
        return _exact("outcome", central.transfer / move.window if central and central.transfer else None)
    if job is None or job.ttft_target_ms is None or job.prefill_s is None:
        return None
    if central is None:
        return OPEN
    return NOTHING if central.ttft_tail is None else _exact("outcome", central.ttft_tail / (job.ttft_target_ms / 1e3))


def _availability(check: Verdict) -> Band:
    value = check.finding.offered
    points = interval("sla.availability", float(value)) if isinstance(value, float) else 0.0
    if check.status is Status.UNKNOWN:
        return Band(0.0, points if isinstance(value, float) else FULL)
    return Band(points, points)


def _redundancy(case: Case) -> Band:
    paths, diverse = case.paths, term(case.offer, "diverse_paths").flag
    if paths is not None and paths < 2:  # noqa: PLR2004 - one path has nothing to fail over to
        return NOTHING
    if diverse is False:
        kept = NOTHING
    else:
        points = DIVERSE_IN_CONTRACT if diverse else DIVERSITY_UNSTATED
        kept = Band(0.0 if paths is None else points, points)
    return _mean(kept, _exact("failover", term(case.offer, "failover_time").number))


def _sharing(case: Case) -> Band:
    contention = _spread("contention", case.reading.contention, 1.0)
    if case.scenario == "bulk":
        return contention
    routes, layer = term(case.offer, "symmetric_routes").flag, term(case.offer, "layer").word
    if routes is None:
        by_layer = layer in TRANSPARENT_LAYERS
        return _mean(contention, Band(ROUTES_BY_CONSTRUCTION, ROUTES_BY_CONSTRUCTION) if by_layer else OPEN)
    points = FULL if routes else 0.0
    return _mean(contention, Band(points, points))


def _platform(checks: Sequence[Verdict]) -> Band | None:
    rows = [c for c in checks if c.rule.id.startswith("platform.") and c.status is not Status.NOT_APPLICABLE]
    total = sum(c.rule.points[c.scenario] for c in rows)
    if not total:
        return None
    earned = sum(c.rule.points[c.scenario] for c in rows if c.status in (Status.PASS, Status.WAIVED))
    still_open = sum(c.rule.points[c.scenario] for c in rows if c.status is Status.UNKNOWN)
    return Band(FULL * earned / total, FULL * (earned + still_open) / total)


def _stated_fields(case: Case) -> float:
    """How many of the eight parts of an SLA are stated."""
    offer, found = case.offer, term(case.offer, "availability")
    fact = found.fact
    parts = (
        bool(found.readings),
        fact is not None and fact.scope is not None,
        (fact is not None and fact.period is not None) or term(offer, "measurement_period").word is not None,
        fact is not None and fact.commitment is not None,
        term(offer, "clock_starts").word is not None,
        bool(offer.of("exclusion")),
        term(offer, "maintenance_window").number is not None,
        term(offer, "claim_window").number is not None,
    )
    return float(sum(parts))


def _delivery(case: Case) -> Band:
    """Mean of delivery, exit and firmness; exit as months of charges were the contract left at once."""
    share, months = term(case.offer, "exit_share").number, term(case.offer, "contract_term").number
    firm = term(case.offer, "quote_grade").word
    grade = {None: OPEN, "firm": Band(FULL, FULL)}.get(firm, Band(BUDGETARY, BUDGETARY))
    leaving = None if share is None or months is None else share * months
    return _mean(_exact("delivery", term(case.offer, "delivery").number), _exact("exit", leaving), grade)


def _price(case: Case, money: Cost) -> Band:
    """Price over the ceiling fixed before opening; without a ceiling nobody earns price points."""
    ceiling = case.policy.price_ceiling
    if not ceiling:
        return NOTHING
    return _exact("price", None if money.effective is None else float(money.effective) / ceiling)


def _bands(case: Case, checks: Sequence[Verdict], prediction: Prediction, money: Cost) -> dict[str, Band | None]:
    lines, reading = case.lines, case.reading
    mine = {c.rule.id: c for c in checks if c.scenario == case.scenario}
    no_rtt, no_sigma, no_loss = not lines.rtt_limit, not lines.sigma_limit, not lines.loss_limit
    credit = standard_credit(case)
    return {
        "bandwidth.effective": _effective(case),
        "outcome": _outcome(case, prediction),
        "latency.rtt": None if no_rtt else _spread("latency.rtt", reading.rtt_tail, lines.rtt_limit or 1.0),
        "latency.jitter": None if no_sigma else _spread("latency.jitter", reading.jitter, lines.sigma_limit or 1.0),
        "loss.packet_loss": None if no_loss else _spread("loss.packet_loss", reading.loss, lines.loss_limit or 1.0),
        "sla.availability": _availability(mine["sla.availability"]),
        "topology.redundancy": _redundancy(case),
        "topology.oversubscription": _sharing(case),
        "platform": _platform(checks),
        "sla.repair_time": _exact("sla.repair_time", term(case.offer, "repair_time").number),
        "sla.compensation": _exact("sla.compensation", credit),
        "sla.definition": _exact("sla.definition", _stated_fields(case)),
        "delivery": _delivery(case),
        "price": _price(case, money),
    }


DECLINED = {
    "sla.repair_time",
    "sla.compensation",
    "latency.rtt",
    "latency.jitter",
    "loss.packet_loss",
    "sla.availability",
}


def score(case: Case, checks: Sequence[Verdict], prediction: Prediction, money: Cost) -> Score | None:
    """Weighted points of one offer for the main scenario; None for `pass-then-cost`."""
    weights = weights_of(case.policy.preset, case.policy.weights)
    if not weights:
        return None
    bands = _bands(case, checks, prediction, money)
    for check in checks:  # a vendor that declines to commit earns nothing, not an open band
        if check.rule.id in DECLINED and check.status is Status.FAIL and check.finding.offered is None:
            bands[check.rule.id] = NOTHING
    return weighed(bands, weights)


def weighed(bands: Mapping[str, Band | None], weights: Mapping[str, float]) -> Score:
    """Points under some weights; a factor without a line gives its weight to the margin of the bandwidth."""
    moved = sum(weights[name] for name, band in bands.items() if band is None)
    used = {name: 0.0 if band is None else weights[name] for name, band in bands.items()}
    used["bandwidth.effective"] += moved
    rows = tuple(Earned(f, used[f.id], bands[f.id]) for f in FACTORS)
    low = sum(r.weight * r.band.low for r in rows if r.band is not None) / FULL
    high = sum(r.weight * r.band.high for r in rows if r.band is not None) / FULL
    return Score(low, high, rows)
