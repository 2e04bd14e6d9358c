"""Tables of a PDF page that no rules draw, or only a ruled heading: the words outside ruled tables by their places."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Final

from app.sheets.document import Cell, Place, Table
from app.sheets.folding import unreadable_share
from app.sheets.readers.aligned import Grid, extend, find, pieces_of
from app.sheets.readers.aligned_rows import Word
from app.sheets.readers.pdf_text import inside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sheets.document import Box
    from app.sheets.readers.aligned_rows import Line, Slot, Span
    from app.sheets.readers.pdf_text import Glyph

_NEAR: Final = 0.2  # of the letter size: a wider gap parts two words
_SAME_LINE: Final = 0.4
_RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
_BELOW: Final = 2.4
_INSET: Final = 2.0
_JUST_OVER: Final = 1.0


def words_of(glyphs: Sequence[Glyph]) -> list[Word]:
    """Characters as words, in the order in which they are drawn."""
    words: list[list[Glyph]] = []
    fresh = True
    for glyph in glyphs:
        if glyph.generated or not glyph.text.strip():
            fresh = True
            continue
        if fresh or not _joins(words[-1][-1], glyph):
            words.append([glyph])
        else:
            words[-1].append(glyph)
        fresh = False
    return [_word(w) for w in words]


def _joins(last: Glyph, glyph: Glyph) -> bool:
    size = _size(last)
    level = abs(_middle(glyph.box) - _middle(last.box)) < _SAME_LINE * size
    near = -0.5 * size < glyph.box[0] - last.box[2] < _NEAR * size or glyph.box == last.box  # one box for a ligature
    return near and (level or glyph.text in _RAISED or last.text in _RAISED)


def _middle(box: Box) -> float:
    return (box[1] + box[3]) / 2


def _size(glyph: Glyph) -> float:
    """The letter size; a font that tells none is judged by the height of its line."""
    height = glyph.box[3] - glyph.box[1]
    return glyph.size if 0.4 * height <= glyph.size <= 1.3 * height else 0.8 * height


def _word(glyphs: Sequence[Glyph]) -> Word:
    size = max(_size(g) for g in glyphs)
    middle = median(_middle(g.box) for g in glyphs)
    text = "".join(g.text for g in glyphs).replace("\ufffe", "-").replace("\u0002", "-")
    return Word(text, (glyphs[0].box[0], middle - size / 2, glyphs[-1].box[2], middle + size / 2))


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Words as lines from the top, each cut to pieces at wide gaps."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda w: _middle(w.box)):
        same = lines and _middle(word.box) - median(_middle(w.box) for w in lines[-1][-8:]) < _SAME_LINE * min(
            word.height, lines[-1][-1].height
        )
        if same:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [pieces_of(line) for line in lines]


def complete(
    tables: Sequence[Table], boxes: Sequence[Box], words: Sequence[Word], page: int, before: Sequence[Span]
) -> tuple[list[Table], list[Box]]:
    """The ruled tables of a page with unruled rows below them, and the tables without rules.

    `before` are the columns of an unruled table that ended the page before; a table that goes on with it comes first.
    """
    free = [w for w in words if not any(inside(w.box, b) for b in boxes)]
    lines = lines_of(free)
    made, areas = list(tables), list(boxes)
    grids: list[tuple[Grid, int]] = []
    if before and (more := extend(before, lines)):
        grids.append((more, 0))
    for index, table in enumerate(tables):
        below = next((i for i, x in enumerate(lines) if _top(x) > areas[index][3] - _INSET), len(lines))
        spans = _ruled_spans(table, areas[index])
        if below < len(lines) and spans and _top(lines[below]) - areas[index][3] < _BELOW * _height(lines[below]):
            more = extend(spans, lines[below:], ruled=True)
            if more is not None:
                made[index], areas[index] = _lengthened(table, areas[index], more, page)
                lines = lines[:below] + lines[below + more.last :]
    start = grids[0][0].last if grids else 0
    grids += [(g, start) for g in find(lines[start:])]
    for grid, _ in grids:
        table = _table(grid, page, len(made) + 1)
        made.append(table)
        areas.append(_area(grid))
    return made, areas


def _top(line: Line) -> float:
    return min(w.box[1] for p in line for w in p)


def _height(line: Line) -> float:
    return max(w.height for p in line for w in p)


def _ruled_spans(table: Table, box: Box) -> tuple[Span, ...]:
    edges = (*table.edges, box[2])
    return tuple((a + _INSET, b - _INSET) for a, b in pairwise(edges) if b - a > 3 * _INSET)


def _lengthened(table: Table, box: Box, grid: Grid, page: int) -> tuple[Table, Box]:
    below = _table(grid, page, table.number, first_row=len(table.rows) + 1)
    area = _area(grid)
    joined = (min(box[0], area[0]), box[1], max(box[2], area[2]), area[3])
    return replace(table, rows=(*table.rows, *below.rows)), joined


def _table(grid: Grid, page: int, number: int, first_row: int = 1) -> Table:
    rows = tuple(
        tuple(_cell(slot, c, Place(page=page, table=number, row=r, column=c + 1)) for c, slot in enumerate(row))
        for r, row in enumerate(grid.rows, start=first_row)
    )
    return Table(rows=rows, number=number, spans=grid.spans)


def _cell(slot: Slot | None, column: int, place: Place) -> Cell | None:
    if slot is None or unreadable_share(slot.text):
        return None
    x0, top, x1, bottom = (round(v, 1) for v in slot.box)
    return Cell(
        text=slot.text.strip(),
        place=replace(place, column=slot.first + 1, box=(x0, top, x1, bottom)),
        merged=slot.first != column,
    )


def _area(grid: Grid) -> Box:
    boxes = [s.box for r in grid.rows for s in r if s]
    return (
        min(b[0] for b in boxes) - _JUST_OVER, min(b[1] for b in boxes) - _JUST_OVER,
        max(b[2] for b in boxes) + _JUST_OVER, max(b[3] for b in boxes) + _JUST_OVER,
    )  # fmt: skip
