"""The buyer's own fabric: ratio of each tier, what the NICs mean for the line, which traffic stays in its domain.

Site facts, never a vendor's failure, and never divided out of the line a second time: a line carries its rate however
many NICs stand behind it. What counts is the time an exchange is exposed, and that is computed beside each ratio.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain import fabric_checks
from app.domain import parameters as p
from app.domain.article import Difference, Way, put
from app.domain.figures import number
from app.domain.text import Text, percent
from app.domain.working import Ledger, Working

if TYPE_CHECKING:
    from app.domain.demand import TrainingDemand
    from app.domain.lines import Lines
    from app.domain.problems import Notice
    from app.domain.workload import Fabric, Training, Workload

GIGA = 1e9
EXACT = 1e-9


@dataclass(frozen=True, slots=True)
class Side:
    """The fabric of one site with nothing left open but the ports: rates in bit/s."""

    nics: int
    nic_rate: float
    down_ports: int | None
    up_ports: int | None
    down_rate: float
    up_rate: float
    domain: int

    @property
    def total(self) -> float:
        """Sum of the NICs (bit/s)."""
        return self.nics * self.nic_rate

    @property
    def ports(self) -> tuple[int, int] | None:
        """Down and up ports of a leaf, when both are known."""
        return None if self.down_ports is None or self.up_ports is None else (self.down_ports, self.up_ports)

    @property
    def feed(self) -> float:
        """What the site can bring to its border: its NICs, less the oversubscription of its leaves (bit/s)."""
        if self.ports is None:
            return self.total
        down, up = self.ports
        return self.total / max(1.0, down * self.down_rate / (up * self.up_rate))


@dataclass(frozen=True, slots=True)
class Tier:
    """One ratio: `working` is the registered formula with its inputs, `note` what it means in time."""

    id: str
    title: Text
    working: Working
    note: Text

    def as_json(self) -> dict[str, Any]:
        """The tier as the requirement carries it."""
        return {
            "id": self.id, "title": self.title.as_json(), "ratio": self.working.value,
            "working": self.working.as_json(), "note": self.note.as_json(),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stay:
    """Where the traffic of one parallel dimension stays: `scale_up`, `site` or `line`."""

    id: str
    title: Text
    degree: int
    inside: str
    note: Text

    def as_json(self) -> dict[str, Any]:
        """The row as the requirement carries it."""
        return {
            "id": self.id, "title": self.title.as_json(), "degree": self.degree, "inside": self.inside,
            "note": self.note.as_json(),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything known of the fabric: tiers, groups, what was assumed, what is slower, what contradicts itself."""

    tiers: tuple[Tier, ...]
    stays: tuple[Stay, ...]
    assumptions: tuple[Text, ...]
    slower: Text | None
    notices: tuple[Notice, ...]

    def as_json(self) -> dict[str, Any]:
        """The audit as the requirement carries it."""
        return {
            "tiers": [t.as_json() for t in self.tiers], "groups": [s.as_json() for s in self.stays],
            "assumptions": [a.as_json() for a in self.assumptions],
            "slower_site": self.slower.as_json() if self.slower else None,
            "notices": [n.as_json() for n in self.notices],
        }  # fmt: skip


def side(fabric: Fabric, job: Training) -> Side:
    """The fabric of this site; what is not given is assumed (`assumptions` says so)."""
    nic = (fabric.nic_gbps * GIGA) if fabric.nic_gbps is not None else p.NIC_RATE.value
    down = fabric.leaf_down_gbps * GIGA if fabric.leaf_down_gbps is not None else nic
    return Side(
        nics=fabric.nics_per_site or job.gpus // job.sites, nic_rate=nic,
        down_ports=fabric.leaf_down_ports, up_ports=fabric.leaf_up_ports, down_rate=down,
        up_rate=fabric.leaf_up_gbps * GIGA if fabric.leaf_up_gbps is not None else down,
        domain=fabric.scale_up_gpus or int(p.SCALE_UP.value),
    )  # fmt: skip


def other_side(fabric: Fabric, job: Training) -> Side | None:
    """The fabric of the other site where it was given to differ, or None."""
    given = (
        fabric.other_nics_per_site,
        fabric.other_nic_gbps,
        fabric.other_leaf_down_ports,
        fabric.other_leaf_up_ports,
    )
    if all(g is None for g in given):
        return None
    own = side(fabric, job)
    nics, rate, down, up = given
    return Side(
        nics=nics or own.nics, nic_rate=own.nic_rate if rate is None else rate * GIGA,
        down_ports=down or own.down_ports, up_ports=up or own.up_ports, down_rate=own.down_rate, up_rate=own.up_rate,
        domain=own.domain,
    )  # fmt: skip


def same_fabric(fabric: Fabric, job: Training) -> bool | None:
    """Whether the sites are alike: as the figures say where both are given, else as the buyer says; None: unknown."""
    other = other_side(fabric, job)
    return fabric.same_on_all_sites if other is None else other == side(fabric, job)


def slower_side(fabric: Fabric, job: Training) -> Text | None:
    """Which site is slower and by how much; None while the other one is not known or both bring the same."""
    other = other_side(fabric, job)
    if other is None:
        return None
    own, theirs = side(fabric, job).feed, other.feed
    if abs(own - theirs) <= EXACT * own:
        return None
    name = Text("本站", "This site") if own < theirs else Text("另一站", "The other site")
    text = Text(
        "{name}较慢：可送到出口 {low} Gbit/s，对侧 {high} Gbit/s；同步以较慢一侧为准。",
        "{name} is the slower one: it brings {low} Gbit/s to its border against {high} Gbit/s; an exchange runs at the "
        "slower side.",
    )
    low, high = sorted((own, theirs))
    return text.format(name=name, low=number(low / GIGA), high=number(high / GIGA))


def audit(workload: Workload, lines: Lines) -> Audit | None:
    """Hold the buyer's fabric against the job; None for a job without training."""
    job, demand = workload.training, lines.training
    if job is None or demand is None:
        return None
    fabric, own = workload.fabric, side(workload.fabric, job)
    other = other_side(fabric, job)
    tiers = [*_leaf("leaf", Text("本站叶交换机", "Leaf of this site"), own)]
    if other is not None and other.ports != own.ports:
        tiers += _leaf("other_leaf", Text("另一站叶交换机", "Leaf of the other site"), other)
    for id_, name, rate in (
        ("line_floor", Text("网卡合计对带宽下限", "Sum of NICs over the floor"), lines.floor),
        ("line_target", Text("网卡合计对目标带宽", "Sum of NICs over the target"), lines.target),
    ):
        if rate is not None:
            tiers.append(line_tier(id_, name, own, demand, rate, lines.reference.rtt))
    return Audit(
        tiers=tuple(tiers), stays=_stays(job, own.domain), assumptions=_assumed(fabric, own),
        slower=slower_side(fabric, job), notices=fabric_checks.notices(fabric, own, other, job, lines.target),
    )  # fmt: skip


def _leaf(id_: str, title: Text, side: Side) -> tuple[Tier, ...]:
    if side.ports is None:
        return ()
    down, up = side.ports
    ledger = Ledger()
    inputs = {"down_ports": down, "down_rate": side.down_rate, "up_ports": up, "up_rate": side.up_rate}
    ratio = ledger.compute("tier_oversubscription", **inputs)
    if ratio > 1 + EXACT:
        note = Text(
            "叶交换机收敛：各卡同时活跃时，跨叶流量只有 1/{r} 的速率。",
            "Oversubscribed: with every card active, traffic between leaves gets 1/{r} of its rate.",
        ).format(r=number(ratio, 3))
    elif ratio < 1 - EXACT:
        note = Text("上行多于下行：是富余，不是 1:1。", "More up than down: over-built, not 1:1.")
    else:
        note = Text("1:1，不收敛。", "1:1, not oversubscribed.")
    return (Tier(id_, title, ledger.lines[0], note),)


def line_tier(id_: str, title: Text, side: Side, demand: TrainingDemand, rate: float, rtt: float) -> Tier:
    """The sum of the NICs over a rate of the line, with the time an exchange is exposed at that rate."""
    ledger = Ledger()
    ledger.compute("oversubscription_ratio", access_bandwidth=side.total, uplink_bandwidth=rate)
    got = demand.exchange(rate, rtt, 0.0)
    note = Text(
        "{n} × {nic} Gbit/s 对 {rate} Gbit/s；此速率下每次同步有 {exposed} s 无法掩盖，利用率 {use}。",
        "{n} × {nic} Gbit/s over {rate} Gbit/s; {exposed} s of each exchange cannot be hidden, utilisation {use}.",
    ).format(
        n=side.nics, nic=number(side.nic_rate / GIGA), rate=number(rate / GIGA), exposed=number(got.exposed, 3),
        use=percent(got.utilization),
    )  # fmt: skip
    return Tier(id_, title, ledger.lines[0], note)


def field_note() -> Text:
    """Why the ratio itself is no verdict: what a published pilot kept at 32:1."""
    return Text(
        "比值本身不判优劣，要看无法掩盖的时间：公开试点在 {r}:1 下仍保持 {kept} 以上；线路速率不再按网卡合计折减。",
        "The ratio is no verdict, the time that cannot be hidden is: a published pilot kept {kept} and more at {r}:1. "
        "The rate of the line is not divided by the NICs a second time.",
    ).format(r=number(p.FIELD_RATIO.value), kept=percent(p.FIELD_KEPT.value))


ASSUMED_NICS = Text("单站网卡数按每 GPU 一块计：{x} 块。", "One NIC a GPU is assumed: {x} per site.")
ASSUMED_RATE = Text("网卡速率按 {x} Gbit/s 计。", "NICs of {x} Gbit/s are assumed.")
ASSUMED_DOMAIN = Text("纵向扩展域按 {x} 块 GPU 计。", "A scale-up domain of {x} GPUs is assumed.")


def _assumed(fabric: Fabric, own: Side) -> tuple[Text, ...]:
    rows = (
        (fabric.nics_per_site, ASSUMED_NICS, f"{own.nics:,}"),
        (fabric.nic_gbps, ASSUMED_RATE, number(own.nic_rate / GIGA)),
        (fabric.scale_up_gpus, ASSUMED_DOMAIN, number(p.SCALE_UP.value)),
    )
    return tuple(text.format(x=value) for given, text, value in rows if given is None)


INSIDE = {
    "scale_up": Text(
        "{n} 路不超过 {domain} 块 GPU 的纵向扩展域：留在域内。",
        "{n} ways fit a scale-up domain of {domain} GPUs: it stays inside.",
    ),
    "scale_up_rest": Text(
        "{n} 路不超过 {domain} 块 GPU 的纵向扩展域，但不整除：每域有 {rest} 块 GPU 空出，否则有一组要跨域。",
        "{n} ways fit a scale-up domain of {domain} GPUs but do not divide it: {rest} of them stay over, or a group "
        "straddles two domains.",
    ),
    "site": Text(
        "{n} 路超过 {domain} 块 GPU 的纵向扩展域：走站内叶脊网络。",
        "{n} ways are more than a scale-up domain of {domain} GPUs: it uses the leaf-spine network of the site.",
    ),
    "line": Text("该流量跨站，走专线。", "This traffic leaves the site and uses the line."),
}


def _stays(job: Training, domain: int) -> tuple[Stay, ...]:
    rows = (
        ("tensor", Text("张量并行", "Tensor parallel"), job.tensor_parallel),
        ("expert", Text("专家并行", "Expert parallel"), job.expert_parallel),
    )
    return tuple(_stay(id_, title, degree, job, domain) for id_, title, degree in rows if degree > 1)


def _stay(id_: str, title: Text, degree: int, job: Training, domain: int) -> Stay:
    inside = "line" if job.crossing == id_ else "scale_up" if degree <= domain else "site"
    rest = domain % degree
    text = INSIDE["scale_up_rest" if inside == "scale_up" and rest else inside]
    return Stay(id_, title, degree, inside, text.format(n=degree, domain=domain, rest=rest))


# Tier → the article's row, id, title, ratio and formula, our formula.
ARTICLE_ROWS: dict[str, tuple[int, str, Text, float, str, str]] = {
    "line_target": (
        12,
        "oversubscription",
        Text("网卡合计与线路之比", "Sum of NICs over the line"),
        p.ARTICLE_OVERSUBSCRIPTION.value,
        "Σ NIC / line",
        "Σ NIC / target",
    ),
    "leaf": (19, "leaf_spine", Text("叶脊收敛比", "Leaf-spine ratio"), 1.0, "1:1", "n_down·C_down / (n_up·C_up)"),
}
SYMBOLS_PUT = {
    "access_bandwidth": "Σ NIC", "uplink_bandwidth": "target",
    "down_ports": "n_down", "down_rate": "C_down", "up_ports": "n_up", "up_rate": "C_up",
}  # fmt: skip


def article_rows(found: Audit | None) -> tuple[Difference, ...]:
    """The article's two ratios beside ours."""
    tiers = [] if found is None else [t for t in found.tiers if t.id in ARTICLE_ROWS]
    return tuple(_difference(tier, *ARTICLE_ROWS[tier.id]) for tier in tiers)


def _difference(tier: Tier, place: int, id_: str, title: Text, article: float, how: str, ours: str) -> Difference:
    reason = Text("{note}{field}", "{note} {field}").format(note=tier.note, field=field_note())
    numbers = put(**{SYMBOLS_PUT.get(name, name): value for name, value in tier.working.inputs.items()})
    return Difference(
        place, id_, title, Way(article, how), Way(tier.working.value, ours, numbers), ":1",
        tier.note if id_ == "leaf_spine" else reason,
    )  # fmt: skip
