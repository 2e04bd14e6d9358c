"""The four steps in the document: every check with what is asked and why, the formula, and the offers' answers.

Offers that answer alike stand in one row, so that the document stays short and the differences show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.rules import Status, Step
from app.domain.text import Language, Text
from app.presentation.words import STEP
from app.report.panel_view import sources_of, working_lines
from app.report.titles import names_of
from app.report.working import symbols

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.assessment import Assessment
    from app.report.comparison import ComparisonView, OfferHead
    from app.report.matrix import MatrixRow, MatrixStep

PASSED, FAILED = Text("{names}通过", "{names} pass"), Text("{names}不通过", "{names} fail")
STILL_OPEN = Text("{names}待澄清", "{names} to clarify")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one or several offers answer alike: names, status, value, reason, numbers of the evidence."""

    names: tuple[str, ...]
    status: str
    value: str
    small: str
    reason: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One check in its step's section."""

    row: MatrixRow
    formula: str
    working: tuple[str, ...]
    sources: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSection:
    """One of the four steps as a section; the heading says how the offers came out."""

    title: str
    conclusion: str
    details: tuple[Detail, ...]
    points: tuple[str, ...]


def joined(items: Sequence[str], language: Language) -> str:
    """A list inside a sentence."""
    return ("、" if language is Language.ZH else ", ").join(items)


def step_sections(assessment: Assessment, view: ComparisonView, language: Language) -> tuple[StepSection, ...]:
    """The four sections; workings are those of the recommended offer, else of the first."""
    return tuple(_section(assessment, view, step, language) for step in Step)


def _section(assessment: Assessment, view: ComparisonView, step: Step, language: Language) -> StepSection:
    shown = view.steps[step - 1]
    return StepSection(
        title=STEP[int(step)].pick(language), conclusion=_outcomes(shown, view.offers, language),
        details=tuple(_detail(assessment, view, row, language) for row in shown.rows if row.applies),
        points=shown.points if any(shown.points) else (),
    )  # fmt: skip


def _detail(assessment: Assessment, view: ComparisonView, row: MatrixRow, language: Language) -> Detail:
    offer = assessment.recommended or assessment.offers[0]
    check = next(c for c in offer.checks if (c.rule.id, c.scenario) == (row.check, row.scenario))
    working = working_lines(assessment, offer, check, language, ends=("central",))
    if working and row.check.startswith("bandwidth."):
        working = (f"{names_of([offer])[0]}{'：' if language is Language.ZH else ': '}{working[0]}", *working[1:])
    return Detail(
        row=row, formula=symbols(check.rule.formula, language), working=working,
        sources=joined(sources_of(check, language), language), answers=_answers(row, view.offers),
    )  # fmt: skip


def _answers(row: MatrixRow, heads: Sequence[OfferHead]) -> tuple[Answer, ...]:
    alike: dict[tuple[str, str, str, str], list[int]] = {}
    for place, item in enumerate(row.cells):
        alike.setdefault((item.cell.status, item.cell.value, item.cell.small, item.reason), []).append(place)
    return tuple(
        Answer(
            names=tuple(heads[p].label for p in places), status=status, value=value, small=small,
            reason=reason, evidence=tuple(e for p in places for e in row.cells[p].evidence),
        )
        for (status, value, small, reason), places in alike.items()
    )  # fmt: skip


def _outcomes(step: MatrixStep, heads: Sequence[OfferHead], language: Language) -> str:
    """How the offers came out of one step, in words."""
    parts = []
    for status, text in ((Status.PASS, PASSED), (Status.FAIL, FAILED), (Status.UNKNOWN, STILL_OPEN)):
        names = [h.label for h, s in zip(heads, step.statuses, strict=True) if s == status.value]
        if names:
            parts.append(text.format(names=joined(names, language)).pick(language))
    return ("；" if language is Language.ZH else "; ").join(parts)
