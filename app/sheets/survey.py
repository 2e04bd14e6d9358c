"""What a document says about everything in it: names, titles, legends, terms and units that hold from afar."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from app.domain.metrics import BY_ID, MetricKind
from app.sheets import words
from app.sheets.attributes import NOTHING, Attributes, attributes_in
from app.sheets.corrections import corrections_in
from app.sheets.document import Paragraph
from app.sheets.entries import Owner
from app.sheets.folding import NAME_LIMIT, clean_label, fold, lowered
from app.sheets.lexicon import labels_in
from app.sheets.names import product_in, siblings, vendor_in
from app.sheets.owners import owner_as, owner_role, pairs
from app.sheets.prose import said_elsewhere
from app.sheets.quantities import header_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sheets.document import Block
    from app.sheets.entries import Findings
    from app.sheets.layout import Layout

_LEGEND: Final = re.compile(rf"([{words.TICKS}YNyn])\s*[:：=]?\s*([^\s;；,，、{words.TICKS}][^;；,，、{words.TICKS}]*)")
_LEGEND_KEY: Final = re.compile(r"图例|说明|legend|key\b|symbols?", re.IGNORECASE)
_MAX_TITLE: Final = 100


class Survey:
    """The first pass over a document: names, titles, legends and terms that hold for everything below."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._money_units: set[str] = set()
        self._section: str | None = None

    def run(self, blocks: Sequence[Block], layouts: dict[int, Layout]) -> set[str]:
        """Fill the findings; returns the money units that the text names."""
        for block in blocks:
            if isinstance(block, Paragraph):
                if block.heading:
                    self._section = _one_quantity(block.text)
                self._survey(block.text)
                self._findings.names += list(pairs(block.text))
                opening = block is blocks[0] and len(block.text) <= _MAX_TITLE
                if block.heading or opening:
                    self._findings.titles.append(block.text)
                    self._title_values(block.text)
            else:
                self._table(layouts[id(block)])
        running = _running(blocks, layouts)
        if not any(n.vendor for n in self._findings.names):
            self._findings.signed = vendor_in(running)
        if not any(n.product for n in self._findings.names):
            self._findings.names += [Owner(product=p) for p in [product_in(running)] if p]
        self._findings.siblings = siblings(running)
        return self._money_units

    def _table(self, layout: Layout) -> None:
        for cell in (*layout.captions, *layout.notes):
            self._survey(cell.text)
            self._findings.names += list(pairs(cell.text))
        self._findings.titles += [c.text for c in layout.captions]
        for cell in layout.captions:
            self._title_values(cell.text)
        self._names_in(layout)

    def _survey(self, text: str) -> None:
        self._findings.corrections += corrections_in(text)
        for metric, said in said_elsewhere(text, self._section).items():
            self._findings.shared[metric] = self._findings.shared.get(metric, NOTHING).over(said)
        self._money_units |= money_units(text)
        if _LEGEND_KEY.search(text):
            self._legend(text)

    def _title_values(self, text: str) -> None:
        """A title that says "committed values" speaks of all figures below it."""
        low = lowered(fold(text))
        if words.TITLE_VALUES.search(low):
            said = Attributes(commitment=attributes_in(low).commitment)
            self._findings.shared["*"] = self._findings.shared.get("*", NOTHING).over(said)

    def _legend(self, text: str) -> None:
        for sign, meaning in _LEGEND.findall(text):
            if sign in words.TICKS:
                self._findings.legend.setdefault(sign, lowered(fold(meaning)))

    def _names_in(self, layout: Layout) -> None:
        """`供应商 | 名称` rows and legends of a key and value table."""
        for row in layout.table.rows:
            cells = [c for c in row if c and c.text.strip() and not c.merged]
            for key, value in pairwise(cells):
                if _LEGEND_KEY.search(key.text):
                    self._legend(value.text)
                role = owner_role(key.text) if layout.kind != "columns" or len(layout.body) == 0 else ""
                header = layout.kind == "rows" and row[0] is not None and row[0].place.row in self._header_rows(layout)
                if role and not header and len(cells) == 2:  # noqa: PLR2004
                    self._findings.names.append(owner_as(role, clean_label(value.text, NAME_LIMIT)))

    @staticmethod
    def _header_rows(layout: Layout) -> set[int | None]:
        return {c.place.row for r in layout.header for c in layout.table.rows[r] if c}


def _one_quantity(heading: str) -> str | None:
    """The one metric that a heading names, if it is a quantity."""
    found = {h.label.metric for h in labels_in(fold(heading)) if h.label.metric}
    metric = found.pop() if len(found) == 1 else None
    return metric if metric and BY_ID[metric].kind is MetricKind.QUANTITY else None


def _running(blocks: Sequence[Block], layouts: dict[int, Layout]) -> list[str]:
    """The words outside tables, and the titles and notes of tables."""
    texts: list[str] = []
    for block in blocks:
        if isinstance(block, Paragraph):
            texts.append(block.text)
        else:
            texts += [c.text for c in (*layouts[id(block)].captions, *layouts[id(block)].notes)]
    return [t for t in texts if t.strip()]


def money_units(text: str) -> set[str]:
    """Units of money that a title or a line names for the whole table: 单位：万元/年, "prices in USD"."""
    said = {m.group(1) or m.group(2) for m in words.CAPTION_UNIT.finditer(fold(text))}
    return {s for s in said if (unit := header_unit(s)) and unit.dimension == "money"}
