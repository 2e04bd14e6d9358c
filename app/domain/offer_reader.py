"""Reads one offer object of the contract into facts: one small function per kind of metric."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from app.domain.facts import Evidence, Fact, State
from app.domain.fields import MAX_ITEMS, MAX_TEXT
from app.domain.metrics import (
    BY_ID,
    BY_PATH,
    COMMITMENTS,
    DIRECTIONS,
    METRICS,
    PERIODS,
    SCOPES,
    STATISTICS,
    Metric,
    MetricKind,
)
from app.domain.problems import Problem
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.fields import Choice

CURRENCY_LETTERS = 3
SECTIONS = ("sla", "topology", "platform", "price", "quote")
ATTRIBUTE_CHOICES: dict[str, tuple[Choice, ...]] = {
    "statistic": STATISTICS,
    "direction": DIRECTIONS,
    "scope": SCOPES,
    "period": PERIODS,
    "commitment": COMMITMENTS,
}
ATTRIBUTE_PATHS: dict[str, str] = {
    path: attribute for m in METRICS for attribute, path in m.attributes
}  # "rtt_statistic" → "statistic"
KNOWN_PATHS = frozenset({*BY_PATH, *ATTRIBUTE_PATHS, "vendor", "product", "price.currency"})


class OfferReader:
    """Collects facts and problems while one offer object is read."""

    def __init__(self, raw: dict[str, Any], place: str) -> None:
        self.raw, self.place = raw, place
        self.problems: list[Problem] = []
        self.facts: list[Fact] = []

    def at(self, path: str) -> Any:
        head, _, tail = path.partition(".")
        value = self.raw.get(head)
        if not tail:
            return value
        return value.get(tail) if isinstance(value, dict) else None

    def fail(self, code: str, path: str, zh: str, en: str) -> None:
        self.problems.append(Problem(code, f"{self.place}.{path}", Text(zh, en)))

    def evidence(self, path: str, value: object) -> Evidence:
        return Evidence(reader="json", quote=str(value)[:MAX_TEXT], path=f"{self.place}.{path}")

    def number(self, metric: Metric, value: object, path: str) -> Decimal | None:
        """A finite figure inside the plausible range of its metric, in the unit of the JSON key."""
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            self.fail(
                "NOT_A_NUMBER",
                path,
                f"「{metric.title.zh}」应为有限的数字。",
                f"“{metric.title.en}” must be a finite number.",
            )
            return None
        figure = Decimal(str(value))
        if (metric.low is not None and figure < metric.low) or (metric.high is not None and figure > metric.high):
            unit = f" {metric.shown_unit}" if metric.shown_unit else ""
            self.fail(
                "OUT_OF_RANGE", path,
                f"「{metric.title.zh}」收到 {value:g}，应在 {metric.low:g} 与 {metric.high:g}{unit} 之间。",
                f"“{metric.title.en}” is {value:g}; it must lie between {metric.low:g} and {metric.high:g}{unit}.",
            )  # fmt: skip
            return None
        return figure

    def word(self, title: Text, value: object, choices: tuple[Choice, ...], path: str) -> str | None:
        """One of the allowed words of a choice."""
        codes = [c.code for c in choices]
        if isinstance(value, str) and value in codes:
            return value
        listed = ", ".join(codes)
        self.fail(
            "NOT_A_CHOICE",
            path,
            f"「{title.zh}」只能是：{listed}。",
            f"“{title.en}” must be one of: {listed}.",
        )
        return None

    def text(self, value: object, path: str) -> str | None:
        """One line of printable text."""
        if not isinstance(value, str):
            self.fail("NOT_TEXT", path, "应为文字。", "This must be text.")
            return None
        clean = "".join(c for c in value if c.isprintable()).strip()
        if len(clean) > MAX_TEXT:
            self.fail(
                "TOO_LONG",
                path,
                f"有 {len(clean)} 个字符，最多 {MAX_TEXT} 个，请缩短。",
                f"{len(clean)} characters; the limit is {MAX_TEXT}. Shorten it.",
            )
            return None
        return clean or None


def _attributes(reader: OfferReader, metric: Metric) -> dict[str, str]:
    """The attribute words (statistic, direction, scope …) that stand beside a metric in the JSON."""
    found: dict[str, str] = {}
    for attribute, path in metric.attributes:
        value = reader.at(path)
        if value is not None and value is not False:
            word = reader.word(Text(path, path), value, ATTRIBUTE_CHOICES[attribute], path)
            if word:
                found[attribute] = word
    return found


def _add(reader: OfferReader, metric: Metric, value: Decimal | bool | str | None, raw: object, **more: Any) -> None:
    state = more.pop("state", State.STATED)
    path = more.pop("path", metric.path)
    reader.facts.append(
        Fact(
            metric=metric.id,
            state=state,
            value=value,
            unit=metric.unit,
            evidence=reader.evidence(path, raw),
            **more,
        )
    )


def read_no(reader: OfferReader, metric: Metric) -> None:
    """`false`: the vendor says no to this metric (contract, units); a list is then empty."""
    if metric.kind is MetricKind.FLAG:
        _add(reader, metric, False, False)
    elif metric.kind is MetricKind.LIST:
        _add(reader, metric, "none", False)
    elif metric.kind is MetricKind.SEGMENTS:  # a vendor that will not break the rate down leaves every segment open
        _add(reader, metric, None, False, state=State.ELSEWHERE, condition="#1")
    else:
        _add(reader, metric, None, False, state=State.NONE, **_attributes(reader, metric))


def _read_quantity(reader: OfferReader, metric: Metric, raw: object) -> None:
    attributes = _attributes(reader, metric)
    figure = reader.number(metric, raw, metric.path)
    if figure is None:
        return
    target = metric
    if metric.id == "rtt" and attributes.get("direction") == "one_way":
        target = BY_ID["one_way_delay"]
    _add(reader, target, figure * metric.scale, raw, path=metric.path, **attributes)


def _read_money(reader: OfferReader, metric: Metric, raw: object) -> None:
    figure = reader.number(metric, raw, metric.path)
    currency = reader.at("price.currency") or None
    if currency is not None and not (
        isinstance(currency, str) and len(currency) == CURRENCY_LETTERS and currency.isascii() and currency.isalpha()
    ):
        reader.fail(
            "BAD_CURRENCY",
            "price.currency",
            "币种应为三位字母代码，例如 CNY。",
            "The currency must be a three-letter code such as CNY.",
        )
        return
    if figure is not None:
        code = str(currency).upper() if currency else None
        reader.facts.append(
            Fact(
                metric=metric.id,
                state=State.STATED,
                value=figure,
                unit=code,
                currency=code,
                evidence=reader.evidence(metric.path, raw),
            )
        )


def _read_flag(reader: OfferReader, metric: Metric, raw: object) -> None:
    if not isinstance(raw, bool):
        reader.fail(
            "NOT_A_FLAG",
            metric.path,
            f"「{metric.title.zh}」只能填 true、false 或 null。",
            f"“{metric.title.en}” must be true, false or null.",
        )
        return
    _add(reader, metric, raw, raw)


def _read_choice(reader: OfferReader, metric: Metric, raw: object) -> None:
    word = reader.word(metric.title, raw, metric.choices, metric.path)
    if word:
        _add(reader, metric, word, raw)


def _read_text(reader: OfferReader, metric: Metric, raw: object) -> None:
    text = reader.text(raw, metric.path)
    if text:
        _add(reader, metric, text, raw)


def _read_date(reader: OfferReader, metric: Metric, raw: object) -> None:
    try:
        day = date.fromisoformat(raw) if isinstance(raw, str) else None
    except ValueError:
        day = None
    if day is None:
        reader.fail("NOT_A_DATE", metric.path, "日期格式应为 2027-03-31。", "Write the date as 2027-03-31.")
        return
    _add(reader, metric, day.isoformat(), raw)


def _items(reader: OfferReader, metric: Metric, raw: object) -> list[Any]:
    if not isinstance(raw, list) or len(raw) > MAX_ITEMS:
        reader.fail(
            "NOT_A_LIST",
            metric.path,
            f"应为列表，最多 {MAX_ITEMS} 项。",
            f"This must be a list of at most {MAX_ITEMS} items.",
        )
        return []
    return raw


def _read_list(reader: OfferReader, metric: Metric, raw: object) -> None:
    entries = _items(reader, metric, raw)
    if isinstance(raw, list) and not raw:
        _add(reader, metric, "none", raw)
    for entry in entries:
        # Exclusions are open: a vendor's own wording is kept as text.
        item = (
            reader.text(entry, metric.path)
            if metric.id == "exclusion"
            else reader.word(metric.title, entry, metric.choices, metric.path)
        )
        if item:
            _add(reader, metric, item, entry)


def _read_tiers(reader: OfferReader, metric: Metric, raw: object) -> None:
    share = replace(metric, low=Decimal(0), high=Decimal(100))
    bound = replace(metric, low=Decimal(0), high=Decimal(10**9))
    for index, item in enumerate(_items(reader, metric, raw)):
        path = f"{metric.path}[{index}]"
        if not isinstance(item, dict) or item.get("credit") is None:
            reader.fail(
                "BAD_TIER",
                path,
                "赔付档位须写明 from、to 与 credit。",
                "A credit tier needs from, to and credit.",
            )
            continue
        credit = reader.number(share, item["credit"], path)
        low = reader.number(bound, item["from"], path) if item.get("from") is not None else None
        high = reader.number(bound, item["to"], path) if item.get("to") is not None else None
        if low is not None and high is not None and low >= high:
            reader.fail(
                "BAD_TIER",
                path,
                "赔付档位的 from 必须小于 to：from 为区间下限，to 为上限。",
                "In a credit tier from must be less than to: from is the lower end, to the upper.",
            )
            continue
        basis = item.get("basis") if item.get("basis") == "outage_duration" else None
        _add(reader, metric, credit, item, path=path, lower=low, upper=high, basis=basis)


def _read_segments(reader: OfferReader, metric: Metric, raw: object) -> None:
    for index, item in enumerate(_items(reader, metric, raw)):
        path = f"segments[{index}]"
        if not isinstance(item, dict):
            reader.fail(
                "NOT_AN_OBJECT",
                path,
                "分段应为对象：name 与 bandwidth_gbps。",
                "A segment is an object with name and bandwidth_gbps.",
            )
            continue
        name = reader.text(item["name"], f"{path}.name") if item.get("name") is not None else f"#{index + 1}"
        rate = item.get("bandwidth_gbps")
        if rate is None or rate is False:
            state = State.NONE if rate is False else State.ELSEWHERE
            _add(reader, metric, None, item, path=path, state=state, condition=name)
            continue
        figure = reader.number(metric, rate, f"{path}.bandwidth_gbps")
        if figure is not None:
            _add(reader, metric, figure * metric.scale, rate, path=path, condition=name)


READERS: dict[MetricKind, Callable[[OfferReader, Metric, object], None]] = {
    MetricKind.QUANTITY: _read_quantity,
    MetricKind.MONEY: _read_money,
    MetricKind.FLAG: _read_flag,
    MetricKind.CHOICE: _read_choice,
    MetricKind.TEXT: _read_text,
    MetricKind.DATE: _read_date,
    MetricKind.LIST: _read_list,
    MetricKind.TIERS: _read_tiers,
    MetricKind.SEGMENTS: _read_segments,
}


def unknown_keys(reader: OfferReader) -> None:
    for key, value in reader.raw.items():
        if key in SECTIONS:
            if value is not None and not isinstance(value, dict):
                reader.fail("NOT_AN_OBJECT", key, "应为 JSON 对象。", "This must be a JSON object.")
            keys = [f"{key}.{k}" for k in value] if isinstance(value, dict) else []
        else:
            keys = [key]
        for path in keys:
            if path not in KNOWN_PATHS:
                reader.fail(
                    "UNKNOWN_FIELD",
                    path[:MAX_TEXT],
                    "没有这个字段，请核对拼写。",
                    "There is no such field; check the spelling.",
                )
