"""A `FileReading` as plain JSON and back, exact: what passes between the parsing child and its parent.

No pickle: a child that was taken over by a hostile file can only send data of these shapes.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from app.domain.facts import Evidence, Fact, Offer, State
from app.domain.problems import Notice
from app.domain.text import Text
from app.sheets.reading import FileReading

_FACT_FIELDS = tuple(Fact.__dataclass_fields__)
_EVIDENCE_FIELDS = tuple(Evidence.__dataclass_fields__)


def _value_out(value: object) -> Any:
    if isinstance(value, Decimal):
        return {"d": str(value)}
    if isinstance(value, tuple):
        return [_value_out(v) for v in value]
    return value


def _value_in(value: Any) -> Any:
    if isinstance(value, dict):
        return Decimal(value["d"])
    if isinstance(value, list):
        return tuple(_value_in(v) for v in value)
    return value


def _fact_out(fact: Fact) -> dict[str, Any]:
    item = {n: _value_out(getattr(fact, n)) for n in _FACT_FIELDS if n not in {"evidence", "state"}}
    item["state"] = fact.state.value
    item["evidence"] = {n: _value_out(getattr(fact.evidence, n)) for n in _EVIDENCE_FIELDS}
    return item


def _fact_in(item: dict[str, Any]) -> Fact:
    known = {n: _value_in(v) for n, v in item.items() if n in _FACT_FIELDS and n not in {"evidence", "state"}}
    evidence = {n: _value_in(v) for n, v in item["evidence"].items() if n in _EVIDENCE_FIELDS}
    return Fact(**known, state=State(item["state"]), evidence=Evidence(**evidence))


def _text_out(text: Text | None) -> list[str] | None:
    return [text.zh, text.en] if text else None


def dump(reading: FileReading) -> bytes:
    """The reading as UTF-8 JSON."""
    item = {
        "name": reading.name, "sha256": reading.sha256, "kind": reading.kind, "status": reading.status,
        "pages": reading.pages, "code": reading.code, "message": _text_out(reading.message),
        "notices": [[n.code, n.message.zh, n.message.en] for n in reading.notices],
        "offers": [
            {"vendor": o.vendor, "product": o.product, "facts": [_fact_out(f) for f in o.facts]} for o in reading.offers
        ],
    }  # fmt: skip
    return json.dumps(item, ensure_ascii=False).encode()


def load(data: bytes) -> FileReading:
    """The reading of `dump`; raises `ValueError`, `KeyError` or `TypeError` on anything else."""
    item = json.loads(data)
    return FileReading(
        name=item["name"], sha256=item["sha256"], kind=item["kind"], status=item["status"],
        pages=item["pages"], code=item["code"], message=Text(*item["message"]) if item["message"] else None,
        notices=tuple(Notice(code, Text(zh, en)) for code, zh, en in item["notices"]),
        offers=tuple(
            Offer(vendor=o["vendor"], product=o["product"], facts=tuple(_fact_in(f) for f in o["facts"]))
            for o in item["offers"]
        ),
    )  # fmt: skip
