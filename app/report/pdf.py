"""The decision document as PDF: the same view as the page, printed by the press. Needs no database.

`build_pdf` is what the web pages, the API and the command line call.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from app.domain.canonical import canonical_json
from app.domain.text import Language
from app.presentation.templating import render
from app.report.document import report_view
from app.report.press import MESSAGES, PRESS, PressError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.assessment import Assessment

MOST_OFFERS, MOST_FACTS = 200, 3000
__all__ = ["PdfDocument", "PressError", "build_pdf", "report_moment"]


@dataclass(frozen=True, slots=True)
class PdfDocument:
    """A printed report: the bytes, their hash, and the hash of what was assessed (printed on every page)."""

    data: bytes
    sha256: str
    content_sha256: str

    def as_json(self, file: str) -> dict[str, str]:
        """What `linewise report` prints."""
        return {"file": file, "sha256": self.sha256, "content_sha256": self.content_sha256}


def report_moment(stored: datetime | None = None) -> datetime:
    """The moment a report carries: SOURCE_DATE_EPOCH, else that of the stored snapshot, else now."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if fixed.isascii() and fixed.isdigit():
        return datetime.fromtimestamp(int(fixed), UTC)
    return stored or datetime.now(UTC)


def build_pdf(
    assessment: Assessment,
    language: Language,
    *,
    name: str,
    generated: datetime | None = None,
    snapshot: Mapping[str, Any] | None = None,
) -> PdfDocument:
    """Print the report of an assessment. Same arguments, same bytes. Raises `PressError`.

    `name` is the evaluation's name; `generated` the moment printed and stored in the file (None: see
    `report_moment`); `snapshot` is attached as `linewise.json` so that the file can be recomputed.
    The offers inside `assessment` bring their facts with evidence.
    """
    moment = report_moment(generated)
    html = document_html(assessment, language, name, moment)
    attachment = canonical_json(dict(snapshot)).decode() if snapshot is not None else None
    data = PRESS.print(html, attachment, moment.isoformat())
    return PdfDocument(data, hashlib.sha256(data).hexdigest(), assessment.content_sha256)


def document_html(assessment: Assessment, language: Language, name: str, moment: datetime) -> str:
    """The document as HTML, before it is printed. Raises `PressError` when it would be too long (T30)."""
    facts = sum(len(o.offer.facts) for o in assessment.offers)
    if len(assessment.offers) > MOST_OFFERS or facts > MOST_FACTS:
        raise PressError(
            "REPORT_TOO_LARGE", MESSAGES["REPORT_TOO_LARGE"], f"{len(assessment.offers)} offers, {facts} facts"
        )
    report = report_view(assessment, language, name, moment)
    return render("report/document.html", language, report=report, moment=moment.isoformat())
