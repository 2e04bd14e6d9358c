"""What the job gets in the end: exchange against its budget, first token against its target, move against its window.

A line may keep every line that was drawn for all bidders and still miss the target, when it uses them all up at once.
So the check of the effective bandwidth passes only when the outcome computed from this offer holds too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.formulas.jitter import jitter_step_delay
from app.domain.prediction import outcome
from app.domain.questions import ask
from app.domain.rules import Case, Finding, Status
from app.domain.text import Text
from app.domain.transport import effective_rate

if TYPE_CHECKING:
    from app.domain.demand import TrainingDemand
    from app.domain.transport import Conditions

LATE_TOKEN = Text(
    "带宽够下限，但首 token（P{q:.0f}）为 {got}，超过目标 {limit:.4g} s{load}。",
    "The rate is above the floor, but the first token (p{q:.0f}) takes {got}, beyond the target of {limit:.4g} s{load}.",
)
LATE_MOVE = Text(
    "带宽够下限，但搬运需 {got:.4g} h，超过时间窗 {limit:.4g} h。",
    "The rate is above the floor, but the move takes {got:.4g} h, beyond the window of {limit:.4g} h.",
)
LOAD = Text("（KV 使线路负载达 {x:.2f}）", " (caches load the line to {x:.2f})")
LATE_EXCHANGE = Text(
    "带宽够下限，但按本报价自身的时延、丢包与抖动，每次交换耗时 {got:.4g} s，超出允许的 {limit:.4g} s，达不到目标。",
    "The rate is above the floor, but with this offer's own delay, loss and jitter an exchange takes {got:.4g} s of the "
    "{limit:.4g} s allowed and misses the target.",
)
HOUR = 3600.0
OPEN_END = Text(
    "按最不利读法，{late}时延、丢包或收敛须写明。",
    "At the worst reading: {late} Delay, loss or contention must be stated.",
)
MET_TOKEN = Text(
    "首 token（P{q:.0f}）{got}，不超过目标 {limit:.4g} s。",
    "The first token (p{q:.0f}) takes {got}, within {limit:.4g} s.",
)
ENDLESS = Text("无穷（排队不收敛）", "for ever (the queue never empties)")


def held_to_the_outcome(case: Case, found: Finding, missing: tuple[Text, ...]) -> Finding:
    """A pass of the effective bandwidth, held against the outcome of this offer; unchanged where nothing is targeted.

    `missing` are the questions that settle the readings.
    """
    best, worst, central = case.reading.best, case.reading.worst, case.reading.central
    limit = _limit(case)
    if found.status is not Status.PASS or limit is None or best is None or worst is None:
        return found
    calm, rough = case.reading.jitter.best, case.reading.jitter.worst
    if _value(case, best, calm) > limit:
        return replace(found, status=Status.FAIL, reason=_late(case, best, limit))
    # A vendor silent on jitter is asked by the jitter check; silence adds nothing here.
    if _value(case, worst, calm if rough is None else rough) > limit:
        text = OPEN_END.format(late=_late(case, worst, limit))
        return replace(found, status=Status.UNKNOWN, reason=text, questions=missing or (ask("rtt"),))
    if case.lines.service is None or central is None:
        return found
    met = MET_TOKEN.format(q=100 * p.WAIT_QUANTILE.value, got=_seconds(_value(case, central, 0.0)), limit=limit)
    return replace(found, reason=Text(f"{found.reason.zh}{met.zh}", f"{found.reason.en} {met.en}"))


def _limit(case: Case) -> float | None:
    """The budget of an exchange, the target of the first token where it can be judged, or the window of the move (s)."""
    training, service, move = case.lines.training, case.lines.service, case.lines.bulk
    if training is not None:
        return training.budget * (1 + p.TARGET_TOLERANCE.value)
    if service is not None:
        return service.first_target if service.prefill is not None else None
    return move.window if move is not None else None


def _value(case: Case, conditions: Conditions, sigma: float) -> float:
    if case.lines.training is not None:
        return _exchange(case, case.lines.training, conditions, sigma)
    got = outcome(case.reading, conditions, 0.0)
    value = got.ttft_tail if case.lines.service is not None else got.transfer
    return float("inf") if value is None else value


def _exchange(case: Case, job: TrainingDemand, conditions: Conditions, sigma: float) -> float:
    """Seconds of the budget one exchange uses up, the wait for jitter as far as nothing hides it."""
    left = effective_rate(conditions) - case.lines.reserved
    if left <= 0:
        return float("inf")
    room = job.room(left, conditions.rtt)
    wait = jitter_step_delay(rounds=job.jitter_rounds, sigma=sigma, flows=job.flows)
    used = job.budget - room
    if wait <= room or room < 0:
        return used + wait
    hidden = job.jitter_room(left, conditions.rtt, room) - room  # what overlaps with other work
    return used + max(0.0, wait - max(hidden, 0.0))


def _late(case: Case, conditions: Conditions, limit: float) -> Text:
    value = _value(case, conditions, case.reading.jitter.best)
    if case.lines.training is not None:
        return LATE_EXCHANGE.format(got=value, limit=case.lines.training.budget)
    if case.lines.service is None:
        return LATE_MOVE.format(got=value / HOUR, limit=limit / HOUR)
    load = outcome(case.reading, conditions, 0.0).load
    used = "" if load is None else LOAD.format(x=load)
    return LATE_TOKEN.format(q=100 * p.WAIT_QUANTILE.value, got=_seconds(value), limit=limit, load=used)


def _seconds(value: float) -> Text:
    return ENDLESS if value == float("inf") else Text(f"{value:.4g} s", f"{value:.4g} s")
