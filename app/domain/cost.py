"""Cost that a finance person accepts: equal work, net of tax, one currency, cash beside opportunity (policy 4).

`effective_monthly = (L + G)·K − G` with L the levelised monthly charge, G the GPU spend of a month and
K = 1/(U·(1 − a)) the time stretch for equal work; a comes from `outages.py`. A missing term makes the sums None;
it is never zero.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from app.domain.credits import CreditWorth, credit_worth
from app.domain.facts import State
from app.domain.formulas.delay import fibre_rtt_floor
from app.domain.outages import outages
from app.domain.questions import ask
from app.domain.terms import term

if TYPE_CHECKING:
    from app.domain.facts import Offer
    from app.domain.outages import Outages
    from app.domain.prediction import Prediction
    from app.domain.rules import Case
    from app.domain.text import Text
    from app.domain.workload import Training

HOUR = 3600.0
CENT = Decimal("0.01")
ENDS = frozenset({"port", "a_tail", "z_tail", "cross_connect"})
GIGABYTE = 1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Charges:
    """What the monthly charge L is made of, net and in the base currency; `extra` monthly charges beyond the term."""

    monthly: Decimal
    setup: Decimal
    usage: Decimal
    extra: Decimal
    months: int

    @property
    def levelised(self) -> Decimal:
        """All charges over the horizon, divided by it."""
        return (
            self.monthly * self.months + self.monthly * self.extra + self.usage * self.months + self.setup
        ) / self.months


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The money of one offer, in the base currency. `compared` is True only for eligible offers with every term.

    `line` is L per month, `gpu` is G; `outage_hours` the hours a month the job loses through this line.
    """

    currency: str
    compared: bool
    line: Decimal | None
    term_total: Decimal | None
    idle_gpu: Decimal | None
    layout_share: Decimal | None
    outage_gpu: Decimal | None
    effective: Decimal | None
    per_useful_hour: Decimal | None
    gpu: Decimal | None
    utilization: float | None
    outage_share: float | None
    outages: Outages | None
    credit: CreditWorth
    missing: tuple[str, ...]
    questions: tuple[Text, ...]
    charges: Charges | None = None

    def with_compared(self, compared: bool) -> Cost:
        """The same figures, marked as compared or not."""
        return replace(self, compared=compared and self.effective is not None)

    def as_json(self) -> dict[str, Any]:
        """The cost in the form of the contract."""
        return {
            "compared": self.compared, "currency": self.currency, "monthly": _float(self.line),
            "term_total": _float(self.term_total), "idle_gpu_monthly": _float(self.idle_gpu),
            "layout_share_monthly": _float(self.layout_share), "outage_gpu_monthly": _float(self.outage_gpu),
            "effective_monthly": _float(self.effective),
            "cost_per_useful_gpu_hour": _float(self.per_useful_hour), "gpu_monthly": _float(self.gpu),
            "outage_share": self.outage_share, "outages": self.outages.as_json() if self.outages else None,
            "standard_outage": self.credit.as_json(), "missing": list(self.missing),
        }  # fmt: skip


def _float(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


class _Money:
    """Collects what is missing while net amounts in the base currency are taken from an offer."""

    def __init__(self, case: Case, base: str) -> None:
        self.case, self.base = case, base
        self.missing: list[str] = []
        self.questions: list[Text] = []

    def lack(self, name: str, *questions: Text) -> None:
        if name not in self.missing:
            self.missing.append(name)
        self.questions += [q for q in questions if q not in self.questions]

    def _net(self, amount: Decimal) -> Decimal | None:
        """Net of deductible VAT; gross where it cannot be deducted."""
        included, rate = term(self.case.offer, "tax_included").flag, term(self.case.offer, "tax_rate")
        deductible = self.case.policy.deductible_tax
        if included is None:
            self.lack("tax_included", ask("tax"))
            return None
        if included is not deductible:
            return amount
        found = rate.fact.value if rate.fact is not None and rate.state is State.STATED else None
        if not isinstance(found, Decimal):
            self.lack("tax_rate", ask("tax"))
            return None
        return amount / (1 + found) if deductible else amount * (1 + found)

    def amount(self, metric: str) -> Decimal | None:
        """One charge, net, in the base currency; None (and noted) when a term is missing."""
        found = term(self.case.offer, metric)
        value = found.fact.value if found.fact is not None and found.state is State.STATED else None
        if not isinstance(value, Decimal) or found.fact is None:
            self.lack(metric, ask("price"))
            return None
        currency = found.fact.currency
        if currency is None:
            self.lack("currency", ask("price"))
            return None
        if value == 0:
            return value  # free is free at any rate of tax or exchange
        net = self._net(value)
        rate = Decimal(1) if currency == self.base else self.case.policy.rates.get(currency)
        if rate is None:
            self.lack(f"rates.{currency}", ask("rate_of_exchange", currency=currency, base=self.base))
            return None
        return None if net is None else net * rate


def _charges(money: _Money, monthly: Decimal | None, steps_per_month: float | None) -> Charges | None:
    """What L is made of; None while a charge is missing."""
    case = money.case
    months = case.policy.horizon_months
    setup = money.amount("setup_charge")
    usage = _usage(money, steps_per_month)
    span = term(case.offer, "contract_term").number
    if span is None:
        money.lack("contract_term", ask("term"))
        return None
    extra = Decimal(0)
    if span < months:
        uplift = term(case.offer, "renewal_uplift")
        if uplift.number is None:
            money.lack("renewal_uplift", ask("term"))
            return None
        extra = Decimal(str(uplift.number)) * Decimal(str(months - span))
    elif span > months:
        share = term(case.offer, "exit_share")
        if share.number is None:
            money.lack("exit_share", ask("term"))
            return None
        extra = Decimal(str(share.number)) * Decimal(str(span - months))
    _completeness(money)
    if "items_included" in money.missing:  # a sum without an end of the line is not a sum
        return None
    if monthly is None or setup is None or usage is None:
        return None
    return Charges(monthly=monthly, setup=setup, usage=usage, extra=extra, months=months)


def _usage(money: _Money, steps_per_month: float | None) -> Decimal | None:
    """Usage charges of a month: zero when none is quoted, but a cloud port must say so."""
    offer = money.case.offer
    if not offer.of("usage_charge"):
        if term(offer, "layer").word == "cloud_port":
            money.lack("usage_charge", ask("price_items"))
            return None
        return Decimal(0)
    per_gb = money.amount("usage_charge")
    if per_gb is None:
        return None
    if per_gb == 0:
        return per_gb
    if steps_per_month is None:
        money.lack("traffic", ask("price_items"))
        return None
    return per_gb * Decimal(str(money.case.lines.size * steps_per_month / GIGABYTE))


def _completeness(money: _Money) -> None:
    """The price must cover A to Z. Silence on a circuit is asked; a list that leaves out an end is incomplete."""
    offer = money.case.offer
    items = {str(f.value) for f in offer.of("price_item")}
    if not items:
        question = ask("price_items")
        if term(offer, "layer").word == "cloud_port":
            money.lack("items_included", question)
        elif question not in money.questions:
            money.questions.append(question)
        return
    left_out = sorted(ENDS - items)
    if left_out:
        money.lack("items_included", ask("price_items"))


def cost(case: Case, prediction: Prediction) -> Cost:
    """The cost of one offer for the main scenario of the workload."""
    job = case.workload.training
    base = job.gpu.currency.upper() if job is not None else _quoted_currency(case.offer)
    money = _Money(case, base)
    central = prediction.central
    month = case.policy.hours_per_month * HOUR * case.policy.duty
    runs: float | None = None
    if job is not None and central is not None and central.step:
        runs = month / central.step / job.sync_interval_steps
    elif case.workload.bulk is not None:
        runs = 1.0
    monthly = money.amount("monthly_charge")
    charges = _charges(money, monthly, runs)
    line = None if charges is None else charges.levelised
    down = None if job is None else outages(case, job)
    share = 0.0 if down is None else down.central.share if down.central is not None else None
    if down is not None and share is None:
        money.lack("availability", *down.questions)
    gpu, utilization, layout = (
        _gpu_side(case, job, prediction, money) if job is not None else (Decimal(0), 1.0, Decimal(0))
    )
    idle = restarted = None
    stretch = None
    if utilization is not None:
        idle = gpu * (Decimal(str(1 / utilization)) - 1)
    if utilization is not None and share is not None and share < 1:
        stretch = 1 / (utilization * (1 - share))
        restarted = gpu * Decimal(str(1 / utilization)) * (Decimal(str(1 / (1 - share))) - 1)
    effective = useful = None
    if line is not None and stretch is not None and not money.missing:
        k = Decimal(str(stretch))
        effective = (line + gpu) * k - gpu
        if job is not None:
            hours = Decimal(str(job.gpus * case.policy.hours_per_month * case.policy.duty))
            useful = (line + gpu) * k / hours
    months = case.policy.horizon_months
    return Cost(
        currency=base, compared=False, line=_cents(line), term_total=_cents(None if line is None else line * months),
        idle_gpu=_cents(idle), layout_share=_cents(layout), outage_gpu=_cents(restarted), effective=_cents(effective),
        per_useful_hour=None if useful is None else useful.quantize(Decimal("0.0001")), gpu=_cents(gpu),
        utilization=utilization, outage_share=share, outages=down, credit=credit_worth(case, monthly, down),
        missing=tuple(money.missing), questions=tuple(money.questions), charges=charges,
    )  # fmt: skip


def _gpu_side(
    case: Case, job: Training, prediction: Prediction, money: _Money
) -> tuple[Decimal, float | None, Decimal | None]:
    """G, utilisation and the layout share of idle time (idle at an ideal line of this layout)."""
    central = prediction.central
    utilization = central.utilization if central is not None else None
    if utilization is None:
        money.lack("utilization")
    if job.gpu.hour_price is None:
        # Without a price the GPU side is left out for every bidder alike: a ranking by cash only.
        return Decimal(0), utilization, Decimal(0)
    hours = Decimal(str(job.gpus * case.policy.hours_per_month * case.policy.duty))
    gpu = hours * Decimal(str(job.gpu.hour_price))
    demand = case.lines.training
    layout = None
    if demand is not None:
        rtt = fibre_rtt_floor(distance=case.workload.distance_km) if case.workload.distance_km else 0.0
        ideal = demand.exchange(1e18, rtt, 0.0).utilization
        layout = gpu * (Decimal(str(1 / ideal)) - 1)
    return gpu, utilization, layout


def _cents(value: Decimal | None) -> Decimal | None:
    return None if value is None else value.quantize(CENT)


def _quoted_currency(offer: Offer) -> str:
    found = term(offer, "monthly_charge").fact
    return (found.currency if found is not None and found.currency else None) or "CNY"
