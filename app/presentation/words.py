"""The fixed words of the product: verdicts, statuses, steps, grades and scenarios, with shape and colour.

A `Mark` is what a tag shows: the word, and the class that gives it shape and colour. Pages, PDF and workbook
read the same table, so one status never has two names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.text import Language, Text

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Mark:
    """A word with its shape: `look` is a CSS class, `sign` the same shape as a character for plain text."""

    word: Text
    look: str
    sign: str


PASS, FAIL, OPEN, WAIVED, NONE = ("pass", "●"), ("fail", "✕"), ("open", "◆"), ("waived", "▲"), ("na", "–")

STATUS: dict[str, Mark] = {
    "pass": Mark(Text("通过", "Pass"), *PASS),
    "fail": Mark(Text("不通过", "Fail"), *FAIL),
    "unknown": Mark(Text("待澄清", "To clarify"), *OPEN),
    "waived": Mark(Text("豁免", "Waived"), *WAIVED),
    "not_applicable": Mark(Text("不适用", "Not applicable"), *NONE),
}
VERDICT: dict[str, Mark] = {
    "recommended": Mark(Text("推荐", "Recommended"), *PASS),
    "eligible": Mark(Text("合格", "Eligible"), *PASS),
    "conditional": Mark(Text("待澄清", "Conditional"), *OPEN),
    "rejected": Mark(Text("否决", "Rejected"), *FAIL),
}
STATE: dict[str, Mark] = {
    "stated": Mark(Text("已写明", "Stated"), *PASS),
    "none": Mark(Text("不承诺", "No commitment"), *FAIL),
    "elsewhere": Mark(Text("另见其他文件", "In another document"), *OPEN),
    "ambiguous": Mark(Text("有歧义", "Ambiguous"), *OPEN),
    "missing": Mark(Text("未写明", "Not stated"), *OPEN),
}
REVIEW: dict[str, Mark] = {
    "confirmed": Mark(Text("已确认", "Confirmed"), *PASS),
    "unconfirmed": Mark(Text("待确认", "To confirm"), *OPEN),
}
FILE: dict[str, Mark] = {
    "read": Mark(Text("已读取", "Read"), *PASS),
    "partial": Mark(Text("部分读取", "Partly read"), *OPEN),
    "refused": Mark(Text("已拒绝", "Refused"), *FAIL),
    "waiting": Mark(Text("等待读取", "Waiting"), *NONE),
}
STEP: dict[int, Text] = {
    1: Text("第一步 带宽基数", "Step 1  Bandwidth"),
    2: Text("第二步 时延、抖动、丢包与 SLA 红线", "Step 2  Red lines: delay, jitter, loss and SLA"),
    3: Text("第三步 拓扑", "Step 3  Topology"),
    4: Text("第四步 平台能力", "Step 4  Platform"),
}
GRADE: dict[str, Text] = {
    "gate": Text("门槛", "Gate"),
    "key": Text("重要", "Key"),
    "ordinary": Text("一般", "Ordinary"),
    "off": Text("不评", "Off"),
}
SCENARIO: dict[str, Text] = {
    "training": Text("训练", "Training"),
    "inference": Text("推理", "Inference"),
    "mixed": Text("训练 + 推理", "Training and inference"),
    "bulk": Text("数据搬运", "Bulk transfer"),
}
YES_NO: dict[bool, Text] = {True: Text("是", "Yes"), False: Text("否", "No")}

_MARKS: dict[str, dict[str, Mark]] = {
    "status": STATUS, "verdict": VERDICT, "state": STATE, "review": REVIEW, "file": FILE,
}  # fmt: skip
_WORDS: dict[str, dict[Any, Text]] = {
    "step": STEP, "grade": GRADE, "scenario": SCENARIO, "yes_no": YES_NO,
}  # fmt: skip


def mark(code: str, kind: str = "status") -> Mark:
    """The mark for a code; `kind` is `status`, `verdict`, `state`, `review` or `file`."""
    return _MARKS[kind][code]


def word(code: Any, kind: str) -> Text:
    """The word for a code: any kind of `mark`, or `step`, `grade`, `scenario`, `yes_no`."""
    return _WORDS[kind][code] if kind in _WORDS else _MARKS[kind][code].word


def filters(language: Language) -> dict[str, Callable[..., Any]]:
    """`{{ "fail" | word("status") }}` and `{% set m = "fail" | mark("status") %}`."""
    return {"mark": mark, "word": lambda code, kind: word(code, kind).pick(language)}
