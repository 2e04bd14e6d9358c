"""The requirement in one title and one sentence, for its page and for the preview beside the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import Text
from app.presentation import format as fmt
from app.report import service_words
from app.report.requirement_lines import TRANSPORT
from app.report.working_view import closed

if TYPE_CHECKING:
    from app.domain.lines import Lines
    from app.domain.requirement import Requirement
    from app.domain.text import Language
    from app.domain.workload import Workload

GIGA = 1e9
_NEAR = 10  # a round-trip limit within ten times the reference is worth a place in the title


def title_of(requirement: Requirement, language: Language) -> str:
    """The conclusion in words: floor, target, and the limit that will sort the offers."""
    whole = requirement.as_json()
    floor, target = whole["bandwidth_floor_gbps"], whole["bandwidth_target_gbps"]
    if floor is None or target is None:
        return Text(
            "任何带宽的线路都达不到目标：请先换一种跨站方式或放宽目标",
            "No line of any rate meets the target: choose another placement or relax the target first",
        ).pick(language)
    low, high = fmt.rate(floor * GIGA, language), fmt.rate(target * GIGA, language)
    number, _, unit = high.rpartition(fmt.NO_BREAK)
    return (
        Text(
            "每方向至少 {low} 有效带宽，目标 {high}；{tight}",
            "At least {low} effective each way, {high} as target; {tight}",
        )
        .format(
            low=low,
            high=number if low.endswith(f"{fmt.NO_BREAK}{unit}") else high,
            tight=_tightest(requirement, language),
        )
        .pick(language)
    )


def _tightest(requirement: Requirement, language: Language) -> str:
    """The limit that will sort the offers: delay where it comes near what the distance gives, else loss."""
    near = [
        line for line in requirement.lines if line.rtt_limit is not None and line.rtt_limit < _NEAR * line.reference.rtt
    ]
    if near:
        line = min(near, key=lambda x: x.rtt_limit or 0.0)
        limit = fmt.duration(line.rtt_limit, language)
        words = (
            Text("往返时延须小于 {t}", "round-trip time below {t}")
            if line.rtt_strict
            else Text("往返时延不超过 {t}", "round-trip time up to {t}")
        )
        return words.format(t=limit).pick(language)
    loss = requirement.as_json()["packet_loss_limit"]
    return Text("丢包率不高于 {p}", "packet loss no higher than {p}").format(p=fmt.ratio(loss, language)).pick(language)


def lede_of(workload: Workload, requirement: Requirement, language: Language) -> str:
    """The figures that led there, in one sentence; both jobs of a mixed one."""
    name = f"{workload.name}{Text('：', ': ').pick(language)}" if workload.name else ""
    facts = "".join(_fact(workload, lines, language).pick(language) for lines in requirement.lines)
    main = requirement.main.reference
    where = Text(
        "参考往返时延 {rtt}，{transport}，净荷 {payload}。",
        "reference round-trip time {rtt}, {transport}, payload {payload}.",
    ).format(
        rtt=fmt.duration(main.rtt, language),
        transport=TRANSPORT[main.transport],
        payload=fmt.figure(main.payload, language, "byte"),
    )
    return closed(name + facts + where.pick(language))


def _fact(workload: Workload, lines: Lines, language: Language) -> Text:
    """What one scenario sends over the line, and within which time."""
    if lines.training is not None:
        demand = lines.training
        fact = Text(
            "每次同步每站每方向 {size} 跨站，须在 {budget} 内完成；",
            "{size} cross per exchange, site and direction, within {budget}; ",
        )
        if workload.training is not None and workload.training.crossing == "pipeline":
            fact = Text(
                "每步每站每方向 {size} 跨站，等待合计不超过 {budget}；",
                "{size} cross per step, site and direction, with waits of {budget} at most; ",
            )
        if demand.interval > 1:
            fact = Text(
                "每 {n} 步同步一次，每站每方向 {size} 跨站，须在 {budget} 内完成；",
                "every {n} steps {size} cross per site and direction, within {budget}; ",
            )
        return fact.format(
            size=fmt.size(demand.size, language), budget=fmt.duration(demand.budget, language), n=demand.interval
        )
    if lines.bulk is not None:
        fact = Text("{size} 须在 {budget} 内搬完；", "{size} must move within {budget}; ")
        window = fmt.duration(lines.bulk.window, language)
        return fact.format(size=fmt.size(lines.size, language), budget=window)
    service = lines.service
    if service is None:  # pragma: no cover - a scenario has one of the three
        raise ValueError(lines.scenario)
    return Text("每秒 {n} 个请求，{parts}；", "{n} requests a second, {parts}; ").format(
        n=fmt.figure(service.requests, language), parts=service_words.parts_text(service, language)
    )
