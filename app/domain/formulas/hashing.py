"""Sharing a path: the least of its segments, a fair share, flows hashed onto parallel paths, bursts, leaf switches."""

from __future__ import annotations

import math
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Final

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input, refused
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

_FLOWS_MOST: Final = 512
_PATHS_MOST: Final = 64
_SURE: Final = 1e-12


def path_rate(*, rates: Sequence[float]) -> float:
    """Rate of a path: the least of access, line, far access and every shared hop, bit/s."""
    if not rates:
        raise refused(
            "path_rate.rates", "至少给出一段的速率（rates）。", "Give the rate of at least one segment (rates)."
        )
    return min(rates)


def fair_share(*, bandwidth: float, oversubscription: float, active: float = 1) -> float:
    """What each of equal members gets: C/max(1, r·a), bit/s; C a member's own rate, a the share active at once."""
    return bandwidth / max(1.0, oversubscription * active)


def _folded(one: Sequence[float], two: Sequence[float], length: int) -> list[float]:
    """Distribution of the sum of two independent counts, cut off at `length`."""
    back = two[::-1]
    total = min(length, len(one) + len(two) - 1)
    return [
        sum(map(mul, one[max(0, n - len(two) + 1) : n + 1], back[max(0, len(two) - 1 - n) :])) for n in range(total)
    ]


def _within(most: int, flows: int, paths: int) -> float:
    """P(no path above `most`): Poisson counts of mean f/g cut off there, folded g times, given that they sum to f."""
    mean = flows / paths
    power = [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(most + 1)]
    counts = [1.0]
    left = paths
    while left:
        if left % 2:
            counts = _folded(counts, power, flows + 1)
        left //= 2
        if left:
            power = _folded(power, power, flows + 1)
    reached = counts[flows] if flows < len(counts) else 0.0
    return reached / math.exp(flows * math.log(flows) - flows - math.lgamma(flows + 1))


@lru_cache(maxsize=256)
def _fullest(flows: int, paths: int) -> float:
    """E[max] = Σ_m P(max > m); every term is a sum of positive terms, so nothing cancels."""
    total = 0.0
    for most in range(flows):
        above = 1 - _within(most, flows, paths)
        total += above
        if above < _SURE:
            break
    return total


def expected_fullest_path(*, flows: float, paths: float) -> float:
    """Mean number of flows on the fullest of g paths when f flows are hashed at random, exact (multinomial)."""
    return _fullest(int(flows), int(paths))


def hashing_loss(*, flows: float, paths: float) -> float:
    """Share of the paths' rate lost to hashing: 1 − (f/g)/E[max], ratio; equal flows that end together."""
    return 1 - flows / paths / _fullest(int(flows), int(paths))


def burst_rate(*, mean_rate: float, peak_to_mean: float, reserve: float = 0) -> float:
    """Rate that carries bursts: mean·peak factor·(1 + reserve), bit/s."""
    return mean_rate * peak_to_mean * (1 + reserve)


def leaf_switches(*, gpus: float, gpus_per_server: float, servers_per_leaf: float) -> float:
    """Leaf switches of a cluster: ⌈⌈GPUs/GPUs per server⌉/servers per leaf⌉."""
    return math.ceil(math.ceil(gpus / gpus_per_server) / servers_per_leaf)


_FLOWS = i.variant(i.FLOWS, high=_FLOWS_MOST)
_PATHS = Input(
    name="paths",
    dimension=Dimension.COUNT,
    title=Text("等价路径数", "Equal paths"),
    low=1,
    high=_PATHS_MOST,
    whole=True,
)
_PORTS = Input(
    name="gpus_per_server",
    dimension=Dimension.COUNT,
    title=Text("每台服务器的 GPU 数", "GPUs per server"),
    low=1,
    high=1e4,
    whole=True,
)
_HASHED = Text(
    "等大的流、随机散列、同时结束；逐包喷洒或固定路径不受此限。",
    "Equal flows, hashed at random, that end together; spraying or pinned paths avoid it.",
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="path_rate",
        title=Text("路径速率", "Rate of a path"),
        function=path_rate,
        inputs=(
            Input(
                name="rates",
                dimension=Dimension.LIST,
                entries=Dimension.RATE,
                title=Text("各段速率（bit/s，逗号分隔）", "Rates of the segments, bit/s, a comma list"),
                above_zero=True,
            ),
        ),
        result=Dimension.RATE,
        symbolic="R = min(R_1, R_2, …)",
        validity=Text("共享的段按分得的份额填。", "A shared segment counts with its share."),
        source=s.ARTICLE,
        example=Example(
            inputs={"rates": (400e9, 100e9, 400e9)}, expected=100e9, origin="the least of 400, 100, 400 Gbit/s"
        ),
    ),
    Formula(
        id="fair_share",
        title=Text("共享路径上的均分带宽", "Fair share of a shared path"),
        function=fair_share,
        inputs=(
            i.variant(i.BANDWIDTH, title=Text("成员自身速率", "Rate of one member")),
            Input(
                name="oversubscription",
                dimension=Dimension.RATIO,
                title=Text("收敛比", "Oversubscription ratio"),
                above_zero=True,
                high=1e6,
            ),
            i.variant(
                i.EFFICIENCY,
                name="active",
                title=Text("同时活跃的成员份额", "Share of members active at once"),
                default=1,
            ),
        ),
        result=Dimension.RATE,
        symbolic="W = C / max(1, r·a)",
        validity=Text("集合通信时全部成员同时活跃（a = 1）。", "Collectives make every member active (a = 1)."),
        source=s.ARTICLE,
        example=Example(
            inputs={"bandwidth": 400e9, "oversubscription": 8},
            expected=50e9,
            origin="8 × 400G on one 400G uplink: 400 / 8",
        ),
    ),
    Formula(
        id="expected_fullest_path",
        title=Text("最忙路径上的平均流数", "Flows on the fullest path"),
        function=expected_fullest_path,
        inputs=(_FLOWS, _PATHS),
        result=Dimension.COUNT,
        symbolic="E = Σ_m Pr[max(f → g) > m]",
        validity=_HASHED,
        source=s.ECMP_BINS,
        example=Example(
            inputs={"flows": 4, "paths": 4},
            expected=2.125,
            origin="of 256: max 1 in 24, 2 in 180, 3 in 48, 4 in 4: (24 + 360 + 144 + 16)/256",
        ),
    ),
    Formula(
        id="hashing_loss",
        title=Text("逐流散列的带宽损失", "Rate lost to per-flow hashing"),
        function=hashing_loss,
        inputs=(_FLOWS, _PATHS),
        result=Dimension.RATIO,
        symbolic="x = 1 − (f/g) / E[max]",
        validity=_HASHED,
        source=s.ECMP_BINS,
        example=Example(inputs={"flows": 4, "paths": 4}, expected=1 - 1 / 2.125, origin="1 − 1 / 2.125 = 52.9 %"),
    ),
    Formula(
        id="burst_rate",
        title=Text("突发所需带宽", "Rate that carries bursts"),
        function=burst_rate,
        inputs=(
            i.variant(i.BANDWIDTH, name="mean_rate", title=Text("平均流量", "Mean rate")),
            Input(
                name="peak_to_mean",
                dimension=Dimension.RATIO,
                title=Text("峰均比", "Peak-to-mean factor"),
                above_zero=True,
                high=1e4,
                advised_low=1,
            ),
            Input(name="reserve", dimension=Dimension.RATIO, title=Text("预留", "Reserve"), default=0, high=10),
        ),
        result=Dimension.RATE,
        symbolic="W = mean·k·(1 + reserve)",
        validity=Text(
            "MoE 峰值约为均值的 3 至 5 倍，另留 20 % 至 30 %。",
            "MoE peaks are 3 to 5 times the mean, with 20 to 30% kept free.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={"mean_rate": 10e9, "peak_to_mean": 4, "reserve": 0.25}, expected=50e9, origin="10 × 4 × 1.25"
        ),
    ),
    Formula(
        id="leaf_switches",
        title=Text("叶交换机数", "Leaf switches"),
        function=leaf_switches,
        inputs=(
            i.GPUS,
            _PORTS,
            i.variant(_PORTS, name="servers_per_leaf", title=Text("每台叶交换机的服务器数", "Servers per leaf")),
        ),
        result=Dimension.COUNT,
        symbolic="n = ceil(ceil(N/g)/s)",
        validity=Text("每台服务器只接一台叶交换机。", "Each server hangs on one leaf."),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={"gpus": 10240, "gpus_per_server": 8, "servers_per_leaf": 10},
            expected=128,
            origin="10 240 / 8 = 1280 servers; / 10",
        ),
    ),
)
