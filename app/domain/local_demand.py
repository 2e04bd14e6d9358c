"""Local SGD whose outer exchange is spread over layers or steps: the per-layer schedule turned into a demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.demand import LONGEST_RTT, Exchange, least, slowest_working
from app.domain.formulas.jitter import jitter_step_delay
from app.domain.formulas.line import bandwidth_floor, rtt_limit, sync_time
from app.domain.formulas.local_sgd import local_sgd_bandwidth, local_sgd_utilization
from app.domain.problems import InputError

if TYPE_CHECKING:
    from app.domain.demand import Worked

SHORTEST_RTT = 1e-7


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSgdDemand:
    """Outer gradients sent fragment by fragment every `interval` steps, each allowed `overlap_steps` to arrive.

    `size` is what one whole outer exchange moves over one line; `lanes` lines leave a site side by side.
    `utilization` and `sync` are the targets given, at least one of them.
    """

    parameters: float
    layers: int
    bits: float
    fragment_layers: int
    overlap_steps: int
    sites: int
    lanes: int
    size: float
    hops: float
    interval: int
    step_time: float
    flows: int
    utilization: float | None
    sync: float | None

    @property
    def jitter_rounds(self) -> float:
        """Dependent rounds each of which waits for the slowest flow."""
        return self.hops

    @property
    def budget(self) -> float:
        """Seconds of a round that the GPUs may wait, or that the whole exchange may take: the smaller one given."""
        waits = [] if self.utilization is None else [self.interval * (1 / self.utilization - 1) * self.step_time]
        return min([*waits, *([] if self.sync is None else [self.sync])])

    def _schedule(self) -> dict[str, float]:
        return {
            "parameters": self.parameters,
            "layers": self.layers,
            "step_compute_time": self.step_time,
            "sync_interval": self.interval,
            "bits": self.bits,
            "fragment_layers": self.fragment_layers,
            "overlap_steps": self.overlap_steps,
            "replicas": self.sites,
        }

    def _latency(self, rtt: float, sigma: float = 0.0) -> float:
        return self.hops * rtt / 2 + jitter_step_delay(rounds=self.jitter_rounds, sigma=sigma, flows=self.flows)

    def exchange(self, rate: float, rtt: float, sigma: float) -> Exchange:
        """Time of one whole exchange, the wait of a round, the mean step and utilisation by the schedule."""
        jitter = jitter_step_delay(rounds=self.jitter_rounds, sigma=sigma, flows=self.flows)
        sync = sync_time(self.size, rate, self.hops, rtt, jitter)
        share = local_sgd_utilization(
            **self._schedule(), bandwidth=rate * self.lanes, latency=self._latency(rtt, sigma)
        )
        step = self.step_time / share
        return Exchange(sync, max(0.0, (step - self.step_time) * self.interval), step, share)

    def exchange_working(self, rate: float, rtt: float, sigma: float) -> tuple[Worked, ...]:
        """Lines that give the exchange, in order."""
        got = self.exchange(rate, rtt, sigma)
        jitter = {"rounds": self.jitter_rounds, "sigma": sigma, "flows": self.flows}
        sync = {"size": self.size, "bandwidth": rate, "hops": self.hops, "rtt": rtt}
        share = {"bandwidth": rate * self.lanes, "latency": self._latency(rtt, sigma)}
        return (
            *slowest_working(self.flows),
            ("jitter_step_delay", jitter),
            ("sync_time", sync | {"jitter_delay": jitter_step_delay(**jitter)}),
            ("local_sgd_utilization", self._schedule() | share),
            ("waiting_step_time", {"step_time": self.step_time, "exposed": got.exposed, "steps": self.interval}),
        )

    def floor(self, rtt: float) -> float | None:
        """Least effective rate of one line, or None when no rate is enough."""
        floors = []
        if self.sync is not None:
            floors.append(bandwidth_floor(self.size, self.sync, self.hops, rtt))
        if self.utilization is not None:
            asked = self._schedule() | {"target_utilization": self.utilization, "latency": self._latency(rtt)}
            try:
                floors.append(local_sgd_bandwidth(**asked) / self.lanes)
            except InputError:  # latency alone uses up the target
                return None
        return max(floors) if all(floors) else None

    def rtt_limit(self, rate: float) -> float:
        """Longest round-trip time at `rate`."""
        limits = [] if self.sync is None else [rtt_limit(self.size, rate, self.hops, self.sync)]
        if self.utilization is not None:
            target = self.utilization
            broken = least(lambda rtt: self.exchange(rate, rtt, 0.0).utilization < target, SHORTEST_RTT, LONGEST_RTT)
            limits.append(LONGEST_RTT if broken is None else 0.0 if broken <= SHORTEST_RTT else broken)
        return min(limits)

    def room(self, rate: float, rtt: float) -> float:
        """Seconds of the budget left at an operating point without jitter."""
        got = self.exchange(rate, rtt, 0.0)
        rooms = [] if self.sync is None else [self.sync - got.sync]
        if self.utilization is not None:
            rooms.append(self.interval * (1 / self.utilization - 1) * self.step_time - got.exposed)
        return min(rooms)

    def jitter_room(self, rate: float, rtt: float, slack: float) -> float:
        """Jitter delay of every message (s) that costs a round, or the whole exchange, `slack` seconds."""
        calm = self.exchange(rate, rtt, 0.0)

        def costs(delay: float) -> bool:
            later = self.exchange(rate, rtt + 2 * delay / self.hops, 0.0)
            whole = self.sync is not None and later.sync - calm.sync > slack
            return whole or later.exposed - calm.exposed > slack

        return least(costs, SHORTEST_RTT, LONGEST_RTT) or LONGEST_RTT

    def _by_sync(self, rate: float, rtt: float) -> bool:
        """Whether the sync time given binds before utilisation does."""
        if self.utilization is None:
            return True
        return self.sync is not None and sync_time(self.size, rate, self.hops, rtt, 0.0) >= self.sync * (1 - 1e-9)

    def floor_working(self, floor: float, rtt: float) -> tuple[Worked, ...]:
        """Lines that give the floor."""
        if self._by_sync(floor, rtt) and self.sync is not None:
            return (("bandwidth_floor", {"size": self.size, "budget": self.sync, "hops": self.hops, "rtt": rtt}),)
        asked = {"target_utilization": self.utilization or 0.0, "latency": self._latency(rtt)}
        return (("local_sgd_bandwidth", self._schedule() | asked),)

    def rtt_working(self, rate: float) -> tuple[Worked, ...]:
        """The limit by the sync time, or the share at the longest round-trip time, found by bisection."""
        longest = self.rtt_limit(rate)
        if self._by_sync(rate, longest) and self.sync is not None:
            return (("rtt_limit", {"size": self.size, "bandwidth": rate, "hops": self.hops, "budget": self.sync}),)
        asked = {"bandwidth": rate * self.lanes, "latency": self._latency(longest)}
        return (("local_sgd_utilization", self._schedule() | asked),)
