"""Names of the segments of a line (A端接入, 骨干段, "Z-end access") and the labels that give their bandwidth.

A rate under such a label is the rate of that segment, never the bandwidth of the line.
"""

from __future__ import annotations

import re
from typing import Final

from app.sheets.folding import fold
from app.sheets.lexicon import Label

SEGMENT: Final = Label(metric="segment_bandwidth", words="")

_END: Final = r"(?:[ABZ甲乙] ?端|本端|对端|两端|首端|末端)"
_ZH_KIND: Final = r"(?:接入|出口|入口|上联|中继|骨干|干线|核心|长途|城域|省际|省内|国际|跨境|本地|落地|尾线)"
_ZH_PART: Final = r"(?:网段|段|侧)"
_ZH: Final = (
    rf"{_END} ?{_ZH_KIND}?{_ZH_PART}?|{_ZH_KIND}(?:传输)?{_ZH_PART}|(?:骨干|干线|中继)(?:网|链路|电路)?|最后一公里"
    r"|(?!分段|时段|网段)[\u4e00-\u9fff]{1,6}(?<![时分网阶手])段"
)
_EN_END: Final = r"(?:[abz][ -]?(?:end|side)|near[ -]end|far[ -]end|local[ -]end|remote[ -]end)"
_EN_KIND: Final = r"(?:egress|ingress|access|tail|local loop|last[ -]mile|uplink)"
_EN_PART: Final = r"(?:segment|section|leg|part)"
_EN: Final = (
    rf"{_EN_END}(?: {_EN_KIND})?(?: {_EN_PART})?|{_EN_KIND} {_EN_PART}"
    rf"|(?:backbone|core|trunk|long[ -]haul|metro)(?: network)?(?: {_EN_PART})?|(?:tail|last[ -]mile)"
)
_NAME: Final = rf"(?:{_ZH}|{_EN})"
_RATE: Final = r"(?:的? ?(?:链路|端口|电路|接口)?(?:带宽|速率|容量)|,? (?:link )?(?:bandwidth|capacity|speed|rate))"
_OF: Final = r"(?:分段带宽|带宽|bandwidth per segment|segment bandwidth|bandwidth)"

_PER_SEGMENT: Final = r"(?:分段带宽|bandwidth per segment|segment bandwidth)"

_LABELS: Final = tuple(
    re.compile(p, re.IGNORECASE)
    for p in (
        rf"{_PER_SEGMENT} ?[(:\-—/]? ?(?P<name>[^()\d:：,，;；]{{1,24}}?)\)?(?=$|[:：,，;；]| \d)",
        rf"{_OF} ?[(:\-—,/] ?(?P<name>{_NAME}) ?\)?(?=$|[:：,，;；\s])",
        rf"(?<![A-Za-z])(?P<name>{_NAME}){_RATE}(?! ?(?:utili[sz]|usage)|[A-Za-z利使占])",
    )
)
_BARE: Final = re.compile(
    rf"(?:{_END} ?{_ZH_KIND}{_ZH_PART}?|{_ZH_KIND}{_ZH_PART}|{_EN_END} {_EN_KIND}(?: {_EN_PART})?"
    rf"|(?:backbone|core|trunk|{_EN_KIND}) {_EN_PART})",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    rf"(?:{_BARE.pattern}|{_END}|{_EN_END}|骨干网?|中继|干线|backbone|core|trunk)", re.IGNORECASE
)
_GENERAL: Final = re.compile(_PER_SEGMENT, re.IGNORECASE)


def segment_labels(folded: str) -> list[tuple[int, int, str]]:
    """Every segment label of a folded text: start, end and the name of the segment."""
    found: list[tuple[int, int, str]] = []
    for pattern in _LABELS:
        for match in pattern.finditer(folded):
            if not any(s < match.end() and match.start() < e for s, e, _ in found):
                found.append((match.start(), match.end(), match.group("name").strip()))
    return sorted(found)


def segment_of(text: str) -> str | None:
    """The segment a label cell names ("" for 分段带宽 without a name), None when it is no such label."""
    folded = fold(text)
    if _BARE.fullmatch(folded):
        return folded
    found = segment_labels(folded)
    if len(found) == 1:
        return found[0][2]
    return "" if not found and _GENERAL.search(folded) else None


def names_segment(text: str) -> bool:
    """Whether the name of a row (under 路段, say) is that of a segment."""
    return bool(_PLACE.fullmatch(fold(text)))
