"""Contradictions inside a workload: every way in which its fields cannot all be true, named with the field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.formulas.local_sgd import LONGEST_OVERLAP, MOST_LAYERS
from app.domain.memory import gpu_memory
from app.domain.problems import Problem
from app.domain.text import Text

if TYPE_CHECKING:
    from app.domain.workload import Inference, Training

GIGA = 1e9
CURRENCY_LETTERS = 3


def inference_contradictions(job: Inference) -> list[Problem]:
    """What the chosen modes need and do not find."""
    problems: list[Problem] = []
    latent = job.layers is not None and job.kv_latent is not None
    shape = (job.layers, job.kv_heads, job.head_dimension)
    if job.prefill_s is not None and job.prefill_instances is not None:
        busy = job.requests_per_s * job.prefill_s
        if busy >= job.prefill_instances:
            problems.append(
                Problem(
                    "TOO_FEW_INSTANCES",
                    "inference.prefill_instances",
                    Text(
                        f"每秒 {job.requests_per_s:g} 个请求 × 预填充 {job.prefill_s:g} s = {busy:g} 个实例始终占满，"
                        f"{job.prefill_instances} 个实例处理不完；若单实例可并发处理，请按等效实例数填写。",
                        f"{job.requests_per_s:g} requests/s × {job.prefill_s:g} s of prefill keep {busy:g} instances "
                        f"busy: {job.prefill_instances} never catch up. If one instance serves several requests at "
                        "once, enter as many instances as that is worth.",
                    ),
                )
            )
    if job.mode == ("prefill_decode_split",) and job.cache_hit_share >= 1:
        problems.append(
            Problem(
                "NOTHING_CROSSES",
                "inference.cache_hit_share",
                Text(
                    "缓存命中率为 1 时没有 KV 跨站，不需要专线；请填小于 1 的值或增加其他推理方式。",
                    "With a cache hit share of 1 no cache crosses and no line is needed; enter less than 1 "
                    "or another mode.",
                ),
            )
        )
    if "prefill_decode_split" in job.mode:
        if job.kv_bytes_per_token is None and None in shape and not latent:
            problems.append(
                Problem(
                    "MISSING",
                    "inference.kv_bytes_per_token",
                    Text(
                        "预填充与解码分离需要每 token KV 字节，或填写层数、KV 头数与头维度（MLA 填层数与潜向量维度）。",
                        "A prefill/decode split needs the KV bytes per token, or layers, KV heads and head dimension "
                        "(MLA: layers and latent dimension).",
                    ),
                )
            )
        if job.prefill_s is None:
            problems.append(
                Problem(
                    "MISSING",
                    "inference.prefill_s",
                    Text("预填充与解码分离需要预填充时间。", "A prefill/decode split needs the prefill time."),
                )
            )
    return problems


def training_contradictions(job: Training) -> list[Problem]:
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
    code = job.gpu.currency
    if len(code) != CURRENCY_LETTERS or not (code.isascii() and code.isalpha()):
        add(
            "BAD_CURRENCY",
            "gpu.currency",
            "币种应为三位字母代码，例如 CNY。",
            "The currency must be a three-letter code such as CNY.",
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
        pipeline and job.sites > 2 and job.pipeline_parallel < 2 * job.sites,  # noqa: PLR2004 - one cut is simple
        "TOO_FEW_STAGES", "pipeline_parallel",
        f"流水线跨 {job.sites} 个站点时，每站至少两级，PP 应 ≥ {2 * job.sites}。",
        f"A pipeline over {job.sites} sites needs two stages or more at each: at least {2 * job.sites}.",
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
    local = job.crossing == "local_sgd"
    fragment, overlap, interval = job.fragment_layers, job.overlap_steps, job.sync_interval_steps
    need(
        local and fragment is not None and fragment > job.layers,
        "FRAGMENT_TOO_LARGE", "fragment_layers",
        f"每个片段 {fragment} 层，多于模型的 {job.layers} 层。",
        f"A fragment of {fragment} layers is larger than the model's {job.layers}.",
    )  # fmt: skip
    need(
        local and overlap > min(interval, LONGEST_OVERLAP),
        "OVERLAP_TOO_LONG", "overlap_steps",
        f"重叠 {overlap} 步过长：不能超过同步间隔 {interval} 步，也不能超过 {LONGEST_OVERLAP} 步。",
        f"An overlap of {overlap} steps is too long: at most the interval of {interval} and at most {LONGEST_OVERLAP}.",
    )  # fmt: skip
    need(
        local and (fragment is not None or overlap > 0) and job.layers > MOST_LAYERS,
        "TOO_MANY_LAYERS", "layers",
        f"按片段同步时层数最多 {MOST_LAYERS}。", f"With fragments or overlap the model may have {MOST_LAYERS} layers.",
    )  # fmt: skip
    needed, memory = gpu_memory(job), job.gpu.memory_gb
    if memory is not None and needed is not None:
        state = needed.state / GIGA
        need(
            state > memory,
            "DOES_NOT_FIT", "gpu.memory_gb",
            f"训练状态每卡 {state:.1f} GB，超过显存 {memory:g} GB（未计激活），请增大 TP、PP 或 ZeRO 级别。",
            f"Training state takes {state:.1f} GB per GPU, more than {memory:g} GB (activations not counted); "
            "raise TP, PP or the ZeRO stage.",
        )  # fmt: skip
    return found
