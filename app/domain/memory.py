"""What one GPU must hold to train the job: state and activations, so that a layout that cannot exist is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.formulas.strategies import activation_bytes
from app.domain.formulas.volumes import training_state_bytes

if TYPE_CHECKING:
    from app.domain.workload import Training


@dataclass(frozen=True, slots=True)
class GpuMemory:
    """Bytes on the fullest GPU: `state` is weights, gradients and optimizer, `activations` of selective recompute."""

    state: float
    activations: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.state + self.activations


def _experts(job: Training) -> float | None:
    """Parameters that sit in experts, one expert per rank of the expert group; None when they cannot be told.

    Active = dense + E·K/n and all = dense + E give E = (P − P_act) / (1 − K/n) with n = expert-parallel degree.
    """
    if job.expert_parallel == 1:
        return 0.0
    if job.active_parameters is None or job.experts_per_token is None or job.experts_per_token >= job.expert_parallel:
        return None
    return (job.parameters - job.active_parameters) / (1 - job.experts_per_token / job.expert_parallel)


def gpu_memory(job: Training) -> GpuMemory | None:
    """Memory of the fullest GPU: the first stage of a 1F1B pipeline holds p micro-batches of L/p layers each.

    Fully sharded training shards over the whole group, replicas across sites (HSDP) inside a site only.
    None when the shares of a mixture of experts are not known.
    """
    experts = _experts(job)
    if experts is None:
        return None
    stage, group = (3, job.data_parallel) if job.crossing == "fsdp" else (job.zero_stage, job.data_parallel)
    if stage == 3 and job.crossing != "fsdp":  # noqa: PLR2004 - ZeRO stage 3 never gathers over the line
        group = max(1, job.data_parallel // job.sites)
    dense = (job.parameters - experts) / (job.tensor_parallel * job.pipeline_parallel)
    state = training_state_bytes(parameters=dense, zero_stage=stage, data_parallel=group)
    if experts:
        share = experts / (job.expert_parallel * job.pipeline_parallel)
        copies = max(1, job.gpus // (job.expert_parallel * job.pipeline_parallel))
        state += training_state_bytes(parameters=share, zero_stage=stage, data_parallel=copies)
    layer = activation_bytes(
        sequence_length=job.sequence_length, hidden_size=job.hidden_size, heads=1, tensor_parallel=job.tensor_parallel
    )
    held = job.pipeline_parallel + (job.extra_warmup_micro_batches if job.crossing == "pipeline" else 0)
    return GpuMemory(state, layer * job.layers * held / job.pipeline_parallel)
