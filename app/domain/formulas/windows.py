"""What bounds a connection beside loss: window, buffers, channels, parallel streams, the smallest of all limits."""

from __future__ import annotations

import math
from typing import Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.formulas.tcp import ESNET_BAND
from app.domain.text import Text

_NCCL_BUFFER: Final = 4_194_304  # NCCL_BUFFSIZE, documented default
_LINUX_USABLE: Final = 0.5  # tcp_adv_win_scale 1: half of the buffer is window
_CONGESTION_CAP: Final = 0.9


def nccl_buffer_rate(*, channels: float, rtt: float, buffer: float = _NCCL_BUFFER) -> float:
    """Rate the NCCL channels allow: 8·channels·buffer/RTT, bit/s; one buffer per channel and round trip."""
    return c.BITS_PER_BYTE * channels * buffer / rtt


def tcp_buffer_rate(*, buffer: float, rtt: float, streams: float = 1, usable: float = _LINUX_USABLE) -> float:
    """Rate socket buffers allow: 8·f·u·buffer/RTT, bit/s; untuned Linux uses half of the buffer as window."""
    return c.BITS_PER_BYTE * streams * usable * buffer / rtt


def window_needed(*, bandwidth: float, rtt: float, streams: float = 1) -> float:
    """Window each stream needs to fill the line: C·RTT/(8·f), bytes."""
    return bandwidth * rtt / (c.BITS_PER_BYTE * streams)


def tcp_streams_needed(*, bandwidth: float, stream_rate: float) -> float:
    """Parallel streams that fill a line: ⌈C/R⌉."""
    return math.ceil(bandwidth / stream_rate)


def tcp_aggregate_throughput(*, streams: float, stream_rate: float, bandwidth: float) -> float:
    """Rate of f parallel streams: min(f·R, 0.9·C), bit/s; near the full line their losses are no longer independent."""
    return min(streams * stream_rate, _CONGESTION_CAP * bandwidth)


def transport_goodput(
    *, bandwidth: float, efficiency: float, window: float, rtt: float, loss_rate: float, streams: float = 1
) -> float:
    """Payload rate: min(C·η, 8·f·window/RTT, f·R), bit/s; the least of line, window and loss."""
    return min(bandwidth * efficiency, c.BITS_PER_BYTE * streams * window / rtt, streams * loss_rate)


def pfc_distance_limit(*, buffer: float, bandwidth: float, mtu: float = 0, response_time: float = 0) -> float:
    """Longest fibre a lossless buffer covers: (8(B − 2·MTU)/C − t)/(2 × 4.895 µs), km; 0 when nothing is left."""
    pause = c.BITS_PER_BYTE * (buffer - 2 * mtu) / bandwidth - response_time
    return max(0.0, pause / c.FIBRE_RTT_PER_KM)


_BUFFER = Input(name="buffer", dimension=Dimension.BYTES, title=Text("缓存大小", "Buffer size"), above_zero=True)
_STREAMS = i.variant(i.FLOWS, name="streams", title=Text("并行流数", "Parallel streams"), default=1)
_STREAM_RATE = i.variant(i.BANDWIDTH, name="stream_rate", title=Text("单流速率", "Rate of one stream"))

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="nccl_buffer_rate",
        title=Text("NCCL 通道缓存限速", "Rate the NCCL channels allow"),
        function=nccl_buffer_rate,
        inputs=(
            Input(
                name="channels",
                dimension=Dimension.COUNT,
                title=Text("通道数", "Channels"),
                low=1,
                high=1e4,
                whole=True,
                advised_high=64,
            ),
            i.RTT,
            i.variant(
                _BUFFER,
                title=Text("每通道缓存（NCCL_BUFFSIZE）", "Buffer of a channel (NCCL_BUFFSIZE)"),
                default=_NCCL_BUFFER,
            ),
        ),
        result=Dimension.RATE,
        symbolic="R = 8·channels·buffer / RTT",
        validity=Text(
            "上限：每往返一个缓存；默认 4 MiB 取自文档，未实测确认。",
            "An upper bound, one buffer per round trip; the default of 4 MiB is the documented one, not measured here.",
        ),
        source=s.NCCL_DOCS,
        example=Example(
            inputs={"channels": 32, "rtt": 0.01},
            expected=107374182400,
            origin="8 × 32 × 4 194 304 / 0.01 = 107.4 Gbit/s",
        ),
        band=Band(
            low=0,
            high=1,
            words=Text("上限；长距实测未见公开。", "A ceiling; no published measurement over distance."),
            source=s.NCCL_DOCS,
        ),
    ),
    Formula(
        id="tcp_buffer_rate",
        title=Text("TCP 缓存限速", "Rate the socket buffers allow"),
        function=tcp_buffer_rate,
        inputs=(
            _BUFFER,
            i.RTT,
            _STREAMS,
            i.variant(
                i.EFFICIENCY,
                name="usable",
                title=Text("可用作窗口的份额", "Share usable as window"),
                default=_LINUX_USABLE,
            ),
        ),
        result=Dimension.RATE,
        symbolic="R = 8·f·u·buffer / RTT",
        validity=Text("Linux 未调优时约一半可用。", "About half is usable on Linux unless tuned."),
        source=s.RFC9438,
        example=Example(
            inputs={"buffer": 16777216, "rtt": 0.01, "streams": 4},
            expected=26843545600,
            origin="8 × 4 × 8 388 608 / 0.01 = 26.8 Gbit/s",
        ),
    ),
    Formula(
        id="window_needed",
        title=Text("每流所需窗口", "Window each stream needs"),
        function=window_needed,
        inputs=(i.BANDWIDTH, i.RTT, _STREAMS),
        result=Dimension.BYTES,
        symbolic="w = C·RTT / (8·f)",
        validity=Text("各流均分线路。", "The streams share the line evenly."),
        source=s.RFC9438,
        example=Example(
            inputs={"bandwidth": 400e9, "rtt": 0.01, "streams": 32}, expected=15.625e6, origin="500 MB / 32"
        ),
    ),
    Formula(
        id="tcp_streams_needed",
        title=Text("所需 TCP 并行流数", "TCP streams needed"),
        function=tcp_streams_needed,
        inputs=(i.BANDWIDTH, _STREAM_RATE),
        result=Dimension.COUNT,
        symbolic="f = ceil(C/R)",
        validity=Text("各流丢包独立。", "Losses of the streams are independent."),
        source=s.MATHIS,
        example=Example(
            inputs={"bandwidth": 10e9, "stream_rate": 490e6}, expected=21, origin="10 000 / 490 = 20.4, rounded up"
        ),
    ),
    Formula(
        id="tcp_aggregate_throughput",
        title=Text("多流 TCP 吞吐", "Throughput of parallel TCP streams"),
        function=tcp_aggregate_throughput,
        inputs=(i.variant(_STREAMS, default=None), _STREAM_RATE, i.BANDWIDTH),
        result=Dimension.RATE,
        symbolic="R = min(f·R_1, 0.9·C)",
        validity=Text(
            "接近满载时丢包相关，按线路的 90 % 封顶。", "Near the full line losses are correlated: capped at 90% of it."
        ),
        source=s.MATHIS,
        example=Example(
            inputs={"streams": 8, "stream_rate": 490e6, "bandwidth": 10e9},
            expected=3.92e9,
            origin="8 × 490 Mbit/s, below 9 Gbit/s",
        ),
    ),
    Formula(
        id="transport_goodput",
        title=Text("有效载荷速率", "Payload rate"),
        function=transport_goodput,
        inputs=(
            i.BANDWIDTH,
            i.EFFICIENCY,
            i.variant(_BUFFER, name="window", title=Text("每流窗口", "Window of one stream")),
            i.RTT,
            i.variant(
                i.BANDWIDTH, name="loss_rate", title=Text("丢包允许的单流速率", "Rate one stream reaches under loss")
            ),
            _STREAMS,
        ),
        result=Dimension.RATE,
        symbolic="G = min(C·η, 8·f·window/RTT, f·R)",
        validity=Text("三者取小；RDMA 的丢包按效率另乘。", "The least of three; for RDMA loss is a factor instead."),
        source=s.RFC9438,
        example=Example(
            inputs={
                "bandwidth": 100e9,
                "efficiency": 0.94,
                "window": 16e6,
                "rtt": 0.01,
                "loss_rate": 490e6,
                "streams": 8,
            },
            expected=3.92e9,
            origin="min(94, 8 × 8 × 16 MB / 10 ms = 102.4, 8 × 0.49 = 3.92) Gbit/s",
        ),
        band=ESNET_BAND,
    ),
    Formula(
        id="pfc_distance_limit",
        title=Text("缓存可支撑的 PFC 距离", "Distance a PFC buffer covers"),
        function=pfc_distance_limit,
        inputs=(
            _BUFFER,
            i.BANDWIDTH,
            i.variant(i.MTU, title=Text("最大帧长", "Largest frame"), default=0, above_zero=False),
            Input(
                name="response_time",
                dimension=Dimension.TIME,
                title=Text("对端响应时间", "Response time of the far end"),
                default=0,
            ),
        ),
        result=Dimension.LENGTH,
        symbolic="km = (8(B − 2·MTU)/C − t) / 9.79 µs",
        validity=Text(
            "每端口、每无损队列；超出即不再无损。", "Per port and lossless class; beyond it nothing is lossless."
        ),
        source=s.PFC_CISCO,
        example=Example(
            inputs={"buffer": 244.75e6, "bandwidth": 400e9},
            expected=500,
            origin="8 × 244.75e6 / 400e9 = 4.895 ms; / 9.79 µs",
        ),
    ),
)
