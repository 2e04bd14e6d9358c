"""The lines of an inference service and of a bulk move, inverted from the functions that predict an offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.bulk import bulk_demand
from app.domain.formulas.inference import groups_to_hide_rtt
from app.domain.lines import P99, Lines
from app.domain.problems import Notice
from app.domain.serving import ENDLESS, ServiceDemand, inference_demand
from app.domain.text import Text
from app.domain.transport import Reference, loss_limit

if TYPE_CHECKING:
    from app.domain.policy import Policy
    from app.domain.working import Ledger
    from app.domain.workload import Bulk, Inference

MILLI, TERA = 1e-3, 1e12
RTT_BELOW_REFERENCE = Text(
    "往返时延上限 {limit:.3g} ms 不高于参考往返时延 {usual:.3g} ms，此距离很难达到。",
    "The round-trip limit of {limit:.3g} ms is no higher than the reference {usual:.3g} ms; "
    "it is hard to meet at this distance.",
)
TTFT_OUT_OF_REACH = Text(
    "首 token 目标 {target:.4g} s 任何线路都达不到：仅预填充与其排队（P{q:.0f}）、往返就需 {best:.4g} s。",
    "No line meets the first-token target of {target:.4g} s: prefill, its queue (p{q:.0f}) and round trips alone take "
    "{best:.4g} s.",
)
TTFT_NOT_JUDGED = Text(
    "已填首 token 目标但未填预填充时间，无法判定首 token 是否达标。",
    "A first-token target is given but no prefill time, so whether it is met cannot be judged.",
)
TOKEN_OWN_MISSING = Text(
    "未填单站每 token 时间，每 token 往返上限按 0 计，实际上限更低，请补填。",
    "The token time on one site is not given; the limit counts it as 0 and is really lower. Please enter it.",
)
TOKEN_TARGET_MISSING = Text(
    "流水线跨站解码每个 token 都要等一个往返，未填每 token 目标或往返上限时无法设红线。",
    "A pipeline split waits one round trip for every token; without a per-token target or a limit of your own there is "
    "no red line.",
)
HIDDEN_MISSING = Text(
    "未填隐藏维度，跨站激活按 {hidden:g} 维计（常见 {low:g}–{high:g}），请核对。",
    "No hidden size given; {hidden:g} is assumed for the activations on the line ({low:g} to {high:g} is usual). "
    "Please check.",
)
GROUPS_TO_HIDE = Text(
    "参考往返时延下，在途请求组数达到 {n:g} 组时线路等待不再损失吞吐；单个请求的每 token 时间仍加一个往返。",
    "At the reference round-trip time {n:g} groups of requests in flight keep both halves busy; a single request still "
    "waits one round trip per token.",
)
PREFILL_BURST = Text(
    "{n} 个预填充实例同时满载时产出 {peak:.4g} Gbit/s，高于带宽下限 {floor:.4g} Gbit/s；这样的突发只能排队。",
    "With all {n} prefill instances busy {peak:.4g} Gbit/s are turned out, more than the floor of {floor:.4g} Gbit/s; "
    "such a burst has to queue.",
)
NO_RATE = Text(
    "时间窗内搬不完：存储速率或建立连接的往返已用完时间，任何带宽的专线都不够。",
    "No line of any rate fits the window: storage or the round trips of setting up take all of it.",
)
STORAGE_BINDS = Text(
    "存储速率 {storage:.4g} Gbit/s 低于目标带宽 {target:.4g} Gbit/s，更快的专线不会更早搬完。",
    "Storage at {storage:.4g} Gbit/s is slower than the target of {target:.4g} Gbit/s; a faster line gains nothing.",
)
COPIES_ON_ONE_LINE = Text(
    "{n} 份都走此线，流量为单份的 {n} 倍；若先送一份再在对端分发，下限降为 {once:.4g} Gbit/s。",
    "All {n} copies use this line, {n} times the traffic of one; sending one and copying it at the far side lowers the "
    "floor to {once:.4g} Gbit/s.",
)
NOT_A_FULL_CHECKPOINT = Text(
    "{given:.4g} TB 与 {low:.4g}–{high:.4g} TB 不符：完整检查点（含优化器状态）每参数 12–16 字节；"
    "只存 BF16 权重为 2 字节。",
    "{given:.4g} TB is not the {low:.4g} to {high:.4g} TB of a full checkpoint (12 to 16 bytes a parameter, optimiser "
    "included); BF16 weights alone take 2.",
)
BESIDE_GRADIENTS = Text(
    "若与训练共用专线，请把搬运放入低优先级队列（Scavenger，DSCP LE）或错开的时间窗，否则会拖慢梯度同步。",
    "If training shares the line, put the move in a scavenger class (DSCP LE) or a window of its own, or it slows the "
    "exchange of gradients.",
)


def inference_lines(job: Inference, where: Reference, policy: Policy, ledger: Ledger, warnings: list[Notice]) -> Lines:
    """Lines of an inference service: the rate of its traffic, raised where the first token needs more."""
    demand = inference_demand(job, ledger)
    needed = demand.rate_for_first_token(where.rtt)
    floor = max(demand.rate, needed or 0.0)
    target = floor * policy.reserve
    _show(demand, target, where, ledger)
    limits = demand.rtt_limits(target)
    limit, reason = limits[0] if limits else (None, "none")
    lines = Lines(
        scenario="inference",
        reference=where,
        floor=floor,
        target=target,
        rtt_limit=limit,
        rtt_reason=reason,
        rtt_strict=reason == "user",
        sigma_limit=p.JITTER_MARK.value / P99,
        loss_limit=loss_limit(where, floor, target, p.TCP_LOSS_CAP_LOOSE.value, ledger),
        availability_floor=policy.availability_floor or p.AVAILABILITY_INFERENCE.value,
        size=demand.kv_bytes,
        round_trips=p.ROUND_TRIPS_WARM.value,
        service=demand,
    )
    warnings += _inference_notices(job, demand, lines)
    return lines


def _show(demand: ServiceDemand, rate: float, where: Reference, ledger: Ledger) -> None:
    """Note the queue at the line, the first and the next token at the target rate and the reference round trip."""
    wait = demand.queue(rate)
    if demand.kv_bytes and wait is not None:
        service_time = wait.load / demand.requests
        ledger.compute("mg1_wait", load=wait.load, service_time=service_time, variation=demand.variation)
        ledger.compute("wait_quantile", mean_wait=wait.mean, share=wait.load, quantile=p.WAIT_QUANTILE.value)
    first = demand.first_token_inputs(rate, where.rtt, tail=True)
    if first is not None:
        ledger.compute("time_to_first_token", **first)
    if demand.cut and demand.token_own is not None:
        ledger.compute("split_token_time", own=demand.token_own, rtt=where.rtt, groups=demand.groups)


def _inference_notices(job: Inference, demand: ServiceDemand, lines: Lines) -> list[Notice]:
    rtt, limit = lines.reference.rtt, lines.rtt_limit
    found: list[Notice] = []

    def say(when: bool, code: str, text: Text, **values: float) -> None:
        if when:
            found.append(Notice(code, text.format(**values)))

    best = demand.first_token(ENDLESS, rtt, tail=True)
    target = demand.first_target
    late = target is not None and best is not None and best > target
    say(
        late, "ttft_out_of_reach", TTFT_OUT_OF_REACH,
        target=target or 0.0, best=best or 0.0, q=100 * p.WAIT_QUANTILE.value,
    )  # fmt: skip
    say(
        limit is not None and limit <= rtt and not (late and lines.rtt_reason == "ttft"),
        "rtt_limit_below_reference", RTT_BELOW_REFERENCE, limit=(limit or 0.0) / MILLI, usual=rtt / MILLI,
    )  # fmt: skip
    say(target is not None and demand.prefill is None, "ttft_not_judged", TTFT_NOT_JUDGED)
    own = demand.token_own
    say(demand.cut and demand.token_target is not None and own is None, "token_time_missing", TOKEN_OWN_MISSING)
    say(demand.cut and limit is None, "token_target_missing", TOKEN_TARGET_MISSING)
    hidden = p.HIDDEN_ASSUMED
    say(
        demand.cut and job.hidden_size is None, "hidden_size_assumed", HIDDEN_MISSING,
        hidden=hidden.value, low=hidden.low, high=hidden.high,
    )  # fmt: skip
    if demand.cut and own:
        groups = groups_to_hide_rtt(own=own, rtt=rtt)
        say(groups > demand.groups, "groups_to_hide_rtt", GROUPS_TO_HIDE, n=groups)
    peak = demand.prefill_peak(job.prefill_instances)
    say(
        peak > (lines.floor or 0.0), "prefill_burst", PREFILL_BURST,
        n=job.prefill_instances or 0, peak=peak / 1e9, floor=(lines.floor or 0.0) / 1e9,
    )  # fmt: skip
    return found


def bulk_lines(job: Bulk, where: Reference, policy: Policy, ledger: Ledger, warnings: list[Notice]) -> Lines:
    """Lines of a bulk move: bytes over this line inside the window, storage as a second limit."""
    demand = bulk_demand(job)
    floor = demand.rate(where.rtt) or None
    target = None if floor is None else floor * policy.reserve
    loss = None
    if floor is not None and target is not None:
        ledger.compute(
            "bulk_rate", size=demand.size, window=demand.window, retry_share=demand.retry_share,
            round_trips=demand.round_trips, rtt=where.rtt,
        )  # fmt: skip
        loss = loss_limit(where, floor, target, p.TCP_LOSS_CAP_LOOSE.value, ledger)
    lines = Lines(
        scenario="bulk",
        reference=where,
        floor=floor,
        target=target,
        rtt_limit=None,
        rtt_reason="none",
        rtt_strict=False,
        sigma_limit=p.BULK_JITTER.value / P99,
        loss_limit=loss,
        availability_floor=policy.availability_floor or p.AVAILABILITY_BULK.value,
        size=demand.size,
        round_trips=0.0,
        bulk=demand,
    )
    warnings += _bulk_notices(job, lines)
    return lines


def _bulk_notices(job: Bulk, lines: Lines) -> list[Notice]:
    found: list[Notice] = []
    demand = lines.bulk
    storage = demand.storage if demand is not None else 0.0
    if lines.floor is None or lines.target is None:
        found.append(Notice("window_out_of_reach", NO_RATE))
    elif storage and storage < lines.target:
        found.append(Notice("storage_binds", STORAGE_BINDS.format(storage=storage / 1e9, target=lines.target / 1e9)))
    if job.copies > 1 and job.distribution == "over_this_line" and lines.floor is not None:
        once = lines.floor / job.copies / 1e9
        found.append(Notice("copies_on_one_line", COPIES_ON_ONE_LINE.format(n=job.copies, once=once)))
    if job.model_parameters is not None:
        low, high = (job.model_parameters * each.value for each in (p.CHECKPOINT_LOW, p.CHECKPOINT_HIGH))
        if not low <= job.bytes <= high:
            sizes = {"given": job.bytes / TERA, "low": low / TERA, "high": high / TERA}
            found.append(Notice("not_a_full_checkpoint", NOT_A_FULL_CHECKPOINT.format(**sizes)))
    found.append(Notice("bulk_beside_gradients", BESIDE_GRADIENTS))
    return found
