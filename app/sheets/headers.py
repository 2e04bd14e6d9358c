"""Where the heading of a table stands: one row or several, above sub-headings, below lines that speak of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.sheets.document import text_in
from app.sheets.folding import fold
from app.sheets.labels import role_of, valued

if TYPE_CHECKING:
    from app.sheets.document import Cell, Table

_COLUMN_ROLES: Final = frozenset(
    {"label", "unit", "requirement", "response", "deviation", "remark", "observed", "target"}
)
_DEPTH: Final = 2
_SEARCHED: Final = 8
_PAIR: Final = 2


def text_at(table: Table, row: int, column: int) -> str:
    """The words of a place, empty for none."""
    return text_in(table.rows[row], column)


def distinct(table: Table, row: int) -> list[Cell]:
    """The cells of a row that say something, merged copies left out."""
    seen: list[Cell] = []
    for cell in table.rows[row]:
        if cell and cell.text.strip() and not (cell.merged and any(c.text == cell.text for c in seen)):
            seen.append(cell)
    return seen


def names_owner(text: str) -> bool:
    """Whether a heading names vendors or products."""
    return role_of(text) in {"vendor", "product"}


def hangs(table: Table, above: int, row: int) -> bool:
    """Whether a cell of the row above reaches down into this row: both are one heading."""
    upper = {c.place for c in table.rows[above] if c}
    return any(c and c.merged and c.place in upper for c in table.rows[row]) and not all(
        c is None or c.merged for c in table.rows[row]
    )


def is_heading(table: Table, row: int, column: int) -> bool:
    """Whether a row heads the columns: it names roles, or several names without figures."""
    others = [c.text for i, c in enumerate(table.rows[row]) if c and i != column and c.text.strip()]
    if role_of(text_at(table, row, column)) == "label" or (others and all(role_of(t) for t in others)):
        return True
    return len(set(others)) > 1 and not any(_figure(t) for t in others)


def _figure(text: str) -> bool:
    """A value; a name such as 霞光40G, with its figure at the end of a word, is none."""
    folded = fold(text)
    return folded.strip().isdigit() or (valued(folded) and (folded[:1].isdigit() or not folded[:1].isalpha()))


def _by_role(table: Table, row: int, column: int) -> bool:
    """A heading beyond doubt: its words are those of headings."""
    roles = [role_of(c.text) for c in distinct(table, row)]
    known = sum(r in _COLUMN_ROLES for r in roles)
    return known >= _PAIR or (known == 1 and role_of(text_at(table, row, column)) == "label" and len(roles) > 1)


def find_header(table: Table, rows: list[int], labels: list[int], column: int) -> tuple[list[int], int]:
    """The rows of the heading, and where the body starts (an index into `rows`).

    `labels` are the indexes whose label cell names a metric. Sub-headings and rows of names between the heading and
    the first label belong to the body.
    """
    at = _header_index(table, rows, labels, column)
    if at is None:
        return [], 0
    top = at
    while top > 0 and at - top < _DEPTH and hangs(table, rows[top - 1], rows[top]):
        top -= 1
    end = at + 1
    while (
        end < len(rows) and end not in labels and end - top <= _DEPTH
        and hangs(table, rows[end - 1], rows[end]) and not names_owner(text_at(table, rows[end], column))
    ):  # fmt: skip
        end += 1
    return rows[top:end], end


def _header_index(table: Table, rows: list[int], labels: list[int], column: int) -> int | None:
    for at in range(min(_SEARCHED, len(rows))):
        if at not in labels and _by_role(table, rows[at], column) and sum(i > at for i in labels) * 2 >= len(labels):
            return at
    names: list[int] = []
    for at in range(labels[0] - 1, -1, -1):
        cells = distinct(table, rows[at])
        if len(cells) == 1:
            continue
        if names_owner(text_at(table, rows[at], column)):
            names.append(at)
            continue
        return at if is_heading(table, rows[at], column) else _owners(table, rows, names)
    return _owners(table, rows, names)


def _owners(table: Table, rows: list[int], names: list[int]) -> int | None:
    """A row of names heads the columns when it has more than one name and nothing stands above it."""
    wide = [at for at in names if len(distinct(table, rows[at])) > _PAIR]
    return min(wide) if wide else None
