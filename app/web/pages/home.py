"""The list of projects: start one, load the example, delete one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from app.domain.problems import InputError
from app.services import projects
from app.web import paths
from app.web.dependencies import StoreDep
from app.web.forms import FormState
from app.web.preferences import ActorDep, LanguageDep
from app.web.responses import page, redirect

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.text import Language
    from app.store.records import ProjectSummary

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class ProjectLine:
    """One line of the list; `href` leads to the step that waits for somebody."""

    href: str
    delete_href: str
    name: str
    scenario: str | None
    offers: int
    vendors: int
    documents: int
    unconfirmed: int
    actor: str
    updated: datetime


@dataclass(frozen=True, slots=True)
class HomeView:
    """The page: every project, how many of them wait for a review, and the form that starts one."""

    lines: tuple[ProjectLine, ...]
    waiting: int
    form: FormState


def _next_step(project: ProjectSummary) -> str:
    if project.scenario is None:
        return "workload"
    if not project.offers:
        return "sheets"
    return "offers" if project.unconfirmed else "comparison"


def _line(project: ProjectSummary) -> ProjectLine:
    return ProjectLine(
        href=paths.project(project.id, _next_step(project)),
        delete_href=paths.project(project.id, "delete"),
        name=project.name,
        scenario=project.scenario,
        offers=project.offers,
        vendors=project.vendors,
        documents=project.documents,
        unconfirmed=project.unconfirmed,
        actor=project.actor,
        updated=project.updated_at,
    )


def _home(request: Request, store: StoreDep, language: Language, form: FormState, status: int) -> HTMLResponse:
    lines = tuple(_line(project) for project in projects.list_projects(store))
    view = HomeView(lines, sum(1 for line in lines if line.unconfirmed), form)
    return page(request, language, "home/page.html", status_code=status, view=view)


@router.get("/")
def home(request: Request, store: StoreDep, language: LanguageDep) -> HTMLResponse:
    """Show every project."""
    return _home(request, store, language, FormState({"name": ""}), 200)


@router.post("/projects")
def create(
    request: Request,
    store: StoreDep,
    language: LanguageDep,
    actor: ActorDep,
    name: Annotated[str, Form()] = "",
) -> Response:
    """Start a project and go on to its workload."""
    try:
        project = projects.create_project(store, name, actor)
    except InputError as error:
        return _home(request, store, language, FormState({"name": name}).with_problems(error.problems), 422)
    return redirect(request, paths.project(project.id, "workload"), flash="created")


@router.post("/projects/example")
def load_example(request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep) -> Response:
    """Load the example project and go to its comparison."""
    project = projects.load_example(store, actor, language)
    return redirect(request, paths.project(project.id, "comparison"), flash="example")


@router.get("/projects/{project_id}")
def open_project(request: Request, store: StoreDep, project_id: str) -> Response:
    """The bare address of a project leads to its first step."""
    return redirect(request, paths.project(projects.get_project(store, project_id).id, "workload"))


@router.get("/projects/{project_id}/delete")
def ask_delete(request: Request, store: StoreDep, language: LanguageDep, project_id: str) -> HTMLResponse:
    """Say what would be deleted, and ask."""
    project = projects.get_project(store, project_id)
    return page(request, language, "home/delete.html", project=project)


@router.post("/projects/{project_id}/delete")
def delete(request: Request, store: StoreDep, project_id: str, version: Annotated[int, Form()]) -> Response:
    """Delete a project with everything in it."""
    projects.delete_project(store, project_id, version)
    return redirect(request, "/", flash="deleted")
