"""Figures: every form with its value, worked out by hand (not copied from the reader's output)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.metrics import BY_ID
from app.sheets.folding import clean_label, fold, key, unreadable_share
from app.sheets.numbers import figures
from app.sheets.numerals import decimal_style, han_number, numeral
from app.sheets.quantities import header_unit, quantify

# metric, text, heading, canonical value
FORMS = [
    ("packet_loss", "≤10⁻⁵", "", "0.00001"),
    ("packet_loss", "10E-5", "", "0.00001"),  # by custom 10⁻⁵, noted
    ("packet_loss", "1E-5", "", "0.00001"),
    ("packet_loss", "5e-7", "", "0.0000005"),
    ("packet_loss", "10^-5", "", "0.00001"),
    ("packet_loss", "1×10⁻⁶", "", "0.000001"),
    ("packet_loss", "1×10^-6", "", "0.000001"),
    ("packet_loss", "2.5 x 10^(-6)", "", "0.0000025"),
    ("packet_loss", "0.1%", "", "0.001"),
    ("packet_loss", ".1%", "", "0.001"),
    ("packet_loss", "00.1%", "", "0.001"),
    ("packet_loss", "0.1", "丢包率（%）", "0.001"),
    ("packet_loss", "1‰", "", "0.001"),
    ("packet_loss", "0.01‰", "", "0.00001"),
    ("packet_loss", "千分之一", "", "0.001"),
    ("packet_loss", "万分之一", "", "0.0001"),
    ("packet_loss", "万分之五", "", "0.0005"),
    ("packet_loss", "万分之0.1", "", "0.00001"),
    ("packet_loss", "1/10000", "", "0.0001"),
    ("packet_loss", "1 in 10,000", "", "0.0001"),
    ("packet_loss", "10ppm", "", "0.00001"),
    ("packet_loss", "10", "ppm", "0.00001"),
    ("packet_loss", "5", "×10⁻⁶", "0.000005"),
    ("bit_error_ratio", "优于10⁻¹²", "", "1e-12"),
    ("availability", "99.99%", "", "0.9999"),
    ("availability", "99.99", "%", "0.9999"),
    ("availability", "99.995%", "", "0.99995"),
    ("availability", "99.99 per cent", "", "0.9999"),
    ("availability", "99.99%", "Availability (%)", "0.9999"),  # the cell's own unit wins: not percent of percent
    ("availability", "0.9999", "", "0.9999"),
    ("availability", "五个九", "", "0.99999"),
    ("availability", "5个9", "", "0.99999"),
    ("availability", "four nines", "", "0.9999"),
    ("availability", "five-nines", "", "0.99999"),
    ("availability", "百分之九十九点九", "", "0.999"),
    ("availability", "９９．９％", "", "0.999"),
    ("availability", "99,95 %", "", "0.9995"),
    ("rtt", "35msec", "", "0.035"),
    ("rtt", "35 毫秒", "", "0.035"),
    ("rtt", "0.035 s", "", "0.035"),
    ("rtt", "35000 us", "", "0.035"),
    ("rtt", "4200微秒", "", "0.0042"),
    ("rtt", "5000µs", "", "0.005"),
    ("rtt", "5000μs", "", "0.005"),
    ("rtt", "5㎳", "", "0.005"),
    ("rtt", "6.2", "ms", "0.0062"),
    ("rtt", "12", "Latency RTT avg (ms)", "0.012"),
    ("jitter", "50", "μs", "0.00005"),
    ("jitter", "250 microseconds", "", "0.00025"),
    ("repair_time", "4小时", "", "14400"),
    ("repair_time", "15分钟", "", "900"),
    ("repair_time", "半小时", "", "1800"),
    ("repair_time", "两小时", "", "7200"),
    ("repair_time", "5 clock hours", "", "18000"),
    ("repair_time", "4", "MTTR (h)", "14400"),
    ("mtu", "9 216 bytes", "", "9216"),  # a blank between thousands
    ("mtu", "MTU of 9 000 bytes", "", "9000"),
    ("distance", "1 240 km", "", "1240"),
    ("monthly_charge", "EUR 12 500 per month", "", "12500"),
    ("monthly_charge", "7 450,00", "EUR net", "7450"),
    ("repair_time", "within six (6) hours", "", "21600"),
    ("repair_time", "twenty-four hours", "", "86400"),
    ("failover_time", "fifty (50) milliseconds", "", "0.05"),
    ("credit_cap", "twenty-five per cent (25%)", "", "0.25"),
    ("packet_loss", "one frame in two hundred thousand", "", "0.000005"),
    ("packet_loss", "1 packet per million", "", "0.000001"),
    ("packet_loss", "at most 1 in 100,000.", "", "0.00001"),  # the end of a sentence
    ("availability", "百分之九十九点九九", "", "0.9999"),
    ("bandwidth", "四十Gbps", "", "4e10"),
    ("maintenance_window", "9 hours per quarter", "", "3"),
    ("bandwidth", "100GE", "", "1e11"),
    ("bandwidth", "100GbE", "", "1e11"),
    ("bandwidth", "500M", "", "5e8"),
    ("bandwidth", "1000兆", "", "1e9"),
    ("bandwidth", "万兆", "", "1e10"),
    ("bandwidth", "千兆", "", "1e9"),
    ("bandwidth", "10万兆", "", "1e11"),
    ("bandwidth", "100000Mbps", "", "1e11"),
    ("bandwidth", "10Gbps", "", "1e10"),
    ("bandwidth", "10Gibps", "", "10737418240"),
    ("bandwidth", "100MB/s", "", "8e8"),
    ("bandwidth", "100 MiB/s", "", "838860800"),
    ("bandwidth", "100 Mbps", "", "1e8"),
    ("bandwidth", "100Mb", "", "1e8"),
    ("bandwidth", "0.1G", "", "1e8"),
    ("bandwidth", "10000", "Bandwidth (Mbps)", "1e10"),
    ("bandwidth", "100", "Bandwidth Gbit/s", "1e11"),
    ("monthly_charge", "50万元/月", "", "500000"),
    ("monthly_charge", "21.5万元", "", "215000"),
    ("monthly_charge", "42", "万元/月", "420000"),
    ("monthly_charge", "36,000元", "", "36000"),
    ("monthly_charge", "USD 31,500", "", "31500"),
    ("monthly_charge", "$12k", "", "12000"),
    ("monthly_charge", "1.401,40 EUR", "", "1401.40"),
    ("monthly_charge", "贰佰叁拾玖万捌仟肆佰元整", "", "2398400"),
    ("monthly_charge", "¥12,000.50", "", "12000.50"),
    ("monthly_charge", "9,800", "月租（元）", "9800"),
    ("contract_term", "一年", "", "12"),
    ("contract_term", "三年", "", "36"),
    ("contract_term", "二十四个月", "", "24"),
    ("contract_term", "24", "月", "24"),
    ("contract_term", "2", "年", "24"),
    ("mtu", "9,100 bytes", "", "9100"),
    ("mtu", "9000字节", "", "9000"),
    ("mtu", "9000", "", "9000"),
    ("distance", "1,020 km", "", "1020"),
    ("oversubscription", "4:1", "", "4"),
    ("oversubscription", "1:1", "", "1"),
    ("delivery", "45天", "", "45"),
    ("delivery", "6 weeks", "", "42"),
    ("maintenance_window", "4小时/月", "", "4"),
    ("rtt", "5~8ms", "", "0.008"),  # the worst bound of a range
    ("rtt", "5±1ms", "", "0.006"),
    ("bandwidth", "10-20 Gbps", "", "1e10"),
]


@pytest.mark.parametrize(("metric", "text", "heading", "expected"), FORMS)
def test_form(metric: str, text: str, heading: str, expected: str) -> None:
    found = figures(fold(text))
    assert len(found) == 1
    quantity = quantify(BY_ID[metric], found[0], header_unit(heading, BY_ID[metric]) if heading else None)
    assert quantity is not None
    assert quantity.value == Decimal(expected)
    assert isinstance(quantity.value, Decimal)


@pytest.mark.parametrize(
    "text",
    [
        "POA",
        "面议",
        "N/A",
        "—",
        "/",
        "____",
        "(略)",
        "NaN",
        "inf",
        "P99",
        "RoCEv2",
        "00:00-06:00",
        "2027-03-31",
        "第3条",
        "T1",
        "7x24",
    ],
)
def test_no_figure(text: str) -> None:
    assert figures(fold(text)) == []


@pytest.mark.parametrize(
    ("metric", "text", "readings"),
    [
        ("packet_loss", "0.1", ["0.1", "0.001"]),  # percent or fraction is not said
        ("packet_loss", "0.10.05%", ["0.0005", "0.001"]),  # two numbers run together
        ("bandwidth", "1.000 Mbps", ["1e6", "1e9"]),  # alone in its document
        ("bandwidth", "400", ["4e8", "4e11"]),
        ("packet_loss", "10-5", ["0.00001"]),  # the raised exponent seems lost
        ("packet_loss", "99.9%", ["0.999"]),  # a delivery ratio under the wrong label
        ("availability", "9.99%", ["0.0999"]),
    ],
)
def test_open_form_stays_open(metric: str, text: str, readings: list[str]) -> None:
    quantity = quantify(BY_ID[metric], figures(fold(text))[0])
    assert quantity is not None
    assert quantity.value is None
    assert sorted(quantity.readings) == sorted(Decimal(r) for r in readings)


def test_percent_under_a_percent_heading_is_open_when_it_looks_like_a_fraction() -> None:
    unit = header_unit("%", BY_ID["availability"])
    quantity = quantify(BY_ID["availability"], figures("0.9999")[0], unit)
    assert quantity is not None
    assert quantity.value != Decimal("0.009999")


@pytest.mark.parametrize(
    ("text", "sure"), [("100 Mbps", True), ("100M", False), ("100Mb", False), ("0.1G", False), ("100GE", True)]
)
def test_guessed_units_stay_below_the_line_of_confirmation(text: str, sure: bool) -> None:
    quantity = quantify(BY_ID["bandwidth"], figures(text)[0])
    assert quantity is not None
    assert (quantity.confidence >= 0.9) is sure


@pytest.mark.parametrize(
    ("texts", "style"),
    [
        (["2,5 ms", "10.000 Mbps"], "comma"),
        (["1,000 Mbps", "99.95%"], "dot"),
        (["1.000 Mbps"], None),
        (["1,020 km"], None),
    ],
)
def test_decimal_mark_comes_from_the_whole_document(texts: list[str], style: str | None) -> None:
    assert decimal_style(texts) == style


def test_decimal_mark_decides_a_lone_group() -> None:
    assert numeral("1.000", "comma") == (Decimal(1000),)
    assert numeral("1.000", "dot") == (Decimal("1.000"),)
    assert numeral("1,000", "dot") == (Decimal(1000),)
    assert numeral("1,401.40") == (Decimal("1401.40"),)
    assert numeral("1.401,40") == (Decimal("1401.40"),)
    assert numeral("9" * 60) == ()


def test_full_width_comma_never_joins_two_numbers() -> None:
    assert [f.values[0] for f in figures(fold("时延5，100G端口"))] == [Decimal(5), Decimal(100)]


def test_clock_and_shares_of_samples_are_no_figures() -> None:
    assert figures("99% of samples within") == []
    assert figures(fold("每日 02:00-06:00")) == []


def test_kangxi_radicals_and_superscripts_fold() -> None:
    assert fold("可⽤性") == "可用性"
    assert fold("⽉费") == "月费"
    assert fold("抖动 与 ⾼可靠") == "抖动与高可靠"
    assert fold("⻓途") == "长途"
    assert fold("10⁻⁵") == "10^-5"
    assert fold("99.9%¹") == "99.9%"  # a footnote mark is not a digit


def test_han_numbers() -> None:
    assert han_number("叁拾贰万") == Decimal(320000)
    assert han_number("十") == Decimal(10)
    assert han_number("二〇二六") == Decimal(2026)
    assert han_number("九十九点九五") == Decimal("99.95")
    assert han_number("半") == Decimal("0.5")
    assert han_number("条") is None


def test_names_are_cleaned() -> None:
    assert clean_label("报价\u202efdp\u200d.exe\n二") == "报价fdp.exe 二"
    assert key("Ab-C 云（x）") == key("abc云 X")


def test_unreadable_share() -> None:
    assert unreadable_share("(cid:12)(cid:7)") == 1.0
    assert unreadable_share("99.9%") == 0.0
    assert unreadable_share("a\ufffd") == 0.5


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    for figure in figures(fold(text)):
        assert all(v.is_finite() for v in figure.values)


@given(st.decimals(min_value="0.001", max_value="9999", places=3), st.sampled_from(["ms", "毫秒", "msec"]))
def test_written_decimals_come_back(value: Decimal, unit: str) -> None:
    found = figures(f"{value}{unit}", "dot")
    assert len(found) == 1
    assert found[0].values == (value,)
