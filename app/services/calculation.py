"""Formulas as a service: list them, and compute one from named values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.formulas.formula import UNITS, Band, Dimension, Formula, Input
from app.domain.formulas.registry import BY_ID, FORMULAS, TOPIC_OF
from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.domain.units import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping


def formula_of(formula_id: str) -> Formula:
    """The registered formula. Raises `InputError` (`UNKNOWN_FORMULA`)."""
    if formula_id in BY_ID:
        return BY_ID[formula_id]
    message = Text(
        f"没有公式「{formula_id}」；`linewise formulas --json` 列出全部。",
        f"There is no formula “{formula_id}”; `linewise formulas --json` lists them all.",
    )
    raise InputError([Problem("UNKNOWN_FORMULA", "formula", message)])


def calculate(formula_id: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Compute one formula; words such as `400Gbps` or `0.999,0.9995` are read by the dimension of the input."""
    formula = formula_of(formula_id)
    inputs = {i.name: i for i in formula.inputs}
    read = {name: _value(formula, inputs.get(name), raw) for name, raw in values.items()}
    result = formula(**read)
    used = formula.check(read)
    band = formula.band
    return {
        "formula": formula.id,
        "value": result,
        "unit": formula.unit,
        "inputs": {k: list(v) if isinstance(v, tuple) else v for k, v in used.items()},
        "symbolic": formula.symbolic,
        "source": formula.source.as_json(),
        "warnings": [n.as_json() for n in formula.warnings(used)],
        "band": None
        if band is None
        else {**_band(band), "value_low": result * band.low, "value_high": result * band.high},
    }


def _band(band: Band) -> dict[str, Any]:
    return {"low": band.low, "high": band.high, "words": band.words.as_json(), "source": band.source.as_json()}


def _value(formula: Formula, item: Input | None, raw: object) -> object:
    if item is None or not isinstance(raw, str):
        return raw
    place = f"{formula.id}.{item.name}"
    if item.dimension is Dimension.WORD:
        return raw
    if item.dimension is Dimension.LIST:
        parts = [part.strip() for part in raw.split(",") if part.strip()]
        return tuple(parts) if item.choices else tuple(parse_quantity(p, item.entries, place) for p in parts)
    return parse_quantity(raw, item.dimension, place)


def catalogue() -> list[dict[str, Any]]:
    """Every formula with its inputs, units, symbolic form, validity, source and worked example."""
    return [as_json(formula) for formula in FORMULAS]


def as_json(formula: Formula) -> dict[str, Any]:
    """One formula as the command line and the API print it."""
    return {
        "id": formula.id,
        "title": formula.title.as_json(),
        "topic": TOPIC_OF[formula.id].id,
        "inputs": [
            {
                "name": i.name,
                "title": i.title.as_json(),
                "unit": UNITS[i.dimension],
                "required": i.default is None,
                "default": list(i.default) if isinstance(i.default, tuple) else i.default,
                "choices": list(i.choices),
                "low": i.low,
                "high": i.high,
                "above_zero": i.above_zero,
                "below_high": i.below_high,
                "whole": i.whole,
                "advised_low": i.advised_low,
                "advised_high": i.advised_high,
            }
            for i in formula.inputs
        ],
        "unit": formula.unit,
        "symbolic": formula.symbolic,
        "validity": formula.validity.as_json(),
        "source": formula.source.as_json(),
        "band": None if formula.band is None else _band(formula.band),
        "example": {
            "inputs": {k: list(v) if isinstance(v, tuple) else v for k, v in formula.example.inputs.items()},
            "expected": formula.example.expected,
            "origin": formula.example.origin,
        },
    }
