"""The article's own arithmetic, kept to show its figures beside ours; not to reckon with."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula
from app.domain.formulas.volumes import DATA_PARALLEL
from app.domain.text import Text


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


FORMULAS: tuple[Formula, ...] = (
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
    ),
)
