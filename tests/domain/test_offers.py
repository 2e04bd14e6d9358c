"""Offers as JSON and as facts: round trip, states, bad input."""

from __future__ import annotations

import copy

import pytest

from app.domain.facts import State
from app.domain.offers import offer_as_json, parse_offer, parse_offers
from app.domain.problems import InputError
from app.domain.terms import term
from tests.domain.examples import OFFER, offer


def known(value):
    """The JSON without what is not known."""
    if isinstance(value, dict):
        return {k: known(v) for k, v in value.items() if v is not None}
    return [known(v) for v in value] if isinstance(value, list) else value


def test_an_offer_comes_back_as_it_went_in():
    assert known(offer_as_json(parse_offer(OFFER))) == known(OFFER)


def test_every_field_of_the_contract_survives_the_round_trip():
    full = offer(
        committed_gbps=380, burst_gbps=500, switch_time_s=3, bit_error_ratio=1e-12, transport="rdma_selective_repeat",
        window_bytes=5e8, hops=7, price__usage_per_gb=0.02, price__exit_share=0.5, price__renewal_uplift=-0.1,
        topology__homogeneous=True, platform__traffic_audit=False, platform__address_planning=True,
        sla__credit_tiers=[{"from": 0, "to": 3600, "credit": 0.1, "basis": "outage_duration"}],
        rtt_direction="one_way",
    )  # fmt: skip
    assert known(offer_as_json(parse_offer(full))) == known(full)


def test_false_on_a_figure_is_the_vendor_declining():
    made = parse_offer(offer(packet_loss=False))
    assert term(made, "packet_loss").state is State.NONE
    assert offer_as_json(made)["packet_loss"] is False


def test_null_and_absent_are_missing():
    made = parse_offer(offer(packet_loss=None, jitter_ms=...))
    assert term(made, "packet_loss").state is State.MISSING
    assert term(made, "jitter").state is State.MISSING


@pytest.mark.parametrize(
    ("changes", "code", "place"),
    [
        ({"vendor": None}, "MISSING", "vendor"),
        ({"vendor": "x" * 300}, "TOO_LONG", "vendor"),
        ({"bandwidth_gbps": "400"}, "NOT_A_NUMBER", "bandwidth_gbps"),
        ({"bandwidth_gbps": -1}, "OUT_OF_RANGE", "bandwidth_gbps"),
        ({"bandwidth_gbps": 0}, "OUT_OF_RANGE", "bandwidth_gbps"),
        ({"bandwidth_gbps": float("nan")}, "NOT_A_NUMBER", "bandwidth_gbps"),
        ({"rtt_ms": 1e308}, "OUT_OF_RANGE", "rtt_ms"),
        ({"packet_loss": 1.5}, "OUT_OF_RANGE", "packet_loss"),
        ({"packet_loss": True}, "NOT_A_NUMBER", "packet_loss"),
        ({"sla__availability": 99.99}, "OUT_OF_RANGE", "sla.availability"),
        ({"sla__scope": "everywhere"}, "NOT_A_CHOICE", "sla.scope"),
        ({"layer": "copper"}, "NOT_A_CHOICE", "layer"),
        ({"topology__paths": 0}, "OUT_OF_RANGE", "topology.paths"),
        ({"platform__telemetry": "yes"}, "NOT_A_FLAG", "platform.telemetry"),
        ({"price__currency": "Yuan"}, "BAD_CURRENCY", "price.currency"),
        ({"quote__valid_until": "31.03.2027"}, "NOT_A_DATE", "quote.valid_until"),
        ({"segments": "all"}, "NOT_A_LIST", "segments"),
        ({"segments": [5]}, "NOT_AN_OBJECT", "segments[0]"),
        ({"sla": 5}, "NOT_AN_OBJECT", "sla"),
        ({"sla__credit_tiers": [{"from": 0.9}]}, "BAD_TIER", "sla.credit_tiers[0]"),
        ({"encapsulation": ["tunnel"]}, "NOT_A_CHOICE", "encapsulation"),
        ({"bandwith_gbps": 400}, "UNKNOWN_FIELD", "bandwith_gbps"),
    ],
)
def test_bad_input_names_the_field(changes, code, place):
    with pytest.raises(InputError) as caught:
        parse_offers([offer(**changes)])
    assert (code, f"offers[0].{place}") in [(p.code, p.place) for p in caught.value.problems]
    assert all(p.message.zh and p.message.en for p in caught.value.problems)


def test_every_problem_is_listed_not_only_the_first():
    with pytest.raises(InputError) as caught:
        parse_offers([offer(rtt_ms=-1, packet_loss=2), offer(vendor=None)])
    assert {p.place for p in caught.value.problems} == {"offers[0].rtt_ms", "offers[0].packet_loss", "offers[1].vendor"}


@pytest.mark.parametrize("raw", [None, 5, "x", {"offers": 3}, [3]])
def test_offers_must_be_a_list_of_objects(raw):
    with pytest.raises(InputError):
        parse_offers(raw)


def test_one_vendor_and_product_only_once():
    with pytest.raises(InputError) as caught:
        parse_offers([OFFER, copy.deepcopy(OFFER)])
    assert caught.value.problems[0].code == "OFFER_REPEATED"
