"""What would have to change: the page's view of why-not, break-even, room, curves and the tornado."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.assessment import PASSING
from app.domain.band_words import sentences
from app.domain.metrics import BY_ID
from app.domain.sensitivity import sensitivity
from app.domain.sensitivity_words import change_of, routes_of, shown
from app.domain.sweeps import SWEPT, sweep, tornado
from app.domain.text import Language, Text
from app.presentation import charts
from app.presentation import format as fmt
from app.report.pair_view import PairSection, pair_section
from app.report.titles import names_of, offer_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.assessment import Assessment, Judged
    from app.domain.flips import Band
    from app.domain.sensitivity import Standing
    from app.domain.sweeps import Point, Sweep
    from app.domain.weight_swaps import WeightSwap
    from app.domain.why_not import WhyNot
    from app.presentation.charts import Curve

ANYWHERE = Text("在可信范围内都不影响", "anywhere in its range")
NOTHING = Text("单改一项都赢不了", "no single figure")
ALL_PASS = Text("全部改到位后：通过", "With all of these: passes")
NOT_YET = Text("全部改到位后仍未通过，须先澄清", "With all of these it still does not pass; clarify first")
OUTCOME = {
    "training": Text("GPU 利用率", "GPU utilisation"),
    "inference": Text("首 token 时间", "Time to first token"),
    "bulk": Text("传输时间", "Transfer time"),
}


@dataclass(frozen=True, slots=True)
class WhyView:
    """One offer that does not pass: its changes in words, and what it becomes with all of them."""

    name: str
    outcome: str
    changes: tuple[str, ...]
    together: str
    routes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StandingView:
    """One passing offer: its charge, its break-even charge, and the figures at which it would win."""

    name: str
    outcome: str
    price: str
    break_even: str
    wins_at: str


@dataclass(frozen=True, slots=True)
class RoomView:
    """One promised figure of the recommended offer and how far it may go."""

    title: str
    now: str
    limit: str


@dataclass(frozen=True, slots=True)
class CurveView:
    """One curve with its table."""

    title: str
    drawing: Curve
    rows: tuple[tuple[str, str, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class SwingView:
    """One input's share of the band."""

    title: str
    low: str
    high: str
    width: str


@dataclass(frozen=True, slots=True)
class BandView:
    """One offer: what changes inside its band, in sentences, and the input that makes the band widest."""

    name: str
    outcome: str
    changes: tuple[str, ...]
    cause: str


@dataclass(frozen=True, slots=True)
class WeightView:
    """One factor: its weight now and the weight at which the first two change places."""

    factor: str
    now: str
    swap: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityView:
    """The page: why-not, contest, room of the winner, curves and tornado of one chosen offer."""

    why_not: tuple[WhyView, ...]
    standings: tuple[StandingView, ...]
    room: tuple[RoomView, ...]
    weights: tuple[WeightView, ...]
    bands: tuple[BandView, ...]
    chosen: str
    chosen_name: str
    choices: tuple[tuple[str, str], ...]
    outcome: str
    curves: tuple[CurveView, ...]
    swings: tuple[SwingView, ...]
    twos: PairSection | None


def _measured(scenario: str, value: float | None, language: Language) -> str:
    if value is None:
        return "–"
    return fmt.percent(value, language) if scenario == "training" else fmt.duration(value, language)


def _why(found: WhyNot, name: str, language: Language) -> WhyView:
    changes = tuple(change_of(c).pick(language) for c in found.cures)
    together = ALL_PASS if found.together in PASSING else NOT_YET
    routes = tuple((gate.pick(language), text.pick(language)) for gate, text in routes_of(found))
    return WhyView(name, found.judged.outcome.value, changes, together.pick(language), routes)


def _band(found: Band, name: str, scenario: str, language: Language) -> BandView:
    cause, widest = "–", found.widest
    if widest is not None:
        ends = (_measured(scenario, end, language) for end in (widest.low, widest.high))
        cause = f"{widest.title.pick(language)} ({' – '.join(ends)})"
    return BandView(name, found.judged.outcome.value, tuple(t.pick(language) for t in sentences(found)), cause)


def _weight(row: WeightSwap, language: Language) -> WeightView:
    swap = "–" if row.swap is None else fmt.figure(row.swap, language)
    return WeightView(row.factor.title.pick(language), fmt.figure(row.now, language), swap)


def _standing(row: Standing, name: str, language: Language) -> StandingView:
    def charge(value: float | None) -> str:
        return "–" if value is None else fmt.money_full(value, language, row.currency)

    wins = [
        f"{BY_ID[metric].title.pick(language)} {'≥' if metric == 'bandwidth' else '≤'} {shown(metric, value)}"
        for metric, value in row.wins_at
    ]
    text = "；".join(wins) if wins else ("–" if row.break_even is None else NOTHING.pick(language))
    if row.judged.rank == 1:
        text = "–"
    return StandingView(name, row.judged.outcome.value, charge(row.price), charge(row.break_even), text)


def _room(row: Standing, language: Language) -> tuple[RoomView, ...]:
    return tuple(
        RoomView(
            BY_ID[r.metric].title.pick(language), shown(r.metric, r.now),
            ANYWHERE.pick(language) if r.limit is None else shown(r.metric, r.limit),
        )
        for r in row.room
    )  # fmt: skip


def _curve(assessment: Assessment, judged: Judged, metric: str, language: Language) -> CurveView | None:
    found: Sweep = sweep(assessment, judged, metric)
    scenario = assessment.requirement.main.scenario
    usable: Sequence[Point] = [q for q in found.points if any(v is not None for v in (q.low, q.central, q.high))]
    if len(usable) < 2:  # noqa: PLR2004 - a curve needs two points
        return None
    title = BY_ID[metric].title.pick(language)
    own = None if found.own is None else (found.own, Text("本报价", "this offer").pick(language))
    limit = None if not found.line else (found.line, Text("红线", "limit").pick(language))
    drawing = charts.curve(
        [(q.value, q.low, q.central, q.high) for q in usable], lambda x: shown(metric, float(f"{x:.3g}")),
        lambda y: _measured(scenario, y, language), own, limit,
        [y for q, y in zip(found.points, found.reference, strict=True) if q in usable],
    )  # fmt: skip
    rows = tuple(
        (
            shown(metric, float(f"{q.value:.4g}")),
            *(_measured(scenario, v, language) for v in (q.low, q.central, q.high, at_reference)),
        )
        for q, at_reference in list(zip(found.points, found.reference, strict=True))[::3]
        if q in usable
    )
    return CurveView(title, drawing, rows)  # type: ignore[arg-type]


def sensitivity_view(assessment: Assessment, language: Language, chosen: str = "") -> SensitivityView | None:
    """Format it; `chosen` is the id of the offer whose curves are drawn. None for an offer that is not there."""
    names = dict(zip((offer_id(o.offer) for o in assessment.offers), names_of(assessment.offers), strict=True))
    by_id = {offer_id(o.offer): o for o in assessment.offers}
    start = assessment.recommended or assessment.offers[0]
    key = chosen or offer_id(start.offer)
    if key not in by_id:
        return None
    found, scenario = sensitivity(assessment), assessment.requirement.main.scenario
    judged = by_id[key]

    def name(one: Judged) -> str:
        return names[offer_id(one.offer)]

    curves = (_curve(assessment, judged, metric, language) for metric in SWEPT)
    swings = tornado(assessment, judged)
    widest = max((s.width for s in swings), default=1.0) or 1.0
    return SensitivityView(
        why_not=tuple(_why(w, name(w.judged), language) for w in found.why_not),
        standings=tuple(_standing(s, name(s.judged), language) for s in found.standings),
        room=next((_room(s, language) for s in found.standings if s.room), ()),
        weights=tuple(_weight(w, language) for w in found.weights if w.swap is not None),
        bands=tuple(_band(b, name(b.judged), scenario, language) for b in found.bands),
        chosen=key, chosen_name=names[key], choices=tuple(names.items()), outcome=OUTCOME[scenario].pick(language),
        curves=tuple(c for c in curves if c is not None),
        swings=tuple(
            SwingView(
                s.title.pick(language), _measured(scenario, s.low, language), _measured(scenario, s.high, language),
                fmt.percent(s.width / widest, language),
            )
            for s in swings
        ),
        twos=pair_section(assessment, names_of(assessment.offers), language),
    )  # fmt: skip
