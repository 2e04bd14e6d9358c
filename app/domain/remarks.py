"""How words were normalised, told in both languages. Evidence keeps codes with their parts, never a sentence.

A remark is a tuple: its code, then what fills the holes `{a}` and `{b}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import Text, join

if TYPE_CHECKING:
    from collections.abc import Iterable

Remark = tuple[str, ...]

REMARKS: dict[str, Text] = {
    "equals": Text("{a} 即 {b}", "{a} = {b}"),
    "lost_exponent": Text("「{a}」的上标似已丢失", "{a}: the raised exponent seems lost"),
    "power_by_custom": Text("{a} 按惯例读作 10 的 {b} 次方", "{a} read as ten to the power {b}, by custom"),
    "taken_as_bit_rate": Text("「{a}」按比特速率读", "“{a}” taken as a bit rate"),
    "unreadable": Text("数字写法无法识别", "the number is written in a way that cannot be read"),
    "run_together": Text("数字连在一起", "numbers run together"),
    "several_links": Text("多条链路，单条还是合计不明", "several links: one or all together is not said"),
    "monthly_and_yearly": Text("标签按月而单位按年", "monthly by its label, yearly by its unit"),
    "yearly_amount": Text("年度金额，已除以 12", "a yearly amount, divided by 12"),
    "no_currency": Text("金额没有注明币种", "no currency stands with the amount"),
    "unit_assumed": Text("没有单位，按 {a} 读", "no unit; taken as {a}"),
    "no_unit": Text("数字没有单位", "no unit stands with the number"),
    "percent_assumed": Text("没有单位，按百分数读", "no unit; taken as percent"),
    "percent_or_fraction": Text("未说明是百分数还是小数", "percent or fraction is not said"),
    "fraction_under_percent": Text("百分数表头下写的是小数", "a fraction under a percent heading"),
    "implausible": Text("数值不合常理", "implausible"),
    "range": Text("范围 {a} 至 {b}，取较差一端", "a range from {a} to {b}; the worst bound is taken"),
    "one_plausible": Text("只有一种读法合理", "only one reading is plausible"),
    "from_outage_budget": Text("由 {b} 小时内中断 {a} 小时折算", "from {a} h of outage in {b} h"),
    "charge_of_zero": Text("「{a}」即费用为 0", "“{a}” is a charge of 0"),
    "from_merged_cell": Text("来自合并单元格", "from a merged cell"),
    "from_words": Text("由「{a}」得出", "from “{a}”"),
    "contradicted": Text("与另一处不一致：{a}", "contradicted by: {a}"),
    "currency_from_offer": Text("币种 {a} 取自同一报价的其他金额", "currency {a} from the rest of the offer"),
    "planned": Text("规划中，目前不支持", "planned, not supported today"),
    "partial": Text("部分支持或可选", "partial or optional"),
    "formula": Text("公式 {a} 的缓存结果", "cached result of the formula {a}"),
    "other_workbook": Text("取自其他工作簿的缓存：{a}", "cached from another workbook: {a}"),
}


def tell(remarks: Iterable[Remark]) -> Text | None:
    """The remarks as one text, or None when there is none. Parts are filled in as they are, never interpreted."""
    told = [REMARKS[code].format(**dict(zip("ab", parts, strict=False))) for code, *parts in remarks]
    return join(told) if told else None
