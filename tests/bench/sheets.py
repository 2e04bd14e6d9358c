"""Sheets of a known size for the measurements, with an invented vendor."""

from __future__ import annotations

from weasyprint import HTML

ROWS = (
    ("带宽", "400 Gbit/s"), ("往返时延（P99）", "10 ms"), ("抖动（P99）", "0.05 ms"), ("丢包率", "≤1×10⁻⁷"),
    ("可用性（按月）", "99.99%"), ("故障恢复时限", "4 小时"), ("保护倒换", "50 ms"), ("月租费", "40万元/月"),
)  # fmt: skip
PAGES = 10


def ten_page_pdf() -> bytes:
    """Ten pages, each with a paragraph and a ruled table of eight rows."""
    table = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in ROWS)
    prose = "<p>" + "本页为服务等级说明，条款以合同为准。The service level below applies per circuit. " * 12 + "</p>"
    pages = "".join(
        f"<section><h1>云舟通信 智算专线 {n}</h1>{prose}"
        f"<table><tr><th>指标</th><th>承诺值</th></tr>{table}</table></section>"
        for n in range(1, PAGES + 1)
    )
    style = "section{page-break-after:always} td,th{border:1px solid #000;padding:4px}"
    return bytes(HTML(string=f"<html><head><style>{style}</style></head><body>{pages}</body></html>").write_pdf())
