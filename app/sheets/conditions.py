"""The words beside a figure that tell its case: when, where, for which product it holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from app.sheets import words
from app.sheets.attributes import remainder
from app.sheets.folding import lowered
from app.sheets.numbers import figures

if TYPE_CHECKING:
    from app.sheets.clauses import Assigned
    from app.sheets.contexts import Context

_BRACKET: Final = re.compile(r"\s*[(（][^()（）]*[)）]")
_CASE: Final = re.compile(r"\s*([^:：;；,，。\d]{2,40})[:：]\s*")  # "Equipment: 4 hours"


def around(text: str, one: Assigned) -> tuple[str, str]:
    """The words of the clause before and after a figure, up to its neighbours."""
    before = [f.end for f in one.clause.figures if f.end <= one.figure.start]
    after = [f.start for f in one.clause.figures if f.start >= one.figure.end]
    start = before[-1] if before else one.clause.start
    end = after[0] if after else one.clause.end
    bracket = None if after else _BRACKET.match(text, one.figure.end)
    if bracket and not figures(bracket.group()):
        end = bracket.end()
    return text[start : one.figure.start], text[one.figure.end : end]


def sibling_of(text: str, one: Assigned, context: Context) -> str:
    """The product a figure belongs to in a sentence that names several: "99.8% for A and 99.99% for B"."""
    names = sorted((m.start(), n) for n in context.siblings for m in re.finditer(re.escape(n), text))
    if len({n for _, n in names}) < 2:  # noqa: PLR2004 - one name speaks for the whole sentence
        return ""
    first = next((f.start for f in figures(text) if f.unit), 0)
    if names[0][0] < first:
        return next((n for at, n in reversed(names) if at < one.figure.start), "")
    return next((n for at, n in names if at >= one.figure.end), "")


def condition_of(text: str, one: Assigned, *, several: bool, cell: bool = False) -> str:
    before, after = around(text, one)
    if cell and before.strip() in {":", "："}:  # "with option B (two circuits): 99.99 %"
        return remainder(text[: one.figure.start].rpartition(";")[2])
    if cell and (case := _CASE.fullmatch(before)) and not one.clause.hits:
        return remainder(case.group(1))
    first = one.clause.figures[0]
    suffix_style = not remainder(text[one.clause.start : first.start])
    low_after = lowered(after)
    if words.LATER_CONDITION.search(low_after) and (several or words.CONDITION.search(low_after)):
        found = words.LATER_CONDITION.search(low_after)
        tail = after[found.start() if found and found.group().isascii() else 0 :].strip(" ,，、.()（）")
        return tail[:80] if found and found.group().isascii() else remainder(after)
    side = after if suffix_style else before
    if optional := words.OPTIONAL.search(low_after) or words.OPTIONAL.search(lowered(side)):
        return optional.group()
    if several or words.CONDITION.search(lowered(side)):
        return remainder(side)
    return ""
