"""The rules of an evaluation as a form: each field with its default, range and source. No routes here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.policy import POLICY_FIELDS
from app.domain.text import Text
from app.presentation import format as fmt
from app.web import paths
from app.web.forms import FormState, read_section

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.fields import Field
    from app.domain.text import Language
    from app.store.records import ProjectRecord
    from app.web.forms import Submitted

PLACE = "policy"
_GROUPS: tuple[tuple[Text, tuple[str, ...]], ...] = (
    (Text("怎样排名", "How offers rank"), ("preset",)),
    (Text("带宽与红线", "Bandwidth and red lines"), ("reserve", "availability_floor", "route_factor")),
    (
        Text("成本比较", "Cost"),
        ("horizon_months", "evaluation_date", "price_ceiling", "deductible_tax", "hours_per_month", "duty"),
    ),
    (
        Text("文章口径（仅并列显示）", "The article's way, shown beside ours"),
        ("article_efficiency", "article_gradient_bytes"),
    ),
)
NEEDS_CEILING = Text(
    "按得分排名须填最高限价，否则价格计 0 分。", "Points need a price ceiling; without it price earns 0."
)
OWN_WEIGHTS = Text(
    "另有 {n} 项权重由 JSON 设定，本页保存时不改。",
    "Weights set by JSON: {n}; saving this page leaves them as they are.",
)
FIELDS: dict[str, Field] = {field.name: field for field in POLICY_FIELDS}
USED: tuple[Field, ...] = tuple(FIELDS[name] for _, names in _GROUPS for name in names)


@dataclass(frozen=True, slots=True)
class RuleField:
    """A field with the line under it: default, range, source."""

    field: Field
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesView:
    """The page of the rules; `changed` counts the fields that differ from their default."""

    project: ProjectRecord
    base: str
    back: str
    state: FormState
    groups: tuple[tuple[Text, tuple[RuleField, ...]], ...]
    changed: int
    conflict: Text | None = None


def read_rules(form: Submitted, stored: Mapping[str, Any]) -> tuple[dict[str, Any], FormState]:
    """The policy with the fields of the form taken over; grades, rates, weights and waivers stay."""
    raw, state = read_section(form, USED, PLACE)
    return dict(stored) | raw, state


def rules_view(
    project: ProjectRecord, language: Language, state: FormState | None = None, conflict: Text | None = None
) -> RulesView:
    """The page for the stored policy, or for a form as typed."""
    stored = project.policy
    return RulesView(
        project=project,
        base=paths.project(project.id, "rules"),
        back=paths.project(project.id, "workload"),
        state=state or FormState.from_json(USED, stored, PLACE),
        groups=tuple(
            (title, tuple(RuleField(FIELDS[name], _note(FIELDS[name], stored, language)) for name in names))
            for title, names in _GROUPS
        ),
        changed=sum(1 for field in USED if stored.get(field.name) not in (field.default, None)),
        conflict=conflict,
    )


def _note(field: Field, stored: Mapping[str, Any], language: Language) -> str:
    if field.name == "preset":
        own = len(stored.get("weights") or ())
        return OWN_WEIGHTS.format(n=own).pick(language) if own else NEEDS_CEILING.pick(language)
    if field.name == "availability_floor":
        text = Text(
            "默认：训练 {t}，{n} GPU 起 {g}，推理 {i}，搬运 {b}",
            "Default: training {t}, from {n} GPUs {g}, inference {i}, bulk {b}",
        )
        shown = {
            name: fmt.availability(parameter.value, language)
            for name, parameter in (
                ("t", p.AVAILABILITY_TRAINING),
                ("g", p.AVAILABILITY_LARGE),
                ("i", p.AVAILABILITY_INFERENCE),
                ("b", p.AVAILABILITY_BULK),
            )
        }
        count = fmt.figure(int(p.LARGE_CLUSTER.value), language)
        sources = " · ".join(
            dict.fromkeys(x.source.title.pick(language) for x in (p.AVAILABILITY_TRAINING, p.AVAILABILITY_BULK))
        )
        return f"{text.format(n=count, **shown).pick(language)} · {sources}"
    parameter = p.BY_ID.get(field.name)
    if parameter is None:
        return ""
    unit = Text("个月", "months").pick(language) if parameter.unit == "month" else parameter.unit
    unit = "" if unit == "1" else unit
    default = fmt.figure(parameter.value, language, unit)
    span = fmt.figure_range(parameter.low, parameter.high, language, unit)
    words = Text("默认 {d} · 可取 {s} · 来源：{source}", "Default {d} · range {s} · source: {source}")
    return words.format(d=default, s=span, source=parameter.source.title).pick(language)
