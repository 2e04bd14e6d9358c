"""Renders every macro once, in both languages, so that it can be looked at: `python -m … OUT_FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from app.domain.problems import Problem
from app.domain.text import Language, Text
from app.domain.workload_fields import GROUPS, TRAINING_FIELDS
from app.presentation.charts import Stage, waterfall
from app.presentation.parts import Cell, Pair, Panel
from app.presentation.templating import STATIC_DIR, render
from app.presentation.words import STATE, STATUS, STEP
from app.web.forms import FormState
from app.web.paths import Nav
from app.web.responses import Shell

_ZH: dict[str, Any] = {
    "title": "推荐甲山通信；乙河网络差一个有效带宽，丙原互联待澄清丢包率",
    "lede": "五家报价按同一工作负载核算：目标同步时间 10 s，每步跨站 350 GB，下限 280 Gbit/s，丢包率红线 3.2×10⁻⁶。"
    "四步全部通过后才比较成本。",
    "action": "导出表格",
    "primary": "生成报告",
    "matrix_title": "门槛矩阵",
    "head": "检查项",
    "head_small": "要求",
    "why_title": "为什么是这个数",
    "chart_title": "甲山通信：标称 400 到有效 387 Gbit/s",
    "chart_small": "每一段损失都可点开公式与来源",
    "stats_title": "一眼可见",
    "form_title": "训练",
    "files_title": "供应商资料",
    "empty_title": "还没有报价",
    "empty_text": "上传供应商的资料或填好的问卷，每个数字都会带着出处出现在这里。",
    "vendors": ("甲山通信", "乙河网络", "丙原互联", "丁海云联", "戊川光网"),
    "products": ("400G 智算专线", "弹性专线 400", "OTN 100GE×4", "云间专线", "波长 400G"),
    "why": (
        "四步通过。有效带宽 387 Gbit/s，余量 38 %。",
        "第一步未过：中段 100 Gbit/s 决定端到端，低于下限 280。改中段为 400 即可通过。",
        "资料未写丢包率与可用性口径。若丢包率 ≤3.2×10⁻⁶ 则通过。",
        "可用性不承诺，按无 SLA 处理。",
        "四步通过，成本第二。",
    ),
    "label": "GPU 利用率",
    "pairs": (("线路月费（不含税）", "¥36.9 万"), ("等待专线的 GPU 成本", "¥48.7 万"), ("有效月成本", "¥104.8 万")),
    "rows": (
        ("端到端带宽", "≥ 280 Gbit/s"),
        ("有效带宽", "扣除收敛、封装、窗口与丢包后"),
        ("往返时延", "≤ 500 ms；光纤下限 4.9 ms"),
        ("丢包率", "≤ 3.2×10⁻⁶"),
        ("可用性口径", "端到端、月度、承诺"),
    ),
    "smalls": ("余量 +43 % · 三段一致", "−64 % · 中段为瓶颈（第 2 页表 1）", "未写明 → 澄清事项 C-03", "按年统计", "不适用"),
    "missing": "未写明",
    "quote": "“端到端丢包率（月均）≤10⁻⁷”",
    "panel": (("文件", "甲山-SLA-v3.pdf · 第 4 页 · 表 2 行 6"), ("口径", "端到端 · 按月 · 合同保证"), ("确认人", "网络组 11-27 16:20")),
    "stages": ("标称", "最窄段", "收敛 1:1", "封装 97.9 %", "丢包与重传"),
    "floor": "下限 280",
    "stats": (("每步跨站", "350 GB"), ("带宽下限", "280 Gbit/s"), ("带宽目标", "350 Gbit/s"), ("丢包率红线", "3.2×10⁻⁶")),
}  # fmt: skip
_EN: dict[str, Any] = {
    "title": "Recommended: Jiashan; Yihe lacks effective bandwidth, Bingyuan has yet to state packet loss",
    "lede": "Five offers judged by one workload: target sync time 10 s, 350 GB across the line a step, floor "
    "280 Gbit/s, packet loss line 3.2×10⁻⁶. Costs are compared only after all four steps pass.",
    "action": "Export table",
    "primary": "Make report",
    "matrix_title": "Gate matrix",
    "head": "Check",
    "head_small": "Required",
    "why_title": "Why this figure",
    "chart_title": "Jiashan: from 400 nominal to 387 Gbit/s effective",
    "chart_small": "Each loss opens on formula and source",
    "stats_title": "At a glance",
    "form_title": "Training",
    "files_title": "Vendor material",
    "empty_title": "No offers yet",
    "empty_text": "Upload vendors' sheets or filled questionnaires; every figure appears here with its place.",
    "vendors": ("Jiashan Telecom", "Yihe Networks", "Bingyuan Link", "Dinghai Cloud", "Wuchuan Optical"),
    "products": ("400G AI line", "Elastic line 400", "OTN 100GE×4", "Cloud link", "Wave 400G"),
    "why": (
        "All four steps pass. Effective 387 Gbit/s, margin 38%.",
        "Step 1 fails: the middle segment of 100 Gbit/s decides, below the floor of 280. With 400 it passes.",
        "Packet loss and availability scope are not stated. At ≤3.2×10⁻⁶ it passes.",
        "No commitment on availability: counts as no SLA.",
        "All four steps pass; second by cost.",
    ),
    "label": "GPU utilisation",
    "pairs": (("Monthly charge (net)", "CNY 369k"), ("GPU cost of waiting", "CNY 487k"), ("Effective monthly", "CNY 1.05M")),
    "rows": (
        ("End-to-end bandwidth", "≥ 280 Gbit/s"),
        ("Effective bandwidth", "after contention, headers, window and loss"),
        ("Round-trip time", "≤ 500 ms; fibre floor 4.9 ms"),
        ("Packet loss ratio", "≤ 3.2×10⁻⁶"),
        ("Availability", "end to end, monthly, committed"),
    ),
    "smalls": ("margin +43% · all segments equal", "−64% · middle segment (p. 2, table 1)", "not stated → question C-03", "yearly", "not applicable"),
    "missing": "not stated",
    "quote": "“End-to-end packet loss (monthly mean) ≤10⁻⁷”",
    "panel": (("File", "jiashan-SLA-v3.pdf · page 4 · table 2 row 6"), ("Definition", "end to end · monthly · guarantee"), ("Confirmed by", "Network team 27 Nov 16:20")),
    "stages": ("Nominal", "Weakest segment", "Contention 1:1", "Headers 97.9%", "Loss and resend"),
    "floor": "floor 280",
    "stats": (("Per step", "350 GB"), ("Floor", "280 Gbit/s"), ("Target", "350 Gbit/s"), ("Packet loss line", "3.2×10⁻⁶")),
}  # fmt: skip

_VERDICTS = ("recommended", "rejected", "conditional", "rejected", "eligible")
_STATUSES = ("pass", "fail", "unknown", "waived", "not_applicable")
_VALUES = ("400", "100", "176–384", "1×10⁻⁷", "99.995 %")
_SHARES = ((0.658, 0.64, 0.67), (0.306, 0.29, 0.32), (None, 0.48, 0.63), (0.612, 0.6, 0.62), (0.641, 0.63, 0.65))


def _cells(words: dict[str, Any], row: int) -> list[Cell]:
    cells = []
    for column in range(5):
        status = "pass" if column in (0, 4) and row < 4 else _STATUSES[(row + column) % 5]
        value = words["missing"] if status == "unknown" else _VALUES[(row + column * 2) % 5]
        href = "" if status == "not_applicable" else f"#{row}{column}"
        cells.append(Cell(status=status, value=value, small=words["smalls"][(row + column) % 5], href=href))
    return cells


def _state() -> FormState:
    typed = {
        "training.parameters": "175B", "training.layers": "96", "training.hidden_size": "12288",
        "training.sequence_length": "0", "training.crossing": "pipeline", "training.gpus": "",
    }  # fmt: skip
    names = {FormState.name_of(f, "training"): "" for f in TRAINING_FIELDS}
    problems = [
        Problem("NOT_A_NUMBER", "training.parameters", Text("「参数量」应为数字，例如 1.75e11。", "“Parameters” must be a number, for example 1.75e11.")),
        Problem("OUT_OF_RANGE", "training.sequence_length", Text("「序列长度」收到 0，应不小于 1。", "“Sequence length” is 0; it must be at least 1.")),
        Problem("CONTRADICTION", "training", Text("张量 × 流水线 × 数据 = 96，与 GPU 总数 128 不符。", "Tensor × pipeline × data = 96, which is not the 128 GPUs.")),
    ]  # fmt: skip
    return FormState(names | typed).with_problems(problems)


def view(language: Language, *, opened: bool) -> dict[str, Any]:
    """The view object of the style guide."""
    words = _ZH if language is Language.ZH else _EN
    cards = [
        {
            "code": _VERDICTS[i], "vendor": words["vendors"][i], "product": words["products"][i],
            "why": words["why"][i], "label": words["label"], "value": "65.8 %", "band": "64–67 %",
            "share": _SHARES[i][0], "low": _SHARES[i][1], "high": _SHARES[i][2],
            "pairs": [Pair(label=a, value=b) for a, b in words["pairs"]],
        }
        for i in range(5)
    ]  # fmt: skip
    steps = [
        {
            "title": STEP[number].pick(language),
            "rows": [
                {"title": words["rows"][r][0], "small": words["rows"][r][1], "cells": _cells(words, r)}
                for r in rows
            ],
        }
        for number, rows in ((1, (0, 1)), (2, (2, 3, 4)))
    ]
    stages = [
        Stage(label, value, f"{value:.0f}")
        for label, value in zip(words["stages"], (400.0, 400.0, 400.0, 391.8, 387.05), strict=True)
    ]
    panel = Panel(
        title=words["rows"][3][0], value="1×10⁻⁷", close="#", status="confirmed", kind="review",
        reason=words["why"][0], quote=words["quote"],
        pairs=tuple(Pair(label=a, value=b) for a, b in words["panel"]),
        formula="p ≤ (1/W − 1/C)·8·MTU/RTT", working=("(1/280.2G − 1/350.3G)·8·4096/7.34 ms = 3.19×10⁻⁶",),
        sources=(("RFC 2680", "https://www.rfc-editor.org/rfc/rfc2680"),),
    )  # fmt: skip
    return words | {
        "cards": cards, "steps": steps, "waterfall": waterfall(stages, 280.0, words["floor"]), "panel": panel,
        "stats": [Pair(label=a, value=b, small=words["head_small"]) for a, b in words["stats"]],
        "fields": TRAINING_FIELDS, "titles": GROUPS, "state": _state(), "open": opened,
        "marks": {"status": STATUS, "state": STATE},
    }  # fmt: skip


def html(language: Language, *, opened: bool = False) -> str:
    """The style guide as one page."""
    name = "张江—乌兰察布 训练专线 · 175B 双站点" if language is Language.ZH else "Zhangjiang–Ulanqab, 175B, two sites"
    shell = Shell("/", "王工" if language is Language.ZH else "", Nav("7", name, "comparison"), None)
    return render("_styleguide.html", language, shell=shell, view=view(language, opened=opened))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for item in Language:
        for is_open in (False, True):
            text = html(item, opened=is_open).replace('"/static/', f'"file://{STATIC_DIR}/')
            (folder / f"{item.value}{'-panel' if is_open else ''}.html").write_text(text, encoding="utf-8")
