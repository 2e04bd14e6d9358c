"""k sites joined by a hub, a ring or a full mesh of lines: what each line carries, and what one failure does.

E = 2(k−1)/k·S leaves every site per exchange and direction, whichever way the sites are joined (models 2.1). What
differs is how many lines share it:
- hub: each spoke carries E both ways; all of it passes the hub, whose lines add up to (k−1)·E;
- ring: two opposite rings use both directions, so each of a site's two lines carries E/2;
- mesh: each of a site's k−1 lines carries E/(k−1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.lines import Lines
    from app.domain.workload import Training

GIGA = 1e9
TWO = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """How k sites are joined: number of lines, share of a site's egress on one line, and what a failure does.

    `lanes` lines leave a site and are ordered one by one, so that the floor is the rate of one of them; where it is
    1 the floor is the rate of the whole site.
    """

    title: Text
    lines: Callable[[int], int]
    share: Callable[[int], float]
    lanes: Callable[[int], int]
    hub: Callable[[int], int]
    failure: Text


SHAPES: dict[str, Shape] = {
    "line": Shape(
        Text("单条专线", "One line"), lambda _: 1, lambda _: 1.0, lambda _: 1, lambda _: 1,
        Text("同步中断，任务等待或重启。", "The exchange stops; the job waits or restarts."),
    ),
    "hub": Shape(
        Text("星型", "Hub"), lambda k: k - 1, lambda _: 1.0, lambda _: 1, lambda k: k - 1,
        Text(
            "一条辐射线中断，该站失联；中心站失效，全部中断。",
            "One spoke cuts its site off; a failure at the hub cuts off all.",
        ),
    ),
    "ring": Shape(
        Text("环型", "Ring"), lambda k: k, lambda _: 1 / TWO, lambda _: 1, lambda _: 1,
        Text(
            "一段中断后反向绕行，其余各线负载加倍，同步速率减半。",
            "The traffic goes the other way round; the other lines carry twice as much, at half the rate.",
        ),
    ),
    "mesh": Shape(
        Text("全互联", "Full mesh"), lambda k: k * (k - 1) // TWO, lambda k: 1 / (k - 1), lambda k: k - 1, lambda _: 1,
        Text(
            "一条中断后经第三站绕行，绕行的两条线负载加倍，同步速率减半。",
            "The traffic makes a detour over a third site, whose two lines carry twice as much, at half the rate.",
        ),
    ),
}  # fmt: skip


def lanes(job: Training) -> int:
    """Lines of a site that are ordered one by one and share an exchange: k−1 in a mesh, else the site counts as one."""
    return SHAPES[job.interconnect].lanes(job.sites)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interconnect:
    """What one way of joining the sites asks of each line; rates (bit/s) at the floor and at the target.

    `line_bytes` cross one line per exchange and direction, `step_bytes` are their mean per optimizer step; `hops`
    are the one-way delays an exchange waits for; `hub_floor` is the sum over the lines of the hub site.
    """

    kind: str
    title: Text
    sites: int
    lines: int
    line_bytes: float
    step_bytes: float
    hops: float
    line_floor: float | None
    line_target: float | None
    site_floor: float | None
    hub_floor: float | None
    failure: Text

    def as_json(self) -> dict[str, Any]:
        """The interconnect as the requirement carries it."""

        def gbps(rate: float | None) -> float | None:
            return None if rate is None else rate / GIGA

        return {
            "kind": self.kind, "title": self.title.as_json(), "sites": self.sites, "lines": self.lines,
            "bytes_per_line": self.line_bytes, "bytes_per_line_per_step": self.step_bytes,
            "dependent_hops": self.hops, "line_floor_gbps": gbps(self.line_floor),
            "line_target_gbps": gbps(self.line_target), "site_floor_gbps": gbps(self.site_floor),
            "hub_floor_gbps": gbps(self.hub_floor), "failure": self.failure.as_json(),
        }  # fmt: skip


def interconnect(job: Training, lines: Lines) -> Interconnect | None:
    """What each line carries for this job; None where a pipeline or a refused placement crosses."""
    if job.crossing not in ("data", "local_sgd") or lines.training is None:
        return None
    shape, k = SHAPES[job.interconnect], job.sites
    side = shape.lanes(k)
    line_bytes = lines.size * side * shape.share(k)
    interval = job.sync_interval_steps if job.crossing == "local_sgd" else 1

    def of_site(rate: float | None) -> float | None:
        return None if rate is None else rate * side

    site, target = of_site(lines.floor), of_site(lines.target)
    return Interconnect(
        kind=job.interconnect, title=shape.title, sites=k, lines=shape.lines(k), line_bytes=line_bytes,
        step_bytes=line_bytes / interval, hops=lines.training.hops,
        line_floor=None if site is None else site * shape.share(k),
        line_target=None if target is None else target * shape.share(k),
        site_floor=site, hub_floor=None if site is None else site * shape.hub(k), failure=shape.failure,
    )  # fmt: skip
