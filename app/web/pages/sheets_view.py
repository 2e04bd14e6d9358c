"""What the page of vendor material shows, and the same as JSON for programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from app.domain.text import Text
from app.services import documents, offers, projects
from app.services.documents import MIB, FileOutcome, Limits
from app.web import paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.problems import Notice, Problem
    from app.domain.text import Language
    from app.store.records import DocumentRecord, OfferRecord, ProjectRecord
    from app.store.unit_of_work import Store

ACCEPT = ".xlsx,.csv,.tsv,.pdf,.docx"
SANDBOX = "default-src 'none'; sandbox"
SHOWN_NOTICES = 2


@dataclass(frozen=True, slots=True)
class FileLine:
    """One uploaded file with the offers found in it; `base` is its address."""

    base: str
    document: DocumentRecord
    offers: tuple[OfferRecord, ...]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The first notices; the others are folded."""
        return self.document.notices[:SHOWN_NOTICES]

    @property
    def more(self) -> tuple[Notice, ...]:
        """The folded notices."""
        return self.document.notices[SHOWN_NOTICES:]


@dataclass(frozen=True, slots=True)
class OutcomeLine:
    """What became of one file just sent; `look` is the look of its notice."""

    name: str
    look: str
    text: Text


@dataclass(frozen=True, slots=True)
class SheetsView:
    """The page: files, what became of those just sent, and what the form refuses."""

    project: ProjectRecord
    lines: tuple[FileLine, ...]
    offers: int
    refused: int
    waiting: int
    outcomes: tuple[OutcomeLine, ...]
    problems: tuple[Problem, ...]
    limits: Limits
    accept: str = ACCEPT

    def href(self, step: str, *rest: object) -> str:
        """The address of a step of this project."""
        return paths.project(self.project.id, step, *rest)

    @property
    def limit_mib(self) -> int:
        """The largest file in MiB."""
        return self.limits.file_bytes // MIB


def build(
    store: Store,
    project_id: str,
    limits: Limits,
    outcomes: Sequence[FileOutcome] = (),
    problems: Sequence[Problem] = (),
) -> SheetsView:
    """Everything the page shows."""
    project = projects.get_project(store, project_id)
    found = offers.list_offers(store, project_id)
    lines = tuple(
        FileLine(paths.project(project.id, "sheets", d.id), d, tuple(o for o in found if o.document_id == d.id))
        for d in documents.list_documents(store, project_id)
    )
    return SheetsView(
        project, lines, sum(len(line.offers) for line in lines),
        sum(1 for line in lines if line.document.status == "refused"), sum(o.unconfirmed for o in found),
        tuple(OutcomeLine(o.name, _look(o), sentence(o)) for o in outcomes), tuple(problems), limits,
    )  # fmt: skip


def _look(outcome: FileOutcome) -> str:
    if outcome.outcome in ("refused", "rejected"):
        return "bad"
    return "warn" if outcome.outcome == "same" or not outcome.offers else "good"


def sentence(outcome: FileOutcome) -> Text:
    """What became of a file, in one sentence."""
    if outcome.outcome != "stored" and outcome.message:
        return outcome.message
    count = len(outcome.offers)
    facts = sum(len(o.live_facts) for o in outcome.offers)
    found = Text(
        f"读出 {count} 份报价、{facts} 项数值。",
        f"{count} {'offer' if count == 1 else 'offers'} with {facts} values found.",
    )
    text = found if count or outcome.message is None else outcome.message
    if outcome.replaced:
        gone = len(outcome.replaced)
        text = Text(
            f"{text.zh}取代了同名旧文件的 {gone} 份报价，可在核对页恢复。",
            f"{text.en} It takes the place of {gone} from the older file of that name; they can be brought back "
            "on the review page.",
        )
    return text


def status_of(outcomes: Sequence[FileOutcome]) -> int:
    """200 when something was taken; else 413 when everything is too large, 507 without room, 422 otherwise."""
    if any(o.outcome in ("stored", "same") for o in outcomes):
        return 200
    codes = {str(o.code) for o in outcomes}
    return {"FILE_TOO_LARGE": 413, "STORAGE_FULL": 507, "BUSY": 503}.get(codes.pop(), 422) if len(codes) == 1 else 422


def as_json(outcome: FileOutcome, language: Language) -> dict[str, Any]:
    """The outcome of one file for programs and for the script of the page."""
    return {
        "name": outcome.name,
        "status": outcome.outcome,
        "code": outcome.code,
        "outcome": sentence(outcome).pick(language),
        "message": outcome.message.as_json() if outcome.message else None,
        "document": outcome.document.id if outcome.document else None,
        "notices": [n.as_json() for n in outcome.notices],
        "offers": [{"vendor": o.vendor, "product": o.product, "facts": len(o.live_facts)} for o in outcome.offers],
        "replaced": [{"vendor": o.vendor, "product": o.product} for o in outcome.replaced],
    }


def save_as(document: DocumentRecord) -> dict[str, str]:
    """A name of our own in ASCII, the label encoded; it ends in what the file is, whatever it was called."""
    kind = document.kind if document.kind.isascii() and document.kind.isalnum() else "bin"
    matches = PurePosixPath(document.name).suffix.lower() == f".{kind}"
    label = document.name if matches else f"{document.name}.{kind}"
    plain = f"sheet-{document.sha256[:12]}.{kind}"
    return {
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(label, safe='')}",
        "x-content-type-options": "nosniff",
        "content-security-policy": SANDBOX,
    }
