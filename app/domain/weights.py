"""Weights of the presets that rank by points (policy 3): one row a factor, one column a preset, each column 100."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.fields import Choice
from app.domain.text import Text

PASS_THEN_COST = "pass-then-cost"  # noqa: S105 - a preset, not a password
FULL = 100.0


@dataclass(frozen=True, slots=True)
class Factor:
    """One thing that earns 0 to 100 points; `id` is the check it goes with, or a word of its own (`outcome`)."""

    id: str
    title: Text


PRESETS = (
    Choice(PASS_THEN_COST, Text("先过门槛，再比成本", "Pass, then cost")),
    Choice("gov-service", Text("政府采购（服务类）", "Government, service")),
    Choice("gov-consultation", Text("政府采购（竞争性磋商）", "Government, consultation")),
    Choice("enterprise", Text("企业均衡", "Enterprise, balanced")),
    Choice("AI-training", Text("AI 训练从严", "AI training, strict")),
    Choice("AI-inference", Text("AI 推理", "AI inference")),
)

# A row a factor: id, title, then the weights in the order of PRESETS without pass-then-cost.
# fmt: off
_ROWS: tuple[tuple[str, Text, tuple[float, ...]], ...] = (
    ("bandwidth.effective", Text("有效带宽余量", "Margin of the effective bandwidth"), (10, 9, 8, 12, 8)),
    ("outcome", Text("利用率 / 首 token / 搬运时间", "Utilisation, first token or transfer time"), (8, 7, 7, 8, 10)),
    ("latency.rtt", Text("往返时延", "Round-trip time"), (4, 4, 3, 4, 8)),
    ("latency.jitter", Text("抖动", "Jitter"), (4, 3, 3, 6, 6)),
    ("loss.packet_loss", Text("丢包率", "Packet loss"), (6, 5, 5, 10, 5)),
    ("sla.availability", Text("可用性", "Availability"), (8, 7, 6, 6, 8)),
    ("topology.redundancy", Text("冗余与倒换", "Redundancy and failover"), (6, 6, 5, 5, 7)),
    ("topology.oversubscription", Text("收敛比与路由", "Contention and routes"), (4, 4, 3, 4, 3)),
    ("platform", Text("平台能力", "Platform"), (5, 5, 5, 10, 5)),
    ("sla.repair_time", Text("恢复时限", "Mean time to repair (restoration)"), (6, 5, 4, 4, 6)),
    ("sla.compensation", Text("赔付", "Compensation"), (7, 6, 4, 4, 6)),
    ("sla.definition", Text("SLA 口径完整性", "Completeness of the SLA"), (4, 3, 2, 2, 3)),
    ("delivery", Text("交付、退出与报价性质", "Delivery, exit and firmness"), (8, 6, 5, 5, 5)),
    ("price", Text("价格 ÷ 最高限价", "Price over the ceiling"), (20, 30, 40, 20, 20)),
)
# fmt: on
FACTORS: tuple[Factor, ...] = tuple(Factor(id_, title) for id_, title, _ in _ROWS)
FACTOR_IDS: frozenset[str] = frozenset(f.id for f in FACTORS)
WEIGHTS: dict[str, dict[str, float]] = {
    preset.code: {id_: float(row[column]) for id_, _, row in _ROWS} for column, preset in enumerate(PRESETS[1:])
}


def weights_of(preset: str, changes: dict[str, float]) -> dict[str, float]:
    """Weights of a preset with the buyer's own put in; empty for `pass-then-cost`."""
    return {**WEIGHTS[preset], **changes} if preset in WEIGHTS else {}
