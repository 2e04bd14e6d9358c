"""Writes the three example sheets: `python -m app.services.example.build [FOLDER]`.

The vendors and every figure are invented. 甲山通信 answers everything well; 乙河网络 quotes 400G whose middle
segment is 100G; 丙原互联 says nothing of packet loss. The sheets are in the forms real ones come in.
"""

from __future__ import annotations

import csv
import io
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from docx import Document
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

DAY = datetime(2026, 11, 2, tzinfo=UTC).replace(tzinfo=None)  # file formats know no zone

Rows = tuple[tuple[str, str, str], ...]

JIASHAN: Rows = (
    ("产品类型", "OTN", "400GE 端口，硬管道"),
    ("带宽", "400 Gbit/s", "每方向"),
    ("分段带宽（A 端出口）", "400 Gbit/s", ""),
    ("分段带宽（骨干段）", "400 Gbit/s", ""),
    ("分段带宽（Z 端接入）", "400 Gbit/s", ""),
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
YIHE: Rows = (
    ("供应商", "乙河网络", ""),
    ("产品", "云网专线", ""),
    ("产品类型", "OTN", ""),
    ("带宽", "400 Gbit/s", "端口速率"),
    ("分段带宽（A 端出口）", "400 Gbit/s", ""),
    ("分段带宽（骨干段）", "100 Gbit/s", "骨干扩容计划中"),
    ("分段带宽（Z 端接入）", "400 Gbit/s", ""),
    ("双向带宽同时保证", "是", ""),
    ("收敛比", "1:1", ""),
    ("往返时延（P99）", "9 ms", ""),
    ("抖动（P99）", "0.1 ms", ""),
    ("丢包率", "≤1×10⁻⁶", "按月统计"),
    ("MTU", "9000 字节", ""),
    ("可用性", "99.95%（端到端，按月统计，合同保证）", ""),
    ("不计中断", "计划维护、不可抗力", ""),
    ("故障恢复时限", "6 小时", ""),
    ("保护倒换时间", "50 ms", ""),
    ("赔付上限", "30%", ""),
    ("赔付申请期限", "30 天", ""),
    ("无损传输", "是", ""),
    ("往返同路由", "是", ""),
    ("路径数", "2", ""),
    ("路由物理分离", "是", ""),
    ("端到端监测", "支持", ""),
    ("快速故障检测（BFD）", "支持", ""),
    ("统一管理", "支持", ""),
    ("流量隔离", "支持", ""),
    ("MTU适配", "支持", ""),
    ("月租费", "300000 元", ""),
    ("是否含税", "含税", ""),
    ("一次性费用", "30000 元", ""),
    ("合同期", "24 个月", ""),
    ("税率", "9%", ""),
    ("报价性质", "可签约", ""),
    ("报价有效期至", "2027-02-28", ""),
    ("开通周期", "60 天", ""),
)
BINGYUAN_TEXT = (
    "供应商：丙原互联",
    "产品：波长专线",
    "本文是对贵方数据中心互联专线询价的应答，技术与商务条款如下表。",
)
BINGYUAN: Rows = (
    ("产品类型", "波长", "单波，透明传送"),
    ("带宽", "400 Gbit/s", "A–Z 端到端"),
    ("分段带宽（A 端出口）", "400 Gbit/s", ""),
    ("分段带宽（骨干段）", "400 Gbit/s", ""),
    ("分段带宽（Z 端接入）", "400 Gbit/s", ""),
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


def table_text() -> bytes:
    """The CSV of 乙河网络, in UTF-8 with the mark that spreadsheets write."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(("指标", "承诺值", "备注"))
    writer.writerows(YIHE)
    return stream.getvalue().encode("utf-8-sig")


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


SHEETS = {"jiashan.xlsx": workbook, "yihe.csv": table_text, "bingyuan.docx": letter}


def build(folder: Path) -> None:
    """Write every sheet into `folder`."""
    for name, make in SHEETS.items():
        (folder / name).write_bytes(make())


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
