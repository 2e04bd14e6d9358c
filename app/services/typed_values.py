"""A value a person types for one metric, checked and brought to the canonical unit.

A bare figure is in the unit people read (`Metric.shown_unit`: Gbit/s, ms, h); "10 ms", "99.99%" and "1×10⁻⁵"
are understood as written.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from app.domain.fields import MAX_TEXT
from app.domain.metrics import (
    BY_ID,
    COMMITMENTS,
    DIRECTIONS,
    PERIODS,
    SCOPES,
    STATISTICS,
    Metric,
    MetricKind,
)
from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.services.typed_text import tidy
from app.sheets.folding import fold
from app.sheets.numbers import figures

if TYPE_CHECKING:
    from app.domain.facts import Value
    from app.domain.fields import Choice

ATTRIBUTE_CHOICES: dict[str, tuple[Choice, ...]] = {
    "statistic": STATISTICS,
    "direction": DIRECTIONS,
    "scope": SCOPES,
    "period": PERIODS,
    "commitment": COMMITMENTS,
}
OPERATORS = ("<=", "<", ">=", ">", "=")
TEXT_ATTRIBUTES = ("condition",)
BOUNDS = ("lower", "upper")
CURRENCY_LETTERS = 3
# Canonical unit → dimension of a written unit, and how many canonical units of that dimension make one.
_DIMENSIONS: dict[str | None, tuple[str, Decimal]] = {
    "bit/s": ("rate", Decimal(1)),
    "s": ("time", Decimal(1)),
    "day": ("time", Decimal(86400)),
    "h/month": ("time", Decimal(3600)),
    "byte": ("byte", Decimal(1)),
    "km": ("km", Decimal(1)),
    "month": ("calendar", Decimal(1)),
    "1": ("ratio", Decimal(1)),
}
_FIGURES = (MetricKind.QUANTITY, MetricKind.MONEY, MetricKind.TIERS, MetricKind.SEGMENTS)
_WORDS_FOR = {"true": True, "yes": True, "是": True, "false": False, "no": False, "否": False}


def problem(code: str, place: str, zh: str, en: str) -> InputError:
    """One problem, ready to raise."""
    return InputError([Problem(code, place, Text(zh, en))])


def metric_of(metric_id: str) -> Metric:
    """The metric of that id; raises `InputError`."""
    if metric_id not in BY_ID:
        raise problem("NO_SUCH_METRIC", "metric", "没有这个指标。", "There is no such metric.")
    return BY_ID[metric_id]


def typed_value(metric: Metric, raw: object) -> Value:
    """The value in the canonical unit of `metric`; raises `InputError` with what is wrong and an example."""
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        raise problem("MISSING", "value", f"请填写「{metric.title.zh}」。", f"Enter “{metric.title.en}”.")
    if metric.kind in _FIGURES:
        return _figure(metric, raw)
    if metric.kind is MetricKind.FLAG:
        return _flag(metric, raw)
    if metric.kind is MetricKind.DATE:
        return _date(raw)
    if metric.choices and metric.id != "exclusion":
        return _choice(metric.title, metric.choices, raw, "value")
    return _text(raw, "value")


def _figure(metric: Metric, raw: object) -> Decimal:
    canonical = _written(metric, raw)
    shown = canonical / metric.scale
    low, high = _range(metric)
    if not low <= shown <= high:
        unit = f" {metric.shown_unit}" if metric.shown_unit else ""
        raise problem(
            "OUT_OF_RANGE",
            "value",
            f"「{metric.title.zh}」收到 {shown:g}，应在 {low:g} 与 {high:g}{unit} 之间。",
            f"“{metric.title.en}” is {shown:g}; it must lie between {low:g} and {high:g}{unit}.",
        )
    return canonical


def _range(metric: Metric) -> tuple[Decimal, Decimal]:
    if metric.kind is MetricKind.TIERS:
        return Decimal(0), Decimal(100)  # credits up to a hundred monthly charges, as in the offer form
    low = Decimal(0) if metric.low is None else metric.low
    return low, Decimal("1e18") if metric.high is None else metric.high


def _written(metric: Metric, raw: object) -> Decimal:
    """The canonical figure behind what was typed."""
    text = fold(str(raw)) if isinstance(raw, (str, int, float, Decimal)) and not isinstance(raw, bool) else ""
    found = figures(text) if len(text) <= MAX_TEXT else []
    single = len(found) == 1 and len(found[0].values) == 1 and found[0].low is None
    if not single or text[: found[0].start].strip(" ≤≥<>=¥￥$") or text[found[0].end :].strip():
        example = metric.shown_unit and f"10 {metric.shown_unit}"
        raise problem(
            "NOT_A_NUMBER",
            "value",
            f"「{metric.title.zh}」应为一个数字，例如 {example or '0.001'}。",
            f"“{metric.title.en}” must be one number, for example {example or '0.001'}.",
        )
    figure = found[0]
    value = figure.values[0]
    if figure.unit is None:
        return value * metric.scale
    dimension, size = _DIMENSIONS.get(metric.unit, ("money", Decimal(1)))
    if figure.unit.dimension != dimension:
        raise problem(
            "WRONG_UNIT",
            "value",
            f"「{metric.title.zh}」的单位不对，请用 {metric.shown_unit or '比例或百分数'}。",
            f"That unit does not fit “{metric.title.en}”; use {metric.shown_unit or 'a ratio or per cent'}.",
        )
    return value * figure.unit.factor / size


def _flag(metric: Metric, raw: object) -> bool:
    answer = raw if isinstance(raw, bool) else _WORDS_FOR.get(str(raw).strip().lower())
    if answer is None:
        raise problem(
            "NOT_A_FLAG",
            "value",
            f"「{metric.title.zh}」只能是“是”或“否”。",
            f"“{metric.title.en}” must be yes or no.",
        )
    return answer


def _date(raw: object) -> str:
    try:
        return date.fromisoformat(str(raw).strip()).isoformat()
    except ValueError:
        raise problem("NOT_A_DATE", "value", "日期格式应为 2027-03-31。", "Write the date as 2027-03-31.") from None


def _choice(title: Text, choices: tuple[Choice, ...], raw: object, place: str) -> str:
    codes = [c.code for c in choices]
    if raw not in codes:
        listed = ", ".join(codes)
        raise problem(
            "NOT_A_CHOICE",
            place,
            f"「{title.zh}」只能是：{listed}。",
            f"“{title.en}” must be one of: {listed}.",
        )
    return str(raw)


def _text(raw: object, place: str) -> str:
    value = tidy(str(raw))
    if not value or len(value) > MAX_TEXT:
        raise problem("BAD_TEXT", place, f"请填写 1 至 {MAX_TEXT} 个字符。", f"Enter 1 to {MAX_TEXT} characters.")
    return value


def typed_attributes(metric: Metric, raw: Mapping[str, object]) -> dict[str, Any]:
    """The words that qualify a value: statistic, direction, scope, period, commitment, condition, currency,
    operator, and the bounds of a credit tier. An empty one is taken off (None); one not named stays.

    Raises `InputError` for a word that is not among the choices and for a name that is none of these.
    """
    found: dict[str, Any] = {}
    for name, value in raw.items():
        if value is None or (isinstance(value, str) and not value.strip()):
            found[_known(name)] = None
        elif name in ATTRIBUTE_CHOICES:
            found[name] = _choice(Text(name, name), ATTRIBUTE_CHOICES[name], value, name)
        else:
            found[_known(name)] = _other_attribute(metric, name, value)
    if "currency" in found and metric.kind is MetricKind.MONEY:
        found["unit"] = found["currency"]
    return found


def _known(name: str) -> str:
    if name in ATTRIBUTE_CHOICES or name in (*TEXT_ATTRIBUTES, *BOUNDS, "currency", "operator"):
        return name
    raise problem("UNKNOWN_FIELD", name[:MAX_TEXT], "没有这个字段。", "There is no such field.")


def _other_attribute(metric: Metric, name: str, value: object) -> Value | None:
    if name in BOUNDS:
        return _written(BY_ID["availability"] if metric.kind is MetricKind.TIERS else metric, value)
    if name == "currency":
        code = str(value).strip().upper()
        if len(code) != CURRENCY_LETTERS or not (code.isascii() and code.isalpha()):
            raise problem(
                "BAD_CURRENCY",
                "currency",
                "币种应为三位字母代码，例如 CNY。",
                "The currency must be a three-letter code such as CNY.",
            )
        return code
    if name == "operator":
        if value not in OPERATORS:
            listed = " ".join(OPERATORS)
            raise problem("NOT_A_CHOICE", name, f"比较符只能是：{listed}。", f"The operator must be one of: {listed}.")
        return str(value)
    return _text(value, name)
