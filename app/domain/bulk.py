"""A bulk move turned into its demand on the line: data, copies, retries, storage, setting up (models 14)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.formulas.bulk import bulk_rate, bulk_time
from app.domain.formulas.line import BITS

if TYPE_CHECKING:
    from app.domain.workload import Bulk

HOUR, GIGA = 3600.0, 1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkDemand:
    """What a bulk move asks: bytes over the line, the window (s), the slower of reading and writing (bit/s, 0: any)."""

    size: float
    window: float
    storage: float
    retry_share: float
    round_trips: float

    def rate(self, rtt: float) -> float:
        """Least effective rate at a round-trip time (bit/s); 0 when no line can: setting up or storage is too slow."""
        need = bulk_rate(
            size=self.size, window=self.window, retry_share=self.retry_share, round_trips=self.round_trips, rtt=rtt
        )
        return 0.0 if self.storage and need > self.storage else need

    def time(self, rate: float, rtt: float) -> float:
        """Seconds the move takes at an effective rate."""
        return bulk_time(
            size=self.size, bandwidth=rate, storage=self.storage, retry_share=self.retry_share,
            round_trips=self.round_trips, rtt=rtt,
        )  # fmt: skip

    def doubted(self) -> BulkDemand:
        """The same move with more sent again than stated."""
        return replace(self, retry_share=max(self.retry_share, p.RETRY_DOUBT.value))


def bulk_demand(job: Bulk) -> BulkDemand:
    """Copies over one line are bytes of that line; with a line for each site they share the source's storage."""
    own_lines = job.distribution == "line_per_site"
    read, write = (
        None if rate is None else rate * BITS * GIGA for rate in (job.storage_read_gb_per_s, job.storage_write_gb_per_s)
    )
    if read is not None and own_lines:
        read /= job.copies
    if write is not None and not own_lines:
        write *= job.copies  # each copy is written at a place of its own
    return BulkDemand(
        size=job.bytes * (1 if own_lines else job.copies),
        window=job.window_h * HOUR,
        storage=min((rate for rate in (read, write) if rate is not None), default=0.0),
        retry_share=job.retry_share,
        round_trips=job.setup_round_trips,
    )
