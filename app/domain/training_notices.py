"""What a buyer should know before any offer is judged: refused placements, assumptions, and conditions of the floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.figures import number
from app.domain.formulas.sites import flat_ring_border_bytes, flat_ring_latency, wrong_order_border_bytes
from app.domain.interconnect import lanes
from app.domain.memory import gpu_memory
from app.domain.problems import Notice
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.lines import Lines
    from app.domain.workload import Training

GIGA, MILLI = 1e9, 1e-3

REFUSALS = {
    "tensor": Text(
        "张量并行不应跨专线：每层每个微批要做 4 次规约，每次都等线路，仅时延每步就要 {wait} s。"
        "请把张量并行留在站内，跨站改用数据并行、流水线或本地 SGD。",
        "Tensor parallel should not cross the line: 4 all-reduces per layer and micro-batch wait for it, {wait} s a "
        "step for delay alone. Keep it inside a site and let data parallel, a pipeline cut or local SGD cross.",
    ),
    "fsdp": Text(
        "全分片不应跨专线：每个微批都要逐层收集权重，仅时延每步就要 {wait} s。"
        "请在站内全分片、站间复制（HSDP），或改用流水线、本地 SGD。",
        "Full sharding should not cross the line: weights are gathered layer by layer for every micro-batch, {wait} s "
        "a step for delay alone. Shard inside a site and replicate across (HSDP), or use a pipeline cut or local SGD.",
    ),
    "expert": Text(
        "专家并行只适合往返时延 1 ms 以内的线路：每个 MoE 层有 4 次全交换在等待，仅时延每步就要 {wait} s。"
        "请把专家留在站内，跨站改用数据并行或流水线。",
        "Experts should cross only below about 1 ms of round-trip time: 4 all-to-alls per MoE layer wait for the line, "
        "{wait} s a step for delay alone. Keep experts inside a site and let data parallel or a pipeline cut cross.",
    ),
}


def _refused(job: Training, lines: Lines) -> Notice | None:
    """Why this parallel dimension should not cross the line, with the alternative."""
    text, demand = REFUSALS.get(job.crossing), lines.training
    if text is None or demand is None or (job.crossing == "expert" and lines.reference.rtt <= p.EXPERT_RTT.value):
        return None
    return Notice("placement_refused", text.format(wait=number(demand.hops * lines.reference.rtt / 2, 3)))


def _assumed(job: Training, lines: Lines) -> Notice | None:  # noqa: ARG001 - one shape for all
    if lines.wanted is None or not lines.wanted.assumed:
        return None
    share = p.DEFAULT_UTILIZATION.value
    text = Text(
        f"未给目标，按利用率 {share:.0%} 核算（我方判断）。请填写目标同步时间或目标利用率。",
        f"No target was given; {share:.0%} utilisation is assumed (judgement). Enter a sync time or a utilisation.",
    )
    return Notice("utilization_assumed", text)


def _impossible(job: Training, lines: Lines) -> Notice | None:  # noqa: ARG001 - one shape for all
    if lines.wanted is None or not lines.wanted.impossible:
        return None
    text = Text(
        "即使没有线路等待，单站每步时间也已超出期限允许的每步时间，请放宽期限或增加 GPU。",
        "Even without any wait for the line, the step on one site is longer than the deadline allows; "
        "move the deadline or add GPUs.",
    )
    return Notice("deadline_impossible", text)


def _no_line(job: Training, lines: Lines) -> Notice | None:  # noqa: ARG001 - one shape for all
    if lines.floor is not None:
        return None
    text = Text(
        "仅时延或预算就已用完目标时间，任何带宽的线路都达不到目标；请换一种跨站并行方式或放宽目标。",
        "Latency or the budget alone uses up the target time: no line of any rate can meet it. "
        "Choose another placement or relax the target.",
    )
    return Notice("no_line_can", text)


def _overlap(job: Training, lines: Lines) -> Notice | None:
    """The floor holds only while the overlap is as good as stated."""
    if lines.floor is None or lines.doubtful is None:
        return None
    need, now = lines.doubtful_floor, number(lines.floor / GIGA, 3)
    if need is not None and need <= p.OVERLAP_DOUBT.value * lines.floor:
        return None
    if need is None:
        text = Text(
            "下限 {now} Gbit/s 以所填重叠方式为前提；少一级重叠，任何专线都达不到目标。请在现网核实重叠。",
            "The floor of {now} Gbit/s stands on the overlap as stated; one setting less and no line meets the target. "
            "Verify the overlap on your own cluster.",
        )
        return Notice("overlap_is_a_condition", text.format(now=now))
    less = {
        "full": Text("若实际只有最后一个微批重叠", "if only the last micro-batch overlaps"),
        "last_micro_batch": Text("若实际没有重叠", "if nothing overlaps"),
    }[job.overlap]
    text = Text(
        "下限 {now} Gbit/s 以所填重叠方式为前提；{less}，需要 {need} Gbit/s。请在现网核实重叠。",
        "The floor of {now} Gbit/s stands on the overlap as stated; {less}, {need} Gbit/s are needed. "
        "Verify the overlap on your own cluster.",
    )
    return Notice("overlap_is_a_condition", text.format(now=now, less=less, need=number(need / GIGA, 3)))


def _quality(job: Training, lines: Lines) -> Notice | None:  # noqa: ARG001 - one shape for all
    """How far published results of local SGD reach; quality is no matter of the line."""
    if job.crossing != "local_sgd":
        return None
    if job.sync_interval_steps == 1:
        text = Text(
            "本地 SGD 的同步间隔为 1 步，即每步同步，与数据并行等量；请填间隔步数。",
            "Local SGD with an interval of 1 step exchanges every step, as much as data parallel; state the interval.",
        )
        return Notice("interval_of_one_step", text)
    most, late = p.LOCAL_INTERVAL.value, p.LOCAL_OVERLAP.value
    if job.sync_interval_steps <= most and job.overlap_steps <= late:
        return None
    text = Text(
        f"公开结果表明每 {most:.0f} 步以内同步、延迟不超过 {late:.0f} 步时收敛质量接近逐步同步；"
        f"当前为 {job.sync_interval_steps} 步、延迟 {job.overlap_steps} 步，收敛质量须先做试验。",
        f"Published runs stay near parity up to {most:.0f} steps between exchanges and {late:.0f} steps of delay; "
        f"with {job.sync_interval_steps} and {job.overlap_steps} the quality of training needs a trial first.",
    )
    return Notice("quality_needs_a_trial", text)


def _peak(job: Training, lines: Lines) -> Notice | None:
    """Expert traffic comes in bursts: the lines hold for its peak, not for its mean."""
    if job.crossing != "expert" or lines.floor is None:
        return None
    text = Text(
        "专家流量有突发，红线按均值的 {peak} 倍峰值计（公开值 3–5 倍），目标带宽另加预留。",
        "Expert traffic comes in bursts: the limits are set for a peak of {peak} times the mean (3 to 5 is published), "
        "and the target adds the reserve.",
    )
    return Notice("peak_counts", text.format(peak=number(job.peak_to_mean, 2)))


def _memory(job: Training, lines: Lines) -> Notice | None:  # noqa: ARG001 - one shape for all
    """State and activations together do not fit: the layout needs more recomputation than assumed."""
    needed, memory = gpu_memory(job), job.gpu.memory_gb
    if needed is None or memory is None or needed.total <= memory * GIGA:
        return None
    text = Text(
        "每卡状态 {state} GB 加激活 {activations} GB（选择性重算、微批一条样本）超过显存 {memory} GB；"
        "须全量重算（每步计算多三分之一）或增大 TP。",
        "State of {state} GB and activations of {activations} GB (selective recompute, one sequence a micro-batch) "
        "exceed the {memory} GB of a GPU; recompute everything (a third more compute a step) or raise TP.",
    )
    filled = {
        "state": number(needed.state / GIGA, 3),
        "activations": number(needed.activations / GIGA, 3),
        "memory": number(memory, 3),
    }
    return Notice("memory_is_tight", text.format(**filled))


def _two_level(job: Training, lines: Lines) -> Notice | None:
    """What the floor takes for granted: a hierarchical all-reduce; a flat ring laid over the sites costs far more."""
    demand = lines.training
    if job.crossing != "data" or demand is None or job.data_parallel <= job.sites:
        return None
    wait = flat_ring_latency(ranks=job.data_parallel, one_way_delay=lines.reference.rtt / 2)
    size = demand.size * lanes(job) * job.sites / (2 * (job.sites - 1))
    border = flat_ring_border_bytes(size=size, ranks=job.data_parallel)
    worst = wrong_order_border_bytes(size=size, ranks=job.data_parallel, sites=job.sites, crossings=job.data_parallel)
    text = Text(
        "按两级规约（先站内后站间）核算。若把 {n} 个副本排成一个扁平环，每个边界每方向要过 {border} GB，"
        "时延最多 {wait} s；卡序排错、每一跳都跨站时平均每个边界 {worst} GB。请确认通信库用的是分层规约。",
        "A hierarchical all-reduce is taken for granted: inside the sites first, then across. One flat ring over the "
        "{n} replicas would carry {border} GB over each border and direction and wait up to {wait} s for delay; in a "
        "wrong rank order, every hop across, {worst} GB a border. Check that your communication library does it in "
        "two levels.",
    )
    filled = {
        "n": job.data_parallel,
        "border": number(border / GIGA, 3),
        "wait": number(wait, 3),
        "worst": number(worst / GIGA, 3),
    }
    return Notice("two_level_assumed", text.format(**filled))


NOTICES: tuple[Callable[[Training, Lines], Notice | None], ...] = (
    _refused,
    _assumed,
    _impossible,
    _no_line,
    _overlap,
    _quality,
    _peak,
    _memory,
    _two_level,
)


def training_notices(job: Training, lines: Lines) -> tuple[Notice, ...]:
    """Every notice that applies, in order of weight."""
    made = (notice(job, lines) for notice in NOTICES)
    return tuple(notice for notice in made if notice is not None)
