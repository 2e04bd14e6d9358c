"""The cost of one offer line by line: charges net of tax, GPU spend, time lost to outages, cost for equal work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.terms import term
from app.domain.text import Language, Text
from app.presentation import format as fmt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from app.domain.assessment import Assessment, Judged
    from app.domain.cost import Charges, Outage
    from app.domain.workload import Training

DIGITS, RESULT_DIGITS = 12, 7
HOUR = 3600
NET = Text("{name} → {sum} = {net} [报价：{title}]", "{name} → {sum} = {net} [offer: {title}]")
TITLES = {
    "M": ("monthly_charge", Text("月费", "Monthly charge")),
    "S": ("setup_charge", Text("一次性费用", "Setup charge")),
}
EXTRA = Text("合同期外折合 {x} 个月的月费", "{x} monthly charges beyond the term")
AVAILABILITY = Text("报价：可用性，按最不利的月份", "offer: availability, in its worst month")
REPAIR = Text("报价：恢复时限，未写则 4 小时", "offer: restoration time, else 4 h")
WORDS = {
    "stall": Text("中断", "stall"), "month": Text("月", "month"), "duty": Text("占用率", "duty"),
    "price": Text("单价", "price"),
}  # fmt: skip
USE = Text("预测：利用率", "prediction: utilisation")


def cost_working(offer: Judged, assessment: Assessment, language: Language) -> tuple[str, ...]:
    """Every line from the quoted charges to the effective monthly cost; nothing while a term is missing."""
    money, job = offer.cost, assessment.workload.training
    if money.effective is None or money.charges is None:
        return ()
    lines = [*_net(offer, assessment, language), _levelised(money.charges, money.line, language)]
    if job is not None and money.outage is not None and money.gpu is not None and money.utilization is not None:
        lines += _equal_work(job, offer, assessment, money.outage, language)
    return tuple(f"{at}. {_worded(line, language)}" for at, line in enumerate(lines, 1))


def _worded(line: str, language: Language) -> str:
    """The line with the words of its symbols in the reader's language."""
    form, arrow, numbers = line.partition(" → ")
    for word, text in WORDS.items():
        form = form.replace(word, text.pick(language))
    return f"{form}{arrow}{numbers}"


def _put(value: float | Decimal, language: Language, digits: int = DIGITS) -> str:
    return (
        fmt.figure(value, language, digits=digits)
        if isinstance(value, int)
        else fmt.figure(value, language, "", digits)
    )


def _net(offer: Judged, assessment: Assessment, language: Language) -> Iterator[str]:
    policy, charges = assessment.policy, offer.cost.charges
    included = term(offer.offer, "tax_included").flag
    tax = term(offer.offer, "tax_rate").number
    for name, (metric, title) in TITLES.items():
        quoted = term(offer.offer, metric)
        if quoted.number is None or charges is None or quoted.fact is None:
            continue
        text = _put(quoted.number, language)
        if quoted.number and included is policy.deductible_tax and tax is not None:
            text += f" ÷ (1 + {_put(tax, language)})" if policy.deductible_tax else f" × (1 + {_put(tax, language)})"
        rate = policy.rates.get(quoted.fact.currency or "")
        if quoted.number and quoted.fact.currency != offer.cost.currency and rate is not None:
            text += f" × {_put(rate, language)}"
        net = charges.monthly if name == "M" else charges.setup
        yield NET.format(title=title, name=name, sum=text, net=_put(net, language, RESULT_DIGITS)).pick(language)


def _levelised(charges: Charges, line: Decimal | None, language: Language) -> str:
    n = _put(charges.months, language)
    parts = [f"{_put(charges.monthly, language)} × {n}"]
    symbols = ["M × n"]
    note = ""
    if charges.extra:
        parts.append(f"{_put(charges.monthly, language)} × {_put(charges.extra, language)}")
        symbols.append("M × x")
        note = f" [{EXTRA.format(x=_put(charges.extra, language)).pick(language)}]"
    if charges.usage:
        parts.append(f"{_put(charges.usage, language)} × {n}")
        symbols.append("V × n")
    parts.append(_put(charges.setup, language))
    symbols.append("S")
    return f"L = ({' + '.join(symbols)}) ÷ n → ({' + '.join(parts)}) ÷ {n} = {_money(line, language)}{note}"


def _money(value: Decimal | None, language: Language) -> str:
    return "" if value is None else fmt.exact(value, language)


def _equal_work(
    job: Training, offer: Judged, assessment: Assessment, lost: Outage, language: Language
) -> Iterator[str]:
    policy, money = assessment.policy, offer.cost

    def put(value: float | Decimal, digits: int = DIGITS) -> str:
        return _put(value, language, digits)

    def got(value: float) -> str:
        return put(value, RESULT_DIGITS)

    price = job.gpu.hour_price or 0.0
    hours, use = policy.hours_per_month, money.utilization or 1.0
    yield (
        f"G = N × price × h × duty → {put(job.gpus)} × {put(price)} × {put(hours)} × {put(policy.duty)}"
        f" = {_money(money.gpu, language)}"
    )
    yield (
        f"stall = (1 − A) × month → (1 − {put(lost.availability)}) × {put(lost.month)} = {got(lost.stall)} s"
        f" [{AVAILABILITY.pick(language)}]"
    )
    if job.survives_site_loss:
        yield f"a = stall ÷ k ÷ month → {put(lost.stall)} ÷ {put(job.sites)} ÷ {put(lost.month)} = {got(lost.share)}"
    else:
        said = REPAIR.pick(language)
        yield f"n = stall ÷ MTTR → {put(lost.stall)} ÷ {put(lost.repair)} = {got(lost.restarts)} [{said}]"
        if job.checkpoint_interval_s is None:
            yield (
                "τ = √(2δ ÷ (N ÷ MTBF + n ÷ month)) → "
                f"√(2 × {put(job.checkpoint_write_s)} ÷ ({put(job.gpus)} ÷ {put(job.gpu.mtbf_h * HOUR)} + "
                f"{put(lost.restarts)} ÷ {put(lost.month)})) = {got(lost.interval)} s"
            )
        yield (
            "a = (stall + n × (τ ÷ 2 + R)) ÷ month → "
            f"({put(lost.stall)} + {put(lost.restarts)} × ({put(lost.interval)} ÷ 2 + {put(job.restart_s)})) ÷ "
            f"{put(lost.month)} = {got(lost.share)}"
        )
    stretch = 1 / (use * (1 - lost.share))
    yield f"K = 1 ÷ (U × (1 − a)) → 1 ÷ ({put(use)} × (1 − {put(lost.share)})) = {got(stretch)} [{USE.pick(language)}]"
    line = put(0 if money.charges is None else money.charges.levelised)
    gpu = _money(money.gpu, language)
    yield f"E = (L + G) × K − G → ({line} + {gpu}) × {put(stretch)} − {gpu} = {_money(money.effective, language)}"
