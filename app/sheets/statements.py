"""One sentence or one cell becomes facts: figures with their labels, and the words that stand for a state."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from app.domain.facts import Evidence, Fact, State
from app.domain.metrics import BY_ID, Metric, MetricKind, Worse
from app.sheets import words
from app.sheets.attributes import NOTHING, Attributes, attributes_in, operator_of
from app.sheets.clauses import Assigned, Clause, assign, cut, sentences, suits
from app.sheets.conditions import around, condition_of, sibling_of
from app.sheets.contexts import Context, Reading, with_note
from app.sheets.folding import fold, lowered
from app.sheets.lexicon import Label
from app.sheets.quantities import GUESS, IMPLAUSIBLE, SURE, Quantity, header_unit, quantify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.domain.remarks import Remark
    from app.sheets.numbers import Figure
    from app.sheets.units import Unit

_FLIP: Final = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "=", None: None}
_FAR: Final = 0.89
_DELAY: Final = frozenset({"rtt", "one_way_delay"})
_IMPLICIT_RATE: Final = Label(metric="bandwidth", words="")
_IMPLICIT_CHARGE: Final = Label(metric="monthly_charge", words="")
_IMPLICIT_ONCE: Final = Label(metric="setup_charge", words="")
_IMPLICIT: Final = (_IMPLICIT_RATE, _IMPLICIT_CHARGE, _IMPLICIT_ONCE)
_MONTHS: Final = frozenset({"month", "mo", "月", "个月"})
_BARE_IN_TEXT: Final = frozenset({"mtu", "hops"})
_PERIODS: Final[dict[str | None, str]] = {
    "month": "month", "月": "month", "个月": "month", "year": "year", "年": "year", "annum": "year",
    "quarter": "quarter", "季度": "quarter",
}  # fmt: skip
_RATES: Final = frozenset({"bandwidth", "committed_rate", "burst_rate"})
_GIGA: Final = Decimal(10**9)
_SOLD: Final = frozenset(
    map(Decimal, ("1", "2.5", "10", "20", "25", "40", "50", "100", "200", "400", "800", "1200", "1600"))
)
LINE_RATE: Final = 0.95
_HOURS: Final = {"year": Decimal(8760), "quarter": Decimal(2190), "month": Decimal(720), None: Decimal(720)}


def read_figures(text: str, context: Context) -> Reading:
    """Facts of one folded sentence with figures in it."""
    parts = cut(text, context.style)
    assigned = [_implicit(a, text, context) for a in assign(parts, context.label)]
    reading = Reading()
    counted = [a.label.metric for a in assigned if a.label and a.label.metric]
    for one in assigned:
        if one.label is None or one.label.metric is None:
            if one.figure.unit is not None and one.figure.dimension != "count":
                reading.unread.append(text)
            continue
        fact = _fact(text, parts, one, context, several=counted.count(one.label.metric) > 1)
        if fact:
            last = next((f for f in reversed(reading.facts) if f.metric == fact.metric), None)
            if last and fact.operator is None and fact.commitment == last.commitment and one.figure.unit is not None:
                fact = replace(fact, operator=last.operator)  # "not more than 5 ms on A and 7 ms on B"
            reading.facts.append(fact)
        else:
            reading.unread.append(text)
    reading.facts = _merged(_without_odd_ones(reading, text))
    return reading


def _without_odd_ones(reading: Reading, text: str) -> list[Fact]:
    """An implausible figure beside a good one of the same metric is some other share or threshold."""
    good = {f.metric for f in reading.facts if f.state is State.STATED}
    kept = [f for f in reading.facts if not (f.metric in good and IMPLAUSIBLE in f.evidence.remarks)]
    if len(kept) < len(reading.facts):
        reading.unread.append(text)
    return kept


def _implicit(one: Assigned, text: str, context: Context) -> Assigned:
    """In running text a bit rate without any label is the bandwidth, an amount a month the monthly charge."""
    if context.label is not None or context.number:
        return one
    if one.label is None and not any(h.label.topic for h in one.clause.hits):
        section = context.section
        if one.figure.unit is not None and section is not None and suits(section, one.figure):
            return replace(one, label=section, near=False)
        if label := _implied(one.figure, text):
            return replace(one, label=label, near=False)
    bare = one.figure.unit is None and one.figure.kind == "plain"
    if bare and one.label and one.label.metric not in _BARE_IN_TEXT:
        return replace(one, label=None)
    return one


def _implied(figure: Figure, text: str) -> Label | None:
    """What a figure is by its own unit: a bit rate, an amount a month, an amount once."""
    if figure.dimension == "rate":
        return _IMPLICIT_RATE
    if figure.dimension != "money":
        return None
    if figure.per in _MONTHS:
        return _IMPLICIT_CHARGE
    return _IMPLICIT_ONCE if words.ONCE.match(lowered(text[figure.end :])) else None


def _span(parts: tuple[Clause, ...], one: Assigned, text: str) -> str:
    """The clauses that speak of the same label: from its own back to the label, on to the next label."""
    own = one.label.metric if one.label else None
    family = _DELAY if own in _DELAY else {own}

    def foreign(clause: Clause) -> bool:
        return bool(clause.hits) and not any(h.label.metric in family for h in clause.hits)

    last = one.clause.index
    own_labels = [c.index for c in parts[: last + 1] if any(h.label.metric in family for h in c.hits)]
    first = own_labels[-1] if own_labels else last
    if not any(c.hits for c in parts[:first]):
        first = 0  # "In each calendar month, availability …": what stands before the first label belongs to it
    while last + 1 < len(parts) and not foreign(parts[last + 1]):
        last += 1
    return text[parts[first].start : parts[last].end]


def _attributes(text: str, parts: tuple[Clause, ...], one: Assigned, context: Context) -> tuple[Attributes, bool]:
    """The attributes of a figure, nearest words first; True when some came from afar."""
    before, after = around(text, one)
    last_in_clause = one.figure == one.clause.figures[-1]
    label = one.label or _IMPLICIT_RATE
    own = attributes_in(before, last=True).over(attributes_in(after) if last_in_clause else NOTHING)
    own = own.over(attributes_in(_span(parts, one, text))).over(
        Attributes(direction=label.direction, statistic=label.statistic)
    )
    own = own.over(context.near)
    full = own.over(context.far)
    distant = (full.direction, full.statistic) != (own.direction, own.statistic)
    return full, distant


_TIMED: Final = frozenset({"rtt", "one_way_delay", "jitter"})


def _backwards(metric: Metric, operator: str | None) -> bool:
    """A bound on the wrong side is a threshold ("below 99.9 %"), not what the vendor commits to."""
    if metric.kind is not MetricKind.QUANTITY or metric.id == "credit_cap":
        return False
    if metric.worse is Worse.HIGHER:
        return operator in {">", ">="}
    return metric.id == "availability" and operator in {"<", "<="}


def _fact(text: str, parts: tuple[Clause, ...], one: Assigned, context: Context, *, several: bool) -> Fact | None:
    label = one.label or _IMPLICIT_RATE
    metric = BY_ID[str(label.metric)]
    unit = next((u for u in (header_unit(t, metric) for t in context.units) if u), None)
    if unit and unit.per and any(words.MONTHLY.search(lowered(fold(t))) for t in context.units):
        unit = replace(unit, per="unclear")
    outage = label.downtime and one.figure.dimension == "time"
    attributes, distant = _attributes(text, parts, one, context)
    if metric.id == "maintenance_window" and one.figure.per is None:
        said = attributes_in(text[one.clause.start : one.clause.end]).period
        one = replace(one, figure=replace(one.figure, per=said))
    quantity = (
        _from_downtime(one, attributes.period)
        if outage
        else quantify(metric, one.figure, unit, complement=label.complement, yearly=label.yearly)
    )
    if quantity is None or _is_part(metric, around(text, one)[0]):
        return None
    if attributes.period is None and one.figure.per in _PERIODS:
        attributes = replace(attributes, period=_PERIODS[one.figure.per])
    operator = quantity.operator or operator_of(text, one.figure, metric)
    if outage or (label.complement and quantity.operator is None):
        operator = _FLIP[_complement_operator(text, one, operator_of(text, one.figure, metric))]
    if _backwards(metric, operator):
        return None
    if metric.id in _RATES and operator in {"<", "<="} and attributes.commitment in {None, "guarantee"}:
        attributes = replace(attributes, commitment="target")  # "up to 400G" promises nothing
    confidence = _certainty(one, quantity, unit, context, distant=distant)
    found = sibling_of(text, one, context) or condition_of(text, one, several=several, cell=context.label is not None)
    if metric.id == "packet_loss" and attributes.direction == "round_trip":
        found, confidence = found or "round trip", min(confidence, GUESS)
    if metric.id == "repair_time" and words.STARTS.search(lowered(text)):
        metric, confidence = BY_ID["response_time"], min(confidence, GUESS)
    condition = "; ".join(dict.fromkeys(c for c in (context.condition, found, quantity.condition) if c))
    fact = make_fact(metric, quantity, attributes, context.evidence, condition, operator, confidence)
    hint = context.title and one.label is _IMPLICIT_RATE
    return replace(fact, derived=True, confidence=0.7, condition=None) if hint else fact


def _is_part(metric: Metric, before: str) -> bool:
    """A delay that comes on top of another, or the hours of one of several windows: no figure of the whole."""
    parts = words.ADDED if metric.id in _TIMED else words.EACH_TIME if metric.id == "maintenance_window" else None
    return parts is not None and bool(parts.search(lowered(before)))


def _certainty(one: Assigned, quantity: Quantity, unit: Unit | None, context: Context, *, distant: bool) -> float:
    """How sure a figure is of its label, its unit and its words."""
    if _line_rate(one, quantity, unit, context):
        return min(context.confidence, LINE_RATE)
    near = SURE if one.near else 0.9
    if not one.near and context.label is None and one.label in {*_IMPLICIT, context.section}:
        near = GUESS
    return min(context.confidence, quantity.confidence, near, _FAR if distant else 1.0)


def _line_rate(one: Assigned, quantity: Quantity, unit: Unit | None, context: Context) -> bool:
    """`400G` or 万兆 in a cell under a bandwidth label: a line rate that is sold leaves nothing to custom."""
    written = one.figure.unit or unit
    if context.label is None or context.label.metric not in _RATES or not (written and written.guessed):
        return False
    word = one.figure.kind == "word" or written.factor >= _GIGA
    return word and quantity.value is not None and quantity.value / _GIGA in _SOLD


def _complement_operator(text: str, one: Assigned, operator: str | None) -> str | None:
    """Delivery is better when higher: "better than 99.9%" bounds it from below."""
    if operator in {"<", "<="} and "better" in lowered(text[max(0, one.figure.start - 14) : one.figure.end + 12]):
        return _FLIP[operator]
    return operator


def _from_downtime(one: Assigned, period: str | None) -> Quantity | None:
    if one.figure.dimension != "time" or not one.figure.values or one.figure.unit is None:
        return None
    hours = one.figure.values[-1] * one.figure.unit.factor / 3600
    value = (1 - hours / _HOURS[period]).quantize(Decimal("1e-9"))
    note = ("from_outage_budget", f"{hours:f}", str(_HOURS[period]))
    return Quantity(value=value, confidence=GUESS, notes=(note,), derived=True)


def make_fact(
    metric: Metric, quantity: Quantity, attributes: Attributes, evidence: Evidence, condition: str,
    operator: str | None, confidence: float,
) -> Fact:  # fmt: skip
    """A fact in the canonical unit; a delay becomes one-way or round trip by its direction."""
    if metric.id in {"rtt", "one_way_delay"}:
        direction = attributes.direction or ("one_way" if metric.id == "one_way_delay" else None)
        metric = BY_ID["one_way_delay" if direction == "one_way" else "rtt"]
        attributes = replace(attributes, direction=direction)
    said = attributes.for_metric(metric.id)
    unit = quantity.currency if metric.kind is MetricKind.MONEY else metric.unit
    return Fact(
        metric=metric.id,
        state=State.STATED if quantity.value is not None else State.AMBIGUOUS,
        value=quantity.value,
        readings=quantity.readings if quantity.value is None else (),
        unit=unit,
        currency=quantity.currency,
        operator=operator,
        statistic=said.statistic,
        direction=said.direction,
        scope=said.scope,
        period=said.period,
        commitment=said.commitment,
        condition=condition or None,
        derived=quantity.derived,
        confidence=round(confidence, 2),
        evidence=with_note(evidence, *quantity.notes),
    )


def state_fact(metric: str, state: State, evidence: Evidence, context: Context, note: Remark = ()) -> Fact:
    """A fact without a figure: the vendor declines, points elsewhere, or leaves it open."""
    attributes = context.near.over(context.far).for_metric(metric)
    label = BY_ID[metric]
    if metric == "rtt" and attributes.direction == "one_way":
        label = BY_ID["one_way_delay"]
    return Fact(
        metric=label.id, state=state, unit=label.unit, evidence=with_note(evidence, note),
        condition=context.condition or None, direction=attributes.direction, scope=attributes.scope,
        period=attributes.period, confidence=min(context.confidence, 0.95),
    )  # fmt: skip


def free_fact(metric: str, text: str, context: Context, currency: str | None) -> Fact:
    """A charge that is waived: a stated 0."""
    return Fact(
        metric=metric, state=State.STATED, value=Decimal(0), unit=currency, currency=currency,
        evidence=with_note(context.evidence, ("charge_of_zero", text)), condition=context.condition or None,
        confidence=min(context.confidence, 0.95),
    )  # fmt: skip


def _merged(facts: list[Fact]) -> list[Fact]:
    """The same figure said twice in one text (bilingual, words and digits) counts once."""
    result: list[Fact] = []
    for fact in facts:
        twin = next((i for i, f in enumerate(result) if _same(f, fact)), None)
        if twin is None:
            result.append(fact)
        elif not result[twin].condition or (fact.confidence > result[twin].confidence and fact.condition):
            kept = result[twin]
            result[twin] = replace(
                fact, **{n: getattr(fact, n) or getattr(kept, n) for n in ("operator", "statistic", "scope", "period")}
            )
    return _without_working(result)


def _without_working(facts: list[Fact]) -> list[Fact]:
    """`52 minutes a year (= 99.99 %)`: the figure derived from the budget only lends its words to the written one."""
    budgets = [f for f in facts if f.metric == "availability" and f.derived]
    if not budgets or len(budgets) == sum(f.metric == "availability" for f in facts):
        return facts
    lent = {n: getattr(budgets[0], n) for n in ("period", "commitment", "scope")} if len(budgets) == 1 else {}
    return [
        replace(f, **{n: getattr(f, n) or v for n, v in lent.items()}) if f.metric == "availability" else f
        for f in facts
        if f not in budgets
    ]


def _same(a: Fact, b: Fact) -> bool:
    """Equal figures of one metric, unless both carry conditions that differ."""
    if (a.metric, a.state, a.value, a.readings) != (b.metric, b.state, b.value, b.readings):
        return False
    return (
        not (a.condition and b.condition)
        or a.condition == b.condition
        or a.condition in b.condition
        or b.condition in a.condition
    )


def each_sentence(raw: str, read: Callable[[str, str], Reading]) -> Reading:
    """Apply `read(verbatim, folded)` to every sentence and collect."""
    total = Reading()
    for sentence in sentences(raw):
        folded = fold(sentence)
        if folded:
            total.add(read(sentence, folded))
    return total


def unique(items: Iterable[str]) -> list[str]:
    """Items without repetition, in order."""
    return list(dict.fromkeys(items))
