"""A formula with the numbers put in reads as a person would write it, to the last digit."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.formulas.formula import Dimension, Formula
from app.domain.formulas.registry import BY_ID, FORMULAS
from app.domain.text import Language
from app.report.substitution import put_in, with_numbers


def written(name: str, language: Language = Language.EN, **changed: Any) -> str:
    formula = BY_ID[name]
    given = formula.check({**formula.example.inputs, **changed})
    return with_numbers(formula, given, language).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("line_allreduce_time", "T = 2(2−1)·5 ms + 2(2−1)/2·8·350 GB/(0.9·400 Gbit/s)"),
        ("bandwidth_floor", "floor = 8·350 GB / (10 s − 2 · 7.3425 ms/2)"),
        ("mathis_throughput", "R = 8·1,460 byte/10 ms · 1.22/√(1×10⁻⁴)"),  # a power of ten is bracketed under a root
        ("mesh_allreduce_time", "T = 2·50 ms + 2/4·8·1 GB/(4 Gbit/s)"),  # and so is a rate below a stroke
        ("nccl_buffer_rate", "R = 8·32·4,194,304 byte / 10 ms"),  # no digit is lost
        ("pipeline_crossings", "n = 2·4 − 1"),  # times is written out after a figure
        ("tensor_layer_bytes", "V = 4·2(8−1)/8·1·2,048·12,288·2 byte; full: 6"),  # other cases stay as they are
        ("loss_upper_bound", "p: Σ_{j ≤ 0} C(1,000,000,j)·p^j·(1−p)^(1,000,000−j) = 1 − 0.95"),
        ("path_rate", ""),  # a list has no letter
    ],
)
def test_numbers_are_put_in(name: str, text: str) -> None:
    assert written(name) == text


def test_words_left_over_are_in_the_readers_language() -> None:
    assert written("overlap_cover", Language.ZH).startswith("掩盖 = 9.092 s / 64")


@pytest.mark.parametrize(
    ("value", "dimension", "text"),
    [
        (7.3425e-3, Dimension.TIME, "7.3425 ms"),
        (4.9e-6, Dimension.TIME, "4.9 µs"),
        (0, Dimension.TIME, "0 s"),
        (280.2057e9, Dimension.RATE, "280.2057 Gbit/s"),
        (32768, Dimension.RATE, "32,768 bit/s"),
        (0.95, Dimension.RATIO, "0.95"),
    ],
)
def test_a_value_is_put_in_with_every_digit(value: float, dimension: Dimension, text: str) -> None:
    assert put_in(value, dimension, Language.EN).replace("\u00a0", " ") == text


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: f.id)
@pytest.mark.parametrize("language", list(Language))
def test_every_formula_takes_its_numbers(formula: Formula, language: Language) -> None:
    text = with_numbers(formula, formula.check(formula.example.inputs), language)
    assert "None" not in text and "nan" not in text
