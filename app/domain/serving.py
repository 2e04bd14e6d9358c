"""Inference turned into its demand on the line: traffic of each mode, the queue for caches, first and next token.

The modes of a service add up on the line. Time to the first token: round trips + prefill + both queues + the cache
transfer that prefill does not hide (models 13). Its 95th percentile adds that of each queue, which errs on the long
side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.formulas.inference import (
    kv_transfer_exposed,
    prefill_kv_rate,
    split_token_time,
    time_to_first_token,
)
from app.domain.formulas.line import BITS
from app.domain.formulas.queueing import mg1_wait, wait_quantile, wait_share

if TYPE_CHECKING:
    from app.domain.working import Ledger
    from app.domain.workload import Inference

MILLI = 1e-3
ENDLESS = 1e18  # bit/s; no line of this rate is for sale
_HALVINGS = 100


@dataclass(frozen=True, slots=True)
class Wait:
    """A queue: its mean wait and the wait at the quantile judged by (s), at a load."""

    load: float
    mean: float
    tail: float


IDLE = Wait(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Part:
    """What one mode sends: bytes of one request over the line in one direction, and its rate (bit/s) with the burst."""

    mode: str
    size: float
    rate: float


@dataclass(frozen=True, kw_only=True)
class ServiceDemand:
    """What an inference service asks of a line, canonical units; times in s.

    `kv_bytes` is the cache of one request (0 when none crosses), `activations` what the prompt of one request sends
    through a cut model. `limits` are the round-trip limits that do not depend on the rate, each with its reason.
    """

    parts: tuple[Part, ...]
    requests: float
    kv_bytes: float
    activations: float
    prefill: float | None
    prefill_queue: Wait
    layers: int
    first_target: float | None
    token_target: float | None
    token_own: float | None
    groups: int
    user_limit: float | None
    variation: float
    round_trips: float = p.ROUND_TRIPS_WARM.value

    @property
    def rate(self) -> float:
        """Rate of all modes together (bit/s), burst included."""
        return sum(part.rate for part in self.parts)

    @cached_property
    def beside(self) -> float:
        """Rate of the modes that send no cache (bit/s): caches queue for what these leave."""
        return sum(part.rate for part in self.parts if part.mode != "prefill_decode_split")

    @property
    def cut(self) -> bool:
        """Whether the model itself is cut by the line, so that every token crosses."""
        return any(part.mode == "pipeline_split" for part in self.parts)

    @property
    def trips(self) -> float:
        """Round trips in a first token: those of the connection, half of one for a cache, one through a cut model."""
        return self.round_trips + (0.5 if self.kv_bytes else 0.0) + (1.0 if self.cut else 0.0)

    def doubted(self) -> ServiceDemand:
        """The same service on connections that must first be set up, its prompts less alike than stated."""
        variation = max(self.variation, p.PROMPT_VARIATION_DOUBT.value)
        return replace(self, round_trips=p.ROUND_TRIPS_COLD.value, variation=variation)

    def load(self, rate: float) -> float:
        """Share of the line that caches take at an effective rate (what is above 1 never gets through)."""
        left = rate - self.beside
        if left <= 0:
            return float("inf")
        return self.requests * BITS * self.kv_bytes / left

    def queue(self, rate: float) -> Wait | None:
        """Wait of a cache for the line at an effective rate, M/G/1; None when the queue never empties."""
        load = self.load(rate)
        if load >= 1:
            return None
        if not self.kv_bytes:
            return IDLE
        mean = mg1_wait(load=load, service_time=load / self.requests, variation=self.variation)
        return Wait(load, mean, wait_quantile(mean_wait=mean, share=load, quantile=p.WAIT_QUANTILE.value))

    def first_token(self, rate: float, rtt: float, *, tail: bool = False) -> float | None:
        """Time to the first token: mean, or with the queues at their quantile; None: not known or without end."""
        inputs = self.first_token_inputs(rate, rtt, tail=tail)
        return None if inputs is None else time_to_first_token(**inputs)

    def first_token_inputs(self, rate: float, rtt: float, *, tail: bool = False) -> dict[str, float] | None:
        """What the formula of the first token takes at an effective rate and a round-trip time."""
        wait = self.queue(rate)
        if self.prefill is None or wait is None:
            return None
        exposed = BITS * self.activations / rate
        if self.kv_bytes:
            transfer = wait.load / self.requests
            exposed += kv_transfer_exposed(
                transfer=transfer, prefill=self.prefill, layers=self.layers, one_way_delay=rtt / 2
            )
        before = self.prefill_queue
        return {
            "round_trips": self.round_trips + (1.0 if self.cut else 0.0),
            "rtt": rtt,
            "prefill": self.prefill,
            "queue": before.tail + wait.tail if tail else before.mean + wait.mean,
            "kv_exposed": exposed,
        }

    def next_token(self, rtt: float) -> float | None:
        """Time per output token when the line cuts the model; None when it does not or the token time is not given."""
        if not self.cut or self.token_own is None:
            return None
        return split_token_time(own=self.token_own, rtt=rtt, groups=self.groups)

    def prefill_peak(self, instances: int | None) -> float:
        """Rate at which busy prefill instances turn out caches (bit/s); 0 when none crosses or none is given."""
        if instances is None or not self.prefill:
            return 0.0
        return prefill_kv_rate(kv_bytes=self.kv_bytes, prefill=self.prefill, instances=instances)

    def rtt_limits(self, rate: float) -> tuple[tuple[float, str], ...]:
        """Every limit on the round-trip time at an effective rate, tightest first, each with its reason."""
        found: list[tuple[float, str]] = []
        if self.user_limit is not None:
            found.append((self.user_limit, "user"))
        without = self.first_token(rate, 0.0, tail=True)
        if self.first_target is not None and without is not None:
            found.append((max(0.0, self.first_target - without) / self.trips, "ttft"))
        if self.token_target is not None and self.cut:
            found.append((self._token_room(self.token_target), "tpot"))
        return tuple(sorted(found))

    def _token_room(self, target: float) -> float:
        own = self.token_own or 0.0
        return 0.0 if split_token_time(own=own, rtt=0.0, groups=self.groups) > target else target - own

    def rate_for_first_token(self, rtt: float) -> float | None:
        """Least rate that meets the target of the first token at a round-trip time; None: no target, no such rate."""
        target = self.first_target
        best = self.first_token(ENDLESS, rtt, tail=True)
        if target is None or best is None or best > target or not (self.kv_bytes or self.activations):
            return None
        low, high = self.beside + BITS * self.requests * self.kv_bytes, ENDLESS
        for _ in range(_HALVINGS):
            middle = (low * high) ** 0.5
            got = self.first_token(middle, rtt, tail=True)
            low, high = (low, middle) if got is not None and got <= target else (middle, high)
        return high


def kv_per_token(job: Inference, ledger: Ledger) -> float:
    """KV bytes of one token: given, 2 · L · heads · dimension · bytes, or with a latent L · (latent + rope) · bytes."""
    if job.kv_bytes_per_token is not None:
        return job.kv_bytes_per_token
    shape = (
        {"kv_heads": job.kv_heads, "head_dimension": job.head_dimension}
        if job.kv_latent is None
        else {"kv_heads": 0, "head_dimension": 0, "latent": job.kv_latent, "rope": job.kv_rope}
    )
    return ledger.compute("kv_bytes_per_token", layers=job.layers, bytes_per_element=job.bytes_per_element, **shape)


def _text_bytes(job: Inference, ledger: Ledger) -> float:  # noqa: ARG001 - one shape for all modes
    return job.output_tokens * job.reply_bytes_per_token + job.prompt_tokens * p.PROMPT_BYTES.value


def _kv_bytes(job: Inference, ledger: Ledger) -> float:
    return kv_per_token(job, ledger) * job.prompt_tokens * (1 - job.cache_hit_share)


def _activation_bytes(job: Inference, ledger: Ledger) -> float:  # noqa: ARG001 - one shape for all modes
    return (job.prompt_tokens + job.output_tokens) * token_activations(job)


def token_activations(job: Inference) -> float:
    """Bytes that one token sends through a cut model in one direction."""
    return (job.hidden_size or p.HIDDEN_ASSUMED.value) * job.activation_bytes_per_element


SENDS = {"remote": _text_bytes, "prefill_decode_split": _kv_bytes, "pipeline_split": _activation_bytes}


def inference_demand(job: Inference, ledger: Ledger) -> ServiceDemand:
    """Demand of an inference service; the modes chosen add up on the line."""
    parts: list[Part] = []
    for mode, sends in SENDS.items():
        if mode not in job.mode:
            continue
        size = sends(job, ledger)
        rate = ledger.compute("request_rate", requests=job.requests_per_s, size=size, burst=p.REPLY_BURST.value)
        parts.append(Part(mode, size, rate))
    kv_bytes = next((part.size for part in parts if part.mode == "prefill_decode_split"), 0.0)
    cut = "pipeline_split" in job.mode
    return ServiceDemand(
        parts=tuple(parts),
        requests=job.requests_per_s,
        kv_bytes=kv_bytes,
        activations=job.prompt_tokens * token_activations(job) if cut else 0.0,
        prefill=job.prefill_s,
        prefill_queue=_prefill_queue(job, kv_bytes, ledger),
        layers=job.layers or 1,
        first_target=_seconds(job.ttft_target_ms),
        token_target=_seconds(job.tpot_target_ms),
        token_own=_seconds(job.tpot_own_ms),
        groups=job.groups_in_flight,
        user_limit=_seconds(job.rtt_limit_ms),
        variation=job.prompt_variation,
    )


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds * MILLI


def _prefill_queue(job: Inference, kv_bytes: float, ledger: Ledger) -> Wait:
    """Wait for a free prefill instance; none when the number of instances is not given."""
    count, each = job.prefill_instances, job.prefill_s
    if count is None or not each:
        return IDLE
    if kv_bytes:
        ledger.compute("prefill_kv_rate", kv_bytes=kv_bytes, prefill=each, instances=count)
    load = job.requests_per_s * each / count
    share = wait_share(servers=count, load=load)
    if share <= 0:
        return Wait(load, 0.0, 0.0)
    ledger.compute("wait_share", servers=count, load=load)
    mean = ledger.compute("mdc_wait", servers=count, load=load, service_time=each)
    tail = ledger.compute("wait_quantile", mean_wait=mean, share=share, quantile=p.WAIT_QUANTILE.value)
    return Wait(load, mean, tail)
