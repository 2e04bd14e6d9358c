"""Writes the three example sheets: `python -m app.services.example.build [FOLDER]`.

The vendors and every figure are invented. 甲山通信 sends a workbook of its own and answers everything well;
乙河网络 fills in our questionnaire and quotes 400G whose middle segment is 100G; 丙原互联 writes a letter that
says nothing of packet loss.
"""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from docx import Document
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Alignment, Font, PatternFill

from app.domain.text import Language
from app.sheets.questionnaire import write_questionnaire

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

DAY = datetime(2026, 11, 2, tzinfo=UTC).replace(tzinfo=None)  # file formats know no zone

ANSWERS = 4  # column D: the first offer of the questionnaire

Rows = tuple[tuple[str, str, str], ...]

JIASHAN: Rows = (
    ("产品类型", "OTN", "400GE 端口，硬管道"),
    ("带宽", "400 Gbit/s", "A–Z 端到端，每方向"),
    ("双向带宽同时保证", "是", ""),
    ("收敛比", "1:1", "订购速率在我方网内不复用"),
    ("往返时延（P99）", "≤10 ms", "端口到端口，按月统计"),
    ("抖动（P99）", "≤0.05 ms", ""),
    ("丢包率", "≤1×10⁻⁷", "端到端，按月统计"),
    ("MTU", "9000 字节", ""),
    ("光缆路由长度", "620 km", ""),
    ("可用性", "99.99%（端到端，按月统计，合同保证）", ""),
    ("不计中断", "计划维护", ""),
    ("计划维护时长", "4 小时/月", "提前 5 个工作日通知"),
    ("故障恢复时限", "4 小时", "7×24 小时"),
    ("保护倒换时间", "50 ms", "光层 1+1"),
    ("赔付上限", "50%", "占当月月租"),
    ("赔付申请期限", "30 天", ""),
    ("中断起算点", "自检测到起", ""),
    ("无损传输", "是", "透明波道，不经分组交换"),
    ("往返同路由", "是", ""),
    ("路径数", "2", ""),
    ("路由物理分离", "是", "管道、进局与设备均分离"),
    ("端到端监测", "支持", "丢包、时延、速率，30 秒粒度"),
    ("快速故障检测（BFD）", "支持", ""),
    ("统一管理", "支持", "一个服务台、一份合同"),
    ("流量隔离", "支持", ""),
    ("弹性带宽", "支持", "200G 至 400G，切换 5 分钟"),
    ("API", "支持", ""),
    ("MTU适配", "支持", ""),
)
JIASHAN_PRICE: Rows = (
    ("月租费", "400000 元", ""),
    ("一次性费用", "50000 元", ""),
    ("合同期", "24 个月", ""),
    ("是否含税", "含税", ""),
    ("税率", "9%", "增值税专用发票"),
    ("报价性质", "可签约", ""),
    ("报价有效期至", "2027-03-31", ""),
    ("开通周期", "45 天", ""),
)
JIASHAN_TIERS = (
    ("月可用性", "赔付（占当月月租）"),
    ("99.9%（含）至 99.99%", "10%"),
    ("99%（含）至 99.9%", "25%"),
    ("低于 99%", "50%"),
)
YIHE: dict[str, str | float] = {
    "vendor": "乙河网络",
    "product": "云网专线",
    "layer": "OTN",
    "bandwidth": 400,
    "segment_bandwidth.1.name": "A 端出口",
    "segment_bandwidth.1.rate": 400,
    "segment_bandwidth.2.name": "骨干段",
    "segment_bandwidth.2.rate": 100,
    "segment_bandwidth.3.name": "Z 端接入",
    "segment_bandwidth.3.rate": 400,
    "symmetric_bandwidth": "是",
    "oversubscription": 1,
    "rtt": 9,
    "rtt.statistic": "P99",
    "rtt.direction": "往返",
    "jitter": 0.1,
    "jitter.statistic": "P99",
    "packet_loss": "0.0001%",
    "mtu": 9000,
    "distance": 560,
    "availability": "99.95%",
    "availability.scope": "端到端",
    "availability.period": "按月",
    "availability.commitment": "合同保证",
    "repair_time": 6,
    "failover_time": 50,
    "credit_tier.1.basis": "按可用率（%）",
    "credit_tier.1.from": 99,
    "credit_tier.1.to": 99.95,
    "credit_tier.1.credit": 10,
    "credit_cap": "30%",
    "exclusion:planned_maintenance": "是",
    "exclusion:force_majeure": "是",
    "maintenance_window": 4,
    "claim_window": 30,
    "lossless_transport": "是",
    "symmetric_routes": "是",
    "paths": 2,
    "diverse_paths": "是",
    "telemetry": "是",
    "fast_fault_detection": "是",
    "unified_management": "是",
    "traffic_isolation": "是",
    "mtu_adaptation": "是",
    "elastic_bandwidth": "否",
    "currency": "CNY",
    "monthly_charge": 300000,
    "setup_charge": 30000,
    "contract_term": 24,
    "tax_included": "是",
    "tax_rate": "9%",
    "price_item:port": "是",
    "price_item:a_tail": "是",
    "price_item:z_tail": "是",
    "price_item:cross_connect": "是",
    "quote_grade": "可签约",
    "quote_valid_until": "2027-02-28",
    "delivery": 60,
}
BINGYUAN_TEXT = (
    "供应商：丙原互联",
    "产品：波长专线",
    "本文是对贵方数据中心互联专线询价的应答，技术与商务条款如下表。",
)
BINGYUAN: Rows = (
    ("产品类型", "波长", "单波，透明传送"),
    ("带宽", "400 Gbit/s", "A–Z 端到端"),
    ("双向带宽同时保证", "是", ""),
    ("往返时延（P99）", "≤8.5 ms", ""),
    ("抖动（P99）", "≤0.05 ms", ""),
    ("MTU", "9216 字节", ""),
    ("可用性", "99.95%（端到端，按月统计，合同保证）", ""),
    ("不计中断", "计划维护", ""),
    ("故障恢复时限", "6 小时", ""),
    ("赔付上限", "40%", ""),
    ("赔付申请期限", "30 天", ""),
    ("往返同路由", "是", ""),
    ("路径数", "2", ""),
    ("路由物理分离", "是", ""),
    ("端到端监测", "支持", ""),
    ("快速故障检测（BFD）", "支持", ""),
    ("统一管理", "支持", ""),
    ("流量隔离", "支持", ""),
    ("MTU适配", "支持", ""),
    ("月租费", "360000 元", ""),
    ("是否含税", "含税", ""),
    ("一次性费用", "80000 元", ""),
    ("合同期", "24 个月", ""),
    ("税率", "9%", ""),
    ("报价性质", "可签约", ""),
    ("报价有效期至", "2027-03-15", ""),
    ("开通周期", "50 天", ""),
)


def workbook() -> bytes:
    """The XLSX of 甲山通信: a technical sheet, credit tiers and a price sheet."""
    book = Workbook()
    book.properties.creator = "甲山通信"
    book.properties.created = book.properties.modified = DAY
    book.remove(book.worksheets[0])
    _fill(book.create_sheet("技术应答"), "技术应答表", JIASHAN)
    tiers = book.create_sheet("赔付")
    for row in JIASHAN_TIERS:
        tiers.append(row)
    _fill(book.create_sheet("商务报价"), "商务报价", JIASHAN_PRICE)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _fill(sheet: Worksheet, title: str, rows: Rows) -> None:
    sheet.append([title])
    sheet["A1"].font = Font(bold=True, size=14)
    sheet.append(["供应商", "甲山通信"])
    sheet.append(["产品", "智算专线"])
    sheet.append([])
    sheet.append(["指标", "承诺值", "说明"])
    for cell in sheet[5]:
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor="E8EEF4")
    for words in rows:
        sheet.append(words)
    for column, width in (("A", 26), ("B", 20), ("C", 40)):
        sheet.column_dimensions[column].width = width
    for row in sheet.iter_rows(min_row=6):
        for cell in row:
            cell.alignment = Alignment(wrap_text=True, vertical="top")


def questionnaire() -> bytes:
    """Our own questionnaire, filled in by 乙河网络."""
    book = load_workbook(io.BytesIO(write_questionnaire(Language.ZH)))
    sheet = book.worksheets[0]
    rows = {cell.value: cell.row for cell in sheet["A"] if cell.value}
    for field, answer in YIHE.items():
        sheet.cell(rows[field], ANSWERS).value = answer
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def letter() -> bytes:
    """The DOCX of 丙原互联: a few lines and a table."""
    document = Document()
    document.core_properties.author = "丙原互联"
    document.core_properties.created = document.core_properties.modified = DAY
    document.add_heading("丙原互联 专线应答书", level=1)
    for line in BINGYUAN_TEXT:
        document.add_paragraph(line)
    table = document.add_table(rows=1, cols=3)
    table.style = "Table Grid"
    for row in (("指标", "承诺值", "说明"), *BINGYUAN):
        cells = table.rows[0].cells if row[0] == "指标" else table.add_row().cells
        for cell, words in zip(cells, row, strict=True):
            cell.text = words
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


SHEETS = {"jiashan.xlsx": workbook, "yihe.xlsx": questionnaire, "bingyuan.docx": letter}


def build(folder: Path) -> None:
    """Write every sheet into `folder`."""
    for name, make in SHEETS.items():
        (folder / name).write_bytes(make())


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
