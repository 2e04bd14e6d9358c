"""Outages of a line: the figures by hand, what an offer leaves open, the laws, and the need as their inverse."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain import parameters as p
from app.domain.cost import Cost
from app.domain.maintenance import Maintenance, maintenance
from app.domain.outages import Events, Outages, job_loss
from app.domain.policy import parse_policy
from app.domain.requirement import derive
from app.domain.workload import Training, parse_workload
from tests.domain.examples import check, judge_one, workload

HOUR, MONTH = 3600.0, 730 * 3600.0
EVENTS = Events(availability=0.9999, repair_time=4 * HOUR, tolerance=0.5)


def training(**changes: Any) -> Training:
    job = parse_workload(workload(**{f"training__{k}": v for k, v in changes.items()})).training
    assert job is not None
    return job


def found(job: dict[str, Any] | None = None, policy: Any = None, **changes: Any) -> tuple[Cost, Outages]:
    cost = judge_one(job, policy, **changes).cost
    assert cost.outages is not None
    return cost, cost.outages


# ---- by hand


def test_a_month_at_the_promise() -> None:
    # 0.0001 · 730 h = 0.073 h in outages of 4 h: 0.01825 restarts. 1/M = 128/43,800 + 0.01825/730 per hour: 339.29 h,
    # τ = √(2 · 60 s · 1,221,440 s) = 12,107 s. Lost 0.073 + 0.01825 · (1.6815 + 0.1667) = 0.10673 h.
    loss = job_loss(training(), MONTH, EVENTS)
    assert loss.outages == loss.restarts == pytest.approx(0.01825)
    assert loss.mtbf / HOUR == pytest.approx(339.29, abs=0.01)
    assert loss.interval == pytest.approx(12_107, abs=1)
    assert loss.lost / HOUR == pytest.approx(0.10673, abs=1e-5)


def test_a_job_that_survives_the_loss_of_a_site() -> None:
    # No restarts; 0.073 h of one site of two: 0.0365 h.
    loss = job_loss(training(survives_site_loss=True), MONTH, EVENTS)
    assert loss.restarts == 0
    assert loss.lost / HOUR == pytest.approx(0.0365)


def test_switchovers_stall_below_the_tolerance_and_restart_above_it() -> None:
    # Two paths of 99.9 %: 2 · 0.001 · 730/4 = 0.365 switchovers. At 50 ms they add 0.365 · 0.05 s = 0.01825 s; at 3 s
    # (VRRP) RDMA gives up at 0.5 s and each restarts the job: 0.365 · (60 s to notice + τ/2 + 600 s).
    _, quick = found()
    _, slow = found(sla__failover_ms=3000)
    assert quick.central is not None and slow.central is not None
    assert quick.central.events.switchovers == pytest.approx(0.365)
    assert quick.central.stalled == pytest.approx(0.01825)
    assert quick.central.restarts == pytest.approx(0.01825)
    assert slow.central.stalled == 0
    assert slow.central.restarts == pytest.approx(0.365 + 0.01825)
    half = slow.central.interval / 2
    outages = 0.01825 * (4 * HOUR + half + 600)
    assert slow.central.lost == pytest.approx(outages + 0.365 * (60 + half + 600))


def test_one_path_has_no_switchovers() -> None:
    _, out = found(topology__paths=1)
    assert out.central is not None and out.central.events.switchovers == 0


def test_a_yearly_promise_costs_its_mean_and_its_worst_month_is_the_high_end() -> None:
    # Every month cannot be the worst: 99.99 % a year is 0.0001 of a month on average and 0.0012 in the worst.
    _, month = found()
    _, year = found(sla__period="year")
    assert month.central is not None and year.central is not None and year.high is not None
    assert year.central.lost == month.central.lost
    assert 1 - year.high.events.availability == pytest.approx(0.0012)


def test_longest_outage_by_period() -> None:
    # 99.99 %: 0.073 h a month, 0.146 h across its end; a year 0.876 h and 1.752 h.
    def told(out: Outages) -> dict[str, tuple[float, float]]:
        return {x.period: (round(x.single / HOUR, 9), round(x.straddle / HOUR, 9)) for x in out.longest}

    assert told(found()[1]) == {"month": (0.073, 0.146)}
    assert told(found(sla__period=None)[1]) == {"month": (0.073, 0.146), "year": (0.876, 1.752)}


def test_a_network_figure_gets_its_tails() -> None:
    # 0.9999 · 0.999² = 0.9979012; at best 0.9999 · 0.9999² = 0.99970003, at worst 0.9999 · 0.995² = 0.98992600
    cost, out = found(sla__scope="network")
    assert out.low is not None and out.central is not None and out.high is not None
    assert out.central.events.availability == pytest.approx(0.9979012, abs=1e-7)
    assert out.low.events.availability == pytest.approx(0.99970003, abs=1e-8)
    assert out.high.events.availability == pytest.approx(0.989926, abs=1e-6)
    assert out.assumed and out.questions
    assert cost.outage_share == out.central.share


def test_gpu_hours_and_duty() -> None:
    # 0.10673 h · 128 = 13.66 GPU hours; a job that runs half of the month loses half of them.
    _, whole = found()
    _, half = found(policy={"duty": 0.5})
    assert whole.gpu_hours(whole.central) == pytest.approx(13.66, abs=0.01)
    assert half.gpu_hours(half.central) == pytest.approx(6.83, abs=0.01)


def test_the_standard_outage_beside_its_credit() -> None:
    # 5 h + 12,107/2 s + 600 s = 6.848 h on 128 GPUs = 876.6 GPU hours, 8,766 at 10 an hour.
    # 5 h of 730 reaches 99.32 %, below the tier to 99.99 %: 10 % of 400,000/1.09 = 36,697.25. Pro rata 0.685 %.
    credit = judge_one().cost.credit
    assert credit.gpu_hours == pytest.approx(876.6, abs=0.1)
    assert credit.loss == pytest.approx(Decimal(8766), abs=Decimal(1))
    assert credit.share == 0.1
    assert credit.paid == pytest.approx(Decimal("36697.25"), abs=Decimal("0.01"))
    assert credit.ratio == pytest.approx(4.186, abs=0.002)
    assert credit.pro_rata == pytest.approx(0.006849, abs=1e-6)


def test_the_cap_holds_and_one_that_is_not_stated_is_said() -> None:
    assert judge_one(sla__credit_cap=0.04).cost.credit.share == 0.04
    unsaid = judge_one(sla__credit_cap=None).cost.credit
    assert not unsaid.capped and unsaid.share == 0.1


# ---- unknown stays unknown


def test_no_availability_gives_no_figure_and_asks() -> None:
    cost, out = found(sla__availability=None)
    assert (out.low, out.central, out.high) == (None, None, None)
    assert cost.outage_share is None and "availability" in cost.missing and cost.questions
    assert cost.as_json()["outages"]["lost_hours_monthly"] == {"low": None, "central": None, "high": None}


def test_a_figure_for_a_pair_never_stands_for_one_circuit() -> None:
    cost, out = found(sla__scope="pair", topology__paths=1)
    assert out.central is None and cost.effective is None


def test_credits_that_are_not_stated_are_worth_nothing_known() -> None:
    credit = judge_one(sla__credit_tiers=None).cost.credit
    assert credit.share is None and credit.paid is None and credit.ratio is None
    assert credit.loss is not None


def test_an_unknown_failover_counts_as_too_long_but_at_the_favourable_end() -> None:
    _, out = found(sla__failover_ms=None)
    assert out.low is not None and out.central is not None
    assert out.low.restarts < out.central.restarts
    assert out.central.restarts == pytest.approx(0.365 + 0.01825)


def test_a_claim_of_100_percent_is_told_and_has_a_loss_at_the_high_end() -> None:
    # At the promise nothing is lost on one path. The high end takes 99.9 % whatever the period (a yearly 99.9 % would
    # be 98.8 % in its worst month): 0.001 · 730 h = 0.73 h down.
    for period in ("month", "year", None):
        cost, out = found(sla__availability=1, sla__period=period, topology__paths=1)
        assert out.central is not None and out.high is not None
        assert out.central.lost == 0 and cost.outage_share == 0
        assert 1 - out.high.events.availability == pytest.approx(0.001)
        assert out.high.lost > 0.73 * HOUR
        assert any("a claim" in text.en and "说法" in text.zh for text in out.assumed)
    _, just_below = found(sla__availability=0.99999, topology__paths=1)
    assert not any("a claim" in text.en for text in just_below.assumed)


# ---- planned maintenance that does not count


def left(**changes: Any) -> Maintenance | None:
    return maintenance(judge_one(**changes).offer, MONTH)


def test_maintenance_counted_by_hand() -> None:
    # 99.99 % and 4 h of 730 not counted: 0.9999 · (1 − 4/730) = 0.9999 · 0.99452055 = 0.99442110
    told = left()
    assert told is not None and told.hours == 4
    assert told.availability == pytest.approx(0.99442110, abs=1e-8)


def test_maintenance_that_counts_changes_nothing_and_open_hours_stay_open() -> None:
    assert left(sla__exclusions=["force_majeure"]) is None
    for gap in ({"sla__maintenance_h_per_month": None}, {"sla__availability": None}):
        told = left(**gap)
        assert told is not None and told.availability is None


# ---- the need is the inverse


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("175b_data", {}),
        ("175b_data", {"training__checkpoint_interval_s": 1800}),
        ("175b_data", {"training__survives_site_loss": True}),
        ("1t_moe", {}),
        ("70b_three_sites", {}),
        ("100b_diloco", {}),
    ],
)
def test_on_the_need_just_the_budget_is_lost_and_below_it_more(preset: str, changes: dict[str, Any]) -> None:
    job = workload(preset, **changes)
    need = derive(parse_workload(job), parse_policy(None)).main.availability_need
    assert need is not None and 0.9 < need < 1
    terms: dict[str, Any] = {"topology__paths": 1, "sla__repair_time_h": 4}
    on, below, above = (
        judge_one(job, **terms, sla__availability=a).cost.outage_share for a in (need, need - 1e-4, need + 1e-4)
    )
    assert on == pytest.approx(p.OUTAGE_BUDGET.value, rel=1e-6)
    assert above is not None and below is not None and above < p.OUTAGE_BUDGET.value < below


def test_the_need_by_hand() -> None:
    # τ given as 1,800 s: 1 − 0.01 · 14,400/(14,400 + 900 + 600) = 1 − 144/15,900 = 0.99094340
    job = parse_workload(workload(training__checkpoint_interval_s=1800))
    required = derive(job, parse_policy(None))
    assert required.main.availability_need == pytest.approx(0.9909434, abs=1e-7)
    assert required.as_json()["availability_need"] == required.main.availability_need
    assert any(line.formula == "availability_need" for line in required.working)


def test_the_gate_stays_the_floor_of_the_policy() -> None:
    required = derive(parse_workload(workload()), parse_policy(None)).main
    assert required.availability_need is not None
    assert required.availability_need < required.availability_floor
    between = (required.availability_need + required.availability_floor) / 2
    assert check(judge_one(sla__availability=between), "sla.availability").finding.status.value == "fail"


@pytest.mark.parametrize("preset", ["remote_inference", "cloud_bulk"])
def test_a_service_or_a_move_has_no_need(preset: str) -> None:
    assert derive(parse_workload(workload(preset)), parse_policy(None)).main.availability_need is None


# ---- laws

events = st.builds(
    Events,
    availability=st.floats(0, 1), repair_time=st.floats(60, 1e6), tolerance=st.sampled_from([0.5, 30.0]),
    switchovers=st.floats(0, 100), failover_time=st.none() | st.floats(0, 600), detection_time=st.floats(0, 1800),
)  # fmt: skip
jobs = st.builds(
    training,
    survives_site_loss=st.booleans(), checkpoint_interval_s=st.none() | st.floats(60, 1e5), restart_s=st.floats(0, 1e4),
)  # fmt: skip


@given(job=jobs, at=events, up=st.floats(0, 1))
def test_more_availability_never_raises_the_loss(job: Training, at: Events, up: float) -> None:
    better = replace(at, availability=at.availability + (1 - at.availability) * up)
    assert job_loss(job, MONTH, better).lost <= job_loss(job, MONTH, at).lost * (1 + 1e-9)


@given(job=jobs, at=events, longer=st.floats(1, 100))
def test_longer_repair_at_equal_availability_means_fewer_restarts(job: Training, at: Events, longer: float) -> None:
    slow = job_loss(job, MONTH, replace(at, repair_time=at.repair_time * longer))
    quick = job_loss(job, MONTH, at)
    assert slow.restarts <= quick.restarts * (1 + 1e-9)
    assert slow.lost <= quick.lost * (1 + 1e-9)


@given(at=events, interval=st.none() | st.floats(60, 1e5))
def test_surviving_the_loss_of_a_site_never_costs_more(at: Events, interval: float | None) -> None:
    bare = training(checkpoint_interval_s=interval)
    kept = training(checkpoint_interval_s=interval, survives_site_loss=True)
    assert job_loss(kept, MONTH, at).lost <= job_loss(bare, MONTH, at).lost


@given(job=jobs, at=events, failover=st.floats(0, 600))
def test_a_known_failover_that_the_transport_outlasts_never_costs_more(
    job: Training, at: Events, failover: float
) -> None:
    known = replace(at, failover_time=min(failover, at.tolerance), detection_time=max(at.detection_time, at.tolerance))
    unknown = replace(known, failover_time=None)
    assert job_loss(job, MONTH, known).lost <= job_loss(job, MONTH, unknown).lost * (1 + 1e-9)


@given(job=jobs, at=events, wider=st.floats(1, 1000))
def test_a_transport_that_outlasts_more_never_loses_more(job: Training, at: Events, wider: float) -> None:
    tough = replace(at, tolerance=at.tolerance * wider)
    assert job_loss(job, MONTH, tough).lost <= job_loss(job, MONTH, at).lost * (1 + 1e-9)


@given(
    availability=st.floats(0.9, 1),
    period=st.sampled_from(["month", "quarter", "year", None]),
    scope=st.sampled_from(["end_to_end", "network", "circuit", None]),
    repair=st.none() | st.floats(1, 48),
    failover=st.none() | st.floats(1, 5000),
    paths=st.sampled_from([None, 1, 2]),
)
def test_the_band_keeps_order(
    availability: float, period: str | None, scope: str | None, repair: float | None, failover: float | None,
    paths: int | None,
) -> None:  # fmt: skip
    cost, out = found(
        sla__availability=availability, sla__period=period, sla__scope=scope, sla__repair_time_h=repair,
        sla__failover_ms=failover, topology__paths=paths,
    )  # fmt: skip
    assert out.low is not None and out.central is not None and out.high is not None
    assert 0 <= out.low.share <= out.central.share <= out.high.share <= 1
    assert cost.outage_share == out.central.share
