"""The buyer's own fabric, tier by tier, and lines whose rate can be switched."""

from __future__ import annotations

import math
from typing import Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input, refused
from app.domain.text import Text


def tier_oversubscription(*, down_ports: float, down_rate: float, up_ports: float, up_rate: float) -> float:
    """Rate towards the servers over rate towards the spine of one leaf, ratio; below 1 the leaf is over-built."""
    return down_ports * down_rate / (up_ports * up_rate)


def fabric_ports(*, leaves: float, down_ports: float) -> float:
    """Ports for servers in a fabric: leaves times down ports per leaf."""
    return leaves * down_ports


def spine_ports(*, leaves: float, up_ports: float, spines: float) -> float:
    """Ports each spine needs when every leaf spreads its up ports evenly over the spines: ⌈leaves·up/spines⌉."""
    return math.ceil(leaves * up_ports / spines)


def elastic_break_even_size(*, base_rate: float, burst_rate: float, switch_time: float) -> float:
    """Bytes above which waiting for a switch to the burst rate is faster than sending at the base rate at once.

    D/base = switch + D/burst; D in byte, rates in bit/s, `switch_time` in s. Valid for burst above base.
    """
    if burst_rate <= base_rate:
        raise refused(
            "elastic_break_even_size.burst_rate",
            "突发速率（burst_rate）应高于基线速率（base_rate）。",
            "The burst rate (burst_rate) must be above the base rate (base_rate).",
        )
    return switch_time / (1 / base_rate - 1 / burst_rate) / c.BITS_PER_BYTE


_PORTS: Final = Input(
    name="down_ports",
    dimension=Dimension.COUNT,
    title=Text("每台叶交换机的下行口数", "Down ports per leaf"),
    low=1,
    high=1e4,
    whole=True,
)
_UP_PORTS: Final = i.variant(_PORTS, name="up_ports", title=Text("每台叶交换机的上行口数", "Up ports per leaf"))
_LEAVES: Final = i.variant(_PORTS, name="leaves", title=Text("叶交换机数", "Leaf switches"), high=1e6)
_SPINES: Final = i.variant(_LEAVES, name="spines", title=Text("脊交换机数", "Spine switches"))
_EVEN: Final = Text(
    "每台叶交换机的上行口均匀分到各脊交换机。", "Every leaf spreads its up ports evenly over the spines."
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="tier_oversubscription",
        title=Text("叶交换机收敛比", "Oversubscription of a leaf"),
        function=tier_oversubscription,
        inputs=(
            _PORTS,
            i.variant(i.BANDWIDTH, name="down_rate", title=Text("下行口速率", "Rate of a down port")),
            _UP_PORTS,
            i.variant(i.BANDWIDTH, name="up_rate", title=Text("上行口速率", "Rate of an up port")),
        ),
        result=Dimension.RATIO,
        symbolic="r = n_down·R_down / (n_up·R_up)",
        validity=Text("小于 1 表示上行富余，并非 1:1。", "Below 1 the uplinks are more than enough, which is not 1:1."),
        source=s.ARTICLE_CLUSTER,
        example=Example(
            inputs={"down_ports": 80, "down_rate": 400e9, "up_ports": 128, "up_rate": 400e9},
            expected=0.625,
            origin="80·400 / (128·400) = 80/128",
        ),
    ),
    Formula(
        id="fabric_ports",
        title=Text("集群可接入的服务器端口数", "Server ports of a fabric"),
        function=fabric_ports,
        inputs=(_LEAVES, _PORTS),
        result=Dimension.COUNT,
        symbolic="n = leaves·n_down",
        validity=Text("每块网卡占一个下行口。", "Each NIC takes one down port."),
        source=s.ARTICLE_CLUSTER,
        example=Example(inputs={"leaves": 128, "down_ports": 80}, expected=10240, origin="128 · 80"),
    ),
    Formula(
        id="spine_ports",
        title=Text("每台脊交换机所需端口数", "Ports each spine needs"),
        function=spine_ports,
        inputs=(_LEAVES, _UP_PORTS, _SPINES),
        result=Dimension.COUNT,
        symbolic="n = ceil(leaves·n_up / spines)",
        validity=_EVEN,
        source=s.ARTICLE_CLUSTER,
        example=Example(inputs={"leaves": 128, "up_ports": 128, "spines": 128}, expected=128, origin="128 · 128 / 128"),
    ),
    Formula(
        id="elastic_break_even_size",
        title=Text("值得切换到突发速率的最小数据量", "Least data for which a switch to the burst rate pays"),
        function=elastic_break_even_size,
        inputs=(
            i.variant(i.BANDWIDTH, name="base_rate", title=Text("基线速率", "Base rate")),
            i.variant(i.BANDWIDTH, name="burst_rate", title=Text("突发速率", "Burst rate")),
            Input(name="switch_time", dimension=Dimension.TIME, title=Text("切换时间", "Switching time"), high=1e9),
        ),
        result=Dimension.BYTES,
        symbolic="D = t / (1/base − 1/burst) / 8",
        validity=Text(
            "等待切换期间不传数据；切换期间仍按基线速率传送时，值得切换的数据量更小。",
            "Nothing is sent while the switch is awaited; if the base rate goes on meanwhile, less data is enough.",
        ),
        source=s.JUDGEMENT,
        example=Example(
            inputs={"base_rate": 100e9, "burst_rate": 400e9, "switch_time": 60},
            expected=1e12,
            origin="60 / (1/100e9 − 1/400e9) / 8 = 60 · 133.3e9 / 8",
        ),
    ),
)
