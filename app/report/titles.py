"""The conclusion in words: title, the sentence of figures under it, and why each offer stands where it stands."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from app.domain.assessment import Judged, Outcome
from app.domain.metrics import BY_ID, TRANSPORTS
from app.domain.rules import Grade, Status, Verdict
from app.domain.text import Language, Text
from app.domain.weights import PASS_THEN_COST
from app.presentation import format as fmt
from app.report import service_words
from app.report.figures import lowered, readable, short_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.assessment import Assessment
    from app.domain.facts import Offer
    from app.domain.lines import Lines

GIGA = 1e9
MOST_NAMED = 3
_LONGEST_NAME = 28
_CHINESE = ("零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十")
MISSING_TERMS = {
    "currency": Text("币种", "currency"),
    "items_included": Text("报价包含项", "items included"),
    "utilization": Text("利用率（指标未写全）", "utilisation (figures missing)"),
    "traffic": Text("月流量", "monthly traffic"),
}
_ID_DIGITS = 10


def offer_id(offer: Offer) -> str:
    """A short name of an offer for addresses: the same as long as vendor and product are."""
    return hashlib.sha256("\0".join(offer.key).encode()).hexdigest()[:_ID_DIGITS]


def names_of(offers: Sequence[Judged]) -> tuple[str, ...]:
    """What each offer is called in a sentence: the vendor, with the product where a vendor offers several."""
    count = Counter(o.offer.vendor for o in offers)
    full = (o.name if count[o.offer.vendor] > 1 else o.offer.vendor for o in offers)
    return tuple(n if len(n) <= _LONGEST_NAME else f"{n[: _LONGEST_NAME - 1]}…" for n in full)


def gates(offer: Judged, status: Status) -> tuple[Verdict, ...]:
    """The gates of an offer that came to `status`."""
    return tuple(c for c in offer.checks if c.grade is Grade.GATE and c.status is status)


def missing_text(codes: Sequence[str], language: Language) -> str:
    """Names of missing cost terms."""
    words = []
    for code in codes:
        if code.startswith("rates."):
            words.append(Text("{c} 汇率", "exchange rate of {c}").format(c=code[6:]).pick(language))
        elif code in MISSING_TERMS:
            words.append(MISSING_TERMS[code].pick(language))
        else:
            words.append(lowered(BY_ID[code].title.pick(language), language) if code in BY_ID else code)
    return ("、" if language is Language.ZH else ", ").join(words)


def _titles(checks: Sequence[Verdict], language: Language) -> str:
    """The first check by name, and how many there are."""
    if not checks:
        return Text("报价条款", "the terms of the quote").pick(language)
    first = short_title(checks[0], language)
    titles = dict.fromkeys(c.rule.id for c in checks)
    if len(titles) == 1:
        return first
    return Text("{first}等 {n} 项", "{first} and {n} more").format(
        first=first, n=len(titles) if language is Language.ZH else len(titles) - 1
    ).pick(language)  # fmt: skip


def _clause(name: str, offer: Judged, language: Language) -> str:
    """What one offer that is not recommended lacks."""
    if offer.outcome is Outcome.REJECTED:
        failed = gates(offer, Status.FAIL)
        text = Text("{name}未过{what}", "{name} fails {what}")
        if not failed:
            text = Text("{name}被否决", "{name} is rejected")
        return text.format(name=name, what=_titles(failed, language)).pick(language)
    if offer.outcome is Outcome.CONDITIONAL:
        text = Text("{name}待澄清{what}", "{name} must clarify {what}")
        return text.format(name=name, what=_titles(gates(offer, Status.UNKNOWN), language)).pick(language)
    if offer.rank is None:
        text = Text(
            "{name}过了门槛但缺{what}，成本无法比较", "{name} passes but lacks {what}, so its cost cannot be compared"
        )
        return text.format(name=name, what=missing_text(offer.cost.missing[:1], language)).pick(language)
    return Text("{name}合格，排第 {n}", "{name} is eligible, rank {n}").format(name=name, n=offer.rank).pick(language)


def _counts(offers: Sequence[Judged], language: Language) -> str:
    zh = language is Language.ZH
    words = {
        Outcome.ELIGIBLE: Text("{n} 份合格", "{n} eligible"),
        Outcome.CONDITIONAL: Text("{n} 份待澄清", "{n} to clarify"),
        Outcome.REJECTED: Text("{n} 份否决", "{n} rejected"),
    }
    found = Counter(o.outcome for o in offers)
    return ("、" if zh else ", ").join(t.format(n=found[o]).pick(language) for o, t in words.items() if found[o])


def title(assessment: Assessment, language: Language) -> str:
    """The conclusion of the comparison as one sentence."""
    zh = language is Language.ZH
    offers, names = assessment.offers, names_of(assessment.offers)
    best = assessment.recommended_index
    others = [(n, o) for i, (n, o) in enumerate(zip(names, offers, strict=True)) if i != best]
    if assessment.requirement.main.need is None:
        return Text(
            "任何线路都达不到当前目标：请先调整跨站并行方式或目标",
            "No line can meet this target: change the placement or the target first",
        ).pick(language)
    if len(others) <= MOST_NAMED:
        rest = ("，" if zh else ", ").join(_clause(n, o, language) for n, o in others)
    else:
        rest = (
            Text("另有 {counts}", "others: {counts}")
            .format(counts=_counts([o for _, o in others], language))
            .pick(language)
        )
    if best is None:
        head = _nobody(assessment, language)
        rest = rest if len(others) <= MOST_NAMED else _counts(offers, language)
        return f"{head}：{rest}" if zh else f"{head}: {rest}"
    head = Text("推荐{name}", "{name} is recommended").format(name=names[best]).pick(language)
    if not others:
        return head + Text("（只有一份报价，无可比较）", " (the only offer, nothing to compare with)").pick(language)
    return f"{head}；{rest}" if zh else f"{head}; {rest}"


def _nobody(assessment: Assessment, language: Language) -> str:
    outcomes = {o.outcome for o in assessment.offers}
    if outcomes == {Outcome.REJECTED}:
        return Text("没有报价通过四步门槛", "No offer passes the four steps").pick(language)
    return Text("暂不能推荐", "No recommendation yet").pick(language)


def lede(assessment: Assessment, language: Language) -> str:
    """The figures that led to the conclusion, in one sentence per scenario."""
    count = len(assessment.offers)
    zh = language is Language.ZH
    how_many = _CHINESE[count] if count < len(_CHINESE) else f" {count} "
    head = Text(
        f"{how_many}份报价按同一工作负载核算：", f"{count} offer{'s' if count > 1 else ''} held against one workload: "
    )
    parts = [figures_of(lines, language) for lines in assessment.requirement.lines]
    tail = Text("。四步全部通过后才比较成本。", ". Cost is compared only after all four steps.")
    if assessment.policy.preset != PASS_THEN_COST:
        tail = Text("。四步全部通过后才按得分排名。", ". Points rank offers only after all four steps.")
    return head.pick(language) + ("；" if zh else "; ").join(parts) + tail.pick(language)


def figures_of(lines: Lines, language: Language) -> str:
    """Target, bytes, floor and loss limit of one scenario."""
    say = _Sayer(language)
    if lines.training is not None and lines.wanted is not None:
        wanted = lines.wanted
        if wanted.sync is not None:
            say("目标同步时间 {x}", "target sync time {x}", fmt.duration(wanted.sync, language))
        if wanted.utilization is not None:
            say("目标利用率 {x}", "target utilisation {x}", fmt.percent(wanted.utilization, language))
        say("每次跨站 {x}", "{x} across the line each time", fmt.size(lines.size, language))
    if lines.service is not None:
        say("流量 {x}", "traffic {x}", service_words.parts_text(lines.service, language))
        if lines.service.first_target is not None:
            target = fmt.duration(lines.service.first_target, language)
            say("首 token 目标 {x}", "first-token target {x}", target)
    if lines.bulk is not None:
        say("搬运 {x}", "moving {x}", fmt.size(lines.size, language))
    floor = fmt.rate(lines.need, language) if lines.need is not None else Text("无解", "none can").pick(language)
    say("有效带宽下限 {x}", "effective floor {x}", floor)
    if lines.loss_limit is not None:
        say(
            "丢包率红线 {x}",
            "packet loss limit {x}",
            fmt.ratio(lines.loss_limit, language) + _reference(lines, language),
        )
    return say.joined()


class _Sayer:
    """Collects short phrases in one language."""

    def __init__(self, language: Language) -> None:
        self.language, self.parts = language, list[str]()

    def __call__(self, zh: str, en: str, x: str) -> None:
        self.parts.append(Text(zh, en).format(x=x).pick(self.language))

    def joined(self) -> str:
        return ("，" if self.language is Language.ZH else ", ").join(self.parts)


def _reference(lines: Lines, language: Language) -> str:
    transport = next(c.label for c in TRANSPORTS if c.code == lines.reference.transport)
    return Text("（{t}，参考往返时延 {rtt}）", " ({t}, reference round trip {rtt})").format(
        t=transport, rtt=fmt.duration(lines.reference.rtt, language)
    ).pick(language)  # fmt: skip


def why(offer: Judged, language: Language) -> str:
    """One line on a card: what carried or sank the offer."""
    if offer.outcome in (Outcome.REJECTED, Outcome.CONDITIONAL) and offer.reasons:
        return readable(offer.reasons[0].pick(language))
    effective = next((c for c in offer.checks if c.rule.id == "bandwidth.effective"), None)
    if offer.outcome is Outcome.ELIGIBLE and offer.rank is None:
        text = Text(
            "四步通过，但缺{what}，成本无法比较。",
            "All four steps pass, but {what} is missing, so cost cannot be compared.",
        )
        return text.format(what=missing_text(offer.cost.missing, language)).pick(language)
    if effective is None or effective.finding.margin is None or not isinstance(effective.finding.offered, float):
        return Text("四步通过。", "All four steps pass.").pick(language)
    got = fmt.figure(effective.finding.offered, language, "Gbit/s")
    text = Text("四步通过。有效带宽 {got}，余量 {x}。", "All four steps pass. Effective rate {got}, margin {x}.")
    return text.format(got=got, x=fmt.margin(effective.finding.margin, language)).pick(language)
