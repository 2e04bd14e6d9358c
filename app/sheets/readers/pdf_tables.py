"""Ruled tables of a PDF page: the grid by pdfplumber, the words by pdfium, merged cells in every place they cover."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from app.sheets.document import Box, Cell, Place, Table
from app.sheets.folding import unreadable_share
from app.sheets.readers.pdf_text import inside, joined

if TYPE_CHECKING:
    from pdfplumber.page import Page
    from pdfplumber.table import Table as Found

    from app.sheets.readers.pdf_text import Glyph

_DARK: Final = 0.75
_CJK: Final = r"\u2e80-\u9fff\uff00-\uffef"
_WRAP: Final = re.compile(rf"(?<=[{_CJK}])\n(?=[{_CJK}])")


def dark_areas(page: Page) -> list[Box]:
    """Filled areas on which white letters can be seen."""
    return [
        (r["x0"], r["top"], r["x1"], r["bottom"])
        for r in (*page.rects, *page.curves)
        if r.get("fill") and _lightness(r.get("non_stroking_color")) < _DARK and r["width"] > 2 and r["height"] > 2  # noqa: PLR2004
    ]


def _lightness(color: object) -> float:
    """0 black … 1 white; unknown colours count as dark."""
    values = list(color) if isinstance(color, (list, tuple)) else [color]
    numbers = [float(v) for v in values if isinstance(v, (int, float))]
    if not numbers or len(numbers) < len(values):
        return 0.0
    if len(numbers) == 4:  # noqa: PLR2004 - CMYK
        return 1 - min(1.0, max(numbers[:3]) + numbers[3])
    return min(numbers)


def page_tables(page: Page, glyphs: list[Glyph], number: int) -> tuple[list[Table], list[Box]]:
    """The tables of a page and their boxes."""
    tables: list[Table] = []
    boxes: list[Box] = []
    for found in page.find_tables():
        table = _Grid(found, glyphs, number, len(tables) + 1).table()
        if table is not None:
            tables.append(table)
            boxes.append(found.bbox)
    return tables, boxes


class _Grid:
    """One found table: its characters are given to its cells once."""

    def __init__(self, found: Found, glyphs: list[Glyph], page: int, index: int) -> None:
        self._found = found
        self._place = Place(page=page, table=index)
        self._glyphs = [g for g in glyphs if g.generated or inside(g.box, found.bbox)]
        self._lefts = sorted({c[0] for c in found.cells})
        self._tops = [r.bbox[1] for r in found.rows]
        self._by_row = [[c for c in found.cells if c[1] <= self._middle(i) <= c[3]] for i in range(len(found.rows))]
        self._words: dict[Any, list[Glyph]] = {}
        self._rest: list[Glyph] = []
        self._share()

    def _middle(self, row: int) -> float:
        box = self._found.rows[row].bbox
        return float(box[1] + box[3]) / 2

    def _share(self) -> None:
        """Give each character to the cell under its centre; a blank goes with the character before it."""
        current: list[Glyph] = self._rest
        for glyph in self._glyphs:
            if not glyph.generated:
                x, y = (glyph.box[0] + glyph.box[2]) / 2, (glyph.box[1] + glyph.box[3]) / 2
                row = max(0, bisect_right(self._tops, y) - 1)
                near = self._by_row[row] if self._by_row else []
                cell = next((c for c in near if c[0] <= x <= c[2] and c[1] - 1 <= y <= c[3] + 1), None)
                current = self._rest if cell is None else self._words.setdefault(cell, [])
            current.append(glyph)

    def table(self) -> Table | None:
        """The table, or None for a frame that holds no grid."""
        grid: list[tuple[Cell | None, ...]] = []
        for r, row in enumerate(self._found.rows):
            grid.append(tuple(self._at(r, c, box) for c, box in enumerate(row.cells)))
        said = sum(cell is not None and not cell.merged for line in grid for cell in line)
        if len(self._lefts) < 2 or said < 2:  # noqa: PLR2004
            return None
        return Table(rows=tuple(grid), number=self._place.table or 1, edges=tuple(round(x, 1) for x in self._lefts))

    def _at(self, row: int, column: int, box: Any) -> Cell | None:
        if box is not None:
            return self._cell(self._words.get(box, []), row, column, box)
        band = self._found.rows[row].bbox
        left = self._lefts[column] if column < len(self._lefts) else band[2]
        right = self._lefts[column + 1] if column + 1 < len(self._lefts) else self._found.bbox[2]
        middle = (left + right) / 2
        cover = next((c for c in self._by_row[row] if c[0] <= middle <= c[2]), None)
        if cover is not None:
            cell = self._cell(self._words.get(cover, []), *self._origin(cover), cover)
            return replace(cell, merged=True) if cell else None
        region = (left, band[1], right, band[3])
        loose = [g for g in self._rest if g.generated or inside(g.box, region)]
        return self._cell(loose, row, column, region)

    def _origin(self, box: Any) -> tuple[int, int]:
        rows = [i for i, top in enumerate(self._tops) if top >= box[1] - 1]
        return (rows[0] if rows else 0), self._lefts.index(box[0])

    def _cell(self, glyphs: list[Glyph], row: int, column: int, box: Any) -> Cell | None:
        text = _WRAP.sub("", joined(glyphs)).replace("\n", " ")
        if not text or unreadable_share(text):
            return None
        x0, top, x1, bottom = (round(float(v), 1) for v in box)
        return Cell(text=text, place=replace(self._place, row=row + 1, column=column + 1, box=(x0, top, x1, bottom)))
