"""Running text: paragraphs, bullets and `key: value` lines. Also what they say about facts elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from app.domain.facts import Fact, State
from app.domain.metrics import BY_ID, MetricKind
from app.sheets import words
from app.sheets.attributes import NOTHING, Attributes, attributes_in
from app.sheets.cells import choices_in, phrase_facts, read_cell, read_segments, tax_facts, truth
from app.sheets.clauses import Clause, cut, sentences
from app.sheets.contexts import Context, Reading
from app.sheets.corrections import is_correction
from app.sheets.folding import fold, lowered
from app.sheets.lexicon import labels_in
from app.sheets.numbers import Figure, figures
from app.sheets.quantities import quantify
from app.sheets.segments import segment_labels
from app.sheets.statements import free_fact, make_fact, read_figures, state_fact
from app.sheets.tier_prose import LATE
from app.sheets.voices import hushed, tells

_ALL: Final = "*"
_PIECE_END: Final = re.compile(r"[;；。]|[,，](?!\d{3}(?!\d))")
_LEADING: Final = re.compile(r"^[\s:：=)]*(?:为|是|达到?|of\b|is\b)?\s*")
_ASIDE: Final = frozenset({"distance"})  # figures that a remark beside another metric gives
_CLAUSE_NUMBER: Final = re.compile(r"(?:§ ?)?\d{1,2}(?:(?:\.\d{1,2}){1,4}[.、)]?|[.、)]) ?(?=[^\d\s])")
_SUPPORT: Final = re.compile(r"支持|具备|提供|\bsupport|\bprovide|\boffer|\binclud")


def read_sentence(raw: str, context: Context) -> Reading:
    """Facts of one verbatim sentence of running text."""
    whole = _unnumbered(fold(raw))
    text = hushed(whole)
    low = lowered(text)
    context = replace(context, evidence=replace(context.evidence, quote=raw))
    if words.EXAMPLE.search(low) or words.ESTIMATE.search(low) or is_correction(whole) or not text.strip():
        return _skipped(raw, whole)
    if text == whole:
        return _spoken(raw, text, context)
    reading = _spoken(raw, text, context)
    reading.add(_skipped(raw, whole))
    return reading


def _unnumbered(text: str) -> str:
    """The text with the number of its clause (`2.1 `, `3.`) blanked: it is no figure."""
    found = _CLAUSE_NUMBER.match(text)
    return " " * found.end() + text[found.end() :] if found and not figures(text)[0].unit else text


def _spoken(raw: str, text: str, context: Context) -> Reading:
    """The facts of a sentence, once everything is blanked that is no offer."""
    low = lowered(text)
    paid = words.NO_CREDIT.sub("", low)
    if words.CREDIT.search(paid) and (words.CAP.search(paid) or figures(text)):
        reading = _credit_cap(raw, text, low, context)
        reading.facts += _exclusions(low, context)
        return reading
    if words.EXCLUDED.search(low) and not figures(text):
        return Reading(facts=_exclusions(low, context))
    segments, text = _segments(text, context)
    reading = read_figures(text, context)
    reading.add(segments)
    reading.unread = [raw for _ in reading.unread]
    reading.facts += _states(text, reading, context) + _flags(text, context)
    if attributes_in(text).commitment != "observed":  # "on the same cable we measured …" tells of another line
        reading.facts += phrase_facts(text, context)
    reading.facts += _dates(text, context)
    if words.CLOCK_RANGE.search(text) and any(h.label.metric == "maintenance_window" for h in labels_in(text)):
        reading.unread.append(raw)
    known = {f.metric for f in reading.facts}
    reading.facts += [f for f in tax_facts(text, context) if f.metric not in known]
    if words.EXCLUDED.search(low):
        reading.facts += _exclusions(low, context)
    return reading


def _segments(text: str, context: Context) -> tuple[Reading, str]:
    """Rates of named segments (`骨干段带宽：100G`), and the rest of the sentence without them."""
    found = segment_labels(text)
    reading, rest, at = Reading(), "", 0
    for number, (start, end, name) in enumerate(found):
        stop = found[number + 1][0] if number + 1 < len(found) else len(text)
        mark = _PIECE_END.search(text, end, stop)
        stop = mark.start() if mark else stop
        value = _LEADING.sub("", text[end:stop])
        part = replace(context, condition=name, confidence=min(context.confidence, 0.93))
        reading.add(read_segments(value, lowered(value), BY_ID["segment_bandwidth"], part))
        rest, at = rest + text[at:start], stop
    return reading, rest + text[at:]


def _skipped(raw: str, text: str) -> Reading:
    return Reading(unread=[raw] if tells(text) else [])


def _exclusions(low: str, context: Context) -> list[Fact]:
    if not words.EXCLUDED.search(low) and not words.EXCLUDED.search(lowered(fold(context.heading))):
        return []
    kinds = choices_in(low, words.EXCLUSION_KINDS)
    return [
        Fact(metric="exclusion", state=State.STATED, value=k, evidence=context.evidence, confidence=0.93)
        for k in kinds
    ]  # fmt: skip


def _credit_cap(raw: str, text: str, low: str, context: Context) -> Reading:
    """In a sentence about credits only the cap is read: its other figures are thresholds and rates."""
    if LATE.search(low):
        return _skipped(raw, text)
    for clause in cut(text, context.style):
        part = low[clause.start : clause.end]
        caps = list(words.CAP.finditer(part))
        for figure in clause.figures if caps else ():
            if figure.dimension == "ratio" and figure.start >= clause.start + caps[0].end():
                fact = _cap_fact(figure, text, clause, context)
                rest = [f for f in figures(text) if f.unit and f != figure]
                return Reading(facts=[fact] if fact else [], unread=[raw] if rest else [])
    return Reading(unread=[raw] if any(f.unit for f in figures(text)) else [])


def _cap_fact(figure: Figure, text: str, clause: Clause, context: Context) -> Fact | None:
    metric = BY_ID["credit_cap"]
    quantity = quantify(metric, figure)
    if quantity is None:
        return None
    basis = re.search(
        r"年租金|年费|季度|quarterly charge|annual charge|yearly", lowered(text[clause.start : clause.end])
    )
    condition = basis.group() if basis else ""
    return make_fact(metric, quantity, NOTHING, context.evidence, condition, "<=", min(context.confidence, 0.95))


def _states(text: str, reading: Reading, context: Context) -> list[Fact]:
    """Labels without a figure beside words that decline, point elsewhere or waive."""
    found: list[Fact] = []
    for clause in cut(text, context.style):
        low = lowered(text[clause.start : clause.end])
        for metric in dict.fromkeys(h.label.metric for h in clause.hits):
            if metric is None or clause.figures or any(f.metric == metric for f in (*reading.facts, *found)):
                continue
            kind = BY_ID[metric].kind
            near = replace(context, near=attributes_in(text[clause.start : clause.end]))
            if kind is MetricKind.MONEY and words.FREE.search(low):
                found.append(free_fact(metric, low.strip(), context, None))
            elif kind is MetricKind.QUANTITY and words.NONE.search(low):
                found.append(state_fact(metric, State.NONE, context.evidence, near))
            elif kind in {MetricKind.QUANTITY, MetricKind.MONEY} and (
                words.ELSEWHERE.search(low) or words.OPEN.search(low)
            ):
                found.append(state_fact(metric, State.ELSEWHERE, context.evidence, near))
    return found


def _dates(text: str, context: Context) -> list[Fact]:
    """`valid until 2027-03-31` in running text."""
    found: list[Fact] = []
    for hit in labels_in(text):
        metric = BY_ID.get(hit.label.metric or "")
        if metric and metric.kind is MetricKind.DATE:
            found += read_cell(text[hit.end :], replace(context, label=hit.label)).facts
    return found


def _flags(text: str, context: Context) -> list[Fact]:
    """Capabilities in running text count only beside a word like 支持 or "supports"."""
    found = []
    for clause in cut(text, context.style):
        low = lowered(text[clause.start : clause.end])
        if not _SUPPORT.search(low):
            continue
        for hit in clause.hits:
            metric = BY_ID.get(hit.label.metric or "")
            value, _ = truth(low, context.legend)
            if metric and metric.kind is MetricKind.FLAG and metric.id != "tax_included" and value is not None:
                found.append(
                    Fact(metric=metric.id, state=State.STATED, value=value, evidence=context.evidence, confidence=0.9)
                )
    return found


def said_elsewhere(raw: str, section: str | None = None) -> dict[str, Attributes]:
    """What a sentence without figures says about facts elsewhere: metric id (or `*` = all) → attributes.

    `section` is the metric that the heading above names: words of a sentence that names none speak of it.
    """
    result: dict[str, Attributes] = {}
    for sentence in sentences(raw):
        text = fold(sentence)
        low = lowered(text)
        if words.CREDIT.search(low) or words.ELSEWHERE.search(low):
            continue
        current: set[str] = {section} if section and not labels_in(text) else set()
        for clause in cut(text):
            if any(f.unit for f in clause.figures):
                current = set()
                continue
            named = {
                h.label.metric
                for h in clause.hits
                if h.label.metric and BY_ID[h.label.metric].kind is MetricKind.QUANTITY
            }
            part = text[clause.start : clause.end]
            shared = words.SHARED_ALL.search(lowered(part))
            if shared and (not named or shared.start() <= 1):
                named = {_ALL}
            current = named or current
            for metric in current:
                said = attributes_in(part)
                if said.kinds():
                    result[metric] = said.over(result.get(metric, NOTHING))
    return result


def aside(raw: str) -> Attributes:
    """What a remark beside a figure says of it (端到端，按月，目标值), clauses with figures or credits left out."""
    text = fold(raw)
    total = NOTHING
    for clause in cut(text):
        low = lowered(text[clause.start : clause.end])
        if any(f.unit for f in clause.figures) or words.CREDIT.search(low):
            continue
        total = total.over(attributes_in(text[clause.start : clause.end]))
        if words.NONE.search(low):
            total = replace(total, commitment="target")
    return total


def beside(own: Attributes, said: Attributes) -> Attributes:
    """The attributes of a label filled from the remark in its row; a weaker commitment there wins."""
    weak = said.commitment if said.commitment in {"target", "design", "observed"} else None
    return replace(own.over(said), commitment=weak or own.commitment or said.commitment)


def remark_facts(raw: str, context: Context) -> Reading:
    """Facts that a remark in a row of metrics states by its words: tax, kind of quote, routes. Its figures are told."""
    context = replace(context, evidence=replace(context.evidence, quote=raw))
    text = fold(raw)
    facts = tax_facts(raw, context) + phrase_facts(raw, context) + _exclusions(lowered(text), context)
    facts += [f for f in read_figures(hushed(text), context).facts if f.metric in _ASIDE]
    taxed = any(f.metric == "tax_rate" for f in facts)
    loose = [
        f for f in figures(fold(raw)) if f.unit and f.dimension != "count" and not (taxed and f.dimension == "ratio")
    ]
    return Reading(facts=facts, unread=[raw] if loose else [])


def lead_in(raw: str) -> Attributes:
    """What the sentences right before a table say about all of it: at least two attributes, or none."""
    total = NOTHING
    for sentence in sentences(raw):
        text = fold(sentence)
        if any(f.unit for f in figures(text)):
            continue
        said = attributes_in(text)
        if said.kinds() >= 2:  # noqa: PLR2004
            total = said.over(total)
    return total
