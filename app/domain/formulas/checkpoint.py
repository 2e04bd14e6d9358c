"""How often to write a checkpoint, and what failures cost a job."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

_FAR_BELOW: Final = 10  # times: what "much below" means where the formula is of first order


def young_interval(*, checkpoint_time: float, mtbf: float) -> float:
    """First-order best interval: √(2·δ·M), s. Valid for δ much below M. Young 1974."""
    return math.sqrt(2 * checkpoint_time * mtbf)


def daly_interval(*, checkpoint_time: float, mtbf: float) -> float:
    """Higher-order best interval: √(2δM)·[1 + ⅓√(δ/(2·M)) + ⅑·δ/2M] − δ for δ < 2M, else M, s. Daly 2006."""
    if checkpoint_time >= 2 * mtbf:
        return mtbf
    ratio = checkpoint_time / (2 * mtbf)
    return math.sqrt(2 * checkpoint_time * mtbf) * (1 + math.sqrt(ratio) / 3 + ratio / 9) - checkpoint_time


def gpu_waste_share(
    *, checkpoint_time: float, interval: float, restart_time: float, mtbf: float, detection_time: float = 0
) -> float:
    """Share of GPU time lost: δ/(τ+δ) + (τ/2 + R + detection)/M, at most 1. Valid for τ + R well below M."""
    writing = checkpoint_time / (interval + checkpoint_time)
    redoing = (interval / 2 + restart_time + detection_time) / mtbf
    return min(1.0, writing + redoing)


def available_cycle(*, checkpoint_time: float, mtbf: float, restart_time: float = 0) -> float:
    """Whole cycle (compute and write) of the highest availability: Ts + √(2·(Tf+Tr)·Ts + Ts²), s. arXiv 2410.18124.

    Ts = time to write, Tf = time to a failure, Tr = time to recover.
    """
    return checkpoint_time + math.sqrt(2 * (mtbf + restart_time) * checkpoint_time + checkpoint_time**2)


def expected_run_time(
    *, work_time: float, checkpoint_time: float, interval: float, restart_time: float, mtbf: float
) -> float:
    """Expected time of a run with failures, exact for exponential failures: M·e^(R/M)·(e^((τ+δ)/M) − 1)·T_s/τ, s."""
    return mtbf * math.exp(restart_time / mtbf) * math.expm1((interval + checkpoint_time) / mtbf) * work_time / interval


def _slow_write(values: Mapping[str, Any]) -> Text | None:
    if values["checkpoint_time"] * _FAR_BELOW <= values["mtbf"]:
        return None
    return Text(
        "写一次检查点的时间超过 MTBF 的十分之一，间隔公式不再可靠。",
        "Writing takes more than a tenth of the MTBF; the interval can no longer be relied on.",
    )


def _writes_all_the_time(values: Mapping[str, Any]) -> Text | None:
    if values["checkpoint_time"] < 2 * values["mtbf"]:
        return None
    return Text(
        "写一次检查点的时间不小于 2 倍 MTBF，公式取 MTBF。",
        "Writing takes twice the MTBF or more; the formula then gives the MTBF.",
    )


def _hardly_up(values: Mapping[str, Any]) -> Text | None:
    if values["interval"] + values["restart_time"] <= values["mtbf"] / 2:
        return None
    return Text(
        "间隔加重启时间超过 MTBF 的一半，一阶公式低估浪费。",
        "Interval and restart take more than half of the MTBF; the first-order formula is too low.",
    )


_INTERVAL = Input(
    name="interval", dimension=Dimension.TIME, title=Text("检查点间隔", "Checkpoint interval"), above_zero=True
)
_RESTART = Input(name="restart_time", dimension=Dimension.TIME, title=Text("重启时间", "Restart time"))

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="young_interval",
        title=Text("检查点间隔（Young）", "Checkpoint interval (Young)"),
        function=young_interval,
        inputs=(i.CHECKPOINT_TIME, i.MTBF),
        result=Dimension.TIME,
        symbolic="τ = √(2·δ·M)",
        validity=Text("写入时间远小于 MTBF。", "Write time far below the MTBF."),
        source=s.YOUNG,
        example=Example(inputs={"checkpoint_time": 50, "mtbf": 10_000}, expected=1000, origin="√(2 × 50 × 10 000)"),
        caution=_slow_write,
    ),
    Formula(
        id="daly_interval",
        title=Text("检查点间隔（Daly）", "Checkpoint interval (Daly)"),
        function=daly_interval,
        inputs=(i.CHECKPOINT_TIME, i.MTBF),
        result=Dimension.TIME,
        symbolic="τ = √(2·δ·M)·[1 + ⅓√(δ/(2·M)) + ⅑δ/(2·M)] − δ",
        validity=Text("写入时间小于 2 倍 MTBF，否则取 MTBF。", "Write time below twice the MTBF, else the MTBF."),
        source=s.DALY,
        example=Example(
            inputs={"checkpoint_time": 300, "mtbf": 86_400},
            expected=7020,
            origin="Daly 2006, figure caption: 117 min at δ = 5 min, M = 1440 min",
            rel=0.01,
        ),
        caution=_writes_all_the_time,
    ),
    Formula(
        id="gpu_waste_share",
        title=Text("故障浪费的 GPU 时间占比", "Share of GPU time lost to failures"),
        function=gpu_waste_share,
        inputs=(
            i.CHECKPOINT_TIME,
            _INTERVAL,
            _RESTART,
            i.MTBF,
            Input(
                name="detection_time",
                dimension=Dimension.TIME,
                title=Text("故障发现时间", "Time to detect a failure"),
                default=0,
            ),
        ),
        result=Dimension.RATIO,
        symbolic="w = δ/(τ+δ) + (τ/2 + R + t)/M",
        validity=Text("间隔与重启时间远小于 MTBF；不超过 1。", "Interval and restart well below the MTBF; at most 1."),
        source=s.DALY,
        example=Example(
            inputs={"checkpoint_time": 60, "interval": 1140, "restart_time": 430, "mtbf": 10_000},
            expected=0.15,
            origin="60/1200 + (570 + 430)/10 000 = 0.05 + 0.10",
        ),
        caution=_hardly_up,
    ),
    Formula(
        id="available_cycle",
        title=Text("可用性最高的检查点周期", "Checkpoint cycle of the highest availability"),
        function=available_cycle,
        inputs=(i.CHECKPOINT_TIME, i.MTBF, i.variant(_RESTART, default=0)),
        result=Dimension.TIME,
        symbolic="T = δ + √(2·(M+R)·δ + δ²)",
        validity=Text(
            "周期含写入时间；写入时间远小于 MTBF。", "The cycle includes the write, which is far below the MTBF."
        ),
        source=s.AVAILABLE_CYCLE,
        example=Example(
            inputs={"checkpoint_time": 60, "mtbf": 10_000, "restart_time": 2_720},
            expected=1296.9317,
            origin="60 + √(2 × 12 720 × 60 + 60²) = 60 + √1 530 000 = 60 + 1 236.9317",
            rel=1e-7,
        ),
        caution=_slow_write,
    ),
    Formula(
        id="expected_run_time",
        title=Text("含故障的预期训练时长", "Expected time of a run with failures"),
        function=expected_run_time,
        inputs=(
            Input(
                name="work_time",
                dimension=Dimension.TIME,
                title=Text("无故障训练时长", "Time of the run without failures"),
            ),
            i.CHECKPOINT_TIME,
            _INTERVAL,
            _RESTART,
            i.MTBF,
        ),
        result=Dimension.TIME,
        symbolic="T = M·exp(R/M)·(exp((τ+δ)/M) − 1)·work_time/τ",
        validity=Text("故障按指数分布，任意量级均精确。", "Exponential failures; exact at any size."),
        source=s.DALY,
        example=Example(
            inputs={
                "work_time": 1_000,
                "checkpoint_time": 100,
                "interval": 1_000,
                "restart_time": 0,
                "mtbf": 1_100,
            },
            expected=1890.11,
            origin="1 100 × e⁰ × (e^(1 100/1 100) − 1) × 1 000/1 000 = 1 100 × 1.718282",
            rel=1e-5,
        ),
    ),
)
