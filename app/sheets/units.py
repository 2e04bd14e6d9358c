"""Unit words, as data: what is written, its dimension, and the factor to the canonical unit.

Dimensions: `rate` (bit/s), `time` (s), `calendar` (month), `ratio` (1), `byte`, `km`, `money`, `count`.
Spelling is matched with its case first (Mb and MB differ), then without. `guessed` marks a unit that leaves
something to custom (100M, 100Mb): such a figure is never fully certain. `per` is `year` for a heading such as 万元/年.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from app.domain.remarks import Remark


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit word: canonical figure = written figure × factor."""

    dimension: str
    factor: Decimal = Decimal(1)
    guessed: bool = False
    currency: str | None = None
    note: Remark = ()
    per: str = ""


def _scaled(dimension: str, table: dict[str, str], *, guessed: bool = False, code: str = "") -> dict[str, Unit]:
    return {
        word: Unit(dimension, Decimal(factor), guessed, None, (code, word) if code else ())
        for words, factor in table.items()
        for word in words.split("|")
    }


_RATES = {
    "bps|bit/s|b/s|bits/s|比特/秒": "1",
    "Kbps|kbps|Kb/s|kb/s|kbit/s|Kbit/s": "1e3",
    "Mbps|mbps|Mb/s|Mbit/s|Mbits/s|Mbit/sec|Mb/sec|兆比特/秒|兆bps|兆位/秒": "1e6",
    "Gbps|gbps|Gb/s|Gbit/s|Gbits/s|Gbit/sec|GbE|GE|GigE|千兆比特/秒|吉比特/秒": "1e9",
    "Tbps|tbps|Tb/s|Tbit/s|TbE": "1e12",
    "Kibps|Kibit/s": "1024", "Mibps|Mibit/s": "1048576", "Gibps|Gibit/s": "1073741824",
    "KB/s|kB/s|KBps": "8e3", "MB/s|MBps|MByte/s|兆字节/秒": "8e6", "GB/s|GBps|GByte/s": "8e9",
    "MiB/s": "8388608", "GiB/s": "8589934592",
}  # fmt: skip
_GUESSED_RATES = {
    "M|Mb|兆": "1e6", "G|Gb|吉": "1e9", "T|Tb": "1e12", "k|K|Kb": "1e3",
    "MBPS": "1e6", "GBPS": "1e9", "千兆": "1e9", "万兆": "1e10",
}  # fmt: skip
_TIMES = {
    "ns|纳秒": "1e-9", "us|μs|usec|微秒|microsecond|microseconds|microsec": "1e-6",
    "ms|msec|msecs|毫秒|millisecond|milliseconds|mS|Ms|MS": "1e-3",
    "s|S|sec|secs|second|seconds|秒|秒钟": "1", "min|mins|minute|minutes|分钟|分": "60",
    "h|H|hr|hrs|hour|hours|小时|个小时|时|clock hours|clock hour|自然小时|时间小时": "3600",
    "d|day|days|天|日|个自然日|自然日|calendar days|calendar day": "86400",
    "week|weeks|周|星期|个星期": "604800",
}  # fmt: skip
_WORKING_TIMES = {
    "business hours|business hour|working hours|working hour|工作小时|个工作小时": "3600",
    "business days|business day|working days|working day|工作日|个工作日": "86400",
}
_CALENDAR = {
    "month|months|mo|mth|mths|个月|月|个自然月|个月份": "1",
    "year|years|yr|yrs|年|周年": "12", "quarter|quarters|季度|个季度|季": "3",
}  # fmt: skip
_RATIOS = {
    "%|percent|per cent|pct|个百分点|百分点|percentage points": "0.01",
    "‰|permille|per mille|per mil": "0.001", "‱": "0.0001", "ppm|PPM": "1e-6", "ppb|PPB": "1e-9",
}  # fmt: skip
_BYTES = {
    "byte|bytes|Byte|Bytes|字节|octet|octets|B": "1", "KB|kB|千字节": "1000", "KiB": "1024",
    "MB|兆字节": "1e6", "MiB": "1048576", "GB|吉字节": "1e9", "GiB": "1073741824",
}  # fmt: skip
_LENGTHS = {"km|KM|Km|公里|千米|kilometres|kilometers|kilometre|kilometer": "1", "mile|miles|英里": "1.609344"}
_COUNTS = {"条|路|路由|hop|hops|跳|家|个|paths|path|suppliers|台": "1"}

WORKING_NOTE: Final = "{word}"
CURRENCY_WORDS: Final[dict[str, str]] = {
    "人民币": "CNY", "CNY": "CNY", "RMB": "CNY", "元": "CNY", "¥": "CNY", "￥": "CNY", "圆": "CNY", "块": "CNY",
    "USD": "USD", "US$": "USD", "美元": "USD", "$": "USD", "美金": "USD",
    "EUR": "EUR", "€": "EUR", "欧元": "EUR", "euro": "EUR", "euros": "EUR",
    "GBP": "GBP", "£": "GBP", "英镑": "GBP", "HKD": "HKD", "HK$": "HKD", "港币": "HKD", "港元": "HKD",
    "SGD": "SGD", "S$": "SGD", "JPY": "JPY", "日元": "JPY", "円": "JPY", "AUD": "AUD", "A$": "AUD",
    "CAD": "CAD", "CHF": "CHF", "TWD": "TWD", "NT$": "TWD", "KRW": "KRW", "INR": "INR",
}  # fmt: skip
MULTIPLIERS: Final[dict[str, Decimal]] = {
    "百万": Decimal(10**6), "千万": Decimal(10**7), "百": Decimal(100), "千": Decimal(1000),
    "万": Decimal(10**4), "亿": Decimal(10**8), "萬": Decimal(10**4),
    "k": Decimal(1000), "K": Decimal(1000), "M": Decimal(10**6), "million": Decimal(10**6),
    "thousand": Decimal(1000),
}  # fmt: skip

UNITS: Final[dict[str, Unit]] = {
    **_scaled("rate", _RATES),
    **_scaled("rate", _GUESSED_RATES, guessed=True, code="taken_as_bit_rate"),
    **_scaled("time", _TIMES),
    **_scaled("time", _WORKING_TIMES, guessed=True),
    **_scaled("calendar", _CALENDAR),
    **_scaled("ratio", _RATIOS),
    **_scaled("byte", _BYTES),
    **_scaled("km", _LENGTHS),
    **_scaled("count", _COUNTS),
    **{word: Unit("money", Decimal(1), currency=code) for word, code in CURRENCY_WORDS.items()},
}
UNITS_NO_CASE: Final[dict[str, Unit]] = {
    **{w.casefold(): u for w, u in UNITS.items() if len(w) > 2 and w not in _GUESSED_RATES},  # noqa: PLR2004
    "gb/s": UNITS["Gb/s"], "mb/s": UNITS["Mb/s"],
    "kb/s": UNITS["kb/s"], "gbps": UNITS["Gbps"], "mbps": UNITS["Mbps"], "kbps": UNITS["kbps"],
}  # fmt: skip
# One-character units that also open longer words.
NO_UNIT_BEFORE: Final[dict[str, frozenset[str]]] = {
    word: frozenset(after)
    for word, after in {
        "时": "延间刻长限段", "分": "别段级位析项册公", "日": "志常", "月": "租费均付", "年": "费租均付", "路": "由径",
        "条": "款件例", "家": "庭", "季": "付", "天": "然线", "秒": "级", "个": "别人",
    }.items()
}  # fmt: skip
WORKING_WORDS: Final = frozenset(w for words in _WORKING_TIMES for w in words.split("|"))


def unit_of(word: str) -> Unit | None:
    """The unit a word names, with its case first; None if it names none."""
    return UNITS.get(word) or UNITS_NO_CASE.get(word.casefold())
