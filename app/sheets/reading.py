"""The entry of the reading room: bytes of one file in, `FileReading` out. Never raises for a bad file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from app.domain.remarks import tell
from app.sheets import offers
from app.sheets.codes import Refused, refusal
from app.sheets.detect import kind_of
from app.sheets.extractor import Extractor
from app.sheets.folding import clean_label
from app.sheets.questionnaire import offer_from
from app.sheets.readers import reader_for

if TYPE_CHECKING:
    from app.domain.facts import Fact, Offer
    from app.domain.problems import Notice
    from app.domain.text import Text
    from app.sheets.document import Document

_KEEP_EXTENSION: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """What was read from one file. `code` and `message` are set when it was refused or holds no offer."""

    name: str
    sha256: str
    kind: str
    status: str
    pages: int | None = None
    code: str | None = None
    message: Text | None = None
    notices: tuple[Notice, ...] = ()
    offers: tuple[Offer, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The file item of the contract's extraction document."""
        return {
            "name": self.name,
            "sha256": self.sha256,
            "kind": self.kind,
            "pages": self.pages,
            "status": self.status,
            "code": self.code,
            "message": self.message.as_json() if self.message else None,
            "notices": [n.as_json() for n in self.notices],
            "offers": [
                {"vendor": o.vendor or None, "product": o.product, "facts": [fact_json(f) for f in o.facts]}
                for o in self.offers
            ],
        }


def _plain(value: Decimal | bool | str | None) -> float | bool | str | None:
    return float(value) if isinstance(value, Decimal) else value


def fact_json(fact: Fact) -> dict[str, Any]:
    """A fact in the form of the contract's extraction document."""
    evidence = fact.evidence
    told = tell(evidence.remarks)
    item: dict[str, Any] = {
        "metric": fact.metric,
        "state": fact.state.value,
        "value": _plain(fact.value),
        "unit": fact.unit,
        "operator": fact.operator,
        "statistic": fact.statistic,
        "direction": fact.direction,
        "scope": fact.scope,
        "condition": fact.condition,
        "period": fact.period,
        "commitment": fact.commitment,
        "derived": fact.derived,
        "confidence": fact.confidence,
    }
    if fact.currency is not None:
        item["currency"] = fact.currency
    if fact.metric == "credit_tier":
        item |= {"from": _plain(fact.lower), "to": _plain(fact.upper), "basis": fact.basis}
    if fact.readings:
        item["readings"] = [_plain(r) for r in fact.readings]
    item["evidence"] = {
        "page": evidence.page,
        "sheet": evidence.sheet,
        "cell": evidence.cell,
        "table": evidence.table,
        "row": evidence.row,
        "column": evidence.column,
        "box": list(evidence.box) if evidence.box else None,
        "quote": evidence.quote,
        "label": evidence.label,
        "note": told.as_json() if told else None,
        "reader": evidence.reader,
    }
    return item


def label_of_name(name: str) -> str:
    """A file name as it may be shown: last part, no control or direction characters, extension kept."""
    base = name.replace("\\", "/").rpartition("/")[2]
    clean = clean_label(base, limit=10_000)
    stem, dot, extension = clean.rpartition(".")
    if dot and len(extension) <= _KEEP_EXTENSION:
        return (stem[: 200 - len(extension) - 1] + dot + extension) if stem else clean[:200]
    return clean[:200] or "unnamed"


def refused(name: str, data: bytes, code: str, message: Text, kind: str = "") -> FileReading:
    """The reading of a file that was refused."""
    return FileReading(
        name=label_of_name(name), sha256=hashlib.sha256(data).hexdigest(), kind=kind or _extension(name),
        status="refused", code=code, message=message,
    )  # fmt: skip


def _extension(name: str) -> str:
    return clean_label(name.rpartition(".")[2].lower(), _KEEP_EXTENSION) if "." in name else "unknown"


def read_file(name: str, data: bytes) -> FileReading:
    """Read one file in this process; every outcome is a `FileReading`."""
    kind = ""
    try:
        kind = kind_of(name, data)
        reader = reader_for(kind)
        if reader is None:
            raise Refused("UNSUPPORTED_KIND", kind=kind.upper() or "?")  # noqa: TRY301
        return _extract(name, data, kind, reader.read(data))
    except Refused as answer:
        return refused(name, data, answer.code, answer.message, kind)
    except RecursionError:
        return refused(name, data, "XML_TOO_DEEP", refusal("XML_TOO_DEEP"), kind)


def _answered(document: Document) -> tuple[tuple[Offer, ...], tuple[Notice, ...]]:
    columns = [offer_from(a) for a in document.answers]
    return tuple(o for o, _ in columns if o), tuple(n for _, told in columns for n in told)


def _extract(name: str, data: bytes, kind: str, document: Document) -> FileReading:
    sha256 = hashlib.sha256(data).hexdigest()
    found, notices = (
        _answered(document) if document.kind == "questionnaire" else offers.build(Extractor(document).run())
    )
    label = label_of_name(name)
    made = tuple(
        replace(o, facts=tuple(replace(f, evidence=replace(f.evidence, file=label, sha256=sha256)) for f in o.facts))
        for o in found
    )
    status = "partial" if document.partial or not made else "read"
    code = None if made else "NO_OFFER_FOUND"
    return FileReading(
        name=label, sha256=sha256, kind=kind, pages=document.pages, status=status, code=code,
        message=refusal(code) if code else None, notices=(*document.notices, *notices), offers=made,
    )  # fmt: skip
