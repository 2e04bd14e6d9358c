"""Local SGD without streaming, in closed form, and compressed exchanges."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.text import Text


def local_sgd_stall(
    *,
    size: float,
    bandwidth: float,
    step_compute_time: float,
    layers: float,
    hops: float = 0,
    one_way_delay: float = 0,
) -> float:
    """Stall of one outer step: max(8V/W − ⅔T(1−1/L), 8V/(L·W)) + hops·D, s; V leaves one site in the exchange.

    The exchange starts layer by layer as the last backward pass goes on; the last layer's share is never hidden.
    """
    transfer = c.BITS_PER_BYTE * size / bandwidth
    cover = c.BACKWARD_SHARE * step_compute_time * (1 - 1 / layers)
    return max(transfer - cover, transfer / layers) + hops * one_way_delay


def local_sgd_share(*, step_compute_time: float, sync_interval: float, stall: float) -> float:
    """Share of time computing with one blocking exchange per round: H·T/(H·T + stall), ratio."""
    return sync_interval * step_compute_time / (sync_interval * step_compute_time + stall)


def streaming_peak_bytes(*, size: float, fragments: float) -> float:
    """Bytes of one exchange when a round is sent in F fragments: E/F; the mean over the round stays."""
    return size / fragments


def local_sgd_mean_bytes(*, size: float, sync_interval: float) -> float:
    """Bytes leaving a site per inner step on average: E/H."""
    return size / sync_interval


def compressed_bytes(*, size: float, width_ratio: float = 1, kept: float = 1, index_ratio: float = 0) -> float:
    """Exchange after compression: V·(b'/b)·ρ·(1+idx), bytes; ρ the share kept, idx index bytes per value byte."""
    return size * width_ratio * kept * (1 + index_ratio)


def compressed_sync_time(*, size: float, reduction: float, bandwidth: float, codec_rate: float) -> float:
    """Exchange with a codec at both ends: 8V/(r·W) + 2V/R, s; r the reduction, R the codec's rate on plain bytes."""
    return c.BITS_PER_BYTE * size / (reduction * bandwidth) + 2 * size / codec_rate


def compressed_gather_bytes(*, size: float, sites: float) -> float:
    """Egress when compressed blocks are gathered by all, not reduced on the way: (k−1)·V', bytes."""
    return (sites - 1) * size


def traffic_reduction(*, before: float, after: float) -> float:
    """How many times less is sent: before/after."""
    return before / after


_EXCHANGE = i.variant(i.SIZE, title=Text("一次同步的站点出向流量", "Bytes leaving a site in one exchange"))
_INTERVAL = Input(
    name="sync_interval",
    dimension=Dimension.COUNT,
    title=Text("同步间隔（步）", "Steps between synchronisations"),
    low=1,
    high=1e6,
    whole=True,
    advised_high=500,
)
_FLOW = Input(name="before", dimension=Dimension.RATE, title=Text("原来的流量", "Traffic before"), above_zero=True)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="local_sgd_stall",
        title=Text("本地 SGD（不分片）：每轮停顿", "Local SGD without streaming: stall per round"),
        function=local_sgd_stall,
        inputs=(
            _EXCHANGE,
            i.BANDWIDTH,
            i.STEP_COMPUTE_TIME,
            i.LAYERS,
            Input(
                name="hops",
                dimension=Dimension.COUNT,
                title=Text("依赖的单程跳数", "Dependent one-way hops"),
                default=0,
                high=1e6,
            ),
            i.variant(i.ONE_WAY_DELAY, default=0),
        ),
        result=Dimension.TIME,
        symbolic="T = max(8V/W − ⅔T_step·(1−1/L), 8V/(L·W)) + hops·D",
        validity=Text(
            "一次阻塞的全量同步；只与最后一步的反向重叠。",
            "One blocking exchange; overlaps with the last backward pass only.",
        ),
        source=s.STREAMING,
        example=Example(
            inputs={
                "size": 200e9,
                "bandwidth": 160e9,
                "step_compute_time": 4.5,
                "layers": 3,
                "hops": 2,
                "one_way_delay": 0.05,
            },
            expected=8.1,
            origin="1.6e12/160e9 = 10 s; cover ⅔ × 4.5 × ⅔ = 2 s; 10 − 2 + 0.1",
        ),
    ),
    Formula(
        id="local_sgd_share",
        title=Text("本地 SGD（不分片）：算力利用率", "Local SGD without streaming: share of time computing"),
        function=local_sgd_share,
        inputs=(
            i.STEP_COMPUTE_TIME,
            _INTERVAL,
            Input(name="stall", dimension=Dimension.TIME, title=Text("每轮停顿", "Stall per round")),
        ),
        result=Dimension.RATIO,
        symbolic="U = H·T / (H·T + stall)",
        validity=Text(
            "质量代价另计：H 大于 100 需试训。", "What H costs in quality is separate; above 100 it wants a trial."
        ),
        source=s.STREAMING,
        example=Example(
            inputs={"step_compute_time": 4.5, "sync_interval": 100, "stall": 50}, expected=0.9, origin="450 / 500"
        ),
        band=Band(
            low=0.99,
            high=1.01,
            words=Text(
                "INTELLECT-1：38 分钟计算、1 至 7 分钟同步，实测 83 % 至 96 %，与公式相符。",
                "INTELLECT-1: 38 minutes of compute and 1 to 7 of exchange gave 83 to 96%, as the formula says.",
            ),
            source=s.INTELLECT,
        ),
    ),
    Formula(
        id="streaming_peak_bytes",
        title=Text("流式本地 SGD：单次同步的流量", "Streaming local SGD: bytes of one exchange"),
        function=streaming_peak_bytes,
        inputs=(
            _EXCHANGE,
            Input(
                name="fragments",
                dimension=Dimension.COUNT,
                title=Text("片段数", "Fragments"),
                low=1,
                high=1e6,
                whole=True,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="V = E/F",
        validity=Text("峰值降为 1/F，平均流量不变。", "The peak falls to 1/F; the mean does not."),
        source=s.STREAMING,
        example=Example(inputs={"size": 200e9, "fragments": 36}, expected=200e9 / 36, origin="200 GB / 36 = 5.56 GB"),
    ),
    Formula(
        id="local_sgd_mean_bytes",
        title=Text("本地 SGD：平均每步站点出向流量", "Local SGD: mean bytes leaving a site per step"),
        function=local_sgd_mean_bytes,
        inputs=(_EXCHANGE, _INTERVAL),
        result=Dimension.BYTES,
        symbolic="V = E/H",
        validity=Text("平均值；突发见单次同步。", "A mean; the burst is one exchange."),
        source=s.STREAMING,
        example=Example(inputs={"size": 200e9, "sync_interval": 100}, expected=2e9, origin="200 GB / 100"),
    ),
    Formula(
        id="compressed_bytes",
        title=Text("压缩后的同步流量", "Exchange after compression"),
        function=compressed_bytes,
        inputs=(
            _EXCHANGE,
            Input(
                name="width_ratio",
                dimension=Dimension.RATIO,
                title=Text("位宽之比（压缩后/前）", "Width after over width before"),
                default=1,
                above_zero=True,
                high=1,
            ),
            Input(
                name="kept",
                dimension=Dimension.RATIO,
                title=Text("保留的元素份额", "Share of elements kept"),
                default=1,
                above_zero=True,
                high=1,
            ),
            Input(
                name="index_ratio",
                dimension=Dimension.RATIO,
                title=Text("索引字节与数值字节之比", "Index bytes per value byte"),
                default=0,
                high=64,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="V' = V·w·ρ·(1+idx)",
        validity=Text("Top-k 需要索引；精度影响需试训。", "Top-k needs an index; the effect on quality wants a trial."),
        source=s.DEMO,
        example=Example(
            inputs={"size": 100e9, "width_ratio": 0.25, "kept": 0.01, "index_ratio": 4},
            expected=1.25e9,
            origin="100 GB × 1/4 × 1 % × (1 + 4)",
        ),
    ),
    Formula(
        id="compressed_sync_time",
        title=Text("带压缩的同步时间", "Time of a compressed exchange"),
        function=compressed_sync_time,
        inputs=(
            _EXCHANGE,
            Input(
                name="reduction", dimension=Dimension.RATIO, title=Text("压缩倍数", "Reduction factor"), low=1, high=1e6
            ),
            i.BANDWIDTH,
            Input(
                name="codec_rate",
                dimension=Dimension.BYTE_RATE,
                title=Text("编解码速率（压缩前字节）", "Codec rate, bytes before compression"),
                above_zero=True,
            ),
        ),
        result=Dimension.TIME,
        symbolic="T = 8V/(r·W) + 2V/R",
        validity=Text("编码、传输、解码依次进行。", "Encode, send and decode one after the other."),
        source=s.DEMO,
        example=Example(
            inputs={"size": 100e9, "reduction": 4, "bandwidth": 100e9, "codec_rate": 50e9},
            expected=6,
            origin="8e11/4e11 + 2 × 100/50 = 2 + 4: here the codec binds",
        ),
    ),
    Formula(
        id="compressed_gather_bytes",
        title=Text("压缩块 AllGather：站点出向流量", "Gathering compressed blocks: bytes leaving a site"),
        function=compressed_gather_bytes,
        inputs=(i.variant(i.SIZE, title=Text("压缩后的数据量", "Bytes after compression")), i.SITES),
        result=Dimension.BYTES,
        symbolic="E = (k−1)·V'",
        validity=Text("逐跳重新量化会失真时采用。", "Where quantising again at each hop would cost precision."),
        source=s.DEMO,
        example=Example(inputs={"size": 1e9, "sites": 4}, expected=3e9, origin="3 × 1 GB"),
    ),
    Formula(
        id="traffic_reduction",
        title=Text("流量降低倍数", "Traffic reduction"),
        function=traffic_reduction,
        inputs=(_FLOW, i.variant(_FLOW, name="after", title=Text("现在的流量", "Traffic after"))),
        result=Dimension.RATIO,
        symbolic="r = before / after",
        validity=Text("两者口径一致。", "Both counted the same way."),
        source=s.DEMO,
        example=Example(inputs={"before": 200e9, "after": 2e9}, expected=100, origin="200 / 2"),
    ),
)
