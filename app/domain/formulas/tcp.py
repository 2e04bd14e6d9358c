"""Loss-limited rate of one TCP stream: Mathis, PFTK, CUBIC, and the loss at which CUBIC just suffices."""

from __future__ import annotations

import math

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.text import Text


def mathis_throughput(*, mss: float, rtt: float, packet_loss: float, constant: float = c.MATHIS_CONSTANT) -> float:
    """Reno-like stream: 8·MSS/RTT·C/√p, bit/s. Valid for p < 1e-2, no timeouts. Mathis et al. 1997."""
    return c.BITS_PER_BYTE * mss / rtt * constant / math.sqrt(packet_loss)


def mathis_loss_limit(*, mss: float, rtt: float, bandwidth: float, constant: float = c.MATHIS_CONSTANT) -> float:
    """Packet loss at which `mathis_throughput` equals the bandwidth: (8·MSS·C/(RTT·B))², at most 1."""
    return min(1.0, (c.BITS_PER_BYTE * mss * constant / (rtt * bandwidth)) ** 2)


def standard_tcp_window(*, packet_loss: float) -> float:
    """Average window of standard TCP: 1.2/√p, segments. RFC 8312, section 5.1."""
    return c.STANDARD_TCP_CONSTANT / math.sqrt(packet_loss)


def _cubic_constant(scaling: float) -> float:
    """[C(3+β)/(4(1−β))]^(1/4), RFC 9438 section 5.1."""
    return math.pow(scaling * (3 + c.CUBIC_DECREASE) / (4 * (1 - c.CUBIC_DECREASE)), 1 / 4)


def cubic_window(*, rtt: float, packet_loss: float, scaling: float = c.CUBIC_SCALING) -> float:
    """Average CUBIC window: [C(3+β)/(4(1−β))]^¼·(RTT/p)^¾, segments, C = 0.4, β = 0.7. RFC 9438.

    Without the Reno-friendly region; `cubic_throughput` has it.
    """
    return _cubic_constant(scaling) * math.pow(rtt / packet_loss, 3 / 4)


def cubic_throughput(*, mss: float, rtt: float, packet_loss: float) -> float:
    """One CUBIC stream: 8·MSS/RTT·max(CUBIC window, 1.2/√p), bit/s. Measured: 1 to 4 times this."""
    window = max(cubic_window(rtt=rtt, packet_loss=packet_loss), standard_tcp_window(packet_loss=packet_loss))
    return c.BITS_PER_BYTE * mss / rtt * window


def cubic_loss_limit(*, mss: float, rtt: float, bandwidth: float) -> float:
    """Packet loss at which one CUBIC stream just gives the bandwidth, at most 1.

    w = B·RTT/(8·MSS); p = max(RTT·(K/w)^(4/3), (1.2/w)²), since the window is the larger of two falling laws.
    """
    window = bandwidth * rtt / (c.BITS_PER_BYTE * mss)
    cubic = rtt * math.pow(_cubic_constant(c.CUBIC_SCALING) / window, 4 / 3)
    standard = (c.STANDARD_TCP_CONSTANT / window) ** 2
    return min(1.0, max(cubic, standard))


def pftk_throughput(*, mss: float, rtt: float, packet_loss: float, packets_per_ack: float = 1) -> float:
    """Stream with timeouts: 8·MSS/(RTT·√(2·b·p/3) + 4·RTT·min(1, 3√(3·b·p/8))·p·(1+32p²)), bit/s. RFC 5348."""
    acked = packets_per_ack * packet_loss
    timeout = min(1.0, 3 * math.sqrt(3 * acked / 8)) * packet_loss * (1 + 32 * packet_loss**2)
    return c.BITS_PER_BYTE * mss / (rtt * math.sqrt(2 * acked / 3) + c.PFTK_RTO_IN_RTT * rtt * timeout)


_CONSTANT = Input(
    name="constant",
    dimension=Dimension.RATIO,
    title=Text("公式常数（延迟确认时 0.87）", "Constant (0.87 with delayed acknowledgements)"),
    default=c.MATHIS_CONSTANT,
    above_zero=True,
    high=10,
)

ESNET_BAND = Band(
    low=1,
    high=4,
    words=Text(
        "ESnet 实测 490 Mbit/s（丢包 1/22000、90 ms），为各响应函数的 2 至 4 倍；按 1 至 4 倍看待。",
        "ESnet measured 490 Mbit/s at 1/22000 and 90 ms, 2 to 4 times the response functions; read it as 1 to 4 times.",
    ),
    source=s.ESNET,
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="mathis_throughput",
        title=Text("Mathis：单流 TCP 吞吐", "Mathis: throughput of one TCP stream"),
        function=mathis_throughput,
        inputs=(i.MSS, i.RTT, i.TCP_LOSS, _CONSTANT),
        result=Dimension.RATE,
        symbolic="R = 8·MSS/RTT · C/√p",
        validity=Text("丢包率低于 1 %，无超时。", "Loss below 1 %, no timeouts."),
        source=s.MATHIS,
        band=ESNET_BAND,
        example=Example(
            inputs={"mss": 1460, "rtt": 0.01, "packet_loss": 1e-4},
            expected=142496000,
            origin="8 × 1460 / 0.01 × 1.22 / 0.01 = 142.5 Mbit/s",
        ),
    ),
    Formula(
        id="mathis_loss_limit",
        title=Text("标准 TCP 的丢包上限", "Loss limit of standard TCP"),
        function=mathis_loss_limit,
        inputs=(i.MSS, i.RTT, i.BANDWIDTH, _CONSTANT),
        result=Dimension.RATIO,
        symbolic="p = (8·MSS·C / (RTT·B))²",
        validity=Text("与 Mathis 公式互逆；不超过 1。", "The inverse of the Mathis formula; at most 1."),
        source=s.MATHIS,
        example=Example(
            inputs={"mss": 1460, "rtt": 0.01, "bandwidth": 142496000},
            expected=1e-4,
            origin="(8 × 1460 × 1.22 / 1 424 960)² = 0.01²",
        ),
    ),
    Formula(
        id="standard_tcp_window",
        title=Text("标准 TCP 平均窗口", "Average window of standard TCP"),
        function=standard_tcp_window,
        inputs=(i.TCP_LOSS,),
        result=Dimension.SEGMENTS,
        symbolic="W = 1.2 / √p",
        validity=Text("丢包率低于 1 %。", "Loss below 1 %."),
        source=s.RFC8312,
        example=Example(inputs={"packet_loss": 1e-6}, expected=1200, origin="1.2 / 0.001, RFC 8312 Table 1"),
    ),
    Formula(
        id="cubic_window",
        title=Text("CUBIC 平均窗口", "Average CUBIC window"),
        function=cubic_window,
        inputs=(i.RTT, i.TCP_LOSS),
        result=Dimension.SEGMENTS,
        symbolic="W = [C(3+β)/(4(1−β))]^¼ · (RTT/p)^¾, C = 0.4, β = 0.7",
        validity=Text("不含 Reno 友好区间。", "Without the Reno-friendly region."),
        source=s.RFC9438,
        band=Band(
            low=0.999,
            high=1.001,
            words=Text(
                "与 RFC 8312 表 1 相差不超过 0.2 %（该表为取整值）。",
                "Within 0.2% of RFC 8312 Table 1, which is rounded.",
            ),
            source=s.RFC8312,
        ),
        example=Example(
            inputs={"rtt": 0.1, "packet_loss": 1e-4},
            expected=187,
            origin="RFC 8312 Table 1: 187 segments at p = 1e-4",
            rel=0.01,
        ),
    ),
    Formula(
        id="cubic_throughput",
        title=Text("CUBIC：单流吞吐", "Throughput of one CUBIC stream"),
        function=cubic_throughput,
        inputs=(i.MSS, i.RTT, i.TCP_LOSS),
        result=Dimension.RATE,
        symbolic="R = 8·MSS/RTT · max(1.054·(RTT/p)^¾, 1.2/√p)",
        validity=Text("保守值：实测为其 1 至 4 倍。", "Pessimistic: measurements are 1 to 4 times as high."),
        source=s.RFC9438,
        band=ESNET_BAND,
        example=Example(
            inputs={"mss": 1460, "rtt": 0.01, "packet_loss": 1e-4},
            expected=140160000,
            origin="CUBIC window 33.3 < 120 = 1.2/√p; 8 × 1460 / 0.01 × 120",
        ),
    ),
    Formula(
        id="cubic_loss_limit",
        title=Text("CUBIC 单流的丢包上限", "Loss limit of one CUBIC stream"),
        function=cubic_loss_limit,
        inputs=(i.MSS, i.RTT, i.BANDWIDTH),
        result=Dimension.RATIO,
        symbolic="p = max(RTT·(K/w)^(4/3), (1.2/w)²), w = B·RTT/(8·MSS), K = 1.054",
        validity=Text("与 CUBIC 吞吐互逆；不超过 1。", "The inverse of the CUBIC throughput; at most 1."),
        source=s.RFC9438,
        example=Example(
            inputs={"mss": 1460, "rtt": 0.01, "bandwidth": 140160000},
            expected=1e-4,
            origin="w = 120 segments; (1.2/120)² = 1e-4",
        ),
    ),
    Formula(
        id="pftk_throughput",
        title=Text("PFTK：含超时的单流 TCP 吞吐", "PFTK: one TCP stream with timeouts"),
        function=pftk_throughput,
        inputs=(
            i.MSS,
            i.RTT,
            i.variant(i.TCP_LOSS, advised_high=None),
            Input(
                name="packets_per_ack",
                dimension=Dimension.COUNT,
                title=Text("每个确认对应的包数", "Packets per acknowledgement"),
                default=1,
                low=1,
                high=64,
            ),
        ),
        result=Dimension.RATE,
        symbolic="R = 8·MSS / (RTT·√(2·b·p/3) + 4·RTT·min(1, 3√(3·b·p/8))·p·(1+32p²))",
        validity=Text("重传超时取 4 倍 RTT。", "Retransmission timeout of 4 RTT."),
        source=s.RFC5348,
        band=ESNET_BAND,
        example=Example(
            inputs={"mss": 1460, "rtt": 0.1, "packet_loss": 0.01},
            expected=1.31204e6,
            origin="√(0.02/3) + 4 × 3√0.00375 × 0.01 × 1.0032 = 0.0816497 + 0.0073719; 116 800 / 0.0890216",
            rel=1e-5,
        ),
    ),
)
