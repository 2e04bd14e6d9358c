"""One exchange between k sites by how the sites are joined: two levels, full mesh, and the flat ring to avoid."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.collectives import line_allreduce_time
from app.domain.formulas.exchanges import ring_scatter_time
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.text import Text


def two_level_allreduce_time(
    *,
    size: float,
    ranks_per_site: float,
    local_bandwidth: float,
    local_hop_latency: float,
    sites: float,
    bandwidth: float,
    hop_latency: float,
) -> float:
    """Scatter inside, all-reduce across, gather inside, s: 2·[(n−1)a_l + (n−1)/n·8S/B_l] + 2(k−1)a + 2(k−1)/k·8S/W.

    W is a site's whole line rate, shared by the rails that carry S/n each.
    """
    inside = ring_scatter_time(
        size=size, ranks=ranks_per_site, bandwidth=local_bandwidth, hop_latency=local_hop_latency
    )
    return 2 * inside + line_allreduce_time(size=size, sites=sites, bandwidth=bandwidth, hop_latency=hop_latency)


def mesh_lines(*, sites: float) -> float:
    """Lines of a full mesh of k sites: k(k−1)/2."""
    return sites * (sites - 1) / 2


def mesh_line_bytes(*, size: float, sites: float) -> float:
    """Bytes each line of a full mesh carries per direction: E/(k−1) = 2S/k; k(k−1)/2 lines."""
    return 2 * size / sites


def mesh_allreduce_time(*, size: float, sites: float, bandwidth: float, hop_latency: float) -> float:
    """Direct scatter and gather on a full mesh: 2·a + 2/k·8S/B, s; B is the rate of each line, two hops only."""
    return 2 * hop_latency + 2 * c.BITS_PER_BYTE * size / (sites * bandwidth)


def one_shot_exchange_bytes(*, size: float, sites: float) -> float:
    """Bytes leaving a site when each sends its whole set to all others: (k−1)·S."""
    return (sites - 1) * size


def one_shot_exchange_time(*, size: float, bandwidth: float, hop_latency: float) -> float:
    """One-shot exchange on a full mesh: a + 8S/B, s; B is the rate of each line, a single hop."""
    return hop_latency + c.BITS_PER_BYTE * size / bandwidth


def flat_ring_border_bytes(*, size: float, ranks: float) -> float:
    """Bytes a flat ring over all ranks puts on each border and direction: 2(N−1)/N·S, about 2S."""
    return 2 * (ranks - 1) / ranks * size


def flat_ring_latency(*, ranks: float, one_way_delay: float) -> float:
    """Latency of a flat ring whose every step waits for a border hop: 2(N−1)·D, s."""
    return 2 * (ranks - 1) * one_way_delay


def wrong_order_border_bytes(*, size: float, ranks: float, sites: float, crossings: float) -> float:
    """Mean bytes per border of a flat ring that crosses borders r times a lap: r/k·2(N−1)/N·S; r = k is the least."""
    return crossings / sites * flat_ring_border_bytes(size=size, ranks=ranks)


_LOCAL_RATE = i.variant(
    i.BANDWIDTH, name="local_bandwidth", title=Text("站内每卡带宽", "Rate of one rank inside a site")
)
_LOCAL_HOP = i.variant(i.HOP_LATENCY, name="local_hop_latency", title=Text("站内单跳时延", "Hop latency inside a site"))
_PER_SITE = i.variant(i.RANKS, name="ranks_per_site", title=Text("每站卡数", "Ranks in each site"))
_MESH_RATE = i.variant(i.BANDWIDTH, title=Text("每条专线带宽（每方向）", "Rate of each line, per direction"))
_SEVERAL = i.variant(i.SITES, low=2)
_CALCULON = Band(
    low=0.99,
    high=1.01,
    words=Text(
        "与 Calculon 同算例的单步时间相差不超过 0.4 %。", "Step times agree with Calculon on the same case to 0.4%."
    ),
    source=s.CALCULON,
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="two_level_allreduce_time",
        title=Text("两级 AllReduce：总耗时", "Two-level all-reduce: whole time"),
        function=two_level_allreduce_time,
        inputs=(
            i.SIZE,
            _PER_SITE,
            _LOCAL_RATE,
            _LOCAL_HOP,
            i.SITES,
            i.BANDWIDTH,
            i.HOP_LATENCY,
        ),
        result=Dimension.TIME,
        symbolic="T = 2·[(n−1)·a_l + (n−1)/n·8S/B_l] + 2(k−1)·a + 2(k−1)/k·8S/W",
        validity=Text(
            "站内散射、跨站归约、站内收集；W 为站点线路总带宽。",
            "Scatter inside, reduce across, gather inside; W is the whole line rate of a site.",
        ),
        source=s.RING,
        example=Example(
            inputs={
                "size": 1e9,
                "ranks_per_site": 4,
                "local_bandwidth": 8e9,
                "local_hop_latency": 0.01,
                "sites": 2,
                "bandwidth": 4e9,
                "hop_latency": 0.05,
            },
            expected=3.66,
            origin="2 × (3 × 0.01 + 0.75 × 1) + 2 × 0.05 + 8e9/4e9 = 1.56 + 0.10 + 2.00",
        ),
        band=_CALCULON,
    ),
    Formula(
        id="mesh_lines",
        title=Text("全互联的专线条数", "Lines of a full mesh"),
        function=mesh_lines,
        inputs=(_SEVERAL,),
        result=Dimension.COUNT,
        symbolic="n = k(k−1)/2",
        validity=Text("每对站点一条。", "One line for each pair of sites."),
        source=s.RING,
        example=Example(inputs={"sites": 4}, expected=6, origin="4 × 3 / 2"),
    ),
    Formula(
        id="mesh_line_bytes",
        title=Text("全互联：每条专线的流量", "Full mesh: bytes over each line"),
        function=mesh_line_bytes,
        inputs=(i.SIZE, _SEVERAL),
        result=Dimension.BYTES,
        symbolic="V = 2S/k",
        validity=Text("k(k−1)/2 条专线均分。", "Spread evenly over k(k−1)/2 lines."),
        source=s.RING,
        example=Example(inputs={"size": 350e9, "sites": 4}, expected=175e9, origin="2 × 350 GB / 4"),
    ),
    Formula(
        id="mesh_allreduce_time",
        title=Text("全互联 AllReduce：耗时", "All-reduce over a full mesh: time"),
        function=mesh_allreduce_time,
        inputs=(i.SIZE, _SEVERAL, _MESH_RATE, i.HOP_LATENCY),
        result=Dimension.TIME,
        symbolic="T = 2·a + 2/k·8S/B",
        validity=Text("直接散射与收集，只有两跳。", "Direct scatter and gather, two hops only."),
        source=s.RING,
        example=Example(
            inputs={"size": 1e9, "sites": 4, "bandwidth": 4e9, "hop_latency": 0.05},
            expected=1.1,
            origin="2 × 0.05 + 2/4 × 8e9/4e9",
        ),
    ),
    Formula(
        id="one_shot_exchange_bytes",
        title=Text("一次性互换：站点出向流量", "One-shot exchange: bytes leaving a site"),
        function=one_shot_exchange_bytes,
        inputs=(i.SIZE, i.SITES),
        result=Dimension.BYTES,
        symbolic="E = (k−1)·S",
        validity=Text(
            "单跳换流量：k = 2 时与两级相同。", "One hop bought with traffic; at k = 2 the same as two levels."
        ),
        source=s.RING,
        example=Example(inputs={"size": 350e9, "sites": 3}, expected=700e9, origin="2 × 350 GB"),
    ),
    Formula(
        id="one_shot_exchange_time",
        title=Text("一次性互换：耗时", "One-shot exchange: time"),
        function=one_shot_exchange_time,
        inputs=(i.SIZE, _MESH_RATE, i.HOP_LATENCY),
        result=Dimension.TIME,
        symbolic="T = a + 8S/B",
        validity=Text("全互联，每条专线各发一份。", "Full mesh, one copy over each line."),
        source=s.RING,
        example=Example(
            inputs={"size": 1e9, "bandwidth": 4e9, "hop_latency": 0.05}, expected=2.05, origin="0.05 + 8e9/4e9"
        ),
    ),
    Formula(
        id="flat_ring_border_bytes",
        title=Text("扁平环：每个站界的流量", "Flat ring: bytes over each border"),
        function=flat_ring_border_bytes,
        inputs=(i.SIZE, i.RANKS),
        result=Dimension.BYTES,
        symbolic="V = 2(N−1)/N·S",
        validity=Text(
            "一个大环铺过全部站点；两站时为两级的两倍。",
            "One ring laid over all sites; at two sites twice the two-level bytes.",
        ),
        source=s.RING,
        example=Example(inputs={"size": 350e9, "ranks": 1000}, expected=699.3e9, origin="2 × 999/1000 × 350 GB"),
    ),
    Formula(
        id="flat_ring_latency",
        title=Text("扁平环：时延", "Flat ring: latency"),
        function=flat_ring_latency,
        inputs=(i.RANKS, i.ONE_WAY_DELAY),
        result=Dimension.TIME,
        symbolic="T = 2(N−1)·D",
        validity=Text(
            "上限：每一步都等一次跨站跳。不要采用。", "An upper bound: every step waits for a border hop. Never use it."
        ),
        source=s.RING,
        example=Example(
            inputs={"ranks": 1024, "one_way_delay": 0.005}, expected=10.23, origin="2 × 1023 × 5 ms = 10.23 s"
        ),
    ),
    Formula(
        id="wrong_order_border_bytes",
        title=Text("卡序错误的扁平环：每个站界的流量", "Flat ring in a wrong rank order: bytes over each border"),
        function=wrong_order_border_bytes,
        inputs=(
            i.SIZE,
            i.RANKS,
            _SEVERAL,
            Input(
                name="crossings",
                dimension=Dimension.COUNT,
                title=Text("每圈跨站次数", "Border crossings of one lap"),
                low=2,
                high=1e9,
                whole=True,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="V = r/k·2(N−1)/N·S",
        validity=Text("各站界的平均值；最少 r = k。", "The mean over the borders; r = k is the least."),
        source=s.RING,
        example=Example(
            inputs={"size": 350e9, "ranks": 1000, "sites": 2, "crossings": 16},
            expected=5594.4e9,
            origin="16/2 × 699.3 GB",
        ),
    ),
)
