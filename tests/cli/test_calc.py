"""`linewise calc` for every formula: the worked example comes out, what is wrong ends with status 2 and its name."""

from __future__ import annotations

import json
import sys

import pytest

from app.cli import main
from app.domain.formulas.formula import Dimension
from app.domain.formulas.registry import FORMULAS


@pytest.fixture
def calc(monkeypatch, capsys):
    """Run the command in this process: exit status, standard output, standard error."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["linewise", "calc", *words])
        try:
            main()
            status = 0
        except SystemExit as stop:
            status = int(stop.code or 0)
        done = capsys.readouterr()
        return status, done.out, done.err

    return run


def typed(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: f.id)
def test_every_formula_on_the_command_line(calc, formula):
    example = {name: typed(value) for name, value in formula.example.inputs.items()}
    status, out, _ = calc(formula.id, *(f"{name}={value}" for name, value in example.items()))
    document = json.loads(out)
    assert status == 0
    assert document["value"] == pytest.approx(formula.example.expected, rel=formula.example.rel)
    assert set(document) >= {"formula", "value", "unit", "inputs", "symbolic", "source", "warnings", "band"}
    for item in formula.inputs:
        for bad in ("NaN", "1e999", "-1", "many"):
            if item.dimension is Dimension.WORD and bad != "many":
                continue
            changed = example | {item.name: bad}
            status, out, err = calc(formula.id, *(f"{name}={value}" for name, value in changed.items()))
            assert (status, out) == (2, ""), (item.name, bad)
            assert err.split()[0] in {"OUT_OF_RANGE", "NOT_A_NUMBER", "NOT_A_CHOICE"}
            assert err.split()[1] == f"{formula.id}.{item.name}:"
