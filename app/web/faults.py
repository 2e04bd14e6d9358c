"""Every fault the web room can show, registered once under its stable code."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.problems import Problem


@dataclass(frozen=True, slots=True)
class Fault:
    """An error as it is shown: status, stable code, what happened, what to do, every problem found."""

    status: int
    code: str
    title: Text
    detail: Text
    headers: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    reference: str = ""

    @classmethod
    def of(cls, code: str) -> Fault:
        """The fault registered under a code."""
        return FAULTS[code]

    @classmethod
    def unexpected(cls, reference: str) -> Fault:
        """An error nobody foresaw; the reference is the only thing shown."""
        return replace(FAULTS["UNEXPECTED"], reference=reference)

    def because(self, detail: Text | None = None, problems: Sequence[Problem] = ()) -> Self:
        """The same fault with its own detail or problems."""
        return replace(self, detail=detail or self.detail, problems=tuple(problems))


FAULTS: dict[str, Fault] = {
    fault.code: fault
    for fault in (
        Fault(
            400,
            "BAD_REQUEST",
            Text("请求无法读取", "The request cannot be read"),
            Text("请检查格式后重试。", "Check its form and try again."),
        ),
        Fault(
            400,
            "BAD_JSON",
            Text("不是有效的 JSON", "Not valid JSON"),
            Text(
                "请检查括号、引号与逗号；NaN 与 Infinity 不是 JSON。",
                "Check brackets, quotes and commas; NaN and Infinity are not JSON.",
            ),
        ),
        Fault(
            400,
            "UNKNOWN_HOST",
            Text("本服务不使用这个主机名", "This server does not answer to that host name"),
            Text(
                "请用启动时显示的地址访问，或把主机名加入 LINEWISE_ALLOWED_HOSTS。",
                "Use the address shown at start, or add the name to LINEWISE_ALLOWED_HOSTS.",
            ),
        ),
        Fault(
            403,
            "CROSS_SITE",
            Text("来自其他网站的修改已拒绝", "A change requested by another site was refused"),
            Text("请在 Linewise 自己的页面上操作。", "Make the change on Linewise's own pages."),
        ),
        Fault(
            404,
            "NOT_FOUND",
            Text("没有这个页面", "There is no such page"),
            Text("它可能已被删除，或者地址有误。", "It may have been deleted, or the address is wrong."),
        ),
        Fault(
            405,
            "METHOD_NOT_ALLOWED",
            Text("不支持这种操作", "This operation is not supported here"),
            Text("请查看 /docs 中的接口说明。", "See the description of the interface at /docs."),
        ),
        Fault(
            409,
            "CONFLICT",
            Text("内容已被他人修改", "Someone else has changed this meanwhile"),
            Text("请重新打开页面，核对后再保存。", "Open the page again, compare, and save once more."),
        ),
        Fault(
            413,
            "TOO_LARGE",
            Text("内容太大", "Too large"),
            Text("请减少文件数量或拆分文件后再上传。", "Send fewer files, or split them."),
        ),
        Fault(
            415,
            "UNSUPPORTED_TYPE",
            Text("不支持这种内容类型", "This content type is not supported"),
            Text("请按 /docs 中的说明发送。", "Send what /docs describes."),
        ),
        Fault(
            422,
            "BAD_INPUT",
            Text("内容需要更正", "Some entries need correction"),
            Text("请按下列说明更正。", "Correct what is listed."),
        ),
        Fault(
            500,
            "UNEXPECTED",
            Text("出现意外错误", "Something unexpected went wrong"),
            Text(
                "数据没有改动。请重试；若再次出现，请把编号交给管理员。",
                "Nothing was changed. Try again; if it happens again, give your administrator the reference.",
            ),
        ),
        Fault(
            503,
            "BUSY",
            Text("正忙", "Busy"),
            Text("其他任务正在进行，请稍后重试。", "Other work is in progress; try again in a moment."),
            {"Retry-After": "5"},
        ),
        Fault(
            503,
            "REPORT_TIMEOUT",
            Text("报告未能按时生成", "The report was not ready in time"),
            Text("请减少报价或资料后重试。", "Take out some offers or material and try again."),
        ),
        Fault(
            422,
            "REPORT_TOO_LARGE",
            Text("报告内容过大", "The report is too large"),
            Text("请减少报价或资料后重试。", "Take out some offers or material and try again."),
        ),
        Fault(
            500,
            "REPORT_FAILED",
            Text("报告未能生成", "The report could not be made"),
            Text("请重试。", "Please try again."),
        ),
        Fault(
            507,
            "STORAGE_FULL",
            Text("存储空间不足", "Storage is full"),
            Text(
                "请联系管理员清理磁盘；已有内容仍可查看。",
                "Ask your administrator to free space; what is stored can still be read.",
            ),
        ),
    )
}
