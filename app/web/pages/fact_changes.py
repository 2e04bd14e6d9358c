"""One submitted row: which service answers the pressed button, and what the row shows when it is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.facts import State
from app.domain.metrics import BY_ID
from app.services import review
from app.services.errors import ConflictError
from app.services.typed_values import problem
from app.web.pages.review_page import editor_of, names_of, number, refused, stored_strings

if TYPE_CHECKING:
    from app.domain.facts import Fact
    from app.domain.problems import InputError
    from app.domain.text import Language
    from app.report.review_view import FactLine
    from app.store.records import FactRecord
    from app.store.unit_of_work import Store
    from app.web.pages.review_page import Editor

READING = "reading-"


def change(store: Store, project_id: str, stored: FactRecord, typed: dict[str, str], actor: str) -> FactRecord:
    """Do what the pressed button says. A correction that changes nothing is a confirmation."""
    action, version = typed.get("action", ""), number(typed.get("version"))
    if stored.superseded_by is not None or (stored.withdrawn_at is not None and action != "back"):
        raise ConflictError("fact", stored.id, expected=version, actual=stored.version, changed_by=stored.actor)
    if action == "correct":
        return _correct(store, project_id, stored, typed, actor)
    if action == "none":
        return review.mark_not_committed(store, project_id, stored.id, actor, version, typed.get("reason", ""))
    if action.startswith(READING):
        reading = number(action.removeprefix(READING))
        return review.choose_reading(store, project_id, stored.id, reading, actor, version)
    simple = {
        "confirm": review.confirm_fact, "aside": review.set_fact_aside, "back": review.take_fact_back,
    }.get(action)  # fmt: skip
    if simple is None:
        raise problem(
            "NO_SUCH_ACTION", "action", "没有这个操作，请刷新后重试。", "There is no such action; reload the page."
        )
    return simple(store, project_id, stored.id, actor, version)


def _correct(store: Store, project_id: str, stored: FactRecord, typed: dict[str, str], actor: str) -> FactRecord:
    metric, version = BY_ID[stored.fact.metric], number(typed.get("version"))
    before = stored_strings(metric, stored.fact)
    changes: dict[str, object] = {k: typed[k] for k in names_of(metric) if k in typed and typed[k] != before[k]}
    if not changes and stored.fact.state is State.STATED:
        return review.confirm_fact(store, project_id, stored.id, actor, version)
    if stored.fact.value is None:
        changes.setdefault("value", typed.get("value", ""))
    return review.correct_fact(store, project_id, stored.id, changes, actor, version, typed.get("reason", ""))


def refused_editor(
    language: Language,
    line: FactLine,
    fact: Fact,
    typed: dict[str, str],
    error: InputError | ConflictError,
    *,
    asks: bool,
) -> Editor:
    """The row as it stands now, with what was typed kept and both values named when somebody came first."""
    metric, action = BY_ID[fact.metric], typed.get("action", "")
    if isinstance(error, ConflictError):
        now = " · ".join([line.value, *line.qualifiers])
        yours = typed.get("value", "") if action == "correct" else ""
        return editor_of(
            language, line.anchor, metric, fact, typed, version=line.version, ask_name=asks, notice=error.message,
            now=now, yours=yours, name=typed.get("actor", ""),
        )  # fmt: skip
    only_name = refused(error.problems, "actor") and action not in ("correct", "none")
    return editor_of(
        language, line.anchor, metric, fact, typed, version=number(typed.get("version")),
        ask_name=asks or refused(error.problems, "actor"), problems=error.problems,
        action=action if only_name else "", name=typed.get("actor", ""),
    )  # fmt: skip
