"""Parts of a document that speak of one offer (`Option A: …`, 方案一：…), of all, or of what the buyer asked for."""

# ruff: noqa: E501 - data, words a row
from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from app.sheets.document import Paragraph
from app.sheets.entries import NOBODY, Owner
from app.sheets.folding import NAME_LIMIT, clean_label, fold, lowered
from app.sheets.labels import role_of
from app.sheets.lexicon import labels_in
from app.sheets.names import company_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sheets.document import Block

_NUMBER: Final = re.compile(r"^\s*(?:§ ?)?(\d{1,2}(?:\.\d{1,2}){0,4})[.、)]?(?=\s|[^\d\s.,%：:])\s*")
_ZH_NUMBER: Final = re.compile(
    r"^\s*(?:第?[一二三四五六七八九十]{1,3}(?:[、.]|章|部分|节|条)|[（(][一二三四五六七八九十\d]{1,3}[)）])\s*"
)
_OPTION: Final = re.compile(
    r"^(?:方案|选项|套餐|报价|产品|线路|档位|可选方案) ?[一二三四五六七八九十\dA-Za-z]{1,3} ?[:、.—\-( ] ?(?P<zh>\S.{1,70})$"
    r"|^(?:option|alternative|offer|variant|product|plan|lot|proposal|service|bundle) (?:[a-z]|\d{1,2}|one|two|three) ?[:.\-–—(] ?(?P<en>\S.{1,70})$",
    re.IGNORECASE,
)
_COMMON: Final = re.compile(
    r"均适用|均按|共同条款|通用条款|公共条款|共性条款|商务条款|适用于(?:以上|上述|所有|各|两|全部)|(?:两|三|四|各|所有|以上|上述)个?(?:方案|产品|选项|档位?).{0,6}(?:适用|相同|一致|共用)"
    r"|\bcommon (?:to|terms)\b|\b(?:both|all|either) (?:options|offers|products|services|plans|variants|alternatives|option|of them)\b|\bapplies to (?:both|all)\b"
    r"|\bgeneral terms\b|\bterms and conditions\b",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"(?:贵司|贵方|客户|用户|采购人|招标人|采购|招标|您)的?.{0,4}(?:需求|要求)|需求(?:描述|理解|概述|分析|响应前提)|^(?:需求|要求)$"
    r"|\b(?:what )?you(?:r)? (?:asked|request|requirements?|enquiry|needs)\b|\b(?:customer|client|buyer)(?:'s)? (?:requirements?|needs|request)\b|\bour understanding\b|^requirements?$",
    re.IGNORECASE,
)
_SOLD: Final = re.compile(
    r"\d ?(?:[gmt](?:bps|bit/s|be|e)?|兆|万兆)(?![a-z])|(?:专线|线路|直连|快线|电路|波长|套餐|版|型|档)$"
    r"|\b(?:wave|wavelength|line|link|ethernet|connect|plan|circuit|gold|silver|bronze|platinum|premium|standard|basic|class [a-z0-9])s?$"
)
_MAX_TITLE: Final = 80
_ALIKE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Where a block stands: whose it is, and whether it repeats what the buyer asked for."""

    owner: Owner = NOBODY
    asked: bool = False


WHOLE: Final = Part()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """A heading: index of its block, depth, its words without the number."""

    at: int
    depth: int
    text: str


def bare_heading(text: str) -> tuple[int, str]:
    """The depth that the number of a heading tells (0 for none), and its words."""
    folded = fold(text)
    if found := _NUMBER.match(folded):
        return found.group(1).count(".") + 1, folded[found.end() :].strip()
    if found := _ZH_NUMBER.match(folded):
        return 2 if found.group().strip()[0] in "（(" else 1, folded[found.end() :].strip()
    return 0, folded


def option_name(text: str) -> str:
    """The product that a line such as `Option A: Metro 100G` or 方案一：城域100G opens, empty for any other line."""
    _, bare = bare_heading(text)
    found = _OPTION.match(bare)
    if found is None or re.search(r"[。;；,，]", bare):
        return ""
    return clean_label(found.group("zh") or found.group("en"), NAME_LIMIT).rstrip(")） ")


def is_asked(text: str) -> bool:
    """Whether a heading opens a part about the buyer's own wishes."""
    _, bare = bare_heading(text)
    return len(bare) <= _MAX_TITLE and (role_of(bare) == "requirement" or bool(_ASKED.search(bare)))


def plan(blocks: Sequence[Block]) -> list[Part]:
    """The part of every block."""
    heads = _heads(blocks)
    alike = _alike(blocks, heads)
    parts: list[Part] = []
    current, depth = WHOLE, 0
    for index, block in enumerate(blocks):
        head = heads.get(index)
        name = alike.get(index) or (option_name(block.text) if isinstance(block, Paragraph) else "")
        if name:
            current, depth = Part(owner=Owner(product=name)), head.depth if head else _DEEP
        elif head is not None and is_asked(head.text):
            current, depth = Part(asked=True), head.depth
        elif (head is not None and head.depth <= depth) or (isinstance(block, Paragraph) and _is_common(block)):
            current, depth = WHOLE, 0
        parts.append(current)
    return parts


_DEEP: Final = 9  # an option that is no heading ends with the next heading


def _is_common(block: Paragraph) -> bool:
    return (block.heading or len(block.text) <= _MAX_TITLE) and bool(_COMMON.search(lowered(fold(block.text))))


def _heads(blocks: Sequence[Block]) -> dict[int, _Head]:
    heads: dict[int, _Head] = {}
    for index, block in enumerate(blocks):
        if isinstance(block, Paragraph) and block.heading and block.text:
            depth, text = bare_heading(block.text)
            heads[index] = _Head(at=index, depth=block.level or depth or 1, text=text)
    return heads


def _alike(blocks: Sequence[Block], heads: dict[int, _Head]) -> dict[int, str]:
    """Headings of one depth below which the same metrics come again: each of them names a product."""
    found: dict[int, str] = {}
    for depth in {h.depth for h in heads.values()}:
        rows = [h for h in heads.values() if h.depth <= depth]
        spans = [
            (head, _metrics(blocks[head.at + 1 : nxt.at if nxt else len(blocks)]))
            for head, nxt in pairwise([*rows, None])
            if head is not None and head.depth == depth
        ]
        said = [(h, m) for h, m in spans if len(m) >= _ALIKE]
        for (one, first), (other, second) in pairwise(said):
            if (
                one.text != other.text
                and len(first & second) >= _ALIKE
                and len(first & second) * 2 >= min(len(first), len(second))
            ):
                found |= {h.at: clean_label(_named(h.text), NAME_LIMIT) for h in (one, other) if not _is_general(h)}
    return found


def _is_general(head: _Head) -> bool:
    """A heading without a rate or a kind of line, of a company or about the common terms, is no product."""
    named = bool(company_names(head.text)) or bool(_COMMON.search(head.text)) or is_asked(head.text)
    return named or not _SOLD.search(lowered(head.text))


def _named(text: str) -> str:
    return option_name(text) or text


def _metrics(blocks: Sequence[Block]) -> set[str]:
    found: set[str] = set()
    for block in blocks:
        texts = [block.text] if isinstance(block, Paragraph) else [c.text for r in block.rows for c in r if c]
        for text in texts:
            if any(c.isdigit() for c in text) or not isinstance(block, Paragraph):
                found |= {h.label.metric for h in labels_in(fold(text)) if h.label.metric}
    return found
