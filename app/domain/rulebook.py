"""The whole rule book: four steps in order, its version, and the judging of one offer."""

from __future__ import annotations

from app.domain.rules import Rule
from app.domain.steps import bandwidth, platform, red_lines, sla, topology

RULEBOOK_VERSION = "2026-12-01"
RULEBOOK: tuple[Rule, ...] = (
    *bandwidth.RULES,
    *red_lines.RULES,
    *sla.RULES,
    *topology.RULES,
    *platform.RULES,
)
BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULEBOOK}
