"""The workbook of the questionnaire: layout, dropdowns and the hidden version marker; and its answers back."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import openpyxl
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties

from app.domain.text import Text
from app.sheets import questionnaire_fields as q
from app.sheets.codes import notice
from app.sheets.document import Cell, Place
from app.sheets.readers.xlsx_text import shown_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from openpyxl.worksheet.worksheet import Worksheet

    from app.domain.problems import Notice
    from app.domain.text import Language
    from app.sheets.questionnaire_fields import Field

MARKER_SHEET: Final = "_linewise"
MARKER: Final = "linewise-questionnaire"
_ID, _LABEL, _UNIT, _FIRST = 1, 2, 3, 4
_TITLE: Final = Text("Linewise 专线报价问卷", "Linewise vendor questionnaire")
_HOW: Final = Text(
    "请在右侧填写，每列一个产品（最多三个）。单位已固定；留空表示未答；不作承诺请选“不承诺”。请勿改动隐藏的列与工作表。",
    "Fill in the columns on the right, one product each (up to three). Units are fixed; blank means no answer; choose "
    "“Not committed” where you do not commit. Leave hidden columns and sheets as they are.",
)  # fmt: skip
_ASKED: Final = Text("采购方要求（仅供参考，请勿填写）", "What the buyer asks (for information, nothing to fill in)")
_ITEM, _UNIT_WORD = Text("项目", "Item"), Text("单位", "Unit")
_COLUMN: Final = Text("产品 {n}", "Product {n}")
_SHEET: Final = Text("问卷", "Questionnaire")
_FIXED: Final = datetime(2026, 1, 1, tzinfo=UTC)
_HEAD = PatternFill("solid", fgColor="1F3A5F")
_BAND = PatternFill("solid", fgColor="E6ECF3")
_OPEN = PatternFill("solid", fgColor="FFFDF2")
_LINE = Side(style="thin", color="C4CBD4")
_BOX = Border(left=_LINE, right=_LINE, top=_LINE, bottom=_LINE)


def write(language: Language, requirement_rows: Sequence[tuple[Text, str]]) -> bytes:
    """The questionnaire in one language; the same input gives the same bytes."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = _SHEET.pick(language)
    marker = book.create_sheet(MARKER_SHEET)
    marker["A1"], marker["B1"], marker["C1"] = MARKER, q.VERSION, language.value
    marker.sheet_state = "hidden"
    lists: dict[tuple[str, ...], str] = {}
    row = _preamble(sheet, language, requirement_rows)
    row = _header(sheet, language, row)
    for section in q.SECTIONS:
        _band(sheet, row, section.title.pick(language))
        row += 1
        for field in section.fields:
            _question(sheet, row, field, language)
            if field.choices:
                _dropdown(
                    sheet, row, field, _list_range(marker, lists, tuple(c.label.pick(language) for c in field.choices))
                )
            row += 1
    _finish(sheet)
    book.properties.created = book.properties.modified = _FIXED.replace(tzinfo=None)
    return _same_bytes(book)


def _preamble(sheet: Worksheet, language: Language, rows: Sequence[tuple[Text, str]]) -> int:
    sheet.cell(1, _LABEL, _TITLE.pick(language)).font = Font(bold=True, size=15)
    sheet.cell(2, _LABEL, _HOW.pick(language)).alignment = Alignment(wrap_text=True, vertical="top")
    sheet.merge_cells(start_row=2, end_row=2, start_column=_LABEL, end_column=_FIRST + q.OFFERS - 1)
    sheet.row_dimensions[2].height = 48
    row = 4
    if rows:
        _band(sheet, row, _ASKED.pick(language))
        for label, value in rows:
            row += 1
            sheet.cell(row, _LABEL, label.pick(language))
            sheet.cell(row, _FIRST, value).data_type = "s"  # never a formula
        row += 2
    return row


def _header(sheet: Worksheet, language: Language, row: int) -> int:
    words = [
        _ITEM.pick(language),
        _UNIT_WORD.pick(language),
        *(_COLUMN.format(n=n).pick(language) for n in range(1, q.OFFERS + 1)),
    ]
    for column, word in enumerate(words, start=_LABEL):
        head = sheet.cell(row, column, word)
        head.font, head.fill, head.border = Font(bold=True, color="FFFFFFFF"), _HEAD, _BOX
    sheet.freeze_panes = sheet.cell(row + 1, _FIRST).coordinate
    return row + 1


def _band(sheet: Worksheet, row: int, title: str) -> None:
    for column in range(_LABEL, _FIRST + q.OFFERS):
        sheet.cell(row, column).fill = _BAND
    sheet.cell(row, _LABEL, title).font = Font(bold=True)


def _question(sheet: Worksheet, row: int, field: Field, language: Language) -> None:
    sheet.cell(row, _ID, field.id)
    label = sheet.cell(row, _LABEL, field.title.pick(language))
    label.border = _BOX
    sheet.cell(row, _UNIT, field.unit.pick(language) if field.unit else "").border = _BOX
    for column in range(_FIRST, _FIRST + q.OFFERS):
        cell = sheet.cell(row, column)
        cell.border, cell.fill, cell.protection = _BOX, _OPEN, Protection(locked=False)
        if field.kind in {"text", "date"}:
            cell.number_format = "@"


def _list_range(marker: Worksheet, lists: dict[tuple[str, ...], str], words: tuple[str, ...]) -> str:
    """The hidden range that holds these words: a list written into the rule itself would break at commas."""
    if words not in lists:
        column = get_column_letter(len(lists) + 5)
        for row, word in enumerate(words, start=1):
            marker[f"{column}{row}"] = word
        lists[words] = f"'{MARKER_SHEET}'!${column}$1:${column}${len(words)}"
    return lists[words]


def _dropdown(sheet: Worksheet, row: int, field: Field, words: str) -> None:
    strict = field.kind in {"choice", "flag"} and field.id != "currency"
    rule = DataValidation(type="list", formula1=words, allow_blank=True, showErrorMessage=strict)
    first = sheet.cell(row, _FIRST).coordinate
    rule.add(f"{first}:{sheet.cell(row, _FIRST + q.OFFERS - 1).coordinate}")
    sheet.add_data_validation(rule)


def _finish(sheet: Worksheet) -> None:
    for letter, width in (("A", 4), ("B", 44), ("C", 22), ("D", 26), ("E", 26), ("F", 26)):
        sheet.column_dimensions[letter].width = width
    sheet.column_dimensions["A"].hidden = True
    sheet.print_title_cols = "B:C"
    sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = "landscape", 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)


def _same_bytes(book: openpyxl.Workbook) -> bytes:
    """The workbook with fixed times in its archive."""
    raw, fixed = io.BytesIO(), io.BytesIO()
    book.save(raw)
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(fixed, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            member = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            data = source.read(name)
            if name == "docProps/core.xml":
                data = _fixed_times(data)
            target.writestr(member, data)
    return fixed.getvalue()


def _fixed_times(data: bytes) -> bytes:
    return re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2026-01-01T00:00:00Z", data)


def version_of(book: openpyxl.Workbook) -> str | None:
    """The version of the questionnaire a workbook is, None for any other workbook."""
    if MARKER_SHEET not in book.sheetnames:
        return None
    marker = book[MARKER_SHEET]
    return str(marker["B1"].value) if marker["A1"].value == MARKER else None


def answers(book: openpyxl.Workbook, values: openpyxl.Workbook | None) -> tuple[list[dict[str, Cell]], list[Notice]]:
    """The answers of each offer column by field id; `values` holds cached results of formulas, if any."""
    columns: list[dict[str, Cell]] = [{} for _ in range(q.OFFERS)]
    notices: list[Notice] = [notice("questionnaire", version=version_of(book))]
    for sheet in book.worksheets:
        if sheet.title == MARKER_SHEET or sheet.sheet_state != "visible":
            continue
        cached = values[sheet.title] if values is not None else None
        for row in range(1, min(sheet.max_row, 5000) + 1):
            field_id = sheet.cell(row, _ID).value
            if not isinstance(field_id, str) or not field_id:
                continue
            if field_id not in q.FIELDS:
                notices.append(notice("unknown_field", place=f"{sheet.title}!A{row}", quote=field_id[:80]))
                continue
            for n in range(q.OFFERS):
                cell = _answer(sheet, cached, row, _FIRST + n, notices)
                if cell is not None:
                    columns[n][field_id] = cell
    return columns, notices


def _answer(sheet: Worksheet, cached: Worksheet | None, row: int, column: int, notices: list[Notice]) -> Cell | None:
    source = sheet.cell(row, column)
    value = source.value
    place = f"{sheet.title}!{source.coordinate}"
    if source.data_type == "f":
        value = cached.cell(row, column).value if cached is not None else None
        if value is None:
            notices.append(notice("not_calculated", place=place, quote=str(source.value)[:200]))
    if value is None:
        return None
    text, struck = shown_text(value, source)
    if struck:
        notices.append(notice("hidden_value", place=place, quote=struck[:200]))
    if not text.strip():
        return None
    return Cell(text=text.strip(), place=Place(sheet=sheet.title, cell=source.coordinate, row=row, column=column))
