"""Geometry of the small charts that pages and PDF share; the macros only write the numbers down.

Everything is attributes of SVG elements, since the content security policy forbids `style`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ROW, _BAR, _TOP, _FOOT = 30, 14, 6, 24
_WIDTH, _LABEL, _TEXT = 640, 150, 70
_MIN_BAR = 1.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar in per cent of its box: the share, the band it may lie in, the target as a tick."""

    share: str | None
    band: tuple[str, str] | None
    target: str | None


def _clamp(value: float) -> float:
    return min(max(float(value), 0.0), 1.0)


def _share(value: float) -> str:
    return f"{_clamp(value) * 100:.4g}%"


def bar(share: float | None, low: float | None = None, high: float | None = None, target: float | None = None) -> Bar:
    """Place a share, its band and its target, all fractions of one."""
    band = None
    if low is not None and high is not None:
        first, last = sorted((_clamp(low), _clamp(high)))
        band = (_share(first), _share(max(last - first, 0.01)))
    return Bar(None if share is None else _share(share), band, None if target is None else _share(target))


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a waterfall: what it is, how much is left, and that figure as text."""

    label: str
    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One drawn stage; `lost_width` is 0 where nothing was lost."""

    label: str
    text: str
    y: float
    text_y: float
    width: float
    lost_x: float
    lost_width: float


@dataclass(frozen=True, slots=True)
class Waterfall:
    """A drawn waterfall: what is left of the first stage, what each stage lost, the floor as a line."""

    width: int
    height: float
    bar_x: int
    bar_height: int
    text_x: int
    rows: tuple[Row, ...]
    floor_x: float | None
    floor_text: str
    floor_y: float
    floor_anchor: str


def waterfall(stages: Sequence[Stage], floor: float | None = None, floor_text: str = "") -> Waterfall:
    """Draw `stages` from the largest value downwards; `floor` is drawn as a dashed line with its words."""
    room = _WIDTH - _LABEL - _TEXT
    largest = max([s.value for s in stages] + [floor or 0.0]) or 1.0
    rows: list[Row] = []
    before = 0.0
    for index, stage in enumerate(stages):
        y = _TOP + index * _ROW
        width = round(max(stage.value / largest * room, _MIN_BAR), 2)
        lost = round(max(before - width, 0.0), 2) if index else 0.0
        rows.append(Row(stage.label, stage.text, y, y + _BAR - 3, width, round(_LABEL + width, 2), lost))
        before = width
    height = _TOP + len(rows) * _ROW - (_ROW - _BAR) + _FOOT
    floor_x = None if floor is None else round(_LABEL + floor / largest * room, 2)
    anchor = "end" if floor_x is not None and floor_x > _LABEL + room / 2 else "start"
    return Waterfall(_WIDTH, height, _LABEL, _BAR, _WIDTH, tuple(rows), floor_x, floor_text, height - 4, anchor)


_PLOT_WIDTH, _PLOT_HEIGHT, _PLOT_LEFT, _PLOT_TOP, _PLOT_FOOT = 460, 234, 44, 20, 32


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on the x axis with its words."""

    x: float
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawn curve over a logarithmic axis: line, band, ticks, and marks (own figure, line of the requirement)."""

    width: int
    height: int
    left: int
    foot: int
    line: str
    band: str
    reference: str
    x_ticks: tuple[Mark, ...]
    y_ticks: tuple[tuple[float, str], ...]
    own: Mark | None
    limit: Mark | None


def curve(
    points: Sequence[tuple[float, float | None, float | None, float | None]],
    x_text: Callable[[float], str],
    y_text: Callable[[float], str],
    own: tuple[float, str] | None = None,
    limit: tuple[float, str] | None = None,
    reference: Sequence[float | None] = (),
) -> Curve:
    """Draw (x, low, central, high), x on a logarithmic axis; y starts at 0, points without a figure are left out.

    `reference` is a second line over the same x.
    """
    first, last = points[0][0], points[-1][0]
    drawn = [v for _, *ends in points for v in ends] + list(reference)
    top = max((v for v in drawn if v is not None), default=1.0) * 1.05 or 1.0

    def at(x: float) -> float:
        share = math.log(x / first) / math.log(last / first)
        return round(_PLOT_LEFT + share * (_PLOT_WIDTH - _PLOT_LEFT - 8), 2)

    def up(y: float) -> float:
        return round((_PLOT_HEIGHT - _PLOT_FOOT - _PLOT_TOP) * (1 - y / top) + _PLOT_TOP, 2)

    def path(pairs: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{at(x)},{up(y)}" for x, y in pairs)

    def mark(where: tuple[float, str] | None) -> Mark | None:
        if where is None or not first <= where[0] <= last:
            return None
        x = at(where[0])
        return Mark(x, where[1], "end" if x > _PLOT_WIDTH / 2 else "start")

    high = [(x, h) for x, _, _, h in points if h is not None]
    low = [(x, lo) for x, lo, _, _ in points if lo is not None]
    ticks = [first, math.sqrt(first * last), last]
    anchors = ("start", "middle", "end")
    return Curve(
        _PLOT_WIDTH, _PLOT_HEIGHT, _PLOT_LEFT, _PLOT_HEIGHT - _PLOT_FOOT,
        line=path([(x, c) for x, _, c, _ in points if c is not None]),
        band=path([*high, *reversed(low)]) if high and low else "",
        reference=path([(q[0], y) for q, y in zip(points, reference, strict=False) if y is not None]),
        x_ticks=tuple(Mark(at(x), x_text(x), a) for x, a in zip(ticks, anchors, strict=True)),
        y_ticks=tuple((up(top / 1.05 * n / 2), y_text(top / 1.05 * n / 2)) for n in range(3)),
        own=mark(own), limit=mark(limit),
    )  # fmt: skip
