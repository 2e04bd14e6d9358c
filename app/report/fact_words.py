"""One fact in words: its value in the unit people read, what qualifies it, where it stands, how it is typed."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from app.domain.facts import Fact, State
from app.domain.metrics import BY_ID, Metric, MetricKind
from app.domain.offer_reader import ATTRIBUTE_CHOICES
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.presentation.words import YES_NO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.facts import Evidence
    from app.domain.fields import Choice

PERCENT = frozenset({"availability", "credit_tier", "credit_cap", "tax_rate", "exit_share", "renewal_uplift"})
UNITS: dict[str, Text] = {
    "h": Text("小时", "h"),
    "d": Text("天", "d"),
    "month": Text("个月", "months"),
    "byte": Text("字节", "bytes"),
    "h/month": Text("小时/月", "h/month"),
}
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "rtt": ("statistic", "direction", "scope", "commitment", "condition"),
    "one_way_delay": ("statistic", "direction", "scope", "commitment", "condition"),
    "jitter": ("statistic", "scope", "commitment", "condition"),
    "packet_loss": ("scope", "period", "commitment", "condition"),
    "availability": ("scope", "period", "commitment", "condition"),
    "segment_bandwidth": ("condition", "commitment"),
    "credit_tier": ("lower", "upper", "condition"),
}
TITLES: dict[str, Text] = {
    "statistic": Text("统计量", "Statistic"),
    "direction": Text("方向", "Direction"),
    "scope": Text("口径", "Scope"),
    "period": Text("统计周期", "Period"),
    "commitment": Text("承诺性质", "Commitment"),
    "condition": Text("适用条件", "Condition"),
    "currency": Text("币种", "Currency"),
    "lower": Text("可用性自", "Availability from"),
    "upper": Text("可用性至", "Availability to"),
}
SEGMENT_NAME = Text("段名", "Segment")
# What decides how a gate is judged; its absence is shown, not left to be noticed.
NEEDED: dict[str, tuple[str, ...]] = {
    "rtt": ("direction", "statistic"),
    "one_way_delay": ("statistic",),
    "jitter": ("statistic",),
    "availability": ("scope", "period", "commitment"),
}
ABSENT: dict[str, Text] = {
    "statistic": Text("统计量未写明", "statistic not stated"),
    "direction": Text("方向未写明", "direction not stated"),
    "scope": Text("口径未写明", "scope not stated"),
    "period": Text("周期未写明", "period not stated"),
    "commitment": Text("承诺性质未写明", "commitment not stated"),
    "currency": Text("币种未写明", "currency not stated"),
}
_OPERATORS = {"<=": "≤", ">=": "≥", "<": "<", ">": ">", "=": ""}


def attributes_of(metric: Metric) -> tuple[str, ...]:
    """The attributes a person may set beside the value of a metric, in the order of the form."""
    if metric.kind is MetricKind.MONEY:
        return ("currency",)
    default = ("commitment", "condition") if metric.kind is MetricKind.QUANTITY else ()
    return ATTRIBUTES.get(metric.id, default)


def attribute_title(metric: Metric, name: str) -> Text:
    """What an attribute is called; the condition of a segment is its name."""
    return SEGMENT_NAME if (metric.kind, name) == (MetricKind.SEGMENTS, "condition") else TITLES[name]


def choices_of(metric: Metric) -> tuple[Choice, ...]:
    """The words a value may be; empty where anything may be typed. Exclusions are open: any wording may stand."""
    return () if metric.id == "exclusion" else metric.choices


def unit_of(metric: Metric, language: Language) -> str:
    """The unit that stands inside the field."""
    known = UNITS.get(metric.shown_unit)
    return known.pick(language) if known else metric.shown_unit


def figure(metric: Metric, value: Decimal, language: Language) -> str:
    """All digits of a figure in the unit of its metric."""
    if metric.id in PERCENT:
        return fmt.availability(value, language)
    return fmt.exact((value / metric.scale).normalize() + 0, language, unit_of(metric, language))


def value_words(fact: Fact, language: Language) -> str:
    """The value as it is read on a page; a state without a value in its own words."""
    metric = BY_ID[fact.metric]
    if fact.state is State.AMBIGUOUS and fact.readings:
        return (" / ").join(figure(metric, r, language) for r in fact.readings)
    if fact.value is None:
        return fmt.unknown(fact.state.value, language)
    sign = _OPERATORS.get(fact.operator or "", "")
    return f"{sign} {_value(metric, fact, language)}" if sign else _value(metric, fact, language)


def _value(metric: Metric, fact: Fact, language: Language) -> str:
    value = fact.value
    if isinstance(value, bool):
        return YES_NO[value].pick(language)
    if isinstance(value, str):
        return _text(metric, value, language)
    if value is None:
        return ""
    if metric.kind is MetricKind.MONEY:
        return fmt.money_full(value, language, fact.currency) if fact.currency else fmt.exact(value, language)
    return _tier(metric, fact, value, language) if metric.kind is MetricKind.TIERS else figure(metric, value, language)


def _text(metric: Metric, value: str, language: Language) -> str:
    if metric.kind is MetricKind.DATE:
        return fmt.day(value, language)
    found = next((c.label for c in metric.choices if c.code == value), None)
    return found.pick(language) if found else _none_or(value, language)


def _none_or(value: str, language: Language) -> str:
    return Text("无", "None").pick(language) if value == "none" else value


def _tier(metric: Metric, fact: Fact, credit: Decimal, language: Language) -> str:
    def bound(value: Decimal) -> str:
        return fmt.duration(value, language) if fact.basis else figure(metric, value, language)

    low = f"≥ {bound(fact.lower)}" if fact.lower is not None else ""
    high = f"< {bound(fact.upper)}" if fact.upper is not None else ""
    between = Text(" 且 ", " and ").pick(language).join(part for part in (low, high) if part)
    paid = figure(metric, credit, language)
    return f"{between} → {paid}" if between else paid


def qualifiers(fact: Fact, language: Language) -> tuple[str, ...]:
    """The words that qualify a value, those that are known."""
    words = []
    for name, choices in ATTRIBUTE_CHOICES.items():
        code = getattr(fact, name)
        if code is not None:
            label = next((c.label for c in choices if c.code == code), None)
            words.append(label.pick(language) if label else str(code))
    if fact.condition:
        words.append(fact.condition)
    return tuple(words)


def absent(fact: Fact, language: Language) -> tuple[str, ...]:
    """The words a stated figure lacks although a gate looks at them."""
    if fact.state is not State.STATED:
        return ()
    needed = ("currency",) if BY_ID[fact.metric].kind is MetricKind.MONEY else NEEDED.get(fact.metric, ())
    return tuple(ABSENT[name].pick(language) for name in needed if getattr(fact, name) is None)


def place_words(evidence: Evidence, language: Language) -> str:
    """Where a value stands inside its file; empty for what did not come from one."""
    row, column, table, page = evidence.row, evidence.column, evidence.table, evidence.page
    parts: list[Text | str] = []
    if page is not None:
        parts.append(Text(f"第 {page} 页", f"page {page}"))
    if evidence.sheet:
        parts.append(Text(f"工作表 {evidence.sheet}", f"sheet {evidence.sheet}"))
    if evidence.cell:
        parts.append(evidence.cell)
    elif table is not None and row is not None:
        side = "" if column is None else f" 第 {column} 列"
        parts.append(
            Text(
                f"表 {table} 第 {row} 行{side}",
                f"table {table}, row {row}" + ("" if column is None else f", column {column}"),
            )
        )
    return " · ".join(part if isinstance(part, str) else part.pick(language) for part in parts)


def typed(metric: Metric, value: object) -> str:
    """A stored value as a person would type it; `services.typed_values` reads it back to the same value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, Decimal):
        return str(value)
    if metric.id in PERCENT:
        return f"{plain(value.scaleb(2))}%"
    return plain(value / metric.scale)


def plain(value: Decimal) -> str:
    """Digits without thousands signs; an exponent only where the zeros would be counted."""
    number = value.normalize()
    if not number:
        return "0"
    if -5 <= number.adjusted() <= 12:  # noqa: PLR2004 - 0.00001 to 9,999,999,999,999
        return f"{number:f}"
    return f"{number.scaleb(-number.adjusted()).normalize():f}e{number.adjusted()}"


def shortened(name: str, limit: int = 60) -> str:
    """A long name cut for a narrow place; the whole of it stands beside the evidence."""
    return name if len(name) <= limit else name[: limit - 1].rstrip() + "…"


def joined(names: Sequence[str | None]) -> str:
    """Vendor and product as one name."""
    return " · ".join(name for name in names if name)
