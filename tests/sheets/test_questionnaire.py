"""Questionnaire: random facts filled in come back as exactly the same facts, in both languages."""

# ruff: noqa: E501 - rows of data, a case a line
from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.metrics import BY_ID, METRICS, MetricKind
from app.domain.text import Text
from app.sheets import questionnaire_fields as q
from app.sheets.questionnaire import write_questionnaire
from app.sheets.reading import FileReading, read_file

BLANK = {language: write_questionnaire(language) for language in ("zh", "en")}


def fill(answers: list[dict[str, object]], language: str = "zh", data: bytes | None = None) -> bytes:
    """The questionnaire with these answers, one mapping for each offer column."""
    workbook = openpyxl.load_workbook(io.BytesIO(data or BLANK[language]))
    sheet = workbook.worksheets[0]
    rows = {sheet.cell(r, 1).value: r for r in range(1, sheet.max_row + 1)}
    for n, column in enumerate(answers):
        for field, value in column.items():
            sheet.cell(rows[field], 4 + n).value = value  # type: ignore[assignment]
    raw = io.BytesIO()
    workbook.save(raw)
    return raw.getvalue()


def read(answers: list[dict[str, object]], language: str = "zh") -> FileReading:
    return read_file("ask.xlsx", fill(answers, language))


def figures(low: str, high: str, places: int = 3) -> st.SearchStrategy[Decimal]:
    return st.decimals(min_value=low, max_value=high, places=places, allow_nan=False).map(lambda d: d.normalize())


def word(field: q.Field, language: str) -> st.SearchStrategy[tuple[str, str]]:
    """A choice as (code, word in the language)."""
    return st.sampled_from([(c.code, c.label.pick(language)) for c in field.choices])


def _quantity(draw: Any, metric: Any, language: str) -> tuple[dict[str, object], dict[str, Any]]:
    _, factor = q.unit_of_field(metric)
    low = max(metric.low * metric.scale / factor, Decimal("0.001"))
    high = min((metric.high or Decimal(1000)) * metric.scale / factor, Decimal(9000))
    state = draw(st.sampled_from(["stated", "stated", "stated", "none", "elsewhere"]))
    shown = draw(figures(str(low.quantize(Decimal("0.001"))), str(high)))
    answers: dict[str, object] = {}
    fact: dict[str, Any] = {"metric": metric.id, "state": state, "value": None, "unit": metric.unit}
    if state == "stated":
        answers[metric.id] = float(shown)
        fact["value"] = shown * factor
    else:
        answers[metric.id] = (q.NOT_COMMITTED if state == "none" else q.ELSEWHERE).label.pick(language)
    for name, _ in metric.attributes:
        if draw(st.booleans()):
            code, text = draw(word(q.FIELDS[f"{metric.id}.{name}"], language))
            answers[f"{metric.id}.{name}"] = text
            fact[name] = code
    if metric.id == "one_way_delay" or fact.get("direction") == "one_way":
        fact |= {"metric": "one_way_delay", "direction": "one_way"}
    return answers, fact


@st.composite
def columns(  # noqa: C901 - one branch a kind of metric
    draw: Any, language: str
) -> tuple[dict[str, object], list[dict[str, Any]]]:
    """Answers of one offer, with the facts that they must give."""
    answers: dict[str, object] = {"vendor": "甲乙通信", "product": "直连 1"}
    facts: list[dict[str, Any]] = []
    currency = draw(st.sampled_from(["CNY", "USD", "EUR"]))
    answers["currency"] = currency
    for metric in draw(st.lists(st.sampled_from(METRICS), min_size=1, max_size=12, unique=True)):
        if metric.kind is MetricKind.QUANTITY:
            more, fact = _quantity(draw, metric, language)
            answers |= more
            facts.append(fact)
        elif metric.kind is MetricKind.MONEY:
            amount = draw(figures("0", "900000", 2))
            answers[metric.id] = float(amount)
            facts.append(
                {"metric": metric.id, "state": "stated", "value": amount, "unit": currency, "currency": currency}
            )
        elif metric.kind is MetricKind.FLAG:
            code, text = draw(word(q.FIELDS[metric.id], language))
            answers[metric.id] = text
            none = code == "none"
            facts.append(
                {"metric": metric.id, "state": "none" if none else "stated", "value": None if none else code == "yes"}
            )
        elif metric.kind is MetricKind.CHOICE:
            code, text = draw(word(q.FIELDS[metric.id], language))
            answers[metric.id] = text
            facts.append({"metric": metric.id, "state": "stated", "value": code})
        elif metric.kind is MetricKind.LIST:
            for choice in draw(st.lists(st.sampled_from(metric.choices), unique=True)):
                answers[f"{metric.id}:{choice.code}"] = q.YES.label.pick(language)
                facts.append({"metric": metric.id, "state": "stated", "value": choice.code})
        elif metric.kind is MetricKind.TEXT:
            answers[metric.id] = "transparent wave, 100% 无损"
            facts.append({"metric": metric.id, "state": "stated", "value": "transparent wave, 100% 无损"})
        elif metric.kind is MetricKind.DATE:
            day = draw(st.dates())
            answers[metric.id] = day.isoformat()
            facts.append({"metric": metric.id, "state": "stated", "value": day.isoformat()})
        elif metric.kind is MetricKind.TIERS:
            facts += _tiers(draw, answers, language)
        elif metric.kind is MetricKind.SEGMENTS:
            facts += _segments(draw, answers)
    return answers, facts


def _tiers(draw: Any, answers: dict[str, object], language: str) -> list[dict[str, Any]]:
    facts = []
    for n in range(1, draw(st.integers(1, q.TIERS)) + 1):
        by_time = draw(st.booleans())
        low, high, credit = draw(figures("0", "50")), draw(figures("50", "100")), draw(figures("0", "100"))
        answers |= {
            f"credit_tier.{n}.from": float(low),
            f"credit_tier.{n}.to": float(high),
            f"credit_tier.{n}.credit": float(credit),
        }
        if by_time:
            answers[f"credit_tier.{n}.basis"] = q.BASES[1].label.pick(language)
        scale = Decimal(3600) if by_time else Decimal("0.01")
        facts.append(
            {"metric": "credit_tier", "state": "stated", "value": credit / 100, "lower": low * scale, "upper": high * scale,
             "basis": "outage_duration" if by_time else None}
        )  # fmt: skip
    return facts


def _segments(draw: Any, answers: dict[str, object]) -> list[dict[str, Any]]:
    facts = []
    for n in range(1, draw(st.integers(1, q.SEGMENTS)) + 1):
        answers[f"segment_bandwidth.{n}.name"] = f"段 {n}"
        rate = draw(st.none() | figures("0.1", "800"))
        if rate is not None:
            answers[f"segment_bandwidth.{n}.rate"] = float(rate)
        facts.append(
            {"metric": "segment_bandwidth", "state": "elsewhere" if rate is None else "stated", "condition": f"段 {n}",
             "value": None if rate is None else rate * Decimal(10**9)}
        )  # fmt: skip
    return facts


def shape(fact: dict[str, Any]) -> tuple[Any, ...]:
    names = ("metric", "state", "value", "statistic", "direction", "scope", "period", "commitment", "currency", "condition",
             "lower", "upper", "basis")  # fmt: skip
    return tuple(fact.get(n) for n in names)


def shapes(reading: FileReading, index: int) -> list[tuple[Any, ...]]:
    names = (
        "statistic",
        "direction",
        "scope",
        "period",
        "commitment",
        "currency",
        "condition",
        "lower",
        "upper",
        "basis",
    )
    return [
        shape({"metric": f.metric, "state": f.state.value, "value": f.value, **{n: getattr(f, n) for n in names}})
        for f in reading.offers[index].facts
    ]


@pytest.mark.parametrize("language", ["zh", "en"])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_round_trip(language: str, data: st.DataObject) -> None:
    made = [data.draw(columns(language)) for _ in range(data.draw(st.integers(1, q.OFFERS)))]
    kept = [facts for _, facts in made if facts]
    reading = read([a for a, _ in made], language)
    assert len(reading.offers) == len(kept)
    for index, facts in enumerate(kept):
        got = shapes(reading, index)
        assert sorted(map(repr, got)) == sorted(repr(shape(f)) for f in facts) or all(
            any(_equal(g, shape(f)) for g in got) for f in facts
        )
        assert len(got) == len(facts)
    assert [n.code for n in reading.notices] == ["questionnaire"]


def _equal(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    return all(x == y for x, y in zip(a, b, strict=True))


def test_every_field_of_the_registry_is_asked() -> None:
    asked = {q.metric_of(f).id for f in q.FIELDS if q.metric_of(f) is not None}
    assert asked == set(BY_ID)


def test_facts_name_their_cell_and_reader() -> None:
    reading = read([{"vendor": "甲", "availability": 99.99}])
    fact = reading.offers[0].facts[0]
    assert (fact.value, fact.evidence.reader, fact.evidence.quote) == (Decimal("0.9999"), "questionnaire", "99.99")
    sheet = openpyxl.load_workbook(io.BytesIO(BLANK["zh"])).worksheets[0]
    assert fact.evidence.sheet == sheet.title
    assert sheet[f"A{fact.evidence.row}"].value == "availability"
    assert fact.evidence.cell == f"D{fact.evidence.row}"


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("availability", "99.99%", "0.9999"),
        ("packet_loss", "0.001%", "0.00001"),
        ("repair_time", "90分钟", "5400"),
        ("oversubscription", "4:1", "4"),
        ("bandwidth", "400 Gbps", "4e11"),
        ("rtt", "8500 μs", "0.0085"),
    ],
)
def test_a_written_unit_wins_over_the_unit_asked(field: str, text: str, value: str) -> None:
    assert read([{"vendor": "甲", field: text}]).offers[0].facts[0].value == Decimal(value)


@pytest.mark.parametrize(
    ("field", "text"),
    [("packet_loss", "1e-6"), ("rtt", "5 ms or 8 ms"), ("rtt", "soon"), ("rtt.statistic", "P42"), ("layer", "carrier pigeon"), ("quote_valid_until", "next year"),
     ("bandwidth", "5 ms"), ("lossless_transport", "maybe")],
)  # fmt: skip
def test_an_answer_that_cannot_be_read_is_told_not_guessed(field: str, text: str) -> None:
    reading = read([{"vendor": "甲", "availability": 99.9, field: text}])
    assert [f.metric for f in reading.offers[0].facts] == ["availability"]
    assert "invalid_answer" in [n.code for n in reading.notices]


def test_moved_rows_are_still_found() -> None:
    workbook = openpyxl.load_workbook(io.BytesIO(fill([{"vendor": "甲", "mtu": 9000}])))
    workbook.worksheets[0].insert_rows(3, 4)
    raw = io.BytesIO()
    workbook.save(raw)
    assert read_file("x.xlsx", raw.getvalue()).offers[0].facts[0].value == Decimal(9000)


def test_a_formula_without_result_is_told() -> None:
    reading = read([{"vendor": "甲", "availability": 99.9, "monthly_charge": "=2*100"}])
    assert [f.metric for f in reading.offers[0].facts] == ["availability"]
    assert "not_calculated" in [n.code for n in reading.notices]


def test_the_requirement_stands_above_and_is_never_an_answer() -> None:
    rows = [(Text("带宽下限", "Bandwidth floor"), "280.2 Gbit/s"), (Text("公式", "Formula"), "=1+1")]
    data = write_questionnaire("en", rows)
    sheet = openpyxl.load_workbook(io.BytesIO(data)).worksheets[0]
    values = {c.value: c for r in sheet.iter_rows() for c in r if c.value}
    assert "Bandwidth floor" in values
    assert values["=1+1"].data_type == "s"
    reading = read_file("ask.xlsx", data)
    assert reading.offers == ()
    assert reading.code == "NO_OFFER_FOUND"


def test_same_input_gives_the_same_bytes() -> None:
    assert write_questionnaire("zh") == BLANK["zh"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_dropdowns_offer_every_choice(language: str) -> None:
    workbook = openpyxl.load_workbook(io.BytesIO(BLANK[language]))
    lists = {}
    for rule in workbook.worksheets[0].data_validations.dataValidation:
        area = rule.formula1.split("!")[1].replace("$", "")
        cells = workbook["_linewise"][area]
        lists[str(rule.sqref).split(":")[0]] = [r[0].value for r in cells]
    sheet = workbook.worksheets[0]
    for row in range(1, sheet.max_row + 1):
        field = q.FIELDS.get(str(sheet.cell(row, 1).value))
        if field and field.choices:
            assert lists[f"D{row}"] == [c.label.pick(language) for c in field.choices]
