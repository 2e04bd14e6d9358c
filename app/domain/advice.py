"""Advice before any verdict: another placement, overlap or interval that meets the target with half the floor or less."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.demand import PipelineDemand
from app.domain.figures import number
from app.domain.interconnect import lanes
from app.domain.problems import InputError, Problem
from app.domain.text import Text, percent
from app.domain.training import REFUSED, demand
from app.domain.working import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from app.domain.demand import TrainingDemand
    from app.domain.lines import Lines
    from app.domain.workload import Training, Workload

TITLES = {
    "consider_pipeline": Text("流水线切分跨站", "A pipeline cut across the line"),
    "consider_data": Text("数据并行跨站", "Data parallel across the line"),
    "consider_warmup": Text("切口前多预热几个微批", "More warm-up before the cut"),
    "consider_full_overlap": Text("完全重叠通信与反向计算", "Overlap the whole backward pass"),
    "consider_local_sgd": Text("本地 SGD，少同步", "Local SGD: exchange less often"),
    "target_leaves_utilization": Text("目标同步时间留下的利用率", "What the sync target leaves"),
}
GIGA = 1e9
LOCAL_STEPS = 100
TARGET_SHARE = 0.9
TWO = 2


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another way to run the same job: its name in a sentence, and the training fields it changes."""

    code: str
    name: Text
    change: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice: what it says and the training fields to change."""

    code: str
    message: Text
    change: Mapping[str, Any]

    @property
    def title(self) -> Text:
        """The heading above it."""
        return TITLES[self.code]

    def as_json(self) -> dict[str, Any]:
        """The advice in the form of the contract, with the change beside it."""
        return {
            "code": self.code, "message": self.message.as_json(), "change": {"training": dict(self.change)},
        }  # fmt: skip


def _data(job: Training, asked: TrainingDemand | None, rtt: float) -> Alternative | None:  # noqa: ARG001 - one shape
    if job.crossing in ("data", "local_sgd") or job.data_parallel % job.sites:
        return None
    name = Text("数据并行跨站", "data parallel across the line")
    if job.crossing == "fsdp":
        name = Text("站内全分片、站间复制（HSDP）", "sharding inside a site and replicas across (HSDP)")
    return Alternative("consider_data", name, {"crossing": "data"})


def _pipeline(job: Training, asked: TrainingDemand | None, rtt: float) -> Alternative | None:  # noqa: ARG001 - one shape
    if job.crossing == "pipeline" or job.pipeline_parallel < TWO or job.sites != TWO:
        return None
    return Alternative(
        "consider_pipeline",
        Text("流水线切分跨站", "a pipeline cut across the line"),
        {"crossing": "pipeline", "sync_interval_steps": 1},
    )


def _warmup(job: Training, asked: TrainingDemand | None, rtt: float) -> Alternative | None:
    """Enough extra warm-up to hide the delay: e ≥ 2D/τ, with one message taking a stage's forward time at most."""
    if not isinstance(asked, PipelineDemand):
        return None
    slot = asked.forward_time + asked.backward_time
    enough = math.ceil(2 * (rtt / 2 + asked.forward_time) / slot)
    if job.extra_warmup_micro_batches >= enough:
        return None
    return Alternative(
        "consider_warmup",
        Text(f"切口前多预热 {enough} 个微批（每级多存 {enough} 份激活）",
             f"{enough} extra warm-up micro-batches before the cut (as many more stored activations a stage)"),
        {"extra_warmup_micro_batches": enough},
    )  # fmt: skip


def _overlap(job: Training, asked: TrainingDemand | None, rtt: float) -> Alternative | None:  # noqa: ARG001 - one shape
    streaming = job.fragment_layers is not None or job.overlap_steps > 0
    if job.crossing not in ("data", "local_sgd") or job.overlap == "full" or streaming:
        return None
    return Alternative(
        "consider_full_overlap",
        Text("完全重叠的跨站规约", "a fully overlapped exchange"),
        {"overlap": "full"},
    )


def _local(job: Training, asked: TrainingDemand | None, rtt: float) -> Alternative | None:  # noqa: ARG001 - one shape
    if job.crossing == "local_sgd" or job.data_parallel % job.sites:
        return None
    return Alternative(
        "consider_local_sgd",
        Text(f"本地 SGD（每 {LOCAL_STEPS} 步同步，收敛质量需试验）",
             f"local SGD (exchange every {LOCAL_STEPS} steps; quality needs a trial)"),
        {"crossing": "local_sgd", "sync_interval_steps": LOCAL_STEPS, "overlap": "none", "target_sync_s": None,
         "target_utilization": job.target_utilization or TARGET_SHARE},
    )  # fmt: skip


WAYS: tuple[Callable[[Training, TrainingDemand | None, float], Alternative | None], ...] = (
    _pipeline,
    _data,
    _warmup,
    _overlap,
    _local,
)


def _asked(job: Training, flows: int) -> TrainingDemand | None:
    try:
        return demand(job, flows, Ledger())[0]
    except InputError:
        return None


def floor_of(job: Training, flows: int, rtt: float) -> float | None:
    """Floor (bit/s) of a training job at the reference round-trip time, or None when no line can."""
    asked = _asked(job, flows)
    return asked.floor(rtt) if asked is not None and asked.budget > 0 else None


def alternatives(workload: Workload, rtt: float) -> tuple[Alternative, ...]:
    """Every other way to place the training job of a workload that its degrees allow."""
    job = workload.training
    if job is None:
        return ()
    asked = _asked(job, workload.network.flows)
    made = (way(job, asked, rtt) for way in WAYS)
    return tuple(other for other in made if other is not None)


def with_advice(workload: Workload, advice: Sequence[Advice], code: str) -> Workload:
    """The workload changed as one piece of the advice given says. Raises `InputError` for advice that is not there."""
    chosen = next((one for one in advice if one.code == code), None)
    job = workload.training
    if chosen is None or job is None:
        text = Text(
            "这条建议不适用于当前工作负载，请回到需求页重新选择。",
            "This advice does not apply to the workload as it stands; choose again on the requirement page.",
        )
        raise InputError([Problem("NO_SUCH_ADVICE", "alternative", text)])
    return replace(workload, training=replace(job, **chosen.change))


def advise(workload: Workload, lines: Lines) -> tuple[Advice, ...]:
    """The floor each alternative would need; empty when nothing is at half the floor or less (policy 0.10)."""
    job, now = workload.training, lines.training
    if job is None or now is None:
        return ()
    found: list[Advice] = []
    rtt, flows = lines.reference.rtt, workload.network.flows
    for other in alternatives(workload, rtt):
        changed = replace(job, **other.change)
        asked, floor = _asked(changed, flows), floor_of(changed, flows, rtt)
        if asked is None or floor is None or (lines.floor is not None and floor > p.HALF_FLOOR.value * lines.floor):
            continue
        if changed.crossing in REFUSED:
            continue
        told = _told(other.name, lines, changed, asked, floor)
        moved = _moved(now.size * lanes(job), now, asked.size * lanes(changed), asked)
        text = told if moved is None else Text(told.zh + moved.zh, f"{told.en} {moved.en}")
        found.append(Advice(other.code, text, other.change))
    return (*found, *_sync_target(job, lines, flows))


def _told(name: Text, lines: Lines, job: Training, asked: TrainingDemand, floor: float) -> Text:
    """What the alternative would need for which goal, beside what is needed now; a mixed job's sum behind it."""
    values = {"name": name, "goal": _goal(job, asked), "floor": number(floor / GIGA, 3)}
    if lines.floor is None:
        text = Text("改用{name}，{goal}，{floor} Gbit/s 即可。", "With {name}, for {goal}, {floor} Gbit/s are enough.")
        told = text.format(**values)
    else:
        text = Text(
            "改用{name}，{goal}，下限可由 {now} 降到 {floor} Gbit/s。",
            "With {name}, for {goal}, the floor falls from {now} to {floor} Gbit/s.",
        )
        told = text.format(now=number(lines.floor / GIGA, 3), **values)
    if not lines.reserved:
        return told
    both = Text(
        "连同另一场景占用的 {other}，线路须有 {sum} Gbit/s。",
        "With the {other} of the other scenario the line needs {sum} Gbit/s.",
    ).format(other=number(lines.reserved / GIGA, 3), sum=number((floor + lines.reserved) / GIGA, 3))
    return Text(told.zh + both.zh, f"{told.en} {both.en}")


def _goal(job: Training, asked: TrainingDemand) -> Text:
    """The goal a floor is reckoned for: a sync time, else the utilisation that the budget leaves."""
    if job.target_sync_s is not None and job.target_utilization is None:
        return Text("同步 {t:.4g} s 内完成", "an exchange in {t:.4g} s").format(t=job.target_sync_s)
    share = job.target_utilization
    if share is None:
        share = asked.step_time * asked.interval / (asked.step_time * asked.interval + asked.budget)
    return Text("利用率 {u}", "a utilisation of {u}").format(u=percent(share, 2))


def _moved(size: float, now: TrainingDemand, other_size: float, other: TrainingDemand) -> Text | None:
    """What leaves a site per step on average, now and then: P·b for data against G·h·b for a pipeline cut."""
    before, after = size / now.interval, other_size / other.interval
    if math.isclose(before, after):
        return None
    return Text(
        "平均每步跨站 {before} GB，改后 {after} GB。", "{after} GB cross per step on average instead of {before} GB."
    ).format(before=number(before / GIGA, 3), after=number(after / GIGA, 3))


def _sync_target(job: Training, lines: Lines, flows: int) -> list[Advice]:
    """Says what utilisation a bare sync target leaves, and what 90 % would need."""
    if lines.training is None or lines.floor is None or job.target_sync_s is None or job.target_utilization is not None:
        return []
    reached = lines.training.exchange(lines.floor, lines.reference.rtt, 0.0).utilization
    if reached >= TARGET_SHARE:
        return []
    change: dict[str, Any] = {"target_sync_s": None, "target_utilization": TARGET_SHARE}
    need = floor_of(replace(job, **change), flows, lines.reference.rtt)
    want = Text("任何线路都做不到", "no line can give it") if need is None else Text(
        f"需要约 {number(need / GIGA)} Gbit/s", f"needs about {number(need / GIGA)} Gbit/s"
    )  # fmt: skip
    text = Text(
        "按目标同步时间，下限处利用率只有 {u}；要达到 90 %，{want}。",
        "At the target sync time utilisation at the floor is only {u}; 90 % {want}.",
    ).format(u=percent(reached, 2), want=want)
    return [Advice("target_leaves_utilization", text, change)]
