"""Single sentences of the contract and the policy, each with its arithmetic."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.assessment import Outcome
from app.domain.offers import offer_as_json, parse_offers
from app.domain.policy import parse_policy
from app.domain.problems import InputError
from app.domain.requirement import derive
from app.domain.rules import Status
from app.domain.workload import parse_workload
from tests.domain.examples import OFFER, check, judge_one, offer, workload


def lines(job):
    return derive(parse_workload(job), parse_policy(None)).main


def test_three_sites_without_an_interconnect_form_a_ring():
    # Policy 5 gives the 70B preset no interconnect. E = 2·2/3 · 70e9 · 2 = 186.67 GB.
    # T_ref = 6·70e9·4718592 / (384·989e12·0.4) = 13.0459 s; cover = 2/3·13.0459·79/80 = 8.5886 s;
    # B = 13.0459/9 + 8.5886 = 10.0381 s; RTT_ref = 1.5·9.79 µs·300 = 4.4055 ms, 4 hops → 8.811 ms;
    # floor = 8·186.67e9 / (10.0381 − 0.0088) = 148.9 Gbit/s
    job = workload("70b_three_sites", training__interconnect=...)
    assert parse_workload(job).training.interconnect == "ring"
    assert lines(job).size == pytest.approx(186.667e9, rel=1e-5)
    assert lines(job).floor == pytest.approx(148.9e9, rel=1e-4)
    with pytest.raises(InputError):
        parse_workload(workload("70b_three_sites", training__interconnect="line"))


def test_expert_traffic_is_told_as_a_mean_and_limited_by_its_peak():
    # E = 262144·12288·1·2·(2+2)·1·(2−1)/4 = 6.4425 GB with one MoE layer and top-1; 4 round trips × 64 micro-batches.
    # B = 10 s, 2·4·64 = 512 hops at RTT_ref 7.3425 ms → 1.8797 s; floor = 8·4·E / (10 − 1.8797) = 25.388 Gbit/s
    job = workload(training__crossing="expert", training__moe_layers=1, training__experts_per_token=1)
    found = lines(job)
    assert found.size == pytest.approx(6.442450944e9)
    assert found.round_trips == 256
    assert found.floor == pytest.approx(25.388e9, rel=1e-3)


@pytest.mark.parametrize(
    ("path", "check_id"),
    [("sla__credit_tiers", "sla.compensation"), ("sla__repair_time_h", "sla.repair_time")],
)
def test_false_on_any_term_is_the_vendor_saying_no(path, check_id):
    changes: dict[str, Any] = {path: False}
    assert check(judge_one(**changes), check_id).status is Status.FAIL


def test_every_field_of_an_offer_may_be_false():
    sections = [(k, v) for k, v in OFFER.items() if k not in ("vendor", "product")]
    paths = [f"{k}__{n}" for k, v in sections if isinstance(v, dict) for n in v]
    paths += [k for k, v in sections if not isinstance(v, dict)]
    for path in paths:
        parsed = parse_offers([offer(**{path: False})])
        again = parse_offers([offer_as_json(parsed[0])])
        assert offer_as_json(again[0]) == offer_as_json(parsed[0]), path


def test_a_declined_price_is_a_missing_term():
    got = judge_one(price__monthly=False)
    assert (got.outcome, got.cost.line, got.cost.missing) == (Outcome.ELIGIBLE, None, ("monthly_charge",))


def test_a_segment_declined_is_no_bandwidth_there():
    ends = [{"name": "A", "bandwidth_gbps": 400}, {"name": "Z", "bandwidth_gbps": False}]
    assert check(judge_one(segments=ends), "bandwidth.end_to_end").status is Status.FAIL


def test_a_price_that_leaves_out_an_end_has_no_sum():
    cost = judge_one(price__items_included=["port"]).cost
    assert (cost.line, cost.term_total, cost.missing) == (None, None, ("items_included",))


def test_bulk_without_both_directions_fails_the_ordinary_check_only():
    got = judge_one(workload("cloud_bulk"), topology__symmetric_bandwidth=False)
    assert check(got, "bandwidth.symmetric").status is Status.FAIL
    assert got.outcome is not Outcome.REJECTED
