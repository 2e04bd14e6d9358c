"""All SQL of offers and their facts. A fact is never overwritten: a correction is a new row."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import selectinload
from sqlalchemy.orm.attributes import flag_modified

from app.domain.facts import State
from app.store.errors import NotFoundError
from app.store.fact_columns import columns, fact_from
from app.store.records import FactRecord, OfferRecord
from app.store.repositories import new_id, require_version
from app.store.tables import FactRow, OfferRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from app.domain.facts import Fact, Offer

_COLUMNS = tuple(column.key for column in FactRow.__table__.columns)
_RECORD = tuple(field.name for field in fields(FactRecord))


class Offers:
    """The offers of projects with their facts."""

    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now

    # ------------------------------------------------------------------ reading
    def of(self, project_id: str, *, deleted: bool = False) -> tuple[OfferRecord, ...]:
        """The offers of a project in their order; `deleted` adds those that can be brought back."""
        query = select(OfferRow).where(OfferRow.project_id == project_id).order_by(OfferRow.position, OfferRow.id)
        if not deleted:
            query = query.where(OfferRow.deleted_at.is_(None))
        rows = self._session.scalars(query).all()
        facts = self._facts_of([row.id for row in rows])
        return tuple(_offer(row, facts[row.id]) for row in rows)

    def _facts_of(self, offer_ids: list[str]) -> dict[str, list[FactRecord]]:
        """The facts of many offers as plain rows: a page reads hundreds of them and changes none."""
        found: dict[str, list[FactRecord]] = {offer_id: [] for offer_id in offer_ids}
        query = (
            select(*FactRow.__table__.columns)
            .where(FactRow.offer_id.in_(offer_ids))
            .order_by(FactRow.position, FactRow.created_at, FactRow.id)
        )
        for row in self._session.execute(query):
            stored = dict(zip(_COLUMNS, row, strict=True))
            found[stored["offer_id"]].append(_record(stored))
        return found

    def get(self, project_id: str, offer_id: str) -> OfferRecord:
        """One offer, a deleted one too; raises `NotFoundError`."""
        return _whole(self._row(project_id, offer_id))

    def fact(self, project_id: str, fact_id: str) -> FactRecord:
        """One fact; raises `NotFoundError`."""
        return _fact(self._fact_row(project_id, fact_id)[1])

    def _row(self, project_id: str, offer_id: str, *, lock: bool = False) -> OfferRow:
        query: Select[OfferRow] = (
            select(OfferRow)
            .where(OfferRow.id == offer_id, OfferRow.project_id == project_id)
            .options(selectinload(OfferRow.facts))
            .execution_options(populate_existing=True)
        )
        row = self._session.scalar(query.with_for_update() if lock else query)
        if row is None:
            raise NotFoundError("offer", offer_id)
        return row

    def _fact_row(self, project_id: str, fact_id: str, *, lock: bool = False) -> tuple[OfferRow, FactRow]:
        """The fact with its offer. Writers lock the offer first: one order for all, so no deadlock."""
        offer_id = self._session.scalar(select(FactRow.offer_id).where(FactRow.id == fact_id))
        if offer_id is None:
            raise NotFoundError("fact", fact_id)
        try:
            offer = self._row(project_id, offer_id, lock=lock)
        except NotFoundError:
            raise NotFoundError("fact", fact_id) from None
        return offer, next(f for f in offer.facts if f.id == fact_id)

    # ------------------------------------------------------------------ offers
    def add(
        self, project_id: str, offer: Offer, actor: str, *, origin: str, document_id: str | None = None
    ) -> OfferRecord:
        """Add an offer with its facts at the end of the project; silence (`missing`) is no fact."""
        last = self._session.scalar(select(func.max(OfferRow.position)).where(OfferRow.project_id == project_id))
        row = OfferRow(
            id=new_id(), project_id=project_id, document_id=document_id, vendor=offer.vendor,
            product=offer.product, position=0 if last is None else last + 1, actor=actor,
            created_at=self._now, updated_at=self._now,
        )  # fmt: skip
        self._session.add(row)
        self._session.add_all(
            self._new_fact(row.id, fact, origin, actor, position)
            for position, fact in enumerate(offer.facts)
            if fact.state is not State.MISSING
        )
        self._session.flush()
        return self.get(project_id, row.id)

    def rename(
        self, project_id: str, offer_id: str, expected: int, actor: str, vendor: str, product: str | None
    ) -> tuple[OfferRecord, OfferRecord]:
        """Give an offer another vendor or product; answers with before and after."""
        row, before = self._open(project_id, offer_id, expected)
        row.vendor, row.product = vendor, product
        self._touch(row, actor)
        return before, _whole(row)

    def set_deleted(self, project_id: str, offer_id: str, expected: int, actor: str, *, deleted: bool) -> OfferRecord:
        """Delete an offer, or bring it back."""
        row, _ = self._open(project_id, offer_id, expected)
        row.deleted_at = self._now if deleted else None
        self._touch(row, actor)
        return _whole(row)

    def _open(self, project_id: str, offer_id: str, expected: int) -> tuple[OfferRow, OfferRecord]:
        row = self._row(project_id, offer_id, lock=True)
        before = _whole(row)
        require_version(row, "offer", expected, before)
        return row, before

    def _touch(self, row: OfferRow, actor: str) -> None:
        """Every change of an offer or of a fact in it moves the offer to its next version.

        So "confirm all" confirms exactly what the person saw, even within one clock tick.
        """
        row.actor = actor
        row.updated_at = max(self._now, row.updated_at)
        flag_modified(row, "updated_at")
        self._session.flush()

    # ------------------------------------------------------------------ facts
    def confirm_all(self, project_id: str, offer_id: str, expected: int, actor: str) -> tuple[FactRecord, ...]:
        """Confirm every live, visible, unambiguous fact nobody confirmed yet; answers with those facts."""
        row, _ = self._open(project_id, offer_id, expected)
        rows = [f for f in row.facts if _live(f) and f.visible and f.confirmed_by is None and f.state != "ambiguous"]
        for fact in rows:
            self._mark_confirmed(fact, actor)
        if rows:
            self._touch(row, actor)
        return tuple(_fact(f) for f in rows)

    def confirm(self, project_id: str, fact_id: str, expected: int, actor: str) -> FactRecord:
        """Confirm one fact."""
        offer, row = self._open_fact(project_id, fact_id, expected)
        self._mark_confirmed(row, actor)
        self._touch(offer, actor)
        return _fact(row)

    def set_withdrawn(self, project_id: str, fact_id: str, expected: int, actor: str, *, withdrawn: bool) -> FactRecord:
        """Set a misread fact aside, or take it back in."""
        offer, row = self._open_fact(project_id, fact_id, expected)
        row.withdrawn_at = self._now if withdrawn else None
        row.actor = actor
        self._touch(offer, actor)
        return _fact(row)

    def supersede(
        self, project_id: str, fact_id: str, expected: int, actor: str, fact: Fact, origin: str
    ) -> tuple[FactRecord, FactRecord]:
        """Put `fact` in the place of another; the old one is kept. Answers with old and new."""
        offer, old = self._open_fact(project_id, fact_id, expected)
        new = self._new_fact(offer.id, fact, origin, actor, old.position)
        self._session.add(new)
        self._session.flush()
        old.superseded_by, old.actor = new.id, actor
        self._touch(offer, actor)
        return _fact(old), _fact(new)

    def add_fact(
        self, project_id: str, offer_id: str, expected: int, actor: str, fact: Fact, origin: str
    ) -> FactRecord:
        """Add one fact at the end of an offer."""
        offer, _ = self._open(project_id, offer_id, expected)
        position = max((f.position for f in offer.facts), default=-1) + 1
        row = self._new_fact(offer.id, fact, origin, actor, position)
        self._session.add(row)
        self._touch(offer, actor)
        return _fact(row)

    def replace_facts(
        self,
        project_id: str,
        offer_id: str,
        expected: int,
        actor: str,
        metrics: Iterable[str],
        facts: Iterable[Fact],
    ) -> tuple[tuple[FactRecord, ...], tuple[FactRecord, ...]]:
        """Set aside every live fact of `metrics` and add `facts`; answers with both groups."""
        offer, _ = self._open(project_id, offer_id, expected)
        changed = frozenset(metrics)
        gone = [f for f in offer.facts if _live(f) and f.metric in changed]
        first = max((f.position for f in offer.facts), default=-1) + 1
        added = [self._new_fact(offer.id, fact, "typed", actor, first + step) for step, fact in enumerate(facts)]
        self._session.add_all(added)
        self._session.flush()
        for row in gone:
            successor = next((a.id for a in added if a.metric == row.metric), None)
            row.superseded_by, row.actor = successor, actor
            row.withdrawn_at = None if successor else self._now
        self._touch(offer, actor)
        return tuple(_fact(f) for f in gone), tuple(_fact(f) for f in added)

    def _open_fact(self, project_id: str, fact_id: str, expected: int) -> tuple[OfferRow, FactRow]:
        offer, row = self._fact_row(project_id, fact_id, lock=True)
        require_version(row, "fact", expected, _fact(row))
        return offer, row

    def _mark_confirmed(self, row: FactRow, actor: str) -> None:
        row.confirmed_by, row.confirmed_at, row.actor = actor, self._now, actor

    def _new_fact(self, offer_id: str, fact: Fact, origin: str, actor: str, position: int) -> FactRow:
        return FactRow(
            id=new_id(), offer_id=offer_id, position=position, origin=origin, actor=actor,
            created_at=self._now, confirmed_at=self._now if fact.confirmed_by else None, **columns(fact),
        )  # fmt: skip


def _live(row: FactRow) -> bool:
    return row.superseded_by is None and row.withdrawn_at is None


def _whole(row: OfferRow) -> OfferRecord:
    return _offer(row, [_fact(f) for f in row.facts])


def _offer(row: OfferRow, facts: list[FactRecord]) -> OfferRecord:
    return OfferRecord(
        id=row.id, project_id=row.project_id, document_id=row.document_id, vendor=row.vendor,
        product=row.product, position=row.position, actor=row.actor, version=row.version,
        created_at=row.created_at, updated_at=row.updated_at, deleted_at=row.deleted_at,
        facts=tuple(facts),
    )  # fmt: skip


def _fact(row: FactRow) -> FactRecord:
    return _record({name: getattr(row, name) for name in _COLUMNS})


def _record(stored: Mapping[str, Any]) -> FactRecord:
    plain = {name: stored[name] for name in _RECORD if name != "fact"}
    return FactRecord(fact=fact_from(stored), **plain)
