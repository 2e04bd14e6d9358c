"""The joint offer: no firmer, no faster and no cheaper than its members allow, whichever is named first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.assessment import Outcome, judge_offer
from app.domain.offers import parse_offers
from app.domain.pair_offer import (
    ACTIVE_ACTIVE,
    ACTIVE_STANDBY,
    DIVERSE,
    MODES,
    SHARED,
    UNPROVEN,
    joint,
    joint_availability,
    stated_relation,
)
from app.domain.pairs import MOST_MEMBERS, on_failure, propose
from app.domain.policy import parse_policy
from app.domain.requirement import derive
from app.domain.rules import Status
from app.domain.terms import contention_span, jitter_span, rate_span, rtt_span, term
from app.domain.workload import parse_workload
from tests.domain.examples import WORKLOAD, check, judge_all, offer, workload

if TYPE_CHECKING:
    from app.domain.assessment import Judged
    from app.domain.facts import Offer

SINGLE: dict[str, Any] = {"topology__paths": 1, "topology__diverse_paths": None}


def members(first: dict[str, Any], second: dict[str, Any]) -> tuple[Offer, Offer]:
    one, two = parse_offers([offer(**first), offer(vendor="乙", **second)])
    return one, two


def pair(first: dict[str, Any], second: dict[str, Any], mode: str = ACTIVE_ACTIVE, relation: str = UNPROVEN) -> Offer:
    return joint(*members(first, second), mode, relation)


def judged(one: Offer, two: Offer, mode: str, relation: str) -> Judged:
    job, policy = parse_workload(WORKLOAD), parse_policy(None)
    return judge_offer(joint(one, two, mode, relation), job, policy, derive(job, policy))


def test_a_segment_left_open_stays_open() -> None:
    segments = [{"name": "A-end egress", "bandwidth_gbps": 400}, {"name": "Z-end access", "bandwidth_gbps": None}]
    found = pair({}, {"segments": segments})
    assert not rate_span(found).known and term(found, "bandwidth").number is None


def test_a_promise_is_as_firm_as_the_weaker_one() -> None:
    one, two = members({}, {"sla__commitment": "target"})
    for first, second in ((one, two), (two, one)):
        assert term(joint(first, second, ACTIVE_ACTIVE, DIVERSE), "availability").soft
        assert check(judged(first, second, ACTIVE_ACTIVE, DIVERSE), "sla.availability").status is Status.UNKNOWN


def test_both_quotes_stand_behind_a_joint_figure() -> None:
    fact = term(pair({"sla__availability": 0.999}, {"sla__availability": 0.995}), "availability").fact
    assert fact is not None and fact.derived
    assert fact.evidence.quote == "0.999 + 0.995"


def test_delay_is_that_of_the_worse_line_not_a_doubt_between_two() -> None:
    # 10 ms and 30 ms: the pair's figure is 30 ms for certain, not something from 10 to 30.
    found = pair({"rtt_ms": 30}, {"rtt_ms": 10})
    assert (rtt_span(found, 0.0).best, rtt_span(found, 0.0).worst) == (0.03, 0.03)
    # 8 ms that may be one way stands for up to 16 ms and is worse than 10 ms both ways.
    one_way = pair({"rtt_ms": 10}, {"rtt_ms": 8, "rtt_direction": None})
    assert rtt_span(one_way, 0.0).worst == pytest.approx(0.016)
    # Jitter 1.0 ms maximum is σ 0.324 ms; 0.5 ms mean is σ 0.443 ms and worse.
    mixed = pair({"jitter_ms": 1.0, "jitter_statistic": "max"}, {"jitter_ms": 0.5, "jitter_statistic": "mean"})
    assert jitter_span(mixed).worst == pytest.approx(0.5e-3 / 1.128)


def test_committed_rates_add_up_and_leave_no_contention() -> None:
    found = pair(
        {"committed_gbps": 150, "oversubscription": None, "segments": None, "layer": "ethernet"},
        {"committed_gbps": 200, "oversubscription": None, "segments": None, "layer": "ethernet"},
    )
    assert rate_span(found).worst == 350e9
    assert contention_span(found).worst == 1.0


def test_the_sooner_restoration_ends_an_outage_of_both() -> None:
    # Both down from hour 0: the line promised in 4 h is back first, whatever the 12 h line does.
    assert term(pair({"sla__repair_time_h": 12}, {"sla__repair_time_h": 4}), "repair_time").number == 4 * 3600
    assert not term(pair({}, {"sla__repair_time_h": None}), "repair_time").readings


def test_a_second_line_mends_a_restoration_time() -> None:
    # Inference allows 4 h; one line promises 8 h, the other 2 h but only 99.5 %: together 2 h and 99.95 %.
    slow, weak = {**SINGLE, "sla__repair_time_h": 8}, {**SINGLE, "sla__repair_time_h": 2, "sla__availability": 0.99}
    found = propose(judge_all([offer(**slow), offer(vendor="乙", **weak)], workload("prefill_decode")))
    assert any("sla.repair_time" in {c.rule.id for c in q.cures} for q in found.pairs)


def test_charges_add_up_and_terms_that_differ_are_asked() -> None:
    same = pair({}, {"price__monthly": 100000})
    assert term(same, "monthly_charge").number == 500000
    one, two = members({}, {"price__term_months": 36})
    money = judged(one, two, ACTIVE_ACTIVE, DIVERSE).cost
    assert money.effective is None and "contract_term" in money.missing
    assert "setup_charge" in judged(*members({}, {"price__setup": None}), ACTIVE_ACTIVE, DIVERSE).cost.missing


def test_a_budgetary_quote_makes_the_pair_budgetary() -> None:
    one, two = members({}, {"quote__grade": "budgetary"})
    for first, second in ((one, two), (two, one)):
        assert judged(first, second, ACTIVE_ACTIVE, DIVERSE).outcome is Outcome.CONDITIONAL


def test_ducts_are_apart_only_when_both_say_so() -> None:
    apart = {"topology__paths": 1, "topology__diverse_paths": True}
    assert stated_relation(*members(apart, apart)) == DIVERSE
    assert stated_relation(*members(apart, SINGLE)) == UNPROVEN
    # Two paths each, apart from one another: nothing is said of the ducts the two offers share.
    one, two = members({}, {})
    assert stated_relation(one, two) == UNPROVEN
    assert term(joint(one, two, ACTIVE_ACTIVE, UNPROVEN), "diverse_paths").flag is True


def test_the_limit_of_the_switchover_is_that_of_the_job() -> None:
    # 3 s: beyond the 0.5 s of RDMA, within what TCP tolerates.
    slow = {**SINGLE, "sla__availability": 0.995, "sla__failover_ms": 3000}
    offers = [offer(**slow), offer(vendor="乙", **slow)]
    said = {}
    for transport in ("rdma_go_back_n", "tcp_bbr"):
        found = propose(judge_all(offers, workload(network__transport=transport))).pairs
        said[transport] = on_failure(found[0]).en
    assert "restarts" in said["rdma_go_back_n"] and "goes on" in said["tcp_bbr"]


def test_offers_beyond_the_most_are_told() -> None:
    narrow = {**SINGLE, "bandwidth_gbps": 200, "segments": None}
    many = [offer(vendor=f"V{n}", **narrow) for n in range(MOST_MEMBERS + 2)]
    found = propose(judge_all(many))
    assert found.skipped == 2 and found.remark is not None
    # 8 offers make 28 pairs; six are shown.
    assert (len(found.pairs), found.left_out) == (6, 22)
    assert "22 more" in found.remark.en


SIDE = st.fixed_dictionaries({}, optional={
    "bandwidth_gbps": st.sampled_from([150, 200, 400]), "segments": st.none(),
    "rtt_ms": st.sampled_from([8, 10, 12, None]), "rtt_direction": st.sampled_from(["round_trip", None]),
    "packet_loss": st.sampled_from([1e-8, 1e-6, None]), "jitter_statistic": st.sampled_from(["p99", "mean", None]),
    "sla__availability": st.sampled_from([0.995, 0.9999, None]), "sla__commitment": st.sampled_from(["target", None]),
    "sla__repair_time_h": st.sampled_from([2, 12, None]), "sla__failover_ms": st.sampled_from([50, 5000, None]),
    "topology__diverse_paths": st.sampled_from([True, False, None]), "topology__paths": st.sampled_from([1, 2, None]),
    "price__monthly": st.sampled_from([100000, 300000, None]), "price__term_months": st.sampled_from([24, 36]),
    "quote__grade": st.sampled_from(["firm", "budgetary"]), "layer": st.sampled_from(["otn", "wave", "ethernet"]),
    "encapsulation": st.sampled_from([["vlan"], ["vxlan"], []]),
})  # fmt: skip


@given(SIDE, SIDE, st.sampled_from(MODES), st.sampled_from([UNPROVEN, DIVERSE, SHARED]))
def test_swapping_the_members_changes_nothing(
    first: dict[str, Any], second: dict[str, Any], mode: str, relation: str
) -> None:
    one, two = members(first, second)
    there, back = judged(one, two, mode, relation), judged(two, one, mode, relation)
    assert there.outcome is back.outcome
    assert [(c.rule.id, c.status) for c in there.checks] == [(c.rule.id, c.status) for c in back.checks]
    assert there.cost.as_json() == back.cost.as_json()
    assert there.prediction.as_json() == back.prediction.as_json()


@given(SIDE, SIDE, st.sampled_from(MODES))
def test_a_figure_that_a_member_leaves_open_stays_open(
    first: dict[str, Any], second: dict[str, Any], mode: str
) -> None:
    one, two = members(first, second)
    both = joint(one, two, mode, DIVERSE)
    for metric in ("rtt", "packet_loss", "availability", "repair_time", "failover_time", "monthly_charge"):
        if not (one.of(metric) and two.of(metric)):
            assert not term(both, metric).readings
    joined = joint_availability(one, two, DIVERSE)
    own = [term(o, "availability").number for o in (one, two)]
    assert joined is None or joined >= max(n or 0.0 for n in own) - 1e-15
    assert mode == ACTIVE_STANDBY or term(both, "bandwidth").number is None or all(
        (term(both, "bandwidth").number or 0.0) >= (rate_span(o).worst or 0.0) for o in (one, two)
    )  # fmt: skip
