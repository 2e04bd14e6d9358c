"""A formula with the numbers put in: `T = 2(2−1)·5 ms + 2(2−1)/2·8·350 GB/(0.9·400 Gbit/s)`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from app.domain.formulas.formula import UNITS, Dimension
from app.domain.formulas.symbols import right_side, symbols_of, token
from app.presentation import format as fmt
from app.report.working import symbols

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.formulas.formula import Formula
    from app.domain.text import Language

_RAISED: Final = "^²³"  # an exponent belongs to figure and unit together
_FACTORS: Final = tuple("0123456789⅓⅔⅑)")
_WORDS: Final = (Dimension.WORD, Dimension.LIST)
_DIGITS: Final = 12  # all that a double holds for sure, without the noise of the last ones
# Least value, unit, its size; the first that fits is taken.
_SCALES: Final[dict[Dimension, tuple[tuple[float, str, float], ...]]] = {
    Dimension.RATE: ((1e9, "Gbit/s", 1e9), (1e6, "Mbit/s", 1e6)),
    Dimension.BYTES: ((1e9, "GB", 1e9),),
    Dimension.BYTE_RATE: ((1e9, "GB/s", 1e9),),
    Dimension.TIME: ((1, "s", 1), (1e-3, "ms", 1e-3), (1e-12, "µs", 1e-6)),
    Dimension.FLOP_RATE: ((1e12, "TFLOP/s", 1e12),),
}


def put_in(value: float, dimension: Dimension, language: Language, digits: int = _DIGITS) -> str:
    """A value as it is put into a formula: no digit left out (or as many as asked for), in a unit of its size."""
    scales = _SCALES.get(dimension, ())
    unit, size = next(((unit, size) for least, unit, size in scales if value >= least), (UNITS[dimension], 1))
    return fmt.figure(value / size, language, "" if unit == "1" else unit, digits)


def with_numbers(formula: Formula, inputs: Mapping[str, Any], language: Language) -> str:
    """The symbolic form with every letter that stands for an input replaced by its value; "" when none is left.

    Cases after a semicolon are words about other settings and stay as they are.
    """
    letters = {
        letter: put_in(inputs[item.name], item.dimension, language)
        for item in formula.inputs
        if item.dimension not in _WORDS and inputs.get(item.name) is not None
        for letter in (symbols_of(formula).get(item.name),)
        if letter
    }
    form, semicolon, cases = formula.symbolic.partition("; ")
    right = right_side(form)
    left = form.removesuffix(right)
    if not letters:
        return ""
    longest_first = sorted(letters, key=len, reverse=True)
    found = re.compile("|".join(token(letter).pattern for letter in longest_first))
    # Words left over are put into the reader's language piece by piece, so that no figure is taken for one.
    pieces, end = [], 0
    for match in found.finditer(right):
        pieces += [symbols(right[end : match.start()], language), _placed(right, match, letters[match[0]])]
        end = match.end()
    pieces.append(symbols(right[end:], language))
    return symbols(left, language) + "".join(pieces) + semicolon + symbols(cases, language)


def _placed(form: str, match: re.Match[str], value: str) -> str:
    """The value as it must be written at this place: times after a figure, in brackets before an exponent."""
    before, after = form[: match.start()].rstrip()[-1:], form[match.end() :][:1]
    whole = (after and after in _RAISED) or before == "√" or (before == "/" and "/" in value)
    if whole and not value.isdecimal():
        value = f"({value})"
    times = "·" if form[: match.start()][-1:] in _FACTORS else ""
    return times + value + ("·" if after == "(" else "")
