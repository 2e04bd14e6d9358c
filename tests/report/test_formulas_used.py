"""Annex B lists the formulas behind a document and no others, straight from the registry."""

from __future__ import annotations

from pathlib import Path

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from app.domain.formulas.registry import BY_ID, FORMULAS, TOPICS
from app.domain.text import Language
from app.report.formulas_used import formulas_used
from tests.domain.examples import judge_all, offer, workload

FONT = Path(__file__).parents[2] / "static/fonts/LinewiseSansSC-Regular.ttf"


def used(preset: str, **fields: object) -> list[str]:
    assessment = judge_all([offer(**fields)], workload(preset))
    return [row.id for row in formulas_used(assessment, Language.EN)]


def test_the_formulas_of_a_training_offer_and_no_others() -> None:
    ids = used("175b_data")
    assert {"site_egress_data", "bandwidth_floor", "sync_time", "utilization", "go_back_n_efficiency"} <= set(ids)
    assert not {"pipeline_step_time", "cubic_throughput", "time_to_first_token", "article_group_volume"} & set(ids)
    order = [formula.id for topic in TOPICS for formula in topic.formulas]
    assert ids == [name for name in order if name in ids]


def test_another_job_another_annex() -> None:
    assert "time_to_first_token" in used("remote_inference")
    assert "sync_time" not in used("remote_inference")


@pytest.mark.parametrize(
    ("transport", "formula"),
    [
        ("tcp_bbr", "bbr_throughput"),
        ("tcp_cubic", "cubic_throughput"),
        ("rdma_selective_repeat", "selective_repeat_efficiency"),
    ],
)
def test_an_offer_with_its_own_transport_adds_its_formula(transport: str, formula: str) -> None:
    assert formula in used("175b_data", transport=transport)


@pytest.mark.parametrize("language", list(Language))
def test_a_row_is_the_registry_s(language: Language) -> None:
    for row in formulas_used(judge_all([offer()]), language):
        formula = BY_ID[row.id]
        assert (row.title, row.validity) == (formula.title.pick(language), formula.validity.pick(language))
        assert bool(row.band) is (formula.band is not None)


def test_every_character_of_a_formula_is_in_our_typeface() -> None:
    ours = set(TTFont(FONT).getBestCmap())
    for formula in FORMULAS:
        band = (formula.band.words.zh, formula.band.words.en, formula.band.source.title.zh) if formula.band else ()
        texts = (formula.symbolic, formula.title.zh, formula.validity.zh, formula.validity.en, formula.source.title.zh)
        strange = {character for text in (*texts, *band) for character in text if ord(character) not in ours}
        assert not strange, (formula.id, strange)
