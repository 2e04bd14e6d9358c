"""The report step as a page: is the document ready, what stands in the way, what it will contain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.text import Language, Text
from app.presentation.words import STEP
from app.report import titles
from app.report.comparison import comparison_view
from app.report.lints import Lint, lints
from app.report.score_view import weighted

if TYPE_CHECKING:
    from app.domain.assessment import Assessment

CHAPTERS: tuple[Text, ...] = (
    Text("结论（一页）：推荐、理由、签约前事项", "The decision on one page: reasons, what to settle before signing"),
    Text("需求与红线：公式与数字，文章与细化对照", "Need and red lines: formulas with numbers, the article beside"),
    Text("门槛矩阵", "Gate matrix"),
    *(STEP[n] for n in sorted(STEP)),
    Text("成本：公式与代入的数字", "Cost: the formula with the numbers put in"),
    Text("未推荐的方案，以及怎样才会改变结论", "Options not recommended, and what would change that"),
    Text("按供应商列出的澄清事项", "Questions to each vendor"),
    Text("假设、规则与全部参数及其来源", "Assumptions, rules and every parameter with its source"),
    Text("附录 A 证据索引：文件、位置、原文、确认人", "Annex A, evidence: file, place, words, who confirmed"),
    Text("附录 B 所用公式：适用条件、实测对照、来源", "Annex B, formulas used: when they hold, measurements"),
    Text("评审意见与签字页", "Opinions and signatures"),
)  # fmt: skip
SCORE = Text("综合评分：各项分数、权重与合计", "Score sheet: points, weights and totals")
_AFTER_COST = 8
READY = Text("报告可以送审", "The report is ready for review")
DRAFT_ONE = Text("报告还是草案：有 1 件事须先处理", "The report is still a draft: 1 matter comes first")
DRAFT = Text("报告还是草案：有 {n} 件事须先处理", "The report is still a draft: {n} matters come first")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineView:
    """The report page, formatted."""

    title: str
    lede: str
    chapters: tuple[str, ...]
    lints: tuple[Lint, ...]
    open_questions: int
    content_sha256: str
    rulebook_version: str


def outline_view(assessment: Assessment, language: Language) -> OutlineView:
    """What the report page says of an assessment."""
    found = lints(assessment, language)
    musts = sum(lint.must for lint in found)
    title = READY if not musts else DRAFT_ONE if musts == 1 else DRAFT.format(n=musts)
    view = comparison_view(assessment, language)
    return OutlineView(
        title=title.pick(language), lede=titles.title(assessment, language),
        chapters=tuple(c.pick(language) for c in _chapters(assessment)), lints=found,
        open_questions=view.open_questions, content_sha256=view.content_sha256, rulebook_version=view.rulebook_version,
    )  # fmt: skip


def _chapters(assessment: Assessment) -> tuple[Text, ...]:
    """The chapters; the score sheet only where points rank."""
    if not weighted(assessment.policy):
        return CHAPTERS
    return (*CHAPTERS[:_AFTER_COST], SCORE, *CHAPTERS[_AFTER_COST:])
