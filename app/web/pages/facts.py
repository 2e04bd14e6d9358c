"""What is done to single values on the review page: confirm, correct, decline, choose a reading, set aside, add."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from app.domain.metrics import BY_ID
from app.domain.problems import InputError
from app.services import offers, review
from app.services.errors import ConflictError, NotFoundError
from app.services.typed_values import metric_of
from app.web.dependencies import StoreDep
from app.web.pages import review_page as pages
from app.web.pages.fact_changes import change, refused_editor
from app.web.preferences import ActorDep, LanguageDep, clean_actor
from app.web.responses import is_partial, redirect

if TYPE_CHECKING:
    from app.domain.text import Language
    from app.store.records import FactRecord
    from app.store.unit_of_work import Store

router = APIRouter(prefix="/projects/{project_id}/offers/{offer_id}", include_in_schema=False)
FormDep = Annotated[FormData, Depends(pages.form_of)]


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for what: the same for every address below."""

    request: Request
    store: Store
    language: Language
    actor: str
    project_id: str
    offer_id: str

    def view(self) -> pages.ReviewView:
        """The page as it stands now."""
        return pages.build(self.store, self.language, self.project_id, self.offer_id, self.actor)

    def fact(self, fact_id: str) -> FactRecord:
        """A stored fact of this offer."""
        record = offers.get_offer(self.store, self.project_id, self.offer_id)
        found = next((f for f in record.facts if f.id == fact_id), None)
        if found is None:
            raise NotFoundError("fact", fact_id)
        return found

    def show(self, view: pages.ReviewView, anchor: str, status: int = 200) -> Response:
        """One row for htmx, the page with that row open for everybody else."""
        if is_partial(self.request):
            return pages.draw_row(self.language, view, anchor, None, status)
        return pages.draw(self.request, self.language, view, status)

    def done(self, after: FactRecord, typed: dict[str, str]) -> Response:
        """The row after a change, or the way back to it."""
        view = replace(self.view(), actor=clean_actor(typed.get("actor", "")) or self.actor)
        line = view.detail.of_fact(after.id) if view.detail else None
        anchor = line.anchor if line else ""
        if is_partial(self.request):
            seen = pages.number(typed.get("offer_version"))
            response: Response = pages.draw_row(self.language, view, anchor, seen)
        else:
            response = redirect(self.request, pages.anchored(view.offer(), anchor))
        return pages.signed(self.request, response, typed.get("actor", ""))


def asked(
    request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep, project_id: str, offer_id: str
) -> Asked:
    """The common part of a request."""
    return Asked(request, store, language, actor, project_id, offer_id)


AskedDep = Annotated[Asked, Depends(asked)]


@router.get("/facts/{fact_id}")
def open_fact(ask: AskedDep, fact_id: str, closed: str = "") -> Response:
    """Open the form of one value; `closed` puts the row back."""
    view, stored = ask.view(), ask.fact(fact_id)
    line = view.detail.of_fact(fact_id) if view.detail else None
    if line is None:
        raise NotFoundError("fact", fact_id)
    if line.id != fact_id:
        stored = ask.fact(line.id)
    editor = pages.editor_of(
        ask.language, line.anchor, BY_ID[stored.fact.metric], stored.fact, version=line.version, ask_name=not ask.actor
    )
    return ask.show(view if closed else replace(view, editor=editor), line.anchor)


@router.post("/facts/{fact_id}")
def change_fact(ask: AskedDep, fact_id: str, form: FormDep) -> Response:
    """Do what the pressed button says to one value."""
    typed = pages.strings(form)
    stored = ask.fact(fact_id)
    try:
        after = change(ask.store, ask.project_id, stored, typed, clean_actor(typed.get("actor", "")) or ask.actor)
    except (InputError, ConflictError) as error:
        return _refuse(ask, fact_id, typed, error)
    return ask.done(after, typed)


def _refuse(ask: Asked, fact_id: str, typed: dict[str, str], error: InputError | ConflictError) -> Response:
    """The row as it stands now, open, with what was typed and what is wrong."""
    view = ask.view()
    line = view.detail.of_fact(fact_id) if view.detail else None
    if line is None:
        raise NotFoundError("fact", fact_id)
    editor = refused_editor(ask.language, line, ask.fact(line.id).fact, typed, error, asks=not ask.actor)
    return ask.show(replace(view, editor=editor), line.anchor, 409 if isinstance(error, ConflictError) else 422)


@router.get("/missing/{metric_id}")
def open_missing(ask: AskedDep, metric_id: str, closed: str = "") -> Response:
    """Open the form of a metric on which the offer is silent."""
    view, anchor = ask.view(), f"missing-{metric_id}"
    editor = pages.editor_of(ask.language, anchor, metric_of(metric_id), None, ask_name=not ask.actor)
    return ask.show(view if closed else replace(view, editor=editor), anchor)


@router.post("/missing/{metric_id}")
def add(ask: AskedDep, metric_id: str, form: FormDep) -> Response:
    """Add what the sheet is silent about, or that the vendor does not commit."""
    typed, metric = pages.strings(form), metric_of(metric_id)
    record = offers.get_offer(ask.store, ask.project_id, ask.offer_id)
    present = next((f for f in record.live_facts if f.fact.metric == metric_id), None)
    if present is not None:
        return _refuse(ask, present.id, typed, ConflictError("fact", present.id, changed_by=present.actor))
    values = {k: typed[k] for k in pages.names_of(metric) if k in typed}
    changes = {"value": None} if typed.get("action") == "none" else {"value": ""} | values
    name = clean_actor(typed.get("actor", "")) or ask.actor
    try:
        after = review.add_fact(ask.store, ask.project_id, ask.offer_id, metric_id, changes, name, record.version)
    except InputError as error:
        editor = pages.editor_of(
            ask.language, f"missing-{metric_id}", metric, None, typed, problems=error.problems, ask_name=not ask.actor
        )
        return ask.show(replace(ask.view(), editor=editor), editor.anchor, 422)
    return ask.done(after, typed)
