"""Lines that run along the pages of a PDF: heads, feet and page numbers are no content and cut no table in two."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from app.sheets.readers.pdf_text import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pypdfium2

    from app.sheets.readers.pdf_text import Glyph, Line

_MARGIN: Final = 0.13  # of the height of a page
_CELLS: Final = 3
_MAX_PAGES: Final = 60  # later pages look like these
_NUMBER: Final = re.compile(
    r"^[-–—·\s]*(?:(?:page|p\.|pg\.?|sheet|seite|第)\s*)?\d{1,3}\s*页?\s*(?:(?:/|of|von|[，,]?\s*共)\s*\d{1,3}\s*页?)?[-–—·\s]*$",
    re.IGNORECASE,
)


def alike(text: str, page: int, pages: int) -> str:
    """A line as it comes again on the next page: without blanks, its page number and their count as one sign."""
    numbers = rf"(?<![\d.,]){page}(?![\d.,])|(?<![\d.,]){pages}(?![\d.,])"
    return re.sub(r"\s+", "", re.sub(numbers, "#", text)).lower()


def is_page_number(text: str) -> bool:
    """A line that only counts the page: `2`, `Page 2 of 5`, 第 2 页 共 5 页."""
    return bool(_NUMBER.match(text.strip()))


def running_lines(document: pypdfium2.PdfDocument) -> frozenset[str]:
    """The lines, in the form of `alike`, that stand in the margins of two or more and at least a third of the pages."""
    pages = min(len(document), _MAX_PAGES)
    if pages < 2:  # noqa: PLR2004
        return frozenset()
    seen: Counter[str] = Counter()
    for index in range(pages):
        page = document[index]
        text = page.get_textpage()
        width, height = page.get_size()
        band = height * _MARGIN
        margins = (text.get_text_bounded(0, height - band, width, height), text.get_text_bounded(0, 0, width, band))
        lines = (line for margin in margins for line in margin.splitlines() if line.strip())
        seen.update({alike(line, index + 1, len(document)) for line in lines})
        text.close()
        page.close()
    return frozenset(line for line, count in seen.items() if count > 1 and count * 3 >= pages)


def without_running(
    glyphs: Sequence[Glyph], running: frozenset[str], height: float, page: int, pages: int
) -> tuple[list[Glyph], list[Line]]:
    """The characters of a page without its running lines, and those lines."""
    margin = height * _MARGIN
    runs: list[list[Glyph]] = [[]]
    for glyph in glyphs:
        runs[-1].append(glyph)
        if glyph.text in "\r\n" and glyph.text:
            runs.append([])
    framing: dict[int, tuple[Line, bool]] = {}
    for index, run in enumerate(runs):
        lines = text_lines(run, ())
        if len(lines) == 1 and (lines[0].box[3] < margin or lines[0].box[1] > height - margin):
            text = lines[0].text
            framing[index] = (lines[0], is_page_number(text) or alike(text, page, pages) in running)
    left = {i for i, (line, again) in framing.items() if again and _whole(line, framing.values())}
    kept = [g for i, run in enumerate(runs) if i not in left for g in run]
    return kept, [framing[i][0] for i in sorted(left)]


def _whole(line: Line, framing: Iterable[tuple[Line, bool]]) -> bool:
    """Whether everything on the height of a line runs along the pages, and is not a row of many cells."""
    middle = (line.box[1] + line.box[3]) / 2
    beside = [again for other, again in framing if other.box[1] < middle < other.box[3]]
    return all(beside) and len(beside) <= _CELLS
