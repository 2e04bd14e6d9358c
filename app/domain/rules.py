"""The shape of a rule and of its verdict. The rules themselves stand in `steps/`, in the order of the framework.

A rule answers pass, fail or unknown with its reason; gates decide the verdict, points and price come after.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any

from app.domain.questions import ask
from app.domain.remarks import tell
from app.domain.terms import Span, term
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.facts import Evidence, Fact, Offer
    from app.domain.lines import Lines
    from app.domain.policy import Policy
    from app.domain.prediction import Reading
    from app.domain.sources import Source
    from app.domain.workload import Workload


class Step(IntEnum):
    """The four steps of the framework."""

    BANDWIDTH = 1
    RED_LINES = 2
    TOPOLOGY = 3
    PLATFORM = 4


class Status(StrEnum):
    """What a check comes to."""

    PASS = "pass"  # noqa: S105 - a word of the contract, not a password
    FAIL = "fail"
    UNKNOWN = "unknown"
    WAIVED = "waived"
    NOT_APPLICABLE = "not_applicable"


class Grade(StrEnum):
    """★ gate, ▲ key, ○ ordinary, – off."""

    GATE = "gate"
    KEY = "key"
    ORDINARY = "ordinary"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Case:
    """One offer before one scenario's lines: everything a rule may look at."""

    offer: Offer
    workload: Workload
    policy: Policy
    lines: Lines
    reading: Reading

    @property
    def scenario(self) -> str:
        """The scenario being judged."""
        return self.lines.scenario

    @property
    def paths(self) -> float | None:
        """Number of paths offered, or None."""
        return term(self.offer, "paths").number


Figure = float | bool | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a rule found: status, the line and the figure held against it, why, and what to ask.

    `margin` is relative: how far the figure is on the good side of the line (negative = beyond it).
    """

    status: Status
    reason: Text
    required: Figure = None
    offered: Figure = None
    margin: float | None = None
    readings: tuple[float, ...] = ()
    facts: tuple[Fact, ...] = ()
    questions: tuple[Text, ...] = ()
    by_vendor: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One check. `grades` by scenario; `grade_when` may raise or drop the grade for a case (None = as in `grades`).

    `formula` names the registered formula behind it, or a symbolic line; `points` (step 4) by scenario.
    """

    id: str
    step: Step
    title: Text
    why: Text
    formula: str
    unit: str
    source: Source
    grades: dict[str, Grade]
    check: Callable[[Case], Finding]
    grade_when: Callable[[Case], Grade | None] | None = None
    points: dict[str, int] = field(default_factory=dict)

    def grade(self, case: Case) -> Grade:
        """The grade for this case: the buyer's policy, else the condition, else the default of the scenario."""
        own = case.policy.grades.get(self.id)
        if own is not None:
            return Grade(own)
        raised = self.grade_when(case) if self.grade_when else None
        return self.grades[case.scenario] if raised is None else raised

    def as_json(self) -> dict[str, Any]:
        """The rule as `linewise rules` prints it."""
        return {
            "id": self.id, "step": int(self.step), "title": self.title.as_json(), "why": self.why.as_json(),
            "formula": self.formula, "unit": self.unit, "source": self.source.as_json(),
            "grades": {k: v.value for k, v in self.grades.items()}, "points": self.points,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One check of one offer in one scenario, final: after soft evidence, doubt and waivers were weighed."""

    rule: Rule
    scenario: str
    grade: Grade
    finding: Finding

    @property
    def status(self) -> Status:
        """The final status."""
        return self.finding.status

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Where every fact behind the verdict stands."""
        return tuple(f.evidence for f in self.finding.facts)

    @property
    def confirmed(self) -> bool | None:
        """True when every fact behind it was confirmed by a person or given as data; None when there is none."""
        facts = self.finding.facts
        return all(f.confirmed_by is not None for f in facts) if facts else None

    def as_json(self) -> dict[str, Any]:
        """The check in the form of the contract."""
        found = self.finding
        return {
            "id": self.rule.id, "step": int(self.rule.step), "grade": self.grade.value, "scenario": self.scenario,
            "status": found.status.value, "required": found.required, "offered": found.offered,
            "unit": self.rule.unit, "margin": found.margin, "readings": list(found.readings),
            "confirmed": self.confirmed, "reason": found.reason.as_json(), "source": self.rule.source.as_json(),
            "formula": self.rule.formula, "evidence": [evidence_json(e) for e in self.evidence],
            "questions": [q.as_json() for q in found.questions],
        }  # fmt: skip


def evidence_json(e: Evidence) -> dict[str, Any]:
    """Evidence in the form of the contract: place, quote and how the words were normalised."""
    told = tell(e.remarks)
    return {
        "file": e.file, "sha256": e.sha256, "page": e.page, "sheet": e.sheet, "cell": e.cell, "table": e.table,
        "row": e.row, "column": e.column, "box": list(e.box) if e.box else None, "path": e.path,
        "quote": e.quote, "label": e.label, "note": told.as_json() if told else None, "reader": e.reader,
    }  # fmt: skip


SOFT_REASON = Text(
    "数值达标，但依据是目标值、设计值、实测值或预算性报价，不足以作为门槛依据，须取得合同承诺。",
    "The figure would pass, but it is a target, design or observed value or stands in a budgetary quote; "
    "a gate needs a contractual promise.",
)
DOUBT_REASON = Text(
    "数值达标，但由程序读取、把握不足且未经人工确认，不能作为门槛依据。",
    "The figure would pass, but it was read by the program with low confidence and nobody has confirmed it.",
)


def judge(rule: Rule, case: Case) -> Verdict:
    """Apply one rule to one case and weigh the evidence (contract, Rules of judgement 5, 6 and 9)."""
    grade = rule.grade(case)
    if grade is Grade.OFF:
        reason = Text("本场景不适用。", "Does not apply in this scenario.")
        return _verdict(rule, case, grade, Finding(status=Status.NOT_APPLICABLE, reason=reason))
    found = rule.check(case)
    if grade is Grade.GATE and found.status is Status.PASS and found.by_vendor:
        found = _weighed(rule, case, found)
    if found.status in (Status.FAIL, Status.UNKNOWN):
        waiver = case.policy.waiver(rule.id, case.offer.vendor, case.offer.product)
        if waiver is not None:
            text = Text(f"由{waiver.by}豁免：{waiver.reason}", f"Waived by {waiver.by}: {waiver.reason}")
            found = replace(found, status=Status.WAIVED, reason=text)
    return _verdict(rule, case, grade, found)


def _verdict(rule: Rule, case: Case, grade: Grade, found: Finding) -> Verdict:
    return Verdict(rule=rule, scenario=case.scenario, grade=grade, finding=found)


def _weighed(rule: Rule, case: Case, found: Finding) -> Finding:
    """A gate is passed only by promises a person stands behind or a reading with confidence."""
    terms = [term(case.offer, f.metric) for f in found.facts]
    budgetary = term(case.offer, "quote_grade").word == "budgetary"
    if budgetary or any(t.soft for t in terms):
        question = ask("validity") if budgetary else ask("commitment")
        return replace(found, status=Status.UNKNOWN, reason=SOFT_REASON, questions=(*found.questions, question))
    if any(t.doubtful for t in terms):
        question = ask("doubtful", what=rule.title)
        return replace(found, status=Status.UNKNOWN, reason=DOUBT_REASON, questions=(*found.questions, question))
    return found


def margin_above(offered: float, required: float) -> float:
    """Relative margin of a figure that must not be below its line."""
    return offered / required - 1 if required else 0.0


def margin_below(offered: float, required: float) -> float:
    """Relative margin of a figure that must not be above its line."""
    return 1 - offered / required if required else -offered


def by_span(span: Span, holds: Callable[[float], bool]) -> Status:
    """Rule 4: both ends hold → pass; both fail → fail; else unknown. An open worst end never passes."""
    if not holds(span.best):
        return Status.FAIL
    if span.worst is None or not holds(span.worst):
        return Status.UNKNOWN
    return Status.PASS


def either_note(span: Span) -> Text | None:
    """Says that a pass holds under every reading, when there were several."""
    if span.worst is None or span.worst == span.best:
        return None
    return Text("（各种读法均成立）", " (holds under every reading)")
