"""Elastic lines: a base rate that is promised and a burst rate that is switched on. What the burst is good for.

Floors take the base rate (policy 1, models 6). The burst counts in the optimistic end of the band only, and only
where a switch there and back fits between two exchanges; else it serves phases of the job, such as a checkpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.figures import number
from app.domain.formulas.fabric import elastic_break_even_size
from app.domain.formulas.registry import BY_ID
from app.domain.terms import term
from app.domain.text import Text

if TYPE_CHECKING:
    from app.domain.facts import Offer
    from app.domain.lines import Lines
    from app.domain.workload import Workload

GIGA, BITS = 1e9, 8
SWITCHES = 2  # there before an exchange and back after it


@dataclass(frozen=True, slots=True)
class Terms:
    """What an offer says of its elastic rate: bit/s and s; None is not stated.

    `base` is the weakest promise from end to end; `segment` the narrowest segment listed, which may cap the burst.
    """

    base: float | None
    burst: float | None
    switch_time: float | None
    segment: float | None = None

    @property
    def sold(self) -> bool:
        """Whether a rate above the base is offered."""
        return self.burst is not None and (self.base is None or self.burst > self.base)

    @property
    def complete(self) -> bool:
        """Whether base, burst and switching time are all stated."""
        return None not in (self.base, self.burst, self.switch_time)


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of the job: its bytes, its time at the base rate and with the switch to the burst rate (s)."""

    title: Text
    size: float
    at_base: float
    with_burst: float

    @property
    def pays(self) -> bool:
        """Whether switching is faster than sending at the base rate."""
        return self.with_burst < self.at_base


@dataclass(frozen=True, slots=True)
class Elastic:
    """What the burst of an offer is good for: `rhythm` follows each exchange, `phases` only phases, `open` unknown.

    `period` is the time from one exchange to the next (s), `break_even` the bytes from which a switch pays.
    """

    terms: Terms
    use: str
    period: float | None
    break_even: float | None
    phases: tuple[Phase, ...]
    message: Text

    def as_json(self) -> dict[str, Any]:
        """The answer as pages and programs read it."""
        return {
            "base_gbps": None if self.terms.base is None else self.terms.base / GIGA,
            "burst_gbps": None if self.terms.burst is None else self.terms.burst / GIGA,
            "switch_time_s": self.terms.switch_time, "use": self.use, "period_s": self.period,
            "break_even_bytes": self.break_even, "message": self.message.as_json(),
            "phases": [
                {"title": f.title.as_json(), "bytes": f.size, "at_base_s": f.at_base, "with_burst_s": f.with_burst}
                for f in self.phases
            ],
        }  # fmt: skip


def terms_of(offer: Offer) -> Terms:
    """The elastic terms of an offer; without a committed rate the quoted one is the base."""
    committed = term(offer, "committed_rate").number
    base = term(offer, "bandwidth").number if committed is None else committed
    segments = [float(str(f.value)) for f in offer.of("segment_bandwidth") if f.value is not None]
    segment = min(segments, default=None)
    if base is not None and segment is not None:
        base = min(base, segment)
    return Terms(base, term(offer, "burst_rate").number, term(offer, "switch_time").number, segment)


def period_of(lines: Lines) -> float | None:
    """Time from one exchange to the next on one site (s); the window of a bulk move; None without a rhythm."""
    if lines.training is not None:
        return lines.training.interval * lines.training.step_time
    return lines.bulk.window if lines.bulk is not None else None


def follows(terms: Terms, lines: Lines) -> bool | None:
    """Whether the burst can be there for every exchange; None while the switching time is not stated."""
    if terms.switch_time is None:
        return None
    period = period_of(lines)
    return terms.switch_time == 0 if period is None else SWITCHES * terms.switch_time <= period


def optimistic_rate(offer: Offer, lines: Lines, base: float) -> float:
    """The rate of the high end of the band: the burst where it can follow (or may, for all that is said), else `base`.

    A segment caps it as it caps the base.
    """
    terms = terms_of(offer)
    if not terms.sold or terms.burst is None or follows(terms, lines) is False:
        return base
    reach = terms.burst if terms.segment is None else min(terms.burst, terms.segment)
    return max(base, reach)


def elastic(offer: Offer, workload: Workload, lines: Lines) -> Elastic | None:
    """What the burst of an offer is good for, or None when none is sold."""
    terms = terms_of(offer)
    if not terms.sold:
        return None
    can, period = follows(terms, lines), period_of(lines)
    use = {True: "rhythm", False: "phases", None: "open"}[can]
    break_even: float | None = None
    phases: tuple[Phase, ...] = ()
    if terms.base and terms.burst is not None and terms.switch_time is not None:
        break_even = elastic_break_even_size(
            base_rate=terms.base, burst_rate=terms.burst, switch_time=terms.switch_time
        )
        phases = _phases(workload, terms.base, terms.burst, terms.switch_time)
    return Elastic(terms, use, period, break_even, phases, _capped(terms, _message(use, terms, period)))


def _capped(terms: Terms, message: Text) -> Text:
    """The message, with a word on a segment that is listed below the burst rate."""
    if terms.segment is None or terms.burst is None or terms.segment >= terms.burst:
        return message
    text = Text(
        "{message}最窄分段只列 {segment} Gbit/s，突发 {burst} Gbit/s 能否全程可达须明确。",
        "{message} The narrowest segment is listed at {segment} Gbit/s: whether the burst of {burst} Gbit/s holds from "
        "end to end must be stated.",
    )
    return text.format(message=message, segment=number(terms.segment / GIGA), burst=number(terms.burst / GIGA))


def _phases(workload: Workload, base: float, burst: float, switch_time: float) -> tuple[Phase, ...]:
    found: list[tuple[Text, float]] = []
    if workload.training is not None:
        state = BY_ID["training_state_bytes"](parameters=workload.training.parameters)
        found.append((Text("一次完整检查点跨站", "One whole checkpoint across the line"), state))
    if workload.bulk is not None:
        found.append((Text("一次数据搬运", "One move of the data"), workload.bulk.bytes))
    return tuple(Phase(title, size, BITS * size / base, switch_time + BITS * size / burst) for title, size in found)


def _message(use: str, terms: Terms, period: float | None) -> Text:
    if use == "open":
        return Text(
            "未写明切换时间，无法判断突发能否跟上同步；只在最乐观的一端计入突发速率。",
            "The switching time is not stated, so nobody can say whether the burst follows the exchanges; it counts in "
            "the optimistic end only.",
        )
    if period is None:
        return Text(
            "推理请求没有固定节拍，突发只适合事先安排的阶段。",
            "Requests have no fixed rhythm: the burst serves phases that are planned ahead.",
        )
    shown = {"t": number(terms.switch_time or 0.0), "period": number(period)}
    if use == "rhythm":
        return Text(
            "切换一次 {t} s，来回切换放得进两次同步的间隔 {period} s：突发可跟上同步节拍，但红线仍按基线速率核对。",
            "A switch takes {t} s; there and back fits the {period} s from one exchange to the next: the burst can "
            "follow the exchanges. The limits are still held against the base rate.",
        ).format(**shown)
    return Text(
        "切换一次 {t} s，来回切换长于两次同步的间隔 {period} s：突发跟不上同步，只适合检查点、数据装载等任务阶段。",
        "A switch takes {t} s; there and back is longer than the {period} s from one exchange to the next: the burst "
        "cannot follow the exchanges and serves phases such as a checkpoint or loading data.",
    ).format(**shown)
