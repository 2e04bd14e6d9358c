"""Waiting for a line or for an instance: random arrivals, equal services. Mean, share that waits, tail."""

from __future__ import annotations

import math

from app.domain import sources as s
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.text import Text

MOST_SERVERS = 1e6


def md1_wait(*, load: float, service_time: float) -> float:
    """Mean wait for a line with random arrivals and equal transfers: ρ·s/(2(1−ρ)), s; inf from ρ = 1 on."""
    return load * service_time / (2 * (1 - load)) if load < 1 else math.inf


def mg1_wait(*, load: float, service_time: float, variation: float = 0) -> float:
    """Mean wait where transfers differ in length: ρ·s·(1+c²)/(2(1−ρ)), s; c = standard deviation ÷ mean."""
    return md1_wait(load=load, service_time=service_time) * (1 + variation**2)


def wait_share(*, servers: float, load: float) -> float:
    """Share of arrivals that must wait, Erlang C with c servers at load ρ each; with one server it is ρ.

    By the recursion of Erlang B: B_k = a·B_{k−1}/(k + a·B_{k−1}), a = c·ρ; C = B/(1 − ρ(1 − B)).
    """
    offered, blocked = servers * load, 1.0
    for k in range(1, int(servers) + 1):
        blocked = offered * blocked / (k + offered * blocked)
    return blocked / (1 - load * (1 - blocked))


def mdc_wait(*, servers: float, load: float, service_time: float) -> float:
    """Mean wait before c servers with equal services: half of M/M/c, C·s/(2c(1−ρ)), s; exact for one server."""
    return wait_share(servers=servers, load=load) * service_time / (2 * servers * (1 - load))


def wait_quantile(*, mean_wait: float, share: float, quantile: float = 0.95) -> float:
    """Wait not exceeded by a share `quantile` of arrivals, s: (W/P)·ln(P/(1−q)); 0 when fewer than 1−q wait.

    W mean wait of all arrivals, P the share that waits. The wait of those who wait is taken as exponential: exact
    for M/M/c and in heavy traffic; at q = 0.95 and equal services 0 to 20 % above the exact M/D/1 from a load of 0.2
    on. Below that few wait at all, and less than one service.
    """
    return mean_wait / share * math.log(share / (1 - quantile)) if share > 1 - quantile else 0.0


_LOAD = Input(name="load", dimension=Dimension.RATIO, title=Text("负载率", "Load"), high=1, below_high=True)
_SERVICE = Input(name="service_time", dimension=Dimension.TIME, title=Text("单次服务时间", "Time of one service"))
_SERVERS = Input(
    name="servers", dimension=Dimension.COUNT, title=Text("并行实例数", "Servers"), low=1, high=MOST_SERVERS, whole=True
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="md1_wait", title=Text("M/D/1 平均排队等待", "Mean wait, M/D/1"), function=md1_wait,
        inputs=(
            Input(
                name="load", dimension=Dimension.RATIO, title=Text("线路负载率", "Load of the line"),
                high=1, below_high=True,
            ),
            Input(name="service_time", dimension=Dimension.TIME, title=Text("单次传输时间", "Time of one transfer")),
        ),
        result=Dimension.TIME, symbolic="W = ρ·s / (2(1−ρ))", source=s.QUEUE,
        validity=Text("到达随机（泊松）、传输等长、负载小于 1。", "Poisson arrivals, equal transfers, load below 1."),
        example=Example(inputs={"load": 0.8, "service_time": 0.05}, expected=0.1, origin="0.8 × 0.05 / (2 × 0.2)"),
    ),
    Formula(
        id="mg1_wait", title=Text("M/G/1 平均排队等待", "Mean wait, M/G/1"), function=mg1_wait,
        inputs=(
            _LOAD, _SERVICE,
            Input(
                name="variation", dimension=Dimension.RATIO, title=Text("长度变异系数", "Variation of the length"),
                default=0, high=10,
            ),
        ),
        result=Dimension.TIME, symbolic="W = ρ·s·(1+c²) / (2(1−ρ))", source=s.QUEUE,
        validity=Text(
            "到达随机、负载小于 1；c = 标准差 ÷ 均值，0 即 M/D/1，1 即 M/M/1。",
            "Poisson arrivals, load below 1; c = standard deviation ÷ mean: 0 is M/D/1, 1 is M/M/1.",
        ),
        example=Example(
            inputs={"load": 0.8, "service_time": 0.05, "variation": 1}, expected=0.2,
            origin="0.8 × 0.05 × 2 / (2 × 0.2); M/M/1 gives 0.8 × 0.05 / 0.2 as well",
        ),
    ),
    Formula(
        id="wait_share", title=Text("需要排队的比例（Erlang C）", "Share that must wait (Erlang C)"),
        function=wait_share,
        inputs=(_SERVERS, _LOAD),
        result=Dimension.RATIO, symbolic="C = B/(1 − ρ(1 − B)), B_k = a·B/(k + a·B), a = c·ρ", source=s.QUEUE,
        validity=Text("到达随机；服务定长时为近似。", "Poisson arrivals; an approximation where services are equal."),
        example=Example(
            inputs={"servers": 2, "load": 0.5}, expected=1 / 3,
            origin="a = 1: B₁ = 1/2, B₂ = (1/2)/(2 + 1/2) = 1/5; C = 0.2/(1 − 0.5·0.8)",
        ),
    ),
    Formula(
        id="mdc_wait", title=Text("多实例平均排队等待（M/D/c）", "Mean wait before several servers (M/D/c)"),
        function=mdc_wait, inputs=(_SERVERS, _LOAD, _SERVICE),
        result=Dimension.TIME, symbolic="W ≈ C(c, ρ)·s / (2c(1−ρ))", source=s.QUEUE,
        validity=Text(
            "每个实例同一时刻只处理一个请求，服务定长；取 M/M/c 的一半。",
            "One request at a time on each, services of equal length; half of M/M/c.",
        ),
        example=Example(
            inputs={"servers": 2, "load": 0.5, "service_time": 0.6}, expected=0.1, origin="(1/3)·0.6/(2·2·0.5)",
        ),
    ),
    Formula(
        id="wait_quantile", title=Text("排队等待的分位值", "Quantile of the wait"), function=wait_quantile,
        inputs=(
            Input(name="mean_wait", dimension=Dimension.TIME, title=Text("平均等待", "Mean wait")),
            Input(
                name="share", dimension=Dimension.RATIO, title=Text("需要排队的比例", "Share that must wait"),
                high=1, above_zero=True,
            ),
            Input(
                name="quantile", dimension=Dimension.RATIO, title=Text("分位", "Quantile"),
                default=0.95, high=1, below_high=True,
            ),
        ),
        result=Dimension.TIME, symbolic="W_q = (W/P)·ln(P/(1−q))", source=s.QUEUE,
        validity=Text(
            "排队者的等待按指数分布近似；负载 0.2 以上比 M/D/1 精确解高 0–20 %，偏保守。",
            "Waits of those who wait taken as exponential: 0 to 20 % above exact M/D/1 from a load of 0.2 on.",
        ),
        example=Example(
            inputs={"mean_wait": 0.01, "share": 0.5}, expected=0.04605170186, rel=1e-9,
            origin="0.01/0.5 × ln(0.5/0.05) = 0.02 × 2.302585",
        ),
    ),
)  # fmt: skip
