"""Money: the worked figures of the policy, by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from app.domain.assessment import Outcome
from tests.domain.examples import judge_all, judge_one, offer, workload


def test_levelised_charge_of_the_policy():
    # 400,000 / 1.09 = 366,972.48; 50,000 / 1.09 = 45,871.56; (24 · 366,972.48 + 45,871.56) / 24 = 368,883.79
    cost = judge_one().cost
    assert cost.line == Decimal("368883.79")
    assert cost.term_total == pytest.approx(Decimal("8853211.01"), abs=Decimal("0.05"))


def test_gpu_side_and_equal_work():
    cost = judge_one().cost
    assert cost.gpu == Decimal("934400.00")  # 128 · 730 h · 10
    # idle: 934,400 · (1/0.657515 − 1) = 486,708
    assert cost.idle_gpu == pytest.approx(Decimal(486708), abs=2)
    # a: stall 0.0001 · 730 = 0.073 h; restarts 0.073/4 = 0.01825; 1/M = 128/43,800 + 0.01825/730 = 0.00294737/h,
    # M = 339.29 h, τ = √(2 · 60 s · 1,221,440 s) = 12,107 s = 3.363 h; lost 0.073 + 0.01825 · (1.6815 + 0.1667) =
    # 0.10673 h; a = 1.4621e-4
    assert cost.outage_share == pytest.approx(1.4621e-4, rel=1e-3)
    # (368,883.79 + 934,400) / (0.657515 · (1 − 1.4621e-4)) − 934,400 = 1,982,425 − 934,400 = 1,048,025
    assert cost.effective == pytest.approx(Decimal(1048025), abs=5)
    # 1,982,425 / (128 · 730) = 21.216
    assert cost.per_useful_hour == pytest.approx(Decimal("21.216"), abs=Decimal("0.001"))


def test_the_dearer_line_wins_when_it_saves_gpu_time():
    # A 340G line at a fifth of the price: slower, so K is larger; equal work decides, not the monthly fee.
    fast = offer(vendor="快", price__monthly=400000)
    slow_segments = [{"name": "A", "bandwidth_gbps": 300}, {"name": "Z", "bandwidth_gbps": 300}]
    slow = offer(vendor="慢", bandwidth_gbps=300, segments=slow_segments, price__monthly=390000)
    judged = {j.offer.vendor: j for j in judge_all([slow, fast]).offers}
    assert judged["快"].outcome is Outcome.RECOMMENDED
    assert judged["慢"].outcome is Outcome.ELIGIBLE
    assert judged["慢"].rank == 2


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"price__monthly": None}, "monthly_charge"),
        ({"price__setup": None}, "setup_charge"),
        ({"price__tax_included": None}, "tax_included"),
        ({"price__tax_rate": None}, "tax_rate"),
        ({"price__term_months": None}, "contract_term"),
        ({"price__term_months": 12}, "renewal_uplift"),
        ({"price__term_months": 36}, "exit_share"),
        ({"price__items_included": ["port"]}, "items_included"),
        ({"price__currency": "USD"}, "rates.USD"),
        (
            {"layer": "cloud_port", "price__items_included": None, "platform__multi_cloud_routing": True},
            "items_included",
        ),
    ],
)
def test_a_missing_term_makes_the_sum_null_and_asks(changes, missing):
    judged = judge_one(**changes)
    assert missing in judged.cost.missing
    assert judged.cost.effective is None
    assert judged.rank is None
    assert judged.questions


def test_free_of_charge_is_a_stated_zero():
    # 400,000/1.09 a month and nothing else
    assert judge_one(price__setup=0).cost.line == Decimal("366972.48")


def test_foreign_currency_is_converted_by_the_dated_rate():
    judged = judge_one(policy={"rates": {"USD": 7.1}}, price__currency="USD", price__monthly=10900, price__setup=0)
    assert judged.cost.line == Decimal("71000.00")  # 10,900 / 1.09 · 7.1


def test_gross_when_tax_cannot_be_deducted():
    judged = judge_one(policy={"deductible_tax": False}, price__setup=0)
    assert judged.cost.line == Decimal("400000.00")
    net_quote = judge_one(policy={"deductible_tax": False}, price__setup=0, price__tax_included=False)
    assert net_quote.cost.line == Decimal("436000.00")  # 400,000 · 1.09


def test_renewal_and_exit_are_counted():
    # term 12 of 24 months, +10 % after: (12 + 12 · 1.1) / 24 = 1.05 of 366,972.477 = 385,321.10
    renewed = judge_one(price__term_months=12, price__renewal_uplift=0.1, price__setup=0).cost.line
    assert renewed == pytest.approx(Decimal("385321.10"), abs=Decimal("0.02"))
    # term 36: 12 months early, half of the remaining charges: (24 + 12 · 0.5) / 24 = 1.25 of 366,972.477
    left = judge_one(price__term_months=36, price__exit_share=0.5, price__setup=0).cost.line
    assert left == pytest.approx(Decimal("458715.60"), abs=Decimal("0.02"))


def test_rejected_and_conditional_offers_carry_figures_but_are_not_compared():
    judged = judge_one(platform__telemetry=False)
    assert judged.outcome is Outcome.REJECTED
    assert judged.cost.effective is not None
    assert not judged.cost.compared
    assert judged.rank is None


def test_a_price_ceiling_rejects():
    assert judge_one(policy={"price_ceiling": 1_000_000}).outcome is Outcome.REJECTED  # 1,048,025 > 1,000,000
    assert judge_one(policy={"price_ceiling": 1_100_000}).outcome is Outcome.RECOMMENDED


def test_inference_has_no_gpu_cost():
    judged = judge_all([offer(rtt_ms=4, distance_km=200)], workload("remote_inference")).offers[0]
    assert judged.cost.effective == judged.cost.line
    assert judged.cost.idle_gpu == 0


def test_ties_are_broken_by_name_and_a_third_offer_never_reorders_two():
    a, b, c = offer(vendor="A"), offer(vendor="B"), offer(vendor="C", price__monthly=390000)
    two = {j.offer.vendor: j.rank for j in judge_all([b, a]).offers}
    three = {j.offer.vendor: j.rank for j in judge_all([c, b, a]).offers}
    assert two == {"A": 1, "B": 2}
    assert three == {"C": 1, "A": 2, "B": 3}
