"""Step time back from the utilisation, tokens per second, and what is kept against one site or of a record."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.text import Text


def model_step_time(*, flops: float, gpus: float, peak_flops: float, mfu: float) -> float:
    """Step time from the model's FLOP and the MFU: F/(N·peak·MFU), s; the inverse of the MFU."""
    return flops / (gpus * peak_flops * mfu)


def token_rate(*, sequence_length: float, batch: float, step_time: float) -> float:
    """Tokens per second of the whole job: s·B/T."""
    return sequence_length * batch / step_time


def one_site_efficiency(*, split: float, one_site: float) -> float:
    """Performance kept against the same job on one site, ratio; both as MFU, tokens per second or 1/step time."""
    return split / one_site


def observed_mtbf(*, window: float, failures: float) -> float:
    """Mean time between failures seen: window/failures, s."""
    return window / failures


_PERFORMANCE = Input(
    name="split", dimension=Dimension.RATIO, title=Text("多站性能", "Performance on several sites"), above_zero=True
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="model_step_time",
        title=Text("由 MFU 得到的单步时间", "Step time from the MFU"),
        function=model_step_time,
        inputs=(
            Input(
                name="flops", dimension=Dimension.FLOP, title=Text("每步浮点运算量", "FLOP per step"), above_zero=True
            ),
            i.GPUS,
            i.PEAK_FLOPS,
            Input(
                name="mfu",
                dimension=Dimension.RATIO,
                title=Text("模型算力利用率（MFU）", "Model FLOPs utilisation"),
                above_zero=True,
                high=1,
                advised_low=0.05,
                advised_high=0.7,
            ),
        ),
        result=Dimension.TIME,
        symbolic="T = F / (N·peak·MFU)",
        validity=Text("与 MFU 公式互逆。", "The inverse of the MFU."),
        source=s.MEGATRON,
        example=Example(
            inputs={"flops": 1e16, "gpus": 10, "peak_flops": 1e15, "mfu": 0.25}, expected=4, origin="1e16 / 2.5e15"
        ),
        band=Band(
            low=0.96,
            high=1.04,
            words=Text("与公开实测相差不超过 4 %。", "Within 4% of the published steps."),
            source=s.KORTHIKANTI,
        ),
    ),
    Formula(
        id="token_rate",
        title=Text("训练吞吐（词元每秒）", "Training throughput, tokens per second"),
        function=token_rate,
        inputs=(
            Input(
                name="sequence_length",
                dimension=Dimension.COUNT,
                title=Text("序列长度", "Sequence length"),
                above_zero=True,
            ),
            Input(
                name="batch", dimension=Dimension.COUNT, title=Text("每步序列数", "Sequences per step"), above_zero=True
            ),
            i.variant(i.STEP_COMPUTE_TIME, name="step_time", title=Text("单步时间", "Time of one step")),
        ),
        result=Dimension.COUNT,
        symbolic="R = s·B / T",
        validity=Text("整个作业合计。", "Of the whole job."),
        source=s.MEGATRON,
        example=Example(
            inputs={"sequence_length": 4096, "batch": 256, "step_time": 4}, expected=262144, origin="1 048 576 / 4 s"
        ),
    ),
    Formula(
        id="one_site_efficiency",
        title=Text("相对单站的效率", "Efficiency against one site"),
        function=one_site_efficiency,
        inputs=(
            _PERFORMANCE,
            i.variant(_PERFORMANCE, name="one_site", title=Text("单站性能", "Performance on one site")),
        ),
        result=Dimension.RATIO,
        symbolic="η = x_k / x_1",
        validity=Text(
            "供应商常引用的指标；既不是 MFU，也不是计算时间占比。",
            "What vendors quote; neither the MFU nor the share of time computing.",
        ),
        source=s.INTELLECT,
        example=Example(inputs={"split": 0.36, "one_site": 0.4}, expected=0.9, origin="MFU 36 % against 40 %"),
    ),
    Formula(
        id="observed_mtbf",
        title=Text("实测平均故障间隔", "Mean time between failures as seen"),
        function=observed_mtbf,
        inputs=(
            Input(name="window", dimension=Dimension.TIME, title=Text("观测时长", "Time observed"), above_zero=True),
            Input(
                name="failures",
                dimension=Dimension.COUNT,
                title=Text("故障次数", "Failures"),
                low=1,
                high=1e9,
                advised_low=10,
            ),
        ),
        result=Dimension.TIME,
        symbolic="M = window / failures",
        validity=Text("故障次数少于 10 时误差超过三成。", "With fewer than 10 failures the error is above 30%."),
        source=s.LLAMA3,
        example=Example(inputs={"window": 864000, "failures": 100}, expected=8640, origin="10 days / 100 = 2.4 h"),
    ),
)
