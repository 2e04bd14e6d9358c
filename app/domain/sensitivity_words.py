"""What would have to change, in words of both languages, and as JSON."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from app.domain.assessment import PASSING
from app.domain.band_words import band_json, curves_json, swap_json
from app.domain.bench import DIGITS
from app.domain.figures import number
from app.domain.knobs import BY_METRIC
from app.domain.metrics import BY_ID
from app.domain.sensitivity import sensitivity
from app.domain.text import Text, join
from app.domain.why_not import ANSWER, PRICE, PROMISE, QUANTITY, RENEWAL

if TYPE_CHECKING:
    from app.domain.assessment import Assessment
    from app.domain.rules import Verdict
    from app.domain.sensitivity import Sensitivity, Standing
    from app.domain.why_not import Cure, WhyNot

ENOUGH = Text("{change}（仅此一项即可通过）", "{change} (this alone is enough)")


def shown(metric: str, value: float, currency: str | None = None) -> str:
    """A figure in the unit people read: `288.61 Gbit/s`, `3.1854×10⁻⁶`, `99.9 %`, `400,000 CNY`."""
    known = BY_ID[metric]
    if metric == PRICE:
        return f"{value:,.2f} {currency or ''}".replace(".00", "").rstrip()
    if metric == "availability":
        return f"{value * 100:.7g}\u202f%"
    text = number(value / float(known.scale), DIGITS)
    return f"{text}\u00a0{known.shown_unit}" if known.shown_unit else text


def _checks(checks: tuple[Verdict, ...]) -> Text:
    return join([_inside(t) for t in dict.fromkeys(c.rule.title for c in checks)], zh="、", en=", ")


def _inside(title: Text) -> Text:
    """A title inside an English sentence; an abbreviation keeps its capitals."""
    word = title.en
    return title if word[:2].isupper() else Text(title.zh, word[0].lower() + word[1:])


def _quantity(cure: Cure) -> Text:
    if cure.metric is None:
        raise ValueError(cure.kind)
    title = _inside(BY_ID[cure.metric].title)
    up = cure.metric != PRICE and BY_METRIC[cure.metric].higher_is_better
    if cure.need is None:
        text = Text("只改{title}不够", "no value of {title} is enough")
        return text.format(title=title)
    sign = "≥" if up else "≤"
    need = shown(cure.metric, cure.need, cure.currency)
    if cure.now is None:
        return Text("须书面承诺{title} {sign} {need}", "{title} {sign} {need} must be promised in writing").format(
            title=title, sign=sign, need=need
        )
    if cure.now == cure.need:
        return Text(
            "须把{title} {need} 书面承诺为端到端、按月", "{title} of {need} must be promised end to end and per month"
        ).format(title=title, need=need)
    text = Text("把{title}从 {now} {way} {need}", "bring {title} from {now} {way} {need}")
    way = Text("提高到", "up to") if up else Text("降到", "down to")
    return text.format(title=title, now=shown(cure.metric, cure.now, cure.currency), way=way, need=need)


def change_of(cure: Cure) -> Text:
    """One change in one sentence."""
    if cure.kind == QUANTITY:
        text = _quantity(cure)
    elif cure.kind == ANSWER:
        text = Text("须书面答复「是」：{checks}", "needs a yes in writing: {checks}").format(
            checks=_checks(cure.checks)
        )
    elif cure.kind == PROMISE:
        text = Text("须取得可签约报价或写入合同：{checks}", "needs a firm quote or contract for: {checks}").format(
            checks=_checks(cure.checks)
        )
    elif cure.kind == RENEWAL:
        text = Text("报价已过期，须续期", "the quote has expired and must be renewed")
    else:
        text = cure.checks[0].finding.reason
    if cure.beyond_physics:
        text = Text("{text}，光纤传播都做不到", "{text}, which light in fibre cannot do").format(text=text)
    return ENOUGH.format(change=text) if cure.alone else text


def routes_of(why: WhyNot) -> list[tuple[Text, Text]]:
    """For each open gate: the single figures that pass it, then those of which no value does."""
    by_gate = itertools.groupby(why.routes, key=lambda c: (c.checks[0].rule.id, c.checks[0].scenario))
    rows = [list(group) for _, group in by_gate]
    return [(row[0].checks[0].rule.title, _routes(row)) for row in rows]


def _routes(routes: list[Cure]) -> Text:
    parts = [change_of(c) for c in routes if c.kind == ANSWER or c.need is not None]
    short = [_inside(BY_ID[c.metric].title) for c in routes if c.metric is not None and c.need is None]
    if short:
        several = Text("单改{titles}都不够", "no value alone is enough of: {titles}")
        one = Text("单改{titles}不够", "no value alone is enough of: {titles}")
        parts.append((several if len(short) > 1 else one).format(titles=join(short, zh="、", en=", ")))
    return join(parts, zh="；", en="; ")


def _cure_json(cure: Cure) -> dict[str, Any]:
    unit = BY_ID[cure.metric].unit if cure.metric else None
    return {
        "kind": cure.kind, "checks": [c.rule.id for c in cure.checks], "metric": cure.metric, "now": cure.now,
        "need": cure.need, "unit": unit or cure.currency, "alone": cure.alone, "beyond_physics": cure.beyond_physics,
        "message": change_of(cure).as_json(),
    }  # fmt: skip


def _why_json(why: WhyNot) -> dict[str, Any]:
    offer = why.judged.offer
    return {
        "vendor": offer.vendor, "product": offer.product, "verdict": why.judged.outcome.value,
        "passes_with_all": why.together in PASSING, "changes": [_cure_json(c) for c in why.cures],
        "single_figures": [_cure_json(c) for c in why.routes],
    }  # fmt: skip


def _standing_json(row: Standing) -> dict[str, Any]:
    offer = row.judged.offer
    return {
        "vendor": offer.vendor, "product": offer.product, "verdict": row.judged.outcome.value,
        "monthly_charge": row.price, "break_even_monthly_charge": row.break_even, "currency": row.currency,
        "wins_at": [{"metric": m, "value": v, "unit": BY_ID[m].unit} for m, v in row.wins_at],
        "room": [{"metric": r.metric, "now": r.now, "limit": r.limit, "unit": BY_ID[r.metric].unit} for r in row.room],
    }  # fmt: skip


def document(assessment: Assessment) -> dict[str, Any]:
    """Everything with the curves of every offer, as the command line and the API print it."""
    curves = [curves_json(assessment, judged) for judged in assessment.offers]
    return as_json(sensitivity(assessment)) | {"curves": curves}


def as_json(found: Sensitivity) -> dict[str, Any]:
    """What would have to change, in canonical units with the unit beside each figure."""
    return {
        "why_not": [_why_json(w) for w in found.why_not],
        "standings": [_standing_json(s) for s in found.standings],
        "weights": [swap_json(w) for w in found.weights],
        "bands": [band_json(b) for b in found.bands],
    }
