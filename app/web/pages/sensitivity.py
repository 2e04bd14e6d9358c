"""What would have to change: why an offer does not pass, break-even charges, curves, and what makes a band wide."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.report.sensitivity_view import sensitivity_view
from app.services import projects
from app.web import paths
from app.web.dependencies import StoreDep
from app.web.errors import WebError
from app.web.faults import FAULTS
from app.web.pages.assessed import Empty, assessed, empty_page
from app.web.preferences import LanguageDep
from app.web.responses import page

router = APIRouter(include_in_schema=False)


@router.get("/projects/{project_id}/sensitivity")
def show(
    request: Request,
    store: StoreDep,
    language: LanguageDep,
    project_id: str,
    offer: Annotated[str, Query(max_length=40)] = "",
) -> HTMLResponse:
    """Show what would change the verdicts; `offer` chooses whose curves are drawn."""
    project = projects.get_project(store, project_id)
    assessment = assessed(store, project_id)
    if isinstance(assessment, Empty):
        return empty_page(request, language, project, assessment, "comparison")
    view = sensitivity_view(assessment, language, offer)
    if view is None:
        raise WebError(FAULTS["NOT_FOUND"])
    return page(
        request, language, "sensitivity/page.html", nav=paths.Nav(project.id, project.name, "comparison"), view=view,
        comparison=paths.project(project_id, "comparison"), here=paths.project(project_id, "sensitivity"),
    )  # fmt: skip
