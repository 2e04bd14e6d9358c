"""Availability of lines in series and in parallel, the outage a promise allows, failures of a cluster."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input, refused
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence


def allowed_downtime(*, availability: float, window: float) -> float:
    """Outage a promise allows in its window: (1−A)·window, s; also the longest single outage it allows."""
    return (1 - availability) * window


def worst_month_availability(*, availability: float, months: float) -> float:
    """Worst month a promise over several months allows: 1 − months·(1−A), at least 0."""
    return max(0.0, 1 - months * (1 - availability))


def _some(availabilities: Sequence[float], formula: str) -> None:
    if not availabilities:
        raise refused(
            f"{formula}.availabilities",
            "可用性列表为空，请至少给出一项，例如 0.999,0.9995。",
            "The list of availabilities is empty; give at least one, such as 0.999,0.9995.",
        )


def series_availability(*, availabilities: Sequence[float], common_cause: float = 0) -> float:
    """All parts are needed: ∏A, ratio.

    `common_cause` β is the share of outages that strike all parts at once and so count once:
    (1−β)·∏A + β·min A. Independent parts: β = 0.
    """
    _some(availabilities, "series_availability")
    product = math.prod(availabilities)
    return (1 - common_cause) * product + common_cause * min(availabilities)


def parallel_availability(*, availabilities: Sequence[float], common_cause: float = 0) -> float:
    """One part suffices: 1 − [∏(1−β)u + β·min u], u = 1 − A, ratio; β = common-cause share of the outages."""
    _some(availabilities, "parallel_availability")
    outages = [1 - a for a in availabilities]
    if len(outages) == 1:
        return 1 - outages[0]
    alone = math.prod((1 - common_cause) * u for u in outages)
    return 1 - (alone + common_cause * min(outages))


def cluster_mtbf(*, unit_mtbf: float, units: float) -> float:
    """Time between failures of a job that needs every unit: unit MTBF / units, s."""
    return unit_mtbf / units


def repair_availability(*, mtbf: float, repair_time: float) -> float:
    """Availability from failures and repairs: MTBF/(MTBF+MTTR), ratio."""
    return mtbf / (mtbf + repair_time)


_AVAILABILITIES = Input(
    name="availabilities",
    dimension=Dimension.LIST,
    title=Text("各段可用性（逗号分隔）", "Availabilities of the parts, a comma list"),
    high=1,
)
_COMMON_CAUSE = Input(
    name="common_cause",
    dimension=Dimension.RATIO,
    title=Text("共因故障占比", "Share of outages with a common cause"),
    default=0,
    high=1,
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="allowed_downtime",
        title=Text("允许的中断时长", "Downtime a promise allows"),
        function=allowed_downtime,
        inputs=(
            i.AVAILABILITY,
            Input(
                name="window",
                dimension=Dimension.TIME,
                title=Text("统计周期", "Measurement window"),
                above_zero=True,
            ),
        ),
        result=Dimension.TIME,
        symbolic="t = (1−A)·window",
        validity=Text(
            "一次中断跨越周期边界时可达两倍。", "An outage over the edge of two windows may be twice as long."
        ),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(
            inputs={"availability": 0.999, "window": 31_536_000},
            expected=31536,
            origin="0.001 × 31 536 000 s = 8.76 h",
        ),
    ),
    Formula(
        id="worst_month_availability",
        title=Text("最差月份可用性", "Availability of the worst month"),
        function=worst_month_availability,
        inputs=(
            i.AVAILABILITY,
            Input(
                name="months",
                dimension=Dimension.COUNT,
                title=Text("统计周期的月数", "Months in the window"),
                low=1,
                high=1200,
            ),
        ),
        result=Dimension.RATIO,
        symbolic="A_month = max(0, 1 − n·(1−A))",
        validity=Text("全部中断集中在一个月。", "The whole allowance falls into one month."),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(inputs={"availability": 0.999, "months": 12}, expected=0.988, origin="1 − 12 × 0.001 = 98.8 %"),
    ),
    Formula(
        id="series_availability",
        title=Text("串联可用性", "Availability in series"),
        function=series_availability,
        inputs=(_AVAILABILITIES, _COMMON_CAUSE),
        result=Dimension.RATIO,
        symbolic="A = (1−β)·∏A_i + β·min A_i",
        validity=Text(
            "含两端接入、云端口与骨干；β=0 表示相互独立。",
            "Both tails, cloud ports and backbone counted; β = 0 means independent.",
        ),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(
            inputs={"availabilities": (0.9999, 0.999, 0.999)},
            expected=0.9979011999,
            origin="0.9999 × 0.999² = 0.9999 × 0.998001 = 99.79 %",
        ),
    ),
    Formula(
        id="parallel_availability",
        title=Text("并联可用性", "Availability in parallel"),
        function=parallel_availability,
        inputs=(_AVAILABILITIES, _COMMON_CAUSE),
        result=Dimension.RATIO,
        symbolic="A = 1 − [∏(1−β)·u_i + β·min u_i], u_i = 1−A_i",
        validity=Text(
            "倒换时间另计；β：同管道约 0.1，已证实分离约 0.02（判断）。",
            "Failover time apart; β about 0.1 in one duct, 0.02 when proven diverse (judgement).",
        ),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(inputs={"availabilities": (0.999, 0.999)}, expected=0.999999, origin="1 − 0.001² = 99.9999 %"),
    ),
    Formula(
        id="cluster_mtbf",
        title=Text("集群 MTBF", "Cluster MTBF"),
        function=cluster_mtbf,
        inputs=(
            i.variant(i.MTBF, name="unit_mtbf", title=Text("单台 MTBF", "MTBF of one unit")),
            i.variant(i.GPUS, name="units", title=Text("设备数", "Number of units")),
        ),
        result=Dimension.TIME,
        symbolic="M = M₁ / N",
        validity=Text("指数分布；任一故障即中断作业。", "Exponential failures; any failure stops the job."),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={"unit_mtbf": 157_680_000, "units": 10_000},
            expected=15768,
            origin="5 × 8760 h × 3600 / 10 000 = 15 768 s = 4.38 h",
        ),
    ),
    Formula(
        id="repair_availability",
        title=Text("由 MTBF 与修复时间得到的可用性", "Availability from MTBF and repair time"),
        function=repair_availability,
        inputs=(
            i.MTBF,
            Input(name="repair_time", dimension=Dimension.TIME, title=Text("修复时间（MTTR）", "Repair time")),
        ),
        result=Dimension.RATIO,
        symbolic="A = MTBF / (MTBF + MTTR)",
        validity=Text("长期平均。", "Long-run average."),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(inputs={"mtbf": 3996, "repair_time": 4}, expected=0.999, origin="3996 / 4000"),
    ),
)
