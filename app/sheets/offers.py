"""Facts grouped into offers: shared terms go to each, conflicts are shown instead of chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from app.domain.facts import Fact, Offer, State
from app.domain.metrics import BY_ID, MetricKind
from app.sheets import words
from app.sheets.codes import notice
from app.sheets.contexts import with_note
from app.sheets.corrections import corrected
from app.sheets.entries import Entry, Findings, Owner
from app.sheets.folding import fold, key, lowered
from app.sheets.owners import title_owner, title_product
from app.sheets.tiers import names_product, speaks_of

if TYPE_CHECKING:
    from app.domain.problems import Notice

MAX_NAME: Final = 200
_MAX_UNREAD = 50
_SINGLE: Final = frozenset({MetricKind.QUANTITY, MetricKind.MONEY, MetricKind.FLAG, MetricKind.CHOICE})
_SHORTEST: Final = 3
_COMPANY_FORM: Final = re.compile(
    r"(?:股份|科技|技术)?有限(?:责任)?公司$|集团$"
    r"|[ ,]+(?:ltd|limited|inc|llc|plc|gmbh|ag|as|a/s|b\.?v|n\.?v|s\.?a|sarl|corp)\.?$",
    re.IGNORECASE,
)
_OFTEN: Final = 3
UNCLEAR: Final = "text"
_ABILITIES: Final = frozenset({"topology", "platform"})
_EACH: Final = re.compile(r"均|都|各|全部|\b(?:both|all|each|every|either)\b")
_PROPER: Final = re.compile(r"[A-Z][\w-]+(?: [A-Z][\w-]+)+|[\u4e00-\u9fffA-Z\d]{1,8}(?:型|档|版|级|牌|专线|套餐)")
_SIDES: Final = ("statistic", "direction", "scope", "period", "commitment", "condition")


@dataclass(slots=True)
class _Group:
    vendor: str
    product: str
    own: list[Fact] = field(default_factory=list)


def build(findings: Findings) -> tuple[tuple[Offer, ...], tuple[Notice, ...]]:
    """Offers of a document, with the notices that their making caused."""
    findings.entries = corrected(findings.entries, findings.corrections)
    document, guessed = _document_owner(findings)
    groups = _groups(findings, document)
    offers: list[Offer] = []
    common = [e for e in findings.entries if e.owner == Owner()]
    unclear = [e for e in common if _unclear(e, groups)]
    common = [e for e in common if e not in unclear]
    findings.unread += [(UNCLEAR, e.fact.evidence.quote) for e in unclear]
    notices = _unread(findings)
    for group in groups:
        shared = [_narrowed(e, groups) for e in common if _applies(e, group, groups)]
        facts, more = _combined(group, shared, alone=len(groups) == 1)
        facts = _rate_of_line(facts)
        notices += more
        if facts:
            name, cut = _cut(group.vendor)
            notices += cut
            offers.append(
                Offer(vendor=name, product=_cut(group.product)[0] or None, facts=tuple(_with_currency(facts)))
            )
    whole = [f for o in offers for f in o.facts if f.metric == "availability" and f.value == 1]
    notices += [notice("full_availability", quote=f.evidence.quote[:200]) for f in whole]
    if offers and guessed and document.vendor:
        notices.append(notice("vendor_from_title", name=document.vendor))
    if any(not o.vendor for o in offers):
        notices.append(notice("vendor_unknown"))
    return tuple(offers), tuple(dict.fromkeys(notices))


def _cut(name: str) -> tuple[str, list[Notice]]:
    return (name, []) if len(name) <= MAX_NAME else (name[:MAX_NAME], [notice("name_cut", limit=MAX_NAME)])


def _document_owner(findings: Findings) -> tuple[Owner, bool]:
    """Vendor and product of the document as a whole: a named pair first, else the title."""
    vendors = list(dict.fromkeys(n.vendor for n in findings.names if n.vendor))
    products = list(dict.fromkeys(n.product for n in findings.names if n.product))
    vendor = vendors[0] if len(vendors) == 1 else None
    product = products[0] if len(products) == 1 else None
    if vendor:
        return Owner(vendor=vendor, product=product), False
    for title in findings.titles[:2]:
        if words.COMPARISON.search(lowered(fold(title))):
            continue
        owner = title_owner(title)
        if owner.vendor:
            return Owner(vendor=owner.vendor, product=product or owner.product), True
    product = product or next((p for t in findings.titles[:2] if (p := title_product(t))), None)
    return Owner(vendor=findings.signed, product=product), findings.signed is not None


def _groups(findings: Findings, document: Owner) -> list[_Group]:
    groups: dict[tuple[str, str], _Group] = {}
    for entry in findings.entries:
        if entry.owner == Owner():
            continue
        vendor = entry.owner.vendor or document.vendor or ""
        product = entry.owner.product or ""
        group = groups.setdefault((key(vendor), key(product)), _Group(vendor, product))
        group.own.append(entry.fact)
    groups = _shared_by_vendor(groups)
    if not groups and findings.entries:
        products = _told_apart(findings.entries) or [document.product or ""]
        return [_Group(document.vendor or "", product) for product in products]
    return list(groups.values())


def _told_apart(entries: list[Entry]) -> list[str]:
    """Products that running text tells apart by name ("99.8% for E-Line Standard and 99.99% for E-Line Premier").

    Names in the conditions of facts, of which at least two have the same metrics several times.
    """
    metrics: dict[str, set[str]] = {}
    for entry in entries:
        for name in _PROPER.findall(entry.fact.condition or ""):
            metrics.setdefault(name, set()).add(entry.fact.metric)
    often = [n for n, m in metrics.items() if len(m) >= _OFTEN]
    return [n for n in often if any(len(metrics[n] & metrics[o]) >= _OFTEN for o in often if o != n)]


def _shared_by_vendor(groups: dict[tuple[str, str], _Group]) -> dict[tuple[str, str], _Group]:
    """A vendor's facts without a product go to each of its products, when it has some."""
    result = dict(groups)
    for (vendor, product), group in groups.items():
        siblings = [g for (v, p), g in groups.items() if v == vendor and p]
        if not product and siblings:
            del result[(vendor, product)]
            for sibling in siblings:
                known = {f.metric for f in sibling.own}
                sibling.own += [f for f in group.own if f.metric not in known]
    return result


def _applies(entry: Entry, group: _Group, groups: list[_Group]) -> bool:
    named = _named(entry, groups)
    return not named or group in named


def _named(entry: Entry, groups: list[_Group]) -> list[_Group]:
    """The offers that a shared fact names, by a selector beside it or by its condition; none when it is for all."""
    if entry.products:
        return [g for g in groups if any(names_product(t, g.product) for t in entry.products)]
    condition = entry.fact.condition
    named = [g for g in groups if condition and speaks_of(condition, g.product)]
    named = named or [g for g in groups if _mentions(entry.fact.evidence.quote, g)]
    return named if len(named) < len(groups) else []


def _unclear(entry: Entry, groups: list[_Group]) -> bool:
    """A capability in a sentence that names several offers: nobody can tell by its words whose it is."""
    fact = entry.fact
    if fact.condition or entry.products or BY_ID[fact.metric].group not in _ABILITIES:
        return False
    named = [g for g in groups if g.product and _mentions(fact.evidence.quote, g)]
    return len(named) > 1 and not _EACH.search(lowered(fold(fact.evidence.quote)))


def _mentions(quote: str, group: _Group) -> bool:
    """Whether a sentence names the product or the vendor of an offer."""
    said = key(quote)
    names = [key(group.product), key(_COMPANY_FORM.sub("", group.vendor))]
    return any(len(n) >= _SHORTEST and n in said for n in names)


def _narrowed(entry: Entry, groups: list[_Group]) -> Entry:
    """A condition that only names the offer has done its work once the fact stands there."""
    if entry.products or not _named(entry, groups):
        return entry
    condition = entry.fact.condition
    spoken = condition and any(speaks_of(condition, g.product) for g in groups)
    return replace(entry, fact=replace(entry.fact, condition=None)) if spoken else entry


def _combined(group: _Group, shared: list[Entry], *, alone: bool) -> tuple[list[Fact], list[Notice]]:
    """Own facts first; a shared one yields to an own one of the same kind, unless there is only one offer."""
    notices: list[Notice] = []
    facts = list(group.own)
    for entry in shared:
        rivals = [f for f in group.own if _compatible(f, entry.fact)]
        if entry.fact.derived and any(f.metric == entry.fact.metric for f in facts):
            continue
        if not alone and rivals and BY_ID[entry.fact.metric].kind in _SINGLE:
            if all(not _equal(f, entry.fact) for f in rivals):
                notices.append(
                    notice(
                        "shared_value_overridden",
                        metric=BY_ID[entry.fact.metric].title,
                        quote=entry.fact.evidence.quote[:200],
                    )
                )
            continue
        facts.append(entry.fact)
    return _settled(facts, notices), notices


def _settled(facts: list[Fact], notices: list[Notice]) -> list[Fact]:
    """Equal facts once; different figures for one and the same thing become one ambiguous fact."""
    result: list[Fact] = []
    told = {f.metric for f in facts if not f.derived and f.state is not State.ELSEWHERE}
    facts = [f for f in facts if not f.derived or f.metric not in told]
    for fact in facts:
        if BY_ID[fact.metric].kind not in _SINGLE:
            if not any(
                f.metric == fact.metric
                and (f.value, f.lower, f.upper, f.condition) == (fact.value, fact.lower, fact.upper, fact.condition)
                for f in result
            ):
                result.append(fact)
            continue
        at = next((i for i, f in enumerate(result) if _compatible(f, fact)), None)
        if at is None:
            result.append(fact)
        elif _equal(result[at], fact):
            result[at] = _richer(result[at], fact)
        elif (
            fact.state is State.STATED
            and result[at].state is not State.STATED
            and result[at].state is not State.AMBIGUOUS
        ):
            result[at] = fact
        elif fact.state in {State.STATED, State.AMBIGUOUS} and result[at].state in {State.STATED, State.AMBIGUOUS}:
            result[at] = _conflict(result[at], fact)
            notices.append(
                notice(
                    "conflict",
                    metric=BY_ID[fact.metric].title,
                    first=result[at].evidence.quote[:200],
                    second=fact.evidence.quote[:200],
                )
            )
    return result


def _compatible(a: Fact, b: Fact) -> bool:
    """Whether two facts speak of the same thing: no attribute that both name differs, and equal conditions."""
    if a.metric != b.metric:
        return False
    apart = {a.commitment, b.commitment} & {"observed", "target", "design"} and a.commitment != b.commitment
    if apart and ("observed" in {a.commitment, b.commitment} or not _equal(a, b)):
        return False  # a goal beside a promise is no contradiction
    if (a.condition or "") != (b.condition or ""):
        return False
    return all(getattr(a, n) is None or getattr(b, n) is None or getattr(a, n) == getattr(b, n) for n in _SIDES)


def _equal(a: Fact, b: Fact) -> bool:
    return (a.state, a.value, a.currency or b.currency, a.readings) == (
        b.state,
        b.value,
        b.currency or a.currency,
        b.readings,
    )


def _richer(a: Fact, b: Fact) -> Fact:
    """The first of two equal facts, with the attributes that only the second one names."""
    return replace(a, **{n: getattr(a, n) or getattr(b, n) for n in (*_SIDES, "operator", "currency")})


def _conflict(a: Fact, b: Fact) -> Fact:
    values = [v for f in (a, b) for v in (f.readings or (f.value,)) if v is not None and not isinstance(v, (bool, str))]
    note = ("contradicted", b.evidence.quote[:300])
    return replace(
        _richer(a, b), state=State.AMBIGUOUS, value=None, readings=tuple(dict.fromkeys(values)), confidence=0.5,
        evidence=with_note(a.evidence, note),
    )  # fmt: skip


def _rate_of_line(facts: list[Fact]) -> list[Fact]:
    """A committed rate is the bandwidth of the line where neither a port speed nor a burst stands beside it."""
    if any(f.metric in {"bandwidth", "burst_rate"} for f in facts):
        return facts
    return [replace(f, metric="bandwidth") if f.metric == "committed_rate" else f for f in facts]


def _with_currency(facts: list[Fact]) -> list[Fact]:
    """An amount without a currency takes the one that the rest of the offer uses, if there is just one."""
    used = {f.currency for f in facts if f.currency}
    if len(used) != 1:
        return facts
    (currency,) = used
    return [
        replace(
            f,
            currency=currency,
            unit=currency,
            evidence=with_note(f.evidence, ("currency_from_offer", currency or "")),
        )
        if BY_ID[f.metric].kind is MetricKind.MONEY and f.state is State.STATED and f.currency is None
        else f
        for f in facts
    ]


def _unread(findings: Findings) -> list[Notice]:
    listed = list(dict.fromkeys(findings.unread))
    notices = [notice("not_read", place=place, quote=quote[:200]) for place, quote in listed[:_MAX_UNREAD]]
    if len(listed) > _MAX_UNREAD:
        notices.append(notice("not_read_more", count=len(listed) - _MAX_UNREAD))
    return notices
