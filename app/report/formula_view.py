"""The formula library as people read it: by topic, searched, with what was measured against each formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.formulas.registry import TOPICS
from app.presentation import format as fmt
from app.report.working import source_text, symbols
from app.report.working_view import amount

if TYPE_CHECKING:
    from app.domain.formulas.formula import Band, Dimension, Formula
    from app.domain.formulas.registry import Topic
    from app.domain.text import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaLine:
    """One formula in the list; `band` is empty where none was held against measurements."""

    id: str
    title: str
    symbolic: str
    unit: str
    band: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaGroup:
    """The formulas of one topic."""

    id: str
    title: str
    lines: tuple[FormulaLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BandView:
    """How far measurements lie from a formula: as factors, and put to its result when there is one."""

    span: str
    values: str
    words: str
    source: str


def anchor(topic: Topic) -> str:
    """Where the topic stands on the page of all formulas."""
    return f"topic-{topic.id}"


def search(query: str, language: Language) -> tuple[FormulaGroup, ...]:
    """The formulas in which every word of the query occurs, by topic; all of them without a word."""
    wanted = query.casefold().split()
    groups = []
    for topic in TOPICS:
        lines = tuple(
            _line(formula, language) for formula in topic.formulas if all(word in _words(formula) for word in wanted)
        )
        if lines:
            groups.append(FormulaGroup(id=anchor(topic), title=topic.title.pick(language), lines=lines))
    return tuple(groups)


def _words(formula: Formula) -> str:
    source = formula.source
    texts = (formula.title, source.title, *(item.title for item in formula.inputs))
    return " ".join(
        (
            formula.id,
            formula.symbolic,
            source.reference,
            *(item.name for item in formula.inputs),
            *(f"{text.zh} {text.en}" for text in texts),
        )
    ).casefold()


def _line(formula: Formula, language: Language) -> FormulaLine:
    return FormulaLine(
        id=formula.id,
        title=formula.title.pick(language),
        symbolic=symbols(formula.symbolic, language),
        unit=formula.unit,
        band=_span(formula.band, language) if formula.band else "",
        source=source_text(formula.source, language),
    )


def _span(band: Band, language: Language) -> str:
    return f"×{fmt.figure(band.low, language)} – ×{fmt.figure(band.high, language)}"


def band_view(band: Band, result: Dimension, value: float | None, language: Language) -> BandView:
    """The band of a formula, and where the measured figure then lies."""
    ends = [] if value is None else [amount(value * factor, result, language) for factor in (band.low, band.high)]
    return BandView(
        span=_span(band, language),
        values=" – ".join(ends),
        words=band.words.pick(language),
        source=source_text(band.source, language),
    )
