"""Weighted presets: policy 2 (intervals) and 3 (weights), each figure with its arithmetic."""

from __future__ import annotations

import pytest

from app.domain.assessment import Outcome
from app.domain.points import interval
from app.domain.weights import WEIGHTS
from tests.domain.examples import judge_all, judge_one, offer, workload

STRICT = {"preset": "AI-training"}


def factor(judged, name):
    row = next(f for f in judged.score.factors if f.factor.id == name)
    return (row.weight, row.band.low, row.band.high) if row.band else (row.weight, None, None)


def test_every_preset_adds_up_to_a_hundred():
    assert {name: sum(w.values()) for name, w in WEIGHTS.items()} == dict.fromkeys(WEIGHTS, 100)


@pytest.mark.parametrize(
    ("row", "value", "points"),
    [
        ("bandwidth.effective", 1.30, 85), ("bandwidth.effective", 1.29999, 70), ("bandwidth.effective", 0.99, 0),
        ("sla.repair_time", 4 * 3600, 70), ("sla.repair_time", 25 * 3600, 0), ("failover", 0.05, 100),
        ("contention", 1.0, 100), ("contention", 1.2, 70), ("sla.compensation", 5 / 730, 25), ("price", 1.01, 0),
    ],
)  # fmt: skip
def test_the_upper_row_wins_on_a_boundary(row, value, points):
    assert interval(row, value) == points


def test_the_example_under_the_strict_preset():
    got = judge_one(policy=STRICT)
    assert got.outcome is Outcome.RECOMMENDED
    expected = {
        "bandwidth.effective": (12, 85, 85),  # 387.05 / 280.21 = 1.381
        "outcome": (8, 25, 25),  # utilisation 0.6575
        "latency.rtt": (4, 100, 100),  # 10 / 2,006 ms
        "latency.jitter": (6, 100, 100),  # 0.0215 / 29.1 ms
        "loss.packet_loss": (10, 85, 85),  # 1e-7 / 3.19e-6 = 0.031
        "sla.availability": (6, 85, 85),  # 99.99 % a month
        "topology.redundancy": (5, 92.5, 92.5),  # mean of two diverse paths 85 and 50 ms 100
        "topology.oversubscription": (4, 100, 100),  # 1:1, co-routed and stated
        "platform": (10, 800 / 9, 100),  # 80 to 90 of 90: elastic without burst, switching time
        "sla.repair_time": (4, 70, 70),  # 4 h
        "sla.compensation": (4, 70, 70),  # 10 % for five hours
        "sla.definition": (2, 100, 100),  # 8 of 8
        "delivery": (5, 185 / 3, 285 / 3),  # mean of 45 d 85, exit unknown 0…100, firm 100
        "price": (20, 0, 0),  # no ceiling
    }
    assert {name: factor(got, name) for name in expected} == {k: pytest.approx(v) for k, v in expected.items()}
    # 10.2+2+4+6+8.5+5.1+4.625+4+10+2.8+2.8+2 = 62.025, delivery 5 · 61.67 % = 3.083 … 5 · 95 % = 4.75,
    # and at the low end 10 · 11.11 % = 1.111 less for the platform
    assert got.score.low == pytest.approx(65.1083 - 1.1111, abs=1e-3)
    assert got.score.high == pytest.approx(66.775, abs=1e-3)


def test_a_ceiling_gives_price_its_points():
    # 1,048,025 / 1,300,000 = 0.806 → 50
    assert factor(judge_one(policy=STRICT | {"price_ceiling": 1_300_000}), "price") == (20, 50, 50)


def test_unknown_counts_nothing_and_shows_as_a_band():
    assert factor(judge_one(policy=STRICT, sla__repair_time_h=None), "sla.repair_time") == (4, 0, 100)
    assert factor(judge_one(policy=STRICT, sla__repair_time_h=False), "sla.repair_time") == (4, 0, 0)


def test_a_factor_without_a_line_gives_its_weight_to_bandwidth():
    job = workload("remote_inference", inference__ttft_target_ms=None, inference__rtt_limit_ms=None)
    got = judge_one(job, {"preset": "AI-inference"}, rtt_ms=4)
    assert factor(got, "outcome")[0] == factor(got, "latency.rtt")[0] == 0
    assert factor(got, "bandwidth.effective")[0] == 8 + 10 + 8


def test_points_decide_the_rank_and_cost_breaks_the_tie():
    better = offer(vendor="A", price__monthly=500000, sla__repair_time_h=1)  # 100 instead of 70 on repair
    cheaper = offer(vendor="B", price__monthly=300000)
    dearer = offer(vendor="C", price__monthly=350000)
    ranks = {j.offer.vendor: j.rank for j in judge_all([dearer, cheaper, better], policy=STRICT).offers}
    assert ranks == {"A": 1, "B": 2, "C": 3}
    alone = judge_all([dearer, cheaper], policy=STRICT).offers
    assert [j.rank for j in alone] == [2, 1]  # a vendor more or less reorders nobody


def test_the_rejected_have_no_score_and_plain_cost_has_none():
    assert judge_one(policy=STRICT, platform__telemetry=False).score is None
    assert judge_one().score is None
