"""The assessment behind a page of a project, or the one sentence and button of a project that has none yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.problems import InputError
from app.domain.text import Text
from app.services import assessing
from app.web import paths
from app.web.responses import page

if TYPE_CHECKING:
    from fastapi import Request
    from fastapi.responses import HTMLResponse

    from app.domain.assessment import Assessment
    from app.domain.text import Language
    from app.store.records import ProjectRecord
    from app.store.unit_of_work import Store


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


def assessed(store: Store, project_id: str, alternative: str = "") -> Assessment | Empty:
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
