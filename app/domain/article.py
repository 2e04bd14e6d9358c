"""The source articles' way of computing beside ours, with the reason for each difference (models 15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.formulas.collectives import ring_allreduce_bytes
from app.domain.formulas.registry import BY_ID
from app.domain.formulas.reliability import allowed_downtime, cluster_mtbf
from app.domain.text import Text

if TYPE_CHECKING:
    from app.domain.demand import TrainingDemand
    from app.domain.lines import Lines
    from app.domain.policy import Policy
    from app.domain.workload import Training, Workload

GIGA = 1e9
HOUR = 3600.0
YEAR_H = 8760.0
MONTH_H = 730.0


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure computed the article's way and ours. `unit` is what both are shown in."""

    id: str
    title: Text
    article: float
    article_formula: str
    refined: float
    refined_formula: str
    unit: str
    reason: Text

    def as_json(self) -> dict[str, Any]:
        """The row as the requirement carries it."""
        return {
            "id": self.id,
            "title": self.title.as_json(),
            "article": self.article,
            "article_formula": self.article_formula,
            "refined": self.refined,
            "refined_formula": self.refined_formula,
            "unit": self.unit,
            "reason": self.reason.as_json(),
        }


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
    """Every difference of models 15 that this workload has figures for."""
    rows = _downtime(lines)
    job = workload.training
    if job is not None and lines.training is not None:
        rows = [*_training_rows(job, policy, lines, lines.training), *rows]
    if workload.inference is not None and lines.rtt_limit is not None and job is None:
        rows = [_inference_rtt(lines), *rows]
    return tuple(rows)


def _training_rows(job: Training, policy: Policy, lines: Lines, demand: TrainingDemand) -> list[Difference]:
    whole = job.parameters * policy.article_gradient_bytes
    shard = job.parameters / (job.tensor_parallel * job.pipeline_parallel) * job.gradient_bytes_per_element
    sent = ring_allreduce_bytes(size=shard, ranks=job.data_parallel) if job.data_parallel > 1 else 0.0
    per_gpu = per_gpu_rate(job, policy, demand)
    alone = cluster_mtbf(unit_mtbf=job.gpu.mtbf_h * HOUR, units=job.gpus)
    outages = (1 - lines.availability_floor) / p.REPAIR_ASSUMED.value
    rows = [
        Difference(
            "gradient", Text("每 GPU 发送的梯度", "Gradient sent per GPU"),
            whole / GIGA, "P · b", sent / GIGA, "2(d−1)/d · P/(t·p) · b", "GB",
            Text("每卡只持有 P/(t·p) 个梯度，环形规约再乘 2(d−1)/d；文章按整模型、FP32 计。",
                 "A GPU holds P/(t·p) gradients and a ring sends 2(d−1)/d of them; the article counts the whole model in FP32."),
        ),
        Difference(
            "bandwidth", Text("带宽", "Bandwidth"),
            per_gpu / GIGA, "2·P·b / (T·0.7), per GPU",
            (lines.floor or 0.0) / GIGA, "8E / (B − hops·RTT/2), line", "Gbit/s",
            Text("文章算每卡带宽，且假设通信可以占满整步；我方算整条专线，只计无法掩盖的部分。",
                 "The article gives a rate per GPU and lets communication take the whole step; ours is the whole line, "
                 "counting only what cannot be hidden."),
        ),
        Difference(
            "round_trips", Text("依赖的往返次数（每步）", "Dependent round trips per step"),
            2.0 * (job.gpus - 1), "2(N−1) RTT", lines.round_trips, "2(k−1) hops = k−1 RTT", "RTT",
            Text("环形每步是单程一跳而非往返；两级规约只有 2(k−1) 跳经过专线。",
                 "A ring step is one one-way hop, not a round trip; a two-level exchange has only 2(k−1) hops on the line."),
        ),
        Difference(
            "rtt_sensitivity", Text("往返时延每增 100 µs，每步增加", "Step time added by 100 µs of round-trip time"),
            2.0 * (job.gpus - 1) * p.ARTICLE_RTT_STEP.value * 1e3, "2(N−1) · 100 µs",
            lines.round_trips * p.ARTICLE_RTT_STEP.value * 1e3, "round trips · 100 µs", "ms",
            Text("影响取决于依赖的往返次数，而不是数据量：数据并行几乎无感，张量并行不可接受。",
                 "It depends on dependent round trips, not on size: invisible for data parallel, fatal for tensor parallel."),
        ),
        Difference(
            "mtbf", Text("集群平均无故障时间", "MTBF of the cluster"),
            alone / HOUR, "MTBF_gpu / N", 1 / (1 / alone + outages) / HOUR, "1 / (N/MTBF_gpu + 1/MTBF_line)", "h",
            Text("文章只计 GPU；这里计入恰好达到可用性下限、每次中断 4 小时的线路，网络与软件还会再减。",
                 "The article counts GPUs only; here a line just at the availability floor with outages of 4 h is added, "
                 "and network and software would lower it further."),
        ),
    ]  # fmt: skip
    if lines.loss_limit is not None:
        rows.append(
            Difference(
                "loss", Text("丢包率红线", "Packet loss limit"),
                p.RDMA_LOSS_CAP.value, "≤ 1×10⁻⁵", lines.loss_limit, "(1/floor − 1/target)·8·payload/RTT", "1",
                Text("回退重传的损失与 速率 × 时延 成正比：站内 1×10⁻⁵ 无碍，长线高速则过宽。",
                     "Go-back-N loses in proportion to rate × delay: 1e-5 is harmless inside a site and too lax on a long fast line."),
            )
        )  # fmt: skip
    return rows


def per_gpu_rate(job: Training, policy: Policy, demand: TrainingDemand) -> float:
    """The article's bandwidth per GPU (bit/s)."""
    return BY_ID["article_per_gpu_bandwidth"](
        parameters=job.parameters,
        bytes_per_element=policy.article_gradient_bytes,
        step_compute_time=demand.step_time,
        efficiency=policy.article_efficiency,
    )


def _downtime(lines: Lines) -> list[Difference]:
    year = allowed_downtime(availability=lines.availability_floor, window=YEAR_H * HOUR) / HOUR
    month = allowed_downtime(availability=lines.availability_floor, window=MONTH_H * HOUR) / HOUR
    return [
        Difference(
            "downtime", Text("允许的最长单次中断", "Longest single outage allowed"),
            year, "(1−A) · 8,760 h", month, "(1−A) · 730 h", "h",
            Text("按年统计允许一次断完全年额度；按月统计才限制单次中断（跨月时最多两倍）。",
                 "A yearly figure lets one outage use the whole year's allowance; a monthly one bounds it (twice that across a month end)."),
        )
    ]  # fmt: skip


RTT_FORMULA = {"ttft": "(TTFT − prefill − queue − KV) / n", "tpot": "TPOT − own", "user": "own limit"}
RTT_WORDS = {
    "ttft": Text("首 token 预算才是由您的目标推出的上限。", "the first-token budget is the limit your target implies."),
    "tpot": Text("每个 token 都要过线，每 token 预算才是上限。", "every token crosses here, and the per-token budget is the limit."),
    "user": Text("此处按您自定的上限执行。", "here your own limit holds."),
}  # fmt: skip


def _inference_rtt(lines: Lines) -> Difference:
    return Difference(
        "inference_rtt", Text("推理往返时延", "Round-trip time for inference"),
        p.INFERENCE_RTT_REFERENCE.value * 1e3, "< 5 ms",
        (lines.rtt_limit or 0.0) * 1e3, RTT_FORMULA[lines.rtt_reason], "ms",
        Text("5 ms 是公开参考值而非绝对值；{why}", "5 ms is a public reference, not absolute; {why}").format(
            why=RTT_WORDS[lines.rtt_reason]
        ),
    )  # fmt: skip
