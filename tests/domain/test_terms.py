"""From several facts to one term: rule 9, and the spans of rule 4."""

from __future__ import annotations

from decimal import Decimal

import pytest

from app.domain.facts import Evidence, Fact, Offer, State
from app.domain.terms import jitter_span, loss_span, rate_span, rtt_span, term

HERE = Evidence(reader="xlsx", quote="x")


def fact(metric, value=None, **more):
    state = more.pop("state", State.STATED)
    number = Decimal(value) if isinstance(value, str) else value
    return Fact(metric=metric, state=state, value=number, evidence=HERE, **more)


def offer(*facts):
    return Offer(vendor="甲", product="线", facts=facts)


def test_the_worst_of_several_promises_is_used_and_the_others_are_readings():
    found = term(offer(fact("rtt", "0.010"), fact("rtt", "0.012")), "rtt")
    assert found.number == 0.012
    assert set(found.readings) == {0.010, 0.012}
    assert term(offer(fact("availability", "0.9999"), fact("availability", "0.999")), "availability").number == 0.999


def test_a_promise_beats_a_target_and_an_observation():
    facts = (fact("packet_loss", "1e-7", commitment="observed"), fact("packet_loss", "1e-5", commitment="guarantee"))
    assert term(offer(*facts), "packet_loss").number == 1e-5
    only = term(offer(facts[0]), "packet_loss")
    assert only.number == 1e-7
    assert only.soft


def test_an_unconditional_figure_beats_a_conditional_one():
    facts = (fact("repair_time", "10800", condition="城区"), fact("repair_time", "21600"))
    assert term(offer(*facts), "repair_time").number == 21600


def test_a_pairs_figure_never_stands_for_one_circuit():
    facts = (fact("availability", "0.99999", scope="pair"), fact("availability", "0.999", scope="end_to_end"))
    assert term(offer(*facts), "availability").number == 0.999
    bought_pair = offer(*facts, fact("paths", "2"))
    assert term(bought_pair, "availability").number == 0.99999


def test_ambiguous_wins_over_stated_and_keeps_its_readings():
    unclear = fact("availability", None, state=State.AMBIGUOUS, readings=(Decimal("0.9999"), Decimal("0.999")))
    found = term(offer(unclear), "availability")
    assert found.state is State.AMBIGUOUS
    assert found.number is None
    assert found.readings == (0.9999, 0.999)


def test_of_equal_figures_the_surer_one_is_used():
    facts = (fact("bandwidth", "4e11", confidence=0.85), fact("bandwidth", "4e11", confidence=0.97))
    assert term(offer(*facts), "bandwidth").fact.confidence == 0.97
    confirmed = fact("bandwidth", "4e11", confidence=0.85, confirmed_by="王工")
    assert term(offer(*facts, confirmed), "bandwidth").confirmed


def test_hidden_values_are_never_used():
    assert term(offer(fact("rtt", "0.001", visible=False)), "rtt").state is State.MISSING


def test_missing_elsewhere_and_declined_are_three_things():
    assert term(offer(), "rtt").state is State.MISSING
    assert term(offer(fact("rtt", None, state=State.ELSEWHERE)), "rtt").state is State.ELSEWHERE
    assert term(offer(fact("rtt", None, state=State.NONE)), "rtt").state is State.NONE


@pytest.mark.parametrize(
    ("facts", "best", "worst"),
    [
        ((fact("rtt", "0.01", direction="round_trip"),), 0.01, 0.01),
        ((fact("rtt", "0.01"),), 0.01, 0.02),  # no direction: x and 2x
        ((fact("one_way_delay", "0.006"),), 0.012, 0.012),
        ((), 0.005, None),
    ],
)
def test_round_trip_readings(facts, best, worst):
    span = rtt_span(offer(*facts), 0.005)
    assert span.best == pytest.approx(best)
    assert span.worst == (None if worst is None else pytest.approx(worst))


def test_jitter_becomes_a_standard_deviation():
    # p99 of 2.326 ms is a σ of 1 ms; without a statistic from max/3.09 to mean/1.128
    assert jitter_span(offer(fact("jitter", "0.002326", statistic="p99"))).worst == pytest.approx(0.001)
    open_ = jitter_span(offer(fact("jitter", "0.00309")))
    assert open_.best == pytest.approx(0.001)
    assert open_.worst == pytest.approx(0.00309 / 1.128)


def test_loss_without_a_figure_has_no_upper_bound():
    span = loss_span(offer())
    assert span.worst is None
    assert span.central is None


def test_rate_is_the_weakest_segment_and_an_open_one_leaves_it_open():
    two = (fact("bandwidth", "4e11"), fact("segment_bandwidth", "1e11", condition="middle"))
    assert rate_span(offer(*two)).worst == 1e11
    open_ = (*two, fact("segment_bandwidth", None, state=State.ELSEWHERE, condition="Z"))
    assert rate_span(offer(*open_)).worst is None
    assert rate_span(offer(*open_)).best == 1e11
