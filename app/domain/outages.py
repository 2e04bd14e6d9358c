"""What outages of one line take from a training job: how many, which stall it and which restart it, what is lost.

One way for all: cost, the availability a job needs, and the pages take their figures from `job_loss`. A month at the
promise is the mean (every month cannot be the worst); the worst month a promise over a year allows is the high end.
What a vendor does not say is assumed, named and asked for; a promise that cannot stand for this line gives no figure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.formulas.checkpoint import daly_interval, young_interval
from app.domain.formulas.outages import job_mtbf, lost_gpu_hours, outage_count, restart_loss, stall_loss
from app.domain.formulas.reliability import end_to_end_availability, longest_outage, worst_month_availability
from app.domain.questions import ask
from app.domain.terms import PAIR_SCOPES, Span, Term, term
from app.domain.text import Text, percent
from app.domain.transport import is_rdma

if TYPE_CHECKING:
    from app.domain.policy import Policy
    from app.domain.rules import Case
    from app.domain.workload import Training

HOUR = 3600.0
MONTHS = {"month": 1, "quarter": 3, "year": 12}
PARTIAL_SCOPES = frozenset({"network", "circuit", "aggregate"})
PAIR = 2
TAILS = 2
TRIALS, EXACT = 60, 1e-13

TAILS_ASSUMED = Text(
    "可用性未含两端接入，每段接入按 {tail} 计。",
    "The availability leaves out both access tails; each is taken at {tail}.",
).format(tail=percent(p.TAIL_AVAILABILITY.value))
SCOPE_OPEN = Text(
    "未写明可用性是否含两端接入：区间高端按不含计。",
    "Whether the availability covers both tails is not said; the high end takes them as left out.",
)
REPAIR_OPEN = Text(
    "未写恢复时限，每次中断按 4 小时计。", "No restoration time is given; an outage is taken as 4 hours."
)
PATHS_ASSUMED = Text(
    "单条路径可用性按 {path} 计，由此得到倒换次数。",
    "One path is taken at {path}; the number of switchovers follows from it.",
).format(path=percent(p.PATH_AVAILABILITY.value))
FAILOVER_OPEN = Text(
    "未写倒换时间：每次倒换都按作业重启计。", "No failover time is given; every switchover is taken to restart the job."
)
PERIOD_OPEN = Text(
    "统计周期不是一个月或未写明：区间高端按最差月份计。",
    "The period is longer than a month or not said; the high end takes the worst month.",
)

CLAIMED = Text(
    "可用性写为 100 %：这是说法而非实绩，损失为零只按此说法成立；区间高端按 {path} 计。",
    "The availability of 100% is a claim, not a record: no loss holds only if it is kept; the high end takes {path}.",
).format(path=percent(p.PATH_AVAILABILITY.value))


def period_of(case: Case) -> str | None:
    """Period of the availability: its own, else the measurement period stated apart."""
    found = term(case.offer, "availability")
    own = found.fact.period if found.fact is not None else None
    return own or term(case.offer, "measurement_period").word


def monthly_span(found: Term, period: str | None) -> Span:
    """Availability as the worst compliant month; without a period it may be a yearly figure (policy 1.1)."""
    values = found.readings
    if not values:
        return Span(1.0, None, None)
    kinds = (MONTHS[period],) if period in MONTHS else (1, 12)
    spread = [worst_month_availability(availability=v, months=k) for v in values for k in kinds]
    return Span(max(spread), min(spread), spread[0])


def tolerance(transport: str) -> float:
    """Longest outage (s) a training job outlasts without a restart: until its transport gives up."""
    return p.FAILOVER_RDMA.value if is_rdma(transport) else p.FAILOVER_TCP.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """What happens to the line in a month: outages by availability and repair time, and switchovers between paths.

    `failover_time` None: not known, so a switchover counts as longer than the `tolerance` of the transport.
    """

    availability: float
    repair_time: float
    tolerance: float
    switchovers: float = 0.0
    failover_time: float | None = 0.0
    detection_time: float = p.DETECTION.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of event: how often in a month, the seconds it lasts for the job, whether it restarts the job."""

    count: float
    length: float
    restarts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What the events of a month take from the job, times in s. `mtbf` is that of the job with the line in it.

    `kinds` are the outages, then the switchovers; `sites` share what stalls take.
    """

    events: Events
    kinds: tuple[Kind, Kind]
    mtbf: float
    interval: float
    sites: int
    stalled: float
    restarted: float
    month: float

    @property
    def outages(self) -> float:
        """Outages of the month, switchovers apart."""
        return self.kinds[0].count

    @property
    def restarts(self) -> float:
        """Restarts of the month."""
        return sum(k.count for k in self.kinds if k.restarts)

    @property
    def lost(self) -> float:
        """Time lost in the month, at most the whole of it."""
        return min(self.month, self.stalled + self.restarted)

    @property
    def share(self) -> float:
        """Share of the month lost."""
        return self.lost / self.month


def checkpoint_interval(job: Training, mtbf: float) -> float:
    """The job's own interval, else Young's."""
    return job.checkpoint_interval_s or young_interval(checkpoint_time=job.checkpoint_write_s, mtbf=mtbf)


def job_loss(job: Training, month: float, events: Events) -> Loss:
    """Time a job loses in a month: outages it outlasts stall it, longer ones restart it.

    A job that survives the loss of a site is never restarted and loses only the share of that site.
    """
    outages = outage_count(availability=events.availability, window=month, repair_time=events.repair_time)
    kinds = (
        _kind(job, events, outages, events.repair_time),
        _kind(job, events, events.switchovers, events.failover_time),
    )
    restarts = sum(k.count for k in kinds if k.restarts)
    mtbf = job_mtbf(unit_mtbf=job.gpu.mtbf_h * HOUR, units=job.gpus, outages=restarts, window=month)
    interval = checkpoint_interval(job, mtbf)
    sites = job.sites if job.survives_site_loss else 1
    return Loss(
        events=events, kinds=kinds, mtbf=mtbf, interval=interval, sites=sites, month=month,
        stalled=sum(stall_loss(outages=k.count, length=k.length, sites=sites) for k in kinds if not k.restarts),
        restarted=sum(
            restart_loss(outages=k.count, length=k.length, interval=interval, restart_time=job.restart_s)
            for k in kinds
            if k.restarts
        ),
    )  # fmt: skip


def _kind(job: Training, events: Events, count: float, length: float | None) -> Kind:
    """A restart takes at least until the job notices; an unknown length counts as one the job does not outlast."""
    if job.survives_site_loss:
        return Kind(count=count, length=events.detection_time if length is None else length, restarts=False)
    if length is None or length > events.tolerance:
        return Kind(count=count, length=max(length or 0.0, events.detection_time), restarts=True)
    return Kind(count=count, length=length, restarts=False)


def availability_need(job: Training, policy: Policy, transport: str) -> Loss:
    """The availability at which one path, repaired in 4 hours, takes exactly the budget from the job.

    It is the inverse of `job_loss`, found by trial: the loss is close to proportional to the time down. The result
    carries the availability in its events.
    """
    month, budget, down = policy.hours_per_month * HOUR, p.OUTAGE_BUDGET.value, p.OUTAGE_BUDGET.value
    events = Events(availability=1 - down, repair_time=p.REPAIR_ASSUMED.value, tolerance=tolerance(transport))
    loss = job_loss(job, month, events)
    for _ in range(TRIALS):
        if abs(loss.share / budget - 1) < EXACT or (down == 1 and loss.share < budget):
            break
        down = min(1.0, down * budget / loss.share)
        loss = job_loss(job, month, replace(events, availability=1 - down))
    return loss


@dataclass(frozen=True, slots=True, kw_only=True)
class Longest:
    """Longest single outage (s) within the promise, inside one period and across the edge of two."""

    period: str
    single: float
    straddle: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outages:
    """What one line takes from the job in a month, at the favourable reading, at the promise and at the worst.

    All None: the offer gives no availability that can stand for this line. `standard` is the time (s) lost by the
    standard outage.
    """

    low: Loss | None
    central: Loss | None
    high: Loss | None
    longest: tuple[Longest, ...]
    standard: float
    daly: float | None
    gpus: float
    all_gpus: int
    price: float | None
    assumed: tuple[Text, ...] = ()
    questions: tuple[Text, ...] = ()

    def gpu_hours(self, loss: Loss | None) -> float | None:
        """GPU hours of a loss; `gpus` are those at work, a job that runs half the month counts half."""
        return None if loss is None else lost_gpu_hours(gpus=self.gpus, lost=loss.lost)

    def money(self, loss: Loss | None) -> float | None:
        """Their price, None where GPU time has none."""
        hours = self.gpu_hours(loss)
        return None if hours is None or self.price is None else hours * self.price

    @property
    def claimed(self) -> bool:
        """Nothing is lost to outages only because the offer says that there are none."""
        return self.central is not None and self.central.events.availability >= 1

    @property
    def standard_gpu_hours(self) -> float:
        """GPU hours lost by the standard outage, which strikes while the job runs."""
        return lost_gpu_hours(gpus=self.all_gpus, lost=self.standard)

    def as_json(self) -> dict[str, Any]:
        """The figures in hours, with the ends of the band."""
        ends = {"low": self.low, "central": self.central, "high": self.high}
        central = self.central
        return {
            "outages_monthly": central.outages if central else None,
            "switchovers_monthly": central.events.switchovers if central else None,
            "restarts_monthly": central.restarts if central else None,
            "availability": central.events.availability if central else None,
            "lost_hours_monthly": {k: e.lost / HOUR if e else None for k, e in ends.items()},
            "lost_gpu_hours_monthly": {k: self.gpu_hours(e) for k, e in ends.items()},
            "lost_gpu_monthly": {k: self.money(e) for k, e in ends.items()},
            "job_mtbf_h": central.mtbf / HOUR if central else None,
            "checkpoint_interval_s": central.interval if central else None, "daly_interval_s": self.daly,
            "longest_outage_h": {
                e.period: {"single": e.single / HOUR, "straddle": e.straddle / HOUR} for e in self.longest
            },
            "assumed": [t.as_json() for t in self.assumed],
        }  # fmt: skip


def outages(case: Case, job: Training) -> Outages:
    """Read the offer's terms at three ends and reckon the loss at each."""
    month = case.policy.hours_per_month * HOUR
    found, period = term(case.offer, "availability"), period_of(case)
    scope = found.fact.scope if found.fact is not None else None
    nothing = Outages(
        low=None, central=None, high=None, longest=_longest(found, period, month), daly=None,
        standard=_standard(job, month, None), gpus=job.gpus * case.policy.duty, all_gpus=job.gpus,
        price=job.gpu.hour_price,         questions=(ask("availability"),),
    )  # fmt: skip
    if not found.readings or (scope in PAIR_SCOPES and (case.paths or 1) < PAIR):
        return nothing
    terms = _Terms(case, found, scope, MONTHS.get(period or "", 12))
    losses = [job_loss(job, month, events) for events in terms.ends()]
    by_share = sorted(losses, key=lambda loss: loss.share)
    central = losses[1]
    return replace(
        nothing, low=by_share[0], central=central, high=by_share[-1], assumed=terms.assumed(),
        standard=_standard(job, month, central.interval),
        daly=daly_interval(checkpoint_time=job.checkpoint_write_s, mtbf=central.mtbf),
        questions=(ask("scope"),) if scope in PARTIAL_SCOPES else (),
    )  # fmt: skip


def _standard(job: Training, month: float, interval: float | None) -> float:
    """Time (s) one standard outage takes from the job, written down every `interval` (None: by GPU failures alone)."""
    length = p.STANDARD_OUTAGE.value
    if job.survives_site_loss:
        return stall_loss(outages=1, length=length, sites=job.sites)
    alone = job_mtbf(unit_mtbf=job.gpu.mtbf_h * HOUR, units=job.gpus, outages=0, window=month)
    return restart_loss(
        outages=1, length=length, interval=interval or checkpoint_interval(job, alone), restart_time=job.restart_s,
        detection_time=p.DETECTION.value,
    )  # fmt: skip


def _longest(found: Term, period: str | None, month: float) -> tuple[Longest, ...]:
    """By the stated period; by month and by year where none is stated."""
    if not found.readings:
        return ()
    worst = min(found.readings)
    periods = (period,) if period in MONTHS else ("month", "year")
    return tuple(
        Longest(
            period=name,
            single=longest_outage(availability=worst, window=month * MONTHS[name]),
            straddle=longest_outage(availability=worst, window=month * MONTHS[name], windows=2),
        )
        for name in periods
    )


class _Terms:
    """What an offer says on outages, as the events of a month at the favourable end, at the promise, at the worst."""

    def __init__(self, case: Case, found: Term, scope: str | None, months: int) -> None:
        self.case, self.values, self.scope, self.months = case, found.readings, scope, months
        self.ports = 1 if term(case.offer, "layer").word == "cloud_port" else 0
        self.repair = term(case.offer, "repair_time")
        self.failover = term(case.offer, "failover_time")
        self.pair = (case.paths or 1) >= PAIR
        self.claimed = min(found.readings) >= 1

    def ends(self) -> tuple[Events, Events, Events]:
        """Favourable, promised, worst."""
        repairs = [r for r in self.repair.readings if r > 0]
        usual = repairs[0] if repairs else p.REPAIR_ASSUMED.value
        switch = self.failover.readings
        worst = (
            p.PATH_AVAILABILITY.value
            if self.claimed
            else worst_month_availability(availability=min(self.values), months=self.months)
        )
        return (
            self._events(
                max(self.values), max(repairs, default=p.REPAIR_ASSUMED.high), p.TAIL_AVAILABILITY.high,
                p.PATH_AVAILABILITY.high, min(switch, default=0.0), p.DETECTION.low,
            ),
            self._events(
                min(self.values), usual, p.TAIL_AVAILABILITY.value, p.PATH_AVAILABILITY.value,
                max(switch, default=None), p.DETECTION.value,
            ),
            self._events(
                worst, min(repairs, default=p.REPAIR_ASSUMED.low), p.TAIL_AVAILABILITY.low, p.PATH_AVAILABILITY.low,
                max(switch, default=None), p.DETECTION.high, doubted=self.scope is None,
            ),
        )  # fmt: skip

    def _events(
        self, promised: float, repair: float, tail: float, path: float, failover: float | None, detection: float,
        *, doubted: bool = False,
    ) -> Events:  # fmt: skip
        availability = promised
        if doubted or self.scope in PARTIAL_SCOPES:
            availability = end_to_end_availability(
                network=promised, tail=tail, tails=TAILS, port=p.PORT_AVAILABILITY.value, ports=self.ports
            )
        month = self.case.policy.hours_per_month * HOUR
        single = outage_count(availability=path, window=month, repair_time=repair)
        return Events(
            availability=availability, repair_time=repair, tolerance=tolerance(self.case.reading.transport),
            switchovers=(self.case.paths or 1) * single if self.pair else 0.0, failover_time=failover,
            detection_time=detection,
        )  # fmt: skip

    def assumed(self) -> tuple[Text, ...]:
        """What had to be assumed, in sentences."""
        rows = (
            (self.scope in PARTIAL_SCOPES, TAILS_ASSUMED),
            (self.scope is None, SCOPE_OPEN),
            (not any(self.repair.readings), REPAIR_OPEN),
            (self.months > 1 and not self.claimed, PERIOD_OPEN),
            (self.claimed, CLAIMED),
            (self.pair, PATHS_ASSUMED),
            (self.pair and not self.failover.readings, FAILOVER_OPEN),
        )
        return tuple(text for holds, text in rows if holds)
