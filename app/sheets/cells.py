"""One table cell under a known label becomes facts, by the kind of its metric."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from app.domain.facts import Fact, State
from app.domain.metrics import BY_ID, MetricKind
from app.sheets import words
from app.sheets.clauses import cut
from app.sheets.contexts import Context, Reading, with_note
from app.sheets.folding import clean_label, fold, lowered
from app.sheets.lexicon import Label
from app.sheets.numbers import figures
from app.sheets.quantities import currency_in, header_unit
from app.sheets.statements import each_sentence, free_fact, read_figures, state_fact
from app.sheets.voices import hushed

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.metrics import Metric
    from app.sheets.words import Table

_DATE: Final = re.compile(r"(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})\s?日?")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = "(" + "|".join(_MONTHS) + ")[a-z]*"
_DAY_MONTH: Final = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?[ -]{_MONTH}\.?,?[ -](\d{{4}})\b")
_MONTH_DAY: Final = re.compile(rf"\b{_MONTH}\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b")
_NEGATIVE_NUMBER: Final = re.compile(r"^-\s?[\d.]")
_SHORT = 24


def read_cell(raw: str, context: Context) -> Reading:
    """Facts of a cell whose row or column names `context.label`."""
    text = hushed(fold(raw))
    low = lowered(text).strip("。. ")
    if context.label is None or context.label.metric is None or not text or words.NO_VALUE.match(low):
        return Reading()
    metric = BY_ID[context.label.metric]
    read = _BY_KIND.get(metric.kind)
    return read(raw, low, metric, context) if read else Reading(unread=[raw])


def _quantity(raw: str, low: str, metric: Metric, context: Context) -> Reading:
    if _NEGATIVE_NUMBER.match(low) and (metric.low is None or metric.low >= 0):
        return Reading(unread=[raw])
    state = _state(low, metric, context)
    if state:
        return Reading(facts=[state])
    if context.label and not context.label.sure and not words.CAP.search(low):
        return Reading(unread=[raw])
    sure = context.label is None or context.label.sure
    reading = each_sentence(raw, lambda _, folded: _sentence(hushed(folded if sure else _caps(folded)), context))
    reading.facts += phrase_facts(raw, context)
    if metric.kind is MetricKind.MONEY and any(f.state is not State.ELSEWHERE for f in reading.facts):
        reading.facts += tax_facts(" ".join((raw, *context.units)), context)
    if not reading.facts and (words.COMPLIES.match(low) or any(c.isdigit() for c in low)):
        reading.unread.append(raw)
    return reading


def _caps(text: str) -> str:
    """Under a label such as 违约赔付 only the clauses that name a cap: the rates of credits beside it are none."""
    kept = list(" " * len(text))
    for clause in cut(text):
        if words.CAP.search(lowered(text[clause.start : clause.end])):
            kept[clause.start : clause.end] = text[clause.start : clause.end]
    return "".join(kept)


def _sentence(folded: str, context: Context) -> Reading:
    reading = read_figures(folded, context)
    for clause in cut(folded, context.style):
        part = folded[clause.start : clause.end]
        if not clause.figures and (words.NONE.search(lowered(part)) or words.ELSEWHERE.search(lowered(part))):
            named = [h.label.metric for h in clause.hits if h.label.metric in BY_ID]
            metric = named[0] if named else context.label.metric if context.label else None
            if metric and not any(f.metric == metric for f in reading.facts):
                state = State.NONE if words.NONE.search(lowered(part)) else State.ELSEWHERE
                reading.facts.append(state_fact(metric, state, context.evidence, context))
    return reading


def _state(low: str, metric: Metric, context: Context) -> Fact | None:
    """The whole cell is a state: waived, not committed, in another document, open."""
    has_figures = any(c.figures for c in cut(fold(low), context.style))
    if metric.kind is MetricKind.MONEY and words.FREE.search(low) and not has_figures:
        return free_fact(metric.id, low, context, _currency(metric, context))
    if metric.kind is MetricKind.MONEY and words.INCLUDED.match(low):
        fact = free_fact(metric.id, low, context, _currency(metric, context))
        return replace(fact, condition=low, confidence=0.85)
    if has_figures:
        return None
    if words.NONE.search(low) or (words.NONE_CELL.match(low) and metric.kind is MetricKind.QUANTITY):
        return state_fact(metric.id, State.NONE, context.evidence, context)
    if words.ELSEWHERE.search(low) or words.OPEN.search(low):
        return state_fact(metric.id, State.ELSEWHERE, context.evidence, context)
    return None


def _currency(metric: Metric, context: Context) -> str | None:
    for text in context.units:
        unit = header_unit(text, metric)
        if unit and unit.currency:
            return unit.currency
    return next((c for c in map(currency_in, context.units) if c), None)


def truth(low: str, legend: dict[str, str]) -> tuple[bool | None, str]:
    """What a yes/no cell says: True, False or None (planned, partial), with the reason of a None."""
    for sign, meaning in legend.items():
        if low.strip() == sign:
            low = meaning
    if words.REFUSED.search(low):
        return False, ""
    if words.PLANNED.search(low):
        return None, "planned"
    if words.NEGATIVE.search(low):
        return False, ""
    if words.PARTLY.search(low):
        return None, "partial"
    if words.POSITIVE.search(low):
        return True, ""
    return None, "unclear"


def _flag(raw: str, low: str, metric: Metric, context: Context) -> Reading:
    if words.OPEN.search(low) or (words.ELSEWHERE.search(low) and len(low) > 1):
        return Reading(facts=[state_fact(metric.id, State.ELSEWHERE, context.evidence, context)])
    phrases = phrase_facts(raw, context)
    if any(f.metric == metric.id for f in phrases):
        return Reading(facts=phrases)
    parts = [low[c.start : c.end] for c in cut(low)] or [low]
    answers = [truth(p, context.legend) for p in (low.strip(), *parts)]
    value, reason = next(((v, r) for v, r in answers if v is not None or r != "unclear"), (None, "unclear"))
    if reason == "planned":
        fact = state_fact(metric.id, State.NONE, context.evidence, context, ("planned",))
        return Reading(facts=[replace(fact, condition="planned"), *phrases])
    if reason == "partial":
        return Reading(
            facts=[state_fact(metric.id, State.AMBIGUOUS, context.evidence, context, ("partial",)), *phrases]
        )
    if value is None:
        return Reading(facts=phrases, unread=[] if phrases else [raw])
    fact = Fact(
        metric=metric.id, state=State.STATED, value=value, evidence=context.evidence,
        condition=context.condition or None, confidence=min(context.confidence, 0.96 if len(low) <= _SHORT else 0.9),
    )  # fmt: skip
    return Reading(facts=[fact, *phrases])


def choices_in(low: str, table: Table) -> list[str]:
    """The words of a choice that a lower-cased text names, in the order of the table."""
    return [value for pattern, value in table if pattern.search(low)]


def _choices(_raw: str, low: str, metric: Metric, context: Context) -> Reading:
    table = words.EXCLUSION_KINDS if metric.id == "exclusion" else words.CHOICE_WORDS.get(metric.id, ())
    found = choices_in(low, table)
    if metric.kind is MetricKind.CHOICE and len(found) > 1:
        found = found[:1] if metric.id in {"layer", "transport", "clock_starts"} else []
    facts = [_plain(metric, value, context) for value in dict.fromkeys(found)]
    return Reading(facts=facts, unread=[] if facts else [low])


def _plain(metric: Metric, value: str, context: Context) -> Fact:
    return Fact(
        metric=metric.id, state=State.STATED, value=value, evidence=context.evidence,
        condition=context.condition or None, confidence=min(context.confidence, 0.95),
    )  # fmt: skip


def _written_date(low: str) -> tuple[int, int, int] | None:
    """Year, month and day of the first date of a text; 03/04/2027 is none, nobody can tell which is the month."""
    if match := _DATE.search(low):
        year, month, day = match.groups()
        return int(year), int(month), int(day)
    if match := _DAY_MONTH.search(low):
        day, name, year = match.groups()
        return int(year), _MONTHS.index(name) + 1, int(day)
    if match := _MONTH_DAY.search(low):
        name, day, year = match.groups()
        return int(year), _MONTHS.index(name) + 1, int(day)
    return None


def _date(raw: str, low: str, metric: Metric, context: Context) -> Reading:
    said = _written_date(low)
    if said is None:
        return Reading(unread=[raw])
    year, month, day = said
    if not (1 <= month <= 12 and 1 <= day <= 31):  # noqa: PLR2004 - a calendar
        return Reading(unread=[raw])
    return Reading(facts=[_plain(metric, f"{year:04}-{month:02}-{day:02}", context)])


def _words(raw: str, _low: str, metric: Metric, context: Context) -> Reading:
    return Reading(facts=[_plain(metric, clean_label(raw), context)])


_PART: Final = re.compile(r"[;；、\n]+|[,，](?!\d{3}(?!\d))")


def read_segments(raw: str, _low: str, metric: Metric, context: Context) -> Reading:
    """Rates of segments: one under a label that names it, or several with their names in one cell."""
    reading = Reading()
    rate = replace(context, label=_RATE, condition="")
    for part in _PART.split(fold(raw)):
        if not part.strip():
            continue
        one = _quantity(part, lowered(part).strip(), BY_ID["bandwidth"], rate)
        found = figures(part)
        name = context.condition or (part[: found[0].start].strip(" :：=-") if found else "")
        reading.facts += [
            replace(f, metric=metric.id, condition=name or f.condition) for f in one.facts if f.metric == "bandwidth"
        ]
        reading.unread += [raw for _ in one.unread]
    return reading


_RATE: Final = Label(metric="bandwidth", words="")
_BY_KIND: Final[dict[MetricKind, Callable[[str, str, Metric, Context], Reading]]] = {
    MetricKind.QUANTITY: _quantity,
    MetricKind.MONEY: _quantity,
    MetricKind.FLAG: _flag,
    MetricKind.CHOICE: _choices,
    MetricKind.LIST: _choices,
    MetricKind.TEXT: _words,
    MetricKind.DATE: _date,
    MetricKind.SEGMENTS: read_segments,
}


def tax_facts(text: str, context: Context) -> list[Fact]:
    """Whether a text says that tax is in the price, and at which rate: 含税 6%, excl. VAT."""
    low = lowered(fold(text))
    said = [v for p, v in ((words.TAX_EXCLUDED, False), (words.TAX_INCLUDED, True)) if p.search(low)]
    facts = [
        Fact(metric="tax_included", state=State.STATED, value=v, evidence=context.evidence, confidence=0.95)
        for v in (said if len(said) == 1 else ())
    ]
    rates = {Decimal(m.group(1) or m.group(2)) for m in words.TAX_RATE.finditer(low)}
    if len(rates) == 1 and (rate := rates.pop() / 100) < 1:
        facts.append(
            Fact(
                metric="tax_rate", state=State.STATED, value=rate, unit="1", evidence=context.evidence, confidence=0.95
            )
        )
    return facts


_PHRASE_VALUE: Final[dict[MetricKind, Callable[[str], bool | str | Decimal]]] = {
    MetricKind.FLAG: "true".__eq__,
    MetricKind.CHOICE: str,
}


def phrase_facts(raw: str, context: Context) -> list[Fact]:
    """Facts that words state by themselves: 双路由 = two paths, 同沟 = not diverse."""
    low = lowered(fold(raw))
    found: dict[str, Fact] = {}
    for phrase in words.PHRASES:
        match = phrase.pattern.search(low)
        if (
            match is None
            or phrase.metric in found
            or words.NEGATIVE.search(low[max(0, match.start() - 4) : match.start()])
        ):
            continue
        metric = BY_ID[phrase.metric]
        found[phrase.metric] = Fact(
            metric=phrase.metric,
            state=State.STATED,
            value=_PHRASE_VALUE.get(metric.kind, Decimal)(phrase.value),
            unit=metric.unit,
            evidence=with_note(context.evidence, ("from_words", match.group())),
            confidence=min(context.confidence, 0.93),
        )
    if found.get("paths") and found["paths"].value == 1:
        found.pop("diverse_paths", None)
    return list(found.values())
