"""Review of what was read: the offers of a project, and what is done to one as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import FormData

from app.domain.problems import InputError
from app.services import offers, review
from app.services.errors import ConflictError
from app.web import paths
from app.web.dependencies import StoreDep
from app.web.errors import WebError
from app.web.faults import FAULTS
from app.web.pages import review_page as pages
from app.web.preferences import ActorDep, LanguageDep, clean_actor
from app.web.responses import redirect

if TYPE_CHECKING:
    from app.domain.text import Language
    from app.store.unit_of_work import Store

router = APIRouter(prefix="/projects/{project_id}/offers", include_in_schema=False)
FormDep = Annotated[FormData, Depends(pages.form_of)]


@router.get("")
def show(
    request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep, project_id: str, deleted: str = ""
) -> HTMLResponse:
    """Show the first offer with something to check; `deleted` is the one that was just taken out."""
    return pages.draw(request, language, pages.build(store, language, project_id, "", actor, deleted))


@router.get("/{offer_id}")
def show_offer(
    request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep, project_id: str, offer_id: str
) -> HTMLResponse:
    """Show one offer."""
    return pages.draw(request, language, pages.build(store, language, project_id, offer_id, actor))


def _confirm(store: Store, project_id: str, offer_id: str, typed: dict[str, str], actor: str) -> str:
    review.confirm_offer(store, project_id, offer_id, actor, pages.number(typed.get("version")))
    return paths.project(project_id, "offers", offer_id)


def _rename(store: Store, project_id: str, offer_id: str, typed: dict[str, str], actor: str) -> str:
    version = pages.number(typed.get("version"))
    offers.rename_offer(store, project_id, offer_id, typed.get("vendor", ""), typed.get("product"), actor, version)
    return paths.project(project_id, "offers", offer_id)


def _copy(store: Store, project_id: str, offer_id: str, _: dict[str, str], actor: str) -> str:
    copied = offers.copy_offer(store, project_id, offer_id, actor)
    return paths.project(project_id, "offers", copied.id)


def _delete(store: Store, project_id: str, offer_id: str, typed: dict[str, str], actor: str) -> str:
    offers.delete_offer(store, project_id, offer_id, actor, pages.number(typed.get("version")))
    return f"{paths.project(project_id, 'offers')}?deleted={offer_id}"


def _restore(store: Store, project_id: str, offer_id: str, typed: dict[str, str], actor: str) -> str:
    offers.restore_offer(store, project_id, offer_id, actor, pages.number(typed.get("version")))
    return paths.project(project_id, "offers", offer_id)


_ACTIONS = {"confirm": _confirm, "rename": _rename, "copy": _copy, "delete": _delete, "restore": _restore}
_FLASHES = {"confirm": "confirmed", "rename": "saved", "copy": "saved", "restore": "saved"}


@router.post("/{offer_id}/{action}")
def act(
    request: Request,
    store: StoreDep,
    language: LanguageDep,
    actor: ActorDep,
    project_id: str,
    offer_id: str,
    action: str,
    form: FormDep,
) -> Response:
    """Confirm everything, rename, copy, delete or bring back; back to the page afterwards."""
    if action not in _ACTIONS:
        raise WebError(FAULTS["NOT_FOUND"])
    typed = pages.strings(form)
    name = clean_actor(typed.get("actor", "")) or actor
    try:
        address = _ACTIONS[action](store, project_id, offer_id, typed, name)
    except (InputError, ConflictError) as error:
        shown = "" if action == "restore" else offer_id
        return _refuse(request, language, pages.build(store, language, project_id, shown, actor), typed, error)
    response = redirect(request, address, _FLASHES.get(action, ""))
    return pages.signed(request, response, typed.get("actor", ""))


def _refuse(
    request: Request,
    language: Language,
    view: pages.ReviewView,
    typed: dict[str, str],
    error: InputError | ConflictError,
) -> HTMLResponse:
    """The page as it stands now, with what was typed and why it was not done."""
    if isinstance(error, ConflictError):
        return pages.draw(request, language, replace(view, notice=error.message, typed=typed), 409)
    return pages.draw(request, language, replace(view, problems=error.problems, typed=typed), 422)
