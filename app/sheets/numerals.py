"""Numerals as people write them: separators of thousands, decimal commas, Chinese numerals. Decimal only."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

WRITTEN: Final = r"(?:\d[\d.,]*\d|\d|(?<![\d.,])\.\d+)"
HAN: Final = "零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟萬億"
_DIGITS: Final = {
    **dict(zip("零一二三四五六七八九", range(10), strict=True)),
    **dict(zip("〇壹贰叁肆伍陆柒捌玖", range(10), strict=True)),
    "两": 2,
}
_SCALES: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE: Final = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_GROUP = 3
_MAX_DIGITS = 40


def han_number(text: str) -> Decimal | None:
    """Value of a Chinese numeral (`叁拾贰万`, `二十四`, `九十九点九`, `半`); None if it is none."""
    if text == "半":
        return Decimal("0.5")
    whole, _, fraction = text.partition("点")
    value = _han_whole(whole)
    if value is None or not fraction:
        return value
    if any(c not in _DIGITS for c in fraction):
        return None
    return value + Decimal("0." + "".join(str(_DIGITS[c]) for c in fraction))


def _han_whole(text: str) -> Decimal | None:
    total = section = digit = 0
    if not text:
        return None
    if len(text) > 1 and all(c in _DIGITS for c in text):
        return Decimal("".join(str(_DIGITS[c]) for c in text))
    for c in text:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif c in _SCALES:
            section += (digit or 1) * _SCALES[c]
            digit = 0
        elif c in _LARGE:
            total = (total + section + digit or 1) * _LARGE[c]
            section = digit = 0
        else:
            return None
    return Decimal(total + section + digit)


_EN_ONES: Final = {
    word: value
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
    )
}  # fmt: skip
_EN_TENS: Final = {
    word: 10 * value
    for value, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)
}
_EN_LARGE: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_EN_WORD: Final = "|".join(sorted((*_EN_ONES, *_EN_TENS, "hundred", *_EN_LARGE), key=len, reverse=True))
ENGLISH: Final = rf"(?<![\w-])(?i:(?:{_EN_WORD})(?:(?:[ -]| and )(?:{_EN_WORD}))*)(?![\w])"


def english_number(text: str) -> Decimal | None:
    """Value of an English numeral (`thirty-six`, `one hundred thousand`); None if it is none."""
    total = section = 0
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in _EN_ONES or word in _EN_TENS:
            section += _EN_ONES.get(word, 0) + _EN_TENS.get(word, 0)
        elif word == "hundred":
            section = (section or 1) * 100
        elif word in _EN_LARGE:
            total, section = total + (section or 1) * _EN_LARGE[word], 0
        elif word != "and":
            return None
    return Decimal(total + section)


def numeral(token: str, style: str | None = None) -> tuple[Decimal, ...]:
    """Possible values of a written number; one when it is clear, none when it is no number.

    `style` is `dot` or `comma` when the rest of the document shows which one separates decimals: a lone
    "1.000" reads as 1 and as 1000.
    """
    if len(token) > _MAX_DIGITS:
        return ()
    dots, commas = token.count("."), token.count(",")
    if dots and commas:
        return _mixed(token)
    if commas:
        return _with_commas(token, style)
    if dots > 1:
        return _many_dots(token)
    if dots and style != "dot" and _grouped(token, "."):
        decimal, grouped = Decimal(token), Decimal(token.replace(".", ""))
        return (grouped,) if style == "comma" else (decimal, grouped)
    return (Decimal(token),)


def _grouped(token: str, separator: str) -> bool:
    head, *groups = token.split(separator)
    return 0 < len(head) <= _GROUP and not head.startswith("0") and all(len(g) == _GROUP for g in groups)


def _mixed(token: str) -> tuple[Decimal, ...]:
    mark = max(".", ",", key=token.rfind)
    other = "," if mark == "." else "."
    whole, fraction = token.rsplit(mark, 1)
    if mark in whole or not _grouped(whole, other):
        return ()
    return (Decimal(whole.replace(other, "") + "." + fraction),)


def _with_commas(token: str, style: str | None) -> tuple[Decimal, ...]:
    single = token.count(",") == 1
    if _grouped(token, ",") and not (single and style == "comma"):
        return (Decimal(token.replace(",", "")),)
    if single and style != "dot":
        return (Decimal(token.replace(",", ".")),)
    return ()


def _many_dots(token: str) -> tuple[Decimal, ...]:
    if _grouped(token, "."):
        return (Decimal(token.replace(".", "")),)
    if token.count(".") > 2:  # noqa: PLR2004 - more than two numbers run together are beyond guessing
        return ()
    first, second = token.index("."), token.rindex(".")
    pairs = [(token[:i], token[i:]) for i in range(first + 2, second + 1)]
    values = {Decimal(a) for a, b in pairs if b[0] in ".0" or b[0].isdigit()} | {
        Decimal(b if b[0] != "." else "0" + b) for _, b in pairs
    }
    return tuple(sorted(values))


_COMMA_DECIMAL = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})*,\d{1,2}(?![\d.,])|(?<![\d.,])0,\d+(?![\d.,])")
_DOT_DECIMAL = re.compile(
    r"(?<![\d.,])\d+\.\d{1,2}(?![\d.,])|(?<![\d.,])\d+\.\d{4,}(?![\d.,])|\d,\d{3}\.\d|(?<![\d.,])0\.\d+(?![\d.,])"
)


def decimal_style(texts: Iterable[str]) -> str | None:
    """`dot`, `comma` or None: which mark separates decimals, as far as the document shows it."""
    comma = dot = 0
    for text in texts:
        comma += len(_COMMA_DECIMAL.findall(text))
        dot += len(_DOT_DECIMAL.findall(text))
    if comma and not dot:
        return "comma"
    return "dot" if dot else None
