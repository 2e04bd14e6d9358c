"""How one end of a prediction came about, line by line: rate of the offer, then what the job makes of it.

Recomputed when asked for, from the same conditions; assessing an offer does not pay for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.formulas.headers import header_efficiency
from app.domain.formulas.tcp import cubic_throughput
from app.domain.formulas.transport import go_back_n_efficiency, selective_repeat_efficiency
from app.domain.prediction import cautious, hopeful, sigma_of
from app.domain.terms import JITTER_SIGMAS, term
from app.domain.text import Text
from app.domain.transport import GO_BACK_N, effective_rate, is_rdma, waterfall
from app.domain.working import Ledger, Working

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.demand import TrainingDemand, Worked
    from app.domain.prediction import Reading
    from app.domain.transport import Conditions

ENDS = ("central", "low", "high")
# Formulas whose result bounds the rate of the payload.
BOUNDS = frozenset(
    {"payload_rate", "window_throughput", "go_back_n_paced_rate", "bbr_throughput", "tcp_aggregate_throughput"}
)
WORDS = {
    "central": Text("中值：按承诺值", "Central: as promised"),
    "low": Text("低端：最不利读法，己方未调优", "Low end: worst readings, nothing of your own tuned"),
    "high": Text("高端：最有利读法，无丢包", "High end: best readings, no loss"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EndWorking:
    """The lines of one end: `central`, `low` or `high`.

    `lines` lead from the promises to every rate that bounds the payload and then, from place `job` on, to the step;
    `rates` are those bounds, `effective` the least of them and `left` what another scenario leaves of it (bit/s).
    """

    end: str
    lines: tuple[Working, ...]
    job: int
    rates: tuple[float, ...]
    effective: float
    left: float
    conditions: Conditions


def _conditions(reading: Reading, end: str) -> Conditions | None:
    best = reading.best
    made = {
        "central": reading.central,
        "low": cautious(reading),
        "high": None if best is None else hopeful(reading, best),
    }
    return made[end]


def _packet(reading: Reading, c: Conditions, mtu: float, ledger: Ledger) -> None:
    """Lines of one full packet: its payload and what surrounds it."""
    stack = reading.encapsulation
    if is_rdma(c.transport):
        ledger.compute("rdma_payload", payload=reading.workload.network.payload_bytes, mtu=mtu)
    else:
        ledger.compute("tcp_mss", mtu=mtu, encapsulation=stack, timestamps=1)
    ledger.compute("header_overhead", transport=c.transport, encapsulation=stack)


def _rate(c: Conditions) -> Iterator[Worked]:
    """Lines from the weakest segment to every rate that bounds the payload; those are `payload_rate` and the like."""
    framing = {"payload": float(c.payload), "overhead": float(c.overhead)}
    share = header_efficiency(payload=c.payload, overhead=c.overhead)
    after = {"bandwidth": c.rate, "oversubscription": c.contention, "header_efficiency": share}
    shared = c.rate / max(1.0, c.contention)
    yield "header_efficiency", framing
    kept = 1.0
    if c.loss > 0 and c.transport in GO_BACK_N:
        lossy = {"packet_loss": c.loss, "bandwidth": shared, "rtt": c.rtt, "mtu": float(c.payload)}
        kept = go_back_n_efficiency(**lossy)
        yield "go_back_n_efficiency", lossy
    elif c.loss > 0 and c.transport == "rdma_selective_repeat":
        kept = selective_repeat_efficiency(packet_loss=c.loss)
        yield "selective_repeat_efficiency", {"packet_loss": c.loss}
    yield "payload_rate", after | {"loss_efficiency": kept}
    yield from _caps(c, shared * share, share)


def _caps(c: Conditions, framed: float, share: float) -> Iterator[Worked]:
    """Lines of whatever caps the rate further: window, loss of a TCP stream, go-back-N as measured."""
    if c.window is not None and c.rtt > 0:
        yield "window_throughput", {"window": c.window, "rtt": c.rtt}
    if c.cautious and c.loss > 0 and c.rtt > 0 and c.transport in GO_BACK_N:
        pace = {"payload": float(c.payload), "packet_loss": c.loss, "rtt": c.rtt}
        yield "go_back_n_paced_rate", pace | {"header_efficiency": share}
    if c.transport == "tcp_bbr":
        yield "bbr_throughput", {"bandwidth": framed, "packet_loss": c.loss}
    if c.transport == "tcp_cubic":
        one = framed
        if c.loss > 0 and c.rtt > 0:
            stream = {"mss": float(c.payload), "rtt": c.rtt, "packet_loss": c.loss}
            one = cubic_throughput(**stream)
            yield "cubic_throughput", stream
        yield "tcp_aggregate_throughput", {"streams": c.streams, "stream_rate": one, "bandwidth": framed}


def _jitter(reading: Reading) -> tuple[Worked, ...]:
    """The line that turns the promised statistic into a standard deviation, where one is promised."""
    found = term(reading.offer, "jitter")
    statistic = found.fact.statistic if found.fact is not None else None
    if found.number is None or statistic not in JITTER_SIGMAS:
        return ()
    return (("promised_sigma", {"jitter": found.number, "quantile": JITTER_SIGMAS[statistic]}),)


def _demand(reading: Reading, end: str) -> TrainingDemand | None:
    lines = reading.lines
    return (lines.doubtful or lines.training) if end == "low" else lines.training


def _mtu(reading: Reading, end: str) -> float | None:
    span = reading.mtu
    return {"central": span.central, "low": span.worst, "high": span.best}[end]


def prediction_working(reading: Reading, ends: Sequence[str] = ENDS) -> tuple[EndWorking, ...]:
    """The working of every end asked for that can be computed."""
    found = []
    for end in ends:
        conditions, mtu = _conditions(reading, end), _mtu(reading, end)
        if conditions is None or mtu is None or waterfall(conditions)[-1].rate <= 0:
            continue
        ledger, demand = Ledger(), _demand(reading, end)
        _packet(reading, conditions, mtu, ledger)
        ledger.show(tuple(_rate(conditions)))
        effective, job = effective_rate(conditions), len(ledger.lines)
        rates = tuple(line.value for line in ledger.lines if line.formula in BOUNDS)
        left = effective - reading.lines.reserved
        if demand is not None and left > 0:
            ledger.show(_jitter(reading))
            ledger.show(demand.exchange_working(left, conditions.rtt, sigma_of(reading, end)))
        found.append(
            EndWorking(
                end=end, lines=tuple(ledger.lines), job=job, rates=rates, effective=effective, left=left,
                conditions=conditions,
            )
        )  # fmt: skip
    return tuple(found)
