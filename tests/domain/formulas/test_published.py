"""Every published figure a formula can express, inside the tolerance of its row, and the README's table.

Write the table anew by running this file: `.venv/bin/python tests/domain/formulas/test_published.py`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from app.domain.formulas.registry import BY_ID

ROOT = Path(__file__).parents[3]
DATA = json.loads((ROOT / "tests/data/published_rows.json").read_text(encoding="utf-8"))
README = ROOT / "app/domain/formulas/README.md"
PUBLISHED = "1cf68bdf7d104543a290a1b41cf15c98feb121a00ed1ce781bdd795c8a6389c2"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"


def call(formula: str, inputs: dict[str, Any], unregistered: dict[str, Any] | None = None) -> float:
    """Call a formula; an input may itself be a call; `unregistered` are arguments of the function alone."""
    values = {k: call(**v) if isinstance(v, dict) else v for k, v in inputs.items()}
    if unregistered:
        return float(BY_ID[formula].function(**values, **unregistered))
    return BY_ID[formula](**values)


def figure(row: dict[str, Any]) -> float:
    """Our figure in the row's unit: (value / over) or its reciprocal, times scale, plus what is given."""
    value = call(row["formula"], row["inputs"], row.get("unregistered"))
    if "over" in row:
        value /= call(**row["over"])
    if row.get("reciprocal"):
        value = 1 / value
    return float(value * row["scale"] + row.get("plus", 0))


def band(row: dict[str, Any]) -> tuple[float, float]:
    """The lowest and highest figure the row accepts."""
    expected, tolerance = row["expected"], row["tolerance"]
    if "rel" in tolerance:
        width = tolerance["rel"] * abs(expected)
    elif "abs" in tolerance:
        width = tolerance["abs"]
    else:
        return tolerance["low"], tolerance["high"]
    return expected - width, expected + width


def _band(formula: str) -> str:
    found = BY_ID[formula].band
    return f"×{found.low:g} to ×{found.high:g}" if found else "–"


def table() -> str:
    """The README's table: row, expected, ours, deviation, source; then what no formula expresses."""
    lines = [
        "| row | formula | expected | ours | deviation | band of the formula | source |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in DATA["rows"]:
        ours, expected = figure(row), row["expected"]
        percent = round((ours / expected - 1) * 100, 2) if expected else ours - expected
        off = f"{percent:+.2f} %" if percent else "0.00 %"
        mark = " (unconfirmed)" if row.get("unconfirmed") else ""
        lines.append(
            f"| {row['id']} | `{row['formula']}` | {expected:.6g} {row['unit']} | {ours:.6g} | {off} "
            f"| {_band(row['formula'])} | {row['source']}{mark} |"
        )
    lines += ["", "| not expressed | reason |", "| --- | --- |"]
    lines += [f"| {row['id']} | {row['reason']} |" for row in DATA["not_expressed"]]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("row", DATA["rows"], ids=lambda row: row["id"])
def test_published_figure(row: dict[str, Any]) -> None:
    low, high = band(row)
    assert low <= figure(row) <= high


def test_every_row_is_accounted_for() -> None:
    ids = [row["id"] for part in ("rows", "not_expressed") for row in DATA[part]]
    assert len(ids) == len(set(ids)) == 169
    assert all(row["reason"] for row in DATA["not_expressed"])


def test_no_figure_or_tolerance_was_changed() -> None:
    """Figures and tolerances are those of the collected sources; the digest was taken from the collection itself."""
    published = sorted([row["id"], row["expected"], row["unit"], row["tolerance"]] for row in DATA["rows"])
    assert hashlib.sha256(json.dumps(published, sort_keys=True).encode()).hexdigest() == PUBLISHED


def test_readme_table_is_fresh() -> None:
    text = README.read_text(encoding="utf-8")
    assert text.split(BEGIN)[1].split(END)[0] == table()


if __name__ == "__main__":
    page = README.read_text(encoding="utf-8")
    head, rest = page.split(BEGIN)
    README.write_text(head + BEGIN + table() + END + rest.split(END)[1], encoding="utf-8")
