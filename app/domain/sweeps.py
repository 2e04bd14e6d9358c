"""How an outcome moves with one quantity, and which stated range makes its band wide.

A sweep sets one quantity of one offer to many values and predicts each; a tornado puts one input of the central
prediction after the other to its low and its high end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.facts import Offer
from app.domain.knobs import BY_METRIC, current, with_value
from app.domain.lines import P99
from app.domain.prediction import Reading, cautious, hopeful, outcome, predict, sigma_of
from app.domain.text import Text

if TYPE_CHECKING:
    from app.domain.assessment import Assessment, Judged
    from app.domain.lines import Lines
    from app.domain.prediction import Outcome
    from app.domain.transport import Conditions

POINTS = 25
SWEPT = ("bandwidth", "rtt", "packet_loss", "jitter")
SPAN = {"bandwidth": 10.0, "rtt": 10.0, "packet_loss": 100.0, "jitter": 100.0}
START = {"bandwidth": 1e11, "rtt": 0.01, "packet_loss": 1e-6, "jitter": 1e-4}


DOUBTED = {
    "training": Text("重叠：少一级到所填", "Overlap: one setting less to as stated"),
    "inference": Text("连接与提示长度：冷连接、长短不一到所填", "Connections and prompts: cold, uneven to as stated"),
    "bulk": Text("重传份额：偏高到所填", "Share sent again: higher to as stated"),
}


@dataclass(frozen=True, slots=True)
class Point:
    """One value of the quantity (canonical unit) and the outcome there; None where it cannot be computed."""

    value: float
    low: float | None
    central: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Sweep:
    """One offer's outcome over one quantity; `own` is the offer's figure, `line` the requirement's.

    `reference` is the central outcome of a line at the reference conditions, at the same values.
    """

    metric: str
    points: tuple[Point, ...]
    reference: tuple[float | None, ...]
    own: float | None
    line: float | None


@dataclass(frozen=True, slots=True)
class Swing:
    """What one input does to the central outcome when it alone goes to its low and its high end."""

    title: Text
    low: float | None
    high: float | None

    @property
    def width(self) -> float:
        """How far the ends lie apart; an end that cannot be computed counts as nothing left."""
        return abs((self.high or 0.0) - (self.low or 0.0))


def measure(scenario: str, found: Outcome | None) -> float | None:
    """The figure that counts in a scenario: utilisation, time to first token (s) or transfer time (s)."""
    if found is None:
        return None
    return {"training": found.utilization, "inference": found.ttft, "bulk": found.transfer}[scenario]


def _limit(lines: Lines, metric: str) -> float | None:
    jitter = None if lines.sigma_limit is None else lines.sigma_limit * P99
    return {
        "bandwidth": lines.floor, "rtt": lines.rtt_limit, "packet_loss": lines.loss_limit, "jitter": jitter,
    }[metric]  # fmt: skip


def reference_offer(lines: Lines) -> Offer:
    """A line at the reference conditions: the target rate, the reference delay, no loss, no jitter, no contention."""
    offer = Offer(vendor="reference")
    figures = {
        "bandwidth": lines.target or lines.floor or START["bandwidth"], "rtt": lines.reference.rtt, "packet_loss": 0.0,
        "jitter": 0.0, "oversubscription": 1.0, "mtu": BY_METRIC["mtu"].best,
    }  # fmt: skip
    for metric, value in figures.items():
        offer = with_value(offer, BY_METRIC[metric], value)
    return offer


def sweep(assessment: Assessment, judged: Judged, metric: str) -> Sweep:
    """The outcome of the main scenario over two to four decades around the offer's own figure."""
    lines, knob = assessment.requirement.main, BY_METRIC[metric]
    own = current(judged.offer, knob)
    middle, span = own or _limit(lines, metric) or START[metric], SPAN[metric]
    values = [middle * math.pow(span, 2 * n / (POINTS - 1) - 1) for n in range(POINTS)]

    def points(offer: Offer) -> tuple[Point, ...]:
        found = (predict(Reading(with_value(offer, knob, v), assessment.workload, lines)) for v in values)
        return tuple(
            Point(v, *(measure(lines.scenario, end) for end in (got.low, got.central, got.high)))
            for v, got in zip(values, found, strict=True)
        )

    reference = tuple(q.central for q in points(reference_offer(lines)))
    return Sweep(metric, points(judged.offer), reference, own, _limit(lines, metric))


def tornado(assessment: Assessment, judged: Judged) -> tuple[Swing, ...]:
    """Every input with a range, widest swing first; empty when the central outcome cannot be computed."""
    lines = assessment.requirement.main
    reading = Reading(judged.offer, assessment.workload, lines)
    central, low, best = reading.central, cautious(reading), reading.best
    if central is None or low is None or best is None:
        return ()
    high, sigma = hopeful(reading, best), sigma_of(reading, "central")
    doubted = replace(
        lines,
        training=lines.doubtful or lines.training,
        service=lines.service.doubted() if lines.service else None,
        bulk=lines.bulk.doubted() if lines.bulk else None,
    )

    def at(conditions: Conditions, jitter: float = sigma, to: Lines = lines) -> float | None:
        return measure(lines.scenario, outcome(reading, conditions, jitter, to))

    def ends(title: Text, *names: str) -> Swing:
        low_end = replace(central, **{n: getattr(low, n) for n in names})
        return Swing(title, at(low_end), at(replace(central, **{n: getattr(high, n) for n in names})))

    swings = [
        ends(Text("分段与速率的读法", "Readings of segments and rate"), "rate"),
        ends(Text("网内收敛", "Contention inside the carrier"), "contention"),
        ends(Text("往返时延的读法", "Readings of the round-trip time"), "rtt"),
        ends(Text("丢包：承诺上限到零", "Loss: the promised ceiling to none"), "loss"),
        ends(Text("路径 MTU", "Path MTU"), "payload", "overhead"),
        ends(Text("己方窗口：未调优到调优", "Your own window: untuned to tuned"), "window"),
        ends(Text("回退重传：实测到公式", "Go-back-N: as measured to its formula"), "cautious"),
        Swing(Text("抖动", "Jitter"), at(central, sigma_of(reading, "low")), at(central, sigma_of(reading, "high"))),
        Swing(DOUBTED[lines.scenario], at(central, to=doubted), at(central)),
    ]
    return tuple(sorted((s for s in swings if s.low != s.high), key=lambda s: -s.width))
