"""Jitter that is not normal, and what one figure of a vendor stands for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.formulas.jitter import expected_maximum_normal
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

_EULER: Final = 0.5772156649015329
_SUMMED_TO: Final = 100  # harmonic numbers: summed up to here, by their asymptotic series beyond
_BALANCED: Final = 1e6  # from here on ln Γ(n+1) − ln Γ(n+1−x) by its expansion, where the difference would cancel

# One figure of a normal jitter law in standard deviations, by the word for the statistic.
_SIGMAS: Final[dict[str, float]] = {
    "standard_deviation": 1.0,
    "ipdv_mean": 2 / math.sqrt(math.pi),
    "ipdv_deviation": math.sqrt(2),
    "p95_p50": 1.6448536269514722,
    "p99_p50": 2.3263478740408408,
    "p999_p50": 3.090232306167813,
    "p999_p50_exponential": math.log(1000) - math.log(2),  # of the mean, which is σ too
    "range": 0.0,  # by the number of samples
}


_STRATEGIES: Final = ("data", "pipeline", "pipeline_warm", "local_sgd", "tensor")


def _harmonic(n: float) -> float:
    if n <= _SUMMED_TO:
        return math.fsum(1 / k for k in range(1, int(n) + 1))
    return math.log(n) + _EULER + 1 / (2 * n) - 1 / (12 * n * n)


def expected_maximum_exponential(*, samples: float, mean: float) -> float:
    """Expected largest of n exponential delays: μ·H_n, H_n = 1 + 1/2 + … + 1/n, s."""
    return mean * _harmonic(samples)


def expected_maximum_pareto(*, samples: float, least: float, tail_index: float) -> float:
    """Expected largest of n Pareto delays: x_m·Γ(1−1/a)·Γ(n+1)/Γ(n+1−1/a), about x_m·Γ(1−1/a)·n^(1/a), s."""
    x = 1 / tail_index
    if samples > _BALANCED:
        ratio = x * math.log(samples) + x * (1 - x) / (2 * samples)
    else:
        ratio = math.lgamma(samples + 1) - math.lgamma(samples + 1 - x)
    return least * math.exp(math.lgamma(1 - x) + ratio)


def jitter_sigma(*, jitter: float, statistic: str, samples: float = 1000) -> float:
    """Standard deviation behind a vendor's figure, s: p99.9 − p50 = 3.09 σ, mean IPDV = 2σ/√π, range 2·z(n)·σ."""
    if statistic == "range":
        return jitter / (2 * expected_maximum_normal(samples=samples))
    return jitter / _SIGMAS[statistic]


def normal_maximum_bound(*, samples: float) -> float:
    """Upper bound of the expected largest of n unit normals: √(2·ln n), in sigma."""
    return math.sqrt(2 * math.log(samples))


def jitter_rounds(
    *, strategy: str, sites: float = 2, micro_batches: float = 1, layers: float = 1, sync_interval: float = 1
) -> float:
    """Dependent rounds over the line per step, by what crosses it.

    Two-level data parallel 2(k−1), a plain pipeline m, with full warm-up 2, local SGD 2(k−1)/H, tensor 4·L·m.
    """
    exchange = 2 * (sites - 1)
    rounds = {
        "data": exchange,
        "pipeline": micro_batches,
        "pipeline_warm": 2,
        "local_sgd": exchange / sync_interval,
        "tensor": c.TENSOR_ALLREDUCES * layers * micro_batches,
    }
    return rounds[strategy]


def jitter_excess(*, tail: float, slack: float) -> float:
    """Delay left when buffered overlap absorbs jitter: max(0, tail − slack), s."""
    return max(0.0, tail - slack)


def jitter_linear_time(*, base_time: float, jitter: float, slope: float) -> float:
    """Iteration time that grows linearly with injected jitter: base + slope·jitter, s; the slope is measured."""
    return base_time + slope * jitter


def rtt_rise_cost(*, hops: float, rtt_rise: float) -> float:
    """Time a step gains when the round trip grows: hops·ΔRTT/2, s; hops are dependent one-way hops."""
    return hops * rtt_rise / 2


def _few_samples(values: Mapping[str, Any]) -> Text | None:
    if values["statistic"] != "range" or values["samples"] >= _SUMMED_TO:
        return None
    return Text(
        "最大减最小取决于样本数；样本少于 100 时换算很不稳定。",
        "Largest minus smallest depends on the number of samples; below 100 the conversion is unsteady.",
    )


_SAMPLES = Input(
    name="samples", dimension=Dimension.COUNT, title=Text("样本数", "Samples"), low=1, high=1e15, whole=True
)
_JITTER = Input(name="jitter", dimension=Dimension.TIME, title=Text("抖动", "Jitter"))

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="expected_maximum_exponential",
        title=Text("n 个指数样本的期望最大值", "Expected maximum of n exponential delays"),
        function=expected_maximum_exponential,
        inputs=(
            _SAMPLES,
            Input(name="mean", dimension=Dimension.TIME, title=Text("平均排队时延", "Mean queueing delay")),
        ),
        result=Dimension.TIME,
        symbolic="E = μ·H(n), H(n) = Σ_{k ≤ n} 1/k",
        validity=Text("指数尾：拥塞排队常见。", "An exponential tail, as queues under load have."),
        source=s.ORDER_STATISTICS,
        example=Example(
            inputs={"samples": 4, "mean": 1e-3}, expected=25e-3 / 12, origin="1 ms × (1 + 1/2 + 1/3 + 1/4) = 2.083 ms"
        ),
    ),
    Formula(
        id="expected_maximum_pareto",
        title=Text("n 个帕累托样本的期望最大值", "Expected maximum of n Pareto delays"),
        function=expected_maximum_pareto,
        inputs=(
            _SAMPLES,
            Input(name="least", dimension=Dimension.TIME, title=Text("最小时延", "Least delay")),
            Input(
                name="tail_index",
                dimension=Dimension.RATIO,
                title=Text("尾指数 a", "Tail index a"),
                low=1.001,
                high=1000,
                advised_high=10,
            ),
        ),
        result=Dimension.TIME,
        symbolic="E = x_m·Γ(1−1/a)·Γ(n+1)/Γ(n+1−1/a) ≈ x_m·Γ(1−1/a)·n^(1/a)",
        validity=Text("a > 1；a ≤ 2 时方差无穷大。", "a > 1; the variance is infinite up to a = 2."),
        source=s.ORDER_STATISTICS,
        example=Example(
            inputs={"samples": 1, "least": 1e-3, "tail_index": 2},
            expected=2e-3,
            origin="one sample: the mean, x_m·a/(a−1) = 2 ms",
        ),
    ),
    Formula(
        id="jitter_sigma",
        title=Text("由抖动指标换算 σ", "Sigma behind a jitter figure"),
        function=jitter_sigma,
        inputs=(
            _JITTER,
            Input(
                name="statistic", dimension=Dimension.WORD, title=Text("指标口径", "Statistic"), choices=tuple(_SIGMAS)
            ),
            i.variant(_SAMPLES, title=Text("样本数（仅 range）", "Samples (range only)"), low=2, default=1000),
        ),
        result=Dimension.TIME,
        symbolic="σ = J/κ, κ = 1 | 2/√π | √2 | 1.645 | 2.326 | 3.090 | ln 500 | 2·z(n)",
        validity=Text(
            "正态分布；指数尾时 p99.9−p50 约为 6.2 倍均值。",
            "A normal law; for an exponential tail p99.9 − p50 is about 6.2 means.",
        ),
        source=s.RFC3393,
        example=Example(
            inputs={"jitter": 2e-3, "statistic": "ipdv_mean"},
            expected=1e-3 * math.sqrt(math.pi),
            origin="2 ms / (2/√π = 1.128) = 1.772 ms",
        ),
        caution=_few_samples,
    ),
    Formula(
        id="normal_maximum_bound",
        title=Text("期望最大值的上界", "Bound of the expected maximum"),
        function=normal_maximum_bound,
        inputs=(i.variant(_SAMPLES, title=Text("样本数（并行流数）", "Samples, that is parallel flows")),),
        result=Dimension.SIGMA,
        symbolic="z ≤ √(2·ln n)",
        validity=Text("不论流是否独立。", "Whether or not the flows are independent."),
        source=s.ORDER_STATISTICS,
        example=Example(inputs={"samples": 1}, expected=0, origin="√(2 × ln 1) = 0"),
    ),
    Formula(
        id="jitter_rounds",
        title=Text("每步跨线的依赖轮次", "Dependent rounds over the line per step"),
        function=jitter_rounds,
        inputs=(
            Input(
                name="strategy",
                dimension=Dimension.WORD,
                title=Text("跨站方式", "What crosses the line"),
                choices=_STRATEGIES,
            ),
            i.variant(i.SITES, default=2),
            i.variant(i.MICRO_BATCHES, default=1),
            i.variant(i.LAYERS, default=1),
            Input(
                name="sync_interval",
                dimension=Dimension.COUNT,
                title=Text("同步间隔（步）", "Steps between synchronisations"),
                default=1,
                low=1,
                high=1e6,
                whole=True,
            ),
        ),
        result=Dimension.COUNT,
        symbolic="n = 2(k−1) | m | 2 | 2(k−1)/H | 4·L·m",
        validity=Text(
            "依次为数据、流水线、预热充分的流水线、本地 SGD、张量。",
            "In turn: data, pipeline, pipeline with full warm-up, local SGD, tensor.",
        ),
        source=s.MEGATRON,
        example=Example(inputs={"strategy": "tensor", "layers": 96}, expected=384, origin="4 × 96 per micro-batch"),
    ),
    Formula(
        id="jitter_excess",
        title=Text("重叠吸收后的抖动", "Jitter left after overlap"),
        function=jitter_excess,
        inputs=(
            Input(name="tail", dimension=Dimension.TIME, title=Text("尾部时延", "Tail delay")),
            Input(name="slack", dimension=Dimension.TIME, title=Text("余量", "Slack")),
        ),
        result=Dimension.TIME,
        symbolic="x = max(0, tail − slack)",
        validity=Text("有缓冲的重叠通信。", "Buffered, overlapped exchanges."),
        source=s.ORDER_STATISTICS,
        example=Example(inputs={"tail": 5e-3, "slack": 3e-3}, expected=2e-3, origin="5 ms − 3 ms"),
    ),
    Formula(
        id="jitter_linear_time",
        title=Text("抖动下的迭代时间（实测线性）", "Iteration time under jitter, linear as measured"),
        function=jitter_linear_time,
        inputs=(
            Input(
                name="base_time",
                dimension=Dimension.TIME,
                title=Text("无抖动的迭代时间", "Iteration time without jitter"),
                above_zero=True,
            ),
            _JITTER,
            Input(name="slope", dimension=Dimension.RATIO, title=Text("斜率（秒每秒）", "Slope, seconds per second")),
        ),
        result=Dimension.TIME,
        symbolic="T = T_0 + slope·J",
        validity=Text(
            "斜率来自同一集群的实测，不能换算到其他规模。",
            "The slope is measured on the same cluster and does not carry over to other sizes.",
        ),
        source=s.JITTER_TEST,
        example=Example(
            inputs={"base_time": 720, "jitter": 20e-6, "slope": 21e6},
            expected=1140,
            origin="12 min + 0.35 min/µs × 20 µs = 19 min",
        ),
        band=Band(
            low=0.95,
            high=1.03,
            words=Text(
                "同一实测：20 µs 时 18.4 分钟，50 µs 时 31.1 分钟。",
                "The same test: 18.4 min at 20 µs, 31.1 min at 50 µs.",
            ),
            source=s.JITTER_TEST,
        ),
    ),
    Formula(
        id="rtt_rise_cost",
        title=Text("时延增加的单步代价", "What a longer round trip costs a step"),
        function=rtt_rise_cost,
        inputs=(
            Input(name="hops", dimension=Dimension.COUNT, title=Text("依赖的单程跳数", "Dependent one-way hops")),
            Input(name="rtt_rise", dimension=Dimension.TIME, title=Text("往返时延增量", "Rise of the round-trip time")),
        ),
        result=Dimension.TIME,
        symbolic="ΔT = hops·ΔRTT/2",
        validity=Text("取决于依赖轮次，与数据量无关。", "Depends on the dependent rounds, not on the size."),
        source=s.RING,
        example=Example(inputs={"hops": 2, "rtt_rise": 100e-6}, expected=100e-6, origin="two sites: 2 × 100 µs / 2"),
    ),
)
