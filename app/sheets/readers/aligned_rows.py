"""Lines of words under known columns → logical rows: spanning headings, wrapped cells and labels."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sheets.document import Box

Span = tuple[float, float]
_JUMP: Final = 1.22
_CJK: Final = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
_GOES_ON: Final = re.compile(r"^(?:[a-z(（\[,;/&+–-]|and\b|or\b|of\b|per\b|[，；、）)])")
_OPEN: Final = re.compile(r"[（(][^）)]*$|[,、，/&+–-]$|\b(?:and|or|of|the|per|to|for|a|in|from|with)$", re.IGNORECASE)
_HEADER_LINES: Final = 3
_BLANK: Final = 0.4  # of the letter size: a common blank is narrower


@dataclass(frozen=True, slots=True)
class Word:
    """One word with its box from the top left."""

    text: str
    box: Box

    @property
    def height(self) -> float:
        """The height of the line, from which gaps are judged."""
        return self.box[3] - self.box[1]


Line = tuple[tuple[Word, ...], ...]  # pieces from the left, each a run of words


@dataclass(frozen=True, slots=True)
class Slot:
    """The words of a cell; `first` … `last` are the columns that it covers."""

    text: str
    box: Box
    first: int
    last: int


def width_of(text: str) -> int:
    """Width in columns of a terminal: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def glued(first: str, second: str) -> str:
    """Two lines of one text: no blank between Chinese characters."""
    if not first or not second:
        return first or second
    return first + ("" if _CJK.match(first[-1]) and _CJK.match(second[0]) else " ") + second


def _around(boxes: Sequence[Box]) -> Box:
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _slot(words: Sequence[Word], first: int, last: int) -> Slot:
    return Slot(" ".join(w.text for w in words), _around([w.box for w in words]), first, last)


def _covered(x0: float, x1: float, spans: Sequence[Span]) -> list[int]:
    return [i for i, (a, b) in enumerate(spans) if min(b, x1) - max(a, x0) > 0]


def _parted(piece: Sequence[Word], spans: Sequence[Span]) -> list[list[Word]]:
    """A piece over several columns is parted where a blank of it lies in the gutter between two of them."""
    parts: list[list[Word]] = [[piece[0]]]
    for word in piece[1:]:
        left, right = parts[-1][-1].box[2], word.box[0]
        wide = right - left > _BLANK * word.height
        if wide and any(a[0] <= left <= b[0] and a[1] <= right <= b[1] for a, b in pairwise(spans)):
            parts.append([word])
        else:
            parts[-1].append(word)
    return parts


def slots_of(line: Line, spans: Sequence[Span]) -> list[Slot] | None:
    """The cells of one line; None when two pieces meet in one column or one lies beside all columns."""
    slots: list[Slot] = []
    for piece in line:
        over = _covered(piece[0].box[0], piece[-1].box[2], spans)
        for words in _parted(piece, spans) if len(over) > 1 < len(line) else [list(piece)]:
            hit = _covered(words[0].box[0], words[-1].box[2], spans) or _nearest(words, spans)
            if not hit:
                return None
            if slots and slots[-1].last >= hit[0]:
                if slots[-1].first == slots[-1].last == hit[0] and len(hit) == 1:
                    both, more = slots.pop(), _slot(words, 0, 0)
                    slots.append(replace(both, text=f"{both.text} {more.text}", box=_around([both.box, more.box])))
                    continue
                return None
            slots.append(_slot(words, hit[0], hit[-1]))
    return slots


def _nearest(words: Sequence[Word], spans: Sequence[Span]) -> list[int]:
    """The column beside which a piece lies, when it is near."""
    x0, x1 = words[0].box[0], words[-1].box[2]
    distance, index = min((max(a - x1, x0 - b), i) for i, (a, b) in enumerate(spans))
    return [index] if distance < 3 * words[0].height else []


def rows_of(
    lines: Sequence[Line], spans: Sequence[Span], *, header: bool, ruled: bool = False
) -> tuple[tuple[Slot | None, ...], ...]:
    """The logical rows of the lines; with `header` the first lines may head several columns at once.

    `ruled` says that the spans are the true places of the columns and not only those of the words in them.
    """
    held = [slots_of(line, spans) or [_slot([w for p in line for w in p], 0, 0)] for line in lines]
    if header and len(held) > 1:
        held[0] = _grouped(held[0], held[1])
    middles = [median((w.box[1] + w.box[3]) / 2 for p in line for w in p) for line in lines]
    bands = _bands(held, middles)
    if bands is None:
        bands = _by_words(held)
    rows = [_row([held[i] for i in band], len(spans)) for band in bands]
    _centred(rows, spans, ruled=ruled)
    return tuple(_spread(row, len(spans), heading=header and n < _HEADER_LINES) for n, row in enumerate(rows))


def _grouped(slots: list[Slot], below: list[Slot]) -> list[Slot]:
    """Headings of the first line reach over the columns that only the next line heads, when they stand over their
    middle."""
    leaves = {s.first: s for s in below if s.first == s.last}
    free = set(leaves) - {c for s in slots for c in range(s.first, s.last + 1)}
    return [_reaching(slot, leaves, free) for slot in slots]


def _reaching(slot: Slot, leaves: dict[int, Slot], free: set[int]) -> Slot:
    first, last = slot.first, slot.last
    while first - 1 in free:
        first -= 1
    while last + 1 in free:
        last += 1
    held = [
        (a, b)
        for a in range(first, slot.first + 1)
        for b in range(slot.last, last + 1)
        if b > a and all(c in leaves for c in range(a, b + 1))
    ]
    middle = _middle(slot.box)

    def off(reach: tuple[int, int]) -> float:
        return abs((leaves[reach[0]].box[0] + leaves[reach[1]].box[2]) / 2 - middle)

    best = min(held, key=off, default=None)
    height = slot.box[3] - slot.box[1]
    if best is None or off(best) > height:
        return slot
    own = leaves.get(slot.first)
    if own is not None and abs(_middle(own.box) - middle) <= off(best) and not _heads_more(slot, own):
        return slot  # the first line of its own heading
    return replace(slot, first=best[0], last=best[1])


def _heads_more(slot: Slot, leaf: Slot) -> bool:
    """A heading much wider than the one below it, which begins anew."""
    wider = slot.box[2] - slot.box[0] > 1.5 * (leaf.box[2] - leaf.box[0])
    return wider and (leaf.text[:1].isupper() or leaf.text[:1].isdigit())


def _middle(box: Box) -> float:
    return (box[0] + box[2]) / 2


def _centred(rows: list[list[Slot | None]], spans: Sequence[Span], *, ruled: bool) -> None:
    """In columns of centred words, words in the middle of several columns, beside empty places, are said of all."""
    middles = [_typical(rows, c) for c in range(len(spans))]
    for row in rows[0 if ruled else 1 :]:
        for column, slot in enumerate(row):
            if slot is None or column == 0 or slot.first != column:
                continue
            reach = _reach(row, slot, spans, middles, ruled=ruled)
            if reach != (slot.first, slot.last):
                wide = replace(slot, first=reach[0], last=reach[1])
                row[column] = None
                row[reach[0]] = wide


def _typical(rows: Sequence[Sequence[Slot | None]], column: int) -> float | None:
    """The middle over which the words of a column stand; None when they are not centred or too few tell."""
    own = [(_middle(s.box), s.box) for r in rows if (s := r[column]) and s.first == s.last == column]
    if len(own) < 2:  # noqa: PLR2004
        return None
    middle = median(m for m, _ in own)
    near = sum(abs(m - middle) < 0.3 * (box[3] - box[1]) for m, box in own)
    return middle if near * 2 > len(own) else None


def _reach(
    row: Sequence[Slot | None], slot: Slot, spans: Sequence[Span], middles: Sequence[float | None], *, ruled: bool
) -> tuple[int, int]:
    """The columns over whose common middle a cell stands; its own when it stands over the middle of its own."""
    height = slot.box[3] - slot.box[1]
    best = own = (slot.first, slot.last)
    off = abs(_middle(slot.box) - _between(own, spans, middles, ruled=ruled))
    if off < height:
        return own
    for first in range(1, slot.first + 1):
        for last in range(slot.last, len(spans)):
            around = [c for c in range(first, last + 1) if c != slot.first]
            free = all(row[c] is None for c in around) and all(middles[c] is not None for c in (first, last))
            distance = abs(_middle(slot.box) - _between((first, last), spans, middles, ruled=ruled))
            if free and (ruled or last - first == 1) and distance < min(off / 3, 0.6 * height):
                best, off = (first, last), distance * 3
    return best


def _between(reach: tuple[int, int], spans: Sequence[Span], middles: Sequence[float | None], *, ruled: bool) -> float:
    left, right = middles[reach[0]], middles[reach[1]]
    if ruled or left is None or right is None:
        return (spans[reach[0]][0] + spans[reach[1]][1]) / 2
    return (left + right) / 2


def _bands(held: Sequence[Sequence[Slot]], middles: Sequence[float]) -> list[list[int]] | None:
    """Rows by distance: lines of one row stand closer than rows do. None when distances do not tell."""
    steps = [b - a for a, b in pairwise(middles)]
    ordered = sorted(steps)
    for low, high in pairwise(ordered):
        if low > 0 and high > _JUMP * low:
            bands = [[0]]
            for index, step in enumerate(steps, start=1):
                if step <= low * 1.001:
                    bands[-1].append(index)
                else:
                    bands.append([index])
            joined = [b for b in bands if len(b) > 1]
            sound = sum(_sound([held[i] for i in b]) for b in joined)
            if joined and sound >= 0.8 * len(joined):
                return bands
            return None
    return None


def _sound(lines: Sequence[Sequence[Slot]]) -> bool:
    """Whether lines can be one row: some column beside the wrapped ones is said in one line only."""
    counts: dict[int, int] = {}
    for line in lines:
        for slot in line:
            counts[slot.first] = counts.get(slot.first, 0) + 1
    return len(counts) > 1 and min(counts.values()) == 1


def _by_words(held: Sequence[Sequence[Slot]]) -> list[list[int]]:
    """Rows by their words: a line without a label, or whose label goes on, belongs to the line above it."""
    bands: list[list[int]] = []
    for index, line in enumerate(held):
        above = [s for i in bands[-1] for s in held[i]] if bands else []
        if bands and _continues(above, held[bands[-1][-1]], line):
            bands[-1].append(index)
        else:
            bands.append([index])
    return bands


def _continues(row: Sequence[Slot], last: Sequence[Slot], line: Sequence[Slot]) -> bool:
    label = next((s for s in line if s.first == 0), None)
    filled = {s.first for s in row}
    if label is None:
        return 0 in filled and len(line) * 2 <= len(filled) + 1 and {s.first for s in line} <= filled
    above = next((s for s in reversed(row) if s.first == 0), None)
    if above is None:
        return False
    goes_on = bool(_GOES_ON.match(label.text)) or bool(_OPEN.search(above.text))
    alone = len(line) == 1 or (len(row) == 1 and len(last) == 1)
    return goes_on and alone


def _row(lines: Sequence[Sequence[Slot]], width: int) -> list[Slot | None]:
    """The cells of one row: what stands in a column is joined from the top."""
    cells: list[Slot | None] = [None] * width
    for line in lines:
        for slot in line:
            old = cells[slot.first]
            cells[slot.first] = slot if old is None else Slot(
                glued(old.text, slot.text), _around([old.box, slot.box]), old.first, max(old.last, slot.last)
            )  # fmt: skip
    return cells


def _spread(row: list[Slot | None], width: int, *, heading: bool) -> tuple[Slot | None, ...]:
    """A cell over several columns stands in each of them; a long label stays in its own."""
    slots = [s for s in row if s is not None]
    for slot in slots:
        reach = slot.last if (heading and len(slots) > 1) or slot.first > 0 else slot.first
        for column in range(slot.first + 1, min(reach, width - 1) + 1):
            if row[column] is None:
                row[column] = slot
    return tuple(row)
