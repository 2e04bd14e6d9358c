"""The decision document as one object: decision first, proof after, raw data last. Built on the page's own view."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.assessment import Outcome
from app.domain.rules import Grade, Status
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.presentation.words import SCENARIO
from app.report.assumptions import (
    ParameterRow,
    assumption_notes,
    parameter_rows,
    policy_pairs,
    workload_pairs,
)
from app.report.comparison import ComparisonView, OfferHead, comparison_view
from app.report.facts import FactView, fact_view
from app.report.figures import Kind, lowered, readable, required, shape, short_title
from app.report.formulas_used import UsedFormula, formulas_used
from app.report.lints import Lint, lints
from app.report.matrix import MatrixCell, MatrixRow, MatrixStep, lines_of
from app.report.pair_view import pair_section
from app.report.requirement_view import RequirementView, need_working, requirement_view
from app.report.score_view import level, points_text, preset_text, weighted
from app.report.step_sections import StepSection, step_sections
from app.report.titles import gates, names_of, offer_id
from app.report.working import symbols
from app.report.working_view import WorkingLine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.assessment import Assessment, Judged
    from app.presentation.parts import Pair
    from app.report.requirement_lines import RedLine

WIDE_FROM, COLUMNS = 4, 6
DRAFT, READY = Text("草案", "Draft"), Text("送审稿", "For review")
ALL_GATES = Text("四步门槛全部通过，共 {n} 项。", "All {n} gates of the four steps pass.")
EFFECTIVE = Text("有效带宽 {x}，余量 {margin}。", "Effective rate {x}, margin {margin}.")
USE = Text("{label} {value}（{band}）。", "{label} {value} ({band}).")
CHEAPEST = Text("有效月成本 {x}，没有其他报价可比。", "Effective monthly cost {x}; no other offer could be compared.")
NEXT = Text(
    "有效月成本 {x}，在参与比较的报价中最低；第二名{name} {y}。",
    "Effective monthly cost {x}, the lowest of those compared; second is {name} with {y}.",
)
MOST_POINTS = Text(
    "得分 {x} / 100，按下限在参与排名的报价中最高；第二名{name} {y}。",
    "Points {x} / 100, the most at the low end of those ranked; second is {name} with {y}.",
)
LEVEL = Text(
    "得分 {x} / 100，下限与第二名{name}相同；有效月成本 {a}，第二名 {b}。",
    "Points {x} / 100, at the low end level with {name}; effective monthly cost {a}, the second's {b}.",
)
ONLY_POINTS = Text("得分 {x} / 100，没有其他报价参与排名。", "Points {x} / 100; no other offer could be ranked.")
COSTS = Text("有效月成本 {x}。", "Effective monthly cost {x}.")
LOWEST = Text("{n} 份可比较，{name}最低，每月 {x}", "{n} compared, {name} lowest at {x} a month")
INTO_CONTRACT = Text("下列承诺写入合同：{what}。", "Put these promises into the contract: {what}.")
VERIFY = Text(
    "验收时核实己方窗口已调优；未调优时有效带宽只有 {x}。",
    "Verify at acceptance that your windows are tuned; untuned, only {x} are left.",
)
SETTLE = Text("签约前答复澄清事项 {n}。", "Have these questions answered before signing: {n}.")
NOT_WITHOUT = Text("报价须为可签约报价且在有效期内。", "The quote must be firm and valid at signing.")
TO_PASS = Text("通过须：{what}", "To pass: {what}")
ANSWER = Text("答复澄清事项 {n} 后重新评审", "answer {n}, then assess again")
SATISFY = Text("满足「{check}」", "meet “{check}”")
MEET = Text("{check}达到 {need}", "{check} {need}")
MORE_POINTS = Text("得分下限高于 {x}", "more than {x} points at the low end")
CHEAPER = Text("有效月成本低于 {x}", "effective monthly cost below {x}")
_PROMISED = ("bandwidth.end_to_end", "latency.rtt", "loss.packet_loss", "sla.availability", "topology.oversubscription")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """An offer that is not recommended: verdict, reasons, and what would change them."""

    head: OfferHead
    reasons: tuple[str, ...]
    change: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRow:
    """One fact in the index."""

    id: str
    fact: FactView


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceList:
    """The facts of one offer."""

    head: OfferHead
    rows: tuple[EvidenceRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixPart:
    """The gate matrix for as many offers as fit on a page."""

    offers: tuple[OfferHead, ...]
    steps: tuple[MatrixStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """Everything the document prints, formatted."""

    name: str
    status: str
    draft: bool
    generated: str
    scenario: str
    preset: str
    view: ComparisonView
    wide: bool
    reasons: tuple[str, ...]
    conditions: tuple[str, ...]
    lints: tuple[Lint, ...]
    requirement: RequirementView
    workload: tuple[Pair, ...]
    policy: tuple[Pair, ...]
    working: tuple[WorkingLine, ...]
    matrices: tuple[MatrixPart, ...]
    sections: tuple[StepSection, ...]
    cost_title: str
    points: tuple[str, ...]
    rejected: tuple[Rejected, ...]
    notes: tuple[str, ...]
    parameters: tuple[ParameterRow, ...]
    evidence: tuple[EvidenceList, ...]
    formulas: tuple[UsedFormula, ...]


def report_view(assessment: Assessment, language: Language, name: str, generated: datetime) -> ReportView:
    """Format an assessment as the decision document."""
    twos = pair_section(assessment, names_of(assessment.offers), language)
    view = replace(comparison_view(assessment, language), twos=twos)
    evidence, ids = _evidence(assessment, view, language)
    view = replace(view, steps=_with_evidence(assessment, view.steps, ids))
    found = lints(assessment, language)
    draft = any(lint.must for lint in found)
    names = names_of(assessment.offers)
    return ReportView(
        name=name, status=(DRAFT if draft else READY).pick(language), draft=draft,
        generated=fmt.moment(generated, language), scenario=SCENARIO[assessment.workload.scenario].pick(language),
        preset=preset_text(assessment.policy, language), view=view, wide=len(assessment.offers) >= WIDE_FROM,
        reasons=_reasons(assessment, view, language), conditions=_conditions(assessment, view, language), lints=found,
        requirement=_requirement(assessment, language),
        workload=workload_pairs(assessment, language), policy=policy_pairs(assessment, language),
        working=need_working(assessment.workload, assessment.policy, assessment.requirement, language),
        matrices=_parts(view), sections=step_sections(assessment, view, language),
        cost_title=_cost_title(assessment, view, language),
        points=tuple(points_text(o, language) for o in assessment.offers),
        rejected=_rejected(assessment, view, language), notes=assumption_notes(assessment, names, language),
        parameters=parameter_rows(assessment, language), evidence=evidence,
        formulas=formulas_used(assessment, language),
    )  # fmt: skip


def _requirement(assessment: Assessment, language: Language) -> RequirementView:
    """The requirement page's own view, so that its figures are those of the page."""
    view = requirement_view(assessment.workload, assessment.policy, assessment.requirement, language, "", "")
    rows = tuple(replace(d, article=replace(d.article, formula=readable(d.article.formula))) for d in view.differences)
    bands = tuple(replace(b, lines=tuple(_spoken(ln, language) for ln in b.lines)) for b in view.bands)
    return replace(view, differences=rows, bands=bands)


def _spoken(line: RedLine, language: Language) -> RedLine:
    """A red line whose formula speaks the reader's language."""
    working = line.working
    if working is None:
        return line
    return replace(line, working=replace(working, symbolic=symbols(working.symbolic, language)))


def _evidence(
    assessment: Assessment, view: ComparisonView, language: Language
) -> tuple[tuple[EvidenceList, ...], dict[int, str]]:
    """Every fact with a number, and the number of each fact object."""
    ids: dict[int, str] = {}
    lists = []
    for place, (offer, head) in enumerate(zip(assessment.offers, view.offers, strict=True), start=1):
        rows = []
        for n, fact in enumerate((f for f in offer.offer.facts if f.visible), start=1):
            ids[id(fact)] = f"E{place}.{n}"
            rows.append(EvidenceRow(id=ids[id(fact)], fact=fact_view(fact, language)))
        lists.append(EvidenceList(head=head, rows=tuple(rows)))
    return tuple(lists), ids


def _with_evidence(
    assessment: Assessment, steps: tuple[MatrixStep, ...], ids: dict[int, str]
) -> tuple[MatrixStep, ...]:
    def cell(item: MatrixCell, offer: Judged) -> MatrixCell:
        checks = (c for c in offer.checks if (c.rule.id, c.scenario) == (item.check, item.scenario))
        facts = [f for c in checks for f in c.finding.facts]
        return replace(item, evidence=tuple(dict.fromkeys(ids[id(f)] for f in facts if id(f) in ids)))

    def row(item: MatrixRow) -> MatrixRow:
        return replace(item, cells=tuple(cell(c, o) for c, o in zip(item.cells, assessment.offers, strict=True)))

    return tuple(replace(step, rows=tuple(row(r) for r in step.rows)) for step in steps)


def _parts(view: ComparisonView) -> tuple[MatrixPart, ...]:
    """The matrix cut into parts of at most six offers."""
    parts = []
    for start in range(0, len(view.offers), COLUMNS):
        cut = slice(start, start + COLUMNS)
        steps = tuple(
            replace(
                s, statuses=s.statuses[cut], points=s.points[cut],
                rows=tuple(replace(r, cells=r.cells[cut]) for r in s.rows),
            )
            for s in view.steps
        )  # fmt: skip
        parts.append(MatrixPart(offers=view.offers[cut], steps=steps))
    return tuple(parts)


def _joined(items: Sequence[str], language: Language) -> str:
    return ("、" if language is Language.ZH else ", ").join(items)


def _reasons(assessment: Assessment, view: ComparisonView, language: Language) -> tuple[str, ...]:
    """Why the recommended offer is; for want of one, why none is."""
    best = assessment.recommended
    if best is None:
        colon = "：" if language is Language.ZH else ": "
        return tuple(f"{c.head.label}{colon}{c.why}" for c in view.cards[:COLUMNS])
    card = next(c for c in view.cards if c.head.outcome == Outcome.RECOMMENDED.value)
    passed = sum(c.grade is Grade.GATE and c.status in (Status.PASS, Status.WAIVED) for c in best.checks)
    out = [ALL_GATES.format(n=passed)]
    effective = next((c.finding for c in best.checks if c.rule.id == "bandwidth.effective"), None)
    if effective is not None and isinstance(effective.offered, float) and effective.margin is not None:
        got, margin = fmt.figure(effective.offered, language, "Gbit/s"), fmt.margin(effective.margin, language)
        out.append(EFFECTIVE.format(x=got, margin=margin))
    text = USE if card.gauge.band else Text("{label} {value}。", "{label} {value}.")
    out.append(text.format(label=card.gauge.label, value=card.gauge.value, band=card.gauge.band))
    ranked = view.cost.compared
    if weighted(assessment.policy):
        out += _points(assessment, view, language)
    elif len(ranked) > 1:
        out.append(NEXT.format(x=ranked[0].effective, name=ranked[1].vendor, y=ranked[1].effective))
    elif ranked:
        out.append(CHEAPEST.format(x=ranked[0].effective))
    return tuple(t.pick(language) for t in out)


def _points(assessment: Assessment, view: ComparisonView, language: Language) -> list[Text]:
    """The points of the recommended offer beside those of the second."""
    first, *others = sorted((o for o in assessment.offers if o.rank is not None), key=lambda o: o.rank or 0)
    mine = points_text(first, language)
    row, *rest = view.cost.compared
    costs = COSTS.format(x=row.effective)
    if not others:
        return [ONLY_POINTS.format(x=mine), costs]
    name = rest[0].vendor
    if level(first, others[0]):
        return [LEVEL.format(x=mine, name=name, a=row.effective, b=rest[0].effective)]
    return [MOST_POINTS.format(x=mine, name=name, y=points_text(others[0], language)), costs]


def _conditions(assessment: Assessment, view: ComparisonView, language: Language) -> tuple[str, ...]:
    """What must be settled or written into the contract before anybody signs."""
    best = assessment.recommended
    if best is None:
        return ()
    head = next(h for h in view.offers if h.outcome == Outcome.RECOMMENDED.value)
    cells = {c.check: c for s in view.steps for r in s.rows for c in r.cells if c.offer == head.id}
    titles = {c.rule.id: lowered(c.rule.title.pick(language), language) for c in best.checks}
    unit = {"bandwidth.end_to_end": "\u00a0Gbit/s"}
    promised = [
        f"{titles[k]} {cells[k].cell.value}{unit.get(k, '')}"
        for k in _PROMISED
        if k in cells and cells[k].cell.status == Status.PASS.value
    ]
    out = [INTO_CONTRACT.format(what=_joined(promised, language))] if promised else []
    low, need = best.prediction.low, assessment.requirement.main.need
    if low is not None and need is not None and low.effective < need:
        out.append(VERIFY.format(x=fmt.rate(low.effective, language)))
    numbers = [q.number for lst in view.questions if lst.id in (head.id, "buyer") for q in lst.questions]
    if numbers:
        out.append(SETTLE.format(n=_joined(numbers, language)))
    out.append(NOT_WITHOUT)
    return tuple(t.pick(language) for t in out)


def _cost_title(assessment: Assessment, view: ComparisonView, language: Language) -> str:
    """Who costs least: the first by rank, unless points rank."""
    compared = [o for o in assessment.offers if o.rank is not None and o.cost.effective is not None]
    if not compared:
        return ""
    least = min(compared, key=lambda o: (o.cost.effective or 0, o.rank or 0))
    row = next(r for r in view.cost.compared if r.id == offer_id(least.offer))
    return LOWEST.format(name=row.vendor, x=row.effective, n=len(compared)).pick(language)


def _rejected(assessment: Assessment, view: ComparisonView, language: Language) -> tuple[Rejected, ...]:
    best = assessment.recommended
    beat = ""
    if best is not None and best.score is not None:
        beat = MORE_POINTS.format(x=fmt.figure(best.score.low, language)).pick(language)
    elif best is not None:
        beat = CHEAPER.format(x=fmt.money(best.cost.effective, language, best.cost.currency)).pick(language)
    rows = []
    for offer, head in zip(assessment.offers, view.offers, strict=True):
        if offer.outcome is Outcome.RECOMMENDED:
            continue
        card = next(c for c in view.cards if c.head is head)
        reasons = tuple(readable(r.pick(language)) for r in offer.reasons) or (_rank_text(card.rank, card.why),)
        rows.append(Rejected(head=head, reasons=reasons, change=_change(assessment, offer, head, view, beat, language)))
    return tuple(rows)


def _rank_text(rank: str, why: str) -> str:
    return " ".join(part for part in (why, rank) if part)


def _change(
    assessment: Assessment, offer: Judged, head: OfferHead, view: ComparisonView, beat: str, language: Language
) -> str:
    """What would change the verdict: the limits to meet, the questions to answer, or a better rank."""
    wants = []
    for check in gates(offer, Status.FAIL):
        strict = check.rule.id == "latency.rtt" and lines_of(assessment, check.scenario).rtt_strict
        need = required(check, language, strict=strict)
        text = SATISFY if shape(check.rule.id).kind is Kind.FLAG else MEET
        wants.append(text.format(check=short_title(check, language), need=need).pick(language).strip())
    asked = [q.number for lst in view.questions if lst.id == head.id for q in lst.questions if q.gate]
    if asked:
        wants.append(ANSWER.format(n=_joined(asked, language)).pick(language))
    if not wants and beat and not (offer.outcome is Outcome.REJECTED and weighted(assessment.policy)):
        wants.append(beat)
    if not wants:
        return ""
    return TO_PASS.format(what=("；" if language is Language.ZH else "; ").join(wants)).pick(language)
