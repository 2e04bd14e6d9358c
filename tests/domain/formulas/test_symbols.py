"""Every letter of a symbolic form can be told: the inputs that have none are words, switches or hidden in the text."""

from __future__ import annotations

import pytest

from app.domain.formulas.formula import Dimension, Formula
from app.domain.formulas.registry import BY_ID, FORMULAS
from app.domain.formulas.symbols import right_side, symbols_of, token


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: f.id)
def test_a_letter_belongs_to_one_input_and_is_there(formula: Formula) -> None:
    letters = symbols_of(formula)
    assert len(set(letters.values())) == len(letters)
    form = right_side(formula.symbolic)
    assert all(token(letter).search(form) for letter in letters.values())


def test_nearly_every_number_has_a_letter() -> None:
    # without: switches, and what a schedule or a sum tells in words
    words = (Dimension.WORD, Dimension.LIST)
    numbers = [(f.id, i.name) for f in FORMULAS for i in f.inputs if i.dimension not in words]
    missing = [(f, name) for f, name in numbers if name not in symbols_of(BY_ID[f])]
    assert len(missing) < len(numbers) / 10, f"symbols.py has no letter for {missing}"


def test_a_letter_stands_by_itself() -> None:
    assert token("p").search("3√(3·b·p/8)") and token("D").search("max(0, 2D)")
    assert not token("p").search("P_act·peak") and not token("R").search("R_1·RTT")
    assert symbols_of(BY_ID["mathis_loss_limit"]) == {"mss": "MSS", "rtt": "RTT", "bandwidth": "B", "constant": "C"}
    assert right_side("p: Σ x = 1 − y") == "Σ x = 1 − y"
