"""Geometry of the report's own charts; the templates only write the numbers down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.text import Language, Text
from app.presentation import charts
from app.presentation import format as fmt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.assessment import Judged
    from app.domain.lines import Lines
    from app.domain.prediction import Prediction

GIGA = 1e9
WIDTH, LABEL, TEXT, ROW, BAR, TOP = 640, 150, 120, 30, 14, 6
STAGES = {
    "nominal": Text("标称", "Nominal"),
    "weakest_segment": Text("最窄段", "Weakest segment"),
    "oversubscription": Text("网内收敛", "Contention"),
    "headers": Text("封装", "Headers"),
    "window": Text("窗口", "Window"),
    "loss": Text("丢包与重传", "Loss and resending"),
}
FLOOR = Text("下限 {x}", "floor {x}")


def waterfall(prediction: Prediction, lines: Lines, language: Language) -> charts.Waterfall | None:
    """Nominal to effective rate of one offer, the floor as a dashed line; None when there is no rate."""
    if not prediction.stages:
        return None
    stages = [
        charts.Stage(STAGES[s.stage].pick(language), s.rate / GIGA, fmt.figure(s.rate / GIGA, language))
        for s in prediction.stages
    ]
    floor = None if lines.need is None else lines.need / GIGA
    text = "" if floor is None else FLOOR.format(x=fmt.figure(floor, language, "Gbit/s")).pick(language)
    return charts.waterfall(stages, floor, text)


@dataclass(frozen=True, slots=True)
class SplitRow:
    """One offer's step: computing, then waiting for the line; y and widths in the drawing's units."""

    label: str
    compute: str
    wait: str
    total: str
    y: float
    text_y: float
    compute_width: float
    wait_x: float
    wait_width: float


@dataclass(frozen=True, slots=True)
class Split:
    """The steps of all offers on one scale."""

    width: int
    height: float
    bar_x: int
    bar_height: int
    rows: tuple[SplitRow, ...]


def split(offers: Sequence[Judged], names: Sequence[str], lines: Lines, language: Language) -> Split | None:
    """Step time split into computing and waiting, for every offer whose figures are known."""
    if lines.training is None:
        return None
    base = lines.training.step_time
    known = [
        (name, o.prediction.central.step)
        for name, o in zip(names, offers, strict=True)
        if o.prediction.central is not None and o.prediction.central.step is not None
    ]
    if not known:
        return None
    longest = max(step for _, step in known)
    scale = (WIDTH - LABEL - TEXT) / longest
    rows = []
    for index, (name, step) in enumerate(known):
        y = TOP + index * ROW
        width = round(base * scale, 2)
        rows.append(
            SplitRow(
                label=_fitting(name), compute=fmt.duration(base, language), wait=fmt.duration(step - base, language),
                total=fmt.duration(step, language), y=y, text_y=y + BAR - 3, compute_width=width,
                wait_x=round(LABEL + width, 2), wait_width=round(max((step - base) * scale, 0.5), 2),
            )
        )  # fmt: skip
    return Split(WIDTH, TOP + len(rows) * ROW - (ROW - BAR) + TOP, LABEL, BAR, tuple(rows))


_FITS = 20


def _fitting(name: str) -> str:
    """A name as long as the chart has room for; a Chinese character is two wide."""
    room, out = _FITS, ""
    for char in name:
        room -= 2 if fmt.has_cjk(char) else 1
        if room < 0:
            return f"{out}…"
        out += char
    return out
