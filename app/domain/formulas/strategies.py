"""What one GPU sends in a step by how the model is split, and what its activations need, before placement."""

from __future__ import annotations

from typing import Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.formulas.volumes import DATA_PARALLEL, EXPERTS_PER_TOKEN
from app.domain.text import Text

_ALLREDUCES: Final = {"none": c.TENSOR_ALLREDUCES, "selective": c.TENSOR_ALLREDUCES, "full": 6}
_ACTIVATION_BYTES: Final = 34  # per element of s·mb·h, Korthikanti section 4.1
_ATTENTION_BYTES: Final = 5  # per attention score, same place
_CHECKPOINT_BYTES: Final = 2  # full recompute keeps the layer's input alone


def ddp_step_bytes(*, size: float, data_parallel: float) -> float:
    """Data parallel, also ZeRO-1 and -2 without accumulation: 2(d−1)/d·S, bytes a step; S = P·b/(t·p)."""
    return 2 * (data_parallel - 1) / data_parallel * size


def zero2_step_bytes(*, size: float, data_parallel: float, micro_batches: float) -> float:
    """ZeRO-2 that reduces at every accumulation: (m+1)(d−1)/d·S, bytes a step."""
    return (micro_batches + 1) * (data_parallel - 1) / data_parallel * size


def zero3_step_bytes(*, size: float, data_parallel: float, micro_batches: float) -> float:
    """ZeRO-3 or FSDP: 3m(d−1)/d·S, bytes a step: weights gathered twice, gradients scattered once."""
    return c.FSDP_PASSES * micro_batches * (data_parallel - 1) / data_parallel * size


def tensor_layer_bytes(
    *,
    tensor_parallel: float,
    sequence_length: float,
    hidden_size: float,
    bytes_per_element: float,
    micro_batch: float = 1,
    recompute: str = "selective",
) -> float:
    """Tensor parallel, one layer and micro-batch: 4·2(t−1)/t·mb·s·h·b, bytes; 6 in place of 4 with full recompute."""
    message = micro_batch * sequence_length * hidden_size * bytes_per_element
    return _ALLREDUCES[recompute] * 2 * (tensor_parallel - 1) / tensor_parallel * message


def tensor_line_wait(*, layers: float, rtt: float) -> float:
    """Latency alone of tensor parallelism over a line: 4·L·RTT, s a micro-batch; two-rank all-reduces of two hops."""
    return c.TENSOR_ALLREDUCES * layers * rtt


def expert_layer_bytes(
    *,
    tokens: float,
    hidden_size: float,
    experts_per_token: float,
    dispatch_bytes: float = 2,
    combine_bytes: float = 2,
) -> float:
    """All-to-alls of one MoE layer, forward and backward: 2(b_d+b_c)·tokens·K·h, bytes over all ranks."""
    return 2 * (dispatch_bytes + combine_bytes) * tokens * experts_per_token * hidden_size


def pipeline_crossings(*, chunks: float) -> float:
    """Crossings of one cut a micro-batch makes with v interleaved chunks per stage: 2v−1."""
    return 2 * chunks - 1


def pipeline_break_even(
    *, tokens: float, hidden_size: float, gradient_bytes: float = 2, activation_bytes: float = 2
) -> float:
    """Model size from which a pipeline cut sends less than data parallelism at two sites: G·h·b_act/b_grad."""
    return tokens * hidden_size * activation_bytes / gradient_bytes


def activation_bytes(
    *,
    sequence_length: float,
    hidden_size: float,
    heads: float,
    tensor_parallel: float = 1,
    micro_batch: float = 1,
    recompute: str = "selective",
) -> float:
    """Activations of one layer: s·mb·h·(34 + 5·a·s/h)/t, bytes; selective 34/t, full recompute 2.

    With sequence parallelism. Full recompute keeps the layer's input on every rank. Source: Korthikanti, section 4.
    """
    elements = sequence_length * micro_batch * hidden_size
    if recompute == "full":
        return _CHECKPOINT_BYTES * elements
    scores = _ATTENTION_BYTES * heads * sequence_length / hidden_size if recompute == "none" else 0
    return elements * (_ACTIVATION_BYTES + scores) / tensor_parallel


RECOMPUTE = Input(
    name="recompute",
    dimension=Dimension.WORD,
    title=Text("激活重算", "Activation recomputation"),
    default="selective",
    choices=tuple(_ALLREDUCES),
)
SEQUENCE_LENGTH = Input(
    name="sequence_length", dimension=Dimension.COUNT, title=Text("序列长度", "Sequence length"), above_zero=True
)
MICRO_BATCH = Input(
    name="micro_batch",
    dimension=Dimension.COUNT,
    title=Text("微批次大小（序列数）", "Sequences per micro-batch"),
    default=1,
    above_zero=True,
)
_GRADIENTS = i.variant(i.SIZE, title=Text("单卡梯度数据量", "Gradient bytes of one GPU"))
_PER_ELEMENT = i.variant(i.BYTES_PER_ELEMENT, default=2)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="ddp_step_bytes",
        title=Text("数据并行：每卡每步发送量", "Data parallel: bytes per GPU and step"),
        function=ddp_step_bytes,
        inputs=(_GRADIENTS, DATA_PARALLEL),
        result=Dimension.BYTES,
        symbolic="V = 2(d−1)/d·S",
        validity=Text("DDP、ZeRO-1、ZeRO-2；与累积次数无关。", "DDP, ZeRO-1 and ZeRO-2; whatever the accumulation."),
        source=s.ZERO,
        example=Example(
            inputs={"size": 10.9375e9, "data_parallel": 78}, expected=21.594551282e9, origin="2 × 77/78 × 10.94 GB"
        ),
    ),
    Formula(
        id="zero2_step_bytes",
        title=Text("ZeRO-2 逐次归约：每卡每步发送量", "ZeRO-2 reducing each time: bytes per GPU and step"),
        function=zero2_step_bytes,
        inputs=(_GRADIENTS, DATA_PARALLEL, i.MICRO_BATCHES),
        result=Dimension.BYTES,
        symbolic="V = (m+1)(d−1)/d·S",
        validity=Text("每个微批次都归约一次梯度。", "Gradients are reduced at every micro-batch."),
        source=s.ZERO,
        example=Example(
            inputs={"size": 10e9, "data_parallel": 10, "micro_batches": 4}, expected=45e9, origin="5 × 9/10 × 10 GB"
        ),
    ),
    Formula(
        id="zero3_step_bytes",
        title=Text("ZeRO-3 / FSDP：每卡每步发送量", "ZeRO-3 or FSDP: bytes per GPU and step"),
        function=zero3_step_bytes,
        inputs=(_GRADIENTS, DATA_PARALLEL, i.MICRO_BATCHES),
        result=Dimension.BYTES,
        symbolic="V = 3m(d−1)/d·S",
        validity=Text(
            "每个微批次收集两次权重、散射一次梯度；权重与梯度同精度。",
            "Two weight gathers and one gradient scatter per micro-batch; weights as wide as gradients.",
        ),
        source=s.ZERO,
        example=Example(
            inputs={"size": 10e9, "data_parallel": 10, "micro_batches": 4}, expected=108e9, origin="12 × 9/10 × 10 GB"
        ),
    ),
    Formula(
        id="tensor_layer_bytes",
        title=Text("张量并行：每层每微批次发送量", "Tensor parallel: bytes per layer and micro-batch"),
        function=tensor_layer_bytes,
        inputs=(i.TENSOR_PARALLEL, SEQUENCE_LENGTH, i.HIDDEN_SIZE, _PER_ELEMENT, MICRO_BATCH, RECOMPUTE),
        result=Dimension.BYTES,
        symbolic="V = 4·2(t−1)/t·mb·s·h·b; full: 6",
        validity=Text(
            "前向、反向各两次 AllReduce；完全重算再加两次。",
            "Two all-reduces forward, two backward; full recompute adds two.",
        ),
        source=s.MEGATRON,
        example=Example(
            inputs={"tensor_parallel": 8, "sequence_length": 2048, "hidden_size": 12288, "bytes_per_element": 2},
            expected=352321536,
            origin="4 × 2 × 7/8 × 50 331 648 = 352.3 MB, GPT-3",
        ),
    ),
    Formula(
        id="tensor_line_wait",
        title=Text("张量并行跨专线：每微批次的等待", "Tensor parallel over a line: wait per micro-batch"),
        function=tensor_line_wait,
        inputs=(i.LAYERS, i.RTT),
        result=Dimension.TIME,
        symbolic="T = 4·L·RTT",
        validity=Text(
            "仅时延，不含传输；说明为何必须拒绝。", "Latency alone, without transfer; shows why it is refused."
        ),
        source=s.MEGATRON,
        example=Example(inputs={"layers": 96, "rtt": 0.01}, expected=3.84, origin="4 × 96 × 10 ms"),
    ),
    Formula(
        id="expert_layer_bytes",
        title=Text("MoE：每层 All-to-All 总量", "MoE: all-to-all bytes of one layer"),
        function=expert_layer_bytes,
        inputs=(
            i.TOKENS,
            i.HIDDEN_SIZE,
            EXPERTS_PER_TOKEN,
            i.variant(
                _PER_ELEMENT, name="dispatch_bytes", title=Text("分发时每元素字节数", "Bytes per element, dispatch")
            ),
            i.variant(
                _PER_ELEMENT, name="combine_bytes", title=Text("合并时每元素字节数", "Bytes per element, combine")
            ),
        ),
        result=Dimension.BYTES,
        symbolic="V = 2(b_d+b_c)·G·K·h",
        validity=Text(
            "全部卡合计；分发与合并、前向与反向共四次。",
            "Over all ranks; dispatch and combine, forward and backward: four exchanges.",
        ),
        source=s.DEEPSEEK,
        example=Example(
            inputs={"tokens": 2e6, "hidden_size": 7168, "experts_per_token": 2},
            expected=2.29376e11,
            origin="2 × (2+2) × 2e6 × 2 × 7168 = 229.4 GB a layer; × 58 layers = 13.3 TB",
        ),
    ),
    Formula(
        id="pipeline_crossings",
        title=Text("交错流水线：每个切口的穿越次数", "Interleaved pipeline: crossings of one cut"),
        function=pipeline_crossings,
        inputs=(
            Input(
                name="chunks",
                dimension=Dimension.COUNT,
                title=Text("每级的模型块数", "Chunks per stage"),
                low=1,
                high=1e6,
                whole=True,
            ),
        ),
        result=Dimension.COUNT,
        symbolic="n = 2v − 1",
        validity=Text(
            "两站各占连续的一半流水级；v = 1 时一次。",
            "Each of two sites holds half the stages in a row; once at v = 1.",
        ),
        source=s.MEGATRON,
        example=Example(inputs={"chunks": 4}, expected=7, origin="2 × 4 − 1"),
    ),
    Formula(
        id="pipeline_break_even",
        title=Text("流水线优于数据并行的模型规模", "Model size from which a pipeline cut sends less"),
        function=pipeline_break_even,
        inputs=(
            i.TOKENS,
            i.HIDDEN_SIZE,
            i.variant(_PER_ELEMENT, name="gradient_bytes", title=Text("梯度每元素字节数", "Bytes per gradient")),
            i.variant(_PER_ELEMENT, name="activation_bytes", title=Text("激活每元素字节数", "Bytes per activation")),
        ),
        result=Dimension.COUNT,
        symbolic="P = G·h·b_act/b_grad",
        validity=Text("两站、一个切口；只比流量，不比时延。", "Two sites, one cut; compares bytes, not latency."),
        source=s.MEGATRON,
        example=Example(
            inputs={"tokens": 4e6, "hidden_size": 12288}, expected=49.152e9, origin="4e6 × 12 288 = 49 B parameters"
        ),
    ),
    Formula(
        id="activation_bytes",
        title=Text("每层激活值显存", "Activation memory of one layer"),
        function=activation_bytes,
        inputs=(
            SEQUENCE_LENGTH,
            i.HIDDEN_SIZE,
            Input(
                name="heads",
                dimension=Dimension.COUNT,
                title=Text("注意力头数", "Attention heads"),
                low=1,
                high=1e6,
                whole=True,
            ),
            i.variant(i.TENSOR_PARALLEL, default=1),
            MICRO_BATCH,
            RECOMPUTE,
        ),
        result=Dimension.BYTES,
        symbolic="M = s·mb·h·(34 + 5·a·s/h)/t; selective: 34/t; full: 2",
        validity=Text(
            "16 位激活，含序列并行；稠密 GPT 层。", "16-bit activations with sequence parallelism; a dense GPT layer."
        ),
        source=s.KORTHIKANTI,
        example=Example(
            inputs={
                "sequence_length": 2048,
                "hidden_size": 12288,
                "heads": 96,
                "tensor_parallel": 8,
                "recompute": "none",
            },
            expected=358612992,
            origin="25 165 824 × (34 + 5 × 96 × 2048/12288 = 80) / 8 = 25 165 824 × 114 / 8",
        ),
    ),
)
