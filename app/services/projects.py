"""Projects: list, create, rename, delete, and the example to begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.policy import parse_policy
from app.domain.presets import PRESETS
from app.domain.problems import InputError, Problem
from app.domain.text import Language
from app.domain.workload import parse_workload
from app.services import example
from app.services.documents import upload
from app.services.typed_text import PROJECT_NAME, clean, clean_actor

if TYPE_CHECKING:
    from app.store.records import AuditRecord, ProjectRecord, ProjectSummary
    from app.store.unit_of_work import Store


def list_projects(store: Store) -> tuple[ProjectSummary, ...]:
    """Every project with its counts, the last changed first."""
    with store.read() as unit:
        return unit.projects.summaries()


def get_project(store: Store, project_id: str) -> ProjectRecord:
    """One project."""
    with store.read() as unit:
        return unit.projects.get(project_id)


def history(store: Store, project_id: str) -> tuple[AuditRecord, ...]:
    """Who changed what in a project, newest first."""
    with store.read() as unit:
        unit.projects.get(project_id)
        return unit.audit.of(project_id)


def create_project(store: Store, name: str, actor: str = "", workload: object = None) -> ProjectRecord:
    """Start a project with the default policy; `workload` (contract JSON) may come later."""
    name = clean(PROJECT_NAME, name)
    actor = clean_actor(actor, required=False)
    job = None if workload is None else parse_workload(workload).as_json()
    with store.write() as unit:
        project = unit.projects.add(name, job, parse_policy(None).as_json(), actor)
        unit.audit.add(project.id, actor, "created", "project", project.id, new=name)
        return project


def rename_project(store: Store, project_id: str, name: str, actor: str, version: int) -> ProjectRecord:
    """Give a project another name."""
    name = clean(PROJECT_NAME, name)
    actor = clean_actor(actor, required=False)
    with store.write() as unit:
        before, after = unit.projects.change(project_id, version, actor, {"name": name})
        unit.audit.add(project_id, actor, "renamed", "project", project_id, field="name", old=before.name, new=name)
        return after


def delete_project(store: Store, project_id: str, version: int) -> None:
    """Delete a project with its files, offers, audit trail and assessments; nothing readable is left."""
    with store.write() as unit:
        hashes = unit.projects.delete(project_id, version)
    store.remove_unwanted(hashes)
    store.forget_deleted()


def load_example(store: Store, actor: str = "", language: Language = Language.ZH) -> ProjectRecord:
    """A project to look at: a ready workload and three vendors' sheets, read like anybody's.

    Names are in `language`; the sheets are the Chinese ones that vendors would send.

    Either the whole example is there afterwards or nothing of it.
    """
    preset = next(p for p in PRESETS if p.id == example.PRESET)
    workload = preset.workload | {"name": preset.title.pick(language)}
    project = create_project(store, example.NAME.pick(language), actor, workload)
    try:
        outcomes = upload(store, project.id, example.example_files(), actor)
        lost = [Problem(o.code or "", o.name, o.message) for o in outcomes if o.outcome == "rejected" and o.message]
        if lost:
            raise InputError(lost)  # noqa: TRY301 - the half example is taken away below
    except BaseException:
        delete_project(store, project.id, project.version)
        raise
    return project
