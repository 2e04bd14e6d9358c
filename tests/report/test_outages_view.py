"""Outages and credits in words: the table, the panels, and what stays open."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.text import Language
from app.report.cost_view import cost_view
from app.report.outages_view import OutageRow, credit_lines, outage_lines, outage_view
from app.report.panel_view import cell_panel
from app.report.requirement_lines import red_lines
from tests.domain.examples import OFFER, check, judge_all, offer, workload

ZH, EN = Language.ZH, Language.EN


def row(language: Language = EN, **changes: object) -> OutageRow:
    return outage_view(judge_all([offer(**changes)]), language).rows[0]


def test_the_row_of_the_example() -> None:
    # 0.073 h = 4.38 min a month; lost 0.10673 h = 6.40 min, 13.66 GPU hours, 136.62 at 10 an hour; the standard outage
    # takes 876.6 GPU hours = 8,766 and returns 36,697: 4.19 times.
    found = row()
    assert "4.38" in found.longest[0] and "8.76" in found.longest[0]
    assert found.lost.startswith("6.4") and found.gpu_hours == "13.7" and "136.62" in found.money
    assert found.credit_share == "10%" and "4.19 times" in found.ratio
    assert "赔付为损失的 4.19 倍" in row(ZH).ratio


def test_a_credit_below_the_loss_is_a_share_of_it() -> None:
    # 5 % of 20,000/1.09 = 917.43 against 8,766: 10.5 %
    cheap = row(price__monthly=20000, sla__credit_tiers=[{"from": 0.99, "to": 0.9999, "credit": 0.05}])
    assert "covers 10.5%" in cheap.ratio


def test_what_is_not_known_stays_open() -> None:
    silent = row(sla__availability=None, sla__credit_tiers=None)
    assert (silent.lost, silent.credit, silent.ratio) == ("open", "open", "open")
    assert silent.gpu_hours == "–" and "No availability" in silent.told
    assert row(sla__credit_cap=None).credit_share == "at most 10%"


def test_without_a_price_the_loss_is_not_valued() -> None:
    unpriced = outage_view(judge_all([OFFER], workload(training__gpu__hour_price=None)), EN).rows[0]
    assert unpriced.money == "open" and unpriced.ratio == "loss not valued"


def test_a_service_shows_the_credit_only() -> None:
    view = outage_view(judge_all([offer(rtt_ms=4, distance_km=200)], workload("remote_inference")), EN)
    assert not view.with_training and view.rows[0].longest == () and view.rows[0].told == ""
    assert view.rows[0].credit_share == "10%"


def test_a_claim_of_100_percent_is_never_a_silent_zero() -> None:
    claimed: dict[str, Any] = {"sla__availability": 1, "topology__paths": 1}
    assert "a claim, not a record" in row(**claimed).told and "a claim" in row(**claimed).on_paper
    assert "说法而非实绩" in row(ZH, **claimed).told
    assert row(**claimed).band
    for terms, said in ((claimed, ("¥0（所称）", "CNY\u00a00 (claimed)")), ({}, ("¥207.81", "CNY\u00a0207.81"))):
        assessment = judge_all([offer(**terms)])
        assert tuple(cost_view(assessment, language).rows[0].outage for language in (ZH, EN)) == said


def test_the_panel_counts_maintenance_that_the_promise_leaves_out() -> None:
    # 0.9999 · (1 − 4/730) = 99.442 %
    def said(**changes: object) -> str:
        assessment = judge_all([offer(**changes)])
        return " ".join(outage_lines(assessment, assessment.offers[0], EN))

    assert "99.442" in said() and "planned maintenance" in said()
    assert "is open" in said(sla__maintenance_h_per_month=None)
    assert "maintenance" not in said(sla__exclusions=["force_majeure"])


@pytest.mark.parametrize("language", [ZH, EN])
def test_the_panels_tell_it(language: Language) -> None:
    assessment = judge_all([OFFER])
    judged = assessment.offers[0]
    for check_id, lines in (("sla.compensation", credit_lines), ("sla.availability", outage_lines)):
        said = lines(assessment, judged, language)
        panel = cell_panel(assessment, judged, check(judged, check_id), language, "").panel
        assert said and set(said) <= set(panel.notes)


@pytest.mark.parametrize("language", [ZH, EN])
def test_the_need_stands_beside_the_floor(language: Language) -> None:
    assessment = judge_all([OFFER])
    lines = red_lines(assessment.workload, assessment.policy, assessment.requirement.main, language)
    beside = next(line for line in lines if line.metric == "availability").beside
    assert "99.2717" in beside and "99.9" in beside and "99.99" in beside
