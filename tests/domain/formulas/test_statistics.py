"""The loss bound against exact binomial sums."""

from __future__ import annotations

import math
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.formulas.statistics import loss_upper_bound


def at_most(lost: int, packets: int, p: float) -> float:
    """P(X ≤ lost) in exact fractions."""
    share = Fraction(p)
    terms = (math.comb(packets, k) * share**k * (1 - share) ** (packets - k) for k in range(lost + 1))
    return float(sum(terms))


@pytest.mark.parametrize(
    ("packets", "lost", "bound"),
    [
        (10, 0, 0.2589),  # Clopper-Pearson tables, one-sided 95 %: 1 − 0.05^(1/10)
        (10, 1, 0.3942),
        (20, 2, 0.2826),
        (5, 5, 1.0),
        (1_000_000, 0, 2.9957e-6),  # the rule of three
        (10**9, 3, 7.7537e-9),  # Poisson: χ²(0.95, 8)/2 = 7.7537
        (10**15, 100, 1.18079e-13),  # Poisson: χ²(0.95, 202)/2 = 118.08
    ],
)
def test_known_bounds(packets: int, lost: int, bound: float) -> None:
    assert loss_upper_bound(packets=packets, lost=lost) == pytest.approx(bound, rel=2e-4)


@given(data=st.data(), packets=st.integers(2, 80), confidence=st.floats(0.001, 0.9999))
def test_bound_leaves_what_the_confidence_allows(data: st.DataObject, packets: int, confidence: float) -> None:
    lost = data.draw(st.integers(0, packets - 1))
    bound = loss_upper_bound(packets=packets, lost=lost, confidence=confidence)
    assert at_most(lost, packets, bound) == pytest.approx(1 - confidence, rel=1e-7)


@given(packets=st.integers(1, 10**15), lost=st.integers(0, 1000), confidence=st.floats(0.5, 0.999999))
def test_bound_lies_above_what_was_seen(packets: int, lost: int, confidence: float) -> None:
    lost = min(lost, packets)
    bound = loss_upper_bound(packets=packets, lost=lost, confidence=confidence)
    assert lost / packets <= bound <= 1
    if lost:
        assert bound >= loss_upper_bound(packets=packets, lost=lost - 1, confidence=confidence)


def test_many_losses_stay_quick() -> None:
    start = time.perf_counter()
    # far above the mean the bound is mean + 1.645 standard deviations: 1e-6 × (1 + 1.645e-3)
    assert loss_upper_bound(packets=10**12, lost=10**6) == pytest.approx(1.001645e-6, rel=1e-5)
    assert time.perf_counter() - start < 1
