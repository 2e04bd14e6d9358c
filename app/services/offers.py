"""Offers as a whole: list, type in, edit, copy, rename, delete and bring back.

What is done to single facts is in `app.services.review`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.domain.facts import Fact, Offer
from app.domain.offers import offer_as_json, parse_offers
from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.services.typed_text import PRODUCT, VENDOR, clean, clean_actor
from app.store.records import READ, TYPED, OfferRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.store.unit_of_work import Store, UnitOfWork


def list_offers(store: Store, project_id: str, *, deleted: bool = False) -> tuple[OfferRecord, ...]:
    """The offers of a project with every fact; `deleted` adds those that can be brought back."""
    with store.read() as unit:
        unit.projects.get(project_id)
        return unit.offers.of(project_id, deleted=deleted)


def get_offer(store: Store, project_id: str, offer_id: str) -> OfferRecord:
    """One offer with every fact, replaced ones included."""
    with store.read() as unit:
        return unit.offers.get(project_id, offer_id)


def offer_form(store: Store, project_id: str, offer_id: str) -> dict[str, Any]:
    """The offer as contract JSON: what a form shows before it is edited."""
    return offer_as_json(get_offer(store, project_id, offer_id).as_offer())


def merged(offers: Iterable[OfferRecord]) -> tuple[Offer, ...]:
    """Offers as they are judged: what several documents say of one vendor and product stands together."""
    together: dict[tuple[str, str], Offer] = {}
    for record in offers:
        offer = record.as_offer()
        seen = together.get(offer.key)
        together[offer.key] = replace(seen, facts=seen.facts + offer.facts) if seen else offer
    return tuple(together.values())


def type_in(store: Store, project_id: str, raw: object, actor: str) -> tuple[OfferRecord, ...]:
    """Add offers given as contract JSON: one, a list, or `{"offers": […]}`; all of them or none.

    Who types stands behind the figures, so the facts are confirmed by `actor`.
    """
    actor = clean_actor(actor)
    offers = parse_offers(raw)
    with store.write() as unit:
        unit.projects.lock(project_id)
        taken = {o.key for o in unit.offers.of(project_id)}
        _refuse_taken([o.key for o in offers], taken)
        return tuple(_add(unit, project_id, _typed(offer, actor), actor, "typed", origin=TYPED) for offer in offers)


def _add(
    unit: UnitOfWork, project_id: str, offer: Offer, actor: str, action: str, *, origin: str,
    source: str | None = None,
) -> OfferRecord:  # fmt: skip
    record = unit.offers.add(project_id, offer, actor, origin=origin)
    unit.audit.add(project_id, actor, action, "offer", record.id, old=source, new=list(record.key))
    return record


def _typed(offer: Offer, actor: str) -> Offer:
    """The facts as a person's own words, confirmed by that person."""
    return replace(
        offer,
        facts=tuple(replace(f, confirmed_by=actor, evidence=replace(f.evidence, reader="person")) for f in offer.facts),
    )


def _refuse_taken(keys: Iterable[tuple[str, str]], taken: set[tuple[str, str]]) -> None:
    names = [" / ".join(part for part in key if part) for key in keys if key in taken]
    if names:
        raise InputError(
            [
                Problem(
                    "OFFER_REPEATED",
                    "offers",
                    Text(
                        f"项目中已有「{name}」。请编辑那一份，或换一个产品名。",
                        f"“{name}” is in the project already. Edit that one or use another product name.",
                    ),
                )
                for name in names
            ]
        )


def edit_offer(store: Store, project_id: str, offer_id: str, raw: object, actor: str, version: int) -> OfferRecord:
    """Take over an edited offer (contract JSON).

    Only the metrics that differ from what `offer_form` showed are replaced; all others keep their facts and
    their evidence.
    """
    actor = clean_actor(actor)
    (wanted,) = _single(raw)
    with store.write() as unit:
        record = unit.offers.get(project_id, offer_id)
        shown = _as_shown(record)
        changed = _changed_metrics(shown, wanted)
        if wanted.key != record.key:
            unit.offers.rename(project_id, offer_id, version, actor, wanted.vendor, wanted.product)
            unit.audit.add(project_id, actor, "renamed", "offer", offer_id, old=list(record.key), new=list(wanted.key))
            version = unit.offers.get(project_id, offer_id).version
        facts = [f for f in _typed(wanted, actor).facts if f.metric in changed]
        gone, added = unit.offers.replace_facts(project_id, offer_id, version, actor, changed, facts)
        for metric in sorted(changed):
            unit.audit.add(
                project_id, actor, "edited", "offer", offer_id, field=metric,
                old=[said(f.fact) for f in gone if f.fact.metric == metric],
                new=[said(f.fact) for f in added if f.fact.metric == metric],
            )  # fmt: skip
        return unit.offers.get(project_id, offer_id)


def _as_shown(record: OfferRecord) -> Offer:
    """The facts the form showed. What a sheet says may lie outside what a form takes; that is left out here."""
    form = offer_as_json(record.as_offer()) | {"vendor": record.vendor or "?"}
    try:
        return parse_offers([form])[0]
    except InputError as error:
        for found in error.problems:
            section, _, name = found.place.partition(".")[2].partition("[")[0].partition(".")
            (form.get(section, {}) if name else form).pop(name or section, None)
        return parse_offers([form])[0]


def _single(raw: object) -> tuple[Offer, ...]:
    offers = parse_offers(raw)
    if len(offers) != 1:
        message = Text("一次只能编辑一份报价。", "Edit one offer at a time.")
        raise InputError([Problem("ONE_OFFER", "offer", message)])
    return offers


def _changed_metrics(shown: Offer, wanted: Offer) -> frozenset[str]:
    metrics = {f.metric for f in (*shown.facts, *wanted.facts)}
    return frozenset(m for m in metrics if _content(shown, m) != _content(wanted, m))


def _content(offer: Offer, metric: str) -> list[Fact]:
    """What is said on one metric, without who read it where."""
    facts = [f for f in offer.facts if f.metric == metric]
    return [replace(f, evidence=replace(f.evidence, quote="", path=None), confirmed_by=None) for f in facts]


def said(fact: Fact) -> dict[str, Any]:
    """A fact in the audit trail: state, value as its own text, and the words that qualify it."""
    words = {
        name: getattr(fact, name)
        for name in ("unit", "statistic", "direction", "scope", "period", "commitment", "condition")
    }
    value = fact.value if isinstance(fact.value, bool | str | None) else str(fact.value)
    return {"state": fact.state.value, "value": value} | {k: v for k, v in words.items() if v is not None}


def copy_offer(store: Store, project_id: str, offer_id: str, actor: str, product: str | None = None) -> OfferRecord:
    """Copy an offer to try a variant of it; the copy stands on its own and has a product name of its own."""
    actor = clean_actor(actor)
    with store.write() as unit:
        unit.projects.lock(project_id)
        record = unit.offers.get(project_id, offer_id)
        taken = {o.key for o in unit.offers.of(project_id)}
        name = clean(PRODUCT, product, required=False) or _free_name(record, taken)
        _refuse_taken([(record.vendor, name)], taken)
        offer = replace(record.as_offer(), product=name)
        return _add(unit, project_id, offer, actor, "copied", origin=READ, source=offer_id)


def _free_name(record: OfferRecord, taken: set[tuple[str, str]]) -> str:
    base = (record.product or "")[: PRODUCT.limit - 8]
    names = (f"{base} ({number})".strip() for number in range(2, len(taken) + 3))
    return next(name for name in names if (record.vendor, name) not in taken)


def rename_offer(
    store: Store, project_id: str, offer_id: str, vendor: str, product: str | None, actor: str, version: int
) -> OfferRecord:
    """Correct who offers what. Two documents with the same vendor and product are judged as one offer."""
    actor = clean_actor(actor)
    vendor = clean(VENDOR, vendor)
    product = clean(PRODUCT, product, required=False) or None
    with store.write() as unit:
        before, after = unit.offers.rename(project_id, offer_id, version, actor, vendor, product)
        unit.audit.add(project_id, actor, "renamed", "offer", offer_id, old=list(before.key), new=list(after.key))
        return after


def delete_offer(store: Store, project_id: str, offer_id: str, actor: str, version: int) -> OfferRecord:
    """Take an offer out of the comparison; `restore_offer` brings it back."""
    return _set_deleted(store, project_id, offer_id, actor, version, deleted=True)


def restore_offer(store: Store, project_id: str, offer_id: str, actor: str, version: int) -> OfferRecord:
    """Undo `delete_offer`."""
    return _set_deleted(store, project_id, offer_id, actor, version, deleted=False)


def _set_deleted(
    store: Store, project_id: str, offer_id: str, actor: str, version: int, *, deleted: bool
) -> OfferRecord:
    actor = clean_actor(actor, required=False)
    with store.write() as unit:
        record = unit.offers.set_deleted(project_id, offer_id, version, actor, deleted=deleted)
        action = "deleted" if deleted else "restored"
        unit.audit.add(project_id, actor, action, "offer", offer_id, old=list(record.key))
        return record
