"""Submitted strings to JSON, driven by nothing but the field registry.

Three states: a name that was not sent stays absent, an empty one becomes `null` (not known), anything else a
value. Only what cannot be read as its kind is refused here; ranges and contradictions are the domain's.
What was typed is kept as typed, so a form can be drawn again with its problems beside the fields.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Protocol

from app.domain.fields import MAX_TEXT, Kind
from app.domain.problems import Problem
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from app.domain.fields import Field

MAX_ROWS = 50
_MAX_POWER = 308  # beyond it a double is infinite
_PLAIN_POWER = 7  # from 1e7 a figure is typed and shown with an exponent
_SMALL_POWER = -4
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,6})?\Z")
_POWER_OF_TEN = re.compile(
    r"(?:(?P<m>[+-]?\d+(?:\.\d+)?)[×x*])?10(?:\^(?P<c>[+-]?\d{1,6})|(?P<s>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))\Z"
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SIGNS = str.maketrans({"−": "-", "–": "-", "，": ",", "\u00a0": "", "\u202f": "", "\u2009": "", " ": ""})


class Submitted(Protocol):
    """What starlette's `FormData` offers, and a `dict` of lists wrapped by tests."""

    def keys(self) -> Iterable[str]:
        """The names that were sent."""

    def getlist(self, key: Any) -> Sequence[Any]:
        """Every value sent under one name."""


@dataclass(frozen=True, slots=True)
class Faulty:
    """One line of the summary: `anchor` is the id of the input, empty when the page has none for it."""

    anchor: str
    message: Text


@dataclass(frozen=True, slots=True)
class FormState:
    """What a form shows: strings as typed and problems, both by input name (the JSON path)."""

    values: dict[str, str] = field(default_factory=dict)
    problems: dict[str, list[Text]] = field(default_factory=dict)

    @staticmethod
    def name_of(item: Field, place: str) -> str:
        """The name of the input: `training.gpus`, or `name` at the top."""
        return f"{place}.{item.name}" if place else item.name

    @staticmethod
    def id_of(name: str) -> str:
        """The HTML id of the input called `name`."""
        return "f-" + re.sub(r"[^A-Za-z0-9_-]", "-", name)

    @staticmethod
    def hint(item: Field) -> str:
        """The default as a faint placeholder."""
        numeric = item.kind in (Kind.NUMBER, Kind.INTEGER)
        return write_value(item, item.default) if numeric and item.default is not None else ""

    def value(self, name: str) -> str:
        """What was typed, or an empty string."""
        return self.values.get(name, "")

    def chosen(self, name: str) -> tuple[str, ...]:
        """The codes ticked in a field with several choices."""
        return tuple(code for code in self.value(name).split(",") if code)

    def flag(self, name: str, default: object) -> bool:
        """Whether a check box is ticked."""
        return self.values.get(name, "true" if default is True else "false") == "true"

    def errors(self, name: str) -> tuple[Text, ...]:
        """The problems of one input."""
        return tuple(self.problems.get(name, ()))

    def touched(self, fields: Sequence[Field], place: str) -> bool:
        """Whether a folded group must be open: something in it is wrong, or differs from its default."""
        names = {self.name_of(f, place): f for f in fields}
        return any(
            n in self.problems or (self.value(n) and self.value(n) != write_value(f, f.default))
            for n, f in names.items()
        )

    @property
    def faulty(self) -> bool:
        """Whether anything needs correction."""
        return any(self.problems.values())

    @property
    def all_problems(self) -> tuple[Faulty, ...]:
        """Every problem for the summary at the top, those of fields with their anchor."""
        return tuple(
            Faulty(self.id_of(name) if name in self.values else "", message)
            for name, messages in self.problems.items()
            for message in messages
        )

    def with_problems(self, problems: Iterable[Problem]) -> FormState:
        """The same form with these problems added beside their fields (by `place`), each sentence once."""
        merged = {name: list(messages) for name, messages in self.problems.items()}
        for problem in problems:
            messages = merged.setdefault(problem.place, [])
            if problem.message not in messages:
                messages.append(problem.message)
        return replace(self, problems=merged)

    def merged(self, other: FormState) -> FormState:
        """Two sections of one form together."""
        return FormState(self.values | other.values, self.problems | other.problems)

    @classmethod
    def from_json(cls, fields: Sequence[Field], raw: Mapping[str, Any] | None, place: str = "") -> FormState:
        """The form of a stored object; defaults are left to the placeholders."""
        given = raw or {}
        return cls({cls.name_of(f, place): write_value(f, given.get(f.name)) for f in fields})


def write_value(item: Field, value: Any) -> str:
    """A JSON value as a person would type it; `read_text_as` reads it back to the same value."""
    if value is None:
        return ""
    if item.kind is Kind.FLAG:
        return "true" if value is True else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(str(v) for v in value)
    if item.kind in (Kind.NUMBER, Kind.INTEGER) and isinstance(value, (int, float, Decimal)):
        return _write_number(Decimal(repr(value)) if isinstance(value, float) else Decimal(value))
    return str(value)


def _write_number(number: Decimal) -> str:
    if not number.is_finite() or not number:
        return str(number) if number else "0"
    number = number.normalize()
    digits = len(number.as_tuple().digits)
    if _SMALL_POWER <= number.adjusted() < max(_PLAIN_POWER, digits):
        return f"{number:f}"
    mantissa = number.scaleb(-number.adjusted()).normalize()
    return f"{mantissa:f}e{number.adjusted()}"


def read_decimal(raw: str) -> Decimal | None:
    """One figure as people type it: full-width digits, `1,000`, `1.75e11`, `1×10⁻⁷`, `10^-7`.

    None when it is anything else (`1.000,5`, `175B`, `1,00`, `nan`): never a guess.
    """
    text = raw.strip().translate(_SIGNS)
    found = _POWER_OF_TEN.match(text)
    if found:
        power = found["c"] or found["s"].translate(_SUPERSCRIPTS)
        text = f"{found['m'] or '1'}e{power}"
    else:
        if any(c in text for c in "⁰¹²³⁴⁵⁶⁷⁸⁹"):
            return None
        text = unicodedata.normalize("NFKC", text).translate(_SIGNS).lower()
        if _THOUSANDS.match(text):
            text = text.replace(",", "")
    if not text.isascii() or not _NUMBER.match(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _as_json_number(number: Decimal, kind: Kind) -> float | int:
    if number and number.adjusted() > _MAX_POWER:
        return float("inf") if number > 0 else float("-inf")
    if kind is Kind.INTEGER and number == number.to_integral_value():
        return int(number)
    return float(number)


def _read_number(item: Field, raw: str, place: str) -> tuple[object, Problem | None]:
    text = raw.strip()
    share = text.endswith(("%", "％")) and not item.unit and item.kind is Kind.NUMBER
    number = read_decimal(text[:-1] if share else text) if len(text) <= MAX_TEXT else None
    if number is None:
        example = item.example or "1"
        message = Text("「{title}」应为数字，例如 {example}。", "“{title}” must be a number, for example {example}.")
        return None, Problem("NOT_A_NUMBER", place, message.format(title=item.title, example=example))
    return _as_json_number(number.scaleb(-2) if share else number, item.kind), None


def read_text_as(item: Field, raw: str, place: str) -> tuple[object, Problem | None]:
    """One submitted string as the JSON value of its field; empty is None (not known)."""
    if not raw.strip():
        return None, None
    if item.kind in (Kind.NUMBER, Kind.INTEGER):
        return _read_number(item, raw, place)
    if item.kind is Kind.FLAG:
        return {"true": True, "on": True, "false": False}.get(raw.strip(), raw), None
    return raw.strip(), None


def read_section(form: Submitted, fields: Sequence[Field], place: str = "") -> tuple[dict[str, Any], FormState]:
    """Read the inputs of one section: the JSON object of what was sent, and the form as typed.

    A value that could not be read is left out of the JSON and has its problem in the state.
    """
    sent = set(form.keys())
    json: dict[str, Any] = {}
    values: dict[str, str] = {}
    problems: dict[str, list[Text]] = {}
    for item in fields:
        name = FormState.name_of(item, place)
        if name not in sent:
            continue
        texts = [text for text in form.getlist(name) if isinstance(text, str)]
        if item.kind is Kind.CHOICES:
            codes = [text for text in texts if text]
            values[name], json[item.name] = ",".join(codes), codes or None
            continue
        typed = texts[-1] if texts else ""
        values[name] = typed
        value, problem = read_text_as(item, typed, name)
        if problem:
            problems[name] = [problem.message]
        else:
            json[item.name] = value
    return json, FormState(values, problems)


def read_rows(form: Submitted, fields: Sequence[Field], place: str) -> tuple[list[dict[str, Any]], FormState]:
    """Read a list of small objects (`segments.0.name`, `segments.1.name`); rows left empty are dropped.

    Rows keep their typed number in the state, and close up in the JSON. At most `MAX_ROWS` are read.
    """
    pattern = re.compile(re.escape(place) + r"\.(\d{1,3})\.")
    numbers = sorted({int(m[1]) for name in form.keys() if (m := pattern.match(name))})  # noqa: SIM118
    rows: list[dict[str, Any]] = []
    state = FormState()
    for number in numbers[:MAX_ROWS]:
        row, part = read_section(form, fields, f"{place}.{number}")
        state = state.merged(part)
        if any(value is not None for value in row.values()):
            rows.append(row)
    return rows, state
