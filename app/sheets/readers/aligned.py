"""Tables without rules: columns found by the gutters that lines of words share, wrapped cells joined to rows.

Input are lines of words with boxes, from a PDF page, a text file or recognised text; nothing here knows a format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from app.sheets.readers.aligned_rows import Line, Slot, Span, Word, rows_of, slots_of, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WIDE: Final = 0.8  # a gap of so many line heights parts two pieces
_SINGLES: Final = 3
_FAR: Final = 3.2  # a distance of so many line heights ends a table
_PROSE: Final = 88
_LARGER: Final = 1.14
_MISFITS: Final = 0.25
_MIN_ROWS: Final = 3
_TEXTUAL: Final = 30
_MARKER: Final = re.compile(
    r"^(?:[•●▪◦·\-–*‣o]|[（(]?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[a-zA-Z]|[ivx]{1,4}|[一二三四五六七八九十]{1,3})[.)）、:：]?"
    r"|[QA]\d{1,2}[.:]?|[①-⑳]|第[一二三四五六七八九十\d]+[条款章]|注\d*[:：]?|notes?:?)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A found table: lines `first` … `last` (exclusive), its rows of cells, and the places of its columns."""

    first: int
    last: int
    rows: tuple[tuple[Slot | None, ...], ...]
    spans: tuple[Span, ...]


def pieces_of(words: Sequence[Word]) -> Line:
    """The words of one line as pieces: runs without a wide gap."""
    pieces: list[list[Word]] = []
    for word in sorted(words, key=lambda w: w.box[0]):
        last = pieces[-1][-1] if pieces else None
        if last is not None and word.box[0] - last.box[2] < _WIDE * min(word.height, last.height):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return tuple(tuple(p) for p in pieces)


def find(lines: Sequence[Line]) -> list[Grid]:
    """The tables in the lines of one page or text, top down."""
    grids: list[Grid] = []
    for first, last in _blocks(lines):
        grids += _tables(lines, first, last)
    return grids


def extend(spans: Sequence[Span], lines: Sequence[Line], *, ruled: bool = False) -> Grid | None:
    """The lines from the first one on that go on with a table of known columns; None when they do not."""
    end, filled, singles, crossing = 0, 0, 0, 0
    for index, line in enumerate(lines):
        slots = slots_of(line, spans)
        if slots is None or _is_prose(line) or (index and _apart(lines[index - 1], line)):
            break
        crossing += any(s.last > s.first for s in slots[1:])
        singles = 0 if len(slots) > 1 else singles + 1
        if singles > _SINGLES or crossing * 3 > index + 3:
            break
        if len(slots) > 1 or slots[0].first > 0:
            filled += len(slots) > 1
            end = index + 1
    if filled < 2:  # noqa: PLR2004
        return None
    return Grid(first=0, last=end, rows=rows_of(lines[:end], spans, header=False, ruled=ruled), spans=tuple(spans))


# ---- blocks of lines
def _blocks(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Runs of lines that begin and end with several pieces and have few lines of one piece in a row."""
    start: int | None = None
    end = 0
    for index, line in enumerate(lines):
        parted = len(line) > 1
        if start is not None and (index - end > _SINGLES or _apart(lines[index - 1], line) or _is_prose(line)
                                  or _is_title(line, lines[start:end])):  # fmt: skip
            yield start, end
            start = None
        if start is None and parted:
            start = index
        if parted:
            end = index + 1
    if start is not None:
        yield start, end


def _height(line: Line) -> float:
    return max(w.height for p in line for w in p)


def _apart(above: Line, below: Line) -> bool:
    return _middle(below) - _middle(above) > _FAR * max(_height(above), _height(below))


def _middle(line: Line) -> float:
    return median((w.box[1] + w.box[3]) / 2 for p in line for w in p)


def _is_prose(line: Line) -> bool:
    return len(line) == 1 and width_of(_text(line[0])) > _PROSE


def _is_title(line: Line, block: Sequence[Line]) -> bool:
    """A line of one piece in larger letters than the table."""
    return len(line) == 1 and bool(block) and _height(line) > _LARGER * median(_height(x) for x in block)


def _text(piece: Sequence[Word]) -> str:
    return " ".join(w.text for w in piece)


# ---- columns
def _tables(lines: Sequence[Line], first: int, last: int) -> Iterator[Grid]:
    """The table of a block; a block of several tables is cut at its lines of one piece."""
    while first < last and len(lines[first]) == 1:
        first += 1
    block = lines[first:last]
    spans = columns_of(block)
    if len(spans) < 2:  # noqa: PLR2004
        return
    misfits = [i for i, line in enumerate(block) if i > 1 and len(line) > 1 and _misfits(line, spans)]
    if len(misfits) > _MISFITS * len(block) or (misfits and misfits[0] > len(block) * (1 - _MISFITS)):
        cut = _cut(lines, first, last, misfits[0] + first)
        if cut is not None:
            yield from _tables(lines, first, cut)
            yield from _tables(lines, cut, last)
        return
    end = last + _wrapped_below(lines, last, spans)
    grid = Grid(first=first, last=end, rows=rows_of(lines[first:end], spans, header=True), spans=spans)
    if _is_table(grid):
        yield grid


def _cut(lines: Sequence[Line], first: int, last: int, misfit: int) -> int | None:
    """Where to part a block: at the line of one piece nearest to the first misfit, else at the misfit."""
    singles = [i for i in range(first + 1, last) if len(lines[i]) == 1]
    near = min(singles, key=lambda i: abs(i - misfit), default=misfit)
    at = near if abs(near - misfit) <= _SINGLES else misfit
    return at if first < at < last else None


def columns_of(block: Sequence[Line]) -> tuple[Span, ...]:
    """The columns of a block: lines of most pieces speak first, a piece over several columns adds none."""
    found: list[Span] = []
    parted = [line for line in block if len(line) > 1]
    for line in sorted(parted, key=len, reverse=True):
        for piece in line:
            x0, x1 = piece[0].box[0], piece[-1].box[2]
            hit = [c for c in found if min(c[1], x1) - max(c[0], x0) > 0]
            if not hit:
                found.append((x0, x1))
            elif len(hit) == 1:
                found[found.index(hit[0])] = (min(hit[0][0], x0), max(hit[0][1], x1))
    return _complementary(tuple(sorted(found)), parted)


def _complementary(spans: tuple[Span, ...], lines: Sequence[Line]) -> tuple[Span, ...]:
    """Neighbours that are never filled together are one column: a heading beside its right-aligned figures."""
    filled: list[set[int]] = [set() for _ in spans]
    for index, line in enumerate(lines):
        for slot in slots_of(line, spans) or ():
            for column in range(slot.first, slot.last + 1):
                filled[column].add(index)
    result: list[Span] = []
    held: list[set[int]] = []
    for span, own in zip(spans, filled, strict=True):
        few = min(len(own), len(held[-1])) if held else 0
        if held and not held[-1] & own and few <= 2:  # noqa: PLR2004
            result[-1] = (result[-1][0], span[1])
            held[-1] |= own
        else:
            result.append(span)
            held.append(set(own))
    return tuple(result)


def _misfits(line: Line, spans: Sequence[Span]) -> bool:
    slots = slots_of(line, spans)
    return slots is None or len(slots) < len(line) or any(s.last > s.first for s in slots)


def _wrapped_below(lines: Sequence[Line], last: int, spans: Sequence[Span]) -> int:
    """How many lines below the block are the rest of cells of its last row."""
    count = 0
    while last + count < len(lines) and count < _SINGLES:
        line = lines[last + count]
        slots = slots_of(line, spans)
        near = _middle(line) - _middle(lines[last + count - 1]) < 1.7 * _height(line)
        if len(line) > 1 or not near or slots is None or slots[0].first == 0 or slots[0].last > slots[0].first:
            break
        count += 1
    return count


# ---- what is no table
def _is_table(grid: Grid) -> bool:
    """Short cells in the same columns again and again; no prose in columns, no list, no letterhead."""
    rows = grid.rows
    held = [[r[c] for r in rows if r[c] is not None] for c in range(len(grid.spans))]
    full = [r for r in rows if sum(s is not None for s in r) > 1]
    if len(full) < _MIN_ROWS or len(full) * 2 < len(rows):
        return False
    often = [c for c, cells in enumerate(held) if len(cells) * 2 >= len(full)]
    if len(often) < 2:  # noqa: PLR2004
        return False
    lengths = [median(width_of(s.text) for s in held[c] if s) for c in often]
    if min(lengths) > _TEXTUAL or (len(often) == 2 and _even(lengths)):  # noqa: PLR2004
        return False
    marked = [s for s in held[0] if s and _MARKER.match(s.text.strip())]
    return len(grid.spans) > 2 or len(marked) * 2 < len(held[0])  # noqa: PLR2004


def _even(lengths: Sequence[float]) -> bool:
    """Two columns of long texts of the same length: prose."""
    return min(lengths) > _TEXTUAL * 0.8 and max(lengths) < min(lengths) * 1.6
