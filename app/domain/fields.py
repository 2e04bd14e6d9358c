"""Fields that people and programs fill in, described once: form, help, JSON, schema and checks read this.

A `Field` names one JSON key with its kind, unit, valid range, default, title, help and example.
`read_fields` turns a JSON object into checked values and lists every problem instead of the first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from app.domain.figures import number
from app.domain.problems import Problem
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MAX_TEXT = 200
MAX_ITEMS = 50
# Units that read the same in both languages.
SYMBOLS = frozenset({"s", "ms", "km", "h", "GB", "Gbit/s", "TFLOPS", "1/s", "bit/s"})


class Kind(StrEnum):
    """What a field holds."""

    NUMBER = "number"
    INTEGER = "integer"
    FLAG = "flag"
    CHOICE = "choice"
    CHOICES = "choices"
    TEXT = "text"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Choice:
    """One allowed word of a choice field with its label."""

    code: str
    label: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field: `name` is its JSON key, `low`/`high` the inclusive range in the unit of the key.

    `above_zero` excludes zero itself. `group` and `advanced` steer the form only.
    """

    name: str
    kind: Kind
    title: Text
    help: Text
    unit: str = ""
    low: float | None = None
    high: float | None = None
    above_zero: bool = False
    choices: tuple[Choice, ...] = ()
    default: Any = None
    required: bool = False
    example: str = ""
    group: str = ""
    advanced: bool = False


def _problem(code: str, place: str, zh: str, en: str) -> Problem:
    return Problem(code, place, Text(zh, en))


def _out_of_range(field: Field, value: float, place: str) -> Problem:
    """Says what was given and between which bounds it must lie; units that are words are left to the form."""
    unit = f" {field.unit}" if field.unit in SYMBOLS else ""
    low = number(field.low or 0.0)
    open_ = field.above_zero and not field.low
    bound_zh, bound_en = (f"大于 {low}", f"above {low}") if open_ else (f"不小于 {low}", f"at least {low}")
    if field.high is not None:
        high = number(field.high)
        bound_zh, bound_en = f"{bound_zh}、不大于 {high}", f"{bound_en} and at most {high}"
    return _problem(
        "OUT_OF_RANGE",
        place,
        f"「{field.title.zh}」收到 {number(value)}，应{bound_zh}{unit}。",
        f"“{field.title.en}” is {number(value)}; it must be {bound_en}{unit}.",
    )


def read_number(field: Field, raw: object, place: str) -> tuple[float | int | None, Problem | None]:
    """Check one number: finite, inside the range, whole where a whole number is asked."""
    if isinstance(raw, bool) or not isinstance(raw, (int, float)):
        return None, _problem(
            "NOT_A_NUMBER",
            place,
            f"「{field.title.zh}」应为数字，例如 {field.example or '1'}。",
            f"“{field.title.en}” must be a number, for example {field.example or '1'}.",
        )
    value = float(raw) if isinstance(raw, float) or abs(raw) < 1 << 1000 else math.inf
    if not math.isfinite(value):
        return None, _problem(
            "NOT_FINITE",
            place,
            f"「{field.title.zh}」不是有限的数，请填写实际数值。",
            f"“{field.title.en}” is not a finite number; enter a real figure.",
        )
    if field.kind is Kind.INTEGER and value != int(value):
        return None, _problem(
            "NOT_WHOLE",
            place,
            f"「{field.title.zh}」应为整数，收到 {value:g}。",
            f"“{field.title.en}” must be a whole number, got {value:g}.",
        )
    too_low = (field.low is not None and value < field.low) or (field.above_zero and value <= 0)
    too_high = field.high is not None and value > field.high
    if too_low or too_high:
        return None, _out_of_range(field, value, place)
    return (int(value) if field.kind is Kind.INTEGER else value), None


def _read_choice(field: Field, raw: object, place: str) -> tuple[str | None, Problem | None]:
    codes = [c.code for c in field.choices]
    if isinstance(raw, str) and raw in codes:
        return raw, None
    listed = ", ".join(codes)
    return None, _problem(
        "NOT_A_CHOICE",
        place,
        f"「{field.title.zh}」只能是：{listed}。",
        f"“{field.title.en}” must be one of: {listed}.",
    )


def _read_flag(field: Field, raw: object, place: str) -> tuple[bool | None, Problem | None]:
    if isinstance(raw, bool):
        return raw, None
    return None, _problem(
        "NOT_A_FLAG",
        place,
        f"「{field.title.zh}」只能填 true 或 false。",
        f"“{field.title.en}” must be true or false.",
    )


def _read_choices(field: Field, raw: object, place: str) -> tuple[tuple[str, ...] | None, Problem | None]:
    items = list(raw) if isinstance(raw, (list, tuple)) else [raw]
    if len(items) > MAX_ITEMS:
        return None, _problem("TOO_MANY", place, f"最多 {MAX_ITEMS} 项。", f"At most {MAX_ITEMS} items.")
    clean: list[str] = []
    for item in items:
        value, problem = _read_choice(field, item, place)
        if problem:
            return None, problem
        if value is not None and value not in clean:
            clean.append(value)
    return tuple(clean), None


def read_text(field: Field, raw: object, place: str) -> tuple[str | None, Problem | None]:
    """Check one line of text: a string, printable, at most `MAX_TEXT` characters."""
    if not isinstance(raw, str):
        return None, _problem("NOT_TEXT", place, f"「{field.title.zh}」应为文字。", f"“{field.title.en}” must be text.")
    value = "".join(c for c in raw if c.isprintable()).strip()
    if len(value) > MAX_TEXT:
        return None, _problem(
            "TOO_LONG",
            place,
            f"「{field.title.zh}」有 {len(value)} 个字符，最多 {MAX_TEXT} 个，请缩短。",
            f"“{field.title.en}” has {len(value)} characters; the limit is {MAX_TEXT}. Shorten it.",
        )
    return value or None, None


READERS: dict[Kind, Callable[[Field, object, str], tuple[Any, Problem | None]]] = {
    Kind.NUMBER: read_number,
    Kind.INTEGER: read_number,
    Kind.FLAG: _read_flag,
    Kind.CHOICE: _read_choice,
    Kind.CHOICES: _read_choices,
    Kind.TEXT: read_text,
    Kind.DATE: read_text,
}


def read_value(field: Field, raw: object, place: str) -> tuple[Any, Problem | None]:
    """Check one value against its field; returns the clean value or the problem."""
    return READERS[field.kind](field, raw, place)


def read_fields(fields: Sequence[Field], raw: object, place: str, problems: list[Problem]) -> dict[str, Any]:
    """Read one JSON object by its field list.

    Absent and `null` take the default; a required field that is absent, an unknown key and a bad value
    each add a problem. Returns name → value for every field of the list.
    """
    values: dict[str, Any] = {f.name: f.default for f in fields}
    if raw is None:
        raw = {}
    if not isinstance(raw, dict):
        problems.append(
            _problem("NOT_AN_OBJECT", place, f"{place} 应为 JSON 对象。", f"{place} must be a JSON object.")
        )
        return values
    known = {f.name: f for f in fields}
    problems.extend(_unknown_keys(raw, known, place))
    for field in fields:
        where = f"{place}.{field.name}" if place else field.name
        if raw.get(field.name) is None:
            if field.required:
                problems.append(
                    _problem(
                        "MISSING",
                        where,
                        f"请填写「{field.title.zh}」。",
                        f"Enter “{field.title.en}”.",
                    )
                )
            continue
        value, problem = read_value(field, raw[field.name], where)
        if problem:
            problems.append(problem)
        else:
            values[field.name] = value
    return values


def _unknown_keys(raw: Mapping[str, object], known: Mapping[str, Field], place: str) -> list[Problem]:
    return [
        _problem(
            "UNKNOWN_FIELD",
            f"{place}.{key}"[:MAX_TEXT] if place else str(key)[:MAX_TEXT],
            "没有这个字段，请核对拼写。",
            "There is no such field; check the spelling.",
        )
        for key in raw
        if key not in known
    ]


def json_schema(fields: Sequence[Field]) -> dict[str, Any]:
    """JSON Schema of an object made of these fields, for the OpenAPI page."""
    kinds = {Kind.NUMBER: "number", Kind.INTEGER: "integer", Kind.FLAG: "boolean"}
    properties: dict[str, Any] = {}
    for f in fields:
        item: dict[str, Any] = {"type": [kinds.get(f.kind, "string"), "null"]}
        if f.kind is Kind.CHOICES:
            item = {"type": ["array", "null"], "items": {"enum": [c.code for c in f.choices]}}
        elif f.choices:
            item = {"enum": [*(c.code for c in f.choices), None]}
        item["description"] = f"{f.title.zh} / {f.title.en}. {f.help.en}" + (f" [{f.unit}]" if f.unit else "")
        if f.default is not None:
            item["default"] = list(f.default) if isinstance(f.default, tuple) else f.default
        properties[f.name] = item
    return {"type": "object", "properties": properties, "required": [f.name for f in fields if f.required]}
