"""The money of the offers: the compared in the order of their rank, the others with figures but outside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.report.cost_working import cost_working
from app.report.titles import missing_text, offer_id

if TYPE_CHECKING:
    from decimal import Decimal

    from app.domain.assessment import Assessment, Judged

OPEN = Text("待定", "open")
AS_CLAIMED = Text("（所称）", " (claimed)")
NOT_COMPARED = Text("不参与比较", "not compared")
NET, GROSS = Text("不含可抵扣税", "net of deductible tax"), Text("含税", "gross of tax")
_LACKS = Text("缺{what}", "lacks {what}")
_GPU_COST = Text("G GPU 月成本 = {gpus} 张 × {price} × {hours} 小时", "G GPU cost = {gpus} × {price} × {hours} h")
EQUAL_WORK = Text(
    "有效月成本 = (L + G) · K − G，K = 1 / (U · (1 − a))",
    "effective monthly cost = (L + G) · K − G, K = 1 / (U · (1 − a))",
)
ONLY_LINE = Text("有效月成本 = L", "effective monthly cost = L")
_NOT_VALUED = Text("线路中断造成的业务损失未计价", "business lost to outages of the line is not valued")
_NO_GPU_PRICE = Text("未填 GPU 单价，只比较线路费用", "no GPU price given: cash only")


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """One offer's money as text; `note` says why it is not compared. `formula` puts the numbers in."""

    id: str
    vendor: str
    product: str
    rank: str
    outcome: str
    line: str
    gpu: str
    idle: str
    layout: str
    outage: str
    effective: str
    useful: str
    total: str
    note: str
    short_note: str
    formula: str
    working: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostView:
    """The cost table: rows compared, rows not compared, terms common to all."""

    compared: tuple[CostRow, ...]
    others: tuple[CostRow, ...]
    symbolic: str
    terms: str
    with_gpu: bool
    with_training: bool

    @property
    def rows(self) -> tuple[CostRow, ...]:
        """All rows, the compared first."""
        return self.compared + self.others


def cost_view(assessment: Assessment, language: Language) -> CostView:
    """Format the cost of every offer."""
    job = assessment.workload.training
    ranked = sorted((o for o in assessment.offers if o.rank is not None), key=lambda o: o.rank or 0)
    others = [o for o in assessment.offers if o.rank is None]
    return CostView(
        compared=tuple(_row(o, assessment, language) for o in ranked),
        others=tuple(_row(o, assessment, language) for o in others),
        symbolic=(ONLY_LINE if job is None else EQUAL_WORK).pick(language),
        terms=_terms(assessment, language),
        with_gpu=job is not None and job.gpu.hour_price is not None,
        with_training=job is not None,
    )  # fmt: skip


def _terms(assessment: Assessment, language: Language) -> str:
    policy, job = assessment.policy, assessment.workload.training
    zh = language is Language.ZH
    parts = [
        Text("L 线路月费均摊 {n} 个月，{tax}", "L line charges spread over {n} months, {tax}").format(
            n=policy.horizon_months,
            tax=NET if policy.deductible_tax else GROSS,
        ).pick(language)
    ]  # fmt: skip
    if job is not None:
        if job.gpu.hour_price is None:
            parts.append(_NO_GPU_PRICE.pick(language))
        else:
            parts.append(
                _GPU_COST.format(
                    gpus=fmt.figure(job.gpus, language), hours=fmt.figure(policy.hours_per_month, language),
                    price=fmt.money_full(job.gpu.hour_price, language, job.gpu.currency),
                ).pick(language)
            )  # fmt: skip
        parts.append(Text("U 预测利用率", "U predicted utilisation").pick(language))
        parts.append(Text("a 线路中断损失的时间份额", "a share of time lost to outages of the line").pick(language))
    else:
        parts.append(_NOT_VALUED.pick(language))
    return ("；" if zh else "; ").join(parts)


def money_text(value: Decimal | None, currency: str, language: Language) -> str:
    """Short money; a sum that lacks a term is open, never zero."""
    return OPEN.pick(language) if value is None else fmt.money(value, language, currency)


def _row(offer: Judged, assessment: Assessment, language: Language) -> CostRow:
    money = offer.cost

    def short(value: Decimal | None) -> str:
        return money_text(value, money.currency, language)

    note = "" if money.compared else NOT_COMPARED.pick(language)
    if money.missing:
        lacks = _LACKS.format(what=missing_text(money.missing, language)).pick(language)
        note = f"{note} · {lacks}" if note else lacks
    claimed = AS_CLAIMED.pick(language) if money.outages is not None and money.outages.claimed else ""
    useful = "–" if assessment.workload.training is None else OPEN.pick(language)
    if money.per_useful_hour is not None:
        useful = fmt.money_full(money.per_useful_hour, language, money.currency)
    return CostRow(
        id=offer_id(offer.offer), vendor=offer.offer.vendor, product=offer.offer.product or "",
        rank="–" if offer.rank is None else fmt.figure(offer.rank, language), outcome=offer.outcome.value,
        line=short(money.line), gpu=short(money.gpu), idle=short(money.idle_gpu), layout=short(money.layout_share),
        outage=short(money.outage_gpu) + claimed, effective=short(money.effective), useful=useful,
        total=short(money.term_total), note=note, short_note=NOT_COMPARED.pick(language) if note else "",
        formula=_formula(offer, assessment, language), working=cost_working(offer, assessment, language),
    )  # fmt: skip


def _formula(offer: Judged, assessment: Assessment, language: Language) -> str:
    """The formula line with this offer's numbers, or what it lacks."""
    money = offer.cost
    if None in (money.line, money.gpu, money.effective, money.utilization, money.outage_share):
        return ""
    if assessment.workload.training is None:
        return f"L = {fmt.money_full(money.effective, language, money.currency)}"
    full = [fmt.money_full(v, language, money.currency) for v in (money.line, money.gpu, money.effective)]
    use, lost = (fmt.figure(v, language, digits=6) for v in (money.utilization, money.outage_share))
    return f"({full[0]} + {full[1]}) ÷ ({use} × (1 − {lost})) − {full[1]} = {full[2]}"
