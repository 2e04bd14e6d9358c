"""Every metric an offer can state, described once.

The offer JSON, the questionnaire, the offer form, the lexicon of the sheet reader, the gate matrix and the
questions all read this registry. The canonical unit is the one of `extract --json`; `scale` turns the figure
of the offer JSON (`bandwidth_gbps`) into it: canonical = figure × scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from app.domain.fields import Choice
from app.domain.text import Text


class MetricKind(StrEnum):
    """What kind of value a metric carries."""

    QUANTITY = "quantity"
    MONEY = "money"
    FLAG = "flag"
    CHOICE = "choice"
    TEXT = "text"
    DATE = "date"
    LIST = "list"
    TIERS = "tiers"
    SEGMENTS = "segments"


class Worse(StrEnum):
    """Which direction is worse for the buyer."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric: `path` is its place in the offer JSON, `low`/`high` the plausible range of the JSON figure.

    `shown_unit` is the unit people read and type, the one of the JSON key. `attributes` maps an attribute of
    the fact to its own place in the offer JSON (`statistic` → `rtt_statistic`).
    """

    id: str
    kind: MetricKind
    title: Text
    group: str
    path: str = ""
    unit: str | None = None
    shown_unit: str = ""
    scale: Decimal = Decimal(1)
    low: Decimal | None = None
    high: Decimal | None = None
    worse: Worse = Worse.NEITHER
    choices: tuple[Choice, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


GROUPS: tuple[Choice, ...] = (
    Choice("bandwidth", Text("带宽", "Bandwidth")),
    Choice("delay", Text("时延、抖动与丢包", "Delay, jitter and loss")),
    Choice("sla", Text("SLA", "SLA")),
    Choice("topology", Text("拓扑", "Topology")),
    Choice("platform", Text("平台能力", "Platform")),
    Choice("price", Text("价格", "Price")),
    Choice("quote", Text("报价条款", "Quote")),
)

LAYERS = (
    Choice("wave", Text("波长", "Wavelength")),
    Choice("otn", Text("OTN", "OTN")),
    Choice("ethernet", Text("以太网专线", "Ethernet")),
    Choice("ip", Text("IP / VPN", "IP / VPN")),
    Choice("cloud_port", Text("云端口", "Cloud port")),
)
TRANSPORTS = (
    Choice("tcp_cubic", Text("TCP CUBIC", "TCP CUBIC")),
    Choice("tcp_bbr", Text("TCP BBR", "TCP BBR")),
    Choice("rdma_go_back_n", Text("RDMA 回退重传", "RDMA, go-back-N")),
    Choice("rdma_selective_repeat", Text("RDMA 选择重传", "RDMA, selective repeat")),
    Choice("infiniband", Text("InfiniBand", "InfiniBand")),
)
STATISTICS = (
    Choice("mean", Text("均值", "Mean")),
    Choice("p95", Text("P95", "P95")),
    Choice("p99", Text("P99", "P99")),
    Choice("p999", Text("P99.9", "P99.9")),
    Choice("max", Text("最大值", "Maximum")),
)
DIRECTIONS = (
    Choice("round_trip", Text("往返", "Round trip")),
    Choice("one_way", Text("单向", "One-way")),
)
SCOPES = (
    Choice("network", Text("仅骨干网", "Network only")),
    Choice("circuit", Text("单电路", "Circuit")),
    Choice("end_to_end", Text("端到端", "End to end")),
    Choice("pair", Text("成对电路", "Pair of circuits")),
    Choice("aggregate", Text("多端口汇总", "Aggregate")),
)
PERIODS = (
    Choice("month", Text("按月", "Monthly")),
    Choice("quarter", Text("按季", "Quarterly")),
    Choice("year", Text("按年", "Yearly")),
)
COMMITMENTS = (
    Choice("guarantee", Text("合同保证", "Guarantee")),
    Choice("target", Text("目标值", "Target")),
    Choice("design", Text("设计值", "Design")),
    Choice("observed", Text("实测值", "Observed")),
)
GRADES = (
    Choice("firm", Text("可签约", "Firm")),
    Choice("budgetary", Text("预算性", "Budgetary")),
)
ENCAPSULATIONS = (
    Choice("vlan", Text("VLAN", "VLAN")),
    Choice("qinq", Text("QinQ", "QinQ")),
    Choice("vxlan", Text("VXLAN", "VXLAN")),
    Choice("gre", Text("GRE", "GRE")),
    Choice("mpls", Text("MPLS", "MPLS")),
    Choice("ipsec_gcm", Text("IPsec（AES-GCM）", "IPsec (AES-GCM)")),
    Choice("macsec", Text("MACsec", "MACsec")),
)
CLOCKS = (
    Choice("detection", Text("自检测到起", "From detection")),
    Choice("report", Text("自报障起", "From the report")),
    Choice("acceptance", Text("自受理起", "From acceptance")),
)
PRICE_ITEMS = (
    Choice("port", Text("端口", "Port")),
    Choice("a_tail", Text("A 端接入", "A-end tail")),
    Choice("z_tail", Text("Z 端接入", "Z-end tail")),
    Choice("cross_connect", Text("跳纤", "Cross-connect")),
    Choice("cloud_egress", Text("云端出流量", "Cloud egress")),
)
EXCLUSIONS = (
    Choice("planned_maintenance", Text("计划维护", "Planned maintenance")),
    Choice("emergency_maintenance", Text("紧急维护", "Emergency maintenance")),
    Choice("customer_equipment", Text("用户侧设备", "Customer equipment")),
    Choice("force_majeure", Text("不可抗力", "Force majeure")),
    Choice("third_party", Text("第三方原因", "Third parties")),
    Choice("local_loop", Text("本地接入段", "Local loop")),
    Choice("short_outage", Text("短时中断", "Outages under a threshold")),
    Choice("degradation", Text("性能劣化", "Degradation")),
    Choice("suspension", Text("欠费停机", "Suspension of the account")),
    Choice("site_access", Text("无法进入机房", "No access to the site")),
    Choice("submarine_cable", Text("海缆故障", "Submarine cable faults")),
    Choice("attack", Text("网络攻击", "Network attacks")),
    Choice("none", Text("无除外", "No exclusions")),
)

_G, _MS, _H = Decimal(10**9), Decimal("0.001"), Decimal(3600)


def _quantity(  # noqa: PLR0913 - one argument a column of the table below
    id_: str, group: str, zh: str, en: str, path: str, unit: str, shown: str, scale: Decimal,
    low: str, high: str, worse: Worse, attributes: tuple[tuple[str, str], ...] = (),
) -> Metric:  # fmt: skip
    return Metric(
        id=id_, kind=MetricKind.QUANTITY, group=group, title=Text(zh, en), path=path, unit=unit,
        shown_unit=shown, scale=scale, low=Decimal(low), high=Decimal(high), worse=worse, attributes=attributes,
    )  # fmt: skip


def _flag(id_: str, group: str, zh: str, en: str, path: str) -> Metric:
    return Metric(id=id_, kind=MetricKind.FLAG, group=group, title=Text(zh, en), path=path, worse=Worse.LOWER)


def _choice(id_: str, group: str, zh: str, en: str, path: str, choices: tuple[Choice, ...]) -> Metric:
    return Metric(id=id_, kind=MetricKind.CHOICE, group=group, title=Text(zh, en), path=path, choices=choices)


_ONE, _HI, _LO, _NO = Decimal(1), Worse.HIGHER, Worse.LOWER, Worse.NEITHER
_RTT = (("statistic", "rtt_statistic"), ("direction", "rtt_direction"))
_SLA = (("scope", "sla.scope"), ("period", "sla.period"), ("commitment", "sla.commitment"))

METRICS: tuple[Metric, ...] = (
    _choice("layer", "bandwidth", "产品类型", "Product type", "layer", LAYERS),
    _quantity("bandwidth", "bandwidth", "带宽（每方向）", "Bandwidth (per direction)", "bandwidth_gbps", "bit/s", "Gbit/s", _G, "0.000001", "100000", _LO),
    _quantity("committed_rate", "bandwidth", "承诺速率 CIR", "Committed rate (CIR)", "committed_gbps", "bit/s", "Gbit/s", _G, "0", "100000", _LO),
    _quantity("burst_rate", "bandwidth", "突发速率 PIR", "Burst rate (PIR)", "burst_gbps", "bit/s", "Gbit/s", _G, "0", "100000", _LO),
    _quantity("switch_time", "bandwidth", "弹性切换时间", "Switching time of elastic bandwidth", "switch_time_s", "s", "s", _ONE, "0", "31536000", _HI),
    Metric(id="segment_bandwidth", kind=MetricKind.SEGMENTS, group="bandwidth", title=Text("分段带宽", "Bandwidth per segment"), path="segments", unit="bit/s", shown_unit="Gbit/s", scale=_G, low=Decimal(0), high=Decimal(100000), worse=_LO),
    _flag("symmetric_bandwidth", "bandwidth", "双向带宽同时保证", "Both directions guaranteed at once", "topology.symmetric_bandwidth"),
    _quantity("oversubscription", "bandwidth", "收敛比（运营商网内）", "Oversubscription inside the carrier", "oversubscription", "1", ":1", _ONE, "0.01", "10000", _HI),
    _quantity("rtt", "delay", "往返时延", "Round-trip time", "rtt_ms", "s", "ms", _MS, "0", "100000", _HI, _RTT),
    _quantity("one_way_delay", "delay", "单向时延", "One-way delay", "", "s", "ms", _MS, "0", "100000", _HI, (("statistic", "rtt_statistic"),)),
    _quantity("jitter", "delay", "抖动", "Inter-packet delay variation", "jitter_ms", "s", "ms", _MS, "0", "100000", _HI, (("statistic", "jitter_statistic"),)),
    _quantity("packet_loss", "delay", "丢包率", "Packet loss ratio", "packet_loss", "1", "", _ONE, "0", "1", _HI),
    _quantity("bit_error_ratio", "delay", "误码率（FEC 后）", "Bit error ratio (post-FEC)", "bit_error_ratio", "1", "", _ONE, "0", "1", _HI),
    _choice("transport", "delay", "传输协议", "Transport", "transport", TRANSPORTS),
    _quantity("mtu", "delay", "端到端 MTU", "Path MTU", "mtu_bytes", "byte", "byte", _ONE, "68", "65535", _LO),
    Metric(id="encapsulation", kind=MetricKind.LIST, group="delay", title=Text("封装", "Encapsulation"), path="encapsulation", choices=ENCAPSULATIONS),
    _quantity("window", "delay", "设备窗口 / 缓存", "Window imposed by the line's equipment", "window_bytes", "byte", "byte", _ONE, "1", "1e15", _LO),
    _quantity("distance", "delay", "光缆路由长度", "Fibre route length", "distance_km", "km", "km", _ONE, "0", "50000", _HI),
    _quantity("hops", "delay", "途经设备数", "Devices on the path", "hops", "1", "", _ONE, "0", "255", _HI),
    _quantity("suppliers", "topology", "全程供应商数", "Suppliers on the path", "suppliers", "1", "", _ONE, "1", "50", _HI),
    _quantity("availability", "sla", "可用性", "Availability", "sla.availability", "1", "", _ONE, "0", "1", _LO, _SLA),
    _quantity("repair_time", "sla", "故障恢复时限", "Mean time to repair (restoration)", "sla.repair_time_h", "s", "h", _H, "0", "8760", _HI),
    _quantity("response_time", "sla", "故障响应时限", "Response time", "", "s", "h", _H, "0", "8760", _HI),
    _quantity("failover_time", "sla", "保护倒换时间", "Failover time", "sla.failover_ms", "s", "ms", _MS, "0", "86400000", _HI),
    Metric(id="credit_tier", kind=MetricKind.TIERS, group="sla", title=Text("赔付档位", "Credit tiers"), path="sla.credit_tiers", unit="1"),
    _quantity("credit_cap", "sla", "赔付上限（占月费）", "Credit cap (share of the monthly charge)", "sla.credit_cap", "1", "", _ONE, "0", "100", _LO),
    Metric(id="exclusion", kind=MetricKind.LIST, group="sla", title=Text("不计中断的情形", "Exclusions"), path="sla.exclusions", choices=EXCLUSIONS),
    _quantity("maintenance_window", "sla", "计划维护时长", "Planned maintenance", "sla.maintenance_h_per_month", "h/month", "h/month", _ONE, "0", "744", _HI),
    _choice("clock_starts", "sla", "中断起算点", "Outage clock starts", "sla.clock_starts", CLOCKS),
    _quantity("claim_window", "sla", "赔付申请期限", "Claim window", "sla.claim_days", "day", "d", _ONE, "0", "3650", _LO),
    _choice("measurement_period", "sla", "统计周期", "Measurement period", "", PERIODS),
    _flag("lossless_transport", "topology", "无损传输", "Lossless transport", "topology.lossless_transport"),
    Metric(id="lossless_mechanism", kind=MetricKind.TEXT, group="topology", title=Text("无损机制", "Lossless mechanism"), path="topology.lossless_mechanism"),
    _flag("symmetric_routes", "topology", "往返同路由", "Symmetric routes", "topology.symmetric_routes"),
    _quantity("paths", "topology", "路径数", "Number of paths", "topology.paths", "1", "", _ONE, "1", "64", _LO),
    _flag("diverse_paths", "topology", "路由物理分离", "Physically diverse paths", "topology.diverse_paths"),
    _flag("homogeneous_topology", "topology", "两端同构", "Same topology at both ends", "topology.homogeneous"),
    _flag("multi_cloud_routing", "platform", "多云路由", "Multi-cloud routing", "platform.multi_cloud_routing"),
    _flag("unified_management", "platform", "统一管理", "Unified management", "platform.unified_management"),
    _flag("elastic_bandwidth", "platform", "弹性带宽", "Elastic bandwidth", "platform.elastic_bandwidth"),
    _flag("telemetry", "platform", "端到端监测", "Telemetry", "platform.telemetry"),
    _flag("api", "platform", "API", "API", "platform.api"),
    _flag("fast_fault_detection", "platform", "快速故障检测（BFD 等）", "Fast fault detection (BFD or equal)", "platform.fast_fault_detection"),
    _flag("traffic_isolation", "platform", "流量隔离", "Traffic isolation", "platform.traffic_isolation"),
    _flag("traffic_audit", "platform", "流量审计", "Traffic audit", "platform.traffic_audit"),
    _flag("address_planning", "platform", "地址规划", "Address planning", "platform.address_planning"),
    _flag("mtu_adaptation", "platform", "MTU / MSS 适配", "MTU / MSS adaptation", "platform.mtu_adaptation"),
    Metric(id="monthly_charge", kind=MetricKind.MONEY, group="price", title=Text("月租费", "Monthly charge"), path="price.monthly", low=Decimal(0), high=Decimal("1e12"), worse=_HI),
    Metric(id="setup_charge", kind=MetricKind.MONEY, group="price", title=Text("一次性费用", "Set-up charge"), path="price.setup", low=Decimal(0), high=Decimal("1e12"), worse=_HI),
    Metric(id="usage_charge", kind=MetricKind.MONEY, group="price", title=Text("流量费（每 GB）", "Usage charge per GB"), path="price.usage_per_gb", low=Decimal(0), high=Decimal("1e6"), worse=_HI),
    _quantity("contract_term", "price", "合同期", "Contract term", "price.term_months", "month", "month", _ONE, "1", "600", _NO),
    _flag("tax_included", "price", "含税", "Tax included", "price.tax_included"),
    _quantity("tax_rate", "price", "税率", "Tax rate", "price.tax_rate", "1", "", _ONE, "0", "1", _NO),
    _quantity("exit_share", "price", "提前退订费（占剩余月费）", "Early-termination share of the remaining charges", "price.exit_share", "1", "", _ONE, "0", "10", _HI),
    _quantity("renewal_uplift", "price", "续约涨幅", "Renewal uplift", "price.renewal_uplift", "1", "", _ONE, "-1", "10", _HI),
    Metric(id="price_item", kind=MetricKind.LIST, group="price", title=Text("报价包含项", "Items included"), path="price.items_included", choices=PRICE_ITEMS),
    _choice("quote_grade", "quote", "报价性质", "Quote grade", "quote.grade", GRADES),
    Metric(id="quote_valid_until", kind=MetricKind.DATE, group="quote", title=Text("报价有效期至", "Valid until"), path="quote.valid_until"),
    _quantity("delivery", "quote", "开通周期", "Delivery", "quote.delivery_days", "day", "d", _ONE, "0", "3650", _HI),
)  # fmt: skip

BY_ID: dict[str, Metric] = {m.id: m for m in METRICS}
BY_PATH: dict[str, Metric] = {m.path: m for m in METRICS if m.path}
