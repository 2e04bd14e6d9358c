"""Whose facts they are: vendor and product named by keys, titles, rows and the headings of columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from app.sheets import words
from app.sheets.document import text_in
from app.sheets.entries import Owner
from app.sheets.folding import NAME_LIMIT, clean_label, fold, lowered
from app.sheets.tiers import is_ditto

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.sheets.document import Row
    from app.sheets.layout import Column, Layout

OWNER_ROLES: Final = ("vendor", "product")
_PAIR: Final = re.compile(
    r"([^\s:：；;，,。]{1,20}(?: [A-Za-z]{1,12}){0,2})\s?[:：]\s*(\S.*?)(?=\s{2,}|[\u3000\t；;]|$)", re.MULTILINE
)


def owner_as(role: str, name: str) -> Owner:
    """The owner with this name in this role."""
    return Owner(vendor=name) if role == "vendor" else Owner(product=name)


def owner_of(names: Mapping[str, str]) -> Owner:
    """The owner of a row from the names that stand in it, by role."""
    return Owner(vendor=names.get("vendor") or None, product=names.get("product") or None)


def pairs(raw: str) -> Iterator[Owner]:
    """`供应商：X` and `Product: Y` in a paragraph, as owners; the buyer's own name is none."""
    for match in _PAIR.finditer(raw):
        key, value = match.group(1), clean_label(match.group(2), NAME_LIMIT).rstrip("。.;；")
        role = owner_role(key)
        if role and value:
            yield owner_as(role, value)


def owner_role(text: str) -> str:
    """`vendor` or `product` when a key names one of them, else an empty string."""
    low = lowered(fold(text)).replace(" ", "")
    bare = re.sub(r"[(（].*?[)）]?$", "", low)
    if words.TENANT_WORDS.search(bare):
        return ""
    for role in OWNER_ROLES:
        if any(w in {low, bare} for w in (lowered(fold(x)).replace(" ", "") for x in words.ROLES[role].split("|"))):
            return role
    return ""


def name_in(cells: Row, column: Column, above: dict[str, str]) -> str:
    """The name in a row; an empty or ditto place repeats the one above."""
    text = clean_label(text_in(cells, column.index), NAME_LIMIT)
    if not text or is_ditto(text):
        return above.get(column.role, "") if column.role != "product" or is_ditto(text) else ""
    above[column.role] = text
    return text


def column_owner(column: Column, layout: Layout, *, vendor_known: bool) -> Owner:
    """Whether the names over the columns are vendors or products."""
    if column.role != "name":
        return Owner()
    name = clean_label(column.owner, NAME_LIMIT)
    names = [c.owner for c in layout.columns if c.role == "name"]
    corner = owner_role(layout.corner)
    products = sum(bool(words.PRODUCT_WORD.search(lowered(fold(n)))) for n in names) * 2 > len(names)
    companies = sum(bool(words.COMPANY.search(lowered(fold(n)))) for n in names) * 2 > len(names)
    if corner == "product" or vendor_known or (not corner and products and not companies):
        return Owner(product=name)
    return Owner(vendor=name)


def title_owner(title: str) -> Owner:
    """Vendor and product from a title such as "Name Telecom - Product Service Levels"."""
    clean = clean_label(title, NAME_LIMIT)
    head, mark, tail = re.sub(r"\s*[|｜_]\s*(?=[^|｜_]*$)", "\x00", clean).partition("\x00")  # a page of a company's site
    if mark and words.COMPANY.search(lowered(fold(tail))):
        return Owner(vendor=tail, product=_product(head))
    for mark in (r"\s[-–—]\s", r"[:：]\s?", r"\s+"):
        head, *tail = re.split(mark, clean, maxsplit=1)
        if tail and (words.COMPANY.search(lowered(fold(head))) or _bilingual_company(head)):
            return Owner(vendor=head, product=_product(tail[0]))
    return Owner()


def _bilingual_company(name: str) -> bool:
    latin = re.sub(r"[^\x00-\x7f]+", "", name).strip()
    return bool(latin) and bool(words.COMPANY.search(lowered(latin)))


def _product(text: str) -> str | None:
    previous = ""
    while text != previous:
        previous = text
        text = re.sub(words.TITLE_TAIL.pattern, "", text, flags=re.IGNORECASE).strip(" ,，-")
    return text or None
