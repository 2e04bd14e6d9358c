"""Offers as JSON and as facts: the one place where the two forms meet.

`parse_offers` turns the contract's offer objects into `Offer`s made of facts; `offer_as_json` writes them back.
`null` or absent is not known; `false` on a figure is the vendor declining to commit (`none`).
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from app.domain.facts import Fact, Offer, State
from app.domain.metrics import BY_ID, METRICS, Metric, MetricKind
from app.domain.offer_reader import READERS, OfferReader, read_no, unknown_keys
from app.domain.problems import InputError, Problem
from app.domain.terms import term
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_OFFERS = 10_000


def parse_offer(raw: object, place: str = "offer") -> Offer:
    """Build one offer from its JSON object. Raises `InputError` with every problem."""
    if not isinstance(raw, dict):
        message = Text("报价应为 JSON 对象。", "An offer must be a JSON object.")
        raise InputError([Problem("NOT_AN_OBJECT", place, message)])
    reader = OfferReader(raw, place)
    unknown_keys(reader)
    vendor = reader.text(raw["vendor"], "vendor") if raw.get("vendor") is not None else None
    if vendor is None and not reader.problems:
        reader.fail("MISSING", "vendor", "请填写供应商名称。", "Enter the vendor's name.")
    product = reader.text(raw["product"], "product") if raw.get("product") is not None else None
    for metric in METRICS:
        value = reader.at(metric.path) if metric.path else None
        if value is False:
            read_no(reader, metric)
        elif value is not None:
            READERS[metric.kind](reader, metric, value)
    if reader.problems:
        raise InputError(reader.problems)
    return Offer(vendor=vendor or "", product=product, facts=tuple(f.confirm("json") for f in reader.facts))


def parse_offers(raw: object) -> tuple[Offer, ...]:
    """Build offers from a list or from `{"offers": […]}`; each vendor + product once. Raises `InputError`."""
    entries = raw.get("offers") if isinstance(raw, dict) and "offers" in raw else raw
    if isinstance(entries, dict):
        entries = [entries]
    if not isinstance(entries, list) or len(entries) > MAX_OFFERS:
        message = Text(
            f'报价应为列表（最多 {MAX_OFFERS} 份），或 {{"offers": […]}}。',
            f'Offers must be a list of at most {MAX_OFFERS}, or {{"offers": […]}}.',
        )
        raise InputError([Problem("NOT_A_LIST", "offers", message)])
    problems: list[Problem] = []
    offers: list[Offer] = []
    for index, item in enumerate(entries):
        try:
            offers.append(parse_offer(item, f"offers[{index}]"))
        except InputError as error:
            problems.extend(error.problems)
    problems.extend(repeated(offers))
    if problems:
        raise InputError(problems)
    return tuple(offers)


def merge(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Offers as they are judged: what several documents say of one vendor and product stands together."""
    together: dict[tuple[str, str], Offer] = {}
    for offer in offers:
        seen = together.get(offer.key)
        together[offer.key] = replace(seen, facts=seen.facts + offer.facts) if seen else offer
    return tuple(together.values())


def repeated(offers: list[Offer]) -> list[Problem]:
    """A problem for each offer whose vendor and product were already given."""
    seen: set[tuple[str, str]] = set()
    found: list[Problem] = []
    for offer in offers:
        if offer.key in seen:
            name = " / ".join(part for part in offer.key if part)
            found.append(
                Problem(
                    "OFFER_REPEATED",
                    name,
                    Text(
                        f"「{name}」出现了两次，请用不同的产品名区分。",
                        f"“{name}” is given twice; tell them apart by product name.",
                    ),
                )
            )
        seen.add(offer.key)
    return found


def _put(target: dict[str, Any], path: str, value: Any) -> None:
    head, _, tail = path.partition(".")
    if tail:
        target.setdefault(head, {})[tail] = value
    else:
        target[head] = value


def _number(value: Decimal) -> float | int:
    return int(value) if value == value.to_integral_value() and abs(value) < 10**15 else float(value)


def _figure(metric: Metric, fact: Fact) -> Any:
    if isinstance(fact.value, Decimal):
        return _number(fact.value / metric.scale)
    return fact.value


def offer_as_json(offer: Offer) -> dict[str, Any]:
    """The offer in the form of the contract: one figure a metric, as the rules would use it.

    A figure that is not known is left out; a metric the vendor declines to commit is `false`.
    """
    out: dict[str, Any] = {"vendor": offer.vendor, "product": offer.product}
    for metric in METRICS:
        facts = offer.of(metric.id)
        if not metric.path or not facts:
            continue
        if metric.kind is MetricKind.SEGMENTS:
            _put(out, metric.path, [_segment(metric, f) for f in facts])
        elif metric.kind is MetricKind.TIERS:
            declined = any(f.state is State.NONE for f in facts)
            _put(out, metric.path, False if declined else [_tier(f) for f in facts])
        elif metric.kind is MetricKind.LIST:
            _put(out, metric.path, [f.value for f in facts if f.value is not None and f.value != "none"])
        else:
            _put_single(out, offer, metric)
    _put_one_way(out, offer)
    return out


def _put_single(out: dict[str, Any], offer: Offer, metric: Metric) -> None:
    chosen = term(offer, metric.id).fact
    if chosen is None:
        return
    if chosen.state is State.NONE:
        _put(out, metric.path, False)
    elif chosen.state is State.STATED:
        _put(out, metric.path, _figure(metric, chosen))
    for attribute, path in metric.attributes:
        word = getattr(chosen, attribute)
        if word is not None:
            _put(out, path, word)
    if metric.kind is MetricKind.MONEY and chosen.currency:
        _put(out, "price.currency", chosen.currency)


def _put_one_way(out: dict[str, Any], offer: Offer) -> None:
    """A one-way delay stands in `rtt_ms` with its direction, as the contract has one latency field."""
    chosen = term(offer, "one_way_delay").fact
    if chosen is not None and isinstance(chosen.value, Decimal) and "rtt_ms" not in out:
        out["rtt_ms"] = _number(chosen.value / BY_ID["rtt"].scale)
        out["rtt_direction"] = "one_way"
        if chosen.statistic:
            out["rtt_statistic"] = chosen.statistic


def _segment(metric: Metric, fact: Fact) -> dict[str, Any]:
    rate = False if fact.state is State.NONE else _figure(metric, fact)
    return {"name": fact.condition, "bandwidth_gbps": rate}


def _tier(fact: Fact) -> dict[str, Any]:
    tier: dict[str, Any] = {
        "from": _number(fact.lower) if fact.lower is not None else None,
        "to": _number(fact.upper) if fact.upper is not None else None,
        "credit": _number(fact.value) if isinstance(fact.value, Decimal) else None,
    }
    if fact.basis:
        tier["basis"] = fact.basis
    return tier
