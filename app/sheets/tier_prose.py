"""Credit tiers in running text: 低于99.95%但不低于99.5%的，减免10% and "more than 4 and up to 8 hours: 5 %"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from app.sheets import words
from app.sheets.folding import fold, lowered
from app.sheets.numbers import figures
from app.sheets.tiers import tier

if TYPE_CHECKING:
    from app.domain.facts import Evidence, Fact

_PIECE: Final = re.compile(
    r"[；;。]|\.(?=\s)|(?<=[%％])[,，](?=\s*(?:below|under|less|低于|不足|小于|and (?:below|under)))"
)
_SLOPE: Final = re.compile(
    r"每(?!月|年|季)|\b(?:per|each|every|for each|for every)\b(?! (?:calendar )?(?:month|year|quarter))"
)
_GAP: Final = re.compile(r"[:：,，\-–—→=|\t]|^\s*(?:的|时)?\s*$")
# "more than 4 and up to 8 hours": the first figure has the unit of the second
_HALF_RANGE: Final = re.compile(
    r"(\d[\d.]*)(?=\s*(?:and up to|but not more than|and|up to|to|-|–|~|至|到)\s*\d[\d.]*"
    r"\s*(hours?|minutes?|min|h|小时|分钟|%)(?![A-Za-z]))",
    re.IGNORECASE,
)
_CAP: Final = re.compile(
    r"不超过|上限|封顶|至多|最多|累计|总额|\bcap(?:ped|s)?\b|not exceed|limited to|maximum|in total|aggregate"
)
LATE: Final = re.compile(r"逾期|延期|迟延|解约|提前终止|late delivery|delay in delivery|early termination|terminat")


def tiers_in(raw: str, evidence: Evidence, *, crediting: bool) -> list[Fact]:
    """The tiers of one sentence; empty when it holds none or cannot be read for certain.

    `crediting`: the text around it is about credits, so that a threshold and a share need no word between them.
    """
    text = fold(raw)
    low = lowered(text)
    if LATE.search(low) or not (crediting or words.CREDIT.search(low)):
        return []
    found: list[Fact] = []
    for piece in _PIECE.split(text):
        fact = _piece(piece, evidence, crediting=crediting)
        if fact is not None:
            found.append(fact)
    return found


def _piece(piece: str, evidence: Evidence, *, crediting: bool) -> Fact | None:
    piece = _HALF_RANGE.sub(r"\1 \2", piece)
    marks = [f for f in figures(piece) if f.unit is not None and f.dimension in {"ratio", "time"}]
    if len(marks) < 2 or marks[-1].dimension != "ratio" or _SLOPE.search(lowered(piece)):  # noqa: PLR2004
        return None
    share, thresholds = marks[-1], marks[:-1]
    between = piece[thresholds[-1].end : share.start]
    paid = bool(words.CREDIT.search(lowered(between)))
    if _CAP.search(lowered(between)) or not (paid or (crediting and _GAP.search(between))):
        return None
    if len({f.dimension for f in thresholds}) > 1:
        return None
    return tier(piece[: share.start], piece[share.start : share.end], ("", ""), evidence)
