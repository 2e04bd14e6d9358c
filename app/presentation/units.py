"""Units in words, in the reader's language: beside a figure, and in a form where the figure is still to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import Language, Text

if TYPE_CHECKING:
    from collections.abc import Callable

_WORDS: dict[str, Text] = {
    "month": Text("个月", "months"),
    "day": Text("天", "days"),
    "d": Text("天", "days"),
    "h": Text("小时", "h"),
    "byte": Text("字节", "bytes"),
    "token": Text("token", "tokens"),
    "step": Text("步", "steps"),
    "bit": Text("bit", "bits"),
    "1/s": Text("次/秒", "per s"),
}


def unit_word(unit: str, language: Language, value: float | None = None) -> str:
    """`unit` in the language, in the singular beside a value of one; what has no word stays as it is."""
    if unit in ("1", ""):
        return ""
    known = _WORDS.get(unit)
    if known is None:
        return unit
    word = known.pick(language)
    return word.removesuffix("s") if value == 1 and language is Language.EN and unit != "1/s" else word


def filters(language: Language) -> dict[str, Callable[..., str]]:
    """`unit`: the word of a unit."""
    return {"unit": lambda unit: unit_word(str(unit or ""), language)}
