"""Ruled tables of a PDF page, by pdfplumber: cells with boxes, merged cells, without watermark and hidden text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from app.sheets.document import Box, Cell, Place, Table
from app.sheets.folding import unreadable_share
from app.sheets.readers.pdf_text import SUPERSCRIPT, inside

if TYPE_CHECKING:
    from pdfplumber.page import Page
    from pdfplumber.table import Table as Found

_WHITE: Final = 0.96
_DARK: Final = 0.75
_TINY: Final = 1.5
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
    """0 black … 1 white; unknown colours count as dark for areas."""
    values = list(color) if isinstance(color, (list, tuple)) else [color]
    if not values or not all(isinstance(v, (int, float)) for v in values):
        return 0.0
    numbers = [float(v) for v in values]  # type: ignore[arg-type]
    if len(numbers) == 4:  # noqa: PLR2004 - CMYK
        return 1 - min(1.0, max(numbers[:3]) + numbers[3])
    return min(numbers)


def _seen(item: dict[str, Any], dark: list[Box]) -> bool:
    if item.get("object_type") != "char":
        return True
    if not item.get("upright", True) or item.get("size", 10) < _TINY:
        return False
    color = item.get("non_stroking_color")
    white = color is not None and _lightness(color) >= _WHITE
    return not white or any(inside((item["x0"], item["top"], item["x1"], item["bottom"]), d) for d in dark)


def _raise_exponents(page: Page) -> None:
    """Small raised figures after "10" become superscript characters, in place."""
    base: dict[str, Any] | None = None
    for char in page.chars:
        raised = (
            base is not None
            and char["text"] in "0123456789-−–"
            and char["size"] < base["size"] * 0.8
            and char["bottom"] < base["bottom"] - 0.12 * base["size"]
            and abs(char["x0"] - base["x1"]) < 2 * base["size"]
        )
        if raised:
            char["text"] = char["text"].translate(SUPERSCRIPT)
        else:
            base = char


def _joined(text: str | None) -> str:
    """Wrapped lines of a cell as one: Chinese without a blank, Latin with one."""
    return _WRAP.sub("", (text or "").strip()).replace("\n", " ")


def page_tables(page: Page, number: int, dark: list[Box]) -> tuple[list[Table], list[Box], bool]:
    """The tables of a page, their boxes, and whether characters drawn twice were folded."""
    _raise_exponents(page)
    clean = page.filter(lambda item: _seen(item, dark))
    before = len(clean.chars)
    clean = clean.dedupe_chars(tolerance=1)
    doubled = before - len(clean.chars) > max(4, before // 50)
    tables: list[Table] = []
    boxes: list[Box] = []
    for found in clean.find_tables():
        table = _table(clean, found, number, len(tables) + 1)
        if table is not None:
            tables.append(table)
            boxes.append(found.bbox)
    return tables, boxes, doubled


def _table(page: Page, found: Found, number: int, index: int) -> Table | None:
    rows = found.rows
    texts = found.extract()
    edges = sorted({round(c[0], 1) for c in found.cells})
    if len(edges) < 2 or sum(bool(t and t.strip()) for r in texts for t in r) < 2:  # noqa: PLR2004 - a frame
        return None
    grid: list[tuple[Cell | None, ...]] = []
    for r, (row, line) in enumerate(zip(rows, texts, strict=True)):
        cells: list[Cell | None] = []
        for c, box in enumerate(row.cells):
            place = Place(page=number, table=index, row=r + 1, column=c + 1, box=_box(box) if box else None)
            if box is not None:
                cells.append(_cell(_joined(line[c]), place))
            else:
                cells.append(_covered(page, found, grid, (r, c), place))
        grid.append(tuple(cells))
    return Table(rows=tuple(grid), number=index, edges=tuple(edges))


def _box(box: Any) -> Box:
    x0, top, x1, bottom = (round(float(v), 1) for v in box)
    return (x0, top, x1, bottom)


def _cell(text: str, place: Place, *, merged: bool = False) -> Cell | None:
    return Cell(text=text, place=place, merged=merged) if text and not unreadable_share(text) else None


def _covered(
    page: Page, found: Found, grid: list[tuple[Cell | None, ...]], at: tuple[int, int], place: Place
) -> Cell | None:
    """A place without a cell of its own: a copy of the cell that covers it, else the words that stand there."""
    row, column = at
    top, bottom = found.rows[row].bbox[1], found.rows[row].bbox[3]
    lefts = sorted({c[0] for c in found.cells})
    left = lefts[column] if column < len(lefts) else found.bbox[2]
    right = lefts[column + 1] if column + 1 < len(lefts) else found.bbox[2]
    x, y = (left + right) / 2, (top + bottom) / 2
    if any(c[0] <= x <= c[2] and c[1] <= y <= c[3] for c in found.cells):
        for r in range(row, -1, -1):
            for cell in (*grid, ())[r] if r < len(grid) else ():
                box = cell.place.box if cell else None
                if cell and box and box[0] <= x <= box[2] and box[1] <= y <= box[3]:
                    return Cell(text=cell.text, place=cell.place, merged=True)
        return None
    if right - left < 1 or bottom - top < 1:
        return None
    region = (max(left, page.bbox[0]), max(top, page.bbox[1]), min(right, page.bbox[2]), min(bottom, page.bbox[3]))
    return _cell(_joined(page.crop(region).extract_text()), replace(place, box=_box(region)))
