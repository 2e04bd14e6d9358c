"""The buyer's own fabric as the requirement page and the document show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.fabric import field_note, side
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.report.working_view import WorkingLine, closed, working_line

if TYPE_CHECKING:
    from app.domain.assessment import Assessment, Judged
    from app.domain.fabric import Audit


ON_THIS_LINE = Text(
    "己方网卡合计 {total} 对本线有效带宽 {rate}，即 {ratio}；每次同步有 {exposed} 无法掩盖，利用率 {use}。",
    "Your NICs add up to {total} over an effective {rate} on this line, {ratio}; {exposed} of each exchange cannot be "
    "hidden, utilisation {use}.",
)


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


def on_this_line(assessment: Assessment, offer: Judged, language: Language) -> tuple[str, ...]:
    """The buyer's NICs over what one offer delivers, with the time that costs; nothing without a central prediction."""
    job, got = assessment.workload.training, offer.prediction.central
    if job is None or got is None or not got.effective or got.exposed is None or got.utilization is None:
        return ()
    total = side(assessment.workload.fabric, job).total
    text = ON_THIS_LINE.format(
        total=fmt.rate(total, language), rate=fmt.rate(got.effective, language),
        ratio=fmt.contention(total / got.effective, language), exposed=fmt.duration(got.exposed, language),
        use=fmt.percent(got.utilization, language),
    )  # fmt: skip
    return (text.pick(language), field_note().pick(language))
