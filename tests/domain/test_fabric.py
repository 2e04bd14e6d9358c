"""The buyer's fabric: ratios by hand, what stays inside, contradictions, and that no ratio touches a line."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.assessment import assess
from app.domain.fabric import Audit, Tier
from app.domain.facts import Evidence, Fact, State
from app.domain.formulas.registry import BY_ID as FORMULA
from app.domain.offers import parse_offers
from app.domain.policy import parse_policy
from app.domain.requirement import Requirement, derive
from app.domain.rules import Status
from app.domain.workload import parse_workload
from tests.domain.examples import check, judge_one, offer, workload

ARTICLE = {"leaf_down_ports": 80, "leaf_up_ports": 128, "leaves": 128, "spines": 128}


def derived(**fabric: Any) -> Requirement:
    """The 175B job with this fabric."""
    return derive(parse_workload(workload(fabric=fabric)), parse_policy(None))


def audit(**fabric: Any) -> Audit:
    """Its audit."""
    found = derived(**fabric).fabric
    assert found is not None
    return found


def tier(found: Audit, id_: str) -> Tier:
    """One tier."""
    return next(t for t in found.tiers if t.id == id_)


def codes(**fabric: Any) -> set[str]:
    """Codes of what the audit names."""
    return {n.code for n in audit(**fabric).notices}


def test_the_articles_fabric_is_over_built_not_one_to_one() -> None:
    found = audit(**ARTICLE)
    assert tier(found, "leaf").working.value == 0.625  # 80·400 / (128·400)
    assert "not 1:1" in tier(found, "leaf").note.en
    assert found.notices == ()
    row = next(d for d in derived(**ARTICLE).differences if d.id == "leaf_spine")
    assert row.refined is not None
    assert (row.article.value, row.refined.value) == (1.0, 0.625)


def test_ports_of_another_rate_count_by_their_rate() -> None:
    # 48 · 400 = 19,200 over 8 · 800 = 6,400
    assert tier(audit(leaf_down_ports=48, leaf_up_ports=8, leaf_up_gbps=800), "leaf").working.value == 3
    assert tier(audit(leaf_down_ports=48, leaf_up_ports=8, nic_gbps=200), "leaf").working.value == 6


def test_nics_over_the_line_stand_beside_the_exposed_time() -> None:
    # 64 · 400G over the floor of 280.2 Gbit/s; the budget of 10 s less the cover of 0.1406 s stays exposed
    found = tier(audit(nics_per_site=64, nic_gbps=400), "line_floor")
    assert found.working.value == pytest.approx(25600 / 280.2, rel=1e-4)
    assert "9.86 s" in found.note.en


def test_the_articles_eight_to_one_and_sixty_four_to_one() -> None:
    ratio = FORMULA["oversubscription_ratio"]
    assert ratio(access_bandwidth=8 * 400e9, uplink_bandwidth=400e9) == 8
    assert ratio(access_bandwidth=64 * 400e9, uplink_bandwidth=400e9) == 64


@given(st.integers(1, 4096), st.sampled_from([25.0, 100.0, 400.0, 800.0]))
def test_no_number_of_nics_changes_an_offer(nics: int, rate: float) -> None:
    plain, many = judge_one(), judge_one(workload(fabric={"nics_per_site": nics, "nic_gbps": rate}))
    assert many.prediction == plain.prediction
    assert [c.status for c in many.checks] == [c.status for c in plain.checks]
    assert derived(nics_per_site=nics, nic_gbps=rate).main.floor == derived().main.floor


LEAF_32 = {"leaf_down_ports": 32, "nics_per_site": 64}
SPINES_64 = {"leaf_up_ports": 64, "spines": 64}
HALVED = {"nic_gbps": 100, "leaf_down_ports": 2, "leaf_up_ports": 1}
FEWER = {"other_nics_per_site": 32}
CONTRADICTIONS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    # one leaf of 32 down ports for 64 NICs
    ("fabric_ports_short", LEAF_32 | {"leaves": 1}, LEAF_32 | {"leaves": 2}),
    # (80 + 128)·400 = 83.2 Tbit/s fits a switch of 102.4, at 800G 166.4 does not
    ("leaf_too_large", ARTICLE | {"leaf_down_gbps": 800}, ARTICLE),
    ("leaf_misses_spines", {"leaf_up_ports": 16, "spines": 32}, {"leaf_up_ports": 32, "spines": 32}),
    ("leaf_uneven", {"leaf_up_ports": 48, "spines": 32}, {"leaf_up_ports": 64, "spines": 32}),
    # 512 leaves · 64 up / 64 spines = 512 ports · 400G = 204.8 Tbit/s
    ("spine_too_large", SPINES_64 | {"leaves": 512}, SPINES_64 | {"leaves": 256}),
    ("nic_above_port", {"nic_gbps": 400, "leaf_down_gbps": 200}, {"nic_gbps": 200, "leaf_down_gbps": 200}),
    ("sites_contradict", FEWER | {"same_on_all_sites": True}, FEWER | {"same_on_all_sites": False}),
    ("tensor_leaves_scale_up", {"scale_up_gpus": 4}, {"scale_up_gpus": 8}),
    # floor 280.2, target 350.3 Gbit/s: 3 · 100G do not fill it, nor 4 · 100G behind leaves of 2:1
    ("fabric_below_target", {"nics_per_site": 3, "nic_gbps": 100}, {"nics_per_site": 4, "nic_gbps": 100}),
    ("fabric_below_target", HALVED | {"nics_per_site": 4}, HALVED | {"nics_per_site": 8}),
]


@pytest.mark.parametrize(("code", "odd", "fine"), CONTRADICTIONS)
def test_a_contradiction_is_named_and_its_neighbour_is_not(
    code: str, odd: dict[str, Any], fine: dict[str, Any]
) -> None:
    assert code in codes(**odd)
    assert code not in codes(**fine)
    assert code in {w.code for w in derived(**odd).warnings}


def test_tensor_and_expert_traffic_stay_inside_or_are_told_of() -> None:
    (tensor,) = audit(scale_up_gpus=8).stays
    assert (tensor.id, tensor.degree, tensor.inside) == ("tensor", 8, "scale_up")
    assert audit(scale_up_gpus=4).stays[0].inside == "site"
    assert "1 of them stay over" in audit(scale_up_gpus=9).stays[0].note.en  # 9 = 8 + 1
    moe = derive(parse_workload(workload("1t_moe", fabric={"scale_up_gpus": 72})), parse_policy(None)).fabric
    assert moe is not None and [(s.id, s.inside) for s in moe.stays] == [("tensor", "scale_up"), ("expert", "site")]


def test_what_is_not_given_is_printed_as_an_assumption() -> None:
    assert [a.en for a in audit().assumptions] == [
        "One NIC a GPU is assumed: 64 per site.",  # 128 GPUs on two sites
        "NICs of 400 Gbit/s are assumed.",
        "A scale-up domain of 8 GPUs is assumed.",
    ]
    assert audit(nics_per_site=64, nic_gbps=400, scale_up_gpus=8).assumptions == ()


def test_the_slower_side_is_named_where_it_is_known() -> None:
    # 64 · 400 / (96/48) = 12,800 against 32 · 400 = 12,800: equal, then 16 NICs: 6,400
    ports = {"leaf_down_ports": 96, "leaf_up_ports": 48, "nics_per_site": 64, "nic_gbps": 400}
    even = {"other_leaf_down_ports": 48, "other_leaf_up_ports": 48, "other_nics_per_site": 32}
    assert audit(**ports, **even).slower is None
    slower = audit(**ports, **even | {"other_nics_per_site": 16}).slower
    assert slower is not None and slower.en.startswith("The other site") and "6,400" in slower.en
    slower = audit(**ports, **even | {"other_nics_per_site": 64}).slower
    assert slower is not None and slower.en.startswith("This site")


HOMOGENEOUS: list[tuple[dict[str, Any], Status]] = [
    ({}, Status.NOT_APPLICABLE),
    ({"same_on_all_sites": True}, Status.PASS),
    ({"same_on_all_sites": False}, Status.FAIL),
    ({"nics_per_site": 64, "other_nics_per_site": 64}, Status.PASS),
    ({"nics_per_site": 64, "other_nics_per_site": 32}, Status.FAIL),
    ({"same_on_all_sites": True, "other_nic_gbps": 200}, Status.FAIL),
]


@pytest.mark.parametrize(("fabric", "status"), HOMOGENEOUS)
def test_alike_is_judged_by_the_figures_where_both_are_given(fabric: dict[str, Any], status: Status) -> None:
    assert check(judge_one(workload(fabric=fabric)), "topology.homogeneous").status is status


def test_a_difference_without_figures_asks_the_buyer_for_them() -> None:
    found = check(judge_one(workload(fabric={"same_on_all_sites": False})), "topology.homogeneous").finding
    assert [q.en.startswith("(To the buyer)") for q in found.questions] == [True]
    given = workload(fabric={"same_on_all_sites": False, "other_nics_per_site": 32})
    found = check(judge_one(given), "topology.homogeneous").finding
    assert found.questions == () and "12,800" in found.reason.en  # 32 · 400


def test_a_job_without_training_has_no_audit() -> None:
    assert derive(parse_workload(workload("cloud_bulk")), parse_policy(None)).fabric is None


def test_the_audit_stands_in_the_json() -> None:
    found = derived(**ARTICLE).as_json()["fabric"]
    assert [t["id"] for t in found["tiers"]] == ["leaf", "line_floor", "line_target"]
    assert found["groups"][0]["inside"] == "scale_up" and found["slower_site"] is None


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("收敛比 8:1", Status.FAIL),
        ("网卡收敛比 8:1（8 × 400G 上联 400G）", Status.UNKNOWN),
        ("leaf-spine oversubscription 8:1", Status.UNKNOWN),
    ],
)
def test_a_ratio_of_nics_or_leaves_is_not_the_carriers(words: str, status: Status) -> None:
    bare = parse_offers([offer(layer="ethernet", oversubscription=None)])[0]
    said = Fact(
        metric="oversubscription", state=State.STATED, value=Decimal(8), unit="1", confirmed_by="buyer",
        evidence=Evidence(reader="xlsx", quote=words),
    )  # fmt: skip
    made = replace(bare, facts=(*bare.facts, said))
    judged = assess(parse_workload(workload()), [made], parse_policy(None)).offers[0]
    found = check(judged, "topology.oversubscription")
    assert found.status is status
    assert bool(found.finding.questions) is (status is Status.UNKNOWN)
