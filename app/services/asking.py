"""What is sent to vendors: the questionnaire headed by what the workload asks of a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.policy import parse_policy
from app.domain.requirement import derive
from app.domain.text import Language, Text
from app.domain.workload import parse_workload
from app.presentation.format import availability, figure, ratio
from app.sheets.questionnaire import write_questionnaire

if TYPE_CHECKING:
    from app.domain.lines import Lines
    from app.domain.requirement import Requirement

GIGA, MILLI = 1e9, 1e-3


def questionnaire(language: Language, workload: object = None, policy: object = None) -> bytes:
    """The questionnaire as XLSX; with a workload its requirement heads the sheet. Raises `InputError`."""
    if workload is None:
        return write_questionnaire(language)
    requirement = derive(parse_workload(workload), parse_policy(policy))
    return write_questionnaire(language, requirement_rows(requirement, language))


def requirement_rows(requirement: Requirement, language: Language) -> list[tuple[Text, str]]:
    """Every line of the requirement as label and figure with unit; a line that is not set is left out."""
    rows: list[tuple[Text, str]] = []
    for lines in requirement.lines:
        rows += _rows(lines, language)
    return list(dict.fromkeys(rows))


def _rows(lines: Lines, language: Language) -> list[tuple[Text, str]]:
    strict = "<" if lines.rtt_strict else "≤"
    found = (
        (Text("有效带宽下限（每方向）", "Effective bandwidth floor (per direction)"), lines.need, "≥", GIGA, "Gbit/s"),
        (Text("目标带宽（每方向）", "Target bandwidth (per direction)"), lines.target, "", GIGA, "Gbit/s"),
        (Text("往返时延", "Round-trip time"), lines.rtt_limit, strict, MILLI, "ms"),
        (
            Text("抖动（标准差）", "Inter-packet delay variation (standard deviation)"),
            lines.sigma_limit,
            "≤",
            MILLI,
            "ms",
        ),
    )
    rows = [
        (label, f"{sign} {figure(value / scale, language, unit)}".strip())
        for label, value, sign, scale, unit in found
        if value is not None
    ]
    if lines.loss_limit is not None:
        rows.append((Text("丢包率", "Packet loss ratio"), f"≤ {ratio(lines.loss_limit, language)}"))
    label = Text("可用性（端到端、按月）", "Availability (end to end, monthly)")
    rows.append((label, f"≥ {availability(lines.availability_floor, language)}"))
    return rows
