"""The worked line of the contract, recomputed by hand beside each figure."""

from __future__ import annotations

import pytest

from app.domain.assessment import Outcome
from app.domain.check_ids import CHECK_IDS
from tests.domain.examples import judge_all, judge_one, offer, workload


def test_requirement_of_the_example():
    lines = judge_all([offer()]).requirement.main
    # E = 2(2−1)/2 · 1.75e11 · 2 B = 350 GB; RTT_ref = 1.5 · 9.79 µs · 500 km = 7.3425 ms
    assert lines.size == pytest.approx(350e9)
    assert lines.reference.rtt == pytest.approx(7.3425e-3)
    # floor = 8 · 350e9 / (10 − 2 · 7.3425e-3 / 2) = 2.8e12 / 9.9926575 = 280.2057e9; target × 1.25 = 350.2572e9
    assert lines.floor == pytest.approx(280.2057e9, rel=1e-6)
    assert lines.target == pytest.approx(350.2572e9, rel=1e-6)
    # (1/280.2057e9 − 1/350.2572e9) · 8 · 4096 / 7.3425e-3 = 7.13764e-13 · 32768 / 7.3425e-3 = 3.1854e-6
    assert lines.loss_limit == pytest.approx(3.1854e-6, rel=1e-4)
    # RTT_max = 2 · (10 − 2.8e12/350.2572e9) / 2 = 10 − 7.99413 = 2.00587 s
    assert lines.rtt_limit == pytest.approx(2.00587, rel=1e-4)
    # σ: 1 % of 13.638 s over 2 rounds × z(64) = 0.13638 / (2 · 2.3438) = 0.029094 s
    assert lines.sigma_limit == pytest.approx(0.029094, rel=1e-3)
    assert lines.round_trips == 1


def test_prediction_of_the_example():
    central = judge_one().prediction.central
    assert central is not None
    # headers: 4096 / (4096 + 82 + 4 VLAN) = 0.979436; BDP 400e9 · 10e-3 / 8 / 4096 = 122,070 packets;
    # go-back-N: 1 / (1 + 1e-7 · 122,070) = 0.98794; 400 · 0.979436 · 0.98794 = 387.05 Gbit/s
    assert central.effective == pytest.approx(387.05e9, rel=1e-4)
    # 2.8e12 / 387.05e9 = 7.2342; + 2 · 10 ms / 2 = 0.0100; + jitter 2 · (0.05/2.326 ms) · 2.344 = 0.0001 → 7.2443
    assert central.sync == pytest.approx(7.2443, rel=1e-4)
    # cover (2/3) · 13.638 / 64 · (1 − 1/96) = 0.14058; exposed 7.2443 − 0.1406 = 7.1037
    assert central.exposed == pytest.approx(7.1037, rel=1e-4)
    assert central.step == pytest.approx(20.742, rel=1e-4)  # 13.638 + 7.1037
    assert central.utilization == pytest.approx(0.6575, rel=1e-3)  # 13.638 / 20.742


def test_waterfall_has_every_stage_and_never_rises():
    stages = judge_one().prediction.stages
    assert [s.stage for s in stages] == [
        "nominal", "weakest_segment", "oversubscription", "headers", "window", "loss",
    ]  # fmt: skip
    rates = [s.rate for s in stages]
    assert rates == sorted(rates, reverse=True)


def test_the_example_is_recommended_with_every_check_of_the_contract():
    judged = judge_one()
    assert judged.outcome is Outcome.RECOMMENDED
    assert judged.rank == 1
    assert [c.rule.id for c in judged.checks] == list(CHECK_IDS)


def test_json_has_every_field_of_the_contract():
    whole = judge_all([offer()]).as_json()
    assert set(whole) >= {
        "requirement", "offers", "recommended", "recommended_index", "rulebook_version", "content_sha256",
    }  # fmt: skip
    assert set(whole["requirement"]) >= {
        "bandwidth_floor_gbps", "bandwidth_target_gbps", "article", "rtt_limit_ms", "jitter_limit_ms",
        "packet_loss_limit", "availability_floor", "bytes_per_step_per_site", "blocking_round_trips_per_step",
        "reference", "working", "advice", "warnings",
    }  # fmt: skip
    one = whole["offers"][0]
    assert set(one) >= {
        "vendor", "product", "verdict", "rank", "score", "steps", "checks", "prediction", "cost", "questions",
    }  # fmt: skip
    assert [s["step"] for s in one["steps"]] == [1, 2, 3, 4]
    assert set(one["checks"][0]) >= {
        "id", "step", "grade", "scenario", "status", "required", "offered", "unit", "margin", "readings", "confirmed",
        "reason", "source", "formula", "evidence",
    }  # fmt: skip
    assert set(one["prediction"]) >= {
        "effective_bandwidth_gbps", "sync_time_s", "exposed_sync_s", "step_time_s", "utilization", "low", "high",
        "waterfall",
    }  # fmt: skip
    assert set(one["cost"]) >= {
        "compared", "currency", "monthly", "term_total", "idle_gpu_monthly", "layout_share_monthly",
        "outage_gpu_monthly", "effective_monthly", "cost_per_useful_gpu_hour", "missing",
    }  # fmt: skip
    assert whole["recommended"] == "甲运营商"
    assert whole["recommended_index"] == 0


def test_without_the_sync_target_no_400g_line_can():
    judged = judge_all([offer()], workload(training__target_sync_s=..., training__target_utilization=0.9))
    # B = (1/0.9 − 1) · 13.638 + 0.14058 = 1.65592; floor = 2.8e12 / (1.65592 − 0.0073425) = 1698.4e9
    assert judged.requirement.main.floor == pytest.approx(1698.4e9, rel=1e-4)
    assert judged.offers[0].outcome is Outcome.REJECTED
    assert "consider_pipeline" in [n.code for n in judged.requirement.advice]


def test_the_article_and_ours_stand_side_by_side():
    requirement = judge_all([offer()]).requirement
    # P · 4 B · 2 / (T · 0.7) = 1.4e12 / 9.5466 = 146.65 GB/s = 1,173.2 Gbit/s per GPU
    assert requirement.article["per_gpu_gbps"] == pytest.approx(1173.2, rel=1e-4)
    assert requirement.article["gradient_gbytes"] == pytest.approx(700)  # 1.75e11 · 4 B
