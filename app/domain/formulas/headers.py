"""From the line's rate to the payload's rate: headers, encapsulation, segment size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input, refused
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence


def header_efficiency(*, payload: float, overhead: float) -> float:
    """Payload share of the wire: payload / (payload + overhead), overhead with preamble and gap."""
    return payload / (payload + overhead)


def encapsulation_bytes(encapsulation: Sequence[str]) -> int:
    """Bytes the stack adds to one packet; an entry named twice counts twice (two MPLS labels)."""
    return sum(c.ENCAPSULATION_BYTES[name] for name in encapsulation)


def header_parts(
    *, transport: str, encapsulation: Sequence[str] = (), timestamps: bool = True
) -> tuple[tuple[str, int], ...]:
    """Every header around one payload on the wire with its bytes, preamble and gap included, the encapsulation last."""
    frame = (("Ethernet", c.ETHERNET), ("preamble", c.PREAMBLE_AND_GAP), ("IP", c.IPV4))
    if transport.startswith("tcp"):
        inner: tuple[tuple[str, int], ...] = (
            ("TCP", c.TCP),
            *((("timestamps", c.TCP_TIMESTAMPS),) if timestamps else ()),
        )
    else:
        inner = (("UDP", c.UDP), ("BTH", c.BTH), ("ICRC", c.ICRC))
    return (*frame, *inner, *((name, c.ENCAPSULATION_BYTES[name]) for name in encapsulation))


def header_overhead(*, transport: str, encapsulation: Sequence[str] = (), timestamps: bool = True) -> int:
    """Bytes around one payload on the wire, preamble and gap included, by the contract's transport word.

    RoCEv2: Ethernet 18, preamble and gap 20, IPv4 20, UDP 8, BTH 12, ICRC 4 = 82; native InfiniBand is
    carried in the same frames here. TCP over IPv4: 78, with timestamps 90. Encapsulation comes on top.
    """
    if transport.startswith("tcp"):
        stack = c.ETHERNET + c.PREAMBLE_AND_GAP + c.IPV4 + c.TCP + (c.TCP_TIMESTAMPS if timestamps else 0)
    else:
        stack = c.ROCE_OVERHEAD
    return stack + encapsulation_bytes(encapsulation)


def rdma_payload(*, payload: float, mtu: float) -> float:
    """RDMA payload per packet: the smaller of what is wanted and the largest power of two ≤ mtu − 82, bytes.

    Raises `InputError` when the path cannot carry the smallest InfiniBand MTU of 256 bytes.
    """
    room = int(mtu) - c.ROCE_OVERHEAD
    if room < c.IB_PAYLOAD_MIN:
        raise refused(
            "rdma_payload.mtu",
            f"路径 MTU {mtu:g} 字节装不下 RDMA 最小的 {c.IB_PAYLOAD_MIN} 字节载荷，请换 MTU 更大的专线。",
            f"A path MTU of {mtu:g} bytes cannot carry the smallest RDMA payload, {c.IB_PAYLOAD_MIN} bytes; "
            "ask for a larger MTU.",
        )
    return min(payload, 1 << (room.bit_length() - 1))


def tcp_mss(*, mtu: float, encapsulation: Sequence[str], timestamps: float = 0) -> float:
    """TCP segment that fits the path: mtu − encapsulation − IPv4 20 − TCP 20 (− 12 with timestamps), bytes.

    Every header of the list is counted inside the MTU. Raises `InputError` when nothing is left.
    """
    options = c.TCP_TIMESTAMPS if timestamps else 0
    mss = mtu - encapsulation_bytes(encapsulation) - c.IPV4 - c.TCP - options
    if mss < 1:
        raise refused(
            "tcp_mss.mtu",
            f"MTU {mtu:g} 字节扣除封装和 TCP/IP 头后没有剩余，请增大 MTU 或减少封装。",
            f"An MTU of {mtu:g} bytes leaves nothing after encapsulation and TCP/IP headers; "
            "raise the MTU or drop an encapsulation.",
        )
    return mss


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="header_efficiency",
        title=Text("包头效率", "Header efficiency"),
        function=header_efficiency,
        inputs=(
            Input(
                name="payload",
                dimension=Dimension.BYTES,
                title=Text("每包载荷", "Payload per packet"),
                above_zero=True,
            ),
            Input(
                name="overhead",
                dimension=Dimension.BYTES,
                title=Text("每包开销（含前导码与帧间隙）", "Overhead per packet, preamble and gap included"),
            ),
        ),
        result=Dimension.RATIO,
        symbolic="η = payload / (payload + overhead)",
        validity=Text("标称带宽为 MAC 层速率；满长包。", "The quoted rate is the MAC rate; packets are full."),
        source=s.IEEE8023,
        example=Example(
            inputs={"payload": 4096, "overhead": 82},
            expected=4096 / 4178,
            origin="RoCEv2: 4096 / (4096 + 82) = 0.9804",
        ),
    ),
    Formula(
        id="tcp_mss",
        title=Text("TCP 最大报文段（MSS）", "TCP maximum segment size"),
        function=tcp_mss,
        inputs=(
            i.variant(
                i.MTU,
                title=Text("路径 MTU", "Path MTU"),
                low=c.IPV4_MTU_MIN,
                high=c.IP_PACKET_MAX,
                whole=True,
            ),
            i.ENCAPSULATION,
            Input(
                name="timestamps",
                dimension=Dimension.COUNT,
                title=Text("是否启用 TCP 时间戳（0 或 1）", "TCP timestamps (0 or 1)"),
                default=0,
                high=1,
                whole=True,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="MSS = MTU − Σ encapsulation − 20 − 20 − 12·timestamps",
        validity=Text(
            "IPv4；所列封装（含 VLAN 标签、MACsec）都按占用 MTU 计算；IPsec 填充按 2 字节计（实际 0 至 3）。",
            "IPv4; every listed header, tags and MACsec too, is counted inside the MTU; "
            "IPsec padding counted as 2 bytes (0 to 3 in fact).",
        ),
        source=s.IEEE8023,
        example=Example(
            inputs={"mtu": 1500, "encapsulation": ("vxlan",)},
            expected=1410,
            origin="1500 − 50 − 20 − 20, the article's figure",
        ),
    ),
)
