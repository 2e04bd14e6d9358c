"""Collectives beside all-reduce, the ramp of short messages, and the rate a node's NICs really give."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping


def ring_scatter_bytes(*, size: float, ranks: float) -> float:
    """Bytes each rank sends in a ring reduce-scatter or all-gather: (N−1)/N·S; half an all-reduce."""
    return (ranks - 1) / ranks * size


def ring_scatter_time(*, size: float, ranks: float, bandwidth: float, hop_latency: float) -> float:
    """Ring reduce-scatter or all-gather: (N−1)·a + (N−1)/N·8S/B, s; half an all-reduce."""
    return (ranks - 1) * (hop_latency + c.BITS_PER_BYTE * size / (ranks * bandwidth))


def tree_allreduce_bytes(*, size: float) -> float:
    """Bytes a rank inside a double binary tree sends: about 2S, up and down once."""
    return 2 * size


def halving_doubling_time(*, size: float, ranks: float, bandwidth: float, hop_latency: float) -> float:
    """Recursive halving and doubling: 2·log₂N·a + 2(N−1)/N·8S/B, s; N a power of two, bytes as in a ring."""
    return 2 * math.log2(ranks) * hop_latency + 2 * (ranks - 1) / ranks * c.BITS_PER_BYTE * size / bandwidth


def all_to_all_bytes(*, size: float, ranks: float) -> float:
    """Bytes each rank sends in an all-to-all of S per rank: (N−1)/N·S; the N-th part stays at home."""
    return (ranks - 1) / ranks * size


def all_to_all_time(*, size: float, ranks: float, bandwidth: float, hop_latency: float) -> float:
    """All-to-all, one peer after the other: (N−1)·a + (N−1)/N·8S/B, s."""
    return (ranks - 1) * (hop_latency + c.BITS_PER_BYTE * size / (ranks * bandwidth))


def broadcast_time(*, size: float, bandwidth: float, hop_latency: float) -> float:
    """One message, or a pipelined broadcast: a + 8S/B, s."""
    return hop_latency + c.BITS_PER_BYTE * size / bandwidth


def message_rate(*, size: float, bandwidth: float, hop_latency: float) -> float:
    """Rate a message of S reaches: B·S/(S + a·B/8), bit/s; half the rate at S = a·B/8."""
    return bandwidth * size / (size + hop_latency * bandwidth / c.BITS_PER_BYTE)


def scatter_bus_bandwidth(*, size: float, time: float, ranks: float) -> float:
    """Bus bandwidth of reduce-scatter, all-gather or all-to-all as nccl-tests prints it: S/t·(N−1)/N, byte/s."""
    return size / time * (ranks - 1) / ranks


def message_hop(*, rtt: float, software: float = 0) -> float:
    """Cost of one message hop: RTT/2 + software, s; NICs and library take about 5 µs of it."""
    return rtt / 2 + software


def node_bandwidth(*, nics: float, bandwidth: float) -> float:
    """Network rate of one server as on its data sheet: NICs·rate, bit/s."""
    return nics * bandwidth


def _power_of_two(values: Mapping[str, Any]) -> Text | None:
    if math.log2(values["ranks"]).is_integer():
        return None
    return Text(
        "减半—倍增算法要求卡数为 2 的幂，其他卡数还要多一轮交换，实际耗时更长。",
        "Halving-doubling wants a power of two; other rank counts need one more exchange and take longer.",
    )


NIC_BAND = Band(
    low=0.92,
    high=0.99,
    words=Text(
        "大消息实测为网卡线速的 92 % 至 96 %（200G 为 24 GB/s），8×400G 最高 396 GB/s（99 %）。",
        "Large messages reach 92 to 96% of the NIC's line rate (24 GB/s at 200G); 8 × 400G up to 396 GB/s, 99%.",
    ),
    source=s.NCCL_ISSUES,
)
_TIME = Input(name="time", dimension=Dimension.TIME, title=Text("耗时", "Time taken"), above_zero=True)
_PER_RANK = i.variant(i.SIZE, title=Text("每卡数据量", "Data of each rank"))
_LARGE = Text("a 为一跳而非一次往返；大消息。", "a is one hop, not a round trip; large messages.")

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="ring_scatter_bytes",
        title=Text("环形 ReduceScatter / AllGather：每卡发送量", "Ring reduce-scatter or all-gather: bytes per rank"),
        function=ring_scatter_bytes,
        inputs=(i.SIZE, i.RANKS),
        result=Dimension.BYTES,
        symbolic="V = (N−1)/N·S",
        validity=Text("S 为完整数据（收集后或散射前）。", "S is the whole set, after gathering or before scattering."),
        source=s.RING,
        example=Example(inputs={"size": 700e9, "ranks": 5000}, expected=699.86e9, origin="4999/5000 × 700 GB"),
    ),
    Formula(
        id="ring_scatter_time",
        title=Text("环形 ReduceScatter / AllGather：耗时", "Ring reduce-scatter or all-gather: time"),
        function=ring_scatter_time,
        inputs=(i.SIZE, i.RANKS, i.BANDWIDTH, i.HOP_LATENCY),
        result=Dimension.TIME,
        symbolic="T = (N−1)·a + (N−1)/N·8S/B",
        validity=_LARGE,
        source=s.RING,
        example=Example(
            inputs={"size": 1e9, "ranks": 4, "bandwidth": 8e9, "hop_latency": 0.01},
            expected=0.78,
            origin="3 × 0.01 + 0.75 × 8e9/8e9",
        ),
    ),
    Formula(
        id="tree_allreduce_bytes",
        title=Text("双二叉树 AllReduce：每卡发送量", "Double-binary-tree all-reduce: bytes sent per rank"),
        function=tree_allreduce_bytes,
        inputs=(i.SIZE,),
        result=Dimension.BYTES,
        symbolic="V ≈ 2·S",
        validity=Text("内部节点；叶节点约为一半。", "Ranks inside the tree; a leaf sends about half."),
        source=s.TREE,
        example=Example(inputs={"size": 350e9}, expected=700e9, origin="2 × 350 GB"),
    ),
    Formula(
        id="halving_doubling_time",
        title=Text("减半—倍增 AllReduce：耗时", "Halving-doubling all-reduce: time"),
        function=halving_doubling_time,
        inputs=(i.SIZE, i.RANKS, i.BANDWIDTH, i.HOP_LATENCY),
        result=Dimension.TIME,
        symbolic="T = 2·log₂N·a + 2(N−1)/N·8S/B",
        validity=Text("卡数为 2 的幂；每卡发送量与环形相同。", "A power of two ranks; the bytes are those of a ring."),
        source=s.RING,
        example=Example(
            inputs={"size": 1e9, "ranks": 8, "bandwidth": 8e9, "hop_latency": 0.01},
            expected=1.81,
            origin="2 × 3 × 0.01 + 1.75 × 1",
        ),
        caution=_power_of_two,
    ),
    Formula(
        id="all_to_all_bytes",
        title=Text("All-to-All：每卡发送量", "All-to-all: bytes sent per rank"),
        function=all_to_all_bytes,
        inputs=(_PER_RANK, i.RANKS),
        result=Dimension.BYTES,
        symbolic="V = (N−1)/N·S",
        validity=Text("各卡均匀分发。", "Every rank sends the same to every other."),
        source=s.NCCL_TESTS,
        example=Example(inputs={"size": 1e9, "ranks": 8}, expected=875e6, origin="7/8 × 1 GB"),
    ),
    Formula(
        id="all_to_all_time",
        title=Text("All-to-All：耗时", "All-to-all: time"),
        function=all_to_all_time,
        inputs=(_PER_RANK, i.RANKS, i.BANDWIDTH, i.HOP_LATENCY),
        result=Dimension.TIME,
        symbolic="T = (N−1)·a + (N−1)/N·8S/B",
        validity=Text("逐个对端发送；无热点。", "One peer after the other; no hot spot."),
        source=s.NCCL_TESTS,
        example=Example(
            inputs={"size": 1e9, "ranks": 8, "bandwidth": 8e9, "hop_latency": 0.01},
            expected=0.945,
            origin="7 × 0.01 + 0.875 × 1",
        ),
    ),
    Formula(
        id="broadcast_time",
        title=Text("广播或点对点：耗时", "Broadcast or point to point: time"),
        function=broadcast_time,
        inputs=(i.SIZE, i.BANDWIDTH, i.HOP_LATENCY),
        result=Dimension.TIME,
        symbolic="T = a + 8S/B",
        validity=Text("流水化广播，S 远大于分段。", "A pipelined broadcast, S much larger than a slice."),
        source=s.NCCL_TESTS,
        example=Example(
            inputs={"size": 1e9, "bandwidth": 8e9, "hop_latency": 0.01}, expected=1.01, origin="0.01 + 8e9/8e9"
        ),
    ),
    Formula(
        id="message_rate",
        title=Text("短消息的有效速率", "Rate of a short message"),
        function=message_rate,
        inputs=(
            i.variant(i.SIZE, title=Text("每跳消息大小", "Bytes of one message"), above_zero=True, advised_high=16e6),
            i.BANDWIDTH,
            i.HOP_LATENCY,
        ),
        result=Dimension.RATE,
        symbolic="B_eff = B·S / (S + a·B/8)",
        validity=Text("每跳小于约 16 MB 时使用。", "For messages below about 16 MB per hop."),
        source=s.NCCL_TESTS,
        example=Example(
            inputs={"size": 1e6, "bandwidth": 8e9, "hop_latency": 1e-3},
            expected=4e9,
            origin="a·B/8 = 1 MB, as much as the message: half of 8 Gbit/s",
        ),
    ),
    Formula(
        id="scatter_bus_bandwidth",
        title=Text("NCCL 总线带宽（散射、收集、All-to-All）", "NCCL bus bandwidth, scatter, gather and all-to-all"),
        function=scatter_bus_bandwidth,
        inputs=(i.SIZE, _TIME, i.RANKS),
        result=Dimension.BYTE_RATE,
        symbolic="busbw = S/t · (N−1)/N",
        validity=Text("不用于 AllReduce。", "Not for all-reduce."),
        source=s.NCCL_TESTS,
        example=Example(inputs={"size": 1e9, "time": 0.1, "ranks": 4}, expected=7.5e9, origin="10 GB/s × 3/4"),
    ),
    Formula(
        id="message_hop",
        title=Text("单跳时延", "Latency of one message hop"),
        function=message_hop,
        inputs=(
            i.RTT,
            Input(
                name="software", dimension=Dimension.TIME, title=Text("软件与网卡开销", "Software and NIC"), default=0
            ),
        ),
        result=Dimension.TIME,
        symbolic="a = RTT/2 + software",
        validity=Text(
            "单程而非往返；站内软件开销约 5 µs。", "One way, not a round trip; inside a site software takes about 5 µs."
        ),
        source=s.RING_TEST,
        example=Example(inputs={"rtt": 0.01, "software": 5e-6}, expected=5.005e-3, origin="5 ms + 5 µs"),
    ),
    Formula(
        id="node_bandwidth",
        title=Text("单台服务器的网络带宽", "Network rate of one server"),
        function=node_bandwidth,
        inputs=(
            Input(name="nics", dimension=Dimension.COUNT, title=Text("网卡数", "NICs"), low=1, high=1e6, whole=True),
            i.variant(i.BANDWIDTH, title=Text("单网卡速率", "Rate of one NIC")),
        ),
        result=Dimension.RATE,
        symbolic="B = n·B_nic",
        validity=Text(
            "标称之和；实际可达见实测区间。", "The sum of the nominal rates; what is reached is in the band."
        ),
        source=s.ARTICLE_CLOUD,
        example=Example(inputs={"nics": 8, "bandwidth": 400e9}, expected=3.2e12, origin="8 × 400 Gbit/s"),
        band=NIC_BAND,
    ),
)
