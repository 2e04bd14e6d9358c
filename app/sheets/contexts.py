"""What is known before a text is read, and what reading it gives: context, evidence, facts and what stayed unread."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.domain.facts import Evidence, Fact
from app.sheets.attributes import NOTHING, Attributes
from app.sheets.quantities import SURE

if TYPE_CHECKING:
    from app.domain.remarks import Remark
    from app.sheets.document import Place
    from app.sheets.lexicon import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is known before a text is read.

    `label` is the metric of the row or column (None in running text), `units` the texts that may name its
    unit, `near` the attributes of the label itself, `far` those of a title or a sentence elsewhere;
    `section` is the metric that the heading above running text names; `title` marks a
    title or a name, where a bit rate is only a hint.
    """

    evidence: Evidence
    label: Label | None = None
    units: tuple[str, ...] = ()
    near: Attributes = NOTHING
    far: Attributes = NOTHING
    condition: str = ""
    confidence: float = SURE
    style: str | None = None
    heading: str = ""
    section: Label | None = None
    title: bool = False
    legend: dict[str, str] = field(default_factory=dict)
    number: bool = False
    siblings: tuple[str, ...] = ()


@dataclass(slots=True)
class Reading:
    """Facts of a text, and the verbatim pieces that look like values but were not read."""

    facts: list[Fact] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def add(self, other: Reading) -> None:
        """Take in another reading."""
        self.facts += other.facts
        self.unread += other.unread


def evidence_of(kind: str, place: Place, quote: str, note: Remark = ()) -> Evidence:
    """Evidence of a quote at a place of a document."""
    return Evidence(
        reader=kind, quote=quote, page=place.page, sheet=place.sheet, cell=place.cell, table=place.table,
        row=place.row, column=place.column, box=place.box, remarks=(note,) if note else (),
    )  # fmt: skip


def with_note(evidence: Evidence, *notes: Remark) -> Evidence:
    """The evidence with remarks on how the words were normalised."""
    return replace(evidence, remarks=tuple(dict.fromkeys(n for n in (*evidence.remarks, *notes) if n)))
