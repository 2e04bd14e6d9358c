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
FORMULA_DEFAULT = Text("公式的取值", "value of the formula")

# What a formula calls a field of the job.
_FIELDS = {
    "distance": "distance_km", "tokens": "global_batch_tokens", "peak_flops": "peak_tflops",
    "steps": "sync_interval_steps", "bytes_per_element": "gradient_bytes_per_element", "overlapped": "overlap",
    "step_time": "step_compute_s",
    "samples": "flows", "payload": "payload_bytes", "stages": "pipeline_parallel", "budget": "target_sync_s",
    "utilization": "target_utilization", "extra_warmup": "extra_warmup_micro_batches", "requests": "requests_per_s",
    "prefill": "prefill_s", "service_time": "prefill_s", "instances": "prefill_instances",
    "servers": "prefill_instances",
}  # fmt: skip
_HOPS = Text("两级规约 2(k−1) 跳，k 为站点数", "two-level exchange: 2(k−1) hops for k sites")
_WHOLE = Text("整套梯度，不再切分", "the whole set, not split")
_BACKWARD = Text("反向是前向的两倍，占 2/3", "backward takes twice the forward pass, 2/3")
_LEFT = Text("所取的有效带宽", "the effective rate taken")
_LESS = Text("低端按重叠少一级计", "low end: overlap one setting less")
# What stands for itself, by formula and input, else by input.
_OWN: dict[tuple[str, str], Text] = {
    ("gradient_bytes", "tensor_parallel"): _WHOLE,
    ("gradient_bytes", "pipeline_parallel"): _WHOLE,
    ("backward_time", "share"): _BACKWARD,
    ("route_rtt", "equipment"): Text("不计设备时延", "equipment is left out"),
    ("payload_rate", "loss_efficiency"): Text("无丢包", "no loss"),
    ("sync_time", "bandwidth"): _LEFT,
    ("transfer_time", "bandwidth"): _LEFT,
    ("jitter_sigma_limit", "budget"): Text("抖动预算与剩余时间中较小的", "the smaller of jitter budget and time left"),
}
_ROUNDS = Text("由跨站方式决定的依赖轮次", "dependent rounds of what crosses the line")
_PARAMETERS: dict[tuple[str, str], Parameter] = {
    ("jitter_budget", "share"): p.JITTER_BUDGET,
    ("request_rate", "burst"): p.REPLY_BURST,
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
        named |= {"overlapped": _LESS, "cover": _LESS}
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
    at = None if name in named else _earlier(value, item.dimension, before)
    if at is not None:
        return NEED_LINE.format(n=at)
    return _OWN.get(key) or named.get(name) or FORMULA_DEFAULT
