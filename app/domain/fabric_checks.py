"""What in the buyer's fabric contradicts itself, or holds the job back before the line does: named, not guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.figures import number
from app.domain.formulas.fabric import fabric_ports, spine_ports
from app.domain.problems import Notice
from app.domain.text import Text

if TYPE_CHECKING:
    from app.domain.fabric import Side
    from app.domain.workload import Fabric, Training

GIGA, TERA = 1e9, 1e12


def notices(fabric: Fabric, own: Side, other: Side | None, job: Training, target: float | None) -> tuple[Notice, ...]:
    """Everything found, contradictions first."""
    found = (
        _too_few_ports(fabric, own),
        _leaf_too_large(own),
        _misses_spines(fabric, own),
        _spine_too_large(fabric, own),
        _nic_above_port(own),
        _said_same(fabric, own, other),
        _tensor_leaves(own, job),
        _narrower_than_line(fabric, own, other, target),
    )
    return tuple(n for n in found if n is not None)


def _too_few_ports(fabric: Fabric, own: Side) -> Notice | None:
    if fabric.leaves is None or own.down_ports is None or fabric.nics_per_site is None:
        return None
    ports = fabric_ports(leaves=fabric.leaves, down_ports=own.down_ports)
    if own.nics <= ports:
        return None
    text = Text(
        "{leaves} 台叶交换机 × {down} 个下行口只有 {ports} 个口，接不下 {nics} 块网卡。",
        "{leaves} leaves of {down} down ports give {ports} ports, fewer than the {nics} NICs.",
    )
    shown = {"leaves": fabric.leaves, "down": own.down_ports, "ports": number(ports, 6), "nics": own.nics}
    return Notice("fabric_ports_short", text.format(**shown))


def _leaf_too_large(own: Side) -> Notice | None:
    if own.ports is None:
        return None
    down, up = own.ports
    total = down * own.down_rate + up * own.up_rate
    if total <= p.SWITCH_CAPACITY.value:
        return None
    text = Text(
        "一台叶交换机 {down} 下 {up} 上共 {total} Tbit/s，超过目前最大的单芯片容量 {most} Tbit/s，请核对端口数与速率。",
        "A leaf with {down} down and {up} up ports adds up to {total} Tbit/s, more than the largest switch of {most} "
        "Tbit/s; check ports and rates.",
    )
    most = number(p.SWITCH_CAPACITY.value / TERA)
    return Notice("leaf_too_large", text.format(down=down, up=up, total=number(total / TERA), most=most))


def _misses_spines(fabric: Fabric, own: Side) -> Notice | None:
    if fabric.spines is None or own.up_ports is None or own.up_ports % fabric.spines == 0:
        return None
    if own.up_ports < fabric.spines:
        text = Text(
            "每台叶交换机只有 {up} 个上行口，连不到全部 {spines} 台脊交换机。",
            "A leaf has {up} up ports and cannot reach all {spines} spines.",
        )
        return Notice("leaf_misses_spines", text.format(up=own.up_ports, spines=fabric.spines))
    text = Text(
        "{up} 个上行口不能均分到 {spines} 台脊交换机，各路径带宽不等，逐流散列会失衡。",
        "{up} up ports do not divide over {spines} spines: the paths are unequal and hashing is uneven.",
    )
    return Notice("leaf_uneven", text.format(up=own.up_ports, spines=fabric.spines))


def _spine_too_large(fabric: Fabric, own: Side) -> Notice | None:
    if fabric.spines is None or fabric.leaves is None or own.up_ports is None:
        return None
    ports = spine_ports(leaves=fabric.leaves, up_ports=own.up_ports, spines=fabric.spines)
    if ports * own.up_rate <= p.SWITCH_CAPACITY.value:
        return None
    text = Text(
        "每台脊交换机须有 {ports} 个 {rate} Gbit/s 口，超过单芯片容量 {most} Tbit/s：脊交换机太少，或须再加一层。",
        "Each spine would need {ports} ports of {rate} Gbit/s, more than a switch of {most} Tbit/s: too few spines, "
        "or a third tier is needed.",
    )
    most = number(p.SWITCH_CAPACITY.value / TERA)
    return Notice("spine_too_large", text.format(ports=number(ports, 6), rate=number(own.up_rate / GIGA), most=most))


def _nic_above_port(own: Side) -> Notice | None:
    if own.nic_rate <= own.down_rate:
        return None
    text = Text(
        "网卡 {nic} Gbit/s 快于叶下行口 {port} Gbit/s，网卡跑不满。",
        "NICs of {nic} Gbit/s are faster than the leaf ports of {port} Gbit/s and cannot be filled.",
    )
    return Notice("nic_above_port", text.format(nic=number(own.nic_rate / GIGA), port=number(own.down_rate / GIGA)))


def _said_same(fabric: Fabric, own: Side, other: Side | None) -> Notice | None:
    if other is None or fabric.same_on_all_sites is None or fabric.same_on_all_sites == (other == own):
        return None
    text = Text(
        "「各站同构」与所填另一站的数值互相矛盾，以数值为准。",
        "“Same on all sites” contradicts the figures of the other site; the figures are used.",
    )
    return Notice("sites_contradict", text)


def _tensor_leaves(own: Side, job: Training) -> Notice | None:
    if job.tensor_parallel <= own.domain or job.crossing == "tensor":
        return None
    text = Text(
        "张量并行 {t} 路放不进 {domain} 块 GPU 的纵向扩展域：每层的规约要走叶脊网络，单站每步时间会变长。",
        "Tensor parallel of {t} does not fit a scale-up domain of {domain} GPUs: the all-reduces of every layer use "
        "the leaf-spine network, and the step on one site grows.",
    )
    return Notice("tensor_leaves_scale_up", text.format(t=job.tensor_parallel, domain=own.domain))


def _narrower_than_line(fabric: Fabric, own: Side, other: Side | None, target: float | None) -> Notice | None:
    """The site cannot fill the line; said only of NICs that were given."""
    feed = min(s.feed for s in (own, other) if s is not None)
    if target is None or feed >= target or (fabric.nics_per_site is None and fabric.other_nics_per_site is None):
        return None
    text = Text(
        "站内网卡与叶交换机只能送出 {feed} Gbit/s，低于目标带宽 {target} Gbit/s：先受限的是己方网络，不是专线。",
        "NICs and leaves of a site bring only {feed} Gbit/s to the border, below the target of {target} Gbit/s: your "
        "own network is the limit before the line is.",
    )
    return Notice("fabric_below_target", text.format(feed=number(feed / GIGA), target=number(target / GIGA)))
