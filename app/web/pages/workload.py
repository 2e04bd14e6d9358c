"""The workload of a project: presets, the form with its preview, JSON in and out; and the rules of the evaluation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from app.domain.problems import InputError, Problem
from app.domain.workload import parse_workload
from app.services.projects import get_project
from app.services.workload import save_policy, save_workload
from app.store.errors import ConflictError
from app.web import paths
from app.web.dependencies import StoreDep, parse_json
from app.web.errors import WebError
from app.web.pages import rules_form, workload_form
from app.web.pages.workload_form import FormDep
from app.web.paths import Nav
from app.web.preferences import ActorDep, LanguageDep
from app.web.responses import is_partial, page, partial, redirect

if TYPE_CHECKING:
    from app.domain.text import Language
    from app.store.records import ProjectRecord
    from app.web.forms import FormState

router = APIRouter(include_in_schema=False)


def _show(
    request: Request, project: ProjectRecord, language: Language, state: FormState, status: int = 200, **more: Any
) -> HTMLResponse:
    view = workload_form.workload_view(project, state, language, **more)
    nav = Nav(project.id, project.name, "workload")
    return page(request, language, "workload/page.html", nav=nav, status_code=status, view=view)


@router.get("/projects/{project_id}/workload")
def show(request: Request, store: StoreDep, language: LanguageDep, project_id: str, preset: str = "") -> HTMLResponse:
    """The form: the stored workload, or a preset; other fields may be filled by the address."""
    project = get_project(store, project_id)
    chosen = workload_form.preset_json(preset, language)
    raw = chosen or project.workload or {"name": project.name}
    state, filled = workload_form.filled(workload_form.state_of(raw), request.query_params.multi_items())
    return _show(request, project, language, state, unsaved=chosen is not None or filled)


@router.post("/projects/{project_id}/workload")
def save(
    request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep, project_id: str, form: FormDep
) -> Response:
    """Check and keep the workload, then go on to what it asks of a line."""
    project = get_project(store, project_id)
    raw, state = workload_form.read_workload(form)
    try:
        workload_form.check(raw, project.policy, state)
        save_workload(store, project_id, raw, actor, workload_form.version_of(form))
    except InputError as error:
        state = workload_form.corrected(state, error.problems)
        return _show(request, project, language, state, 422, unsaved=True)
    except ConflictError as error:
        conflict = workload_form.conflict_of(error, project, raw)
        return _show(request, project, language, state, 409, unsaved=True, conflict=conflict)
    return redirect(request, paths.project(project_id, "requirement"), flash="saved")


@router.post("/projects/{project_id}/workload/preview")
def preview(
    request: Request, store: StoreDep, language: LanguageDep, project_id: str, form: FormDep, part: str = "preview"
) -> HTMLResponse:
    """The form as typed and what it asks of a line so far, nothing stored; htmx gets the one `part` it asks for."""
    project = get_project(store, project_id)
    state = workload_form.read_workload(form)[1]
    if not is_partial(request):
        return _show(request, project, language, state, unsaved=True)
    view = workload_form.workload_view(project, state, language)
    return partial(language, "workload/_groups.html" if part == "groups" else "workload/_preview.html", view=view)


@router.post("/projects/{project_id}/workload/import")
def take_json(
    request: Request, store: StoreDep, language: LanguageDep, project_id: str, text: Annotated[str, Form()] = ""
) -> HTMLResponse:
    """Fill the form from contract JSON; nothing is stored before it is saved."""
    project = get_project(store, project_id)
    try:
        raw = parse_json(text.encode("utf-8", "replace"))
    except WebError as error:
        problem = Problem(error.fault.code, "json", error.fault.detail)
        state = workload_form.state_of(project.workload).with_problems([problem])
        return _show(request, project, language, state, 422, pasted=text)
    state = workload_form.state_of(raw if isinstance(raw, dict) else None)
    problems = workload_form.with_places(workload_form.problems_of(raw))
    return _show(request, project, language, state.with_problems(problems), 422 if problems else 200, unsaved=True)


@router.get("/projects/{project_id}/workload.json")
def as_json(store: StoreDep, project_id: str) -> Response:
    """The stored workload as contract JSON."""
    project = get_project(store, project_id)
    text = json.dumps(
        parse_workload(workload_form.stored(project)).as_json(), ensure_ascii=False, indent=2, allow_nan=False
    )
    headers = {"content-disposition": 'attachment; filename="workload.json"'}
    return Response(text + "\n", media_type="application/json", headers=headers)


def _rules(
    request: Request, project: ProjectRecord, language: Language, status: int = 200, **more: Any
) -> HTMLResponse:
    view = rules_form.rules_view(project, language, **more)
    nav = Nav(project.id, project.name, "workload")
    return page(request, language, "workload/rules.html", nav=nav, status_code=status, view=view)


@router.get("/projects/{project_id}/rules")
def show_rules(request: Request, store: StoreDep, language: LanguageDep, project_id: str) -> HTMLResponse:
    """The rules of the evaluation."""
    return _rules(request, get_project(store, project_id), language)


@router.post("/projects/{project_id}/rules")
def save_rules(
    request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep, project_id: str, form: FormDep
) -> Response:
    """Check and keep the rules, then go back to the form they steer."""
    project = get_project(store, project_id)
    raw, state = rules_form.read_rules(form, project.policy)
    try:
        workload_form.refuse_unread(state)
        save_policy(store, project_id, raw, actor, workload_form.version_of(form))
    except InputError as error:
        return _rules(request, project, language, 422, state=state.with_problems(error.problems))
    except ConflictError as error:
        return _rules(request, project, language, 409, state=state, conflict=error.message)
    return redirect(
        request, paths.project(project_id, "requirement" if project.workload else "workload"), flash="saved"
    )
