"""What a transport makes of a rate: window, go-back-N, selective repeat, BBR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input, refused
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping


def bandwidth_delay_product(*, bandwidth: float, rtt: float) -> float:
    """Bytes in flight on a full line: C·RTT/8."""
    return bandwidth * rtt / c.BITS_PER_BYTE


def window_throughput(*, window: float, rtt: float) -> float:
    """Rate one window allows: 8·window/RTT, bit/s."""
    return c.BITS_PER_BYTE * window / rtt


def _packets_in_flight(bandwidth: float, rtt: float, mtu: float) -> float:
    """Packets lost with one loss; at least the packet itself."""
    return max(1.0, bandwidth * rtt / (c.BITS_PER_BYTE * mtu))


def go_back_n_efficiency(*, packet_loss: float, bandwidth: float, rtt: float, mtu: float) -> float:
    """Share left by go-back-N: (1−p)/(1−p+p·W), W = max(1, C·RTT/(8·mtu)) packets.

    An upper bound: timeouts make reality worse above p = 1e-3. `mtu` is the payload of one packet.
    """
    kept = 1 - packet_loss
    return kept / (kept + packet_loss * _packets_in_flight(bandwidth, rtt, mtu))


def go_back_n_packets_at_risk(*, packet_loss: float, bandwidth: float, rtt: float, mtu: float) -> float:
    """Losses per window: p·W, W = max(1, C·RTT/(8·mtu)); above 1 every window is hit and go-back-N collapses."""
    return packet_loss * _packets_in_flight(bandwidth, rtt, mtu)


def go_back_n_loss_limit(*, efficiency: float, bandwidth: float, rtt: float, mtu: float) -> float:
    """Packet loss at which go-back-N leaves `efficiency`: (1−η)/(1−η+η·W); inverse of the function above."""
    lost = 1 - efficiency
    return lost / (lost + efficiency * _packets_in_flight(bandwidth, rtt, mtu))


def go_back_n_loss_need(*, floor: float, target: float, payload: float, rtt: float) -> float:
    """Loss at which a line of `target` still delivers `floor`: (1/floor − 1/target)·8·payload/RTT."""
    if floor > target:
        raise refused(
            "go_back_n_loss_need.floor",
            "带宽下限不能大于目标带宽。",
            "The bandwidth floor must not exceed the target bandwidth.",
        )
    return min(1.0, (1 / floor - 1 / target) * c.BITS_PER_BYTE * payload / rtt)


def selective_repeat_efficiency(*, packet_loss: float) -> float:
    """Share left by selective repeat: 1−p, while the buffers hold one bandwidth-delay product."""
    return 1 - packet_loss


def selective_repeat_loss_limit(*, efficiency: float) -> float:
    """Packet loss at which selective repeat leaves `efficiency`: 1−η."""
    return 1 - efficiency


def bbr_throughput(*, bandwidth: float, packet_loss: float) -> float:
    """One BBR flow: C·(1−p) to p = 0.15, then falling in a line to zero at 0.20, bit/s.

    0.20 = 1 − 1/1.25: there the probing gain no longer makes up for what is lost.
    """
    if packet_loss <= c.BBR_LOSS_TOLERATED:
        return bandwidth * (1 - packet_loss)
    edge = bandwidth * (1 - c.BBR_LOSS_TOLERATED)
    left = (c.BBR_LOSS_COLLAPSE - packet_loss) / (c.BBR_LOSS_COLLAPSE - c.BBR_LOSS_TOLERATED)
    return edge * max(0.0, left)


def collapse(values: Mapping[str, Any]) -> Text | None:
    """What to say where p·W > 1."""
    at_risk = go_back_n_packets_at_risk(
        packet_loss=values["packet_loss"], bandwidth=values["bandwidth"], rtt=values["rtt"], mtu=values["mtu"]
    )
    if at_risk <= 1:
        return None
    return Text(
        f"每个窗口平均丢 {at_risk:.3g} 个包（大于 1），实测中回退 N 帧会崩溃到接近零；公式只是上限。",
        f"Each window loses {at_risk:.3g} packets on average (more than 1): measured go-back-N collapses to almost "
        "nothing; the formula is a ceiling only.",
    )


_GBN_MTU = i.variant(i.MTU, title=Text("每包载荷（mtu）", "Payload of one packet (mtu)"))
_GBN_LOSS = i.variant(i.PACKET_LOSS, advised_high=1e-3)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="bandwidth_delay_product",
        title=Text("带宽时延积（BDP）", "Bandwidth-delay product"),
        function=bandwidth_delay_product,
        inputs=(i.BANDWIDTH, i.RTT),
        result=Dimension.BYTES,
        symbolic="BDP = C·RTT / 8",
        validity=Text("按收敛后的速率计算。", "Take the rate after contention."),
        source=s.RFC9438,
        example=Example(inputs={"bandwidth": 400e9, "rtt": 0.01}, expected=500e6, origin="400e9 × 0.01 / 8 = 500 MB"),
    ),
    Formula(
        id="window_throughput",
        title=Text("窗口限速", "Rate a window allows"),
        function=window_throughput,
        inputs=(
            Input(
                name="window",
                dimension=Dimension.BYTES,
                title=Text("在途窗口（所有流合计）", "Bytes in flight, all flows together"),
                above_zero=True,
            ),
            i.RTT,
        ),
        result=Dimension.RATE,
        symbolic="R = 8·window / RTT",
        validity=Text("窗口固定且始终填满。", "The window is fixed and always full."),
        source=s.RFC9438,
        band=Band(
            low=0.5,
            high=1,
            words=Text(
                "Linux 未调优时缓存约一半可作窗口，实得可低至一半。",
                "Untuned Linux uses about half of a buffer as window: half of it may be seen.",
            ),
            source=s.RFC9438,
        ),
        example=Example(
            inputs={"window": 4194304, "rtt": 0.01},
            expected=3355443200,
            origin="4 MiB per channel: 8 × 4 194 304 / 0.01 = 3.36 Gbit/s",
        ),
    ),
    Formula(
        id="go_back_n_efficiency",
        title=Text("回退 N 帧的有效占比", "Go-back-N efficiency"),
        function=go_back_n_efficiency,
        inputs=(_GBN_LOSS, i.BANDWIDTH, i.RTT, _GBN_MTU),
        result=Dimension.RATIO,
        symbolic="η = (1−p) / (1−p+p·W), W = max(1, C·RTT/(8·mtu))",
        validity=Text(
            "上限值；丢包率高于 1e-3 时超时使实际更差。",
            "Upper bound; above p = 1e-3 timeouts make it worse.",
        ),
        source=s.GO_BACK_N,
        caution=collapse,
        band=Band(
            low=0,
            high=1,
            words=Text(
                "上限：丢包率高于 1e-3 或每窗口丢包多于 1 个时，实测崩溃到接近零。",
                "A ceiling: above 1e-3, or with more than one loss per window, it was measured near zero.",
            ),
            source=s.GO_BACK_N_TEST,
        ),
        example=Example(
            inputs={"packet_loss": 1e-7, "bandwidth": 400e9, "rtt": 0.01, "mtu": 4096},
            expected=0.98794,
            origin="W = 122 070.3; 1/(1 + 0.0122070) = 0.98794",
            rel=1e-5,
        ),
    ),
    Formula(
        id="go_back_n_loss_limit",
        title=Text("回退 N 帧的丢包上限", "Go-back-N loss limit"),
        function=go_back_n_loss_limit,
        inputs=(i.variant(i.EFFICIENCY, advised_low=0.5), i.BANDWIDTH, i.RTT, _GBN_MTU),
        result=Dimension.RATIO,
        symbolic="p = (1−η) / (1−η+η·W), W = max(1, C·RTT/(8·mtu))",
        validity=Text("与效率公式互逆。", "The inverse of the efficiency formula."),
        source=s.GO_BACK_N,
        band=Band(
            low=0,
            high=1,
            words=Text(
                "由上限反推：真实可容忍的丢包率不高于此值。",
                "Inverted from a ceiling: the loss really borne is no higher.",
            ),
            source=s.GO_BACK_N_TEST,
        ),
        example=Example(
            inputs={"efficiency": 0.95, "bandwidth": 400e9, "rtt": 0.01, "mtu": 4096},
            expected=4.31e-7,
            origin="0.05 / (0.05 + 0.95 × 122 070.3) = 4.31e-7",
            rel=1e-3,
        ),
    ),
    Formula(
        id="go_back_n_loss_need",
        title=Text("丢包红线（按需求带宽）", "Loss red line from the needed rate"),
        function=go_back_n_loss_need,
        inputs=(
            i.variant(i.BANDWIDTH, name="floor", title=Text("带宽下限（有效）", "Bandwidth floor, effective")),
            i.variant(i.BANDWIDTH, name="target", title=Text("目标带宽（标称）", "Bandwidth target, nominal")),
            i.variant(_GBN_MTU, name="payload", title=Text("每包载荷", "Payload per packet")),
            i.RTT,
        ),
        result=Dimension.RATIO,
        symbolic="p = (1/floor − 1/target)·8·payload / RTT",
        validity=Text(
            "回退 N 帧；下限不大于目标；忽略 p 的二次项。",
            "Go-back-N; floor at most target; terms in p² left out.",
        ),
        source=s.GO_BACK_N,
        band=Band(
            low=0,
            high=1,
            words=Text(
                "由上限反推：真实可容忍的丢包率不高于此值。",
                "Inverted from a ceiling: the loss really borne is no higher.",
            ),
            source=s.GO_BACK_N_TEST,
        ),
        example=Example(
            inputs={"floor": 280.2057e9, "target": 350.257e9, "payload": 4096, "rtt": 7.3425e-3},
            expected=3.185e-6,
            origin="(3.56881 − 2.85505)e-12 × 32 768 / 7.3425e-3",
            rel=1e-3,
        ),
    ),
    Formula(
        id="selective_repeat_efficiency",
        title=Text("选择重传的有效占比", "Selective-repeat efficiency"),
        function=selective_repeat_efficiency,
        inputs=(i.PACKET_LOSS,),
        result=Dimension.RATIO,
        symbolic="η = 1 − p",
        validity=Text("缓存能容纳一个带宽时延积。", "Buffers hold one bandwidth-delay product."),
        source=s.IRN,
        example=Example(inputs={"packet_loss": 1e-3}, expected=0.999, origin="1 − 0.001"),
    ),
    Formula(
        id="selective_repeat_loss_limit",
        title=Text("选择重传的丢包上限", "Selective-repeat loss limit"),
        function=selective_repeat_loss_limit,
        inputs=(i.EFFICIENCY,),
        result=Dimension.RATIO,
        symbolic="p = 1 − η",
        validity=Text("与效率公式互逆。", "The inverse of the efficiency formula."),
        source=s.IRN,
        example=Example(inputs={"efficiency": 0.75}, expected=0.25, origin="1 − 0.75"),
    ),
    Formula(
        id="bbr_throughput",
        title=Text("BBR 单流吞吐", "Throughput of one BBR flow"),
        function=bbr_throughput,
        inputs=(i.BANDWIDTH, i.variant(i.PACKET_LOSS, advised_high=c.BBR_LOSS_TOLERATED)),
        result=Dimension.RATE,
        symbolic="R = C·(1−p), p ≤ 0.15; → 0 at p = 0.20",
        validity=Text("BBR v1；v3 在约 2 % 丢包时已退让。", "BBR v1; v3 already backs off at about 2 % loss."),
        source=s.BBR,
        band=Band(
            low=0.9,
            high=1,
            words=Text(
                "1 % 丢包、100 ms 时实测 9150 Mbit/s，为公式的 92 %（CUBIC 仅 3.27 Mbit/s）。",
                "9150 Mbit/s measured at 1% loss and 100 ms, 92% of the formula (CUBIC: 3.27 Mbit/s).",
            ),
            source=s.BBR_TEST,
        ),
        example=Example(inputs={"bandwidth": 10e9, "packet_loss": 0.01}, expected=9.9e9, origin="10 Gbit/s × 0.99"),
    ),
)
