"""Step 3, topology: same at both ends, lossless over the distance, symmetric routes, contention, redundancy."""

from __future__ import annotations

from dataclasses import replace

from app.domain import parameters as p
from app.domain import sources as s
from app.domain.fabric import other_side, same_fabric, slower_side
from app.domain.facts import State
from app.domain.questions import ask
from app.domain.rules import Case, Finding, Grade, Rule, Status, Step, by_span, margin_below
from app.domain.steps.common import (
    GATE,
    KEY,
    OFF,
    ORDINARY,
    facts_of,
    failed,
    layer,
    not_applicable,
    passed,
    unknown,
)
from app.domain.steps.lossless import lossless, lossless_grade
from app.domain.terms import CIRCUIT_LAYERS, TRANSPARENT_LAYERS, is_site_ratio, term
from app.domain.text import Text
from app.domain.transport import effective_rate, is_rdma

MEGA = 1e6


def _homogeneous(case: Case) -> Finding:
    fabric, job = case.workload.fabric, case.workload.training
    same = fabric.same_on_all_sites if job is None else same_fabric(fabric, job)
    if same is None:
        return not_applicable(
            Text(
                "己方集群组网未填写，按各站同构假设；这不是供应商的责任。",
                "Your fabric is not described; taken as the same at every site. It is not the vendor's to answer.",
            ),
            ask("homogeneous"),
        )
    if same:
        return passed(
            Text("采购方确认各站组网相同。", "The buyer confirms the same fabric at every site."),
            required=True,
            offered=True,
            by_vendor=False,
        )
    slower = None if job is None else slower_side(fabric, job)
    return Finding(
        status=Status.FAIL,
        required=True,
        offered=False,
        reason=Text(
            "采购方各站组网不同，同步以较慢一侧为准。",
            "The buyer's fabrics differ; an exchange runs at the slower side.",
        )
        if slower is None
        else Text("采购方各站组网不同。{slower}", "The buyer's fabrics differ. {slower}").format(slower=slower),
        questions=() if job is None or other_side(fabric, job) is not None else (ask("other_fabric"),),
    )


def _symmetric_routes(case: Case) -> Finding:
    found = term(case.offer, "symmetric_routes")
    facts = facts_of(found)
    if found.flag is True:
        return passed(Text("往返同路由。", "Both directions use one route."), facts, required=True, offered=True)
    if found.flag is False:
        return failed(
            Text(
                "往返不同路由，两个方向时延不等。",
                "The two directions take different routes, so their delays differ.",
            ),
            facts,
            required=True,
            offered=False,
        )
    if found.state is State.MISSING and layer(case) in TRANSPARENT_LAYERS:
        return passed(
            Text("波长与 OTN 双向同路由，请供应商确认。", "A wave or OTN is co-routed; ask for confirmation."),
            facts_of(term(case.offer, "layer")),
            required=True,
            questions=(ask("symmetric_routes"),),
        )
    return unknown(
        Text("未写明往返是否同路由。", "Not stated whether both directions use one route."),
        ask("symmetric_routes"),
        facts=facts,
        required=True,
    )


def _symmetric_routes_grade(case: Case) -> Grade | None:
    if case.scenario != "training":
        return None
    return GATE if is_rdma(case.reading.transport) and layer(case) not in CIRCUIT_LAYERS else KEY


NOT_STATED = Text(
    "未写明网内收敛比；最多容许 {limit:.3g}:1。",
    "Contention inside the carrier is not stated; at most {limit:.3g}:1 is allowed.",
)
OF_THE_SITE = Text(
    "所写比值指网卡或叶脊，是己方组网，不是运营商网内收敛；最多容许 {limit:.3g}:1，须写明网内收敛比。",
    "The ratio given is one of NICs or of leaf and spine, the buyer's own, not the carrier's; at most {limit:.3g}:1 is "
    "allowed, and contention inside the carrier must be stated.",
)


def _oversubscription(case: Case) -> Finding:
    found, reading = term(case.offer, "oversubscription"), case.reading
    floor = case.lines.floor
    facts = facts_of(found)
    if floor is None:
        return unknown(
            Text("没有带宽下限，无法判断收敛比。", "Without a floor the ratio cannot be judged."), facts=facts
        )
    if found.state is State.NONE:
        return failed(
            Text("供应商明确不保证订购带宽。", "The vendor declines to guarantee the ordered rate."),
            facts,
            required=1.0,
        )
    base = reading.worst or reading.best
    if base is None:
        return unknown(
            Text("没有带宽，无法判断收敛比。", "Without a bandwidth the ratio cannot be judged."),
            ask("oversubscription"),
            facts=facts,
        )
    # r_max: the contention at which the other losses still leave the floor.
    limit = max(1.0, effective_rate(replace(base, contention=1.0, window=None)) / (case.lines.need or floor))
    span = reading.contention
    if span.worst is None:
        return unknown(
            (OF_THE_SITE if is_site_ratio(found) else NOT_STATED).format(limit=limit),
            ask("oversubscription"),
            facts=facts,
            required=limit,
        )
    status = by_span(span, lambda v: v <= limit)
    shown = span.best if status is Status.FAIL else span.worst
    text = Text(
        "网内收敛 {got:.3g}:1，最多容许 {limit:.3g}:1（标杆 1:1；文章举例 8:1 是己方网卡总和之比）。",
        "Contention {got:.3g}:1 against at most {limit:.3g}:1 (mark 1:1; the article's 8:1 is the sum of your NICs over the line).",
    )
    return Finding(
        status=status, required=limit, offered=shown, margin=margin_below(shown, limit), facts=facts or facts_of(term(case.offer, "layer")),
        readings=found.readings if len(found.readings) > 1 else (), reason=text.format(got=shown, limit=limit),
        questions=(ask("oversubscription"),) if status is Status.UNKNOWN else (),
    )  # fmt: skip


def _redundancy(case: Case) -> Finding:
    paths, diverse = term(case.offer, "paths"), term(case.offer, "diverse_paths")
    facts = facts_of(paths, diverse)
    if paths.number is not None and paths.number < 2:  # noqa: PLR2004 - two paths
        return failed(Text("只有一条路径。", "There is only one path."), facts, required=2, offered=paths.number)
    if diverse.flag is False:
        return failed(
            Text("路径不分离，一处断纤会同时中断。", "The paths are not diverse; one cut takes both."),
            facts,
            required=2,
            offered=paths.number,
        )
    if paths.number is not None and diverse.flag is True:
        return passed(
            Text("{n:.0f} 条路径且物理分离。", "{n:.0f} physically diverse paths.").format(n=paths.number),
            facts,
            required=2,
            offered=paths.number,
        )
    return unknown(
        Text("路径数或物理分离未写明。", "The number of paths or their diversity is not stated."),
        ask("paths"),
        facts=facts,
        required=2,
        offered=paths.number,
    )


def _redundancy_grade(case: Case) -> Grade | None:
    job = case.workload.training
    return GATE if case.scenario == "training" and job is not None and job.gpus >= p.REDUNDANCY_GATE.value else None


RULES: tuple[Rule, ...] = (
    Rule(
        id="topology.homogeneous", step=Step.TOPOLOGY, title=Text("两端同构（己方）", "Same fabric at both ends (yours)"),
        why=Text("两端轨道与叶脊比例不同，同步以慢的一侧为准。", "Different rails or leaf-spine ratios make the slower side decide."),
        formula="fabric.same_on_all_sites", unit="", source=s.ARTICLE,
        grades={"training": KEY, "inference": OFF, "bulk": OFF}, check=_homogeneous,
    ),
    Rule(
        id="topology.lossless_transport", step=Step.TOPOLOGY, title=Text("无损传输", "Lossless transport"),
        why=Text("长距离的 PFC 需要与 速率 × 距离 成正比的缓存，写「支持」不等于做得到。", "PFC over distance needs buffer in proportion to rate × length; “supported” is not the same as possible."),
        formula="pfc_headroom", unit="", source=s.PFC_CISCO,
        grades={"training": GATE, "inference": GATE, "bulk": OFF}, check=lossless, grade_when=lossless_grade,
    ),
    Rule(
        id="topology.symmetric_routes", step=Step.TOPOLOGY, title=Text("往返同路由", "Symmetric routes"),
        why=Text("两个方向时延不等，拥塞控制与时间同步都会失准。", "Unequal delays upset congestion control and time sync."),
        formula="|D(A→Z) − D(Z→A)| ≤ 0.5 ms", unit="", source=s.ARTICLE,
        grades={"training": GATE, "inference": ORDINARY, "bulk": OFF}, check=_symmetric_routes, grade_when=_symmetric_routes_grade,
    ),
    Rule(
        id="topology.oversubscription", step=Step.TOPOLOGY, title=Text("收敛比（运营商网内）", "Oversubscription (inside the carrier)"),
        why=Text("集合通信让所有成员同时活跃，共享带宽会同时变窄。", "Collectives make all members active at once, so shared bandwidth narrows at once."),
        formula="oversubscription_limit", unit=":1", source=s.ARTICLE,
        grades={"training": GATE, "inference": KEY, "bulk": ORDINARY}, check=_oversubscription,
    ),
    Rule(
        id="topology.redundancy", step=Step.TOPOLOGY, title=Text("冗余与分离", "Redundancy and diversity"),
        why=Text("「双接入」若同沟同缆，仍算一条路径。", "“Dual access” in one duct counts as one path."),
        formula="paths ≥ 2 and diverse", unit="", source=s.ARTICLE_CLOUD,
        grades={"training": KEY, "inference": GATE, "bulk": ORDINARY}, check=_redundancy, grade_when=_redundancy_grade,
    ),
)  # fmt: skip
