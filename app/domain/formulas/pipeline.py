"""A pipeline cut by a line."""

from __future__ import annotations

import math

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input, refused
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
    cuts: float = 1,
) -> float:
    """1F1B step with `cuts` lines, the last after `cut_stage` stages, s; τ = tf + tb, D one way with the transfer.

    T = (m+p−1)·τ + 2D·cuts + max(0, m−(p−c)−e)·max(0, (2τ+2D)/(2+e) − τ). Without extra warm-up (e = 0) this is
    (m+p−1)·τ + D·(m−(p−c)+2): about one delay per micro-batch; from e ≥ 2D/τ on only 2D is left.
    Against a discrete-event run: exact from full warm-up on, else within about one delay. Valid while one
    message transfers in no more than tf and, with several cuts, two or more stages lie between them.
    Raises `InputError` when the cut is not inside.
    """
    if not 1 <= cut_stage < stages:
        raise refused(
            "pipeline_step_time.cut_stage",
            f"切口前的级数 {cut_stage:g} 应至少为 1 且小于总级数 {stages:g}。",
            f"The stages before the line ({cut_stage:g}) must be at least 1 and fewer than all {stages:g}.",
        )
    both = forward_time + backward_time
    plain = (micro_batches + stages - 1) * both + 2 * one_way_delay * cuts
    waiting = max(0.0, micro_batches - (stages - cut_stage) - extra_warmup)
    period = (2 * both + 2 * one_way_delay) / (2 + extra_warmup)
    return plain + waiting * max(0.0, period - both)


def pipeline_plain_time(*, stages: float, micro_batches: float, forward_time: float, backward_time: float) -> float:
    """1F1B step without a line: (m+p−1)(tf+tb), s."""
    return (micro_batches + stages - 1) * (forward_time + backward_time)


def pipeline_bubble_share(*, stages: float, micro_batches: float, chunks: float = 1) -> float:
    """Idle over busy time of a stage: (p−1)/(v·m), ratio; v = 1 without interleaving. GPipe, Megatron-LM 2021."""
    return (stages - 1) / (chunks * micro_batches)


def pipeline_hop_delay(*, one_way_delay: float, size: float, bandwidth: float) -> float:
    """Delay of one message over the cut: D + 8·mb·s·h·b/W, s."""
    return one_way_delay + c.BITS_PER_BYTE * size / bandwidth


def pipeline_warmup_needed(*, one_way_delay: float, forward_time: float, backward_time: float) -> float:
    """Extra warm-up micro-batches that hide the line: ⌈2D/(tf+tb)⌉; each stores one more activation per stage."""
    return math.ceil(2 * one_way_delay / (forward_time + backward_time))


def pipeline_rate_floor(*, size: float, forward_time: float) -> float:
    """Least rate at which the line does not set the period: 8·message/tf, bit/s."""
    return c.BITS_PER_BYTE * size / forward_time


_STAGES = Input(
    name="stages",
    dimension=Dimension.COUNT,
    title=Text("流水线级数", "Pipeline stages"),
    low=2,
    high=1e6,
    whole=True,
)
_FORWARD = Input(
    name="forward_time",
    dimension=Dimension.TIME,
    title=Text("单级前向时间", "Forward time of one stage"),
    above_zero=True,
)
_BACKWARD = i.variant(_FORWARD, name="backward_time", title=Text("单级反向时间", "Backward time of one stage"))
_DELAY = i.variant(
    i.ONE_WAY_DELAY, title=Text("单程时延（含一次报文传输）", "One-way delay, transfer of one message included")
)
_MESSAGE = i.variant(i.SIZE, title=Text("一次报文的字节数", "Bytes of one message"))

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="pipeline_step_time",
        title=Text("流水线跨专线：单步时间", "Step time of a pipeline cut by a line"),
        function=pipeline_step_time,
        inputs=(
            _STAGES,
            i.MICRO_BATCHES,
            Input(
                name="cut_stage",
                dimension=Dimension.COUNT,
                title=Text("切口前的级数", "Stages before the line"),
                low=1,
                high=1e6,
                whole=True,
            ),
            _DELAY,
            Input(
                name="extra_warmup",
                dimension=Dimension.COUNT,
                title=Text("切口前额外预热的微批次数", "Extra warm-up micro-batches before the cut"),
                high=1e6,
                whole=True,
            ),
            _FORWARD,
            _BACKWARD,
            i.CUTS,
        ),
        result=Dimension.TIME,
        symbolic="T = (m+p−1)·τ + 2D·cuts + max(0, m−(p−c)−e)·max(0, (2τ+2D)/(2+e) − τ), τ = tf+tb",
        validity=Text(
            "1F1B、一个切口；一次报文的传输不超过前向时间；预热充分时精确，否则误差约一个单程时延。",
            "1F1B, one cut; one message transfers within the forward time; exact with full warm-up, "
            "else to about one delay.",
        ),
        source=s.PIPELINE_RUN,
        band=Band(
            low=0.98,
            high=1.02,
            words=Text(
                "预热充分时与离散事件仿真一致，否则相差约一个单程时延。",
                "Exact against a discrete-event run with full warm-up, else to about one delay.",
            ),
            source=s.PIPELINE_RUN,
        ),
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
    Formula(
        id="pipeline_plain_time",
        title=Text("单站流水线：单步时间", "Step time of a pipeline on one site"),
        function=pipeline_plain_time,
        inputs=(_STAGES, i.MICRO_BATCHES, _FORWARD, _BACKWARD),
        result=Dimension.TIME,
        symbolic="T = (m+p−1)·(tf+tb)",
        validity=Text("各级用时相同，站内传输忽略。", "Equal stages; transfers inside the site left out."),
        source=s.GPIPE,
        example=Example(
            inputs={"stages": 8, "micro_batches": 64, "forward_time": 0.1, "backward_time": 0.2},
            expected=21.3,
            origin="71 × 0.3",
        ),
    ),
    Formula(
        id="pipeline_bubble_share",
        title=Text("流水线气泡占比", "Bubble share of a pipeline"),
        function=pipeline_bubble_share,
        inputs=(
            i.variant(_STAGES, low=1),
            i.MICRO_BATCHES,
            Input(
                name="chunks",
                dimension=Dimension.COUNT,
                title=Text("每级的模型块数（交错）", "Chunks per stage, interleaved"),
                default=1,
                low=1,
                high=1e6,
                whole=True,
            ),
        ),
        result=Dimension.RATIO,
        symbolic="x = (p−1) / (v·m)",
        validity=Text("空闲与有效计算时间之比。", "Idle time over busy time."),
        source=s.GPIPE,
        example=Example(
            inputs={"stages": 8, "micro_batches": 64, "chunks": 2}, expected=0.0546875, origin="7 / (2 × 64)"
        ),
    ),
    Formula(
        id="pipeline_hop_delay",
        title=Text("流水线切口：一次报文的时延", "Delay of one message over a pipeline cut"),
        function=pipeline_hop_delay,
        inputs=(i.ONE_WAY_DELAY, _MESSAGE, i.BANDWIDTH),
        result=Dimension.TIME,
        symbolic="D' = D + 8·V/W",
        validity=Text("报文不排队。", "Messages do not queue."),
        source=s.PIPELINE_RUN,
        example=Example(
            inputs={"one_way_delay": 0.005, "size": 50e6, "bandwidth": 100e9},
            expected=0.009,
            origin="5 ms + 4e8/1e11 = 4 ms",
        ),
    ),
    Formula(
        id="pipeline_warmup_needed",
        title=Text("完全掩盖专线所需的额外预热", "Extra warm-up that hides the line"),
        function=pipeline_warmup_needed,
        inputs=(_DELAY, _FORWARD, _BACKWARD),
        result=Dimension.COUNT,
        symbolic="e = ceil(2D/(tf+tb))",
        validity=Text(
            "代价：切口前各级多存 e 份激活。", "The price: e more activations stored in each stage before the cut."
        ),
        source=s.PIPELINE_RUN,
        example=Example(
            inputs={"one_way_delay": 0.4, "forward_time": 0.1, "backward_time": 0.2},
            expected=3,
            origin="0.8 / 0.3 = 2.67, rounded up",
        ),
    ),
    Formula(
        id="pipeline_rate_floor",
        title=Text("流水线切口的最低速率", "Least rate over a pipeline cut"),
        function=pipeline_rate_floor,
        inputs=(_MESSAGE, _FORWARD),
        result=Dimension.RATE,
        symbolic="W = 8·V/tf",
        validity=Text("低于此值由专线决定节拍；反向同理。", "Below it the line sets the period; backward alike."),
        source=s.PIPELINE_RUN,
        example=Example(inputs={"size": 50e6, "forward_time": 0.1}, expected=4e9, origin="4e8 bit / 0.1 s"),
    ),
)
