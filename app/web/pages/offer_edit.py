"""An offer as one form: typed in new, or edited as a whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import FormData

from app.domain.problems import InputError
from app.services import offers, projects
from app.services.errors import ConflictError
from app.web import paths
from app.web.dependencies import StoreDep
from app.web.forms import FormState
from app.web.pages import offer_form as forms
from app.web.pages import review_page as pages
from app.web.preferences import ActorDep, LanguageDep, clean_actor
from app.web.responses import page, redirect

if TYPE_CHECKING:
    from app.domain.text import Text
    from app.store.records import ProjectRecord

router = APIRouter(prefix="/projects/{project_id}/offers", include_in_schema=False)
FormDep = Annotated[FormData, Depends(pages.form_of)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferFormView:
    """The form: `version` is None for a new offer; `differences` name both values when somebody came first."""

    project: ProjectRecord
    state: FormState
    action: str
    back: str
    actor: str
    version: int | None = None
    notice: Text | None = None
    differences: tuple[tuple[Text, str, str], ...] = ()
    groups: tuple[forms.InputGroup, ...] = forms.INPUT_GROUPS

    def rows(self, place: str) -> list[int]:
        """The rows to draw in a group of rows."""
        return forms.row_numbers(self.state, place)


def _draw(request: Request, language: LanguageDep, view: OfferFormView, status: int = 200) -> HTMLResponse:
    nav = paths.Nav(view.project.id, view.project.name, "offers")
    return page(request, language, "offers/form.html", nav=nav, status_code=status, view=view, bases=forms.BASES)


@router.get("/new")
def new(request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep, project_id: str) -> HTMLResponse:
    """An empty form."""
    project = projects.get_project(store, project_id)
    back, action = paths.project(project.id, "offers"), paths.project(project.id, "offers", "new")
    view = OfferFormView(project=project, state=FormState(), action=action, back=back, actor=actor)
    return _draw(request, language, view)


@router.post("/new")
def create(
    request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep, project_id: str, form: FormDep
) -> Response:
    """Keep a typed-in offer, or show the form again with what is wrong."""
    project = projects.get_project(store, project_id)
    typed, read = pages.strings(form), forms.read_offer(form)
    try:
        _stop_at(read)
        name = clean_actor(typed.get("actor", "")) or actor
        made = offers.type_in(store, project_id, read.json, name)
    except InputError as error:
        back, action = paths.project(project.id, "offers"), paths.project(project.id, "offers", "new")
        state = read.with_problems(error).state
        view = OfferFormView(project=project, state=state, action=action, back=back, actor=actor)
        return _draw(request, language, view, 422)
    response = redirect(request, paths.project(project_id, "offers", made[0].id), flash="saved")
    return pages.signed(request, response, typed.get("actor", ""))


def _stop_at(read: forms.OfferForm) -> None:
    """Nothing is kept while an entry could not be read."""
    if read.state.faulty:
        raise InputError(())


@router.get("/{offer_id}/edit")
def edit(
    request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep, project_id: str, offer_id: str
) -> HTMLResponse:
    """The form of an offer as it stands."""
    record = offers.get_offer(store, project_id, offer_id)
    state = forms.state_of(offers.offer_form(store, project_id, offer_id))
    return _draw(request, language, _editing(store, project_id, offer_id, actor, state, record.version))


def _editing(
    store: StoreDep, project_id: str, offer_id: str, actor: str, state: FormState, version: int
) -> OfferFormView:
    back = paths.project(project_id, "offers", offer_id)
    project = projects.get_project(store, project_id)
    return OfferFormView(project=project, state=state, action=f"{back}/edit", back=back, actor=actor, version=version)


@router.post("/{offer_id}/edit")
def save(
    request: Request,
    store: StoreDep,
    language: LanguageDep,
    actor: ActorDep,
    project_id: str,
    offer_id: str,
    form: FormDep,
) -> Response:
    """Take over what differs, or show the form again with what is wrong or what somebody else changed."""
    typed, read = pages.strings(form), forms.read_offer(form)
    version = pages.number(typed.get("version"))
    try:
        _stop_at(read)
        name = clean_actor(typed.get("actor", "")) or actor
        offers.edit_offer(store, project_id, offer_id, read.json, name, version)
    except InputError as error:
        state = read.with_problems(error).state
        return _draw(request, language, _editing(store, project_id, offer_id, actor, state, version), 422)
    except ConflictError as error:
        return _draw(request, language, _conflict(store, project_id, offer_id, actor, read.state, error), 409)
    response = redirect(request, paths.project(project_id, "offers", offer_id), flash="saved")
    return pages.signed(request, response, typed.get("actor", ""))


def _conflict(
    store: StoreDep, project_id: str, offer_id: str, actor: str, mine: FormState, error: ConflictError
) -> OfferFormView:
    """What was typed stays; saving again takes it over what is there now, which is named beside it."""
    now = forms.state_of(offers.offer_form(store, project_id, offer_id))
    version = offers.get_offer(store, project_id, offer_id).version
    view = _editing(store, project_id, offer_id, actor, mine, version)
    return replace(view, notice=error.message, differences=tuple(forms.differences(mine, now)))
