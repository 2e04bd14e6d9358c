"""What a service or a bulk move gets from each offer, as a table: only the columns that this job has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.text import Text
from app.presentation import format as fmt
from app.presentation.words import SCENARIO
from app.report.titles import names_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.assessment import Assessment
    from app.domain.lines import Lines
    from app.domain.prediction import Outcome, Prediction
    from app.domain.text import Language

    Cell = Callable[[Prediction, Lines, Language], str]

OFFER = Text("报价", "Offer")
OPEN = Text("待定", "open")
OVERLOADED = Text("排队不收敛", "queue never empties")
FULL = Text("过载", "overloaded")
TARGET = Text("，目标首 token {t}（P95）", ", first-token target {t} (p95)")
TOKEN_TARGET = Text("，目标每 token {t}", ", per-token target {t}")
WINDOW = Text("，时间窗 {t}", ", window {t}")


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One offer: its name and a cell for each column."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """One scenario: title with its targets, heads of the columns, a row for each offer."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[OutcomeRow, ...]


def outcome_tables(assessment: Assessment, language: Language) -> tuple[OutcomeTable, ...]:
    """A table for inference and for bulk; training has its utilisation on the card."""
    tables = []
    names = names_of(assessment.offers)
    for place, lines in enumerate(assessment.requirement.lines):
        columns = _columns(lines)
        if not columns:
            continue
        rows = tuple(
            OutcomeRow(name, tuple(cell(offer.predictions[place], lines, language) for _, cell in columns))
            for offer, name in zip(assessment.offers, names, strict=True)
        )
        heads = (OFFER.pick(language), *(head.pick(language) for head, _ in columns))
        tables.append(OutcomeTable(_title(lines, language), heads, rows))
    return tuple(tables)


def _title(lines: Lines, language: Language) -> str:
    title = SCENARIO[lines.scenario].pick(language)
    if lines.bulk is not None:
        return title + WINDOW.format(t=fmt.duration(lines.bulk.window, language)).pick(language)
    service = lines.service
    if service is not None and service.first_target is not None:
        title += TARGET.format(t=fmt.duration(service.first_target, language)).pick(language)
    if service is not None and service.cut and service.token_target is not None:
        title += TOKEN_TARGET.format(t=fmt.duration(service.token_target, language)).pick(language)
    return title


def _columns(lines: Lines) -> list[tuple[Text, Cell]]:
    rate = (Text("留给它的有效带宽", "Effective rate left for it"), _rate)
    if lines.bulk is not None:
        return [
            rate,
            (Text("搬运时间", "Transfer time"), lambda p, _, lang: _time(p.central, "transfer", lang)),
            (Text("区间", "Band"), lambda p, _, lang: _band(p, "transfer", lang)),
            (Text("占时间窗", "Share of the window"), _share),
        ]
    service = lines.service
    if service is None:
        return []
    columns: list[tuple[Text, Cell]] = [rate]
    if service.kv_bytes:
        columns += [
            (Text("KV 线路负载", "Load by caches"), _load),
            (Text("KV 平均等待", "Mean wait of a cache"), lambda p, _, lang: _time(p.central, "wait", lang)),
        ]
    if service.prefill is not None:
        columns += [
            (Text("首 token（均值）", "First token, mean"), lambda p, _, lang: _time(p.central, "ttft", lang)),
            (Text("区间", "Band"), lambda p, _, lang: _band(p, "ttft", lang)),
            (Text("首 token P95", "First token, p95"), lambda p, _, lang: _time(p.central, "ttft_tail", lang)),
        ]
    if service.token_own is not None and service.cut:
        columns.append((Text("每 token", "Per token"), lambda p, _, lang: _time(p.central, "token", lang)))
    return columns


def _rate(prediction: Prediction, lines: Lines, language: Language) -> str:
    got = prediction.central
    return OPEN.pick(language) if got is None else fmt.rate(max(0.0, got.effective - lines.reserved), language)


def _load(prediction: Prediction, lines: Lines, language: Language) -> str:  # noqa: ARG001 - one shape for all cells
    got = prediction.central
    if got is None:
        return OPEN.pick(language)
    return FULL.pick(language) if got.load is None or got.load >= 1 else fmt.figure(got.load, language, digits=2)


def _time(got: Outcome | None, name: str, language: Language) -> str:
    """A time; open while a figure is missing, and told apart from a queue that never empties."""
    if got is None:
        return OPEN.pick(language)
    value = getattr(got, name)
    return OVERLOADED.pick(language) if value is None else fmt.duration(value, language)


def _band(prediction: Prediction, name: str, language: Language) -> str:
    if prediction.low is None or prediction.high is None:
        return OPEN.pick(language)
    fast, slow = (_time(end, name, language) for end in (prediction.high, prediction.low))
    return fast if fast == slow else f"{fast} – {slow}"


def _share(prediction: Prediction, lines: Lines, language: Language) -> str:
    got, move = prediction.central, lines.bulk
    if got is None or got.transfer is None or move is None:
        return OPEN.pick(language)
    return fmt.percent(got.transfer / move.window, language)
