"""A training job turned into its demand on the line: what crosses, how often, in which time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.demand import AllReduceDemand, PipelineDemand, TrainingDemand
from app.domain.interconnect import lanes
from app.domain.local_demand import LocalSgdDemand
from app.domain.working import Ledger

if TYPE_CHECKING:
    from app.domain.workload import Training

TERA = 1e12
DAY = 86400.0
OVERLAPPED = {"none": 0, "last_micro_batch": 1, "full": 2}
REFUSED = frozenset({"tensor", "fsdp", "expert"})


@dataclass(frozen=True, slots=True)
class Target:
    """What the buyer wants of a step: `utilization` U, the sync time given, and where U came from."""

    utilization: float | None
    sync: float | None
    assumed: bool
    impossible: bool = False


def step_time(job: Training, ledger: Ledger) -> float:
    """T_ref (s): the step on one site, given or computed from the model's FLOPs (models 1)."""
    if job.step_compute_s is not None:
        return job.step_compute_s
    return ledger.compute(
        "step_compute_time",
        active_parameters=job.active_parameters or job.parameters,
        tokens=job.global_batch_tokens,
        gpus=job.gpus,
        peak_flops=(job.gpu.peak_tflops or 0.0) * TERA,
        mfu=job.gpu.mfu,
    )


def target(job: Training, reference: float, ledger: Ledger) -> Target:
    """Precedence of policy 0.8: sync time, utilisation, deadline, else 0.90 as an assumption."""
    if job.target_utilization is not None:
        return Target(job.target_utilization, job.target_sync_s, assumed=False)
    if job.total_tokens is not None and job.deadline_days is not None:
        allowed = ledger.compute(
            "allowed_step_time",
            tokens=job.total_tokens,
            tokens_per_step=job.global_batch_tokens,
            deadline=job.deadline_days * DAY,
        )
        share = reference / allowed
        return Target(share, job.target_sync_s, assumed=False, impossible=share >= 1)
    if job.target_sync_s is not None:
        return Target(None, job.target_sync_s, assumed=False)
    return Target(p.DEFAULT_UTILIZATION.value, None, assumed=True)


def synced_element_bytes(job: Training) -> float:
    """Bytes of one synchronised element: outer gradients may have their own width."""
    if job.crossing == "local_sgd" and job.bits_per_synced_element is not None:
        return job.bits_per_synced_element / 8
    return job.gradient_bytes_per_element


def _synced_bytes(job: Training, ledger: Ledger) -> float:
    """Size of one gradient set: trainable parameters × bytes per element."""
    return ledger.compute(
        "gradient_bytes",
        parameters=job.trainable_parameters or job.parameters,
        bytes_per_element=synced_element_bytes(job),
    )


def _egress(job: Training, ledger: Ledger) -> tuple[float, float]:
    """Bytes per exchange, site and direction, and dependent one-way hops per exchange."""
    sites = job.sites
    if job.crossing in ("data", "local_sgd"):
        moved = ledger.compute("site_egress_data", size=_synced_bytes(job, ledger), sites=sites)
        # Reduce-scatter and all-gather go straight to every other site of a mesh: two hops, else around.
        return moved / lanes(job), 2.0 * (sites - 1) / lanes(job)
    if job.crossing == "pipeline":
        moved = ledger.compute(
            "site_egress_pipeline",
            tokens=job.global_batch_tokens,
            hidden_size=job.hidden_size,
            bytes_per_element=job.activation_bytes_per_element,
        )
        return moved, 0.0
    if job.crossing == "expert":
        moved = ledger.compute(
            "site_egress_expert",
            tokens=job.global_batch_tokens,
            hidden_size=job.hidden_size,
            moe_layers=job.moe_layers,
            experts_per_token=job.experts_per_token,
            sites=sites,
            dispatch_bytes=job.dispatch_bytes,
            combine_bytes=job.combine_bytes,
        )
        # Dispatch and combine, forward and backward: four blocking round trips a MoE layer and micro-batch (models 3).
        return moved, 2 * 4.0 * (job.moe_layers or 0) * job.micro_batches
    if job.crossing == "fsdp":
        size = _synced_bytes(job, ledger)
        moved = ledger.compute("site_egress_fsdp", size=size, sites=sites, micro_batches=job.micro_batches)
        return moved, 3.0 * job.layers * job.micro_batches
    moved = ledger.compute(
        "site_egress_tensor",
        layers=job.layers,
        tokens=job.global_batch_tokens,
        tensor_parallel=job.tensor_parallel,
        hidden_size=job.hidden_size,
        bytes_per_element=job.activation_bytes_per_element,
    )
    # Four all-reduces a layer and micro-batch, each with 2(k − 1) hops over the line.
    return moved, 4.0 * job.layers * job.micro_batches * 2 * (sites - 1)


def demand(job: Training, flows: int, ledger: Ledger) -> tuple[TrainingDemand, Target]:
    """The demand of one training job with its budget (contract, Rules of judgement 1)."""
    reference = step_time(job, ledger)
    wanted = target(job, reference, ledger)
    size, hops = _egress(job, ledger)
    if job.crossing == "pipeline":
        return _pipeline(job, reference, wanted, size, flows, ledger), wanted
    if job.crossing == "local_sgd" and (job.fragment_layers is not None or job.overlap_steps):
        return _streaming(job, reference, wanted, size, hops, flows), wanted
    overlapped = OVERLAPPED[job.overlap] if job.crossing not in REFUSED else 0
    interval = job.sync_interval_steps if job.crossing in ("data", "local_sgd") else 1
    cover = 0.0
    if overlapped:
        cover = ledger.compute(
            "overlap_cover",
            backward_time=ledger.compute("backward_time", step_time=reference, share=p.BACKWARD_SHARE.value),
            micro_batches=1 if overlapped > 1 else job.micro_batches,
            layers=job.layers,
            overlapped=overlapped,
        )
    budget = _budget(wanted, reference, cover, interval, ledger)
    if overlapped and wanted.utilization is not None:
        # The last layer never hides: exposed ≥ T_sync/L, so the budget can be no more than L times the slack.
        budget = min(budget, job.layers * interval * (1 / wanted.utilization - 1) * reference)
    return (
        AllReduceDemand(
            size=size, hops=hops, interval=interval, step_time=reference, budget=budget, cover=cover,
            layers=job.layers, overlapped=overlapped, flows=flows,
            peak=job.peak_to_mean if job.crossing == "expert" else 1.0,
        ),
        wanted,
    )  # fmt: skip


def doubtful(job: Training, flows: int) -> TrainingDemand | None:
    """The same demand where overlap works one setting less well than stated; None where none is stated."""
    lower = {"full": "last_micro_batch", "last_micro_batch": "none"}.get(job.overlap)
    streaming = job.fragment_layers is not None or job.overlap_steps > 0
    if lower is None or streaming or job.crossing not in ("data", "local_sgd"):
        return None
    return demand(replace(job, overlap=lower), flows, Ledger())[0]


def _budget(wanted: Target, reference: float, cover: float, interval: int, ledger: Ledger) -> float:
    """B (s): the given sync time, or the one that reaches the utilisation; both given: the smaller."""
    choices = [wanted.sync] if wanted.sync is not None else []
    if wanted.impossible:
        return 0.0
    if wanted.utilization is not None:
        choices.append(
            ledger.compute(
                "sync_budget",
                step_time=reference,
                utilization=wanted.utilization,
                cover=cover,
                steps=interval,
            )
        )
    return min(choices)


def _pipeline(
    job: Training, reference: float, wanted: Target, size: float, flows: int, ledger: Ledger
) -> PipelineDemand:
    slot = reference / (job.micro_batches + job.pipeline_parallel - 1)
    return PipelineDemand(
        size=size,
        stages=job.pipeline_parallel,
        micro_batches=job.micro_batches,
        cut_stage=job.cut_stage or job.pipeline_parallel * (job.sites - 1) // job.sites,
        cuts=job.sites - 1,
        extra_warmup=job.extra_warmup_micro_batches,
        forward_time=slot * (1 - p.BACKWARD_SHARE.value),
        backward_time=slot * p.BACKWARD_SHARE.value,
        step_time=reference,
        budget=_budget(wanted, reference, 0.0, 1, ledger),
        flows=flows,
    )


def _streaming(job: Training, reference: float, wanted: Target, size: float, hops: float, flows: int) -> LocalSgdDemand:
    """Outer gradients by fragments: the schedule itself says what hides behind the backward pass and later steps."""
    return LocalSgdDemand(
        parameters=job.trainable_parameters or job.parameters,
        layers=job.layers,
        bits=8 * synced_element_bytes(job),
        fragment_layers=job.fragment_layers or job.layers,
        overlap_steps=job.overlap_steps,
        sites=job.sites,
        lanes=lanes(job),
        size=size,
        hops=hops,
        interval=job.sync_interval_steps,
        step_time=reference,
        flows=flows,
        utilization=wanted.utilization,
        sync=wanted.sync,
    )
