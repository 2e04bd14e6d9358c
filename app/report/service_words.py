"""Where the rate and the round-trip limit of an inference service come from, as rows that open on their inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.serving import token_activations
from app.domain.text import Text, join
from app.domain.workload_fields import MODES
from app.presentation import format as fmt
from app.presentation.parts import Pair
from app.report.working import source_text
from app.report.working_view import WorkingLine

if TYPE_CHECKING:
    from app.domain.lines import Lines
    from app.domain.serving import ServiceDemand
    from app.domain.text import Language
    from app.domain.workload import Inference

MODE: dict[str, Text] = {choice.code: choice.label for choice in MODES}
LIMIT: dict[str, Text] = {
    "ttft": Text("首 token 目标", "first-token target"),
    "tpot": Text("每 token 目标", "per-token target"),
    "user": Text("您自定的上限", "your own limit"),
}


def raised_by_first_token(service: ServiceDemand, floor: float) -> bool:
    """Whether the first token asks for more than the traffic of the modes."""
    return floor > service.rate * (1 + 1e-9)


def parts_text(service: ServiceDemand, language: Language) -> str:
    """Every mode with its rate, added up when there are several."""
    parts = [f"{MODE[x.mode].pick(language)} {fmt.rate(x.rate, language)}" for x in service.parts]
    return " + ".join(parts)


def floor_binds(lines: Lines, service: ServiceDemand) -> Text:
    """What sets the floor: traffic of the modes, or the first token."""
    if raised_by_first_token(service, lines.floor or 0.0):
        return Text(
            "首 token 目标：排队与 KV 传输须更快", "The first-token target: queue and cache transfer must be faster"
        )
    if len(service.parts) > 1:
        return Text("各方式的流量相加", "The traffic of the modes, added up")
    return Text("请求速率与每请求字节", "Request rate and bytes per request")


def other_limits(lines: Lines, service: ServiceDemand, language: Language) -> str:
    """The round-trip limits that do not bind, each with its reason; empty when there is none."""
    looser = service.rtt_limits(lines.target or 0.0)[1:]
    if not looser:
        return ""
    named = [
        Text(f"{LIMIT[why].zh} {fmt.duration(limit, 'zh')}", f"{LIMIT[why].en} {fmt.duration(limit, 'en')}")
        for limit, why in looser
    ]
    return Text("另有较宽的上限：{all}", "looser limits: {all}").format(all=join(named, "、", ", ")).pick(language)


def rtt_inputs(lines: Lines, service: ServiceDemand, limit: float) -> tuple[str, dict[str, Any]] | None:
    """Formula and inputs that give the target back at the limit; None for the buyer's own limit."""
    if lines.rtt_reason == "ttft":
        inputs = service.first_token_inputs(lines.target or 0.0, limit, tail=True)
        return None if inputs is None else ("time_to_first_token", inputs)
    if lines.rtt_reason == "tpot" and service.token_own is not None:
        return "split_token_time", {"own": service.token_own, "rtt": limit, "groups": service.groups}
    return None


def traffic_working(job: Inference, service: ServiceDemand, language: Language) -> WorkingLine:
    """The traffic of the modes: a sum of products of the form's own fields."""
    figure = fmt.figure
    pairs = [(Text("请求速率 q", "Requests q"), figure(job.requests_per_s, language, "1/s"))]
    prompt = (Text("提示 i", "Prompt i"), figure(job.prompt_tokens, language, "token"))
    output = (Text("输出 o", "Output o"), figure(job.output_tokens, language, "token"))
    reply = (Text("每 token 回传 b", "Reply per token b"), fmt.size(job.reply_bytes_per_token, language))
    each = (Text("每 token 激活 a", "Activations per token a"), fmt.size(token_activations(job), language))
    cache = (Text("每请求 KV", "KV per request"), fmt.size(service.kv_bytes, language))
    rows = {
        "remote": (f"o·b + i·{p.PROMPT_BYTES.value:g}", (output, reply, prompt)),
        "prefill_decode_split": ("KV", (cache,)),
        "pipeline_split": ("(i + o)·a", (prompt, output, each)),
    }
    terms = []
    for part in service.parts:
        term, more = rows[part.mode]
        terms.append(term)
        pairs += [pair for pair in more if pair not in pairs]
    pairs.append((Text("突发系数", "Burst factor"), figure(p.REPLY_BURST.value, language)))
    inputs = tuple(Pair(label=label.pick(language), value=value) for label, value in pairs)
    return WorkingLine(
        formula="",
        title=Text("推理流量", "Inference traffic").pick(language),
        symbolic=f"floor = 8 · q · ({' + '.join(terms)}) · {p.REPLY_BURST.value:g}",
        numbers="",
        inputs=inputs,
        exact_inputs=inputs,
        value=fmt.rate(service.rate, language),
        result=fmt.exact(service.rate, language, "bit/s"),
        exact_value=fmt.exact(service.rate, language, "bit/s"),
        validity=p.REPLY_BURST.meaning.pick(language),
        source=p.REPLY_BURST.source,
        origin=source_text(p.REPLY_BURST.source, language),
    )
