"""Pairs of lines as the comparison and the document show them: what the second line mends, with the availability."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from app.domain.formulas.registry import BY_ID
from app.domain.pair_offer import (
    ACTIVE_ACTIVE,
    ACTIVE_STANDBY,
    COMMON_CAUSE,
    DIVERSE,
    SHARED,
    UNPROVEN,
    joint_inputs,
)
from app.domain.pairs import ASSUMPTION, on_failure, propose
from app.domain.rules import Status
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.report.titles import offer_id
from app.report.working_view import described

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from app.domain.assessment import Assessment
    from app.domain.pairs import Pair

MODE = {
    ACTIVE_ACTIVE: Text("双活，两线同时承载", "active/active, both carry traffic"),
    ACTIVE_STANDBY: Text("主备，一线承载", "active/standby, one carries traffic"),
}
BEATS = Text("优于单条方案", "beats any single offer")
NOT_YET = Text("单条均不通过，组合也须先澄清", "no single offer passes; the pair has open points, too")
NOT_BETTER = Text("不优于单条推荐方案，或须先澄清", "does not beat the recommended single offer, or is still open")
RELATION = {
    UNPROVEN: Text("管道未证实分离", "ducts not proven apart"),
    DIVERSE: Text("管道证实分离", "ducts proven apart"),
    SHARED: Text("同一管道", "one duct"),
}
ONCE_PROVEN = Text("（须证实管道分离）", " (once the ducts are proven apart)")
NO_AVAILABILITY = Text(
    "至少一条未承诺端到端可用性，或统计周期不同，无法合成。",
    "At least one line promises no end-to-end availability, or over another period: they cannot be joined.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairView:
    """One pair. `working` is the joint availability by formula for the ducts as stated, `given` what was put in."""

    name: str
    mode: str
    outcome: str
    relation: str
    diverse: str
    cures: str
    availabilities: tuple[tuple[str, str], ...]
    working: str
    given: str
    cost: str
    failure: str
    beats: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSection:
    """All pairs proposed, what they rest on, and what was left out."""

    pairs: tuple[PairView, ...]
    assumption: str
    remark: str


def _put_in(availabilities: Sequence[float], common_cause: float) -> str:
    """The outages of both put into the joint availability, factor by factor: the sum itself is short."""
    outages = [f"{Decimal(f'{1 - a:.9f}').normalize():f}" for a in availabilities]
    alone = " × ".join(f"(1−{common_cause:g})·{u}" for u in outages)
    return f"1 − [{alone} + {common_cause:g}·{min(outages, key=float)}]"


def _cures(pair: Pair, language: Language) -> Iterator[str]:
    """The gates mended, each once; those that wait for the proof of the ducts say so."""
    still = {c.rule.id for c in pair.judged.checks if c.status in (Status.FAIL, Status.UNKNOWN)}
    for name, title in {c.rule.id: c.rule.title.pick(language) for c in pair.cures}.items():
        yield title + (ONCE_PROVEN.pick(language) if name in still else "")


def _view(pair: Pair, names: Mapping[str, str], rest: Text, language: Language) -> PairView:
    one, two = offers = [m.offer for m in pair.members]
    joined = "、" if language is Language.ZH else ", "
    money, inputs = pair.judged.cost, joint_inputs(one, two, pair.relation)
    found = [(relation, pair.availability(relation)) for relation in COMMON_CAUSE]
    own = pair.availability(pair.relation)
    working, given = NO_AVAILABILITY.pick(language), ""
    if inputs is not None and own is not None:
        line = described(BY_ID["parallel_availability"], inputs, own, language)
        working = f"{line.symbolic} → {_put_in(**inputs)} = {fmt.availability(own, language)}"
        given = line.given
    return PairView(
        name=" + ".join(names[offer_id(o)] for o in offers), mode=MODE[pair.mode].pick(language),
        outcome=pair.judged.outcome.value, diverse=pair.diverse.value, relation=RELATION[pair.relation].pick(language),
        cures=joined.join(_cures(pair, language)),
        availabilities=tuple(
            (RELATION[relation].pick(language), fmt.availability(a, language)) for relation, a in found if a is not None
        ),
        working=working, given=given, cost=fmt.money(money.effective, language, money.currency),
        failure=on_failure(pair).pick(language), beats=(BEATS if pair.beats else rest).pick(language),
    )  # fmt: skip


def pair_section(assessment: Assessment, names: Sequence[str], language: Language) -> PairSection | None:
    """The pairs in words; None when there is none."""
    found = propose(assessment)
    if not found.pairs:
        return None
    named = dict(zip((offer_id(o.offer) for o in assessment.offers), names, strict=True))
    rest = NOT_YET if assessment.recommended is None else NOT_BETTER
    return PairSection(
        pairs=tuple(_view(pair, named, rest, language) for pair in found.pairs),
        assumption=ASSUMPTION.pick(language), remark=found.remark.pick(language) if found.remark else "",
    )  # fmt: skip
