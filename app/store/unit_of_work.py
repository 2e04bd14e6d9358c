"""The store as services see it: `store.read()` and `store.write()` open one unit of work each.

A unit is one transaction. `write()` commits when its block ends and undoes everything when it raises;
nothing below commits. Database errors leave as one of `app.store.errors`.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.orm.exc import StaleDataError

from app.store.column_types import utc_now
from app.store.engine import WRITES, database_url, open_engine, sqlite_file, translate
from app.store.errors import ConflictError
from app.store.offer_repository import Offers
from app.store.originals import Originals
from app.store.repositories import Assessments, Audit, Documents, Projects
from app.store.use_lock import UseLock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Engine


@dataclass(frozen=True, slots=True)
class UnitOfWork:
    """One transaction with its repositories; `now` is the one time everything in it carries."""

    projects: Projects
    documents: Documents
    offers: Offers
    audit: Audit
    assessments: Assessments
    originals: Originals
    now: datetime


class Store:
    """Database and original files; opens units of work."""

    def __init__(self, engine: Engine, originals: Originals, clock: Callable[[], datetime] = utc_now) -> None:
        self.engine = engine
        self.originals = originals
        self._clock = clock
        self._writer = engine.execution_options(**{WRITES: True})
        self._use: UseLock | None = None

    @classmethod
    def open(cls, address: str, originals: Path) -> Store:
        """Open a store whose schema is already up to date (`app.store.migrate.upgrade`).

        While it is open, a restore of the same SQLite file is refused.
        """
        store = cls(open_engine(address), Originals(originals))
        if path := sqlite_file(database_url(address)):
            store._use = UseLock(path, exclusive=False)
        return store

    @contextmanager
    def read(self) -> Iterator[UnitOfWork]:
        """One consistent view; writing in it is a fault of the program."""
        with _translated(), Session(self.engine, autoflush=False) as session:
            yield self._unit(session)
            if session.new or session.dirty or session.deleted:
                raise RuntimeError("a reading unit of work was written to")

    @contextmanager
    def write(self) -> Iterator[UnitOfWork]:
        """One transaction that may write; committed at the end of the block or not at all."""
        with _translated(), Session(self._writer, expire_on_commit=False) as session, session.begin():
            yield self._unit(session)

    def _unit(self, session: Session) -> UnitOfWork:
        now = self._clock()
        return UnitOfWork(
            projects=Projects(session, now),
            documents=Documents(session, now),
            offers=Offers(session, now),
            audit=Audit(session, now),
            assessments=Assessments(session, now),
            originals=self.originals,
            now=now,
        )

    def remove_unwanted(self, hashes: frozenset[str]) -> None:
        """Delete files after the rows that named them are gone, unless another project has the same bytes."""
        with self.write() as unit:
            unit.documents.lock_originals()
            for sha256 in hashes - unit.documents.wanted(hashes):
                self.originals.remove(sha256)

    def sweep(self) -> int:
        """Delete the files a crash left without a row; run once at start. Answers with how many."""
        with self.write() as unit:
            unit.documents.lock_originals()
            return self.originals.sweep(unit.documents.wanted())

    def forget_deleted(self) -> None:
        """Fold SQLite's log into the database, so that deleted content is not readable in the log either."""
        if self.engine.dialect.name == "sqlite":
            with _translated(), self.engine.connect() as connection:
                raw = connection.connection.driver_connection
                if raw is not None:
                    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()
        if self._use is not None:
            self._use.release()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except StaleDataError as error:
        raise ConflictError("row", "") from error
    except SQLAlchemyError as error:
        if (known := translate(error)) is not None:
            raise known from None  # the database's own words quote the row
        raise
