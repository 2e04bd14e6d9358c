"""Where each number put into a line of working comes from: an earlier line, the job, a rule, a parameter, the offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.formulas.registry import BY_ID as FORMULA
from app.domain.metrics import BY_ID as METRIC
from app.domain.policy import POLICY_FIELDS
from app.domain.terms import term
from app.domain.text import Text
from app.domain.workload_fields import (
    BULK_FIELDS,
    GPU_FIELDS,
    INFERENCE_FIELDS,
    NETWORK_FIELDS,
    TOP_FIELDS,
    TRAINING_FIELDS,
)
from app.report.working import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from app.domain.facts import Offer
    from app.domain.fields import Field
    from app.domain.parameters import Parameter
    from app.domain.policy import Policy
    from app.domain.text import Language
    from app.domain.working import Working
    from app.domain.workload import Workload

LINE = Text("第 {n} 行", "line {n}")
NEED_LINE = Text("需求推导第 {n} 行", "line {n} of the requirement")
JOB, JOB_DEFAULT = Text("任务：{x}", "job: {x}"), Text("任务：{x}（默认）", "job: {x} (default)")
RULE, RULE_DEFAULT = Text("规则：{x}", "rules: {x}"), Text("规则：{x}（默认）", "rules: {x} (default)")
OFFERED = Text("报价：{x}", "offer: {x}")
PARAMETER = Text("参数：{x}（{kind}）", "parameter: {x} ({kind})")
FORMULA_DEFAULT = Text("公式的默认值", "default of the formula")
DERIVED = Text("由任务推出", "derived from the job")

# What a formula calls a field of the job.
_FIELDS = {
    "distance": "distance_km", "tokens": "global_batch_tokens", "peak_flops": "peak_tflops",
    "steps": "sync_interval_steps", "bytes_per_element": "gradient_bytes_per_element", "overlapped": "overlap",
    "step_time": "step_compute_s",
    "samples": "flows", "payload": "payload_bytes", "stages": "pipeline_parallel", "budget": "target_sync_s",
    "utilization": "target_utilization", "extra_warmup": "extra_warmup_micro_batches", "requests": "requests_per_s",
    "prefill": "prefill_s", "service_time": "prefill_s", "instances": "prefill_instances",
    "servers": "prefill_instances", "checkpoint_time": "checkpoint_write_s", "unit_mtbf": "mtbf_h", "units": "gpus",
    "restart_time": "restart_s", "interval": "checkpoint_interval_s",
}  # fmt: skip
_HOPS = Text("两级规约 2(k−1) 跳，k 为站点数", "two-level exchange: 2(k−1) hops for k sites")
_WHOLE = Text("整套梯度，不再切分", "the whole set, not split")
_LEFT = Text("所取的有效带宽", "the effective rate taken")
_LESS = Text("低端按重叠少一级计", "low end: overlap one setting less")
_NOTHING = Text("不重叠，不计掩盖", "no overlap: nothing is hidden")
_STAGE = Text("单站每步时间 ÷ (m + p − 1)，反向占 2/3", "step on one site ÷ (m + p − 1), 2/3 of it backward")
_CUT = Text("切分后的步长 − 单站步长 + 抖动等待", "step of the cut pipeline − step on one site + wait for jitter")
_TRIED = Text(
    "预测用时恰好等于预算的带宽，由上列公式逐次逼近",
    "the rate at which the predicted time equals the budget, found by trial with the formula of the prediction",
)
# What stands for itself, by formula and input, else by input.
_OWN: dict[tuple[str, str], Text] = {
    ("gradient_bytes", "tensor_parallel"): _WHOLE,
    ("gradient_bytes", "pipeline_parallel"): _WHOLE,
    ("route_rtt", "equipment"): Text("不计设备时延", "equipment is left out"),
    ("payload_rate", "loss_efficiency"): Text("无丢包", "no loss"),
    ("sync_budget", "cover"): _NOTHING,
    ("exposed_time", "cover"): _NOTHING,
    ("step_compute_time", "active_parameters"): JOB.format(
        x=Text("激活参数量，未填取全部", "active, else all parameters")
    ),
    ("step_compute_time", "flops_per_parameter_token"): Text("前向 2 次、反向 4 次", "2 forward and 4 backward"),
    ("pipeline_step_time", "one_way_delay"): Text("往返时延 ÷ 2 + 上一行", "round-trip time ÷ 2 + the line above"),
    ("pipeline_step_time", "forward_time"): _STAGE,
    ("pipeline_step_time", "backward_time"): _STAGE,
    ("pipeline_step_time", "cut_stage"): Text("任务未填切口：取居中", "no cut given in the job: in the middle"),
    ("pipeline_step_time", "cuts"): Text("站点数 − 1", "sites − 1"),
    ("site_egress_pipeline", "bytes_per_element"): JOB.format(x=Text("激活字节数", "activation bytes per element")),
    ("transfer_time", "size"): Text("站点出向流量 ÷ 微批数", "bytes leaving a site ÷ micro-batches"),
    ("waiting_step_time", "exposed"): _CUT,
    ("utilization", "exposed"): _CUT,
    ("target_rate", "floor"): _TRIED,
    ("tcp_mss", "timestamps"): Text("TCP 时间戳默认启用", "TCP timestamps are on by default"),
    ("go_back_n_loss_need", "target"): Text("下限 × 预留", "floor × reserve"),
    ("go_back_n_loss_need", "floor"): _TRIED,
    ("sync_time", "bandwidth"): _LEFT,
    ("transfer_time", "bandwidth"): _LEFT,
    ("jitter_sigma_limit", "budget"): Text("抖动预算与剩余时间中较小的", "the smaller of jitter budget and time left"),
}
_BUDGETED = Text("逐次逼近：恰好用完预算的可用性", "by trial: the availability that loses just the budget")
_NO_RESTART = Text("少一个站点仍继续训练，不重启", "the job runs on without a site: no restart")
_ALL_STOP = Text("全部站点一起停下，取 1", "all sites stop together: 1")
_ROUNDS = Text("由跨站方式决定的依赖轮次", "dependent rounds of what crosses the line")
_PARAMETERS: dict[tuple[str, str], Parameter] = {
    ("backward_time", "share"): p.BACKWARD_SHARE,
    ("jitter_budget", "share"): p.JITTER_BUDGET,
    ("request_rate", "burst"): p.REPLY_BURST,
    ("outage_count", "repair_time"): p.REPAIR_ASSUMED,
    ("availability_need", "share"): p.OUTAGE_BUDGET,
    ("availability_need", "repair_time"): p.REPAIR_ASSUMED,
    ("availability_need", "detection_time"): p.DETECTION,
}
# What a formula calls a promise of the offer.
_PROMISES = {
    "bandwidth": "bandwidth", "oversubscription": "oversubscription", "rtt": "rtt", "packet_loss": "packet_loss",
    "jitter": "jitter", "mtu": "mtu", "encapsulation": "encapsulation", "transport": "transport", "window": "window",
}  # fmt: skip
_WEAKEST = Text("报价：各段中最窄的一段", "offer: the weakest segment")
_BURST = Text("报价：突发速率", "offer: burst rate")
_QUANTILE = Text("正态分布在该统计口径上的倍数", "what that statistic is of a normal law")
_USUAL = Text("报价与任务均未写明，按场景默认", "neither offer nor job says; usual for the scenario")
_UNSTATED = Text("报价未写明：{x}", "not stated in the offer: {x}")
_FROM_CHANNELS = Text(
    "参数：未调优的 NCCL，{n} 通道 × {b} byte（{kind}）", "parameter: untuned NCCL, {n} channels × {b} byte ({kind})"
)


def _sections(workload: Workload) -> Iterator[tuple[Sequence[Field], object]]:
    yield TOP_FIELDS, workload
    yield NETWORK_FIELDS, workload.network
    if workload.bulk is not None:
        yield BULK_FIELDS, workload.bulk
    if workload.inference is not None:
        yield INFERENCE_FIELDS, workload.inference
    if workload.training is not None:
        yield GPU_FIELDS, workload.training.gpu
        yield TRAINING_FIELDS, workload.training


def _said(field: Field, holder: object, given: Text, default: Text) -> Text | None:
    value = getattr(holder, field.name, None)
    if value is None:
        return None
    form = default if field.default is not None and value == field.default else given
    return form.format(x=field.title)


def of_the_job(workload: Workload, policy: Policy) -> dict[str, Text]:
    """Input → where it comes from, for every field of the job and of the buyer's rules."""
    named: dict[str, Text] = {}
    for fields, holder in _sections(workload):
        for field in fields:
            said = _said(field, holder, JOB, JOB_DEFAULT)
            if said is not None:
                named[field.name] = said
    for field in POLICY_FIELDS:
        said = _said(field, policy, RULE, RULE_DEFAULT)
        if said is not None:
            named.setdefault(field.name, said)
    job = workload.training
    around = job is not None and job.crossing in ("data", "local_sgd") and job.interconnect != "mesh"
    rounds = dict.fromkeys(("hops", "rounds"), _HOPS if around else _ROUNDS)
    rounds |= {"outage_count.availability": _BUDGETED, "outage_count.window": named["hours_per_month"]}
    rounds["job_mtbf.window"] = named["hours_per_month"]
    if job is not None:
        rounds["availability_need.sites"] = named["sites"] if job.survives_site_loss else _ALL_STOP
    if job is not None and job.survives_site_loss:
        rounds |= dict.fromkeys(("availability_need.interval", "availability_need.restart_time"), _NO_RESTART)
    rounds["tcp_mss.mtu"] = Text("以太网 1,500 byte", "Ethernet, 1,500 bytes")
    if job is not None and job.overlap == "full":
        rounds["overlap_cover.micro_batches"] = Text("完全重叠：m 取 1", "full overlap: m = 1")
    if job is not None and job.cut_stage:
        rounds["pipeline_step_time.cut_stage"] = JOB.format(x=Text("切口前的级数", "stages before the cut"))
    return named | {ours: named[theirs] for ours, theirs in _FIELDS.items() if theirs in named} | rounds


def of_the_offer(offer: Offer, job: Mapping[str, Text], end: str, rate: float) -> dict[str, Text]:
    """Input → where it comes from in a prediction: what the offer states, what is taken where it is silent."""
    named = dict(job)
    for name, metric in _PROMISES.items():
        found, title = term(offer, metric), METRIC[metric].title if metric in METRIC else Text("窗口", "Window")
        if found.fact is not None:
            named[name] = OFFERED.format(x=title)
        elif name not in named or name in ("rtt", "oversubscription", "packet_loss", "mtu"):
            named[name] = _UNSTATED.format(x=title)
    if term(offer, "transport").fact is None and "transport" not in job:
        named["transport"] = _USUAL
    quoted = term(offer, "bandwidth").number
    named["bandwidth"] = _BURST if end == "high" and quoted is not None and rate > quoted else _WEAKEST
    named["quantile"] = _QUANTILE
    if term(offer, "window").fact is None and "window_bytes" not in job:
        named["window"] = _FROM_CHANNELS.format(
            n=f"{p.NCCL_CHANNELS.value:g}", b=f"{p.NCCL_BUFFER.value:,.0f}", kind=KINDS[p.NCCL_BUFFER.source.kind]
        )
    if end == "low":
        named |= {"overlapped": _LESS, "exposed_time.cover": _LESS}
    named["tcp_mss.mtu"] = named["mtu"]
    if "window_bytes" in job:
        named["window"] = job["window_bytes"]
    named["sigma"] = Text("报价未写抖动：按供应商常见的最大承诺", "offer silent on jitter: the highest common promise")
    return named


def _earlier(value: object, dimension: object, lines: Sequence[Working]) -> int | None:
    """Number of the last of these lines that gave this value, or None."""
    for at in range(len(lines) - 1, -1, -1):
        if lines[at].value == value and FORMULA[lines[at].formula].result == dimension:
            return at + 1
    return None


def origins(
    lines: Sequence[Working], named: Mapping[str, Text], language: Language, before: Sequence[Working] = ()
) -> tuple[dict[str, str], ...]:
    """For every line: input → where it comes from. `before` are the lines of the requirement."""
    return tuple(
        {name: _origin(line, name, lines[:at], named, before).pick(language) for name in line.inputs}
        for at, line in enumerate(lines)
    )


def _origin(
    line: Working, name: str, above: Sequence[Working], named: Mapping[str, Text], before: Sequence[Working]
) -> Text:
    value = line.inputs[name]
    item = next(i for i in FORMULA[line.formula].inputs if i.name == name)
    at = _earlier(value, item.dimension, above)
    if at is not None:
        return LINE.format(n=at)
    key = (line.formula, name)
    if key in _PARAMETERS:
        parameter = _PARAMETERS[key]
        return PARAMETER.format(x=parameter.meaning, kind=KINDS[parameter.source.kind])
    particular = named.get(f"{line.formula}.{name}")
    if particular is not None:
        return particular
    at = None if name in named else _earlier(value, item.dimension, before)
    if at is not None:
        return NEED_LINE.format(n=at)
    return _OWN.get(key) or named.get(name) or (FORMULA_DEFAULT if value == item.default else DERIVED)
