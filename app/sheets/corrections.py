"""Notes that correct a figure elsewhere in the document (更正：“≤0.2ms”应为“≤0.12ms”): both readings are shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from app.domain.facts import State
from app.domain.metrics import BY_ID
from app.sheets.clauses import sentences
from app.sheets.contexts import with_note
from app.sheets.folding import fold, key, lowered
from app.sheets.numbers import Figure, figures
from app.sheets.quantities import quantify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.facts import Fact
    from app.sheets.entries import Entry

_CORRECTS: Final = re.compile(
    r"更正|勘误|笔误|误写|误为|\bcorrigend\w*\b|\berrat\w*\b|\bcorrection\b|\bmisprint\w*\b|\btypo\w*\b|\bin error\b"
)
_RIGHT: Final = re.compile(r"应为|应是|更正为|改为|修正为|\bshould (?:read|be)\b|\bcorrected to\b|\bread instead\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A figure that stands wrong somewhere, and the figure that should stand there."""

    wrong: str
    right: Figure
    quote: str


def corrections_in(raw: str) -> list[Correction]:
    """The corrections of a text: one wrong figure before words such as 应为 or "should read", one right behind."""
    found = []
    for sentence in sentences(raw):
        text = fold(sentence)
        mark = _RIGHT.search(lowered(text))
        if mark is None or not _CORRECTS.search(lowered(text)):
            continue
        told = [f for f in figures(text) if f.unit is not None]
        before, after = [f for f in told if f.end <= mark.start()], [f for f in told if f.start >= mark.end()]
        if before and after:
            wrong = text[before[-1].start : before[-1].end]
            found.append(Correction(wrong=key(wrong), right=after[0], quote=sentence))
    return found


def is_correction(text: str) -> bool:
    """Whether a sentence only corrects another place; its figures are no statement of their own."""
    low = lowered(fold(text))
    return bool(_CORRECTS.search(low) and _RIGHT.search(low))


def corrected(entries: Sequence[Entry], corrections: Sequence[Correction]) -> list[Entry]:
    """The entries with every figure that a note corrects made ambiguous: what stands there and what should."""
    return [replace(e, fact=_corrected(e.fact, corrections)) for e in entries]


def _corrected(fact: Fact, corrections: Sequence[Correction]) -> Fact:
    quote = fold(fact.evidence.quote)
    for one in corrections:
        quantity = quantify(BY_ID[fact.metric], one.right)
        right = quantity.value if quantity else None
        if right is None or not isinstance(fact.value, Decimal) or fact.value == right:
            continue
        if any(key(quote[f.start : f.end]) == one.wrong for f in figures(quote)):
            note = ("contradicted", one.quote[:300])
            return replace(
                fact, state=State.AMBIGUOUS, value=None, readings=(fact.value, right), confidence=0.5,
                evidence=with_note(fact.evidence, note),
            )  # fmt: skip
    return fact
