"""Every letter of a symbolic form can be told: the inputs that have none are words, switches or hidden in the text."""

from __future__ import annotations

import pytest

from app.domain.formulas.formula import Dimension, Formula
from app.domain.formulas.registry import BY_ID, FORMULAS
from app.domain.formulas.symbols import right_side, symbols_of, token

# A switch, or an input of a schedule or sum that is told in words.
WITHOUT = {
    "zero_stage", "deduplicated", "overlapped", "fragment_layers", "overlap_steps", "replicas", "latency", "flows",
    "paths", "mtu",
}  # fmt: skip
TOLD_IN_WORDS = {"local_sgd_utilization", "local_sgd_bandwidth"}


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: f.id)
def test_every_number_has_its_own_letter(formula: Formula) -> None:
    letters = symbols_of(formula)
    assert len(set(letters.values())) == len(letters)
    form = right_side(formula.symbolic)
    assert all(token(letter).search(form) for letter in letters.values())
    if formula.id in TOLD_IN_WORDS:
        return
    for item in formula.inputs:
        if item.dimension not in (Dimension.WORD, Dimension.LIST) and item.name not in WITHOUT:
            assert item.name in letters, f"symbols.py has no letter for {item.name} in {formula.symbolic}"


def test_a_letter_stands_by_itself() -> None:
    assert token("p").search("3√(3·b·p/8)") and token("D").search("max(0, 2D)")
    assert not token("p").search("P_act·peak") and not token("R").search("R_1·RTT")
    assert symbols_of(BY_ID["mathis_loss_limit"]) == {"mss": "MSS", "rtt": "RTT", "bandwidth": "B", "constant": "C"}
    assert right_side("p: Σ x = 1 − y") == "Σ x = 1 − y"
