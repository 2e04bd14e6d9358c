"""A pipeline cut by a line."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input, refused
from app.domain.text import Text


def pipeline_message_bytes(
    *, sequence_length: float, hidden_size: float, bytes_per_element: float, micro_batch: float = 1
) -> float:
    """One message over a pipeline cut: mb·s·h·b, bytes; the gradient back is as large."""
    return micro_batch * sequence_length * hidden_size * bytes_per_element


def pipeline_step_time(
    *,
    stages: float,
    micro_batches: float,
    cut_stage: float,
    one_way_delay: float,
    extra_warmup: float,
    forward_time: float,
    backward_time: float,
) -> float:
    """1F1B step with one cut after `cut_stage` stages, s; τ = tf + tb, D one way with the transfer.

    T = (m+p−1)·τ + 2D + max(0, m−(p−c)−e)·max(0, (2τ+2D)/(2+e) − τ). Without extra warm-up (e = 0) this is
    (m+p−1)·τ + D·(m−(p−c)+2): about one delay per micro-batch; from e ≥ 2D/τ on only 2D is left.
    Against a discrete-event run: exact from full warm-up on, else within about one delay. Valid while one
    message transfers in no more than tf. Raises `InputError` when the cut is not inside.
    """
    if not 1 <= cut_stage < stages:
        raise refused(
            "pipeline_step_time.cut_stage",
            f"切口前的级数 {cut_stage:g} 应至少为 1 且小于总级数 {stages:g}。",
            f"The stages before the line ({cut_stage:g}) must be at least 1 and fewer than all {stages:g}.",
        )
    both = forward_time + backward_time
    plain = (micro_batches + stages - 1) * both + 2 * one_way_delay
    waiting = max(0.0, micro_batches - (stages - cut_stage) - extra_warmup)
    period = (2 * both + 2 * one_way_delay) / (2 + extra_warmup)
    return plain + waiting * max(0.0, period - both)


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="pipeline_step_time",
        title=Text("流水线跨专线：单步时间", "Step time of a pipeline cut by a line"),
        function=pipeline_step_time,
        inputs=(
            Input(
                name="stages",
                dimension=Dimension.COUNT,
                title=Text("流水线级数", "Pipeline stages"),
                low=2,
                high=1e6,
                whole=True,
            ),
            i.MICRO_BATCHES,
            Input(
                name="cut_stage",
                dimension=Dimension.COUNT,
                title=Text("切口前的级数", "Stages before the line"),
                low=1,
                high=1e6,
                whole=True,
            ),
            i.variant(
                i.ONE_WAY_DELAY,
                title=Text("单程时延（含一次报文传输）", "One-way delay, transfer of one message included"),
            ),
            Input(
                name="extra_warmup",
                dimension=Dimension.COUNT,
                title=Text("切口前额外预热的微批次数", "Extra warm-up micro-batches before the cut"),
                high=1e6,
                whole=True,
            ),
            Input(
                name="forward_time",
                dimension=Dimension.TIME,
                title=Text("单级前向时间", "Forward time of one stage"),
                above_zero=True,
            ),
            Input(
                name="backward_time",
                dimension=Dimension.TIME,
                title=Text("单级反向时间", "Backward time of one stage"),
                above_zero=True,
            ),
        ),
        result=Dimension.TIME,
        symbolic="T = (m+p−1)·τ + 2D + max(0, m−(p−c)−e)·max(0, (2τ+2D)/(2+e) − τ), τ = tf+tb",
        validity=Text(
            "1F1B、一个切口；一次报文的传输不超过前向时间；预热充分时精确，否则误差约一个单程时延。",
            "1F1B, one cut; one message transfers within the forward time; exact with full warm-up, "
            "else to about one delay.",
        ),
        source=s.PIPELINE_RUN,
        example=Example(
            inputs={
                "stages": 8,
                "micro_batches": 64,
                "cut_stage": 4,
                "one_way_delay": 0.3,
                "extra_warmup": 0,
                "forward_time": 0.1,
                "backward_time": 0.2,
            },
            expected=39.9,
            origin="71 × 0.3 + 0.3 × (64 − 4 + 2) = 21.3 + 18.6",
        ),
    ),
    Formula(
        id="pipeline_message_bytes",
        title=Text("流水线切口的报文大小", "Message over a pipeline cut"),
        function=pipeline_message_bytes,
        inputs=(
            Input(
                name="sequence_length",
                dimension=Dimension.COUNT,
                title=Text("序列长度", "Sequence length"),
                above_zero=True,
            ),
            i.HIDDEN_SIZE,
            i.BYTES_PER_ELEMENT,
            Input(
                name="micro_batch",
                dimension=Dimension.COUNT,
                title=Text("微批次大小（序列数）", "Sequences per micro-batch"),
                default=1,
                above_zero=True,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="V = mb·s·h·b",
        validity=Text("每个微批次、每个方向一次。", "Once per micro-batch and direction."),
        source=s.MEGATRON,
        example=Example(
            inputs={"sequence_length": 2048, "hidden_size": 12288, "bytes_per_element": 2},
            expected=50331648,
            origin="2048 × 12288 × 2 = 50.3 MB",
        ),
    ),
)
