"""The inputs of a formula as fields of a form, and its worked example as a person would type it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from app.domain.fields import Choice, Field, Kind
from app.domain.formulas.formula import NO_LIMIT, UNITS, Dimension
from app.domain.text import Text
from app.domain.units import parse_quantity
from app.presentation import format as fmt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.formulas.formula import Formula, Input
    from app.domain.text import Language

PLAIN = {Dimension.RATIO, Dimension.COUNT, Dimension.SIGMA, Dimension.SEGMENTS, Dimension.WORD, Dimension.LIST}
_TYPED_UNITS = {
    Dimension.RATE: ((1e9, "Gbit/s"), (1e6, "Mbit/s")),
    Dimension.BYTES: ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")),
    Dimension.TIME: ((3600.0, "h"), (1.0, "s"), (1e-3, "ms")),
    Dimension.LENGTH: ((1.0, "km"),),
    Dimension.FLOP_RATE: ((1e12, "TFLOPS"),),
}


def _default(item: Input, language: Language) -> tuple[str, str]:
    """What an empty entry counts as, as the end of a Chinese and an English sentence."""
    if item.default in (None, ()) or item.dimension is Dimension.WORD:
        return "", ""
    value = fmt.exact(item.default, language)
    return f"；默认 {value}", f"; default {value}"


def _known(item: Input, language: Language) -> tuple[str, str]:
    """The range in which the formula is known to hold, as the end of a Chinese and an English sentence."""
    low, high = item.advised_low, item.advised_high
    if low is None and high is None:
        return "", ""
    ends = [f"≥ {fmt.exact(low, language)}"] if low is not None else []
    ends += [f"≤ {fmt.exact(high, language)}"] if high is not None else []
    return f"；公式适用于 {'，'.join(ends)}", f"; known to hold for {', '.join(ends)}"


def field_of(item: Input, letter: str, language: Language) -> Field:
    """An input as a field of a form; a figure may be typed with its unit, so it is a text to the form."""
    name = f"{item.name} = {letter}" if letter and letter != item.name else item.name
    more_zh, more_en = ("".join(ends) for ends in zip(_default(item, language), _known(item, language), strict=True))
    kinds = {Dimension.WORD: Kind.CHOICE, Dimension.LIST: Kind.CHOICES if item.choices else Kind.TEXT}
    low = f"{'>' if item.above_zero and item.low <= 0 else '≥'} {fmt.exact(item.low, language)}"
    most = f"{'<' if item.below_high else '≤'} {fmt.exact(item.high, language)}"
    bounds = low if item.high >= NO_LIMIT else f"{low}, {most}"
    if item.dimension in (Dimension.WORD, Dimension.LIST):
        help_text = Text(name, name)
    elif item.dimension in PLAIN:
        help_text = Text(f"{name}，{bounds}{more_zh}", f"{name}, {bounds}{more_en}")
    else:
        unit = UNITS[item.dimension]
        help_text = Text(
            f"{name}，{bounds}；不写单位按 {unit}{more_zh}", f"{name}, {bounds}; without a unit {unit}{more_en}"
        )
    return Field(
        name=item.name,
        kind=kinds.get(item.dimension, Kind.TEXT),
        title=item.title,
        help=help_text,
        required=item.default is None,
        default=item.default if item.dimension is Dimension.WORD else None,
        choices=tuple(Choice(code, Text(code, code)) for code in item.choices),
    )


def example_of(formula: Formula) -> dict[str, str]:
    """The inputs of the worked example as a person would type them: in the largest unit that loses no digit."""
    dimensions = {item.name: item.dimension for item in formula.inputs}
    return {name: _typed(value, dimensions[name]) for name, value in formula.example.inputs.items()}


def command_of(formula: Formula, typed: Mapping[str, str]) -> str:
    """The same calculation on the command line."""
    words = [shlex.quote(f"{name}={value}") for name, value in typed.items() if value.strip()]
    return " ".join(("linewise calc", formula.id, *words))


def _typed(value: Any, dimension: Dimension) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(str(entry) for entry in value)
    if isinstance(value, str):
        return value
    plain = f"{value:.15g}"
    for factor, unit in _TYPED_UNITS.get(dimension, ()):
        number = f"{value / factor:.15g}"
        short = "e" not in number and len(number) <= len(plain)
        if value >= factor and short and parse_quantity(f"{number} {unit}", dimension, "") == value:
            return f"{number} {unit}"
    return plain
