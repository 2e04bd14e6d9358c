"""The cost of one offer line by line: charges net of tax, GPU spend, time lost to outages, cost for equal work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.terms import term
from app.domain.text import Language, Text, percent
from app.presentation import format as fmt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from decimal import Decimal

    from app.domain.assessment import Assessment, Judged
    from app.domain.cost import Charges
    from app.domain.outages import Loss
    from app.domain.workload import Training

DIGITS, RESULT_DIGITS = 12, 7
HOUR = 3600
NET = Text("{name} → {sum} = {net} [报价：{title}]", "{name} → {sum} = {net} [offer: {title}]")
TITLES = {
    "M": ("monthly_charge", Text("月费", "Monthly charge")),
    "S": ("setup_charge", Text("一次性费用", "Setup charge")),
}
EXTRA = Text("合同期外折合 {x} 个月的月费", "{x} monthly charges beyond the term")
AVAILABILITY = Text(
    "报价：可用性的最不利读法，不含接入时乘以接入；恢复时限，未写则 4 小时",
    "offer: availability at its worst reading, with tails where they are left out; restoration time, else 4 h",
)
SWITCHED = Text("单条路径可用性按 {n} 计；t 为倒换时间", "one path is taken at {n}; t is the failover time")
WORDS = {
    "paths": Text("路径数", "paths"), "month": Text("月", "month"), "duty": Text("占用率", "duty"),
    "price": Text("单价", "price"),
}  # fmt: skip
USE = Text("预测：利用率", "prediction: utilisation")


def cost_working(offer: Judged, assessment: Assessment, language: Language) -> tuple[str, ...]:
    """Every line from the quoted charges to the effective monthly cost; nothing while a term is missing."""
    money, job = offer.cost, assessment.workload.training
    if money.effective is None or money.charges is None:
        return ()
    lines = [*_net(offer, assessment, language), _levelised(money.charges, money.line, language)]
    lost = None if money.outages is None else money.outages.central
    if job is not None and lost is not None and money.gpu is not None and money.utilization is not None:
        lines += _equal_work(job, offer, assessment, lost, language)
    return tuple(f"{at}. {_worded(line, language)}" for at, line in enumerate(lines, 1))


def _worded(line: str, language: Language) -> str:
    """The line with the words of its symbols in the reader's language."""
    form, arrow, numbers = line.partition(" → ")
    for word, text in WORDS.items():
        form = form.replace(word, text.pick(language))
    return f"{form}{arrow}{numbers}"


EXACT = 10  # digits that a reader needs to come to the same cent


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


def _equal_work(job: Training, offer: Judged, assessment: Assessment, lost: Loss, language: Language) -> Iterator[str]:
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
    yield from _outages(job, offer, lost, language)
    stretch = 1 / (use * (1 - lost.share))
    exact = f"({put(use, EXACT)} × (1 − {put(lost.share, EXACT)}))"
    yield f"K = 1 ÷ (U × (1 − a)) → 1 ÷ {exact} = {got(stretch)} [{USE.pick(language)}]"
    line = put(0 if money.charges is None else money.charges.levelised)
    gpu = _money(money.gpu, language)
    total = _money(money.effective, language)
    yield f"E = (L + G) × K − G → ({line} + {gpu}) × {put(stretch, EXACT)} − {gpu} = {total}"


def _outages(job: Training, offer: Judged, lost: Loss, language: Language) -> Iterator[str]:
    """Outages and switchovers of a month, the checkpoint interval with the line in it, and the share lost."""

    def put(value: float, digits: int = DIGITS) -> str:
        return _put(value, language, digits)

    def got(value: float) -> str:
        return put(value, RESULT_DIGITS)

    events, (down, switched) = lost.events, lost.kinds
    yield (
        f"n = (1 − A) × month ÷ MTTR → (1 − {put(events.availability)}) × {put(lost.month)} ÷ {put(events.repair_time)}"
        f" = {got(down.count)} [{AVAILABILITY.pick(language)}]"
    )
    if switched.count:
        paths, path = term(offer.offer, "paths").number or 1.0, p.PATH_AVAILABILITY.value
        numbers = f"{put(paths)} × (1 − {put(path)}) × {put(lost.month)} ÷ {put(events.repair_time)}"
        said = SWITCHED.format(n=percent(path)).pick(language)
        yield f"s = paths × (1 − A′) × month ÷ MTTR → {numbers} = {got(switched.count)} [{said}]"
    if lost.restarts and job.checkpoint_interval_s is None:
        restarts = " + ".join(put(k.count) for k in lost.kinds if k.restarts)
        names = " + ".join(name for name, k in zip("ns", lost.kinds, strict=True) if k.restarts)
        yield (
            f"τ = √(2δ ÷ (N ÷ MTBF + ({names}) ÷ month)) → √(2 × {put(job.checkpoint_write_s)} ÷ ({put(job.gpus)} ÷ "
            f"{put(job.gpu.mtbf_h * HOUR)} + ({restarts}) ÷ {put(lost.month)})) = {got(lost.interval)} s"
        )
    parts = list(_parts(job, lost, put))
    shared = (" ÷ k", f" ÷ {put(lost.sites)}") if lost.sites > 1 else ("", "")
    names, figures = (" + ".join(part[side] for part in parts) for side in (0, 1))
    yield f"a = ({names}){shared[0]} ÷ month → ({figures}){shared[1]} ÷ {put(lost.month)} = {got(lost.share)}"


def _parts(job: Training, lost: Loss, put: Callable[[float], str]) -> Iterator[tuple[str, str]]:
    """Each kind of event as symbols and as numbers: what stalls for its length, what restarts with half of τ and R."""
    for name, length, kind in zip("ns", ("MTTR", "t"), lost.kinds, strict=True):
        if name == "s" and not kind.count:
            continue
        if kind.restarts:
            yield (
                f"{name} × ({length} + τ ÷ 2 + R)",
                f"{put(kind.count)} × ({put(kind.length)} + {put(lost.interval)} ÷ 2 + {put(job.restart_s)})",
            )
        else:
            yield f"{name} × {length}", f"{put(kind.count)} × {put(kind.length)}"
