"""The points of the weighted presets as a table: a row a factor, weights and totals; None for `pass-then-cost`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.assessment import POINT_DIGITS, Outcome
from app.domain.text import Language, Text
from app.domain.weights import FULL, PASS_THEN_COST, PRESETS, WEIGHTS
from app.presentation import format as fmt
from app.presentation.parts import Pair
from app.report.titles import names_of, offer_id

if TYPE_CHECKING:
    from app.domain.assessment import Assessment, Judged
    from app.domain.points import Earned
    from app.domain.policy import Policy

AT_A_TIME = 3  # offers that fit beside each other on a sheet of paper
POINTS = Text("得分", "Points")
NOT_SCORED = Text("不计分", "not scored")
BY_COST = Text(
    "四步全部通过的报价按有效月成本由低到高排名", "offers that pass all four steps rank by effective monthly cost"
)
BY_POINTS = Text(
    "四步全部通过且成本可比的报价按得分下限由高到低排名",
    "offers that pass all four steps at a comparable cost rank by the low end of their points",
)
RANK = Text("第 {n} 名", "rank {n}")
UNRANKED = Text("未排名", "not ranked")
BEST = Text("{name}得分最高，{x} / 100", "{name} has most points, {x} / 100")
LEVEL = Text("{names}得分下限并列最高，{x} / 100", "{names} level at the low end on {x} / 100")
NO_RANK = Text("没有报价参与排名", "no offer could be ranked")
MOVED = Text(
    "本场景无此红线，权重 {x} 并入有效带宽", "no limit in this scenario; weight {x} goes to effective bandwidth"
)
TAKES = Text("含并入的 {x}", "with {x} taken over")
OWN = Text("采购方设定，预设为 {x}", "set by the buyer; the preset has {x}")
HOW = Text(
    "加权 = 分数 × 权重 ÷ 100；每项分数 0 到 100，按绝对区间给分，不与其他报价相比；权重合计 100。",
    "Weighted = points × weight ÷ 100. Each factor earns 0 to 100 points by absolute intervals, never relative to "
    "other bidders; the weights make 100.",
)
BAND = Text(
    "未知不猜：在下限计 0 分，在上限按最有利的解读计分，因此显示为区间；排名只看下限。",
    "The unknown is not guessed: it counts 0 at the low end and its best reading at the high end, so it shows as a "
    "band; the rank takes the low end.",
)
TIE = Text("得分相同时，有效月成本低者在前。", "Where points are equal, the lower effective monthly cost comes first.")
JUDGED = Text(
    "权重与给分区间是判断，注明来源的除外；开标前可由采购方更改。",
    "Weights and intervals are judgement unless a source is given; the buyer may change them before opening.",
)
NO_CEILING = Text(
    "未设最高限价：价格一项所有报价都计 0 分。", "No price ceiling was set: every offer earns 0 points for its price."
)
LEFT_OUT = Text("已否决，不计分：{names}。", "Rejected and not scored: {names}.")
WAITING = Text("有得分但未排名：{names}。", "With points but not ranked: {names}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOffer:
    """An offer at the head of the table: its rank in words, its total as a figure or a band."""

    id: str
    vendor: str
    product: str
    rank: str
    total: str
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCell:
    """Points of one offer for one factor, and what they weigh; `open` when the ends differ."""

    points: str
    weighted: str
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """One factor: its weight as used, why that differs from the preset, and a cell per offer."""

    id: str
    title: str
    weight: str
    note: str
    idle: bool
    cells: tuple[ScoreCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePart:
    """The table for as many offers as stand beside each other."""

    offers: tuple[ScoreOffer, ...]
    rows: tuple[ScoreRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreView:
    """The score sheet: how it ranks, the offers scored, the factors, the sum of the weights, what to know."""

    conclusion: str
    ranking: str
    table: ScorePart
    parts: tuple[ScorePart, ...]
    weights: str
    notes: tuple[str, ...]


def weighted(policy: Policy) -> bool:
    """Whether offers rank by points."""
    return policy.preset != PASS_THEN_COST


def preset_text(policy: Policy, language: Language) -> str:
    """The preset by its own title, and how it ranks."""
    title = next(c.label for c in PRESETS if c.code == policy.preset).pick(language)
    how = (BY_POINTS if weighted(policy) else BY_COST).pick(language)
    return f"{title}{'：' if language is Language.ZH else ': '}{how}"


def points_text(offer: Judged, language: Language) -> str:
    """`72–80`, one figure when nothing is open, "not scored" for a rejected offer."""
    score = offer.score
    return NOT_SCORED.pick(language) if score is None else fmt.figure_range(score.low, score.high, language)


def points_pair(policy: Policy, offer: Judged, language: Language) -> tuple[Pair, ...]:
    """The line of a card; none with `pass-then-cost`."""
    if not weighted(policy):
        return ()
    text = points_text(offer, language)
    value = text if offer.score is None else f"{text} / 100"
    return (Pair(label=POINTS.pick(language), value=value),)


def level(one: Judged, other: Judged) -> bool:
    """Whether two offers tie at the low end, as the ranking takes it."""
    lows = [round(o.score.low, POINT_DIGITS) for o in (one, other) if o.score is not None]
    return lows[0] == lows[-1]


def _open(offer: Judged) -> bool:
    score = offer.score
    return score is not None and fmt.figure(score.low, Language.EN) != fmt.figure(score.high, Language.EN)


def score_view(assessment: Assessment, language: Language) -> ScoreView | None:
    """Format the points of every offer that has some, those ranked first."""
    if not weighted(assessment.policy):
        return None
    scored = [o for o in assessment.offers if o.score is not None]
    scored.sort(key=lambda o: (o.rank is None, o.rank or 0))
    heads = tuple(_head(o, language) for o in scored)
    rows = _rows(assessment, scored, language)
    parts = tuple(
        ScorePart(offers=heads[n : n + AT_A_TIME], rows=tuple(_cut(r, n) for r in rows))
        for n in range(0, len(heads), AT_A_TIME)
    )
    total = sum(e.weight for e in scored[0].score.factors) if scored and scored[0].score else FULL
    return ScoreView(
        conclusion=_conclusion(assessment, language), ranking=preset_text(assessment.policy, language),
        table=ScorePart(offers=heads, rows=rows), parts=parts, weights=fmt.figure(total, language),
        notes=_notes(assessment, language),
    )  # fmt: skip


def _cut(row: ScoreRow, start: int) -> ScoreRow:
    return ScoreRow(
        id=row.id, title=row.title, weight=row.weight, note=row.note, idle=row.idle,
        cells=row.cells[start : start + AT_A_TIME],
    )  # fmt: skip


def _head(offer: Judged, language: Language) -> ScoreOffer:
    return ScoreOffer(
        id=offer_id(offer.offer), vendor=offer.offer.vendor, product=offer.offer.product or "",
        rank=(UNRANKED if offer.rank is None else RANK.format(n=offer.rank)).pick(language),
        total=points_text(offer, language), open=_open(offer),
    )  # fmt: skip


def _rows(assessment: Assessment, scored: list[Judged], language: Language) -> tuple[ScoreRow, ...]:
    columns = [o.score.factors for o in scored if o.score is not None]
    return tuple(
        ScoreRow(
            id=first.factor.id, title=first.factor.title.pick(language), weight=fmt.figure(first.weight, language),
            note=_note(assessment.policy, first, language), idle=first.band is None,
            cells=tuple(_cell(e, language) for e in (first, *others)),
        )
        for first, *others in zip(*columns, strict=True)
    )  # fmt: skip


def _cell(earned: Earned, language: Language) -> ScoreCell:
    band = earned.band
    if band is None:
        return ScoreCell(points="–", weighted="–", open=False)
    low, high = (end * earned.weight / FULL for end in (band.low, band.high))
    return ScoreCell(
        points=fmt.figure_range(band.low, band.high, language), weighted=fmt.figure_range(low, high, language),
        open=band.low != band.high,
    )  # fmt: skip


def _note(policy: Policy, earned: Earned, language: Language) -> str:
    """Why a weight is not that of the preset."""
    name, out = earned.factor.id, []
    preset = WEIGHTS[policy.preset][name]
    chosen = policy.weights.get(name, preset)
    if chosen != preset:
        out.append(OWN.format(x=fmt.figure(preset, language)))
    if earned.band is None and chosen:
        out.append(MOVED.format(x=fmt.figure(chosen, language)))
    if earned.weight > chosen:
        out.append(TAKES.format(x=fmt.figure(earned.weight - chosen, language)))
    return ("；" if language is Language.ZH else "; ").join(t.pick(language) for t in out)


def _joined(names: list[str], language: Language) -> str:
    return ("、" if language is Language.ZH else ", ").join(names)


def _conclusion(assessment: Assessment, language: Language) -> str:
    """Who has most points, or who are level."""
    named = zip(names_of(assessment.offers), assessment.offers, strict=True)
    ranked = sorted(((o.rank, n, o) for n, o in named if o.rank is not None), key=lambda r: r[0])
    if not ranked:
        return NO_RANK.pick(language)
    _, name, best = ranked[0]
    tied = [n for _, n, o in ranked if level(o, best)]
    if len(tied) > 1 and best.score is not None:
        low = fmt.figure(best.score.low, language)
        return LEVEL.format(names=_joined(tied, language), x=low).pick(language)
    return BEST.format(name=name, x=points_text(best, language)).pick(language)


def _notes(assessment: Assessment, language: Language) -> tuple[str, ...]:
    out = [HOW, BAND, TIE, JUDGED]
    if not assessment.policy.price_ceiling:
        out.append(NO_CEILING)
    named = list(zip(names_of(assessment.offers), assessment.offers, strict=True))
    for text, found in (
        (WAITING, [n for n, o in named if o.score is not None and o.rank is None]),
        (LEFT_OUT, [n for n, o in named if o.outcome is Outcome.REJECTED]),
    ):
        if found:
            out.append(text.format(names=_joined(found, language)))
    return tuple(t.pick(language) for t in out)
