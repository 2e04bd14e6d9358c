"""Availability of lines in series and in parallel, the outage a promise allows, failures of a cluster."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.constants import IB_TIMEOUT_UNIT
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


def k_of_n_availability(*, availability: float, lines: float, needed: float, common_cause: float = 0) -> float:
    """At least `needed` of n equal lines are up: 1 − (P[more than n−k fail alone] + β·u), ratio, at least 0.

    u = 1 − A; each line fails alone with (1−β)·u (binomial), all of them together with β·u. One line of one: A;
    one of n: the parallel formula; n of n and β = 0: Aⁿ.
    """
    if needed > lines:
        raise refused(
            "k_of_n_availability.needed",
            "需要的条数不能多于线路条数。",
            "There cannot be more lines needed than there are lines.",
        )
    n, k, u = int(lines), int(needed), 1 - availability
    alone = (1 - common_cause) * u
    too_many = sum(math.comb(n, i) * alone**i * (1 - alone) ** (n - i) for i in range(n - k + 1, n + 1))
    return max(0.0, 1 - (too_many + common_cause * u))


def longest_outage(*, availability: float, window: float, windows: float = 1) -> float:
    """Longest single outage that still keeps the promise: windows·(1−A)·window, s.

    `windows` 1: within one window; 2: across its edge, the end of one allowance and the start of the next.
    """
    return windows * (1 - availability) * window


def maintenance_availability(*, availability: float, maintenance: float, window: float) -> float:
    """What is left when maintenance is not counted as an outage: A·(1 − m/window), ratio, for m up to the window."""
    return availability * max(0.0, 1 - maintenance / window)


def end_to_end_availability(
    *, network: float, tail: float, tails: float = 2, port: float = 1, ports: float = 0
) -> float:
    """End to end from a promise for the network alone: A_net·A_tailⁿ·A_portᵐ, ratio; n tails, m cloud ports."""
    return float(network * tail**tails * port**ports)


def rdma_tolerance(*, retries: float, exponent: float) -> float:
    """Outage an RDMA connection outlasts: retries·4.096 µs·2ˣ, s; x = the time-out exponent of the NIC (5 bits).

    Hardware may wait up to four times as long; x = 14 with 7 retries is about 0.5 s, x = 20 about 30 s.
    """
    return float(retries * IB_TIMEOUT_UNIT * 2**exponent)


_AVAILABILITIES = Input(
    name="availabilities",
    dimension=Dimension.LIST,
    title=Text("各段可用性（逗号分隔）", "Availabilities of the parts, a comma list"),
    high=1,
)
_WINDOW = Input(name="window", dimension=Dimension.TIME, title=Text("统计周期", "Measurement window"), above_zero=True)
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
            _WINDOW,
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
    Formula(
        id="k_of_n_availability",
        title=Text("n 条中至少 k 条可用", "At least k of n lines up"),
        function=k_of_n_availability,
        inputs=(
            i.AVAILABILITY,
            Input(
                name="lines",
                dimension=Dimension.COUNT,
                title=Text("线路条数", "Number of lines"),
                low=1,
                high=64,
                whole=True,
            ),
            Input(
                name="needed",
                dimension=Dimension.COUNT,
                title=Text("至少需要的条数", "Lines needed"),
                low=1,
                high=64,
                whole=True,
            ),
            _COMMON_CAUSE,
        ),
        result=Dimension.RATIO,
        symbolic="A_k = max(0, 1 − Σ_(i>n−k) comb(n,i)·((1−β)·(1−A))^i·(1−(1−β)·(1−A))^(n−i) − β·(1−A))",
        validity=Text("各条可用性相同；除共因部分外相互独立。", "Equal lines, independent but for the common cause."),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(
            inputs={"availability": 0.99, "lines": 3, "needed": 2},
            expected=0.999702,
            origin="0.99³ + 3 × 0.99² × 0.01 = 0.970299 + 0.029403",
        ),
    ),
    Formula(
        id="longest_outage",
        title=Text("合规的最长单次中断", "Longest single outage within the promise"),
        function=longest_outage,
        inputs=(
            i.AVAILABILITY,
            _WINDOW,
            Input(
                name="windows",
                dimension=Dimension.COUNT,
                title=Text("中断跨越的周期数", "Windows the outage touches"),
                default=1,
                low=1,
                high=2,
                whole=True,
            ),
        ),
        result=Dimension.TIME,
        symbolic="t = windows·(1−A)·window",
        validity=Text("跨越周期边界时取 2：前后两个周期的额度连在一起。", "2 across an edge: two allowances in a row."),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(
            inputs={"availability": 0.999, "window": 2_592_000, "windows": 2},
            expected=5184,
            origin="2 × 0.001 × 30 × 86 400 s = 5 184 s = 86.4 min",
        ),
    ),
    Formula(
        id="maintenance_availability",
        title=Text("计入维护时间后的可用性", "Availability with maintenance counted"),
        function=maintenance_availability,
        inputs=(
            i.AVAILABILITY,
            Input(
                name="maintenance",
                dimension=Dimension.TIME,
                title=Text("周期内不计中断的维护时间", "Maintenance not counted, in the window"),
            ),
            _WINDOW,
        ),
        result=Dimension.RATIO,
        symbolic="A_eff = A·max(0, 1 − maintenance/window)",
        validity=Text("维护时间按全部停机计。", "All of the maintenance is taken as an outage."),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(
            inputs={"availability": 1, "maintenance": 21_600, "window": 86_400},
            expected=0.75,
            origin="1 × (1 − 6 h / 24 h)",
        ),
    ),
    Formula(
        id="end_to_end_availability",
        title=Text("由网内可用性推算端到端", "End to end from the network alone"),
        function=end_to_end_availability,
        inputs=(
            i.variant(i.AVAILABILITY, name="network", title=Text("网内可用性", "Availability of the network alone")),
            i.variant(i.AVAILABILITY, name="tail", title=Text("一段接入的可用性", "Availability of one access tail")),
            Input(
                name="tails",
                dimension=Dimension.COUNT,
                title=Text("接入段数", "Access tails"),
                default=2,
                high=8,
                whole=True,
            ),
            i.variant(
                i.AVAILABILITY,
                name="port",
                title=Text("一个云端口的可用性", "Availability of one cloud port"),
                default=1,
            ),
            Input(
                name="ports",
                dimension=Dimension.COUNT,
                title=Text("云端口数", "Cloud ports"),
                default=0,
                high=8,
                whole=True,
            ),
        ),
        result=Dimension.RATIO,
        symbolic="A = network·tail^tails·port^ports",
        validity=Text("各段独立；接入未承诺时为假设值。", "Independent parts; a tail without a promise is assumed."),
        source=s.AVAILABILITY_ALGEBRA,
        example=Example(
            inputs={"network": 0.9999, "tail": 0.999},
            expected=0.9979011999,
            origin="0.9999 × 0.999² = 0.9999 × 0.998001 = 99.79 %",
        ),
    ),
    Formula(
        id="rdma_tolerance",
        title=Text("RDMA 能承受的中断", "Outage RDMA outlasts"),
        function=rdma_tolerance,
        inputs=(
            Input(
                name="retries",
                dimension=Dimension.COUNT,
                title=Text("重试次数", "Retries"),
                high=7,
                whole=True,
            ),
            Input(
                name="exponent",
                dimension=Dimension.COUNT,
                title=Text("超时指数 x", "Time-out exponent x"),
                low=1,
                high=31,
                whole=True,
            ),
        ),
        result=Dimension.TIME,
        symbolic="t = retries·4.096 µs·2^x",
        validity=Text(
            "网卡实际等待可达公式的 4 倍；超过后连接断开，作业重启。",
            "Hardware may wait up to 4 times as long; beyond it the connection breaks and the job restarts.",
        ),
        source=s.IBTA_TIMEOUT,
        example=Example(
            inputs={"retries": 7, "exponent": 14},
            expected=0.469762048,
            origin="7 × 4.096 µs × 16 384 = 0.47 s",
        ),
    ),
)
