"""The source articles' way of computing beside ours, with the reason for each of the nineteen differences.

Rows of the job at hand use its own figures; rows about the article's own example stand in `article_examples.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain import sources as s
from app.domain.figures import number
from app.domain.formulas.article_figures import article_ring_round_trips
from app.domain.formulas.collectives import ring_allreduce_bytes
from app.domain.formulas.delay import fibre_rtt_floor
from app.domain.formulas.jitter_tails import jitter_rounds
from app.domain.formulas.registry import BY_ID
from app.domain.formulas.reliability import allowed_downtime, cluster_mtbf
from app.domain.formulas.strategies import tensor_line_wait
from app.domain.text import Text
from app.domain.transport import is_rdma

if TYPE_CHECKING:
    from app.domain.demand import TrainingDemand
    from app.domain.lines import Lines
    from app.domain.policy import Policy
    from app.domain.sources import Source
    from app.domain.workload import Training, Workload

GIGA, MILLI = 1e9, 1e-3
HOUR = 3600.0
YEAR_H = 8760.0
MONTH_H = 730.0
EXACT_DIGITS = 7
# The article's cluster: GPUs, and the five years one of them runs (h).
ARTICLE_GPUS, ARTICLE_GPU_MTBF = 10_000, 5 * YEAR_H * HOUR
# By published place: which article says so, and what the other way rests on.
SOURCES: dict[int | None, tuple[Source, ...]] = {
    1: (s.ARTICLE_CLUSTER, s.NCCL_TESTS), 2: (s.ARTICLE_CLUSTER, s.MEGATRON), 3: (s.ARTICLE_CLUSTER, s.MEGATRON),
    4: (s.ARTICLE_CLUSTER, s.STREAMING), 5: (s.ARTICLE_CLUSTER,), 6: (s.ARTICLE_CLUSTER, s.NCCL_TESTS),
    7: (s.ARTICLE_CLUSTER, s.MEGATRON), 8: (s.ARTICLE_CLUSTER, s.DEEPSEEK), 9: (s.ARTICLE_CLUSTER, s.NCCL_TESTS),
    10: (s.ARTICLE, s.MEGATRON), 11: (s.ARTICLE, s.GO_BACK_N), 12: (s.ARTICLE, s.TELECOM_500),
    13: (s.ARTICLE, s.AVAILABILITY_ALGEBRA), 14: (s.ARTICLE_CLUSTER, s.LLAMA3), 15: (s.ARTICLE_CLUSTER, s.FIBRE),
    16: (s.ARTICLE_CLOUD, s.IEEE8023), 17: (s.ARTICLE, s.NCCL_TESTS), 18: (s.ARTICLE_CLUSTER, s.MEGATRON),
    19: (s.ARTICLE_CLUSTER,), None: (s.ARTICLE,),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a figure: the value in the unit of the row, the formula, and the numbers put in."""

    value: float
    formula: str
    inputs: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure computed the article's way and ours. `number` is its place among the published differences (None: beyond them).

    `example` marks the article's own example, which has nothing to do with the job at hand. `refined` None: no line
    of any rate gives one.
    """

    number: int | None
    id: str
    title: Text
    article: Way
    refined: Way | None
    unit: str
    reason: Text
    example: bool = False

    @property
    def sources(self) -> tuple[Source, ...]:
        """Which article says so, and what the other way rests on."""
        return SOURCES[self.number]

    def as_json(self) -> dict[str, Any]:
        """The row as the requirement carries it."""
        ours = self.refined
        return {
            "id": self.id, "number": self.number, "example": self.example, "title": self.title.as_json(),
            "article": self.article.value, "article_formula": self.article.formula, "article_inputs": self.article.inputs,
            "refined": None if ours is None else ours.value, "refined_formula": "" if ours is None else ours.formula,
            "refined_inputs": "" if ours is None else ours.inputs, "unit": self.unit, "reason": self.reason.as_json(),
            "sources": [source.as_json() for source in self.sources],
        }  # fmt: skip


def put(**values: float) -> str:
    """The numbers put in, as symbols in byte, bit/s, s, h and km: `P = 1.75×10¹¹, b = 4`."""
    return ", ".join(f"{name} = {number(value, EXACT_DIGITS)}" for name, value in values.items())


def article_figures(workload: Workload, policy: Policy, demand: TrainingDemand | None) -> dict[str, float]:
    """The article's own figures: per-GPU rate (training), and the fixed lines it names."""
    fixed = {
        "rtt_limit_ms": p.INFERENCE_RTT_REFERENCE.value * 1e3,
        "packet_loss_limit": p.RDMA_LOSS_CAP.value,
        "anchor_gbps": p.ANCHOR_RATE.value / GIGA,
        "oversubscription": p.ARTICLE_OVERSUBSCRIPTION.value,
    }
    job = workload.training
    if job is None or demand is None:
        return fixed
    return {
        "per_gpu_gbps": per_gpu_rate(job, policy, demand) / GIGA,
        "gradient_gbytes": job.parameters * policy.article_gradient_bytes / GIGA,
        **fixed,
    }


def differences(workload: Workload, policy: Policy, lines: Lines) -> tuple[Difference, ...]:
    """Every published difference that this job has figures for."""
    rows = [_downtime(lines)]
    job = workload.training
    if job is not None and lines.training is not None:
        rows += [*_volumes(job, policy, lines, lines.training), *_rounds(job, lines), _mtbf(job, lines)]
        rows += [_small_message(workload), *_loss(lines)]
    if workload.inference is not None and lines.rtt_limit is not None and job is None:
        rows.append(_inference_rtt(lines))
    return tuple(rows)


def per_gpu_rate(job: Training, policy: Policy, demand: TrainingDemand) -> float:
    """The article's bandwidth per GPU (bit/s)."""
    return BY_ID["article_per_gpu_bandwidth"](
        parameters=job.parameters,
        bytes_per_element=policy.article_gradient_bytes,
        step_compute_time=demand.step_time,
        efficiency=policy.article_efficiency,
    )


def _volumes(job: Training, policy: Policy, lines: Lines, demand: TrainingDemand) -> list[Difference]:
    parameters, theirs, ours = job.parameters, policy.article_gradient_bytes, job.gradient_bytes_per_element
    tensor, stages, replicas = job.tensor_parallel, job.pipeline_parallel, job.data_parallel
    shard = parameters / (tensor * stages) * ours
    sent = ring_allreduce_bytes(size=shard, ranks=replicas) if replicas > 1 else 0.0
    rate = per_gpu_rate(job, policy, demand)
    message = job.sequence_length * job.hidden_size * job.activation_bytes_per_element
    one = put(s=job.sequence_length, h=job.hidden_size, b=job.activation_bytes_per_element)
    whole = Way(parameters * theirs / GIGA, "P · b", put(P=parameters, b=theirs))
    return [
        Difference(
            2, "gradient", Text("每 GPU 发送的梯度", "Gradient sent per GPU"), whole,
            Way(sent / GIGA, "2(d−1)/d · P/(t·p) · b", put(d=replicas, P=parameters, t=tensor, p=stages, b=ours)), "GB",
            Text("每卡只持有 P/(t·p) 个梯度，环形规约再乘 2(d−1)/d；文章把每张卡当作一个完整副本。",
                 "A GPU holds P/(t·p) gradients and a ring sends 2(d−1)/d of them; the article takes every GPU for a "
                 "whole replica."),
        ),
        Difference(
            3, "gradient_bytes", Text("一套梯度的大小", "Size of one gradient set"), whole,
            Way(parameters * ours / GIGA, "P · b", put(P=parameters, b=ours)), "GB",
            Text("文章一律按每元素 4 字节；规约可用 BF16（2 字节）或 FP8（1 字节），所有数据并行的结果随之减半或再减半。",
                 "The article always takes 4 bytes an element; BF16 (2) or FP8 (1) halves or quarters every answer for "
                 "data parallel."),
        ),
        Difference(
            4, "bandwidth", Text("带宽", "Bandwidth"),
            Way(rate / GIGA, "8 · 2·P·b / (T·η), per GPU",
                 put(P=parameters, b=theirs, T=demand.step_time, η=policy.article_efficiency)),
            None if lines.floor is None else Way(
                lines.floor / GIGA, "8E / (B − hops·RTT/2), line",
                put(E=demand.size, B=demand.budget, hops=demand.hops, RTT=lines.reference.rtt),
            ), "Gbit/s",
            Text("文章算每卡带宽，且假设通信可以占满整步（完全重叠）；我方算整条专线，只计无法掩盖的部分。",
                 "The article gives a rate per GPU and lets communication take the whole step (full overlap); ours is the "
                 "whole line, counting only what cannot be hidden."),
        ),
        Difference(
            18, "tensor_reductions", Text("张量并行每层每微批的规约量", "Tensor parallel: reduced per layer and micro-batch"),
            Way(2 * message / GIGA, "2 · s·h·b", one),
            Way(4 * message / GIGA, "4 · s·h·b", one), "GB",
            Text("文章说每层 2–4 次规约（此处按 2 次）；前向、反向各两次，共 4 次，全量重算为 6 次。",
                 "The article says 2 to 4 all-reduces a layer (2 shown); there are two forward and two backward, 4 in all, "
                 "6 with full recompute."),
        ),
    ]  # fmt: skip


def _rounds(job: Training, lines: Lines) -> list[Difference]:
    ring, step = article_ring_round_trips(ranks=job.gpus), p.ARTICLE_RTT_STEP.value
    trips = lines.round_trips
    tensor = {
        "rounds": number(jitter_rounds(strategy="tensor", layers=job.layers)),
        "wait": number(tensor_line_wait(layers=job.layers, rtt=step) / MILLI),
    }
    return [
        Difference(
            9, "round_trips", Text("依赖的往返次数（每步）", "Dependent round trips per step"),
            Way(ring, "2(N−1) RTT", put(N=job.gpus)),
            Way(trips, "hops / (2H)", put(hops=2 * trips * job.sync_interval_steps, H=job.sync_interval_steps)), "RTT",
            Text("环形每步是单程一跳而非往返；两级规约只有 2(k−1) 跳经过专线。",
                 "A ring step is one one-way hop, not a round trip; a two-level exchange has only 2(k−1) hops on the line."),
        ),
        Difference(
            10, "rtt_sensitivity", Text("往返时延每增 100 µs，每步增加", "Step time added by 100 µs of round-trip time"),
            Way(ring * step / MILLI, "2(N−1) · ΔRTT", put(N=job.gpus, ΔRTT=step)),
            Way(trips * step / MILLI, "round trips · ΔRTT", put(n=trips, ΔRTT=step)), "ms",
            Text("影响取决于依赖的往返次数，而不是数据量：数据并行几乎无感；张量并行每微批 4L = {rounds} 轮，"
                 "每 100 µs 增加 {wait} ms，不可接受。",
                 "It depends on dependent rounds, not on size: invisible for data parallel, fatal for tensor parallel with "
                 "4L = {rounds} rounds a micro-batch, {wait} ms for each 100 µs.").format(**tensor),
        ),
    ]  # fmt: skip


def _mtbf(job: Training, lines: Lines) -> Difference:
    alone = cluster_mtbf(unit_mtbf=job.gpu.mtbf_h * HOUR, units=job.gpus)
    line = p.REPAIR_ASSUMED.value / (1 - lines.availability_floor)
    example = cluster_mtbf(unit_mtbf=ARTICLE_GPU_MTBF, units=ARTICLE_GPUS) / HOUR
    return Difference(
        14, "mtbf", Text("集群平均无故障时间", "MTBF of the cluster"),
        Way(alone / HOUR, "MTBF_gpu / N", put(MTBF_gpu=job.gpu.mtbf_h, N=job.gpus)),
        Way(1 / (1 / alone + 1 / line) / HOUR, "1 / (N/MTBF_gpu + (1−A)/MTTR)",
             put(MTBF_gpu=job.gpu.mtbf_h, N=job.gpus, A=lines.availability_floor, MTTR=p.REPAIR_ASSUMED.value / HOUR)), "h",
        Text("文章只计 GPU（5 年 ÷ 10,000 卡 = {example} h）；这里计入恰好达到可用性下限、每次中断 4 小时的线路，"
             "网络与软件还会再减（公开实测 16,384 卡为 3.09 h）。",
             "The article counts GPUs only (5 years over 10,000 of them: {example} h); here a line just at the availability "
             "floor with outages of 4 h is added, and network and software lower it further (3.09 h was published for "
             "16,384 GPUs).").format(example=number(example)),
    )  # fmt: skip


def _small_message(workload: Workload) -> Difference:
    """A switch's small-message figure beside the time light takes over this distance."""
    kilometres = workload.distance_km or p.ARTICLE_SMALL_MESSAGE.value / fibre_rtt_floor(distance=1)
    return Difference(
        15, "small_message", Text("「1.5 µs 完成规约」的适用范围", "What an “all-reduce in 1.5 µs” can refer to"),
        Way(p.ARTICLE_SMALL_MESSAGE.value / MILLI, "1.5 µs"),
        Way(fibre_rtt_floor(distance=kilometres) / MILLI, "9.79 µs/km · km", put(km=kilometres)), "ms",
        Text("那是交换机小报文或端口指标（公开实测 64 字节 2.8–5.6 µs）；光在光纤中 1.5 µs 只走 306 m，与专线无关，按供应商口径标注。",
             "That is a switch or small-message figure (2.8 to 5.6 µs was measured for 64 bytes); light covers 306 m of fibre "
             "in 1.5 µs, so it says nothing of a line and is labelled as a vendor's claim."),
    )  # fmt: skip


# How the loss limit of a transport is inverted.
LOSS_FORMULA = {
    "rdma_go_back_n": "min(cap, (1/floor − 1/target)·8·payload/RTT)",
    "infiniband": "min(cap, (1/floor − 1/target)·8·payload/RTT)",
    "rdma_selective_repeat": "min(cap, 1 − floor/target)",
    "tcp_bbr": "min(cap, 1 − floor/target)",
    "tcp_cubic": "min(cap, CUBIC⁻¹(payload, RTT, floor/streams))",
}


def _loss(lines: Lines) -> list[Difference]:
    if lines.loss_limit is None or lines.floor is None or lines.target is None:
        return []
    where, cap = lines.reference, p.RDMA_LOSS_CAP if is_rdma(lines.reference.transport) else p.TCP_LOSS_CAP
    numbers = {
        "cap": cap.value,
        "floor": lines.floor,
        "target": lines.target,
        "payload": where.payload,
        "RTT": where.rtt,
    }
    if where.transport == "tcp_cubic":
        numbers |= {"streams": where.streams}
    return [
        Difference(
            11, "loss", Text("丢包率红线", "Packet loss limit"), Way(p.RDMA_LOSS_CAP.value, "≤ 1×10⁻⁵"),
            Way(lines.loss_limit, LOSS_FORMULA[where.transport], put(**numbers)), "1",
            Text("文章对所有线路都用 1×10⁻⁵；能承受的丢包随传输协议、速率与时延而变，须由本任务推出。",
                 "The article has 1e-5 for every line; what a job can bear follows from transport, rate and delay."),
        )
    ]  # fmt: skip


RTT_FORMULA = {"ttft": "(TTFT − prefill − queue − KV) / n", "tpot": "TPOT − own", "user": "own limit"}
RTT_WORDS = {
    "ttft": Text("首 token 预算才是由您的目标推出的上限。", "the first-token budget is the limit your target implies."),
    "tpot": Text("每个 token 都要过线，每 token 预算才是上限。", "every token crosses here, and the per-token budget is the limit."),
    "user": Text("此处按您自定的上限执行。", "here your own limit holds."),
}  # fmt: skip


def _downtime(lines: Lines) -> Difference:
    availability = lines.availability_floor
    year = allowed_downtime(availability=availability, window=YEAR_H * HOUR) / HOUR
    month = allowed_downtime(availability=availability, window=MONTH_H * HOUR) / HOUR
    return Difference(
        13, "downtime", Text("允许的最长单次中断", "Longest single outage allowed"),
        Way(year, "(1−A) · 8,760 h", put(A=availability)), Way(month, "(1−A) · 730 h", put(A=availability)), "h",
        Text("按年统计允许一次断完全年额度；按月统计才限制单次中断（跨月时最多 {twice} h），还要看口径是否端到端、"
             "中断是停顿还是重启。",
             "A yearly figure lets one outage use the whole year's allowance; a monthly one bounds it ({twice} h across a "
             "month end); scope decides what counts, and whether an outage stalls or restarts the job."
             ).format(twice=number(2 * month)),
    )  # fmt: skip


def _inference_rtt(lines: Lines) -> Difference:
    return Difference(
        None, "inference_rtt", Text("推理往返时延", "Round-trip time for inference"),
        Way(p.INFERENCE_RTT_REFERENCE.value / MILLI, "< 5 ms"),
        Way((lines.rtt_limit or 0.0) / MILLI, RTT_FORMULA[lines.rtt_reason]), "ms",
        Text("5 ms 是公开参考值而非绝对值；{why}", "5 ms is a public reference, not absolute; {why}").format(
            why=RTT_WORDS[lines.rtt_reason]
        ),
    )  # fmt: skip
