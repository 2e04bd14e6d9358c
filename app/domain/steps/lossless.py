"""Is the line lossless over its distance? A named mechanism is weighed against the buffer that PFC would need."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.formulas.delay import pfc_headroom
from app.domain.questions import ask
from app.domain.steps.common import GATE, KEY, OFF, facts_of, failed, layer, passed, unknown
from app.domain.terms import TRANSPARENT_LAYERS, term
from app.domain.text import Text
from app.domain.transport import GO_BACK_N, is_rdma

if TYPE_CHECKING:
    from app.domain.facts import Fact
    from app.domain.rules import Case, Finding, Grade

MEGA = 1e6
# Words of a mechanism that is lossless only as far as its buffer reaches, and a buffer with its unit.
BUFFERED = re.compile(r"PFC|ECN|DCQCN|RoCE|buffer|缓存|缓冲", re.IGNORECASE)
BUFFER = re.compile(r"(\d+(?:\.\d+)?)\s*([MG])i?B")
BUFFER_UNITS = {"M": 1e6, "G": 1e9}
SMALL = Text("所需缓存余量 {mb:.3g} MB，一般交换机即可承受。", "The headroom of {mb:.3g} MB fits an ordinary switch.")
DEEP = Text(
    "缓存 {has:.3g} MB，不小于此距离每端口所需的 {mb:.3g} MB。",
    "A buffer of {has:.3g} MB holds the {mb:.3g} MB a port needs at this distance.",
)
SHORT = Text(
    "缓存 {has:.3g} MB，小于直线距离每端口所需的 {mb:.3g} MB：在此距离上做不到无损。",
    "A buffer of {has:.3g} MB is less than the {mb:.3g} MB a port needs even over the straight line: not lossless here.",
)
SUPPORTED = Text(
    "只写「支持 RoCE 无损」不够：此距离每端口需 {mb} MB 缓存余量，须说明机制。",
    "“RoCE lossless supported” is not enough: at this distance a port needs {mb} MB of headroom; the mechanism must be named.",
)
PAUSES = Text(
    "PFC、ECN 只在缓存够用时无损：此距离每端口需 {mb} MB 余量，须写明缓存大小与光缆长度。",
    "PFC and ECN are lossless only as far as the buffer reaches: at this distance a port needs {mb} MB; state buffer and fibre length.",
)


def lossless(case: Case) -> Finding:
    """Lossless by type of product, by a named mechanism, or by a buffer that reaches."""
    found, mechanism = term(case.offer, "lossless_transport"), term(case.offer, "lossless_mechanism")
    facts = facts_of(found, mechanism)
    if found.flag is False:
        return failed(
            Text(
                "供应商明确不支持无损传输，而所用传输协议不能容忍丢包。",
                "The vendor says no lossless transport, and the transport used cannot bear loss.",
            ),
            facts,
            required=True,
            offered=False,
        )
    if layer(case) in TRANSPARENT_LAYERS:
        return passed(
            Text(
                "透明波长或 OTN，线路内没有排队丢包。",
                "A transparent wave or OTN: nothing queues and drops inside the line.",
            ),
            facts or facts_of(term(case.offer, "layer")),
            required=True,
            offered=True,
        )
    if found.flag is None:
        return unknown(
            Text("未写明是否支持无损传输。", "Not stated whether the transport is lossless."),
            ask("lossless"),
            facts=facts,
            required=True,
        )
    return _by_mechanism(case, mechanism.word or "", facts)


def _by_mechanism(case: Case, named: str, facts: tuple[Fact, ...]) -> Finding:
    if named and not BUFFERED.search(named):
        return passed(Text("已写明无损机制。", "The lossless mechanism is named."), facts, required=True, offered=True)
    least, likely = _headroom(case, 1.0), _headroom(case, case.policy.route_factor)
    size = BUFFER.search(named)
    held = None if size is None else float(size[1]) * BUFFER_UNITS[size[2]]
    if held is not None and least is not None and held < least:
        return failed(SHORT.format(has=held / MEGA, mb=least / MEGA), facts, required=True, offered=False)
    if held is not None and likely is not None and held >= likely:
        return passed(DEEP.format(has=held / MEGA, mb=likely / MEGA), facts, required=True, offered=True)
    if held is None and likely is not None and likely <= p.HEADROOM_BUFFER.value:
        return passed(SMALL.format(mb=likely / MEGA), facts, required=True, offered=True)
    text, shown = PAUSES if named else SUPPORTED, "?" if likely is None else f"{likely / MEGA:.3g}"
    return unknown(text.format(mb=shown), ask("lossless"), facts=facts, required=True, offered=True)


def _headroom(case: Case, factor: float) -> float | None:
    """Buffer a lossless class and port needs (byte) over the vendor's route, else `factor` × the straight line."""
    distance = term(case.offer, "distance").number or (case.workload.distance_km or 0.0) * factor
    rate = case.reading.rate.central
    return pfc_headroom(bandwidth=rate, distance=distance, mtu=case.reading.mtu.best) if rate and distance else None


def lossless_grade(case: Case) -> Grade | None:
    """A gate for go-back-N, a key point for selective repeat, off where TCP bears loss."""
    transport = case.reading.transport
    split = case.workload.inference is not None and "prefill_decode_split" in case.workload.inference.mode
    if not is_rdma(transport) or case.scenario == "bulk" or (case.scenario == "inference" and not split):
        return OFF
    return GATE if transport in GO_BACK_N else KEY
