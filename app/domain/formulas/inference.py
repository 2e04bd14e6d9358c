"""Inference over a line: key-value cache, first token, waiting for the line."""

from __future__ import annotations

import math

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input, refused
from app.domain.text import Text


def kv_bytes_per_token(
    *,
    layers: float,
    kv_heads: float,
    head_dimension: float,
    bytes_per_element: float,
    latent: float = 0,
    rope: float = 0,
) -> float:
    """Cache of one token: 2·L·heads·dimension·b; with a latent (MLA) L·(latent+rope)·b, bytes.

    A latent replaces the heads, which are then not used. Raises `InputError` when neither is given.
    """
    if latent > 0:
        return layers * (latent + rope) * bytes_per_element
    if rope > 0 or kv_heads <= 0 or head_dimension <= 0:
        raise refused(
            "kv_bytes_per_token.latent",
            "请给出 kv_heads 与 head_dimension（均大于 0），或给出大于 0 的 latent；rope 只与 latent 同用。",
            "Give kv_heads and head_dimension above 0, or a latent above 0; rope goes with a latent only.",
        )
    return 2 * layers * kv_heads * head_dimension * bytes_per_element


def md1_wait(*, load: float, service_time: float) -> float:
    """Mean wait for a line with random arrivals and equal transfers: ρ·s/(2(1−ρ)), s; inf from ρ = 1 on."""
    return load * service_time / (2 * (1 - load)) if load < 1 else math.inf


def time_to_first_token(
    *, round_trips: float, rtt: float, prefill: float, queue: float = 0, kv_exposed: float = 0
) -> float:
    """First token as the user sees it: n·RTT + queue + prefill + exposed cache transfer, s.

    n = 1 on a warm connection, 2 to 3 on a cold one (TCP and TLS).
    """
    return round_trips * rtt + queue + prefill + kv_exposed


def kv_transfer_exposed(*, transfer: float, prefill: float, layers: float, one_way_delay: float) -> float:
    """Cache transfer not hidden by prefill, sent layer by layer: max(0, T_kv − T_prefill·(1−1/L)) + D, s."""
    return max(0.0, transfer - prefill * (1 - 1 / layers)) + one_way_delay


_PREFILL = Input(name="prefill", dimension=Dimension.TIME, title=Text("预填充时间", "Prefill time"))

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="kv_bytes_per_token",
        title=Text("每词元 KV 缓存", "Key-value cache per token"),
        function=kv_bytes_per_token,
        inputs=(
            i.LAYERS,
            Input(name="kv_heads", dimension=Dimension.COUNT, title=Text("KV 头数", "Key-value heads"), high=1e6),
            Input(
                name="head_dimension",
                dimension=Dimension.COUNT,
                title=Text("每头维度", "Dimension of one head"),
                high=1e6,
            ),
            i.BYTES_PER_ELEMENT,
            Input(
                name="latent",
                dimension=Dimension.COUNT,
                title=Text("MLA 潜向量维度", "MLA latent dimension"),
                default=0,
                high=1e6,
            ),
            Input(
                name="rope",
                dimension=Dimension.COUNT,
                title=Text("MLA 位置编码维度", "MLA rotary dimension"),
                default=0,
                high=1e6,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="KV = 2·L·heads·d·b | L·(latent+rope)·b",
        validity=Text("每层都有缓存；混合注意力只计有缓存的层。", "Count only the layers that keep a cache."),
        source=s.DEEPSEEK,
        example=Example(
            inputs={"layers": 126, "kv_heads": 8, "head_dimension": 128, "bytes_per_element": 2},
            expected=516096,
            origin="2 × 126 × 8 × 128 × 2 = 516.1 KB, Llama-3.1-405B",
        ),
    ),
    Formula(
        id="md1_wait",
        title=Text("M/D/1 平均排队等待", "Mean wait, M/D/1"),
        function=md1_wait,
        inputs=(
            Input(
                name="load",
                dimension=Dimension.RATIO,
                title=Text("线路负载率", "Load of the line"),
                high=1,
                below_high=True,
            ),
            Input(
                name="service_time",
                dimension=Dimension.TIME,
                title=Text("单次传输时间", "Time of one transfer"),
            ),
        ),
        result=Dimension.TIME,
        symbolic="W = ρ·s / (2(1−ρ))",
        validity=Text("到达随机（泊松）、传输等长、负载小于 1。", "Poisson arrivals, equal transfers, load below 1."),
        source=s.QUEUE,
        example=Example(inputs={"load": 0.8, "service_time": 0.05}, expected=0.1, origin="0.8 × 0.05 / (2 × 0.2)"),
    ),
    Formula(
        id="time_to_first_token",
        title=Text("首词元时延（TTFT）", "Time to first token"),
        function=time_to_first_token,
        inputs=(
            Input(
                name="round_trips",
                dimension=Dimension.COUNT,
                title=Text("往返次数（热连接 1，冷连接 2 至 3）", "Round trips (1 warm, 2 to 3 cold)"),
                high=1e3,
            ),
            i.RTT,
            _PREFILL,
            Input(name="queue", dimension=Dimension.TIME, title=Text("排队时间", "Time in the queue"), default=0),
            Input(
                name="kv_exposed",
                dimension=Dimension.TIME,
                title=Text("未被掩盖的 KV 传输", "Cache transfer not hidden"),
                default=0,
            ),
        ),
        result=Dimension.TIME,
        symbolic="TTFT = n·RTT + queue + prefill + KV",
        validity=Text("不含客户端处理。", "Without the client's own time."),
        source=s.DISTSERVE,
        example=Example(
            inputs={"round_trips": 3, "rtt": 0.005, "queue": 0.1, "prefill": 0.5, "kv_exposed": 0.085},
            expected=0.7,
            origin="0.015 + 0.1 + 0.5 + 0.085",
        ),
    ),
    Formula(
        id="kv_transfer_exposed",
        title=Text("未被掩盖的 KV 传输时间", "Cache transfer not hidden by prefill"),
        function=kv_transfer_exposed,
        inputs=(
            Input(
                name="transfer",
                dimension=Dimension.TIME,
                title=Text("KV 传输时间", "Transfer time of the cache"),
            ),
            _PREFILL,
            i.LAYERS,
            i.ONE_WAY_DELAY,
        ),
        result=Dimension.TIME,
        symbolic="t = max(0, T_kv − T_prefill·(1−1/L)) + D",
        validity=Text("逐层发送。", "Sent layer by layer."),
        source=s.DISTSERVE,
        example=Example(
            inputs={"transfer": 1.0, "prefill": 0.8, "layers": 8, "one_way_delay": 0.005},
            expected=0.305,
            origin="1.0 − 0.8 × 7/8 + 0.005",
        ),
    ),
)
