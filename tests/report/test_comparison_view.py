"""The comparison as an object: the conclusion in words, figures never zero for silence, cost only among survivors."""

from __future__ import annotations

import pytest

from app.domain.presets import PRESETS
from app.domain.text import Language
from app.report.comparison import comparison_view
from app.report.figures import milliseconds, readable
from app.report.lints import lints
from app.report.matrix import check_of, offers_of
from app.report.panel_view import cell_panel
from tests.domain.examples import changed
from tests.report.samples import ALL, DEAR, GOOD, NARROW, SILENT, SOFT, judged

ZH, EN = Language.ZH, Language.EN


@pytest.mark.parametrize(
    ("offers", "zh", "en"),
    [
        (
            [GOOD, NARROW, SILENT],
            "推荐甲山通信；乙河网络未过端到端带宽等 3 项，丙原互联待澄清有效带宽等 3 项",
            (
                "甲山通信 is recommended; 乙河网络 fails end-to-end bandwidth and 2 more, "
                "丙原互联 must clarify effective bandwidth and 2 more"
            ),
        ),
        ([GOOD, DEAR], "推荐甲山通信；丁川光联合格，排第 2", "甲山通信 is recommended; 丁川光联 is eligible, rank 2"),
        (
            [GOOD],
            "推荐甲山通信（只有一份报价，无可比较）",
            "甲山通信 is recommended (the only offer, nothing to compare with)",
        ),
        (
            [NARROW],
            "没有报价通过四步门槛：乙河网络未过端到端带宽等 3 项",
            "No offer passes the four steps: 乙河网络 fails end-to-end bandwidth and 2 more",
        ),
        (
            [SILENT, SOFT],
            "暂不能推荐：丙原互联待澄清有效带宽等 3 项，戊湖传输未过端到端监测",
            "No recommendation yet: 丙原互联 must clarify effective bandwidth and 2 more, 戊湖传输 fails telemetry",
        ),
        (
            ALL,
            "推荐甲山通信；另有 1 份合格、1 份待澄清、2 份否决",
            "甲山通信 is recommended; others: 1 eligible, 1 to clarify, 2 rejected",
        ),
    ],
)  # fmt: skip
def test_title_is_the_conclusion(offers: list[dict[str, object]], zh: str, en: str) -> None:
    assessment = judged(offers)
    assert comparison_view(assessment, ZH).title == zh
    assert comparison_view(assessment, EN).title == en


def test_two_products_of_one_vendor_are_told_apart() -> None:
    view = comparison_view(judged([GOOD, changed(GOOD, product="备用")]), ZH)
    assert {h.label for h in view.offers} == {"甲山通信 / 400G 智算专线", "甲山通信 / 备用"}


def _cells(offers: list[dict[str, object]], place: int, language: Language = ZH) -> dict[str, tuple[str, str, str]]:
    view = comparison_view(judged(offers), language)
    return {
        r.check: (r.cells[place].cell.status, r.cells[place].cell.value, r.cells[place].cell.small)
        for s in view.steps
        for r in s.rows
    }


def test_silence_is_never_zero() -> None:
    cells = _cells([GOOD, SILENT], 1)
    assert cells["loss.packet_loss"][:2] == ("unknown", "未写明")
    assert cells["latency.jitter"][:2] == ("unknown", "未写明")
    assert cells["bandwidth.effective"][1].startswith("至多")
    assert _cells([GOOD, SILENT], 1, EN)["loss.packet_loss"][1] == "not stated"
    bare = changed(
        GOOD, vendor="空", bandwidth_gbps=None, segments=None, sla=..., price=..., rtt_ms=None, oversubscription=None
    )
    assert not [v for v in _cells([GOOD, bare], 1).values() if v[1].strip() in ("0", "0 ms", "0:1", "0 %", "")]


def test_declining_to_commit_is_said_in_words() -> None:
    cells = _cells([GOOD, changed(GOOD, vendor="拒", packet_loss=False)], 1)
    assert cells["loss.packet_loss"][:2] == ("fail", "不承诺")


def test_a_figure_without_direction_says_so() -> None:
    assert "方向未写明" in _cells([GOOD, SILENT], 1)["latency.rtt"][2]


def test_cost_compares_survivors_only_and_shows_the_others_figures() -> None:
    cost = comparison_view(judged(), ZH).cost
    assert [(r.vendor, r.rank) for r in cost.compared] == [("甲山通信", "1"), ("丁川光联", "2")]
    beside = {r.vendor: r for r in cost.others}
    assert beside["乙河网络"].note == "不参与比较"
    assert beside["乙河网络"].effective.startswith("¥")
    assert beside["丙原互联"].effective == "待定"
    assert "合同期" in beside["丙原互联"].note
    assert cost.compared[0].formula.endswith("= ¥1,048,025.49")


def test_questions_are_numbered_and_the_cells_point_to_them() -> None:
    view = comparison_view(judged([GOOD, SILENT]), ZH)
    numbers = [q.number for lst in view.questions for q in lst.questions]
    # the straight-line distance and the date of evaluation are for the buyer to give
    assert numbers == [*(f"C2.{n}" for n in range(1, len(numbers) - 1)), "B1", "B2"]
    cells = [c for s in view.steps for r in s.rows for c in r.cells if c.cell.status == "unknown"]
    assert cells
    assert all(set(c.questions) <= set(numbers) for c in cells)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.id)
@pytest.mark.parametrize("language", [ZH, EN])
def test_every_preset_gives_a_page(preset: object, language: Language) -> None:
    assessment = judged(ALL, workload=preset.workload)  # type: ignore[attr-defined]
    view = comparison_view(assessment, language)
    assert view.title
    assert len(view.cards) == len(ALL)
    for offer in assessment.offers:
        for check in offer.checks:
            opened = cell_panel(assessment, offer, check, language, "/back").panel
            assert opened.value
            assert opened.sources


def test_mixed_jobs_have_a_row_per_scenario() -> None:
    base = next(p.workload for p in PRESETS if p.id == "175b_data")
    service = next(p.workload for p in PRESETS if p.id == "remote_inference")
    assessment = judged(ALL, workload={**base, "scenario": "mixed", "inference": service["inference"]})
    rows = [r for s in comparison_view(assessment, ZH).steps for r in s.rows if r.check == "latency.rtt"]
    assert [r.title for r in rows] == ["往返时延 · 训练", "往返时延 · 推理"]
    key = rows[0].cells[0].offer
    offer = offers_of(assessment, key)
    assert offer is not None
    assert check_of(offer, "latency.rtt", "inference") is not check_of(offer, "latency.rtt", "")
    assert check_of(offer, "latency.rtt", "bulk") is None


def test_the_panel_shows_words_place_formula_source_and_who_confirmed() -> None:
    assessment = judged()
    offer = assessment.offers[0]
    check = check_of(offer, "loss.packet_loss", "")
    assert check is not None
    panel = cell_panel(assessment, offer, check, ZH, "/back").panel
    shown = {p.label: p.value for p in panel.pairs}
    assert panel.quote == "端到端丢包率（月均）≤10⁻⁷"
    assert shown["文件"] == "甲山-SLA-v3.xlsx"
    assert "SLA" in shown["位置"]
    assert shown["确认"] == "网络组 李工（姓名自填）"
    assert panel.formula == "p = (1/下限 − 1/目标)·8·净荷 / RTT"
    assert "280.205741065" in panel.working[0]  # 2.8e12 / (10 − 0.0073425), every digit
    assert panel.working[0].endswith("3.185363×10⁻⁶")
    assert any("公开文献" in title for title, _ in panel.sources)
    floor = check_of(offer, "sla.availability", "")
    assert floor is not None
    assert ("判断", "") in cell_panel(assessment, offer, floor, ZH, "/").panel.sources


def test_lints() -> None:
    def codes(*offers: dict[str, object], **policy: object) -> set[str]:
        return {lint.code for lint in lints(judged(list(offers), policy=policy or None), ZH)}

    assert codes(GOOD, DEAR, evaluation_date="2026-12-01") == set()
    assert codes(GOOD) == {"single_offer", "no_evaluation_date"}
    assert "no_recommendation" in codes(NARROW, SOFT)
    assert "open_offers" in codes(GOOD, SILENT)
    waiver = {
        "check": "platform.telemetry",
        "vendor": SOFT["vendor"],
        "product": SOFT["product"],
        "by": "王主任",
        "reason": "自建探针",
    }
    found = lints(judged([GOOD, SOFT], policy={"waivers": [waiver]}), ZH)
    assert any("王主任" in lint.text and "自建探针" in lint.text for lint in found)


def test_readable_figures() -> None:
    assert readable("1e-07，不高于 3.19e-06") == "1×10⁻⁷，不高于 3.19×10⁻⁶"
    assert readable("file-1e-07x and E1e5") == "file-1e-07x and E1e5"
    assert milliseconds(2005.874, ZH) == "2.01\u00a0s"
