"""Words that qualify a figure or a column, as data: operators, statistics, scopes, states, column roles.

Every table maps regular expressions over folded, lower-cased text to a word of the contract.
"""

# ruff: noqa: E501 - data, a row a line
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

Table = tuple[tuple[re.Pattern[str], str], ...]


def _table(*rows: tuple[str, str]) -> Table:
    return tuple((re.compile(pattern), value) for pattern, value in rows)


BEFORE_OPERATOR: Final = _table(
    (r"(?:<=|≤|⩽|≦|=<|不高于|不超过|不大于|不多于|不得超过|不得高于|不长于|最多|至多|至高|上限为?|小于等于|小于或等于|低于或等于|not exceed(?:ing)?|not to exceed|never exceeds?|no more than|not more than|not longer than|at most|up to|maximum of|within|max\.?|capped at|limited to|以内)$", "<="),
    (r"(?:>=|≥|⩾|≧|=>|不低于|不少于|不小于|至少|大于等于|大于或等于|高于或等于|no less than|not less than|at least|minimum of|no lower than|min\.?)$", ">="),
    (r"(?:<|＜|小于|低于|少于|短于|不到|less than|lower than|below|under|stay below)$", "<"),
    (r"(?:>|＞|大于|高于|多于|超过|more than|greater than|above|over|exceeding)$", ">"),
    (r"(?:优于|好于|better than)$", "better"),
    (r"(?:不劣于|不差于|no worse than|not worse than)$", "better_or_equal"),
    (r"(?:=|＝|等于)$", "="),
)  # fmt: skip
AFTER_OPERATOR: Final = _table(
    (r"^(?:以内|之内|内(?!部|网)|以下|or less|or lower|or below|or faster)", "<="),
    (r"^(?:以上|及以上|起|or more|or higher|or above|minimum)", ">="),
    (r"^(?:or better|或更优|及更优)", "better_or_equal"),
)  # fmt: skip
OPERATOR_GAP: Final = re.compile(r"[\s:\"“”'‘’(（]*(?:about|approx\.?|approximately|roughly|约|大约)?[\s:]*$")

STATISTIC: Final = _table(
    (r"p99\.9(?!\d)|99\.9th percentile|99\.9分位", "p999"),
    (r"p99(?![\d.]\d)|99th (?:percentile|pct)|99分位|99 ?% ?(?:的|of (?:all |the )*)?(?:samples|样本|采样)", "p99"),
    (r"p95(?![\d.]\d)|95th (?:percentile|pct)|95分位|95 ?% ?(?:的|of (?:all |the )*)?(?:samples|样本|采样)", "p95"),
    (r"平均|均值|月均|年均|日均|\bavg\b|\baverage[ds]?\b|\bmean\b", "mean"),
    (r"最大(?!传输单元|帧长|包长)|最高|峰值|最差|\bmax(?:imum)?\b(?! (?:transmission|frame))|\bworst\b|\bpeak\b", "max"),
)  # fmt: skip
DIRECTION: Final = _table(
    (r"往返|双向|来回|环回|往復|\brtt\b|\brtd\b|round[ -]?trip|there and back|\bping\b|two[ -]way", "round_trip"),
    (r"单向|单程|one[ -]?way|\bowd\b", "one_way"),
)  # fmt: skip
SCOPE: Final = _table(
    (r"双电路|双线(?!路)|双链路|成对|两条电路|双端口|主备电路|成对链路|双专线|两条链路|(?<!city )(?<!site )(?<!per )\bpair\b|two circuits, two|redundant pair|pair of circuits|dual circuits?|both circuits|two ports|both ports|two connections|双端口|双专线", "pair"),
    (r"端到端|end[ -]to[ -]end|access included|含接入|全程", "end_to_end"),
    (r"骨干网?|核心网|网内|pop ?(?:to|-) ?pop|\bbackbone\b|\bcore\b|points? of presence|core nodes|network only|仅网络", "network"),
    (r"多端口汇总|汇总|aggregate", "aggregate"),
    (r"单条电路|单电路|单线|单条|每条电路|单链路|per circuit|each circuit|single circuit|single line|one circuit|per line", "circuit"),
)  # fmt: skip
PERIOD: Final = _table(
    (r"季度|按季|每季|quarter(?:ly)?\b", "quarter"),
    (r"(?<!个)(?<!\d)(?:自然月|日历月|计费月|月度|按月|每月|每个月|月均|月平均)|^月(?=[^租费付服资使度末底初])|[(（]月[)）]|\bmonth(?:ly)?\b|per month|calendar month|billing month", "month"),
    (r"(?:自然年|全年|年度|按年|每年|年均)|^年(?=[^租费付])|[(（]年[)）]|[,(] ?year\b|\b(?:yearly|annual(?:ly)?|per year|per annum|calendar year|every year)\b", "year"),
)  # fmt: skip
COMMITMENT: Final = _table(
    (r"实测|实际|观测|\benjoyed\b|\bachieved\b|\bduring (?:19|20)\d{2}\b|去年|上年|上一年|\d{4}年度?(?:平均|全年|累计)|\bin (?:the year )?(?:19|20)\d{2}\b.*\bwas\b|\b(?:was|were|we saw|we measured|measured)\b.{0,40}\b(?:last|past|previous|in) (?:year|quarter|month|(?:19|20)\d{2}|(?:january|february|march|april|may|june|july|august|september|october|november|december))\b|\b(?:last|past|previous) (?:year|quarter|month)\b.{0,60}\b(?:was|were|saw|measured|needed|took|achieved)\b|\blast year needed|历史|近三个月|仅供参考|运行数据|\bobserved\b|\bactual(?:ly)?\b|\btypical(?:ly)?\b|measured value|for information|for reference|historic", "observed"),
    (r"设计值|设计为|设计指标|设计目标|designed (?:for|to)|design (?:goal|target|value)|engineered", "design"),
    (r"目标|力争|尽力|期望|参考值|^参考$|典型值|\bindicative\b|\btargets?\b|\bobjectives?\b|\bgoals?\b|\bstrives?\b|\baims?\b|\bslo\b|best effort", "target"),
    (r"(?<!不)(?<!未)(?<!无)(?:承诺|保证|保障值|担保)|(?<!not )\bguarante(?:e|es|ed)\b|\bcommit(?:s|ted|ment)\b|\bwarrant", "guarantee"),
)  # fmt: skip
CONDITION: Final = re.compile(
    r"\bports?\b|circuits?\b|同一|不同|两个|单专线|双专线|城区|郊区|市区|县|农村|跨省|省内|省际|境内|境外|国际|本地|长途|单条|单电路|单线|单链路|双电路|双线|双链路|双路由|主用|备用|备份|应急|主备|有保护|无保护"
    r"|\bif\b|\bwhen\b|\bwhere\b|unless|otherwise|protected|unprotected|single|dual|redundant|standby|backup|primary|\btier\b|gold|silver|on request|optional"
    r"|business hours|working hours|工作时间|工作日|可选|按需|可申请|中断时|情况下|fib(?:re|er) (?:is |was )?(?:cut|broken)|光缆中断|\bvia\b|经由|over (?:the )?\w+ (?:hub|route)"
)  # fmt: skip
OPTIONAL: Final = re.compile(r"(?:up)?on request|optional(?:ly)?|可申请|可选|按需|选配")
CAPTION_UNIT: Final = re.compile(
    r"单位 ?: ?([^\s,，;；、()（）]+)|(?:prices|charges|amounts|fees) (?:are )?(?:stated |quoted )?in ([A-Za-z$€£]{1,4}(?: ?/ ?(?:month|year))?)"
)
LATER_CONDITION: Final = re.compile(r"\b(?:if|when|where|unless|for)\b|中断时|情况下|的情形|时$")

ADDED: Final = re.compile(
    r"\b(?:add|adds|additional|extra|plus|increase|increases|baseline|drift)\b|另加|增加|附加|基线|上浮"
)
STARTS: Final = re.compile(r"start of (?:the )?repair|开始(?:修复|处理|抢修)|repair (?:work )?(?:starts|begins)")
CLOCK_RANGE: Final = re.compile(r"[0-2]?\d:[0-5]\d\s?[-~至到]\s?[0-2]?\d:[0-5]\d")

NONE: Final = re.compile(
    r"不承诺|不作承诺|不做承诺|未承诺|无承诺|不予承诺|不保证|不作保证|不提供(?:[^，。；,;]{0,8})?(?:保证|承诺)|无sla|没有sla|不提供sla|尽力而为"
    r"|\bno sla\b|\bnone committed\b|not committed|\bno [\w -]{0,24}commitment\b|not guaranteed|no guarantee|without guarantee|no \w+ sla is offered|is not offered|not offered|best[ -]effort"
    r"|\bdo(?:es)? not (?:commit|guarantee)\b|\bno (?:service level|[\w-]+ figure|figure|guarantee|promise) (?:is|are) (?:given|offered|made)\b|\bgives? no (?:[\w-]+ ){0,2}(?:figure|commitment|guarantee|promise)\b"
)  # fmt: skip
NONE_CELL: Final = re.compile(r"^(?:none|无|no|uncommitted)$")
ELSEWHERE: Final = re.compile(
    r"以.{0,12}为准|见附件|见附录|详见|参见|见合同|见.{0,12}(?:附件|附录|附表|章节|条款|商务标|技术标|商务文件|报价文件|分册|合同|订单|第.{1,4}[章条节款])|另行(?:约定|协商|签订|确定)|按.{0,8}(?:协议|合同)执行|合同约定"
    r"|\bsee\b|refer to|as per\b|per (?:the )?(?:contract|order form|schedule|agreement)|set out in|specified in|as defined in|appendix|annex\b|order form|\benvelope [a-z]\b|separate (?:envelope|cover)"
)  # fmt: skip
OPEN: Final = re.compile(
    r"面议|另议|商议|待定|待议|待确认|单独报价|另行报价|根据.{0,8}(?:勘察|核算)|个案|\bpoa\b|price on application|\bicb\b|individual case|\btbd\b|\btbc\b|\btba\b|on application|(?:up)?on request|to be (?:agreed|confirmed|defined|advised)|ask us|on enquiry|negotiable"
)  # fmt: skip
NO_VALUE: Final = re.compile(
    r"^(?:n\.?/?a\.?|n/s|nil|not applicable|not available|not stated|不适用|无数据|[-—–─/\\_.*~…]+|\(略\)|略|空|null|nan|inf(?:inity)?)$"
)
FREE: Final = re.compile(
    r"免收|免费|免除|不收取|不收费|减免全部|赠送|全免|^免$|\bwaived?\b|\bfree\b(?! of tax)|free of charge|no charge|no cost|\bnil charge\b"
)
INCLUDED: Final = re.compile(r"^(?:已?包含|含在.{0,6}内|包含在.{0,8}|included(?: in .*)?)$")
COMPLIES: Final = re.compile(
    r"^(?:完全)?(?:满足|符合|响应|无偏离|正偏离|达标|同意|comply|complies|compliant|fully compliant|yes|agreed|accepted|满足要求|符合要求)[。.!]?$"
)

NEGATIVE: Final = re.compile(
    r"不支持|暂不|不提供|不具备|不可|没有|未提供|未开通|^否|^无(?!损)|^×|^✗|^✘|^x$|^n$|^no\b|not supported|not provided|not available|unsupported|\bnot\b|\bnone\b|unavailable"
)
REFUSED: Final = re.compile(
    r"^[\s:：]*(?:不满足|不支持|暂不支持|尚不支持|不提供|不具备|否(?![则认])|no\b|not (?:supported|available|today|offered|provided|at present)|\[n\])"
)
PLANNED: Final = re.compile(r"规划|计划中|计划支持|开发中|在建|即将|planned|roadmap|coming|in development|future")
PARTLY: Final = re.compile(r"部分|可选|有限|partial|partly|optional|limited|△|on request|另收费|选配|○|◯")
POSITIVE: Final = re.compile(
    r"支持|具备|提供|满足|可以|^可$|^是|^有|^√|^✓|^✔|^☑|^●|^■|^y$|^yes|\bsupport(?:s|ed)?\b|\bprovided\b|\bincluded\b|\bavailable\b|\btrue\b|含|保证|标配|standard|\byes\b"
)
TICKS: Final = "√✓✔☑×✗✘○◯●■□△▲◎☆★"

CREDIT: Final = re.compile(
    r"减收|减免|赔付|赔偿|抵扣|返还|扣减|扣月租|违约金|补偿|service credits?|\bcredits?\b|credited|refund|compensation|rebate|penalt|liquidated"
)
NO_CREDIT: Final = re.compile(
    r"不(?:作为|属于|适用)?.{0,4}(?:赔付|赔偿|减免)|无(?:赔付|赔偿)|\bno (?:right to (?:a |any )?)?(?:service )?credits?\b"
)
CAP: Final = re.compile(
    r"不超过|上限|封顶|最高|至多|最多|\bcap(?:ped|s)?\b|exceed|(?:not|never) pass\b|limited to|maximum|at most|up to|(?:no|not) more than"
)
EXCLUDED: Final = re.compile(
    r"不计入|不计中断|不在.{0,6}范围|除外|不包括|免责|不视为|不承担|不算|not counted|excluded|exclusions?\b|does not include|do not count|not downtime|not included|are not"
)
NOTE_ROW: Final = re.compile(r"[。；;]|^(?:注|备注|说明|note|remark)s?\s?\d*\s?[:.]", re.IGNORECASE)
EXAMPLE_ROW: Final = re.compile(
    r"^[(（\[【]?(?:填写|填报|填表)?(?:示例|样例|范例|举例|例如|例[:：)）]|例\d?$)|^[(（\[]?(?:example(?:$|[ :)\d]+(?:row|only|answer|vendor|values?)?$|[:)])|sample (?:row|answer|vendor)|e\.g\.)"
)
EXAMPLE: Final = re.compile(
    r"(?:^|[\s(（])(?:例如|举例|示例|例:|比如|算例)|\bexample\b|for instance|\be\.g\.|still means|worked case"
)
ESTIMATE: Final = re.compile(
    r"仅供估算|经验值|not a promise|rule of thumb|light needs|speed of light|光纤中传播|per kilometre of"
)
MONTHLY: Final = re.compile(r"月租|月费|月资费|月付|包月|每月|/月|\bmonthly\b|\bmrc\b|per month")
ONCE: Final = re.compile(r"\s*(?:once\b|one[ -](?:off|time)\b|\(once\)|一次性)")
EACH_TIME: Final = re.compile(r"每次|单次|\beach (?:time|window|occasion)\b|\bper (?:window|occasion)\b")
UNIT_PRICE: Final = re.compile(r"Mbps|Mbit/s|Gbps|^M$|^G$|端口|port|公里|km|circuit")

EXCLUSION_KINDS: Final = _table(
    (r"计划.{0,4}(?:维护|割接|检修)|割接|例行维护|预先通知的维护|(?:planned|scheduled) (?:maintenance|works?|outages?)|maintenance window", "planned_maintenance"),
    (r"紧急(?:维护|割接|抢修)|emergency (?:maintenance|works?)|unscheduled maintenance", "emergency_maintenance"),
    (r"(?:客户|用户|租用方|甲方|买方|客户侧|用户侧).{0,6}(?:设备|原因|故障|侧|电力|操作)|customer(?:'s)?(?:[ -](?:premises|owned|side|provided))? (?:equipment|fault|cause|power|action)|faults? (?:in|of|caused by) (?:the )?customer", "customer_equipment"),
    (r"不可抗力|force majeure|beyond (?:its |our |the )?(?:reasonable )?control", "force_majeure"),
    (r"第三方|其他运营商|third part(?:y|ies)|other carriers?", "third_party"),
    (r"本地(?:接入|环路)|接入段|local loop|access loop|last mile", "local_loop"),
    (r"(?:短于|少于|小于|不足).{0,6}(?:中断|闪断)|闪断|瞬断|outages? (?:shorter|under|below|less) |short outages?", "short_outage"),
    (r"劣化|性能下降|degradation|degraded", "degradation"),
    (r"欠费|停机|暂停服务|suspen(?:d|sion)", "suspension"),
    (r"无法进入|不能进入|未获准进入|(?:no|lack of|denied|without) (?:site )?access|access to (?:the )?(?:site|premises)", "site_access"),
    (r"海缆|海底光缆|(?:submarine|subsea|undersea) (?:cable|system)", "submarine_cable"),
    (r"ddos|网络攻击|黑客|denial[ -]of[ -]service|cyber ?attack", "attack"),
    (r"无除外|no exclusions?", "none"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that state a fact by themselves: 双路由 = two paths."""

    pattern: re.Pattern[str]
    metric: str
    value: str


PHRASES: Final[tuple[Phrase, ...]] = tuple(
    Phrase(re.compile(p), m, v)
    for p, m, v in (
        (r"双路由|双路径|双物理路由|主备路由|两条(?:不同)?(?:物理)?路由|1\s?[+:]\s?1\s?(?:sncp|osncp)?\s?(?:保护|热备|备份|protect|redundan)|dual(?:[ -]\w+)? (?:routes?|paths?)|two (?:\w+ ){0,2}(?:routes?|paths?)|two separate (?:cables|ducts)", "paths", "2"),
        (r"单路由|单路径|无保护路由|single (?:route|path)|one (?:route|path)", "paths", "1"),
        (r"不超售|无超售|无收敛|不收敛|no (?:over-?)?subscription|no contention|uncontended|non-?blocking|not oversubscribed", "oversubscription", "1"),
        (r"预算性|预算报价|预估报价|估算报价|仅供参考报价|不具(?:有)?约束力|budgetary|indicative (?:quote|price|pricing|offer)|non-?binding", "quote_grade", "budgetary"),
        (r"(?<!不)可签约|正式报价|有约束力的?报价|firm (?:quote|quotation|price|offer)|binding (?:quote|quotation|price|offer)", "quote_grade", "firm"),
        (r"双向(?:带宽)?同时(?:保证|保障|满速)|both directions (?:guaranteed )?at once|full line rate in both directions", "symmetric_bandwidth", "true"),
        (r"三路由|三路径|three (?:\w+ )?(?:routes|paths)", "paths", "3"),
        (r"(?<!不)(?:同沟|同缆|同管道|同一管道)|未分离|不分离|非物理分离|same (?:duct|cable|conduit)|shared duct|not diverse", "diverse_paths", "false"),
        (r"物理分离|不同(?:的)?(?:沟|管道|管孔|光缆|缆)|异沟|异缆|完全分离|路由分离|异路由|divers(?:e|ely routed) (?:routes?|paths?)|physically (?:diverse|separate)|separate (?:cables|ducts)", "diverse_paths", "true"),
        (r"(?:来回|往返|双向)(?:同(?:一)?(?:路径|路由)|(?:路径|路由)(?:一致|相同))", "symmetric_routes", "true"),
    )
)  # fmt: skip
PHRASE_LABEL: Final = re.compile(r"路由|路径|保护|组网|冗余|拓扑|\broute|\bpath|protection|redundan|topology|diversity")
TAX_INCLUDED: Final = re.compile(
    r"(?<!不)含税|\bincl(?:uding|\.|usive of)? ?(?:of )?(?:tax|vat)|tax included|vat included"
)
TAX_EXCLUDED: Final = re.compile(
    r"不含税|未税|税前|\bexcl(?:uding|\.|usive of)? ?(?:of )?(?:tax|vat)|tax excluded|plus vat|net of tax"
)

TAX_RATE: Final = re.compile(
    r"(?:税率|含税|增值税|税点|\bvat\b|\btax\b)(?: ?(?:rate|of|at|is|为|按))?[ :(（,，]{0,2}(\d{1,2}(?:\.\d+)?) ?%"
    r"|(\d{1,2}(?:\.\d+)?) ?% ?(?:的?增值税|的?税率|税点|税率|vat\b|tax\b)"
)

ROLES: Final[dict[str, str]] = {
    "sequence": "序号|编号|条款号|条款|条款编号|clause|clause no|ref|ref.|no|no.|#|item no|item no.|s/n|sn|项次|行号",
    "unit": "单位|计量单位|unit|units|uom",
    "requirement": "采购要求|招标要求|需求|要求|技术要求|甲方要求|指标要求|招标文件要求|采购需求|买方要求|需求值|要求值|requirement|requirements|required|buyer requirement|buyer's requirement|customer requirement|requested|rfp requirement|our requirement|minimum requirement|minimum required|required value|threshold",
    "response": "投标响应|响应|应答|响应值|承诺值|投标值|投标应答|供应商响应|厂商响应|响应内容|应答内容|承诺|报价|数值|值|取值|标准值|参数值|内容|服务标准|服务承诺|指标值|offered|response|bidder response|vendor response|supplier response|offer|commitment|committed|committed value|value|offered value|our offer|sla|service level|guarantee|guaranteed value|specification|detail|details",
    "deviation": "偏离情况|偏离|偏离说明|是否满足|满足情况|符合性|deviation|compliance|compliant|compliant?|comply|c/pc/nc|status",
    "remark": "备注|说明|证明材料|支撑材料|佐证材料|页码|索引|evidence|supporting document|注释|补充说明|remarks|remark|notes|note|comments|comment|measured how|how measured|测量方法|source|依据|统计口径|统计方式|口径|测量口径|statistic|basis",
    "label": "指标|指标项|指标名称|参数|参数名称|项目|能力项|拓扑项|条目|名称|内容项|检查项|功能项|技术指标|服务指标|parameter|parameters|metric|metrics|item|items|attribute|description|indicator|feature|capability|service parameter|characteristic|field|question|term|kpi",
    "vendor": "供应商|供应商名称|厂商|运营商|运营商名称|投标人|投标单位|服务商|乙方|出租方|出租方（乙方）|承包商|报价单位|报价人|供方|卖方|服务提供商|公司|公司名称|vendor|vendor name|carrier|supplier|provider|operator|bidder|company|service provider|seller|quoted by|from",
    "product": "产品|产品名称|产品型号|线路产品|套餐|套餐名称|档位|方案|业务名称|服务名称|线路名称|product|product name|service|service name|plan|offering|package|product/service|circuit type|option|line",
    "condition": "线路|路段|路由方向|区段|方向|适用范围|适用产品|拓扑|场景|条件|等级|服务等级|保护方式|route|routes|path|segment|city pair|topology|condition|conditions|class|class of service|service class|tier|scenario|a-z|from - to|link|applies to|region|area",
    "observed": "实测|实测值|实际值|实际|历史值|actual|measured|observed|actual value|last year|achieved",
    "period": "统计周期|考核周期|测量周期|计量周期|周期|统计期|period|measurement period|measuring period|reporting period",
    "target": "目标|目标值|target|goal|objective|target value|design target",
}  # fmt: skip
TENANT_WORDS: Final = re.compile(r"采购人|招标人|需方|甲方|客户|buyer|customer|purchaser|client")
DITTO: Final = re.compile(r"^(?:同上|同左|〃|″|\"|''|ditto|as above|same as above|do\.)$")
EVERYONE: Final = re.compile(
    r"^(?:全部|所有|均|各产品|全系列|通用|两者|both|all|any|every|either)(?: (?:产品|products?|services?|plans?|classes|options))?$"
)
COMPANY: Final = re.compile(
    r"(?:有限公司|公司|集团|通信|网络|科技|信息|数据|电信|联通|移动|铁通|光网|智联|互联|云网|光波|传媒|股份|telecom|networks?|carrier|communications?|fib(?:re|er)|cloud|wave|ltd|limited|inc|corp|gmbh|plc|llc|co)\.?$"
)
PRODUCT_WORD: Final = re.compile(
    r"专线|线路|直连|快线|套餐|档|版|型|产品|服务|电路|波长|互联|\d+\s?[gmt](?:bps|e|be)?(?![a-z])|\b(?:line|lane|wave|wavelength|link|plan|gold|silver|bronze|platinum|standard|premium|basic|service|connect|port|option)\b"
)
TITLE_VALUES: Final = re.compile(
    r"(?:承诺|保证|目标|设计|实测)值|(?:committed|guaranteed|target|design|measured|observed) (?:values|figures)"
)
COMPARISON: Final = re.compile(r"对比|比较|比选|各供应商|各运营商|汇总表|comparison|compare|vendors|bids")
TITLE_TAIL: Final = re.compile(
    r"\s*[-—:：]?\s*(?:[(（]sla[)）]|sla|服务说明|服务等级协议|服务承诺|服务水平协议|产品说明|产品手册|报价单?|报价表|报价书|资费|产品|技术指标响应表|响应表|与资费|规格|一览表?"
    r"|service level (?:schedule|agreement|description)|service levels?|service schedule|service description|schedule|quotation|quote|proposal|offer|price list|datasheet|data sheet)\s*$"
)  # fmt: skip
SHARED_ALL: Final = re.compile(
    r"各(?:项|供应商|运营商|指标|产品|档)|以上|下表|上表|均为|所有|全部|本表|各指标"
    r"|\bfigures are (?:guaranteed|committed|targets)|\ball (?:the )?(?:figures|values|parameters|metrics|service levels|commitments|of the above)\b|\b(?:the )?(?:following|above) (?:figures|values|table|service levels)\b"
)
CHOICE_WORDS: Final[dict[str, Table]] = {
    "layer": _table(
        (r"波分|波长|wavelength|\bwave\b|dwdm|\bwdm\b", "wave"), (r"\botn\b", "otn"), (r"云端口|cloud port|direct connect", "cloud_port"),
        (r"以太|ethernet|e-line|\bepl\b|mstp|\bevpl\b", "ethernet"), (r"\bip\b|\bvpn\b|mpls|互联网|internet|sd-wan", "ip"),
    ),
    "transport": _table(
        (r"infiniband|\bib\b", "infiniband"), (r"selective|选择重传", "rdma_selective_repeat"), (r"go-?back|回退|rocev?2?|rdma", "rdma_go_back_n"),
        (r"\bbbr\b", "tcp_bbr"), (r"cubic", "tcp_cubic"),
    ),
    "encapsulation": _table(
        (r"qinq|802\.1ad", "qinq"), (r"vxlan", "vxlan"), (r"(?<!vx)vlan|802\.1q", "vlan"), (r"\bgre\b", "gre"), (r"mpls", "mpls"),
        (r"ipsec", "ipsec_gcm"), (r"macsec", "macsec"),
    ),
    "clock_starts": _table((r"检测|发现|告警|detect|alarm", "detection"), (r"受理|acceptance|accept", "acceptance"), (r"报障|申告|报告|ticket|report", "report")),
    "measurement_period": PERIOD,
    "quote_grade": _table((r"预算|估算|参考|budgetary|indicative|estimate", "budgetary"), (r"正式|确定|可签约|有效报价|firm|binding|final", "firm")),
    "price_item": _table(
        (r"端口|\bport", "port"), (r"a ?端|a-?end|a tail", "a_tail"), (r"z ?端|b ?端|z-?end|z tail", "z_tail"),
        (r"跳纤|跳线|cross[ -]?connect", "cross_connect"), (r"出流量|egress", "cloud_egress"),
    ),
}  # fmt: skip
