"""Planned maintenance that a promise leaves out: what is left of the availability when it counts (policy 1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.formulas.reliability import maintenance_availability
from app.domain.terms import term

if TYPE_CHECKING:
    from app.domain.facts import Offer

HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance:
    """Planned maintenance that a promise does not count; `hours` a month and the `availability` with it, None: open."""

    hours: float | None
    availability: float | None


def maintenance(offer: Offer, month: float) -> Maintenance | None:
    """What is left of the promise when planned maintenance counts; None where the promise counts it."""
    if all(fact.value != "planned_maintenance" for fact in offer.of("exclusion")):
        return None
    window, promised = term(offer, "maintenance_window"), term(offer, "availability").readings
    hours = max(window.readings, default=None)
    if hours is None or not promised:
        return Maintenance(hours=hours, availability=None)
    left = maintenance_availability(availability=min(promised), maintenance=hours * HOUR, window=month)
    return Maintenance(hours=hours, availability=left)
