"""The document on paper: same figures as the page, own fonts, same bytes, nothing fetched, nothing injected."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pdfplumber
import pypdfium2
import pytest

from app.domain.text import Language
from app.report import press as press_module
from app.report.comparison import comparison_view
from app.report.pdf import PdfDocument, build_pdf, document_html, report_moment
from app.report.press import Press, PressError
from tests.domain.examples import changed
from tests.report.samples import ALL, GOOD, NARROW, judged

if TYPE_CHECKING:
    from collections.abc import Iterator

ZH, EN = Language.ZH, Language.EN
MOMENT = datetime(2026, 12, 1, 6, 2, tzinfo=UTC)
NAME = "张江—乌兰察布 训练专线"
HOSTILE = '</style><script>alert(1)</script><img src="file:///etc/passwd">'


def text_of(data: bytes) -> str:
    """All text of a PDF without white space, so that line breaks do not matter."""
    pdf = pypdfium2.PdfDocument(data)
    try:
        pages = [page.get_textpage().get_text_bounded() for page in pdf]
    finally:
        pdf.close()
    return flat(" ".join(pages))


def flat(text: str) -> str:
    return re.sub(r"[\s\u00a0\u2009\u202f\u00ad\ufffe]+", "", text)


@pytest.fixture(scope="module", params=[ZH, EN])
def printed(request: pytest.FixtureRequest) -> tuple[Language, PdfDocument]:
    language: Language = request.param
    return language, build_pdf(judged(ALL[:3]), language, name=NAME, generated=MOMENT, snapshot={"a": 1})


@pytest.fixture
def small_press() -> Iterator[Press]:
    press = Press(seconds=20)
    yield press
    press.close()


def test_figures_on_paper_are_those_of_the_page(printed: tuple[Language, PdfDocument]) -> None:
    language, document = printed
    view, text = comparison_view(judged(ALL[:3]), language), text_of(document.data)
    assert flat(view.title) in text
    shown = (
        [c.gauge.value for c in view.cards] + [r.effective for r in view.cost.rows] + [r.line for r in view.cost.rows]
    )
    shown += [row.formula for row in view.cost.compared]
    shown += [c.cell.value for s in view.steps for r in s.rows for c in r.cells]
    shown += [r.required for s in view.steps for r in s.rows if r.required]
    shown += [q.text for lst in view.questions for q in lst.questions]
    assert [value for value in shown if flat(value) not in text] == []
    assert ("未写明" if language is ZH else "notstated") in text


def test_order_of_the_document(printed: tuple[Language, PdfDocument]) -> None:
    language, document = printed
    outline = pypdfium2.PdfDocument(document.data)
    titles = [item.get_title() for item in outline.get_toc() if item.level == 0]
    outline.close()
    chinese = "推荐|1 |2 门槛矩阵|3 第一步|4 第二步|5 第三步|6 第四步|7 成本|8 |9 |10 |附录 A|附录 B|评审意见"
    english = "甲山|1 Need|2 Gate|3 Step 1|4 Step 2|5 Step 3|6 Step 4|7 Cost|8 |9 |10 |Annex A|Annex B|Opinions"
    wanted = (chinese if language is ZH else english).split("|")
    assert len(titles) == len(wanted)
    assert all(title.startswith(start) for title, start in zip(titles, wanted, strict=True))


def test_fonts_metadata_and_running_heads(printed: tuple[Language, PdfDocument]) -> None:
    language, document = printed
    with pdfplumber.open(io.BytesIO(document.data)) as pdf:
        fonts = {char["fontname"].split("+")[-1] for page in pdf.pages for char in page.chars}
        meta, pages, spoken = pdf.metadata, len(pdf.pages), pdf.doc.catalog["Lang"]
        last = flat(pdf.pages[-1].extract_text() or "")
    assert {f.replace("-", "").replace(" ", "") for f in fonts} <= {"LinewiseSansSC", "LinewiseSansSCBold"}
    assert meta["Author"] == "Linewise"
    assert NAME in meta["Title"]
    assert meta["CreationDate"].startswith("D:20261201")
    assert 12 <= pages <= 34
    assert f"{pages}/{pages}" in last
    assert document.content_sha256[:12] in last
    assert spoken == (b"zh-CN" if language is ZH else b"en")


def test_chinese_copies_out_right(printed: tuple[Language, PdfDocument]) -> None:
    text = text_of(printed[1].data)
    for words in (
        "甲山通信",
        "端到端丢包率（月均）≤10⁻⁷",
        "双向时延P99≤10ms（A端机房至Z端机房）",
        "1×10⁻⁷",
        "网络组李工",
    ):
        assert words in text


def test_snapshot_is_attached(printed: tuple[Language, PdfDocument]) -> None:
    pdf = pypdfium2.PdfDocument(printed[1].data)
    assert pdf.count_attachments() == 1
    attached = bytes(pdf.get_attachment(0).get_data())
    pdf.close()
    assert json.loads(attached) == {"a": 1}


def test_same_input_same_bytes(small_press: Press) -> None:
    """From a warm child that printed other things before, and from a fresh one."""
    first = build_pdf(judged([GOOD]), ZH, name=NAME, generated=MOMENT, snapshot={"a": 1})
    attachment, moment = '{"a":1}', MOMENT.isoformat()
    fresh = small_press.print(document_html(judged([GOOD]), ZH, NAME, MOMENT), attachment, moment)
    assert hashlib.sha256(fresh).hexdigest() == first.sha256
    other = small_press.print("<p>a", attachment, moment)
    assert small_press.print("<p>a", attachment, moment) == other
    assert small_press.print("<p>a", attachment, "2026-12-02T00:00:00+00:00") != other


def test_date_comes_from_the_environment_then_the_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764547200")
    assert report_moment(MOMENT) == datetime(2025, 12, 1, tzinfo=UTC)
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert report_moment(MOMENT) == MOMENT


def test_vendor_text_stays_text() -> None:
    """T26, T28: names and quotes with markup are printed as they are; nothing is run, styled or fetched."""
    offer = changed(
        GOOD,
        vendor=HOSTILE,
        product="url(http://127.0.0.1:9/x) <base href=//x>",
        topology__lossless_mechanism="{{ 7*7 }} {% x %}",
    )
    html = document_html(judged([offer, NARROW]), ZH, HOSTILE, MOMENT)
    assert "<script" not in html
    assert "<img" not in html
    assert "<style" not in html
    assert "style=" not in html
    text = text_of(build_pdf(judged([offer, NARROW]), ZH, name=HOSTILE, generated=MOMENT).data)
    assert flat(HOSTILE) in text
    assert "{{7*7}}" in text


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="http://127.0.0.1:9/a.png">', '<img src="file:///etc/hostname">',
        '<img src="data:image/png;base64,AAAA">',
        "<style>@import url(http://127.0.0.1:9/x.css);</style>", '<link rel="stylesheet" href="file:///etc/hostname">',
        '<link rel="attachment" href="file:///etc/hostname">', '<p style="background: url(ftp://127.0.0.1/x)">x',
        '<img src="linewise:../../pyproject.toml">', '<img src="/etc/hostname">',
    ],
)  # fmt: skip
def test_nothing_is_fetched(markup: str, small_press: Press) -> None:
    """A document that asks for anything but our fonts is not made at all."""
    with pytest.raises(PressError) as caught:
        small_press.print(f"<!doctype html><html lang=zh><body>{markup}</body></html>")
    assert caught.value.code == "REPORT_FAILED"
    assert "Refused" in str(caught.value)


def test_long_remarks_are_cut_with_a_pointer() -> None:
    """T29: one cell of 50,000 characters."""
    assessment = judged([GOOD, NARROW])
    fact = assessment.offers[0].offer.facts[0]
    object.__setattr__(fact.evidence, "quote", "很长的备注" * 10_000)
    html = document_html(assessment, ZH, NAME, MOMENT)
    assert "共 50000 字，其余见原件" in html
    assert len(html) < 200_000
    started = time.monotonic()
    assert build_pdf(assessment, ZH, name=NAME, generated=MOMENT).data.startswith(b"%PDF")
    assert time.monotonic() - started < 60


def test_too_many_offers_are_refused_before_anything_starts() -> None:
    offers = [changed(GOOD, vendor=f"供应商 {n}") for n in range(80)]
    with pytest.raises(PressError) as caught:
        build_pdf(judged(offers), ZH, name=NAME, generated=MOMENT)
    assert caught.value.code == "REPORT_TOO_LARGE"


def test_the_child_is_replaced_when_old_or_large(small_press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    def child_after(html: str) -> object:
        assert small_press.print(html).startswith(b"%PDF")
        return small_press._child

    child = child_after("<p>a")
    assert child is not None
    assert child_after("<p>b") is child
    monkeypatch.setattr(press_module, "MOST_MEMORY", 1)
    assert child_after("<p>c") is None
    monkeypatch.undo()
    monkeypatch.setattr(press_module, "MOST_DOCUMENTS", 1)
    assert child_after("<p>d") is None


def test_a_hanging_child_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press_module, "START_SECONDS", 0.0)
    press = Press(seconds=0.2)
    with pytest.raises(PressError) as caught:
        press.print("<p>a")
    assert caught.value.code == "REPORT_TIMEOUT"
    assert press._child is None


def test_the_child_ends_with_its_parent() -> None:
    """A parent that is killed takes the printing child with it."""
    code = (
        "import sys, time\nfrom app.report.press import PRESS\nPRESS.print('<p>a')\n"
        "print(PRESS._child.process.pid, flush=True)\ntime.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    for _ in range(50):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("the printing child outlived its parent")


def test_the_parent_stays_light() -> None:
    code = "import sys, app.report.pdf; sys.exit(any(m.startswith('weasyprint') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
