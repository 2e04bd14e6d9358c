"""Single figures gate by gate, ceiling, expiry, points, swaps of weights and what turns over inside a band."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.assessment import Outcome, assess
from app.domain.band_words import sentences, swap_of
from app.domain.bench import Bench
from app.domain.knobs import BY_METRIC, with_value
from app.domain.policy import parse_policy
from app.domain.sensitivity import Sensitivity, sensitivity
from app.domain.sensitivity_words import change_of, document, routes_of
from app.domain.sweeps import sweep
from app.domain.weight_swaps import with_weight
from app.domain.weights import weights_of
from app.domain.why_not import ANSWER, RENEWAL, WhyNot
from tests.domain.examples import changed, judge_all, judge_one, offer, workload

CEILING = 1_000_000.0


def found(*offers: dict[str, Any], policy: Any = None) -> Sensitivity:
    return sensitivity(judge_all(list(offers), policy=policy))


def why(policy: Any = None, **changes: Any) -> WhyNot:
    return found(offer(**changes), policy=policy).why_not[0]


def test_a_delay_exactly_on_the_limit_passes_and_is_the_value_named() -> None:
    # Lossless line: 2.8e12 bit / 350.257e9 bit/s = 7.99413 s of the 10 s given; 2.00587 s are left for one round trip.
    (cure,) = why(rtt_ms=5000, packet_loss=0).cures
    assert (cure.metric, cure.need) == ("rtt", 2.0058)
    assert judge_one(rtt_ms=2005.8, packet_loss=0).outcome is Outcome.RECOMMENDED
    assert judge_one(rtt_ms=2005.9, packet_loss=0).outcome is Outcome.REJECTED


def test_a_round_limit_is_named_as_the_round_figure() -> None:
    # The gate is "at least 99.9 %", so the room ends at 0.999, not a step of the fifth digit inside it.
    rooms = {r.metric: r.limit for r in found(offer()).standings[0].room}
    assert rooms["availability"] == 0.999


def test_each_gate_lists_every_figure_that_moves_it() -> None:
    whole = why(bandwidth_gbps=200, segments=None)
    by_gate = {(c.checks[0].rule.id, c.metric): c.need for c in whole.routes}
    # 200 Gbit/s leave 0.9794357·200 = 195.9 at best: neither delay nor loss can give the floor of 280.2 back.
    assert by_gate["bandwidth.effective", "rtt"] is None and by_gate["bandwidth.effective", "packet_loss"] is None
    assert by_gate["bandwidth.effective", "bandwidth"] == pytest.approx(288.609e9, rel=1e-4)
    assert by_gate["bandwidth.end_to_end", "bandwidth"] == pytest.approx(280.2057e9, rel=1e-4)
    texts = {gate.en: text for gate, text in routes_of(whole)}
    assert "no value alone is enough of: " in texts["Effective bandwidth"].en
    assert "都不够" in texts["Effective bandwidth"].zh


def test_a_delay_below_light_is_called_impossible() -> None:
    # 20,000 km of fibre take 2·20,000·1.468/299,792 = 195.9 ms there and back; a first token in 1.2 s asks for less.
    job = workload("prefill_decode", distance_km=20000, inference__ttft_target_ms=1200)
    row = sensitivity(judge_all([offer(rtt_ms=700, distance_km=20000)], job)).why_not[0]
    cure = next(c for c in row.routes if c.metric == "rtt")
    assert cure.need is not None and cure.need < 0.1959
    assert cure.beyond_physics and not cure.alone
    assert change_of(cure).zh.endswith("光纤传播都做不到")
    assert row.together is Outcome.REJECTED


@settings(max_examples=8)
@given(
    st.floats(min_value=50, max_value=900),
    st.floats(min_value=6, max_value=900),
    st.floats(min_value=1e-9, max_value=1e-4),
    st.floats(min_value=0.9, max_value=0.99999),
)
def test_at_the_value_named_the_gate_passes_and_beyond_it_not(
    gbps: float, rtt: float, loss: float, available: float
) -> None:
    changes = {"bandwidth_gbps": gbps, "segments": None, "rtt_ms": rtt, "packet_loss": loss}
    assessment = judge_all([offer(**changes, sla__availability=available)])
    bench = Bench(assessment)
    for row in sensitivity(assessment).why_not:
        for cure in (c for c in row.routes if c.metric is not None and c.need is not None and c.need != c.now):
            assert cure.metric is not None and cure.need is not None
            knob = BY_METRIC[cure.metric]
            assert bench.hold(with_value(row.judged.offer, knob, cure.need), cure.checks)
            step = 1 if knob.whole else cure.need * 1.1e-4  # one step of the fifth digit
            worse = cure.need - step if knob.higher_is_better else cure.need + step
            if worse >= knob.low:
                assert not bench.hold(with_value(row.judged.offer, knob, worse), cure.checks)
        if row.together in (Outcome.ELIGIBLE, Outcome.RECOMMENDED):
            assert all(c.need is not None or c.kind == ANSWER for c in row.cures)


@settings(max_examples=12)
@given(st.integers(min_value=200_000, max_value=900_000), st.floats(min_value=5, max_value=200))
def test_just_under_break_even_wins_and_just_above_loses(price: int, rtt: float) -> None:
    first, second = offer(), offer(vendor="乙", price__monthly=price, rtt_ms=rtt)
    rows = {s.judged.offer.vendor: s for s in found(first, second).standings}
    even = rows["乙"].break_even
    if even is None:
        return
    for share, wins in ((0.9999, True), (1.0001, False)):
        again = judge_all([first, changed(second, price__monthly=round(even * share, 2))]).recommended
        assert again is not None and (again.offer.vendor == "乙") is wins


def test_break_even_by_the_formula_written_out() -> None:
    # The same line at ten times the loss works a little less. effective = (L + G)·K − G, so the slower line ties at
    # L' = (E + G)/K' − G with E of the other; back to the gross charge: (L' − 50,000/1.09/24)·1.09.
    fast, slow = offer(), offer(vendor="乙", packet_loss=1e-6)
    assessment = judge_all([fast, slow])
    rows = {s.judged.offer.vendor: s for s in sensitivity(assessment).standings}
    quick, other = assessment.offers
    gpu = 128 * 730 * 10
    assert quick.cost.effective and other.cost.effective and other.cost.line
    stretch = (float(other.cost.effective) + gpu) / (float(other.cost.line) + gpu)
    line = (float(quick.cost.effective) + gpu) / stretch - gpu
    charge = (line - 50_000 / 1.09 / 24) * 1.09
    assert 300_000 < charge < 400_000
    assert rows["乙"].break_even == pytest.approx(charge, rel=2e-5)


def test_above_the_price_ceiling_the_charge_is_what_has_to_change() -> None:
    # (L + G)·K − G ≤ ceiling, so L ≤ (ceiling + G)/K − G; gross: (L − 50,000/1.09/24)·1.09.
    (cure,) = why({"price_ceiling": CEILING}).cures
    money = judge_one().cost
    assert money.effective and money.line and float(money.effective) > CEILING
    gpu = 128 * 730 * 10
    stretch = (float(money.effective) + gpu) / (float(money.line) + gpu)
    charge = (((CEILING + gpu) / stretch - gpu) - 50_000 / 1.09 / 24) * 1.09
    assert (cure.metric, cure.now, cure.alone, cure.currency) == ("monthly_charge", 400_000, True, "CNY")
    assert cure.need == pytest.approx(charge, rel=2e-5)
    assert "月租费从 400,000 CNY 降到" in change_of(cure).zh


def test_an_expired_quote_asks_for_renewal_and_nothing_else() -> None:
    row = why({"evaluation_date": "2027-04-01"})
    assert [(c.kind, c.alone) for c in row.cures] == [(RENEWAL, True)]
    assert change_of(row.cures[0]).zh == "报价已过期，须续期（仅此一项即可通过）"


def test_too_few_platform_points_ask_for_the_fewest_answers() -> None:
    # Training: telemetry 25 (gate), detection 20, management 15, isolation by construction on OTN 10, elastic 10,
    # MTU 5, API 5; routing and addresses do not count: 90 in all, 60 % of them 54. Telemetry and isolation: 35.
    # Detection brings 55: one answer is enough.
    silent = {"telemetry": True}
    row = why(platform=silent)
    assert [c.checks[0].rule.id for c in row.cures] == ["platform.fast_fault_detection"]
    assert row.together is Outcome.ELIGIBLE


def test_an_untuned_window_turns_the_floor_over_inside_the_band() -> None:
    # 8 channels in flight untuned: 107.374 Gbit/s, under the floor of 280.2; as promised 387.0495 are above it.
    bands = found(offer()).bands
    (flip,) = bands[0].flips
    assert flip.central and flip.demand.line == pytest.approx(280.2057e9, rel=1e-6)
    assert flip.low == pytest.approx(107.374e9, rel=1e-4)
    assert flip.middle == pytest.approx(387.0495e9, rel=1e-4)
    assert sentences(bands[0])[0].zh.startswith("有效带宽落到低端为 107.4")
    assert bands[0].widest is not None and bands[0].widest.title.en.startswith("Your own window")


def test_the_rank_at_the_low_end_is_told() -> None:
    rows = found(offer(), offer(vendor="乙", price__monthly=450000)).bands
    assert (rows[0].judged.rank, rows[0].rank_low, rows[0].rank_high) == (1, 2, 1)
    assert "Rank: 1 as promised; 2 if it alone falls" in sentences(rows[0])[-1].en


def test_a_band_in_which_nothing_turns_over_says_so() -> None:
    (row,) = found(offer(window_bytes=1e12)).bands
    assert not row.flips and sentences(row)[0].zh == "区间内门槛与名次都不变。"


@pytest.mark.parametrize("preset", ["enterprise", "gov-service"])
def test_beyond_the_weight_named_the_first_two_change_places(preset: str) -> None:
    ceiling = 1_500_000
    cheap, quick = offer(price__monthly=300000, sla__repair_time_h=20), offer(vendor="乙", price__monthly=600000)
    policy = {"preset": preset, "price_ceiling": ceiling}
    assessment = judge_all([cheap, quick], policy=policy)
    swaps = [w for w in sensitivity(assessment).weights if w.swap is not None]
    first = assessment.recommended
    assert first is not None and swaps
    offers = [o.offer for o in assessment.offers]
    for row in swaps:
        assert row.swap is not None
        toward = 1 if row.swap > row.now else -1
        for step, same in ((-0.01, True), (0.01, False)):
            weights = with_weight(weights_of(preset, {}), row.factor.id, row.swap + toward * step)
            if min(weights.values()) < 0:
                continue
            again = assess(assessment.workload, offers, parse_policy({**policy, "weights": weights})).recommended
            assert again is not None and (again.offer.vendor == first.offer.vendor) is same, row.factor.id
        assert "前两名互换" in swap_of(row).zh


def test_the_reference_line_meets_the_target_where_the_floor_is() -> None:
    # Lossless, headers off: 280.2057/0.9794357 = 286.089 Gbit/s give the floor; more is better from there.
    assessment = judge_all([offer()])
    row = sweep(assessment, assessment.offers[0], "bandwidth")
    known = [y for y in row.reference if y is not None]
    assert known == sorted(known) and len(known) == len(row.points)


def test_the_document_is_whole_and_finite() -> None:
    raw = document(judge_all([offer(), offer(vendor="乙", packet_loss=None)], policy={"preset": "enterprise"}))
    assert set(raw) == {"why_not", "standings", "weights", "bands", "curves"}
    assert raw["why_not"][0]["single_figures"] and len(raw["curves"]) == len(raw["bands"]) == 2
    assert {c["metric"] for c in raw["curves"][0]["curves"]} == {"bandwidth", "rtt", "packet_loss", "jitter"}
