"""Collective operations: bytes and time of ring, tree and two-level all-reduce."""

from __future__ import annotations

import math

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.text import Text


def ring_allreduce_bytes(*, size: float, ranks: float) -> float:
    """Bytes each rank of a ring sends: 2(N−1)/N·S. NCCL's bus factor is the same number."""
    return 2 * (ranks - 1) / ranks * size


def ring_allreduce_time(*, size: float, ranks: float, bandwidth: float, hop_latency: float) -> float:
    """Ring all-reduce: 2(N−1)·a + 2(N−1)/N·8S/B, s; a is ONE message hop, not a round trip."""
    return 2 * (ranks - 1) * (hop_latency + c.BITS_PER_BYTE * size / (ranks * bandwidth))


def tree_allreduce_time(*, size: float, ranks: float, bandwidth: float, hop_latency: float) -> float:
    """Double binary tree, pipelined: 2⌈log₂N⌉·a + 2·8S/B, s, an upper bound; 0 for a single rank."""
    if ranks <= 1:
        return 0.0
    return 2 * math.ceil(math.log2(ranks)) * hop_latency + 2 * c.BITS_PER_BYTE * size / bandwidth


def line_allreduce_time(
    *, size: float, sites: float, bandwidth: float, efficiency: float = 1, hop_latency: float = 0
) -> float:
    """All-reduce over the line between k sites: 2(k−1)·a + 2(k−1)/k·8S/(η·B), s.

    The middle step of a two-level all-reduce; B is a site's whole line rate, a one way over the line.
    """
    return 2 * (sites - 1) * (hop_latency + c.BITS_PER_BYTE * size / (sites * bandwidth * efficiency))


def nccl_bus_bandwidth(*, size: float, time: float, ranks: float) -> float:
    """Bus bandwidth of an all-reduce as nccl-tests prints it: S/t·2(N−1)/N, byte/s."""
    return size / time * 2 * (ranks - 1) / ranks


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="ring_allreduce_bytes",
        title=Text("环形 AllReduce：每卡发送量", "Ring all-reduce: bytes sent per rank"),
        function=ring_allreduce_bytes,
        inputs=(i.SIZE, i.RANKS),
        result=Dimension.BYTES,
        symbolic="V = 2(N−1)/N·S",
        validity=Text("任意规模；接近 2S。", "Any size; close to 2S."),
        source=s.RING,
        example=Example(inputs={"size": 700e9, "ranks": 5000}, expected=1399.72e9, origin="2 × 4999/5000 × 700 GB"),
    ),
    Formula(
        id="ring_allreduce_time",
        title=Text("环形 AllReduce：耗时", "Ring all-reduce: time"),
        function=ring_allreduce_time,
        inputs=(i.SIZE, i.RANKS, i.BANDWIDTH, i.HOP_LATENCY),
        result=Dimension.TIME,
        symbolic="T = 2(N−1)·a + 2(N−1)/N·8S/B",
        validity=Text("a 为一跳而非一次往返；大消息。", "a is one hop, not a round trip; large messages."),
        source=s.RING,
        band=Band(
            low=0.94,
            high=1.09,
            words=Text(
                "16 至 64 卡的 8 字节实测随卡数线性；大消息实测为线速的 92 % 至 96 %，故耗时可多 4 % 至 9 %。",
                "8 bytes on 16 to 64 ranks grow linearly as it says; large messages reach 92 to 96% of the line rate, "
                "so take up to 9% longer.",
            ),
            source=s.RING_TEST,
        ),
        example=Example(
            inputs={"size": 1e9, "ranks": 4, "bandwidth": 8e9, "hop_latency": 0.01},
            expected=1.56,
            origin="6 × 0.01 + 1.5 × 8e9/8e9",
        ),
    ),
    Formula(
        id="tree_allreduce_time",
        title=Text("双二叉树 AllReduce：耗时", "Double-binary-tree all-reduce: time"),
        function=tree_allreduce_time,
        inputs=(i.SIZE, i.RANKS, i.BANDWIDTH, i.HOP_LATENCY),
        result=Dimension.TIME,
        symbolic="T = 2·ceil(log₂N)·a + 2·8S/B",
        validity=Text("流水化，上限值。", "Pipelined; an upper bound."),
        source=s.TREE,
        example=Example(
            inputs={"size": 1e9, "ranks": 8, "bandwidth": 8e9, "hop_latency": 0.01},
            expected=2.06,
            origin="2 × 3 × 0.01 + 2 × 1",
        ),
    ),
    Formula(
        id="line_allreduce_time",
        title=Text("跨专线 AllReduce：耗时", "All-reduce over the line: time"),
        function=line_allreduce_time,
        inputs=(
            i.SIZE,
            i.SITES,
            i.BANDWIDTH,
            i.variant(i.EFFICIENCY, default=1),
            i.variant(i.HOP_LATENCY, default=0),
        ),
        result=Dimension.TIME,
        symbolic="T = 2(k−1)·a + 2(k−1)/k·8S/(η·B)",
        validity=Text(
            "两级 AllReduce 的站间段；线、中心或环形互联。",
            "The inter-site step of a two-level all-reduce; line, hub or ring.",
        ),
        source=s.RING,
        band=Band(
            low=0.99,
            high=1.01,
            words=Text(
                "与 Calculon 同算例的单步时间相差不超过 0.4 %。",
                "Step times agree with Calculon on the same case to 0.4%.",
            ),
            source=s.CALCULON,
        ),
        example=Example(
            inputs={"size": 350e9, "sites": 2, "bandwidth": 400e9, "efficiency": 0.9, "hop_latency": 0.005},
            expected=7.787777777777778,
            origin="2 × 5 ms + 2.8e12 / 3.6e11 = 0.010 + 7.7778 s",
        ),
    ),
    Formula(
        id="nccl_bus_bandwidth",
        title=Text("NCCL 总线带宽（AllReduce）", "NCCL bus bandwidth, all-reduce"),
        function=nccl_bus_bandwidth,
        inputs=(
            i.SIZE,
            Input(name="time", dimension=Dimension.TIME, title=Text("耗时", "Time taken"), above_zero=True),
            i.RANKS,
        ),
        result=Dimension.BYTE_RATE,
        symbolic="busbw = S/t · 2(N−1)/N",
        validity=Text("仅用于 AllReduce。", "For all-reduce only."),
        source=s.NCCL_TESTS,
        example=Example(inputs={"size": 1e9, "time": 0.1, "ranks": 4}, expected=1.5e10, origin="10 GB/s × 2 × 3/4"),
    ),
)
