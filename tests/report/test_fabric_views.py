"""Fabric, doubts, soft faults and elastic rates in words: one object for the page and the document."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.text import Language
from app.report.comparison import comparison_view
from app.report.document import report_view
from app.report.panel_view import cell_panel
from app.report.pdf import document_html
from tests.domain.examples import check, judge_all, offer, workload

if TYPE_CHECKING:
    from app.domain.assessment import Assessment

ZH, EN = Language.ZH, Language.EN
MOMENT = datetime(2026, 12, 1, 6, 2, tzinfo=UTC)
FABRIC = {"leaf_down_ports": 80, "leaf_up_ports": 128, "nics_per_site": 64, "nic_gbps": 400, "scale_up_gpus": 8}
BURST: dict[str, Any] = {"segments": ..., "burst_gbps": 800, "switch_time_s": 60}


def made() -> Assessment:
    """An odd IP line of four paths with a burst, and a plain one of the burst's rate."""
    odd = offer(vendor="A", layer="ip", packet_loss=0, topology__paths=4, **BURST)
    fixed = offer(vendor="B", segments=..., bandwidth_gbps=800, price__monthly=700000)
    return judge_all([odd, fixed], workload(fabric=FABRIC))


@pytest.mark.parametrize("language", [ZH, EN])
def test_page_and_document_hold_the_same_sentences(language: Language) -> None:
    assessment = made()
    view = comparison_view(assessment, language)
    report = report_view(assessment, language, "x", MOMENT)
    assert report.view.faults == view.faults
    html = document_html(assessment, language, "x", MOMENT)
    words = [row.words for listed in view.faults for row in listed.rows]
    words += [text for listed in view.faults for text in listed.elastic]
    words += [why for listed in view.questions for q in listed.questions for why in q.why]
    assert report.requirement.fabric is not None
    words += [row.note for row in report.requirement.fabric.tiers]
    assert [w for w in words if squeezed(w) not in squeezed(html)] == []


def squeezed(text: str) -> str:
    """Text without white space of any kind, as a page and a drawing may break it differently."""
    return "".join(text.split()).replace("&#39;", "'").replace("&amp;", "&")


def test_the_fabric_is_told_with_its_ratio_and_its_time() -> None:
    fabric = report_view(made(), EN, "x", MOMENT).requirement.fabric
    assert fabric is not None
    assert [(r.title, r.ratio) for r in fabric.tiers] == [
        ("Leaf of this site", "0.625:1"),
        ("Sum of NICs over the floor", "91.4:1"),  # 25,600 / 280.2
        ("Sum of NICs over the target", "73.1:1"),  # 25,600 / 350.3
    ]
    assert fabric.groups[0][0] == "Tensor parallel"


def test_a_card_names_what_is_in_doubt_and_the_question_says_why() -> None:
    view = comparison_view(made(), EN)
    assert view.cards[0].doubts == "In doubt: Loss of zero" and view.cards[1].doubts == ""
    (asked,) = [q for listed in view.questions for q in listed.questions if q.why]
    assert "940,000 packets" in asked.why[0]


def test_panels_hold_what_stands_behind_a_cell() -> None:
    assessment = made()
    odd = assessment.offers[0]

    def notes(check_id: str) -> str:
        return " ".join(cell_panel(assessment, odd, check(odd, check_id), EN, "/").panel.notes)

    assert "no line can promise that" in notes("loss.packet_loss")
    # 64 · 400G over 400 · 4096/4182 = 391.8 Gbit/s at no loss
    assert "65.3:1" in notes("topology.oversubscription") and "32:1" in notes("topology.oversubscription")
    assert "cheapest fixed line of that rate is B" in notes("platform.elastic_bandwidth")
    faults = cell_panel(assessment, odd, check(odd, "bandwidth.effective"), EN, "/").faults
    assert [f.title for f in faults] == [
        "PFC congestion spreading", "Flows hashed onto one path", "A detour after switching",
    ]  # fmt: skip
    assert cell_panel(assessment, odd, check(odd, "latency.rtt"), EN, "/").faults == ()


def test_a_fault_that_leaves_nothing_says_so() -> None:
    # inference beside training takes more than what is left
    job = workload(scenario="mixed") | {"inference": workload("prefill_decode")["inference"]}
    view = comparison_view(judge_all([offer(segments=..., bandwidth_gbps=150, layer="ip")], job), EN)
    assert "too little is left for the job" in {r.usual for listed in view.faults for r in listed.rows}
