"""The article's own arithmetic, kept to show its figures beside ours; not to reckon with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.formulas.volumes import DATA_PARALLEL, EXPERTS_PER_TOKEN
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping


def article_cluster_volume(*, parameters: float, bytes_per_element: float, gpus: float) -> float:
    """The article's "total all-reduce volume": P·b·GPUs, bytes. A sum of buffers, not traffic on any link."""
    return parameters * bytes_per_element * gpus


def article_expert_volume(*, tokens: float, experts_per_token: float, bytes_per_dispatch: float) -> float:
    """The article's all-to-all volume: tokens·K·bytes, one MoE layer, one direction, all GPUs."""
    return tokens * experts_per_token * bytes_per_dispatch


def article_per_gpu_bandwidth(
    *, parameters: float, bytes_per_element: float, step_compute_time: float, efficiency: float
) -> float:
    """The article's bandwidth per GPU: 8·P·b·2/(T·η), bit/s; communication may last the whole step."""
    return c.BITS_PER_BYTE * parameters * bytes_per_element * 2 / (step_compute_time * efficiency)


def article_group_volume(*, size: float, data_parallel: float) -> float:
    """The article's gradient per GPU: total/d, bytes. The data-parallel degree does not divide a gradient."""
    return size / data_parallel


def article_per_gpu_load(*, expert_volume: float, group_volume: float, step_time: float) -> float:
    """The article's load per GPU: (all-to-all + gradient)/T, byte/s. Adds a total of all GPUs to a figure per GPU."""
    return (expert_volume + group_volume) / step_time


def article_ring_round_trips(*, ranks: float) -> float:
    """The article's rounds of a ring: 2(N−1), counted as round trips; they are one-way hops."""
    return 2 * (ranks - 1)


def article_ring_latency(*, ranks: float, rtt: float) -> float:
    """The article's latency of a ring: 2(N−1)·RTT, s; twice the one-way hops it has."""
    return article_ring_round_trips(ranks=ranks) * rtt


def _only_to_compare(_values: Mapping[str, Any]) -> Text:
    return Text(
        "文章口径，只用于与细化结果对照，不用于计算。", "The article's way, to hold beside ours and not to reckon with."
    )


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="article_cluster_volume",
        title=Text("文章口径：集群 AllReduce 总量", "As the article: cluster all-reduce volume"),
        function=article_cluster_volume,
        inputs=(i.PARAMETERS, i.BYTES_PER_ELEMENT, i.GPUS),
        result=Dimension.BYTES,
        symbolic="V = P·b·N",
        validity=Text(
            "仅用于复现文章数字：各卡缓冲之和，不是任何链路上的流量。",
            "Only to reproduce the article: a sum of buffers, not the traffic of any link.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={"parameters": 175e9, "bytes_per_element": 4, "gpus": 5000},
            expected=3.5e15,
            origin="175e9 × 4 × 5000 = 3.5 PB",
        ),
        caution=_only_to_compare,
    ),
    Formula(
        id="article_expert_volume",
        title=Text("文章口径：MoE All-to-All 数据量", "As the article: MoE all-to-all volume"),
        function=article_expert_volume,
        inputs=(
            i.TOKENS,
            EXPERTS_PER_TOKEN,
            Input(
                name="bytes_per_dispatch",
                dimension=Dimension.BYTES,
                title=Text("每次分发的字节数", "Bytes of one dispatch"),
                above_zero=True,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="V = G·K·bytes",
        validity=Text(
            "仅用于复现文章数字：一个 MoE 层、一个方向；实际每层四次 All-to-All。",
            "Only to reproduce the article: one MoE layer, one direction; a real layer has four exchanges.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={"tokens": 2e6, "experts_per_token": 2, "bytes_per_dispatch": 1000},
            expected=4e9,
            origin="2e6 × 2 × 1000 = 4 GB",
        ),
        caution=_only_to_compare,
    ),
    Formula(
        id="article_per_gpu_bandwidth",
        title=Text("文章口径：单卡所需带宽", "As the article: bandwidth per GPU"),
        function=article_per_gpu_bandwidth,
        inputs=(i.PARAMETERS, i.BYTES_PER_ELEMENT, i.STEP_COMPUTE_TIME, i.EFFICIENCY),
        result=Dimension.RATE,
        symbolic="BW = 8·P·b·2 / (T·η)",
        validity=Text(
            "假定通信可占满整个计算步（完全重叠）。",
            "Assumes full overlap: communication may last the whole step.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={
                "parameters": 175e9,
                "bytes_per_element": 4,
                "step_compute_time": 5,
                "efficiency": 0.7,
            },
            expected=3.2e12,
            origin="175e9 × 4 × 2 / (5 × 0.7) = 400 GB/s = 3.2 Tbit/s",
        ),
        caution=_only_to_compare,
    ),
    Formula(
        id="article_group_volume",
        title=Text("文章口径：每卡梯度流量", "As the article: gradient volume per GPU"),
        function=article_group_volume,
        inputs=(i.variant(i.SIZE, title=Text("梯度总流量", "Total gradient volume")), DATA_PARALLEL),
        result=Dimension.BYTES,
        symbolic="V = total / d",
        validity=Text(
            "仅用于复现文章数字：数据并行度不参与除法，真实值见梯度数据量。",
            "Only to reproduce the article: the data-parallel degree does not divide it; see the gradient bytes.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(inputs={"size": 400e9, "data_parallel": 40}, expected=10e9, origin="400 GB / 40 = 10 GB"),
        caution=_only_to_compare,
    ),
    Formula(
        id="article_per_gpu_load",
        title=Text("文章口径：每卡负载", "As the article: load per GPU"),
        function=article_per_gpu_load,
        inputs=(
            i.variant(i.SIZE, name="expert_volume", title=Text("All-to-All 数据量", "All-to-all volume")),
            i.variant(i.SIZE, name="group_volume", title=Text("每卡梯度流量", "Gradient volume per GPU")),
            i.variant(i.STEP_COMPUTE_TIME, name="step_time", title=Text("单步时间", "Time of one step")),
        ),
        result=Dimension.BYTE_RATE,
        symbolic="R = (V_a2a + V_dp) / T",
        validity=Text(
            "仅用于复现文章数字：把全部卡的总量与单卡流量相加，和没有物理意义。",
            "Only to reproduce the article: it adds a total of all GPUs to a figure per GPU; the sum means nothing.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={"expert_volume": 4e9, "group_volume": 10e9, "step_time": 5}, expected=2.8e9, origin="14 GB / 5 s"
        ),
        caution=_only_to_compare,
    ),
    Formula(
        id="article_ring_round_trips",
        title=Text("文章口径：环形往返次数", "As the article: round trips of a ring"),
        function=article_ring_round_trips,
        inputs=(i.RANKS,),
        result=Dimension.COUNT,
        symbolic="n = 2(N−1)",
        validity=Text(
            "文章计为往返；实为单程跳，两级 AllReduce 跨站仅 2(k−1) 跳。",
            "The article counts round trips; they are one-way hops, and two levels need only 2(k−1) over the line.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(inputs={"ranks": 8}, expected=14, origin="2 × 7"),
        caution=_only_to_compare,
    ),
    Formula(
        id="article_ring_latency",
        title=Text("文章口径：环形时延", "As the article: latency of a ring"),
        function=article_ring_latency,
        inputs=(i.RANKS, i.RTT),
        result=Dimension.TIME,
        symbolic="T = 2(N−1)·RTT",
        validity=Text(
            "仅用于复现文章数字：应为 2(N−1) 个单程。",
            "Only to reproduce the article: it should be 2(N−1) one-way hops.",
        ),
        source=s.ARTICLE_CLUSTER,
        example=Example(inputs={"ranks": 8, "rtt": 1e-3}, expected=14e-3, origin="14 × 1 ms"),
        caution=_only_to_compare,
    ),
)
