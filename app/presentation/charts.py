"""Geometry of the small charts that pages and PDF share; the macros only write the numbers down.

Everything is attributes of SVG elements, since the content security policy forbids `style`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

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
