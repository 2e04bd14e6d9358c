"""Tables cut in two by a page end or a gap of blank rows are put together again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.sheets.document import Cell, Paragraph, Table
from app.sheets.folding import key
from app.sheets.layout import analyse

if TYPE_CHECKING:
    from app.sheets.document import Block

_TOLERANCE = 4.0


def join(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Blocks in order, with headless tables appended to the table that they continue."""
    result: list[Block] = []
    for block in blocks:
        last = next((i for i in range(len(result) - 1, -1, -1) if isinstance(result[i], Table)), None)
        between = result[last + 1 :] if last is not None else []
        if isinstance(block, Table) and last is not None and not any(isinstance(b, Paragraph) for b in between):
            joined = _continued(result[last], block)  # type: ignore[arg-type]
            if joined is not None:
                result[last] = joined
                continue
        result.append(block)
    return tuple(result)


def _continued(first: Table, second: Table) -> Table | None:
    head = analyse(first)
    if head.kind not in {"columns", "rows"} or not second.rows:
        return None
    rows = _aligned(first, second)
    if rows is None:
        return None
    repeated = [key(c.text) if c else "" for c in rows[0]] == [
        key(c.text) if c else "" for c in first.rows[head.header[0] if head.header else 0]
    ]
    if repeated:
        rows = rows[1:]
    elif (analyse(second).kind != "none" and head.kind == "columns") or (
        head.kind == "rows" and analyse(second).header
    ):
        return None
    return replace(first, rows=(*first.rows, *rows))


def _aligned(first: Table, second: Table) -> tuple[tuple[Cell | None, ...], ...] | None:
    """The rows of the second table in the columns of the first, by left edges or by width."""
    if first.edges and second.edges:
        places = [_column(edge, first.edges) for edge in second.edges]
        if None in places or len(set(places)) < len(places):
            return None
        rows = []
        for row in second.rows:
            cells: list[Cell | None] = [None] * first.width
            for cell, at in zip(row, places, strict=False):
                if at is not None and at < first.width:
                    cells[at] = cell
            rows.append(tuple(cells))
        return tuple(rows)
    return second.rows if second.width == first.width else None


def _column(edge: float, edges: tuple[float, ...]) -> int | None:
    near = [i for i, e in enumerate(edges) if abs(e - edge) <= _TOLERANCE]
    return near[0] if near else None
