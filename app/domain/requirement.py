"""The requirement: what this workload asks of any line, with its working. One line for all bidders.

Every limit is the inversion of the functions that predict an offer, at reference conditions (contract, Rules of
judgement 3): nominal = target, round-trip time = route factor × fibre floor, the buyer's transport.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain import training
from app.domain.advice import advise
from app.domain.article import Difference, article_figures, differences
from app.domain.article_examples import article_examples
from app.domain.demand import slowest_working
from app.domain.fabric import Audit, article_rows, audit
from app.domain.formulas.line import window_rtt_limit
from app.domain.interconnect import Interconnect, interconnect, lanes
from app.domain.lines import Lines
from app.domain.outages import availability_need
from app.domain.problems import Notice
from app.domain.requirement_serving import bulk_lines, inference_lines
from app.domain.text import Text
from app.domain.training_notices import training_notices
from app.domain.transport import Reference, is_rdma, loss_limit
from app.domain.working import Ledger, Working

if TYPE_CHECKING:
    from app.domain.advice import Advice
    from app.domain.policy import Policy
    from app.domain.workload import Training, Workload

NO_DISTANCE = Text(
    "未填站点距离，参考往返时延按 10 ms 计，且无法核对光纤下限。",
    "No distance was given: the reference round-trip time is 10 ms, and the fibre limit cannot be checked.",
)
HOUR = 3600.0
DEFAULT_TRANSPORT = {"training": "rdma_go_back_n", "inference": "tcp_cubic", "bulk": "tcp_cubic"}


@dataclass(frozen=True, slots=True)
class Requirement:
    """What the workload asks: lines per scenario, the article's figures beside ours, working, advice, warnings."""

    lines: tuple[Lines, ...]
    article: dict[str, float]
    differences: tuple[Difference, ...]
    working: tuple[Working, ...]
    advice: tuple[Advice, ...]
    warnings: tuple[Notice, ...]
    fabric: Audit | None = None
    interconnect: Interconnect | None = None

    @property
    def main(self) -> Lines:
        """The first scenario: training where there is one."""
        return self.lines[0]

    def as_json(self) -> dict[str, Any]:
        """The requirement in the form of the contract; a mixed job adds its demands and takes the tighter limits."""
        out = self.lines[0].as_json()
        if len(self.lines) > 1:
            out |= _combined(self.lines)
            out["scenarios"] = {line.scenario: line.as_json() for line in self.lines}
        out["article"] = self.article
        out["differences"] = [d.as_json() for d in self.differences]
        out["working"] = [w.as_json() for w in self.working]
        out["advice"] = [n.as_json() for n in self.advice]
        out["interconnect"] = self.interconnect.as_json() if self.interconnect else None
        out["warnings"] = [n.as_json() for n in self.warnings]
        out["fabric"] = self.fabric.as_json() if self.fabric else None
        return out


def _combined(lines: tuple[Lines, ...]) -> dict[str, Any]:
    rows = [line.as_json() for line in lines]
    out: dict[str, Any] = {}
    for key in ("bandwidth_floor_gbps", "bandwidth_target_gbps"):
        out[key] = None if any(r[key] is None for r in rows) else sum(r[key] for r in rows)
    for key in ("rtt_limit_ms", "jitter_limit_ms", "jitter_p99_limit_ms", "packet_loss_limit"):
        out[key] = min((r[key] for r in rows if r[key] is not None), default=None)
    out["availability_floor"] = max(r["availability_floor"] for r in rows)
    out["availability_need"] = max(
        (r["availability_need"] for r in rows if r["availability_need"] is not None), default=None
    )
    return out


def reference(workload: Workload, policy: Policy, scenario: str, ledger: Ledger) -> Reference:
    """Reference conditions of one scenario; the fibre floor is noted in the working."""
    rtt = p.RTT_WITHOUT_DISTANCE.value
    if workload.distance_km:
        ledger.compute("fibre_rtt_floor", distance=workload.distance_km)
        rtt = ledger.compute("route_rtt", distance=workload.distance_km, route_factor=policy.route_factor)
    split = workload.inference is not None and "prefill_decode_split" in workload.inference.mode
    usual = "rdma_go_back_n" if scenario == "inference" and split else DEFAULT_TRANSPORT[scenario]
    transport = workload.network.transport or usual
    streams = workload.bulk.streams if workload.bulk is not None else workload.network.streams
    payload = workload.network.payload_bytes
    if not is_rdma(transport):
        payload = int(ledger.compute("tcp_mss", mtu=1500, encapsulation=workload.network.encapsulation, timestamps=1))
    return Reference(rtt, payload, transport, streams)


def derive(workload: Workload, policy: Policy) -> Requirement:
    """Derive the requirement of a workload under a policy. Pure; same input, same result."""
    ledger = Ledger()
    warnings: list[Notice] = []
    if workload.distance_km is None and workload.training is not None:
        warnings.append(Notice("distance_missing", NO_DISTANCE))
    makers = {"training": _training_lines, "inference": _inference_lines, "bulk": _bulk_lines}
    lines = [makers[name](workload, policy, ledger, warnings) for name in workload.scenarios]
    if len(lines) > 1:
        lines = [_with_reserve(line, lines) for line in lines]
    fabric = audit(workload, lines[0])
    if fabric is not None:
        warnings += fabric.notices
    return Requirement(
        lines=tuple(lines),
        article=article_figures(workload, policy, lines[0].training),
        differences=_differences(workload, policy, lines[0], fabric),
        working=tuple(ledger.lines),
        advice=advise(workload, lines[0]),
        warnings=tuple(warnings),
        fabric=fabric,
        interconnect=None if workload.training is None else interconnect(workload.training, lines[0]),
    )


def _differences(workload: Workload, policy: Policy, lines: Lines, fabric: Audit | None) -> tuple[Difference, ...]:
    """The article beside ours: rows of this job by their published place, then the article's own examples."""
    own = (*differences(workload, policy, lines), *article_rows(fabric))
    known = {row.id for row in own}
    rows = (*own, *(row for row in article_examples(workload) if row.id not in known))
    return tuple(sorted(rows, key=lambda row: (row.example, row.number is None, row.number or 0)))


def _with_reserve(line: Lines, lines: list[Lines]) -> Lines:
    return replace(line, reserved=sum(other.floor or 0.0 for other in lines if other is not line))


def _training_lines(workload: Workload, policy: Policy, ledger: Ledger, warnings: list[Notice]) -> Lines:
    lines = _limits(workload, policy, ledger)
    if workload.training is None:
        return lines
    warnings += training_notices(workload.training, lines)
    need = _availability_need(workload.training, policy, lines.reference.transport, ledger)
    return replace(lines, availability_need=need)


def _limits(workload: Workload, policy: Policy, ledger: Ledger) -> Lines:
    job = workload.training
    if job is None:  # parse_workload gives the object of every scenario
        raise ValueError(workload.scenario)
    where = reference(workload, policy, "training", ledger)
    demand, wanted = training.demand(job, workload.network.flows, ledger)
    floor = demand.floor(where.rtt) if demand.budget > 0 else None
    if floor is not None:
        ledger.show(demand.floor_working(floor, where.rtt))
    size_availability = p.AVAILABILITY_LARGE if job.gpus >= p.LARGE_CLUSTER.value else p.AVAILABILITY_TRAINING
    bare = Lines(
        scenario="training",
        reference=where,
        floor=None,
        target=None,
        rtt_limit=None,
        rtt_reason="none",
        rtt_strict=False,
        sigma_limit=None,
        loss_limit=None,
        availability_floor=policy.availability_floor or size_availability.value,
        size=demand.size,
        lanes=lanes(job) if job.crossing in ("data", "local_sgd") else 1,
        round_trips=demand.hops / 2 / demand.interval,
        training=demand,
        wanted=wanted,
    )
    if floor is None:
        return bare
    doubtful = training.doubtful(job, workload.network.flows)
    target = ledger.compute("target_rate", floor=floor, reserve=policy.reserve)
    ledger.show(demand.rtt_working(target))
    limit, reason = demand.rtt_limit(target), "hops"
    if workload.network.window_bytes is not None:
        window = window_rtt_limit(floor, workload.network.window_bytes, where.streams)
        if window < limit:
            limit, reason = window, "window"
    allowed = ledger.compute(
        "jitter_budget", step_time=demand.step_time, share=p.JITTER_BUDGET.value, steps=demand.interval
    )
    slack = min(allowed, demand.room(target, where.rtt))
    rounds, flows = demand.jitter_rounds, demand.flows
    sigma = 0.0 if flows > 1 else None  # a single flow has no slower companion to wait for
    if flows > 1 and slack > 0:
        ledger.show(slowest_working(flows))
        room = demand.jitter_room(target, where.rtt, slack)
        sigma = ledger.compute("jitter_sigma_limit", budget=room, rounds=rounds, flows=flows)
    loss = loss_limit(where, floor, target, p.TCP_LOSS_CAP.value, ledger)
    return replace(
        bare, floor=floor, target=target, rtt_limit=limit, rtt_reason=reason, sigma_limit=sigma, loss_limit=loss,
        doubtful=doubtful, doubtful_floor=None if doubtful is None else doubtful.floor(where.rtt),
    )  # fmt: skip


def _availability_need(job: Training, policy: Policy, transport: str, ledger: Ledger) -> float:
    """The availability at which outages take just their budget; its working is noted at that availability."""
    found = availability_need(job, policy, transport)
    events = found.events
    asked = {
        "share": p.OUTAGE_BUDGET.value, "repair_time": events.repair_time, "detection_time": events.detection_time,
    }  # fmt: skip
    if job.survives_site_loss:
        return ledger.compute("availability_need", **asked, sites=job.sites)
    ledger.compute("outage_count", availability=events.availability, window=found.month, repair_time=events.repair_time)
    mtbf = ledger.compute(
        "job_mtbf", unit_mtbf=job.gpu.mtbf_h * HOUR, units=job.gpus, outages=found.restarts, window=found.month
    )
    if job.checkpoint_interval_s is None:
        ledger.compute("young_interval", checkpoint_time=job.checkpoint_write_s, mtbf=mtbf)
    return ledger.compute("availability_need", **asked, interval=found.interval, restart_time=job.restart_s)


def _inference_lines(workload: Workload, policy: Policy, ledger: Ledger, warnings: list[Notice]) -> Lines:
    job = workload.inference
    if job is None:  # parse_workload gives the object of every scenario
        raise ValueError(workload.scenario)
    return inference_lines(job, reference(workload, policy, "inference", ledger), policy, ledger, warnings)


def _bulk_lines(workload: Workload, policy: Policy, ledger: Ledger, warnings: list[Notice]) -> Lines:
    job = workload.bulk
    if job is None:  # parse_workload gives the object of every scenario
        raise ValueError(workload.scenario)
    return bulk_lines(job, reference(workload, policy, "bulk", ledger), policy, ledger, warnings)
