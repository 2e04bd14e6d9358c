"""PDF and DOCX: public fault reports (ids beside each), hidden text, double drawing, merges, tracked changes."""

# ruff: noqa: E501 - rows of data, a case a line
from __future__ import annotations

import io
import time
from decimal import Decimal

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from app.sheets.readers.pdf_text import Glyph, joined
from tests.sheets.makers import codes, docx_of, facts, pdf_lines, raw_pdf, read, stated

TITLE = "Alder Telecom - Direct 10G Service Levels"


def pdf(*lines: str) -> bytes:
    return raw_pdf(pdf_lines(TITLE, *lines))


@pytest.mark.parametrize("size", [5, 6, 8, 9, 11, 18])
def test_no_decimal_point_is_lost_at_any_size(size: int) -> None:
    reading = read("a.pdf", raw_pdf(pdf_lines(TITLE, "Latency 12.5 ms round trip", "Availability 99.95%", size=size)))
    assert stated(reading, "rtt") == [Decimal("0.0125")]
    assert stated(reading, "availability") == [Decimal("0.9995")]


def test_names_pages_and_boxes() -> None:
    reading = read("a.pdf", raw_pdf(pdf_lines(TITLE), pdf_lines("Availability 99.95%")))
    (fact,) = facts(reading, "availability")
    assert (reading.offers[0].vendor, reading.offers[0].product) == ("Alder Telecom", "Direct 10G")
    assert fact.evidence.page == 2
    assert fact.evidence.box is not None
    x0, top, x1, bottom = fact.evidence.box
    assert 59 < x0 < x1 < 200
    assert 50 < top < bottom < 75


def test_a042_white_text_over_a_visible_value() -> None:
    hidden = b"\n1 1 1 rg BT /F1 11 Tf 1 0 0 1 200 762 Tm (Packet loss 0.0001%) Tj ET"
    tiny = b"\n0 0 0 rg BT /F1 1 Tf 1 0 0 1 200 744 Tm (Packet loss 0.0002%) Tj ET"
    unseen = b"\nBT 3 Tr /F1 11 Tf 1 0 0 1 200 730 Tm (Packet loss 0.0003%) Tj ET"
    reading = read("a.pdf", raw_pdf(pdf_lines(TITLE, "Packet loss 1%") + hidden + tiny + unseen))
    assert stated(reading, "packet_loss") == [Decimal("0.01")]
    quotes = " ".join(n.message.en for n in reading.notices if n.code == "hidden_value")
    assert all(word in quotes for word in ("0.0001", "0.0002", "0.0003"))


def test_white_letters_on_a_dark_heading_are_read() -> None:
    band = b"0 0 0.4 rg 50 740 400 18 re f\n1 1 1 rg BT /F1 11 Tf 1 0 0 1 60 744 Tm (Availability 99.9% per month) Tj ET\n0 0 0 rg\n"
    reading = read("a.pdf", raw_pdf(band + pdf_lines(TITLE, "Latency 5 ms")))
    assert stated(reading, "availability") == [Decimal("0.999")]


def test_a044_double_drawing_is_folded() -> None:
    text = "Availability 99.95% per month, monthly charge USD 30000"
    chars, x = [], 60.0
    for c in text:
        chars += [f"BT /F1 11 Tf 1 0 0 1 {x + shift:.1f} 700 Tm ({c}) Tj ET" for shift in (0.0, 0.3)]
        x += 6.6  # the advance of Courier at 11 pt
    reading = read("a.pdf", raw_pdf(pdf_lines(TITLE) + b"\n" + "\n".join(chars).encode(), font="Courier"))
    assert stated(reading, "availability") == [Decimal("0.9995")]
    assert stated(reading, "monthly_charge") == [Decimal(30000)]


def test_b009_slanted_watermark_is_kept_apart() -> None:
    mark = b"\n0.8 g BT /F1 40 Tf 0.8 0.6 -0.6 0.8 60 700 Tm (COPY 55.5%) Tj ET"
    reading = read("a.pdf", raw_pdf(pdf_lines(TITLE, "Availability 99.95% per month") + mark))
    assert stated(reading, "availability") == [Decimal("0.9995")]
    assert "watermark" in codes(reading)


def test_raised_exponent_by_position_alone() -> None:
    content = pdf_lines(TITLE) + (
        b"\nBT /F1 11 Tf 1 0 0 1 60 700 Tm (Packet loss below 10) Tj /F1 6 Tf 5 Ts (-5) Tj 0 Ts /F1 11 Tf ( per month) Tj ET"
    )
    assert stated(read("a.pdf", raw_pdf(content)), "packet_loss") == [Decimal("0.00001")]


def test_b013_lines_drawn_as_curves_give_a_table_or_text() -> None:
    strokes = [f"60 {y} m 160 {y} 260 {y} 360 {y} c S" for y in (760, 740, 720)]
    strokes += [f"{x} 760 m {x} 750 {x} 730 {x} 720 c S" for x in (60, 210, 360)]
    words = [("Parameter", 70, 745), ("Committed", 220, 745), ("Availability", 70, 725), ("99.9%", 220, 725)]
    text = [f"BT /F1 11 Tf 1 0 0 1 {x} {y} Tm ({w}) Tj ET" for w, x, y in words]
    reading = read("a.pdf", raw_pdf("\n".join([*strokes, *text]).encode()))
    assert stated(reading, "availability") == [Decimal("0.999")]


def test_a034_too_many_pages() -> None:
    start = time.perf_counter()
    assert read("a.pdf", raw_pdf(*[b" "] * 301)).code == "PDF_TOO_MANY_PAGES"
    assert time.perf_counter() - start < 5


def test_a033_a_huge_page_is_skipped_with_a_word() -> None:
    reading = read("a.pdf", raw_pdf(pdf_lines("Bandwidth 10 Gbps"), box="0 0 2000000 2000000"))
    assert "page_box_too_large" in codes(reading)
    assert reading.offers == ()


def test_b012_a_page_of_strokes_is_read_as_text() -> None:
    grid = "\n".join(f"{x % 500} 0 m {x % 500} 842 l S" for x in range(20_000)).encode()
    start = time.perf_counter()
    reading = read("a.pdf", raw_pdf(grid + b"\n" + pdf_lines(TITLE, "Availability 99.95% per month")))
    assert time.perf_counter() - start < 20
    assert "page_too_complex" in codes(reading)
    assert reading.status == "partial"
    assert stated(reading, "availability") == [Decimal("0.9995")]


def test_a040_a_cut_file_is_refused_or_needs_confirmation() -> None:
    whole = raw_pdf(*[pdf_lines(TITLE, "Availability 99.95% per month")] * 3)
    reading = read("a.pdf", whole[: -2 * 1024 if len(whole) > 4096 else -len(whole) // 3])
    if reading.status == "refused":
        assert reading.code == "FILE_TRUNCATED"
    else:
        assert "page_recovered" in codes(reading)
        assert all(f.confidence < 0.9 for f in facts(reading, "availability"))


def test_a037_actions_are_named_and_never_run() -> None:
    catalog = b"/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>"
    reading = read("a.pdf", raw_pdf(pdf_lines(TITLE, "Availability 99.95% per month"), catalog=catalog))
    assert stated(reading, "availability") == [Decimal("0.9995")]
    assert "active_content" in codes(reading)


def test_characters_of_a_cell_keep_blanks_and_line_breaks() -> None:
    def at(text: str, x: float, y: float) -> Glyph:
        return Glyph(text=text, box=(x, y, x + 5, y + 10), size=10)

    assert joined([at("1", 0, 0), at(".", 5, 0), at("5", 10, 0), at("m", 30, 0), at("s", 35, 0)]) == "1.5 ms"
    assert joined([at("a", 0, 0), at("b", 0, 12)]) == "a\nb"


def test_a_sentence_that_goes_on_in_the_next_column() -> None:
    content = (
        pdf_lines(TITLE)
        + b"\n"
        + b"\n".join(
            f"BT /F1 9 Tf 1 0 0 1 {x} {y} Tm ({t}) Tj ET".encode()
            for x, y, t in (
                (60, 700, "Alder Telecom acts on a fault and it restores"),
                (60, 688, "service for the customer within 5"),
                (320, 740, "hours. Jitter stays below 1.5 ms."),
            )
        )
    )
    reading = read("a.pdf", raw_pdf(content))
    assert stated(reading, "repair_time") == [Decimal(18000)]
    assert stated(reading, "jitter") == [Decimal("0.0015")]


@pytest.mark.parametrize(
    "head", ["No Parameter Requirement Response Compliance", "Parameter Buyer's requirement Bidder's response"]
)
def test_a_response_table_without_rules_is_not_read_as_text(head: str) -> None:
    lines = (
        head,
        "1 Round-trip delay 10 ms compliant C",
        "2 Packet loss 0.001% 0.01% NC",
        "3 Availability 99.99% 99.9% NC",
    )
    reading = read("a.pdf", raw_pdf(pdf_lines(TITLE, "Bandwidth 10 Gbps", *lines)))
    assert set(stated(reading, "bandwidth")) == {Decimal(10**10)}
    assert [f.metric for o in reading.offers for f in o.facts if f.metric != "bandwidth"] == []
    assert "not_read" in codes(reading)


# ---- DOCX
def test_b037_a_cell_merged_over_columns_counts_once() -> None:
    made = docx.Document()
    made.add_paragraph("供应商：榆林通信")
    grid = made.add_table(rows=2, cols=4)
    for c, text in enumerate(("指标", "承诺", "备注", "说明")):
        grid.cell(0, c).text = text
    grid.cell(1, 0).text = "月租（元）"
    grid.cell(1, 1).merge(grid.cell(1, 3)).text = "9000"
    raw = io.BytesIO()
    made.save(raw)
    assert stated(read("a.docx", raw.getvalue()), "monthly_charge") == [Decimal(9000)]


def test_b038_a_cell_merged_down_stands_in_every_row() -> None:
    made = docx.Document()
    rows = [
        ["供应商", "产品", "带宽", "可用率"],
        ["甲通信", "快线1", "1G", ""],
        ["甲通信", "快线2", "2G", ""],
        ["甲通信", "快线4", "4G", ""],
    ]
    grid = made.add_table(rows=4, cols=4)
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            grid.cell(r, c).text = text
    grid.cell(1, 3).merge(grid.cell(3, 3)).text = "99.95%"
    raw = io.BytesIO()
    made.save(raw)
    reading = read("a.docx", raw.getvalue())
    assert stated(reading, "availability") == [Decimal("0.9995")] * 3
    assert all(("from_merged_cell",) in f.evidence.remarks for f in facts(reading, "availability")[1:])


def test_tracked_changes_hidden_and_struck_words() -> None:
    made = docx.Document()
    made.add_paragraph("供应商：榆林通信")
    line = made.add_paragraph("可用率")
    gone, new = line.add_run("99.5%"), line.add_run("99.95%")
    for run, tag in ((gone, "w:del"), (new, "w:ins")):
        wrap = OxmlElement(tag)
        run._r.addprevious(wrap)
        wrap.append(run._r)
    for text in gone._r.findall(qn("w:t")):
        text.tag = qn("w:delText")
    price = made.add_paragraph("月租费")
    struck, shown, hidden = price.add_run("8,000元"), price.add_run("7,000元"), price.add_run("1元")
    struck.font.strike, hidden.font.hidden = True, True
    shown.bold = True
    raw = io.BytesIO()
    made.save(raw)
    reading = read("a.docx", raw.getvalue())
    assert stated(reading, "availability") == [Decimal("0.9995")]
    assert stated(reading, "monthly_charge") == [Decimal(7000)]
    assert codes(reading).count("hidden_value") == 3


def test_a_nested_table_is_read_on_its_own() -> None:
    made = docx.Document()
    made.add_paragraph("供应商：榆林通信")
    outer = made.add_table(rows=1, cols=1).cell(0, 0)
    inner = outer.add_table(rows=2, cols=2)
    for r, row in enumerate((("指标", "承诺值"), ("抖动", "0.2ms"))):
        for c, text in enumerate(row):
            inner.cell(r, c).text = text
    raw = io.BytesIO()
    made.save(raw)
    assert stated(read("a.docx", raw.getvalue()), "jitter") == [Decimal("0.0002")]


def test_common_terms_go_to_each_product() -> None:
    table = [["指标", "标准版", "高级版"], ["带宽", "10G", "100G"], ["往返时延", "9ms", "5ms"]]
    reading = read("a.docx", docx_of("供应商：榆林通信", "故障修复时限6小时。", "抖动以合同为准。", table=table))
    assert [o.product for o in reading.offers] == ["标准版", "高级版"]
    assert stated(reading, "repair_time") == [Decimal(21600)] * 2
    assert [f.state for f in facts(reading, "jitter")] == ["elsewhere"] * 2
    assert {o.vendor for o in reading.offers} == {"榆林通信"}


def test_main_and_standby_are_not_added() -> None:
    reading = read("a.docx", docx_of("供应商：榆林通信", "提供20Gbps主用电路一条，另提供20Gbps备用电路一条。"))
    assert stated(reading, "bandwidth") == [Decimal(20 * 10**9)] * 2
    assert "备用" in (facts(reading, "bandwidth")[1].condition or "")
