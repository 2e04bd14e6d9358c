"""Whose facts they are: vendor and product named by keys, titles, rows and the headings of columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from app.sheets import words
from app.sheets.document import text_in
from app.sheets.entries import Owner
from app.sheets.folding import NAME_LIMIT, clean_label, fold, key, lowered
from app.sheets.headers import distinct
from app.sheets.tiers import is_ditto

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from app.sheets.document import Row
    from app.sheets.layout import Column, Layout

OWNER_ROLES: Final = ("vendor", "product")
_OFFERED: Final = re.compile(r"^(?:投标|所投|拟投|拟供|拟用|推荐|本次|offered|proposed|quoted)(?=\S)")
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
    bare = _OFFERED.sub("", re.sub(r"[(（].*?[)）]?$", "", low))
    if words.TENANT_WORDS.search(bare):
        return ""
    for role in OWNER_ROLES:
        if any(w in {low, bare} for w in (lowered(fold(x)).replace(" ", "") for x in words.ROLES[role].split("|"))):
            return role
    return ""


def name_in(cells: Row, column: Column, above: dict[str, str]) -> str:
    """The name in a row; an empty or ditto place repeats the one above."""
    text = clean_label(text_in(cells, column.index), NAME_LIMIT)
    if words.EVERYONE.match(lowered(fold(text))):
        return ""
    if not text or is_ditto(text):
        return above.get(column.role, "") if column.role != "product" or is_ditto(text) else ""
    above[column.role] = text
    return text


def column_owners(layout: Layout, values: Sequence[Column], *, vendor_known: bool) -> dict[int, Owner]:
    """Whose the columns of figures are: by the names over them, and by rows of names (产品 | A | B) below those."""
    names = [c.owner for c in values if c.role == "name"]
    found = {c.index: _over_column(c, layout, names, vendor_known=vendor_known) for c in values}
    for row in layout.body:
        cells = layout.table.rows[row]
        role = owner_role(text_in(cells, layout.label))
        if not role:
            continue
        for column in values:
            name = clean_label(text_in(cells, column.index), NAME_LIMIT)
            if name and (column.role == "name" or layout.header == ()):
                found[column.index] = owner_as(role, name).over(_other(found[column.index], role))
    return found


def _other(owner: Owner, role: str) -> Owner:
    """What an owner says in the other role; a name that was taken for one of this role moves to the other."""
    if role == "product":
        return Owner(vendor=owner.vendor or owner.product)
    return Owner(product=owner.product or owner.vendor)


def _over_column(column: Column, layout: Layout, names: Sequence[str], *, vendor_known: bool) -> Owner:
    """Whether the name over a column is a vendor's or a product's; a company over several columns is the vendor."""
    if column.role == "case":
        return Owner(product=column.owner or None) if vendor_known else Owner(vendor=column.owner or None)
    if column.role != "name":
        return Owner()
    name = clean_label(column.owner, NAME_LIMIT)
    if column.group and _is_company(column.group):
        return Owner(vendor=clean_label(column.group, NAME_LIMIT), product=name)
    corner = owner_role(layout.corner)
    products = sum(bool(words.PRODUCT_WORD.search(lowered(fold(n)))) for n in names) * 2 > len(names)
    companies = sum(_is_company(n) for n in names) * 2 > len(names)
    if corner == "product" or vendor_known or (not corner and products and not companies):
        return Owner(product=name)
    return Owner(vendor=name)


def _is_company(name: str) -> bool:
    return bool(words.COMPANY.search(lowered(fold(name))))


def part_names(layout: Layout) -> dict[int, Owner]:
    """Sub-headings of a table that are products: between them the same labels come again.

    Row index → the product that holds from there on (no product for a sub-heading that is none).
    """
    parts: list[tuple[int, str, set[str]]] = []
    for row in layout.body:
        cells = distinct(layout.table, row)
        if len(cells) == 1:
            parts.append((row, cells[0].text, set()))
        elif parts and cells:
            parts[-1][2].add(key(text_in(layout.table.rows[row], layout.label)))
    filled = [p for p in parts if p[2]]
    if len(filled) < 2 or len(set.intersection(*(p[2] for p in filled))) * 2 < min(len(p[2]) for p in filled):  # noqa: PLR2004
        return {}
    return {row: Owner(product=clean_label(text, NAME_LIMIT)) if labels else Owner() for row, text, labels in parts}


_SITE_TAIL: Final = re.compile(
    r"(?:帮助中心|帮助文档|文档中心|产品文档|官方网站|官网|文档|首页)$"
    r"|\s*(?:help cent(?:er|re)|documentation|docs|website)$",
    re.IGNORECASE,
)
_LEVELS_FOR: Final = re.compile(
    r"(?:schedule|annex|appendix|exhibit)?\s*\w{0,3}[:.]?\s*service (?:level|schedule|description|level agreement)s?"
    r" (?:for|of) (?:the )?(.{2,60}?)(?: services?)?$",
    re.IGNORECASE,
)


def title_product(title: str) -> str | None:
    """The product of a heading such as "Schedule 3: Service levels for Lightpath services"."""
    found = _LEVELS_FOR.match(clean_label(title, NAME_LIMIT))
    return found.group(1).strip() if found else None


def title_owner(title: str) -> Owner:
    """Vendor and product from a title such as "Name Telecom - Product Service Levels"."""
    clean = clean_label(title, NAME_LIMIT)
    page, bar, site = re.sub(r"\s*[|｜_]\s*(?=[^|｜_]*$)", "\x00", clean).partition("\x00")
    site = _SITE_TAIL.sub("", re.split(r"\s*[-–—]\s*", site)[-1]) if bar else site
    if bar and (_is_company(site) or site.endswith("云")):  # `page | company`, as web pages are titled
        return Owner(vendor=site, product=_product(page))
    trail = re.split(r"--+|\s*[>»›]\s*", clean)
    if len(trail) > 1 and _is_company(trail[0].strip()):  # company--section--page
        return Owner(vendor=trail[0].strip(), product=_product(trail[-1].strip()))
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
