"""What one offer will really do for one scenario: the waterfall, then sync, step, utilisation, as a band.

`central` uses the promised figures; `low` the worst plausible reading with the default window where the buyer's own
is not known, overlap one setting less than stated and go-back-N as measured; `high` the best reading at no loss (a
loss promise is a ceiling) and at a burst rate that can follow the job. A figure that cannot be computed because the
vendor is silent is None, never zero.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain import terms
from app.domain.elastic import optimistic_rate
from app.domain.formulas.delay import fibre_rtt_floor
from app.domain.terms import Span, term
from app.domain.transport import (
    ETHERNET_MTU,
    Conditions,
    Stage,
    effective_rate,
    is_rdma,
    payload_and_overhead,
    waterfall,
)

if TYPE_CHECKING:
    from app.domain.facts import Offer
    from app.domain.lines import Lines
    from app.domain.serving import ServiceDemand
    from app.domain.workload import Workload

GIGA = 1e9
RDMA_OVERHEAD = 82
# A vendor silent on jitter is reckoned at the highest figure vendors commonly give, printed as an assumption.
ASSUMED_SIGMA = p.JITTER_GATE_BELOW.value / terms.JITTER_SIGMAS["max"]


@dataclass(frozen=True)
class Reading:
    """Every quantity of one offer as a span of plausible values, read once and used by all rules."""

    offer: Offer
    workload: Workload
    lines: Lines

    @cached_property
    def fibre_floor(self) -> float:
        """Round-trip time of light over the straight line (s); 0 without a distance."""
        return fibre_rtt_floor(distance=self.workload.distance_km) if self.workload.distance_km else 0.0

    @cached_property
    def rate(self) -> Span:
        """Weakest rate from A to Z (bit/s)."""
        return terms.rate_span(self.offer)

    @cached_property
    def rtt(self) -> Span:
        """Round-trip time for throughput (s)."""
        return terms.rtt_span(self.offer, self.fibre_floor)

    @cached_property
    def jitter(self) -> Span:
        """Jitter as a standard deviation (s)."""
        return terms.jitter_span(self.offer)

    @cached_property
    def rtt_tail(self) -> Span:
        """Round-trip time for the latency limit (s)."""
        return terms.rtt_tail_span(self.offer, self.fibre_floor, self.jitter)

    @cached_property
    def loss(self) -> Span:
        """Packet loss ratio."""
        return terms.loss_span(self.offer)

    @cached_property
    def contention(self) -> Span:
        """Contention inside the carrier."""
        return terms.contention_span(self.offer)

    @cached_property
    def transport(self) -> str:
        """The buyer's transport, unless the offer names its own."""
        return term(self.offer, "transport").word or self.lines.reference.transport

    @cached_property
    def encapsulation(self) -> tuple[str, ...]:
        """The vendor's encapsulation and the buyer's own on top."""
        vendor = [f.value for f in self.offer.of("encapsulation") if isinstance(f.value, str) and f.value != "none"]
        return tuple(dict.fromkeys([*vendor, *self.workload.network.encapsulation]))

    @cached_property
    def mtu(self) -> Span:
        """Path MTU (byte); silent on a wave or OTN = transparent; else it may be as small as Ethernet's 1,500."""
        found = term(self.offer, "mtu")
        if found.readings:
            return Span(max(found.readings), min(found.readings), found.number)
        wanted = float(self.workload.network.payload_bytes + RDMA_OVERHEAD) if is_rdma(self.transport) else ETHERNET_MTU
        if term(self.offer, "layer").word in terms.TRANSPARENT_LAYERS:
            return Span(wanted, wanted, wanted, derived=True)
        return Span(wanted, min(wanted, ETHERNET_MTU), wanted, derived=True)

    @cached_property
    def window(self) -> float | None:
        """Bytes in flight over all streams: the offer's, else the buyer's; None = tuned, to be verified."""
        offered = term(self.offer, "window").number
        per_stream = self.workload.network.window_bytes
        own = None if per_stream is None else per_stream * self.lines.reference.streams
        known = [w for w in (offered, own) if w is not None]
        return min(known) if known else None

    def conditions(self, rate: float, contention: float, rtt: float, loss: float, mtu: float) -> Conditions:
        """Operating conditions of this offer with the given values put in."""
        payload, overhead = payload_and_overhead(
            self.transport, self.workload.network.payload_bytes, mtu, self.encapsulation
        )
        return Conditions(
            quoted=term(self.offer, "bandwidth").number or rate, rate=rate, contention=contention, rtt=rtt, loss=loss,
            transport=self.transport, payload=payload, overhead=overhead,
            streams=self.lines.reference.streams, window=self.window,
        )  # fmt: skip

    @cached_property
    def best(self) -> Conditions | None:
        """Conditions at every best reading; None when not even a rate is given."""
        if self.rate.best == float("inf"):
            return None
        return self.conditions(self.rate.best, self.contention.best, self.rtt.best, self.loss.best, self.mtu.best)

    @cached_property
    def worst(self) -> Conditions | None:
        """Conditions at every worst reading; None when one of them has no bound and matters."""
        ends = (self.rate.worst, self.contention.worst, self.rtt.worst, self.loss.worst, self.mtu.worst)
        rate, contention, rtt, loss, mtu = ends
        if rate is None or contention is None or rtt is None or loss is None or mtu is None:
            return None
        return self.conditions(rate, contention, rtt, loss, mtu)

    @cached_property
    def central(self) -> Conditions | None:
        """Conditions at the promised figures; None when one that matters is not given."""
        middles = (
            self.rate.central,
            self.contention.central,
            self.rtt.central,
            self.loss.central,
            self.mtu.central,
        )
        rate, contention, rtt, loss, mtu = middles
        if rate is None or contention is None or rtt is None or loss is None or mtu is None:
            return None
        return self.conditions(rate, contention, rtt, loss, mtu)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One end of the prediction. `effective` is the rate after the waterfall (bit/s); the rest by scenario."""

    effective: float
    sync: float | None = None
    exposed: float | None = None
    step: float | None = None
    utilization: float | None = None
    ttft: float | None = None
    ttft_tail: float | None = None
    wait: float | None = None
    load: float | None = None
    token: float | None = None
    transfer: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The outcome in the units of the contract."""
        return {
            "effective_bandwidth_gbps": self.effective / GIGA,
            "sync_time_s": self.sync,
            "exposed_sync_s": self.exposed,
            "step_time_s": self.step,
            "utilization": self.utilization,
            "ttft_s": self.ttft,
            "ttft_p95_s": self.ttft_tail,
            "kv_wait_s": self.wait,
            "kv_load": self.load,
            "tpot_s": self.token,
            "transfer_time_s": self.transfer,
        }


EMPTY: dict[str, Any] = {
    "effective_bandwidth_gbps": None, "sync_time_s": None, "exposed_sync_s": None, "step_time_s": None,
    "utilization": None, "ttft_s": None, "ttft_p95_s": None, "kv_wait_s": None, "kv_load": None, "tpot_s": None,
    "transfer_time_s": None,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prediction:
    """Low, central and high outcome of one offer for one scenario, with the central (else best) waterfall."""

    scenario: str
    low: Outcome | None
    central: Outcome | None
    high: Outcome | None
    stages: tuple[Stage, ...]
    stages_are_best_case: bool

    def as_json(self) -> dict[str, Any]:
        """The prediction in the form of the contract."""
        central = self.central.as_json() if self.central else dict(EMPTY)
        return {
            **central,
            "low": self.low.as_json() if self.low else dict(EMPTY),
            "high": self.high.as_json() if self.high else dict(EMPTY),
            "waterfall": [{"stage": s.stage, "gbps": s.rate / GIGA} for s in self.stages],
            "waterfall_is_best_case": self.stages_are_best_case,
        }


def outcome(reading: Reading, conditions: Conditions, sigma: float, lines: Lines | None = None) -> Outcome:
    """What the job gets under one set of conditions; a mixed job leaves the other scenario its share first."""
    effective = effective_rate(conditions)
    lines = lines or reading.lines
    left = effective - lines.reserved
    if lines.training is not None:
        if left <= 0:
            return Outcome(effective)
        got = lines.training.exchange(left, conditions.rtt, sigma)
        return Outcome(effective, got.sync, got.exposed, got.step, got.utilization)
    if lines.service is not None:
        return _served(lines.service, effective, left, conditions.rtt)
    if lines.bulk is not None and left > 0:
        return Outcome(effective, transfer=lines.bulk.time(left, conditions.rtt))
    return Outcome(effective)


def _served(service: ServiceDemand, effective: float, left: float, rtt: float) -> Outcome:
    """First and next token and the queue at the line; without a first token when that queue never empties."""
    wait, caches = service.queue(left), service.kv_bytes > 0
    return Outcome(
        effective,
        ttft=service.first_token(left, rtt),
        ttft_tail=service.first_token(left, rtt, tail=True),
        wait=wait.mean if wait is not None and caches else None,
        load=service.load(left) if caches and left > service.beside else None,
        token=service.next_token(rtt),
    )


def default_window(reading: Reading) -> float | None:
    """Window to assume at the low end when the buyer's own is not known: RDMA through untuned NCCL channels."""
    if reading.window is not None or not is_rdma(reading.transport) or reading.lines.training is None:
        return reading.window
    return p.NCCL_CHANNELS.value * p.NCCL_BUFFER.value


def cautious(reading: Reading) -> Conditions | None:
    """The worst readings with nothing of the buyer's own tuned and go-back-N as measured; None without a bound."""
    worst = reading.worst
    return None if worst is None else replace(worst, window=default_window(reading), cautious=True)


def sigma_of(reading: Reading, end: str) -> float:
    """Jitter (s, standard deviation) at one end of the band; silence counts as the highest common promise."""
    jitter = reading.jitter
    tail = ASSUMED_SIGMA if jitter.worst is None else jitter.worst
    return {"low": tail, "central": tail if jitter.central is None else jitter.central, "high": jitter.best}[end]


def hopeful(reading: Reading, best: Conditions) -> Conditions:
    """The best readings at no loss, and at the burst rate where it can follow the job; no floor is held to these."""
    return replace(best, rate=optimistic_rate(reading.offer, reading.lines, best.rate), loss=0.0)


def predict(reading: Reading) -> Prediction:
    """Low, central and high outcome of one offer."""
    central, best, worst = reading.central, reading.best, cautious(reading)
    lines = reading.lines
    doubted = replace(
        lines,
        training=lines.doubtful or lines.training,
        service=lines.service.doubted() if lines.service else None,
        bulk=lines.bulk.doubted() if lines.bulk else None,
    )
    low = outcome(reading, worst, sigma_of(reading, "low"), doubted) if worst is not None else None
    middle = outcome(reading, central, sigma_of(reading, "central")) if central is not None else None
    high = outcome(reading, hopeful(reading, best), sigma_of(reading, "high")) if best is not None else None
    shown = central or best
    return Prediction(
        scenario=reading.lines.scenario,
        low=low,
        central=middle,
        high=high,
        stages=waterfall(shown) if shown is not None else (),
        stages_are_best_case=central is None and best is not None,
    )
