"""Worked numbers of the contract and of the models, each with its arithmetic beside it."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.formulas.bulk import transfer_time
from app.domain.formulas.checkpoint import daly_interval, gpu_waste_share
from app.domain.formulas.collectives import line_allreduce_time, tree_allreduce_time
from app.domain.formulas.delay import fibre_rtt_floor, pfc_headroom
from app.domain.formulas.inference import kv_transfer_exposed
from app.domain.formulas.jitter import expected_maximum_normal, jitter_sigma_limit
from app.domain.formulas.placement import site_egress_data, site_egress_expert, site_egress_local_sgd
from app.domain.formulas.queueing import md1_wait
from app.domain.formulas.reliability import (
    allowed_downtime,
    parallel_availability,
    series_availability,
    worst_month_availability,
)
from app.domain.formulas.statistics import frame_loss_from_bit_error_ratio
from app.domain.formulas.tcp import cubic_throughput
from app.domain.formulas.transport import bbr_throughput, go_back_n_efficiency, go_back_n_loss_need
from app.domain.formulas.volumes import training_state_bytes


def test_all_reduce_over_the_line() -> None:
    # 2(k−1) = 2 hops of 5 ms = 0.010 s; 2(k−1)/k = 1 times 350e9 × 8 / (0.9 × 400e9) = 7.7778 s
    time = line_allreduce_time(size=350e9, sites=2, bandwidth=400e9, efficiency=0.9, hop_latency=0.005)
    assert time == pytest.approx(7.788, abs=5e-4)


def test_transfer() -> None:
    assert transfer_time(size=14e9, bandwidth=1e9) == 112  # 14e9 × 8 / 1e9


def test_downtime() -> None:
    # 0.001 × 31 536 000 s = 31 536 s = 8.76 h; 0.0001 × the same = 52.56 min
    assert allowed_downtime(availability=0.999, window=31_536_000) / 3600 == pytest.approx(8.76)
    assert allowed_downtime(availability=0.9999, window=31_536_000) / 60 == pytest.approx(52.56)


def test_prediction_of_the_contract() -> None:
    # W = 400e9 × 0.01 / (8 × 4096) = 122 070.3 packets; 1/(1 + 1e-7 × W) = 0.98794
    # 400 × 4096/4182 × 0.98794 = 387.05 (the 82 bytes of RoCEv2 and a VLAN tag of 4)
    loss = go_back_n_efficiency(packet_loss=1e-7, bandwidth=400e9, rtt=0.01, mtu=4096)
    assert 400 * 4096 / 4182 * loss == pytest.approx(387.05, abs=5e-3)


def test_loss_red_line_of_the_contract() -> None:
    # 1/280.2057e9 − 1/350.257e9 = 7.13762e-13; × 8 × 4096 = 2.33886e-8; / 7.3425e-3 = 3.1854e-6
    limit = go_back_n_loss_need(floor=280.2057e9, target=350.257e9, payload=4096, rtt=7.3425e-3)
    assert limit == pytest.approx(3.185e-6, abs=1e-9)


def test_go_back_n_inside_a_data_centre() -> None:
    # 400e9 × 1e-5 / 32 768 = 122.07 packets; 1/(1 + 1e-5 × 122.07) = 0.99878
    assert go_back_n_efficiency(packet_loss=1e-5, bandwidth=400e9, rtt=1e-5, mtu=4096) == pytest.approx(
        0.99878, abs=1e-5
    )


def test_go_back_n_never_resends_less_than_the_packet() -> None:
    assert go_back_n_efficiency(packet_loss=0.1, bandwidth=1e6, rtt=1e-6, mtu=4096) == pytest.approx(0.9)


def test_reference_round_trip() -> None:
    assert fibre_rtt_floor(distance=500 * 1.5) == pytest.approx(7.3425e-3)  # 9.79 µs × 750


@pytest.mark.parametrize(
    ("cable", "km", "measured_ms"),
    [("New York-London", 5570, 58.95), ("London-Frankfurt", 636, 20), ("New York-Los Angeles", 3944, 64)],
)
def test_no_measured_round_trip_beats_the_floor(cable: str, km: float, measured_ms: float) -> None:
    # light-rtt-*: the rows accept from the great-circle floor to 3.5 times as much
    floor = fibre_rtt_floor(distance=km) * 1000
    assert floor < measured_ms < 3.5 * floor, cable


@pytest.mark.parametrize(("km", "megabytes"), [(100, 48.95), (500, 244.75), (1000, 489.5)])
def test_pfc_headroom(km: float, megabytes: float) -> None:
    assert pfc_headroom(bandwidth=400e9, distance=km) == pytest.approx(megabytes * 1e6)  # 50 GB/s × 9.79 µs


def test_pfc_headroom_of_a_short_hop() -> None:
    # 12.5e9 byte/s × (0 + 2 µs) + 2 × 9216
    assert pfc_headroom(bandwidth=100e9, distance=0, mtu=9216, response_time=2e-6) == pytest.approx(43432)


@pytest.mark.parametrize(("sites", "share"), [(1, 0), (2, 1), (3, 4 / 3), (4, 1.5)])
def test_site_egress(sites: int, share: float) -> None:
    assert site_egress_data(size=1e9, sites=sites) == pytest.approx(share * 1e9)
    assert site_egress_local_sgd(parameters=1e9, bits=8, sites=sites) == pytest.approx(share * 1e9)


def test_experts_sent_once_per_site() -> None:
    # K = 8, k = 2: (2−1)(1 − (1/2)^8) = 0.99609 copies in place of 8 × 1/2 = 4
    job: dict[str, Any] = {
        "tokens": 1e3,
        "hidden_size": 1e3,
        "moe_layers": 1,
        "experts_per_token": 8,
        "sites": 2,
    }
    assert site_egress_expert(**job, deduplicated=1) / site_egress_expert(**job) == pytest.approx(0.99609375 / 4)


def test_experts_of_the_article_made_consistent() -> None:
    # 52 428 800 × 7168 × 58 × 2 × 4 × (1 − 0.25) / 2 = 65.4 TB, policy section 5
    egress = site_egress_expert(
        tokens=52_428_800, hidden_size=7168, moe_layers=58, experts_per_token=2, sites=2, deduplicated=1
    )
    assert egress == pytest.approx(65.4e12, rel=1e-3)


@pytest.mark.parametrize(
    ("recipe", "stage", "expected"),
    [
        # 7.5e9 parameters on 64 replicas, GB. Whole: 16; 4 + 12/64; 2 + 14/64; 16/64 (ZeRO Figure 1)
        (16, 0, 120),
        (16, 1, 31.40625),
        (16, 2, 16.640625),
        (16, 3, 1.875),
        (18, 1, 46.40625),  # FP32 gradients: (2 + 4 + 12/64) × 7.5
        (18, 2, 16.875),  # (2 + 16/64) × 7.5
        (14, 1, 16.40625),  # FP8 weights and gradients: (1 + 1 + 12/64) × 7.5
        (8, 1, 15.703125),  # smaller recipe, split 2 to 6: (2 + 6/64) × 7.5
    ],
)
def test_training_state(recipe: float, stage: int, expected: float) -> None:
    state = training_state_bytes(parameters=7.5e9, bytes_per_parameter=recipe, zero_stage=stage, data_parallel=64)
    assert state == pytest.approx(expected * 1e9)


def test_tree() -> None:
    assert tree_allreduce_time(size=1e9, ranks=1, bandwidth=8e9, hop_latency=1) == 0
    # 2 × ⌈log₂ 5⌉ × 0.1 + 2 × 1
    assert tree_allreduce_time(size=1e9, ranks=5, bandwidth=8e9, hop_latency=0.1) == pytest.approx(2.6)


@pytest.mark.parametrize(
    ("loss", "share"),
    [
        (0, 1),
        (0.1, 0.9),
        (0.15, 0.85),
        (0.175, 0.425),
        (0.2, 0),
        (0.5, 0),
    ],  # 0.175 is half way from 0.15 to 0.20
)
def test_bbr(loss: float, share: float) -> None:
    assert bbr_throughput(bandwidth=10e9, packet_loss=loss) == pytest.approx(share * 10e9)


def test_cubic_stream_of_the_bulk_preset() -> None:
    # 1.2/√1e-5 = 379.47 segments (CUBIC alone 187); 8 × 1460 / 0.01 × 379.47 = 443 Mbit/s (policy: 0.44)
    assert cubic_throughput(mss=1460, rtt=0.01, packet_loss=1e-5) == pytest.approx(443.2e6, rel=1e-3)


@pytest.mark.parametrize(
    ("flows", "sigma"), [(1, 0), (2, 0.564), (8, 1.42), (64, 2.34), (512, 3.04), (1024, 3.25)]
)  # models section 9
def test_expected_maximum(flows: int, sigma: float) -> None:
    assert expected_maximum_normal(samples=flows) == pytest.approx(sigma, abs=0.006)


def test_expected_maximum_of_three_is_exact() -> None:
    assert expected_maximum_normal(samples=3) == pytest.approx(3 / (2 * 3.141592653589793**0.5), rel=1e-12)


def test_one_flow_has_no_jitter_limit() -> None:
    assert jitter_sigma_limit(budget=1, rounds=1, flows=1) == float("inf")


def test_end_to_end_availability() -> None:
    # 0.9999 × 0.999² = 0.99790: a 99.99 % backbone with two 99.9 % tails
    assert series_availability(availabilities=[0.9999, 0.999, 0.999]) == pytest.approx(0.9979, abs=1e-5)
    # all outages at once: only the worst part counts
    assert series_availability(availabilities=[0.99, 0.9], common_cause=1) == pytest.approx(0.9)


def test_common_cause_of_a_pair() -> None:
    # (0.9 × 0.001)² + 0.1 × 0.001 = 1.0081e-4
    pair = parallel_availability(availabilities=[0.999, 0.999], common_cause=0.1)
    assert 1 - pair == pytest.approx(1.0081e-4)
    assert parallel_availability(availabilities=[0.999], common_cause=0.5) == pytest.approx(0.999)


def test_worst_month() -> None:
    assert worst_month_availability(availability=0.999, months=3) == pytest.approx(0.997)  # 1 − 3 × 0.001
    assert worst_month_availability(availability=0.9, months=12) == 0


def test_daly_of_a_short_mtbf() -> None:
    assert daly_interval(checkpoint_time=300, mtbf=150) == 150  # δ ≥ 2M


def test_waste_is_a_share() -> None:
    assert gpu_waste_share(checkpoint_time=60, interval=600, restart_time=600, mtbf=100) == 1


def test_waiting_for_the_line() -> None:
    # policy: 0.576 GB per request, 20 a second, 200G × 0.93: 24.8 ms each, load 0.495, wait 12 ms
    service = 0.576e9 * 8 / 186e9
    assert md1_wait(load=20 * service, service_time=service) == pytest.approx(0.012, abs=5e-4)
    assert md1_wait(load=1, service_time=1) == float("inf")


def test_cache_hidden_by_prefill() -> None:
    assert kv_transfer_exposed(transfer=0.5, prefill=1, layers=10, one_way_delay=0.004) == 0.004


@pytest.mark.parametrize(("errors", "loss"), [(1e-12, 3.34e-8), (1e-9, 3.34e-5), (0, 0), (1, 1)])
def test_frame_loss(errors: float, loss: float) -> None:
    # 8 × 4178 bits a frame, policy section 1: 3.3e-8 and 3.3e-5
    assert frame_loss_from_bit_error_ratio(bit_error_ratio=errors, frame_bytes=4178) == pytest.approx(loss, rel=2e-3)
