"""Two lines bought together: which pairs would pass where their members do not, and what happens when one fails."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.assessment import PASSING, Outcome, judge_offer
from app.domain.pair_offer import (
    ACTIVE_ACTIVE,
    COMMON_CAUSE,
    DIVERSE,
    MODES,
    joint,
    joint_availability,
    stated_relation,
)
from app.domain.rules import Grade, Status
from app.domain.terms import term
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.assessment import Assessment, Judged
    from app.domain.prediction import Outcome as Ends
    from app.domain.rules import Verdict

# Gates a second line may mend (policy 0.11); bandwidth only where both lines carry traffic.
CURABLE = frozenset({"topology.redundancy", "sla.availability", "sla.repair_time", "sla.failover"})
ADDED_UP = frozenset({"bandwidth.effective", "bandwidth.end_to_end"})
MOST_MEMBERS, MOST_PAIRS = 8, 6
GIGA, MILLI = 1e9, 1e-3
ORDER = (Outcome.RECOMMENDED, Outcome.ELIGIBLE, Outcome.CONDITIONAL, Outcome.REJECTED)
ASSUMPTION = Text(
    "双活按两线带宽相加计，前提是集合通信能把流量分到两条线；主备只计较小一条。往返时延、抖动、丢包取较差一条；"
    "恢复时限取较快一条（两线同时中断才算中断，任一线恢复即结束）；费用相加，条款不一致的须先问清。",
    "Active/active adds the two rates, which takes a collective that splits its traffic over both; active/standby "
    "counts the lesser. Round-trip time, jitter and loss are those of the worse line; restoration that of the sooner "
    "one (the pair is out only while both are). Charges add up; terms that differ have to be asked about first.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One proposal: two members, how they work together, and what comes of it.

    `judged` is the pair with its ducts as stated (`relation`), `diverse` the verdict once they are proven apart;
    `cures` are the gates of a member that the pair then passes; `beats` is True when the pair passes and no single
    offer does, or does for less.
    """

    members: tuple[Judged, Judged]
    mode: str
    relation: str
    judged: Judged
    diverse: Outcome
    cures: tuple[Verdict, ...]
    beats: bool
    floor: float | None

    def availability(self, relation: str) -> float | None:
        """Joint availability with the ducts so related; None while a promise is missing."""
        one, two = (m.offer for m in self.members)
        return joint_availability(one, two, relation)

    @property
    def alone(self) -> tuple[Ends | None, ...]:
        """What the job gets while either member carries everything; None without a prediction."""
        return tuple(m.prediction.central for m in self.members)


def _open(judged: Judged) -> dict[tuple[str, str], Verdict]:
    gates = (c for c in judged.checks if c.grade is Grade.GATE or c.rule.id in CURABLE)
    return {(c.rule.id, c.scenario): c for c in gates if c.status in (Status.FAIL, Status.UNKNOWN)}


def _may_join(judged: Judged) -> bool:
    """Only failures that a pair can mend; what is unknown may still turn out well."""
    failed = {name for (name, _), c in _open(judged).items() if c.status is Status.FAIL and c.grade is Grade.GATE}
    return failed <= CURABLE | ADDED_UP


def _modes(one: Judged, two: Judged) -> tuple[str, ...]:
    """The ways of working together worth judging: a line that is too narrow alone is too narrow as a standby."""
    narrow = any(c.status is Status.FAIL and c.rule.id in ADDED_UP for m in (one, two) for c in m.checks)
    return (ACTIVE_ACTIVE,) if narrow else MODES


def _share(ends: Ends | None) -> float | None:
    return None if ends is None else ends.utilization


def _pair(assessment: Assessment, one: Judged, two: Judged, mode: str) -> Pair | None:
    a = assessment

    def judge(relation: str) -> Judged:
        return judge_offer(joint(one.offer, two.offer, mode, relation), a.workload, a.policy, a.requirement)

    before = _open(one) | _open(two)
    if not before:
        return None  # nothing to mend
    diverse = judge(DIVERSE)
    after = _open(diverse)
    cures = tuple(c for key, c in before.items() if key not in after)
    if not cures or diverse.outcome is Outcome.REJECTED:
        return None
    best, money = a.recommended, diverse.cost.effective
    rival = None if best is None else best.cost.effective
    beats = rival is None or (money is not None and money < rival)
    if not beats and any(m.outcome in PASSING for m in (one, two)):
        return None  # the passing member alone costs less
    relation = stated_relation(one.offer, two.offer)
    return Pair(
        members=(one, two), mode=mode, relation=relation, diverse=diverse.outcome, cures=cures,
        judged=diverse if relation == DIVERSE else judge(relation), beats=beats and diverse.outcome in PASSING,
        floor=a.requirement.main.floor,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pairs:
    """The proposals, best first; how many more there are, and how many offers were not combined at all."""

    pairs: tuple[Pair, ...]
    left_out: int
    skipped: int

    @property
    def remark(self) -> Text | None:
        """What is not shown, in words."""
        if not (self.left_out or self.skipped):
            return None
        return REMARK.format(shown=len(self.pairs), left=self.left_out, most=MOST_MEMBERS, skipped=self.skipped)


REMARK = Text(
    "只列出最好的 {shown} 组，另有 {left} 组未列；最多取缺项最少的 {most} 份报价两两组合，{skipped} 份未参与。",
    "The best {shown} are shown, {left} more are not; at most the {most} offers that lack least are combined, "
    "{skipped} were not.",
)


def _money(judged: Judged) -> float:
    cost = judged.cost.effective
    return float("inf") if cost is None else float(cost)


def propose(assessment: Assessment) -> Pairs:
    """Pairs worth a look: the second line must mend something, and nothing else may stand against it."""
    members = sorted((o for o in assessment.offers if _may_join(o)), key=lambda o: (len(_open(o)), _money(o)))
    tried = {id(o) for o in members[:MOST_MEMBERS]}
    found: list[Pair] = []
    for one, two in itertools.combinations((o for o in assessment.offers if id(o) in tried), 2):
        made = (_pair(assessment, one, two, mode) for mode in _modes(one, two))
        found += [pair for pair in made if pair is not None]
    found.sort(key=lambda q: (ORDER.index(q.diverse), ORDER.index(q.judged.outcome), _money(q.judged)))
    return Pairs(tuple(found[:MOST_PAIRS]), max(0, len(found) - MOST_PAIRS), len(members) - len(tried))


UNTOLD = Text(
    "余下一条线承载全部流量，有效带宽缺数据，无法计算。",
    "The other line carries everything; a figure is missing, so its effective rate cannot be told.",
)
RATE = Text(
    "余下一条线承载全部流量，较差一条的有效带宽为 {rate:.4g} Gbit/s。",
    "The other line carries everything: {rate:.4g} Gbit/s effective on the worse one.",
)
AGAINST = Text(
    "余下一条线承载全部流量，较差一条的有效带宽为 {rate:.4g} Gbit/s，下限 {floor:.4g} Gbit/s。",
    "The other line carries everything: {rate:.4g} Gbit/s effective on the worse one, against a floor of "
    "{floor:.4g} Gbit/s.",
)
SHARE = Text(" 利用率为 {low:.3g} %。", " Utilisation is then {low:.3g}%.")
UNSAID = Text(
    "倒换时间未写明：超过 {limit:.3g} s 就会{harm}。",
    "The switchover time is not stated; beyond {limit:.3g} s {harm}.",
)
WITHIN = Text(
    "倒换 {t:.3g} s，不超过 {limit:.3g} s，任务停顿后继续。",
    "A switchover of {t:.3g} s stays within {limit:.3g} s: a stall, then the job goes on.",
)
BEYOND = Text(
    "倒换 {t:.3g} s，超过 {limit:.3g} s，会{harm}。", "A switchover of {t:.3g} s exceeds {limit:.3g} s: {harm}."
)
HARM = {
    "training": Text("使任务重启", "the job restarts"),
    "inference": Text("使请求超时", "requests time out"),
    "bulk": Text("使传输重来", "the transfer starts again"),
}


def _switch(pair: Pair) -> Text:
    """What the switchover does, by the limit of the rule book for this job and its transport."""
    check = next(c for c in pair.judged.checks if c.rule.id == "sla.failover")
    limit, harm = float(check.finding.required or 0.0) * MILLI, HARM[check.scenario]
    time = term(pair.judged.offer, "failover_time").number
    if time is None:
        return UNSAID.format(limit=limit, harm=harm)
    return (WITHIN if time <= limit else BEYOND).format(t=time, limit=limit, harm=harm)


def _rest(pair: Pair) -> Text:
    """What is left on one line where both carried traffic."""
    ends = [e for e in pair.alone if e is not None]
    if len(ends) < len(pair.members):
        return UNTOLD
    worse = min(ends, key=lambda e: e.effective)
    if pair.floor is None:
        text = RATE.format(rate=worse.effective / GIGA)
    else:
        text = AGAINST.format(rate=worse.effective / GIGA, floor=pair.floor / GIGA)
    shares = [e.utilization for e in ends if e.utilization is not None]
    if not shares:
        return text
    more = SHARE.format(low=min(shares) * 100)
    return Text(text.zh + more.zh.strip(), text.en + more.en)


def on_failure(pair: Pair) -> Text:
    """What the job does when one of the two lines fails."""
    switch = _switch(pair)
    if pair.mode != ACTIVE_ACTIVE:
        return switch
    rest = _rest(pair)
    return Text(switch.zh + rest.zh, f"{switch.en} {rest.en}")


def _pair_json(pair: Pair) -> Iterator[tuple[str, Any]]:
    yield from pair.judged.as_json().items()
    yield "members", [{"vendor": m.offer.vendor, "product": m.offer.product} for m in pair.members]
    yield "mode", pair.mode
    yield "relation", pair.relation
    yield "verdict_if_diverse", pair.diverse.value
    yield "cures", [c.rule.id for c in pair.cures]
    yield "availability", {name: pair.availability(name) for name in COMMON_CAUSE}
    yield "common_cause", COMMON_CAUSE
    yield "utilization", _share(pair.judged.prediction.central)
    yield "utilization_one_line", [_share(e) for e in pair.alone]
    yield "beats_recommended", pair.beats
    yield "on_failure", on_failure(pair).as_json()


def as_json(found: Pairs) -> dict[str, Any]:
    """The proposals as the command line and the API carry them beside the offers."""
    remark = found.remark
    return {
        "pairs": [dict(_pair_json(pair)) for pair in found.pairs], "pairs_left_out": found.left_out,
        "pairs_remark": remark.as_json() if remark else None, "pairs_assumption": ASSUMPTION.as_json(),
    }  # fmt: skip
