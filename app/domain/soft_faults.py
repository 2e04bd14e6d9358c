"""Soft faults: the line is up and yet less of it is left. What each would do to an offer, beside the normal case.

Scenarios are assumptions with a range, never verdicts: no check looks at them. They are computed when somebody looks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain import sources as s
from app.domain.figures import number
from app.domain.formulas.hashing import hashing_loss
from app.domain.prediction import outcome, sigma_of
from app.domain.terms import CIRCUIT_LAYERS, TRANSPARENT_LAYERS, term
from app.domain.text import Text, percent
from app.domain.transport import is_rdma

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.prediction import Outcome, Reading
    from app.domain.sources import Source
    from app.domain.transport import Conditions

MOST_FLOWS, MOST_PATHS = 512, 64  # the range of `hashing_loss`
SEVERAL = 2


@dataclass(frozen=True, slots=True)
class Harm:
    """What a fault leaves: share of the rate, times the round trip, share of the job's speed (an observed one)."""

    rate: float = 1.0
    rtt: float = 1.0
    speed: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One soft fault. `harms` answers the mild, the usual and the severe form, or None where it cannot happen."""

    id: str
    title: Text
    source: Source
    harms: Callable[[Reading], tuple[Harm, Harm, Harm] | None]
    assume: Callable[[Reading], Text]
    advice: Text


@dataclass(frozen=True, slots=True)
class Outlook:
    """One scenario on one offer: the figure that counts (utilisation, or a time in s) in the normal case and under it.

    `mild` to `severe` span the range; None where nothing is left to compute with. `unit` is `1` or `s`.
    """

    scenario: Scenario
    assumption: Text
    unit: str
    normal: float | None
    mild: float | None
    usual: float | None
    severe: float | None
    best_case: bool

    def as_json(self) -> dict[str, Any]:
        """The outlook as pages and programs read it."""
        return {
            "id": self.scenario.id, "title": self.scenario.title.as_json(), "source": self.scenario.source.as_json(),
            "assumption": self.assumption.as_json(), "advice": self.scenario.advice.as_json(), "unit": self.unit,
            "normal": self.normal, "mild": self.mild, "usual": self.usual, "severe": self.severe,
            "best_case": self.best_case,
        }  # fmt: skip


def soft_faults(reading: Reading) -> tuple[Outlook, ...]:
    """Every scenario that can happen to this offer; nothing while not even a rate is known."""
    base = reading.central or reading.best
    if base is None:
        return ()
    sigma = sigma_of(reading, "central")
    unit, normal = _figure(reading, outcome(reading, base, sigma), 1.0)
    found = []
    for scenario in SCENARIOS:
        harms = scenario.harms(reading)
        if harms is None:
            continue
        mild, usual, severe = (_figure(reading, outcome(reading, _harmed(base, h), sigma), h.speed)[1] for h in harms)
        severe = _worse(unit, usual, severe)
        found.append(
            Outlook(scenario, scenario.assume(reading), unit, normal, mild, usual, severe, reading.central is None)
        )
    return tuple(found)


def _worse(unit: str, usual: float | None, severe: float | None) -> float | None:
    """An observed end is taken only where it is the worse one; None, where nothing is left, is worst."""
    if usual is None or severe is None:
        return None
    return min(usual, severe) if unit == "1" else max(usual, severe)


def _harmed(base: Conditions, harm: Harm) -> Conditions:
    return replace(base, rate=base.rate * harm.rate, rtt=base.rtt * harm.rtt)


def _figure(reading: Reading, got: Outcome, speed: float) -> tuple[str, float | None]:
    """The figure a job is judged by, with what is left of its speed."""
    if reading.lines.training is not None:
        return "1", None if got.utilization is None else got.utilization * speed
    time = got.ttft if reading.lines.service is not None else got.transfer
    return "s", None if time is None else time / speed


# ---- the scenarios


def _paths(reading: Reading) -> int:
    return min(int(term(reading.offer, "paths").number or 1), MOST_PATHS)


def _pfc(reading: Reading) -> tuple[Harm, Harm, Harm] | None:
    if not is_rdma(reading.transport) or reading.transport == "infiniband":
        return None
    spread = p.PFC_SPREAD
    return Harm(rate=1 - spread.low), Harm(rate=1 - spread.value), Harm(rate=1 - spread.high)


def _pfc_words(_: Reading) -> Text:
    spread = p.PFC_SPREAD
    return Text(
        "暂停帧逐跳扩散，可用带宽减少 {x}（{low}–{high}）。",
        "Pause frames spread hop by hop and take {x} of the rate ({low} to {high}).",
    ).format(x=percent(spread.value), low=percent(spread.low), high=percent(spread.high))


def _waves(reading: Reading) -> int:
    quoted = reading.rate.central or reading.rate.best
    layer = term(reading.offer, "layer").word
    return math.ceil(quoted / p.WAVE_RATE.value) if layer in TRANSPARENT_LAYERS and math.isfinite(quoted) else 1


def _wave(reading: Reading) -> tuple[Harm, Harm, Harm] | None:
    waves = _waves(reading)
    if waves < SEVERAL:
        return None
    left = Harm(rate=1 - 1 / waves)
    return left, left, Harm(speed=1 - p.WAVE_LOSS.value)


def _wave_words(reading: Reading) -> Text:
    return Text(
        "{n} 路波长断一路，剩 {left}；最差一端取公开试点：流量重新分配之前算力效率至少损失 {loss}。",
        "One of {n} waves is lost and {left} of the rate is left; the severe end is a published pilot: until traffic "
        "is spread anew at least {loss} of computing efficiency is lost.",
    ).format(n=_waves(reading), left=percent(1 - 1 / _waves(reading)), loss=percent(p.WAVE_LOSS.value))


def _flows(reading: Reading) -> tuple[int, int, int]:
    """Flows for the mild, the usual and the severe form: more flows hash more evenly."""
    flows, paths = reading.workload.network.flows, _paths(reading)
    spread = int(p.FLOW_SPREAD.value)
    most = max(paths, 1)
    mild, usual, severe = (min(max(f, most), MOST_FLOWS) for f in (flows * spread, flows, flows // spread))
    return mild, usual, severe


def _hashing(reading: Reading) -> tuple[Harm, Harm, Harm] | None:
    paths = _paths(reading)
    if term(reading.offer, "layer").word not in ("ethernet", "ip") or paths < SEVERAL:
        return None
    mild, usual, severe = (Harm(rate=1 - hashing_loss(flows=f, paths=paths)) for f in _flows(reading))
    return mild, usual, severe


def _hashing_words(reading: Reading) -> Text:
    mild, usual, severe = _flows(reading)
    return Text(
        "订购带宽由 {g} 条路径按流散列分担，{f} 条大流随机落位（{low}–{high} 条）。",
        "The ordered rate is spread over {g} paths per flow, and {f} large flows fall at random ({low} to {high}).",
    ).format(g=_paths(reading), f=usual, low=severe, high=mild)


def _detour(reading: Reading) -> tuple[Harm, Harm, Harm] | None:
    single = term(reading.offer, "paths").number == 1
    if single and term(reading.offer, "layer").word in CIRCUIT_LAYERS:
        return None
    longer = p.DETOUR_RTT
    return Harm(rtt=longer.low), Harm(rtt=longer.value), Harm(rtt=longer.high)


def _detour_words(_: Reading) -> Text:
    longer = p.DETOUR_RTT
    return Text(
        "保护倒换后走备用路由，往返时延为原来的 {x} 倍（{low}–{high} 倍），带宽不变。",
        "After protection switching the line takes the other route: {x} times the round trip ({low} to {high}), same "
        "rate.",
    ).format(x=number(longer.value), low=number(longer.low), high=number(longer.high))


SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        id="pfc_spreading",
        title=Text("PFC 拥塞扩散", "PFC congestion spreading"),
        source=s.ARTICLE_CLUSTER,
        harms=_pfc,
        assume=_pfc_words,
        advice=Text(
            "验收时注入拥塞，核对 ECN 先于 PFC 触发。",
            "At acceptance inject congestion and see that ECN acts before PFC.",
        ),
    ),
    Scenario(
        id="wave_lost",
        title=Text("多路波长断一路", "One of several waves lost"),
        source=s.TELECOM_120,
        harms=_wave,
        assume=_wave_words,
        advice=Text(
            "请供应商写明断一路时的告警与流量重新分配时间。",
            "Ask for the alarm and for the time until traffic is spread anew when one wave is lost.",
        ),
    ),
    Scenario(
        id="hashing_collision",
        title=Text("逐流散列碰撞", "Flows hashed onto one path"),
        source=s.ECMP_BINS,
        harms=_hashing,
        assume=_hashing_words,
        advice=Text("要求逐包喷洒或固定路径。", "Ask for packet spraying or pinned paths."),
    ),
    Scenario(
        id="detour",
        title=Text("倒换后绕行", "A detour after switching"),
        source=s.JUDGEMENT,
        harms=_detour,
        assume=_detour_words,
        advice=Text("请供应商写明备用路由的长度与时延。", "Ask for length and delay of the other route."),
    ),
)
