"""Inference over a line: key-value cache, first token, a decode cut by the line."""

from __future__ import annotations

import math

from app.domain import sources as s
from app.domain.formulas import constants as c
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


def prefill_kv_rate(*, kv_bytes: float, prefill: float, instances: float = 1) -> float:
    """Rate at which busy prefill instances turn out caches: n·8·KV/T_prefill, bit/s; the most they ask of a line."""
    return instances * c.BITS_PER_BYTE * kv_bytes / prefill


def split_token_time(*, own: float, rtt: float, groups: float = 1) -> float:
    """Time of one output token when the line cuts the model in two: max(own + RTT, n·own/2), s.

    own: time of a token through both halves at one site; n: groups of requests that take turns on the two halves.
    """
    return max(own + rtt, groups * own / 2)


def groups_to_hide_rtt(*, own: float, rtt: float) -> float:
    """Groups of requests in flight from which the round trip costs no throughput: ⌈2·(1 + RTT/own)⌉."""
    return math.ceil(2 * (1 + rtt / own) - _ROUNDING)


_ROUNDING = 1e-9
_PREFILL = Input(name="prefill", dimension=Dimension.TIME, title=Text("预填充时间", "Prefill time"))
_OWN = Input(
    name="own",
    dimension=Dimension.TIME,
    title=Text("单站每词元时间", "Token time on one site"),
)

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
        id="time_to_first_token",
        title=Text("首 token 时延（TTFT）", "Time to first token"),
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
    Formula(
        id="prefill_kv_rate",
        title=Text("预填充产出 KV 的速率", "Rate at which prefill turns out caches"),
        function=prefill_kv_rate,
        inputs=(
            Input(name="kv_bytes", dimension=Dimension.BYTES, title=Text("每请求 KV", "Cache of one request")),
            i.variant(_PREFILL, above_zero=True),
            Input(
                name="instances",
                dimension=Dimension.COUNT,
                title=Text("预填充实例数", "Prefill instances"),
                default=1,
                low=1,
                high=1e6,
                whole=True,
            ),
        ),
        result=Dimension.RATE,
        symbolic="Φ·n = n·8·KV / T_prefill",
        source=s.PREFILL_SERVICE,
        validity=Text("全部实例同时满载时的峰值。", "The peak, with every instance busy."),
        example=Example(
            inputs={"kv_bytes": 1e9, "prefill": 0.8, "instances": 2},
            expected=20e9,
            origin="2 × 8 × 1 GB / 0.8 s",
        ),
    ),
    Formula(
        id="split_token_time",
        title=Text("跨站解码的每词元时间", "Token time of a decode cut by the line"),
        function=split_token_time,
        inputs=(
            _OWN,
            i.RTT,
            Input(
                name="groups",
                dimension=Dimension.COUNT,
                title=Text("在途请求组数", "Groups in flight"),
                default=1,
                low=1,
                high=1e6,
                whole=True,
            ),
        ),
        result=Dimension.TIME,
        symbolic="TPOT = max(own + RTT, n·own/2)",
        source=s.JUDGEMENT,
        validity=Text(
            "模型一分为二，两半耗时相同；激活的传输时间另计。",
            "The model cut into two equal halves; the transfer of activations is apart.",
        ),
        example=Example(
            inputs={"own": 0.030, "rtt": 0.010},
            expected=0.040,
            origin="30 ms + 10 ms; one group: 15 ms is less",
        ),
    ),
    Formula(
        id="groups_to_hide_rtt",
        title=Text("掩盖往返所需的请求组数", "Groups in flight that hide the round trip"),
        function=groups_to_hide_rtt,
        inputs=(i.variant(_OWN, above_zero=True), i.RTT),
        result=Dimension.COUNT,
        symbolic="n = ceil(2·(1 + RTT/own))",
        source=s.JUDGEMENT,
        validity=Text(
            "掩盖的是吞吐；单个请求仍等一个往返。", "Hides it from throughput; a single request still waits for it."
        ),
        example=Example(inputs={"own": 0.030, "rtt": 0.010}, expected=3, origin="2 × (1 + 1/3) = 2.67, rounded up"),
    ),
)
