"""A line of working as people read it: title, symbols, inputs put in with their units, result, source.

`amount` is the short figure of a page (three digits, fitting unit), `exact_amount` all digits in the canonical unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.formulas.constants import ENCAPSULATION_BYTES
from app.domain.formulas.formula import UNITS, Dimension
from app.domain.formulas.headers import header_parts
from app.domain.formulas.registry import BY_ID
from app.domain.metrics import ENCAPSULATIONS, TRANSPORTS
from app.domain.text import Text
from app.presentation import format as fmt
from app.presentation.parts import Pair
from app.report.substitution import put_in, with_numbers
from app.report.working import source_text, symbols

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.domain.formulas.formula import Formula
    from app.domain.sources import Source
    from app.domain.text import Language
    from app.domain.working import Working

TERA = 1e12
_COUNTED = 1e5
RESULT_DIGITS = 7
STACK = "Σ encapsulation"
_WORDY = (Dimension.WORD, Dimension.LIST)
_LABELS = {c.code: c.label for c in (*TRANSPORTS, *ENCAPSULATIONS)} | {
    "preamble": Text("前导码与帧间隙", "preamble and gap"),
    "timestamps": Text("时间戳", "timestamps"),
}
_NEAR_ONE = 0.9
_SPACE = re.compile(r"(?<=[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]) (?=[\u3400-\u9fff\uff0c])")


def closed(text: str) -> str:
    """The sentence without the spaces that filled-in words leave between Chinese characters."""
    return _SPACE.sub("", text)


def _byte_rate(value: float, language: Language) -> str:
    return f"{fmt.size(value, language)}/s"


def _bytes(value: float, language: Language) -> str:
    """A packet is counted to the byte, an amount of data is not."""
    whole = float(value).is_integer() and value < _COUNTED
    return fmt.figure(int(value), language, "byte") if whole else fmt.size(value, language)


def _ratio(value: float, language: Language) -> str:
    """A share close to one as per cent, which never rounds to the whole."""
    near = _NEAR_ONE < value < 1
    return fmt.percent(value, language) if near else fmt.figure(value, language)


def _flop_rate(value: float, language: Language) -> str:
    return fmt.figure(value / TERA, language, "TFLOP/s")


def _words(value: object, language: Language) -> str:
    items = value if isinstance(value, (list, tuple)) else (value,)
    return ", ".join(_LABELS[str(i)].pick(language) if str(i) in _LABELS else str(i) for i in items) or "–"


def _put_in(value: Any, dimension: Dimension, language: Language) -> str:
    return _words(value, language) if dimension in _WORDY else put_in(value, dimension, language)


def _with(unit: str) -> Callable[[Any, Language], str]:
    return lambda value, language: fmt.figure(value, language, unit)


_SHORT: dict[Dimension, Callable[[Any, Language], str]] = {
    Dimension.BYTES: _bytes,
    Dimension.RATE: fmt.rate,
    Dimension.BYTE_RATE: _byte_rate,
    Dimension.TIME: fmt.duration,
    Dimension.LENGTH: _with("km"),
    Dimension.RATIO: _ratio,
    Dimension.COUNT: fmt.figure,
    Dimension.FLOP: _with("FLOP"),
    Dimension.FLOP_RATE: _flop_rate,
    Dimension.SEGMENTS: _with("segments"),
    Dimension.SIGMA: _with("σ"),
    Dimension.WORD: _words,
    Dimension.LIST: _words,
}


def amount(value: Any, dimension: Dimension, language: Language) -> str:
    """A value in a fitting unit: `0.0073425`, time → `7.34 ms`."""
    return _SHORT[dimension](value, language)


def exact_amount(value: Any, dimension: Dimension, language: Language) -> str:
    """All digits in the canonical unit: `0.0073425 s`."""
    if dimension in _WORDY:
        return _words(value, language)
    unit = UNITS[dimension]
    return fmt.exact(value, language, "" if unit == "1" else unit)


def numbers_of(formula: Formula, inputs: Mapping[str, Any], language: Language) -> str:
    """The form with the numbers put in; a stack of headers header by header."""
    stack = inputs.get("encapsulation", ())
    if formula.id != "header_overhead":
        extra = " + ".join(str(ENCAPSULATION_BYTES[name]) for name in stack) or "0"
        return with_numbers(formula, inputs, language).replace(symbols(STACK, language), f"({extra})")
    parts = header_parts(transport=inputs["transport"], encapsulation=stack)
    return "o = " + " + ".join(f"{_words(name, language)} {size}" for name, size in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingLine:
    """One computed figure: `inputs` and `exact_inputs` are the same values, short and with all digits."""

    formula: str
    title: str
    symbolic: str
    numbers: str
    inputs: tuple[Pair, ...]
    exact_inputs: tuple[Pair, ...]
    value: str
    result: str
    exact_value: str
    validity: str
    source: Source
    origin: str

    @property
    def line(self) -> str:
        """Symbols, numbers put in and result in one line."""
        return (
            f"{self.symbolic} → {self.numbers} = {self.result}" if self.numbers else f"{self.symbolic} → {self.result}"
        )

    @property
    def given(self) -> str:
        """What each number is and where it comes from, in one line."""
        return " · ".join(f"{i.label} {i.value}" + (f" [{i.small}]" if i.small else "") for i in self.inputs)


def working_line(line: Working, language: Language, origin: Mapping[str, str] | None = None) -> WorkingLine:
    """Put one line of the ledger into words; `origin` tells where each input comes from."""
    return described(BY_ID[line.formula], line.inputs, line.value, language, origin)


def described(
    formula: Formula,
    inputs: Mapping[str, Any],
    value: float,
    language: Language,
    origin: Mapping[str, str] | None = None,
) -> WorkingLine:
    """A formula with the inputs put in and its result."""
    said = origin or {}
    given = [item for item in formula.inputs if inputs.get(item.name) is not None]
    return WorkingLine(
        formula=formula.id,
        title=formula.title.pick(language),
        symbolic=symbols(formula.symbolic, language),
        numbers=numbers_of(formula, inputs, language),
        inputs=tuple(
            Pair(
                label=i.title.pick(language),
                value=_put_in(inputs[i.name], i.dimension, language),
                small=said.get(i.name, ""),
            )
            for i in given
        ),
        exact_inputs=tuple(
            Pair(label=i.title.pick(language), value=exact_amount(inputs[i.name], i.dimension, language)) for i in given
        ),
        value=amount(value, formula.result, language),
        result=put_in(value, formula.result, language, RESULT_DIGITS),
        exact_value=exact_amount(value, formula.result, language),
        validity=formula.validity.pick(language),
        source=formula.source,
        origin=source_text(formula.source, language),
    )
