"""Differences that lie in the source articles' own examples: a slip, a layout that does not add up, a stack left out.

The article's figures are reckoned from the article's inputs, ours from the same inputs by the right formula.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.article import GIGA, Difference, Way, put
from app.domain.figures import number
from app.domain.formulas.article_figures import (
    article_cluster_volume,
    article_expert_volume,
    article_group_volume,
    article_per_gpu_bandwidth,
)
from app.domain.formulas.collectives import ring_allreduce_bytes, ring_allreduce_time
from app.domain.formulas.headers import tcp_mss
from app.domain.formulas.line import BITS
from app.domain.formulas.reliability import allowed_downtime, series_availability
from app.domain.formulas.sharing import oversubscription_ratio
from app.domain.formulas.strategies import expert_layer_bytes
from app.domain.formulas.transport import go_back_n_efficiency, go_back_n_loss_limit
from app.domain.formulas.volumes import gradient_bytes
from app.domain.text import Text

if TYPE_CHECKING:
    from app.domain.workload import Workload

MINUTE, HOUR, TERA = 60.0, 3600.0, 1e12
YEAR_H, MONTH_H = 8760.0, 730.0
# The article's inputs.
LARGE, CARDS, FP32, BF16 = 175e9, 5000, 4, 2
STEP, PARALLEL = 5.0, 0.7
DENSE, SLIPPED, GROUPS, TENSOR, EXPERTS = 50e9, 500e9, 40, 8, 256
TOKENS, PER_TOKEN, TOKEN_BYTES = 2e6, 2, 1000
SMALL, SMALL_CARDS, GIGABIT = 7e9, 32, 1e9
ETHERNET, STACK = 1500, ("vxlan", "ipsec_gcm")
DOWN_PORTS, UP_PORTS = 80, 128
BACKBONE, TAIL = 0.9999, 0.999
# What the article leaves out: a usual layout of that model, the efficiency a loss limit is for, a round trip in a site.
STAGES, KEPT, PACKET, INSIDE = 8, 0.95, 4096, 10e-6
# A published mixture of experts of that size, for scale: hidden size and MoE layers.
HIDDEN, MOE_LAYERS = 7168, 58


def _cluster() -> list[Difference]:
    whole = gradient_bytes(parameters=LARGE, bytes_per_element=FP32)
    sent = ring_allreduce_bytes(size=whole, ranks=CARDS)
    reason = Text(
        "缓冲区大小之和不是流量：环形规约每卡发送 2(N−1)/N 倍；文章此处漏了系数，下一个公式里又补了回来。",
        "A sum of buffers is not traffic: a ring sends 2(N−1)/N of the set per GPU; the article leaves the factor out "
        "here and puts it back in its next formula.",
    )
    title = Text("环形规约每 GPU 发送", "Sent per GPU by a ring")
    total = Text("环形规约全集群流量", "Traffic of the whole cluster by a ring")
    numbers = put(P=LARGE, b=FP32, N=CARDS)
    article_total = article_cluster_volume(parameters=LARGE, bytes_per_element=FP32, gpus=CARDS)
    replicas = CARDS // (TENSOR * STAGES)
    held = gradient_bytes(parameters=LARGE / (TENSOR * STAGES), bytes_per_element=FP32)
    rate = article_per_gpu_bandwidth(
        parameters=LARGE, bytes_per_element=FP32, step_compute_time=STEP, efficiency=PARALLEL
    )
    at_rate = Text("带宽取文章的 {rate} Tbit/s 时的每步时间", "Step time at the article's {rate} Tbit/s per GPU")
    return [
        _row(1, "ring_sent", title, Way(whole / GIGA, "P · b", numbers),
             Way(sent / GIGA, "2(N−1)/N · P·b", numbers), "GB", reason),
        _row(1, "cluster_volume", total, Way(article_total / GIGA, "P · b · N", numbers),
             Way(sent * CARDS / GIGA, "N · 2(N−1)/N · P·b", numbers), "GB", reason),
        _row(2, "replica_gradient", Text("5,000 卡、175B：每 GPU 发送的梯度", "Gradient sent per GPU, 175B on 5,000"),
             Way(whole / GIGA, "P · b", put(P=LARGE, b=FP32)),
             Way(ring_allreduce_bytes(size=held, ranks=replicas) / GIGA, "2(d−1)/d · P/(t·p) · b",
                 put(d=replicas, P=LARGE, t=TENSOR, p=STAGES, b=FP32)), "GB",
             Text("5,000 卡放不下 5,000 个副本：按 TP 8、PP 8 是 {d} 个副本，每卡只持有 {held} GB 梯度。",
                  "5,000 GPUs are not 5,000 replicas: with TP 8 and PP 8 there are {d}, and a GPU holds {held} GB of "
                  "gradients.").format(d=number(replicas), held=number(held / GIGA))),
        _row(4, "no_overlap", at_rate.format(rate=number(rate / TERA)),
             Way(STEP, "T"),
             Way(STEP + BITS * 2 * whole / (rate * PARALLEL), "T + 8 · 2·P·b / (BW·η)",
                 put(T=STEP, P=LARGE, b=FP32, BW=rate, η=PARALLEL)), "s",
             Text("文章的带宽让通信恰好占满整步，全部藏在计算后面才成立；一点不重叠，步长翻倍。",
                  "At the article's rate communication lasts as long as the step: right only when it all hides behind "
                  "computing; with no overlap the step doubles.")),
    ]  # fmt: skip


def _experts() -> list[Difference]:
    one_way = gradient_bytes(parameters=DENSE, bytes_per_element=FP32)
    sent = ring_allreduce_bytes(size=one_way / TENSOR, ranks=GROUPS)
    layers = MOE_LAYERS * expert_layer_bytes(tokens=TOKENS, hidden_size=HIDDEN, experts_per_token=PER_TOKEN)
    article = article_expert_volume(tokens=TOKENS, experts_per_token=PER_TOKEN, bytes_per_dispatch=TOKEN_BYTES)
    group = article_group_volume(size=2 * one_way, data_parallel=GROUPS)
    slipped = gradient_bytes(parameters=SLIPPED, bytes_per_element=FP32)
    return [
        _row(5, "slip", Text("「500B × 4 × 2」的结果", "Result of “500B × 4 × 2”"),
             Way(2 * one_way / GIGA, "2 · P · b", put(P=DENSE, b=FP32)),
             Way(2 * slipped / GIGA, "2 · P · b", put(P=SLIPPED, b=FP32)), "GB",
             Text("前文是约 500 亿（50B）参数，算式却写成 500B：400 GB 对应 50B，500B 应为 4 TB，差十倍。",
                  "The text has about 50 billion parameters, the sum says 500B: 400 GB belongs to 50B, 500B gives "
                  "4 TB.")),
        _row(6, "group_gradient", Text("每 GPU 的梯度流量", "Gradient traffic per GPU"),
             Way(group / GIGA, "2·P·b / d", put(P=DENSE, b=FP32, d=GROUPS)),
             Way(sent / GIGA, "2(d−1)/d · P/t · b", put(P=DENSE, b=FP32, d=GROUPS, t=TENSOR)), "GB",
             Text("数据并行度不会把梯度分小：每卡持有 P/t，环形再乘 2(d−1)/d；BF16 减半为 {half} GB。",
                  "The data-parallel degree does not divide a gradient: a GPU holds P/t and sends 2(d−1)/d of it; BF16 "
                  "halves it, to {half} GB.").format(half=number(sent / GIGA * BF16 / FP32))),
        _row(7, "layout", Text("EP 256、DP 40、TP 8 需要的 GPU", "GPUs for EP 256, DP 40, TP 8"),
             Way(EXPERTS * GROUPS, "EP · DP", put(EP=EXPERTS, DP=GROUPS)),
             Way(EXPERTS * GROUPS * TENSOR, "EP · DP · TP", put(EP=EXPERTS, DP=GROUPS, TP=TENSOR)), "GPU",
             Text("文章的 10,240 卡少乘了 TP；要么是 81,920 卡，要么 EP 横跨 TP 与 DP。"
                  "文中还说 PP = 1 却「各卡层不同」。",
                  "The article's 10,240 GPUs leave TP out: it is 81,920, or EP spans TP and DP. It also says PP = 1 "
                  "and yet “each GPU different layers”.")),
        _row(8, "all_to_all", Text("每步全交换流量", "All-to-all traffic per step"),
             Way(article / GIGA, "G · K · bytes", put(G=TOKENS, K=PER_TOKEN, bytes=TOKEN_BYTES)),
             Way(layers / GIGA, "L · 2(b_d+b_c) · G · K · h",
                 put(L=MOE_LAYERS, b_d=2, b_c=2, G=TOKENS, K=PER_TOKEN, h=HIDDEN)), "GB",
             Text("文章只算一层、一个方向、每 token 1 KB；每个 MoE 层有四次全交换（取 h = 7,168、58 层）。"
                  "且 4 GB 是全体总量，10 GB 是每卡流量，不能相加。",
                  "The article counts one layer, one direction, 1 KB a token; each MoE layer has four all-to-alls (h = "
                  "7,168 and 58 layers here). And 4 GB is a total, 10 GB a figure per GPU: they cannot be added.")),
    ]  # fmt: skip


def _promises() -> list[Difference]:
    """A loss limit and an availability without rate, delay, window and scope."""
    rate, rtt = p.ANCHOR_RATE.value, p.RTT_WITHOUT_DISTANCE.value
    cap = p.RDMA_LOSS_CAP.value
    limit = go_back_n_loss_limit(efficiency=KEPT, bandwidth=rate, rtt=rtt, mtu=PACKET)
    inside = go_back_n_efficiency(packet_loss=cap, bandwidth=rate, rtt=INSIDE, mtu=PACKET)
    year = allowed_downtime(availability=BACKBONE, window=YEAR_H * HOUR)
    month = allowed_downtime(availability=BACKBONE, window=MONTH_H * HOUR)
    whole = series_availability(availabilities=(BACKBONE, TAIL, TAIL))
    return [
        _row(11, "loss_anchor", Text("400 Gbit/s、10 ms 的丢包率红线", "Packet loss limit at 400 Gbit/s and 10 ms"),
             Way(cap, "≤ 1×10⁻⁵"),
             Way(limit, "(1/η − 1) · 8·payload / (C·RTT)", put(η=KEPT, payload=PACKET, C=rate, RTT=rtt)), "1",
             Text("回退重传的损失与 速率 × 时延 成正比：站内（10 µs）1×10⁻⁵ 仍有 {inside} % 的效率，"
                  "长线路要保 95 % 效率，它宽了 {times} 倍。",
                  "Go-back-N loses in proportion to rate × delay: inside a site (10 µs) 1e-5 leaves {inside} %, on the "
                  "long line it is {times} times too lax for 95 %."
                  ).format(inside=number(inside * 100), times=number(cap / limit, 2))),
        _row(13, "downtime_year", Text("99.99 % 允许的最长单次中断", "Longest single outage at 99.99 %"),
             Way(year / MINUTE, "(1−A) · 8,760 h", put(A=BACKBONE)),
             Way(month / MINUTE, "(1−A) · 730 h", put(A=BACKBONE)), "min",
             Text("同一个百分比，统计窗口不同，最坏的一次中断相差 12 倍。",
                  "The same percentage over another window: the worst single outage differs by a factor of 12.")),
        _row(13, "end_to_end", Text("99.99 % 的骨干加两条 99.9 % 的接入", "Backbone of 99.99 %, two tails of 99.9 %"),
             Way(BACKBONE * 100, "A"),
             Way(whole * 100, "A · A_tail · A_tail", put(A=BACKBONE, A_tail=TAIL)), "%",
             Text("端到端是各段的乘积：骨干的承诺不等于站到站的承诺。",
                  "End to end is the product of the parts: a promise for the backbone is none from site to site.")),
    ]  # fmt: skip


def _network(workload: Workload) -> list[Difference]:
    whole = gradient_bytes(parameters=SMALL, bytes_per_element=BF16)
    ring = ring_allreduce_time(size=whole, ranks=SMALL_CARDS, bandwidth=GIGABIT, hop_latency=0)
    own = workload.network.encapsulation or STACK
    return [
        _row(16, "mss", Text("TCP 最大分段（MTU 1,500）", "TCP maximum segment (MTU 1,500)"),
             Way(tcp_mss(mtu=ETHERNET, encapsulation=("vxlan",)), "1500 − 50 − 20 − 20", "VXLAN"),
             Way(tcp_mss(mtu=ETHERNET, encapsulation=own), "MTU − Σ encapsulation − 40", " + ".join(own)), "byte",
             Text("1,410 只对 1,500 字节上的 VXLAN 成立；GRE 为 {gre}，叠加 IPsec 更小，须按实际封装计算。",
                  "1,410 holds for VXLAN on 1,500; it is {gre} with GRE, less with IPsec, and follows from the stack."
                  ).format(gre=number(tcp_mss(mtu=ETHERNET, encapsulation=("gre",)))),
             example=not workload.network.encapsulation),
        _row(17, "gigabit", Text("1 Gbit/s 上一次规约", "One all-reduce over 1 Gbit/s"),
             Way(ring / MINUTE, "2(N−1)/N · 8·P·b / W", put(P=SMALL, b=BF16, N=SMALL_CARDS, W=GIGABIT)),
             Way(BITS * whole / GIGABIT / MINUTE, "8·P·b / W, k = 2", put(P=SMALL, b=BF16, W=GIGABIT)), "min",
             Text("「数十卡、1 Gbit/s、几分钟」可信但没写模型；此处按 7B、32 卡，扁平环对两站两级规约。",
                  "“Tens of GPUs, 1 Gbit/s, minutes” is plausible but names no model; here 7B on 32 GPUs, a flat ring "
                  "against a two-level exchange over two sites.")),
        _row(19, "leaf_spine", Text("叶脊收敛比", "Leaf-spine ratio"),
             Way(1.0, "1:1"),
             Way(oversubscription_ratio(access_bandwidth=DOWN_PORTS, uplink_bandwidth=UP_PORTS), "down / up",
                  put(down=DOWN_PORTS, up=UP_PORTS)), ":1",
             Text("每叶 80 个下行口、128 个上行口是 0.63:1，上行富余，并非 1:1。",
                  "80 ports down and 128 up per leaf are 0.63:1: over-built, not 1:1.")),
    ]  # fmt: skip


def _row(
    number: int, id_: str, title: Text, article: Way, refined: Way, unit: str, reason: Text, *, example: bool = True
) -> Difference:
    return Difference(number, id_, title, article, refined, unit, reason, example)


@cache
def _always() -> tuple[Difference, ...]:
    return (*_cluster(), *_experts(), *_promises())


def article_examples(workload: Workload) -> tuple[Difference, ...]:
    """The article's own examples, for a training job; the others have nothing to learn from them."""
    if workload.training is None:
        return ()
    return (*_always(), *_network(workload))
