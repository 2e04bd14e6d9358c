"""Figures, money and dates as people read them, in both languages.

Every function takes `(value, language)` and returns text; None becomes "未写明" / "not stated".
On pages figures carry three significant digits; `exact` and `money_full` show them all in panels.
Whole numbers (`int`) are counts and are never rounded. Rounding is half up and never reaches 100 % or 0
unless the value does. Numbers are joined to their unit by a space that does not break.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TYPE_CHECKING, Any

from babel.dates import format_date

from app.domain.text import Language, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Number = int | float | Decimal

UNKNOWN = Text("未写明", "not stated")
NO_BREAK, THIN, THIN_BREAK = "\u00a0", "\u202f", "\u2009"
DASH, MINUS = "\u2013", "\u2212"
ZONE = timezone(timedelta(hours=8), "UTC+8")
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_DIGITS = 3
_MARGIN_DIGITS = 2
_DOUBLE_DIGITS = 15  # decimal digits every double keeps
_PLAIN_FROM, _PLAIN_TO = -3, 6  # powers of ten written without an exponent on pages
_EXACT_TO = 14


@dataclass(frozen=True, slots=True)
class _Part:
    """A formatted number between what stands before it and after it."""

    before: str
    number: str
    after: str

    def __str__(self) -> str:
        sign = MINUS if self.number.startswith(MINUS) else ""
        return f"{sign}{self.before}{self.number.removeprefix(MINUS)}{self.after}"


def _decimal(value: Number | None) -> Decimal | None:
    """The value as Decimal without binary noise; None for None and for what is not finite."""
    if value is None:
        return None
    if isinstance(value, float):
        number = Context(prec=_DOUBLE_DIGITS).create_decimal(repr(value))
        return number.normalize() if number.is_finite() else None
    number = Decimal(value)
    return number if number.is_finite() else None


def _round(number: Decimal, digits: int) -> Decimal:
    return Context(prec=digits, rounding=ROUND_HALF_UP).plus(number)


def _plain(number: Decimal) -> str:
    return f"{number:,f}".replace("-", MINUS)


def _strip(number: Decimal) -> Decimal:
    return number.normalize() if number else Decimal(0)


def _scientific(number: Decimal) -> str:
    power = number.adjusted()
    mantissa = _strip(number.scaleb(-power))
    return f"{_plain(mantissa)}×10{str(power).translate(_SUPERSCRIPTS)}"


def _written(number: Decimal, last_power: int = _PLAIN_TO) -> str:
    """Plain between 0.001 and the last power, otherwise as m×10ⁿ."""
    if number and not _PLAIN_FROM <= number.adjusted() <= last_power:
        return _scientific(number)
    return _plain(number)


def _figure(value: Number, digits: int | None) -> str:
    number = _decimal(value)
    if number is None:
        return ""
    if digits is None or isinstance(value, int):
        return _written(number, _EXACT_TO)
    return _written(_strip(_round(number, digits)))


def _unit_gap(unit: str) -> str:
    return THIN if has_cjk(unit) or unit == "%" else NO_BREAK


def _suffix(unit: str) -> str:
    if not unit:
        return ""
    return unit if unit.startswith((":", "×")) else f"{_unit_gap(unit)}{unit}"


def unknown(state: str | None, language: Language | str) -> str:
    """The words for a metric without a value, by the `State` of its fact."""
    return _STATES.get(state or "missing", UNKNOWN).pick(language)


_STATES = {
    "missing": UNKNOWN,
    "none": Text("不承诺", "no commitment"),
    "elsewhere": Text("另见其他文件", "in another document"),
    "ambiguous": Text("表述有歧义", "ambiguous"),
}


def figure(value: Number | None, language: Language | str, unit: str = "", digits: int | None = _DIGITS) -> str:
    """`387.05` → `387`, `3.24e-6` → `3.24×10⁻⁶`, `figure(387.05, "zh", "Gbit/s")` → `387 Gbit/s`."""
    if _decimal(value) is None or value is None:
        return UNKNOWN.pick(language)
    return _figure(value, digits) + _suffix(unit)


def exact(value: Number | None, language: Language | str, unit: str = "") -> str:
    """All digits of a figure: `387.0513` → `387.0513`; a Decimal keeps the zeros it was written with."""
    return figure(value, language, unit, None)


def figure_range(low: Number | None, high: Number | None, language: Language | str, unit: str = "") -> str:
    """`176–384 Gbit/s`; one figure when both ends read the same."""
    if low is None or high is None:
        return UNKNOWN.pick(language)
    return _span(*(_Part("", _figure(v, _DIGITS), _suffix(unit)) for v in sorted((low, high))))


def _span(low: _Part, high: _Part) -> str:
    if low == high:
        return str(low)
    if (low.before, low.after) == (high.before, high.after) and not low.number.startswith(MINUS):
        return f"{low.before}{low.number}{DASH}{high.number}{high.after}"
    return f"{low} {DASH} {high}"


def _percent(value: Number, language: Language | str, digits: int | None) -> _Part | None:
    number = _decimal(value)
    if number is None:
        return None
    hundred = number.scaleb(2)
    shown = hundred if digits is None else _round(hundred, digits)
    while digits is not None and abs(hundred) < 100 <= abs(shown):  # noqa: PLR2004 - 100 %
        digits += 1
        shown = _round(hundred, digits)
    gap = THIN if Language(language) is Language.ZH else ""
    return _Part("", _written(shown if digits is None else _strip(shown)), f"{gap}%")


def percent(value: Number | None, language: Language | str, digits: int | None = _DIGITS) -> str:
    """A ratio as per cent: `0.6575` → `65.8 %` (zh) or `65.8%` (en); `0.99995` never becomes 100 %."""
    part = None if value is None else _percent(value, language, digits)
    return UNKNOWN.pick(language) if part is None else str(part)


def availability(value: Number | None, language: Language | str) -> str:
    """A ratio as per cent with all the digits it was stated with: `0.99995` → `99.995 %`."""
    return percent(value, language, None)


def percent_range(low: Number | None, high: Number | None, language: Language | str) -> str:
    """`64–67 %`."""
    if low is None or high is None:
        return UNKNOWN.pick(language)
    parts = [_percent(v, language, _DIGITS) for v in sorted((low, high))]
    return _span(*parts) if None not in parts else UNKNOWN.pick(language)  # type: ignore[arg-type]


def margin(value: Number | None, language: Language | str) -> str:
    """A signed share with two digits: `0.381` → `+38 %`, `-0.643` → `−64 %`."""
    part = None if value is None else _percent(value, language, _MARGIN_DIGITS)
    if part is None or value is None:
        return UNKNOWN.pick(language)
    return f"+{part}" if value > 0 else str(part)


def ratio(value: Number | None, language: Language | str) -> str:
    """A small ratio such as packet loss, always with an exponent below 0.1: `0.001` → `1×10⁻³`."""
    number = _decimal(value)
    if number is None:
        return UNKNOWN.pick(language)
    rounded = _strip(_round(number, _DIGITS))
    return _scientific(rounded) if rounded and rounded.adjusted() < -1 else _written(rounded)


def contention(value: Number | None, language: Language | str) -> str:
    """An oversubscription ratio: `8` → `8:1`."""
    return figure(value, language, ":1")


def _scaled(value: Number, steps: Sequence[tuple[str, str]]) -> tuple[Decimal, str] | None:
    """The value in the first unit of `steps` (largest first, `(factor, unit)`) that it fills."""
    number = _decimal(value)
    if number is None:
        return None
    rounded = abs(_round(number, _DIGITS))
    for factor, unit in steps:
        if rounded >= Decimal(factor):
            return number / Decimal(factor), unit
    factor, unit = steps[-1]
    return number / Decimal(factor), unit


def _in_steps(value: Number | None, language: Language | str, steps: Sequence[tuple[str, str]]) -> str:
    scaled = None if value is None else _scaled(value, steps)
    if scaled is None:
        return UNKNOWN.pick(language)
    return figure(scaled[0], language, scaled[1])


_RATES = (("1e13", "Tbit/s"), ("1e9", "Gbit/s"), ("1e6", "Mbit/s"), ("1e3", "kbit/s"), ("1", "bit/s"))
_RATE_UNITS = {unit: Decimal(factor) for factor, unit in _RATES} | {"Tbit/s": Decimal("1e12")}
_SIZES = (
    ("1e15", "PB"), ("1e12", "TB"), ("1e9", "GB"), ("1e6", "MB"), ("1e3", "kB"), ("1", "B"),
)  # fmt: skip
_TIMES: dict[Language, tuple[tuple[str, str, str], ...]] = {
    # from how many seconds, seconds in the unit, the unit
    Language.ZH: (
        ("345600", "86400", "天"), ("7200", "3600", "小时"), ("120", "60", "分钟"),
        ("1", "1", "s"), ("1e-5", "1e-3", "ms"), ("0", "1e-6", "µs"),
    ),
    Language.EN: (
        ("345600", "86400", "d"), ("7200", "3600", "h"), ("120", "60", "min"),
        ("1", "1", "s"), ("1e-5", "1e-3", "ms"), ("0", "1e-6", "µs"),
    ),
}  # fmt: skip


def rate(value: Number | None, language: Language | str) -> str:
    """bit/s in a fitting unit: `4e11` → `400 Gbit/s`; up to 10 Tbit/s stays in Gbit/s for comparison."""
    scaled = None if value is None else _scaled(value, _RATES)
    if value is None or scaled is None:
        return UNKNOWN.pick(language)
    unit = scaled[1]
    return figure((_decimal(value) or Decimal(0)) / _RATE_UNITS[unit], language, unit)


def size(value: Number | None, language: Language | str) -> str:
    """Bytes in decimal units: `3.5e11` → `350 GB`."""
    return _in_steps(value, language, _SIZES)


def duration(value: Number | None, language: Language | str) -> str:
    """Seconds in a fitting unit: `0.00734` → `7.34 ms`, `259` → `4.32 分钟` / `4.32 min`."""
    number = _decimal(value)
    if number is None:
        return UNKNOWN.pick(language)
    if not number:
        return figure(0, language, "s")
    rounded = abs(_round(number, _DIGITS))
    steps = _TIMES[Language(language)]
    factor, unit = next((f, u) for start, f, u in steps if rounded >= Decimal(start))
    return figure(number / Decimal(factor), language, unit)


def _symbol(currency: str, language: Language | str) -> str:
    zh_yuan = currency == "CNY" and Language(language) is Language.ZH
    return "¥" if zh_yuan else f"{currency}{NO_BREAK}"


_MONEY_SCALES = {
    Language.ZH: (("1e8", f"{THIN}亿"), ("1e4", f"{THIN}万"), ("1", "")),
    Language.EN: (("1e9", "bn"), ("1e6", "M"), ("1e4", "k"), ("1", "")),
}
_MONEY_FACTORS = {"k": Decimal(1000)}
_CENT, _WITH_CENTS_BELOW = Decimal("0.01"), Decimal(1000)


def _amount(number: Decimal) -> str:
    """Cents below 1,000 or as they are; whole amounts without them."""
    places = _CENT if number != number.to_integral_value() else Decimal(1)
    return _plain(number.quantize(places, ROUND_HALF_UP))


def _money(number: Decimal, scale: Decimal, language: Language | str, currency: str) -> _Part:
    """`number` in the unit and with the decimals that three digits of `scale` have."""
    rounded = abs(_round(scale, _DIGITS))
    start, suffix = next(((s, w) for s, w in _MONEY_SCALES[Language(language)] if rounded >= Decimal(s)), ("1", ""))
    symbol = _symbol(currency, language)
    if not suffix:
        whole = number if abs(number) < _WITH_CENTS_BELOW else number.quantize(Decimal(1), ROUND_HALF_UP)
        return _Part(symbol, _amount(whole), "")
    factor = _MONEY_FACTORS.get(suffix, Decimal(start))
    places = min(_round(scale / factor, _DIGITS).adjusted() - _DIGITS + 1, 0)
    shown = (number / factor).quantize(Decimal(1).scaleb(places), ROUND_HALF_UP)
    return _Part(symbol, _plain(shown), suffix)


def money(value: Number | None, language: Language | str, currency: str | None = "CNY") -> str:
    """Short money: `368884` → `¥36.9 万` (zh), `CNY 369k` (en)."""
    number = _decimal(value)
    if number is None:
        return UNKNOWN.pick(language)
    return str(_money(number, number, language, currency or "CNY"))


def money_full(value: Number | None, language: Language | str, currency: str | None = "CNY") -> str:
    """Money to the cent: `368884` → `¥368,884` (zh), `CNY 368,884` (en)."""
    number = _decimal(value)
    if number is None:
        return UNKNOWN.pick(language)
    return str(_Part(_symbol(currency or "CNY", language), _amount(number), ""))


def money_range(low: Number | None, high: Number | None, language: Language | str, currency: str | None = "CNY") -> str:
    """`¥34.0–48.0 万`, both ends in the scale of the larger."""
    first, last = _decimal(low), _decimal(high)
    if first is None or last is None:
        return UNKNOWN.pick(language)
    ends = sorted((first, last))
    scale = max(ends, key=abs)
    return _span(*(_money(end, scale, language, currency or "CNY") for end in ends))


def day(value: date | str | None, language: Language | str) -> str:
    """A calendar date: `2026-11-28` (zh), `28 Nov 2026` (en); contract dates have no zone."""
    if value is None:
        return UNKNOWN.pick(language)
    parsed = date.fromisoformat(value) if isinstance(value, str) else value
    if isinstance(parsed, datetime):
        parsed = _local(parsed).date()
    if Language(language) is Language.ZH:
        return parsed.isoformat()
    return format_date(parsed, "d MMM y", locale="en").replace(" ", NO_BREAK)


def moment(value: datetime | None, language: Language | str) -> str:
    """An instant with its zone: `2026-11-28 14:02 UTC+8`; a time without zone is read as UTC."""
    if value is None:
        return UNKNOWN.pick(language)
    local = _local(value)
    comma = "" if Language(language) is Language.ZH else ","
    return f"{day(local.date(), language)}{comma} {local:%H:%M}{NO_BREAK}{ZONE.tzname(None)}"


def _local(value: datetime) -> datetime:
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(ZONE)


_CJK = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_CJK = re.compile(f"[{_CJK}]")
_BORDER = re.compile(f"(?<=[{_CJK}])(?=[A-Za-z0-9¥])|(?<=[A-Za-z0-9%])(?=[{_CJK}])")


def has_cjk(text: str) -> bool:
    """Whether the text holds a Chinese character."""
    return bool(_HAS_CJK.search(text))


def gap(text: str) -> str:
    """Put a thin space between Chinese and Latin; for the PDF (pages use CSS `text-autospace`)."""
    return _BORDER.sub(THIN_BREAK, text)


def filters(language: Language) -> dict[str, Callable[..., Any]]:
    """The formatters as Jinja filters that already know the language."""

    def bind(function: Callable[..., str]) -> Callable[..., str]:
        return lambda value, *args, **kwargs: function(value, language, *args, **kwargs)

    def bind_range(function: Callable[..., str]) -> Callable[..., str]:
        return lambda low, high, *args, **kwargs: function(low, high, language, *args, **kwargs)

    one = (
        figure, exact, percent, availability, margin, ratio, contention, rate, size, duration, money,
        money_full, day, moment, unknown,
    )  # fmt: skip
    two = (figure_range, percent_range, money_range)
    named: dict[str, Callable[..., Any]] = {f.__name__: bind(f) for f in one}
    named |= {f.__name__: bind_range(f) for f in two}
    named |= {"gap": gap, "t": lambda text: text.pick(language)}
    return named
