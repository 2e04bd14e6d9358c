"""Credit tables: thresholds and shares become `credit_tier` facts, never availabilities."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from app.domain.facts import Evidence, Fact, State
from app.sheets import words
from app.sheets.folding import fold, key, lowered
from app.sheets.numbers import Figure, figures
from app.sheets.quantities import header_unit

if TYPE_CHECKING:
    from app.sheets.units import Unit

Bounds = tuple[Decimal | None, Decimal | None, str | None]
_LOWER_SIDE: Final = re.compile(r"below|under|less than|lower than|低于|小于|不足|未达|<|＜|未満")
_UPPER_SIDE: Final = re.compile(r"above|over|more than|longer than|at least|高于|超过|大于|不低于|及以上|以上|>|≥|>=")
_SHORTEST: Final = 2
_NO_CREDIT: Final = re.compile(r"no credit|none|无|不赔|不减")


def tier(measure: str, credit: str, headers: tuple[str, str], evidence: Evidence) -> Fact | None:
    """One row of a credit table; None when it says nothing or cannot be read for certain."""
    share = _share(credit, headers[1])
    bounds = _bounds(measure, headers[0])
    if share is None or bounds is None:
        return None
    low, high, basis = bounds
    return Fact(
        metric="credit_tier", state=State.STATED, value=share, unit="1", lower=low, upper=high, basis=basis,
        evidence=evidence, confidence=0.93,
    )  # fmt: skip


def _share(text: str, header: str) -> Decimal | None:
    folded = fold(text)
    if _NO_CREDIT.search(lowered(folded)):
        return Decimal(0)
    found = [f for f in figures(folded) if f.kind != "range" and len(f.values) == 1]
    if len(found) != 1:
        return None
    unit = found[0].unit or header_unit(header)
    if unit is None or unit.dimension != "ratio":
        return None
    share = found[0].values[0] * unit.factor
    return share if 0 <= share <= 12 else None  # noqa: PLR2004 - at most one year's charges


def _points(found: list[Figure], header: Unit | None, dimension: str) -> list[Decimal]:
    values = []
    for figure in found:
        unit = figure.unit or header
        if unit is None or unit.dimension != dimension:
            continue
        values += [v * unit.factor for v in figure.values]
    return values


def _bounds(text: str, header: str) -> Bounds | None:
    folded = fold(text)
    found = figures(folded)
    unit = header_unit(header)
    for dimension, basis in (("ratio", None), ("time", "outage_duration")):
        points = sorted(set(_points(found, unit, dimension)))
        if len(points) == 2:  # noqa: PLR2004
            return points[0], points[1], basis
        if len(points) == 1:
            return _one_sided(points[0], lowered(folded), basis)
    return None


def _one_sided(point: Decimal, low: str, basis: str | None) -> Bounds | None:
    below, above = _LOWER_SIDE.search(low), _UPPER_SIDE.search(low)
    if below and not above:
        return Decimal(0), point, basis
    if above:
        return point, Decimal(1) if basis is None else None, basis
    return None


def chosen_products(text: str) -> tuple[str, ...]:
    """The product names a selector cell lists (`蓝线100G、200G`), empty for all."""
    parts = re.split(r"[、,，;；/]|和|及|\band\b", fold(text))
    return tuple(p.strip() for p in parts if p.strip() and not re.search(r"全部|所有|\ball\b", lowered(p)))


def is_ditto(text: str) -> bool:
    """Whether a cell only repeats the one above."""
    return bool(words.DITTO.match(lowered(fold(text))))


def names_product(token: str, product: str) -> bool:
    """Whether a selector token names a product: equal, or the end of its name after a non-digit."""
    short, full = lowered(fold(token)).replace(" ", ""), lowered(fold(product)).replace(" ", "")
    if not short or not full.endswith(short):
        return short != "" and full != "" and short.endswith(full) and not short[: -len(full)][-1:].isdigit()
    before = full[: -len(short)][-1:]
    return not (before.isdigit() and short[0].isdigit())


def speaks_of(condition: str, product: str) -> bool:
    """Whether a condition names a product: the one holds the other, letters and digits compared."""
    said, name = key(condition), key(product)
    if len(said) < _SHORTEST or len(name) < _SHORTEST:
        return False
    return name in said or said in name
