"""XLSX: visible cells with true letters, merged cells, number formats, formulas; hidden ones become notices."""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING, Final

import openpyxl
from openpyxl.cell.rich_text import CellRichText
from openpyxl.utils import get_column_letter

from app.sheets.codes import Refused, notice
from app.sheets.document import Cell, Document, Paragraph, Place, Table
from app.sheets.readers.questionnaire_book import answers, version_of
from app.sheets.readers.xlsx_text import shown_text

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell as XlsxCell
    from openpyxl.cell.cell import MergedCell
    from openpyxl.worksheet.worksheet import Worksheet

    from app.domain.problems import Notice
    from app.domain.remarks import Remark
    from app.sheets.document import Block

MAX_CELLS: Final = 200_000
MAX_WIDTH: Final = 500
_MAX_HIDDEN = 50
_GAP = 2
_EXTERNAL: Final = re.compile(r"\[[^\]]+\][^!]*!")


class _Sheet:
    """One worksheet while it is read."""

    def __init__(self, sheet: Worksheet, values: Worksheet | None) -> None:
        self.sheet = sheet
        self.values = values
        self.title = sheet.title
        self.notices: list[Notice] = []
        self.hidden_sheet = sheet.sheet_state != "visible"
        self.hidden_rows = {r for r, d in sheet.row_dimensions.items() if d.hidden or d.height == 0}
        self.hidden_columns = _hidden_columns(sheet)
        self.cells: dict[tuple[int, int], Cell] = {}
        self.hidden: list[tuple[str, str]] = []

    def read(self) -> list[Table]:
        """The tables of the sheet, cut at gaps of two or more blank rows."""
        filled = sorted(
            (at for at, c in self.sheet._cells.items() if c.value is not None),  # noqa: SLF001 - iter_rows walks the whole used range, which may be a million formatted rows
        )
        if len(filled) > MAX_CELLS:
            self.notices.append(
                notice("rows_unread", sheet=self.title, row=filled[MAX_CELLS][0], count=len(filled) - MAX_CELLS)
            )
            filled = filled[:MAX_CELLS]
        for at in filled:
            self._cell(*at)
        self._merge()
        self._report()
        return _tables(self.cells)

    def _cell(self, row: int, column: int) -> None:
        source = self.sheet.cell(row, column)
        address = f"{get_column_letter(column)}{row}"
        if source.comment and any(c.isdigit() for c in source.comment.text):
            self.notices.append(
                notice("comment_not_read", place=f"{self.title}!{address}", quote=source.comment.text[:200])
            )
        value, note, doubt = self._value(source, address)
        if value is None:
            return
        text, struck = shown_text(value, source)
        place = Place(sheet=self.title, cell=address, row=row, column=column)
        if struck:
            self.hidden.append((address, struck))
        if not text.strip():
            return
        if self.hidden_sheet or row in self.hidden_rows or column in self.hidden_columns or _invisible(source):
            self.hidden.append((address, text))
            return
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        self.cells[row, column] = Cell(text=text, place=place, number=number, note=note, doubt=doubt)

    def _value(self, source: XlsxCell | MergedCell, address: str) -> tuple[object, Remark, bool]:
        """The value to read: for a formula its cached value, or nothing and a notice."""
        value = source.value
        formula = value if isinstance(value, str) and source.data_type == "f" else getattr(value, "text", None)
        if formula is None or isinstance(value, CellRichText):
            return (None if source.data_type == "e" else value), (), False
        cached = self.values[address].value if self.values is not None else None
        spot = f"{self.title}!{address}"
        if cached is None or (isinstance(cached, str) and cached.startswith("#")):
            self.notices.append(notice("not_calculated", place=spot, quote=str(formula)[:200]))
            return None, (), False
        if _EXTERNAL.search(str(formula)):
            self.notices.append(notice("cached_from_another_workbook", place=spot, quote=f"{cached} {formula}"[:200]))
            return cached, ("other_workbook", str(formula)[:200]), True
        return cached, ("formula", str(formula)[:200]), False

    def _merge(self) -> None:
        """A merged cell stands in every visible place it covers."""
        for area in self.sheet.merged_cells.ranges:
            anchor = self.cells.get((area.min_row, area.min_col))
            if anchor is None or area.size["rows"] * area.size["columns"] > MAX_CELLS:
                continue
            for row in range(area.min_row, area.max_row + 1):
                for column in range(area.min_col, min(area.max_col, area.min_col + MAX_WIDTH) + 1):
                    if (
                        (row, column) != (area.min_row, area.min_col)
                        and column not in self.hidden_columns
                        and row not in self.hidden_rows
                    ):
                        self.cells[row, column] = Cell(
                            text=anchor.text,
                            place=anchor.place,
                            number=anchor.number,
                            merged=True,
                            note=anchor.note,
                            doubt=anchor.doubt,
                        )

    def _report(self) -> None:
        for address, text in self.hidden[:_MAX_HIDDEN]:
            self.notices.append(notice("hidden_value", place=f"{self.title}!{address}", quote=text[:200]))
        if len(self.hidden) > _MAX_HIDDEN:
            self.notices.append(notice("hidden_more", count=len(self.hidden) - _MAX_HIDDEN))


def _hidden_columns(sheet: Worksheet) -> set[int]:
    hidden: set[int] = set()
    for dimension in sheet.column_dimensions.values():
        if dimension.hidden or dimension.width == 0:
            first = dimension.min or 1
            hidden.update(range(first, min(dimension.max or first, 16384) + 1))
    return hidden


def _invisible(cell: XlsxCell | MergedCell) -> bool:
    """White letters on no fill, or a number format that shows nothing."""
    if cell.number_format.replace('"', "").strip() in {";;;", ";;"}:
        return True
    color = cell.font.color.rgb if cell.font.color is not None and cell.font.color.type == "rgb" else None
    filled = cell.fill.fill_type not in {None, "none"}
    return isinstance(color, str) and color.upper().endswith("FFFFFF") and not filled


def _tables(cells: dict[tuple[int, int], Cell]) -> list[Table]:
    """Blocks of rows; a gap of two blank rows starts a new one, so does one blank row before a new heading."""
    if not cells:
        return []
    rows = sorted({r for r, _ in cells})
    blocks: list[list[int]] = [[rows[0]]]
    for row in rows[1:]:
        if row - blocks[-1][-1] > _GAP:
            blocks.append([row])
        else:
            blocks[-1].append(row)
    first = min(c for _, c in cells)
    last = min(max(c for _, c in cells), first + MAX_WIDTH)
    return [
        Table(rows=tuple(tuple(cells.get((r, c)) for c in range(first, last + 1)) for r in block), number=n)
        for n, block in enumerate(blocks, start=1)
    ]


def open_workbook(data: bytes, *, values: bool) -> openpyxl.Workbook:
    """The workbook, with formulas or with their cached values; raises `Refused` when it cannot be opened."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return openpyxl.load_workbook(io.BytesIO(data), data_only=values, rich_text=not values, keep_links=False)
        except (KeyError, ValueError, TypeError, OSError, AttributeError, IndexError, EOFError) as error:
            raise Refused("ZIP_MALFORMED") from error


def _has_formulas(book: openpyxl.Workbook) -> bool:
    return any(c.data_type == "f" for s in book.worksheets for c in s._cells.values())  # noqa: SLF001 - see `_Sheet.read`


def workbooks(data: bytes) -> tuple[openpyxl.Workbook, openpyxl.Workbook | None]:
    """The workbook with its formulas, and with their cached values when it has formulas."""
    book = open_workbook(data, values=False)
    return book, open_workbook(data, values=True) if _has_formulas(book) else None


def read(data: bytes) -> Document:
    """The document of a workbook; hidden sheets give notices only. Our own questionnaire gives its answers."""
    book, cached = workbooks(data)
    if version_of(book) is not None:
        columns, said = answers(book, cached)
        return Document(kind="questionnaire", blocks=(), pages=1, notices=tuple(said), answers=tuple(columns))
    blocks: list[Block] = []
    notices: list[Notice] = []
    for sheet in book.worksheets:
        reading = _Sheet(sheet, cached[sheet.title] if cached is not None else None)
        tables = reading.read()
        notices += reading.notices
        if tables and blocks:
            blocks.append(Paragraph(text="", place=Place(sheet=sheet.title), heading=True))
        blocks += tables
    partial = any(n.code == "rows_unread" for n in notices)
    return Document(
        kind="xlsx", blocks=tuple(blocks), pages=len(book.worksheets), notices=tuple(notices), partial=partial
    )
