"""What a vendor said: facts with their evidence, and the offers they add up to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Any

from app.domain.remarks import Remark

Value = Decimal | bool | str


class State(StrEnum):
    """How a sheet speaks of a metric.

    `stated` a value is given; `none` the vendor declines to commit; `elsewhere` another document is named;
    `ambiguous` several readings are possible; `missing` the sheet is silent (never stored, only answered).
    """

    STATED = "stated"
    NONE = "none"
    ELSEWHERE = "elsewhere"
    AMBIGUOUS = "ambiguous"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Where a value stands: the file, the place in it, and the words, verbatim.

    `label` is the heading that the words of a table cell stand under, verbatim.
    `reader` is what read it (`xlsx`, `csv`, `pdf`, `docx`, `questionnaire`, `json`, `person`);
    `path` is the JSON path or form field for values that did not come from a sheet; `remarks` say how the
    words were normalised, as codes of `app.domain.remarks`.
    """

    reader: str
    quote: str
    file: str | None = None
    sha256: str | None = None
    page: int | None = None
    sheet: str | None = None
    cell: str | None = None
    table: int | None = None
    row: int | None = None
    column: int | None = None
    box: tuple[float, float, float, float] | None = None
    path: str | None = None
    label: str | None = None
    remarks: tuple[Remark, ...] = ()

    @property
    def words(self) -> str:
        """The quote with the label of its row and column before it: a bare `50` tells nobody its unit."""
        return f"{self.label} | {self.quote}" if self.label else self.quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing said about one metric, in the metric's canonical unit (see `app.domain.metrics`).

    `operator` is one of `<=`, `<`, `>=`, `>`, `=`, or None. `statistic`, `direction`, `scope`, `period`,
    `commitment` use the words of the contract; None means the sheet does not say. `condition` is the
    vendor's own wording of when the figure holds ("two circuits, two sites"); for `segment_bandwidth` it is
    the name of the segment. `lower`/`upper` bound a `credit_tier`; `basis` is `outage_duration` when they are
    seconds. `readings` are the candidates of an ambiguous fact. `visible` is False for values a reader of the
    document cannot see. `confirmed_by` names the person who confirmed or corrected it.
    """

    metric: str
    state: State
    evidence: Evidence
    value: Value | None = None
    unit: str | None = None
    operator: str | None = None
    statistic: str | None = None
    direction: str | None = None
    scope: str | None = None
    condition: str | None = None
    period: str | None = None
    commitment: str | None = None
    currency: str | None = None
    basis: str | None = None
    lower: Decimal | None = None
    upper: Decimal | None = None
    readings: tuple[Decimal, ...] = ()
    derived: bool = False
    visible: bool = True
    confidence: float = 1.0
    confirmed_by: str | None = None

    def confirm(self, actor: str) -> Fact:
        """The same fact, confirmed by `actor`."""
        return replace(self, confirmed_by=actor)


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One product of one vendor with every fact known about it; known by vendor + product."""

    vendor: str
    product: str | None = None
    facts: tuple[Fact, ...] = field(default=())

    @property
    def key(self) -> tuple[str, str]:
        """Identity of an offer: vendor and product."""
        return (self.vendor, self.product or "")

    @cached_property
    def memo(self) -> dict[str, Any]:
        """What was derived from the facts of this offer and never changes: terms by metric (see `terms.term`)."""
        return {}

    @cached_property
    def _index(self) -> dict[str, tuple[Fact, ...]]:
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            if fact.visible:
                found.setdefault(fact.metric, []).append(fact)
        return {metric: tuple(facts) for metric, facts in found.items()}

    def of(self, metric: str) -> tuple[Fact, ...]:
        """All visible facts of one metric, in the order they were read."""
        return self._index.get(metric, ())
