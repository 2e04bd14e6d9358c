"""Invented offers for the report's tests: one that passes, one rejected, one silent, a dearer one, a soft one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.domain.assessment import Assessment, assess
from app.domain.facts import Evidence, Fact, Offer
from app.domain.offers import parse_offers
from app.domain.policy import parse_policy
from app.domain.workload import parse_workload
from tests.domain.examples import OFFER, WORKLOAD, changed

if TYPE_CHECKING:
    from collections.abc import Sequence

HASH = "5d1c" * 16
QUOTES = {
    "packet_loss": "端到端丢包率（月均）≤10⁻⁷",
    "rtt": "双向时延 P99 ≤ 10 ms（A 端机房至 Z 端机房）",
    "availability": "端到端可用性 99.99 %，按自然月统计，合同保证",
    "bandwidth": "400 Gbit/s，每方向，CIR",
}


GOOD = changed(OFFER, vendor="甲山通信", product="400G 智算专线", burst_gbps=800, switch_time_s=60)
NARROW = changed(
    GOOD, vendor="乙河网络", product="弹性专线 400",
    segments=[{"name": "A 端出口", "bandwidth_gbps": 400}, {"name": "中段", "bandwidth_gbps": 100}],
    packet_loss=1e-5, rtt_ms=9, rtt_statistic="mean", sla__availability=0.999, sla__scope="network", sla__period="year",
    price__monthly=235000,
)  # fmt: skip
SILENT = changed(
    GOOD, vendor="丙原互联", product="OTN 100GE×4", packet_loss=None, rtt_ms=8, rtt_direction=None, jitter_ms=None,
    sla__scope=None, price__monthly=392000, price__term_months=None,
)  # fmt: skip
DEAR = changed(GOOD, vendor="丁川光联", product="波长 400G", layer="wave", price__monthly=520000, rtt_ms=8)
SOFT = changed(
    GOOD, vendor="戊湖传输", product="IP 专线 400G", layer="ip", oversubscription=None, sla__commitment="target",
    quote__grade="budgetary", platform__telemetry=False, price__setup=None,
)  # fmt: skip
ALL = (GOOD, NARROW, SILENT, DEAR, SOFT)


def _from_sheet(fact: Fact, row: int) -> Fact:
    """The fact as if a sheet had said it and a person had confirmed it."""
    quote = QUOTES.get(fact.metric, fact.evidence.quote)
    evidence = Evidence(
        reader="xlsx", quote=quote, file="甲山-SLA-v3.xlsx", sha256=HASH, sheet="SLA", cell=f"C{row}", row=row, column=3
    )
    return replace(fact, evidence=evidence, confirmed_by="网络组 李工")


def with_sheet(offer: Offer) -> Offer:
    """An offer whose facts stand in a workbook."""
    return replace(offer, facts=tuple(_from_sheet(f, n) for n, f in enumerate(offer.facts, start=2)))


def judged(
    raw: Sequence[dict[str, Any]] = ALL, workload: dict[str, Any] | None = None, policy: dict[str, Any] | None = None
) -> Assessment:
    """The assessment of these offers; the first one's facts come from a workbook."""
    first, *rest = parse_offers(list(raw))
    return assess(parse_workload(workload or WORKLOAD), [with_sheet(first), *rest], parse_policy(policy))
