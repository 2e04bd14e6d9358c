"""Inference and bulk transfer turned into their demand on the line (models 13 and 14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.formulas.inference import md1_wait
from app.domain.formulas.line import BITS

if TYPE_CHECKING:
    from app.domain.working import Ledger
    from app.domain.workload import Bulk, Inference

MILLI = 1e-3
HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceDemand:
    """What an inference service asks: mean and floor rate (bit/s), and the limits on the round-trip time (s).

    `kv_bytes` is the KV cache of one request (0 when none crosses); `strict` is True when the round-trip limit
    is the buyer's own line, which holds strictly below.
    """

    rate: float
    kv_bytes: float
    requests_per_s: float
    rtt_limit: float | None
    rtt_reason: str
    strict: bool
    per_token: bool

    def wait(self, rate: float) -> float | None:
        """Mean queueing wait (s) of a KV transfer at an effective rate, M/D/1; None when the queue never empties."""
        if not self.kv_bytes:
            return 0.0
        service = BITS * self.kv_bytes / rate
        load = self.requests_per_s * service
        return md1_wait(load=load, service_time=service) if load < 1 else None


def kv_per_token(job: Inference, ledger: Ledger) -> float:
    """KV bytes of one token: given, or 2 · L · heads · dimension · bytes."""
    if job.kv_bytes_per_token is not None:
        return job.kv_bytes_per_token
    return ledger.compute(
        "kv_bytes_per_token",
        layers=job.layers,
        kv_heads=job.kv_heads,
        head_dimension=job.head_dimension,
        bytes_per_element=job.bytes_per_element,
    )


def inference_demand(job: Inference, ledger: Ledger) -> ServiceDemand:
    """Floor rate and round-trip limit of an inference service; the modes chosen add up on the line."""
    rate, kv_bytes = 0.0, 0.0
    if "remote" in job.mode or "pipeline_split" in job.mode:
        each = job.output_tokens * job.reply_bytes_per_token + job.prompt_tokens * p.PROMPT_BYTES.value
        rate += ledger.compute("request_rate", requests=job.requests_per_s, size=each, burst=p.REPLY_BURST.value)
    if "prefill_decode_split" in job.mode:
        kv_bytes = kv_per_token(job, ledger) * job.prompt_tokens * (1 - job.cache_hit_share)
        rate += ledger.compute("request_rate", requests=job.requests_per_s, size=kv_bytes, burst=p.REPLY_BURST.value)
    limit, reason = _rtt_limit(job)
    return ServiceDemand(
        rate=rate,
        kv_bytes=kv_bytes,
        requests_per_s=job.requests_per_s,
        rtt_limit=limit,
        rtt_reason=reason,
        strict=reason == "user",
        per_token="pipeline_split" in job.mode,
    )


def _rtt_limit(job: Inference) -> tuple[float | None, str]:
    """The tightest of the buyer's own line, the time-to-first-token budget and the per-token budget (s)."""
    limits: list[tuple[float, str]] = []
    if job.rtt_limit_ms is not None:
        limits.append((job.rtt_limit_ms * MILLI, "user"))
    if job.ttft_target_ms is not None and job.prefill_s is not None:
        room = job.ttft_target_ms * MILLI - job.prefill_s
        limits.append((max(0.0, room) / p.ROUND_TRIPS_WARM.value, "ttft"))
    if job.tpot_target_ms is not None and "pipeline_split" in job.mode:
        limits.append((job.tpot_target_ms * MILLI, "tpot"))
    return min(limits) if limits else (None, "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkDemand:
    """What a bulk transfer asks: bytes in total, the window (s), the floor rate (bit/s)."""

    size: float
    window: float

    @property
    def rate(self) -> float:
        """Least effective rate: 8 · bytes / window."""
        return BITS * self.size / self.window

    def time(self, rate: float) -> float:
        """Seconds the move takes at an effective rate."""
        return BITS * self.size / rate


def bulk_demand(job: Bulk) -> BulkDemand:
    """Bytes × copies over the window."""
    return BulkDemand(size=job.bytes * job.copies, window=job.window_h * HOUR)
