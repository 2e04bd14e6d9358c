"""The example of the contract: a 175B job on two sites and one 400G offer, with helpers to change single fields."""

from __future__ import annotations

import copy
from typing import Any

from app.domain.assessment import Assessment, Judged, assess
from app.domain.offers import parse_offers
from app.domain.policy import parse_policy
from app.domain.presets import BY_ID
from app.domain.rules import Verdict
from app.domain.workload import parse_workload

WORKLOAD: dict[str, Any] = BY_ID["175b_data"].workload
OFFER: dict[str, Any] = {
    "vendor": "甲运营商", "product": "400G 智算专线", "layer": "otn", "bandwidth_gbps": 400,
    "segments": [
        {"name": "A-end egress", "bandwidth_gbps": 400},
        {"name": "backbone", "bandwidth_gbps": 400},
        {"name": "Z-end access", "bandwidth_gbps": 400},
    ],
    "rtt_ms": 10, "rtt_statistic": "p99", "rtt_direction": "round_trip", "jitter_ms": 0.05, "jitter_statistic": "p99",
    "packet_loss": 1e-7, "mtu_bytes": 9000, "encapsulation": ["vlan"], "oversubscription": 1, "distance_km": 500,
    "suppliers": 1,
    "sla": {
        "availability": 0.9999, "scope": "end_to_end", "period": "month", "commitment": "guarantee",
        "repair_time_h": 4, "failover_ms": 50, "credit_tiers": [{"from": 0.999, "to": 0.9999, "credit": 0.1}],
        "credit_cap": 0.5, "exclusions": ["planned_maintenance"], "maintenance_h_per_month": 4,
        "clock_starts": "detection", "claim_days": 30,
    },
    "topology": {
        "lossless_transport": True, "lossless_mechanism": "transparent wave", "symmetric_routes": True, "paths": 2,
        "diverse_paths": True, "symmetric_bandwidth": True, "homogeneous": None,
    },
    "platform": {
        "multi_cloud_routing": True, "unified_management": True, "elastic_bandwidth": True, "telemetry": True,
        "api": True, "fast_fault_detection": True, "traffic_isolation": True, "traffic_audit": None,
        "address_planning": None, "mtu_adaptation": True,
    },
    "price": {
        "monthly": 400000, "setup": 50000, "currency": "CNY", "term_months": 24, "tax_included": True,
        "tax_rate": 0.09, "items_included": ["port", "a_tail", "z_tail", "cross_connect"],
    },
    "quote": {"grade": "firm", "valid_until": "2027-03-31", "delivery_days": 45},
}  # fmt: skip


def changed(base: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A deep copy with changes; `sla__availability=0.99` sets a nested field, `...` removes it."""
    out = copy.deepcopy(base)
    for path, value in changes.items():
        *parents, last = path.split("__")
        target = out
        for parent in parents:
            target = target.setdefault(parent, {})
        if value is ...:
            target.pop(last, None)
        else:
            target[last] = value
    return out


def offer(**changes: Any) -> dict[str, Any]:
    """The example offer with changes."""
    return changed(OFFER, **changes)


def workload(preset: str = "175b_data", **changes: Any) -> dict[str, Any]:
    """A preset workload with changes."""
    return changed(BY_ID[preset].workload, **changes)


def judge_all(offers: list[dict[str, Any]], job: dict[str, Any] | None = None, policy: Any = None) -> Assessment:
    """Assess offers given as JSON."""
    return assess(parse_workload(job or WORKLOAD), parse_offers(offers), parse_policy(policy))


def judge_one(job: dict[str, Any] | None = None, policy: Any = None, **changes: Any) -> Judged:
    """Assess the example offer with changes."""
    return judge_all([offer(**changes)], job, policy).offers[0]


def check(judged: Judged, check_id: str, scenario: str | None = None) -> Verdict:
    """One check of a judged offer."""
    return next(c for c in judged.checks if c.rule.id == check_id and scenario in (None, c.scenario))
