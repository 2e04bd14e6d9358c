"""What the words around a figure say: direction, statistic, scope, period, commitment, operator, condition."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from app.sheets import words
from app.sheets.folding import lowered
from app.sheets.lexicon import labels_in
from app.sheets.numbers import mask

if TYPE_CHECKING:
    from app.domain.metrics import Metric
    from app.sheets.numbers import Figure
    from app.sheets.words import Table

_DELAYS: Final = frozenset({"rtt", "one_way_delay", "jitter", "packet_loss", "bit_error_ratio"})
_TIMES: Final = frozenset({"repair_time", "response_time", "failover_time"})
_USED: Final[dict[str, frozenset[str]]] = {
    "direction": frozenset({"rtt", "one_way_delay"}),
    "statistic": _DELAYS | _TIMES,
    "scope": _DELAYS | {"availability"},
    "period": _DELAYS | {"availability"},
    "commitment": _DELAYS | _TIMES | {"availability", "bandwidth", "committed_rate", "mtu"},
}
_TABLES: Final[dict[str, Table]] = {
    "direction": words.DIRECTION,
    "statistic": words.STATISTIC,
    "scope": words.SCOPE,
    "period": words.PERIOD,
    "commitment": words.COMMITMENT,
}
NAMES: Final = tuple(_TABLES)
_MAX_CONDITION = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributes:
    """The qualifying words of a figure; None where nothing is said."""

    direction: str | None = None
    statistic: str | None = None
    scope: str | None = None
    period: str | None = None
    commitment: str | None = None

    def over(self, other: Attributes) -> Attributes:
        """These attributes, with the gaps filled from `other`."""
        return replace(self, **{n: getattr(self, n) or getattr(other, n) for n in NAMES})

    def kinds(self) -> int:
        """How many attributes are said."""
        return sum(getattr(self, n) is not None for n in NAMES)

    def for_metric(self, metric: str) -> Attributes:
        """Only those attributes that mean something for a metric."""
        return replace(self, **{n: getattr(self, n) if metric in _USED[n] else None for n in NAMES})


NOTHING: Final = Attributes()


def carries(metric: str, name: str) -> bool:
    """Whether an attribute (`commitment`, say) means something for a metric."""
    return metric in _USED[name]


def _values(table: Table, text: str) -> list[str]:
    """The values a text says, in order of their first mention; overlapping words of one kind count once."""
    found: list[tuple[int, int, str]] = []
    for pattern, value in table:
        for match in pattern.finditer(text):
            if not any(s < match.end() and match.start() < e for s, e, _ in found):
                found.append((match.start(), match.end(), value))
    return list(dict.fromkeys(v for _, _, v in sorted(found)))


@lru_cache(maxsize=4096)
def attributes_in(text: str, *, last: bool = False) -> Attributes:
    """The attributes of a folded text; a kind with several values counts only with `last` (the nearest)."""
    low = lowered(text)
    said: dict[str, str] = {}
    for name, table in _TABLES.items():
        values = _values(table, low)
        if name == "commitment" and "observed" in values:
            values = ["observed"]
        if name == "scope" and len(values) > 1 and {"end_to_end", "circuit"} == set(values):
            values = ["end_to_end"]
        if len(values) == 1 or (values and last):
            said[name] = values[-1]
    return Attributes(**said)


def operator_of(text: str, figure: Figure, metric: Metric) -> str | None:
    """`<=`, `<`, `>=`, `>`, `=` or None, from the words directly before or after a figure."""
    low = lowered(text)
    before = words.OPERATOR_GAP.sub("", low[: figure.start])
    sign = next((v for p, v in words.BEFORE_OPERATOR if p.search(before)), None)
    after = low[figure.end :].lstrip(" )）,，整")
    if sign is None:
        sign = next((v for p, v in words.AFTER_OPERATOR if p.search(after)), None)
    higher_is_worse = metric.worse.value == "higher"
    if sign == "better":
        return "<" if higher_is_worse else ">"
    if sign == "better_or_equal":
        return "<=" if higher_is_worse else ">="
    return sign


_OPERATOR_WORDS: Final = re.compile(
    "|".join(p.pattern.removesuffix("$").removeprefix("^") for p, _ in (*words.BEFORE_OPERATOR, *words.AFTER_OPERATOR))
)
_FILLER: Final = re.compile(
    r"\b(?:the|a|an|is|are|of|and|to|will|be|per|each|every|any|for|in|at|on|with|by|or|shall|stay|it|its|our|we|this|that|calendar|measured|taken|as)\b"
    r"|按|为|则|的|和|与|及|内|由|统计|计算|考核|提供|乙方|甲方|向|可达|达到|另"
)


def remainder(text: str) -> str:
    """What is left of a text without labels, operators, attribute words and filler: the condition, if any."""
    low = lowered(mask(text))
    for hit in reversed(labels_in(text)):
        low = low[: hit.start] + "\x00" * (hit.end - hit.start) + low[hit.end :]
    keep = list(low)
    for pattern in (
        _OPERATOR_WORDS,
        *(p for t in (words.STATISTIC, words.PERIOD, words.COMMITMENT) for p, _ in t),
        _FILLER,
    ):
        for match in pattern.finditer(low):
            keep[match.start() : match.end()] = "\x00" * (match.end() - match.start())
    spans = "".join(text[i] if c != "\x00" else "\x00" for i, c in enumerate(keep))
    best = max((p.strip(" :：,，、.;；()（）-=/\"'") for p in spans.split("\x00")), key=len, default="")
    return best[:_MAX_CONDITION] if any(c.isalpha() for c in best) else ""
