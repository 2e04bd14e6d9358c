"""Every refusal code and every notice of the reading room, with its sentence in both languages, as data.

Refusals are UPPER_SNAKE and stop a file; notices are lower_snake and stop nothing.
"""

# ruff: noqa: E501 - data, a row a line
from __future__ import annotations

from typing import Final

from app.domain.problems import Notice
from app.domain.text import Text

REFUSALS: Final[dict[str, Text]] = {
    "FILE_EMPTY": Text("文件是空的，请重新导出后上传。", "The file is empty; export it again and upload it."),
    "FILE_TOO_LARGE": Text("文件超过 {limit} MiB 的上限，请拆分后上传。", "The file is over the limit of {limit} MiB; split it and upload the parts."),
    "FILE_TRUNCATED": Text("文件不完整（结尾缺失），请重新取得完整文件。", "The file is cut short; get a complete copy."),
    "UNSUPPORTED_KIND": Text("暂不能读取 {kind} 文件，请另存为 XLSX、CSV、PDF、DOCX、HTML 或 TXT。", "{kind} files cannot be read; save it as XLSX, CSV, PDF, DOCX, HTML or TXT."),
    "TYPE_MISMATCH": Text("扩展名是 .{extension}，内容却是 {kind}；请用正确的扩展名另存。", "The extension is .{extension} but the content is {kind}; save it under the right extension."),
    "TYPE_AMBIGUOUS": Text("文件同时符合两种格式，无法确定按哪种读取，已拒绝。", "The file is valid in two formats at once, so it is refused."),
    "UPLOAD_ENCRYPTED": Text("文件有打开密码，请向供应商索取未加密的副本。", "The file is password-protected; ask the vendor for an open copy."),
    "MACRO_NOT_ALLOWED": Text("文件含有宏，请另存为不含宏的 .xlsx 或 .docx 再上传。", "The file holds macros; save it without macros as .xlsx or .docx and upload that."),
    "ZIP_TOO_LARGE": Text("文件解压后超过 {limit} MiB，已拒绝。", "The file inflates to more than {limit} MiB and is refused."),
    "ZIP_TOO_MANY_MEMBERS": Text("文件内部成员超过 {limit} 个，已拒绝。", "The file holds more than {limit} members and is refused."),
    "ZIP_MALFORMED": Text("文件内部结构损坏或被篡改，无法安全读取；请重新另存。", "The inner structure of the file is damaged or forged; save it again."),
    "XML_DTD": Text("文件的 XML 含有 DTD 声明，出于安全已拒绝；请重新另存。", "The XML of the file holds a DTD and is refused for safety; save it again."),
    "XML_TOO_DEEP": Text("文件的 XML 嵌套过深，已拒绝。", "The XML of the file is nested too deeply and is refused."),
    "PDF_MALFORMED": Text("PDF 结构损坏，无法打开；请重新导出。", "The PDF is damaged and cannot be opened; export it again."),
    "PDF_TOO_MANY_PAGES": Text("PDF 超过 {limit} 页，请只上传有关的页。", "The PDF has more than {limit} pages; upload only those that matter."),
    "PDF_STREAM_LIMIT": Text("PDF 的内容展开后过大，已拒绝。", "A content stream of the PDF inflates too far and is refused."),
    "PAGE_IS_IMAGE": Text("页面是图片，没有可读的文字；请上传文字版，或手工录入。", "The pages are images without text; upload a text version or enter the values by hand."),
    "ENCODING_UNREADABLE": Text("无法识别文本编码（已试 UTF-8、GB18030、UTF-16）；请另存为 UTF-8。", "The text encoding is not UTF-8, GB18030 or UTF-16; save it as UTF-8."),
    "TEXT_UNREADABLE": Text("文字层无法解码（字体缺少对照表），请上传原始文件或手工录入。", "The text layer cannot be decoded (fonts without a map); upload the original or enter the values by hand."),
    "NO_OFFER_FOUND": Text("没有找到可识别的报价或 SLA 内容；请核对文件，或使用问卷模板。", "No offer or SLA content was recognised; check the file or use the questionnaire."),
    "PARSE_TIMEOUT": Text("{limit} 秒内未能读完，已停止；请简化文件。", "The file could not be read within {limit} seconds and was stopped; simplify it."),
    "PARSE_FAILED": Text("读取时出错，此文件未被采用；其他文件不受影响。", "Reading failed and this file was not used; other files are not affected."),
}  # fmt: skip

NOTICES: Final[dict[str, Text]] = {
    "not_read": Text("{place}：像是数值但未读取：“{quote}”", "{place}: looks like a value but was not read: “{quote}”"),
    "not_read_more": Text("另有 {count} 处像是数值但未读取。", "{count} more places look like values but were not read."),
    "hidden_value": Text("{place} 对读者不可见，未采用：“{quote}”", "{place} is not visible to a reader and was not used: “{quote}”"),
    "hidden_more": Text("另有 {count} 处隐藏内容未采用。", "{count} more hidden places were not used."),
    "not_calculated": Text("{place} 的公式没有计算结果，未采用：{quote}", "{place} holds a formula that was never calculated and was not used: {quote}"),
    "cached_from_another_workbook": Text("{place} 的值来自另一工作簿的缓存，无法核实，需人工确认：{quote}", "{place} is cached from another workbook, cannot be verified and needs confirmation: {quote}"),
    "conflict": Text("{metric} 前后矛盾，未作选择：“{first}”与“{second}”", "{metric} is contradictory, nothing was chosen: “{first}” against “{second}”"),
    "shared_value_overridden": Text("{metric} 的通用值被产品自身的值取代：“{quote}”", "A general value of {metric} yields to the product's own: “{quote}”"),
    "full_availability": Text("可用率写为 100%，须有条款支持，请核对：“{quote}”", "An availability of 100% needs a clause behind it; please check: “{quote}”"),
    "vendor_from_title": Text("供应商名称“{name}”取自标题，请确认。", "The vendor's name “{name}” was taken from the title; please confirm."),
    "vendor_unknown": Text("文件没有写明供应商，请补充名称。", "The file does not name the vendor; please add the name."),
    "name_cut": Text("名称超过 {limit} 个字符，已截断。", "A name is longer than {limit} characters and was cut."),
    "rows_unread": Text("工作表“{sheet}”：读到第 {row} 行为止，其余 {count} 个单元格未读。", "Sheet “{sheet}”: read up to row {row}; {count} further cells were not read."),
    "encoding": Text("文本编码：{encoding}。", "Text encoding: {encoding}."),
    "quoted_mail": Text("引用的往来邮件不属于本次答复，未采用：“{quote}”", "Quoted earlier mail is no part of the answer and was not used: “{quote}”"),
    "page_frame": Text("菜单、页脚或广告中的文字，不属于正文，未采用：“{quote}”", "In a menu, footer or advertisement, not in the page's content, and not used: “{quote}”"),
    "nested_too_deep": Text("网页嵌套超过 {limit} 层或表格过大，其余部分未读。", "The page is nested more than {limit} deep or its tables are too large; the rest was not read."),
    "watermark": Text("第 {page} 页有斜排文字（水印），未当作内容：“{quote}”", "Page {page} holds slanted text (a watermark) that was left out: “{quote}”"),
    "duplicated_characters": Text("第 {page} 页的文字重复绘制（加粗），已合并。", "Text on page {page} is drawn twice (bold) and was folded."),
    "page_is_image": Text("第 {page} 页是图片，没有文字，未读取。", "Page {page} is an image without text and was not read."),
    "page_box_too_large": Text("第 {page} 页的尺寸超出上限，已跳过。", "Page {page} is larger than the limit and was skipped."),
    "page_unreadable": Text("第 {page} 页有 {share}% 的字符无法解码，需人工查看，未采用。", "On page {page} {share}% of the characters cannot be decoded; a person has to look, nothing was used."),
    "page_damaged": Text("第 {page} 页已损坏，无法读取。", "Page {page} is damaged and could not be read."),
    "tables_not_read": Text("第 {page} 页的表格无法识别，只读了文字。", "The tables of page {page} could not be recognised; only its text was read."),
    "page_too_complex": Text("第 {page} 页线条过多，只读文字，未识别表格。", "Page {page} has too many strokes; only its text was read, tables were not recognised."),
    "encrypted_open": Text("PDF 有权限密码但可以打开，已读取。", "The PDF has an owner password but opens without one; it was read."),
    "active_content": Text("文件含有脚本、动作或嵌入文件，均未执行：{quote}", "The file holds scripts, actions or embedded files; none was run: {quote}"),
    "comment_not_read": Text("{place} 的批注未当作数值：“{quote}”", "The comment at {place} was not taken as a value: “{quote}”"),
    "page_recovered": Text("文件不完整，恢复了 {count} 页，需人工确认。", "The file is cut short; {count} pages were recovered and need confirmation."),
    "questionnaire": Text("已识别为 Linewise 问卷（版本 {version}）。", "Recognised as a Linewise questionnaire (version {version})."),
    "invalid_answer": Text("{place} 的填写无法识别，未采用：“{quote}”", "The answer at {place} cannot be recognised and was not used: “{quote}”"),
    "unknown_field": Text("{place}：问卷中没有此字段：“{quote}”", "{place}: the questionnaire has no such field: “{quote}”"),
}  # fmt: skip


def refusal(code: str, **values: object) -> Text:
    """The sentence of a refusal code; a `KeyError` means the code is not registered."""
    return REFUSALS[code].format(**values)


def notice(code: str, **values: object) -> Notice:
    """A notice of a registered code."""
    return Notice(code, NOTICES[code].format(**values))


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """Raised while reading when a file cannot be used at all; carries a registered code."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.message = refusal(code, **values)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuilt, (self.code, self.message))


def _rebuilt(code: str, message: Text) -> Refused:
    made = Refused.__new__(Refused)
    Exception.__init__(made, code)
    made.code, made.message = code, message
    return made
