"""Pairs of lines: joint figures by hand, what a second line mends, and what stays unknown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.assessment import Outcome
from app.domain.offers import parse_offers
from app.domain.pair_offer import (
    ACTIVE_ACTIVE,
    ACTIVE_STANDBY,
    DIVERSE,
    SHARED,
    UNPROVEN,
    joint,
    joint_availability,
)
from app.domain.pairs import as_json, on_failure, propose
from app.domain.terms import term
from tests.domain.examples import judge_all, offer

SINGLE: dict[str, Any] = {"topology__paths": 1, "topology__diverse_paths": None}
NARROW: dict[str, Any] = {**SINGLE, "bandwidth_gbps": 200, "segments": None, "price__monthly": 150000}


def two(**changes: Any) -> tuple[Any, Any]:
    made = parse_offers([offer(**changes), offer(vendor="乙", **changes)])
    return made[0], made[1]


def test_two_narrow_lines_carry_the_job_together() -> None:
    # 200 + 200 = 400 Gbit/s against a floor of 280.2; each alone is rejected.
    assessment = judge_all([offer(**NARROW), offer(vendor="乙", **NARROW)])
    assert [o.outcome for o in assessment.offers] == [Outcome.REJECTED] * 2
    (pair,) = propose(assessment).pairs
    assert pair.mode == ACTIVE_ACTIVE
    assert {c.rule.id for c in pair.cures} >= {"bandwidth.end_to_end", "bandwidth.effective", "topology.redundancy"}
    assert pair.diverse is Outcome.ELIGIBLE and pair.beats
    assert pair.judged.cost.line is not None
    # Two times 150,000 gross and 50,000 set-up, net of 9 %: 300,000/1.09 + 100,000/1.09/24 = 279,052.
    assert float(pair.judged.cost.line) == pytest.approx(279051.99, rel=1e-6)
    # One line alone: 200 · 4096/4182 (VLAN) = 195.9 Gbit/s less loss, against 280.2; utilisation 48.9 %.
    assert "48.9%" in on_failure(pair).en and "against a floor of 280.2 Gbit/s" in on_failure(pair).en


def test_availability_with_a_share_of_common_causes() -> None:
    # u = 1e-4 each: unproven (0.9u)² + 0.1u = 1.00081e-5; proven (0.98u)² + 0.02u = 2.0096e-6; one duct 0.25u² + 0.5u.
    one, other = two()
    assert joint_availability(one, other, UNPROVEN) == pytest.approx(1 - 1.00081e-5, abs=1e-12)
    assert joint_availability(one, other, DIVERSE) == pytest.approx(1 - 2.009604e-6, abs=1e-12)
    assert joint_availability(one, other, SHARED) == pytest.approx(1 - 5.00025e-5, abs=1e-12)


def test_a_second_line_mends_an_availability() -> None:
    # 99.5 % fails 99.9 %; two of them, ducts unproven: (0.9·0.005)² + 0.1·0.005 = 5.2025e-4, 99.948 %.
    assessment = judge_all([offer(sla__availability=0.995), offer(vendor="乙", sla__availability=0.995)])
    pair = next(q for q in propose(assessment).pairs if q.mode == ACTIVE_ACTIVE)
    assert "sla.availability" in {c.rule.id for c in pair.cures}
    assert pair.relation == UNPROVEN
    assert pair.availability(UNPROVEN) == pytest.approx(1 - 5.2025e-4, abs=1e-12)


def test_an_offer_that_passes_alone_needs_no_second_line() -> None:
    assert propose(judge_all([offer(), offer(vendor="乙", sla__availability=0.995)])).pairs == ()


def test_different_vendors_are_no_proof_of_different_ducts() -> None:
    one, other = two(**SINGLE)
    assert term(joint(one, other, ACTIVE_ACTIVE, UNPROVEN), "diverse_paths").flag is None
    assert term(joint(one, other, ACTIVE_ACTIVE, DIVERSE), "diverse_paths").flag is True
    assert term(joint(one, other, ACTIVE_ACTIVE, SHARED), "diverse_paths").flag is False


def test_what_one_of_them_does_not_say_is_not_known() -> None:
    loud, silent = parse_offers([offer(), offer(vendor="乙", packet_loss=None)])
    assert not term(joint(loud, silent, ACTIVE_ACTIVE, DIVERSE), "packet_loss").readings
    yearly = parse_offers([offer(vendor="丙", sla__period="year")])[0]
    assert joint_availability(loud, yearly, DIVERSE) is None


def test_a_loss_gate_is_not_mended_by_a_second_line() -> None:
    assert propose(judge_all([offer(packet_loss=1e-5), offer(vendor="乙")])).pairs == ()


def test_standby_promises_the_lesser_line_and_stalls_or_restarts() -> None:
    wide, narrow = parse_offers([offer(**SINGLE), offer(vendor="乙", bandwidth_gbps=300, segments=None, **SINGLE)])
    assert term(joint(wide, narrow, ACTIVE_STANDBY, DIVERSE), "bandwidth").number == 300e9
    slow = {**SINGLE, "sla__availability": 0.995, "sla__failover_ms": 3000}
    pairs = propose(judge_all([offer(**slow), offer(vendor="乙", **slow)])).pairs
    standby = next(q for q in pairs if q.mode == ACTIVE_STANDBY)
    assert "restart" in on_failure(standby).en  # 3 s against 0.5 s


RATES = st.floats(min_value=100, max_value=800)


@given(RATES, RATES, st.floats(0.99, 0.99999), st.floats(0.99, 0.99999))
def test_laws_of_a_pair(first: float, second: float, one: float, two: float) -> None:
    a, b = parse_offers(
        [
            offer(bandwidth_gbps=first, segments=None, sla__availability=one),
            offer(vendor="乙", bandwidth_gbps=second, segments=None, sla__availability=two),
        ]
    )
    both = joint(a, b, ACTIVE_ACTIVE, UNPROVEN)
    rate, spare = term(both, "bandwidth").number, term(joint(a, b, ACTIVE_STANDBY, UNPROVEN), "bandwidth").number
    assert rate is not None and spare is not None
    assert rate >= max(first, second) * 1e9 and spare <= min(first, second) * 1e9 * (1 + 1e-12)
    for relation in (UNPROVEN, DIVERSE, SHARED):
        joined = joint_availability(a, b, relation)
        assert joined is not None and joined >= max(one, two) - 1e-12
        assert joined == pytest.approx(joint_availability(b, a, relation), abs=1e-15)


def test_json_names_members_and_mode() -> None:
    raw = as_json(propose(judge_all([offer(**NARROW), offer(vendor="乙", **NARROW)])))
    assert raw["pairs"][0]["members"][1]["vendor"] == "乙"
    assert raw["pairs"][0]["verdict_if_diverse"] == "eligible" and raw["pairs_left_out"] == 0
