"""Every registered formula: those of the contract first and in its order, then the ones the core adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.domain.formulas import (
    bulk,
    checkpoint,
    collectives,
    compute,
    delay,
    headers,
    inference,
    jitter,
    line,
    local_sgd,
    pipeline,
    placement,
    reliability,
    sharing,
    statistics,
    tcp,
    transport,
    volumes,
)

if TYPE_CHECKING:
    from app.domain.formulas.formula import Formula

_CONTRACT: Final = (
    "gradient_bytes",
    "training_state_bytes",
    "ring_allreduce_bytes",
    "ring_allreduce_time",
    "tree_allreduce_time",
    "site_egress_data",
    "site_egress_pipeline",
    "site_egress_expert",
    "line_allreduce_time",
    "article_per_gpu_bandwidth",
    "step_compute_time",
    "local_sgd_utilization",
    "local_sgd_bandwidth",
    "pipeline_step_time",
    "header_efficiency",
    "tcp_mss",
    "fibre_rtt_floor",
    "bandwidth_delay_product",
    "go_back_n_efficiency",
    "go_back_n_loss_limit",
    "mathis_throughput",
    "cubic_window",
    "cubic_throughput",
    "pftk_throughput",
    "pfc_headroom",
    "oversubscription_ratio",
    "expected_maximum_normal",
    "allowed_downtime",
    "series_availability",
    "parallel_availability",
    "cluster_mtbf",
    "young_interval",
    "daly_interval",
    "standard_tcp_window",
    "nccl_bus_bandwidth",
    "megatron_step_flops",
    "model_flops_utilization",
    "training_time",
    "kv_bytes_per_token",
    "transfer_time",
    "loss_upper_bound",
)

_TOPICS: Final = (
    volumes,
    collectives,
    placement,
    compute,
    local_sgd,
    pipeline,
    line,
    headers,
    delay,
    transport,
    tcp,
    jitter,
    sharing,
    reliability,
    checkpoint,
    inference,
    bulk,
    statistics,
)


def _place(formula: Formula) -> int:
    return _CONTRACT.index(formula.id) if formula.id in _CONTRACT else len(_CONTRACT)


FORMULAS: Final[tuple[Formula, ...]] = tuple(
    sorted((formula for topic in _TOPICS for formula in topic.FORMULAS), key=_place)
)
BY_ID: Final[dict[str, Formula]] = {formula.id: formula for formula in FORMULAS}
