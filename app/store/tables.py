"""The tables, each column once. Rows never leave this room: repositories answer with records."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, MetaData, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column, relationship

from app.store.column_types import Json, PlainText, UtcTime


class Base(DeclarativeBase):
    """Common metadata: every constraint has a name, so a migration can find it on either database."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: PlainText(),
        datetime: UtcTime(),
        float: Double(),
    }


class Changeable:
    """What every row that a person can change carries: who last did, and which version this is."""

    actor: Mapped[str]
    version: Mapped[int]

    @declared_attr.directive
    @classmethod
    def __mapper_args__(cls) -> dict[str, Any]:
        """Each UPDATE and DELETE names the version it saw; none found raises `StaleDataError`."""
        return {"version_id_col": cls.version}


class ProjectRow(Changeable, Base):
    """One procurement: a workload, a policy, the vendors' material and what came of it."""

    __tablename__ = "projects"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    workload: Mapped[Any] = mapped_column(Json(), nullable=True)
    policy: Mapped[Any] = mapped_column(Json(), nullable=False)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime] = mapped_column(index=True)


class DocumentRow(Changeable, Base):
    """One uploaded file. Same bytes are the same document; same name with other bytes is a new revision."""

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("project_id", "sha256"),
        UniqueConstraint("project_id", "name", "revision"),
        CheckConstraint("status IN ('read', 'partial', 'refused')", name="status"),
        CheckConstraint("size >= 0", name="size"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    sha256: Mapped[str] = mapped_column(index=True)
    name: Mapped[str]
    revision: Mapped[int]
    kind: Mapped[str]
    size: Mapped[int]
    pages: Mapped[int | None]
    status: Mapped[str]
    code: Mapped[str | None]
    message: Mapped[Any] = mapped_column(Json(), nullable=True)
    notices: Mapped[Any] = mapped_column(Json(), nullable=False)
    uploaded_at: Mapped[datetime]


class OfferRow(Changeable, Base):
    """One product of one vendor, from a document or typed in. A deleted one can be brought back."""

    __tablename__ = "offers"
    __table_args__ = (Index(None, "project_id", "position"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    document_id: Mapped[str | None] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    vendor: Mapped[str]
    product: Mapped[str | None]
    position: Mapped[int]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None]

    facts: Mapped[list[FactRow]] = relationship(
        lazy="raise", order_by="FactRow.position, FactRow.created_at, FactRow.id", passive_deletes=True
    )


class FactRow(Changeable, Base):
    """One thing said about one metric. A corrected fact stays and points at the one that replaced it."""

    __tablename__ = "facts"
    __table_args__ = (
        CheckConstraint("state IN ('stated', 'none', 'elsewhere', 'ambiguous')", name="state"),
        CheckConstraint("origin IN ('read', 'typed', 'corrected')", name="origin"),
        CheckConstraint(
            "(value_kind IS NULL AND value IS NULL) OR"
            " (value_kind IN ('decimal', 'flag', 'text') AND value IS NOT NULL)",
            name="value",
        ),
        Index(None, "offer_id", "position"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    offer_id: Mapped[str] = mapped_column(ForeignKey("offers.id", ondelete="CASCADE"))
    position: Mapped[int]
    origin: Mapped[str]
    metric: Mapped[str]
    state: Mapped[str]
    value_kind: Mapped[str | None]
    value: Mapped[str | None]
    unit: Mapped[str | None]
    operator: Mapped[str | None]
    statistic: Mapped[str | None]
    direction: Mapped[str | None]
    scope: Mapped[str | None]
    condition: Mapped[str | None]
    period: Mapped[str | None]
    commitment: Mapped[str | None]
    currency: Mapped[str | None]
    basis: Mapped[str | None]
    lower: Mapped[str | None]
    upper: Mapped[str | None]
    readings: Mapped[Any] = mapped_column(Json(), nullable=False)
    derived: Mapped[bool]
    visible: Mapped[bool]
    confidence: Mapped[float]
    evidence: Mapped[Any] = mapped_column(Json(), nullable=False)
    created_at: Mapped[datetime]
    confirmed_by: Mapped[str | None]
    confirmed_at: Mapped[datetime | None]
    superseded_by: Mapped[str | None] = mapped_column(
        ForeignKey("facts.id", ondelete="SET NULL", deferrable=True, initially="DEFERRED"), index=True
    )
    withdrawn_at: Mapped[datetime | None]


class AuditRow(Base):
    """One change by one person. Rows are only ever added; a trigger refuses UPDATE."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    at: Mapped[datetime]
    actor: Mapped[str]
    action: Mapped[str]
    entity: Mapped[str]
    entity_id: Mapped[str]
    field: Mapped[str | None]
    old: Mapped[Any] = mapped_column(Json(), nullable=True)
    new: Mapped[Any] = mapped_column(Json(), nullable=True)
    reason: Mapped[str | None]


class AssessmentRow(Base):
    """One assessment, frozen: what went in, what came out, and the hash over both."""

    __tablename__ = "assessments"
    __table_args__ = (UniqueConstraint("project_id", "content_sha256"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    created_at: Mapped[datetime]
    actor: Mapped[str]
    content_sha256: Mapped[str]
    rulebook_version: Mapped[str]
    workload: Mapped[Any] = mapped_column(Json(), nullable=False)
    policy: Mapped[Any] = mapped_column(Json(), nullable=False)
    offers: Mapped[Any] = mapped_column(Json(), nullable=False)
    result: Mapped[Any] = mapped_column(Json(), nullable=False)
