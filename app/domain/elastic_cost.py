"""What an elastic line costs against a fixed one of its burst rate, where both prices are known; else a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.elastic import terms_of
from app.domain.figures import number
from app.domain.questions import ask

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from app.domain.assessment import Judged
    from app.domain.text import Text

GIGA = 1e9


@dataclass(frozen=True, slots=True)
class AgainstFixed:
    """The cheapest fixed offer at the burst rate or above and what it costs more a month; or the question to ask."""

    fixed: Judged | None
    dearer: Decimal | None
    question: Text | None

    def as_json(self) -> dict[str, Any]:
        """The comparison as pages and programs read it."""
        return {
            "fixed": None if self.fixed is None else self.fixed.name,
            "fixed_costs_more_monthly": None if self.dearer is None else float(self.dearer),
            "question": None if self.question is None else self.question.as_json(),
        }


def against_fixed(offer: Judged, offers: Sequence[Judged]) -> AgainstFixed | None:
    """Compare the monthly cost of an elastic offer with fixed lines; None when it sells no burst."""
    terms = terms_of(offer.offer)
    if not terms.sold or terms.burst is None:
        return None
    rivals = [
        (rival.cost.line, place)
        for place, rival in enumerate(offers)
        if rival is not offer and rival.cost.line is not None and _holds(rival, terms.burst)
    ]
    if offer.cost.line is None or not rivals:
        return AgainstFixed(None, None, ask("fixed_price", rate=number(terms.burst / GIGA)))
    price, place = min(rivals)
    return AgainstFixed(offers[place], price - offer.cost.line, None)


def _holds(rival: Judged, rate: float) -> bool:
    """Whether another offer promises this rate without a burst."""
    base = terms_of(rival.offer).base
    return base is not None and base >= rate
