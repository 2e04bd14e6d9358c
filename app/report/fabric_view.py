"""The buyer's own fabric as the requirement page and the document show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.fabric import field_note
from app.presentation import format as fmt
from app.report.working_view import WorkingLine, closed, working_line

if TYPE_CHECKING:
    from app.domain.fabric import Audit
    from app.domain.text import Language


@dataclass(frozen=True, slots=True)
class TierRow:
    """One ratio: title, the ratio as people write it, its working, what it means in time."""

    title: str
    ratio: str
    working: WorkingLine
    note: str


@dataclass(frozen=True, slots=True)
class FabricView:
    """The audit, formatted; `groups` are (title, note) of the traffic that should stay inside."""

    tiers: tuple[TierRow, ...]
    groups: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def fabric_view(audit: Audit | None, language: Language) -> FabricView | None:
    """Put the audit into words, or None where there is nothing to show."""
    if audit is None or not audit.tiers:
        return None
    slower = [audit.slower] if audit.slower is not None else []
    return FabricView(
        tiers=tuple(
            TierRow(
                tier.title.pick(language), fmt.contention(tier.working.value, language),
                working_line(tier.working, language), closed(tier.note.pick(language)),
            )
            for tier in audit.tiers
        ),
        groups=tuple((s.title.pick(language), s.note.pick(language)) for s in audit.stays),
        notes=tuple(n.pick(language) for n in (*slower, field_note(), *audit.assumptions)),
    )  # fmt: skip
