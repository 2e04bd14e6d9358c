"""What the elements of an HTML page are: content or frame, seen or hidden, a table of data or of layout."""

# ruff: noqa: E501, SIM905 - data, words a row
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import tinycss2

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

SKIPPED: Final = frozenset(
    "script style noscript template svg canvas iframe object embed audio video head link meta base select textarea button math".split()
)
STRUCK: Final = frozenset({"del", "s", "strike"})
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "summary", "figcaption"})
BLOCKS: Final = frozenset(
    "address article aside blockquote center dd details dialog div dt fieldset figure footer form header hgroup hr li main nav ol p pre "
    "section ul td th tr tbody thead tfoot caption body".split()
)
_MENU: Final = 3
_MENU_LINE: Final = 24
LEGAL: Final = re.compile(r"©|版权所有|ICP备|公网安备|all rights reserved|registered in [A-Z]", re.IGNORECASE)
_MAX_SPAN: Final = 1_000
_FRAME_TAGS: Final = frozenset({"nav", "aside", "footer", "marquee"})
_FRAME_ROLES: Final = frozenset(
    {"navigation", "complementary", "contentinfo", "banner", "search", "dialog", "alertdialog", "menu"}
)
_FRAME_NAMES: Final = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|topbar|breadcrumbs?|crumbs?|side|side-?bar|side-?nav|side-?menu|left-?(?:bar|nav|menu)|site-?footer|page-?footer|footer|foot|cookies?|consent|gdpr"
    r"|banner|advert|promo|related|recommend(?:ed|ations)?|share|social|toc|pagination|pager|copyright|newsletter|feedback|subscribe|modal|popup)(?:$|[\s_-])",
    re.IGNORECASE,
)
_NAMED: Final = frozenset({"div", "ul", "ol", "section", "p", "header", "table"})
_INVISIBLE: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:;|!|$)",
    re.IGNORECASE,
)
_YES: Final = re.compile(r"^(?:yes|check(?:ed|mark)?|tick|true|支持|是|√|✓|✔|✅)$", re.IGNORECASE)
_NO: Final = re.compile(r"^(?:no|cross|false|unsupported|不支持|否|×|✗|✘|❌)$", re.IGNORECASE)


def hidden_by_rules(tree: LexborHTMLParser) -> set[int]:
    """Elements that a rule of the page's own style sheets makes invisible."""
    hidden: set[int] = set()
    for sheet in tree.css("style"):
        for rule in tinycss2.parse_stylesheet(sheet.text() or "", skip_comments=True, skip_whitespace=True):
            if rule.type != "qualified-rule" or not _INVISIBLE.search(tinycss2.serialize(rule.content)):
                continue
            selector = tinycss2.serialize(rule.prelude).strip()
            if ":" in selector:  # a state such as :hover, or content before and after
                continue
            try:
                hidden |= {n.mem_id for n in tree.css(selector)}
            except ValueError:
                continue
    return hidden


def is_hidden(node: LexborNode) -> bool:
    """Whether the element itself says that nobody sees it."""
    attributes = node.attributes
    return "hidden" in attributes or bool(_INVISIBLE.search(attributes.get("style") or ""))


def is_frame(node: LexborNode) -> bool:
    """Whether an element frames the page (menu, footer, advertisement) instead of being its content.

    It says so by its tag, role, class or id; one that holds the main heading is content all the same.
    """
    if node.tag in {"body", "th", "tr"}:
        return False
    attributes = node.attributes
    named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    frame = (
        node.tag in _FRAME_TAGS
        or (attributes.get("role") or "") in _FRAME_ROLES
        or (node.tag in _NAMED and bool(_FRAME_NAMES.search(named)))
    )
    return (frame or _is_menu(node)) and node.css_first("h1, main, article") is None


def _is_menu(node: LexborNode) -> bool:
    """A block of several links and hardly another word."""
    if node.tag not in {"ul", "ol", "div", "p", "td"}:
        return False
    links = node.css("a")
    if len(links) < _MENU:
        return False
    words = len("".join((node.text() or "").split()))
    linked = sum(len("".join((a.text() or "").split())) for a in links)
    return linked * 10 >= words * 8


def is_layout(table: LexborNode) -> bool:
    """A table that only arranges the page: it holds tables or headings, says so, or has one column."""
    if (table.attributes.get("role") or "") in {"presentation", "none"}:
        return True
    if any(n.mem_id != table.mem_id for n in table.css("table, h1, h2, h3, h4")):
        return True
    return all(len([c for c in row.iter() if c.tag in {"td", "th"}]) < 2 for row in table.css("tr"))  # noqa: PLR2004


def is_sidebar(cell: LexborNode) -> bool:
    """A cell of a table of layout that only lists short lines beside one that holds most of the row's words."""
    row = cell.parent
    if row is None:
        return False
    sizes = [len("".join((c.text() or "").split())) for c in row.iter() if c.tag in {"td", "th"}]
    lines = [line.strip() for line in cell.text(separator="\n").splitlines() if line.strip()]
    own = len("".join((cell.text() or "").split()))
    short = len(lines) >= _MENU and max(len(line) for line in lines) <= _MENU_LINE
    return short and len(sizes) > 1 and own * 4 < sum(sizes) and max(sizes) * 10 >= sum(sizes) * 6


def span(cell: LexborNode, name: str) -> int:
    """How many columns or rows a cell covers (1 … 1,000)."""
    said = (cell.attributes.get(name) or "").strip()
    return min(_MAX_SPAN, max(1, int(said))) if said.isdecimal() and len(said) < 6 else 1  # noqa: PLR2004


def shown_sign(node: LexborNode) -> str:
    """A tick or a cross drawn as a picture or a box: `√` or `×`; anything else says nothing."""
    if node.tag == "input":
        if (node.attributes.get("type") or "").lower() != "checkbox":
            return ""
        return " ☑ " if "checked" in node.attributes else " ☐ "
    alt = (node.attributes.get("alt") or "").strip()
    return " √ " if _YES.match(alt) else " × " if _NO.match(alt) else ""
