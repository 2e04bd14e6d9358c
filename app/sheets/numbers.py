"""Figures in text: number, unit, range and power of ten, Chinese and English, in exact Decimals.

`figures` finds every figure of a folded text with its place; what a figure means for a metric is decided in
`quantities.py`. Things that only look like figures (P99, dates, times of day, 7x24, RoCEv2, clause numbers)
are masked first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from app.sheets.numerals import ENGLISH, HAN, WRITTEN, english_number, han_number, numeral
from app.sheets.units import CURRENCY_WORDS, MULTIPLIERS, NO_UNIT_BEFORE, UNITS, UNITS_NO_CASE, Unit, unit_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.remarks import Remark


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure: `values` has several members when the writing allows several readings.

    `low`/`high` bound a range; `kind` is `plain`, `power`, `nines`, `fraction`, `colon`, `range`, `word`.
    `per` is what follows a stroke ("/km", "每月").
    """

    start: int
    end: int
    values: tuple[Decimal, ...]
    unit: Unit | None = None
    unit_word: str = ""
    kind: str = "plain"
    low: Decimal | None = None
    high: Decimal | None = None
    per: str | None = None
    note: Remark = ()

    @property
    def dimension(self) -> str | None:
        """Dimension of the written unit, None without one."""
        return self.unit.dimension if self.unit else None


def _alternatives(words: object) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))  # type: ignore[call-overload]


_ASCII_END = r"(?![A-Za-z])"
_CASED = _alternatives(UNITS)
_UNCASED = _alternatives(UNITS_NO_CASE)
_UNIT = re.compile(rf"\s?(?:({_CASED}){_ASCII_END}|((?i:{_UNCASED})){_ASCII_END})")
_UNIT_HAN = re.compile(rf"\s?({_alternatives([w for w in UNITS if not w.isascii()])})")
_MULTIPLIER = re.compile(rf"\s?({_alternatives(MULTIPLIERS)})(?![A-Za-z])")
_CURRENCY = _alternatives(CURRENCY_WORDS)
_PREFIX = re.compile(rf"((?i:{_CURRENCY}))\s?$")
_PER = re.compile(
    r"\s?(?:/|每|per |a |p\.?/)\s?"
    r"(km|公里|千米|month|月|个月|mo|year|年|annum|quarter|季度|Mbps|Mbit/s|Gbps|M|G|GB|TB|h|hour|小时|day|天|端口|port|次|条|跳|"
    r"节点|(?:network )?element|node|hop|circuit|event)(?![A-Za-z])"
)
_TIME_STATISTIC = (
    r"[Pp]\d{2}(?:\.\d+)?(?!\d)|\d{2}(?:\.\d+)?(?:th|st|nd|rd) ?percentile|百分之?\d{2}分位|\d{2}(?:\.\d+)?分位"
)
_MASKS: Final = tuple(
    re.compile(p)
    for p in (
        rf"(?<![A-Za-z]){_TIME_STATISTIC}",
        r"(?:(?<=[%‰])|(?<=小时|毫秒|微秒|分钟))[1-9](?=$|[\s,，;；。)）])",  # a footnote mark that lost its raise
        r"\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}\s?日?(?!\d)",
        r"\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?(?!\d)",
        r"(?<![\d.])(?:19|20)\d{2}(?:[-/]\d{2})?(?=\s*(?:年度|财年))|(?:\bin|\bsince|\bof|\bFY) ?(?:19|20)\d{2}\b",
        r"(?<![\d/])\d{1,2}/\d{1,2}/\d{2,4}(?![\d/])",
        r"(?<![\d:])[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?:\s?[-~至到]\s?[0-2]?\d:[0-5]\d(?::[0-5]\d)?)(?!\d)",
        r"(?<![\d:])(?:[0-2]\d:[0-5]\d(?::[0-5]\d)?|\d:(?:00|[3-5]0|15|45))(?![\d:])",
        r"7\s?[x×*]\s?24(?:\s?(?:小时|h))?|24\s?[x×*/]\s?7|365\s?天",
        r"第\s?[\d一二三四五六七八九十百]+\s?[条章节款项页期]|附件\s?[\d一二三四五六七八九十]+|表\s?\d+",
        r"(?<![A-Za-z])[A-Za-z]+v\d+(?:\.\d+)?",
        r"\b(?:IPv|TLS ?|v|V)\d+(?:\.\d+)*|\b[A-Z]\.\d{3,4}\b|\b802\.\d+\w*|RFC ?\d+",
        r"\b(?:L[123]|BGP4|ISO ?\d+|MEF ?\d+(?:\.\d+)?)\b",
        r"(?<!\d)[01]\s?[+:]\s?[1N](?=\s?(?:o?sncp|SNCP|OSNCP|保护|热备|备份|冗余|protect|redundan))",
        r"\d+(?:\.\d+)?\s?%\s?(?:of (?:all |the )*(?:samples|faults|cases|incidents)|的?(?:样本|采样|故障|工单))",
        r"近[一二两三四五六七八九十\d]+个?[月年]|(?:last|past) (?:\d+|three|six|twelve) months",
    )
)
_NINES = re.compile(
    r"(?<![\d.])(?:(?:(\d)|([二两三四五六七八九]))\s?个\s?(?:9(?![\d.%])|九)"
    r"|(?:(\d)|(?i:(two|three|four|five|six|seven)))[ -]?(?i:nines?\b))"
)
_WORDS: Final = {w: i for i, w in enumerate(("two", "three", "four", "five", "six", "seven"), 2)}
_HAN_FRACTION = re.compile(rf"(十万|百万|千万|百|千|万|亿)分之\s?({WRITTEN}|[{HAN}点]+)")
_ONE_OF = r"(?:(?<![\d/.,])1|\b[Oo]ne)(?: (?:packet|frame|bit|cell))?\s?"
_FRACTION_OF = re.compile(
    rf"{_ONE_OF}(?:/|(?:in|out of|per)(?: every)?)\s?(\d{{1,3}}(?:[, ]\d{{3}})+|\d{{3,}}|{ENGLISH})(?![\d/]|[.,]\d)"
)
# "four (4) hours", "forty per cent (40%)": the figure in brackets repeats the words before it
_SAID_TWICE = re.compile(rf"{ENGLISH}(?: per ?cent)? ?\(\s?({WRITTEN})(\s?%)?\s?\)")
_IN_WORDS = re.compile(ENGLISH)
_SPACED = re.compile(r"(?<![A-Za-z\d.,])\d{1,3}(?: \d{3})+(?:[.,]\d{1,2})?(?![\d.,]*\d)")
_NAME_BEFORE = re.compile(r"(?<!\bto)(?<!\bof)(?<!\bthan)(?<!\bis)(?<!\bat)(?<=[A-Za-z])\s$")
_SPACED_UNITS = frozenset({"byte", "money", "km"})
_POWER = re.compile(rf"(?:({WRITTEN})\s?[×xX*·]\s?)?10\s?\^\s?\(?\s?([+-]?\d{{1,3}})\)?")
_LOST_POWER = re.compile(rf"({WRITTEN})\s?[×xX*·]\s?10\s?([+-]\d{{1,2}})(?!\d)")
_SCIENTIFIC = re.compile(rf"(?<![\w.])({WRITTEN})[eE]\s?([+-]?\d{{1,3}})(?![\w.])", re.ASCII)
_COLON = re.compile(r"(?<![\d.])(?<!\d:)(\d+(?:\.\d+)?)\s?:\s?(\d+(?:\.\d+)?)(?![\d:])")
_HAN_NUMBER = re.compile(rf"(?<![{HAN}第任某同逐])([{HAN}]+(?:点[{HAN}]+)?|半)(?=个?[^{HAN}])")
_BARE_RATE = re.compile(r"(?<![\d万千百十.])(百兆|千兆|万兆)(?!以)")
_PLAIN = re.compile(rf"(?<![\d.])(?<!\d,)({WRITTEN})")
_LETTER_END = re.compile(r"[A-Za-z][-_]?$")
_TIMES = re.compile(r"\s?[x×*]\s?")
_RANGE_MARK = re.compile(r"\s?(?:~|-|至|到|—|to)\s?")
_FEWEST = 100
_LOST_SUPERSCRIPT = re.compile(r"(?<![\d.,])10-(\d{1,2})(?![\d.])")


def mask(text: str) -> str:
    """Things that only look like figures become blanks of the same length."""
    for pattern in _MASKS:
        text = pattern.sub(lambda m: "\x00" * len(m.group()), text)
    return text


def _unit_at(text: str, at: int, *, han: bool = False) -> tuple[Unit | None, str, int]:
    match = (_UNIT_HAN if han else _UNIT).match(text, at)
    if not match:
        return None, "", at
    word = next(g for g in match.groups() if g)
    if text[match.end() : match.end() + 1] in NO_UNIT_BEFORE.get(word, ()):
        return None, "", at  # 4.3 时延, 2 条款: the first character of a longer word
    return unit_of(word), word, match.end()


def _nines(match: re.Match[str], _style: str | None) -> Figure | None:
    digit, han, latin, word = match.groups()
    count = int(digit or latin or han_number(han or "零") or _WORDS.get((word or "").lower(), 0))
    value = Decimal(1) - Decimal(10) ** -count
    return Figure(
        start=match.start(), end=match.end(), values=(value,), kind="nines", unit=Unit("ratio"),
        note=("equals", match.group(), f"{value:f}"),
    ) if count > 1 else None  # fmt: skip


def _han_fraction(match: re.Match[str], style: str | None) -> Figure | None:
    base, token = match.groups()
    values = numeral(token, style or "dot") if token[0].isdigit() else (han_number(token),)
    scale = han_number(base)
    if not scale or not values or values[0] is None:
        return None
    return Figure(
        start=match.start(), end=match.end(), values=(values[0] / scale,), kind="fraction", unit=Unit("ratio")
    )


def _fraction_of(match: re.Match[str], _style: str | None) -> Figure | None:
    written = match.group(1)
    base = Decimal(re.sub(r"[, ]", "", written)) if written[0].isdigit() else english_number(written)
    if base is None or base < _FEWEST:
        return None
    return Figure(start=match.start(), end=match.end(), values=(1 / base,), kind="fraction", unit=Unit("ratio"))


def _power(match: re.Match[str], style: str | None) -> Figure | None:
    values = numeral(match.group(1), style or "dot") if match.group(1) else (Decimal(1),)
    if len(values) != 1:
        return None
    value = values[0] * Decimal(10) ** int(match.group(2))
    return Figure(start=match.start(), end=match.end(), values=(value,), kind="power")


def _lost_superscript(match: re.Match[str], _style: str | None) -> Figure | None:
    if _unit_at(match.string, match.end())[0] is not None:
        return None  # a range: 10-20 Gbps
    value = Decimal(10) ** -int(match.group(1))
    note = ("lost_exponent", match.group())
    return Figure(start=match.start(), end=match.end(), values=(value, value), kind="power", note=note)


def _scientific(match: re.Match[str], style: str | None) -> Figure | None:
    token, exponent = match.group(1), int(match.group(2))
    values = numeral(token, style or "dot")
    if len(values) != 1:
        return None
    note: Remark = ()
    if (token, exponent < 0) == ("10", True):
        values, note = (Decimal(1),), ("power_by_custom", match.group(), str(exponent))
    return Figure(
        start=match.start(), end=match.end(), values=(values[0] * Decimal(10) ** exponent,), kind="power", note=note
    )


def _colon(match: re.Match[str], _style: str | None) -> Figure | None:
    first, second = Decimal(match.group(1)), Decimal(match.group(2))
    if not second:
        return None
    return Figure(start=match.start(), end=match.end(), values=(first / second,), kind="colon")


def _said_twice(match: re.Match[str], style: str | None) -> Figure | None:
    """One figure for both writings; its unit stands in the bracket or behind it."""
    values = numeral(match.group(1), style)
    if len(values) != 1 or values[0] != english_number(re.split(r"\(|per ?cent", match.group().lower())[0]):
        return None
    unit = unit_of("%") if match.group(2) else None
    return Figure(start=match.start(), end=match.end(), values=values, unit=unit, unit_word="%" if unit else "")


def _in_words(match: re.Match[str], _style: str | None) -> Figure | None:
    """`thirty minutes`: words are a figure only before a unit that measures."""
    value = english_number(match.group())
    unit, word, end = _unit_at(match.string, match.end())
    if value is None or unit is None or unit.dimension in {"count", "money"}:
        return None
    note = ("equals", match.group(), f"{value:f}")
    return Figure(start=match.start(), end=end, values=(value,), unit=unit, unit_word=word, note=note)


def _spaced(match: re.Match[str], style: str | None) -> Figure | None:
    """`9 000 bytes`: a blank between thousands, only alone or where two figures cannot stand side by side."""
    before, written = match.string[: match.start()], match.group()
    unit, _, _ = _unit_at(match.string, match.end())
    alone = not _NAME_BEFORE.search(before) or " 0" in written  # no figure of its own begins with 0
    measured = unit is not None and unit.dimension in _SPACED_UNITS and alone
    values = numeral(written.replace(" ", ""), style)
    if len(values) != 1 or not (measured or _PREFIX.search(before) or written == match.string):
        return None
    return Figure(start=match.start(), end=match.end(), values=values)


def _bare_rate(match: re.Match[str], _style: str | None) -> Figure | None:
    scale = {"百兆": "1e8", "千兆": "1e9", "万兆": "1e10"}[match.group()]
    return Figure(
        start=match.start(), end=match.end(), values=(Decimal(1),), kind="word",
        unit=Unit("rate", Decimal(scale), guessed=True, note=("taken_as_bit_rate", match.group())),
    )  # fmt: skip


_SPECIAL: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str | None], Figure | None]], ...] = (
    (_HAN_FRACTION, _han_fraction),
    (_POWER, _power),
    (_LOST_POWER, _power),
    (_SCIENTIFIC, _scientific),
    (_LOST_SUPERSCRIPT, _lost_superscript),
    (_NINES, _nines),
    (_FRACTION_OF, _fraction_of),
    (_SAID_TWICE, _said_twice),
    (_IN_WORDS, _in_words),
    (_SPACED, _spaced),
    (_BARE_RATE, _bare_rate),
    (_COLON, _colon),
)


def _with_tail(text: str, figure: Figure) -> Figure:
    """The figure with the unit, multiplier, currency and per-word that stand around it."""
    unit, word, end = figure.unit, figure.unit_word, figure.end
    values = figure.values
    if unit is None:
        unit, word, end = _unit_at(text, end)
        if unit is None and (multiplier := _MULTIPLIER.match(text, figure.end)):
            after = _unit_at(text, multiplier.end())
            latin = multiplier.group(1).isascii()
            money = _PREFIX.search(text[: figure.start]) or (after[0] and after[0].dimension == "money")
            if not latin or money:
                values = tuple(v * MULTIPLIERS[multiplier.group(1)] for v in values)
                unit, word, end = after if after[0] else (None, "", multiplier.end())
    start = figure.start
    before = _PREFIX.search(text[:start])
    if before and (unit is None or unit.dimension in {"money", "rate"}):
        currency = next((c for w, c in CURRENCY_WORDS.items() if w.casefold() == before.group(1).casefold()), None)
        if unit and unit.guessed and word in {"M", "K", "k"}:
            values = tuple(v * MULTIPLIERS[word] for v in values)
        if unit is None or unit.dimension == "money" or unit.guessed:
            unit, word, start = Unit("money", currency=currency), before.group(1), before.start()
    per = _PER.match(text, end)
    return Figure(
        start=start, end=per.end() if per else end, values=values, unit=unit, unit_word=word, kind=figure.kind,
        note=figure.note, per=per.group(1) if per else None,
    )  # fmt: skip


def _plain_figures(text: str, style: str | None) -> list[Figure]:
    found = []
    for match in _PLAIN.finditer(text):
        before = text[: match.start()]
        if _LETTER_END.search(before) and not _PREFIX.search(before):
            continue  # part of a name: T1, RoCEv2
        token = match.group(1).rstrip(",.")
        values = numeral(token, style)
        end = match.start() + len(token)
        note: Remark = () if values else ("unreadable",)
        if "." in token and token.count(".") > 1 and len(values) > 1:
            note = ("run_together",)
        found.append(_with_tail(text, Figure(start=match.start(), end=end, values=values, note=note)))
    return found


def _han_figures(text: str) -> list[Figure]:
    found = []
    for match in _HAN_NUMBER.finditer(text):
        value = han_number(match.group(1))
        unit, word, end = _unit_at(text, match.end(), han=True)
        if unit is None and (latin := _unit_at(text, match.end()))[0] is not None and len(latin[1]) > 1:
            unit, word, end = latin  # 五十Gbps
        if value is None or unit is None or match.group(1)[0] in "百千万亿":
            continue
        found.append(
            _with_tail(
                text,
                Figure(
                    start=match.start(),
                    end=end,
                    values=(value,),
                    unit=unit,
                    unit_word=word,
                    note=("equals", match.group(), f"{value:f}"),
                ),
            )
        )
    return found


def _joined_ranges(text: str, found: list[Figure]) -> list[Figure]:
    """`5~8 ms`, `1-2 h`, `5±1 ms` become one figure with bounds."""
    result: list[Figure] = []
    for figure in found:
        last = result[-1] if result else None
        if last is None or last.low is not None or len(last.values) + len(figure.values) > 2:  # noqa: PLR2004
            result.append(figure)
            continue
        gap = text[last.end : figure.start]
        if _TIMES.fullmatch(gap) and last.kind == figure.kind == "plain" and last.values and figure.values:
            result[-1] = _several(last, figure)
            continue
        if figure.unit is None and not _bare_range(text, last, figure):
            result.append(figure)
            continue
        same = last.unit is None or (figure.unit is not None and last.unit.dimension == figure.unit.dimension)
        first, second = (last.values or (Decimal(0),))[0], (figure.values or (Decimal(0),))[0]
        if last.unit and figure.unit and last.unit.factor != figure.unit.factor:
            first = first * last.unit.factor / figure.unit.factor
        if same and gap.strip() in {"±", "+/-"}:
            result[-1] = _range(last, figure, first - second, first + second)
        elif same and _RANGE_MARK.fullmatch(gap) and first != second:
            result[-1] = _range(last, figure, min(first, second), max(first, second))
        else:
            result.append(figure)
    return result


def _bare_range(text: str, first: Figure, second: Figure) -> bool:
    """`3.8~4.6` and `2至4` under a heading with the unit; a hyphen only when nothing else stands in the cell."""
    if first.unit or not first.kind == second.kind == "plain" or not (first.values and second.values):
        return False
    gap = text[first.end : second.start].strip()
    whole = first.start == 0 and second.end == len(text)
    return gap in {"~", "至", "到"} or (gap in {"-", "—", "to"} and whole)


def _several(first: Figure, second: Figure) -> Figure:
    """`2×50G`, `400GE×2`: one link, or all links together; nobody can tell which is meant."""
    unit, word = (second.unit, second.unit_word) if second.unit else (first.unit, first.unit_word)
    one = second.values[0] if second.unit or not first.unit else first.values[0]
    return Figure(
        start=first.start, end=second.end, values=(one, first.values[0] * second.values[0]), unit=unit, unit_word=word,
        note=("several_links",),
    )  # fmt: skip


def _range(first: Figure, second: Figure, low: Decimal, high: Decimal) -> Figure:
    return Figure(
        start=first.start, end=second.end, values=(low, high), unit=second.unit, unit_word=second.unit_word,
        kind="range", low=low, high=high, per=second.per,
    )  # fmt: skip


def figures(text: str, style: str | None = None) -> list[Figure]:
    """Every figure of a folded text, from left to right."""
    work = mask(text)
    found: list[Figure] = []
    for pattern, make in _SPECIAL:
        for match in pattern.finditer(work):
            figure = make(match, style)
            if figure:
                tail = _with_tail(work, figure) if figure.unit is None and figure.kind != "colon" else figure
                found.append(tail)
                work = work[: tail.start] + "\x00" * (tail.end - tail.start) + work[tail.end :]
    plain = _plain_figures(work, style)
    for figure in plain:
        work = work[: figure.start] + "\x00" * (figure.end - figure.start) + work[figure.end :]
    found += plain + _han_figures(work)
    return _joined_ranges(text, sorted(found, key=lambda f: f.start))
