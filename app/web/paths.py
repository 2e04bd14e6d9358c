"""Addresses of pages, and the six steps of a project in their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from app.domain.text import Text

if TYPE_CHECKING:
    from uuid import UUID

STEPS: tuple[tuple[str, Text], ...] = (
    ("workload", Text("工作负载", "Workload")),
    ("requirement", Text("专线要求", "Requirement")),
    ("sheets", Text("供应商资料", "Vendor material")),
    ("offers", Text("逐项核对", "Review")),
    ("comparison", Text("四步比选", "Comparison")),
    ("report", Text("评审报告", "Report")),
)


def project(project_id: int | str | UUID, step: str = "workload", *rest: object) -> str:
    """`/projects/7/comparison/…`; every part is quoted."""
    return "/".join(["/projects", *(quote(str(part), safe="") for part in (project_id, step, *rest))])


@dataclass(frozen=True, slots=True)
class NavStep:
    """One step in the navigation."""

    title: Text
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class Nav:
    """The project a page belongs to and where in the six steps it stands."""

    id: int | str | UUID
    name: str
    step: str

    @property
    def steps(self) -> tuple[NavStep, ...]:
        """The six steps with their addresses."""
        return tuple(NavStep(title, project(self.id, key), key == self.step) for key, title in STEPS)


def is_local(path: str) -> bool:
    r"""Whether `path` stays on this server: one leading slash, no `//`, `/\`, control or space character."""
    return (
        path.startswith("/")
        and not path.startswith(("//", "/\\"))
        and "\\" not in path
        and all(c.isprintable() and not c.isspace() for c in path)
    )


def local_or(path: str | None, fallback: str = "/") -> str:
    """`path` when it stays on this server, else `fallback`."""
    return path if path and is_local(path) else fallback
