"""The comparison page as one object: title, cards, gate matrix, charts, cost, questions. The PDF shows the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.assessment import Outcome
from app.domain.rulebook import RULEBOOK_VERSION
from app.domain.rules import Grade, Status
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.presentation.parts import Pair
from app.report import charts, titles
from app.report.cost_view import NOT_COMPARED, OPEN, CostView, cost_view, money_text
from app.report.doubts_view import doubt_titles, doubts_behind
from app.report.faults_view import FaultList, fault_lists
from app.report.matrix import AT_MOST, Link, MatrixStep, matrix, no_link
from app.report.outages_view import OutageView, outage_view
from app.report.outcome_view import OutcomeTable, outcome_tables
from app.report.pair_view import PairSection, pair_section
from app.report.score_view import ScoreView, points_pair, score_view, weighted
from app.report.titles import names_of, offer_id

if TYPE_CHECKING:
    from app.domain.assessment import Assessment, Judged
    from app.presentation.charts import Waterfall

USE, TTFT, MOVE = (
    Text("预测 GPU 利用率", "Predicted GPU utilisation"),
    Text("预测首 token 时间", "Predicted time to first token"),
    Text("预测搬运时间", "Predicted transfer time"),
)  # fmt: skip
BAND = Text("区间 {x}", "band {x}")
LINE, IDLE, EFFECTIVE = (
    Text("线路月费（不含税）", "Line per month, net"),
    Text("等待专线的 GPU 成本", "GPU time waiting"),
    Text("有效月成本", "Effective per month"),
)  # fmt: skip
LINE_GROSS = Text("线路月费（含税）", "Line per month, gross")
RANK = Text("成本第 {n}", "rank {n} by cost")
RANK_BY_POINTS = Text("得分第 {n}", "rank {n} by points")
MORE = Text("另有 {n} 项，见矩阵。", "{n} more, see the matrix.")
BUYER = Text("采购方", "Buyer")
_TO_BUYER = "（向采购方）"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferHead:
    """An offer in a column head: `id` for addresses, `label` as it is called in sentences."""

    id: str
    vendor: str
    product: str
    label: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """The predicted result of an offer: text, its band, and shares of one for the bar (None: no bar)."""

    label: str
    value: str
    band: str
    share: float | None
    low: float | None
    high: float | None
    target: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One offer at a glance."""

    head: OfferHead
    why: str
    more: str
    rank: str
    gauge: Gauge
    pairs: tuple[Pair, ...]
    doubts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One matter to clarify: its number, the words, the checks it decides, whether one of them is a gate.

    `why` names the figures that are hard to believe, where they raised it.
    """

    number: str
    text: str
    checks: str
    gate: bool
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionList:
    """The matters one vendor (or the buyer) has to clarify."""

    id: str
    label: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferFigure:
    """The waterfall of one offer; `best_case` when a figure is missing and only the best reading could be drawn."""

    head: OfferHead
    caption: str
    best_case: bool
    drawing: Waterfall | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """Everything the comparison shows, formatted."""

    title: str
    lede: str
    offers: tuple[OfferHead, ...]
    cards: tuple[Card, ...]
    steps: tuple[MatrixStep, ...]
    figures: tuple[OfferFigure, ...]
    split: charts.Split | None
    outcomes: tuple[OutcomeTable, ...]
    cost: CostView
    outages: OutageView
    score: ScoreView | None
    questions: tuple[QuestionList, ...]
    faults: tuple[FaultList, ...]
    twos: PairSection | None
    warnings: tuple[str, ...]
    advice: tuple[str, ...]
    content_sha256: str
    rulebook_version: str

    @property
    def open_questions(self) -> int:
        """How many matters are open over all vendors."""
        return sum(len(q.questions) for q in self.questions)


def comparison_view(assessment: Assessment, language: Language, link: Link = no_link) -> ComparisonView:
    """Format an assessment for the page; `link` gives the address of a cell's panel."""
    names = names_of(assessment.offers)
    heads = tuple(_head(o, n) for o, n in zip(assessment.offers, names, strict=True))
    asked, numbers = questions_of(assessment, heads, language)
    lines = assessment.requirement.main
    return ComparisonView(
        title=titles.title(assessment, language), lede=titles.lede(assessment, language), offers=heads,
        cards=tuple(_card(assessment, o, h, language) for o, h in zip(assessment.offers, heads, strict=True)),
        steps=matrix(assessment, language, link, numbers),
        figures=tuple(_figure(assessment, o, h, language) for o, h in zip(assessment.offers, heads, strict=True)),
        split=charts.split(assessment.offers, names, lines, language),
        outcomes=outcome_tables(assessment, language), cost=cost_view(assessment, language),
        outages=outage_view(assessment, language),
        score=score_view(assessment, language), questions=asked, faults=fault_lists(assessment, language),
        twos=None if assessment.recommended else pair_section(assessment, names, language),
        warnings=tuple(n.message.pick(language) for n in assessment.requirement.warnings),
        advice=tuple(n.message.pick(language) for n in assessment.requirement.advice),
        content_sha256=assessment.content_sha256, rulebook_version=RULEBOOK_VERSION,
    )  # fmt: skip


def _head(offer: Judged, name: str) -> OfferHead:
    return OfferHead(
        id=offer_id(offer.offer), vendor=offer.offer.vendor, product=offer.offer.product or "", label=name,
        outcome=offer.outcome.value,
    )  # fmt: skip


def _card(assessment: Assessment, offer: Judged, head: OfferHead, language: Language) -> Card:
    money = offer.cost
    line = LINE if assessment.policy.deductible_tax else LINE_GROSS
    pairs = [*points_pair(assessment.policy, offer, language)]
    pairs.append(Pair(label=line.pick(language), value=money_text(money.line, money.currency, language)))
    if assessment.workload.training is not None:
        pairs.append(Pair(label=IDLE.pick(language), value=money_text(money.idle_gpu, money.currency, language)))
    small = "" if money.compared else NOT_COMPARED.pick(language)
    pairs.append(
        Pair(label=EFFECTIVE.pick(language), value=money_text(money.effective, money.currency, language), small=small)
    )
    rank = RANK_BY_POINTS if weighted(assessment.policy) else RANK
    further = max(0, len(offer.reasons) - 1)
    return Card(
        head=head, why=titles.why(offer, language), gauge=gauge(assessment, offer, language), pairs=tuple(pairs),
        more=MORE.format(n=further).pick(language) if further else "",
        rank=rank.format(n=offer.rank).pick(language) if offer.rank is not None and assessment.recommended else "",
        doubts=doubt_titles(offer, language),
    )  # fmt: skip


def gauge(assessment: Assessment, offer: Judged, language: Language) -> Gauge:
    """Utilisation for training, first token for inference, time for bulk; with its band."""
    prediction = offer.prediction
    ends = (prediction.low, prediction.central, prediction.high)
    job = assessment.requirement.main
    if job.training is not None:
        low, middle, high = (e.utilization if e is not None else None for e in ends)
        target = job.wanted.utilization if job.wanted is not None else None
        band = fmt.percent_range(low, high, language) if low is not None and high is not None else ""
        value = fmt.percent(middle, language) if middle is not None else _bound(high, language)
        return _gauge(USE, value, band, language, shares=(middle, low, high, target))
    name = "ttft" if job.service is not None else "transfer"
    slow, middle, fast = (getattr(e, name) if e is not None else None for e in ends)
    known = slow is not None and fast is not None
    band = f"{fmt.duration(fast, language)} – {fmt.duration(slow, language)}" if known else ""
    label = TTFT if job.service is not None else MOVE
    value = fmt.duration(middle, language) if middle is not None else OPEN.pick(language)
    return _gauge(label, value, band, language)


def _bound(best: float | None, language: Language) -> str:
    """What can be said of a utilisation while a figure is missing: no more than at the best reading."""
    return OPEN.pick(language) if best is None else AT_MOST.format(x=fmt.percent(best, language)).pick(language)


def _gauge(
    label: Text, value: str, band: str, language: Language,
    shares: tuple[float | None, float | None, float | None, float | None] = (None, None, None, None),
) -> Gauge:  # fmt: skip
    share, low, high, target = shares
    text = BAND.format(x=band).pick(language) if band else ""
    return Gauge(label=label.pick(language), value=value, band=text, share=share, low=low, high=high, target=target)


def _figure(assessment: Assessment, offer: Judged, head: OfferHead, language: Language) -> OfferFigure:
    prediction = offer.prediction
    drawing = charts.waterfall(prediction, assessment.requirement.main, language)
    stages = prediction.stages
    caption = head.label
    if stages:
        ends = [fmt.figure(s.rate / charts.GIGA, language) for s in (stages[0], stages[-1])]
        text = Text("{name}：标称 {a} 到有效 {b} Gbit/s", "{name}: nominal {a} to effective {b} Gbit/s")
        caption = text.format(name=head.label, a=ends[0], b=ends[1]).pick(language)
    return OfferFigure(head=head, caption=caption, best_case=prediction.stages_are_best_case, drawing=drawing)


def questions_of(
    assessment: Assessment, heads: tuple[OfferHead, ...], language: Language
) -> tuple[tuple[QuestionList, ...], dict[tuple[str, str], str]]:
    """Questions by vendor, those to the buyer once; and the number of each (offer id, question)."""
    lists: list[QuestionList] = []
    numbers: dict[tuple[str, str], str] = {}
    own: dict[Text, Judged] = {}
    for place, (offer, head) in enumerate(zip(assessment.offers, heads, strict=True), start=1):
        asked = [q for q in offer.questions if not q.zh.startswith(_TO_BUYER)]
        own |= {q: offer for q in offer.questions if q.zh.startswith(_TO_BUYER) and q not in own}
        found = []
        for n, q in enumerate(asked, start=1):
            numbers[(head.id, q.zh)] = f"C{place}.{n}"
            found.append(_question(offer, q, numbers[(head.id, q.zh)], language))
        if found:
            lists.append(QuestionList(id=head.id, label=head.label, questions=tuple(found)))
    if own:
        found = []
        for n, (q, offer) in enumerate(own.items(), start=1):
            numbers |= {(head.id, q.zh): f"B{n}" for head in heads}
            found.append(_question(offer, q, f"B{n}", language))
        lists.append(QuestionList(id="buyer", label=BUYER.pick(language), questions=tuple(found)))
    return tuple(lists), numbers


def _question(offer: Judged, question: Text, number: str, language: Language) -> Question:
    checks = [c for c in offer.checks if question in c.finding.questions]
    titles_ = dict.fromkeys(c.rule.title.pick(language) for c in checks)
    text = question.pick(language).removeprefix(_TO_BUYER).removeprefix("(To the buyer) ")
    gate = any(c.grade is Grade.GATE and c.status is Status.UNKNOWN for c in checks)
    joined = ("、" if language is Language.ZH else ", ").join(titles_)
    why = doubts_behind(offer, question, language)
    return Question(number=number, text=text, checks=joined, gate=gate, why=why)


def recommended_head(view: ComparisonView) -> OfferHead | None:
    """The recommended offer, or None."""
    return next((h for h in view.offers if h.outcome == Outcome.RECOMMENDED.value), None)
