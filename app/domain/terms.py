"""From facts to the one term a rule looks at, with every other plausible reading kept beside it.

Rule 9 of the contract: per metric the guarantee whose condition is empty or matches what is bought; several left
→ the worst, the others as readings. Rule 4: a check is evaluated at the best and at the worst plausible reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from app.domain import parameters as p
from app.domain.facts import Fact, Offer, State
from app.domain.formulas.statistics import frame_loss_from_bit_error_ratio
from app.domain.metrics import BY_ID, Worse

if TYPE_CHECKING:
    from collections.abc import Callable

SOFT_COMMITMENTS = frozenset({"target", "design", "observed"})
TRANSPARENT_LAYERS = frozenset({"wave", "otn"})
CIRCUIT_LAYERS = frozenset({"wave", "otn", "ethernet"})
PAIR_SCOPES = frozenset({"pair", "aggregate"})
STATE_ORDER = (State.STATED, State.AMBIGUOUS, State.ELSEWHERE, State.NONE)
FULL_FRAME_BYTES = 4178
SITE_RATIO = re.compile(r"网卡|叶脊|\bNICs?\b|\bleaf\b|\bspine\b", re.IGNORECASE)
# Standard deviations that one figure of each jitter statistic stands for, for a normal law
# (mean of absolute successive differences = 1.128 σ; contract, Rules of judgement 4).
JITTER_SIGMAS = {"mean": 1.128, "p95": 1.645, "p99": 2.326, "p999": 3.09, "max": 3.09}


@dataclass(frozen=True, slots=True)
class Term:
    """What an offer says on one metric: the chosen fact, its state, and the other facts that stand for the same."""

    metric: str
    state: State
    fact: Fact | None = None
    others: tuple[Fact, ...] = ()

    @property
    def number(self) -> float | None:
        """The chosen figure in the canonical unit, or None when there is no single figure."""
        value = self.fact.value if self.fact and self.state is State.STATED else None
        return float(value) if isinstance(value, Decimal) else None

    @property
    def flag(self) -> bool | None:
        """The chosen yes/no, or None; declining to commit is a no."""
        if self.state is State.NONE:
            return False
        value = self.fact.value if self.fact and self.state is State.STATED else None
        return value if isinstance(value, bool) else None

    @property
    def word(self) -> str | None:
        """The chosen word, or None."""
        value = self.fact.value if self.fact and self.state is State.STATED else None
        return value if isinstance(value, str) else None

    @property
    def readings(self) -> tuple[float, ...]:
        """Every figure in play, the chosen one first."""
        number = self.number
        values = [] if number is None else [number]
        if not self.others and (self.fact is None or not self.fact.readings):
            return tuple(values)
        if self.fact is not None:
            values += [float(r) for r in self.fact.readings]
        values += [float(f.value) for f in self.others if isinstance(f.value, Decimal)]
        return tuple(dict.fromkeys(values))

    @property
    def soft(self) -> bool:
        """True when the figure is a target, a design or an observed value: not a promise."""
        return self.fact is not None and self.fact.commitment in SOFT_COMMITMENTS

    @property
    def confirmed(self) -> bool:
        """True when a person stands behind the reading (or it was given as data)."""
        return self.fact is None or self.fact.confirmed_by is not None

    @property
    def doubtful(self) -> bool:
        """True for an unconfirmed reading below the confidence that may decide a gate."""
        return self.fact is not None and not self.confirmed and self.fact.confidence < p.CONFIDENCE_FLOOR.value


def _is_bought(fact: Fact, *, pair: bool) -> bool:
    """Whether the figure is for what is bought: a pair's figure never stands for one circuit, nor the reverse."""
    return (fact.scope in PAIR_SCOPES) == pair if fact.scope in PAIR_SCOPES or pair else True


def _narrow(facts: list[Fact], *, pair: bool) -> list[Fact]:
    """Keep the best-fitting facts, never none of them: bought scope, then promises, then no condition."""
    tests: tuple[Callable[[Fact], bool], ...] = (
        lambda f: _is_bought(f, pair=pair),
        lambda f: f.commitment not in SOFT_COMMITMENTS,
        lambda f: not f.condition,
    )
    for keep in tests:
        facts = [f for f in facts if keep(f)] or facts
    return facts


def _badness(fact: Fact) -> tuple[int, float, bool, float]:
    """Sort key, worst first: declined beats any figure, then the figure on the metric's bad side.

    Of equal figures the one a person stands behind is used, then the surer reading.
    """
    surer = (fact.confirmed_by is None, -fact.confidence)
    if fact.state is State.NONE:
        return (0, 0.0, *surer)
    worse = BY_ID[fact.metric].worse
    if isinstance(fact.value, bool):
        return (1, float(fact.value), *surer)
    if isinstance(fact.value, Decimal):
        return (1, -float(fact.value) if worse is Worse.HIGHER else float(fact.value), *surer)
    return (2, 0.0, *surer)


def term(offer: Offer, metric: str) -> Term:
    """Choose what the rules look at for one metric of one offer; each is chosen once."""
    if metric not in offer.memo:
        offer.memo[metric] = _choose(offer, metric)
    found: Term = offer.memo[metric]
    return found


def _choose(offer: Offer, metric: str) -> Term:
    facts = list(offer.of(metric))
    if not facts:
        return Term(metric, State.MISSING)
    if len(facts) == 1:
        return Term(metric, facts[0].state, facts[0])
    pair = metric == "availability" and _bought_as_pair(offer)
    kept = _narrow(facts, pair=pair)
    firm = [f for f in kept if f.state in (State.STATED, State.NONE)]
    pool = firm or sorted(kept, key=lambda f: STATE_ORDER.index(f.state))
    chosen = min(pool, key=_badness) if firm else pool[0]
    unclear = next((f for f in kept if f.state is State.AMBIGUOUS), None)
    if unclear is not None:
        chosen = unclear
    return Term(metric, chosen.state, chosen, tuple(f for f in kept if f is not chosen))


def _bought_as_pair(offer: Offer) -> bool:
    return any(isinstance(f.value, Decimal) and f.value > 1 for f in offer.of("paths"))


@dataclass(frozen=True, slots=True)
class Span:
    """The best and the worst plausible value of one quantity, and the central one.

    `worst` None: no bound is known. `central` None: there is no figure to compute with. `derived` marks a value
    that was converted from another metric or another direction.
    """

    best: float
    worst: float | None
    central: float | None
    derived: bool = False

    @property
    def known(self) -> bool:
        """True when both ends are known."""
        return self.worst is not None


def _span(low_is_best: bool, values: tuple[float, ...], central: float | None, open_best: float) -> Span:
    if not values:
        return Span(open_best, None, None)
    best, worst = (min(values), max(values)) if low_is_best else (max(values), min(values))
    return Span(best, worst, central)


def rtt_span(offer: Offer, fibre_floor: float) -> Span:
    """Round-trip time for throughput: without a direction the figure reads as x and as 2x; one-way counts twice.

    `fibre_floor` (s) is the best that physics allows when nothing is said.
    """
    found = term(offer, "rtt")
    values = found.readings
    if values:
        undirected = found.fact is not None and found.fact.direction is None
        spread = tuple(v * k for v in values for k in ((1, 2) if undirected else (1,)))
        central = None if found.number is None else found.number * (2 if undirected else 1)
        return _span(True, spread, central, fibre_floor)
    one_way = term(offer, "one_way_delay")
    doubled = tuple(2 * v for v in one_way.readings)
    if doubled:
        central = None if one_way.number is None else 2 * one_way.number
        return Span(min(doubled), max(doubled), central, derived=True)
    return Span(fibre_floor, None, None)


def rtt_tail_span(offer: Offer, fibre_floor: float, jitter: Span) -> Span:
    """Round-trip time for the latency limit: a mean is judged at mean + jitter, else at 1.5 × mean (policy 1)."""
    base = rtt_span(offer, fibre_floor)
    found = term(offer, "rtt")
    fact = found.fact if found.readings else term(offer, "one_way_delay").fact
    if fact is None or base.worst is None or fact.statistic not in (None, "mean"):
        return base
    tail = (
        base.worst + JITTER_SIGMAS["p99"] * jitter.worst
        if jitter.worst is not None
        else base.worst * p.MEAN_TO_TAIL.value
    )
    return Span(base.best, tail, base.central, base.derived)


def jitter_span(offer: Offer) -> Span:
    """Jitter as a standard deviation (s): the statistic decides; without one, from max to mean."""
    found = term(offer, "jitter")
    if not found.readings:
        return Span(0.0, None, None)
    statistic = found.fact.statistic if found.fact else None
    divisors = (
        (JITTER_SIGMAS[statistic],) if statistic in JITTER_SIGMAS else (JITTER_SIGMAS["max"], JITTER_SIGMAS["mean"])
    )
    values = tuple(v / d for v in found.readings for d in divisors)
    central = None if found.number is None else found.number / divisors[-1]
    return Span(min(values), max(values), central)


def loss_span(offer: Offer) -> Span:
    """Packet loss ratio; for wave and OTN derived from a committed post-FEC bit error ratio when none is stated.

    Bit errors that alone lose more packets than are promised contradict the promise: the worst reading is theirs.
    """
    found, implied = term(offer, "packet_loss"), loss_by_bit_errors(offer)
    if found.readings:
        span = _span(True, found.readings, found.number, 0.0)
        if implied is None or span.worst is None or implied <= span.worst:
            return span
        return Span(span.best, implied, span.central)
    if found.state is State.MISSING and implied is not None and term(offer, "layer").word in TRANSPARENT_LAYERS:
        return Span(implied, implied, implied, derived=True)
    return Span(0.0, None, None)


def loss_by_bit_errors(offer: Offer) -> float | None:
    """Packets lost to the promised bit error ratio alone, for full frames; None when none is promised."""
    errors = term(offer, "bit_error_ratio").number
    if errors is None:
        return None
    return frame_loss_from_bit_error_ratio(bit_error_ratio=errors, frame_bytes=FULL_FRAME_BYTES)


def contradicted_loss(offer: Offer) -> bool:
    """Whether the promised bit error ratio loses more packets than the promised packet loss ratio allows."""
    found, implied = term(offer, "packet_loss").readings, loss_by_bit_errors(offer)
    return bool(found) and implied is not None and implied > max(found)


def is_site_ratio(found: Term) -> bool:
    """Whether a ratio is said of NICs or of leaf and spine: the buyer's own fabric, not the carrier's (policy 0.6)."""
    return found.fact is not None and SITE_RATIO.search(found.fact.evidence.words) is not None


def contention_span(offer: Offer) -> Span:
    """Contention inside the carrier on the ordered rate; 1:1 by construction on wave and OTN, or with a CIR."""
    found = term(offer, "oversubscription")
    if found.readings and not is_site_ratio(found):
        return _span(
            True,
            tuple(max(1.0, v) for v in found.readings),
            None if found.number is None else max(1.0, found.number),
            1.0,
        )
    committed = term(offer, "committed_rate").number
    silent = found.state is State.MISSING or is_site_ratio(found)
    if silent and (term(offer, "layer").word in TRANSPARENT_LAYERS or committed is not None):
        return Span(1.0, 1.0, 1.0, derived=True)
    return Span(1.0, None, None)


def rate_span(offer: Offer) -> Span:
    """Weakest rate from A to Z: the least of the committed (else quoted) rate and every segment.

    A segment without a rate can only lower it, so the worst is open while the best is the least known.
    """
    quoted = term(offer, "committed_rate").readings or term(offer, "bandwidth").readings
    segments = offer.of("segment_bandwidth")
    known = [float(f.value) for f in segments if isinstance(f.value, Decimal)]
    known += [0.0 for f in segments if f.state is State.NONE]  # the vendor commits no rate there
    if not quoted and not known:
        return Span(float("inf"), None, None)
    best = min([max(quoted), *known]) if quoted else min(known)
    worst = min([min(quoted), *known]) if quoted else min(known)
    if any(f.value is None and f.state is not State.NONE for f in segments):
        return Span(best, None, best)
    return Span(best, worst, worst)
