"""The lines of one scenario: what every offer is held against, frozen once and the same for all bidders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.domain.bulk import BulkDemand
    from app.domain.demand import TrainingDemand
    from app.domain.serving import ServiceDemand
    from app.domain.training import Target
    from app.domain.transport import Reference

GIGA, MILLI = 1e9, 1e-3
P99 = 2.326


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The lines of one scenario, in canonical units. `floor` None: no line of any rate can meet the target.

    `rtt_reason` names what binds: `hops`, `window`, `ttft`, `tpot`, `user`, `none`. `sigma_limit` is the jitter
    as a standard deviation. `size` crosses each of a site's `lanes` lines per exchange and direction. `doubtful` is
    the training demand with the overlap one setting less than stated, and `doubtful_floor` the rate it needs (None: as
    stated, or no rate is enough). `reserved` (bit/s) is what the other scenario of a mixed job takes from the line.
    `availability_need` is the availability at which outages take just their budget from a training job; it is told,
    the gate is `availability_floor`.
    """

    scenario: str
    reference: Reference
    floor: float | None
    target: float | None
    rtt_limit: float | None
    rtt_reason: str
    rtt_strict: bool
    sigma_limit: float | None
    loss_limit: float | None
    availability_floor: float
    size: float
    round_trips: float
    lanes: int = 1
    training: TrainingDemand | None = None
    wanted: Target | None = None
    doubtful: TrainingDemand | None = None
    doubtful_floor: float | None = None
    service: ServiceDemand | None = None
    bulk: BulkDemand | None = None
    reserved: float = 0.0
    availability_need: float | None = None

    @property
    def need(self) -> float | None:
        """Effective rate an offer must have: the floor plus what the other scenario takes."""
        return None if self.floor is None else self.floor + self.reserved

    def as_json(self) -> dict[str, Any]:
        """The lines in the units of the contract; an inference service adds its modes and every round-trip limit."""
        more = {} if self.service is None else _service_json(self.service, self.target or 0.0)
        return more | {
            "bandwidth_floor_gbps": _scaled(self.floor, GIGA),
            "bandwidth_target_gbps": _scaled(self.target, GIGA),
            "rtt_limit_ms": _scaled(self.rtt_limit, MILLI),
            "rtt_limit_reason": self.rtt_reason,
            "jitter_limit_ms": _scaled(self.sigma_limit, MILLI),
            "jitter_p99_limit_ms": _scaled(None if self.sigma_limit is None else self.sigma_limit * P99, MILLI),
            "packet_loss_limit": self.loss_limit,
            "availability_floor": self.availability_floor,
            "availability_need": self.availability_need,
            "bytes_per_step_per_site": self.size * self.lanes,
            "blocking_round_trips_per_step": self.round_trips,
            "reference": {
                "rtt_ms": self.reference.rtt / MILLI,
                "payload_bytes": self.reference.payload,
                "transport": self.reference.transport,
            },
        }


def _service_json(service: ServiceDemand, rate: float) -> dict[str, Any]:
    limits = [{"reason": reason, "rtt_ms": limit / MILLI} for limit, reason in service.rtt_limits(rate)]
    demands = [{"mode": x.mode, "bytes_per_request": x.size, "gbps": x.rate / GIGA} for x in service.parts]
    return {"demands": demands, "rtt_limits": limits}


def _scaled(value: float | None, scale: float) -> float | None:
    return None if value is None else value / scale
