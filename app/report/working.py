"""The working of a figure: the formula as symbols, then with the numbers put in, then its source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.formulas.registry import BY_ID
from app.domain.metrics import ENCAPSULATIONS, TRANSPORTS
from app.domain.sources import SourceKind
from app.domain.text import Language, Text
from app.domain.working import Working

if TYPE_CHECKING:
    from app.domain.lines import Lines
    from app.domain.sources import Source

KINDS = {
    SourceKind.STANDARD: Text("标准", "standard"),
    SourceKind.PUBLISHED: Text("公开文献", "published"),
    SourceKind.MEASURED: Text("实测或统计", "measured"),
    SourceKind.VENDOR: Text("供应商", "vendor"),
    SourceKind.JUDGEMENT: Text("判断", "judgement"),
}
# Rules whose line is words rather than a registered formula.
SENTENCES = {
    "min(segments) ≥ floor": Text("min(各段带宽) ≥ 下限", "min(segments) ≥ floor"),
    "both directions ≥ floor": Text("双向各 ≥ 下限", "both directions ≥ floor"),
    "W = weakest / r × η_header × η_loss ≥ floor": Text(
        "W = 最窄段 ÷ 收敛比 × 封装效率 × 丢包效率 ≥ 下限",
        "W = weakest ÷ contention × header × loss efficiency ≥ floor",
    ),
    "value, scope, period, commitment, exclusions": Text(
        "数值、范围、周期、承诺性质、除外情形", "value, scope, period, commitment, exclusions"
    ),
    "credit(5 h) ≥ 5 %, cap ≥ 30 %, claim ≥ 30 d": Text(
        "中断 5 小时赔付 ≥ 5 %，上限 ≥ 30 %，申请期 ≥ 30 天", "credit for 5 h ≥ 5%, cap ≥ 30%, claim within ≥ 30 days"
    ),
    "repair_time ≤ limit": Text("恢复时限 ≤ 上限", "restoration time ≤ limit"),
    "failover_time ≤ transport tolerance": Text("倒换时间 ≤ 传输容忍时间", "failover time ≤ transport tolerance"),
    "fabric.same_on_all_sites": Text("各站组网一致", "same fabric on all sites"),
    "|D(A→Z) − D(Z→A)| ≤ 0.5 ms": Text("|D(A→Z) − D(Z→A)| ≤ 0.5 ms", "|D(A→Z) − D(Z→A)| ≤ 0.5 ms"),
    "paths ≥ 2 and diverse": Text("路径 ≥ 2 且物理分离", "paths ≥ 2 and diverse"),
    "offered in writing": Text("书面提供", "offered in writing"),
}
_CHINESE_SYMBOLS = {
    "floor": "下限", "target": "目标", "cover": "掩盖", "hops": "跳数", "payload": "净荷", "budget": "预算",
    "rounds": "轮数", "flows": "流数", "window": "窗口", "bits": "位宽", "round trips": "往返次数", "line": "整条专线",
    "per GPU": "每 GPU", "size": "数据量", "encapsulation": "封装", "timestamps": "时间戳", "prefill": "预填充",
    "rps": "每秒请求", "bytes": "字节", "burst": "突发系数", "peak": "峰值", "copies": "份数",
    "full": "完全重算", "selective": "选择性重算", "stall": "停顿", "channels": "通道数", "buffer": "缓存",
    "before": "原流量", "after": "现流量", "tail": "尾部时延", "slack": "余量", "deadline": "期限", "tokens": "词元数",
    "retries": "重试次数", "failures": "故障次数", "reserve": "预留", "mean": "均值", "access": "接入",
    "uplink": "上联",
    "queue": "排队", "total": "总量", "lost": "丢失数", "confidence": "置信度", "slope": "斜率", "overhead": "开销",
    "cuts": "切口数",
}  # fmt: skip
_LONGEST_FIRST = sorted(_CHINESE_SYMBOLS, key=len, reverse=True)
_SYMBOL = re.compile("|".join(rf"(?<!\w){re.escape(s)}(?!\w)" for s in _LONGEST_FIRST))
_CODES = {c.code: c.label for c in (*TRANSPORTS, *ENCAPSULATIONS)}


def symbols(text: str, language: Language) -> str:
    """A formula as symbols; in Chinese its words are Chinese."""
    if text in SENTENCES:
        return SENTENCES[text].pick(language)
    if text in BY_ID:
        text = BY_ID[text].symbolic
    return _SYMBOL.sub(lambda m: _CHINESE_SYMBOLS[m[0]], text) if language is Language.ZH else text


def source_text(source: Source, language: Language) -> str:
    """Title and kind of a source; our own opinion is called judgement and nothing else."""
    kind = KINDS[source.kind].pick(language)
    if source.kind is SourceKind.JUDGEMENT:
        return kind
    title = source.title.pick(language)
    detail = source.reference if source.reference not in title else ""
    return " · ".join(part for part in (title, kind, detail) if part)


def of_formula(formula: str, working: tuple[Working, ...], lines: Lines) -> Working | None:
    """The line of working behind a limit: noted in the requirement, or put together from its lines."""
    found = next((w for w in working if w.formula == formula), None)
    if found is not None or formula not in BY_ID:
        return found
    demand = lines.training
    if formula == "rtt_limit" and demand is not None and lines.rtt_limit is not None and lines.rtt_reason == "hops":
        name, inputs = demand.rtt_working(lines.target or 0.0)[-1]
        return Working(name, inputs, lines.rtt_limit, BY_ID[name].unit)
    return None
