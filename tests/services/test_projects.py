"""Projects, workload and policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.services.errors import ConflictError, InputError, NotFoundError
from app.services.projects import (
    create_project,
    delete_project,
    get_project,
    history,
    list_projects,
    rename_project,
)
from app.services.typed_text import clean_actor, file_label
from app.services.workload import differences, requirement_of, save_policy, save_workload

if TYPE_CHECKING:
    from app.store.records import ProjectRecord
    from app.store.unit_of_work import Store


def test_create_rename_list_delete(store: Store) -> None:
    first = create_project(store, "  扩容\t二期\u202e ", "李")
    assert first.name == "扩容 二期"
    create_project(store, "other", "")
    renamed = rename_project(store, first.id, "三期", "王", first.version)
    assert (renamed.name, renamed.actor, renamed.version) == ("三期", "王", 2)
    assert [p.name for p in list_projects(store)] == ["三期", "other"]  # last changed first
    assert [(h.action, h.actor, h.old, h.new) for h in history(store, first.id)] == [
        ("renamed", "王", "扩容 二期", "三期"),
        ("created", "李", None, "扩容 二期"),
    ]
    delete_project(store, first.id, 2)
    assert [p.name for p in list_projects(store)] == ["other"]
    with pytest.raises(NotFoundError):
        get_project(store, first.id)


@pytest.mark.parametrize(("name", "code"), [("", "MISSING"), (" \x00\u200b ", "MISSING"), ("x" * 121, "TOO_LONG")])
def test_a_name_that_cannot_be_used_stores_nothing(store: Store, name: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        create_project(store, name, "李")
    assert [p.code for p in caught.value.problems] == [code]
    assert list_projects(store) == ()


def test_deleting_an_old_version_is_refused(store: Store, project: ProjectRecord) -> None:
    rename_project(store, project.id, "new", "王", 1)
    with pytest.raises(ConflictError) as caught:
        delete_project(store, project.id, 1)
    assert (caught.value.expected, caught.value.actual, caught.value.changed_by) == (1, 2, "王")


def test_a_saved_workload_is_kept_in_full_and_each_change_is_noted(store: Store, project: ProjectRecord) -> None:
    assert project.workload is not None
    changed = project.workload | {"distance_km": 300}
    saved = save_workload(store, project.id, changed, "王", 1)
    assert saved.version == 2
    assert saved.workload is not None
    assert saved.workload["distance_km"] == 300
    assert saved.workload["training"] == project.workload["training"]
    entry = history(store, project.id)[0]
    assert (entry.field, entry.old, entry.new) == ("workload.distance_km", 500, 300)
    with pytest.raises(ConflictError):
        save_workload(store, project.id, changed, "李", 1)


def test_a_bad_workload_changes_nothing(store: Store, project: ProjectRecord) -> None:
    with pytest.raises(InputError):
        save_workload(store, project.id, {"scenario": "training", "training": {"parameters": -1}}, "王", 1)
    assert get_project(store, project.id) == project


def test_policy_is_checked_and_kept(store: Store, project: ProjectRecord) -> None:
    saved = save_policy(store, project.id, project.policy | {"reserve": 1.5}, "王", 1)
    assert saved.policy["reserve"] == 1.5
    assert history(store, project.id)[0].field == "policy.reserve"
    with pytest.raises(InputError):
        save_policy(store, project.id, {"reserve": "much"}, "王", 2)


def test_the_requirement_needs_a_workload(store: Store, project: ProjectRecord) -> None:
    assert requirement_of(store, project.id) is not None
    empty = create_project(store, "empty")
    with pytest.raises(InputError) as caught:
        requirement_of(store, empty.id)
    assert caught.value.problems[0].code == "NO_WORKLOAD"


def test_differences_names_each_leaf() -> None:
    old, new = {"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": 1, "c": 3}, "d": [2], "e": None}
    assert list(differences(old, new, "w")) == [("w.a.c", 2, 3), ("w.d", [1], [2])]


def test_actor_names() -> None:
    assert clean_actor("  李\u3000四 \x07") == "李 四"
    assert clean_actor("", required=False) == ""
    for bad in ("", "x" * 61):
        with pytest.raises(InputError):
            clean_actor(bad)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("..\\..\\报价.xlsx", "报价.xlsx"),
        ("/etc/passwd", "passwd"),
        ("a\u202excod.pdf", "axcod.pdf"),
        ("", "file"),
        ("\x00", "file"),
        ("长" * 300 + ".xlsx", "长" * 114 + "….xlsx"),
    ],
)
def test_file_labels(name: str, label: str) -> None:
    """T14, T15: a name is a label; no path, no tricks."""
    assert file_label(name) == label
    assert len(file_label(name)) <= 120
