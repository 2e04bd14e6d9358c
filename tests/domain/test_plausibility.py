"""Every rule of plausibility: a case that triggers it, its neighbour that does not, and what is asked."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.assessment import assess
from app.domain.facts import Evidence, Fact, State
from app.domain.formulas.registry import BY_ID as FORMULA
from app.domain.offers import parse_offers
from app.domain.plausibility import BY_ID, RULES
from app.domain.policy import parse_policy
from app.domain.rules import Status
from app.domain.workload import parse_workload
from tests.domain.examples import WORKLOAD, check, judge_one, offer, workload

SEGMENT_300 = [{"name": "A", "bandwidth_gbps": 400}, {"name": "骨干", "bandwidth_gbps": 300}]


def tiers(*rows: tuple[float, float, float], basis: str | None = None) -> dict[str, Any]:
    """Credit tiers (from, to, credit)."""
    more = {"basis": basis} if basis else {}
    return {"sla__credit_tiers": [{"from": a, "to": b, "credit": c, **more} for a, b, c in rows]}


# 500 km: light needs 9.79 µs · 500 = 4.895 ms; 1.15 times that is 5.629 ms, 2.5 times 12.24 ms.
CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("rtt_below_light", {"rtt_ms": 4.8}, {"rtt_ms": 4.9}),
    ("rtt_below_light", {"rtt_ms": 2.4, "rtt_direction": "one_way"}, {"rtt_ms": 2.5, "rtt_direction": "one_way"}),
    ("rtt_below_light", {"rtt_ms": 2.4, "rtt_direction": None}, {"rtt_ms": 4.8, "rtt_direction": None}),
    ("rtt_close_to_light", {"rtt_ms": 5.6}, {"rtt_ms": 5.7}),
    ("rtt_detour", {"rtt_ms": 12.3}, {"rtt_ms": 12.2}),
    # 1,100 km of fibre: 10.77 ms; 1,000 km: 9.79 ms; the offer says 10 ms
    ("rtt_below_own_route", {"distance_km": 1100}, {"distance_km": 1000}),
    ("route_below_straight_line", {"distance_km": 499}, {"distance_km": 500}),
    ("jitter_above_rtt", {"jitter_ms": 10.1}, {"jitter_ms": 9.9}),
    ("not_a_line_figure", {"rtt_ms": 0.002}, {"rtt_ms": 0.006}),
    ("loss_zero", {"packet_loss": 0}, {"packet_loss": 1e-9}),
    ("loss_zero", {"packet_loss": 0}, {"packet_loss": None}),
    ("loss_zero", {"packet_loss": 0}, {"packet_loss": False}),
    ("bit_errors_zero", {"bit_error_ratio": 0}, {"bit_error_ratio": 1e-15}),
    ("availability_full", {"sla__availability": 1}, {"sla__availability": 0.99999}),
    ("availability_full", {"sla__availability": 1}, {"sla__availability": False}),
    ("rate_above_segment", {"segments": SEGMENT_300}, {"segments": SEGMENT_300, "committed_gbps": 300}),
    ("rate_above_segment", {"segments": SEGMENT_300}, {"segments": [{"name": "A", "bandwidth_gbps": None}]}),
    ("committed_above_nominal", {"committed_gbps": 401}, {"committed_gbps": 400}),
    ("burst_below_base", {"burst_gbps": 399}, {"burst_gbps": 800}),
    ("burst_below_base", {"committed_gbps": 300, "burst_gbps": 299}, {"committed_gbps": 300, "burst_gbps": 400}),
    ("burst_denied", {"platform__elastic_bandwidth": False, "burst_gbps": 800}, {"burst_gbps": 800}),
    ("contention_below_one", {"oversubscription": 0.5}, {"oversubscription": 1}),
    ("credit_above_charge", {"sla__credit_cap": 5}, {"sla__credit_cap": 1}),
    ("credit_above_charge", tiers((0.99, 0.999, 2)), tiers((0.99, 0.999, 1))),
    ("tiers_overlap", tiers((0.9, 0.9995, 0.2), (0.999, 0.9999, 0.1)), tiers((0.9, 0.999, 0.2), (0.999, 0.9999, 0.1))),
    ("tiers_rise", tiers((0.99, 0.999, 0.1), (0.999, 0.9999, 0.2)), tiers((0.99, 0.999, 0.2), (0.999, 0.9999, 0.2))),
    (
        "tiers_rise",
        tiers((3600, 7200, 0.2), (7200, 14400, 0.1), basis="outage_duration"),
        tiers((3600, 7200, 0.1), (7200, 14400, 0.2), basis="outage_duration"),
    ),
]  # fmt: skip


def codes(**changes: Any) -> set[str]:
    """Codes found on the example offer with changes."""
    return {d.code for d in judge_one(**changes).doubts}


@pytest.mark.parametrize(("code", "odd", "fine"), CASES)
def test_a_rule_is_triggered_and_its_neighbour_is_not(code: str, odd: dict[str, Any], fine: dict[str, Any]) -> None:
    assert code in codes(**odd)
    assert code not in codes(**fine)


def test_every_rule_has_a_case() -> None:
    from_sheets = {"one_way_above_rtt"}  # the JSON form has one latency field; see below
    assert {code for code, _, _ in CASES} | from_sheets == set(BY_ID)
    assert len(BY_ID) == len(RULES)


def test_the_example_offer_is_plausible() -> None:
    assert judge_one().doubts == ()


def latency(metric: str, seconds: str, quote: str) -> Fact:
    """A latency as a sheet states it."""
    return Fact(
        metric=metric, state=State.STATED, value=Decimal(seconds), unit="s", statistic="p99", confirmed_by="buyer",
        evidence=Evidence(reader="xlsx", quote=quote),
    )  # fmt: skip


def sheet_codes(*facts: Fact) -> set[str]:
    """Codes of an offer whose latency comes from a sheet."""
    bare = parse_offers([offer(rtt_ms=None, rtt_statistic=None, rtt_direction=None)])[0]
    made = replace(bare, facts=(*bare.facts, *facts))
    return {d.code for d in assess(parse_workload(WORKLOAD), [made], parse_policy(None)).offers[0].doubts}


def test_one_way_longer_than_the_round_trip() -> None:
    assert "one_way_above_rtt" in sheet_codes(latency("rtt", "0.006", "6"), latency("one_way_delay", "0.007", "7"))
    assert "one_way_above_rtt" not in sheet_codes(latency("rtt", "0.006", "6"), latency("one_way_delay", "0.003", "3"))


def test_an_all_reduce_figure_is_no_line_figure_whatever_its_size() -> None:
    assert "not_a_line_figure" in sheet_codes(latency("rtt", "0.00002", "All-Reduce 时延 20 µs"))
    assert "not_a_line_figure" not in sheet_codes(latency("rtt", "0.006", "RTT 6 ms"))


def test_a_campus_line_may_be_that_short() -> None:
    # 0.4 km of straight line: light needs 3.92 µs, so 5 µs is a line's own figure
    near, far = workload(distance_km=0.4), workload(distance_km=500)
    assert "not_a_line_figure" not in {d.code for d in judge_one(near, rtt_ms=0.005).doubts}
    assert "not_a_line_figure" in {d.code for d in judge_one(far, rtt_ms=0.005).doubts}


def test_without_the_buyers_distance_nothing_is_called_impossible() -> None:
    judged = judge_one(workload(distance_km=None), rtt_ms=0.1)
    assert "rtt_below_light" not in {d.code for d in judged.doubts}
    assert check(judged, "latency.physics").status is Status.UNKNOWN
    # but the vendor's own 500 km of fibre contradict it
    assert "rtt_below_own_route" in {d.code for d in judged.doubts}


def test_what_is_odd_is_asked_and_stands_in_the_json() -> None:
    judged = judge_one(packet_loss=0, sla__availability=1)
    entries = judged.as_json()["plausibility"]
    assert [e["code"] for e in entries] == ["loss_zero", "availability_full"]
    assert all(e["message"]["zh"] and e["message"]["en"] for e in entries)
    assert all(d.question in judged.questions for d in judged.doubts)
    assert len(judged.questions) == len(set(judged.questions))


def test_zero_and_full_pass_their_gates_but_never_without_a_question() -> None:
    judged = judge_one(packet_loss=0, sla__availability=1)
    assert check(judged, "loss.packet_loss").status is Status.PASS
    assert {d.code for d in judged.doubts} == {"loss_zero", "availability_full"}


def test_the_sample_is_the_rule_of_three() -> None:
    # limit (1/280.2 − 1/350.3)·8·4096/7.3425 ms = 3.187e-6: 2.9957/3.187e-6 = 940 thousand packets
    message = next(d.message.en for d in judge_one(packet_loss=0).doubts if d.code == "loss_zero")
    assert "940,000 packets" in message
    # floor 99.9 %, 4 h a repair: chance 0.001/4 an hour; 2.9957/2.5e-4 = 11,981 h = 499 days
    message = next(d.message.en for d in judge_one(sla__availability=1).doubts)
    assert "499 days" in message


@given(st.floats(1e-12, 0.5), st.floats(0.5, 0.999))
def test_the_sample_proves_exactly_its_bound(bound: float, confidence: float) -> None:
    n = FORMULA["proof_samples"](bound=bound, confidence=confidence)
    enough, short = math.ceil(n), math.floor(n)
    assert FORMULA["loss_upper_bound"](packets=enough, confidence=confidence) <= bound * (1 + 1e-9)
    if short:
        assert FORMULA["loss_upper_bound"](packets=short, confidence=confidence) >= bound * (1 - 1e-9)


def test_physics_asks_for_the_map_only_close_to_the_limit() -> None:
    def asked(ms: float) -> tuple[str, ...]:
        return tuple(q.en for q in check(judge_one(rtt_ms=ms), "latency.physics").finding.questions)

    assert "fibre map" in asked(5.6)[0]
    assert asked(8.0) == ()
    assert "route map" in asked(13.0)[0]
