"""Renders every macro once, in both languages, so that it can be looked at: `python -m … OUT_FOLDER`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from app.domain.problems import Problem
from app.domain.text import Language, Text
from app.domain.workload_fields import GROUPS, TRAINING_FIELDS
from app.presentation.charts import Stage, waterfall
from app.presentation.parts import Cell, Pair, Panel
from app.presentation.templating import STATIC_DIR, render
from app.presentation.words import STATE, STATUS, STEP
from app.web.forms import FormState
from app.web.paths import Nav
from app.web.responses import Shell

_WORDS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_VERDICTS = ("recommended", "rejected", "conditional", "rejected", "eligible")
_STATUSES = ("pass", "fail", "unknown", "waived", "not_applicable")
_VALUES = ("400", "100", "176–384", "1×10⁻⁷", "99.995 %")
_SHARES = (
    (0.658, 0.64, 0.67),
    (0.306, 0.29, 0.32),
    (None, 0.48, 0.63),
    (0.612, 0.6, 0.62),
    (0.641, 0.63, 0.65),
)


def _cells(words: dict[str, Any], row: int) -> list[Cell]:
    cells = []
    for column in range(5):
        status = "pass" if column in (0, 4) and row < 4 else _STATUSES[(row + column) % 5]
        value = words["missing"] if status == "unknown" else _VALUES[(row + column * 2) % 5]
        href = "" if status == "not_applicable" else f"#{row}{column}"
        cells.append(Cell(status=status, value=value, small=words["smalls"][(row + column) % 5], href=href))
    return cells


def _state() -> FormState:
    typed = {
        "training.parameters": "175B", "training.layers": "96", "training.hidden_size": "12288",
        "training.sequence_length": "0", "training.crossing": "pipeline", "training.gpus": "",
    }  # fmt: skip
    names = {FormState.name_of(f, "training"): "" for f in TRAINING_FIELDS}
    problems = [Problem(code, place, Text(zh, en)) for code, place, zh, en in _WORDS["problems"]]
    return FormState(names | typed).with_problems(problems)


def view(language: Language, *, opened: bool) -> dict[str, Any]:
    """The view object of the style guide."""
    words: dict[str, Any] = _WORDS[language.value]
    cards = [
        {
            "code": _VERDICTS[i], "vendor": words["vendors"][i], "product": words["products"][i],
            "why": words["why"][i], "label": words["label"], "value": "65.8 %", "band": "64–67 %",
            "share": _SHARES[i][0], "low": _SHARES[i][1], "high": _SHARES[i][2],
            "pairs": [Pair(label=a, value=b) for a, b in words["pairs"]],
        }
        for i in range(5)
    ]  # fmt: skip
    steps = [
        {
            "title": STEP[number].pick(language),
            "rows": [
                {"title": words["rows"][r][0], "small": words["rows"][r][1], "cells": _cells(words, r)} for r in rows
            ],
        }
        for number, rows in ((1, (0, 1)), (2, (2, 3, 4)))
    ]
    stages = [
        Stage(label, value, f"{value:.0f}")
        for label, value in zip(words["stages"], (400.0, 400.0, 400.0, 391.8, 387.05), strict=True)
    ]
    panel = Panel(
        title=words["rows"][3][0], value="1×10⁻⁷", close="#", status="confirmed", kind="review",
        reason=words["why"][0], quote=words["quote"],
        pairs=tuple(Pair(label=a, value=b) for a, b in words["panel"]),
        formula="p ≤ (1/W − 1/C)·8·MTU/RTT", working=("(1/280.2G − 1/350.3G)·8·4096/7.34 ms = 3.19×10⁻⁶",),
        sources=(("RFC 2680", "https://www.rfc-editor.org/rfc/rfc2680"),),
    )  # fmt: skip
    return words | {
        "cards": cards, "steps": steps, "waterfall": waterfall(stages, 280.0, words["floor"]), "panel": panel,
        "stats": [Pair(label=a, value=b, small=words["head_small"]) for a, b in words["stats"]],
        "fields": TRAINING_FIELDS, "titles": GROUPS, "state": _state(), "open": opened,
        "marks": {"status": STATUS, "state": STATE},
    }  # fmt: skip


def html(language: Language, *, opened: bool = False) -> str:
    """The style guide as one page."""
    name = "张江—乌兰察布 训练专线 · 175B 双站点" if language is Language.ZH else "Zhangjiang–Ulanqab, 175B, two sites"
    shell = Shell("/", "王工" if language is Language.ZH else "", Nav("7", name, "comparison"), None)
    return render("_styleguide.html", language, shell=shell, view=view(language, opened=opened))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for item in Language:
        for is_open in (False, True):
            text = html(item, opened=is_open).replace('"/static/', f'"file://{STATIC_DIR}/')
            (folder / f"{item.value}{'-panel' if is_open else ''}.html").write_text(text, encoding="utf-8")
