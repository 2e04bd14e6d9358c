"""Every registered formula: those of the contract first and in its order, then the ones the core adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.domain.formulas import (
    article_figures,
    bulk,
    checkpoint,
    collectives,
    compute,
    delay,
    exchanges,
    fabric,
    hashing,
    headers,
    inference,
    jitter,
    jitter_tails,
    line,
    local_sgd,
    operating,
    outages,
    pipeline,
    placement,
    proof,
    queueing,
    reliability,
    retransmission,
    sharing,
    sites,
    stacks,
    statistics,
    strategies,
    tcp,
    throughput,
    transport,
    vanilla,
    volumes,
    windows,
)
from app.domain.text import Text

if TYPE_CHECKING:
    from types import ModuleType

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


@dataclass(frozen=True, slots=True)
class Topic:
    """A group of formulas that a reader looks for together."""

    id: str
    title: Text
    formulas: tuple[Formula, ...]


def _topic(id_: str, zh: str, en: str, *modules: ModuleType) -> Topic:
    return Topic(id_, Text(zh, en), tuple(formula for module in modules for formula in module.FORMULAS))


TOPICS: Final = (
    _topic("volumes", "数据量与显存", "Volumes and memory", volumes, strategies),
    _topic("collectives", "集合通信", "Collectives", collectives, exchanges, sites),
    _topic("placement", "并行方式与站点出向流量", "Placement and bytes leaving a site", placement),
    _topic("compute", "计算时间与算力利用率", "Compute time and utilisation", compute, throughput),
    _topic("local_sgd", "本地 SGD 与梯度压缩", "Local SGD and compression", local_sgd, vanilla),
    _topic("pipeline", "流水线跨专线", "Pipeline over a line", pipeline),
    _topic("line", "专线与任务", "The line against the job", line, operating),
    _topic("headers", "包头与封装", "Headers and encapsulation", headers, stacks),
    _topic("delay", "时延与距离", "Delay and distance", delay),
    _topic("transport", "传输协议、丢包与窗口", "Transport, loss and windows", transport, retransmission, tcp, windows),
    _topic("jitter", "抖动", "Jitter", jitter, jitter_tails),
    _topic("sharing", "收敛与共享", "Contention and sharing", sharing, hashing, fabric),
    _topic("reliability", "可用性与故障", "Availability and failures", reliability, outages),
    _topic("checkpoint", "检查点与重启", "Checkpoint and restart", checkpoint),
    _topic("inference", "推理", "Inference", inference, queueing),
    _topic("bulk", "数据搬运", "Bulk moves", bulk),
    _topic("statistics", "测量与统计", "Measurement and statistics", statistics, proof),
    _topic("article", "文章口径", "As the article computes it", article_figures),
)


def _place(formula: Formula) -> int:
    return _CONTRACT.index(formula.id) if formula.id in _CONTRACT else len(_CONTRACT)


FORMULAS: Final[tuple[Formula, ...]] = tuple(
    sorted((formula for topic in TOPICS for formula in topic.formulas), key=_place)
)
BY_ID: Final[dict[str, Formula]] = {formula.id: formula for formula in FORMULAS}
TOPIC_OF: Final[dict[str, Topic]] = {formula.id: topic for topic in TOPICS for formula in topic.formulas}
