"""Two lines bought together: which pairs would pass where their members do not, and what happens when one fails."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.assessment import PASSING, Outcome, judge_offer
from app.domain.pair_offer import (
    ACTIVE_ACTIVE,
    COMMON_CAUSE,
    DIVERSE,
    MODES,
    UNPROVEN,
    joint,
    joint_availability,
)
from app.domain.rules import Grade, Status
from app.domain.terms import term
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.assessment import Assessment, Judged
    from app.domain.rules import Verdict

# Gates a second line may mend (policy 0.11); bandwidth only where both lines carry traffic.
CURABLE = frozenset({"topology.redundancy", "sla.availability", "sla.repair_time", "sla.failover"})
ADDED_UP = frozenset({"bandwidth.effective", "bandwidth.end_to_end"})
MOST_MEMBERS, MOST_PAIRS = 12, 6
ORDER = (Outcome.RECOMMENDED, Outcome.ELIGIBLE, Outcome.CONDITIONAL, Outcome.REJECTED)
ASSUMPTION = Text(
    "双活按两线带宽相加计，前提是集合通信能把流量分到两条线；往返时延、抖动、丢包取较差一条。",
    "Active/active adds the two rates, which takes a collective that splits its traffic over both; round-trip time, "
    "jitter and loss are those of the worse line.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One proposal: two members, how they work together, and what comes of it.

    `judged` is the pair with its ducts not proven apart, `diverse` the verdict once they are; `cures` are the gates
    of a member that the pair passes; `alone` the utilisation left while either line carries everything; `beats` is
    True when the pair passes and no single offer does, or does for less.
    """

    members: tuple[Judged, Judged]
    mode: str
    judged: Judged
    diverse: Outcome
    availability: float | None
    diverse_availability: float | None
    cures: tuple[Verdict, ...]
    alone: tuple[float | None, float | None]
    beats: bool


def _open(judged: Judged) -> dict[tuple[str, str], Verdict]:
    gates = (c for c in judged.checks if c.grade is Grade.GATE or c.rule.id in CURABLE)
    return {(c.rule.id, c.scenario): c for c in gates if c.status in (Status.FAIL, Status.UNKNOWN)}


def _may_join(judged: Judged) -> bool:
    """Only failures that a pair can mend; what is unknown may still turn out well."""
    failed = {name for (name, _), c in _open(judged).items() if c.status is Status.FAIL and c.grade is Grade.GATE}
    return failed <= CURABLE | ADDED_UP


def _share(judged: Judged) -> float | None:
    central = judged.prediction.central
    return None if central is None else central.utilization


def _pair(assessment: Assessment, one: Judged, two: Judged, mode: str) -> Pair | None:
    a = assessment

    def judge(relation: str) -> Judged:
        return judge_offer(joint(one.offer, two.offer, mode, relation), a.workload, a.policy, a.requirement)

    diverse = judge(DIVERSE)
    before = _open(one) | _open(two)
    after = _open(diverse)
    cures = tuple(c for key, c in before.items() if key not in after)
    if not cures or diverse.outcome is Outcome.REJECTED:
        return None
    best, money = a.recommended, diverse.cost.effective
    rival = None if best is None else best.cost.effective
    beats = rival is None or (money is not None and money < rival)
    if not beats and any(m.outcome in PASSING for m in (one, two)):
        return None  # the passing member alone costs less
    return Pair(
        members=(one, two), mode=mode, judged=judge(UNPROVEN), diverse=diverse.outcome, cures=cures,
        availability=joint_availability(one.offer, two.offer, UNPROVEN),
        diverse_availability=joint_availability(one.offer, two.offer, DIVERSE), alone=(_share(one), _share(two)),
        beats=beats and diverse.outcome in (Outcome.ELIGIBLE, Outcome.RECOMMENDED),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pairs:
    """The proposals, best first, and how many were left out."""

    pairs: tuple[Pair, ...]
    left_out: int


def propose(assessment: Assessment) -> Pairs:
    """Pairs worth a look: the second line must mend something, and nothing else may stand against it."""
    members = [o for o in assessment.offers if _may_join(o)]
    found: list[Pair] = []
    for one, two in itertools.combinations(members[:MOST_MEMBERS], 2):
        made = (_pair(assessment, one, two, mode) for mode in MODES)
        found += [pair for pair in made if pair is not None]

    def key(pair: Pair) -> tuple[int, int, float]:
        cost = pair.judged.cost.effective
        return (
            ORDER.index(pair.diverse),
            ORDER.index(pair.judged.outcome),
            float("inf") if cost is None else float(cost),
        )

    found.sort(key=key)
    skipped = len(members) - len(members[:MOST_MEMBERS])
    return Pairs(tuple(found[:MOST_PAIRS]), max(0, len(found) - MOST_PAIRS) + skipped)


UNTOLD = Text(
    "余下一条线承载全部流量，利用率无法计算。", "The other line carries everything; its utilisation cannot be told."
)
LESS = Text(
    "余下一条线承载全部流量，利用率降到 {low:.3g} %（较差一条）。",
    "The other line carries everything; utilisation falls to {low:.3g}% on the worse one.",
)
UNSAID = Text(
    "倒换时间未写明：超过传输协议的容忍时间任务就要重启。",
    "The switchover time is not stated; beyond what the transport tolerates the job restarts.",
)
STALLS = Text("倒换 {t:.3g} s，任务停顿后继续。", "A switchover of {t:.3g} s stalls the job, which then goes on.")
RESTARTS = Text("倒换 {t:.3g} s，超过容忍时间，任务要重启。", "A switchover of {t:.3g} s is too long: a restart.")


def on_failure(pair: Pair, tolerance: float = p.FAILOVER_RDMA.value) -> Text:
    """What the job does when one of the two lines fails."""
    if pair.mode == ACTIVE_ACTIVE:
        shares = [s for s in pair.alone if s is not None]
        return LESS.format(low=min(shares) * 100) if shares else UNTOLD
    times = [term(m.offer, "failover_time").number for m in pair.members]
    if any(t is None for t in times):
        return UNSAID
    slowest = max(t or 0.0 for t in times)
    return (STALLS if slowest <= tolerance else RESTARTS).format(t=slowest)


def _pair_json(pair: Pair) -> Iterator[tuple[str, Any]]:
    yield "members", [{"vendor": m.offer.vendor, "product": m.offer.product} for m in pair.members]
    yield "mode", pair.mode
    yield "verdict", pair.judged.outcome.value
    yield "verdict_if_diverse", pair.diverse.value
    yield "cures", [c.rule.id for c in pair.cures]
    yield "availability", {"unproven": pair.availability, "diverse": pair.diverse_availability}
    yield "common_cause", {name: COMMON_CAUSE[name] for name in (UNPROVEN, DIVERSE)}
    yield "utilization", _share(pair.judged)
    yield "utilization_one_line", list(pair.alone)
    yield "cost", pair.judged.cost.as_json()
    yield "beats_recommended", pair.beats
    yield "questions", [q.as_json() for q in pair.judged.questions]
    yield "on_failure", on_failure(pair).as_json()


def as_json(found: Pairs) -> dict[str, Any]:
    """The proposals as the command line and the API carry them beside the offers."""
    return {
        "pairs": [dict(_pair_json(pair)) for pair in found.pairs], "pairs_left_out": found.left_out,
        "pairs_assumption": ASSUMPTION.as_json(),
    }  # fmt: skip
