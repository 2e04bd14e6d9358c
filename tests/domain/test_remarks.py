"""Remarks: every code the sheet room uses is told in both languages, and parts are never interpreted."""

from __future__ import annotations

import re
from pathlib import Path

from app.domain.remarks import REMARKS, tell

SHEETS = Path(__file__).parents[2] / "app" / "sheets"


def test_every_code_in_use_is_known():
    source = "\n".join(p.read_text(encoding="utf-8") for p in SHEETS.rglob("*.py"))
    known = {code for code in REMARKS if f'"{code}"' in source}
    assert known == set(REMARKS)


def test_parts_are_filled_in_as_they_are():
    told = tell([("from_words", "{b} <b>"), ("range", "5", "8")])
    assert told is not None
    assert told.en == "from “{b} <b>”; a range from 5 to 8; the worst bound is taken"
    assert "范围 5 至 8" in told.zh


def test_nothing_to_tell():
    assert tell([]) is None


def test_holes_are_a_and_b():
    for text in REMARKS.values():
        assert set(re.findall(r"{(\w+)}", text.zh)) == set(re.findall(r"{(\w+)}", text.en)) <= {"a", "b"}
