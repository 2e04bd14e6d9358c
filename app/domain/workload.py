"""The workload: what job runs over the line. Built from JSON by the field lists, checked as a whole.

`parse_workload` lists every problem it finds and guesses none away: degrees that do not multiply, tokens that
do not match sequence × replicas × micro-batches, a model that does not fit in memory.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from app.domain.fields import read_fields
from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.domain.workload_checks import inference_contradictions, training_contradictions
from app.domain.workload_fields import (
    BULK_FIELDS,
    FABRIC_FIELDS,
    GPU_FIELDS,
    INFERENCE_FIELDS,
    NETWORK_FIELDS,
    TOP_FIELDS,
    TRAINING_FIELDS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

NEEDS: dict[str, tuple[str, ...]] = {
    "training": ("training",),
    "inference": ("inference",),
    "mixed": ("training", "inference"),
    "bulk": ("bulk",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """The accelerator: rates in TFLOPS, memory in GB, price per hour; see `GPU_FIELDS`."""

    model: str | None
    peak_tflops: float | None
    mfu: float
    memory_gb: float | None
    hour_price: float | None
    currency: str
    mtbf_h: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A training job; every field as in `TRAINING_FIELDS`, units in the names."""

    parameters: float
    active_parameters: float | None
    trainable_parameters: float | None
    layers: int
    hidden_size: int
    sequence_length: int
    vocabulary: int
    global_batch_tokens: float
    micro_batches: int
    gradient_bytes_per_element: float
    activation_bytes_per_element: float
    experts_per_token: int | None
    moe_layers: int | None
    dispatch_bytes: float
    combine_bytes: float
    peak_to_mean: float
    sites: int
    interconnect: str
    gpus: int
    tensor_parallel: int
    pipeline_parallel: int
    data_parallel: int
    expert_parallel: int
    zero_stage: int
    crossing: str
    cut_stage: int | None
    extra_warmup_micro_batches: int
    overlap: str
    sync_interval_steps: int
    bits_per_synced_element: float | None
    fragment_layers: int | None
    overlap_steps: int
    step_compute_s: float | None
    target_sync_s: float | None
    target_utilization: float | None
    total_tokens: float | None
    deadline_days: float | None
    gpu: Gpu
    checkpoint_write_s: float
    restart_s: float
    checkpoint_interval_s: float | None
    survives_site_loss: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The buyer's own end systems; never a vendor's failure."""

    transport: str | None
    streams: int
    window_bytes: float | None
    payload_bytes: int
    encapsulation: tuple[str, ...]
    flows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fabric:
    """The buyer's own cluster networks."""

    same_on_all_sites: bool | None
    nics_per_site: int | None
    nic_gbps: float | None
    leaf_down_ports: int | None
    leaf_up_ports: int | None
    leaf_down_gbps: float | None
    leaf_up_gbps: float | None
    leaves: int | None
    spines: int | None
    other_nics_per_site: int | None
    other_nic_gbps: float | None
    other_leaf_down_ports: int | None
    other_leaf_up_ports: int | None
    scale_up_gpus: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """An inference service; every field as in `INFERENCE_FIELDS`."""

    mode: tuple[str, ...]
    requests_per_s: float
    prompt_tokens: int
    prompt_variation: float
    output_tokens: int
    reply_bytes_per_token: float
    rtt_limit_ms: float | None
    ttft_target_ms: float | None
    tpot_target_ms: float | None
    prefill_s: float | None
    prefill_instances: int | None
    cache_hit_share: float
    kv_bytes_per_token: float | None
    layers: int | None
    kv_heads: int | None
    head_dimension: int | None
    bytes_per_element: float
    kv_latent: int | None
    kv_rope: int
    hidden_size: int | None
    activation_bytes_per_element: float
    tpot_own_ms: float | None
    groups_in_flight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    """A bulk transfer; every field as in `BULK_FIELDS`."""

    bytes: float
    window_h: float
    copies: int
    distribution: str
    storage_read_gb_per_s: float | None
    storage_write_gb_per_s: float | None
    retry_share: float
    setup_round_trips: float
    model_parameters: float | None
    streams: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """The whole job. Only the objects of its scenario are present."""

    name: str | None
    scenario: str
    distance_km: float | None
    training: Training | None
    network: Network
    fabric: Fabric
    inference: Inference | None
    bulk: Bulk | None

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The scenarios judged: `mixed` is training and inference, each by its own lines."""
        return NEEDS[self.scenario]

    def as_json(self) -> dict[str, Any]:
        """The workload in the form of the contract, every field written out."""
        raw = asdict(self)
        return {key: _plain(value) for key, value in raw.items() if value is not None or key not in NEEDS_NONE}


NEEDS_NONE = ("training", "inference", "bulk")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return list(value) if isinstance(value, tuple) else value


def parse_workload(raw: object) -> Workload:
    """Build a workload from JSON. Raises `InputError` with every problem, each with its field path."""
    problems: list[Problem] = []
    if not isinstance(raw, dict):
        raise InputError(
            [
                Problem(
                    "NOT_AN_OBJECT",
                    "workload",
                    Text("工作负载应为 JSON 对象。", "A workload must be a JSON object."),
                )
            ]
        )
    sections = ("training", "network", "fabric", "inference", "bulk")
    top = read_fields(TOP_FIELDS, {k: v for k, v in raw.items() if k not in sections}, "", problems)
    needed = NEEDS.get(str(top["scenario"]), ())
    training = _training(raw.get("training"), problems) if "training" in needed else None
    inference = _inference(raw.get("inference"), problems) if "inference" in needed else None
    bulk = read_fields(BULK_FIELDS, _object(raw, "bulk", problems), "bulk", problems) if "bulk" in needed else None
    network = read_fields(NETWORK_FIELDS, raw.get("network"), "network", problems)
    fabric = read_fields(FABRIC_FIELDS, raw.get("fabric"), "fabric", problems)
    if problems:
        raise InputError(problems)
    return Workload(
        name=top["name"],
        scenario=top["scenario"],
        distance_km=top["distance_km"],
        training=training,
        network=Network(**network),
        fabric=Fabric(**fabric),
        inference=inference,
        bulk=Bulk(**bulk) if bulk else None,
    )


def _object(raw: Mapping[str, object], name: str, problems: list[Problem]) -> object:
    if raw.get(name) is None:
        problems.append(
            Problem(
                "MISSING",
                name,
                Text(f"该场景需要填写「{name}」对象。", f"This scenario needs the “{name}” object."),
            )
        )
        return {}
    return raw[name]


def _inference(raw: object, problems: list[Problem]) -> Inference | None:
    before = len(problems)
    given = _object({"inference": raw}, "inference", problems)
    if len(problems) > before:
        return None
    values = read_fields(INFERENCE_FIELDS, given, "inference", problems)
    if len(problems) > before:
        return None
    result = Inference(**values)
    problems.extend(inference_contradictions(result))
    return result


def _training(raw: object, problems: list[Problem]) -> Training | None:
    before = len(problems)
    given = _object({"training": raw}, "training", problems)
    if len(problems) > before:
        return None
    given_gpu: object = None
    if isinstance(given, dict):
        given_gpu = given.get("gpu")
        given = {k: v for k, v in given.items() if k != "gpu"}
    gpu = read_fields(GPU_FIELDS, given_gpu, "training.gpu", problems)
    values = read_fields(TRAINING_FIELDS, given, "training", problems)
    if len(problems) > before:
        return None
    if values["data_parallel"] is None:
        values["data_parallel"] = max(1, values["gpus"] // (values["tensor_parallel"] * values["pipeline_parallel"]))
    if values["interconnect"] is None:
        values["interconnect"] = "line" if values["sites"] == 2 else "ring"  # noqa: PLR2004 - a line has two ends
    job = Training(gpu=Gpu(**gpu), **values)
    problems.extend(training_contradictions(job))
    return job
