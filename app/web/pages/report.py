"""The report step: whether the document is ready, what it holds, and the document itself as PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from app.report.outline import outline_view
from app.report.pdf import build_pdf, report_moment
from app.services import assessing, projects
from app.web import paths
from app.web.dependencies import StoreDep
from app.web.pages.assessed import Empty, assessed, empty_page
from app.web.preferences import ActorDep, LanguageDep
from app.web.responses import page, redirect

if TYPE_CHECKING:
    from app.store.records import SnapshotRecord

router = APIRouter(include_in_schema=False)


@router.get("/projects/{project_id}/report")
def show(request: Request, store: StoreDep, language: LanguageDep, project_id: str) -> HTMLResponse:
    """Say whether the report is ready, and offer it in both languages."""
    project = projects.get_project(store, project_id)
    assessment = assessed(store, project_id)
    if isinstance(assessment, Empty):
        return empty_page(request, language, project, assessment, "report")
    kept = assessing.list_snapshots(store, project_id)
    return page(
        request, language, "report/page.html", nav=paths.Nav(project.id, project.name, "report"), kept=kept,
        view=outline_view(assessment, language), pdf=paths.project(project_id, "report.pdf"),
        comparison=paths.project(project_id, "comparison"), review=paths.project(project_id, "offers"),
    )  # fmt: skip


@router.get("/projects/{project_id}/report.pdf")
def download(request: Request, store: StoreDep, language: LanguageDep, actor: ActorDep, project_id: str) -> Response:
    """Freeze the assessment as it stands and print it; `?lang=zh|en`."""
    project = projects.get_project(store, project_id)
    if isinstance(assessed(store, project_id), Empty):
        return redirect(request, paths.project(project_id, "report"))
    frozen = assessing.snapshot(store, project_id, actor)
    assessment = assessing.recompute(frozen)
    moment = report_moment(frozen.created_at)
    document = build_pdf(assessment, language, name=project.name, generated=moment, snapshot=_parts(frozen))
    name = quote(f"{project.name} {document.content_sha256[:8]} {language.value}.pdf", safe="")
    plain = f"linewise-{document.content_sha256[:8]}-{language.value}.pdf"
    headers = {
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{name}",
        "etag": f'"{document.sha256}"',
    }
    return Response(document.data, media_type="application/pdf", headers=headers)


def _parts(frozen: SnapshotRecord) -> dict[str, object]:
    """What is attached to the PDF, enough to compute everything anew: no times, no names of people's machines."""
    return {
        "workload": frozen.workload, "offers": frozen.offers, "policy": frozen.policy, "result": frozen.result,
        "rulebook_version": frozen.rulebook_version, "content_sha256": frozen.content_sha256,
    }  # fmt: skip
