"""A document as blocks with their places: what every reader makes and the extractor reads.

Nothing here knows a file format or a metric. Cells keep the words verbatim; a merged cell stands in every
place it covers, with `merged` set on the copies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.problems import Notice
    from app.domain.remarks import Remark

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something stands: sheet and cell, or page, table, row, column and box."""

    page: int | None = None
    sheet: str | None = None
    cell: str | None = None
    table: int | None = None
    row: int | None = None
    column: int | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell: `text` is what a person sees; `number` is True when the program stored a number.

    `note` tells how the text came about (a formula, another workbook); `doubt` marks values that a person
    has to check (cached from another workbook).
    """

    text: str
    place: Place
    number: bool = False
    merged: bool = False
    note: Remark = ()
    doubt: bool = False


Row = tuple[Cell | None, ...]


def cell_in(row: Row, index: int) -> Cell | None:
    """The cell at a place of a row; rows may be shorter than their table."""
    return row[index] if index < len(row) else None


def text_in(row: Row, index: int) -> str:
    """The words at a place of a row, empty for none."""
    cell = cell_in(row, index)
    return cell.text if cell else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A dense grid; None is an empty place.

    `edges` are the left edges of ruled columns, `spans` the places of columns without rules, when known.
    """

    rows: tuple[Row, ...]
    number: int = 1
    edges: tuple[float, ...] = ()
    spans: tuple[tuple[float, float], ...] = ()

    @property
    def width(self) -> int:
        """Number of columns."""
        return max((len(r) for r in self.rows), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One paragraph; `heading` is True for titles and section headings, `level` their depth (1 …) when it is known."""

    text: str
    place: Place
    heading: bool = False
    level: int = 0


Block = Table | Paragraph


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One read file: `kind` is the reader's name, `partial` is True when something was left unread.

    `doubt` is True for a recovered file: every fact needs confirmation.
    `answers` are the answered fields of our own questionnaire, one mapping for each offer column.
    """

    kind: str
    blocks: tuple[Block, ...]
    pages: int | None = None
    notices: tuple[Notice, ...] = field(default=())
    partial: bool = False
    doubt: bool = False
    answers: tuple[dict[str, Cell], ...] = ()
