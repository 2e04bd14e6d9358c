"""Annex B: the formulas behind this document and no others, each as the registry describes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.domain.demand import AllReduceDemand, PipelineDemand
from app.domain.formulas.registry import TOPICS
from app.domain.local_demand import LocalSgdDemand
from app.domain.terms import term
from app.report.formula_view import band_view
from app.report.working import source_text, symbols

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.assessment import Assessment
    from app.domain.formulas.formula import Formula
    from app.domain.lines import Lines
    from app.domain.text import Language

# What the prediction works with beside the lines of the requirement, by kind of demand and by transport.
_TRAINING: Final[dict[type, tuple[str, ...]]] = {
    AllReduceDemand: ("sync_time", "exposed_time", "utilization", "jitter_step_delay"),
    PipelineDemand: ("pipeline_step_time", "transfer_time", "jitter_step_delay"),
    LocalSgdDemand: ("local_sgd_utilization", "sync_time", "jitter_step_delay"),
}
_OUTAGES: Final = ("outage_count", "stall_loss", "restart_loss", "longest_outage", "daly_interval", "lost_gpu_hours")
_SERVICE: Final = ("time_to_first_token", "kv_transfer_exposed", "md1_wait")
_WIRE: Final = ("header_overhead", "header_efficiency", "window_throughput")
_LOSS: Final[dict[str, tuple[str, ...]]] = {
    "rdma_go_back_n": ("go_back_n_efficiency", "rdma_payload"),
    "infiniband": ("go_back_n_efficiency", "rdma_payload"),
    "rdma_selective_repeat": ("selective_repeat_efficiency", "rdma_payload"),
    "tcp_cubic": ("cubic_throughput", "tcp_mss"),
    "tcp_bbr": ("bbr_throughput", "tcp_mss"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedFormula:
    """One row of the annex."""

    id: str
    title: str
    symbolic: str
    validity: str
    band: str
    source: str


def formulas_used(assessment: Assessment, language: Language) -> tuple[UsedFormula, ...]:
    """Every formula that a figure of the assessment comes from, in the order of the library."""
    used = set(_ids(assessment))
    return tuple(_row(formula, language) for topic in TOPICS for formula in topic.formulas if formula.id in used)


def _ids(assessment: Assessment) -> Iterator[str]:
    yield from (line.formula for line in assessment.requirement.working)
    yield from (check.rule.formula for offer in assessment.offers for check in offer.checks)
    yield from (*_WIRE, "outage_credit")
    for lines in assessment.requirement.lines:
        yield from _predicted(lines)
        own = (term(judged.offer, "transport").word for judged in assessment.offers)
        for transport in (lines.reference.transport, *own):
            yield from _LOSS.get(transport or "", ())


def _predicted(lines: Lines) -> tuple[str, ...]:
    if lines.training is not None:
        return (*_TRAINING[type(lines.training)], *_OUTAGES)
    if lines.service is not None:
        return _SERVICE if lines.service.kv_bytes else _SERVICE[:1]
    return ("bulk_time",) if lines.bulk is not None else ()


def _row(formula: Formula, language: Language) -> UsedFormula:
    band = band_view(formula.band, formula.result, None, language) if formula.band else None
    return UsedFormula(
        id=formula.id,
        title=formula.title.pick(language),
        symbolic=symbols(formula.symbolic, language),
        validity=formula.validity.pick(language),
        band=f"{band.span} · {band.words}" if band else "",
        source=source_text(formula.source, language),
    )
