"""Several sites by hub, ring and mesh, side by side: what each line carries and needs, and what one failure does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.requirement import derive
from app.presentation import format as fmt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.interconnect import Interconnect
    from app.domain.policy import Policy
    from app.domain.requirement import Requirement
    from app.domain.text import Language
    from app.domain.workload import Workload

KINDS = ("hub", "ring", "mesh")


@dataclass(frozen=True, slots=True, kw_only=True)
class SitesRow:
    """One way of joining the sites; `own` is the one the job names."""

    own: bool
    title: str
    lines: str
    carried: str
    per_step: str
    hops: str
    floor: str
    target: str
    site: str
    hub: str
    failure: str


def sites_rows(
    workload: Workload, policy: Policy, requirement: Requirement, language: Language
) -> tuple[SitesRow, ...]:
    """Every way of joining the sites; empty for two sites, which have one line."""
    own = requirement.interconnect
    if own is None or own.sites < 3:  # noqa: PLR2004 - two sites have one line
        return ()
    return tuple(_row(found, language, own=found.kind == own.kind) for found in _shapes(workload, policy, own))


def _shapes(workload: Workload, policy: Policy, own: Interconnect) -> Iterator[Interconnect]:
    """The job's own shape as derived, the others derived anew: a mesh has fewer hops and so another budget."""
    for kind in KINDS:
        job = workload.training
        if kind == own.kind:
            yield own
        elif job is not None:
            other = derive(replace(workload, training=replace(job, interconnect=kind)), policy).interconnect
            if other is not None:
                yield other


def _row(found: Interconnect, language: Language, *, own: bool) -> SitesRow:
    hub = fmt.rate(found.hub_floor, language) if found.kind == "hub" else ""
    same = found.step_bytes == found.line_bytes
    return SitesRow(
        own=own, title=found.title.pick(language), lines=fmt.figure(found.lines, language),
        carried=fmt.size(found.line_bytes, language),
        per_step="" if same else fmt.size(found.step_bytes, language), hops=fmt.figure(found.hops, language),
        floor=fmt.rate(found.line_floor, language), target=fmt.rate(found.line_target, language),
        site=fmt.rate(found.site_floor, language), hub=hub, failure=found.failure.pick(language),
    )  # fmt: skip
