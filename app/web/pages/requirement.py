"""What the workload asks of a line: the page, the panel behind each red line, the questionnaire, the JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from app.domain.policy import parse_policy
from app.domain.problems import InputError
from app.domain.requirement import derive
from app.domain.workload import parse_workload
from app.report.requirement_view import requirement_view
from app.services.asking import questionnaire
from app.services.projects import get_project
from app.web import paths
from app.web.dependencies import StoreDep
from app.web.errors import WebError
from app.web.faults import FAULTS
from app.web.pages.workload_form import stored
from app.web.paths import Nav
from app.web.preferences import LanguageDep
from app.web.responses import is_partial, page, partial

if TYPE_CHECKING:
    from app.domain.text import Language
    from app.report.requirement_view import RequirementView
    from app.store.records import ProjectRecord

router = APIRouter(include_in_schema=False)
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def _view(project: ProjectRecord, language: Language) -> RequirementView:
    workload, policy = parse_workload(project.workload), parse_policy(project.policy)
    base, form = paths.project(project.id, "requirement"), paths.project(project.id, "workload")
    return requirement_view(workload, policy, derive(workload, policy), language, base, form)


def _page(request: Request, project: ProjectRecord, language: Language, figure: str = "") -> HTMLResponse:
    nav = Nav(project.id, project.name, "requirement")
    links = {
        name: paths.project(project.id, step)
        for name, step in (
            ("workload", "workload"), ("rules", "rules"), ("next", "sheets"), ("sheet", "questionnaire.xlsx"),
            ("json", "requirement.json"), ("comparison", "comparison"),
        )
    }  # fmt: skip
    if project.workload is None:
        return page(request, language, "requirement/empty.html", nav=nav, links=links, problems=())
    try:
        view = _view(project, language)
    except InputError as error:
        problems = error.problems
        return page(
            request, language, "requirement/empty.html", nav=nav, links=links, problems=problems, status_code=422
        )
    panel = view.panel(figure, language) if figure else None
    if figure and panel is None:
        raise WebError(FAULTS["NOT_FOUND"])
    if panel is not None and is_partial(request):
        return partial(language, "requirement/_panel.html", panel=panel)
    return page(request, language, "requirement/page.html", nav=nav, links=links, view=view, panel=panel)


@router.get("/projects/{project_id}/requirement")
def show(request: Request, store: StoreDep, language: LanguageDep, project_id: str) -> HTMLResponse:
    """The requirement, or a way to the workload when there is none yet."""
    return _page(request, get_project(store, project_id), language)


@router.get("/projects/{project_id}/requirement/figures/{figure}")
def open_figure(request: Request, store: StoreDep, language: LanguageDep, project_id: str, figure: str) -> HTMLResponse:
    """Everything behind one red line."""
    return _page(request, get_project(store, project_id), language, figure)


@router.get("/projects/{project_id}/questionnaire.xlsx")
def download_questionnaire(store: StoreDep, language: LanguageDep, project_id: str) -> Response:
    """The sheet for vendors to fill in, headed by the requirement; `?lang=` chooses its language."""
    project = get_project(store, project_id)
    content = questionnaire(language, project.workload, project.policy)
    name = f"linewise-questionnaire-{language.value}.xlsx"
    return Response(content, media_type=XLSX, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/projects/{project_id}/requirement.json")
def as_json(store: StoreDep, project_id: str) -> Response:
    """The requirement in the form of the contract."""
    project = get_project(store, project_id)
    requirement = derive(parse_workload(stored(project)), parse_policy(project.policy))
    text = json.dumps(requirement.as_json(), ensure_ascii=False, indent=2, allow_nan=False)
    headers = {"content-disposition": 'attachment; filename="requirement.json"'}
    return Response(text + "\n", media_type="application/json", headers=headers)
