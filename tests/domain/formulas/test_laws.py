"""Laws that hold whatever the figures: what must never rise, and pairs that undo each other."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.domain.formulas import checkpoint, reliability, tcp, transport
from app.domain.formulas.formula import Formula
from app.domain.formulas.jitter import expected_maximum_normal, jitter_sigma_limit, jitter_step_delay
from app.domain.formulas.registry import BY_ID

LOSS = st.floats(1e-12, 0.2)
RATE = st.floats(1e6, 1e13)
RTT = st.floats(1e-5, 0.5)
MSS = st.floats(256, 9000)
FACTOR = st.floats(1, 1000)
AVAILABILITIES = st.lists(st.floats(0.5, 1), min_size=1, max_size=6)

BY_LOSS = [
    "go_back_n_efficiency",
    "selective_repeat_efficiency",
    "bbr_throughput",
    "mathis_throughput",
    "cubic_window",
    "cubic_throughput",
    "pftk_throughput",
    "standard_tcp_window",
]
BY_BANDWIDTH = ["ring_allreduce_time", "tree_allreduce_time", "line_allreduce_time", "transfer_time"]


def changed(formula: Formula, **inputs: Any) -> float:
    """The formula's example with some inputs changed."""
    return formula(**{**formula.example.inputs, **inputs})


@pytest.mark.parametrize("name", BY_LOSS)
@given(loss=LOSS, factor=FACTOR)
def test_more_loss_never_gives_more(name: str, loss: float, factor: float) -> None:
    formula = BY_ID[name]
    lossier = changed(formula, packet_loss=min(loss * factor, 1.0))
    assert lossier <= changed(formula, packet_loss=loss) * (1 + 1e-12)


@pytest.mark.parametrize("name", BY_BANDWIDTH)
@given(rate=RATE, factor=FACTOR)
def test_more_bandwidth_never_takes_longer(name: str, rate: float, factor: float) -> None:
    formula = BY_ID[name]
    assert changed(formula, bandwidth=rate * factor) <= changed(formula, bandwidth=rate) * (1 + 1e-12)


@given(loss=LOSS, rate=RATE, rtt=RTT, factor=FACTOR)
def test_go_back_n_delivers_more_on_a_faster_line(loss: float, rate: float, rtt: float, factor: float) -> None:
    def goodput(bandwidth: float) -> float:
        return bandwidth * transport.go_back_n_efficiency(packet_loss=loss, bandwidth=bandwidth, rtt=rtt, mtu=4096)

    assert goodput(rate) <= goodput(rate * factor) * (1 + 1e-12)


@given(efficiency=st.floats(1e-3, 1), rate=RATE, rtt=RTT)
def test_go_back_n_pair(efficiency: float, rate: float, rtt: float) -> None:
    limit = transport.go_back_n_loss_limit(efficiency=efficiency, bandwidth=rate, rtt=rtt, mtu=4096)
    back = transport.go_back_n_efficiency(packet_loss=limit, bandwidth=rate, rtt=rtt, mtu=4096)
    assert back == pytest.approx(efficiency, rel=1e-9)


@given(floor=st.floats(1e9, 1e12), reserve=st.floats(1.01, 3), rtt=st.floats(1e-3, 0.1))
def test_loss_need_delivers_the_floor(floor: float, reserve: float, rtt: float) -> None:
    limit = transport.go_back_n_loss_need(floor=floor, target=floor * reserve, payload=4096, rtt=rtt)
    share = transport.go_back_n_efficiency(packet_loss=limit, bandwidth=floor * reserve, rtt=rtt, mtu=4096)
    assert floor * reserve * share == pytest.approx(floor, rel=max(1e-6, 3 * limit))


@given(efficiency=st.floats(1e-6, 1))
def test_selective_repeat_pair(efficiency: float) -> None:
    limit = transport.selective_repeat_loss_limit(efficiency=efficiency)
    assert transport.selective_repeat_efficiency(packet_loss=limit) == pytest.approx(efficiency)


@given(loss=LOSS, rtt=RTT, mss=MSS)
def test_cubic_pair(loss: float, rtt: float, mss: float) -> None:
    rate = tcp.cubic_throughput(mss=mss, rtt=rtt, packet_loss=loss)
    assert tcp.cubic_loss_limit(mss=mss, rtt=rtt, bandwidth=rate) == pytest.approx(loss)


@given(loss=LOSS, rtt=RTT, mss=MSS)
def test_mathis_pair(loss: float, rtt: float, mss: float) -> None:
    rate = tcp.mathis_throughput(mss=mss, rtt=rtt, packet_loss=loss)
    assert tcp.mathis_loss_limit(mss=mss, rtt=rtt, bandwidth=rate) == pytest.approx(loss)


@given(rate=st.floats(1, 1e3), rtt=RTT)
def test_loss_limits_are_ratios(rate: float, rtt: float) -> None:
    assert tcp.cubic_loss_limit(mss=9000, rtt=rtt, bandwidth=rate) <= 1
    assert tcp.mathis_loss_limit(mss=9000, rtt=rtt, bandwidth=rate) <= 1


@given(distance=st.floats(1e-3, 1e5))
def test_fibre_pair(distance: float) -> None:
    rtt = BY_ID["fibre_rtt_floor"](distance=distance)
    assert BY_ID["fibre_distance_limit"](rtt=rtt) == pytest.approx(distance)


@given(window=st.floats(1, 1e12), rtt=RTT)
def test_window_and_delay_product_are_inverse(window: float, rtt: float) -> None:
    rate = transport.window_throughput(window=window, rtt=rtt)
    assert transport.bandwidth_delay_product(bandwidth=rate, rtt=rtt) == pytest.approx(window)


@given(flows=st.integers(2, 10**6), sigma=st.floats(1e-9, 1), rounds=st.integers(1, 100))
def test_jitter_pair(flows: int, sigma: float, rounds: int) -> None:
    budget = jitter_step_delay(rounds=rounds, sigma=sigma, flows=flows)
    assert jitter_sigma_limit(budget=budget, rounds=rounds, flows=flows) == pytest.approx(sigma)


@given(flows=st.integers(1, 10**12), more=st.integers(1, 10**12))
def test_more_flows_wait_longer(flows: int, more: int) -> None:
    one, two = expected_maximum_normal(samples=flows), expected_maximum_normal(samples=flows + more)
    assert one <= two * (1 + 1e-12) <= (2 * (flows + more)) ** 0.5


@given(parts=AVAILABILITIES, share=st.floats(0, 1))
def test_parts_in_series_and_in_parallel(parts: list[float], share: float) -> None:
    series = reliability.series_availability(availabilities=parts, common_cause=share)
    parallel = reliability.parallel_availability(availabilities=parts, common_cause=share)
    assert series <= min(parts) + 1e-12
    assert parallel >= max(parts) - 1e-12
    assert parallel <= reliability.parallel_availability(availabilities=parts) + 1e-12
    assert 0 <= series <= parallel + 1e-12 <= 1 + 2e-12


@given(write=st.floats(1, 1e4), mtbf=st.floats(1e3, 1e8))
def test_best_interval_wastes_least(write: float, mtbf: float) -> None:
    assume(write < mtbf / 100)

    def waste(interval: float) -> float:
        return checkpoint.gpu_waste_share(checkpoint_time=write, interval=interval, restart_time=0, mtbf=mtbf)

    best = checkpoint.daly_interval(checkpoint_time=write, mtbf=mtbf)
    assert waste(best) <= waste(best * 1.5) + 1e-12
    assert waste(best) <= waste(best / 1.5) + 1e-12
    assert best == pytest.approx(checkpoint.young_interval(checkpoint_time=write, mtbf=mtbf), rel=0.2)


@given(size=st.floats(1, 1e15), sites=st.integers(1, 100))
def test_two_level_sends_less_than_twice_the_gradient(size: float, sites: int) -> None:
    egress = BY_ID["site_egress_data"](size=size, sites=sites)
    assert egress == pytest.approx(BY_ID["ring_allreduce_bytes"](size=size, ranks=sites))
    assert egress < 2 * size
