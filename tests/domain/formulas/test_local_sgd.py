"""The local SGD schedule against a plain run that visits every layer of every step, and its laws."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.formulas.local_sgd import local_sgd_bandwidth, local_sgd_utilization

JOB_100B: dict[str, Any] = {
    "parameters": 100e9,
    "layers": 108,
    "step_compute_time": 4.9,
    "sync_interval": 100,
    "bits": 4,
    "fragment_layers": 3,
    "overlap_steps": 1,
}


def plain_run(layers: int, interval: int, fragment: int, overlap: int, message: float) -> float:
    """Compute share of rounds 600 steps in; times in steps, one message per layer taking `message`."""
    fragments = -(-layers // fragment)
    clock = free = start = 0.0
    arrival: dict[tuple[int, int], float] = {}
    settled, measured = -(-600 // interval), 12  # rounds; twelve hold every short cycle whole
    for step in range((settled + measured) * interval):
        if step == settled * interval:
            start = clock
        for layer in range(layers):
            clock = max(clock, arrival.pop((step, layer), 0.0)) + 1 / (3 * layers)
        for layer in reversed(range(layers)):
            clock += 2 / (3 * layers)
            if step % interval == (layer % fragments) * interval // fragments:
                free = max(free, clock) + message
                arrival[step + 1 + overlap, layer] = free
    return measured * interval / (clock - start)


@pytest.mark.parametrize("message", [1e-3, 0.02, 0.0425, 0.1, 0.17, 0.7, 5.0])
@pytest.mark.parametrize(
    ("layers", "interval", "fragment", "overlap"),
    [
        (6, 1, 6, 1),
        (8, 2, 3, 2),
        (24, 1, 24, 0),
        (24, 1, 24, 1),
        (24, 20, 24, 0),
        (24, 20, 3, 0),
        (24, 20, 3, 2),
        (7, 3, 2, 1),
        (12, 4, 1, 4),
    ],
)
def test_against_the_plain_run(layers: int, interval: int, fragment: int, overlap: int, message: float) -> None:
    ours = local_sgd_utilization(
        parameters=layers,
        layers=layers,
        step_compute_time=1,
        sync_interval=interval,
        bits=1,
        bandwidth=1 / message,
        fragment_layers=fragment,
        overlap_steps=overlap,
    )
    run = plain_run(layers, interval, fragment, overlap, message)
    assert ours == pytest.approx(run, rel=1e-9)


def test_replicas_scale_the_exchange() -> None:
    # 2(k−1)/k: 4/3 of the two-site exchange for three sites, nothing for one
    two = local_sgd_bandwidth(target_utilization=0.9, **JOB_100B)
    three = local_sgd_bandwidth(target_utilization=0.9, replicas=3, **JOB_100B)
    assert three == pytest.approx(4 / 3 * two)
    assert local_sgd_bandwidth(target_utilization=0.9, replicas=1, **JOB_100B) == 0
    assert local_sgd_utilization(bandwidth=1, replicas=1, **JOB_100B) == pytest.approx(1)


@given(target=st.floats(0.01, 0.999), overlap=st.integers(0, 3), fragment=st.sampled_from([1, 3, 24]))
def test_pair_agrees(target: float, overlap: int, fragment: int) -> None:
    job = {**JOB_100B, "layers": 24, "overlap_steps": overlap, "fragment_layers": fragment}
    need = local_sgd_bandwidth(target_utilization=target, **job)
    assert local_sgd_utilization(bandwidth=need, **job) >= target - 1e-12
    assert local_sgd_utilization(bandwidth=need * (1 - 1e-6), **job) < target


@given(rate=st.floats(1e6, 1e13), factor=st.floats(1, 100))
def test_more_bandwidth_never_hurts(rate: float, factor: float) -> None:
    slow = local_sgd_utilization(bandwidth=rate, **JOB_100B)
    assert slow <= local_sgd_utilization(bandwidth=rate * factor, **JOB_100B) + 1e-12
    assert 0 < slow <= 1 + 1e-12


def test_fast_enough_for_a_page() -> None:
    # the brief: 30 ms and 300 ms; the figures here are about 1 and 15
    start = time.perf_counter()
    need = local_sgd_bandwidth(target_utilization=0.9, **JOB_100B)
    between = time.perf_counter()
    local_sgd_utilization(bandwidth=need, **JOB_100B)
    assert between - start < 0.3
    assert time.perf_counter() - between < 0.03
