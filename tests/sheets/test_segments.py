"""Names of segments, bare line rates, headings that are years, requirements that name the metric."""

from __future__ import annotations

from decimal import Decimal

import pytest

from app.sheets.labels import asked_label, role_of
from app.sheets.segments import segment_of
from tests.sheets.makers import codes, csv, facts, read


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("分段带宽（骨干段）", "骨干段"),
        ("A 端出口带宽", "A 端出口"),
        ("Z端接入", "Z端接入"),
        ("中继段带宽", "中继段"),
        ("Backbone bandwidth", "Backbone"),
        ("Z-end access bandwidth", "Z-end access"),
        ("接入带宽", None),
        ("国际专线带宽", None),
        ("忙时段带宽", None),
        ("core bandwidth utilisation", None),
        ("骨干网可用性", None),
    ],
)
def test_segment_labels(text: str, name: str | None) -> None:
    assert segment_of(text) == name


@pytest.mark.parametrize(
    ("cell", "confidence"), [("400G", 0.95), ("10GE", 0.97), ("万兆", 0.95), ("100M", 0.85), ("0.1G", 0.85)]
)
def test_a_line_rate_under_its_label_is_sure(cell: str, confidence: float) -> None:
    reading = read("a.csv", csv([["供应商", "带宽", "可用率"], ["测试网络", cell, "99.9%"]]))
    assert [f.confidence for f in facts(reading, "bandwidth")] == [confidence]


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("2025年", "year"),
        ("2027年承诺", "response"),
        ("Measured 2026 (average)", "observed"),
        ("2026年实际", "observed"),
    ],
)
def test_years_in_headings(heading: str, role: str) -> None:
    assert role_of(heading) == role


def test_requirements_name_the_metric() -> None:
    label, _ = asked_label("丢包率≤0.001%")
    assert label is not None
    assert label.metric == "packet_loss"


@pytest.mark.parametrize(
    ("heading", "cell", "value"),
    [("年费（万元）", "24", 20000), ("月租费", "24万元/年", 20000), ("月租费（万元）", "2", 20000)],
)
def test_yearly_amounts(heading: str, cell: str, value: int) -> None:
    reading = read("a.csv", csv([["供应商", heading, "可用率"], ["测试网络", cell, "99.9%"]]))
    assert [f.value for f in facts(reading, "monthly_charge")] == [Decimal(value)]


def test_monthly_by_label_and_yearly_by_unit_is_left_open() -> None:
    reading = read("a.csv", csv([["供应商", "月租费（万元/年）", "可用率"], ["测试网络", "24", "99.9%"]]))
    (fact,) = facts(reading, "monthly_charge")
    assert fact.value is None
    assert set(fact.readings) == {Decimal(240000), Decimal(20000)}


def test_an_example_row_is_told_not_taken() -> None:
    reading = read(
        "a.csv", csv([["供应商", "带宽", "可用率"], ["填写示例", "10GE", "99%"], ["测试网络", "400GE", "99.9%"]])
    )
    assert [o.vendor for o in reading.offers] == ["测试网络"]
    assert "not_read" in codes(reading)
