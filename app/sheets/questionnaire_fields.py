"""The fields of the vendor questionnaire, made from the registry of metrics. No file format here.

Every field has a stable id (`packet_loss`, `availability.scope`, `credit_tier.1.from`, `exclusion:force_majeure`),
which is what the questionnaire is read back by; words and order may change without harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from app.domain.fields import Choice
from app.domain.metrics import (
    BY_ID,
    COMMITMENTS,
    DIRECTIONS,
    GROUPS,
    METRICS,
    PERIODS,
    SCOPES,
    STATISTICS,
    Metric,
    MetricKind,
)
from app.domain.text import Text

VERSION: Final = "1"
TIERS: Final = 6
SEGMENTS: Final = 5
OFFERS: Final = 3

NOT_COMMITTED: Final = Choice("none", Text("不承诺", "Not committed"))
ELSEWHERE: Final = Choice("elsewhere", Text("见合同或附件", "See contract or annex"))
YES: Final = Choice("yes", Text("是", "Yes"))
NO: Final = Choice("no", Text("否", "No"))
CURRENCIES: Final = tuple(Choice(c, Text(f"{c}", f"{c}")) for c in ("CNY", "USD", "EUR", "GBP", "HKD", "SGD", "JPY"))
BASES: Final = (
    Choice("availability", Text("按可用率（%）", "By availability (%)")),
    Choice("outage_duration", Text("按中断时长（小时）", "By outage length (h)")),
)
ATTRIBUTES: Final[dict[str, tuple[Text, tuple[Choice, ...]]]] = {
    "statistic": (Text("统计口径", "statistic"), STATISTICS),
    "direction": (Text("方向", "direction"), DIRECTIONS),
    "scope": (Text("范围", "scope"), SCOPES),
    "period": (Text("统计周期", "period"), PERIODS),
    "commitment": (Text("承诺性质", "commitment"), COMMITMENTS),
}
# The unit in which the questionnaire asks, and its factor to the canonical unit, where it is not the metric's own.
_PERCENT: Final = ("%", Decimal("0.01"))
UNITS: Final[dict[str, tuple[str, Decimal]]] = {
    "availability": _PERCENT, "packet_loss": _PERCENT, "credit_cap": _PERCENT, "tax_rate": _PERCENT,
    "exit_share": _PERCENT, "renewal_uplift": _PERCENT,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One row: `kind` is `figure`, `choice`, `flag`, `text` or `date`; `factor` leads to the canonical unit."""

    id: str
    title: Text
    kind: str
    unit: Text | None = None
    factor: Decimal = Decimal(1)
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled run of fields."""

    title: Text
    fields: tuple[Field, ...]


def unit_of_field(metric: Metric) -> tuple[str, Decimal]:
    """Unit in which a metric is asked, with the factor to the canonical unit."""
    return UNITS.get(metric.id, (metric.shown_unit, metric.scale))


def _sub(metric: Metric, word: Text) -> Text:
    return Text(f"{metric.title.zh}：{word.zh}", f"{metric.title.en}: {word.en}")


def _figure_fields(metric: Metric) -> list[Field]:
    unit, factor = unit_of_field(metric)
    shown = Text(unit, unit) if unit else None
    states = (NOT_COMMITTED, ELSEWHERE)
    fields = [Field(id=metric.id, title=metric.title, kind="figure", unit=shown, factor=factor, choices=states)]
    for name, _ in metric.attributes:
        word, choices = ATTRIBUTES[name]
        fields.append(Field(id=f"{metric.id}.{name}", title=_sub(metric, word), kind="choice", choices=choices))
    return fields


def _tier_fields(metric: Metric) -> list[Field]:
    fields = []
    for n in range(1, TIERS + 1):
        rows = (
            ("basis", Text("依据", "basis"), "choice", BASES, None),
            ("from", Text("自", "from"), "figure", (), Text("% 或小时", "% or h")),
            ("to", Text("至", "to"), "figure", (), Text("% 或小时", "% or h")),
            ("credit", Text("赔付比例", "credit"), "figure", (), Text("占月费 %", "% of the monthly charge")),
        )
        for key, word, kind, choices, unit in rows:
            title = Text(f"{metric.title.zh} {n}：{word.zh}", f"{metric.title.en} {n}: {word.en}")
            fields.append(
                Field(
                    id=f"credit_tier.{n}.{key}",
                    title=title,
                    kind=kind,
                    unit=unit,
                    choices=choices,
                    factor=Decimal("0.01"),
                )
            )
    return fields


def _segment_fields(metric: Metric) -> list[Field]:
    fields = []
    for n in range(1, SEGMENTS + 1):
        name = Text(f"分段 {n}：名称", f"Segment {n}: name")
        rate = Text(f"分段 {n}：带宽（每方向）", f"Segment {n}: bandwidth (per direction)")
        shown = Text(metric.shown_unit, metric.shown_unit)
        fields += [
            Field(id=f"segment_bandwidth.{n}.name", title=name, kind="text"),
            Field(id=f"segment_bandwidth.{n}.rate", title=rate, kind="figure", unit=shown, factor=metric.scale),
        ]
    return fields


def _list_fields(metric: Metric) -> list[Field]:
    return [
        Field(id=f"{metric.id}:{c.code}", title=_sub(metric, c.label), kind="flag", choices=(YES, NO))
        for c in metric.choices
    ]  # fmt: skip


def _flag_fields(metric: Metric) -> list[Field]:
    return [Field(id=metric.id, title=metric.title, kind="flag", choices=(YES, NO, NOT_COMMITTED))]


def _choice_fields(metric: Metric) -> list[Field]:
    return [Field(id=metric.id, title=metric.title, kind="choice", choices=metric.choices)]


def _money_fields(metric: Metric) -> list[Field]:
    unit = Text("币种见上", "currency as above")
    return [Field(id=metric.id, title=metric.title, kind="figure", unit=unit, choices=(ELSEWHERE,))]


def _text_fields(metric: Metric) -> list[Field]:
    return [Field(id=metric.id, title=metric.title, kind="text")]


def _date_fields(metric: Metric) -> list[Field]:
    return [Field(id=metric.id, title=metric.title, kind="date", unit=Text("年-月-日", "YYYY-MM-DD"))]


_MAKERS: Final = {
    MetricKind.QUANTITY: _figure_fields,
    MetricKind.MONEY: _money_fields,
    MetricKind.FLAG: _flag_fields,
    MetricKind.CHOICE: _choice_fields,
    MetricKind.TEXT: _text_fields,
    MetricKind.DATE: _date_fields,
    MetricKind.LIST: _list_fields,
    MetricKind.TIERS: _tier_fields,
    MetricKind.SEGMENTS: _segment_fields,
}
CURRENCY: Final = Field(id="currency", title=Text("币种", "Currency"), kind="choice", choices=CURRENCIES)
VENDOR: Final = Field(id="vendor", title=Text("供应商", "Vendor"), kind="text")
PRODUCT: Final = Field(id="product", title=Text("产品", "Product"), kind="text")


def _sections() -> tuple[Section, ...]:
    made = [Section(title=Text("报价方与产品", "Vendor and product"), fields=(VENDOR, PRODUCT))]
    for group in GROUPS:
        fields = [f for m in METRICS if m.group == group.code for f in _MAKERS[m.kind](m)]
        if group.code == "price":
            fields.insert(0, CURRENCY)
        made.append(Section(title=group.label, fields=tuple(fields)))
    return tuple(made)


SECTIONS: Final = _sections()
FIELDS: Final[dict[str, Field]] = {f.id: f for s in SECTIONS for f in s.fields}


def metric_of(field_id: str) -> Metric | None:
    """The metric a field id belongs to, None for vendor, product and currency."""
    return BY_ID.get(field_id.partition(".")[0].partition(":")[0])
