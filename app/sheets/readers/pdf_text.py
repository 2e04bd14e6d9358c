"""Text of a PDF page in reading order, by pdfium: lines with boxes, without slanted and invisible characters."""

from __future__ import annotations

import ctypes
import math
import sys
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import pypdfium2.raw as pdfium

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pypdfium2

    from app.sheets.document import Box

_SLANT: Final = math.radians(3)
_WHITE: Final = 245
_TINY: Final = 2.0
_INVISIBLE_MODE: Final = 3
_RAISED: Final = 0.8
SUPERSCRIPT: Final = str.maketrans("0123456789-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻")
_BOLD: Final = 600
_LIGATURES: Final = "ft"  # an ff or tt glyph gives two characters in one box


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyph:
    """One character: box from the top left, size, and whether a reader can see it."""

    text: str
    box: Box
    size: float
    bold: bool = False
    generated: bool = False
    hidden: bool = False
    slanted: bool = False
    mode: int = 0


@dataclass(slots=True)
class Line:
    """One line of text with its box; `table` is the index of the table it stands in, if any."""

    text: str
    box: Box
    size: float
    bold: bool
    table: int | None = None


@dataclass(slots=True)
class PageText:
    """The visible characters of a page in reading order, and what was left out of them."""

    glyphs: list[Glyph] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    slanted: str = ""
    visible: int = 0
    doubled: bool = False
    invisible_layer: bool = False


def _glyph(page: object, index: int, height: float, dark: Sequence[Box]) -> Glyph:
    code = pdfium.FPDFText_GetUnicode(page, index)
    text = chr(code) if 0 < code <= sys.maxunicode and unicodedata.category(chr(code)) != "Cs" else "\ufffd"
    area = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(page, index, area)
    box = (area.left, height - area.top, area.right, height - area.bottom)
    if pdfium.FPDFText_IsGenerated(page, index) == 1:
        return Glyph(text=text, box=box, size=0.0, generated=True)
    size = pdfium.FPDFText_GetFontSize(page, index)
    angle = pdfium.FPDFText_GetCharAngle(page, index)
    slanted = min(angle % (2 * math.pi), 2 * math.pi - angle % (2 * math.pi)) > _SLANT
    mode = pdfium.FPDFTextObj_GetTextRenderMode(pdfium.FPDFText_GetTextObject(page, index))
    hidden = mode == _INVISIBLE_MODE or _unseen(page, index, box, dark)
    bold = pdfium.FPDFText_GetFontWeight(page, index) >= _BOLD
    return Glyph(text=text, box=box, size=size, bold=bold, hidden=hidden, slanted=slanted, mode=mode)


def _unseen(page: object, index: int, box: Box, dark: Sequence[Box]) -> bool:
    """White on white, fully transparent, or too small to see."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    pdfium.FPDFText_GetFillColor(page, index, red, green, blue, alpha)
    white = min(red.value, green.value, blue.value) >= _WHITE
    if alpha.value == 0 or 0 < box[3] - box[1] < _TINY:
        return True
    return white and not any(inside(box, d) for d in dark)


def inside(box: Box, area: Box) -> bool:
    """Whether the centre of a box lies in an area."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return area[0] - 1 <= x <= area[2] + 1 and area[1] - 1 <= y <= area[3] + 1


def _superscripts(glyphs: list[Glyph]) -> list[Glyph]:
    """A small raised figure after "10" is an exponent, whatever the font says."""
    result: list[Glyph] = []
    base: Glyph | None = None
    for glyph in glyphs:
        if base is not None and _raised(glyph, base):
            text = glyph.text.translate(SUPERSCRIPT)
            result.append(Glyph(text=text, box=glyph.box, size=base.size, bold=glyph.bold))
            continue
        if not glyph.generated:
            base = glyph
        result.append(glyph)
    return result


def _raised(glyph: Glyph, base: Glyph) -> bool:
    smaller = not glyph.generated and glyph.size < base.size * _RAISED
    return smaller and glyph.box[3] < base.box[3] - 0.12 * base.size and glyph.text in "0123456789-−–"


def page_text(page: pypdfium2.PdfPage, dark: Sequence[Box]) -> PageText:
    """The characters of a page; `dark` are the areas on which white letters can be seen."""
    text_page = page.get_textpage()
    height = page.get_height()
    glyphs = [_glyph(text_page, i, height, dark) for i in range(text_page.count_chars())]
    text_page.close()
    result = PageText()
    drawn = [g for g in glyphs if not g.generated and g.text.strip()]
    result.slanted = "".join(g.text for g in drawn if g.slanted)[:200]
    result.visible = sum(not g.hidden and not g.slanted for g in drawn)
    modes = Counter(g.mode == _INVISIBLE_MODE for g in drawn)
    result.invisible_layer = modes[True] > max(20, modes[False] * 4)
    result.hidden = _runs([g for g in glyphs if not g.slanted])
    kept = _superscripts([g for g in glyphs if not g.hidden and not g.slanted])
    result.glyphs = _folded(kept)
    result.doubled = len(kept) - len(result.glyphs) > max(4, len(kept) // 50)
    return result


def _runs(glyphs: list[Glyph]) -> list[str]:
    """Hidden characters as words."""
    runs, current = [], ""
    for glyph in glyphs:
        if glyph.hidden and not glyph.generated:
            current += glyph.text
        elif current.strip():
            runs.append(current.strip())
            current = ""
    return [*runs, current.strip()] if current.strip() else runs


def _folded(glyphs: list[Glyph]) -> list[Glyph]:
    """Characters drawn twice at one place (bold by double drawing) once."""
    result: list[Glyph] = []
    for glyph in glyphs:
        if not any(_twin(glyph, g) for g in result[-4:]):
            result.append(glyph)
    return result


def _twin(glyph: Glyph, other: Glyph) -> bool:
    """The same character drawn again at (almost) the same place."""
    if glyph.generated or other.generated or not glyph.text.strip() or glyph.text != other.text:
        return False
    if glyph.text in _LIGATURES and glyph.box == other.box:
        return False
    return abs(other.box[0] - glyph.box[0]) < 0.12 * max(glyph.size, 4) and abs(other.box[1] - glyph.box[1]) < 1


def text_lines(glyphs: list[Glyph], tables: Sequence[Box]) -> list[Line]:
    """Lines of text; characters inside a table keep its index so that it can be put in its place."""
    lines: list[Line] = []
    current: list[Glyph] = []
    where: int | None = None
    for glyph in glyphs:
        if glyph.text in "\r\n" and glyph.text:
            _close(current, where, lines)
            current = []
            continue
        table = where if glyph.generated else next((i for i, t in enumerate(tables) if inside(glyph.box, t)), None)
        if current and table != where:
            _close(current, where, lines)
            current = []
        where = table
        current.append(glyph)
    _close(current, where, lines)
    return lines


def _close(glyphs: list[Glyph], table: int | None, lines: list[Line]) -> None:
    text = "".join(g.text for g in glyphs).replace("\ufffe", "-").replace("\u0002", "-")
    drawn = [g for g in glyphs if not g.generated and g.text.strip()]
    if not drawn:
        return
    box = (
        min(g.box[0] for g in drawn), min(g.box[1] for g in drawn),
        max(g.box[2] for g in drawn), max(g.box[3] for g in drawn),
    )  # fmt: skip
    size = Counter(round(g.size, 1) for g in drawn).most_common(1)[0][0]
    bold = sum(g.bold for g in drawn) * 2 > len(drawn)
    lines.append(Line(text=text.strip(), box=box, size=size, bold=bold, table=table))


def joined(glyphs: list[Glyph]) -> str:
    """Characters of one cell as text: a blank where they stand apart, a line break where a new line begins."""
    parts: list[str] = []
    last: Glyph | None = None
    for glyph in glyphs:
        if glyph.generated or not glyph.text.strip():
            if parts and parts[-1] not in " \n":
                parts.append(" ")
            continue
        if last is not None and glyph.box[1] > (last.box[1] + last.box[3]) / 2 and glyph.box[0] < last.box[2]:
            if parts and parts[-1] == " ":
                parts.pop()
            parts.append("\n")
        elif last is not None and parts[-1] not in " \n" and glyph.box[0] - last.box[2] > 0.6 * last.size:
            parts.append(" ")
        parts.append(glyph.text)
        last = glyph
    return "".join(parts).strip()
