"""Everything behind one cell: value, definition, words and place, formula with numbers, source, who confirmed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.formulas.registry import BY_ID
from app.domain.prediction_working import ENDS
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.presentation.parts import Pair, Panel
from app.presentation.words import GRADE
from app.report.charts import GIGA, STAGES
from app.report.doubts_view import doubts_on
from app.report.fabric_view import on_this_line
from app.report.facts import FactView, fact_view
from app.report.faults_view import FaultRow, elastic_lines, fault_list
from app.report.figures import PANEL_DIGITS, readable, required
from app.report.matrix import lines_of, precise
from app.report.outages_view import credit_lines, outage_lines
from app.report.prediction_view import prediction_lines
from app.report.requirement_lines import red_lines
from app.report.working import of_formula, source_text, symbols
from app.report.working_view import working_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.assessment import Assessment, Judged
    from app.domain.rules import Verdict

FILE, PLACE, DEFINITION, CONFIRMED, GRADE_LABEL, ASKED, MARGIN = (
    Text("文件", "File"), Text("位置", "Place"), Text("口径", "Definition"), Text("确认", "Confirmed by"),
    Text("等级", "Grade"), Text("要求", "Asked"), Text("余量", "Margin"),
)  # fmt: skip
NOT_SAID = Text("未写明", "not stated")
SILENT = Text("资料中没有这一项的原文。", "The material says nothing on this.")
ASK = Text("须澄清：{q}", "To ask: {q}")
_METRIC = {"latency.rtt": "rtt", "latency.jitter": "jitter", "loss.packet_loss": "packet_loss"}


# What a panel tells beside its finding: check → sentences.
BEHIND: dict[str, Callable[[Assessment, Judged, Language], tuple[str, ...]]] = {
    "platform.elastic_bandwidth": elastic_lines,
    "sla.availability": outage_lines,
    "sla.compensation": credit_lines,
    "topology.oversubscription": on_this_line,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CellPanel:
    """A panel, the further facts that went into the verdict, and what soft faults would make of the rate."""

    panel: Panel
    more: tuple[FactView, ...]
    faults: tuple[FaultRow, ...] = ()


def cell_panel(assessment: Assessment, offer: Judged, check: Verdict, language: Language, close: str) -> CellPanel:
    """The panel of one check of one offer."""
    facts = [fact_view(f, language) for f in check.finding.facts]
    single = bool(facts) and check.rule.id != "bandwidth.effective"
    first, more = (facts[0], tuple(facts[1:])) if single else (None, tuple(facts))
    lines = lines_of(assessment, check.scenario)
    pairs = [_pair(GRADE_LABEL, GRADE[check.grade.value].pick(language), language)]
    asked = required(check, language, PANEL_DIGITS, strict=check.rule.id == "latency.rtt" and lines.rtt_strict)
    if asked:
        pairs.append(_pair(ASKED, asked, language))
    if check.finding.margin is not None:
        pairs.append(_pair(MARGIN, fmt.margin(check.finding.margin, language), language))
    if first is not None:
        pairs += fact_pairs(first, language)
    notes = [check.rule.why.pick(language)]
    more_of = BEHIND.get(check.rule.id)
    if more_of is not None:
        notes += [n for n in more_of(assessment, offer, language) if n != check.finding.reason.pick(language)]
    notes += doubts_on(offer, check, language)
    notes += [ASK.format(q=q.pick(language)).pick(language) for q in check.finding.questions]
    if not facts:
        notes.insert(0, SILENT.pick(language))
    panel = Panel(
        title=f"{offer.name} · {check.rule.title.pick(language)}", value=precise(check, language), close=close,
        status=check.status.value, reason=readable(check.finding.reason.pick(language)),
        quote=first.quote if first is not None else "", pairs=tuple(pairs),
        formula=symbols(check.rule.formula, language), working=working_lines(assessment, offer, check, language),
        sources=tuple((t, "") for t in sources_of(check, language)), notes=tuple(notes),
    )  # fmt: skip
    faults = fault_list(assessment, offer, "", language).rows if check.rule.id == "bandwidth.effective" else ()
    return CellPanel(panel=panel, more=more, faults=faults)


def _pair(label: Text, value: str, language: Language) -> Pair:
    return Pair(label=label.pick(language), value=value)


def fact_pairs(fact: FactView, language: Language) -> list[Pair]:
    """Value as stated, definition, file, place, and who confirmed it."""
    rows = [Pair(label=fact.title, value=fact.value)]
    rows.append(_pair(DEFINITION, fact.definition or NOT_SAID.pick(language), language))
    if fact.file:
        rows.append(_pair(FILE, fact.file, language))
    rows += [_pair(PLACE, fact.place, language), _pair(CONFIRMED, fact.confirmed, language)]
    return rows


def sources_of(check: Verdict, language: Language) -> tuple[str, ...]:
    """Source of the rule, and of the formula behind it where that is another one."""
    found = [check.rule.source]
    if check.rule.formula in BY_ID:
        found.append(BY_ID[check.rule.formula].source)
    return tuple(dict.fromkeys(source_text(s, language) for s in found))


def working_lines(
    assessment: Assessment, offer: Judged, check: Verdict, language: Language, ends: Sequence[str] = ENDS
) -> tuple[str, ...]:
    """The formula with the numbers put in, as far as the assessment holds them; `ends` of the band to work out."""
    if check.rule.id == "bandwidth.effective":
        return (
            *_waterfall(offer, check.scenario, language),
            *prediction_lines(assessment, offer, check.scenario, language, ends),
        )
    if check.rule.id == "bandwidth.end_to_end":
        return _segments(check, language)
    lines = lines_of(assessment, check.scenario)
    wanted = "fibre_rtt_floor" if check.rule.id == "latency.physics" else check.rule.formula
    line = of_formula(wanted, assessment.requirement.working, lines)
    if line is not None:
        return (working_line(line, language).line,)
    metric = _METRIC.get(check.rule.id)
    rows = red_lines(assessment.workload, assessment.policy, lines, language)
    row = next((r for r in rows if r.metric == metric and r.working is not None), None)
    if row is None or row.working is None:
        return ()
    return (row.working.line,)


def _waterfall(offer: Judged, scenario: str, language: Language) -> tuple[str, ...]:
    prediction = next((p for p in offer.predictions if p.scenario == scenario), offer.prediction)
    stages = [
        f"{STAGES[s.stage].pick(language)} {fmt.figure(s.rate / GIGA, language, digits=PANEL_DIGITS)}"
        for s in prediction.stages
    ]
    return (" → ".join(stages) + "\u00a0Gbit/s",) if stages else ()


def _segments(check: Verdict, language: Language) -> tuple[str, ...]:
    named = [replace(f, confirmed_by=None) for f in check.finding.facts if f.metric == "segment_bandwidth"]
    if not named:
        return ()
    values = ", ".join(fact_view(f, language).value for f in named)
    got = check.finding.offered
    return (f"min({values}) = {fmt.figure(got, language, 'Gbit/s')}",) if isinstance(got, float) else ()
