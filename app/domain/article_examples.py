"""Differences that lie in the source articles' own examples: a slip, a layout that does not add up, a stack left out.

The article's figures are reckoned from the article's inputs, ours from the same inputs by the right formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.article import GIGA, Difference, Way, put
from app.domain.formulas.article_figures import article_cluster_volume, article_expert_volume, article_group_volume
from app.domain.formulas.collectives import ring_allreduce_bytes, ring_allreduce_time
from app.domain.formulas.headers import tcp_mss
from app.domain.formulas.line import BITS
from app.domain.formulas.sharing import oversubscription_ratio
from app.domain.formulas.strategies import expert_layer_bytes
from app.domain.formulas.volumes import gradient_bytes
from app.domain.text import Text

if TYPE_CHECKING:
    from app.domain.workload import Workload

MINUTE = 60.0
# The article's inputs.
LARGE, CARDS, FP32, BF16 = 175e9, 5000, 4, 2
DENSE, SLIPPED, GROUPS, TENSOR, EXPERTS = 50e9, 500e9, 40, 8, 256
TOKENS, PER_TOKEN, TOKEN_BYTES = 2e6, 2, 1024
SMALL, SMALL_CARDS, GIGABIT = 7e9, 32, 1e9
ETHERNET, STACK = 1500, ("vxlan", "ipsec_gcm")
DOWN_PORTS, UP_PORTS = 80, 128
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
    return [
        _row(1, "ring_sent", title, Way(whole / GIGA, "P · b", numbers),
             Way(sent / GIGA, "2(N−1)/N · P·b", numbers), "GB", reason),
        _row(1, "cluster_volume", total, Way(article_total / GIGA, "P · b · N", numbers),
             Way(sent * CARDS / GIGA, "N · 2(N−1)/N · P·b", numbers), "GB", reason),
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
             Text("数据并行度不会把梯度分小：每卡持有 P/t，环形再乘 2(d−1)/d；BF16 减半。",
                  "The data-parallel degree does not divide a gradient: a GPU holds P/t and sends 2(d−1)/d of it; BF16 "
                  "halves it.")),
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


def _network(workload: Workload) -> list[Difference]:
    whole = gradient_bytes(parameters=SMALL, bytes_per_element=BF16)
    ring = ring_allreduce_time(size=whole, ranks=SMALL_CARDS, bandwidth=GIGABIT, hop_latency=0)
    own = workload.network.encapsulation or STACK
    return [
        _row(16, "mss", Text("TCP 最大分段（MTU 1,500）", "TCP maximum segment (MTU 1,500)"),
             Way(tcp_mss(mtu=ETHERNET, encapsulation=("vxlan",)), "1500 − 50 − 20 − 20", "VXLAN"),
             Way(tcp_mss(mtu=ETHERNET, encapsulation=own), "MTU − Σ encapsulation − 40", " + ".join(own)), "byte",
             Text("1,410 只对 1,500 字节上的 VXLAN 成立；叠加 IPsec、GRE 等须按实际封装计算。",
                  "1,410 holds for VXLAN on 1,500; with IPsec, GRE and the like it follows from the stack."),
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


def article_examples(workload: Workload) -> tuple[Difference, ...]:
    """The article's own examples, for a training job; the others have nothing to learn from them."""
    if workload.training is None:
        return ()
    return (*_cluster(), *_experts(), *_network(workload))
