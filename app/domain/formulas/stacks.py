"""Header stacks whose size depends on the packet or the path."""

from __future__ import annotations

from typing import Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.formulas.headers import encapsulation_bytes, header_overhead, rdma_payload
from app.domain.text import Text

_IPV6: Final = 40
_SRH_FIXED: Final = 8
_SEGMENT: Final = 16
_RETH: Final = 16  # RDMA extended transport header, first or only packet of a write
_ESP_FIXED: Final = 8 + 8 + 16 + 2  # SPI and sequence, IV, ICV, pad length and next header
_ESP_ALIGN: Final = 4
_TRANSPORTS: Final = ("rdma_go_back_n", "rdma_selective_repeat", "infiniband", "tcp_cubic", "tcp_bbr")


def srv6_bytes(*, segments: float) -> float:
    """Bytes of SRv6 around a packet: IPv6 40 + header 8 + 16 per segment; without segments the IPv6 header alone."""
    return _IPV6 + (_SRH_FIXED + _SEGMENT * segments if segments else 0)


def ipsec_gcm_bytes(*, packet: float) -> float:
    """Bytes of an ESP tunnel with AES-GCM: IPv4 20 + SPI and sequence 8 + IV 8 + ICV 16 + 2 + padding to 4 bytes."""
    padding = -(packet + 2) % _ESP_ALIGN
    return c.IPV4 + _ESP_FIXED + padding


def roce_path_mtu(*, payload: float, encapsulation: tuple[str, ...] = ()) -> float:
    """IP MTU a RoCEv2 payload needs: payload + IPv4 20 + UDP 8 + BTH 12 + RETH 16 + ICRC 4 + encapsulation, bytes."""
    return payload + c.IPV4 + c.UDP + c.BTH + _RETH + c.ICRC + encapsulation_bytes(encapsulation)


_PAYLOAD = Input(
    name="payload",
    dimension=Dimension.BYTES,
    title=Text("每包载荷", "Payload per packet"),
    low=c.IB_PAYLOAD_MIN,
    high=c.IP_PACKET_MAX,
    whole=True,
)
_STACK = i.variant(i.ENCAPSULATION, default=())

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="header_overhead",
        title=Text("每包开销", "Overhead of one packet"),
        function=header_overhead,
        inputs=(
            Input(name="transport", dimension=Dimension.WORD, title=Text("传输协议", "Transport"), choices=_TRANSPORTS),
            _STACK,
        ),
        result=Dimension.BYTES,
        symbolic="o = Ethernet 18 + 20 + IP 20 + (UDP 8 + BTH 12 + ICRC 4 | TCP 20 + 12) + Σ encapsulation",
        validity=Text(
            "IPv4；含前导码与帧间隙；TCP 含时间戳。", "IPv4; preamble and gap included; TCP with timestamps."
        ),
        source=s.IEEE8023,
        example=Example(
            inputs={"transport": "rdma_go_back_n", "encapsulation": ("vlan",)},
            expected=86,
            origin="18 + 20 + 20 + 8 + 12 + 4 + 4",
        ),
    ),
    Formula(
        id="rdma_payload",
        title=Text("RDMA 每包载荷", "RDMA payload of one packet"),
        function=rdma_payload,
        inputs=(
            _PAYLOAD,
            Input(
                name="mtu",
                dimension=Dimension.BYTES,
                title=Text("路径 MTU", "Path MTU"),
                low=c.IPV4_MTU_MIN,
                high=c.IP_PACKET_MAX,
                whole=True,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="n = min(payload, 2^k), 2^k ≤ MTU − 82",
        validity=Text("按整帧头 82 字节保守计算。", "Counts the whole frame overhead of 82 bytes, on the safe side."),
        source=s.IBTA,
        example=Example(
            inputs={"payload": 4096, "mtu": 1500},
            expected=1024,
            origin="1500 − 82 = 1418; the power of two below is 1024",
        ),
    ),
    Formula(
        id="roce_path_mtu",
        title=Text("RoCE 所需路径 MTU", "Path MTU RoCE needs"),
        function=roce_path_mtu,
        inputs=(_PAYLOAD, _STACK),
        result=Dimension.BYTES,
        symbolic="MTU = payload + 20 + 8 + 12 + 16 + 4 + Σ encapsulation",
        validity=Text(
            "IPv4；首包带 RETH；4096 载荷通常要求 4200 以上。",
            "IPv4; the first packet carries a RETH; for 4096 one asks for 4200 or more.",
        ),
        source=s.IBTA,
        example=Example(inputs={"payload": 4096}, expected=4156, origin="4096 + 60"),
    ),
    Formula(
        id="srv6_bytes",
        title=Text("SRv6 封装字节数", "Bytes of SRv6"),
        function=srv6_bytes,
        inputs=(
            Input(name="segments", dimension=Dimension.COUNT, title=Text("段数", "Segments"), high=16, whole=True),
        ),
        result=Dimension.BYTES,
        symbolic="o = 40 + 8 + 16·n",
        validity=Text("不压缩的段列表。", "Segments not compressed."),
        source=s.RFC8754,
        example=Example(inputs={"segments": 3}, expected=96, origin="40 + 8 + 3 × 16"),
    ),
    Formula(
        id="ipsec_gcm_bytes",
        title=Text("IPsec（AES-GCM）封装字节数", "Bytes of IPsec with AES-GCM"),
        function=ipsec_gcm_bytes,
        inputs=(
            Input(
                name="packet",
                dimension=Dimension.BYTES,
                title=Text("内层 IP 包长", "Length of the inner IP packet"),
                low=20,
                high=c.IP_PACKET_MAX,
                whole=True,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="o = 20 + 8 + 8 + 16 + 2 + (−(n+2) mod 4)",
        validity=Text("隧道模式、IPv4；NAT 穿越另加 8。", "Tunnel mode, IPv4; 8 more with NAT traversal."),
        source=s.RFC4303,
        example=Example(inputs={"packet": 1444}, expected=56, origin="54 + 2: 1444 + 2 + 2 = 1448 is a multiple of 4"),
    ),
)
