"""The table of outcomes: the figures of the scenario, only the columns that it has."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.text import Language
from app.presentation import format as fmt
from app.report.comparison import ComparisonView, comparison_view
from app.report.outcome_view import OVERLOADED, outcome_tables
from app.report.requirement_words import lede_of
from tests.domain.examples import judge_all, offer, workload

LINE: dict[str, Any] = {"segments": None, "rtt_ms": 3.5, "distance_km": 200}


def offers() -> list[dict[str, Any]]:
    return [
        offer(vendor="A", bandwidth_gbps=200, **LINE),
        offer(vendor="B", bandwidth_gbps=90, **LINE),
        offer(vendor="C", bandwidth_gbps=200, packet_loss=None, **LINE),
    ]


@pytest.mark.parametrize("language", list(Language))
def test_a_split_service_shows_load_wait_and_first_token(language: Language) -> None:
    judged = judge_all(offers(), workload("prefill_decode"))
    (table,) = outcome_tables(judged, language)
    assert fmt.duration(1.5, language) in table.title
    good, full, silent = table.rows
    central = judged.offers[0].prediction.central
    assert central is not None and central.load is not None
    assert good.cells[1] == fmt.figure(central.load, language, digits=2)
    assert good.cells[2:4] == (fmt.duration(central.wait, language), fmt.duration(central.ttft, language))
    assert good.cells[-1] == fmt.duration(central.ttft_tail, language)
    # 90 Gbit/s for a mean of 92: the queue never empties, which is not the same as a figure not stated.
    assert full.cells[2] == full.cells[-1] == OVERLOADED.pick(language)
    assert silent.cells[-1] not in (full.cells[-1], good.cells[-1])
    assert len(table.heads) == 1 + len(good.cells) == 7


def test_remote_inference_has_no_cache_columns() -> None:
    (table,) = outcome_tables(judge_all([offer(**LINE)], workload("remote_inference")), Language.EN)
    assert table.heads == ("Offer", "Effective rate left for it", "First token, mean", "Band", "First token, p95")


def test_bulk_shows_its_time_and_its_share_of_the_window() -> None:
    judged = judge_all([offer(**LINE)], workload("cloud_bulk"))
    (table,) = outcome_tables(judged, Language.EN)
    central = judged.offers[0].prediction.central
    assert central is not None and central.transfer is not None
    assert table.rows[0].cells[1] == fmt.duration(central.transfer, Language.EN)
    assert table.rows[0].cells[-1] == fmt.percent(central.transfer / 28_800, Language.EN)


def test_training_has_no_table_and_a_mixed_job_only_that_of_its_service() -> None:
    job = workload() | {"scenario": "mixed", "inference": workload("prefill_decode")["inference"]}
    assert outcome_tables(judge_all([offer()]), Language.EN) == ()
    judged = judge_all([offer(bandwidth_gbps=800, segments=None)], job)
    (table,) = outcome_tables(judged, Language.EN)
    effective = judged.offers[0].predictions[1].central
    assert effective is not None
    # What training leaves: 280.2 Gbit/s are its floor.
    assert table.rows[0].cells[0] == fmt.rate(effective.effective - 280.2057e9, Language.EN)
    lede = lede_of(judged.workload, judged.requirement, Language.EN)
    assert "350" in lede and "20 requests a second, Prefill/decode split 138" in lede.replace("\u00a0", " ")


def view(job: dict[str, Any]) -> ComparisonView:
    return comparison_view(judge_all([offer(**LINE)], job), Language.EN)


def test_without_training_the_cost_is_the_line() -> None:
    served = view(workload("prefill_decode")).cost
    assert not served.with_training
    assert served.symbolic == "effective monthly cost = L"
    assert "business lost to outages of the line is not valued" in served.terms
    assert served.rows[0].formula.startswith("L = ")
    assert view(workload()).cost.with_training
