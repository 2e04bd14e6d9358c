"""From the nominal rate of a line to the rate a job really gets: the waterfall, for one set of conditions.

nominal → weakest segment → contention → headers → window → loss. Product of the shares, capped by window and
streams (contract, Rules of judgement 2). The same function serves the prediction and, inverted, the loss limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.formulas.headers import header_efficiency, header_overhead, rdma_payload, tcp_mss
from app.domain.formulas.line import BITS
from app.domain.formulas.tcp import cubic_loss_limit, cubic_throughput
from app.domain.formulas.transport import (
    bbr_throughput,
    go_back_n_efficiency,
    selective_repeat_efficiency,
    window_throughput,
)
from app.domain.problems import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.working import Ledger

RDMA = frozenset({"rdma_go_back_n", "rdma_selective_repeat", "infiniband"})
GO_BACK_N = frozenset({"rdma_go_back_n", "infiniband"})
ETHERNET_MTU = 1500


def is_rdma(transport: str) -> bool:
    """Whether a transport is RDMA (RoCE or InfiniBand) rather than TCP."""
    return transport in RDMA


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """One set of operating conditions of a line, canonical units.

    `quoted` is the rate as sold, `rate` the weakest segment; `window` is the sum over all streams, None = tuned.
    `cautious` takes go-back-N as measured, not as its formula promises: it collapses when a window loses a packet.
    """

    quoted: float
    rate: float
    contention: float
    rtt: float
    loss: float
    transport: str
    payload: int
    overhead: int
    streams: int
    window: float | None = None
    cautious: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the waterfall: the rate left after it (bit/s)."""

    stage: str
    rate: float


def payload_and_overhead(transport: str, wanted: int, mtu: float, encapsulation: Sequence[str]) -> tuple[int, int]:
    """Payload and wire overhead (byte) of one full packet on a path of this MTU; payload 0 when nothing fits."""
    overhead = header_overhead(transport=transport, encapsulation=encapsulation)
    try:
        if is_rdma(transport):
            return int(rdma_payload(payload=wanted, mtu=mtu)), overhead
        return int(tcp_mss(mtu=mtu, encapsulation=encapsulation, timestamps=1)), overhead
    except InputError:
        return 0, overhead


def _go_back_n(c: Conditions, shared: float, rate: float) -> float:
    # The bandwidth-delay product is taken at the rate after contention, before headers (contract, rule 2).
    promised = rate * go_back_n_efficiency(packet_loss=c.loss, bandwidth=shared, rtt=c.rtt, mtu=c.payload)
    lossy = c.loss * c.rtt
    if not c.cautious or lossy <= 0:
        return promised
    if c.loss > p.GO_BACK_N_COLLAPSE.value:
        return 0.0
    # One loss a window (p·Wp = 1) is the most a sender can bear: paced to that rate it keeps half of it.
    paced = BITS * c.payload / lossy / 2
    return min(promised, paced * rate / shared)


def _selective_repeat(c: Conditions, shared: float, rate: float) -> float:  # noqa: ARG001 - one shape for all
    return rate * selective_repeat_efficiency(packet_loss=c.loss)


def _cubic(c: Conditions, shared: float, rate: float) -> float:  # noqa: ARG001 - one shape for all
    rate *= p.CONGESTION_CAP.value
    if c.loss <= 0 or c.rtt <= 0:
        return rate
    return min(rate, c.streams * cubic_throughput(mss=c.payload, rtt=c.rtt, packet_loss=c.loss))


def _bbr(c: Conditions, shared: float, rate: float) -> float:  # noqa: ARG001 - one shape for all
    return bbr_throughput(bandwidth=rate, packet_loss=c.loss)


AFTER_LOSS: dict[str, Callable[[Conditions, float, float], float]] = {
    "rdma_go_back_n": _go_back_n,
    "infiniband": _go_back_n,
    "rdma_selective_repeat": _selective_repeat,
    "tcp_cubic": _cubic,
    "tcp_bbr": _bbr,
}


def waterfall(c: Conditions) -> tuple[Stage, ...]:
    """The rate after every stage; the last is the effective rate."""
    shared = c.rate / max(1.0, c.contention)
    framed = shared * header_efficiency(payload=c.payload, overhead=c.overhead)
    if framed <= 0:  # the path cannot carry one packet of this transport
        return (
            Stage("nominal", c.quoted),
            Stage("weakest_segment", c.rate),
            Stage("oversubscription", shared),
            *(Stage(name, 0.0) for name in ("headers", "window", "loss")),
        )
    windowed = framed
    if c.window is not None and c.rtt > 0:
        windowed = min(framed, window_throughput(window=c.window, rtt=c.rtt))
    effective = min(windowed, AFTER_LOSS[c.transport](c, shared, framed))
    return (
        Stage("nominal", c.quoted),
        Stage("weakest_segment", c.rate),
        Stage("oversubscription", shared),
        Stage("headers", framed),
        Stage("window", windowed),
        Stage("loss", effective),
    )


def effective_rate(c: Conditions) -> float:
    """The last stage of the waterfall (bit/s)."""
    return waterfall(c)[-1].rate


@dataclass(frozen=True, slots=True)
class Reference:
    """Reference conditions: round-trip time (s), payload (byte) and transport, the same for every bidder."""

    rtt: float
    payload: int
    transport: str
    streams: int


def loss_limit(where: Reference, floor: float, target: float, tcp_cap: float, ledger: Ledger) -> float:
    """Highest packet loss ratio at which a line of `target` still delivers `floor`, at reference conditions.

    Capped by the article's 1e-5 for RDMA and by the class limit for TCP, where TCP's own need is looser.
    """
    if where.transport in GO_BACK_N:
        need = ledger.compute("go_back_n_loss_need", floor=floor, target=target, payload=where.payload, rtt=where.rtt)
        return min(need, p.RDMA_LOSS_CAP.value)
    if where.transport == "rdma_selective_repeat":
        return min(1 - floor / target, p.RDMA_LOSS_CAP.value)
    if where.transport == "tcp_bbr":
        return min(1 - floor / target, tcp_cap)
    return min(cubic_loss_limit(mss=where.payload, rtt=where.rtt, bandwidth=floor / where.streams), tcp_cap)
