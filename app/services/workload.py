"""The workload and the policy of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.policy import parse_policy
from app.domain.problems import InputError, Problem
from app.domain.requirement import derive
from app.domain.text import Text
from app.domain.workload import parse_workload
from app.services.typed_text import clean_actor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.policy import Policy
    from app.domain.requirement import Requirement
    from app.domain.workload import Workload
    from app.store.records import ProjectRecord
    from app.store.unit_of_work import Store, UnitOfWork


def save_workload(store: Store, project_id: str, raw: object, actor: str, version: int) -> ProjectRecord:
    """Check and keep the workload (contract JSON). Raises `InputError`, `ConflictError`."""
    return _save(store, project_id, "workload", parse_workload(raw).as_json(), actor, version)


def save_policy(store: Store, project_id: str, raw: object, actor: str, version: int) -> ProjectRecord:
    """Check and keep the policy (contract JSON). Raises `InputError`, `ConflictError`."""
    return _save(store, project_id, "policy", parse_policy(raw).as_json(), actor, version)


def _save(store: Store, project_id: str, field: str, value: dict[str, Any], actor: str, version: int) -> ProjectRecord:
    actor = clean_actor(actor, required=False)
    with store.write() as unit:
        before, after = unit.projects.change(project_id, version, actor, {field: value})
        for path, old, new in differences(getattr(before, field), value, field):
            unit.audit.add(project_id, actor, "saved", field, project_id, field=path, old=old, new=new)
        return after


def differences(old: object, new: object, place: str) -> Iterator[tuple[str, object, object]]:
    """Every leaf in which two JSON trees differ: path, old, new."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from differences(old.get(key), new.get(key), f"{place}.{key}")
    elif old != new:
        yield place, old, new


def workload_of(unit: UnitOfWork, project_id: str) -> tuple[Workload, Policy]:
    """Workload and policy of a project as the domain knows them; raises `InputError` without a workload."""
    project = unit.projects.get(project_id)
    if project.workload is None:
        message = Text("请先填写工作负载。", "Describe the workload first.")
        raise InputError([Problem("NO_WORKLOAD", "workload", message)])
    return parse_workload(project.workload), parse_policy(project.policy)


def requirement_of(store: Store, project_id: str) -> Requirement:
    """What the workload of a project asks of a line."""
    with store.read() as unit:
        return derive(*workload_of(unit, project_id))
