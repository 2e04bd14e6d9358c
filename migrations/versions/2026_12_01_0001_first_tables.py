"""First tables: projects, documents, offers, facts, audit, assessments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def text(name: str, *, null: bool = False) -> sa.Column[str]:
    """A text column; JSON and exact figures are text too."""
    return sa.Column(name, sa.Text(), nullable=null)


def time(name: str, *, null: bool = False) -> sa.Column[object]:
    """An instant in UTC."""
    return sa.Column(name, TIME, nullable=null)


def changeable() -> tuple[sa.Column[str], sa.Column[int]]:
    """Who last changed the row, and which version it is."""
    return text("actor"), sa.Column("version", sa.Integer(), nullable=False)


def owned_by_project(table: str) -> sa.ForeignKeyConstraint:
    """The row goes when its project goes."""
    return sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=f"fk_{table}_project_id", ondelete="CASCADE")


def upgrade() -> None:
    """Create every table."""
    projects()
    documents()
    offers()
    facts()
    audit()
    assessments()


def projects() -> None:
    """One procurement."""
    op.create_table(
        "projects",
        text("id"),
        text("name"),
        text("workload", null=True),
        text("policy"),
        time("created_at"),
        time("updated_at"),
        *changeable(),
        sa.PrimaryKeyConstraint("id", name="pk_projects"),
    )
    op.create_index("ix_projects_updated_at", "projects", ["updated_at"])


def documents() -> None:
    """One uploaded file."""
    op.create_table(
        "documents",
        text("id"),
        text("project_id"),
        text("sha256"),
        text("name"),
        sa.Column("revision", sa.Integer(), nullable=False),
        text("kind"),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=True),
        text("status"),
        text("code", null=True),
        text("message", null=True),
        text("notices"),
        time("uploaded_at"),
        *changeable(),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        owned_by_project("documents"),
        sa.UniqueConstraint("project_id", "sha256", name="uq_documents_project_id_sha256"),
        sa.UniqueConstraint("project_id", "name", "revision", name="uq_documents_project_id_name_revision"),
        sa.CheckConstraint("status IN ('read', 'partial', 'refused')", name="ck_documents_status"),
        sa.CheckConstraint("size >= 0", name="ck_documents_size"),
    )
    op.create_index("ix_documents_sha256", "documents", ["sha256"])


def offers() -> None:
    """One product of one vendor."""
    op.create_table(
        "offers",
        text("id"),
        text("project_id"),
        text("document_id", null=True),
        text("vendor"),
        text("product", null=True),
        sa.Column("position", sa.Integer(), nullable=False),
        time("created_at"),
        time("updated_at"),
        time("deleted_at", null=True),
        *changeable(),
        sa.PrimaryKeyConstraint("id", name="pk_offers"),
        owned_by_project("offers"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name="fk_offers_document_id", ondelete="CASCADE"),
    )
    op.create_index("ix_offers_document_id", "offers", ["document_id"])
    op.create_index("ix_offers_project_id_position", "offers", ["project_id", "position"])


def facts() -> None:
    """One thing said about one metric."""
    optional = (
        "unit", "operator", "statistic", "direction", "scope", "condition", "period", "commitment",
        "currency", "basis", "lower", "upper",
    )  # fmt: skip
    op.create_table(
        "facts",
        text("id"),
        text("offer_id"),
        sa.Column("position", sa.Integer(), nullable=False),
        text("origin"),
        text("metric"),
        text("state"),
        text("value_kind", null=True),
        text("value", null=True),
        *(text(name, null=True) for name in optional),
        text("readings"),
        sa.Column("derived", sa.Boolean(), nullable=False),
        sa.Column("visible", sa.Boolean(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        text("evidence"),
        time("created_at"),
        text("confirmed_by", null=True),
        time("confirmed_at", null=True),
        text("superseded_by", null=True),
        time("withdrawn_at", null=True),
        *changeable(),
        sa.PrimaryKeyConstraint("id", name="pk_facts"),
        sa.ForeignKeyConstraint(["offer_id"], ["offers.id"], name="fk_facts_offer_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["superseded_by"],
            ["facts.id"],
            name="fk_facts_superseded_by",
            ondelete="SET NULL",
            deferrable=True,
            initially="DEFERRED",
        ),
        sa.CheckConstraint("state IN ('stated', 'none', 'elsewhere', 'ambiguous')", name="ck_facts_state"),
        sa.CheckConstraint("origin IN ('read', 'typed', 'corrected')", name="ck_facts_origin"),
        sa.CheckConstraint(
            "(value_kind IS NULL AND value IS NULL) OR"
            " (value_kind IN ('decimal', 'flag', 'text') AND value IS NOT NULL)",
            name="ck_facts_value",
        ),
    )
    op.create_index("ix_facts_superseded_by", "facts", ["superseded_by"])
    op.create_index("ix_facts_offer_id_position", "facts", ["offer_id", "position"])


def audit() -> None:
    """Who changed what. A trigger refuses changes; rows go only with their project."""
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        text("project_id"),
        time("at"),
        text("actor"),
        text("action"),
        text("entity"),
        text("entity_id"),
        text("field", null=True),
        text("old", null=True),
        text("new", null=True),
        text("reason", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
        owned_by_project("audit"),
    )
    op.create_index("ix_audit_project_id", "audit", ["project_id"])
    # A later step that rebuilds this table in batch mode must make the trigger again.
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit "
            "BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_append_only()"
    )


def assessments() -> None:
    """Frozen assessments."""
    op.create_table(
        "assessments",
        text("id"),
        text("project_id"),
        time("created_at"),
        text("actor"),
        text("content_sha256"),
        text("rulebook_version"),
        text("workload"),
        text("policy"),
        text("offers"),
        text("result"),
        sa.PrimaryKeyConstraint("id", name="pk_assessments"),
        owned_by_project("assessments"),
        sa.UniqueConstraint("project_id", "content_sha256", name="uq_assessments_project_id_content_sha256"),
    )


def downgrade() -> None:
    """There is no way back: restore the copy made before the upgrade."""
    raise NotImplementedError
