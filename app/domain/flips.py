"""What turns over inside the band: which demands hold at one end of a prediction only, and what that does to the rank.

The band, the rules and the ranking are those of the assessment; nothing is predicted anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.rules import Grade, Status
from app.domain.sweeps import Swing, tornado
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.domain.assessment import Assessment, Judged
    from app.domain.bench import Bench
    from app.domain.lines import Lines
    from app.domain.prediction import Outcome
    from app.domain.rules import Verdict

ROUNDING = 1e-9  # a figure exactly on its line meets it, whatever the last binary digit says
EFFECTIVE, UTILIZATION, FIRST, TOKEN, TRANSFER = "effective", "utilization", "ttft_tail", "token", "transfer"


@dataclass(frozen=True, slots=True)
class Demand:
    """One demand on an outcome: which figure, its line, and whether more of it is better."""

    figure: str
    line: float
    more: bool

    def met(self, found: Outcome | None) -> bool:
        """Whether one end meets it; an end without a bound does not."""
        value = self.value(found)
        if value is None:
            return False
        return value >= self.line * (1 - ROUNDING) if self.more else value <= self.line * (1 + ROUNDING)

    def value(self, found: Outcome | None) -> float | None:
        """The figure at one end (bit/s, share or s)."""
        return None if found is None else getattr(found, self.figure)


@dataclass(frozen=True, slots=True)
class Flip:
    """A demand met at the high end of the band and not at the low end; `central` says which side the promise is on."""

    scenario: str
    demand: Demand
    low: float | None
    middle: float | None
    high: float | None
    central: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One offer inside its band.

    `flips` are the demands, `open_gates` the gates that pass under one reading of the sheet and fail under another;
    the ranks are those with this offer alone at an end. `swings` are the inputs behind the band, widest first.
    """

    judged: Judged
    flips: tuple[Flip, ...]
    open_gates: tuple[Verdict, ...]
    rank_low: int | None
    rank_high: int | None
    swings: tuple[Swing, ...]

    @property
    def widest(self) -> Swing | None:
        """The input that causes the largest part of the band."""
        return self.swings[0] if self.swings else None


def _needed(lines: Lines) -> float | None:
    return lines.need


def _utilization(lines: Lines) -> float | None:
    return None if lines.wanted is None or lines.wanted.impossible else lines.wanted.utilization


def _first(lines: Lines) -> float | None:
    return None if lines.service is None or lines.service.prefill is None else lines.service.first_target


def _token(lines: Lines) -> float | None:
    return None if lines.service is None else lines.service.token_target


def _window(lines: Lines) -> float | None:
    return None if lines.bulk is None else lines.bulk.window


DEMANDS: tuple[tuple[str, Callable[[Lines], float | None], bool], ...] = (
    (EFFECTIVE, _needed, True),
    (UTILIZATION, _utilization, True),
    (FIRST, _first, False),
    (TOKEN, _token, False),
    (TRANSFER, _window, False),
)
TITLES = {
    EFFECTIVE: Text("有效带宽", "effective rate"),
    UTILIZATION: Text("GPU 利用率", "GPU utilisation"),
    FIRST: Text("首 token 时间（P95）", "time to first token (P95)"),
    TOKEN: Text("每 token 时间", "time per token"),
    TRANSFER: Text("传输时间", "transfer time"),
}


def demands(lines: Lines) -> Iterator[Demand]:
    """What the job asks of the outcome in one scenario."""
    for figure, line_of, more in DEMANDS:
        line = line_of(lines)
        if line is not None:
            yield Demand(figure, line, more)


def _flips(assessment: Assessment, judged: Judged) -> Iterator[Flip]:
    for lines, found in zip(assessment.requirement.lines, judged.predictions, strict=True):
        for demand in demands(lines):
            if demand.met(found.high) and not demand.met(found.low):
                low, middle, high = (demand.value(end) for end in (found.low, found.central, found.high))
                yield Flip(lines.scenario, demand, low, middle, high, demand.met(found.central))


def band(bench: Bench, place: int) -> Band:
    """What turns over between the ends of the band of one offer."""
    judged = bench.assessment.offers[place]

    def rank(end: Outcome | None) -> int | None:
        if judged.rank is None or end is None:
            return None
        return bench.ranked(place, bench.at(judged, replace(judged.prediction, central=end))).rank

    opened = (c for c in judged.checks if c.grade is Grade.GATE and c.status is Status.UNKNOWN)
    return Band(
        judged=judged, flips=tuple(_flips(bench.assessment, judged)),
        open_gates=tuple(c for c in opened if len(set(c.finding.readings)) > 1),
        rank_low=rank(judged.prediction.low), rank_high=rank(judged.prediction.high),
        swings=tornado(bench.assessment, judged),
    )  # fmt: skip
