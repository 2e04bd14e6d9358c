"""What a measurement proves about loss, and what bit errors mean for frames."""

from __future__ import annotations

import math
from typing import Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input, refused
from app.domain.text import Text

_NEWTON_STEPS: Final = 100
_EXACT: Final = 1e-14  # relative step at which the search stops
_NEGLIGIBLE: Final = 1e-18  # a term this small no longer changes the sum
_STIRLING_FROM: Final = 15


def frame_loss_from_bit_error_ratio(*, bit_error_ratio: float, frame_bytes: float) -> float:
    """Frames hit by at least one bit error: 1 − (1−b)^(8n), ratio; errors independent, e.g. after FEC."""
    if bit_error_ratio >= 1:
        return 1.0
    return -math.expm1(c.BITS_PER_BYTE * frame_bytes * math.log1p(-bit_error_ratio))


def _stirling_rest(n: float) -> float:
    """ln n! less Stirling's leading terms; keeps the binomial term exact for any n."""
    if n < _STIRLING_FROM:
        return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - math.log(2 * math.pi) / 2
    square = n * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / n


def _deviance(x: float, mean: float) -> float:
    """x·ln(x/mean) + mean − x without cancellation near x = mean."""
    u = (mean - x) / x
    return x * (u - math.log1p(u))


def _binomial_term(x: float, n: float, p: float) -> float:
    """P(X = x) for 0 < x < n by the saddle-point expansion (Loader 2000), exact also for n = 1e15."""
    rest = n - x
    exponent = _stirling_rest(n) - _stirling_rest(x) - _stirling_rest(rest)
    exponent -= _deviance(x, n * p) + _deviance(rest, n * (1 - p))
    return math.exp(exponent) * math.sqrt(n / (2 * math.pi * x * rest))


def _tail_sum(x: float, n: float, odds: float, step: int) -> float:
    """Sum of P(X = j)/P(X = x) over j = x, x−1, … (`step` −1) or j = x+1, x+2, … (`step` +1)."""
    total, term, j = (1.0, 1.0, x) if step < 0 else (0.0, 1.0, x)
    while term > _NEGLIGIBLE * total or total == 0:
        if step < 0:
            if j <= 0:
                break
            term *= j / ((n - j + 1) * odds)
        else:
            if j >= n:
                break
            term *= (n - j) * odds / (j + 1)
        j += step
        total += term
    return total


def _at_most(x: float, n: float, p: float) -> tuple[float, float]:
    """P(X ≤ x) and its falling slope −dP/dp = (n−x)·P(X = x)/(1−p)."""
    term = _binomial_term(x, n, p)
    odds = p / (1 - p)
    below = term * _tail_sum(x, n, odds, -1) if x <= n * p else 1 - term * _tail_sum(x, n, odds, 1)
    return below, (n - x) * term / (1 - p)


def loss_upper_bound(*, packets: float, lost: float = 0, confidence: float = c.CONFIDENCE) -> float:
    """Largest loss ratio a test with `lost` of `packets` cannot exclude, ratio (Clopper-Pearson, one-sided).

    P(X ≤ lost | p) = 1 − confidence. Without a loss: 1 − (1−confidence)^(1/n), about 3/n at 95 %.
    Losses independent; bursts make the true bound higher. Raises `InputError` when lost > packets.
    """
    if lost > packets:
        raise refused(
            "loss_upper_bound.lost",
            f"丢失的包数 {lost:g} 不能多于发送的包数 {packets:g}。",
            f"The packets lost ({lost:g}) cannot exceed the packets sent ({packets:g}).",
        )
    if lost == packets:
        return 1.0
    if lost <= 0:
        return -math.expm1(math.log1p(-confidence) / packets)
    allowed = 1 - confidence
    low, high = 0.0, 1.0
    p = (lost + 1) / (packets + 1)
    for _ in range(_NEWTON_STEPS):
        below, slope = _at_most(lost, packets, p)
        low, high = (p, high) if below > allowed else (low, p)
        following = p + (below - allowed) / slope if slope > 0 else low
        if not low < following < high:
            following = (low + high) / 2
        p, before = following, p
        if abs(p - before) <= _EXACT * p:
            break
    return p


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="loss_upper_bound",
        title=Text("丢包率的置信上限", "Upper confidence bound of packet loss"),
        function=loss_upper_bound,
        inputs=(
            Input(
                name="packets",
                dimension=Dimension.COUNT,
                title=Text("发送的包数", "Packets sent"),
                low=1,
                high=1e15,
                whole=True,
            ),
            Input(
                name="lost",
                dimension=Dimension.COUNT,
                title=Text("丢失的包数", "Packets lost"),
                default=0,
                high=1e9,
                whole=True,
            ),
            Input(
                name="confidence",
                dimension=Dimension.RATIO,
                title=Text("置信度", "Confidence"),
                default=c.CONFIDENCE,
                above_zero=True,
                high=1,
                below_high=True,
            ),
        ),
        result=Dimension.RATIO,
        symbolic="p: Σ_{j ≤ lost} C(n,j)·p^j·(1−p)^(n−j) = 1 − confidence",
        validity=Text(
            "丢包相互独立；突发丢包时真实上限更高。", "Independent losses; bursts make the true bound higher."
        ),
        source=s.RULE_OF_THREE,
        example=Example(
            inputs={"packets": 1_000_000},
            expected=2.995728e-6,
            origin="1 − 0.05^(1e-6) ≈ 2.995732/1e6 − 4.5e-12, the rule of three",
            rel=1e-6,
        ),
    ),
    Formula(
        id="frame_loss_from_bit_error_ratio",
        title=Text("由误码率得到的丢帧率", "Frame loss from the bit error ratio"),
        function=frame_loss_from_bit_error_ratio,
        inputs=(
            Input(
                name="bit_error_ratio",
                dimension=Dimension.RATIO,
                title=Text("误码率（FEC 后）", "Bit error ratio, after FEC"),
                high=1,
            ),
            i.variant(i.MTU, name="frame_bytes", title=Text("帧长", "Bytes of one frame")),
        ),
        result=Dimension.RATIO,
        symbolic="p = 1 − (1−b)^(8n)",
        validity=Text("误码相互独立；突发误码时丢帧更少。", "Independent errors; in bursts fewer frames are hit."),
        source=s.BIT_ERRORS,
        example=Example(
            inputs={"bit_error_ratio": 1e-12, "frame_bytes": 4178},
            expected=3.3424e-8,
            origin="8 × 4178 × 1e-12, to first order",
            rel=1e-6,
        ),
    ),
)
