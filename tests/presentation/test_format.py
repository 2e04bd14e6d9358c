"""Figures as the design asks for them; every expected text is worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.presentation import format as f

N, T = f.NO_BREAK, f.THIN
LATE = datetime(2026, 11, 27, 16, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("function", "value", "zh", "en"),
    [
        (f.figure, 387.0513, "387", "387"),  # three significant digits
        (f.figure, 0.5, "0.5", "0.5"),  # no zeros are added
        (f.figure, 999.6, "1,000", "1,000"),  # rounding may carry
        (f.figure, 2.675, "2.68", "2.68"),  # half up in decimal, although the double lies below
        (f.figure, 4096, "4,096", "4,096"),  # a count is never rounded
        (f.figure, 1.75e11, "1.75×10¹¹", "1.75×10¹¹"),
        (f.figure, 3.24e-6, "3.24×10⁻⁶", "3.24×10⁻⁶"),
        (f.figure, 0.001, "0.001", "0.001"),  # plain down to a thousandth
        (f.figure, -1234.5, "−1,230", "−1,230"),  # a true minus
        (f.figure, 0.0, "0", "0"),
        (f.figure, None, "未写明", "not stated"),
        (f.figure, float("nan"), "未写明", "not stated"),
        (f.exact, 387.0513842, "387.0513842", "387.0513842"),
        (f.exact, 0.1 + 0.2, "0.3", "0.3"),  # binary noise is not a digit
        (f.exact, 1e-7, "1×10⁻⁷", "1×10⁻⁷"),
        (f.exact, Decimal("99.990"), "99.990", "99.990"),  # a sheet's own zeros stay
        (f.percent, 0.6575, f"65.8{T}%", "65.8%"),
        (f.percent, 0.3, f"30{T}%", "30%"),
        (f.percent, 0.99995, f"99.995{T}%", "99.995%"),  # never rounded up to 100 %
        (f.percent, 0.9996, f"99.96{T}%", "99.96%"),  # 3 digits would be 100, 4 are enough
        (f.percent, 1.0, f"100{T}%", "100%"),
        (f.percent, 0.0, f"0{T}%", "0%"),
        (f.percent, 0.000032, f"0.0032{T}%", "0.0032%"),
        (f.availability, 0.9999, f"99.99{T}%", "99.99%"),
        (f.availability, Decimal("0.99950"), f"99.950{T}%", "99.950%"),
        (f.margin, 0.381, f"+38{T}%", "+38%"),
        (f.margin, -0.643, f"−64{T}%", "−64%"),
        (f.margin, -0.9996, f"−99.96{T}%", "−99.96%"),  # never all of it
        (f.ratio, 1e-7, "1×10⁻⁷", "1×10⁻⁷"),
        (f.ratio, 0.001, "1×10⁻³", "1×10⁻³"),
        (f.ratio, 0.25, "0.25", "0.25"),
        (f.ratio, 0.0, "0", "0"),
        (f.contention, 8, "8:1", "8:1"),
        (f.contention, 2.5, "2.5:1", "2.5:1"),
        (f.rate, 4e11, f"400{N}Gbit/s", f"400{N}Gbit/s"),
        (f.rate, 1.7e12, f"1,700{N}Gbit/s", f"1,700{N}Gbit/s"),  # comparable with 400
        (f.rate, 2.5e13, f"25{N}Tbit/s", f"25{N}Tbit/s"),
        (f.rate, 9.999e8, f"1{N}Gbit/s", f"1{N}Gbit/s"),  # 1,000 Mbit/s after rounding
        (f.rate, 5e6, f"5{N}Mbit/s", f"5{N}Mbit/s"),
        (f.size, 3.5e11, f"350{N}GB", f"350{N}GB"),
        (f.size, 512, f"512{N}B", f"512{N}B"),
        (f.duration, 0.00734, f"7.34{N}ms", f"7.34{N}ms"),
        (f.duration, 9.79e-6, f"9.79{N}µs", f"9.79{N}µs"),
        (f.duration, 20.742, f"20.7{N}s", f"20.7{N}s"),
        (f.duration, 259.2, f"4.32{T}分钟", f"4.32{N}min"),  # 30 d × 0.01 % = 4.32 min
        (f.duration, 4 * 3600, f"4{T}小时", f"4{N}h"),
        (f.duration, 30 * 86400, f"30{T}天", f"30{N}d"),
        (f.duration, 0, f"0{N}s", f"0{N}s"),
        (f.money, 368884, f"¥36.9{T}万", f"CNY{N}369k"),
        (f.money, 400000, f"¥40.0{T}万", f"CNY{N}400k"),
        (f.money, 400000.0, f"¥40.0{T}万", f"CNY{N}400k"),  # the same however the number is held
        (f.money, 1.2e6, f"¥120{T}万", f"CNY{N}1.20M"),
        (f.money, 99999999, f"¥1.00{T}亿", f"CNY{N}100M"),
        (f.money, 9853.4, "¥9,853", f"CNY{N}9,853"),  # short enough as it is
        (f.money, 10.5, "¥10.50", f"CNY{N}10.50"),
        (f.money, -368884, f"−¥36.9{T}万", f"−CNY{N}369k"),
        (f.money_full, 368884, "¥368,884", f"CNY{N}368,884"),
        (f.money_full, Decimal("88431.27"), "¥88,431.27", f"CNY{N}88,431.27"),
        (f.day, date(2026, 11, 28), "2026-11-28", f"28{N}Nov{N}2026"),
        (f.day, "2027-03-01", "2027-03-01", f"1{N}Mar{N}2027"),
        # 00:30 in UTC+8 is still the day before in UTC, and the zone is printed
        (f.moment, LATE, f"2026-11-28 00:30{N}UTC+8", f"28{N}Nov{N}2026, 00:30{N}UTC+8"),
        (f.unknown, "none", "不承诺", "no commitment"),
        (f.unknown, "missing", "未写明", "not stated"),
    ],
)  # fmt: skip
def test_one_value(function: Any, value: Any, zh: str, en: str) -> None:
    assert function(value, "zh") == zh
    assert function(value, "en") == en


@pytest.mark.parametrize(
    ("function", "low", "high", "arguments", "zh", "en"),
    [
        (f.figure_range, 176.2, 384, ("Gbit/s",), f"176–384{N}Gbit/s", f"176–384{N}Gbit/s"),
        (f.figure_range, 384, 176.2, (), "176–384", "176–384"),  # order does not matter
        (f.figure_range, 387.01, 387.04, (), "387", "387"),  # one figure when both read the same
        (f.figure_range, -2.0, 3.0, ("ms",), f"−2{N}ms – 3{N}ms", f"−2{N}ms – 3{N}ms"),
        (f.percent_range, 0.64, 0.67, (), f"64–67{T}%", "64–67%"),
        (f.money_range, 340000, 480000, (), f"¥34.0–48.0{T}万", f"CNY{N}340–480k"),
        (f.money_range, 9000, 480000, (), f"¥0.9–48.0{T}万", f"CNY{N}9–480k"),  # in the scale of the larger
        (f.money_range, None, 480000, (), "未写明", "not stated"),
    ],
)
def test_range(function: Any, low: Any, high: Any, arguments: tuple[str, ...], zh: str, en: str) -> None:
    assert function(low, high, "zh", *arguments) == zh
    assert function(low, high, "en", *arguments) == en


def test_other_currencies_are_named() -> None:
    assert f.money(50000, "zh", "USD") == f"USD{N}5.00{T}万"
    assert f.money(50000, "en", "USD") == f"USD{N}50.0k"


def test_thin_gap_between_chinese_and_latin() -> None:
    assert f.gap("每步350 GB，用RDMA线") == "每步\u2009350 GB，用\u2009RDMA\u2009线"


def test_latin_alone_has_no_gap() -> None:
    assert f.gap("400 Gbit/s at 10 ms") == "400 Gbit/s at 10 ms"


@given(st.floats(min_value=0, max_value=1, exclude_max=True))
def test_less_than_all_is_never_shown_as_all(value: float) -> None:
    # A double closer to 1 than its fifteenth digit is 1 for every reader.
    shown = f.percent(value, "en")
    assert shown != "100%" or value > 1 - 1e-14


@given(st.floats(min_value=1e-12, max_value=1e12))
def test_a_figure_is_within_half_a_unit_of_its_third_digit(value: float) -> None:
    text = f.figure(value, "en").replace(",", "")
    mantissa, _, power = text.partition("×10")
    exponent = power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")) or "0"
    assert float(mantissa) * 10.0 ** int(exponent) == pytest.approx(value, rel=0.005001)
