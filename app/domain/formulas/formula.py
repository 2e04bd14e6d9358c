"""The shape of a registered formula: a pure function with its inputs, units, symbols, range and source."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from app.domain.problems import InputError, Notice, Problem
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.domain.sources import Source


class Dimension(StrEnum):
    """What an input or result measures; each has one canonical unit (see `UNITS`)."""

    BYTES = "bytes"
    RATE = "rate"
    BYTE_RATE = "byte_rate"
    TIME = "time"
    LENGTH = "length"
    RATIO = "ratio"
    COUNT = "count"
    FLOP = "flop"
    FLOP_RATE = "flop_rate"
    SEGMENTS = "segments"
    SIGMA = "sigma"
    WORD = "word"
    LIST = "list"


NO_LIMIT: Final = 1e30  # far beyond any quantity, and small enough that products of a few stay finite
UNITS: dict[Dimension, str] = {
    Dimension.BYTES: "byte",
    Dimension.RATE: "bit/s",
    Dimension.BYTE_RATE: "byte/s",
    Dimension.TIME: "s",
    Dimension.LENGTH: "km",
    Dimension.RATIO: "1",
    Dimension.COUNT: "1",
    Dimension.FLOP: "FLOP",
    Dimension.FLOP_RATE: "FLOP/s",
    Dimension.SEGMENTS: "segments",
    Dimension.SIGMA: "sigma",
    Dimension.WORD: "",
    Dimension.LIST: "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One argument of a formula: `name` is the keyword of the function, `low`/`high` the hard valid range.

    `above_zero` excludes zero, `below_high` excludes `high`. `default` None means required.
    `choices` lists the words of a WORD or LIST input, `entries` says what the numbers of a LIST measure.
    `advised_low`/`advised_high`: outside them the formula is still computed, with a warning.
    """

    name: str
    dimension: Dimension
    title: Text
    default: Any = None
    low: float = 0.0
    high: float = NO_LIMIT
    above_zero: bool = False
    below_high: bool = False
    whole: bool = False
    choices: tuple[str, ...] = ()
    entries: Dimension = Dimension.RATIO
    advised_low: float | None = None
    advised_high: float | None = None

    def advised(self, value: float) -> bool:
        """Whether a number lies in the range in which the formula is known to hold."""
        low, high = self.advised_low, self.advised_high
        return (low is None or value >= low) and (high is None or value <= high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A worked example: inputs, the expected result and the arithmetic or the source it comes from."""

    inputs: Mapping[str, Any]
    expected: float
    origin: str
    rel: float = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """How far measurements lie from the result: they were `low` to `high` times as large."""

    low: float
    high: float
    words: Text
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """One published formula. `symbolic` is the line a reader sees; `function` takes the inputs by keyword.

    `band` is there where the formula was held against measurements. `caution` says what several inputs together
    put in doubt, or None; one input by itself has its advised range.
    """

    id: str
    title: Text
    function: Callable[..., float]
    inputs: tuple[Input, ...]
    result: Dimension
    symbolic: str
    validity: Text
    source: Source
    example: Example
    band: Band | None = None
    caution: Callable[[Mapping[str, Any]], Text | None] | None = None

    @property
    def unit(self) -> str:
        """Canonical unit of the result."""
        return UNITS[self.result]

    def __call__(self, **values: Any) -> float:
        """Check the inputs, compute, check the result. Raises `InputError` naming the input at fault."""
        clean = self.check(values)
        try:
            result = float(self.function(**clean))
        except InputError:
            raise
        except (OverflowError, ZeroDivisionError, ValueError):
            result = math.nan
        if not math.isfinite(result * self.band.high if self.band else result):
            raise InputError(
                [
                    Problem(
                        "NO_FINITE_RESULT",
                        self.id,
                        Text(
                            f"「{self.title.zh}」在这些输入下没有有限的结果，请检查数值的量级。",
                            f"“{self.title.en}” has no finite result for these inputs; check their size.",
                        ),
                    )
                ]
            )
        return result

    def check(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the inputs with defaults filled in; raises `InputError` listing every bad one.

        A LIST comes back as a tuple, whether it was given as a list, as one value or as `a,b,c`.
        """
        problems: list[Problem] = []
        clean: dict[str, Any] = {}
        known = {i.name for i in self.inputs}
        for name in values:
            if name not in known:
                names = ", ".join(i.name for i in self.inputs)
                problems.append(
                    Problem(
                        "UNKNOWN_INPUT",
                        f"{self.id}.{name}",
                        Text(f"没有输入「{name}」，可用：{names}。", f"No input “{name}”; there are: {names}."),
                    )
                )
        for item in self.inputs:
            raw = values.get(item.name, item.default)
            if item.dimension is Dimension.LIST and raw is not None:
                raw = _entries(item, raw)
            problem = _fault(self, item, raw)
            if problem:
                problems.append(problem)
            else:
                clean[item.name] = raw
        if problems:
            raise InputError(problems)
        return clean

    def warnings(self, clean: Mapping[str, Any]) -> tuple[Notice, ...]:
        """One notice for each input outside the range in which the formula is known to hold, and the caution."""
        outside = [
            _outside(item, clean[item.name])
            for item in self.inputs
            if isinstance(clean[item.name], (int, float)) and not item.advised(clean[item.name])
        ]
        together = self.caution(clean) if self.caution else None
        return tuple(Notice("outside_validity", text) for text in (*outside, *([together] if together else ())))


def _outside(item: Input, value: float) -> Text:
    low = f"{item.low if item.advised_low is None else item.advised_low:g}"
    most = item.high if item.advised_high is None else item.advised_high
    high = f"{most:g}" if most < NO_LIMIT else "∞"
    return Text(
        f"「{item.title.zh}」= {value:g} 超出公式的适用范围 {low} 至 {high}，结果仅供参考。",
        f"“{item.title.en}” = {value:g} lies outside {low} to {high}, where the formula is known to hold.",
    )


def _fault(formula: Formula, item: Input, raw: object) -> Problem | None:
    """What is wrong with one input, or None."""
    place = f"{formula.id}.{item.name}"
    if raw is None:
        return Problem("MISSING_INPUT", place, Text(f"缺少输入「{item.name}」。", f"Input “{item.name}” is missing."))
    if item.dimension is Dimension.WORD:
        if raw in item.choices:
            return None
        listed = ", ".join(item.choices)
        return Problem(
            "NOT_A_CHOICE",
            place,
            Text(f"「{item.name}」只能是：{listed}。", f"“{item.name}” must be one of: {listed}."),
        )
    if item.dimension is Dimension.LIST:
        return _list_fault(item, raw, place)
    return _number_fault(item, raw, place)


def refused(place: str, zh: str, en: str) -> InputError:
    """Build the error a function raises when one input bounds another; `place` is `formula.input`."""
    return InputError([Problem("OUT_OF_RANGE", place, Text(zh, en))])


def _entries(item: Input, raw: object) -> tuple[object, ...]:
    """A LIST as a tuple; text is split at commas, and read as numbers where the list has no words."""
    if isinstance(raw, str):
        words = [word.strip() for word in raw.split(",") if word.strip()]
        return tuple(words) if item.choices else tuple(_number_or_text(word) for word in words)
    return tuple(raw) if isinstance(raw, (list, tuple)) else (raw,)


def _number_or_text(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def _list_fault(item: Input, raw: object, place: str) -> Problem | None:
    for entry in raw if isinstance(raw, tuple) else (raw,):
        if item.choices:
            if entry not in item.choices:
                listed = ", ".join(item.choices)
                return Problem(
                    "NOT_A_CHOICE",
                    place,
                    Text(
                        f"「{item.name}」的每一项只能是：{listed}。",
                        f"Each “{item.name}” must be one of: {listed}.",
                    ),
                )
        elif (problem := _number_fault(item, entry, place)) is not None:
            return problem
    return None


def _finite(raw: object) -> float | None:
    """The number as a float, or None for anything that is not a finite number (a huge integer included)."""
    if isinstance(raw, bool) or not isinstance(raw, (int, float)):
        return None
    try:
        number = float(raw)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _number_fault(item: Input, raw: object, place: str) -> Problem | None:
    number = _finite(raw)
    if number is None:
        return Problem(
            "NOT_A_NUMBER",
            place,
            Text(f"「{item.name}」应为有限的数字。", f"“{item.name}” must be a finite number."),
        )
    low = number < item.low or (item.above_zero and number <= 0)
    high = number > item.high or (item.below_high and number >= item.high)
    if low or high or (item.whole and not number.is_integer()):
        least = "> 0" if item.above_zero and item.low <= 0 else f"≥ {item.low:g}"
        most = f"{'<' if item.below_high else '≤'} {item.high:g}"
        whole_zh, whole_en = ("整数，", "a whole number, ") if item.whole else ("", "")
        return Problem(
            "OUT_OF_RANGE",
            place,
            Text(
                f"「{item.name}」= {number:g} 超出范围：应为{whole_zh}{least} 且 {most}。",
                f"“{item.name}” = {number:g} is out of range: it must be {whole_en}{least} and {most}.",
            ),
        )
    return None
