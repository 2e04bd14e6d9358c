"""What would have to change: values by hand, and that a named value is enough while a worse one is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.assessment import Outcome
from app.domain.sensitivity import sensitivity
from app.domain.sensitivity_words import as_json, change_of
from app.domain.sweeps import sweep, tornado
from app.domain.why_not import ANSWER, PROMISE, QUANTITY, Cure
from tests.domain.examples import judge_all, judge_one, offer, workload


def cures(**changes: Any) -> list[Cure]:
    found = sensitivity(judge_all([offer(**changes)])).why_not
    return list(found[0].cures) if found else []


def test_a_loss_above_the_line_names_the_line() -> None:
    # The line is 3.18536e-6 (contract); kept to five digits on the side that passes.
    (cure,) = cures(packet_loss=1e-5)
    assert (cure.metric, cure.now, cure.need) == ("packet_loss", 1e-5, 3.1853e-6)
    assert cure.alone
    assert change_of(cure).zh == "把丢包率从 1×10⁻⁵ 降到 3.1853×10⁻⁶（仅此一项即可通过）"


def test_a_narrow_line_names_the_rate_that_leaves_the_floor() -> None:
    # C·0.9794357/(1 + 1e-7·C·0.01/32,768) = 280.2057e9: C = 286.089/(1 − 286.089e9·3.0518e-14) = 288.609 Gbit/s.
    (cure,) = cures(bandwidth_gbps=200, segments=None)
    assert cure.metric == "bandwidth" and cure.alone
    assert cure.need == pytest.approx(288.609e9, rel=1e-4)


def test_the_narrowest_segment_is_what_has_to_grow() -> None:
    segments = [{"name": "A", "bandwidth_gbps": 100}, {"name": "Z", "bandwidth_gbps": 400}]
    (cure,) = cures(segments=segments)
    assert cure.now == 100e9
    assert cure.need == pytest.approx(288.609e9, rel=1e-4)


def test_silence_asks_for_a_promise() -> None:
    (cure,) = cures(rtt_ms=None)
    assert (cure.metric, cure.now) == ("rtt", None)
    # A longer round trip costs twice: at 1e-7 the rate falls, 391.774/(1 + 1e-7·400e9·RTT/32,768), and the two hops
    # of the exchange take RTT themselves. 2,800/391.774·(1 + 1.220703·RTT) + RTT = 10·1.005 gives
    # RTT = (10.05 − 7.146977)/(8.724340 + 1) = 0.29853 s, less a thousandth for jitter.
    assert cure.need == pytest.approx(0.2985, rel=1e-3)
    assert "must be promised in writing" in change_of(cure).en


def test_answers_and_promises_are_told_apart() -> None:
    (flag,) = cures(platform__telemetry=False)
    assert (flag.kind, flag.alone) == (ANSWER, True)
    (soft,) = cures(sla__commitment="target")
    assert (soft.kind, soft.alone) == (PROMISE, True)


def test_two_faults_need_both() -> None:
    found = cures(packet_loss=1e-5, sla__availability=0.99)
    assert {c.metric for c in found} == {"packet_loss", "availability"}
    assert not any(c.alone for c in found)
    why = sensitivity(judge_all([offer(packet_loss=1e-5, sla__availability=0.99)])).why_not[0]
    assert why.together is Outcome.ELIGIBLE


def test_a_delay_that_beats_light_is_not_mended_by_a_figure() -> None:
    (cure,) = cures(rtt_ms=3)
    assert cure.kind == "other" and cure.checks[0].rule.id == "latency.physics"


@settings(max_examples=15)
@given(st.floats(min_value=4e-6, max_value=1e-3))
def test_the_value_named_is_enough_and_a_worse_one_is_not(loss: float) -> None:
    (cure,) = cures(packet_loss=loss)
    assert cure.need is not None
    assert judge_one(packet_loss=cure.need).outcome is Outcome.RECOMMENDED
    assert judge_one(packet_loss=cure.need * 1.001).outcome is Outcome.REJECTED


def test_break_even_is_equal_work_at_equal_cost() -> None:
    # Same line, dearer by 100,000: it wins just below the other's charge, which wins up to the dearer one's.
    first, second = offer(), offer(vendor="乙", price__monthly=500000)
    rows = {s.judged.offer.vendor: s for s in sensitivity(judge_all([first, second])).standings}
    assert rows["乙"].break_even == pytest.approx(400000, rel=3e-5)
    assert rows["甲运营商"].break_even == pytest.approx(500000, rel=3e-5)


def test_the_winner_says_how_far_it_may_slip() -> None:
    rooms = {r.metric: r for r in sensitivity(judge_all([offer()])).standings[0].room}
    assert rooms["packet_loss"].limit == 3.1853e-6
    assert rooms["availability"].limit == pytest.approx(0.999, abs=2e-5)
    assert rooms["oversubscription"].limit == pytest.approx(387.0495 / 280.2057, rel=2e-3)


def test_a_price_cannot_mend_a_gate() -> None:
    found = sensitivity(judge_all([offer(), offer(vendor="乙", packet_loss=1e-5, price__monthly=1)]))
    assert [s.judged.offer.vendor for s in found.standings] == ["甲运营商"]


def test_json_carries_both_languages_and_units() -> None:
    raw = as_json(sensitivity(judge_all([offer(packet_loss=1e-5), offer(vendor="乙")])))
    change = raw["why_not"][0]["changes"][0]
    assert change["kind"] == QUANTITY and change["unit"] == "1" and change["message"]["zh"] and change["message"]["en"]
    assert raw["standings"][0]["monthly_charge"] == 400000


def test_a_sweep_keeps_the_laws_and_meets_the_offer() -> None:
    assessment = judge_all([offer()])
    judged = assessment.offers[0]
    rising = sweep(assessment, judged, "bandwidth")
    central = [q.central or 0.0 for q in rising.points]
    assert central == sorted(central)
    own = judged.prediction.central
    assert own is not None and rising.own == 400e9 and rising.line == pytest.approx(280.2057e9, rel=1e-6)
    assert central[len(central) // 2] == pytest.approx(own.utilization)
    falling = [q.central or 0.0 for q in sweep(assessment, judged, "rtt").points]
    assert falling == sorted(falling, reverse=True)


def test_the_untuned_window_makes_the_band_wide() -> None:
    assessment = judge_all([offer()])
    swings = tornado(assessment, assessment.offers[0])
    assert swings[0].title.en.startswith("Your own window")
    # 107.374 Gbit/s: 26.077 s + 10 ms + 0.1 ms, cover 0.1406: 13.638/(13.638 + 25.9465) = 0.34453.
    assert swings[0].low == pytest.approx(0.34453, rel=1e-3)


def test_other_scenarios_sweep_their_own_figure() -> None:
    assessment = judge_all([offer(rtt_ms=4, distance_km=200)], workload("prefill_decode"))
    points = sweep(assessment, assessment.offers[0], "bandwidth").points
    known = [q.central for q in points if q.central is not None]
    assert known == sorted(known, reverse=True)
