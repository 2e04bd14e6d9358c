"""All SQL of projects, documents, audit and assessments; offers and facts are in `offer_repository`.

Every row is reached through its project: an id from another project is simply not found (T40).
"""

from __future__ import annotations

import base64
import secrets
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, and_, distinct, func, select, text

from app.domain.problems import Notice
from app.domain.text import Text
from app.store.errors import ConflictError, NotFoundError
from app.store.records import AuditRecord, DocumentRecord, ProjectRecord, ProjectSummary, SnapshotRecord
from app.store.tables import AssessmentRow, AuditRow, DocumentRow, FactRow, OfferRow, ProjectRow

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

ORIGINALS_LOCK = 7_206_101  # any number no other program uses on this PostgreSQL database


def new_id() -> str:
    """A random identifier for addresses: 120 bits, lower case, no punctuation."""
    return base64.b32encode(secrets.token_bytes(15)).decode("ascii").lower()


def _per_project(count: ColumnElement[int], condition: ColumnElement[bool]) -> ScalarSelect[int]:
    return select(count).where(condition).correlate(ProjectRow).scalar_subquery()


def require_version(
    row: ProjectRow | DocumentRow | OfferRow | FactRow, entity: str, expected: int, current: object
) -> None:
    """Raise `ConflictError` when the row is no longer the version a person saw."""
    if row.version != expected:
        raise ConflictError(
            entity, row.id, expected=expected, actual=row.version, changed_by=row.actor, current=current
        )


class Projects:
    """The projects."""

    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now

    def _row(self, project_id: str, *, lock: bool = False) -> ProjectRow:
        query: Select[ProjectRow] = select(ProjectRow).where(ProjectRow.id == project_id)
        row = self._session.scalar(query.with_for_update() if lock else query)
        if row is None:
            raise NotFoundError("project", project_id)
        return row

    def get(self, project_id: str) -> ProjectRecord:
        """One project; raises `NotFoundError`."""
        return _project(self._row(project_id))

    def lock(self, project_id: str) -> None:
        """Keep other writers out of this project until the transaction ends; raises `NotFoundError`."""
        self._row(project_id, lock=True)

    def summaries(self) -> tuple[ProjectSummary, ...]:
        """Every project with its counts, the last changed first, in one statement."""
        live = and_(OfferRow.project_id == ProjectRow.id, OfferRow.deleted_at.is_(None))
        facts = (
            select(func.count(FactRow.id))
            .join(OfferRow, FactRow.offer_id == OfferRow.id)
            .where(live, FactRow.superseded_by.is_(None), FactRow.withdrawn_at.is_(None), FactRow.visible)
            .correlate(ProjectRow)
        )
        changed = (
            select(func.max(AuditRow.at)).where(AuditRow.project_id == ProjectRow.id).correlate(ProjectRow)
        ).scalar_subquery()
        query = select(
            ProjectRow,
            _per_project(func.count(DocumentRow.id), DocumentRow.project_id == ProjectRow.id),
            _per_project(func.count(AssessmentRow.id), AssessmentRow.project_id == ProjectRow.id),
            _per_project(func.count(OfferRow.id), live),
            _per_project(func.count(distinct(OfferRow.vendor)), live),
            facts.scalar_subquery(),
            facts.where(FactRow.confirmed_by.is_(None)).scalar_subquery(),
            changed,
        ).order_by(func.coalesce(changed, ProjectRow.updated_at).desc(), ProjectRow.id)
        return tuple(
            ProjectSummary(
                id=row.id, name=row.name, scenario=(row.workload or {}).get("scenario"),
                documents=n_documents, vendors=n_vendors, offers=n_offers, facts=n_facts,
                unconfirmed=n_open, assessments=n_assessments,
                actor=row.actor, version=row.version, updated_at=last or row.updated_at,
            )
            for row, n_documents, n_assessments, n_offers, n_vendors, n_facts, n_open, last
            in self._session.execute(query)
        )  # fmt: skip

    def add(
        self, name: str, workload: Mapping[str, Any] | None, policy: Mapping[str, Any], actor: str
    ) -> ProjectRecord:
        """Add a project."""
        row = ProjectRow(
            id=new_id(), name=name, workload=workload, policy=policy, actor=actor,
            created_at=self._now, updated_at=self._now,
        )  # fmt: skip
        self._session.add(row)
        self._session.flush()
        return _project(row)

    def change(
        self, project_id: str, expected: int, actor: str, values: Mapping[str, Any]
    ) -> tuple[ProjectRecord, ProjectRecord]:
        """Set some columns; answers with the project before and after. Raises `ConflictError`."""
        row = self._row(project_id, lock=True)
        before = _project(row)
        require_version(row, "project", expected, before)
        for name, value in values.items():
            setattr(row, name, value)
        row.actor, row.updated_at = actor, self._now
        self._session.flush()
        return before, _project(row)

    def delete(self, project_id: str, expected: int) -> frozenset[str]:
        """Delete a project with all that hangs on it; answers with the hashes of its files."""
        row = self._row(project_id, lock=True)
        require_version(row, "project", expected, _project(row))
        hashes = self._session.scalars(select(DocumentRow.sha256).where(DocumentRow.project_id == project_id))
        found = frozenset(hashes)
        self._session.delete(row)
        self._session.flush()
        return found


class Documents:
    """The uploaded files of projects."""

    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now

    def of(self, project_id: str) -> tuple[DocumentRecord, ...]:
        """The documents of a project, in the order of upload."""
        query = (
            select(DocumentRow)
            .where(DocumentRow.project_id == project_id)
            .order_by(DocumentRow.uploaded_at, DocumentRow.name, DocumentRow.revision)
        )
        return tuple(_document(row) for row in self._session.scalars(query))

    def _row(self, project_id: str, document_id: str, *, lock: bool = False) -> DocumentRow:
        query: Select[DocumentRow] = select(DocumentRow).where(
            DocumentRow.id == document_id, DocumentRow.project_id == project_id
        )
        row = self._session.scalar(query.with_for_update() if lock else query)
        if row is None:
            raise NotFoundError("document", document_id)
        return row

    def get(self, project_id: str, document_id: str) -> DocumentRecord:
        """One document; raises `NotFoundError`."""
        return _document(self._row(project_id, document_id))

    def by_hash(self, project_id: str, sha256: str) -> DocumentRecord | None:
        """The document with these bytes, if the project has it."""
        query = select(DocumentRow).where(DocumentRow.project_id == project_id, DocumentRow.sha256 == sha256)
        row = self._session.scalar(query)
        return None if row is None else _document(row)

    def add(self, project_id: str, name: str, actor: str, values: Mapping[str, Any]) -> DocumentRecord:
        """Add a document; the revision follows the last one of that name."""
        last = self._session.scalar(
            select(func.max(DocumentRow.revision)).where(DocumentRow.project_id == project_id, DocumentRow.name == name)
        )
        row = DocumentRow(
            id=new_id(), project_id=project_id, name=name, revision=(last or 0) + 1, actor=actor,
            uploaded_at=self._now, **values,
        )  # fmt: skip
        self._session.add(row)
        self._session.flush()
        return _document(row)

    def refresh(self, project_id: str, document_id: str, actor: str, values: Mapping[str, Any]) -> DocumentRecord:
        """Note the outcome of reading the same bytes once more."""
        row = self._row(project_id, document_id, lock=True)
        for name, value in values.items():
            setattr(row, name, value)
        row.actor = actor
        self._session.flush()
        return _document(row)

    def delete(self, project_id: str, document_id: str, expected: int) -> DocumentRecord:
        """Delete a document with the offers read from it; raises `ConflictError`."""
        row = self._row(project_id, document_id, lock=True)
        record = _document(row)
        require_version(row, "document", expected, record)
        self._session.delete(row)
        self._session.flush()
        return record

    def lock_originals(self) -> None:
        """Keep other processes from removing or adopting files until the transaction ends.

        SQLite has one writer anyway; PostgreSQL gets an advisory lock.
        """
        if self._session.get_bind().dialect.name == "postgresql":
            self._session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ORIGINALS_LOCK})

    def wanted(self, hashes: Collection[str] | None = None) -> frozenset[str]:
        """Which files some row names: of `hashes`, or of all."""
        query = select(DocumentRow.sha256).distinct()
        if hashes is not None:
            query = query.where(DocumentRow.sha256.in_(hashes))
        return frozenset(self._session.scalars(query))


class Audit:
    """Who changed what: rows are added, never altered."""

    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now

    def add(  # noqa: PLR0913 - the columns of one audit row, all named at the call
        self,
        project_id: str,
        actor: str,
        action: str,
        entity: str,
        entity_id: str,
        *,
        field: str | None = None,
        old: object = None,
        new: object = None,
        reason: str | None = None,
    ) -> None:
        """Write down one change."""
        self._session.add(
            AuditRow(
                project_id=project_id, at=self._now, actor=actor, action=action, entity=entity,
                entity_id=entity_id, field=field, old=old, new=new, reason=reason,
            )
        )  # fmt: skip

    def of(self, project_id: str, limit: int = 1000) -> tuple[AuditRecord, ...]:
        """The last changes of a project, newest first."""
        query = select(AuditRow).where(AuditRow.project_id == project_id).order_by(AuditRow.id.desc()).limit(limit)
        return tuple(
            AuditRecord(
                id=row.id, at=row.at, actor=row.actor, action=row.action, entity=row.entity,
                entity_id=row.entity_id, field=row.field, old=row.old, new=row.new, reason=row.reason,
            )
            for row in self._session.scalars(query)
        )  # fmt: skip


class Assessments:
    """Frozen assessments."""

    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now

    def add(
        self,
        project_id: str,
        actor: str,
        content_sha256: str,
        rulebook_version: str,
        parts: Mapping[str, Any],
    ) -> SnapshotRecord:
        """Keep an assessment; the same content is kept once. `parts`: workload, policy, offers, result."""
        row = self._session.scalar(
            select(AssessmentRow).where(
                AssessmentRow.project_id == project_id, AssessmentRow.content_sha256 == content_sha256
            )
        )
        if row is None:
            row = AssessmentRow(
                id=new_id(), project_id=project_id, created_at=self._now, actor=actor,
                content_sha256=content_sha256, rulebook_version=rulebook_version, **parts,
            )  # fmt: skip
            self._session.add(row)
            self._session.flush()
        return _snapshot(row)

    def get(self, project_id: str, snapshot_id: str) -> SnapshotRecord:
        """One snapshot; raises `NotFoundError`."""
        row = self._session.scalar(
            select(AssessmentRow).where(AssessmentRow.id == snapshot_id, AssessmentRow.project_id == project_id)
        )
        if row is None:
            raise NotFoundError("assessment", snapshot_id)
        return _snapshot(row)

    def of(self, project_id: str) -> tuple[SnapshotRecord, ...]:
        """The snapshots of a project, newest first."""
        query = (
            select(AssessmentRow)
            .where(AssessmentRow.project_id == project_id)
            .order_by(AssessmentRow.created_at.desc(), AssessmentRow.id)
        )
        return tuple(_snapshot(row) for row in self._session.scalars(query))


def _project(row: ProjectRow) -> ProjectRecord:
    return ProjectRecord(
        id=row.id, name=row.name, workload=row.workload, policy=row.policy, actor=row.actor,
        version=row.version, created_at=row.created_at, updated_at=row.updated_at,
    )  # fmt: skip


def _document(row: DocumentRow) -> DocumentRecord:
    return DocumentRecord(
        id=row.id, project_id=row.project_id, sha256=row.sha256, name=row.name, revision=row.revision,
        kind=row.kind, size=row.size, pages=row.pages, status=row.status, code=row.code,
        message=None if row.message is None else Text(**row.message),
        notices=tuple(Notice(n["code"], Text(**n["message"])) for n in row.notices),
        uploaded_at=row.uploaded_at, actor=row.actor, version=row.version,
    )  # fmt: skip


def _snapshot(row: AssessmentRow) -> SnapshotRecord:
    return SnapshotRecord(
        id=row.id, project_id=row.project_id, created_at=row.created_at, actor=row.actor,
        content_sha256=row.content_sha256, rulebook_version=row.rulebook_version, workload=row.workload,
        policy=row.policy, offers=row.offers, result=row.result,
    )  # fmt: skip
