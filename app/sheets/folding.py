"""Text brought to one form for matching; evidence always keeps the raw text.

Superscripts are folded to `^` powers before NFKC (NFKC alone turns 10⁻⁵ into 10-5), Kangxi radicals and the
radical supplement become the characters they stand for, full-width forms become ASCII. The full-width comma
stays what it is: "时延5，100G端口" must never become the number 5,100.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻¯", "0123456789+--")
_SUPER_RUN = re.compile(r"[⁺⁻¯]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
# CJK radicals supplement: NFKC leaves them, people cannot see the difference.
_RADICALS = str.maketrans(
    "⺁⺄⺆⺇⺈⺊⺋⺌⺍⺎⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺱⺲⺳⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻐⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻬⻮⻰⻳",
    "厂乙冂几刀卜㔾小小兀尢尣巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王疋目示礻竹糹罒罒罒羊羊羊老肀聿月臼艹艹艹虎衤覀西见角讠贝车辶辶辶钅长门阜阝雨青韦页风飞食饣飠马骨鬼鱼鸟卤麦黄黾齐齿龙龟",
)
_DASHES = str.maketrans(dict.fromkeys("−‐‑‒–﹣", "-"))
_KEPT_COMMA = "\ue000"
_WIDE_THOUSANDS = re.compile(r"(?<=[０-９])，(?=[０-９]{3}(?![０-９]))")
_CJK = r"\u3400-\u9fff"
_CJK_GAP = re.compile(rf"(?<=[{_CJK}])[ \t]+(?=[{_CJK}])")
_BIDI_AND_FORMAT = {"Cf", "Cc", "Cs", "Co"}


def _fold_superscripts(text: str) -> str:
    """Powers of ten become `10^-5`; any other raised figure is a footnote mark and becomes a blank."""

    def replace(match: re.Match[str]) -> str:
        before = text[max(0, match.start() - 3) : match.start()].rstrip()
        if re.search(r"(?<![\d.,])10$", unicodedata.normalize("NFKC", before)):
            return "^" + match.group().translate(_SUPERSCRIPTS)
        return " "

    return _SUPER_RUN.sub(replace, text)


NAME_LIMIT: Final = 5000  # a name is read up to here and cut for display in `offers.py`, with a notice


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """One form of `text` for matching: case is kept, because Mb and MB differ."""
    text = _fold_superscripts(text).translate(_RADICALS)
    text = _WIDE_THOUSANDS.sub(",", text).replace("，", _KEPT_COMMA)
    text = unicodedata.normalize("NFKC", text).translate(_DASHES).replace("µ", "μ")
    text = "".join(" " if unicodedata.category(c) in {"Cc", "Zs", "Zl", "Zp"} else c for c in text)
    text = "".join(c for c in text if c == _KEPT_COMMA or unicodedata.category(c) not in _BIDI_AND_FORMAT)
    text = re.sub(r" {2,}", " ", text.replace(_KEPT_COMMA, "，"))
    return _CJK_GAP.sub("", text).strip()


def lowered(text: str) -> str:
    """Lower case with every character in its place (`str.casefold` may lengthen a text)."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def key(text: str) -> str:
    """Letters and digits only, case folded: what two spellings of one name have in common."""
    return "".join(c for c in fold(text).casefold() if c.isalnum())


def clean_label(text: str, limit: int = 200) -> str:
    """A name as it may be shown: one line, no control, format or direction characters, at most `limit`."""
    text = unicodedata.normalize("NFC", text)
    kept = "".join(" " if c in "\r\n\t" else c for c in text if c in "\r\n\t" or c.isprintable())
    return re.sub(r"\s+", " ", kept).strip()[:limit]


def unreadable_share(text: str) -> float:
    """Share of characters that a reader could not decode: U+FFFD, private use, `(cid:7)` codes."""
    codes = re.findall(r"\(cid:\d+\)", text)
    bad = len(codes) + sum(c == "\ufffd" or unicodedata.category(c) == "Co" for c in text)
    total = len(re.sub(r"\s", "", re.sub(r"\(cid:\d+\)", "x", text)))
    return bad / total if total else 0.0
