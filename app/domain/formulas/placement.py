"""What leaves one site per step and direction, by what is placed across the line. G = tokens per step."""

from __future__ import annotations

import math

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.formulas.volumes import EXPERTS_PER_TOKEN
from app.domain.text import Text


def site_egress_data(*, size: float, sites: float) -> float:
    """Two-level all-reduce of a gradient set S over k sites: 2(k−1)/k·S, bytes a step and direction."""
    return 2 * (sites - 1) / sites * size


def site_egress_fsdp(*, size: float, sites: float, micro_batches: float) -> float:
    """Fully sharded weights over k sites: 3·m·(k−1)/k·S, bytes a step and direction."""
    return c.FSDP_PASSES * micro_batches * (sites - 1) / sites * size


def site_egress_local_sgd(*, parameters: float, bits: float, sites: float) -> float:
    """One outer exchange of local SGD over k sites: 2(k−1)/k·P·bits/8, bytes a round and direction."""
    return 2 * (sites - 1) / sites * parameters * bits / c.BITS_PER_BYTE


def site_egress_pipeline(*, tokens: float, hidden_size: float, bytes_per_element: float, cuts: float = 1) -> float:
    """Activations over the cut (gradients come back the same): G·h·b·cuts, bytes a step and direction."""
    return tokens * hidden_size * bytes_per_element * cuts


def site_egress_expert(
    *,
    tokens: float,
    hidden_size: float,
    moe_layers: float,
    experts_per_token: float,
    sites: float,
    dispatch_bytes: float = 2,
    combine_bytes: float = 2,
    deduplicated: float = 0,
) -> float:
    """Experts spread over k sites: G·h·L·2(b_d+b_c)·copies/k, bytes a step and direction.

    Copies per token that leave the site: K(k−1)/k, or (k−1)(1−(1−1/k)^K) when one copy per site is sent
    (`deduplicated` = 1). Experts are taken as evenly used. Source: DeepSeek-V3 insights, section 4.
    """
    if deduplicated:
        copies = (sites - 1) * (1 - math.pow(1 - 1 / sites, experts_per_token))
    else:
        copies = experts_per_token * (sites - 1) / sites
    return tokens * hidden_size * moe_layers * 2 * (dispatch_bytes + combine_bytes) * copies / sites


def site_egress_tensor(
    *, layers: float, tokens: float, tensor_parallel: float, hidden_size: float, bytes_per_element: float
) -> float:
    """Tensor-parallel groups across the line: 4·L·2(t−1)/t·G·h·b, bytes a step and direction.

    G = micro-batches × micro-batch × sequence, so this is the table's 4·L·m·2(t−1)/t·s·mb·h·b.
    """
    per_layer = 2 * (tensor_parallel - 1) / tensor_parallel * tokens * hidden_size * bytes_per_element
    return c.TENSOR_ALLREDUCES * layers * per_layer


BITS = Input(
    name="bits",
    dimension=Dimension.COUNT,
    title=Text("每个同步元素的比特数", "Bits per synchronised element"),
    above_zero=True,
    high=64,
)
_MOE_LAYERS = i.variant(i.LAYERS, name="moe_layers", title=Text("MoE 层数", "MoE layers"))
_DISPATCH = i.variant(
    i.BYTES_PER_ELEMENT,
    name="dispatch_bytes",
    title=Text("分发时每元素字节数", "Bytes per element, dispatch"),
    default=2,
)
_COMBINE = i.variant(
    i.BYTES_PER_ELEMENT,
    name="combine_bytes",
    title=Text("合并时每元素字节数", "Bytes per element, combine"),
    default=2,
)
_DEDUPLICATED = Input(
    name="deduplicated",
    dimension=Dimension.COUNT,
    title=Text("是否按站点去重（0 或 1）", "One copy per site (0 or 1)"),
    default=0,
    high=1,
    whole=True,
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="site_egress_data",
        title=Text("数据并行：站点出向流量", "Data parallel: bytes leaving a site"),
        function=site_egress_data,
        inputs=(i.SIZE, i.SITES),
        result=Dimension.BYTES,
        symbolic="E = 2(k−1)/k·S",
        validity=Text(
            "两级 AllReduce；与批大小无关；扁平环约为其两倍。",
            "Two-level all-reduce; independent of batch size; a flat ring sends about twice as much.",
        ),
        source=s.RING,
        example=Example(inputs={"size": 350e9, "sites": 2}, expected=350e9, origin="2 × 1/2 × 350 GB"),
    ),
    Formula(
        id="site_egress_pipeline",
        title=Text("流水线并行：站点出向流量", "Pipeline parallel: bytes leaving a site"),
        function=site_egress_pipeline,
        inputs=(i.TOKENS, i.HIDDEN_SIZE, i.BYTES_PER_ELEMENT, i.CUTS),
        result=Dimension.BYTES,
        symbolic="E = G·h·b·c",
        validity=Text("一个方向；反向梯度同量回传。", "One direction; the gradients come back in the same amount."),
        source=s.MEGATRON,
        example=Example(
            inputs={"tokens": 262144, "hidden_size": 12288, "bytes_per_element": 2},
            expected=6442450944,
            origin="262144 × 12288 × 2 = 6.44 GB",
        ),
    ),
    Formula(
        id="site_egress_expert",
        title=Text("专家并行：站点出向流量", "Expert parallel: bytes leaving a site"),
        function=site_egress_expert,
        inputs=(
            i.TOKENS,
            i.HIDDEN_SIZE,
            _MOE_LAYERS,
            EXPERTS_PER_TOKEN,
            i.SITES,
            _DISPATCH,
            _COMBINE,
            _DEDUPLICATED,
        ),
        result=Dimension.BYTES,
        symbolic="E = G·h·L·2(b_d+b_c)·n/k, n = K(k−1)/k | (k−1)(1−(1−1/k)^K)",
        validity=Text("专家使用均匀；峰值另乘峰均比。", "Experts evenly used; peaks need the peak-to-mean factor."),
        source=s.DEEPSEEK,
        example=Example(
            inputs={"tokens": 1000, "hidden_size": 1000, "moe_layers": 1, "experts_per_token": 8, "sites": 2},
            expected=1.6e7,
            origin="1000 × 1000 × 1 × 2 × (2+2) × (8 × 1/2) / 2 = 16 MB",
        ),
    ),
    Formula(
        id="site_egress_fsdp",
        title=Text("全分片（FSDP）跨站：站点出向流量", "Fully sharded over sites: bytes leaving a site"),
        function=site_egress_fsdp,
        inputs=(i.SIZE, i.SITES, i.MICRO_BATCHES),
        result=Dimension.BYTES,
        symbolic="E = 3·m·(k−1)/k·S",
        validity=Text(
            "每个微批次收集两次权重、分散一次梯度；应改用站内分片（HSDP）。",
            "Two weight gathers and one gradient scatter per micro-batch; shard inside the site instead.",
        ),
        source=s.ZERO,
        example=Example(
            inputs={"size": 100e9, "sites": 2, "micro_batches": 4},
            expected=600e9,
            origin="3 × 4 × 1/2 × 100 GB",
        ),
    ),
    Formula(
        id="site_egress_tensor",
        title=Text("张量并行跨站：站点出向流量", "Tensor parallel over sites: bytes leaving a site"),
        function=site_egress_tensor,
        inputs=(i.LAYERS, i.TOKENS, i.TENSOR_PARALLEL, i.HIDDEN_SIZE, i.BYTES_PER_ELEMENT),
        result=Dimension.BYTES,
        symbolic="E = 4·L·2(t−1)/t·G·h·b",
        validity=Text(
            "只用于说明为何不可行：每层四次阻塞的 AllReduce 都要跨专线。",
            "Only to show why it is refused: four blocking all-reduces per layer would cross the line.",
        ),
        source=s.MEGATRON,
        example=Example(
            inputs={
                "layers": 96,
                "tokens": 262144,
                "tensor_parallel": 2,
                "hidden_size": 12288,
                "bytes_per_element": 2,
            },
            expected=2473901162496,
            origin="4 × 96 × 2 × 1/2 × 6 442 450 944 = 2.47 TB",
        ),
    ),
    Formula(
        id="site_egress_local_sgd",
        title=Text("本地 SGD：每轮站点出向流量", "Local SGD: bytes leaving a site per round"),
        function=site_egress_local_sgd,
        inputs=(i.PARAMETERS, BITS, i.SITES),
        result=Dimension.BYTES,
        symbolic="E = 2(k−1)/k·P·bits/8",
        validity=Text("每 H 步一次；每步平均除以 H。", "Once every H steps; divide by H for the average step."),
        source=s.STREAMING,
        example=Example(
            inputs={"parameters": 100e9, "bits": 4, "sites": 2}, expected=50e9, origin="100e9 × 4/8 = 50 GB"
        ),
    ),
)
