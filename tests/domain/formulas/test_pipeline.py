"""The pipeline formula against a discrete-event run of the 1F1B schedule, written without it."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.formulas.pipeline import pipeline_step_time


def event_run(p: int, m: int, cuts: tuple[int, ...], delay: float, e: int, tf: float, tb: float) -> float:
    """Step time of 1F1B: stage i warms up with p−1−i forwards, and e more for every cut behind it."""
    orders = []
    for i in range(p):
        warm = min(m, p - 1 - i + e * sum(i < c for c in cuts))
        order = [("F", j) for j in range(warm)]
        for j in range(m):
            order += [("F", warm + j), ("B", j)] if warm + j < m else [("B", j)]
        orders.append(order)
    done: dict[tuple[str, int, int], float] = {}
    clock, at = [0.0] * p, [0] * p
    while any(at[i] < len(orders[i]) for i in range(p)):
        for i in range(p):
            while at[i] < len(orders[i]):
                kind, j = orders[i][at[i]]
                before, late = (i - 1, i in cuts) if kind == "F" else (i + 1, i + 1 in cuts)
                key = (kind, before, j)
                if 0 <= before < p and key not in done:
                    break
                ready = done[key] + (delay if late else 0) if 0 <= before < p else 0.0
                clock[i] = max(clock[i], ready) + (tf if kind == "F" else tb)
                done[kind, i, j] = clock[i]
                at[i] += 1
    return max(clock)


GRID = list(itertools.product((2, 4, 8), (16, 64), (1, 2, 4), (0.0, 0.05, 0.3, 1.0), (0, 1, 3, 7)))


@pytest.mark.parametrize(("p", "m", "c", "delay", "e"), [g for g in GRID if g[2] < g[0]])
def test_against_the_event_run(p: int, m: int, c: int, delay: float, e: int) -> None:
    tf, tb = 0.1, 0.2
    ours = pipeline_step_time(
        stages=p,
        micro_batches=m,
        cut_stage=c,
        one_way_delay=delay,
        extra_warmup=e,
        forward_time=tf,
        backward_time=tb,
    )
    run = event_run(p, m, (c,), delay, e, tf, tb)
    if e >= math.ceil(2 * delay / (tf + tb)) and (e or not delay):
        assert ours == pytest.approx(run)
    else:
        assert abs(ours - run) <= 1.1 * delay


@pytest.mark.parametrize("cuts", [(4, 8), (2, 9), (3, 6, 9)])
@pytest.mark.parametrize(("delay", "e"), [(0.05, 0), (0.3, 0), (1.0, 0), (0.05, 1), (0.3, 3), (1.0, 7)])
def test_several_cuts_against_the_event_run(cuts: tuple[int, ...], delay: float, e: int) -> None:
    ours = pipeline_step_time(
        stages=12, micro_batches=48, cut_stage=cuts[-1], one_way_delay=delay, extra_warmup=e, forward_time=0.1,
        backward_time=0.2, cuts=len(cuts),
    )  # fmt: skip
    assert abs(ours - event_run(12, 48, cuts, delay, e, 0.1, 0.2)) <= 1.1 * delay


@given(
    stages=st.integers(2, 16),
    micro_batches=st.integers(1, 200),
    delay=st.floats(0, 2),
    more_delay=st.floats(0, 2),
    warmup=st.integers(0, 10),
)
def test_delay_costs_and_warm_up_helps(
    stages: int, micro_batches: int, delay: float, more_delay: float, warmup: int
) -> None:
    def step(one_way: float, extra: int) -> float:
        return pipeline_step_time(
            stages=stages,
            micro_batches=micro_batches,
            cut_stage=1,
            one_way_delay=one_way,
            extra_warmup=extra,
            forward_time=0.1,
            backward_time=0.2,
        )

    base = step(0, 0)
    assert base == pytest.approx((micro_batches + stages - 1) * 0.3)
    assert step(delay, warmup) >= base - 1e-9
    assert step(delay + more_delay, warmup) >= step(delay, warmup) - 1e-9
    assert step(delay, warmup + 1) <= step(delay, warmup) + 1e-9
