"""A domain `Fact` as columns or JSON and back, without loss: figures are kept as the text of their `Decimal`."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from app.domain.facts import Evidence, Fact, Offer, State, Value

if TYPE_CHECKING:
    from collections.abc import Mapping


PLAIN = (
    "metric", "unit", "operator", "statistic", "direction", "scope", "condition", "period", "commitment",
    "currency", "basis", "derived", "visible", "confidence", "confirmed_by",
)  # fmt: skip
STORED = (*PLAIN, "state", "value_kind", "value", "lower", "upper", "readings", "evidence")
_EVIDENCE = tuple(f.name for f in fields(Evidence))


def columns(fact: Fact) -> dict[str, Any]:
    """Every attribute of `fact` as column values; raises `ValueError` on a figure that is not finite."""
    kind, text = _write_value(fact.value)
    return {name: getattr(fact, name) for name in PLAIN} | {
        "state": fact.state.value,
        "value_kind": kind,
        "value": text,
        "lower": _write_figure(fact.lower),
        "upper": _write_figure(fact.upper),
        "readings": [_write_figure(r) for r in fact.readings],
        "evidence": evidence_json(fact.evidence),
    }


def fact_from(stored: Mapping[str, Any]) -> Fact:
    """The fact behind the values of `columns`."""
    return Fact(
        **{name: stored[name] for name in PLAIN},
        state=State(stored["state"]),
        value=_read_value(stored["value_kind"], stored["value"]),
        lower=_read_figure(stored["lower"]),
        upper=_read_figure(stored["upper"]),
        readings=tuple(Decimal(r) for r in stored["readings"]),
        evidence=evidence_of(stored["evidence"]),
    )


def offer_json(offer: Offer) -> dict[str, Any]:
    """An offer as JSON without loss, unlike the contract's form: every fact, exact figures, evidence."""
    return {
        "vendor": offer.vendor,
        "product": offer.product,
        "facts": [columns(fact) for fact in offer.facts],
    }


def offer_from(raw: Mapping[str, Any]) -> Offer:
    """The offer behind `offer_json`."""
    return Offer(vendor=raw["vendor"], product=raw["product"], facts=tuple(fact_from(f) for f in raw["facts"]))


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    """Evidence as JSON, without the places that do not apply."""
    values = {name: getattr(evidence, name) for name in _EVIDENCE}
    return {name: _plain(value) for name, value in values.items() if value is not None and value != ()}


def _plain(value: object) -> object:
    """Tuples, nested ones too, as lists."""
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def evidence_of(raw: Mapping[str, Any]) -> Evidence:
    """Evidence from its JSON; keys of another version are left out."""
    values = {name: raw[name] for name in _EVIDENCE if name in raw}
    if values.get("box") is not None:
        values["box"] = tuple(values["box"])
    values["remarks"] = tuple(tuple(remark) for remark in values.get("remarks", ()))
    return Evidence(**values)


def _write_value(value: Value | None) -> tuple[str | None, str | None]:
    if value is None:
        return None, None
    if isinstance(value, bool):
        return "flag", "true" if value else "false"
    if isinstance(value, Decimal):
        return "decimal", _write_figure(value)
    return "text", value


def _read_value(kind: str | None, text: str | None) -> Value | None:
    if kind is None or text is None:
        return None
    if kind == "flag":
        return text == "true"
    return Decimal(text) if kind == "decimal" else text


def _write_figure(value: Decimal | None) -> str | None:
    if value is None:
        return None
    if not value.is_finite():
        raise ValueError("a stored figure must be finite")
    return str(value)


def _read_figure(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
