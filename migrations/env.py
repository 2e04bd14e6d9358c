"""Alembic's environment: uses the connection `app.store.migrate` hands over, or opens its own for developers.

New revision: `.venv/bin/alembic -c migrations/alembic.ini revision --autogenerate -m "what it does"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic import context

from app.store.tables import Base

if TYPE_CHECKING:
    from sqlalchemy import Connection


def run(connection: Connection) -> None:
    """Run the steps on one connection, in the transaction it is in."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,  # SQLite cannot alter a constraint: the table is rebuilt
        compare_type=True,
        transactional_ddl=True,
    )
    context.run_migrations()


def main() -> None:
    """Choose the connection."""
    given = context.config.attributes.get("connection")
    if given is not None:
        run(given)
        return
    from app.config import Settings  # noqa: PLC0415 - only for developers; the program hands a connection over
    from app.store.engine import open_engine  # noqa: PLC0415 - same

    with open_engine(Settings.from_environment().url, foreign_keys=False).begin() as connection:
        run(connection)


main()
