"""What a person sees in a spreadsheet cell: number formats, rich text, struck-through words."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from openpyxl.cell.rich_text import CellRichText, TextBlock

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell as XlsxCell
    from openpyxl.cell.cell import MergedCell

_CURRENCY: Final = re.compile(r'\[\$([^\-\]]*)[^\]]*\]|"([^"]{1,6})"|([¥￥$€£])')


def _rich(value: CellRichText) -> tuple[str, str]:
    """The visible text and the struck-through text of a cell with mixed formats; raised figures become powers."""
    shown, struck = [], []
    for part in value:
        if not isinstance(part, TextBlock):
            shown.append(part)
        elif part.font.strike:
            struck.append(part.text)
        elif part.font.vertAlign == "superscript":
            shown.append(part.text.translate(str.maketrans("0123456789-+−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁻")))
        else:
            shown.append(part.text)
    return "".join(shown), "".join(struck)


def shown_text(value: object, cell: XlsxCell | MergedCell) -> tuple[str, str]:
    """What a person sees in the cell, and what is struck through."""
    if isinstance(value, CellRichText):
        return _rich(value)
    text = (
        _number(value, cell.number_format)
        if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
        else _plain(value)
    )
    return ("", text) if cell.font.strike else (text, "")


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat(sep=" ")
    if isinstance(value, dt.time):
        return f"{value.hour}:{value.minute:02}"
    return str(value)


def _number(value: float | Decimal, number_format: str) -> str:
    try:
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    except InvalidOperation:
        return ""
    if not number.is_finite():
        return ""
    plain = re.sub(r'"[^"]*"|\\.|\[[^\]]*\]', "", number_format)
    if "%" in plain:
        return f"{_short(number * 100)}%"
    if "‰" in plain:
        return f"{_short(number * 1000)}‰"
    match = _CURRENCY.search(number_format)
    symbol = next((g for g in match.groups() if g), "") if match else ""
    return (
        f"{symbol}{' ' if symbol.isalpha() and symbol.isascii() else ''}{_short(number)}"
        if symbol and _before(number_format, symbol)
        else f"{_short(number)}{symbol}"
    )


def _before(number_format: str, symbol: str) -> bool:
    digit = next((i for i, c in enumerate(number_format) if c in "0#"), len(number_format))
    return number_format.find(symbol) < digit


def _short(number: Decimal) -> str:
    text = f"{number.normalize():f}"
    return "0" if text in {"-0", ""} else text
