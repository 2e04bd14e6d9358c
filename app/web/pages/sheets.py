"""Vendor material: drop files, see what became of each, fetch the originals, delete them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.datastructures import FormData, UploadFile

from app.domain.problems import InputError
from app.services import documents
from app.web import paths
from app.web.dependencies import LimitsDep, StoreDep
from app.web.errors import WebError, wants_json
from app.web.faults import FAULTS
from app.web.pages.review_page import form_of
from app.web.pages.sheets_view import SheetsView, as_json, build, save_as, status_of
from app.web.preferences import ActorDep, LanguageDep
from app.web.responses import page, redirect

if TYPE_CHECKING:
    from app.domain.text import Language

router = APIRouter(include_in_schema=False)


def _show(request: Request, language: Language, view: SheetsView, status: int = 200) -> HTMLResponse:
    nav = paths.Nav(view.project.id, view.project.name, "sheets")
    return page(request, language, "sheets/page.html", nav=nav, status_code=status, view=view)


@router.get("/projects/{project_id}/sheets")
def show(request: Request, store: StoreDep, language: LanguageDep, limits: LimitsDep, project_id: str) -> HTMLResponse:
    """Show the files and the place to drop more."""
    return _show(request, language, build(store, project_id, limits))


@router.post("/projects/{project_id}/sheets")
def receive(
    request: Request,
    store: StoreDep,
    language: LanguageDep,
    actor: ActorDep,
    limits: LimitsDep,
    project_id: str,
    form: Annotated[FormData, Depends(form_of)],
) -> Response:
    """Read and keep files; a program gets the outcome of each as JSON, a person the page with all of them."""
    parts = (part for part in form.getlist("file") if isinstance(part, UploadFile))
    sent = [(part.filename, part.file.read()) for part in parts if part.filename]
    try:
        outcomes = documents.upload(store, project_id, sent, actor, limits)
    except InputError as error:
        if wants_json(request):
            raise
        return _show(request, language, build(store, project_id, limits, problems=error.problems), 422)
    status = status_of(outcomes)
    if wants_json(request):
        files = [as_json(outcome, language) for outcome in outcomes]
        return JSONResponse({"files": files, "outcome": "; ".join(f["outcome"] for f in files)}, status)
    return _show(request, language, build(store, project_id, limits, outcomes), status)


@router.get("/projects/{project_id}/sheets/{document_id}/original")
def download(store: StoreDep, project_id: str, document_id: str) -> Response:
    """The file as it came, to be saved and never shown."""
    document, content = documents.fetch_original(store, project_id, document_id)
    return Response(content, media_type="application/octet-stream", headers=save_as(document))


@router.get("/projects/{project_id}/sheets/{document_id}/delete")
def ask_delete(
    request: Request, store: StoreDep, language: LanguageDep, limits: LimitsDep, project_id: str, document_id: str
) -> HTMLResponse:
    """Say what would be deleted with the file, and ask."""
    view = build(store, project_id, limits)
    line = next((line for line in view.lines if line.document.id == document_id), None)
    if line is None:
        raise WebError(FAULTS["NOT_FOUND"])
    nav = paths.Nav(view.project.id, view.project.name, "sheets")
    return page(request, language, "sheets/delete.html", nav=nav, view=view, line=line)


@router.post("/projects/{project_id}/sheets/{document_id}/delete")
def delete(
    request: Request,
    store: StoreDep,
    actor: ActorDep,
    project_id: str,
    document_id: str,
    version: Annotated[int, Form()],
) -> Response:
    """Delete a file with the offers read from it."""
    documents.delete_document(store, project_id, document_id, actor, version)
    return redirect(request, paths.project(project_id, "sheets"), flash="deleted")
