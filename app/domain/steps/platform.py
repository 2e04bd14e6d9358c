"""Step 4, platform: what the vendor lets you see and steer. Gates for telemetry, points for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain import sources as s
from app.domain.elastic import elastic, terms_of
from app.domain.facts import State
from app.domain.metrics import BY_ID
from app.domain.questions import ask
from app.domain.rules import Case, Finding, Grade, Rule, Step
from app.domain.steps.common import GATE, KEY, OFF, ORDINARY, facts_of, failed, layer, passed, unknown
from app.domain.terms import CIRCUIT_LAYERS, TRANSPARENT_LAYERS, term
from app.domain.text import Text
from app.domain.transport import is_rdma

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.sources import Source

SHARED_LAYERS = frozenset({"ip"})
OVERLAYS = frozenset({"vxlan", "gre", "ipsec_gcm"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One row of policy 1.2: grades and points for training, inference and bulk."""

    id: str
    grades: tuple[Grade, Grade, Grade]
    points: tuple[int, int, int]
    why: Text
    source: Source
    grade_when: Callable[[Case], Grade | None] | None = None


def _detection_grade(case: Case) -> Grade | None:
    single = (case.paths or 1) < 2  # noqa: PLR2004 - a pair is two
    if layer(case) == "wave" and single:
        return OFF
    return GATE if case.scenario == "inference" and not single else None


def _routing_grade(case: Case) -> Grade | None:
    job = case.workload.training
    two_sites = job is None or job.sites == 2  # noqa: PLR2004 - point to point
    return OFF if two_sites and layer(case) in TRANSPARENT_LAYERS else None


def _isolation_grade(case: Case) -> Grade | None:
    return GATE if layer(case) in SHARED_LAYERS else None


def _address_grade(case: Case) -> Grade | None:
    return OFF if layer(case) in CIRCUIT_LAYERS else None


def _mtu_grade(case: Case) -> Grade | None:
    overlay = not OVERLAYS.isdisjoint(case.reading.encapsulation)
    return GATE if overlay and not is_rdma(case.reading.transport) else None


FLAGS: tuple[Flag, ...] = (
    Flag(id="telemetry", grades=(GATE, GATE, KEY), points=(25, 20, 20), source=s.ARTICLE, why=Text("没有丢包、时延与速率的监测，SLA 无从举证。", "Without readings of loss, delay and rate no SLA can be proved.")),
    Flag(id="fast_fault_detection", grades=(KEY, KEY, ORDINARY), points=(20, 20, 10), source=s.ARTICLE_CLOUD, why=Text("BFD 或光层保护才有毫秒级倒换。", "Only BFD or optical protection gives a failover in milliseconds."), grade_when=_detection_grade),
    Flag(id="unified_management", grades=(KEY, KEY, KEY), points=(15, 15, 20), source=s.ARTICLE, why=Text("一个服务台、一份合同管全程，定界不扯皮。", "One desk and one contract for all segments: no finger-pointing.")),
    Flag(id="multi_cloud_routing", grades=(KEY, KEY, KEY), points=(10, 10, 15), source=s.ARTICLE, why=Text("站点在多个云时须能统一选路。", "With sites in several clouds routing must be joint."), grade_when=_routing_grade),
    Flag(id="traffic_isolation", grades=(KEY, KEY, KEY), points=(10, 15, 10), source=s.ARTICLE_CLOUD, why=Text("共享网络上须与他人流量隔离。", "On a shared network your traffic must be kept apart."), grade_when=_isolation_grade),
    Flag(id="elastic_bandwidth", grades=(ORDINARY, ORDINARY, KEY), points=(10, 5, 15), source=s.ARTICLE, why=Text("弹性只有写明基线、峰值、切换时间与价格才算数。", "Elastic counts only with base, burst, switching time and price.")),
    Flag(id="mtu_adaptation", grades=(KEY, ORDINARY, KEY), points=(5, 5, 5), source=s.ARTICLE_CLOUD, why=Text("叠加封装后 MSS 不适配会分片或丢包。", "With an overlay an unadapted MSS fragments or drops."), grade_when=_mtu_grade),
    Flag(id="address_planning", grades=(ORDINARY, ORDINARY, ORDINARY), points=(0, 5, 0), source=s.ARTICLE_CLOUD, why=Text("多个 VPC 地址重叠时须统一规划。", "Overlapping ranges of several VPCs need one plan."), grade_when=_address_grade),
    Flag(id="api", grades=(ORDINARY, ORDINARY, ORDINARY), points=(5, 5, 5), source=s.ARTICLE, why=Text("下单、变更与读数可自动化。", "Order, change and read-out can be automated.")),
)  # fmt: skip


def _elastic(case: Case) -> Finding:
    """Elastic counts only with base, burst, switching time and price (policy 1.2); says what the burst is good for."""
    found, terms = term(case.offer, "elastic_bandwidth"), terms_of(case.offer)
    names = ("elastic_bandwidth", "committed_rate", "burst_rate", "switch_time", "monthly_charge")
    facts = facts_of(*(term(case.offer, name) for name in names))
    if found.flag is False:
        return failed(
            Text("供应商不提供弹性带宽。", "The vendor offers no elastic bandwidth."),
            facts,
            required=True,
            offered=False,
        )
    if found.flag is None and not terms.sold:
        return unknown(
            Text("资料未写明。", "The sheet does not say."), ask("elastic_bandwidth"), facts=facts, required=True
        )
    priced = term(case.offer, "monthly_charge").state is State.STATED
    use = elastic(case.offer, case.workload, case.lines)
    if use is None or not terms.complete or not priced:
        text = Text(
            "弹性须同时写明基线、突发、切换时间与价格才算数。",
            "Elastic counts only with base rate, burst rate, switching time and price together.",
        )
        return unknown(text, ask("elastic_bandwidth"), facts=facts, required=True, offered=True)
    return passed(use.message, facts, required=True, offered=True)


CHECKS: dict[str, Callable[[Case], Finding]] = {"elastic_bandwidth": _elastic}


def _checker(flag: str) -> Callable[[Case], Finding]:
    title = BY_ID[flag].title

    def check(case: Case) -> Finding:
        found = term(case.offer, flag)
        facts = facts_of(found)
        if found.flag is True:
            return passed(Text("供应商书面提供。", "Offered in writing."), facts, required=True, offered=True)
        if found.flag is False:
            return failed(Text("供应商不提供。", "The vendor does not offer it."), facts, required=True, offered=False)
        if flag == "traffic_isolation" and found.state is State.MISSING and layer(case) in TRANSPARENT_LAYERS:
            return passed(
                Text("波长与 OTN 天然隔离。", "A wave or OTN is isolated by construction."),
                facts_of(term(case.offer, "layer")),
                required=True,
            )
        key = flag if flag == "telemetry" else "flag"
        question = ask(key) if key == flag else ask(key, feature=title)
        return unknown(Text("资料未写明。", "The sheet does not say."), question, facts=facts, required=True)

    return check


def _rule(flag: Flag) -> Rule:
    scenarios = ("training", "inference", "bulk")
    return Rule(
        id=f"platform.{flag.id}", step=Step.PLATFORM, title=BY_ID[flag.id].title, why=flag.why,
        formula="offered in writing", unit="", source=flag.source, check=CHECKS.get(flag.id) or _checker(flag.id),
        grades=dict(zip(scenarios, flag.grades, strict=True)), points=dict(zip(scenarios, flag.points, strict=True)),
        grade_when=flag.grade_when,
    )  # fmt: skip


RULES: tuple[Rule, ...] = tuple(_rule(flag) for flag in FLAGS)
