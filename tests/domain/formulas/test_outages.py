"""Availability, outages and checkpoints by hand, and two ways to the same figure."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.formulas.checkpoint import available_cycle, expected_run_time, gpu_waste_share, young_interval
from app.domain.formulas.outages import (
    availability_need,
    job_mtbf,
    outage_count,
    outage_credit,
    pro_rata_credit,
    restart_loss,
    stall_loss,
)
from app.domain.formulas.reliability import (
    allowed_downtime,
    cluster_mtbf,
    end_to_end_availability,
    k_of_n_availability,
    longest_outage,
    maintenance_availability,
    parallel_availability,
    rdma_tolerance,
    repair_availability,
    series_availability,
)
from app.domain.problems import InputError

HOUR, DAY = 3600.0, 86_400.0
ratio = st.floats(0, 1)
availability = st.floats(0.9, 1)
time = st.floats(60, 1e5)


def test_two_lines_with_a_common_cause() -> None:
    # (1 − 0.1)² · 0.001² + 0.1 · 0.001 = 8.1e-7 + 1e-4 = 1.0081e-4
    assert 1 - parallel_availability(availabilities=(0.999, 0.999), common_cause=0.1) == pytest.approx(1.0081e-4)
    # Three: 0.9³ · 1e-9 + 1e-4 = 1.00000729e-4
    three = parallel_availability(availabilities=(0.999,) * 3, common_cause=0.1)
    assert 1 - three == pytest.approx(1.00000729e-4)


@given(a=availability, n=st.integers(1, 6), beta=ratio)
def test_k_of_n_meets_parallel_and_series_at_its_ends(a: float, n: int, beta: float) -> None:
    one = k_of_n_availability(availability=a, lines=n, needed=1, common_cause=beta)
    assert one == pytest.approx(parallel_availability(availabilities=(a,) * n, common_cause=beta), abs=1e-12)
    every = k_of_n_availability(availability=a, lines=n, needed=n)
    assert every == pytest.approx(series_availability(availabilities=(a,) * n), abs=1e-12)


def test_more_lines_needed_than_there_are_is_refused() -> None:
    with pytest.raises(InputError):
        k_of_n_availability(availability=0.999, lines=2, needed=3)


def test_longest_outage_of_the_policy() -> None:
    # Policy 1.1: 99.9 % a year 8.76 h; a month 43.8 min, 87.6 min across its end.
    assert longest_outage(availability=0.999, window=8760 * HOUR) / HOUR == pytest.approx(8.76)
    assert longest_outage(availability=0.999, window=730 * HOUR) / 60 == pytest.approx(43.8)
    assert longest_outage(availability=0.999, window=730 * HOUR, windows=2) / 60 == pytest.approx(87.6)


@given(a=ratio, window=time)
def test_one_window_is_the_allowance(a: float, window: float) -> None:
    assert longest_outage(availability=a, window=window) == allowed_downtime(availability=a, window=window)


def test_maintenance_and_tails() -> None:
    # Policy 1.1: 6 h of every day left out is 75 %; 4 h of 730 at 99.99 %: 0.9999 · 726/730 = 0.994421
    assert maintenance_availability(availability=1, maintenance=6 * HOUR, window=DAY) == 0.75
    monthly = maintenance_availability(availability=0.9999, maintenance=4 * HOUR, window=730 * HOUR)
    assert monthly == pytest.approx(0.9944211, abs=1e-7)
    # 0.9999 · 0.999² · 0.9995 = 0.9979012 · 0.9995 = 0.99740225
    whole = end_to_end_availability(network=0.9999, tail=0.999, port=0.9995, ports=1)
    assert whole == pytest.approx(0.99740225, abs=1e-8)


@given(network=ratio, tail=ratio)
def test_tails_in_series(network: float, tail: float) -> None:
    both = end_to_end_availability(network=network, tail=tail)
    assert both == pytest.approx(series_availability(availabilities=(network, tail, tail)))


def test_rdma_outlasts_half_a_second_or_half_a_minute() -> None:
    # 7 · 4.096e-6 · 2²⁰ = 30.06 s
    assert rdma_tolerance(retries=7, exponent=20) == pytest.approx(30.06, abs=0.01)


def test_repairs_and_outages_agree() -> None:
    # MTBF 3,996 h, MTTR 4 h: availability 0.999; in 4,000 h one outage.
    a = repair_availability(mtbf=3996 * HOUR, repair_time=4 * HOUR)
    assert outage_count(availability=a, window=4000 * HOUR, repair_time=4 * HOUR) == pytest.approx(1)


def test_line_in_series_with_the_cluster() -> None:
    # 1/M = 128/43,800 + 0.01825/730 = 0.00292237 + 0.000025 = 0.00294737 per hour: M = 339.29 h
    whole = job_mtbf(unit_mtbf=43_800 * HOUR, units=128, outages=0.01825, window=730 * HOUR)
    assert whole / HOUR == pytest.approx(339.29, abs=0.01)


@given(unit=time, units=st.integers(1, 1000), window=time)
def test_a_line_that_never_fails_changes_nothing(unit: float, units: int, window: float) -> None:
    whole = job_mtbf(unit_mtbf=unit, units=units, outages=0, window=window)
    assert whole == pytest.approx(cluster_mtbf(unit_mtbf=unit, units=units))


@given(share=st.floats(1e-3, 0.2), repair=time, interval=time, restart=time, detection=time)
def test_need_is_the_inverse_of_the_loss(
    share: float, repair: float, interval: float, restart: float, detection: float
) -> None:
    a = availability_need(
        share=share, repair_time=repair, interval=interval, restart_time=restart, detection_time=detection
    )
    n = outage_count(availability=a, window=1e6, repair_time=repair)
    lost = restart_loss(outages=n, length=repair, interval=interval, restart_time=restart, detection_time=detection)
    assert lost == pytest.approx(share * 1e6, rel=1e-6)


@given(n=st.floats(0, 100), length=time, interval=time, restart=time, sites=st.integers(1, 9))
def test_a_stall_never_costs_more_than_a_restart(
    n: float, length: float, interval: float, restart: float, sites: int
) -> None:
    stalled = stall_loss(outages=n, length=length, sites=sites)
    assert stalled <= restart_loss(outages=n, length=length, interval=interval, restart_time=restart)


@given(delta=st.floats(0.1, 100), mtbf=st.floats(1e5, 1e7))
def test_cycle_of_the_highest_availability_is_near_young(delta: float, mtbf: float) -> None:
    # Without recovery and for a short write, Ts + √(2·Tf·Ts + Ts²) is Young's interval and the write itself.
    cycle = available_cycle(checkpoint_time=delta, mtbf=mtbf)
    assert cycle == pytest.approx(young_interval(checkpoint_time=delta, mtbf=mtbf) + delta, rel=0.01)


@given(delta=st.floats(1, 100), restart=st.floats(0, 500))
def test_exact_time_agrees_with_the_waste_share_of_first_order(delta: float, restart: float) -> None:
    mtbf = 1e6
    tau = math.sqrt(2 * delta * mtbf)
    run = expected_run_time(work_time=1, checkpoint_time=delta, interval=tau, restart_time=restart, mtbf=mtbf)
    waste = gpu_waste_share(checkpoint_time=delta, interval=tau, restart_time=restart, mtbf=mtbf)
    assert 1 - 1 / run == pytest.approx(waste, abs=5e-4)


def test_credits() -> None:
    # 5 h of 730: 99.315 % reached, below both bounds; the tier of 10 % is due, half of it where the cap is 5 %.
    five = {"outage": 5 * HOUR, "window": 730 * HOUR, "bounds": (0.9999, 0.999), "tier_credits": (0.05, 0.1)}
    assert outage_credit(**five) == 0.1  # type: ignore[arg-type]
    assert outage_credit(**five, cap=0.05) == 0.05  # type: ignore[arg-type]
    assert outage_credit(outage=0, window=1, bounds=(0.9999,), tier_credits=(0.1,)) == 0
    assert pro_rata_credit(outage=5 * HOUR, window=730 * HOUR) == pytest.approx(0.0068493, abs=1e-7)
    with pytest.raises(InputError):
        outage_credit(outage=1, window=2, bounds=(0.9,), tier_credits=())
