"""Questions and answers (`Q7. Largest MTU? / A7. 9,100 bytes`): a question tells the metric, never a figure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.sheets.document import Paragraph
from app.sheets.folding import fold
from app.sheets.lexicon import Label, labels_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sheets.document import Block

_TURN: Final = re.compile(
    r"^\s*(?:(?P<q>Q(?:uestion)?|问题?)|(?P<a>A(?:nswer)?|R(?:esponse)?|答复?))\s?\d{0,3}\s?[.:：、)]\s*", re.IGNORECASE
)
_GRADE: Final = re.compile(r"^\s*[\[(（]\s*(?:C|P|N|PC|NC|FC|满足|部分满足|不满足)\s*[\])）]\s*")
_FEWEST: Final = 2
# What a question can mean by a word that is too wide for running text.
_ASKED: Final = (
    (re.compile(r"\bmaintenance\b|维护|割接", re.IGNORECASE), Label(metric="maintenance_window", words="")),
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One paragraph of a dialogue: whether it asks, and its words without the number and the grade of compliance."""

    asks: bool
    text: str


def turns_of(blocks: Sequence[Block]) -> dict[int, Turn]:
    """The turns of a document by the index of their block; none unless questions and answers come in pairs."""
    found: dict[int, Turn] = {}
    for index, block in enumerate(blocks):
        if isinstance(block, Paragraph) and (match := _TURN.match(fold(block.text))):
            raw = _TURN.sub("", block.text, count=1)
            found[index] = Turn(match.group("q") is not None, _GRADE.sub("", raw, count=1))
    asked = sum(t.asks for t in found.values())
    return found if min(asked, len(found) - asked) >= _FEWEST else {}


def asked_for(question: str) -> Label | None:
    """The one metric that a question asks for, None when it asks for several or for none we know."""
    text = fold(question)
    found = {h.label.metric: h.label for h in labels_in(text) if h.label.metric}
    if not found:
        return next((label for pattern, label in _ASKED if pattern.search(text)), None)
    return next(iter(found.values())) if len(found) == 1 else None
