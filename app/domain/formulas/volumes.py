"""How many bytes a model has to keep and to send, before placement decides what crosses the line."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.text import Text


def gradient_bytes(
    *, parameters: float, bytes_per_element: float, tensor_parallel: float = 1, pipeline_parallel: float = 1
) -> float:
    """Gradient set one GPU reduces: P·b/(t·p), bytes. The data-parallel degree does not divide it."""
    return parameters * bytes_per_element / (tensor_parallel * pipeline_parallel)


def training_state_bytes(
    *,
    parameters: float,
    bytes_per_parameter: float = c.STATE_BYTES,
    zero_stage: float = 0,
    data_parallel: float = 1,
) -> float:
    """Weights, gradients and optimizer state on one GPU: P·(left whole + split/d), bytes.

    Of the B bytes 12 are the optimizer's (FP32 copy and two Adam moments), up to 2 the weights', the rest
    gradients; a recipe below 14 bytes is split in the same shares as 16. Source: ZeRO, section 3.1.
    """
    if bytes_per_parameter >= c.SMALLEST_ADAM_STATE:
        optimizer: float = c.ADAM_OPTIMIZER_BYTES
    else:
        optimizer = c.OPTIMIZER_SHARE * bytes_per_parameter
    weights = min(c.BF16_WEIGHT_BYTES, (bytes_per_parameter - optimizer) / 2)
    gradients = bytes_per_parameter - optimizer - weights
    split = 0.0
    if zero_stage >= c.ZERO_OPTIMIZER:
        split += optimizer
    if zero_stage >= c.ZERO_GRADIENTS:
        split += gradients
    if zero_stage >= c.ZERO_WEIGHTS:
        split += weights
    return parameters * (bytes_per_parameter - split + split / data_parallel)


def article_cluster_volume(*, parameters: float, bytes_per_element: float, gpus: float) -> float:
    """The article's "total all-reduce volume": P·b·GPUs, bytes. A sum of buffers, not traffic on any link."""
    return parameters * bytes_per_element * gpus


def article_expert_volume(*, tokens: float, experts_per_token: float, bytes_per_dispatch: float) -> float:
    """The article's all-to-all volume: tokens·K·bytes, one MoE layer, one direction, all GPUs."""
    return tokens * experts_per_token * bytes_per_dispatch


PIPELINE_PARALLEL = i.variant(
    i.TENSOR_PARALLEL, name="pipeline_parallel", title=Text("流水线并行度", "Pipeline-parallel degree")
)
DATA_PARALLEL = i.variant(i.TENSOR_PARALLEL, name="data_parallel", title=Text("数据并行度", "Data-parallel degree"))
EXPERTS_PER_TOKEN = Input(
    name="experts_per_token",
    dimension=Dimension.COUNT,
    title=Text("每个词元激活的专家数", "Experts per token"),
    above_zero=True,
    high=1e4,
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="gradient_bytes",
        title=Text("单卡梯度数据量", "Gradient bytes of one GPU"),
        function=gradient_bytes,
        inputs=(
            i.PARAMETERS,
            i.BYTES_PER_ELEMENT,
            i.variant(i.TENSOR_PARALLEL, default=1),
            i.variant(PIPELINE_PARALLEL, default=1),
        ),
        result=Dimension.BYTES,
        symbolic="G = P·b / (t·p)",
        validity=Text(
            "数据并行度不参与除法；FP32 归约 b=4，BF16 为 2，FP8 为 1。",
            "The data-parallel degree does not divide it; b = 4 for FP32 reduction, 2 for BF16, 1 for FP8.",
        ),
        source=s.MEGATRON,
        example=Example(
            inputs={
                "parameters": 175e9,
                "bytes_per_element": 4,
                "tensor_parallel": 8,
                "pipeline_parallel": 8,
            },
            expected=1.09375e10,
            origin="175e9 × 4 / 64 = 10.94 GB",
        ),
    ),
    Formula(
        id="training_state_bytes",
        title=Text("单卡训练状态显存", "Training state of one GPU"),
        function=training_state_bytes,
        inputs=(
            i.PARAMETERS,
            Input(
                name="bytes_per_parameter",
                dimension=Dimension.BYTES,
                title=Text("每个参数的训练状态字节数", "State bytes per parameter"),
                default=c.STATE_BYTES,
                above_zero=True,
                high=1e3,
            ),
            Input(
                name="zero_stage",
                dimension=Dimension.COUNT,
                title=Text("ZeRO 阶段（0 至 3）", "ZeRO stage, 0 to 3"),
                default=0,
                high=c.ZERO_WEIGHTS,
                whole=True,
            ),
            i.variant(DATA_PARALLEL, default=1),
        ),
        result=Dimension.BYTES,
        symbolic="M = P·(B − x + x/d), x = 0; 12; 14; 16 (ZeRO 0–3, B = 16)",
        validity=Text(
            "混合精度 Adam；不含激活值与碎片。",
            "Mixed-precision Adam; without activations and fragmentation.",
        ),
        source=s.ZERO,
        example=Example(
            inputs={"parameters": 7.5e9, "zero_stage": 1, "data_parallel": 64},
            expected=3.140625e10,
            origin="7.5e9 × (4 + 12/64) = 31.4 GB, ZeRO Figure 1",
        ),
    ),
    Formula(
        id="article_cluster_volume",
        title=Text("文章口径：集群 AllReduce 总量", "As the article: cluster all-reduce volume"),
        function=article_cluster_volume,
        inputs=(i.PARAMETERS, i.BYTES_PER_ELEMENT, i.GPUS),
        result=Dimension.BYTES,
        symbolic="V = P·b·N",
        validity=Text(
            "仅用于复现文章数字：各卡缓冲之和，不是任何链路上的流量。",
            "Only to reproduce the article: a sum of buffers, not the traffic of any link.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={"parameters": 175e9, "bytes_per_element": 4, "gpus": 5000},
            expected=3.5e15,
            origin="175e9 × 4 × 5000 = 3.5 PB",
        ),
    ),
    Formula(
        id="article_expert_volume",
        title=Text("文章口径：MoE All-to-All 数据量", "As the article: MoE all-to-all volume"),
        function=article_expert_volume,
        inputs=(
            i.TOKENS,
            EXPERTS_PER_TOKEN,
            Input(
                name="bytes_per_dispatch",
                dimension=Dimension.BYTES,
                title=Text("每次分发的字节数", "Bytes of one dispatch"),
                above_zero=True,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="V = G·K·bytes",
        validity=Text(
            "仅用于复现文章数字：一个 MoE 层、一个方向；实际每层四次 All-to-All。",
            "Only to reproduce the article: one MoE layer, one direction; a real layer has four exchanges.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={"tokens": 2e6, "experts_per_token": 2, "bytes_per_dispatch": 1000},
            expected=4e9,
            origin="2e6 × 2 × 1000 = 4 GB",
        ),
    ),
)
