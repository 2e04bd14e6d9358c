"""A sentence that exists in both languages of the product."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.figures import Figure


class Language(StrEnum):
    """The two equal languages of the product."""

    ZH = "zh"
    EN = "en"


@dataclass(frozen=True, slots=True)
class Text:
    """One user-visible sentence in Chinese and in English.

    Neither side may be empty: a sentence that exists in one language only cannot be built.
    Raises `ValueError` when a side is blank.
    """

    zh: str
    en: str

    def __post_init__(self) -> None:
        if not self.zh.strip() or not self.en.strip():
            message = f"a text needs both languages: zh={self.zh!r} en={self.en!r}"
            raise ValueError(message)

    def pick(self, language: Language | str) -> str:
        """Return the side for `language` (`zh` or `en`)."""
        return self.zh if Language(language) is Language.ZH else self.en

    def format(self, **values: object) -> Text:
        """Fill `{name}` holes; a value that is itself a `Text` is filled in side by side.

        A float under `{name:.3g}` is written as people write it (`3.19×10⁻⁶`), see `app.domain.figures`.
        """
        shown = {name: Figure(v) if isinstance(v, float) else v for name, v in values.items()}
        texts = {name: v for name, v in values.items() if isinstance(v, Text)}
        if not texts:
            return Text(self.zh.format(**shown), self.en.format(**shown))
        zh, en = ({name: getattr(v, side) for name, v in texts.items()} for side in ("zh", "en"))
        return Text(self.zh.format(**shown | zh), self.en.format(**shown | en))

    def as_json(self) -> dict[str, str]:
        """`{"zh": …, "en": …}`, the form of the contract."""
        return {"zh": self.zh, "en": self.en}


def percent(value: float, digits: int = 3) -> Text:
    """A share as percent: `10 %` with a thin space in Chinese, `10%` in English."""
    shown = f"{value * 100:.{digits}g}"
    return Text(f"{shown}\u202f%", f"{shown}%")


def join(texts: list[Text], zh: str = "；", en: str = "; ") -> Text:
    """Join sentences side by side; raises `ValueError` on an empty list."""
    return Text(zh.join(t.zh for t in texts), en.join(t.en for t in texts))
