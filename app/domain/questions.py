"""What to ask the vendor (or the buyer), by missing field: policy section 6, in both languages."""

from __future__ import annotations

from app.domain.text import Text

QUESTIONS: dict[str, Text] = {
    "segments": Text("请分别列明 A 端出口、中段、Z 端接入的承诺带宽（每方向，CIR）。", "State the committed rate (CIR, per direction) of A-end egress, middle and Z-end access separately."),
    "rate_basis": Text("标称带宽是物理端口、MAC 层还是 IP 层速率？是否限速整形？", "Is the rate port, MAC or IP layer, and is it shaped?"),
    "bandwidth": Text("请承诺端到端带宽（每方向，CIR）。", "Commit the end-to-end bandwidth (CIR, per direction)."),
    "symmetric_bandwidth": Text("双向带宽是否同时保证？反方向速率是多少？", "Are both directions guaranteed at once? State the reverse rate."),
    "layer": Text("产品为波长、OTN、以太网、IP 还是云端口？", "Is the product a wave, OTN, Ethernet, IP or cloud-port service?"),
    "rtt_direction": Text("时延为单向还是往返？两端测量点在哪里？", "Is the latency one-way or round trip, and between which points?"),
    "rtt_statistic": Text("时延承诺是均值、P99 还是最大值？统计周期多长？", "Is it mean, P99 or maximum, and over what period?"),
    "rtt": Text("请承诺往返时延 P99（毫秒），并提供光缆路由长度。", "Commit a P99 round-trip time (ms) and give the fibre route length."),
    "physics": Text("所报时延低于光纤极限或明显绕行，请提供路由图。", "The figure is below the fibre limit or implies a detour; please supply the route map."),
    "fibre_map": Text("请提供端到端光缆路由图与光缆长度（公里）。", "Supply the end-to-end fibre map and the length of the fibre (km)."),
    "zero_loss": Text("「{name}为 0」如何证明？请给出测量方法与样本数（不少于 {n} 个包无一丢失）；否则请承诺一个可检验的上限。", "How is a {name} of 0 proved? Give the method and the sample (at least {n} packets with none lost), or commit a limit that can be tested."),
    "full_availability": Text("「可用性 100 %」是否为合同承诺？未达到时从第几分钟起赔付？请给出过往月度记录。", "Is the availability of 100% a contractual promise, from which minute is it credited, and what do past months show?"),
    "contradiction": Text("{what}互相矛盾，请更正或说明口径。", "These contradict each other: {what}. Correct them, or explain how each is defined."),
    "distance": Text("（向采购方）请确认两站点的直线距离，以便核对光纤时延下限。", "(To the buyer) Confirm the straight-line distance between the sites so that the fibre limit can be checked."),
    "evaluation_date": Text("（向采购方）报价有效期至 {until}，未填评审日期，没有核对是否已过期；请在评审规则中填写。", "(To the buyer) The quote is valid until {until}; without an evaluation date in the policy nobody has checked whether it has expired."),
    "jitter": Text("请给出抖动承诺及定义（IPDV、P99−P50 或最大−最小）。", "Commit a jitter value with its definition (IPDV, P99−P50 or max−min)."),
    "packet_loss": Text("请承诺端到端月度丢包率上限，并说明包长与测量方法。", "Commit an end-to-end monthly packet loss limit with frame size and method."),
    "bit_error_ratio": Text("OTN/波长产品请承诺 FEC 后误码率及误码秒/严重误码秒。", "For wave or OTN, commit post-FEC bit error ratio and ES/SES."),
    "lossless": Text("请说明无损机制：透明波道、深缓存（MB）、PFC/ECN 等级、支持距离。", "Name the lossless mechanism: transparent wave, buffer (MB), PFC/ECN class, distance supported."),
    "mtu": Text("端到端 MTU 与封装（VLAN、VXLAN、IPsec、MACsec）是什么？能否 ≥ 4200 字节？", "What are path MTU and encapsulation? Can it be at least 4,200 bytes?"),
    "oversubscription": Text("订购带宽在贵方网内是否 1:1 保证？若有收敛，请说明位置与比例。", "Is the ordered rate guaranteed 1:1 inside your network? If not, where and at what ratio is it shared?"),
    "availability": Text("请承诺端到端月度可用性；单电路与双电路分别是多少？", "Commit end-to-end monthly availability, for one circuit and for a pair."),
    "scope": Text("可用性是否含两端接入与云端口？", "Does availability include both access tails and cloud ports?"),
    "period": Text("可用性按月、季还是年计算？能否按月承诺？", "Is it per month, quarter or year? Can you commit per month?"),
    "commitment": Text("该指标是合同保证、目标值、设计值还是实测值？", "Is this a contractual guarantee, a target, a design or an observed value?"),
    "exclusions": Text("哪些情形不计中断？计划维护每月时长、通知期、可否冻结？", "What is excluded? Monthly maintenance hours, notice, and can we freeze it?"),
    "clock_starts": Text("中断从何时起算：检测、报障还是受理？性能劣化是否计入？", "When does the clock start: detection, report or acceptance? Does degradation count?"),
    "repair_time": Text("修复时限是恢复业务还是到场响应？是否 7×24？断纤时多少？", "Is it restoration or response, 24×7, and what if the fibre is cut?"),
    "failover": Text("保护倒换时限（毫秒）与机制（SNCP、BFD、VRRP）？是否承诺？", "State failover time (ms) and mechanism, and whether it is committed."),
    "credits": Text("一个月内连续中断 5 小时赔付多少？上限、申请期限、是否自动？", "What credit for one 5-hour outage in a month? Cap, claim window, automatic?"),
    "paths": Text("有几条路径？管道、机房、设备、入楼是否分离？请附图。", "How many paths? Are ducts, sites, devices and entries separate? Attach the map."),
    "symmetric_routes": Text("往返是否同路由？倒换后是否仍对称？", "Do both directions use one route, also after failover?"),
    "homogeneous": Text("（向采购方）两站点的轨道、叶脊比例和网卡配置是否一致？", "(To the buyer) Are rails, leaf-spine ratio and NICs the same at both sites?"),
    "other_fabric": Text("（向采购方）请填写另一站的网卡数、网卡速率与叶交换机上下行口，以便判断哪一侧较慢。", "(To the buyer) Give NICs, NIC rate and leaf ports of the other site, so that the slower side can be told."),
    "elastic_bandwidth": Text("弹性带宽的基线、峰值、切换时间、计费方式？", "Base, burst, switching time and charging of elastic bandwidth?"),
    "fixed_price": Text("同址同路由、固定 {rate} Gbit/s 的月租是多少？以便与弹性方案比较。", "What is the monthly charge of a fixed {rate} Gbit/s on the same route, to compare with the elastic offer?"),
    "telemetry": Text("监测数据粒度、保留期、接口？是否含丢包与时延？", "Granularity, retention and interface of telemetry; loss and delay included?"),
    "flag": Text("是否支持「{feature}」？请注明在本产品中是否写入合同。", "Is “{feature}” supported, and is it written into the contract for this product?"),
    "price": Text("请报出不含糊的月租费与一次性费用，并注明币种。", "Quote the monthly and the set-up charge, with the currency."),
    "price_items": Text("报价是否含端口、两端接入、跳纤、云端出流量费？请逐项列出。", "Does the price cover port, both tails, cross-connects and egress? List each item."),
    "tax": Text("是否含税？税率 9 % 或 6 %？可否开专票？", "Tax included? At 9 % or 6 %? Special VAT invoice available?"),
    "term": Text("合同期、续约涨幅、提前退订费用？", "Term, renewal uplift and early-termination charge?"),
    "rate_of_exchange": Text("（向采购方）请提供 {currency} 对 {base} 的汇率及日期。", "(To the buyer) Give the dated rate of {currency} to {base}."),
    "validity": Text("报价有效期？是否为可签约报价？是否待勘察？", "Validity? Is it firm, or subject to survey?"),
    "delivery": Text("开通周期（天）与逾期责任？验收测试由谁做？", "Days to deliver, consequence of delay, and who runs the acceptance test?"),
    "doubtful": Text("「{what}」由程序读取且未经确认，请核对原文。", "“{what}” was read by the program and is not confirmed; check it against the sheet."),
}  # fmt: skip


def ask(key: str, **values: object) -> Text:
    """The question for one missing field, with its holes filled."""
    return QUESTIONS[key].format(**values) if values else QUESTIONS[key]
