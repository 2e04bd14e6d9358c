"""A sentence cut into clauses, and each of its figures given to the label it belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from app.domain.metrics import BY_ID, MetricKind
from app.sheets.lexicon import Hit, Label, labels_in
from app.sheets.numbers import Figure, figures
from app.sheets.quantities import accepts

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKS: Final = re.compile(r"[，,;；、。()（）\[\]【】]|(?<=[a-z%\d])\.(?= |$)| / ")
_SENTENCE: Final = re.compile(r"(?<=[。！？!?])|(?<=\.)\s+(?=[\"“‘'(\[]?[A-Z一-鿿])|\n+")
_NUMERIC: Final = frozenset({MetricKind.QUANTITY, MetricKind.MONEY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A stretch of a sentence between two marks; `index` is its number in the sentence."""

    index: int
    start: int
    end: int
    figures: tuple[Figure, ...]
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assigned:
    """A figure with the label it was given to; `near` is False when the label came from outside its clause."""

    figure: Figure
    clause: Clause
    label: Label | None
    near: bool = True


def sentences(raw: str) -> Iterator[str]:
    """The sentences of a raw text, verbatim."""
    for part in _SENTENCE.split(raw):
        if part and part.strip():
            yield part.strip()


@lru_cache(maxsize=4096)
def cut(text: str, style: str | None = None) -> tuple[Clause, ...]:
    """The clauses of a folded sentence; a comma inside a figure is no mark."""
    found = figures(text, style)
    hits = labels_in(text)
    marks = [m for m in _MARKS.finditer(text) if not any(f.start < m.end() and m.start() < f.end for f in found)]
    marks = [m for m in marks if not any(h.start < m.start() < h.end for h in hits)]
    edges = [0, *(m.end() for m in marks), len(text)]
    stops = [*(m.start() for m in marks), len(text)]
    result: list[Clause] = []
    for start, end in zip(edges, stops, strict=False):
        if text[start:end].strip():
            result.append(
                Clause(
                    index=len(result), start=start, end=end,
                    figures=tuple(f for f in found if start <= f.start < end),
                    hits=tuple(h for h in hits if start <= h.start < end),
                )
            )  # fmt: skip
    return tuple(result)


def suits(label: Label, figure: Figure) -> bool:
    """Whether a figure can belong to a label: topics take anything, downtime takes times."""
    if label.metric is None:
        return True
    if label.downtime:
        return figure.dimension in {"time", "ratio"}
    metric = BY_ID[label.metric]
    if metric.kind not in _NUMERIC:
        return False
    if (
        label.metric in {"availability", "packet_loss", "bit_error_ratio"}
        and figure.unit is None
        and figure.kind == "plain"
    ):
        return True
    return accepts(metric, figure)


def _nearest(clause: Clause, figure: Figure, used: set[int]) -> Hit | None:
    """The label of a figure inside its clause: left one unless another figure took it, else the right one."""
    fitting = [h for h in clause.hits if suits(h.label, figure)]
    left = [h for h in fitting if h.end <= figure.start]
    right = [h for h in fitting if h.start >= figure.end]
    before = left[-1] if left else None
    after = right[0] if right else None
    if before and before.label.metric is None and after and after.label.metric is None:
        return before
    if before and (before.start not in used or after is None):
        return before
    later = [f for f in clause.figures if f.start > figure.start]
    if after and not (later and later[0].start < after.start and (before or after.label.metric is None)):
        return after
    return before


def _from_clause(clause: Clause, default: Label | None, used: set[int], figure: Figure) -> Label | None:
    hit = _nearest(clause, figure, used)
    if hit is None:
        return None
    used.add(hit.start)
    label = hit.label
    if default and default.metric == label.metric and label.direction is None:
        return default
    if default and {default.metric, label.metric} == {"one_way_delay", "rtt"} and label.direction is None:
        return default
    return label


def assign(parts: tuple[Clause, ...], default: Label | None) -> list[Assigned]:
    """Every figure of a sentence with its label; `default` is the label of the row or column, for cells."""
    result: list[Assigned] = []
    carried: Label | None = None
    for clause in parts:
        used: set[int] = set()
        for figure in clause.figures:
            label = _from_clause(clause, default, used, figure)
            near = label is not None
            if label is None and not _other_topic(clause, figure) and carried and suits(carried, figure):
                label = carried
            if label is None and default and suits(default, figure):
                label, near = default, True
            result.append(Assigned(figure=figure, clause=clause, label=label, near=near))
        if clause.hits:
            carried = clause.hits[-1].label if clause.hits[-1].label.metric else None
    return result


def _other_topic(clause: Clause, figure: Figure) -> bool:
    """Whether a topic of its own claims a figure: before it, or behind it with no other figure between."""
    later = next((f.start for f in clause.figures if f.start > figure.start), clause.end)
    return any(h.label.metric is None and (h.end <= figure.start or h.start < later) for h in clause.hits)
