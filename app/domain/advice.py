"""Advice before any verdict: another placement, overlap or interval that meets the target with half the floor or less."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.figures import number
from app.domain.problems import InputError, Notice
from app.domain.text import Text, percent
from app.domain.training import demand
from app.domain.working import Ledger

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.lines import Lines
    from app.domain.policy import Policy
    from app.domain.workload import Training, Workload

GIGA = 1e9
LOCAL_STEPS = 100
TARGET_SHARE = 0.9
PIPELINE_PARALLEL_NEEDED = 2


def _alternatives(job: Training) -> Iterator[tuple[str, Training, Text]]:
    """Other ways to place the same job, each with its name; the target stays."""
    if job.crossing != "pipeline" and job.pipeline_parallel >= PIPELINE_PARALLEL_NEEDED and job.sites == 2:  # noqa: PLR2004
        yield (
            "consider_pipeline",
            replace(job, crossing="pipeline", sync_interval_steps=1),
            Text("流水线切分跨站", "a pipeline cut across the line"),
        )
    if job.crossing in ("data", "local_sgd") and job.overlap != "full":
        yield (
            "consider_full_overlap",
            replace(job, overlap="full"),
            Text("完全重叠的跨站规约", "a fully overlapped exchange"),
        )
    if job.crossing != "local_sgd" and job.data_parallel % job.sites == 0:
        local = replace(job, crossing="local_sgd", sync_interval_steps=LOCAL_STEPS, overlap="none", target_sync_s=None,
                        target_utilization=job.target_utilization or TARGET_SHARE)  # fmt: skip
        yield (
            "consider_local_sgd",
            local,
            Text(f"本地 SGD（每 {LOCAL_STEPS} 步同步，利用率 90 %，收敛质量需试验）",
                 f"local SGD (exchange every {LOCAL_STEPS} steps, 90 % utilisation; quality needs a trial)"),
        )  # fmt: skip


def floor_of(job: Training, flows: int, rtt: float) -> float | None:
    """Floor (bit/s) of a training job at the reference round-trip time, or None when no line can."""
    try:
        asked, _ = demand(job, flows, Ledger())
    except InputError:
        return None
    return asked.floor(rtt) if asked.budget > 0 else None


def advise(workload: Workload, policy: Policy, lines: Lines) -> tuple[Notice, ...]:  # noqa: ARG001 - policy may steer later
    """Notices with the floor each alternative would need; empty when nothing is at half the floor or less."""
    job = workload.training
    if job is None or lines.training is None:
        return ()
    notices: list[Notice] = []
    rtt, flows = lines.reference.rtt, workload.network.flows
    for code, other, name in _alternatives(job):
        floor = floor_of(other, flows, rtt)
        if floor is None or (lines.floor is not None and floor > p.HALF_FLOOR.value * lines.floor):
            continue
        notices.append(Notice(code, _told(name, lines.floor, floor)))
    return (*notices, *_sync_target(job, lines, flows))


def _told(name: Text, now: float | None, floor: float) -> Text:
    """What the alternative would need, beside what is needed now."""
    if now is None:
        text = Text("改用{name}，{floor} Gbit/s 即可达到目标。", "With {name} {floor} Gbit/s would meet the target.")
        return text.format(name=name, floor=number(floor / GIGA, 3))
    return Text(
        "改用{name}，下限可由 {now} 降到 {floor} Gbit/s。", "With {name} the floor falls from {now} to {floor} Gbit/s."
    ).format(name=name, now=number(now / GIGA, 3), floor=number(floor / GIGA, 3))


def _sync_target(job: Training, lines: Lines, flows: int) -> list[Notice]:
    """Says what utilisation a bare sync target leaves, and what 90 % would need."""
    if lines.training is None or lines.floor is None or job.target_sync_s is None or job.target_utilization is not None:
        return []
    reached = lines.training.exchange(lines.floor, lines.reference.rtt, 0.0).utilization
    if reached >= TARGET_SHARE:
        return []
    need = floor_of(replace(job, target_sync_s=None, target_utilization=TARGET_SHARE), flows, lines.reference.rtt)
    want = Text("任何线路都做不到", "no line can give it") if need is None else Text(
        f"需要约 {number(need / GIGA)} Gbit/s", f"needs about {number(need / GIGA)} Gbit/s"
    )  # fmt: skip
    return [
        Notice(
            "target_leaves_utilization",
            Text(
                "按目标同步时间，下限处利用率只有 {u}；要达到 90 %，{want}。",
                "At the target sync time utilisation at the floor is only {u}; 90 % {want}.",
            ).format(u=percent(reached, 2), want=want),
        )
    ]
