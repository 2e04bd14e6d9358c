"""Elastic lines: floors take the base rate, the burst only brightens the optimistic end; rhythm, phases and price."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.elastic import Elastic, elastic
from app.domain.elastic_cost import against_fixed
from app.domain.formulas.registry import BY_ID as FORMULA
from app.domain.offers import parse_offers
from app.domain.policy import parse_policy
from app.domain.problems import InputError
from app.domain.requirement import derive
from app.domain.rules import Status
from app.domain.workload import parse_workload
from tests.domain.examples import check, judge_all, judge_one, offer, workload

BURST: dict[str, Any] = {"segments": ..., "committed_gbps": 300, "burst_gbps": 800}


def found(job: dict[str, Any] | None = None, **changes: Any) -> Elastic | None:
    """What is said of the example offer with changes."""
    parsed = parse_workload(job or workload())
    return elastic(parse_offers([offer(**changes)])[0], parsed, derive(parsed, parse_policy(None)).main)


def test_floors_are_held_against_the_base_rate() -> None:
    # floor 280.2 Gbit/s: a base of 200 with a burst of 800 fails, whatever the switching time
    low = judge_one(**BURST | {"committed_gbps": 200, "switch_time_s": 0.05})
    assert check(low, "bandwidth.end_to_end").status is Status.FAIL
    assert check(low, "bandwidth.end_to_end").finding.offered == 200
    assert check(low, "bandwidth.effective").status is Status.FAIL
    fine = judge_one(**BURST)
    assert check(fine, "bandwidth.end_to_end").finding.offered == 300


@given(base=st.integers(50, 400), burst=st.integers(401, 3200), seconds=st.sampled_from([None, 0.0, 1.0, 6.0, 60.0]))
def test_a_burst_changes_nothing_but_the_optimistic_end(base: int, burst: int, seconds: float | None) -> None:
    plain = judge_one(segments=..., committed_gbps=base)
    made = judge_one(segments=..., committed_gbps=base, burst_gbps=burst, switch_time_s=seconds)
    ours = [c.status for c in made.checks if not c.rule.id.startswith("platform.")]
    assert ours == [c.status for c in plain.checks if not c.rule.id.startswith("platform.")]
    assert (made.prediction.low, made.prediction.central) == (plain.prediction.low, plain.prediction.central)
    assert made.prediction.high is not None and plain.prediction.high is not None
    assert made.prediction.high.effective >= plain.prediction.high.effective


def test_the_optimistic_end_takes_the_burst_only_where_it_can_follow() -> None:
    def high(**changes: Any) -> float:
        end = judge_one(**BURST | changes).prediction.high
        assert end is not None
        return end.effective / 1e9

    # 800 · 4096/4182 = 783.5 Gbit/s; 300 · 4096/4182 = 293.8; the step of 13.638 s has room for two switches of 6.8 s
    assert high(switch_time_s=6.8) == pytest.approx(783.5, abs=0.1)
    assert high(switch_time_s=6.9) == pytest.approx(293.8, abs=0.1)
    assert high(switch_time_s=None) == pytest.approx(783.5, abs=0.1)
    # a segment caps it
    assert high(switch_time_s=1, segments=[{"name": "A", "bandwidth_gbps": 400}]) == pytest.approx(391.8, abs=0.1)


USES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("175b_data", {}, {"switch_time_s": 6.8}, "rhythm"),
    ("175b_data", {}, {"switch_time_s": 6.9}, "phases"),
    ("175b_data", {}, {"switch_time_s": None}, "open"),
    # local SGD exchanges every 100 steps of 4.92 s: 492 s
    ("100b_diloco", {}, {"switch_time_s": 240}, "rhythm"),
    ("100b_diloco", {}, {"switch_time_s": 250}, "phases"),
    ("remote_inference", {}, {"switch_time_s": 1}, "phases"),
    # a window of 8 h
    ("cloud_bulk", {}, {"switch_time_s": 3600}, "rhythm"),
    ("cloud_bulk", {}, {"switch_time_s": 5 * 3600}, "phases"),
]


@pytest.mark.parametrize(("preset", "more", "changes", "use"), USES)
def test_rhythm_or_phases(preset: str, more: dict[str, Any], changes: dict[str, Any], use: str) -> None:
    made = found(workload(preset, **more), **BURST | changes)
    assert made is not None and made.use == use


def test_a_phase_pays_from_the_break_even_size() -> None:
    # 60 s: 60 / (1/300 − 1/800) / 8 = 3,600 GB; the state of 175B is 2,800 GB: 74.7 s at 300G, 60 + 28 = 88 s
    made = found(**BURST, switch_time_s=60)
    assert made is not None and made.break_even == pytest.approx(3.6e12)
    (phase,) = made.phases
    assert (phase.size, phase.at_base, phase.with_burst) == pytest.approx((2.8e12, 74.667, 88), rel=1e-4)
    assert not phase.pays
    short = found(**BURST, switch_time_s=2)
    assert short is not None and short.phases[0].pays


@given(
    base=st.floats(1e6, 1e12),
    times=st.floats(1.01, 100),
    seconds=st.floats(1e-3, 1e6),
    share=st.floats(0.01, 100),
)
def test_at_the_break_even_both_ways_take_as_long(base: float, times: float, seconds: float, share: float) -> None:
    burst = base * times
    size = FORMULA["elastic_break_even_size"](base_rate=base, burst_rate=burst, switch_time=seconds)
    assert 8 * size / base == pytest.approx(seconds + 8 * size / burst)
    at_base, switched = 8 * size * share / base, seconds + 8 * size * share / burst
    assert (switched < at_base * (1 + 1e-9)) if share >= 1 else (switched > at_base * (1 - 1e-9))


def test_a_burst_not_above_the_base_is_refused_by_the_formula() -> None:
    with pytest.raises(InputError) as caught:
        FORMULA["elastic_break_even_size"](base_rate=2e9, burst_rate=2e9, switch_time=1)
    assert "burst_rate" in caught.value.problems[0].place


def test_no_burst_nothing_to_say() -> None:
    assert found() is None
    assert found(burst_gbps=400) is None  # not above the base


def test_a_segment_below_the_burst_is_told() -> None:
    made = found(burst_gbps=800, switch_time_s=1)
    assert made is not None and "400 Gbit/s" in made.message.en and made.terms.base == 400e9


ELASTIC: list[tuple[dict[str, Any], Status]] = [
    ({"switch_time_s": 60}, Status.PASS),
    ({"switch_time_s": None}, Status.UNKNOWN),
    ({"switch_time_s": 60, "burst_gbps": None}, Status.UNKNOWN),
    ({"switch_time_s": 60, "price__monthly": None}, Status.UNKNOWN),
    ({"switch_time_s": 60, "platform__elastic_bandwidth": None}, Status.PASS),
    ({"switch_time_s": 60, "platform__elastic_bandwidth": False}, Status.FAIL),
    ({"burst_gbps": None, "platform__elastic_bandwidth": None}, Status.UNKNOWN),
]


@pytest.mark.parametrize(("changes", "status"), ELASTIC)
def test_elastic_counts_only_with_base_burst_switching_time_and_price(changes: dict[str, Any], status: Status) -> None:
    verdict = check(judge_one(**BURST | changes), "platform.elastic_bandwidth")
    assert verdict.status is status
    assert bool(verdict.finding.questions) is (status is Status.UNKNOWN)


def test_against_a_fixed_line_when_both_prices_are_known() -> None:
    burst = offer(vendor="A", **BURST, switch_time_s=2)
    fixed = offer(vendor="B", segments=..., bandwidth_gbps=800, price__monthly=700000)
    narrow = offer(vendor="C", price__monthly=100000)
    offers = judge_all([burst, fixed, narrow]).offers
    made = against_fixed(offers[0], offers)
    assert made is not None and made.fixed is offers[1] and made.question is None
    # (700,000 − 400,000) / 1.09 net of tax; set-up the same
    assert float(made.dearer or 0) == pytest.approx(300000 / 1.09)
    assert against_fixed(offers[1], offers) is None
    alone = judge_all([burst, narrow]).offers
    asked = against_fixed(alone[0], alone)
    assert asked is not None and asked.fixed is None and asked.question is not None and "800" in asked.question.en
