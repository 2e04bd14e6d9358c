"""Figures that nobody offers: boasts, promotions, former prices, wishes of the buyer, replaced or mere estimates.

`hushed` blanks what such words govern, each in its place, so that no figure of it can become a fact; what was
blanked and held a figure is told as unread. A row: what the words speak about (all of the sentence, all from their
clause to the next semicolon, or only the clause they stand in) and the pattern over folded, lower-cased text.
"""

# ruff: noqa: E501 - data, a row a line
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.sheets.clauses import cut
from app.sheets.folding import lowered
from app.sheets.numbers import figures

_STOPS: Final = frozenset(";；。)）")


@dataclass(frozen=True, slots=True)
class Voice:
    """Words by which a stretch of text states what is no offer: `sentence`, `onward` to the next stop, `clause`."""

    reach: str
    pattern: re.Pattern[str]


def _voice(reach: str, *patterns: str) -> Voice:
    return Voice(reach, re.compile("|".join(patterns)))


VOICES: Final[tuple[Voice, ...]] = (
    # the vendor praises its company, not this line
    _voice(
        "sentence",
        r"\b(?:we|the (?:company|group)|our (?:\w+ )?(?:network|backbone|platform|footprint|group)) (?:now |today |currently )?(?:own|operate|run|span|serve|reach|connect)s?\b.{0,60}\b(?:km of|in the region|countries|cities|data cent(?:re|er)s|customers|worldwide|metros|buildings)\b",
        r"\bour (?:\w+ )?(?:network|backbone|platform|cables?) (?:carries|carry|moves?|handles?|transports?|has carried)\b",
        r"(?:我司|我公司|本公司|集团|公司)(?:目前|现|已)?(?:自有|拥有|运营着?|建成|覆盖|服务于?|累计).{0,40}(?:公里|皮长|城市|客户|机房|节点|数据中心|总带宽|tbps|tbit/s)",
        r"(?:全网|骨干网?|出口)(?:总)?(?:带宽|容量)(?:超过|达到?|已达|合计|总计)",
        r"trusted by|in everything we build|wavelengths? in service",
    ),
    # a price that holds for a while, or no longer
    _voice(
        "sentence",
        r"促销|首月|首季|前[一二两三四五六\d]+个月(?:免|半价|优惠|月租)|试用|体验期|限时|\bpromotion(?:al)?\b|\bfirst (?:month|quarter|\w+ months) (?:is |are )?(?:free|at no|half|of charge)|\bintroductory (?:price|offer|rate)|\bfree trial\b|\btrial (?:period|port|account)|new accounts get|can i try",
    ),
    _voice(
        "clause",
        r"首年优惠|第[二2]年起|次年起|\bfrom (?:the second year|year two|year 2)\b|\bthereafter\b|原价|原月租|原报价|划线价|门市价|刊例价|市场价|\bformer(?:ly)?\b|\bpreviously\b|\blist price\b|\bwas (?:eur|usd|gbp|cny|rmb|[$€£¥])|\binstead of (?:eur|usd|gbp|cny|rmb|[$€£¥])",
    ),
    _voice("sentence", r"\b(?:replaces?|supersedes?) (?:revision|version|the offer|our (?:offer|quotation)|rev\b)|(?:替代|取代|作废).{0,12}(?:版|报价|方案)|\bwas shown at\b"),
    # what the buyer would like
    _voice(
        "onward",
        r"(?<!满足)(?<!按)(?<!按照)(?<!响应)(?<!符合)(?<!优于)(?:贵司|贵方|贵公司|我方|采购人|招标人|招标文件|采购文件|买方)的?(?:.{0,4})(?:预算|要求|需求|期望|目标)|(?:时延|延迟|带宽|可用率|可用性|抖动)要求(?!响应)",
        r"\b(?:you|the (?:buyer|customer|client)) (?:ask(?:ed|s)? for|request(?:ed|s)?|requires?|required|expects?|needs?|prefers?|wants?|are looking for)\b|\byour (?:request|enquiry|rfp|rfq|tender|budget|requirements?|specification)\b|\bwe are looking for\b|\bclient wants\b|\brfp says\b",
    ),
    # what a term means, and what it costs to deliver late
    _voice("sentence", r"÷|[×x*] ?100 ?%|(?:公式|计算方法|计算方式) ?[:：]|\bmeans the (?:share|ratio|percentage|number|time)\b|\bis the share of\b|\bcounts as (?:a |an )?\w+ of (?:outage|downtime|unavailability)"),
    _voice("sentence", r"(?:逾期|延期|迟延)(?:开通|交付|交货|完工)|\blate (?:delivery|activation|provisioning)\b|\bdelays? in (?:delivery|activation|provisioning)\b"),
    # what is not to be built upon
    _voice(
        "sentence",
        r"不构成(?:任何)?承诺|估算.{0,30}仅供参考|confers no right|\bdoes not warrant|\bis not (?:a )?warrant|\bnot a (?:promise|commitment|guarantee)\b|light alone needs",
    ),
    _voice("clause", r"理论(?:值|最小|单向|传输|时延)|按每公里|\bin theory\b|\btheoretical"),
    # how often the vendor reports, and what happened once
    _voice("clause", r"(?:通报|汇报|反馈|更新)(?:一次)?(?:进展|进度)|每.{1,8}(?:通报|汇报|反馈)|\b(?:progress|status) (?:reports?|updates?)\b|\bupdates? (?:every|each)\b|\b(?:informs?|reports?|calls? back) every\b"),
    _voice("sentence", r"\ba customer in \w+ (?:measured|saw|reached)"),
)  # fmt: skip


@lru_cache(maxsize=4096)
def hushed(text: str) -> str:
    """A folded text with everything blanked that is no offer; every other character stays in its place."""
    low = lowered(text)
    heard = [v for v in VOICES if v.pattern.search(low)]
    if any(v.reach == "sentence" for v in heard):
        return " " * len(text)
    if not heard:
        return text
    kept, onward = list(text), False
    for clause in cut(text):
        onward = onward and text[clause.start - 1] not in _STOPS
        here = {v.reach for v in heard if v.pattern.search(low[clause.start : clause.end])}
        if here or onward:
            kept[clause.start : clause.end] = " " * (clause.end - clause.start)
        onward = onward or "onward" in here
    return "".join(kept)


def tells(text: str) -> bool:
    """Whether a folded text holds a figure with a unit."""
    return any(f.unit for f in figures(text))
