"""What a review board would object to, found before the board does (procurement 3). Nothing is judged anew here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.assessment import Outcome
from app.domain.rules import Grade, Status
from app.domain.terms import term
from app.domain.text import Language, Text
from app.report.figures import short_title
from app.report.score_view import weighted
from app.report.titles import missing_text, names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.assessment import Assessment, Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Lint:
    """One objection; a `must` keeps the document a draft, the others are printed as remarks."""

    code: str
    must: bool
    text: str


SINGLE = Text(
    "只有一份报价：须附单一来源的理由与论证。", "There is a single offer: single-source reasoning must be attached."
)
NONE_RECOMMENDED = Text("尚无可推荐的报价。", "No offer can be recommended yet.")
UNCONFIRMED = Text(
    "{name}：{n} 项门槛依据程序读数通过，尚未经人工确认（{first}等）。",
    "{name}: {n} gates pass on figures read by the program that nobody has confirmed ({first} and others).",
)
UNCONFIRMED_ONE = Text(
    "{name}：门槛「{first}」依据程序读数通过，尚未经人工确认。",
    "{name}: the gate “{first}” passes on a figure read by the program that nobody has confirmed.",
)
NO_DATE = Text(
    "未填评审日期，报价是否过期未核对。", "No evaluation date was given, so expired quotes were not looked for."
)
NO_VALIDITY = Text("{name}：报价有效期未写明。", "{name}: validity of the quote is not stated.")
OPEN_OFFERS = Text(
    "{n} 份报价待澄清，答复后名次可能改变。", "{n} offers are to be clarified; the answers may change the ranking."
)
OPEN_OFFER = Text(
    "1 份报价待澄清，答复后名次可能改变。", "One offer is to be clarified; the answers may change the ranking."
)
OPEN_KEY = Text("{name}：仍有 {n} 项重要检查待澄清。", "{name}: key checks still to be clarified: {n}.")
WAIVED = Text(
    "{name}：「{what}」由 {by} 豁免，理由：{reason}", "{name}: “{what}” was waived by {by}, because: {reason}"
)
LACKING = Text(
    "{name}：已过门槛但缺{what}，未进入成本比较。",
    "{name}: passes the gates but lacks {what}, so cost was not compared.",
)
ASSUMED_TARGET = Text(
    "未给目标，按默认利用率核算（判断）。", "No target was given; the default utilisation was taken (judgement)."
)
NO_CEILING = Text(
    "未设最高限价，价格一项所有报价都计 0 分；最高限价须在开标前写明。",
    "No price ceiling was set, so every offer earns 0 points for its price; fix the ceiling before opening.",
)
NO_DISTANCE = Text("未填站点距离，光纤时延下限未核对。", "No distance was given, so the fibre limit was not checked.")


def lints(assessment: Assessment, language: Language) -> tuple[Lint, ...]:
    """Every objection, those that must be settled first."""
    found = [*_whole(assessment), *_offers(assessment, language)]
    rows = [Lint(code=code, must=must, text=text.pick(language)) for code, must, text in found]
    return tuple(sorted(rows, key=lambda r: not r.must))


def _whole(assessment: Assessment) -> Iterator[tuple[str, bool, Text]]:
    if assessment.recommended is None:
        yield "no_recommendation", True, NONE_RECOMMENDED
    if len(assessment.offers) == 1:
        yield "single_offer", True, SINGLE
    if assessment.policy.evaluation_date is None:
        yield "no_evaluation_date", False, NO_DATE
    if weighted(assessment.policy) and not assessment.policy.price_ceiling:
        yield "no_price_ceiling", False, NO_CEILING
    still_open = sum(o.outcome is Outcome.CONDITIONAL for o in assessment.offers)
    if still_open:
        yield "open_offers", False, OPEN_OFFER if still_open == 1 else OPEN_OFFERS.format(n=still_open)
    codes = {w.code for w in assessment.requirement.warnings}
    if "utilization_assumed" in codes:
        yield "target_assumed", False, ASSUMED_TARGET
    if "distance_missing" in codes:
        yield "no_distance", False, NO_DISTANCE


def _offers(assessment: Assessment, language: Language) -> Iterator[tuple[str, bool, Text]]:
    for name, offer in zip(names_of(assessment.offers), assessment.offers, strict=True):
        yield from _confirmation(name, offer, language)
        for check in offer.checks:
            waiver = assessment.policy.waiver(check.rule.id, offer.offer.vendor, offer.offer.product)
            if check.status is Status.WAIVED and waiver is not None:
                what = short_title(check, language)
                yield "waived", False, WAIVED.format(name=name, what=what, by=waiver.by, reason=waiver.reason)
        if offer.outcome is Outcome.ELIGIBLE and offer.rank is None:
            yield "missing_terms", False, LACKING.format(name=name, what=missing_text(offer.cost.missing, language))
        if offer.outcome is Outcome.RECOMMENDED:
            yield from _recommended(name, offer)


def _confirmation(name: str, offer: Judged, language: Language) -> Iterator[tuple[str, bool, Text]]:
    loose = [c for c in offer.checks if c.grade is Grade.GATE and c.status is Status.PASS and not c.confirmed]
    if not loose or offer.outcome is Outcome.REJECTED:
        return
    text = UNCONFIRMED_ONE if len(loose) == 1 else UNCONFIRMED
    first = short_title(loose[0], language)
    yield "unconfirmed_gate", True, text.format(name=name, n=len(loose), first=first)


def _recommended(name: str, offer: Judged) -> Iterator[tuple[str, bool, Text]]:
    if term(offer.offer, "quote_valid_until").word is None:
        yield "no_validity", False, NO_VALIDITY.format(name=name)
    keys = sum(c.grade is Grade.KEY and c.status is Status.UNKNOWN for c in offer.checks)
    if keys:
        yield "open_key_checks", False, OPEN_KEY.format(name=name, n=keys)
