"""Every red line is the inverse of the prediction: on the line the target is met, beyond it it is not.

One quantity at a time, the others at reference conditions (rate = target, round-trip time = reference, no jitter, no
loss). Where a published cap is tighter than the need, the offer beyond it fails the check though the target holds.
"""

from __future__ import annotations

import pytest

from app.domain import parameters as p
from app.domain.lines import P99, Lines
from app.domain.local_demand import LocalSgdDemand
from app.domain.policy import parse_policy
from app.domain.requirement import derive
from app.domain.rules import Status
from app.domain.transport import Conditions, effective_rate
from app.domain.workload import parse_workload
from tests.domain.examples import check, judge_one, workload

STREAMING: dict[str, object] = {"training__fragment_layers": 3, "training__overlap_steps": 1}
JOBS: dict[str, tuple[str, dict[str, object]]] = {
    "data": ("175b_data", {}),
    "data for 90 %": ("175b_data", {"training__target_sync_s": None, "training__target_utilization": 0.9}),
    "pipeline": ("175b_pipeline", {}),
    "pipeline with warm-up": ("175b_pipeline", {"training__extra_warmup_micro_batches": 1}),
    "full overlap": ("175b_1024", {}),
    "experts' gradients": ("1t_moe", {}),
    "three sites in a ring": ("70b_three_sites", {}),
    "three sites in a mesh": ("70b_three_sites", {"training__interconnect": "mesh"}),
    "local SGD": ("100b_diloco", {}),
    "local SGD by fragments": ("100b_diloco", STREAMING),
    "small": ("7b_local_sgd", {}),
}
NEAR = 1e-6


@pytest.fixture(params=JOBS, ids=str)
def lines(request: pytest.FixtureRequest) -> Lines:
    preset, changes = JOBS[request.param]
    found = derive(parse_workload(workload(preset, **changes)), parse_policy(None)).main
    assert found.floor is not None and found.target is not None
    return found


def meets(lines: Lines, rate: float | None, rtt: float | None, sigma: float | None = 0.0) -> bool:
    """Whether the targets the buyer gave hold, read off the prediction itself."""
    assert lines.training is not None and lines.wanted is not None
    got = lines.training.exchange(rate or 0.0, rtt or 0.0, sigma or 0.0)
    held = lines.wanted.sync is None or got.sync <= lines.wanted.sync * (1 + NEAR / 10)
    share = lines.wanted.utilization
    return held and (share is None or got.utilization >= share * (1 - NEAR / 10))


def test_bandwidth(lines: Lines) -> None:
    assert lines.floor is not None
    assert meets(lines, lines.floor * (1 + NEAR), lines.reference.rtt)
    assert not meets(lines, lines.floor * (1 - 1e-4), lines.reference.rtt)


def test_round_trip_time(lines: Lines) -> None:
    assert lines.rtt_limit is not None and lines.rtt_reason == "hops"
    assert meets(lines, lines.target, lines.rtt_limit * (1 - NEAR))
    assert not meets(lines, lines.target, lines.rtt_limit * 1.01)


def test_jitter(lines: Lines) -> None:
    demand, sigma = lines.training, lines.sigma_limit
    assert demand is not None and sigma is not None and lines.target is not None
    assert meets(lines, lines.target, lines.reference.rtt, sigma * (1 - NEAR))
    calm = demand.exchange(lines.target, lines.reference.rtt, 0.0)
    shaken = demand.exchange(lines.target, lines.reference.rtt, sigma)
    share = p.JITTER_BUDGET.value * demand.step_time * demand.interval
    if demand.room(lines.target, lines.reference.rtt) < share:
        assert not meets(lines, lines.target, lines.reference.rtt, sigma * 1.01)
    elif isinstance(demand, LocalSgdDemand):  # the budget of 1 % of the step binds: a round is exactly that much longer
        assert shaken.exposed - calm.exposed == pytest.approx(share)
    else:  # the same for an exchange
        assert shaken.sync - calm.sync == pytest.approx(share)


def test_loss(lines: Lines) -> None:
    where = lines.reference
    assert lines.loss_limit is not None and lines.floor is not None and lines.target is not None

    def left(loss: float) -> float:
        return effective_rate(
            Conditions(
                quoted=lines.target or 0.0, rate=lines.target or 0.0, contention=1.0, rtt=where.rtt, loss=loss,
                transport=where.transport, payload=where.payload, overhead=0, streams=where.streams,
            )
        )  # fmt: skip

    assert meets(lines, left(lines.loss_limit) * (1 + 1e-5), where.rtt)
    if lines.loss_limit < p.RDMA_LOSS_CAP.value:
        assert not meets(lines, left(lines.loss_limit * 1.01), where.rtt)


@pytest.mark.parametrize(
    ("name", "field", "limit"),
    [
        ("latency.rtt", "rtt_ms", "rtt_limit"),
        ("latency.jitter", "jitter_ms", "sigma_limit"),
        ("loss.packet_loss", "packet_loss", "loss_limit"),
        ("sla.availability", "sla__availability", "availability_floor"),
    ],
)
def test_the_check_draws_the_same_line(name: str, field: str, limit: str) -> None:
    line = getattr(derive(parse_workload(workload()), parse_policy(None)).main, limit)
    # Units of the offer: ms, p99 of the jitter.
    scale = {"rtt_ms": 1e3, "jitter_ms": P99 * 1e3}.get(field, 1.0)
    worse = 0.999999 if field == "sla__availability" else 1.0001
    on, beyond = (judge_one(**{field: line * scale * k}) for k in (1.0 + (1e-12 if worse < 1 else -1e-9), worse))
    assert check(on, name).finding.status is Status.PASS
    assert check(beyond, name).finding.status is Status.FAIL
