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
            Input(
                name="interval",
                dimension=Dimension.TIME,
                title=Text("检查点间隔", "Checkpoint interval"),
                above_zero=True,
            ),
            Input(name="restart_time", dimension=Dimension.TIME, title=Text("重启时间", "Restart time")),
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
)
