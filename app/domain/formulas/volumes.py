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
)
