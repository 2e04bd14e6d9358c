"""Three and four sites by hub, ring and mesh: traffic of each line by hand, and the same floor by every road."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.formulas.sites import flat_ring_latency
from app.domain.interconnect import Interconnect
from app.domain.policy import parse_policy
from app.domain.requirement import Requirement, derive
from app.domain.workload import parse_workload
from tests.domain.examples import workload

GIGA = 1e9


def required(**changes: object) -> Requirement:
    return derive(parse_workload(workload("70b_three_sites", **changes)), parse_policy(None))


def joined(**changes: object) -> Interconnect:
    found = required(**changes).interconnect
    assert found is not None
    return found


# S = 70e9 · 2 B = 140 GB; three sites: E = 2·2/3·140 = 186.67 GB leave each.
# Hub: a spoke carries all of its site's E each way. Ring of lines: two opposite rings of E/2 each.
# Mesh: two lines a site, E/2 each.
@pytest.mark.parametrize(("kind", "lines", "per_line"), [("hub", 2, 186.667), ("ring", 3, 93.333), ("mesh", 3, 93.333)])
def test_three_sites(kind: str, lines: int, per_line: float) -> None:
    found = joined(training__interconnect=kind)
    assert found.lines == lines
    assert found.line_bytes / GIGA == pytest.approx(per_line, rel=1e-4)
    assert found.failure.zh and found.failure.en


def test_the_hub_needs_twice() -> None:
    hub = joined(training__interconnect="hub")
    assert hub.site_floor is not None and hub.hub_floor == pytest.approx(2 * hub.site_floor)
    assert hub.site_floor / GIGA < 400  # 400G a site is enough
    ring = joined(training__interconnect="ring")
    assert ring.hub_floor == ring.site_floor


# Four sites: E = 2·3/4·140 = 210 GB. Hub: 3 spokes of 210 GB, 630 at the hub. Ring: 4 lines of 105. Mesh: 6 of 70.
@pytest.mark.parametrize(
    ("kind", "lines", "per_line", "hub"), [("hub", 3, 210, 3), ("ring", 4, 105, 1), ("mesh", 6, 70, 1)]
)
def test_four_sites(kind: str, lines: int, per_line: float, hub: int) -> None:
    found = joined(training__interconnect=kind, training__sites=4)
    assert found.lines == lines
    assert found.line_bytes / GIGA == pytest.approx(per_line)
    assert found.site_floor is not None
    assert found.hub_floor == pytest.approx(hub * found.site_floor)


def test_the_floor_of_a_mesh_is_that_of_one_of_its_lines() -> None:
    # The contract's floor is what one ordered line must carry: in a mesh E/(k−1), else the whole site.
    mesh = required(training__interconnect="mesh", training__sites=4)
    assert mesh.interconnect is not None and mesh.main.floor == pytest.approx(mesh.interconnect.line_floor)
    assert mesh.main.size / GIGA == pytest.approx(70)


def test_the_published_flat_ring() -> None:
    # 1,024 ranks and 5 ms one way: 2 · 1,023 · 0.005 = 10.23 s.
    assert flat_ring_latency(ranks=1024, one_way_delay=0.005) == pytest.approx(10.23)


# Around a hub or a ring an exchange takes 2(k−1) one-way delays, straight over a mesh 2.
@pytest.mark.parametrize(("kind", "hops"), [("hub", 6), ("ring", 6), ("mesh", 2)])
def test_dependent_hops_of_four_sites(kind: str, hops: int) -> None:
    assert joined(training__interconnect=kind, training__sites=4).hops == hops


def test_local_sgd_spreads_an_exchange_over_its_steps() -> None:
    # E = 186.67 GB a site, half of it on each line of a ring, every 50 steps: 93.33 / 50 = 1.867 GB a step.
    found = joined(training__crossing="local_sgd", training__sync_interval_steps=50, training__interconnect="ring")
    assert found.step_bytes == pytest.approx(found.line_bytes / 50)


@given(st.sampled_from(["hub", "ring", "mesh"]), st.sampled_from([3, 4, 6]))
def test_what_the_lines_of_a_site_carry_is_what_leaves_it(kind: str, sites: int) -> None:
    # E = 2(k−1)/k·S, whichever way: one spoke, two lines of a ring, k−1 of a mesh.
    side = {"hub": 1, "ring": 2, "mesh": sites - 1}[kind]
    found = joined(training__interconnect=kind, training__sites=sites)
    assert side * found.line_bytes == pytest.approx(2 * (sites - 1) / sites * 140e9)


def test_two_sites_have_one_line() -> None:
    found = derive(parse_workload(workload()), parse_policy(None)).interconnect
    assert found is not None and (found.lines, found.line_bytes / GIGA) == (1, 350)


def test_a_flat_ring_is_never_taken_for_granted() -> None:
    # 12 replicas of 70B over 300 km: D = 4.4055/2 = 2.2028 ms; 2·11·D = 0.0485 s; 2·11/12·140 = 257 GB a border.
    text = next(w.message.en for w in required().warnings if w.code == "two_level_assumed")
    assert "257 GB" in text and "0.0485 s" in text
    # Every hop across: 12 crossings over 3 borders, four times 256.7 = 1,027 GB.
    assert "1030 GB" in text or "1,030 GB" in text
    assert "two_level_assumed" not in [w.code for w in derive(parse_workload(workload()), parse_policy(None)).warnings]
