"""Our own vendor questionnaire: written with fixed units and dropdowns, read back without loss.

`write_questionnaire` gives the workbook; `is_questionnaire` and `read_questionnaire` take one back. What stands
in it is read by field id and never by its words, so a filled-in field gives exactly its fact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from app.domain.facts import Evidence, Fact, Offer, State, Value
from app.domain.metrics import BY_ID, Metric, MetricKind
from app.domain.text import Language, Text
from app.sheets import questionnaire_fields as q
from app.sheets.codes import notice
from app.sheets.folding import clean_label, fold, key
from app.sheets.numbers import figures
from app.sheets.quantities import quantify
from app.sheets.units import CURRENCY_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.problems import Notice
    from app.sheets.document import Cell
    from app.sheets.questionnaire_fields import Field

_HOUR: Final = Decimal(3600)
_PERCENT: Final = Decimal("0.01")
Answers = dict[str, "Cell"]


def write_questionnaire(language: Language | str, requirement_rows: Sequence[tuple[Text, str]] = ()) -> bytes:
    """The questionnaire as XLSX bytes; `requirement_rows` (label, value) stand above the questions."""
    from app.sheets.readers.questionnaire_book import write  # noqa: PLC0415 - openpyxl only when it is needed

    return write(Language(language), requirement_rows)


@dataclass(slots=True)
class _Column:
    """The answers of one offer while they are turned into facts."""

    answers: Answers
    facts: list[Fact]
    notices: list[Notice]

    def cell(self, field_id: str) -> Cell | None:
        return self.answers.get(field_id)

    def bad(self, cell: Cell) -> None:
        place = f"{cell.place.sheet}!{cell.place.cell}"
        self.notices.append(notice("invalid_answer", place=place, quote=cell.text[:200]))

    def choice(self, field_id: str) -> str | None:
        """The code of a chosen word; a word that is none of the choices is told and left out."""
        cell = self.cell(field_id)
        if cell is None:
            return None
        code = choice_code(q.FIELDS[field_id], cell.text)
        if code is None:
            self.bad(cell)
        return code

    def figure(self, field_id: str, metric: Metric) -> Decimal | None:
        """A figure in the canonical unit: a bare one in the unit asked, a written unit wins over it."""
        cell = self.cell(field_id)
        if cell is None:
            return None
        field = q.FIELDS[field_id]
        found = figures(fold(cell.text), "dot")
        value = None
        if len(found) == 1 and len(found[0].values) == 1 and _alone(cell.text):
            figure = found[0]
            if figure.unit is None and figure.kind == "power" and field.factor == _PERCENT:
                value = None  # "1e-6" where percent is asked: a share or a share of a hundredth, nobody can tell
            elif figure.unit is None and figure.kind != "colon":
                value = figure.values[0] * field.factor
            else:
                quantity = quantify(metric, figure)
                value = quantity.value if quantity else None
        if value is None:
            self.bad(cell)
        return value

    def add(self, metric: Metric, cell: Cell, value: Value | None, state: State = State.STATED, **more: object) -> None:
        unit = more.pop("unit", metric.unit)
        self.facts.append(
            Fact(metric=metric.id, state=state, value=value, unit=unit, evidence=evidence_of(cell), **more)  # type: ignore[arg-type]
        )


def _alone(text: str) -> bool:
    """Whether a text is one figure with at most a unit: no second thought that would be lost."""
    words = [w for w in fold(text).replace(":", " ").split() if not any(c.isdigit() for c in w)]
    return len(words) <= 2 and len(text) <= 40  # noqa: PLR2004 - "99.9 per cent"


def evidence_of(cell: Cell) -> Evidence:
    """Evidence of an answer."""
    place = cell.place
    return Evidence(
        reader="questionnaire", quote=cell.text, sheet=place.sheet, cell=place.cell, row=place.row, column=place.column
    )  # fmt: skip


def choice_code(field: Field, text: str) -> str | None:
    """The code of a choice by its code or its words in either language."""
    wanted = key(text)
    for choice in field.choices:
        if wanted in {key(choice.code), key(choice.label.zh), key(choice.label.en)}:
            return choice.code
    return _currency_code(text.strip().upper()) if field.id == "currency" else None


def _currency_code(word: str) -> str | None:
    """A currency by its sign, its word or any three-letter code."""
    if word in CURRENCY_WORDS:
        return CURRENCY_WORDS[word]
    return word if re.fullmatch(r"[A-Z]{3}", word) else None


def _state(field: Field, cell: Cell) -> State | None:
    code = choice_code(field, cell.text)
    return {"none": State.NONE, "elsewhere": State.ELSEWHERE}.get(code or "")


def _quantity(column: _Column, metric: Metric) -> None:
    attributes = {name: column.choice(f"{metric.id}.{name}") for name, _ in metric.attributes}
    cell = column.cell(metric.id)
    if cell is None:
        return
    target = metric
    if metric.id in {"rtt", "one_way_delay"}:
        one_way = metric.id == "one_way_delay" or attributes.get("direction") == "one_way"
        target = BY_ID["one_way_delay" if one_way else "rtt"]
        attributes["direction"] = "one_way" if one_way else attributes.get("direction")
    state = _state(q.FIELDS[metric.id], cell)
    value = None if state else column.figure(metric.id, metric)
    if state or value is not None:
        column.add(target, cell, value, state or State.STATED, **attributes)


def _money(column: _Column, metric: Metric) -> None:
    cell = column.cell(metric.id)
    if cell is None:
        return
    if _state(q.FIELDS[metric.id], cell):
        column.add(metric, cell, None, State.ELSEWHERE, unit=None)
        return
    currency = column.choice("currency")
    found = figures(fold(cell.text), "dot")
    if len(found) != 1 or len(found[0].values) != 1 or found[0].dimension not in {"money", None}:
        column.bad(cell)
        return
    currency = (found[0].unit.currency if found[0].unit else None) or currency
    column.add(metric, cell, found[0].values[0], currency=currency, unit=currency)


def _flag(column: _Column, metric: Metric) -> None:
    cell, code = column.cell(metric.id), column.choice(metric.id)
    if cell is not None and code == "none":
        column.add(metric, cell, None, State.NONE)
    elif cell is not None and code:
        column.add(metric, cell, code == "yes")


def _choice(column: _Column, metric: Metric) -> None:
    cell, code = column.cell(metric.id), column.choice(metric.id)
    if cell is not None and code:
        column.add(metric, cell, code)


def _text(column: _Column, metric: Metric) -> None:
    cell = column.cell(metric.id)
    if cell is not None:
        column.add(metric, cell, clean_label(cell.text))


def _date(column: _Column, metric: Metric) -> None:
    cell = column.cell(metric.id)
    if cell is None:
        return
    parts = cell.text.strip().replace("/", "-").split("-")
    if len(parts) == 3 and all(p.isdigit() for p in parts):  # noqa: PLR2004 - year, month, day
        column.add(metric, cell, f"{int(parts[0]):04}-{int(parts[1]):02}-{int(parts[2]):02}")
    else:
        column.bad(cell)


def _list(column: _Column, metric: Metric) -> None:
    for choice in metric.choices:
        field_id = f"{metric.id}:{choice.code}"
        cell, code = column.cell(field_id), column.choice(field_id)
        if cell is not None and code == "yes":
            column.add(metric, cell, choice.code)


def _tiers(column: _Column, metric: Metric) -> None:
    for n in range(1, q.TIERS + 1):
        prefix = f"credit_tier.{n}."
        cell = column.cell(prefix + "credit")
        credit = column.figure(prefix + "credit", BY_ID["credit_cap"])
        basis = column.choice(prefix + "basis")
        by_time = basis == "outage_duration"
        bounds = [_bound(column, prefix + side, by_time=by_time) for side in ("from", "to")]
        if cell is not None and credit is not None:
            column.add(metric, cell, credit, lower=bounds[0], upper=bounds[1], basis=basis if by_time else None)


def _bound(column: _Column, field_id: str, *, by_time: bool) -> Decimal | None:
    metric = BY_ID["repair_time" if by_time else "credit_cap"]
    value = column.figure(field_id, metric)
    cell = column.cell(field_id)
    if value is None or cell is None or not by_time or figures(fold(cell.text))[0].unit is not None:
        return value
    return value / _PERCENT * _HOUR


def _segments(column: _Column, metric: Metric) -> None:
    for n in range(1, q.SEGMENTS + 1):
        name, rate = (column.cell(f"segment_bandwidth.{n}.{k}") for k in ("name", "rate"))
        value = column.figure(f"segment_bandwidth.{n}.rate", BY_ID["bandwidth"]) if rate else None
        condition = clean_label(name.text) if name else f"#{n}"
        if rate is not None and value is not None:
            column.add(metric, rate, value, condition=condition)
        elif name is not None:
            column.add(metric, name, None, State.ELSEWHERE, condition=condition)


_READERS: Final = {
    MetricKind.QUANTITY: _quantity,
    MetricKind.MONEY: _money,
    MetricKind.FLAG: _flag,
    MetricKind.CHOICE: _choice,
    MetricKind.TEXT: _text,
    MetricKind.DATE: _date,
    MetricKind.LIST: _list,
    MetricKind.TIERS: _tiers,
    MetricKind.SEGMENTS: _segments,
}


def offer_from(answers: Mapping[str, Cell]) -> tuple[Offer | None, list[Notice]]:
    """The offer of one column of answers; None for an empty column."""
    column = _Column(answers=dict(answers), facts=[], notices=[])
    for metric in BY_ID.values():
        _READERS[metric.kind](column, metric)
    vendor, product = column.cell("vendor"), column.cell("product")
    if not column.facts:
        return None, column.notices
    if vendor is None:
        column.notices.append(notice("vendor_unknown"))
    return (
        Offer(
            vendor=clean_label(vendor.text) if vendor else "",
            product=clean_label(product.text) or None if product else None,
            facts=tuple(column.facts),
        ),
        column.notices,
    )
