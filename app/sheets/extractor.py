"""A document becomes findings: blocks in order, each with what stands around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.sheets.attributes import NOTHING
from app.sheets.continuations import join
from app.sheets.desk import Desk
from app.sheets.document import Paragraph, Table
from app.sheets.folding import fold
from app.sheets.labels import label_of, role_of
from app.sheets.layout import Layout, analyse
from app.sheets.owners import pairs
from app.sheets.parts import option_name, plan
from app.sheets.prose import lead_in
from app.sheets.survey import Survey
from app.sheets.tables import TableReader

if TYPE_CHECKING:
    from app.sheets.document import Document
    from app.sheets.entries import Findings


class Extractor:
    """Reads one document."""

    def __init__(self, document: Document) -> None:
        self._blocks = join(document.blocks)
        self._desk = Desk(document, _written(document))
        self._columns_lost = False

    def run(self) -> Findings:
        """Two passes: what is said about everything first, then the facts."""
        desk = self._desk
        layouts = {id(b): analyse(b) for b in self._blocks if isinstance(b, Table)}
        desk.money_units = Survey(desk.findings).run(self._blocks, layouts)
        for block, part in zip(self._blocks, plan(self._blocks), strict=True):
            desk.part = part
            if isinstance(block, Paragraph):
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
        if self._lost_columns(block.text) or desk.part.asked:
            desk.unread(block.text, block.place)
            return
        named = any(o.product for o in pairs(block.text)) or block.text in desk.findings.titles
        title = block.heading or named or bool(option_name(block.text))
        desk.sentences(block.text, block.place, title=title)

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
