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
from app.sheets.lexicon import Hit, Label, labels_in, whole_label
from app.sheets.numbers import figures
from app.sheets.segments import SEGMENT, segment_of
from app.sheets.units import unit_of

if TYPE_CHECKING:
    from app.sheets.document import Cell, Table

_ROLE_OF: Final = {
    lowered(fold(w)).replace(" ", ""): role for role, text in words.ROLES.items() for w in text.split("|")
}
_REQUIREMENT: Final = re.compile(r"要求|需求|招标|采购|requirement|required|requested|tender|rfp|rfq|buyer")
_RESPONSE: Final = re.compile(r"响应|应答|投标|报价|response|offered|bid\b|proposal|answer")
_PROMISED: Final = re.compile(r"承诺|保证|响应|应答|guarantee|committed|offered")
_MEASURE: Final = re.compile(
    r"可用|在线|中断|恢复|修复|时长|availab|uptime|outage|downtime|duration|repair|restore|restoration"
)
_OBSERVED: Final = re.compile(r"实测|实际|历史|\bmeasured\b|\bactual|\bachieved\b|\bobserved\b")
_YEAR: Final = re.compile(
    r"(?<!\d)(?:(?:19|20)\d{2}|fy ?\d{2,4})(?!\d)\s*(?:年度?|财年)?|第[一二三四]季度|\bq[1-4]\b|[上下]半年"
)
_ROUTE: Final = Label(metric=None, words="", topic="route")
_MAX_LABEL = 48
_CLEAN, _NEAR, _FUZZY = 0.97, 0.95, 0.87
_HEADER_ROWS = 6
_COMPARED: Final = re.compile(
    r"(?:<=|>=|[<>=≤≥]|应?(?:不(?:得)?(?:低于|高于|小于|大于|少于|超过)|小于等于|大于等于|小于|大于|低于|高于|优于)|至少|为"
    r"|no (?:less|more) than|not (?:exceed|less than|more than)|at (?:least|most)|better than|up to|within)\s*$",
    re.IGNORECASE,
)
_ANSWERS: Final = frozenset({"响应", "response", "respond", "responds"})
_PAIR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: `role` is a word of `words.ROLES`, `metric`, `name` (a vendor or product) or empty."""

    index: int
    text: str = ""
    role: str = ""
    label: Label | None = None
    confidence: float = _CLEAN
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A table with its layout. `header` and `body` are row indexes; `label` the column of row labels."""

    kind: str
    table: Table
    header: tuple[int, ...] = ()
    body: tuple[int, ...] = ()
    label: int = 0
    columns: tuple[Column, ...] = ()
    captions: tuple[Cell, ...] = ()
    notes: tuple[Cell, ...] = field(default=())
    corner: str = ""
    asked: bool = False


def role_of(text: str) -> str:
    """The role that a heading names, or an empty string; every part of a double heading must name the same."""
    low = lowered(fold(text))
    if _REQUIREMENT.search(low) and not _RESPONSE.search(low):
        return "requirement"
    bare = re.sub(r"[(（][^)）]*[)）]", "", low)
    undated = _YEAR.sub(" ", bare)
    if undated != bare and not undated.strip(" -_/至~年度"):
        return "year"
    bare = undated
    latin, other = re.sub(r"[^a-z' ]", "", bare), re.sub(r"[a-z' ]", "", bare)
    for parts in ([low], [bare], [latin, other], bare.split("/")):
        roles = {_ROLE_OF.get(p.replace(" ", "").strip(":：*"), "") for p in parts if p.strip()}
        if len(roles) == 1 and "" not in roles:
            return roles.pop()
    named = {_ROLE_OF.get(p.strip().replace(" ", ""), "") for p in bare.split("/")}
    if bare.count("/") == 1 and named in ({"", "vendor"}, {"", "product"}) and not labels_in(bare):
        return max(named)  # the other part is another language
    if _OBSERVED.search(low) and not _PROMISED.search(low) and len(low) <= _MAX_LABEL:
        return "observed"
    return "response" if _RESPONSE.search(low) and len(low) <= _MAX_LABEL else ""


def label_of(text: str) -> tuple[Label | None, float]:
    """The metric a label cell names and how sure that is; None for values, sentences and double labels."""
    folded = fold(text)
    hits = [h for h in labels_in(folded) if h.label.metric]
    if len(folded) > _MAX_LABEL or "。" in folded or _valued(folded):
        return None, 0.0
    if segment_of(folded) is not None:
        return SEGMENT, _CLEAN
    if not hits:
        return (_ROUTE, _NEAR) if words.PHRASE_LABEL.search(lowered(folded)) else (None, 0.0)
    plain = [h for h in hits if not _inside_brackets(folded, h)] or hits
    metrics = {h.label.metric for h in plain}
    if len(metrics) > 1 and not metrics <= {"rtt", "one_way_delay"}:
        return _one_of(folded, plain)
    best = max(plain, key=lambda h: (h.label.direction is not None, len(h.word)))
    return best.label, _certainty(folded, hits)


def _one_of(text: str, hits: list[Hit]) -> tuple[Label | None, float]:
    """Two metrics in one label: the last one when the first only qualifies it, none when they are joined."""
    if re.search(r"[/、&+]|和|与|及|\band\b", text):
        return None, 0.0
    return hits[-1].label, _FUZZY


def _valued(folded: str) -> bool:
    """A cell with a figure and a unit is a value, unless the figure stands in brackets."""
    outside = re.sub(r"[(（][^)）]*[)）]", "", folded)
    return any(f.unit is not None and f.dimension not in {"count", "calendar"} for f in figures(outside))


def _inside_brackets(text: str, hit: Hit) -> bool:
    return text.count("(", 0, hit.start) > text.count(")", 0, hit.start)


def _certainty(text: str, hits: list[Hit]) -> float:
    rest = list(lowered(text))
    for hit in hits:
        rest[hit.start : hit.end] = " " * (hit.end - hit.start)
    left = re.sub(r"[(（\[][^)）\]]*[)）\]]", " ", "".join(rest))
    for table in (words.STATISTIC, words.DIRECTION, words.SCOPE, words.PERIOD, words.COMMITMENT):
        for pattern, _ in table:
            left = pattern.sub(" ", left)
    left = re.sub(
        r"指标|参数|网络|专线|电路|链路|线路|服务|端口|最大|最小|值|率|的|每月|业务|故障|p\d\d|ratio|rate|service|monthly|time",
        " ",
        left,
    )
    chars = [c for c in left if c.isalnum()]
    if not chars:
        return _CLEAN
    return _NEAR if len(chars) <= (6 if any(c > "\u2e80" for c in chars) else 14) else _FUZZY


def text_at(table: Table, row: int, column: int) -> str:
    """The words of a place, empty for none."""
    cells = table.rows[row]
    cell = cells[column] if column < len(cells) else None
    return cell.text if cell else ""


def _distinct(table: Table, row: int) -> list[Cell]:
    """The cells of a row that say something, merged copies left out."""
    seen: list[Cell] = []
    for cell in table.rows[row]:
        if cell and cell.text.strip() and not (cell.merged and any(c.text == cell.text for c in seen)):
            seen.append(cell)
    return seen


def _split_captions(table: Table) -> tuple[list[int], list[Cell], list[Cell]]:
    """Row indexes of the table proper, with the lone rows before it (titles) and after it (notes)."""
    rows = [r for r in range(len(table.rows)) if _distinct(table, r)]
    if table.width == 1:
        return [], [c for r in rows for c in _distinct(table, r)], []
    captions: list[Cell] = []
    notes: list[Cell] = []
    while rows and len(_distinct(table, rows[0])) == 1:
        captions += _distinct(table, rows.pop(0))
    while rows and len(_distinct(table, rows[-1])) == 1 and label_of(_distinct(table, rows[-1])[0].text)[0] is None:
        notes += _distinct(table, rows.pop())
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
    scores = [(sum(_heads(c.text) for c in _distinct(table, r)), -r) for r in rows[:_HEADER_ROWS]]
    count, row = max(scores, default=(0, 0))
    return -row, count


def _best_label_column(table: Table, rows: list[int]) -> tuple[int, int]:
    scores = [(sum(_is_label(text_at(table, r, c)) for r in rows), -c) for c in range(min(4, table.width))]
    count, column = max(scores, default=(0, 0))
    return -column, count


def _names_owner(text: str) -> bool:
    return role_of(text) in {"vendor", "product"}


def _with_owners(table: Table, rows: list[int], column: int) -> int:
    return sum(_names_owner(text_at(table, r, column)) for r in rows)


def _owners_in(table: Table, row: int) -> int:
    return sum(_names_owner(c.text) for c in _distinct(table, row))


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
    roles = sum(role_of(c.text) in {"vendor", "product", "condition"} for c in _distinct(table, header))
    if across >= 2 or (across == 1 and (roles or len(rows) > 1)):  # noqa: PLR2004
        return _by_columns(plain, rows, header)
    return plain


def _is_credit_table(table: Table, row: int) -> bool:
    texts = [lowered(fold(c.text)) for c in _distinct(table, row)]
    pays = [t for t in texts if words.CREDIT.search(t) and len(t) <= _MAX_LABEL]
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
    if body and (merged or _units_row(table, body[0])) and not _has_values(table, body[0]):
        headers.append(body.pop(0))
    columns = tuple(_metric_column(table, headers, c) for c in range(table.width))
    above = (c for r in rows[:at] for c in _distinct(table, r))
    return replace(
        plain,
        kind="columns",
        header=tuple(headers),
        body=tuple(body),
        columns=columns,
        captions=(*plain.captions, *above),
    )


def _units_row(table: Table, row: int) -> bool:
    cells = _distinct(table, row)
    return bool(cells) and all(unit_of(fold(c.text)) or words.NO_VALUE.match(lowered(fold(c.text))) for c in cells)


def _has_values(table: Table, row: int) -> bool:
    return any(c.number or any(f.unit for f in figures(fold(c.text))) for c in _distinct(table, row))


def _metric_column(table: Table, headers: list[int], index: int) -> Column:
    texts = list(dict.fromkeys(t for t in (text_at(table, r, index).strip() for r in headers) if t))
    text = " ".join(texts)
    label, confidence = label_of(text)
    if label is None and (whole := whole_label(text)):
        label, confidence = whole, _CLEAN
    if label is not None and label.metric is not None:
        return Column(index=index, text=text, role="metric", label=label, confidence=confidence)
    role = role_of(text)
    if label is not None and role != "condition":
        return Column(index=index, text=text, role="metric", label=label, confidence=confidence)
    return Column(index=index, text=text, role=role)


def _is_pair(table: Table, row: int, column: int) -> bool:
    """A `vendor | name` row."""
    return _names_owner(text_at(table, row, column)) and len(_distinct(table, row)) == _PAIR


def _is_heading(table: Table, row: int, column: int) -> bool:
    """The row above the first label heads the columns when it names roles, or several names without figures."""
    others = [c.text for i, c in enumerate(table.rows[row]) if c and i != column and c.text.strip()]
    if role_of(text_at(table, row, column)) == "label" or (others and all(role_of(t) for t in others)):
        return True
    return len(set(others)) > 1 and not any(_valued(fold(t)) or t.strip().isdigit() for t in others)


def asked_label(text: str) -> tuple[Label | None, float]:
    """The metric that a requirement such as 往返时延≤8ms asks for, read from its words before the figure."""
    return label_of(words_before_figure(text))


def words_before_figure(text: str) -> str:
    """A requirement without its figure and the comparison before it: 丢包率≤0.001% → 丢包率."""
    folded = fold(text)
    found = figures(folded)
    head = folded[: found[0].start] if found else folded
    return _COMPARED.sub("", head).strip(" :：,，(（")


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
    find = _is_asked if asked else _is_label
    first = next(i for i, r in enumerate(rows) if find(text_at(table, r, column)))
    while first and _is_pair(table, rows[first - 1], column):
        first -= 1  # `vendor | name` rows belong to the body, not to the heading
    above = rows[first - 1 : first] if first and _is_heading(table, rows[first - 1], column) else []
    body = rows[first if above else 0 :]
    columns = tuple(_value_column(table, above, c, column) for c in range(table.width))
    titles = (c for r in rows[: max(0, first - 1)] for c in _distinct(table, r)) if above else ()
    return replace(
        plain,
        kind="rows",
        header=tuple(above),
        body=tuple(body),
        label=column,
        asked=asked,
        columns=_by_scope(_by_year(_named(columns))),
        corner=text_at(table, above[0], column) if above else "",
        captions=(*plain.captions, *titles),
    )


def _value_column(table: Table, above: list[int], index: int, label: int) -> Column:
    text = text_at(table, above[0], index).strip() if above else ""
    if index == label:
        return Column(index=index, text=text, role="label")
    if not text:
        return Column(index=index, role="response" if not above else "")
    role = role_of(text)
    return Column(index=index, text=text, role=role or "name", owner="" if role else text)


def _by_year(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """A column under a bare year is a history unless it is the only one: its figures are told, not taken."""
    years = [c for c in columns if c.role == "year"]
    if len(years) == 1 and not any(c.role in {"response", "name"} for c in columns):
        return tuple(replace(c, role="response") if c.role == "year" else c for c in columns)
    return columns


def _by_scope(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Columns such as 单链路 | 成对链路 are conditions of one offer, not offers."""
    names = [c for c in columns if c.role == "name"]
    scopes = [attributes_in(fold(c.owner)).scope for c in names]
    if len(names) > 1 and all(scopes) and not any(words.COMPANY.search(lowered(fold(c.owner))) for c in names):
        return tuple(replace(c, role="case", owner="") if c.role == "name" else c for c in columns)
    return columns


def _named(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Columns of one response keep their role; several responses are told apart by the name in their heading."""
    responses = [c for c in columns if c.role == "response" and c.text]
    if len(responses) < 2:  # noqa: PLR2004
        return columns
    names = {
        c.index: re.sub(_RESPONSE.pattern, "", fold(c.text), flags=re.IGNORECASE).strip(" -_:：()（）'")
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


def condition_of(text: str) -> str:
    """The condition a label carries: "Availability (single circuit)", "12 months MRC"."""
    folded = fold(text)
    found = [b for b in re.findall(r"[(（]([^()（）]+)[)）]", folded) if words.CONDITION.search(lowered(b))]
    found += [folded[f.start : f.end].strip() for f in figures(folded) if f.dimension == "calendar"]
    return "; ".join(found)
