"""An offer that keeps every line drawn for all bidders, but misses the target by its own figures, is not passed."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.bench import edge
from app.domain.rules import Status
from tests.domain.examples import check, judge_one, workload

BARE: dict[str, Any] = {"segments": [], "encapsulation": [], "packet_loss": 0}


def test_a_rate_and_a_delay_that_use_the_budget_up_together_miss_the_target() -> None:
    # 290 Gbit/s: 290·4096/4178 = 284.31 > floor 280.2; RTT 1.5 s < its limit of 2.0 s at 350 Gbit/s. Together
    # 2,800/284.31 + 1.5 = 11.35 s of the 10 s wanted.
    judged = judge_one(bandwidth_gbps=290, rtt_ms=1500, **BARE)
    found = check(judged, "bandwidth.effective")
    assert found.status is Status.FAIL
    assert "11.35" in found.finding.reason.en
    assert judged.outcome == "rejected"
    assert judged.prediction.central is not None
    assert judged.prediction.central.sync == pytest.approx(11.35, abs=0.01)


def test_a_utilisation_just_missed_is_within_the_tolerance_and_one_clearly_missed_is_not() -> None:
    # The target of 0.9 allows T_ref/9 of waiting; a miss below 0.5 % of it is rounding of the lines.
    job = workload("175b_data", training__target_sync_s=...)
    job["training"]["target_utilization"] = 0.9
    just = judge_one(job, bandwidth_gbps=1735, rtt_ms=7.342, jitter_ms=0, **BARE)
    far = judge_one(job, bandwidth_gbps=1735, rtt_ms=150, jitter_ms=0, **BARE)
    assert check(just, "bandwidth.effective").status is Status.PASS
    assert check(far, "bandwidth.effective").status is Status.FAIL


def test_silence_on_delay_leaves_the_target_open() -> None:
    judged = judge_one(bandwidth_gbps=290, rtt_ms=None, **BARE)
    assert check(judged, "bandwidth.effective").status is Status.UNKNOWN


def test_an_unstated_frame_size_is_asked_for_even_on_a_transparent_line() -> None:
    found = check(judge_one(mtu_bytes=None), "bandwidth.effective")
    assert found.status is Status.PASS
    assert any("4,200" in q.en for q in found.finding.questions)


def test_bit_errors_that_lose_more_than_promised_leave_the_loss_open() -> None:
    # 1e-6 over 8·4,178 bits loses 1 − e^(−0.033424) = 3.29 % of the frames, far from the 1e-9 promised.
    judged = judge_one(packet_loss=1e-9, bit_error_ratio=1e-6)
    found = check(judged, "loss.packet_loss")
    assert found.status is Status.UNKNOWN
    assert found.finding.readings == pytest.approx((1e-9, 0.03287), rel=1e-3)
    assert any("bit error ratio" in q.en for q in found.finding.questions)
    assert judged.outcome == "conditional"
    # 1e-14 loses 3.3e-10: the two agree, and nothing is asked.
    agree = check(judge_one(packet_loss=1e-9, bit_error_ratio=1e-14), "loss.packet_loss")
    assert (agree.status, agree.finding.questions) == (Status.PASS, ())


def test_a_delay_too_short_for_the_vendors_own_fibre_is_no_pass() -> None:
    # 5,000 km of fibre take 48.95 ms there and back; 10 ms and 5,000 km cannot both be true.
    judged = judge_one(distance_km=5000, rtt_ms=10)
    found = check(judged, "latency.physics")
    assert found.status is Status.UNKNOWN
    assert "48.95" in found.finding.reason.en
    assert judged.outcome == "conditional"


def test_an_expiry_nobody_could_check_is_told() -> None:
    told = [q.en for q in judge_one(quote__valid_until="2020-01-01").questions]
    assert any("2020-01-01" in q and "evaluation date" in q for q in told)
    dated = judge_one(policy={"evaluation_date": "2026-11-30"}, quote__valid_until="2020-01-01")
    assert dated.outcome == "conditional"
    assert not any("evaluation date" in q.en for q in dated.questions)


def test_a_quoted_rate_below_every_segment_is_the_weakest_part() -> None:
    found = check(judge_one(bandwidth_gbps=100), "bandwidth.end_to_end")  # all three segments have 400
    assert found.finding.reason.en.startswith("The quoted rate is only 100")


@pytest.mark.parametrize("bad", [0.0, 1e-9])
def test_the_search_for_an_edge_ends_at_nothing(bad: float) -> None:
    # between 400 that holds and nothing that does not: the edge is 280.2057, kept to five digits upwards
    assert edge(lambda v: v >= 280.2057, 400.0, bad) == pytest.approx(280.21)
    assert edge(lambda v: v <= 3e-6, bad and 1e-7, 0.5) == pytest.approx(3e-6)
    assert edge(lambda v: v <= 0, 0.0, 0.5) == 0.0
