"""Every check: one field of the example changed, the status and the verdict that must follow."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.assessment import Outcome
from app.domain.rules import Status
from tests.domain.examples import check, judge_all, judge_one, offer, workload

PASS, FAIL, UNKNOWN, NA = Status.PASS, Status.FAIL, Status.UNKNOWN, Status.NOT_APPLICABLE
REJECTED, CONDITIONAL, GOOD = Outcome.REJECTED, Outcome.CONDITIONAL, Outcome.RECOMMENDED

SEGMENT_100 = [{"name": "A", "bandwidth_gbps": 400}, {"name": "middle", "bandwidth_gbps": 100}]
SEGMENT_OPEN = [{"name": "A", "bandwidth_gbps": 400}, {"name": "middle", "bandwidth_gbps": None}]
SEGMENT_OPEN_LOW = [{"name": "A", "bandwidth_gbps": 200}, {"name": "middle", "bandwidth_gbps": None}]

PFC = {"layer": "ethernet"}
PFC_300 = PFC | {"topology__lossless_mechanism": "PFC，深缓存 300 MB"}

CASES = [
    # step 1
    ("bandwidth.end_to_end", {"segments": SEGMENT_100}, FAIL, REJECTED),
    ("bandwidth.end_to_end", {"segments": SEGMENT_OPEN}, UNKNOWN, CONDITIONAL),
    ("bandwidth.end_to_end", {"segments": SEGMENT_OPEN_LOW}, FAIL, REJECTED),
    ("bandwidth.end_to_end", {"segments": ...}, PASS, GOOD),
    ("bandwidth.end_to_end", {"bandwidth_gbps": None, "segments": ...}, UNKNOWN, CONDITIONAL),
    ("bandwidth.end_to_end", {"committed_gbps": 200}, FAIL, REJECTED),
    # 400 · 0.97944 / (1 + 1.22) = 176 Gbit/s at a loss of 1e-5
    ("bandwidth.effective", {"packet_loss": 1e-5}, FAIL, REJECTED),
    ("bandwidth.effective", {"packet_loss": None}, UNKNOWN, CONDITIONAL),
    ("bandwidth.effective", {"oversubscription": 2}, FAIL, REJECTED),
    (
        "bandwidth.effective",
        {"mtu_bytes": 1500},
        PASS,
        GOOD,
    ),  # 1024/1110 · 400 = 369, at 4 × the packets: · 0.953 = 352
    ("bandwidth.effective", {"mtu_bytes": 300}, FAIL, REJECTED),
    ("bandwidth.symmetric", {"topology__symmetric_bandwidth": False}, FAIL, REJECTED),
    ("bandwidth.symmetric", {"topology__symmetric_bandwidth": None}, PASS, GOOD),
    ("bandwidth.symmetric", {"topology__symmetric_bandwidth": None, "layer": "ip"}, UNKNOWN, CONDITIONAL),
    # step 2
    ("latency.rtt", {"rtt_ms": None}, UNKNOWN, CONDITIONAL),
    ("latency.rtt", {"rtt_ms": False}, FAIL, REJECTED),
    ("latency.rtt", {"rtt_direction": None}, PASS, GOOD),  # 10 or 20 ms, both far below 2 s
    ("latency.physics", {"rtt_ms": 4.8}, FAIL, REJECTED),  # light needs 4.895 ms for 500 km
    ("latency.physics", {"rtt_ms": 4.8, "rtt_direction": None}, UNKNOWN, CONDITIONAL),
    ("latency.physics", {"rtt_ms": 4.8, "rtt_direction": "one_way"}, PASS, GOOD),
    ("latency.jitter", {"jitter_ms": None}, UNKNOWN, GOOD),  # limit 29 ms ≥ 10 ms: key, not gate
    ("latency.jitter", {"jitter_ms": 100}, FAIL, GOOD),
    ("loss.packet_loss", {"packet_loss": None}, UNKNOWN, CONDITIONAL),
    ("loss.packet_loss", {"packet_loss": False}, FAIL, REJECTED),
    ("loss.packet_loss", {"packet_loss": 3.3e-6}, FAIL, REJECTED),
    ("loss.packet_loss", {"packet_loss": 3.1e-6}, PASS, GOOD),  # 391.77 / (1 + 3.1e-6 · 122,070) = 284.2 ≥ 280.2
    # 4178 · 8 · 1e-12 = 3.34e-8 from a post-FEC bit error ratio on OTN
    ("loss.packet_loss", {"packet_loss": None, "bit_error_ratio": 1e-12}, PASS, GOOD),
    ("loss.packet_loss", {"packet_loss": None, "bit_error_ratio": 1e-9}, FAIL, REJECTED),
    ("loss.packet_loss", {"packet_loss": None, "bit_error_ratio": 1e-12, "layer": "ip"}, UNKNOWN, CONDITIONAL),
    ("sla.availability", {"sla__availability": 0.998}, FAIL, REJECTED),
    ("sla.availability", {"sla__availability": None}, UNKNOWN, CONDITIONAL),
    ("sla.availability", {"sla__availability": False}, FAIL, REJECTED),
    # a year at 99.99 %: worst month 1 − 12 · 0.0001 = 99.88 % < 99.9 %
    ("sla.availability", {"sla__period": "year"}, UNKNOWN, CONDITIONAL),
    ("sla.availability", {"sla__period": "quarter"}, PASS, GOOD),  # 1 − 3 · 0.0001 = 99.97 %
    ("sla.availability", {"sla__scope": "network"}, UNKNOWN, CONDITIONAL),
    ("sla.definition", {"sla__exclusions": None}, UNKNOWN, CONDITIONAL),
    ("sla.definition", {"sla__scope": None}, UNKNOWN, CONDITIONAL),
    ("sla.definition", {"sla__commitment": "target"}, UNKNOWN, CONDITIONAL),
    ("sla.definition", {"sla__scope": "pair", "topology__paths": 1}, FAIL, REJECTED),
    ("sla.compensation", {"sla__credit_tiers": None}, UNKNOWN, GOOD),
    ("sla.compensation", {"sla__credit_cap": 0.2}, FAIL, GOOD),
    ("sla.repair_time", {"sla__repair_time_h": 9}, FAIL, GOOD),
    ("sla.failover", {"sla__failover_ms": 600}, FAIL, GOOD),
    ("sla.failover", {"topology__paths": 1}, NA, GOOD),
    # step 3
    ("topology.homogeneous", {"topology__homogeneous": True}, NA, GOOD),
    ("topology.lossless_transport", {"topology__lossless_transport": False}, FAIL, REJECTED),
    # 400G over 500 km needs 400e9/8 · 4.895 ms = 245 MB a port: "supported" alone is not enough
    ("topology.lossless_transport", {"layer": "ethernet", "topology__lossless_mechanism": None}, UNKNOWN, CONDITIONAL),
    ("topology.lossless_transport", {"layer": "ethernet"}, PASS, GOOD),
    # PFC without a buffer, with 300 MB and with 200 MB
    ("topology.lossless_transport", PFC | {"topology__lossless_mechanism": "PFC + ECN"}, UNKNOWN, CONDITIONAL),
    ("topology.lossless_transport", PFC | {"topology__lossless_mechanism": "PFC，深缓存 300 MB"}, PASS, GOOD),
    ("topology.lossless_transport", PFC | {"topology__lossless_mechanism": "PFC, 0.2 GB buffer"}, FAIL, REJECTED),
    # without the vendor's route: 245 MB over the straight line, 367 MB over 1.5 times as much
    ("topology.lossless_transport", PFC_300 | {"distance_km": None}, UNKNOWN, CONDITIONAL),
    ("topology.symmetric_routes", {"topology__symmetric_routes": None}, PASS, GOOD),
    ("topology.symmetric_routes", {"topology__symmetric_routes": None, "layer": "ip"}, UNKNOWN, CONDITIONAL),
    ("topology.oversubscription", {"oversubscription": 1.3}, PASS, GOOD),  # 387.05/280.2 = 1.381
    ("topology.oversubscription", {"oversubscription": 1.5}, FAIL, REJECTED),
    ("topology.oversubscription", {"oversubscription": None}, PASS, GOOD),
    ("topology.oversubscription", {"oversubscription": None, "layer": "ethernet"}, UNKNOWN, CONDITIONAL),
    ("topology.redundancy", {"topology__paths": 1}, FAIL, GOOD),
    ("topology.redundancy", {"topology__diverse_paths": None}, UNKNOWN, GOOD),
    # step 4
    ("platform.telemetry", {"platform__telemetry": False}, FAIL, REJECTED),
    ("platform.telemetry", {"platform__telemetry": None}, UNKNOWN, CONDITIONAL),
    ("platform.api", {"platform__api": None}, UNKNOWN, GOOD),
]


@pytest.mark.parametrize(("check_id", "changes", "status", "outcome"), CASES, ids=lambda v: str(v)[:60])
def test_one_field_changed(check_id, changes, status, outcome):
    judged = judge_one(**changes)
    assert check(judged, check_id).status is status, check(judged, check_id).finding.reason.en
    assert judged.outcome is outcome, [r.en for r in judged.reasons]


def test_silence_on_loss_is_a_question_never_zero_never_a_pass():
    judged = judge_one(packet_loss=None)
    found = check(judged, "loss.packet_loss").finding
    assert found.offered is None
    assert "丢包" in " ".join(q.zh for q in judged.questions)
    assert judged.prediction.central is None
    assert judged.cost.effective is None
    assert not judged.cost.compared
    assert judged.rank is None


@pytest.mark.parametrize("grade", ["target", "design", "observed"])
def test_a_gate_needs_a_promise(grade):
    judged = judge_one(sla__commitment=grade)
    assert check(judged, "sla.availability").status is UNKNOWN
    assert judged.outcome is CONDITIONAL


def test_budgetary_and_expired_quotes_are_conditional():
    assert judge_one(quote__grade="budgetary").outcome is CONDITIONAL
    policy = {"evaluation_date": "2027-04-01"}
    assert judge_one(policy=policy).outcome is CONDITIONAL  # valid until 2027-03-31
    assert judge_one(policy={"evaluation_date": "2027-03-31"}).outcome is GOOD


def test_platform_needs_sixty_percent_of_its_points():
    # counted for OTN between two sites: 25 + 20 + 15 + 10 + 10 + 5 + 5 = 90; 60 % = 54
    few: dict[str, Any] = {
        f"platform__{f}": False for f in ("fast_fault_detection", "unified_management", "elastic_bandwidth")
    }
    judged = judge_one(**few)  # 25 + 10 + 5 + 5 = 45 < 54
    assert judged.steps[3].points == 45
    assert judged.steps[3].points_max == 90
    assert judged.outcome is REJECTED
    silent = dict.fromkeys(few)
    assert judge_one(**silent).outcome is CONDITIONAL  # 45 earned, 45 open: may still reach 54


def test_a_waiver_names_the_person_and_the_reason():
    waiver = {
        "check": "platform.telemetry",
        "vendor": "甲运营商",
        "product": "400G 智算专线",
        "by": "王工",
        "reason": "自建监测",
    }
    judged = judge_one(policy={"waivers": [waiver]}, platform__telemetry=False)
    found = check(judged, "platform.telemetry")
    assert found.status is Status.WAIVED
    assert "王工" in found.finding.reason.zh
    assert "自建监测" in found.finding.reason.en
    assert judged.outcome is GOOD


def test_a_policy_can_turn_a_key_check_into_a_gate_and_a_gate_off():
    assert judge_one(policy={"grades": {"sla.repair_time": "gate"}}, sla__repair_time_h=9).outcome is REJECTED
    assert judge_one(policy={"grades": {"platform.telemetry": "off"}}, platform__telemetry=False).outcome is GOOD


def test_redundancy_becomes_a_gate_from_1024_gpus():
    job = workload("175b_1024")
    judged = judge_all([offer(topology__paths=1)], job).offers[0]
    assert check(judged, "topology.redundancy").grade.value == "gate"
    assert judged.outcome is REJECTED


def test_remote_inference_judges_by_its_own_lines():
    job = workload("remote_inference")
    judged = judge_all([offer(rtt_ms=4, distance_km=200)], job).offers[0]
    assert check(judged, "latency.rtt").status is PASS
    assert check(judged, "topology.lossless_transport").status is NA
    at_the_line = judge_all([offer(rtt_ms=5, distance_km=200)], job).offers[0]
    assert check(at_the_line, "latency.rtt").status is FAIL  # strictly below 5 ms
    undirected = judge_all([offer(rtt_ms=3, rtt_direction=None, distance_km=200)], job).offers[0]
    assert check(undirected, "latency.rtt").status is UNKNOWN  # 3 passes, 6 does not


def test_mixed_is_judged_by_both_and_adds_the_demands():
    job = workload() | {"scenario": "mixed", "inference": workload("prefill_decode")["inference"]}
    judged = judge_all([offer()], job)
    # 280.2 + 138.16 (8 · 20 · 70,272 · 8,192 · 1.5) = 418.4 Gbit/s: 400G no longer fits
    assert judged.requirement.as_json()["bandwidth_floor_gbps"] == pytest.approx(418.37, rel=1e-4)
    assert judged.offers[0].outcome is REJECTED
    assert {c.scenario for c in judged.offers[0].checks} == {"training", "inference"}


def test_a_check_on_the_line_passes_and_one_beyond_it_fails():
    limit = judge_all([offer()]).requirement.main.loss_limit
    assert check(judge_one(packet_loss=limit), "loss.packet_loss").status is PASS
    assert check(judge_one(packet_loss=limit * 1.001), "loss.packet_loss").status is FAIL


def test_the_buyers_own_round_trip_limit_is_a_gate_even_where_the_first_token_binds():
    # Limit 600 ms of the buyer, time to first token leaves 1,000 − 500 = 500 ms: the tighter line, still a gate.
    got = judge_one(workload("remote_inference", inference__rtt_limit_ms=600), rtt_ms=550)
    assert (check(got, "latency.rtt").grade.value, check(got, "latency.rtt").status.value) == ("gate", "fail")


def test_go_back_n_is_a_ceiling_where_every_window_loses_a_packet():
    # 800G, 10 ms, 4096 B: a window is 244,141 packets. At 6e-6 p·W = 1.465: the formula promises 800/2.465 = 324.6
    # Gbit/s before headers, paced to one loss a window 8·4096/(6e-6·0.01)/2 = 273.07; headers leave 0.97944 of it.
    judged = judge_one(bandwidth_gbps=800, segments=None, packet_loss=6e-6)
    low, central = judged.prediction.low, judged.prediction.central
    assert central.effective / 1e9 == pytest.approx(324.6 * 4096 / 4182, rel=1e-3)
    untuned = 32 * 4 * 2**20 * 8 / 0.010  # 107.4 Gbit/s: the window nobody tuned is tighter still
    assert low.effective == pytest.approx(untuned, rel=1e-3)
    tuned = judge_one(
        workload(network__window_bytes=1e9), bandwidth_gbps=800, segments=None, packet_loss=6e-6
    ).prediction.low
    assert tuned.effective / 1e9 == pytest.approx(273.07 * 4096 / 4182, rel=1e-3)


def test_go_back_n_above_one_in_a_thousand_is_unusable_at_the_low_end():
    low = judge_one(packet_loss=2e-3).prediction.low
    assert low.effective == 0.0


def test_too_few_tcp_streams_are_the_buyers_own_to_raise():
    # 1e-5, 10 ms, MSS 1448 (timestamps): W = 1.054·(0.01/1e-5)^¾ = 187.4 < 1.2/√1e-5 = 379.5 segments;
    # 379.5 · 1448 · 8 / 0.01 = 439.6 Mbit/s a stream. 280.2057/0.43959 = 637.4: 638 streams.
    job = workload(network__transport="tcp_cubic")
    judged = judge_one(job, packet_loss=1e-5, mtu_bytes=1500, encapsulation=[])
    found = check(judged, "bandwidth.effective").finding
    assert found.status is Status.FAIL
    assert "638 TCP streams of your own instead of 32" in found.reason.en
    assert "32 条加到 638 条" in found.reason.zh
    many = judge_one(
        workload(network__transport="tcp_cubic", network__streams=638), packet_loss=1e-5, mtu_bytes=1500,
        encapsulation=[],
    )  # fmt: skip
    assert check(many, "bandwidth.effective").finding.status is Status.PASS
