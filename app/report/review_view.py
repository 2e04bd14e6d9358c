"""What the review page shows: every fact of an offer beside its evidence, gates first, and what is missing.

Stored records are taken as protocols, for this room does not know the store.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from app.domain import parameters as p
from app.domain.facts import Fact, Offer, State
from app.domain.metrics import BY_ID, GROUPS, METRICS, MetricKind
from app.domain.remarks import tell
from app.domain.rulebook import BY_ID as RULES
from app.domain.terms import term
from app.domain.workload import NEEDS
from app.presentation import format as fmt
from app.report import fact_words as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from app.domain.text import Language, Text

GRADES = ("gate", "key", "ordinary", "", "off")
CHECK_OF: dict[str, str] = {
    "bandwidth": "bandwidth.end_to_end", "segment_bandwidth": "bandwidth.end_to_end",
    "committed_rate": "bandwidth.end_to_end", "rtt": "latency.rtt", "one_way_delay": "latency.rtt",
    "jitter": "latency.jitter", "packet_loss": "loss.packet_loss", "bit_error_ratio": "loss.packet_loss",
    "availability": "sla.availability", "measurement_period": "sla.definition",
    "oversubscription": "topology.oversubscription", "symmetric_bandwidth": "bandwidth.symmetric",
    "lossless_transport": "topology.lossless_transport", "symmetric_routes": "topology.symmetric_routes",
    "repair_time": "sla.repair_time", "failover_time": "sla.failover", "credit_tier": "sla.compensation",
    "credit_cap": "sla.compensation", "paths": "topology.redundancy", "diverse_paths": "topology.redundancy",
    "homogeneous_topology": "topology.homogeneous",
    **{m.id: f"platform.{m.id}" for m in METRICS if f"platform.{m.id}" in RULES},
}  # fmt: skip
_ORDER = {metric: place for place, metric in enumerate([*CHECK_OF, *(m.id for m in METRICS if m.id not in CHECK_OF)])}
# Two ways of saying one thing: where one is stated, the other is not missing.
_INSTEAD = {
    "rtt": "one_way_delay", "one_way_delay": "rtt", "bit_error_ratio": "packet_loss", "committed_rate": "bandwidth",
    "measurement_period": "availability",
}  # fmt: skip


class StoredFact(Protocol):
    """What is needed of a stored fact."""

    @property
    def id(self) -> str: ...
    @property
    def fact(self) -> Fact: ...
    @property
    def origin(self) -> str: ...
    @property
    def actor(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def created_at(self) -> datetime: ...
    @property
    def confirmed_at(self) -> datetime | None: ...
    @property
    def superseded_by(self) -> str | None: ...
    @property
    def withdrawn_at(self) -> datetime | None: ...
    @property
    def live(self) -> bool: ...


class StoredOffer(Protocol):
    """What is needed of a stored offer."""

    @property
    def id(self) -> str: ...
    @property
    def vendor(self) -> str: ...
    @property
    def product(self) -> str | None: ...
    @property
    def document_id(self) -> str | None: ...
    @property
    def version(self) -> int: ...
    @property
    def facts(self) -> Sequence[StoredFact]: ...


@dataclass(frozen=True, slots=True)
class Earlier:
    """A value that was replaced: what it was, and who had put it there (nobody: the program read it)."""

    value: str
    signed: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLine:
    """One row. `anchor` stays the same when a correction takes the place of a value.

    `used` is None where there is nothing to choose from; else whether the rules look at this one.
    """

    anchor: str
    id: str
    version: int
    metric: str
    title: Text
    name: str
    grade: str
    value: str
    qualifiers: tuple[str, ...]
    absent: tuple[str, ...]
    state: str
    origin: str
    confirmed: bool
    hidden: bool
    aside: bool
    signed: str
    at: datetime
    quote: str
    file: str
    place: str
    note: str
    confidence: str
    doubtful: bool
    readings: tuple[str, ...]
    earlier: tuple[Earlier, ...]
    used: bool | None

    @property
    def waiting(self) -> bool:
        """Whether somebody must look at it."""
        return not (self.confirmed or self.hidden or self.aside)


@dataclass(frozen=True, slots=True)
class MissingLine:
    """A metric on which the offer is silent."""

    metric: str
    title: Text
    grade: str

    @property
    def anchor(self) -> str:
        """The id of its row."""
        return f"missing-{self.metric}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferTab:
    """One offer in the list above the table."""

    id: str
    vendor: str
    product: str
    source: str
    waiting: int
    gates: int
    facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferDetail:
    """The offer being checked: gates first, then the rest, then what is missing and what was taken out."""

    id: str
    version: int
    vendor: str
    product: str
    source: str
    joined: bool
    gates: tuple[FactLine | MissingLine, ...]
    others: tuple[FactLine, ...]
    missing: tuple[tuple[Text, tuple[MissingLine, ...]], ...]
    aside: tuple[FactLine, ...]
    confirmable: int
    waiting: int
    current: Mapping[str, str]

    @property
    def silent(self) -> int:
        """How many metrics stand folded away because nothing is said on them."""
        return sum(len(group) for _, group in self.missing)

    def line(self, anchor: str) -> FactLine | MissingLine | None:
        """The row of an anchor."""
        silent = [line for _, group in self.missing for line in group]
        rows: list[FactLine | MissingLine] = [*self.gates, *self.others, *self.aside, *silent]
        return next((r for r in rows if r.anchor == anchor), None)

    def of_fact(self, fact_id: str) -> FactLine | None:
        """The row that shows a fact, or the one that took its place."""
        rows = (*self.gates, *self.others, *self.aside)
        shown = self.current.get(fact_id, fact_id)
        return next((r for r in rows if isinstance(r, FactLine) and r.id == shown), None)


def grades(workload: Mapping[str, Any] | None, policy: Mapping[str, Any]) -> dict[str, str]:
    """The grade of each check in this project: the buyer's, else the strictest of its scenarios."""
    scenarios = NEEDS.get(str((workload or {}).get("scenario")), ()) or ("training",)
    own = policy.get("grades") or {}
    found = {}
    for id_, rule in RULES.items():
        defaults = [rule.grades[s].value for s in scenarios if s in rule.grades]
        found[id_] = str(own.get(id_) or min(defaults, key=GRADES.index, default=""))
    return found


def _grade(metric: str, known: Mapping[str, str]) -> str:
    return known.get(CHECK_OF.get(metric, ""), "")


def _rank(metric: str, known: Mapping[str, str]) -> tuple[int, int]:
    grade = _grade(metric, known)
    return (GRADES.index("" if grade == "off" else grade), _ORDER[metric])


def tab(offer: StoredOffer, known: Mapping[str, str], source: str) -> OfferTab:
    """The counts of one offer."""
    live = [f.fact for f in offer.facts if f.live and f.fact.visible]
    open_ = [f for f in live if f.confirmed_by is None]
    return OfferTab(
        id=offer.id, vendor=offer.vendor, product=offer.product or "", source=source, waiting=len(open_),
        gates=sum(1 for f in open_ if _grade(f.metric, known) == "gate"), facts=len(live),
    )  # fmt: skip


def detail(offer: StoredOffer, judged: Offer, known: Mapping[str, str], source: str, language: Language) -> OfferDetail:
    """The rows of one offer; `judged` is the offer as the rules see it, other documents included."""
    current = _successors(offer.facts)
    chains = {f.id: [g for g in offer.facts if g is not f and current[g.id] == f.id] for f in offer.facts}
    lines = [_line(f, chains[f.id], judged, known, language) for f in offer.facts if f.superseded_by is None]
    lines.sort(key=lambda line: _rank(line.metric, known))
    live = [line for line in lines if not line.aside]
    said = {line.metric for line in live if not line.hidden} | {f.metric for f in judged.facts if f.visible}
    silent = [
        MissingLine(m.id, m.title, _grade(m.id, known))
        for m in METRICS
        if m.id not in said and _INSTEAD.get(m.id) not in said
    ]
    gate_silent = [m for m in silent if _listed(m)]
    gates: list[FactLine | MissingLine] = [*(x for x in live if x.grade == "gate"), *gate_silent]
    gates.sort(key=lambda line: _rank(line.metric, known))
    rest = [m for m in silent if m not in gate_silent]
    return OfferDetail(
        id=offer.id, version=offer.version, vendor=offer.vendor, product=offer.product or "", source=source,
        joined=len(judged.facts) > sum(1 for f in offer.facts if f.live),
        gates=tuple(gates), others=tuple(x for x in live if x.grade != "gate"), missing=_by_group(rest),
        aside=tuple(x for x in lines if x.aside),
        confirmable=sum(1 for x in live if x.waiting and x.state != "ambiguous"),
        waiting=sum(1 for x in live if x.waiting), current=current,
    )  # fmt: skip


def _listed(line: MissingLine) -> bool:
    """Whether silence itself stands among the gates."""
    return line.grade == "gate" and (line.metric not in _INSTEAD or line.metric == "rtt")


def _by_group(lines: Iterable[MissingLine]) -> tuple[tuple[Text, tuple[MissingLine, ...]], ...]:
    found = [(g.label, tuple(x for x in lines if BY_ID[x.metric].group == g.code)) for g in GROUPS]
    return tuple((title, group) for title, group in found if group)


def _successors(facts: Sequence[StoredFact]) -> dict[str, str]:
    """For each fact the one that stands in its place now."""
    by_id = {f.id: f for f in facts}
    found = {}
    for fact in facts:
        end, steps = fact, len(facts)
        while end.superseded_by in by_id and steps:
            end, steps = by_id[end.superseded_by], steps - 1
        found[fact.id] = end.id
    return found


def _line(
    stored: StoredFact, before: list[StoredFact], judged: Offer, known: Mapping[str, str], language: Language
) -> FactLine:
    """One row; it keeps the id of the value that stood there first."""
    before.sort(key=lambda f: f.created_at, reverse=True)
    root = before[-1].id if before else stored.id
    fact, evidence = stored.fact, stored.fact.evidence
    told = tell(evidence.remarks)
    metric = BY_ID[fact.metric]
    segment = metric.kind is MetricKind.SEGMENTS
    open_ = fact.confirmed_by is None
    several = len(judged.of(fact.metric)) > 1 and metric.kind in (MetricKind.QUANTITY, MetricKind.MONEY)
    return FactLine(
        anchor=f"fact-{root}", id=stored.id, version=stored.version, metric=fact.metric, title=metric.title,
        name=(fact.condition or "") if segment else "", grade=_grade(fact.metric, known),
        value=words.value_words(fact, language),
        qualifiers=() if segment else words.qualifiers(fact, language), absent=words.absent(fact, language),
        state=fact.state.value, origin=stored.origin, confirmed=not open_, hidden=not fact.visible,
        aside=stored.withdrawn_at is not None,
        signed=fact.confirmed_by or stored.actor, at=stored.confirmed_at or stored.created_at,
        quote=evidence.words, file=evidence.file or "", place=words.place_words(evidence, language),
        note=told.pick(language) if told else "",
        confidence=fmt.percent(fact.confidence, language, 2) if stored.origin == "read" else "",
        doubtful=open_ and fact.confidence < p.CONFIDENCE_FLOOR.value,
        readings=tuple(words.figure(metric, r, language) for r in fact.readings) if fact.readings else (),
        earlier=tuple(_earlier(f, language) for f in before),
        used=term(judged, fact.metric).fact == fact if several and fact.visible and stored.live else None,
    )  # fmt: skip


def _earlier(stored: StoredFact, language: Language) -> Earlier:
    read = stored.origin == "read"
    said = words.value_words(stored.fact, language)
    full = " · ".join([said, *words.qualifiers(stored.fact, language)])
    return Earlier(full, "" if read else stored.fact.confirmed_by or "", stored.created_at)


def typed_value(fact: Fact) -> str:
    """The value as the field of a correction shows it; of an ambiguous one nothing is suggested."""
    return "" if fact.state is State.AMBIGUOUS else words.typed(BY_ID[fact.metric], fact.value)
