"""Laws that hold for every workload and offer (property tests)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.assessment import Outcome, assess
from app.domain.facts import Offer
from app.domain.offers import parse_offers
from app.domain.policy import parse_policy
from app.domain.workload import parse_workload
from tests.domain.examples import WORKLOAD, check, judge_all, judge_one, offer, workload

RATES = st.floats(min_value=50, max_value=3200)
LOSSES = st.floats(min_value=0, max_value=1e-3)
RTTS = st.floats(min_value=5, max_value=200)
SHARING = st.floats(min_value=1, max_value=10)
JOBS = st.sampled_from(["175b_data", "175b_pipeline", "7b_article", "70b_three_sites", "100b_diloco"])


def use(job: str, **changes: float) -> float:
    central = judge_all([offer(**changes)], workload(job)).offers[0].prediction.central
    assert central is not None and central.utilization is not None
    return central.utilization


def line(rate: float) -> dict:
    return {"bandwidth_gbps": rate, "segments": None}


@given(JOBS, RATES, RATES)
def test_more_bandwidth_never_lowers_utilisation(job, one, other):
    low, high = sorted((one, other))
    # Without loss: go-back-N wastes a larger share of a faster line, though never the rate itself.
    assert use(job, **line(high), packet_loss=0) >= use(job, **line(low), packet_loss=0) - 1e-12


@given(JOBS, LOSSES, LOSSES)
def test_more_loss_never_raises_it(job, one, other):
    low, high = sorted((one, other))
    assert use(job, packet_loss=high) <= use(job, packet_loss=low) + 1e-12


@given(JOBS, RTTS, RTTS)
def test_more_delay_never_raises_it(job, one, other):
    low, high = sorted((one, other))
    assert use(job, rtt_ms=high) <= use(job, rtt_ms=low) + 1e-12


@given(JOBS, SHARING, SHARING)
def test_more_contention_never_raises_it(job, one, other):
    low, high = sorted((one, other))
    assert use(job, oversubscription=high, packet_loss=0) <= use(job, oversubscription=low, packet_loss=0) + 1e-12


@given(st.floats(min_value=0, max_value=50), st.floats(min_value=0, max_value=50))
def test_more_jitter_never_raises_it(one, other):
    low, high = sorted((one, other))
    assert use("175b_data", jitter_ms=high) <= use("175b_data", jitter_ms=low) + 1e-12


@given(RATES, LOSSES, RTTS)
def test_the_band_holds_the_central_figure(rate, loss, rtt):
    prediction = judge_one(**line(rate), packet_loss=loss, rtt_ms=rtt).prediction
    assert prediction.low.utilization <= prediction.central.utilization + 1e-12
    assert prediction.central.utilization <= prediction.high.utilization + 1e-12


@given(st.permutations(["A", "B", "C", "D"]))
def test_the_order_of_offers_decides_nothing(order):
    prices = {"A": 400000, "B": 400000, "C": 390000, "D": 500000}
    judged = judge_all([offer(vendor=v, price__monthly=prices[v]) for v in order])
    assert {j.offer.vendor: j.rank for j in judged.offers} == {"C": 1, "A": 2, "B": 3, "D": 4}


@given(st.sampled_from(["packet_loss", "rtt_ms", "sla__availability", "sla__scope", "bandwidth_gbps"]))
def test_removing_a_figure_never_improves_a_verdict(field):
    order = [Outcome.REJECTED, Outcome.CONDITIONAL, Outcome.ELIGIBLE, Outcome.RECOMMENDED]
    whole, silent = judge_one(), judge_one(**{field: None, "segments": None})
    assert order.index(silent.outcome) <= order.index(whole.outcome)


@given(st.floats(min_value=0.5, max_value=2))
def test_an_effective_rate_on_the_floor_meets_the_target(scale):
    job = workload(training__target_sync_s=10 * scale)
    lines = judge_all([offer()], job).requirement.main
    assert lines.floor is not None
    at_floor = lines.training.exchange(lines.floor, lines.reference.rtt, 0.0)
    assert at_floor.sync == pytest.approx(10 * scale)
    assert lines.training.exchange(lines.floor * 0.999, lines.reference.rtt, 0.0).sync > 10 * scale


def test_the_same_input_gives_the_same_hash():
    assert judge_all([offer()]).content_sha256 == judge_all([offer()]).content_sha256
    assert judge_all([offer()]).content_sha256 != judge_all([offer(rtt_ms=11)]).content_sha256


def test_a_rejected_offer_stays_rejected_beside_others():
    alone = judge_one(packet_loss=1e-5)
    both = judge_all([offer(packet_loss=1e-5), offer(vendor="乙")])
    assert alone.outcome is both.offers[0].outcome is Outcome.REJECTED
    assert check(alone, "loss.packet_loss").finding == check(both.offers[0], "loss.packet_loss").finding


def test_the_hash_does_not_depend_on_the_name_of_a_file():
    def sheet(name: str) -> Offer:
        made = parse_offers([offer()])[0]
        facts = tuple(replace(f, evidence=replace(f.evidence, file=name)) for f in made.facts)
        return Offer(vendor=made.vendor, product=made.product, facts=facts)

    job, policy = parse_workload(WORKLOAD), parse_policy(None)
    hashes = {assess(job, [sheet(name)], policy).content_sha256 for name in ("a.xlsx", "b.xlsx")}
    assert len(hashes) == 1


@given(JOBS, RATES, RATES, LOSSES, RTTS)
def test_the_low_end_keeps_the_laws(job, one, other, loss, rtt):
    def low(rate: float, loss: float, rtt: float) -> float:
        end = judge_all([offer(**line(rate), packet_loss=loss, rtt_ms=rtt)], workload(job)).offers[0].prediction.low
        assert end is not None
        return end.utilization or 0.0

    slow, fast = sorted((one, other))
    assert low(fast, loss, rtt) >= low(slow, loss, rtt) - 1e-12
    assert low(slow, loss * 1.5, rtt) <= low(slow, loss, rtt) + 1e-12
    assert low(slow, loss, rtt * 1.5) <= low(slow, loss, rtt) + 1e-12
