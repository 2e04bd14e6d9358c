"""What delay variation costs a synchronous step: every round ends with the slowest of its flows."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.text import Text

# The density of the maximum is summed on an even grid; for a smooth bell this is exact to rounding.
_FROM: Final = -9.0  # below it less than 1e-19 of a unit normal is left
_TO: Final = 14.0  # above it less than 1e-44: room for any number of samples allowed here
_STEPS_PER_SIGMA: Final = 64


@lru_cache(maxsize=1024)
def _expected_maximum(samples: float) -> float:
    total = 0.0
    for k in range(int((_TO - _FROM) * _STEPS_PER_SIGMA) + 1):
        x = _FROM + k / _STEPS_PER_SIGMA
        above = math.erfc(x / math.sqrt(2)) / 2
        log_below = math.log1p(-above) if above < 1 else -math.inf
        total += x * math.exp(-x * x / 2 + (samples - 1) * log_below)
    return samples * total / (_STEPS_PER_SIGMA * math.sqrt(2 * math.pi))


def expected_maximum_normal(*, samples: float) -> float:
    """Expected largest of n independent unit normals, z(n), in sigma: ∫ x·n·φ(x)·Φ(x)^(n−1) dx, exact.

    z(1) = 0, z(2) = 1/√π. Jitter with a heavier tail than normal costs more.
    """
    return _expected_maximum(samples) if samples > 1 else 0.0


def jitter_step_delay(*, rounds: float, sigma: float, flows: float) -> float:
    """Time a step loses to jitter: rounds·σ·z(flows), s; rounds = dependent rounds over the line."""
    return rounds * sigma * expected_maximum_normal(samples=flows)


def jitter_sigma_limit(*, budget: float, rounds: float, flows: float) -> float:
    """Largest σ whose step loss stays in the budget: budget/(rounds·z(flows)), s; inf for a single flow."""
    cost = rounds * expected_maximum_normal(samples=flows)
    return budget / cost if cost > 0 else math.inf


_ROUNDS = Input(
    name="rounds",
    dimension=Dimension.COUNT,
    title=Text("每步跨线的依赖轮次", "Dependent rounds over the line per step"),
)
_SIGMA = Input(name="sigma", dimension=Dimension.TIME, title=Text("抖动标准差 σ", "Jitter standard deviation"))

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="expected_maximum_normal",
        title=Text("n 个正态样本的期望最大值", "Expected maximum of n unit normals"),
        function=expected_maximum_normal,
        inputs=(
            Input(
                name="samples",
                dimension=Dimension.COUNT,
                title=Text("样本数（并行流数）", "Samples, that is parallel flows"),
                low=1,
                high=1e15,
                whole=True,
            ),
        ),
        result=Dimension.SIGMA,
        symbolic="z(n) = ∫ x·n·φ(x)·Φ(x)^(n−1) dx",
        validity=Text("独立同分布的正态样本。", "Independent, equal normals."),
        source=s.ORDER_STATISTICS,
        example=Example(inputs={"samples": 2}, expected=1 / math.sqrt(math.pi), origin="z(2) = 1/√π = 0.5642"),
    ),
    Formula(
        id="jitter_step_delay",
        title=Text("抖动造成的单步延误", "Time a step loses to jitter"),
        function=jitter_step_delay,
        inputs=(_ROUNDS, _SIGMA, i.FLOWS),
        result=Dimension.TIME,
        symbolic="ΔT = rounds · σ · z(flows)",
        validity=Text(
            "同步通信、正态抖动；有缓冲重叠时只计超出部分。",
            "Synchronous rounds, normal jitter; with buffered overlap only the excess counts.",
        ),
        source=s.ORDER_STATISTICS,
        band=Band(
            low=1,
            high=2,
            words=Text(
                "正态为最乐观的尾部：指数尾在 64 条流时为其 1.6 倍、1024 条流时 2 倍。",
                "The normal law is the mildest: an exponential tail costs 1.6 times as much with 64 flows, "
                "twice with 1024.",
            ),
            source=s.ORDER_STATISTICS,
        ),
        example=Example(
            inputs={"rounds": 2, "sigma": 1e-3, "flows": 2},
            expected=2e-3 / math.sqrt(math.pi),
            origin="2 × 1 ms × 0.5642 = 1.128 ms",
        ),
    ),
    Formula(
        id="jitter_sigma_limit",
        title=Text("抖动上限（σ）", "Jitter limit, as sigma"),
        function=jitter_sigma_limit,
        inputs=(
            Input(
                name="budget",
                dimension=Dimension.TIME,
                title=Text("每步可损失的时间", "Time a step may lose"),
            ),
            i.variant(_ROUNDS, above_zero=True),
            i.variant(i.FLOWS, low=2),
        ),
        result=Dimension.TIME,
        symbolic="σ = budget / (rounds · z(flows))",
        validity=Text("与单步延误互逆；至少两条流。", "The inverse of the step loss; at least two flows."),
        source=s.ORDER_STATISTICS,
        example=Example(
            inputs={"budget": 2e-3, "rounds": 2, "flows": 2},
            expected=1e-3 * math.sqrt(math.pi),
            origin="2 ms / (2 × 0.5642) = 1.772 ms",
        ),
    ),
)
