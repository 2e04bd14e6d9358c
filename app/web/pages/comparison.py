"""The comparison: verdicts, gate matrix, charts, cost and questions; every cell opens at its own address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.domain.advice import TITLES
from app.domain.problems import InputError
from app.domain.text import Text
from app.report.comparison import comparison_view
from app.report.matrix import check_of, offers_of
from app.report.panel_view import cell_panel
from app.services import assessing, projects
from app.web import paths
from app.web.dependencies import StoreDep
from app.web.errors import WebError
from app.web.faults import FAULTS
from app.web.preferences import LanguageDep
from app.web.responses import is_partial, page, partial

if TYPE_CHECKING:
    from app.domain.assessment import Assessment
    from app.domain.text import Language
    from app.report.matrix import Link
    from app.store.records import ProjectRecord

router = APIRouter(include_in_schema=False)
Code = Annotated[str, Query(max_length=30)]


@dataclass(frozen=True, slots=True)
class Empty:
    """What is missing before anything can be compared, and where to give it."""

    title: Text
    text: Text
    label: Text
    step: str


EMPTY = {
    "NO_WORKLOAD": Empty(
        Text("先说明要跑什么任务", "Describe the job first"),
        Text(
            "四步比选把每份报价与任务推出的要求逐项对照，因此先要知道任务。",
            "Every offer is held against what the job asks of a line, so the job comes first.",
        ),
        Text("填写工作负载", "Describe the workload"),
        "workload",
    ),
    "NO_OFFERS": Empty(
        Text("还没有报价可比", "There is no offer to compare yet"),
        Text(
            "上传供应商的报价或 SLA 资料，读出的数字经您核对后即可比较。",
            "Drop in the vendors' sheets; once you have checked the figures read from them, they are compared here.",
        ),
        Text("上传供应商资料", "Upload vendor material"),
        "sheets",
    ),
}


def assessed(store: StoreDep, project_id: str, alternative: str = "") -> Assessment | Empty:
    """The assessment of a project as it stands (or placed as advised), or what is missing for one."""
    try:
        with store.read() as unit:
            return assessing.assess_project(unit, project_id, alternative)[-1]
    except InputError as error:
        missing = EMPTY.get(error.problems[0].code)
        if missing is None:
            raise
        return missing


def empty_page(request: Request, language: Language, project: ProjectRecord, missing: Empty, step: str) -> HTMLResponse:
    """The page of a project that cannot be compared yet: one sentence, one button."""
    nav = paths.Nav(project.id, project.name, step)
    return page(
        request, language, "comparison/empty.html", nav=nav, title=missing.title, text=missing.text,
        label=missing.label, href=paths.project(project.id, missing.step),
    )  # fmt: skip


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
    )  # fmt: skip
