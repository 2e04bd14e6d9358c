"""CSV: delimiter by consistency, one table."""

from __future__ import annotations

import csv
import io
from typing import Final

from app.sheets.codes import notice
from app.sheets.document import Cell, Document, Place, Table
from app.sheets.readers.encoding import decode

_DELIMITERS: Final = (",", "\t", ";", "|")
MAX_CELLS: Final = 200_000


def _rows(text: str, delimiter: str) -> list[list[str]]:
    csv.field_size_limit(1 << 20)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:
        return []


def delimiter_of(text: str) -> str:
    """The delimiter that gives most rows the same width of two or more."""
    sample = text[:65536]

    def score(delimiter: str) -> tuple[int, int]:
        widths = [len(r) for r in _rows(sample, delimiter) if any(c.strip() for c in r)]
        common = max(set(widths), key=widths.count) if widths else 0
        return (widths.count(common) if common > 1 else 0, common)

    return max(_DELIMITERS, key=score)


def read(data: bytes) -> Document:
    """The document of a CSV file."""
    text, encoding = decode(data)
    rows = _rows(text, delimiter_of(text))
    width = max((len(r) for r in rows), default=0)
    notices = [notice("encoding", encoding=encoding)] if encoding != "UTF-8" else []
    limit = MAX_CELLS // max(1, width)
    if len(rows) > limit:
        notices.append(notice("rows_unread", sheet="CSV", row=limit, count=(len(rows) - limit) * width))
    grid = tuple(
        tuple(
            Cell(text=value.strip(), place=Place(table=1, row=r, column=c)) if value.strip() else None
            for c, value in enumerate((*row, *[""] * (width - len(row))), start=1)
        )
        for r, row in enumerate(rows[:limit], start=1)
    )
    return Document(kind="csv", blocks=(Table(rows=grid),), notices=tuple(notices), partial=len(rows) > limit)
