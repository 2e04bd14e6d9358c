"""Comparison and report over HTTP: empty states, cells with their own address, the PDF, hostile names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from app.services import offers, projects
from tests.domain.examples import WORKLOAD, changed
from tests.report.samples import ALL, GOOD, NARROW, SILENT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from fastapi import FastAPI
    from starlette.testclient import TestClient

HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'


@pytest.fixture
def make(app: FastAPI, client: TestClient) -> Any:  # noqa: ARG001 - the server has to run
    """Starts a project with offers typed in; answers with its address."""

    def start(raw: Sequence[dict[str, Any]] = (), *, workload: bool = True, name: str = "比选") -> str:
        store = app.state.store
        project = projects.create_project(store, name, "测试", WORKLOAD if workload else None)
        if raw:
            offers.type_in(store, project.id, list(raw), "网络组 李工")
        return f"/projects/{project.id}"

    return start


def test_empty_pages_teach_with_one_button(client: TestClient, make: Any) -> None:
    for step in ("comparison", "report"):
        nothing, started = make(workload=False), make()
        page = client.get(f"{nothing}/{step}?lang=zh").text
        assert "先说明要跑什么任务" in page
        assert f'class="button primary" href="{nothing}/workload"' in page
        page = client.get(f"{started}/{step}?lang=en").text
        assert "There is no offer to compare yet" in page
        assert f'class="button primary" href="{started}/sheets"' in page
    assert client.get(f"{nothing}/report.pdf").status_code == 303


def test_comparison_page(client: TestClient, make: Any) -> None:
    base = make(ALL)
    zh = client.get(f"{base}/comparison?lang=zh")
    assert zh.status_code == 200
    assert "<h1>推荐甲山通信；另有 1 份合格、1 份待澄清、2 份否决</h1>" in zh.text
    assert zh.text.count("<article") == 5
    assert "不参与比较" in zh.text
    assert "style=" not in zh.text
    en = client.get(f"{base}/comparison?lang=en").text
    assert "甲山通信 is recommended; others: 1 eligible, 1 to clarify, 2 rejected" in en
    assert "not compared" in en
    assert not re.search(
        "[\u4e00-\u9fff]",
        re.sub(
            "甲山通信|乙河网络|丙原互联|丁川光联|戊湖传输|智算专线|弹性专线|波长 400G|专线 400G|中段|比选|中文", "", en
        ),
    )


def test_a_cell_opens_at_its_own_address(client: TestClient, make: Any) -> None:
    base = make([GOOD, SILENT])
    page = client.get(f"{base}/comparison?lang=zh").text
    links = re.findall(rf'href="({base}/comparison/cells/[0-9a-f]+/loss\.packet_loss)"', page)
    assert len(links) == 2
    whole = client.get(f"{links[0]}?lang=zh").text
    assert "<h1>" in whole
    assert 'id="panel-title"' in whole
    part = client.get(f"{links[0]}?lang=zh", headers={"hx-request": "true"}).text
    assert "<h1>" not in part
    assert "3.185363×10⁻⁶" in part
    assert f'href="{base}/comparison" data-close' in part
    silent = client.get(f"{links[1]}?lang=zh", headers={"hx-request": "true"}).text
    assert "未写明" in silent
    assert "资料中没有这一项的原文" in silent
    for wrong in ("comparison/cells/0000000000/loss.packet_loss", "comparison/cells/%3Cx%3E/y"):
        assert client.get(f"{base}/{wrong}").status_code == 404
    assert client.get(links[0].replace("loss.packet_loss", "loss.nothing")).status_code == 404
    assert client.get(f"{links[0]}?scenario=bulk").status_code == 404


def test_names_with_markup_stay_text(client: TestClient, make: Any) -> None:
    base = make([changed(GOOD, vendor=HOSTILE, product=HOSTILE), NARROW], name=HOSTILE)
    for path in ("comparison", "report"):
        page = client.get(f"{base}/{path}").text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "&lt;script&gt;alert(1)" in page


def test_report_page_and_pdf(client: TestClient, make: Any) -> None:
    base = make([GOOD, SILENT], name="张江—乌兰察布")
    page = client.get(f"{base}/report?lang=zh").text
    assert "<h1>报告可以送审</h1>" in page
    assert f'href="{base}/report.pdf?lang=en"' in page
    first = client.get(f"{base}/report.pdf?lang=zh")
    assert first.status_code == 200
    assert first.headers["content-type"] == "application/pdf"
    plain, name = first.headers["content-disposition"].split("; filename*=UTF-8''")
    assert plain.startswith('attachment; filename="linewise-')
    assert unquote(name).startswith("张江—乌兰察布 ")
    assert first.content.startswith(b"%PDF")
    assert client.get(f"{base}/report.pdf?lang=zh").content == first.content
    page = client.get(f"{base}/report?lang=zh").text
    assert page.count("即当前内容") == 1


def test_a_single_offer_keeps_the_report_a_draft(client: TestClient, make: Any) -> None:
    page = client.get(f"{make([GOOD])}/report?lang=en").text
    assert "The report is still a draft: 1 matter comes first" in page
    assert "single-source reasoning" in page


def test_advice_is_assessed_in_one_click(client: TestClient, make: Any) -> None:
    base = make(ALL)
    requirement = client.get(f"{base}/requirement?lang=en").text
    link = f"{base}/comparison?alternative=consider_pipeline"
    assert link in requirement
    trial = client.get(link, headers={"accept-language": "en"}).text
    assert "A trial, nothing is saved: A pipeline cut across the line" in trial
    cell = re.search(r'href="([^"]*cells/[^"]*alternative=consider_pipeline)"', trial)
    assert cell is not None and client.get(cell[1].replace("&amp;", "&")).status_code == 200
    assert "A trial" not in client.get(f"{base}/comparison?lang=en").text
    assert client.get(f"{base}/comparison?alternative=nonsense").status_code == 422


def test_what_would_change_it(client: TestClient, make: Any) -> None:
    base = make(ALL)
    assert f"{base}/sensitivity" in client.get(f"{base}/comparison?lang=zh").text
    page = client.get(f"{base}/sensitivity?lang=zh")
    assert page.status_code == 200
    assert "把丢包率从" in page.text and "临界月费" in page.text and "<polyline" in page.text
    assert "Break-even" in client.get(f"{base}/sensitivity?lang=en").text
    assert "逐项门槛：只改一个数" in page.text and "从低端到高端，什么会变" in page.text
    assert "有效带宽落到低端为" in page.text and 'class="chart-reference"' in page.text
    assert "<script>" not in page.text and page.text.count("<figure>") == page.text.count("<summary>表格</summary>") > 0
    chosen = re.findall(r'<option value="([^"]+)"', page.text)
    assert len(chosen) == len(ALL)
    assert all(client.get(f"{base}/sensitivity?offer={key}").status_code == 200 for key in chosen)
    assert client.get(f"{base}/sensitivity?offer=nobody").status_code == 404
    assert "There is no offer" in client.get(f"{make()}/sensitivity?lang=en").text


def test_pairs_are_proposed_beside_the_single_offers(client: TestClient, make: Any) -> None:
    narrow = {"bandwidth_gbps": 200, "segments": None, "topology__paths": 1, "topology__diverse_paths": None}
    base = make([changed(GOOD, **narrow), changed(GOOD, vendor="庚", **narrow)])
    page = client.get(f"{base}/comparison?lang=zh").text
    assert "两条线一起买" in page and "双活，两线同时承载" in page and "优于单条方案" in page
    english = client.get(f"{base}/comparison?lang=en").text
    assert "Two lines bought together" in english
    # u = 1e-4 each, ducts not proven apart: (0.9·1e-4)² + 0.1·1e-4 = 1.00081e-5.
    assert "99.99899919" in english and "ducts not proven apart" in english
    assert "1 − [(1−0.1)·0.0001 × (1−0.1)·0.0001 + 0.1·0.0001]" in english
    assert "Two lines bought together" not in client.get(f"{make(ALL[:1])}/comparison?lang=en").text
