"""Soft faults: what each leaves of an offer by hand, that none touches a verdict, and that worse never helps."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain import parameters as p
from app.domain.offers import parse_offers
from app.domain.policy import parse_policy
from app.domain.prediction import Reading
from app.domain.requirement import derive
from app.domain.soft_faults import SCENARIOS, Outlook, soft_faults
from app.domain.workload import parse_workload
from tests.domain.examples import judge_one, offer, workload


def outlooks(job: dict[str, Any] | None = None, **changes: Any) -> dict[str, Outlook]:
    """Every scenario that can happen to the example offer with changes."""
    parsed = parse_workload(job or workload())
    lines = derive(parsed, parse_policy(None)).main
    reading = Reading(parse_offers([offer(**changes)])[0], parsed, lines)
    return {o.scenario.id: o for o in soft_faults(reading)}


def use(**changes: Any) -> float:
    """Utilisation of the example offer with changes, as the prediction has it."""
    central = judge_one(**changes).prediction.central
    assert central is not None and central.utilization is not None
    return central.utilization


def test_the_normal_case_is_the_prediction() -> None:
    assert {o.normal for o in outlooks().values()} == {use()}


def test_congestion_spreading_takes_its_share_of_the_rate() -> None:
    # 30 % of 400 Gbit/s: as a line of 280 Gbit/s, range 10 to 50 %: 360 and 200
    found = outlooks(segments=...)["pfc_spreading"]
    rates = (360, 280, 200)
    assert (found.mild, found.usual, found.severe) == pytest.approx(
        [use(segments=..., bandwidth_gbps=r) for r in rates]
    )
    assert (p.PFC_SPREAD.low, p.PFC_SPREAD.value, p.PFC_SPREAD.high) == (0.1, 0.3, 0.5)


def test_a_lost_wave_leaves_the_others() -> None:
    # 3.2T on eight waves of 400G: 2.8T are left; severe: 60 % of the normal speed, as the pilot saw
    found = outlooks(segments=..., bandwidth_gbps=3200)["wave_lost"]
    assert found.usual == pytest.approx(use(segments=..., bandwidth_gbps=2800))
    assert found.normal is not None and found.severe == pytest.approx(found.normal * 0.6)
    # one of two waves: half the rate is worse than the pilot, so the severe end is the usual one or below
    both = outlooks(segments=..., bandwidth_gbps=800)["wave_lost"]
    assert both.usual == pytest.approx(use(segments=..., bandwidth_gbps=400))


def test_flows_on_few_paths_lose_what_the_urn_says() -> None:
    # 64 flows on 4 paths, 16 each: 21 % at g = 4, rounded (models 6); 16 flows lose more, 256 less
    found = outlooks(segments=..., layer="ip", topology__paths=4)["hashing_collision"]
    assert found.usual is not None and found.mild is not None and found.severe is not None
    assert use(segments=..., bandwidth_gbps=400 * 0.785) < found.usual < use(segments=..., bandwidth_gbps=400 * 0.795)
    assert found.severe < found.usual < found.mild
    assert "spraying" in found.scenario.advice.en and "4 paths" in found.assumption.en


def test_four_flows_on_four_paths_exact() -> None:
    # flows 4, paths 4: 1 − 1/2.125 = 52.94 % lost; the range ends at 4 (never fewer than paths) and at 16 flows
    found = outlooks(workload(network={"flows": 4}), segments=..., layer="ip", topology__paths=4)["hashing_collision"]
    expected = judge_one(workload(network={"flows": 4}), segments=..., bandwidth_gbps=400 / 2.125).prediction.central
    assert expected is not None and found.usual == found.severe == pytest.approx(expected.utilization)


def test_a_detour_changes_the_delay_only() -> None:
    found = outlooks()["detour"]
    assert (found.mild, found.usual, found.severe) == pytest.approx([use(rtt_ms=ms) for ms in (12, 20, 40)])


WHERE: list[tuple[str, dict[str, Any], bool]] = [
    ("pfc_spreading", {"transport": "tcp_cubic"}, False),
    ("pfc_spreading", {"transport": "infiniband"}, False),
    ("wave_lost", {}, False),  # 400G on one wave: its loss is an outage
    ("wave_lost", {"bandwidth_gbps": 800, "layer": "ip"}, False),
    ("hashing_collision", {}, False),  # OTN
    ("hashing_collision", {"layer": "ethernet", "topology__paths": 1}, False),
    ("hashing_collision", {"layer": "ethernet", "topology__paths": None}, False),
    ("hashing_collision", {"layer": "ethernet", "topology__paths": 2}, True),
    ("detour", {"topology__paths": 1}, False),
    ("detour", {"topology__paths": 1, "layer": "ip"}, True),
]


@pytest.mark.parametrize(("scenario", "changes", "happens"), WHERE)
def test_a_scenario_is_told_only_where_it_can_happen(scenario: str, changes: dict[str, Any], happens: bool) -> None:
    assert (scenario in outlooks(**changes)) is happens


def test_an_unknown_figure_is_reckoned_at_its_best_and_told_so() -> None:
    assert not any(o.best_case for o in outlooks().values())
    assert all(o.best_case for o in outlooks(packet_loss=None).values())
    assert outlooks(bandwidth_gbps=None, segments=None) == {}


def test_bulk_and_inference_count_in_seconds() -> None:
    bulk = outlooks(workload("cloud_bulk"))["detour"]
    assert bulk.unit == "s" and bulk.normal is not None and bulk.severe is not None and bulk.severe >= bulk.normal
    served = outlooks(workload("remote_inference"), layer="ip")["detour"]
    assert served.unit == "s" and served.normal is not None and served.usual is not None
    assert served.usual > served.normal


@given(
    rate=st.sampled_from([100, 400, 800, 3200]),
    layer=st.sampled_from(["wave", "otn", "ethernet", "ip"]),
    paths=st.integers(1, 64),
    loss=st.sampled_from([0.0, 1e-9, 1e-7, 1e-5, 1e-3]),
    rtt=st.floats(5, 80),
)
def test_no_fault_ever_helps_and_the_range_keeps_order(
    rate: int, layer: str, paths: int, loss: float, rtt: float
) -> None:
    found = outlooks(
        segments=..., bandwidth_gbps=rate, layer=layer, topology__paths=paths, packet_loss=loss, rtt_ms=rtt
    )
    for outlook in found.values():
        ends = [outlook.normal, outlook.mild, outlook.usual, outlook.severe]
        known = [e for e in ends if e is not None]
        assert known == sorted(known, reverse=True)
        assert ends[: len(known)] == known  # once nothing is left, nothing is left of the worse either


def test_every_scenario_has_a_source_and_both_languages() -> None:
    assert len({x.id for x in SCENARIOS}) == len(SCENARIOS)
    for outlook in outlooks(layer="ip", topology__paths=4).values():
        made = outlook.as_json()
        assert made["assumption"]["zh"] and made["advice"]["en"] and made["source"]["id"]
