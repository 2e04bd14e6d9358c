"""Outages of every line as text: what they take from the job in a month, the longest allowed, credit beside loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.maintenance import HOUR, maintenance
from app.domain.outages import tolerance
from app.domain.text import Language, Text
from app.domain.transport import is_rdma
from app.presentation import format as fmt
from app.report.titles import offer_id

if TYPE_CHECKING:
    from collections.abc import Iterable
    from decimal import Decimal

    from app.domain.assessment import Assessment, Judged
    from app.domain.credits import CreditWorth
    from app.domain.outages import Longest, Outages

OPEN = Text("待定", "open")
MAINTAINED_DIGITS = 5
PERIODS = {
    "month": Text("按月", "by the month"), "quarter": Text("按季", "by the quarter"),
    "year": Text("按年", "by the year"),
}  # fmt: skip
STRADDLE = Text("{period} {single}，跨期 {twice}", "{period} {single}, across its end {twice}")
STOPS = Text(
    "每月中断 {n} 次、倒换 {s} 次，其中 {r} 次使作业重启",
    "{n} outages and {s} switchovers a month; {r} of them restart the job",
)
SURVIVES = Text(
    "作业能少一个站点继续训练：不重启，只损失该站点的份额。",
    "The job runs on without a site: no restart, only that site's share is lost.",
)
RESTARTS = Text(
    "超过 {t}（{transport} 的容忍时间）的中断使作业重启：重算半个检查点间隔并加载；更短的只停顿。",
    "An outage longer than {t}, the most that {transport} outlasts, restarts the job: half a checkpoint interval is "
    "repeated and the job loaded; a shorter one only stalls it.",
)
SHORT = {True: Text("RDMA", "RDMA"), False: Text("TCP", "TCP")}
NO_FIGURE = Text(
    "没有可代表这条线路的可用性承诺，损失无法计算，见澄清事项。",
    "No availability is promised that stands for this line; the loss cannot be computed, see the questions.",
)
TIMES = Text("赔付为损失的 {x} 倍", "the credit is {x} times the loss")
PART = Text("赔付只抵损失的 {x}", "the credit covers {x} of the loss")
MOST = Text("最多 {x}", "at most {x}")
NOT_STATED = Text("未写明", "not stated")
NOT_VALUED = Text("损失未计价", "loss not valued")
BAND = Text("区间 {low} – {high}", "band {low} – {high}")
BRACKETS = Text("（{x}）", " ({x})")
MONTH_NOTE = Text(
    "每月均值按承诺值计，最差月份在区间高端；GPU 小时为停下的卡时，成本表的「中断」按相等工作量折算（÷ U(1 − a)）。",
    "The mean month at the promise; the worst month stands at the high end. GPU hours are those that stand still; "
    "“Outages” in the cost table is for equal work (÷ U(1 − a)).",
)
STANDARD = Text(
    "标准中断：一个月内一次 {h}。赔付须申请，未计入成本。",
    "Standard outage: one of {h} in a month. Credits have to be claimed and are not in the cost.",
)
CREDIT = Text(
    "标准中断 {h}：赔付 {share}，{paid}（按比例退费只有 {pro_rata}）。",
    "Standard outage of {h}: credit {share}, {paid} (pro rata it would be {pro_rata}).",
)
LOSS = Text(
    "同一次中断使作业损失 {hours} GPU·小时，{loss}：{ratio}。", "It costs the job {hours} GPU hours, {loss}: {ratio}."
)
UNCAPPED = Text("上限未写明，赔付为最多值。", "The cap is not stated: the credit is the most it can be.")
LONGEST = Text("合规的最长单次中断：{x}。", "Longest single outage within the promise: {x}.")
MAINTAINED = Text(
    "计划维护（每月 {h}）不计入中断；计入后可用性为 {a}。",
    "{h} of planned maintenance a month do not count as an outage; with them the availability is {a}.",
)
MAINTENANCE_OPEN = Text(
    "计划维护不计入中断，但时长或可用性未写明：计入后的可用性待定。",
    "Planned maintenance does not count as an outage, but its hours or the availability are not stated: what is left "
    "with it is open.",
)
LOST = Text(
    "专线每月使作业损失 {hours}{band}，即 {gpu} GPU·小时；{stops}。",
    "The line takes {hours}{band} a month from the job, {gpu} GPU hours; {stops}.",
)
INTERVAL = Text(
    "含专线的作业 MTBF {mtbf}；检查点间隔 {tau}（Daly {daly}）。",
    "MTBF of the job with the line in it {mtbf}; checkpoint interval {tau} (Daly {daly}).",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutageRow:
    """One line. `lost` is of a month; `credit`, `loss` and `ratio` of the standard outage.

    `told` says what happens in a month and what was assumed; `on_paper` says the longest outage before it.
    """

    id: str
    vendor: str
    product: str
    longest: tuple[str, ...]
    lost: str
    band: str
    gpu_hours: str
    money: str
    credit: str
    credit_share: str
    loss: str
    ratio: str
    told: str
    on_paper: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutageView:
    """The table of outages and the sentences above it."""

    rows: tuple[OutageRow, ...]
    notes: tuple[str, ...]
    standard: str
    with_training: bool


def outage_view(assessment: Assessment, language: Language) -> OutageView:
    """Format what outages of every line take, and what the vendor pays for the standard one."""
    job = assessment.workload.training
    notes: list[Text] = []
    if job is not None:
        notes = [SURVIVES if job.survives_site_loss else _tolerance(assessment), MONTH_NOTE]
    return OutageView(
        rows=tuple(_row(offer, language) for offer in assessment.offers),
        notes=tuple(n.pick(language) for n in notes), with_training=job is not None,
        standard=STANDARD.format(h=_hours(p.STANDARD_OUTAGE.value, language)).pick(language),
    )  # fmt: skip


def _tolerance(assessment: Assessment) -> Text:
    rdma = is_rdma(assessment.requirement.main.reference.transport)
    limit = tolerance(assessment.requirement.main.reference.transport)
    return RESTARTS.format(t=f"{limit:g} s", transport=SHORT[rdma])


def _hours(seconds: float, language: Language) -> str:
    return fmt.duration(seconds, language)


def _longest(items: tuple[Longest, ...], language: Language) -> tuple[str, ...]:
    return tuple(
        STRADDLE.format(
            period=PERIODS[x.period], single=_hours(x.single, language), twice=_hours(x.straddle, language)
        ).pick(language)
        for x in items
    )


def _money(value: Decimal | float | None, offer: Judged, language: Language) -> str:
    return OPEN.pick(language) if value is None else fmt.money(value, language, offer.cost.currency)


def _stops(down: Outages, language: Language) -> str:
    central = down.central
    if central is None:
        return OPEN.pick(language)
    counts = (central.outages, central.events.switchovers, central.restarts)
    n, s, r = (fmt.figure(x, language) for x in counts)
    return STOPS.format(n=n, s=s, r=r).pick(language)


def _told(down: Outages, language: Language) -> str:
    """What happens to the line in a month, and what had to be assumed for it."""
    if down.central is None:
        return NO_FIGURE.pick(language)
    stop = "。" if language is Language.ZH else "."
    return _closed((_stops(down, language) + stop, *(t.pick(language) for t in down.assumed)), language)


def _closed(parts: Iterable[str], language: Language) -> str:
    """Sentences in one line."""
    return ("" if language is Language.ZH else " ").join(parts)


def _sentence(down: Outages, language: Language) -> tuple[str, ...]:
    """The longest outage within the promise as a sentence, where one is promised."""
    found = _longest(down.longest, language)
    joined = ("；" if language is Language.ZH else "; ").join(found)
    return (LONGEST.format(x=joined).pick(language),) if found else ()


def _maintained(assessment: Assessment, offer: Judged, language: Language) -> tuple[str, ...]:
    """The promise with planned maintenance counted, where it leaves that out."""
    found = maintenance(offer.offer, assessment.policy.hours_per_month * HOUR)
    if found is None:
        return ()
    if found.hours is None or found.availability is None:
        return (MAINTENANCE_OPEN.pick(language),)
    left = fmt.percent(found.availability, language, MAINTAINED_DIGITS)
    return (MAINTAINED.format(h=_hours(found.hours * HOUR, language), a=left).pick(language),)


def _band(down: Outages, language: Language) -> str:
    if down.low is None or down.high is None:
        return ""
    low, high = _hours(down.low.lost, language), _hours(down.high.lost, language)
    return "" if low == high else BAND.format(low=low, high=high).pick(language)


def _ratio(worth: CreditWorth, language: Language) -> str:
    """Credit over loss in words."""
    if worth.loss is None:
        return NOT_VALUED.pick(language)
    ratio = worth.ratio
    if ratio is None:
        return OPEN.pick(language)
    if ratio >= 1:
        return TIMES.format(x=fmt.figure(ratio, language)).pick(language)
    return PART.format(x=fmt.percent(ratio, language)).pick(language)


def _share(worth: CreditWorth, language: Language) -> str:
    if worth.share is None:
        return NOT_STATED.pick(language)
    text = fmt.percent(worth.share, language)
    return text if worth.capped else MOST.format(x=text).pick(language)


def _row(offer: Judged, language: Language) -> OutageRow:
    down, worth = offer.cost.outages, offer.cost.credit
    lost, gpu_hours, money = OPEN.pick(language), "–", "–"
    if down is not None and down.central is not None:
        lost = _hours(down.central.lost, language)
        hours = down.gpu_hours(down.central)
        gpu_hours = fmt.figure(hours, language)
        money = _money(down.money(down.central), offer, language)
    return OutageRow(
        id=offer_id(offer.offer), vendor=offer.offer.vendor, product=offer.offer.product or "",
        longest=() if down is None else _longest(down.longest, language),
        lost=lost, told="" if down is None else _told(down, language),
        on_paper="" if down is None else _closed((*_sentence(down, language), _told(down, language)), language),
        band="" if down is None else _band(down, language), gpu_hours=gpu_hours, money=money,
        credit=_money(worth.paid, offer, language), credit_share=_share(worth, language),
        loss=_money(worth.loss, offer, language), ratio=_ratio(worth, language),
    )  # fmt: skip


def credit_lines(_assessment: Assessment, offer: Judged, language: Language) -> tuple[str, ...]:
    """Beside the check of compensation: the standard outage paid for and what it costs."""
    worth, h = offer.cost.credit, _hours(p.STANDARD_OUTAGE.value, language)
    told = [
        CREDIT.format(
            h=h, share=_share(worth, language), paid=_money(worth.paid, offer, language),
            pro_rata=fmt.percent(worth.pro_rata, language),
        )
    ]  # fmt: skip
    if worth.gpu_hours is not None:
        told.append(
            LOSS.format(
                hours=fmt.figure(worth.gpu_hours, language), loss=_money(worth.loss, offer, language),
                ratio=_ratio(worth, language),
            )
        )  # fmt: skip
    if worth.share is not None and not worth.capped:
        told.append(UNCAPPED)
    return tuple(t.pick(language) for t in told)


def outage_lines(assessment: Assessment, offer: Judged, language: Language) -> tuple[str, ...]:
    """Beside the check of availability: the longest outage allowed, what a month loses, the checkpoints."""
    down, kept = offer.cost.outages, _maintained(assessment, offer, language)
    if down is None:
        return kept
    told: list[Text] = []
    band = _band(down, language)
    if down.central is not None and down.daly is not None:
        told.append(
            LOST.format(
                hours=_hours(down.central.lost, language), band=BRACKETS.format(x=band) if band else "",
                gpu=fmt.figure(down.gpu_hours(down.central), language), stops=_stops(down, language),
            )
        )  # fmt: skip
        told.append(
            INTERVAL.format(
                mtbf=_hours(down.central.mtbf, language), tau=_hours(down.central.interval, language),
                daly=_hours(down.daly, language),
            )
        )  # fmt: skip
    return (*_sentence(down, language), *(t.pick(language) for t in (*told, *down.assumed)), *kept)
