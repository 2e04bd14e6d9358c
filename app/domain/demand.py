"""What a job asks of the line in time: one exchange at a rate, a round-trip time and a jitter.

The same functions predict an offer and are inverted into the red lines, so that the two can never disagree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.domain.formulas.bulk import transfer_time
from app.domain.formulas.jitter import jitter_step_delay
from app.domain.formulas.line import bandwidth_floor, exposed_time, rtt_limit, sync_time
from app.domain.formulas.pipeline import pipeline_step_time

if TYPE_CHECKING:
    from collections.abc import Callable

# A registered formula and the inputs put in: what a ledger or a page computes and shows.
Worked = tuple[str, dict[str, float]]

LOWEST_RATE, HIGHEST_RATE = 1e5, 1e18
LONGEST_RTT = 1e4
BISECTIONS = 100


@dataclass(frozen=True, slots=True)
class Exchange:
    """One exchange across the line: `sync` (s), the part the GPUs wait (`exposed`), the step, utilisation."""

    sync: float
    exposed: float
    step: float
    utilization: float


class TrainingDemand(Protocol):
    """What both kinds of training demand answer; all times in s, sizes in byte, rates in bit/s."""

    @property
    def size(self) -> float: ...
    @property
    def hops(self) -> float: ...
    @property
    def interval(self) -> int: ...
    @property
    def step_time(self) -> float: ...
    @property
    def budget(self) -> float: ...
    @property
    def jitter_rounds(self) -> float: ...
    @property
    def flows(self) -> int: ...

    def exchange(self, rate: float, rtt: float, sigma: float) -> Exchange: ...
    def floor(self, rtt: float) -> float | None: ...
    def rtt_limit(self, rate: float) -> float: ...
    def exchange_working(self, rate: float, rtt: float, sigma: float) -> tuple[Worked, ...]: ...
    def floor_working(self, floor: float, rtt: float) -> tuple[Worked, ...]: ...
    def rtt_working(self, rate: float) -> tuple[Worked, ...]: ...
    def room(self, rate: float, rtt: float) -> float: ...
    def jitter_room(self, rate: float, rtt: float, slack: float) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AllReduceDemand:
    """Gradients (or outer gradients) exchanged by a two-level all-reduce every `interval` steps."""

    size: float
    hops: float
    interval: int
    step_time: float
    budget: float
    cover: float
    layers: int
    overlapped: int
    flows: int
    peak: float = 1.0

    @property
    def peak_size(self) -> float:
        """Bytes the limits are set for: bursts of expert traffic count by their peak (policy 0.9)."""
        return self.size * self.peak

    @property
    def jitter_rounds(self) -> float:
        """Dependent rounds each of which waits for the slowest flow."""
        return self.hops

    def exchange(self, rate: float, rtt: float, sigma: float) -> Exchange:
        """T_sync, T_exposed, T_step and utilisation at one operating point."""
        sync = sync_time(
            self.size,
            rate,
            self.hops,
            rtt,
            jitter_step_delay(rounds=self.jitter_rounds, sigma=sigma, flows=self.flows),
        )
        exposed = exposed_time(sync, self.cover, self.layers, self.overlapped)
        step = self.step_time + exposed / self.interval
        return Exchange(sync, exposed, step, self.step_time / step)

    def exchange_working(self, rate: float, rtt: float, sigma: float) -> tuple[Worked, ...]:
        """Lines that give the exchange, in order."""
        got = self.exchange(rate, rtt, sigma)
        jitter = {"rounds": self.jitter_rounds, "sigma": sigma, "flows": self.flows}
        sync = {"size": self.size, "bandwidth": rate, "hops": self.hops, "rtt": rtt}
        exposed = {"sync": got.sync, "cover": self.cover, "layers": self.layers, "overlapped": self.overlapped}
        step = {"step_time": self.step_time, "exposed": got.exposed, "steps": self.interval}
        return (
            *slowest_working(self.flows),
            ("jitter_step_delay", jitter),
            ("sync_time", sync | {"jitter_delay": jitter_step_delay(**jitter)}),
            ("exposed_time", exposed),
            ("waiting_step_time", step),
            ("utilization", step),
        )

    def floor(self, rtt: float) -> float | None:
        """Least effective rate, or None when no rate is enough."""
        return bandwidth_floor(self.peak_size, self.budget, self.hops, rtt) or None

    def rtt_limit(self, rate: float) -> float:
        """Longest round-trip time at `rate`."""
        return rtt_limit(self.peak_size, rate, self.hops, self.budget)

    def floor_working(self, floor: float, rtt: float) -> tuple[Worked, ...]:  # noqa: ARG002 - one shape for all kinds
        """Lines that give the floor."""
        return (("bandwidth_floor", {"size": self.peak_size, "budget": self.budget, "hops": self.hops, "rtt": rtt}),)

    def rtt_working(self, rate: float) -> tuple[Worked, ...]:
        """Lines that give the longest round-trip time at `rate`."""
        inputs = {"size": self.peak_size, "bandwidth": rate, "hops": self.hops, "budget": self.budget}
        return (("rtt_limit", inputs),)

    def room(self, rate: float, rtt: float) -> float:
        """Seconds of the budget left at an operating point without jitter."""
        return self.budget - sync_time(self.peak_size, rate, self.hops, rtt, 0.0)

    def jitter_room(self, rate: float, rtt: float, slack: float) -> float:  # noqa: ARG002 - one shape for all kinds
        """Jitter delay of one exchange (s) that costs `slack` seconds: the same, as nothing hides it."""
        return slack


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineDemand:
    """Activations and their gradients crossing one cut of a 1F1B pipeline (models 3.1)."""

    size: float
    stages: int
    micro_batches: int
    cut_stage: int
    cuts: int
    extra_warmup: int
    forward_time: float
    backward_time: float
    step_time: float
    budget: float
    flows: int
    interval: int = 1

    @property
    def hops(self) -> float:
        """One-way delays on the critical path: m − (p − c) + 2 for plain 1F1B, 2 with enough warm-up; 2 more a cut."""
        further = 2.0 * (self.cuts - 1)
        if self.extra_warmup:
            return 2.0 + further
        return further + max(2, self.micro_batches - (self.stages - self.cut_stage) + 2)

    @property
    def jitter_rounds(self) -> float:
        """Rounds that wait for the slowest flow."""
        return self.hops

    def _arguments(self, delay: float, transfer: float) -> dict[str, float]:
        # A message longer than a stage's work sets the period itself.
        return {
            "stages": self.stages,
            "micro_batches": self.micro_batches,
            "cut_stage": self.cut_stage,
            "cuts": self.cuts,
            "one_way_delay": delay,
            "extra_warmup": self.extra_warmup,
            "forward_time": max(self.forward_time, transfer),
            "backward_time": max(self.backward_time, transfer),
        }

    def _step(self, delay: float, transfer: float) -> float:
        return pipeline_step_time(**self._arguments(delay, transfer))

    def _working(self, rate: float, rtt: float) -> tuple[Worked, ...]:
        message = {"size": self.size / self.micro_batches, "bandwidth": rate}
        transfer = transfer_time(**message)
        step = self._arguments(rtt / 2 + transfer, transfer)
        return (("transfer_time", message), ("pipeline_step_time", step))

    def floor_working(self, floor: float, rtt: float) -> tuple[Worked, ...]:
        """The step at the floor, which is found by bisection of this formula."""
        return self._working(floor, rtt)

    def rtt_working(self, rate: float) -> tuple[Worked, ...]:
        """The step at the longest round-trip time, which is found by bisection of this formula."""
        return self._working(rate, self.rtt_limit(rate))

    def exchange(self, rate: float, rtt: float, sigma: float) -> Exchange:
        """Step time of the cut pipeline; all of the wait is exposed."""
        transfer = transfer_time(size=self.size / self.micro_batches, bandwidth=rate)
        step = self._step(rtt / 2 + transfer, transfer)
        exposed = max(0.0, step - self.step_time) + jitter_step_delay(
            rounds=self.jitter_rounds, sigma=sigma, flows=self.flows
        )
        step = self.step_time + exposed
        return Exchange(exposed, exposed, step, self.step_time / step)

    def exchange_working(self, rate: float, rtt: float, sigma: float) -> tuple[Worked, ...]:
        """Lines that give the step of the cut pipeline, in order."""
        jitter = {"rounds": self.jitter_rounds, "sigma": sigma, "flows": self.flows}
        step = {"step_time": self.step_time, "exposed": self.exchange(rate, rtt, sigma).exposed}
        return (
            *self._working(rate, rtt),
            *slowest_working(self.flows),
            ("jitter_step_delay", jitter),
            ("waiting_step_time", step),
            ("utilization", step | {"steps": 1}),
        )

    def floor(self, rtt: float) -> float | None:
        """Least effective rate by bisection of `exchange`, or None when no rate is enough."""
        return least(lambda rate: self.exchange(rate, rtt, 0.0).exposed <= self.budget, LOWEST_RATE, HIGHEST_RATE)

    def rtt_limit(self, rate: float) -> float:
        """Longest round-trip time at `rate` by bisection of `exchange`."""
        if self.exchange(rate, 0.0, 0.0).exposed > self.budget:
            return 0.0
        broken = least(lambda rtt: self.exchange(rate, rtt, 0.0).exposed > self.budget, 1e-9, LONGEST_RTT)
        return LONGEST_RTT if broken is None else broken

    def room(self, rate: float, rtt: float) -> float:
        """Seconds of the budget left at an operating point without jitter."""
        return self.budget - self.exchange(rate, rtt, 0.0).exposed

    def jitter_room(self, rate: float, rtt: float, slack: float) -> float:  # noqa: ARG002 - one shape for all kinds
        """Jitter delay of one exchange (s) that costs `slack` seconds: the same, as nothing hides it."""
        return slack


def slowest_working(flows: int) -> tuple[Worked, ...]:
    """The line that says how far the slowest of several flows lies out; a single flow has no companion."""
    return (("expected_maximum_normal", {"samples": flows}),) if flows > 1 else ()


def least(holds: Callable[[float], bool], low: float, high: float) -> float | None:
    """Smallest x in [low, high] at which a monotone condition holds (geometric bisection), or None."""
    if not holds(high):
        return None
    if holds(low):
        return low
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
