"""What outages of a line cost a job: how many, how long, what is lost, the availability asked for, the credit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input, refused
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOUR: Final = 3600.0


def outage_count(*, availability: float, window: float, repair_time: float) -> float:
    """Outages in a window at the availability, each as long as the repair: (1−A)·window/MTTR."""
    return (1 - availability) * window / repair_time


def job_mtbf(*, unit_mtbf: float, units: float, outages: float, window: float) -> float:
    """Time between failures of a job with the line in series: 1/(N/M₁ + n/window), s; n restarts by the line."""
    return 1 / (units / unit_mtbf + outages / window)


def stall_loss(*, outages: float, length: float, sites: float = 1) -> float:
    """Time lost by outages the job outlasts: n·length/k, s; k = 1, or the sites of a job that runs on without one."""
    return outages * length / sites


def restart_loss(
    *, outages: float, length: float, interval: float, restart_time: float, detection_time: float = 0
) -> float:
    """Time lost by outages that restart the job: n·(max(length, t) + τ/2 + R), s.

    The job stands still until the line is back and the failure is noticed, then repeats half an interval.
    """
    return outages * (max(length, detection_time) + interval / 2 + restart_time)


def availability_need(
    *,
    share: float,
    repair_time: float,
    interval: float = 0,
    restart_time: float = 0,
    detection_time: float = 0,
    sites: float = 1,
) -> float:
    """Availability at which exactly `share` of the time is lost: 1 − k·P·MTTR/(max(MTTR, t) + τ/2 + R), at least 0."""
    each = max(repair_time, detection_time) + interval / 2 + restart_time
    return max(0.0, 1 - sites * share * repair_time / each)


def lost_gpu_hours(*, gpus: float, lost: float) -> float:
    """GPU hours lost: N·lost/3600."""
    return gpus * lost / _HOUR


def outage_credit(
    *, outage: float, window: float, bounds: Sequence[float], tier_credits: Sequence[float], cap: float = 1
) -> float:
    """Credit for an outage as a share of the charge: min(cap, highest credit whose availability was not reached).

    `bounds` are the upper availabilities of the tiers, `tier_credits` theirs;
    a tier is due when 1 − outage/window is below its bound.
    """
    if len(bounds) != len(tier_credits):
        raise refused(
            "outage_credit.tier_credits",
            "赔付档位与可用性界限的个数须相同。",
            "There must be as many credits as bounds of availability.",
        )
    reached = 1 - outage / window
    due = [credit for bound, credit in zip(bounds, tier_credits, strict=True) if reached < bound]
    return min(cap, max(due, default=0.0))


def pro_rata_credit(*, outage: float, window: float, cap: float = 1) -> float:
    """Credit in proportion to the outage: min(cap, outage/window), share of the charge."""
    return min(cap, outage / window)


_OUTAGES = Input(name="outages", dimension=Dimension.COUNT, title=Text("中断次数", "Number of outages"))
_LENGTH = Input(name="length", dimension=Dimension.TIME, title=Text("每次中断时长", "Length of one outage"))
_OUTAGE = Input(name="outage", dimension=Dimension.TIME, title=Text("中断时长", "Length of the outage"))
_WINDOW = Input(name="window", dimension=Dimension.TIME, title=Text("周期", "Window"), above_zero=True)
_REPAIR = Input(
    name="repair_time", dimension=Dimension.TIME, title=Text("修复时间（MTTR）", "Repair time"), above_zero=True
)
_INTERVAL = Input(name="interval", dimension=Dimension.TIME, title=Text("检查点间隔", "Checkpoint interval"))
_RESTART = Input(name="restart_time", dimension=Dimension.TIME, title=Text("重启时间", "Restart time"))
_DETECTION = Input(
    name="detection_time", dimension=Dimension.TIME, title=Text("故障发现时间", "Time to detect a failure"), default=0
)
_SITES = i.variant(i.SITES, default=1, title=Text("分摊的站点数", "Sites that share the loss"))
_CAP = Input(name="cap", dimension=Dimension.RATIO, title=Text("赔付上限", "Cap on the credit"), default=1, high=10)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="outage_count",
        title=Text("周期内的中断次数", "Outages in a window"),
        function=outage_count,
        inputs=(i.AVAILABILITY, _WINDOW, _REPAIR),
        result=Dimension.COUNT,
        symbolic="n = (1−A)·window/MTTR",
        validity=Text("平均次数；每次持续到修复。", "A mean; each lasts as long as the repair."),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(
            inputs={"availability": 0.9999, "window": 2_628_000, "repair_time": 14_400},
            expected=0.01825,
            origin="0.0001 × 730 h ÷ 4 h",
        ),
    ),
    Formula(
        id="job_mtbf",
        title=Text("含专线的作业 MTBF", "MTBF of a job with the line in it"),
        function=job_mtbf,
        inputs=(
            i.variant(i.MTBF, name="unit_mtbf", title=Text("单台 MTBF", "MTBF of one unit")),
            i.variant(i.GPUS, name="units", title=Text("设备数", "Number of units")),
            i.variant(_OUTAGES, title=Text("专线造成的重启次数", "Restarts by the line")),
            _WINDOW,
        ),
        result=Dimension.TIME,
        symbolic="M = 1/(N/M₁ + n/window)",
        validity=Text("指数分布；专线与 GPU 串联。", "Exponential failures; the line in series with the GPUs."),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(
            inputs={"unit_mtbf": 1_000_000, "units": 100, "outages": 1, "window": 10_000},
            expected=5000,
            origin="1 ÷ (100/1 000 000 + 1/10 000) = 1 ÷ 0.0002",
        ),
    ),
    Formula(
        id="stall_loss",
        title=Text("停顿损失的时间", "Time lost by stalls"),
        function=stall_loss,
        inputs=(_OUTAGES, _LENGTH, _SITES),
        result=Dimension.TIME,
        symbolic="t = n·length/k",
        validity=Text(
            "作业等待但不重启；能少一个站点继续训练时，只损失一个站点的份额。",
            "The job waits without a restart; one that runs on without a site loses only that site's share.",
        ),
        source=s.JUDGEMENT,
        example=Example(inputs={"outages": 3, "length": 20, "sites": 2}, expected=30, origin="3 × 20 s ÷ 2"),
    ),
    Formula(
        id="restart_loss",
        title=Text("重启损失的时间", "Time lost by restarts"),
        function=restart_loss,
        inputs=(_OUTAGES, _LENGTH, _INTERVAL, _RESTART, _DETECTION),
        result=Dimension.TIME,
        symbolic="t_lost = n·(max(length, t) + τ/2 + R)",
        validity=Text(
            "中断长于传输协议的容忍时间；平均重算半个检查点间隔。",
            "Outages longer than the transport tolerates; half an interval is repeated on average.",
        ),
        source=s.DALY,
        example=Example(
            inputs={"outages": 2, "length": 100, "interval": 600, "restart_time": 50},
            expected=900,
            origin="2 × (100 + 300 + 50)",
        ),
    ),
    Formula(
        id="availability_need",
        title=Text("由时间预算反推的可用性", "Availability that a budget of time asks for"),
        function=availability_need,
        inputs=(
            i.variant(
                i.AVAILABILITY, name="share", title=Text("允许损失的时间份额", "Share of the time that may be lost")
            ),
            _REPAIR,
            i.variant(_INTERVAL, default=0),
            i.variant(_RESTART, default=0),
            _DETECTION,
            _SITES,
        ),
        result=Dimension.RATIO,
        symbolic="A = max(0, 1 − k·P·MTTR/(max(MTTR, t) + τ/2 + R))",
        validity=Text(
            "每次中断都使作业重启；能少站点继续训练时 τ、R、t 取 0，k 取站点数。",
            "Every outage restarts the job; where it runs on without a site, τ, R and t are 0 and k the sites.",
        ),
        source=s.DALY,
        example=Example(
            inputs={"share": 0.01, "repair_time": 14_400, "interval": 7_200, "restart_time": 0},
            expected=0.992,
            origin="1 − 0.01 × 4 h ÷ (4 h + 1 h)",
        ),
    ),
    Formula(
        id="lost_gpu_hours",
        title=Text("损失的 GPU 小时", "GPU hours lost"),
        function=lost_gpu_hours,
        inputs=(
            i.GPUS,
            Input(name="lost", dimension=Dimension.TIME, title=Text("作业损失的时间", "Time the job loses")),
        ),
        result=Dimension.COUNT,
        symbolic="GPU·h = N·lost/3600",
        validity=Text("全部 GPU 同时停下。", "All GPUs stand still together."),
        source=s.DALY,
        example=Example(inputs={"gpus": 128, "lost": 18_000}, expected=640, origin="128 × 5 h"),
    ),
    Formula(
        id="outage_credit",
        title=Text("一次中断的赔付（分档）", "Credit for an outage by tiers"),
        function=outage_credit,
        inputs=(
            _OUTAGE,
            _WINDOW,
            Input(
                name="bounds",
                dimension=Dimension.LIST,
                title=Text("各档可用性上界（逗号分隔）", "Upper availability of every tier, a comma list"),
                high=1,
            ),
            Input(
                name="tier_credits",
                dimension=Dimension.LIST,
                title=Text("各档赔付占月费的份额", "Credit of every tier, share of the charge"),
                high=10,
            ),
            _CAP,
        ),
        result=Dimension.RATIO,
        symbolic="c = min(cap, max{tier_credits_i : 1 − outage/window < bounds_i})",
        validity=Text("须在申请期内申请；以月费为基数。", "Has to be claimed in time; a share of the monthly charge."),
        source=s.SLA_SURVEY,
        example=Example(
            inputs={
                "outage": 18_000,
                "window": 2_628_000,
                "bounds": (0.9999, 0.999),
                "tier_credits": (0.05, 0.1),
                "cap": 0.3,
            },
            expected=0.1,
            origin="1 − 5/730 = 99.315 % < 99.9 %: min(30 %, max(5 %, 10 %))",
        ),
    ),
    Formula(
        id="pro_rata_credit",
        title=Text("一次中断的赔付（按比例）", "Credit for an outage in proportion"),
        function=pro_rata_credit,
        inputs=(_OUTAGE, _WINDOW, _CAP),
        result=Dimension.RATIO,
        symbolic="c = min(cap, outage/window)",
        validity=Text("按中断时间退还月费。", "The charge for the time of the outage is returned."),
        source=s.SLA_SURVEY,
        example=Example(
            inputs={"outage": 18_250, "window": 3_650_000},
            expected=0.005,
            origin="18 250 ÷ 3 650 000",
        ),
    ),
)
