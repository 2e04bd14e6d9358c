"""What vendors call each field, as data. To add a word, add it to a row; nothing else changes.

A `Label` row: metric, words (zh and en together, split by `|`), and what the words themselves say
(direction, statistic, `complement` = the figure is 1 - value, `topic` for things that must never be taken for
a metric: advance notice, sampling, propagation in fibre). Longer words win over shorter ones.
"""

# ruff: noqa: E501 - data, a row a line
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.sheets.folding import fold, lowered


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One row of the lexicon. `metric` is None for a topic that only keeps figures away from metrics."""

    metric: str | None
    words: str
    direction: str | None = None
    statistic: str | None = None
    complement: bool = False
    downtime: bool = False
    yearly: bool = False
    topic: str = ""
    sure: bool = True


def _l(metric: str | None, words: str, **more: object) -> Label:
    return Label(metric=metric, words=words, **more)  # type: ignore[arg-type]


LABELS: Final[tuple[Label, ...]] = (
    # ---- bandwidth
    _l("bandwidth", "端口带宽|链路带宽|承诺带宽|接入带宽|电路带宽|专线带宽|线路带宽|带宽容量|标称带宽|合同带宽|订购带宽|带宽|端口速率|接口速率|线路速率|链路速率|速率|传输容量"),
    _l("bandwidth", "port speed|line rate|access speed|port rate|access rate|link speed|circuit speed|circuit bandwidth|service bandwidth|bandwidth|capacity|line speed|speed|data rate"),
    _l("committed_rate", "承诺速率|保证速率|保底带宽|CIR|committed information rate|committed rate|committed data rate|commit rate|EVC CIR"),
    _l("burst_rate", "突发速率|峰值速率|突发带宽|PIR|EIR|burst rate|peak information rate|peak rate"),
    _l("switch_time", "弹性切换时间|带宽调整时间|调速生效时间|带宽调整生效|bandwidth change time|switching time of elastic bandwidth"),
    _l("symmetric_bandwidth", "双向带宽同时保证|上下行对称|带宽对称|对称带宽|双向对称|symmetric bandwidth|symmetrical bandwidth|full duplex guaranteed|both directions guaranteed at once"),
    _l("oversubscription", "收敛比|超售比|收敛率|带宽收敛|复用比|争用比|oversubscription|over-subscription|contention ratio|contention|subscription ratio"),
    # ---- delay
    _l("rtt", "往返时延|往返延迟|往返延时|双向时延|双向延迟|环回时延|来回时延|RTT|RTD|round trip delay|round trip time|round trip latency|round-trip|ping", direction="round_trip"),
    _l("one_way_delay", "单向时延|单向延迟|单向延时|单程时延|one way delay|one way latency|one-way|OWD|frame transfer delay", direction="one_way"),
    _l("rtt", "时延|延时|延迟|网络时延|传输时延|latency|delay|transit delay|transit time|network delay"),
    _l("jitter", "时延抖动|抖动值|时延变化|时延变动|延迟抖动|抖动|jitter|delay variation|latency variation|packet delay variation|frame delay variation|inter-packet delay variation|inter-frame delay variation|PDV|IPDV|IFDV|FDV"),
    _l("packet_loss", "丢包率|包丢失率|丢帧率|丢包|is lost|are lost|packet loss ratio|packet loss rate|packet loss|frame loss ratio|frame loss rate|frame loss|loss ratio|loss rate|loss|FLR|PLR"),
    _l("packet_loss", "包送达率|包交付率|送达率|包到达率|投递率|交付率|数据包投递率|packet delivery ratio|packet delivery rate|packet delivery|frame delivery ratio|frame delivery|frames delivered|packets delivered|data delivery ratio|data delivery|delivery ratio|delivery rate|PDR", complement=True),
    _l("bit_error_ratio", "误码率|比特误码率|误比特率|bit error ratio|bit error rate|BER|bit errors"),
    _l("transport", "传输协议|承载协议|transport protocol"),
    _l("mtu", "最大传输单元|最大帧长|最大包长|MTU|maximum transmission unit|maximum frame size|maximum frame|max frame size|largest frame|longest frame|frames of up to|frames up to|jumbo frame|巨帧|巨型帧|最大报文|frame size"),
    _l("encapsulation", "封装方式|封装|encapsulation"),
    _l("window", "设备窗口|缓存窗口|window size|buffer size|设备缓存"),
    _l("distance", "光缆长度|路由长度|光缆距离|传输距离|线路长度|光纤长度|距离|皮长|公里光缆|length of the route|length of route|route of|km of fibre|km of fiber|route length|fibre length|fiber length|fibre distance|fiber distance|route distance|distance|cable length"),
    _l("hops", "跳数|途经设备数|hop count|number of hops|hops"),
    _l("suppliers", "供应商数量|全程供应商数|number of suppliers|suppliers on the path"),
    # ---- sla
    _l("availability", "可用性|可用率|可用度|网络可用度|在线率|电路可用率|业务可用性|服务可用性|链路可用率|専線可用率|稼働率|가동율|availability|uptime|service availability|network availability|is available for|are available for|available for at least|is available|are available|be available"),
    _l("availability", "不可用率|unavailability", complement=True),
    _l("availability", "累计中断时间|年中断时间|月中断时间|累计中断|中断时间|年度中断|downtime|cumulative outage|outage time", downtime=True),
    _l("repair_time", "平均修复时间|平均恢复时间|平均故障修复时间|mean time to repair|mean time to restore|mean time to restoration|mean time to recovery|MTTR|MTRS", statistic="mean"),
    _l("repair_time", "故障修复时间|故障修复时限|故障恢复时限|故障恢复时间|故障修复|故障恢复|修复时间|修复时限|恢复时间|恢复时限|业务恢复|恢复业务|恢复服务|修复|抢修时限|抢修时间|故障处理时限|恢复"),
    _l("repair_time", "time to restore|time to repair|repair time|restoration time|restore time|time to restoration|service restoration|restores service|restore service|restores|restored|restoration|restore|repaired|repair"),
    _l("response_time", "故障响应时间|故障响应时限|故障响应|响应时间|响应时限|内响应|响应|acknowledges|acknowledge|acknowledged|acknowledgement|are answered|is answered|answered within|start work|starts work|begin work|response time|time to respond|responds|respond|response|answer to a fault|answer to faults|start of repair|begins to act|mean time to respond"),
    _l("failover_time", "保护倒换时间|保护倒换|倒换时间|主备切换时间|主备切换|故障切换|切换时间|自动切换|切换至|收敛时间|倒换|switched to|is moved to|are moved to|moves over|switching in|switches in|switches within|failover time|failover|switchover time|switchover|protection switching time|protection switching|switching time|reroute time|convergence time"),
    _l("credit_cap", "赔付上限|赔偿上限|减免上限|最高赔付|赔偿封顶|credit cap|maximum credit|max credit|cap on credits|liability cap"),
    _l("credit_cap", "违约赔付|违约赔偿|赔付标准|service credit|service credits|credits", sure=False),
    _l("exclusion", "除外情形|除外条款|不计中断|免责情形|免责条款|不计入|not counted|not counted as downtime|not counted as outage|what is not counted|exclusions|exclusion|excluded events"),
    _l("maintenance_window", "计划割接|计划维护|维护窗口|计划内维护|割接窗口|割接维护|计划性割接|割接|计划维护时长|例行维护|例行检修|planned maintenance|maintenance window|scheduled maintenance|engineering works|planned works|planned work"),
    _l("clock_starts", "中断起算点|计时起点|中断起算|计时起始|outage clock starts|clock starts|outage starts"),
    _l("claim_window", "索赔期限|赔付申请期限|申请期限|claim window|claim period|claims within"),
    _l("measurement_period", "统计周期|考核周期|测量周期|计量周期|measurement period|measuring period|reporting period"),
    # ---- topology
    _l("lossless_transport", "无损传输|无损网络|RoCE无损|无损|支持RoCE|RoCEv2|RoCE|RDMA|lossless transport|lossless ethernet|lossless"),
    _l("lossless_mechanism", "无损机制|无损实现方式|lossless mechanism"),
    _l("symmetric_routes", "来回路径一致|往返同路由|往返路径一致|来回同路由|路由对称|对称路由|双向同路由|symmetric routes|symmetric routing|symmetric route|symmetrical routing|follow the same route|same route in both directions|co-routed"),
    _l("paths", "路由数量|路径数|路由数|路由条数|number of paths|number of routes|paths"),
    _l("diverse_paths", "路由物理分离|双路由物理分离|物理分离|物理双路由|路由分离|异路由|diverse paths|diverse routes|route diversity|path diversity|physically diverse|diverse routing"),
    _l("homogeneous_topology", "两端同构|拓扑同构|拓扑一致|同构拓扑|homogeneous topology|same topology at both ends|identical topology"),
    # ---- platform
    _l("multi_cloud_routing", "多云互联路由|多云互联|多云路由|多云接入|多云连接|multi-cloud routing|multi-cloud connectivity|multi-cloud|multicloud"),
    _l("unified_management", "统一运维管理|统一管理|统一运维|统一管控|集中管理|unified management|single pane of glass|central management|unified portal"),
    _l("elastic_bandwidth", "弹性带宽|带宽弹性|带宽弹性调整|带宽按需调整|按需带宽|弹性扩容|bandwidth be changed|change the bandwidth|elastic bandwidth|bandwidth on demand|flexible bandwidth|BoD"),
    _l("telemetry", "遥测|端到端监测|端到端监控|性能监测|性能监控|质量监测|telemetry|performance monitoring|end-to-end monitoring|monitoring"),
    _l("api", "开放API|开放接口|API接口|北向接口|API|open API|northbound"),
    _l("fast_fault_detection", "快速故障检测|故障快速检测|BFD|fast fault detection|fast failure detection"),
    _l("traffic_isolation", "流量隔离|业务隔离|硬隔离|硬切片|traffic isolation|traffic separation"),
    _l("traffic_audit", "流量审计|流量稽核|traffic audit|traffic auditing"),
    _l("address_planning", "地址规划服务|地址规划|IP地址规划|address planning|IP planning"),
    _l("mtu_adaptation", "MTU适配|MSS适配|MTU调整|MSS调整|MTU/MSS适配|MTU adaptation|MSS adaptation|MSS clamping"),
    # ---- price and quote
    _l("monthly_charge", "月租费|月租金|月租|月费|月服务费|月资费|每月费用|包月费|月使用费|月付|MRC|NRC/MRC|monthly recurring charge|monthly recurring|monthly charge|monthly fee|monthly rental|monthly price|monthly cost|monthly rate|monthly port fee|port fee|monthly service fee|price per month|charge per month|fee per month|rental"),
    _l("monthly_charge", "年租费|年租金|年费用|年费|年服务费|年资费|年使用费|annual recurring charge|annual charge|annual fee|annual rental|yearly charge|yearly fee|price per year", yearly=True),
    _l("setup_charge", "一次性开通费|一次性费用|一次性接入费|一次性|建设费|开通费|初装费|安装费|接入费|调测费|工料费|NRC|non-recurring charge|non recurring charge|one-time charge|one-off charge|one-off fee|one-off cost|one-off price|one-off|one-time activation|one-time cost|one-time price|connection fee|connection charge|activation charge|activation|one time fee|one-time fee|set-up fee|setup fee|set-up charge|setup charge|installation charge|installation fee|installation|install fee|activation fee|set-up|setup"),
    _l("usage_charge", "流量费|流量单价|usage charge|traffic charge|price per GB|per-GB charge"),
    _l("contract_term", "合同期限|合同期|合约期|租期|租用期|服务期限|服务期|计费周期|最短租期|签约期|签约年限|合约年限|合同年限|minimum commitment|commitment period|commitment term|minimum period|contract duration|contract term|minimum term|initial term|contract period|contract length|term"),
    _l("tax_included", "是否含税|价格含税|tax included|taxes included"),
    _l("tax_rate", "税率|增值税率|VAT rate|tax rate"),
    _l("exit_share", "提前退订费|提前终止违约金|退订违约金|early termination charge|early termination fee|early termination"),
    _l("renewal_uplift", "续约涨幅|续租涨幅|renewal uplift|renewal increase"),
    _l("price_item", "报价包含项|费用包含|包含项|items included|included items"),
    _l("quote_grade", "报价性质|报价类型|quote grade|quotation type|quote type"),
    _l("quote_valid_until", "报价有效期至|报价有效期|有效期至|有效期|quote valid until|valid until|quotation validity|quote validity|validity"),
    _l("delivery", "开通周期|开通时间|交付周期|交付时间|开通时限|建设周期|供货周期|交付期|lead time|delivery time|delivery|provisioning time|installation time|time to deliver"),
    _l("layer", "产品类型|专线类型|电路类型|传输技术|承载技术|service type|circuit type|product type|technology|layer"),
    _l("segment_bandwidth", "分段带宽|bandwidth per segment"),
    # ---- topics: figures near these words belong to none of our metrics
    _l(None, "提前通知|提前|预先通知|通知|advance notice|in advance|notice|ahead|announced", topic="notice"),
    _l(None, "采样间隔|采样周期|测量间隔|采样|每隔|sampling interval|sampled every|sampling|polled every|polling", topic="sampling"),
    _l(None, "光信号|光纤中传播|传播速度|light needs|speed of light|fibre adds|fiber adds|propagation", topic="propagation"),
    _l(None, "现场服务|到场|上门|site visit|on site|on-site", topic="site visit"),
    _l(None, "报修热线|热线电话|电话|传真|邮编|phone|hotline|fax|telephone|tel", topic="contact"),
    _l(None, "机房面积|机柜|rack|cabinets|机柜数", topic="site"),
    _l(None, "备注编号|合同编号|编号|contract number|quote number|reference number", topic="reference"),
    _l(None, "预算|budget|采购预算|最高限价|price ceiling|我方要求|贵方要求|your requirement|your budget", topic="buyer"),
    _l(None, "报文长度|帧长度|packet size|测试报文|test frame", topic="test"),
)  # fmt: skip


# Words that name a metric only when a heading says nothing else: in running text they qualify a price.
WHOLE: Final[tuple[Label, ...]] = (
    _l("setup_charge", "connection|开通|接入"),
    _l("tax_included", "含税|是否含税|含税否|价税|tax incl.|incl. tax|vat incl.|incl. vat"),
)


@lru_cache(maxsize=1024)
def whole_label(text: str) -> Label | None:
    """The metric of a heading that consists of one short word ("含税"), None otherwise."""
    low = lowered(fold(text)).strip(" ?？:：")
    return next((label for label in WHOLE if low in label.words.split("|")), None)


@dataclass(frozen=True, slots=True)
class Hit:
    """One lexicon word found in a text."""

    start: int
    end: int
    label: Label
    word: str


def _body(word: str) -> str:
    """Regular expression of one folded word after its first character: blanks and hyphens are one.

    Between Latin letters and CJK a blank may stand or not ("MTU 适配").
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[^\x00-\x7f])|(?<=[^\x00-\x7f])(?=[a-z0-9])", " ", word)
    body = re.sub(r"(?:\\ |\\-| |-)+", r"[ -]?", re.escape(spaced[1:]))
    if not word[0].isascii():
        return body
    return body + ("s?" if word[-1].isascii() and word[-1].isalpha() else "") + r"(?![a-z])"


def _plain(word: str) -> str:
    return re.sub(r"[ -]", "", word)


def _index() -> tuple[re.Pattern[str], dict[str, Label]]:
    """One pattern for all words, branched by first character (a flat alternation is ten times slower)."""
    words: dict[str, Label] = {}
    spelled: dict[str, list[str]] = {}
    for label in LABELS:
        for word in (lowered(fold(w)) for w in label.words.split("|")):
            words.setdefault(_plain(word), label)
            spelled.setdefault(word[0], []).append(word)
    branches = [
        (r"(?<![a-z0-9])" if first.isascii() else "")
        + re.escape(first)
        + "(?:"
        + "|".join(_body(w) for w in sorted(group, key=len, reverse=True))
        + ")"
        for first, group in spelled.items()
    ]
    return re.compile("|".join(branches)), words


_PATTERN, _WORDS = _index()


@lru_cache(maxsize=4096)
def labels_in(text: str) -> tuple[Hit, ...]:
    """Every lexicon word of a folded text, longest first at each place, none overlapping."""
    hits = []
    for match in _PATTERN.finditer(lowered(text)):
        word = _plain(match.group())
        label = _WORDS.get(word) or _WORDS.get(word.removesuffix("s"))
        if label:
            hits.append(Hit(match.start(), match.end(), label, match.group()))
    return tuple(hits)
