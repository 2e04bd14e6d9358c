"""The stable ids of all checks, in the order of the four steps. Never renamed, never reused."""

from __future__ import annotations

PLATFORM_FLAGS: tuple[str, ...] = (
    "telemetry",
    "fast_fault_detection",
    "unified_management",
    "multi_cloud_routing",
    "traffic_isolation",
    "elastic_bandwidth",
    "mtu_adaptation",
    "address_planning",
    "api",
)

CHECK_IDS: tuple[str, ...] = (
    "bandwidth.end_to_end",
    "bandwidth.effective",
    "bandwidth.symmetric",
    "latency.rtt",
    "latency.physics",
    "latency.jitter",
    "loss.packet_loss",
    "sla.availability",
    "sla.definition",
    "sla.compensation",
    "sla.repair_time",
    "sla.failover",
    "topology.homogeneous",
    "topology.lossless_transport",
    "topology.symmetric_routes",
    "topology.oversubscription",
    "topology.redundancy",
    *(f"platform.{flag}" for flag in PLATFORM_FLAGS),
)
