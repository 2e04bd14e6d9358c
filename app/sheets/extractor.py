"""A document becomes findings: blocks in order, each with what stands around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from app.domain.metrics import BY_ID, MetricKind
from app.sheets.attributes import NOTHING
from app.sheets.continuations import join
from app.sheets.desk import Desk
from app.sheets.dialogue import asked_for, turns_of
from app.sheets.document import Paragraph, Table
from app.sheets.folding import fold
from app.sheets.labels import label_of, role_of
from app.sheets.layout import Layout, analyse
from app.sheets.lexicon import labels_in
from app.sheets.owners import pairs
from app.sheets.parts import option_name, plan
from app.sheets.prose import lead_in
from app.sheets.survey import Survey
from app.sheets.tables import TableReader

if TYPE_CHECKING:
    from app.sheets.dialogue import Turn
    from app.sheets.document import Document
    from app.sheets.entries import Findings
    from app.sheets.lexicon import Label


_LIST_LINE: Final = re.compile(r"^\s*(?:[（(]?[\d一二三四五六七八九十a-z]{1,3}[)）.、]|[•●▪◦·\-–—*])|^.{1,40}[:：]")


class Extractor:
    """Reads one document."""

    def __init__(self, document: Document) -> None:
        self._blocks = join(document.blocks)
        self._desk = Desk(document, _written(document))
        self._columns_lost = False
        self._listing = False
        self._turns = turns_of(self._blocks)
        self._asked_for: Label | None = None

    def run(self) -> Findings:
        """Two passes: what is said about everything first, then the facts."""
        desk = self._desk
        layouts = {id(b): analyse(b) for b in self._blocks if isinstance(b, Table)}
        desk.money_units = Survey(desk.findings).run(self._blocks, layouts)
        for index, (block, part) in enumerate(zip(self._blocks, plan(self._blocks), strict=True)):
            desk.part = part
            if isinstance(block, Paragraph) and index in self._turns:
                self._turn(block, self._turns[index])
            elif isinstance(block, Paragraph):
                self._paragraph(block)
            elif part.asked and not _answers(layouts[id(block)]):
                self._asked(block)
            else:
                TableReader(desk, layouts[id(block)]).read()
                desk.lead = NOTHING
        return desk.findings

    def _paragraph(self, block: Paragraph) -> None:
        desk = self._desk
        desk.about_credits(block.text, heading=block.heading)
        if block.heading:
            desk.heading = block.text
            self._columns_lost = False
            label, _ = label_of(re.sub(r"^[\d.、\s]+", "", block.text))
            desk.section = label if label and label.metric and label.sure else None
            desk.lead = NOTHING
        else:
            desk.lead = lead_in(block.text).over(desk.lead)
            self._list(block.text)
        if self._lost_columns(block.text) or desk.part.asked:
            desk.unread(block.text, block.place)
            return
        named = any(o.product for o in pairs(block.text)) or block.text in desk.findings.titles
        title = block.heading or named or bool(option_name(block.text))
        desk.sentences(block.text, block.place, title=title)

    def _turn(self, block: Paragraph, turn: Turn) -> None:
        """A question is told and names what its answer speaks of; an answer is read as a cell under that name."""
        if turn.asks:
            self._asked_for = asked_for(turn.text)
            self._desk.unread(block.text, block.place)
        else:
            self._desk.answer(turn.text, block.place, self._asked_for)

    def _list(self, text: str) -> None:
        """A sentence that ends in a colon and names one metric speaks of the lines of the list below it."""
        if text.rstrip().endswith((":", "：")):
            labels = {h.label.metric: h.label for h in labels_in(fold(text)) if h.label.metric and h.label.sure}
            quantities = [label for metric, label in labels.items() if BY_ID[metric].kind is MetricKind.QUANTITY]
            self._desk.section = quantities[0] if len(quantities) == 1 else None
            self._listing = self._desk.section is not None
        elif self._listing and not _LIST_LINE.match(text):
            self._desk.section, self._listing = None, False

    def _asked(self, table: Table) -> None:
        """A table of the buyer's own wishes: told, never taken."""
        for row in table.rows:
            cells = [c for c in row if c and c.text.strip() and not c.merged]
            if cells:
                self._desk.unread(" | ".join(c.text for c in cells), cells[0].place)

    def _lost_columns(self, text: str) -> bool:
        """A heading line of a table whose columns were lost: below it nobody can tell asked from offered."""
        roles = [role_of(word) for word in text.split()]
        if "requirement" in roles and len({r for r in roles if r}) > 1:
            self._columns_lost = True
        return self._columns_lost


def _answers(layout: Layout) -> bool:
    return any(c.role in {"response", "name"} and c.text for c in layout.columns)


def _written(document: Document) -> list[str]:
    """Everything a person wrote, for telling a decimal point from a decimal comma."""
    texts: list[str] = []
    for block in document.blocks:
        if isinstance(block, Paragraph):
            texts.append(fold(block.text))
        else:
            texts += [fold(c.text) for r in block.rows for c in r if c and not c.number and not c.merged]
    return texts
