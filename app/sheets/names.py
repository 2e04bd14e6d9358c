"""The vendor's name in running text: letterheads, signatures and "X (below: the Supplier)"; never the buyer's."""

# ruff: noqa: E501 - data, words a row
from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from app.sheets.folding import NAME_LIMIT, clean_label, fold
from app.sheets.lexicon import labels_in

if TYPE_CHECKING:
    from collections.abc import Sequence

_ZH_LONG: Final = r"[\u4e00-\u9fff]{2,16}(?:股份有限公司|有限责任公司|有限公司|集团公司|集团)"
_ZH_SHORT: Final = (
    r"[\u4e00-\u9fff]{2,6}(?:通信|网络|科技|云网|云联|数通|光网|光联|互联|电信|信息|传输|光传|智联|网联|算网|云)"
)
_ZH: Final = re.compile(
    rf"{_ZH_LONG}|(?:(?<=^)|(?<=[\s,，。;；:：、（(“\"|｜]))(?:{_ZH_SHORT})(?=$|[\s,，。;；:：、）)”\"|｜A-Z])"
)
_EN_WORD: Final = r"[A-Z][A-Za-zÀ-ÿ0-9&'’\-]*"
_EN_END: Final = (
    r"(?:Networks?|Telecom(?:s|munications)?|Carriers?|Communications?|Connect|Photonics|Datalink|Fib(?:re|er)(?:net)?|Fibernet|Broadband|Lightwave"
    r"|Wavelengths?|Interconnect|Cloud|Data|Glasfaser|Systems|Services|Group|Holdings|Company"
    r"|Ltd|Limited|Inc|LLC|PLC|plc|Corp|Corporation|GmbH|AG|AS|A/S|AB|Oy|B\.?V|N\.?V|S\.?A|SARL|SAS|S\.?r\.?l|Pty|Pte|Co)"
)
_EN: Final = re.compile(
    rf"\b{_EN_WORD}(?: (?:{_EN_WORD}|&|and|of)){{0,4}}? {_EN_END}\b\.?(?:,? (?:Ltd|Limited|Inc|LLC|PLC|GmbH|AS|B\.?V|Co)\b\.?)*"
)
_BUYER_BEFORE: Final = re.compile(
    r"(?:致|敬致|采购人|招标人|采购单位|需方|甲方|客户|用户|买方|收件人|项目名称|\bto|\bdear|\bcustomer|\bclient|\bbuyer|\battention|\battn|(?<!signed )(?<!for and on behalf of )\bfor|\bprepared for|\brfp of|\brequest of)"
    r"[^,，。;；\n]{0,12}$",
    re.IGNORECASE,
)
_BUYER_AFTER: Final = re.compile(
    r"^.{0,6}(?:采购部|采购中心|招标|建设指挥部|贵司|贵方|\(?(?:buyer|customer|client|the customer))", re.IGNORECASE
)
_VENDOR_AFTER: Final = re.compile(
    r"^\s?[,，、] ?(?:产品|product\b|service\b)|^[^。.\n]{0,12}(?:以下简?称.{0,3}(?:我司|我方|乙方|供方|服务商|卖方|运营商)|现就|特此|就向|郑重承诺|商务部|销售部|（公章）|\(公章\)|（盖章）|\(盖章\)"
    r"|\bis pleased\b|\bhereby\b|\bwe\b|\bwarrants\b|\bguarantees\b|\bwill\b|\(?[\"“]?(?:the )?(?:supplier|provider|carrier|vendor|company|seller|us|we)\b)",
    re.IGNORECASE,
)
_NAMED: Final = 6
_GENERIC: Final = re.compile(
    r"^(?:master|schedule|service|general|standard|our|the|a|an|this|these|all|any|each|data|cloud|fibre|fiber|network|managed|professional|other)\b",
    re.IGNORECASE,
)


_CALLED: Final = re.compile(
    r"[“\"「『《](?P<zh>[^”\"」』》，。；]{2,40})[”\"」』》]\s*[（(]\s*以下(?:简?称.{0,3}本(?:专线|产品|业务|服务|电路|线路))?"
    r"|[“\"](?P<en>[A-Z][^”\"]{2,40})[”\"] ?\((?:the )?[“\"](?:Service|Product|Circuit|Line)[”\"]\)"
)
_FAMILY: Final = re.compile(r"\b[A-Z][\w-]+(?: (?:[A-Z][\w-]*|\d+[GMT]?))+\b")
_OFTEN: Final = 3


def product_in(texts: Sequence[str]) -> str | None:
    """The one product that a text gives a short name: “智联50G以太专线”（以下称“本专线”）."""
    found = {
        m.group("zh") or m.group("en") for t in texts for m in _CALLED.finditer(fold(t)) if not _ZH.search(m.group())
    }
    return found.pop() if len(found) == 1 else None


def siblings(texts: Sequence[str]) -> tuple[str, ...]:
    """Names that differ in their last word and come again and again: products of one family; terms we know are none."""
    counts: Counter[str] = Counter(n for t in texts for n in set(_FAMILY.findall(fold(t))) if not labels_in(n))
    often = [n for n, count in counts.items() if count >= _OFTEN]
    families: dict[str, list[str]] = {}
    for name in often:
        families.setdefault(name.rpartition(" ")[0], []).append(name)
    return tuple(n for members in families.values() if len(members) > 1 for n in members)


def company_names(text: str) -> list[tuple[int, int, str]]:
    """Names of companies in a text with their places."""
    found = [(m.start(), m.end(), m.group()) for pattern in (_ZH, _EN) for m in pattern.finditer(text)]
    return [(s, e, n) for s, e, n in found if not _GENERIC.search(n)]


def vendor_in(texts: Sequence[str]) -> str | None:
    """The vendor of a document: the company named by its letterhead, signature or role; None when nobody stands out.

    A name counts once a paragraph, more in the first and last ones and beside words of the vendor's own voice; a name
    that is addressed (致, To, 采购人) never counts.
    """
    weights: Counter[str] = Counter()
    buyers: set[str] = set()
    for index, raw in enumerate(texts):
        text = fold(raw)
        edge = index < 2 or index >= len(texts) - 4  # noqa: PLR2004
        for start, end, found in company_names(text):
            name = clean_label(found, NAME_LIMIT).strip(" ,，.")
            before, after = text[:start], text[end:]
            if _BUYER_BEFORE.search(before) or _BUYER_AFTER.search(after):
                buyers.add(name)
                continue
            weights[name] += 1 + (2 if edge else 0) + (_NAMED if _VENDOR_AFTER.search(after) else 0)
    ranked = [(n, w) for n, w in weights.most_common() if n not in buyers]
    if not ranked:
        return None
    best, weight = ranked[0]
    longer = [n for n, _ in ranked if best in n]
    return max(longer, key=len) if weight > 1 else None
