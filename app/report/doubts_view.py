"""Doubts about the figures of an offer, in words: on its card, behind its cells, under its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.plausibility import BY_ID
from app.domain.text import Language, Text

if TYPE_CHECKING:
    from app.domain.assessment import Judged
    from app.domain.rules import Verdict

IN_DOUBT = Text("存疑：{what}", "In doubt: {what}")


def doubt_titles(offer: Judged, language: Language) -> str:
    """Short names of everything odd about an offer, in one line; empty when nothing is."""
    titles = [BY_ID[d.code].title.pick(language) for d in offer.doubts]
    if not titles:
        return ""
    return IN_DOUBT.format(what=("、" if language is Language.ZH else "; ").join(titles)).pick(language)


def doubts_behind(offer: Judged, question: Text, language: Language) -> tuple[str, ...]:
    """Why a question is asked, where a doubt raised it."""
    return tuple(d.message.pick(language) for d in offer.doubts if d.question == question)


def doubts_on(offer: Judged, check: Verdict, language: Language) -> tuple[str, ...]:
    """What is odd about the figures a check was decided by."""
    metrics = {f.metric for f in check.finding.facts}
    return tuple(d.message.pick(language) for d in offer.doubts if BY_ID[d.code].metrics & metrics)
