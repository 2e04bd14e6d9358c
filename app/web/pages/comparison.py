"""The comparison: verdicts, gate matrix, charts, cost and questions; every cell opens at its own address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.domain.advice import TITLES
from app.report.comparison import comparison_view
from app.report.matrix import check_of, offers_of
from app.report.panel_view import cell_panel
from app.services import projects
from app.web import paths
from app.web.dependencies import StoreDep
from app.web.errors import WebError
from app.web.faults import FAULTS
from app.web.pages.assessed import Empty, assessed, empty_page
from app.web.preferences import LanguageDep
from app.web.responses import is_partial, page, partial

if TYPE_CHECKING:
    from app.domain.assessment import Assessment
    from app.domain.text import Language
    from app.report.matrix import Link

router = APIRouter(include_in_schema=False)
Code = Annotated[str, Query(max_length=30)]


def _links(assessment: Assessment, project_id: str, alternative: str) -> Link:
    main = assessment.requirement.main.scenario

    def link(offer: str, check: str, scenario: str) -> str:
        address = paths.project(project_id, "comparison", "cells", offer, check)
        query = {"scenario": "" if scenario == main else scenario, "alternative": alternative}
        asked = urlencode({name: value for name, value in query.items() if value})
        return f"{address}?{asked}" if asked else address

    return link


@router.get("/projects/{project_id}/comparison")
def show(
    request: Request, store: StoreDep, language: LanguageDep, project_id: str, alternative: Code = ""
) -> HTMLResponse:
    """Show the comparison, or what it would be with the job placed as a piece of advice says."""
    return _page(request, store, language, project_id, alternative)


@router.get("/projects/{project_id}/comparison/cells/{offer}/{check}")
def cell(
    request: Request,
    store: StoreDep,
    language: LanguageDep,
    project_id: str,
    offer: str,
    check: str,
    scenario: Code = "",
    alternative: Code = "",
) -> HTMLResponse:
    """Open one cell: the panel alone for htmx, else the page with the panel open."""
    return _page(request, store, language, project_id, alternative, (offer, check, scenario))


def _page(
    request: Request,
    store: StoreDep,
    language: Language,
    project_id: str,
    alternative: str,
    opened: tuple[str, str, str] | None = None,
) -> HTMLResponse:
    project = projects.get_project(store, project_id)
    assessment = assessed(store, project_id, alternative)
    if isinstance(assessment, Empty):
        return empty_page(request, language, project, assessment, "comparison")
    panel = None
    if opened is not None:
        key, name, scenario = opened
        offer = offers_of(assessment, key)
        check = None if offer is None else check_of(offer, name, scenario)
        if offer is None or check is None:
            raise WebError(FAULTS["NOT_FOUND"])
        panel = cell_panel(assessment, offer, check, language, paths.project(project_id, "comparison"))
        if is_partial(request):
            return partial(language, "comparison/_panel.html", panel=panel)
    view = comparison_view(assessment, language, _links(assessment, project_id, alternative))
    nav = paths.Nav(project.id, project.name, "comparison")
    report = paths.project(project_id, "report")
    return page(
        request, language, "comparison/page.html", nav=nav, view=view, panel=panel, report=report,
        trial=TITLES[alternative].pick(language) if alternative else "", stored=paths.project(project_id, "comparison"),
        sensitivity=paths.project(project_id, "sensitivity"),
    )  # fmt: skip
