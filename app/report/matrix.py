"""The gate matrix: four steps, a row per check, a cell per offer; and the panel behind each cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.facts import State
from app.domain.metrics import SCOPES
from app.domain.rules import Grade, Status, Step, Verdict
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.presentation.parts import Cell
from app.presentation.words import GRADE, SCENARIO, STATUS, STEP
from app.report.fact_words import absent, qualifiers
from app.report.figures import PAGE_DIGITS, PANEL_DIGITS, Kind, readable, required, shape, written
from app.report.titles import offer_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.assessment import Assessment, Judged
    from app.domain.lines import Lines

# Address of the panel of (offer id, check id, scenario).
Link = Callable[[str, str, str], str]
AT_MOST = Text("至多 {x}", "at most {x}")
BY_TYPE = Text("按产品类型成立", "by type of product")
DOES_NOT_OFFER = Text("不提供", "not offered")
MARGIN = Text("余量 {x}", "margin {x}")
ASKED = Text("要求 {x}", "asked {x}")
QUESTION = Text("见澄清 {x}", "see question {x}")
SIGNS = {Grade.GATE: "★", Grade.KEY: "▲", Grade.ORDINARY: "○", Grade.OFF: "–"}
_BOUNDED_ABOVE = frozenset({"bandwidth.effective", "bandwidth.end_to_end"})
_WITHOUT_MARGIN = frozenset({"sla.availability", "latency.physics"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """One check of one offer: the cell as drawn, its reason in full, its grade, the questions it raises."""

    offer: str
    check: str
    scenario: str
    cell: Cell
    grade: str
    reason: str
    questions: tuple[str, ...]
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """One check across the offers; `required` is empty where each offer has a line of its own."""

    check: str
    scenario: str
    title: str
    required: str
    sign: str
    grade: str
    why: str
    cells: tuple[MatrixCell, ...]
    applies: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixStep:
    """One of the four steps: title, what each offer came to, its rows."""

    step: int
    title: str
    statuses: tuple[str, ...]
    points: tuple[str, ...]
    rows: tuple[MatrixRow, ...]


def no_link(_offer: str, _check: str, _scenario: str) -> str:
    """On paper nothing opens."""
    return ""


def matrix(
    assessment: Assessment,
    language: Language,
    link: Link = no_link,
    questions: Mapping[tuple[str, str], str] | None = None,
) -> tuple[MatrixStep, ...]:
    """The four steps. `questions` maps (offer id, question) to its number."""
    numbers = questions or {}
    return tuple(
        MatrixStep(
            step=int(step),
            title=STEP[int(step)].pick(language),
            statuses=tuple(o.steps[step - 1].status.value for o in assessment.offers),
            points=tuple(_points(o, step, language) for o in assessment.offers),
            rows=tuple(_row(assessment, i, language, link, numbers) for i in _places(assessment, step)),
        )
        for step in Step
    )


def _places(assessment: Assessment, step: Step) -> list[int]:
    """Places of the checks of a step: every offer has the same checks in the same order."""
    first = assessment.offers[0].checks
    return [i for i, c in enumerate(first) if c.rule.step is step]


def _points(offer: Judged, step: Step, language: Language) -> str:
    result = offer.steps[step - 1]
    if result.points is None:
        return ""
    return (
        Text("{n} / {total} 分", "{n} of {total} points")
        .format(n=result.points, total=result.points_max)
        .pick(language)
    )


def _row(
    assessment: Assessment, place: int, language: Language, link: Link, numbers: Mapping[tuple[str, str], str]
) -> MatrixRow:
    checks = [o.checks[place] for o in assessment.offers]
    rule, scenario = checks[0].rule, checks[0].scenario
    lines = lines_of(assessment, scenario)
    asked = dict.fromkeys(t for t in (required(c, language, strict=_strict(c, lines)) for c in checks) if t)
    common = next(iter(asked)) if len(asked) == 1 else ""
    grade = min((c.grade for c in checks), key=list(Grade).index)
    title = rule.title.pick(language)
    if len(assessment.requirement.lines) > 1:
        title = f"{title} · {SCENARIO[scenario].pick(language)}"
    return MatrixRow(
        check=rule.id, scenario=scenario, title=title, required=common, sign=SIGNS[grade],
        grade=GRADE[grade.value].pick(language), why=rule.why.pick(language),
        cells=tuple(
            _cell(o, c, lines, language, link, numbers, own=not common)
            for o, c in zip(assessment.offers, checks, strict=True)
        ),
        applies=any(c.status is not Status.NOT_APPLICABLE for c in checks),
    )  # fmt: skip


def lines_of(assessment: Assessment, scenario: str) -> Lines:
    """The lines of a scenario."""
    return next(ln for ln in assessment.requirement.lines if ln.scenario == scenario)


def _strict(check: Verdict, lines: Lines) -> bool:
    return check.rule.id == "latency.rtt" and lines.rtt_strict


def _cell(
    offer: Judged, check: Verdict, lines: Lines, language: Language, link: Link,
    numbers: Mapping[tuple[str, str], str], *, own: bool,
) -> MatrixCell:  # fmt: skip
    key, rule = offer_id(offer.offer), check.rule
    asked = tuple(dict.fromkeys(numbers[(key, q.zh)] for q in check.finding.questions if (key, q.zh) in numbers))
    small = [ASKED.format(x=t).pick(language)] if own and (t := required(check, language)) else []
    small += _small(check, language)
    if check.status is Status.UNKNOWN and asked:
        small.append(QUESTION.format(x=asked[0]).pick(language))
    scenario = "" if lines.training is not None else check.scenario
    return MatrixCell(
        offer=key, check=rule.id, scenario=check.scenario, grade=check.grade.value,
        cell=Cell(
            status=check.status.value, value=shown_value(check, language, unit=False), small=" · ".join(small),
            href=link(key, rule.id, check.scenario), id=f"c-{key}-{rule.id}{f'-{scenario}' if scenario else ''}",
        ),
        reason=readable(check.finding.reason.pick(language)), questions=asked,
    )  # fmt: skip


def shown_value(check: Verdict, language: Language, digits: int = PAGE_DIGITS, *, unit: bool = True) -> str:
    """What the offer says on a check: a figure, a range, a bound, or the words for silence; never 0 for silence."""
    found, form = check.finding, shape(check.rule.id)
    if check.status is Status.NOT_APPLICABLE:
        return STATUS["not_applicable"].word.pick(language)
    if found.offered is None or found.offered is False:
        return _without_figure(check, language)
    if form.kind is Kind.AVAILABILITY:
        return _stated_availability(check, language)
    if len(found.readings) > 1 and check.status is Status.UNKNOWN:
        low, high = min(found.readings), max(found.readings)
        return _range(form.kind, low, high, language, unit=unit)
    if isinstance(found.offered, str):
        return next((c.label.pick(language) for c in SCOPES if c.code == found.offered), found.offered)
    text = written(form.kind, found.offered, language, digits, unit=unit)
    open_above = check.status is Status.UNKNOWN and check.rule.id in _BOUNDED_ABOVE
    return AT_MOST.format(x=text).pick(language) if open_above else text


def _range(kind: Kind, low: float, high: float, language: Language, *, unit: bool) -> str:
    if kind is Kind.RATE:
        return fmt.figure_range(low, high, language, "Gbit/s" if unit else "")
    if kind is Kind.SHARE:
        return fmt.percent_range(low, high, language)
    ends = [written(kind, value, language) for value in (low, high)]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} – {ends[1]}"


def _without_figure(check: Verdict, language: Language) -> str:
    """No figure: a no, a pass by construction, or the words for the state of the fact."""
    state = next((f.state for f in check.finding.facts), State.MISSING)
    if check.status is Status.PASS:
        return BY_TYPE.pick(language)
    if check.status is Status.FAIL and state is State.NONE:
        return fmt.unknown(state.value, language)
    if check.finding.offered is False:
        platform = check.rule.step is Step.PLATFORM
        return DOES_NOT_OFFER.pick(language) if platform else written(Kind.FLAG, value=False, language=language)
    return fmt.unknown("missing" if state is State.STATED else state.value, language)


def _stated_availability(check: Verdict, language: Language) -> str:
    """The percentage as stated; what it means for the worst month stands in the reason."""
    stated = [f.value for f in check.finding.facts if not isinstance(f.value, bool | str | None)]
    if stated:
        return fmt.availability(stated[0], language)
    return written(Kind.AVAILABILITY, check.finding.offered, language)


def _small(check: Verdict, language: Language) -> list[str]:
    """Margin, then the words that define the figure."""
    out = []
    margin = check.finding.margin
    judged = check.status in (Status.PASS, Status.FAIL)
    if margin is not None and judged and check.rule.id not in _WITHOUT_MARGIN:
        text = fmt.margin(margin, language)
        out.append(MARGIN.format(x=text).pick(language) if margin >= 0 else text)
    facts = check.finding.facts
    if shape(check.rule.id).kind is not Kind.FLAG and facts and check.rule.id not in _BOUNDED_ABOVE:
        fact = replace(facts[0], condition=None)
        out += qualifiers(fact, language)[:3]
        out += absent(fact, language) if check.status is not Status.UNKNOWN else ()
    return out


def precise(check: Verdict, language: Language) -> str:
    """The value with its unit and six digits, for panels and the appendix."""
    return shown_value(check, language, PANEL_DIGITS)


def offers_of(assessment: Assessment, key: str) -> Judged | None:
    """The offer of this id, or None."""
    return next((o for o in assessment.offers if offer_id(o.offer) == key), None)


def check_of(offer: Judged, check: str, scenario: str) -> Verdict | None:
    """The check of this id; without a scenario the main one."""
    found: Sequence[Verdict] = [c for c in offer.checks if c.rule.id == check]
    return next((c for c in found if c.scenario == scenario), found[0] if found and not scenario else None)
