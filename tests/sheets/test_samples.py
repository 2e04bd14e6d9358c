"""Golden tests: our own sample sheets give exactly the facts written beside them, at the places written there.

NAME.expected.txt: `vendor | product | metric | value or state | place | attributes`; a line starting with `!`
names a notice that must be told. Nothing may be read beyond these lines.
"""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.domain.facts import State
from app.sheets.reading import read_file

if TYPE_CHECKING:
    from app.domain.facts import Evidence, Fact

FOLDER = Path(__file__).resolve().parents[1] / "data" / "sheets"
SAMPLES = sorted(FOLDER.glob("*.expected.txt"))
STATES = {"none", "elsewhere", "ambiguous"}


def place(evidence: Evidence) -> str:
    """The place of a fact in the short form of the expectation files."""
    if evidence.sheet:
        return f"{evidence.sheet}!{evidence.cell}"
    parts = (
        ("p", evidence.page),
        ("t", evidence.table if evidence.column else None),
        ("r", evidence.row),
        ("c", evidence.column),
    )
    text = "".join(f"{letter}{value}" for letter, value in parts if value is not None)
    return text.replace("t1r", "r") if evidence.reader == "csv" else text


def value(text: str) -> object:
    """A value of an expectation line."""
    if text in {"true", "false"}:
        return text == "true"
    return Decimal(text) if re.fullmatch(r"[\d.]+(?:e-?\d+)?", text) else text


def said(fact: Fact) -> object:
    """What a fact says: its value, or its state."""
    return fact.value if fact.state is State.STATED else fact.state.value


def attributes(text: str) -> dict[str, str]:
    """`direction=round_trip condition=if a cable is cut` → a mapping."""
    return {k: v.strip() for k, v in re.findall(r"(\w+)=(<=|>=|<|>|[^=]*?)(?=\s+\w+=|$)", text)}


@pytest.mark.parametrize("path", SAMPLES, ids=[p.name.removesuffix(".expected.txt") for p in SAMPLES])
def test_sample(path: Path) -> None:
    stem = path.name.removesuffix(".expected.txt")
    sheet = next(p for p in FOLDER.glob(f"{stem}.*") if p.suffix != ".txt")
    reading = read_file(sheet.name, sheet.read_bytes())
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    expected = [[c.strip() for c in line.split("|")] for line in lines if not line.startswith("!")]
    assert reading.status in {"read", "partial"}
    got = {
        (o.vendor, o.product or "", f.metric, said(f), place(f.evidence)): f for o in reading.offers for f in o.facts
    }
    wanted = {(v, p, m, value(x), spot): attributes(more) for v, p, m, x, spot, more in expected}
    assert set(got) == set(wanted)
    for key, more in wanted.items():
        for name, word in more.items():
            assert str(getattr(got[key], name)) == word, (key, name)
    for line in (line[1:].strip() for line in lines if line.startswith("!")):
        code, _, words = line.partition(" ")
        assert any(n.code == code and words in n.message.en for n in reading.notices), line


@pytest.mark.parametrize("path", SAMPLES, ids=[p.name.removesuffix(".expected.txt") for p in SAMPLES])
def test_every_fact_has_evidence_and_a_sound_confidence(path: Path) -> None:
    stem = path.name.removesuffix(".expected.txt")
    sheet = next(p for p in FOLDER.glob(f"{stem}.*") if p.suffix != ".txt")
    reading = read_file(sheet.name, sheet.read_bytes())
    for fact in (f for o in reading.offers for f in o.facts):
        assert fact.evidence.quote
        assert fact.evidence.sha256 == reading.sha256
        assert fact.evidence.file == sheet.name
        assert 0 < fact.confidence <= 1
    assert reading.as_json()["offers"]
