"""The workload: what job runs over the line. Built from JSON by the field lists, checked as a whole.

`parse_workload` lists every problem it finds and guesses none away: degrees that do not multiply, tokens that
do not match sequence × replicas × micro-batches, a model that does not fit in memory.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from app.domain.fields import read_fields
from app.domain.formulas.volumes import training_state_bytes
from app.domain.problems import InputError, Problem
from app.domain.text import Text
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

GIGA = 1e9
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
    scale_up_gpus: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """An inference service; every field as in `INFERENCE_FIELDS`."""

    mode: tuple[str, ...]
    requests_per_s: float
    prompt_tokens: int
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    """A bulk transfer; every field as in `BULK_FIELDS`."""

    bytes: float
    window_h: float
    copies: int
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
        return {
            key: _plain(value) for key, value in raw.items() if value is not None or key not in NEEDS_NONE
        }


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
    bulk = (
        read_fields(BULK_FIELDS, _object(raw, "bulk", problems), "bulk", problems)
        if "bulk" in needed
        else None
    )
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
    _check_inference(result, problems)
    return result


def _check_inference(job: Inference, problems: list[Problem]) -> None:
    shape = (job.layers, job.kv_heads, job.head_dimension)
    if "prefill_decode_split" in job.mode:
        if job.kv_bytes_per_token is None and None in shape:
            problems.append(
                Problem(
                    "MISSING",
                    "inference.kv_bytes_per_token",
                    Text(
                        "预填充与解码分离需要每 token KV 字节，或填写层数、KV 头数与头维度。",
                        "A prefill/decode split needs the KV bytes per token, or layers, KV heads and head dimension.",
                    ),
                )
            )
        if job.prefill_s is None:
            problems.append(
                Problem(
                    "MISSING",
                    "inference.prefill_s",
                    Text(
                        "预填充与解码分离需要预填充时间。", "A prefill/decode split needs the prefill time."
                    ),
                )
            )


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
        values["data_parallel"] = max(
            1, values["gpus"] // (values["tensor_parallel"] * values["pipeline_parallel"])
        )
    job = Training(gpu=Gpu(**gpu), **values)
    problems.extend(_contradictions(job))
    return job


def _contradictions(job: Training) -> list[Problem]:
    """Every way in which the fields of one training job cannot all be true."""
    found: list[Problem] = []

    def add(code: str, place: str, zh: str, en: str) -> None:
        found.append(Problem(code, f"training.{place}", Text(zh, en)))

    product = job.tensor_parallel * job.pipeline_parallel * job.data_parallel
    if product != job.gpus:
        add(
            "DEGREES_DO_NOT_MULTIPLY",
            "gpus",
            f"TP {job.tensor_parallel} × PP {job.pipeline_parallel} × DP {job.data_parallel} = {product}，"
            f"与 GPU 总数 {job.gpus} 不符，请核对并行度。",
            f"TP {job.tensor_parallel} × PP {job.pipeline_parallel} × DP {job.data_parallel} = {product}, "
            f"not the {job.gpus} GPUs given; check the degrees.",
        )
    tokens = job.sequence_length * job.data_parallel * job.micro_batches
    if job.global_batch_tokens != tokens:
        add(
            "TOKENS_DO_NOT_MATCH",
            "global_batch_tokens",
            f"全局批 {job.global_batch_tokens:g} token 不等于 序列 × DP × 微批数 = {tokens}（微批按一条样本计）；"
            "若每个微批含多条样本，请把微批数乘以样本数。",
            f"The global batch of {job.global_batch_tokens:g} tokens is not sequence × DP × micro-batches = {tokens} "
            "(a micro-batch counts as one sequence); if yours holds several, multiply the micro-batches by them.",
        )
    if job.gpus % job.sites:
        add(
            "SITES_DO_NOT_DIVIDE",
            "sites",
            f"{job.gpus} 块 GPU 不能平均分到 {job.sites} 个站点。",
            f"{job.gpus} GPUs do not divide evenly over {job.sites} sites.",
        )
    elif (job.gpus // job.sites) % job.expert_parallel:
        add(
            "EXPERTS_DO_NOT_DIVIDE",
            "expert_parallel",
            f"专家并行度 {job.expert_parallel} 不能整除单站 GPU 数 {job.gpus // job.sites}。",
            f"Expert parallel {job.expert_parallel} does not divide the {job.gpus // job.sites} GPUs of one site.",
        )
    if job.step_compute_s is None and job.gpu.peak_tflops is None:
        add(
            "MISSING",
            "step_compute_s",
            "请填写单站每步时间，或填写 GPU 峰值算力以便计算。",
            "Enter the step time on one site, or the GPU's peak so that it can be computed.",
        )
    if (job.total_tokens is None) != (job.deadline_days is None):
        add(
            "MISSING",
            "deadline_days" if job.deadline_days is None else "total_tokens",
            "训练总量与完成期限须同时填写。",
            "Total tokens and the deadline go together; enter both.",
        )
    if job.sites > 2 and job.interconnect == "line":  # noqa: PLR2004 - a line has two ends
        add(
            "LINE_HAS_TWO_ENDS",
            "interconnect",
            f"{job.sites} 个站点不能共用一条线，请选择星型、环型或全互联。",
            f"{job.sites} sites cannot share one line; choose hub, ring or mesh.",
        )
    found.extend(_crossing_contradictions(job))
    return found


def _crossing_contradictions(job: Training) -> list[Problem]:
    """What the chosen crossing needs and does not find."""
    found: list[Problem] = []

    def need(when: bool, code: str, place: str, zh: str, en: str) -> None:
        if when:
            found.append(Problem(code, f"training.{place}", Text(zh, en)))

    pipeline = job.crossing == "pipeline"
    need(
        pipeline and job.pipeline_parallel < 2,  # noqa: PLR2004 - a cut needs two stages
        "NO_STAGE_TO_CUT", "pipeline_parallel",
        "流水线跨站需要 PP ≥ 2。", "A pipeline cut needs at least two stages.",
    )  # fmt: skip
    need(
        pipeline and job.cut_stage is not None and job.cut_stage >= job.pipeline_parallel,
        "CUT_OUTSIDE", "cut_stage",
        f"切分位置应小于流水线段数 {job.pipeline_parallel}。",
        f"The cut must come before the last of {job.pipeline_parallel} stages.",
    )  # fmt: skip
    need(
        job.crossing in ("data", "fsdp", "local_sgd") and job.data_parallel % job.sites != 0,
        "REPLICAS_DO_NOT_DIVIDE", "data_parallel",
        f"DP {job.data_parallel} 不能平均分到 {job.sites} 个站点。",
        f"{job.data_parallel} replicas do not divide over {job.sites} sites.",
    )  # fmt: skip
    need(
        job.crossing == "expert" and (job.experts_per_token is None or job.moe_layers is None),
        "MISSING", "experts_per_token",
        "专家并行跨站需要每 token 专家数与 MoE 层数。",
        "Experts across the line need experts per token and MoE layers.",
    )  # fmt: skip
    memory = job.gpu.memory_gb
    if memory is not None:
        # The model's own shard: parameters ÷ (TP · PP); the smallest it can be, activations not counted.
        # FSDP shards over the whole data-parallel group, whatever zero_stage says.
        stage = 3 if job.crossing == "fsdp" else job.zero_stage
        shard = job.parameters / (job.tensor_parallel * job.pipeline_parallel)
        state = (
            training_state_bytes(parameters=shard, zero_stage=stage, data_parallel=job.data_parallel) / GIGA
        )
        need(
            state > memory and job.expert_parallel == 1,
            "DOES_NOT_FIT", "gpu.memory_gb",
            f"训练状态每卡 {state:.1f} GB，超过显存 {memory:g} GB（未计激活），请增大 TP、PP 或 ZeRO 级别。",
            f"Training state takes {state:.1f} GB per GPU, more than {memory:g} GB (activations not counted); "
            "raise TP, PP or the ZeRO stage.",
        )  # fmt: skip
    return found
