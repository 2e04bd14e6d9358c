"""Writes the sample sheets of tests/data/sheets: invented vendors, forms that sheets really come in.

Run `python tests/sheets/build_samples.py` after a change; the files are committed, so tests need no fonts.
What each sheet says is written by hand in NAME.expected.txt beside it.
"""

# ruff: noqa: E501 - rows of data, a case a line
from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import docx
import openpyxl
import weasyprint
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

FOLDER = Path(__file__).resolve().parents[1] / "data" / "sheets"


def book(**sheets: list[list[object]]) -> openpyxl.Workbook:
    """A workbook with these rows."""
    made = openpyxl.Workbook()
    made.remove(made.worksheets[0])
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    return made


def saved(made: openpyxl.Workbook) -> bytes:
    """The bytes of a workbook."""
    raw = io.BytesIO()
    made.save(raw)
    return raw.getvalue()


def products_in_columns() -> bytes:
    """Vendor in a key row, products as columns, two heading rows, a unit column, a superscript exponent."""
    made = book(
        报价=[
            ["智算互联报价单（承诺值）"],
            ["供应商", "松岭光网"],
            [],
            [],
            [],
            ["指标", "单位", "金桥100G", "金桥400G"],
            ["接入带宽", "Gbps", 100, 400],
            ["单向时延", "ms", 4.25, 3.5],
            ["往返时延（P99）", "毫秒", "≤9", "≤7.5"],
            ["丢包率", None, "≤10⁻⁵", None],
            ["月可用率", "%", 99.95, 99.99],
            ["故障恢复时限", "小时", 4, "城区2，郊区4"],
            ["月租费（不含税）", "万元/月", 12.5, 36],
            ["一次性费用", "元", "免收", 80000],
            ["合同期", "年", 2, 3],
            ["MTU", "字节", 9000, "9,600"],
            ["弹性带宽", None, "不支持", "支持"],
        ]
    )
    sheet = made.worksheets[0]
    sheet.merge_cells("A1:D1")
    sheet["D10"] = CellRichText("≤10", TextBlock(InlineFont(vertAlign="superscript"), "-6"))
    return saved(made)


def vendor_rows_with_gap() -> bytes:
    """Vendor per row, a row of units, 600 blank rows before the rest, hidden and struck-through cells."""
    made = book(
        Offers=[
            [
                "Carrier",
                "Service",
                "Bandwidth",
                "RTT max",
                "Packet delivery",
                "Availability",
                "MTTR",
                "MRC",
                "NRC",
                "Old MRC",
            ],
            [None, None, "Gbit/s", "ms", "%", None, "h", "EUR", "EUR", "EUR"],
            ["Brightmoor", "Lambda 100", 100, 8.5, 99.999, 0.9999, 4, 21000, 9500, 17000],
            ["Brightmoor", "Lambda 10", 10, 9, 99.99, 0.9995, 6, "4,200.50", "free of charge", 3900],
            ["Ostrava Lines", "P2P-10", 10, "12.5", 99.9, "see annex C", "best effort", "ICB", 1200, 5000],
        ]
    )
    sheet = made["Offers"]
    for row in (3, 4):
        sheet.cell(row, 6).number_format = "0.00%"
    sheet.column_dimensions["J"].hidden = True
    sheet["I5"].font = Font(strike=True)
    sheet.append([])
    tail: list[Any] = ["Tarnfell", "Direct 1", 1, 20, 99.5, 0.999, 8, "=900*1", 0]
    for column, value in enumerate(tail, start=1):
        cell = sheet.cell(610, column, value)
        if column == 6:
            cell.number_format = "0.0%"
    return saved(made)


def two_sheets() -> bytes:
    """SLA and price on different sheets, vendors as columns; a row of a vendor's remarks; a hidden sheet."""
    made = book(
        SLA=[
            ["SLA 项目", "碧浪通信", "青藤云网"],
            ["时延（双向，平均）", "6毫秒", "6.8毫秒"],
            ["抖动", "0.1ms", "/"],
            ["丢包率(‰)", 0.01, 0.05],
            ["可用性（年）", "四个九", "99.95%"],
            ["保护倒换时间", "50毫秒以内", "不承诺"],
            ["收敛比", "1:1", "3:1"],
        ],
        价格=[
            ["费用", "碧浪通信", "青藤云网"],
            ["月租", "￥188,000", "15.6万元"],
            ["初装费", "面议", "0元"],
            ["合同期限", "二十四个月", "三年"],
        ],
        旧价=[["费用", "碧浪通信"], ["月租", 99000]],
    )
    made["旧价"].sheet_state = "hidden"
    return saved(made)


CSV_COMMA = (
    "Anbieter;Product;Bandwidth;Round-trip delay;Packet loss;Availability;Monthly charge\n"
    "Falkenbach Netz;Welle 10;10.000 Mbps;2,5 ms;0,001 %;99,95 %;1.401,40 EUR\n"
    "Falkenbach Netz;Welle 1;1.000 Mbps;3,25 ms;0,01 %;99,9 %;390,00 EUR\n"
).replace("Anbieter", "Provider")
CSV_WIDE = (
    "供应商\t产品\t带宽\t往返时延\t丢包率\t可用率（月）\t月租\n"
    "岚山数据\t飞线\t万兆\t3毫秒\t万分之一\t99.9%\t2.6万元\n"
    "岚山数据\t慢线\t500兆\tN/A\t—\t待定\t4,500元\n"
)

PAGE = (
    "<style>@page {{ size: A4; margin: 18mm }} table {{ border-collapse: collapse; width: 100% }} "
    "td, th {{ border: 1px solid #333; padding: 3px }} body {{ font-size: 10pt }}</style>"
)


def pdf(body: str) -> bytes:
    """A PDF of this HTML body."""
    return bytes(weasyprint.HTML(string=PAGE.format() + body).write_pdf())


def table(rows: list[list[str]], *, header: bool = True) -> str:
    """A ruled table; the heading is repeated on each page only with `header`."""
    cells = ["".join(f"<td>{c}</td>" for c in r) for r in rows]
    if header:
        return f"<table><thead><tr>{cells[0]}</tr></thead>" + "".join(f"<tr>{c}</tr>" for c in cells[1:]) + "</table>"
    return "<table>" + "".join(f"<tr>{c}</tr>" for c in cells) + "</table>"


REQUIREMENTS = [
    ["No.", "Parameter", "Buyer's requirement", "Bidder's response", "Compliance"],
    ["1", "Port speed", "at least 100 Gbps", "100GbE", "C"],
    ["2", "Round-trip delay", "&le; 8 ms (p99)", "7.2 ms at the 99th percentile", "C"],
    ["3", "Jitter", "&le; 0.5 ms", "compliant", "C"],
    ["4", "Frame loss ratio", "&le; 1e-6", "&lt; 5e-7 per month", "C"],
    ["5", "Availability", "99.99%", "guaranteed 99.95% end to end, per quarter", "NC"],
    ["6", "Time to restore", "2 h", "4 hours; 8 hours if a cable is cut", "NC"],
    ["7", "Lossless (RoCEv2)", "required", "supported", "C"],
    ["8", "Contention ratio", "1:1", "2:1", "NC"],
    ["9", "Monthly charge", "below 40,000 USD", "USD 38,500 excl. VAT", "C"],
]


def response_pdf() -> bytes:
    """A tender response: the buyer's column must never be read; vendor and product in a line above."""
    return pdf(
        "<h1>Technical response</h1><p>Bidder: Kestrel Photonics Ltd. &nbsp;&nbsp;&nbsp; Product: SkyWave 100</p>"
        + table(REQUIREMENTS)
        + "<p>Light in fibre takes about 5 &micro;s/km, which is not a promise. Typical availability in 2025: 99.998%.</p>"
    )


def long_pdf() -> bytes:
    """A table over two pages without a repeated heading, a slanted watermark, Kangxi radicals, doubled bold."""
    rows = [["供应商", "产品", "带宽", "往返时延", "可⽤率", "⽉租（元）"]]
    rows += [
        ["云杉网络" if i == 0 else "", f"杉线{r}G", f"{r}G", f"{30 - i}ms", "99.9%", f"{r * 300:,}"]
        for i, r in enumerate((1, 2, 5, 10, 25, 40, 50, 100))
    ]
    mark = '<div style="position:fixed;top:40%;left:10%;transform:rotate(-35deg);font-size:60pt;color:#ccc">内部资料99</div>'
    filler = "<p>本资费面向数据中心互联客户。</p>" * 28
    return pdf(
        mark
        + "<h2>资费说明</h2>"
        + filler
        + table(rows, header=False)
        + "<p>合同期不少于24个月。故障修复时限6小时。</p>"
    )


def run(paragraph: object, text: str, tag: str | None = None) -> None:
    """Add a run, wrapped in a tracked change or with a property."""
    made = paragraph.add_run(text)  # type: ignore[attr-defined]
    if tag in {"w:ins", "w:del"}:
        wrap = OxmlElement(tag)
        made._r.addprevious(wrap)
        wrap.append(made._r)
        if tag == "w:del":
            for t in made._r.findall(qn("w:t")):
                t.tag = qn("w:delText")
    elif tag == "superscript":
        made.font.superscript = True
    elif tag == "strike":
        made.font.strike = True


def merged_docx() -> bytes:
    """A DOCX with a vertical and a horizontal merge, tracked changes, a superscript and struck words."""
    made = docx.Document()
    made.add_heading("服务条款", 1)
    made.add_paragraph("乙方：枫桥电信有限公司\u3000\u3000产品：枫叶10G")
    line = made.add_paragraph("丢包率不超过")
    run(line, "10")
    run(line, "-5", "superscript")
    run(line, "，端到端可用率")
    run(line, "99.9%", "w:del")
    run(line, "99.99%", "w:ins")
    run(line, "（自然月）。")
    price = made.add_paragraph("月租费")
    run(price, "30,000元", "strike")
    run(price, "28,000元")
    grid = made.add_table(rows=4, cols=3)
    for r, row in enumerate(
        (("项目", "承诺", "说明"), ("往返时延", "≤5ms", ""), ("抖动", "≤0.2ms", ""), ("合同期", "24个月", "24个月"))
    ):
        for c, text in enumerate(row):
            grid.cell(r, c).text = text
    grid.cell(1, 2).merge(grid.cell(2, 2)).text = "在城域范围内测量"
    grid.cell(3, 1).merge(grid.cell(3, 2)).text = "24个月"
    made.add_paragraph("计划内割接、不可抗力不计入中断。")
    raw = io.BytesIO()
    made.save(raw)
    return raw.getvalue()


def lines_docx() -> bytes:
    """A DOCX of key: value lines in English."""
    made = docx.Document()
    made.add_heading("Glenrock Carrier: MetroDirect 40G Service Description", 0)
    for text in (
        "Bandwidth: 40 Gbps",
        "Latency: 3 ms one-way, average",
        "Jitter: N/A",
        "Packet loss: less than 0.01% per month",
        "Availability: 99.9% (single circuit), 99.99% (dual circuits)",
        "Time to repair: within 6 hours; engineers respond in 30 minutes",
        "Monthly fee: GBP 7,450 plus VAT",
        "Installation: waived",
        "Minimum term: 3 years",
        "Latency figures for the core network are design goals.",
        "Service credits are limited to 40% of the monthly charge.",
    ):
        made.add_paragraph(text, style="List Bullet")
    raw = io.BytesIO()
    made.save(raw)
    return raw.getvalue()


SAMPLES = {
    "products_in_columns.xlsx": products_in_columns,
    "vendor_rows_with_gap.xlsx": vendor_rows_with_gap,
    "two_sheets.xlsx": two_sheets,
    "decimal_comma.csv": CSV_COMMA.encode,
    "wide_tabs.csv": lambda: CSV_WIDE.encode("utf-16"),
    "response.pdf": response_pdf,
    "two_pages.pdf": long_pdf,
    "merged.docx": merged_docx,
    "lines.docx": lines_docx,
}

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in SAMPLES.items():
        (FOLDER / name).write_bytes(make())
        print(name)
