"""Local SGD by fragments as a demand: published cells, a schedule small enough for paper, and its limits."""

from __future__ import annotations

import pytest

from app.domain.local_demand import LocalSgdDemand
from app.domain.policy import parse_policy
from app.domain.problems import InputError
from app.domain.requirement import derive
from app.domain.workload import parse_workload
from tests.domain.examples import workload

GIGA = 1e9


def one_layer(**changes: object) -> LocalSgdDemand:
    """One layer of 1e9 parameters at 8 bit, T = 1 s, every 4 steps: 8e9 bit, 1 s at 8 Gbit/s."""
    whole: dict[str, object] = {
        "parameters": 1e9, "layers": 1, "bits": 8, "fragment_layers": 1, "overlap_steps": 0, "sites": 2, "lanes": 1,
        "size": 1e9, "hops": 2, "interval": 4, "step_time": 1.0, "flows": 1, "utilization": 0.8, "sync": None,
    }  # fmt: skip
    return LocalSgdDemand(**{**whole, **changes})  # type: ignore[arg-type]


def floor(**changes: object) -> float:
    made = parse_workload(workload("100b_diloco", **changes))
    found = derive(made, parse_policy(None)).main.floor
    assert found is not None
    return found / GIGA


def test_the_published_cells_come_out_of_the_preset():
    # Streaming DiLoCo, 100B, 90 %: the paper's grid point lies at or below the need by up to ×1.25.
    streaming = {"training__fragment_layers": 3}
    overlapped = {**streaming, "training__overlap_steps": 1}
    assert 9.1 * 0.86 <= floor(**streaming, training__bits_per_synced_element=16) <= 9.1 * 1.25
    assert 4.3 * 0.86 <= floor(**overlapped, training__bits_per_synced_element=16) <= 4.3 * 1.25
    assert 1.1 * 0.86 <= floor(**overlapped) <= 1.1 * 1.25


def test_a_schedule_on_paper():
    got = one_layer().exchange(8e9, 0.0, 0.0)
    # 4 s of compute, then 1 s for the message: 4/5; the wait is 1 s a round, the mean step 5/4 s.
    assert (got.utilization, got.exposed, got.step, got.sync) == pytest.approx((0.8, 1.0, 1.25, 1.0))
    # Two hops at a round-trip time of 0.5 s add 0.5 s to the message: 4/5.5.
    assert one_layer().exchange(8e9, 0.5, 0.0).utilization == pytest.approx(4 / 5.5)


def test_floor_and_delay_limit_invert_the_schedule():
    demand = one_layer()
    # Budget: 4 · (1/0.8 − 1) = 1 s. Without delay all of it is transfer: 8e9 bit/s; with 0.5 s of delay half: 16e9.
    assert demand.budget == pytest.approx(1.0)
    assert demand.floor(0.0) == pytest.approx(8e9)
    assert demand.floor(0.5) == pytest.approx(16e9)
    assert demand.rtt_limit(16e9) == pytest.approx(0.5)
    assert demand.room(16e9, 0.2) == pytest.approx(1 - 0.5 - 0.2)
    assert demand.floor(1.1) is None
    assert demand.rtt_limit(4e9) == 0.0


def test_the_smaller_of_two_targets_binds():
    # The whole exchange in 0.5 s: 16e9 bit/s, though 8e9 would reach the utilisation.
    demand = one_layer(sync=0.5)
    assert demand.budget == pytest.approx(0.5)
    assert demand.floor(0.0) == pytest.approx(16e9)
    assert demand.floor_working(16e9, 0.0)[0][0] == "bandwidth_floor"
    assert demand.rtt_limit(32e9) == pytest.approx(0.25)  # 0.5 s less 8e9/32e9 = 0.25 s
    assert one_layer(sync=9.0).floor_working(8e9, 0.0)[0][0] == "local_sgd_bandwidth"


def test_a_mesh_shares_the_exchange_among_its_lines():
    # Three sites: 2·2/3 of the set leaves a site, over two lines: each carries half.
    ring, mesh = (
        floor(training__sites=3, training__interconnect=kind, training__gpus=3456, training__fragment_layers=3)
        for kind in ("ring", "mesh")
    )
    assert mesh == pytest.approx(ring / 2, rel=0.01)  # a ring has two more hops, 15 ms in 492 s


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("fragment_layers", 109, "FRAGMENT_TOO_LARGE"),
        ("overlap_steps", 101, "OVERLAP_TOO_LONG"),
        ("overlap_steps", 31, "OVERLAP_TOO_LONG"),
    ],
)
def test_a_schedule_that_cannot_be_is_named(field, value, code):
    with pytest.raises(InputError) as caught:
        parse_workload(workload("100b_diloco", **{f"training__{field}": value}))
    assert [(q.code, q.place) for q in caught.value.problems] == [(code, f"training.{field}")]
