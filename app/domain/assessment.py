"""The assessment: every offer through the four steps, then cost among those that pass, then the rank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.canonical import content_sha256
from app.domain.cost import Cost, cost
from app.domain.offers import offer_as_json, repeated
from app.domain.plausibility import Doubt, plausibility
from app.domain.points import Score, score
from app.domain.prediction import Prediction, Reading, predict
from app.domain.problems import InputError, Problem
from app.domain.questions import ask
from app.domain.requirement import Requirement, derive
from app.domain.rulebook import RULEBOOK, RULEBOOK_VERSION
from app.domain.rules import Case, Grade, Status, Step, Verdict, judge
from app.domain.terms import term
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.facts import Offer
    from app.domain.policy import Policy
    from app.domain.workload import Workload

POINT_DIGITS = 6


class Outcome(StrEnum):
    """What the board is told of one offer."""

    RECOMMENDED = "recommended"
    ELIGIBLE = "eligible"
    CONDITIONAL = "conditional"
    REJECTED = "rejected"


PASSING = (Outcome.ELIGIBLE, Outcome.RECOMMENDED)


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step of one offer: its status; step 4 also has points earned, points open, and the most there are."""

    step: Step
    status: Status
    points: int | None = None
    points_open: int | None = None
    points_max: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The step in the form of the contract."""
        out: dict[str, Any] = {"step": int(self.step), "status": self.status.value}
        if self.points is not None:
            out["points"] = {"earned": self.points, "open": self.points_open, "maximum": self.points_max}
        return out


@dataclass(frozen=True, kw_only=True)
class Judged:
    """One offer, judged: verdict, rank, steps, checks, prediction, cost, questions and reasons."""

    offer: Offer
    outcome: Outcome
    rank: int | None
    steps: tuple[StepResult, ...]
    checks: tuple[Verdict, ...]
    predictions: tuple[Prediction, ...]
    cost: Cost
    questions: tuple[Text, ...]
    reasons: tuple[Text, ...]
    doubts: tuple[Doubt, ...] = ()
    score: Score | None = None

    @property
    def prediction(self) -> Prediction:
        """The prediction of the main scenario."""
        return self.predictions[0]

    @property
    def name(self) -> str:
        """Vendor and product in one line."""
        return " / ".join(part for part in self.offer.key if part)

    def as_json(self) -> dict[str, Any]:
        """The offer in the form of the contract."""
        prediction = self.prediction.as_json()
        if len(self.predictions) > 1:
            prediction["scenarios"] = {q.scenario: q.as_json() for q in self.predictions}
        return {
            "vendor": self.offer.vendor, "product": self.offer.product, "verdict": self.outcome.value,
            "rank": self.rank, "score": self.score.as_json() if self.score else None,
            "steps": [s.as_json() for s in self.steps],
            "checks": [c.as_json() for c in self.checks], "prediction": prediction, "cost": self.cost.as_json(),
            "questions": [q.as_json() for q in self.questions], "reasons": [r.as_json() for r in self.reasons],
            "plausibility": [d.as_json() for d in self.doubts],
        }  # fmt: skip


@dataclass(frozen=True)
class Assessment:
    """Everything the page, the PDF, the command line and the API show; recomputable from its inputs for ever."""

    workload: Workload
    policy: Policy
    requirement: Requirement
    offers: tuple[Judged, ...]

    @property
    def recommended_index(self) -> int | None:
        """Place of the recommended offer in `offers`, or None."""
        return next((i for i, o in enumerate(self.offers) if o.outcome is Outcome.RECOMMENDED), None)

    @property
    def recommended(self) -> Judged | None:
        """The recommended offer, or None."""
        index = self.recommended_index
        return None if index is None else self.offers[index]

    @cached_property
    def results(self) -> dict[str, Any]:
        """Results without the hash, in the form of the contract."""
        best = self.recommended
        return {
            "requirement": self.requirement.as_json(),
            "offers": [o.as_json() for o in self.offers],
            "recommended": best.offer.vendor if best else None,
            "recommended_product": best.offer.product if best else None,
            "recommended_index": self.recommended_index,
            "rulebook_version": RULEBOOK_VERSION,
        }

    @cached_property
    def content_sha256(self) -> str:
        """Hash over workload, offers, policy, rule book version and results: no times, no paths."""
        return content_sha256(
            {
                "workload": self.workload.as_json(),
                "offers": [offer_as_json(o.offer) for o in self.offers],
                "policy": self.policy.as_json(),
                "rulebook_version": RULEBOOK_VERSION,
                "results": _without_places(self.results),
            }
        )

    def as_json(self) -> dict[str, Any]:
        """The assessment in the form of the contract."""
        return {**self.results, "content_sha256": self.content_sha256}


def _without_places(results: dict[str, Any]) -> dict[str, Any]:
    """The results without what depends on how the input came: the name of a file, the path in a JSON document."""
    bare = {"file": None, "path": None, "reader": None}
    offers = [
        offer | {"checks": [c | {"evidence": [e | bare for e in c["evidence"]]} for c in offer["checks"]]}
        for offer in results["offers"]
    ]
    return results | {"offers": offers}


def assess(workload: Workload, offers: Sequence[Offer], policy: Policy) -> Assessment:
    """Judge every offer against one requirement. Raises `InputError` for no offers or one given twice."""
    problems = repeated(list(offers))
    if not offers:
        problems.append(
            Problem(
                "NO_OFFERS",
                "offers",
                Text(
                    "没有可评审的报价，请上传资料或录入报价。",
                    "There is no offer to assess; upload a sheet or type one in.",
                ),
            )
        )
    if problems:
        raise InputError(problems)
    requirement = derive(workload, policy)
    judged = [judge_offer(offer, workload, policy, requirement) for offer in offers]
    return Assessment(workload, policy, requirement, tuple(ranked(judged)))


def judge_offer(offer: Offer, workload: Workload, policy: Policy, requirement: Requirement) -> Judged:
    """One offer through the four steps, with its prediction and cost; its rank waits for the others."""
    checks: list[Verdict] = []
    predictions: list[Prediction] = []
    cases: list[Case] = []
    for lines in requirement.lines:
        reading = Reading(offer, workload, lines)
        case = Case(offer, workload, policy, lines, reading)
        cases.append(case)
        checks += [judge(rule, case) for rule in RULEBOOK]
        predictions.append(predict(reading))
    steps = tuple(_step(step, checks) for step in Step)
    money = cost(cases[0], predictions[0])
    outcome, reasons = _outcome(offer, policy, steps, checks, money)
    doubts = plausibility(cases[0])
    questions = _questions(offer, policy, checks, money, doubts)
    return Judged(
        offer=offer, outcome=outcome, rank=None, steps=steps, checks=tuple(checks), predictions=tuple(predictions),
        cost=money.with_compared(outcome is Outcome.ELIGIBLE), questions=questions, reasons=reasons, doubts=doubts,
        score=None if outcome is Outcome.REJECTED else score(cases[0], checks, predictions[0], money),
    )  # fmt: skip


def _step(step: Step, checks: list[Verdict]) -> StepResult:
    """A step passes when its gates pass; step 4 also needs its share of the points."""
    mine = [c for c in checks if c.rule.step is step]
    gates = [c.status for c in mine if c.grade is Grade.GATE]
    status = _worst(gates)
    if step is not Step.PLATFORM:
        return StepResult(step, status)
    counted = [c for c in mine if c.status is not Status.NOT_APPLICABLE]
    total = sum(c.rule.points[c.scenario] for c in counted)
    earned = sum(c.rule.points[c.scenario] for c in counted if c.status in (Status.PASS, Status.WAIVED))
    still_open = sum(c.rule.points[c.scenario] for c in counted if c.status is Status.UNKNOWN)
    need = p.PLATFORM_SHARE.value * total
    points = Status.PASS if earned >= need else Status.UNKNOWN if earned + still_open >= need else Status.FAIL
    return StepResult(step, _worst([status, points]), earned, still_open, total)


def _worst(statuses: Sequence[Status]) -> Status:
    if Status.FAIL in statuses:
        return Status.FAIL
    return Status.UNKNOWN if Status.UNKNOWN in statuses else Status.PASS


def _outcome(
    offer: Offer, policy: Policy, steps: tuple[StepResult, ...], checks: list[Verdict], money: Cost
) -> tuple[Outcome, tuple[Text, ...]]:
    """Rule 6: a gate fails → rejected; else a gate unknown, an expired or a budgetary quote → conditional."""
    gates = [c for c in checks if c.grade is Grade.GATE]
    failed = [_named(c) for c in gates if c.status is Status.FAIL]
    unclear = [_named(c) for c in gates if c.status is Status.UNKNOWN]
    last = steps[-1]
    if last.status is not Status.PASS and last.points is not None and last.points_max:
        short = Text(
            "平台能力得 {earned} 分，满分 {total}，须得 60 %。",
            "Platform earns {earned} of {total} points; 60 % is needed.",
        ).format(earned=last.points, total=last.points_max)
        low = last.points < p.PLATFORM_SHARE.value * last.points_max
        lost = last.points + (last.points_open or 0) < p.PLATFORM_SHARE.value * last.points_max
        if lost:
            failed.append(short)
        elif low:
            unclear.append(short)
    ceiling = policy.price_ceiling
    if ceiling is not None and money.effective is not None and float(money.effective) > ceiling:
        failed.append(Text("有效月成本高于最高限价。", "The effective monthly cost is above the price ceiling."))
    if failed:
        return Outcome.REJECTED, tuple(failed)
    unclear += _quote_doubts(offer, policy)
    return (Outcome.CONDITIONAL, tuple(unclear)) if unclear else (Outcome.ELIGIBLE, ())


def _named(check: Verdict) -> Text:
    title, reason = check.rule.title, check.finding.reason
    return Text(f"{title.zh}：{reason.zh}", f"{title.en}: {reason.en}")


def _quote_doubts(offer: Offer, policy: Policy) -> list[Text]:
    doubts = []
    if term(offer, "quote_grade").word == "budgetary":
        doubts.append(Text("报价为预算性，须取得可签约报价。", "The quote is budgetary; a firm one is needed."))
    until = term(offer, "quote_valid_until").word
    if until and policy.evaluation_date is not None and date.fromisoformat(until) < policy.evaluation_date:
        doubts.append(
            Text("报价已于 {day} 过期，须续期。", "The quote expired on {day}; it must be renewed.").format(day=until)
        )
    return doubts


def _questions(
    offer: Offer, policy: Policy, checks: list[Verdict], money: Cost, doubts: tuple[Doubt, ...]
) -> tuple[Text, ...]:
    """Every question once, gates first, then what is hard to believe."""
    found: list[Text] = []
    for wanted in (Grade.GATE, Grade.KEY, Grade.ORDINARY):
        for check in checks:
            if check.grade is wanted:
                found += check.finding.questions
    found += [d.question for d in doubts]
    found += money.questions
    firmness = [term(offer, name) for name in ("quote_grade", "quote_valid_until")]
    if any(t.word is None for t in firmness) or firmness[0].word == "budgetary":
        found.append(ask("validity"))
    if term(offer, "delivery").number is None:
        found.append(ask("delivery"))
    if firmness[1].word is not None and policy.evaluation_date is None:
        found.append(ask("evaluation_date", until=firmness[1].word))
    return tuple(dict.fromkeys(found))


def ranked(judged: list[Judged]) -> list[Judged]:
    """Rule 8: eligible offers by weighted points, if any, then effective monthly cost, utilisation and name.

    Points that are equal but for rounding are a tie, which cost decides. The input order is kept.
    """

    def key(j: Judged) -> tuple[float, float, float, str, str]:
        central = j.prediction.central
        use = central.utilization if central is not None and central.utilization is not None else 0.0
        points = round(j.score.low, POINT_DIGITS) if j.score is not None else 0.0
        return (-points, float(j.cost.effective or 0), -use, *j.offer.key)

    comparable = sorted((j for j in judged if j.cost.compared), key=key)
    places = {id(j): n for n, j in enumerate(comparable, start=1)}
    out: list[Judged] = []
    for j in judged:
        place = places.get(id(j))
        first = place == 1
        passed = Outcome.ELIGIBLE if j.outcome is Outcome.RECOMMENDED else j.outcome
        out.append(replace(j, rank=place, outcome=Outcome.RECOMMENDED if first else passed))
    return out
