"""The form of a workload: its groups, what was typed, what it asks of a line so far. No routes here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Request
from starlette.datastructures import FormData

from app.domain.fields import Kind
from app.domain.policy import Policy, parse_policy
from app.domain.presets import BY_ID, PRESETS
from app.domain.problems import InputError, Problem
from app.domain.requirement import derive
from app.domain.text import Text
from app.domain.workload import NEEDS, parse_workload
from app.domain.workload_fields import (
    BULK_FIELDS,
    FABRIC_FIELDS,
    GPU_FIELDS,
    GROUPS,
    INFERENCE_FIELDS,
    NETWORK_FIELDS,
    SCENARIOS,
    TOP_FIELDS,
    TRAINING_FIELDS,
)
from app.presentation import format as fmt
from app.report.requirement_view import RequirementView, requirement_view
from app.services.workload import differences
from app.web import paths
from app.web.forms import FormState, read_section, write_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from app.domain.fields import Field
    from app.domain.text import Language
    from app.store.errors import ConflictError
    from app.store.records import ProjectRecord
    from app.web.forms import Submitted

PLACES: dict[str, tuple[Field, ...]] = {
    "": TOP_FIELDS,
    "training": TRAINING_FIELDS,
    "training.gpu": GPU_FIELDS,
    "inference": INFERENCE_FIELDS,
    "bulk": BULK_FIELDS,
    "network": NETWORK_FIELDS,
    "fabric": FABRIC_FIELDS,
}
FIELDS: dict[str, Field] = {
    FormState.name_of(field, place): field for place, fields in PLACES.items() for field in fields
}
FIRST_PRESETS = ("7b_article", "175b_data", "175b_pipeline", "remote_inference")
DEFAULT_SCENARIO = "training"
_SHOWN_DIFFERENCES = 12
_VERSION_DIGITS = 9


async def _form(request: Request) -> FormData:
    return await request.form()


FormDep = Annotated[FormData, Depends(_form)]


# ---- JSON and form


def read_workload(form: Submitted) -> tuple[dict[str, Any], FormState]:
    """Contract JSON of what was sent, with the sections its scenario needs, and the form as typed."""
    read = {place: read_section(form, fields, place) for place, fields in PLACES.items()}
    state = FormState()
    for _, part in read.values():
        state = state.merged(part)
    raw = dict(read[""][0])
    for name in NEEDS.get(str(raw.get("scenario")), ()):
        raw[name] = read[name][0]
    if "training" in raw:
        raw["training"] = raw["training"] | {"gpu": read["training.gpu"][0]}
    return raw | {"network": read["network"][0], "fabric": read["fabric"][0]}, state


def state_of(raw: Mapping[str, Any] | None) -> FormState:
    """The form of a stored workload, of a preset, or of nothing; several-choice fields show their default."""
    state = FormState()
    for place, fields in PLACES.items():
        part: Any = raw or {}
        for key in place.split(".") if place else ():
            part = part.get(key) if isinstance(part, dict) else None
        state = state.merged(FormState.from_json(fields, part if isinstance(part, dict) else None, place))
    values = {
        name: write_value(field, field.default)
        for name, field in FIELDS.items()
        if field.kind is Kind.CHOICES and not state.value(name)
    }
    return replace(state, values=state.values | values)


def with_places(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Sentences on a field the form does not have name it by its place in the JSON."""
    return tuple(
        Problem(p.code, p.place, Text(f"「{p.place}」{p.message.zh}", f"“{p.place}”: {p.message.en}"))
        if p.code == "UNKNOWN_FIELD"
        else p
        for p in problems
    )


def stored(project: ProjectRecord) -> dict[str, Any]:
    """The stored workload; `InputError` says what to do when there is none yet."""
    if project.workload is None:
        message = Text("请先填写工作负载。", "Describe the workload first.")
        raise InputError([Problem("NO_WORKLOAD", "workload", message)])
    return dict(project.workload)


def preset_json(preset_id: str, language: Language) -> dict[str, Any] | None:
    """The workload of a preset, named in the language of the page; None for an unknown id."""
    preset = BY_ID.get(preset_id)
    return None if preset is None else preset.workload | {"name": preset.title.pick(language)}


def filled(state: FormState, given: Iterable[tuple[str, str]]) -> tuple[FormState, bool]:
    """The form with fields filled from the address (`training.crossing=pipeline`), and whether there were any."""
    values = {name: value for name, value in given if name in FIELDS}
    return replace(state, values=state.values | values), bool(values)


def corrected(state: FormState, problems: Sequence[Problem]) -> FormState:
    """The form with the problems of the core; a figure that could not be read is not also called missing."""
    return state.with_problems(p for p in problems if not (p.code == "MISSING" and p.place in state.problems))


def refuse_unread(state: FormState, problems: Sequence[Problem] = ()) -> None:
    """Raises `InputError` when something typed could not be read; its own problem stands in the state."""
    if state.faulty:
        raise InputError(problems)


def check(raw: object, policy: object, state: FormState) -> None:
    """Raises `InputError` unless everything could be read and a requirement can be derived."""
    refuse_unread(state, problems_of(raw))
    derive(parse_workload(raw), parse_policy(policy))


def problems_of(raw: object) -> tuple[Problem, ...]:
    """What the core says against a workload."""
    try:
        parse_workload(raw)
    except InputError as error:
        return error.problems
    return ()


def version_of(form: FormData) -> int:
    """The version the form was drawn from; anything else is a version that never was."""
    text = str(form.get("version", ""))
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _VERSION_DIGITS else 0


# ---- what the page shows


@dataclass(frozen=True, slots=True)
class Group:
    """One group of fields; `active` False: it belongs to another scenario, stays hidden and is sent all the same."""

    title: Text
    place: str
    fields: tuple[Field, ...]
    active: bool

    @property
    def folded(self) -> bool:
        """Whether the whole group is for experts and starts folded."""
        return all(field.advanced for field in self.fields)


@dataclass(frozen=True, slots=True)
class PresetCard:
    """A ready workload with what it asks of a line."""

    title: Text
    figures: str
    href: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What the form asks of a line so far: the requirement, or what stands in its way."""

    requirement: RequirementView | None
    missing: tuple[Text, ...] = ()
    problems: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody saved meanwhile: the sentence, and each field as it is now and as typed here."""

    message: Text
    rows: tuple[tuple[Text, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadView:
    """The workload page."""

    project: ProjectRecord
    base: str
    rules: str
    scenario: str
    state: FormState
    groups: tuple[Group, ...]
    preview: Preview
    first: tuple[PresetCard, ...]
    others: tuple[PresetCard, ...]
    conflict: Conflict | None
    unsaved: bool
    pasted: str
    top: tuple[Field, ...] = tuple(
        replace(f, example="") if f.kind is Kind.TEXT else f for f in TOP_FIELDS if f.name != "scenario"
    )
    scenarios: tuple[tuple[str, Text], ...] = tuple((c.code, c.label) for c in SCENARIOS)


def workload_view(
    project: ProjectRecord,
    state: FormState,
    language: Language,
    *,
    conflict: Conflict | None = None,
    unsaved: bool = False,
    pasted: str = "",
) -> WorkloadView:
    """The page for a form in any state."""
    base = paths.project(project.id, "workload")
    scenario = state.value("scenario")
    scenario = scenario if scenario in NEEDS else DEFAULT_SCENARIO
    state = replace(state, values=state.values | {"scenario": scenario})
    cards = {preset.id: _card(preset.id, language, base) for preset in PRESETS}
    return WorkloadView(
        project=project,
        base=base,
        rules=paths.project(project.id, "rules"),
        scenario=scenario,
        state=state,
        groups=_groups(scenario),
        preview=preview_of(project, state, language),
        first=tuple(cards.pop(name) for name in FIRST_PRESETS),
        others=tuple(cards.values()),
        conflict=conflict,
        unsaved=unsaved,
        pasted=pasted,
    )


def _groups(scenario: str) -> tuple[Group, ...]:
    """Groups in the order of `GROUPS`; those of other scenarios are there, hidden."""
    needed = (*NEEDS[scenario], "network", "fabric")
    found = [
        Group(GROUPS[name], place, group, place.partition(".")[0] in needed)
        for name in GROUPS
        for place, fields in PLACES.items()
        if (group := tuple(f for f in fields if f.group == name))
    ]
    return tuple(found)


@cache
def _figures(preset_id: str, language: Language) -> str:
    workload = parse_workload(BY_ID[preset_id].workload)
    floor = derive(workload, Policy()).main.floor
    parts = [
        "" if workload.distance_km is None else fmt.figure(workload.distance_km, language, "km"),
        "" if workload.training is None else fmt.figure(workload.training.gpus, language, "GPU"),
        Text("下限 {rate}", "floor {rate}").format(rate=fmt.rate(floor, language)).pick(language),
    ]
    return " · ".join(part for part in parts if part)


def _card(preset_id: str, language: Language, base: str) -> PresetCard:
    return PresetCard(BY_ID[preset_id].title, _figures(preset_id, language), f"{base}?preset={preset_id}")


class _Typed:
    """A form state as if it were sent again."""

    def __init__(self, state: FormState) -> None:
        self.state = state

    def keys(self) -> Iterable[str]:
        """The names of the form."""
        return self.state.values.keys()

    def getlist(self, key: str) -> Sequence[str]:
        """What stands in one input."""
        several = key in FIELDS and FIELDS[key].kind is Kind.CHOICES
        return self.state.chosen(key) if several else (self.state.value(key),)


def preview_of(project: ProjectRecord, state: FormState, language: Language) -> Preview:
    """Derive the requirement of the form as it stands; nothing is stored."""
    raw, read = read_workload(_Typed(state))
    problems: tuple[Problem, ...] = ()
    try:
        workload, policy = parse_workload(raw), parse_policy(project.policy)
        requirement = derive(workload, policy)
    except InputError as error:
        problems = error.problems
    if problems or read.faulty:
        unread = read.problems
        missing = [p for p in problems if p.code == "MISSING" and p.place not in unread]
        others = [p.message for p in problems if p.code != "MISSING" and p.place not in unread]
        return Preview(
            None,
            tuple(FIELDS[p.place].title if p.place in FIELDS else p.message for p in missing),
            tuple(dict.fromkeys([text for texts in unread.values() for text in texts] + others)),
        )
    base, form = paths.project(project.id, "requirement"), paths.project(project.id, "workload")
    return Preview(requirement_view(workload, policy, requirement, language, base, form))


def conflict_of(error: ConflictError, now: ProjectRecord, raw: object) -> Conflict:
    """What the other person left in the fields that differ from what was typed here."""
    mine = parse_workload(raw).as_json()
    stored, typed = state_of(now.workload), state_of(mine)
    names = [path.removeprefix("workload.") for path, _, _ in differences(now.workload, mine, "workload")]
    rows = [
        (FIELDS[name].title, stored.value(name) or "–", typed.value(name) or "–") for name in names if name in FIELDS
    ]
    return Conflict(error.message, tuple(rows[:_SHOWN_DIFFERENCES]))
