"""What loss costs RDMA beyond the efficiency: usable or not, extra rounds, timeouts, erasure codes."""

from __future__ import annotations

import math
from typing import Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.formulas.transport import collapse, go_back_n_efficiency, go_back_n_packets_at_risk
from app.domain.text import Text

_IB_TIMEOUT_UNIT: Final = 4.096e-6  # s, IBTA 9.7.6.1.3
_USABLE_LOSS: Final = 1e-3
_NEGLIGIBLE: Final = 1e-17
_LOSS_MOST: Final = 0.5  # beyond it no transport of this kind works; keeps the sums short


def go_back_n_usable_efficiency(*, packet_loss: float, bandwidth: float, rtt: float, mtu: float) -> float:
    """Go-back-N efficiency, 0 where it was measured to collapse: p > 1e-3 or p·W > 1."""
    at_risk = go_back_n_packets_at_risk(packet_loss=packet_loss, bandwidth=bandwidth, rtt=rtt, mtu=mtu)
    if packet_loss > _USABLE_LOSS or at_risk > 1:
        return 0.0
    return go_back_n_efficiency(packet_loss=packet_loss, bandwidth=bandwidth, rtt=rtt, mtu=mtu)


def selective_repeat_rounds(*, packets: float, packet_loss: float) -> float:
    """Extra round trips of a message under selective repeat: Σ_{i≥1} [1 − (1−p^i)^q]."""
    total, term = 0.0, packet_loss
    while term > 0:
        hit = -math.expm1(packets * math.log1p(-term))
        total += hit
        if hit < _NEGLIGIBLE:
            break
        term *= packet_loss
    return total


def rdma_timeout(*, exponent: float, retries: float = 1) -> float:
    """Time an RDMA connection waits: retries·4.096 µs·2^x, s; with all retries, the outage it survives."""
    return retries * _IB_TIMEOUT_UNIT * math.pow(2, exponent)


def selective_repeat_message_time(
    *, size: float, bandwidth: float, rtt: float, packet_loss: float, mtu: float, timeout: float = 0
) -> float:
    """One message under selective repeat: 8S/W + R·RTT + p/(1−p)·RTO, s; R the extra rounds of ⌈S/mtu⌉ packets.

    Only the loss of the last packet has to wait for the timeout; p/(1−p) is how often that happens.
    """
    rounds = selective_repeat_rounds(packets=math.ceil(size / mtu), packet_loss=packet_loss)
    return c.BITS_PER_BYTE * size / bandwidth + rounds * rtt + packet_loss / (1 - packet_loss) * timeout


def erasure_overhead(*, data_packets: float, parity_packets: float) -> float:
    """Share an erasure code adds to what is sent: r/K."""
    return parity_packets / data_packets


def erasure_block_failure(*, data_packets: float, parity_packets: float, packet_loss: float) -> float:
    """Blocks that an erasure code cannot repair: P(Binomial(K+r, p) > r), ratio; losses independent."""
    if packet_loss <= 0:
        return 0.0
    sent = int(data_packets + parity_packets)
    odds = math.log(packet_loss) - math.log1p(-packet_loss)
    log_term = sent * math.log1p(-packet_loss)
    below: list[float] = []
    above: list[float] = []
    for lost in range(sent + 1):
        (below if lost <= parity_packets else above).append(log_term)
        if lost < sent:
            log_term += math.log(sent - lost) - math.log(lost + 1) + odds
    expected = sent * packet_loss
    tail, summed = (above, False) if parity_packets >= expected else (below, True)
    total = math.fsum(math.exp(term) for term in tail)
    return min(1.0, max(0.0, 1 - total if summed else total))


def erasure_message_time(*, size: float, bandwidth: float, data_packets: float, parity_packets: float) -> float:
    """Message with parity and no waiting: 8S/W·(1 + r/K), s; wins where R·RTT costs more than the parity."""
    return c.BITS_PER_BYTE * size / bandwidth * (1 + parity_packets / data_packets)


_MTU = i.variant(i.MTU, title=Text("每包载荷（mtu）", "Payload of one packet (mtu)"))
_LOSS = i.variant(i.PACKET_LOSS, high=_LOSS_MOST)
_DATA = Input(
    name="data_packets",
    dimension=Dimension.COUNT,
    title=Text("每块数据包数 K", "Data packets of a block, K"),
    low=1,
    high=1e4,
    whole=True,
)
_PARITY = Input(
    name="parity_packets",
    dimension=Dimension.COUNT,
    title=Text("每块校验包数 r", "Parity packets of a block, r"),
    high=1e4,
    whole=True,
)
_COLLAPSE_BAND = Band(
    low=0,
    high=1,
    words=Text(
        "上限：丢包率高于 1e-3 或每窗口丢包多于 1 个时，实测崩溃到接近零（1 % 丢包、1 KB 包时公式为 67 %）。",
        "A ceiling: above 1e-3, or with more than one loss per window, it was measured near zero "
        "where the formula says 67% (1% loss, 1 KB packets).",
    ),
    source=s.GO_BACK_N_TEST,
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="go_back_n_packets_at_risk",
        title=Text("每个窗口的丢包数", "Losses per window"),
        function=go_back_n_packets_at_risk,
        inputs=(i.variant(i.PACKET_LOSS, advised_high=_USABLE_LOSS), i.BANDWIDTH, i.RTT, _MTU),
        caution=collapse,
        result=Dimension.COUNT,
        symbolic="x = p·max(1, C·RTT/(8·mtu))",
        validity=Text("大于 1 即不可用。", "Above 1 the line is unusable for go-back-N."),
        source=s.GO_BACK_N_TEST,
        example=Example(
            inputs={"packet_loss": 1e-5, "bandwidth": 400e9, "rtt": 0.01, "mtu": 4096},
            expected=1.220703125,
            origin="1e-5 × 122 070.3 packets",
        ),
    ),
    Formula(
        id="go_back_n_usable_efficiency",
        title=Text("回退 N 帧的可用占比", "Go-back-N efficiency that can be relied on"),
        function=go_back_n_usable_efficiency,
        inputs=(i.variant(i.PACKET_LOSS, advised_high=_USABLE_LOSS), i.BANDWIDTH, i.RTT, _MTU),
        caution=collapse,
        result=Dimension.RATIO,
        symbolic="η = (1−p) / (1−p+p·W), W = max(1, C·RTT/(8·mtu)); 0: p > 1e-3 ∨ p·W > 1",
        validity=Text("超过实测崩溃点按不可用计。", "Beyond the measured collapse it counts as unusable."),
        source=s.GO_BACK_N_TEST,
        example=Example(
            inputs={"packet_loss": 0.01, "bandwidth": 40e9, "rtt": 1e-5, "mtu": 4096},
            expected=0,
            origin="1 % is above 1e-3, although p·W = 0.01 × 12.2 = 0.12",
        ),
        band=_COLLAPSE_BAND,
    ),
    Formula(
        id="selective_repeat_rounds",
        title=Text("选择重传的额外轮次", "Extra rounds of selective repeat"),
        function=selective_repeat_rounds,
        inputs=(
            Input(
                name="packets",
                dimension=Dimension.COUNT,
                title=Text("消息的包数", "Packets of the message"),
                low=1,
                high=1e15,
            ),
            _LOSS,
        ),
        result=Dimension.COUNT,
        symbolic="R = Σ_i [1 − (1−p^i)^q]",
        validity=Text(
            "丢包相互独立；缓存能容纳一个带宽时延积。", "Independent losses; buffers hold one bandwidth-delay product."
        ),
        source=s.SDR_RDMA,
        example=Example(
            inputs={"packets": 1, "packet_loss": 0.5},
            expected=1,
            origin="one packet: 1/2 + 1/4 + 1/8 + … = p/(1−p) = 1",
        ),
    ),
    Formula(
        id="rdma_timeout",
        title=Text("RDMA 重传超时", "RDMA retransmission timeout"),
        function=rdma_timeout,
        inputs=(
            Input(
                name="exponent",
                dimension=Dimension.COUNT,
                title=Text("超时指数 x", "Timeout exponent x"),
                high=31,
                whole=True,
            ),
            Input(
                name="retries",
                dimension=Dimension.COUNT,
                title=Text("重试次数", "Retries"),
                default=1,
                low=1,
                high=7,
                whole=True,
            ),
        ),
        result=Dimension.TIME,
        symbolic="T = retries·4.096 µs·2^x",
        validity=Text("IBTA 规定实际可达其四倍。", "IBTA lets an adapter wait up to four times as long."),
        source=s.IBTA,
        example=Example(
            inputs={"exponent": 20, "retries": 7}, expected=30.064771072, origin="7 × 4.096 µs × 1 048 576 = 30.06 s"
        ),
    ),
    Formula(
        id="selective_repeat_message_time",
        title=Text("选择重传：一条消息的时间", "Selective repeat: time of one message"),
        function=selective_repeat_message_time,
        inputs=(
            i.SIZE,
            i.BANDWIDTH,
            i.RTT,
            _LOSS,
            _MTU,
            Input(
                name="timeout",
                dimension=Dimension.TIME,
                title=Text("重传超时（RTO）", "Retransmission timeout"),
                default=0,
            ),
        ),
        result=Dimension.TIME,
        symbolic="T = 8S/W + R·RTT + p/(1−p)·RTO, R = Σ_i [1 − (1−p^i)^q], q = S/mtu",
        validity=Text(
            "只有末包丢失才等超时；不含单程传播。",
            "Only the loss of the last packet waits for the timeout; propagation left out.",
        ),
        source=s.SDR_RDMA,
        example=Example(
            inputs={"size": 4096, "bandwidth": 32768, "rtt": 0.5, "packet_loss": 0.5, "mtu": 4096, "timeout": 2},
            expected=3.5,
            origin="32 768/32 768 + 1 × 0.5 + 1 × 2",
        ),
    ),
    Formula(
        id="erasure_overhead",
        title=Text("纠删码开销", "Erasure-code overhead"),
        function=erasure_overhead,
        inputs=(_DATA, _PARITY),
        result=Dimension.RATIO,
        symbolic="o = r/K",
        validity=Text("相对于数据量。", "Against the data sent."),
        source=s.SDR_RDMA,
        example=Example(inputs={"data_packets": 32, "parity_packets": 8}, expected=0.25, origin="8 / 32"),
    ),
    Formula(
        id="erasure_block_failure",
        title=Text("纠删码块失败率", "Blocks an erasure code cannot repair"),
        function=erasure_block_failure,
        inputs=(_DATA, _PARITY, _LOSS),
        result=Dimension.RATIO,
        symbolic="P = Pr[Binomial(K+r, p) > r]",
        validity=Text("丢包相互独立；突发丢包需交织。", "Independent losses; bursts need interleaving."),
        source=s.SDR_RDMA,
        example=Example(
            inputs={"data_packets": 2, "parity_packets": 1, "packet_loss": 0.1},
            expected=0.028,
            origin="3 × 0.1² × 0.9 + 0.1³ = 0.027 + 0.001",
        ),
    ),
    Formula(
        id="erasure_message_time",
        title=Text("纠删码：一条消息的时间", "Erasure code: time of one message"),
        function=erasure_message_time,
        inputs=(i.SIZE, i.BANDWIDTH, _DATA, _PARITY),
        result=Dimension.TIME,
        symbolic="T = 8S/W·(1 + r/K)",
        validity=Text(
            "块都能修复时；R·RTT 大于此开销时胜过重传。",
            "While blocks can be repaired; beats repetition where R·RTT costs more.",
        ),
        source=s.SDR_RDMA,
        example=Example(
            inputs={"size": 1e9, "bandwidth": 8e9, "data_packets": 32, "parity_packets": 8},
            expected=1.25,
            origin="1 × 1.25",
        ),
    ),
)
