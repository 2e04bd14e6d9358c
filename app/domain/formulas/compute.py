"""Compute time of a step, FLOP counts, utilisation of the GPUs, days of training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

# Recompute word -> (factor of B·s·l·h², divisor of V/(l·h)); Megatron-LM 2021 and Korthikanti, appendix A.
_RECOMPUTE: Final[dict[str, tuple[int, int]]] = {"none": (72, 12), "selective": (72, 12), "full": (96, 16)}
_ATTENTION_DIVISOR: Final = 6


def step_compute_time(
    *,
    active_parameters: float,
    tokens: float,
    gpus: float,
    peak_flops: float,
    mfu: float,
    flops_per_parameter_token: float = c.FLOP_PER_PARAMETER_TOKEN,
) -> float:
    """Compute time of a step: 6·P_act·tokens/(GPUs·peak·MFU), s; 8 in place of 6 with full recompute."""
    return flops_per_parameter_token * active_parameters * tokens / (gpus * peak_flops * mfu)


def megatron_step_flops(
    *,
    layers: float,
    hidden_size: float,
    sequence_length: float,
    batch: float,
    vocabulary: float = c.GPT_VOCABULARY,
    recompute: str = "selective",
) -> float:
    """FLOP of a GPT step: 72·B·s·l·h²·(1 + s/(6h) + V/(12·l·h)); 96 and 16 with full recompute.

    Selective recompute repeats the attention scores only; like Megatron's MFU this is not counted.
    """
    factor, divisor = _RECOMPUTE[recompute]
    attention = sequence_length / (_ATTENTION_DIVISOR * hidden_size)
    logits = vocabulary / (divisor * layers * hidden_size)
    return factor * batch * sequence_length * layers * hidden_size**2 * (1 + attention + logits)


def _beyond_peak(clean: Mapping[str, Any]) -> Text | None:
    """More work than the peak allows: one of the inputs is wrong, or in another unit."""
    if model_flops_utilization(**clean) <= 1:
        return None
    return Text(
        "结果大于 1：运算量超过峰值所能完成，请核对单位（FLOP 与 TFLOP）与 GPU 数。",
        "The result is above 1: more work than the peak can do. Check the units (FLOP, TFLOP) and the number of GPUs.",
    )


def model_flops_utilization(*, flops: float, step_time: float, gpus: float, peak_flops: float) -> float:
    """MFU: model FLOP of a step / (step time·GPUs·peak), ratio."""
    return flops / (step_time * gpus * peak_flops)


def training_time(
    *,
    parameters: float,
    tokens: float,
    gpus: float,
    achieved_flops: float,
    flops_per_parameter_token: float = c.FLOP_WITH_RECOMPUTE,
) -> float:
    """Time to train: 8·P·tokens/(GPUs·X), s; X achieved FLOP/s per GPU, full recompute. Megatron-LM 2021."""
    return flops_per_parameter_token * parameters * tokens / (gpus * achieved_flops)


def allowed_step_time(*, tokens: float, tokens_per_step: float, deadline: float) -> float:
    """Longest mean step that still ends `tokens` of training in time: deadline·G/tokens, s."""
    return deadline * tokens_per_step / tokens


_PER_TOKEN = Input(
    name="flops_per_parameter_token",
    dimension=Dimension.COUNT,
    title=Text("每参数每词元的浮点运算数", "FLOP per parameter and token"),
    default=c.FLOP_PER_PARAMETER_TOKEN,
    above_zero=True,
    high=100,
)
_STEP_TIME = i.variant(i.STEP_COMPUTE_TIME, name="step_time", title=Text("单步时间", "Time of one step"))

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="step_compute_time",
        title=Text("单步计算时间", "Compute time of one step"),
        function=step_compute_time,
        inputs=(
            i.variant(
                i.PARAMETERS, name="active_parameters", title=Text("激活参数量", "Active parameters"), advised_low=10e9
            ),
            i.TOKENS,
            i.GPUS,
            i.PEAK_FLOPS,
            Input(
                name="mfu",
                dimension=Dimension.RATIO,
                title=Text("模型算力利用率（MFU）", "Model FLOPs utilisation"),
                above_zero=True,
                high=1,
            ),
            _PER_TOKEN,
        ),
        result=Dimension.TIME,
        symbolic="T = c·P_act·G / (N·peak·MFU)",
        validity=Text(
            "约 100 亿参数以上误差几个百分点；更小的模型注意力另占一成以上。",
            "To a few percent above about 10B parameters; below, attention adds a tenth or more.",
        ),
        source=s.MEGATRON,
        band=Band(
            low=0.95,
            high=1.05,
            words=Text(
                "Nemotron-4 340B 实测相差 4.6 %；小于 130 亿参数时偏低一成以上。",
                "Nemotron-4 340B lies 4.6% off; below 13B parameters the formula is a tenth or more too low.",
            ),
            source=s.MEGATRON,
        ),
        example=Example(
            inputs={
                "active_parameters": 1e9,
                "tokens": 1e6,
                "gpus": 8,
                "peak_flops": 1e15,
                "mfu": 0.5,
            },
            expected=1.5,
            origin="6e15 / (8 × 1e15 × 0.5)",
        ),
    ),
    Formula(
        id="megatron_step_flops",
        title=Text("每步浮点运算量（Megatron）", "FLOP of one step (Megatron)"),
        function=megatron_step_flops,
        inputs=(
            i.LAYERS,
            i.HIDDEN_SIZE,
            Input(
                name="sequence_length",
                dimension=Dimension.COUNT,
                title=Text("序列长度", "Sequence length"),
                above_zero=True,
            ),
            Input(
                name="batch",
                dimension=Dimension.COUNT,
                title=Text("每步序列数", "Sequences per step"),
                above_zero=True,
            ),
            Input(
                name="vocabulary",
                dimension=Dimension.COUNT,
                title=Text("词表大小", "Vocabulary"),
                default=c.GPT_VOCABULARY,
            ),
            Input(
                name="recompute",
                dimension=Dimension.WORD,
                title=Text("激活重算", "Activation recomputation"),
                default="selective",
                choices=tuple(_RECOMPUTE),
            ),
        ),
        result=Dimension.FLOP,
        symbolic="F = 72·B·s·l·h²·(1 + s/(6h) + V/(12·l·h)); full: 96, 16",
        validity=Text(
            "稠密 GPT；选择性重算只重复注意力得分，不计入。",
            "Dense GPT; selective recompute repeats attention scores only and is not counted.",
        ),
        source=s.KORTHIKANTI,
        band=Band(
            low=0.96,
            high=1.04,
            words=Text(
                "与 Korthikanti 表 5 的 MFU 相符到三位。", "Gives the MFU of Korthikanti, Table 5, to three digits."
            ),
            source=s.KORTHIKANTI,
        ),
        example=Example(
            inputs={
                "layers": 10,
                "hidden_size": 1000,
                "sequence_length": 600,
                "batch": 2,
                "vocabulary": 12_000,
            },
            expected=1.0368e12,
            origin="72 × 2 × 600 × 10 × 1e6 = 8.64e11; × (1 + 0.1 + 0.1)",
        ),
    ),
    Formula(
        id="model_flops_utilization",
        title=Text("模型算力利用率（MFU）", "Model FLOPs utilisation (MFU)"),
        function=model_flops_utilization,
        inputs=(
            Input(
                name="flops",
                dimension=Dimension.FLOP,
                title=Text("每步浮点运算量", "FLOP per step"),
                above_zero=True,
            ),
            _STEP_TIME,
            i.GPUS,
            i.PEAK_FLOPS,
        ),
        result=Dimension.RATIO,
        symbolic="MFU = F / (T·N·peak)",
        validity=Text("只计模型运算，不计重算。", "Counts the model's FLOP, not recomputation."),
        caution=_beyond_peak,
        source=s.MEGATRON,
        example=Example(
            inputs={"flops": 1e16, "step_time": 4, "gpus": 10, "peak_flops": 1e15},
            expected=0.25,
            origin="1e16 / 4e16",
        ),
    ),
    Formula(
        id="training_time",
        title=Text("训练总时长", "Time to train"),
        function=training_time,
        inputs=(
            i.variant(i.PARAMETERS, advised_low=10e9),
            i.variant(i.TOKENS, title=Text("训练词元总数", "Tokens to train on")),
            i.GPUS,
            i.variant(i.PEAK_FLOPS, name="achieved_flops", title=Text("单卡实际算力", "Achieved rate of one GPU")),
            i.variant(_PER_TOKEN, default=c.FLOP_WITH_RECOMPUTE),
        ),
        result=Dimension.TIME,
        symbolic="T = c·P·tokens / (N·X)",
        validity=Text(
            "完全重算取 8，不重算取 6；100 亿参数以下注意力另占一成以上。",
            "8 with full recompute, 6 without; below 10B parameters attention adds a tenth or more.",
        ),
        source=s.MEGATRON,
        band=Band(
            low=0.96,
            high=1.04,
            words=Text("与 Megatron-LM 2021 表 2 相差不超过 4 %。", "Within 4% of Megatron-LM 2021, Table 2."),
            source=s.MEGATRON,
        ),
        example=Example(
            inputs={"parameters": 1e9, "tokens": 1e12, "gpus": 100, "achieved_flops": 1e14},
            expected=8e5,
            origin="8e21 / 1e16",
        ),
    ),
    Formula(
        id="allowed_step_time",
        title=Text("期限允许的每步时间", "Step time a deadline allows"),
        function=allowed_step_time,
        inputs=(
            i.variant(i.TOKENS, title=Text("训练词元总数", "Tokens to train on"), above_zero=True),
            i.variant(i.TOKENS, name="tokens_per_step", title=Text("每步词元数", "Tokens per step"), above_zero=True),
            Input(
                name="deadline",
                dimension=Dimension.TIME,
                title=Text("完成期限", "Time to the deadline"),
                above_zero=True,
            ),
        ),
        result=Dimension.TIME,
        symbolic="T = deadline · G / tokens",
        validity=Text(
            "不含故障与检查点的损失，须另留余量。", "Failures and checkpoints come on top; leave room for them."
        ),
        source=s.MEGATRON,
        example=Example(
            inputs={"tokens": 1e12, "tokens_per_step": 1e6, "deadline": 1e7},
            expected=10.0,
            origin="1e6 steps in 1e7 s",
        ),
    ),
)
