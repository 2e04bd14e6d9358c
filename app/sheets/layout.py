"""How a table is laid out: which row and column name things, and what each column is for.

Three layouts: `columns` (a metric per column; vendors, products or routes per row), `rows` (a metric per row;
requirement, response, vendors or products per column) and `credits` (a table of credit tiers).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from app.sheets import words
from app.sheets.attributes import attributes_in
from app.sheets.folding import fold, lowered
from app.sheets.headers import distinct, find_header, hangs, names_owner, text_at
from app.sheets.labels import CLEAN, MAX_LABEL, RESPONSE, asked_label, label_of, role_of, valued
from app.sheets.lexicon import Label, labels_in, whole_label
from app.sheets.numbers import figures
from app.sheets.quantities import header_unit

if TYPE_CHECKING:
    from app.sheets.document import Cell, Table

_MEASURE: Final = re.compile(
    r"可用|在线|中断|恢复|修复|时长|availab|uptime|outage|downtime|duration|repair|restore|restoration"
)
_HEADER_ROWS = 6
_ANSWERS: Final = frozenset({"响应", "response", "respond", "responds"})
_PAIR = 2
_BARE_FIGURE: Final = re.compile(r"^[<>=≤≥~约]{0,2} ?[\d.,]+$")
_HEADER_DEPTH = 3
_TERM: Final = re.compile(r"\d+ ?(?:个月|年|-?(?:months?|years?|mo|yr)\b)")
MAX_NAME = 80
_SOLD: Final = frozenset({"bandwidth", "committed_rate", "monthly_charge"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: `role` is a word of `words.ROLES`, `metric`, `name` (a vendor or product) or empty.

    `owner` is the name in its heading, `group` the heading over several columns, `case` the condition under which the
    figures of a metric's column hold.
    """

    index: int
    text: str = ""
    role: str = ""
    label: Label | None = None
    confidence: float = CLEAN
    owner: str = ""
    group: str = ""
    case: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A table with its layout. `header` and `body` are row indexes; `label` the column of row labels.

    `before` are rows above the heading that speak of the whole document.
    """

    kind: str
    table: Table
    header: tuple[int, ...] = ()
    body: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    label: int = 0
    columns: tuple[Column, ...] = ()
    captions: tuple[Cell, ...] = ()
    notes: tuple[Cell, ...] = field(default=())
    corner: str = ""
    asked: bool = False


def _split_captions(table: Table) -> tuple[list[int], list[Cell], list[Cell]]:
    """Row indexes of the table proper, with the lone rows before it (titles) and after it (notes)."""
    rows = [r for r in range(len(table.rows)) if distinct(table, r)]
    if table.width == 1:
        return [], [c for r in rows for c in distinct(table, r)], []
    captions: list[Cell] = []
    notes: list[Cell] = []
    while rows and len(distinct(table, rows[0])) == 1:
        captions += distinct(table, rows.pop(0))
    while rows and len(distinct(table, rows[-1])) == 1 and label_of(distinct(table, rows[-1])[0].text)[0] is None:
        notes += distinct(table, rows.pop())
    return rows, captions, notes[::-1]


def _is_label(text: str) -> bool:
    label, _ = label_of(text)
    return label is not None and label.metric is not None


def _heads(text: str) -> bool:
    """A label that can head a column; "响应" and "response" there mean the vendor's answer, not a time."""
    hits = labels_in(fold(text))
    return _is_label(text) and not all(h.word in _ANSWERS for h in hits if h.label.metric)


def _best_header(table: Table, rows: list[int]) -> tuple[int, int]:
    """The row with most labels among the first ones, and how many it has."""
    scores = [(sum(_heads(c.text) for c in distinct(table, r)), -r) for r in rows[:_HEADER_ROWS]]
    count, row = max(scores, default=(0, 0))
    return -row, count


def _best_label_column(table: Table, rows: list[int]) -> tuple[int, int]:
    scores = [(sum(_is_label(text_at(table, r, c)) for r in rows), -c) for c in range(min(4, table.width))]
    count, column = max(scores, default=(0, 0))
    return -column, count


def _with_owners(table: Table, rows: list[int], column: int) -> int:
    return sum(names_owner(text_at(table, r, column)) for r in rows)


def _owners_in(table: Table, row: int) -> int:
    return sum(names_owner(c.text) for c in distinct(table, row))


def analyse(table: Table) -> Layout:
    """The layout of a table; kind `none` when it names no metric."""
    rows, captions, notes = _split_captions(table)
    plain = Layout(kind="none", table=table, body=tuple(rows), captions=tuple(captions), notes=tuple(notes))
    if not rows:
        return plain
    if _is_credit_table(table, rows[0]):
        columns = tuple(_credit_column(table, rows[0], c) for c in range(table.width))
        return replace(plain, kind="credits", header=(rows[0],), body=tuple(rows[1:]), columns=columns)
    header, across = _best_header(table, rows)
    column, down = _best_label_column(table, rows)
    asked = _asked_column(table, rows)
    if asked is not None and down <= 1 + _asked(table, rows, asked):
        return _by_rows(plain, rows, asked, asked=True)
    lone = across == 1 and (header == rows[-1] or _has_values(table, header))
    if down and (_with_owners(table, rows, column) + down > across + _owners_in(table, header) or lone):
        return _by_rows(plain, rows, column)
    roles = sum(role_of(c.text) in {"vendor", "product", "condition"} for c in distinct(table, header))
    if across >= 2 or (across == 1 and (roles or len(rows) > 1)):  # noqa: PLR2004
        return _by_columns(plain, rows, header)
    return plain


def _is_credit_table(table: Table, row: int) -> bool:
    texts = [lowered(fold(c.text)) for c in distinct(table, row)]
    pays = [t for t in texts if words.CREDIT.search(t) and len(t) <= MAX_LABEL]
    measure = [t for t in texts if t not in pays and _MEASURE.search(t)]
    return bool(pays and measure and len(texts) <= 5)  # noqa: PLR2004


def _credit_column(table: Table, row: int, index: int) -> Column:
    text = text_at(table, row, index)
    low = lowered(fold(text))
    if words.CREDIT.search(low):
        return Column(index=index, text=text, role="credit")
    role = role_of(text)
    return Column(
        index=index, text=text, role=role if role in {"condition", "product", "vendor", "sequence"} else "measure"
    )


def _by_columns(plain: Layout, rows: list[int], header: int) -> Layout:
    table, at = plain.table, rows.index(header)
    headers = [header]
    body = rows[at + 1 :]
    merged = any(c and c.merged for c in table.rows[header])
    while (
        body
        and len(headers) < _HEADER_DEPTH
        and (
            hangs(table, headers[-1], body[0])
            or (
                (merged or _units_row(table, body[0]))
                and not _has_values(table, body[0])
                and not _counts(table, body[0])
            )
        )
    ):
        headers.append(body.pop(0))
    columns = _row_names(table, body, tuple(_metric_column(table, headers, c) for c in range(table.width)))
    above = (c for r in rows[:at] for c in distinct(table, r))
    return replace(
        plain,
        kind="columns",
        header=tuple(headers),
        body=tuple(body),
        columns=columns,
        captions=(*plain.captions, *above),
    )


def _row_names(table: Table, body: list[int], columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """A first column of words under a heading we do not know tells the rows apart: products when it stands beside
    prices or rates, else conditions."""
    first = next((c for c in columns if c.role != "sequence"), None)
    named = any(c.role in {"vendor", "product", "condition"} for c in columns)
    if first is None or first.role or named or len(body) < _PAIR:
        return columns
    names = [text_at(table, r, first.index).strip() for r in body]
    words_only = all(n and not valued(fold(n)) and len(n) <= MAX_NAME for n in names)
    if not words_only or len(set(names)) < len(names):
        return columns
    sold = any(c.label and c.label.metric in _SOLD for c in columns)
    made = replace(first, role="product" if sold else "condition")
    return tuple(made if c is first else c for c in columns)


def _units_row(table: Table, row: int) -> bool:
    """A row of units below the headings (Gbit/s | ms | EUR net); most of its cells must be units, none a figure."""
    cells = distinct(table, row)
    units = sum(bool(header_unit(c.text)) or bool(words.NO_VALUE.match(lowered(fold(c.text)))) for c in cells)
    return len(cells) > 0 and units * 10 >= len(cells) * 7 and not _counts(table, row)


def _counts(table: Table, row: int) -> bool:
    """Whether a cell of the row is a bare figure."""
    return any(c.number or _BARE_FIGURE.match(fold(c.text)) for c in distinct(table, row))


def _has_values(table: Table, row: int) -> bool:
    return any(c.number or any(f.unit for f in figures(fold(c.text))) for c in distinct(table, row))


def _metric_column(table: Table, headers: list[int], index: int) -> Column:
    texts = list(dict.fromkeys(t for t in (text_at(table, r, index).strip() for r in headers) if t))
    text = " ".join(texts)
    label, confidence = label_of(text)
    if label is None and (whole := whole_label(text)):
        label, confidence = whole, CLEAN
    case = ""
    if len(texts) > 1 and _is_label(texts[0]) and not any(_is_label(t) or header_unit(t) for t in texts[1:]):
        label, confidence = label_of(texts[0]) if label is None else (label, confidence)
        case = next((t for t in texts[1:] if not attributes_in(fold(t)).kinds() or attributes_in(fold(t)).scope), "")
    if label is not None and label.metric is not None:
        return Column(index=index, text=text, role="metric", label=label, confidence=confidence, case=case)
    role = role_of(text)
    if label is not None and role != "condition":
        return Column(index=index, text=text, role="metric", label=label, confidence=confidence, case=case)
    return Column(index=index, text=text, role=role)


def _is_asked(text: str) -> bool:
    return asked_label(text)[0] is not None and role_of(text) != "requirement"


def _asked(table: Table, rows: list[int], column: int) -> int:
    return sum(asked_label(text_at(table, r, column))[0] is not None for r in rows)


def _asked_column(table: Table, rows: list[int]) -> int | None:
    """The column of requirements when it names the metrics itself: 序号 | 招标要求 | 投标响应 | 偏离 | 说明."""
    for row in rows[:_HEADER_ROWS]:
        roles = [role_of(text_at(table, row, c)) for c in range(table.width)]
        if "requirement" in roles and "response" in roles and "label" not in roles:
            column = roles.index("requirement")
            below = [r for r in rows if r > row]
            named = sum(_is_label(text_at(table, r, c)) for r in below for c in range(column))
            return column if not named and _asked(table, below, column) > 1 else None
    return None


def _by_rows(plain: Layout, rows: list[int], column: int, *, asked: bool = False) -> Layout:
    table = plain.table
    is_label = _is_asked if asked else _is_label
    labels = [i for i, r in enumerate(rows) if is_label(text_at(table, r, column))]
    header, start = find_header(table, rows, labels, column)
    names = tuple(_value_column(table, header, c, column) for c in range(table.width))
    above = rows[: rows.index(header[0])] if header else []
    titles = [r for r in above if not _said_of_all(table, r)]
    return replace(
        plain,
        kind="rows",
        header=tuple(header),
        body=tuple(rows[start:]),
        before=tuple(r for r in above if r not in titles),
        label=column,
        asked=asked,
        columns=_by_scope(_by_year(_answered(_named(_without_categories(table, rows[start:], names, column))))),
        corner=text_at(table, header[-1], column) if header else "",
        captions=(*plain.captions, *(c for r in titles for c in distinct(table, r))),
    )


def _said_of_all(table: Table, row: int) -> bool:
    """A pair above the heading, such as `Quotation valid until | 2027-02-28`."""
    cells = distinct(table, row)
    return len(cells) == _PAIR and (label_of(cells[0].text)[0] is not None or names_owner(cells[0].text))


def _value_column(table: Table, header: list[int], index: int, label: int) -> Column:
    texts = list(dict.fromkeys(t for r in header if (t := text_at(table, r, index).strip())))
    leaf, group = (texts[-1], texts[0] if len(texts) > 1 else "") if texts else ("", "")
    if index == label:
        return Column(index=index, text=leaf, role="label")
    if not leaf:
        return Column(index=index, role="response" if not header else "")
    role = role_of(leaf) or (role_of(group) if role_of(group) != "response" else "")
    named = "" if role_of(group) else group
    return Column(index=index, text=leaf, role=role or "name", owner="" if role else leaf, group=named)


def _without_categories(table: Table, body: list[int], columns: tuple[Column, ...], label: int) -> tuple[Column, ...]:
    """A column left of the labels that holds words only says what kind of figures follow: no vendor, no value."""
    return tuple(
        replace(c, role="", owner="")
        if c.index < label
        and c.role in {"name", "response"}
        and not any(valued(fold(t)) or t.strip().isdigit() for r in body if (t := text_at(table, r, c.index)))
        else c
        for c in columns
    )


def _answered(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Beside a column of answers one under an unknown heading is no vendor: it remarks on the answers."""
    if not any(c.role == "response" and c.text for c in columns):
        return columns
    return tuple(replace(c, role="remark", owner="") if c.role == "name" else c for c in columns)


def _by_year(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """A column under a bare year is a history unless it is the only one: its figures are told, not taken."""
    years = [c for c in columns if c.role == "year"]
    if len(years) == 1 and not any(c.role in {"response", "name"} for c in columns):
        return tuple(replace(c, role="response") if c.role == "year" else c for c in columns)
    return columns


def _by_scope(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Columns such as 单链路 | 成对链路 or 签约1年 | 签约3年 are conditions of one offer, not offers.

    Under the name of a vendor or a product each belongs to that name.
    """
    names = [c for c in columns if c.role == "name"]
    cases = [bool(attributes_in(fold(c.owner)).scope) or bool(_TERM.search(lowered(fold(c.owner)))) for c in names]
    if len(names) < _PAIR or not all(cases) or any(words.COMPANY.search(lowered(fold(c.owner))) for c in names):
        return columns
    return tuple(replace(c, role="case", owner=c.group) if c.role == "name" else c for c in columns)


def _named(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Columns of one response keep their role; several responses are told apart by the name in their heading."""
    responses = [c for c in columns if c.role == "response" and c.text]
    if len(responses) < 2:  # noqa: PLR2004
        return columns
    names = {
        c.index: re.sub(RESPONSE.pattern, "", fold(c.text), flags=re.IGNORECASE).strip(" -_:：()（）'")
        for c in responses
    }
    if len(set(names.values())) < len(responses) or not all(names.values()):
        return columns
    return tuple(
        Column(index=c.index, text=c.text, role="name", owner=names[c.index])
        if c.index in names and role_of(names[c.index]) == ""
        else c
        for c in columns
    )
