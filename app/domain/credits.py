"""What a vendor's credits are worth: the standard outage (5 h in one month) paid for, beside the loss it causes."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.formulas.outages import outage_credit, pro_rata_credit
from app.domain.terms import term

if TYPE_CHECKING:
    from app.domain.outages import Outages
    from app.domain.rules import Case

HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditWorth:
    """The standard outage in money: `share` of the monthly charge after the cap, `paid`, and the `loss` it causes.

    None is not known. `capped` False: the cap is not stated, so `share` and `paid` are the most there can be.
    `pro_rata` is what a return in proportion to the time would be.
    """

    share: float | None
    capped: bool
    pro_rata: float
    paid: Decimal | None
    gpu_hours: float | None
    loss: Decimal | None

    @property
    def ratio(self) -> float | None:
        """Credit over loss."""
        return float(self.paid / self.loss) if self.paid is not None and self.loss else None

    def as_json(self) -> dict[str, Any]:
        """The figures as the assessment's JSON gives them."""
        return {
            "credit_share": self.share, "cap_stated": self.capped, "pro_rata_share": self.pro_rata,
            "credit": None if self.paid is None else float(self.paid), "lost_gpu_hours": self.gpu_hours,
            "loss": None if self.loss is None else float(self.loss), "ratio": self.ratio,
        }  # fmt: skip


def standard_credit(case: Case) -> float | None:
    """Share of the monthly charge returned for the standard outage (5 h in one month), or None when not stated.

    Below the lowest stated tier at least that tier's credit is due; tiers may go by availability or by length.
    """
    outage, month = p.STANDARD_OUTAGE.value, case.policy.hours_per_month * HOUR
    tiers = [f for f in case.offer.of("credit_tier") if isinstance(f.value, Decimal)]
    if not case.offer.of("credit_tier"):
        return None
    by_length = [
        float(str(f.value))
        for f in tiers
        if f.basis == "outage_duration" and (f.lower is None or outage >= float(f.lower))
    ]
    by_availability = [f for f in tiers if f.basis != "outage_duration"]
    bounds = [1.0 if f.upper is None else float(f.upper) for f in by_availability]
    due = outage_credit(
        outage=outage, window=month, bounds=bounds, tier_credits=[float(str(f.value)) for f in by_availability], cap=10
    )
    return max([due, *by_length])


def credit_worth(case: Case, charge: Decimal | None, outages: Outages | None) -> CreditWorth:
    """The standard outage: what the vendor pays of the monthly `charge` (net, base currency) and what it costs."""
    job, cap = case.workload.training, term(case.offer, "credit_cap").number
    share, month = standard_credit(case), case.policy.hours_per_month * HOUR
    if share is not None and cap is not None:
        share = min(share, cap)
    hours = None if outages is None else outages.standard_gpu_hours
    price = job.gpu.hour_price if job is not None else None
    return CreditWorth(
        share=share, capped=cap is not None, pro_rata=pro_rata_credit(outage=p.STANDARD_OUTAGE.value, window=month),
        paid=None if share is None or charge is None else charge * Decimal(str(share)), gpu_hours=hours,
        loss=None if hours is None or price is None else Decimal(str(hours)) * Decimal(str(price)),
    )  # fmt: skip
