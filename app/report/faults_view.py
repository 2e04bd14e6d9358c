"""What soft faults would do to each offer, and what the burst of an elastic line is good for: page and document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.elastic import elastic
from app.domain.elastic_cost import against_fixed
from app.domain.prediction import Reading
from app.domain.soft_faults import soft_faults
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.report.cost_view import money_text
from app.report.titles import names_of
from app.report.working import source_text

if TYPE_CHECKING:
    from app.domain.assessment import Assessment, Judged
    from app.domain.elastic import Phase
    from app.domain.soft_faults import Outlook

NOTHING = Text("带宽不足以支撑任务", "too little is left for the job")
AT_BEST = Text("（按最有利读法）", " (at the most favourable reading)")
SWITCH_PAYS = Text(
    "{phase}（{size}）：基线 {base}，切换后 {burst}。{verdict}",
    "{phase} ({size}): {base} at the base rate, {burst} with the switch. {verdict}",
)
PAYS, PAYS_NOT = Text("值得切换。", "Switching pays."), Text("不值得切换。", "Switching does not pay.")
BREAK_EVEN = Text("数据量大于 {size} 才值得切换。", "A switch pays from {size} upwards.")
DEARER = Text(
    "同等速率的固定线路中最便宜的是{name}，每月贵 {money}。",
    "The cheapest fixed line of that rate is {name}; it costs {money} more a month.",
)
CHEAPER = Text(
    "同等速率的固定线路中最便宜的是{name}，每月便宜 {money}：弹性并不省钱。",
    "The cheapest fixed line of that rate is {name}; it costs {money} less a month, so elastic saves nothing.",
)
ASK_FIXED = Text("须澄清：{q}", "To ask: {q}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRow:
    """One scenario on one offer, formatted: the normal figure, the usual one under it, and its range.

    `words` are what is assumed and what is advised.
    """

    title: str
    words: str
    source: str
    normal: str
    usual: str
    band: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultList:
    """Scenarios of one offer, and what is said of its burst."""

    label: str
    rows: tuple[FaultRow, ...]
    elastic: tuple[str, ...]


def fault_lists(assessment: Assessment, language: Language) -> tuple[FaultList, ...]:
    """Every offer that a scenario applies to or that sells a burst; computed when somebody looks."""
    names = names_of(assessment.offers)
    made = (fault_list(assessment, o, n, language) for o, n in zip(assessment.offers, names, strict=True))
    return tuple(m for m in made if m.rows or m.elastic)


def fault_list(assessment: Assessment, offer: Judged, label: str, language: Language) -> FaultList:
    """The scenarios of one offer, in the main scenario of the job."""
    reading = Reading(offer.offer, assessment.workload, assessment.requirement.main)
    return FaultList(
        label=label,
        rows=tuple(_row(outlook, language) for outlook in soft_faults(reading)),
        elastic=elastic_lines(assessment, offer, language),
    )


def _row(outlook: Outlook, language: Language) -> FaultRow:
    def shown(value: float | None) -> str:
        if value is None:
            return NOTHING.pick(language)
        return fmt.percent(value, language) if outlook.unit == "1" else fmt.duration(value, language)

    scenario = outlook.scenario
    assumption = outlook.assumption.pick(language) + (AT_BEST.pick(language) if outlook.best_case else "")
    words = ("" if language is Language.ZH else " ").join((assumption, scenario.advice.pick(language)))
    ends = (shown(outlook.severe), shown(outlook.mild))
    return FaultRow(
        title=scenario.title.pick(language), words=words,
        source=source_text(scenario.source, language), normal=shown(outlook.normal), usual=shown(outlook.usual),
        band=ends[0] if ends[0] == ends[1] else " – ".join(ends),
    )  # fmt: skip


def elastic_lines(assessment: Assessment, offer: Judged, language: Language) -> tuple[str, ...]:
    """What the burst of an offer is good for, phase by phase, and what it costs against a fixed line."""
    found = elastic(offer.offer, assessment.workload, assessment.requirement.main)
    if found is None:
        return ()
    told = [found.message]
    if found.break_even is not None:
        told.append(BREAK_EVEN.format(size=fmt.size(found.break_even, language)))
    told += [_phase(phase, language) for phase in found.phases]
    cost = against_fixed(offer, assessment.offers)
    if cost is not None and cost.question is not None:
        told.append(ASK_FIXED.format(q=cost.question))
    elif cost is not None and cost.fixed is not None and cost.dearer is not None:
        text = DEARER if cost.dearer >= 0 else CHEAPER
        told.append(
            text.format(name=cost.fixed.name, money=money_text(abs(cost.dearer), offer.cost.currency, language))
        )
    return tuple(t.pick(language) for t in told)


def _phase(phase: Phase, language: Language) -> Text:
    return SWITCH_PAYS.format(
        phase=phase.title, size=fmt.size(phase.size, language), base=fmt.duration(phase.at_base, language),
        burst=fmt.duration(phase.with_burst, language), verdict=PAYS if phase.pays else PAYS_NOT,
    )  # fmt: skip
