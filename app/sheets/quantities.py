"""What a written figure means for one metric: unit, plausibility, readings, worst bound of a range."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from app.domain.metrics import MetricKind, Worse
from app.sheets.folding import fold
from app.sheets.numbers import Figure, figures
from app.sheets.units import CURRENCY_WORDS, MULTIPLIERS, WORKING_WORDS, Unit, unit_of
from app.sheets.words import UNIT_PRICE

if TYPE_CHECKING:
    from app.domain.metrics import Metric
    from app.domain.remarks import Remark

_ACCEPTS: Final[dict[str | None, frozenset[str]]] = {
    "bit/s": frozenset({"rate"}),
    "s": frozenset({"time"}),
    "byte": frozenset({"byte"}),
    "km": frozenset({"km"}),
    "month": frozenset({"calendar"}),
    "day": frozenset({"time", "calendar"}),
    "h/month": frozenset({"time"}),
    "1": frozenset({"ratio"}),
}
# A figure for each of these is no figure of the whole line: 5 μs/km, 25 ms per network element.
_PARTS: Final = frozenset(
    {"km", "公里", "千米", "跳", "节点", "element", "network element", "node", "hop", "次", "event"}
)
_PER_YEAR: Final = re.compile(r"\s?(?:/|每|per )\s?(?:年|year|annum)$")
_YEAR_WORDS: Final = frozenset({"年", "year", "annum"})
COUNTS: Final = frozenset({"paths", "hops", "suppliers"})
_MONTHS_IN: Final = {"year": 12, "年": 12, "annum": 12, "quarter": 3, "季度": 3}
_DAY, _HOUR, _MONTH_DAYS = Decimal(86400), Decimal(3600), Decimal(30)
# Outside these bounds a figure of that metric is more likely a slip or another quantity (canonical units).
_PLAUSIBLE: Final[dict[str, tuple[Decimal, Decimal]]] = {
    "availability": (Decimal("0.9"), Decimal(1)),
    "packet_loss": (Decimal(0), Decimal("0.2")),
    "bit_error_ratio": (Decimal(0), Decimal("0.01")),
    "rtt": (Decimal("1e-7"), Decimal(3)),
    "one_way_delay": (Decimal("1e-7"), Decimal(2)),
    "jitter": (Decimal(0), Decimal(1)),
    "bandwidth": (Decimal(64000), Decimal("1e14")),
    "credit_cap": (Decimal(0), Decimal(12)),
    "oversubscription": (Decimal("0.01"), Decimal(1000)),
    "delivery": (Decimal(0), Decimal(1500)),
}
_FRACTION_UNDER_PERCENT: Final = ("fraction_under_percent",)
YEARLY: Final = ("yearly_amount",)
IMPLAUSIBLE: Final = ("implausible",)
_DOUBTFUL: Final = (("lost_exponent",), ("run_together",))
_CURRENCY_WORD: Final = re.compile(
    rf"(?<![A-Za-z])(?:{'|'.join(re.escape(w) for w in sorted(CURRENCY_WORDS, key=len, reverse=True))})(?![A-Za-z])"
)
SURE, LIKELY, GUESS = 0.97, 0.93, 0.85


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A figure in the canonical unit of a metric; `value` is None when several `readings` remain."""

    value: Decimal | None
    readings: tuple[Decimal, ...] = ()
    currency: str | None = None
    confidence: float = SURE
    notes: tuple[Remark, ...] = ()
    condition: str = ""
    operator: str | None = None
    derived: bool = False


def accepts(metric: Metric, figure: Figure) -> bool:
    """Whether a figure can belong to a metric at all, by its unit."""
    if metric.kind is MetricKind.MONEY:
        return figure.dimension in {"money", None} and figure.kind in {"plain", "range"} and not _unit_price(figure)
    if metric.kind is not MetricKind.QUANTITY or figure.per in _PARTS:
        return False
    if metric.id == "oversubscription":
        return figure.kind == "colon" or (figure.unit is None and figure.kind == "plain")
    if metric.id in COUNTS:
        return figure.dimension in {"count", None} and figure.kind == "plain"
    return figure.kind != "colon" and (
        figure.unit is None or figure.dimension in _ACCEPTS.get(metric.unit, frozenset())
    )


def _unit_price(figure: Figure) -> bool:
    return bool(figure.per and UNIT_PRICE.search(figure.per))


def header_unit(text: str, metric: Metric | None = None) -> Unit | None:
    """The unit that a heading or a unit column names (`万元/月`, `RTT (ms)`, `ppm`, `10⁻⁶`), if it suits."""
    folded = fold(text)
    parts = [folded, *re.findall(r"[(\[（]([^()\[\]（）]+)[)\]）]", folded)]
    words = folded.split()
    parts += [" ".join(words[-n:]) for n in (1, 2) if len(words) > n]
    parts += [p for p in re.split(r"[,/:;、，：(（)）]", folded) if p]
    parts += [p.lstrip()[0] for p in parts if p.lstrip().startswith(("%", "‰"))]  # "% of the monthly charge"
    for part in parts:
        unit = _whole_unit(part.strip())
        if unit and (metric is None or accepts(metric, Figure(start=0, end=0, values=(Decimal(1),), unit=unit))):
            return unit
    return _priced(folded) if metric is not None and metric.kind is MetricKind.MONEY else None


def _priced(folded: str) -> Unit | None:
    """The currency among other words of a heading (`EUR net`, `USD, monthly`); a multiple of it must have been read."""
    currency = currency_in(folded)
    multiple = re.search(r"[千万百亿]\s?元?|\bthousands?\b|\bk(?: |$)|\bmillions?\b|'000|000s", folded)
    return Unit("money", currency=currency) if currency and not multiple else None


def _whole_unit(text: str) -> Unit | None:
    text = re.sub(r"^(?:单位|unit|in)\s*:?\s*", "", text, flags=re.IGNORECASE)
    yearly = _PER_YEAR.search(text)
    text = re.sub(r"\s?(?:/|每|per )\s?(?:月|个月|month|mo)$", "", _PER_YEAR.sub("", text))
    unit = _money_or_unit(text)
    return replace(unit, per="year") if unit and yearly and unit.dimension == "money" else unit


def _money_or_unit(text: str) -> Unit | None:
    if not text:
        return None
    if unit := unit_of(text):
        return unit
    for word, factor in MULTIPLIERS.items():
        if text.startswith(word) and (unit := unit_of(text.removeprefix(word).strip())) and unit.dimension == "money":
            return replace(unit, factor=unit.factor * factor)
    found = figures(text)
    if len(found) == 1 and found[0].kind == "power" and found[0].start <= 1 and found[0].end == len(text):
        return Unit("ratio", found[0].values[0])
    return None


def quantify(
    metric: Metric, figure: Figure, header: Unit | None = None, *, complement: bool = False, yearly: bool = False
) -> Quantity | None:
    """The figure in the metric's canonical unit, or None when it cannot be one of this metric.

    `yearly` = the label names a yearly amount (年费); a heading such as 万元/年 says the same by its unit.
    """
    if not accepts(metric, figure):
        return None
    if not figure.values:
        return Quantity(value=None, confidence=GUESS, notes=(("unreadable",),))
    unit = figure.unit
    if unit is None and header is not None and figure.kind in {"plain", "range", "power"}:
        unit = header
    values, confidence, notes = _scaled(metric, figure, unit, from_header=figure.unit is None)
    if metric.id == "monthly_charge" and values:
        values, notes = _monthly(figure, header, values, notes, yearly=yearly)
    if complement:
        values = tuple(1 - v for v in values)
    return _settled(metric, figure, unit, values, confidence, notes)


def _scaled(
    metric: Metric, figure: Figure, unit: Unit | None, *, from_header: bool
) -> tuple[tuple[Decimal, ...], float, tuple[Remark, ...]]:
    notes = tuple(n for n in (figure.note, unit.note if unit else ()) if n)
    if unit is None:
        return _bare(metric, figure, notes)
    confidence = GUESS if unit.guessed else SURE
    values = tuple(v * unit.factor for v in figure.values)
    if metric.unit == "h/month":
        values = tuple(_per_month(v, figure.per) / _HOUR for v in values)
    elif metric.unit == "day":
        values = tuple(v * _MONTH_DAYS if unit.dimension == "calendar" else v / _DAY for v in values)
    percent = from_header and unit.dimension == "ratio"
    if percent and ((metric.id == "availability" and max(figure.values) <= 1) or figure.kind == "power"):
        values, notes = (*figure.values, *values), (*notes, _FRACTION_UNDER_PERCENT)
    return values, confidence, notes


def _monthly(
    figure: Figure, header: Unit | None, values: tuple[Decimal, ...], notes: tuple[Remark, ...], *, yearly: bool
) -> tuple[tuple[Decimal, ...], tuple[Remark, ...]]:
    """A yearly amount as a monthly one; under a label that says 月 and a unit that says 年 both readings stay."""
    by_unit = header.per if header is not None and figure.per is None else ""
    if by_unit == "unclear":
        return (*values, *(v / 12 for v in values)), (*notes, ("monthly_and_yearly",))
    if figure.per in _YEAR_WORDS or by_unit == "year" or (yearly and figure.per is None):
        return tuple(v / 12 for v in values), (*notes, YEARLY)
    return values, notes


def _per_month(seconds: Decimal, per: str | None) -> Decimal:
    if per in {"day", "天"}:
        return seconds * _MONTH_DAYS
    return seconds / _MONTHS_IN.get(per or "", 1)


def _bare(
    metric: Metric, figure: Figure, notes: tuple[Remark, ...]
) -> tuple[tuple[Decimal, ...], float, tuple[Remark, ...]]:
    """A number without any unit: certain for some metrics, open for others."""
    values = figure.values
    if metric.kind is MetricKind.MONEY:
        return values, 0.8, (*notes, ("no_currency",))
    if metric.id in COUNTS or metric.id == "oversubscription":
        return values, SURE if figure.kind == "colon" or metric.id in COUNTS else LIKELY, notes
    if metric.unit == "1":
        return _bare_ratio(metric, figure, notes)
    guesses = {"byte": ("1",), "km": ("1",), "month": ("1",), "day": ("1",), "h/month": ("1",)}.get(str(metric.unit))
    if guesses:
        return values, LIKELY if metric.id == "mtu" else 0.8, (*notes, ("unit_assumed", metric.shown_unit))
    factors = ("1e6", "1e9") if metric.unit == "bit/s" else ("0.001", "1")
    return tuple(v * Decimal(f) for v in values for f in factors), 0.6, (*notes, ("no_unit",))


def _bare_ratio(
    metric: Metric, figure: Figure, notes: tuple[Remark, ...]
) -> tuple[tuple[Decimal, ...], float, tuple[Remark, ...]]:
    values = figure.values
    if figure.kind in {"power", "nines", "fraction"} or values[0] == 0:
        return values, SURE, notes
    value = values[0]
    if metric.id == "availability" and value > 1:
        return tuple(v / 100 for v in values), LIKELY, (*notes, ("percent_assumed",))
    if metric.id in {"packet_loss", "bit_error_ratio"} and value >= Decimal("1e-5"):
        return (value, value / 100), 0.6, (*notes, ("percent_or_fraction",))
    if value > 1:
        return tuple(v / 100 for v in values), GUESS, (*notes, ("percent_assumed",))
    return values, LIKELY, notes


def plausible(metric: Metric, value: Decimal) -> bool:
    """Whether a canonical value lies in the range this metric can sensibly have."""
    low, high = _PLAUSIBLE.get(metric.id, (None, None))
    if low is None and metric.low is not None and metric.kind is not MetricKind.MONEY:
        low, high = metric.low * metric.scale, (metric.high or metric.low) * metric.scale
    if metric.kind is MetricKind.MONEY:
        low, high = metric.low, metric.high
    return (low is None or value >= low) and (high is None or value <= high)


def _settled(
    metric: Metric,
    figure: Figure,
    unit: Unit | None,
    values: tuple[Decimal, ...],
    confidence: float,
    notes: tuple[Remark, ...],
) -> Quantity:
    currency = unit.currency if unit and unit.dimension == "money" else None
    working = figure.unit_word if figure.unit_word in WORKING_WORDS else ""
    common = {"currency": currency, "condition": working}
    fit = tuple(v for v in dict.fromkeys(values) if plausible(metric, v))
    if not fit:
        return Quantity(value=None, readings=values, confidence=0.5, notes=(*notes, IMPLAUSIBLE), **common)  # type: ignore[arg-type]
    if figure.kind == "range" and len(fit) == len(figure.values) > 1 and metric.worse is not Worse.NEITHER:
        worst = max(fit) if metric.worse is Worse.HIGHER else min(fit)
        operator = "<=" if metric.worse is Worse.HIGHER else ">="
        note = ("range", f"{min(fit):f}", f"{max(fit):f}")
        return Quantity(value=worst, confidence=0.88, notes=(*notes, note), operator=operator, **common)  # type: ignore[arg-type]
    doubtful = figure.note[:1] in _DOUBTFUL or _FRACTION_UNDER_PERCENT in notes
    if len(fit) > 1 or doubtful:
        return Quantity(value=None, readings=fit, confidence=0.6, notes=notes, **common)  # type: ignore[arg-type]
    if len(values) > 1 and metric.unit != "1":
        confidence, notes = min(confidence, 0.88), (*notes, ("one_plausible",))
    derived = YEARLY in notes
    return Quantity(value=fit[0], confidence=confidence, notes=notes, derived=derived, **common)  # type: ignore[arg-type]


def currency_in(text: str) -> str | None:
    """The one currency a text names, None without or with several."""
    folded = fold(text)
    found = {CURRENCY_WORDS[m.group()] for m in _CURRENCY_WORD.finditer(folded)}
    if len(found) > 1 and "USD" in found and "$" in folded:
        found.discard("USD")
    return found.pop() if len(found) == 1 else None
