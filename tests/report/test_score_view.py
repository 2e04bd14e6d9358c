"""The score sheet: there with a weighted preset, nowhere with the default; bands for the unknown, weights of 100."""

from __future__ import annotations

import re

import pytest

from app.domain.presets import PRESETS as JOBS
from app.domain.text import Language
from app.domain.weights import FACTORS, PRESETS
from app.report.comparison import comparison_view
from app.report.document import report_view
from app.report.lints import lints
from app.report.outline import outline_view
from app.report.pdf import build_pdf
from tests.report.samples import ALL, DEAR, GOOD, NARROW, judged
from tests.report.test_pdf import MOMENT, NAME, flat, text_of

ZH, EN = Language.ZH, Language.EN
TRAINING = {"preset": "AI-training", "price_ceiling": 2_000_000}


def texts(view: object) -> str:
    return repr(view)


@pytest.mark.parametrize("language", [ZH, EN])
def test_the_default_shows_no_score_anywhere(language: Language) -> None:
    assessment = judged(ALL)
    view = comparison_view(assessment, language)
    assert view.score is None
    assert not re.search(r"得分第|得分最高|by points|按得分", texts(view))
    report = report_view(assessment, language, NAME, MOMENT)
    assert report.preset.startswith("先过门槛，再比成本：" if language is ZH else "Pass, then cost: ")
    text = text_of(build_pdf(assessment, language, name=NAME, generated=MOMENT).data)
    assert flat(report.preset) in text
    assert not [w for w in ("综合评分", "Scoresheet", "得分/100", "Pointsof100") if w in text]
    assert len(outline_view(assessment, language).chapters) == 14


@pytest.mark.parametrize("language", [ZH, EN])
def test_page_and_paper_hold_the_same_score(language: Language) -> None:
    assessment = judged(ALL, policy=TRAINING)
    view = comparison_view(assessment, language)
    score = view.score
    assert score is not None
    assert (score.weights, len(score.table.rows)) == ("100", len(FACTORS))
    assert [o.total for o in score.table.offers] == ["82.1–83.8", "82.1–83.8", "38.1–94"]
    first = view.cards[0]
    assert (first.pairs[0].label, first.pairs[0].value) == ("得分" if language is ZH else "Points", "82.1–83.8 / 100")
    assert first.rank == ("得分第 1" if language is ZH else "rank 1 by points")
    rejected = next(c for c in view.cards if c.head.outcome == "rejected")
    assert rejected.pairs[0].value == ("不计分" if language is ZH else "not scored")
    text = text_of(build_pdf(assessment, language, name=NAME, generated=MOMENT).data)
    title = "AI训练从严：" if language is ZH else "AItraining,strict:"
    assert title in text
    assert ("8综合评分" if language is ZH else "8Scoresheet") in text
    assert ("11假设" if language is ZH else "11Assumptions") in text
    shown = [score.conclusion, score.ranking, *score.notes]
    shown += [c for row in score.table.rows for cell in row.cells for c in (cell.points, cell.weighted)]
    shown += [row.title for row in score.table.rows] + [o.total for o in score.table.offers]
    assert [s for s in shown if flat(s) not in text] == []
    assert ("判断" if language is ZH else "judgement") in " ".join(score.notes)


def test_unknown_points_are_a_band_from_zero() -> None:
    score = comparison_view(judged(ALL, policy=TRAINING), ZH).score
    assert score is not None
    loss = next(r for r in score.table.rows if r.id == "loss.packet_loss")
    assert [(c.points, c.weighted, c.open) for c in loss.cells] == [
        ("85", "8.5", False),
        ("85", "8.5", False),
        ("0–100", "0–10", True),
    ]
    assert [o.rank for o in score.table.offers] == ["第 1 名", "第 2 名", "未排名"]


def test_level_points_say_that_cost_decided_and_cost_keeps_its_own_order() -> None:
    level = report_view(judged([GOOD, DEAR], policy=TRAINING), EN, NAME, MOMENT)
    assert (
        "Points 82.1–83.8 / 100, at the low end level with 丁川光联; "
        "effective monthly cost CNY\u00a01.05M, the second's CNY\u00a01.21M."
    ) in level.reasons
    assert level.rejected[0].change == "To pass: more than 82.1 points at the low end"
    dear = DEAR | {"packet_loss": 1e-9}
    better = report_view(judged([GOOD, dear], policy=TRAINING), ZH, NAME, MOMENT)
    assert better.view.title.startswith("推荐丁川光联")
    assert any(r.startswith("得分 ") and "第二名甲山通信" in r for r in better.reasons)
    assert "甲山通信最低" in better.cost_title


def test_own_weights_and_a_missing_ceiling_are_told() -> None:
    own = judged([GOOD], policy={"preset": "AI-training", "weights": {"price": 15, "platform": 15}})
    score = comparison_view(own, ZH).score
    assert score is not None
    assert next(r for r in score.table.rows if r.id == "price").note == "采购方设定，预设为 20"
    assert "未设最高限价：价格一项所有报价都计 0 分。" in score.notes
    assert "no_price_ceiling" in {lint.code for lint in lints(own, ZH)}
    assert "no_price_ceiling" not in {lint.code for lint in lints(judged([GOOD]), ZH)}


@pytest.mark.parametrize("preset", [p.code for p in PRESETS])
@pytest.mark.parametrize("scenario", ["training", "inference", "bulk"])
def test_every_preset_in_every_scenario(preset: str, scenario: str) -> None:
    job = next(j.workload for j in JOBS if j.workload["scenario"] == scenario)
    for language in Language:
        score = comparison_view(judged(ALL, workload=job, policy={"preset": preset}), language).score
        assert (score is None) == (preset == "pass-then-cost")
        assert score is None or score.weights == "100"


def test_nobody_scored_leaves_the_sheet_with_its_words() -> None:
    assessment = judged([NARROW], policy=TRAINING)
    score = comparison_view(assessment, EN).score
    assert score is not None
    assert (score.conclusion, score.parts) == ("no offer could be ranked", ())
    assert "8Scoresheet" in text_of(build_pdf(assessment, EN, name=NAME, generated=MOMENT).data)
