"""What repositories answer with: frozen records, free of the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.facts import Fact, Offer

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.problems import Notice
    from app.domain.text import Text

READ, TYPED, CORRECTED = "read", "typed", "corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRecord:
    """One project; `workload` is None until somebody described it, `policy` is never None."""

    id: str
    name: str
    workload: dict[str, Any] | None
    policy: dict[str, Any]
    actor: str
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSummary:
    """One line of the list of projects: counts only, nothing judged."""

    id: str
    name: str
    scenario: str | None
    documents: int
    vendors: int
    offers: int
    facts: int
    unconfirmed: int
    assessments: int
    actor: str
    version: int
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRecord:
    """One uploaded file: `name` is a label only, `revision` counts files of that name in the project."""

    id: str
    project_id: str
    sha256: str
    name: str
    revision: int
    kind: str
    size: int
    pages: int | None
    status: str
    code: str | None
    message: Text | None
    notices: tuple[Notice, ...]
    uploaded_at: datetime
    actor: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRecord:
    """One stored fact; `origin` is `read`, `typed` or `corrected`.

    A fact with `superseded_by` was replaced by a correction, one with `withdrawn_at` was set aside as
    misread. Neither is judged, both are kept.
    """

    id: str
    offer_id: str
    position: int
    fact: Fact
    origin: str
    actor: str
    version: int
    created_at: datetime
    confirmed_at: datetime | None
    superseded_by: str | None
    withdrawn_at: datetime | None

    @property
    def live(self) -> bool:
        """Whether this fact counts."""
        return self.superseded_by is None and self.withdrawn_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRecord:
    """One stored offer with all its facts, replaced ones included."""

    id: str
    project_id: str
    document_id: str | None
    vendor: str
    product: str | None
    position: int
    actor: str
    version: int
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None
    facts: tuple[FactRecord, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Identity of an offer: vendor and product."""
        return (self.vendor, self.product or "")

    @property
    def live_facts(self) -> tuple[FactRecord, ...]:
        """The facts that count, in the order they were read."""
        return tuple(f for f in self.facts if f.live)

    @property
    def unconfirmed(self) -> int:
        """How many of the facts that count nobody has confirmed yet."""
        return sum(1 for f in self.live_facts if f.fact.visible and f.fact.confirmed_by is None)

    def as_offer(self) -> Offer:
        """The offer as the domain judges it."""
        return Offer(vendor=self.vendor, product=self.product, facts=tuple(f.fact for f in self.live_facts))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One change by one person; `old` and `new` are JSON values."""

    id: int
    at: datetime
    actor: str
    action: str
    entity: str
    entity_id: str
    field: str | None
    old: Any
    new: Any
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRecord:
    """One assessment, frozen. Everything needed to recompute it, and its hash."""

    id: str
    project_id: str
    created_at: datetime
    actor: str
    content_sha256: str
    rulebook_version: str
    workload: Any
    policy: Any
    offers: Any
    result: Any
