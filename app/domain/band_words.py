"""What turns over inside a band, in words of both languages, and as JSON with curves and swings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.figures import number
from app.domain.flips import EFFECTIVE, TITLES, UTILIZATION
from app.domain.metrics import BY_ID
from app.domain.sweeps import SWEPT, sweep
from app.domain.text import Text

if TYPE_CHECKING:
    from app.domain.assessment import Assessment, Judged
    from app.domain.flips import Band, Flip
    from app.domain.sweeps import Sweep, Swing
    from app.domain.weight_swaps import WeightSwap

GIGA = 1e9
STEADY = Text("区间内门槛与名次都不变。", "Neither a gate nor the rank changes inside the band.")
UNRANKED = Text("区间内门槛不变。", "No gate changes inside the band.")
OPEN = Text("没有界限", "without a bound")
LOW = Text(
    "{title}落到低端为 {low}，不满足 {sign} {line}；按承诺值 {middle}，满足。",
    "{title}: {low} at the low end misses {sign} {line}; {middle} as promised meets it.",
)
CENTRAL = Text(
    "{title}按承诺值 {middle}，不满足 {sign} {line}；到高端 {high} 才满足。",
    "{title}: {middle} as promised misses {sign} {line}; only {high} at the high end meets it.",
)
UNTOLD = Text(
    "{title}因资料不全，按承诺值算不出；到高端 {high}，满足 {sign} {line}。",
    "{title} cannot be told as promised, a figure is missing; {high} at the high end meets {sign} {line}.",
)
RANK = Text(
    "名次：按承诺值第 {now}；只有它落到低端时第 {low}，只有它到高端时第 {high}。",
    "Rank: {now} as promised; {low} if it alone falls to its low end, {high} if it alone reaches its high end.",
)
SWAP = Text(
    "「{factor}」权重从 {now} 调到 {swap}（其余按比例），前两名互换",
    "weight of “{factor}” from {now} to {swap} (the others in proportion) swaps the first two",
)


def figure(name: str, value: float | None) -> Text:
    """One figure of an outcome as people read it."""
    if value is None:
        return OPEN
    if name == EFFECTIVE:
        text = f"{number(value / GIGA)}\u00a0Gbit/s"
    elif name == UTILIZATION:
        text = f"{number(value * 100)}\u202f%"
    else:
        text = f"{number(value)}\u00a0s"
    return Text(text, text)


def flip_of(flip: Flip) -> Text:
    """One flip in one sentence."""
    demand = flip.demand
    ends = {"low": flip.low, "middle": flip.middle, "high": flip.high, "line": demand.line}
    values = {name: figure(demand.figure, value) for name, value in ends.items()}
    text = (LOW if flip.central else UNTOLD if flip.middle is None else CENTRAL).format(
        title=TITLES[demand.figure], sign="≥" if demand.more else "≤", **values
    )
    return Text(text.zh, text.en[0].upper() + text.en[1:])


def sentences(band: Band) -> tuple[Text, ...]:
    """What changes inside the band of one offer; that nothing does is said too."""
    found = [flip_of(flip) for flip in band.flips]
    for check in band.open_gates:
        title, reason = check.rule.title, check.finding.reason
        found.append(Text(f"{title.zh}：{reason.zh}", f"{title.en}: {reason.en}"))
    rank = band.judged.rank
    ends = [rank if end is None else end for end in (band.rank_low, band.rank_high)]
    if rank is not None and ends != [rank, rank]:
        found.append(RANK.format(now=rank, low=ends[0], high=ends[1]))
    return tuple(found) or (UNRANKED if rank is None else STEADY,)


def swap_of(row: WeightSwap) -> Text:
    """One weight at which the first two change places."""
    swap = "–" if row.swap is None else number(row.swap)
    return SWAP.format(factor=row.factor.title, now=number(row.now), swap=swap)


def _flip_json(flip: Flip) -> dict[str, Any]:
    unit = {EFFECTIVE: "bit/s", UTILIZATION: "1"}.get(flip.demand.figure, "s")
    return {
        "scenario": flip.scenario, "figure": flip.demand.figure, "unit": unit, "line": flip.demand.line,
        "low": flip.low, "central": flip.middle, "high": flip.high, "met_as_promised": flip.central,
        "message": flip_of(flip).as_json(),
    }  # fmt: skip


def _swing_json(swing: Swing) -> dict[str, Any]:
    return {"title": swing.title.as_json(), "low": swing.low, "high": swing.high}


def band_json(band: Band) -> dict[str, Any]:
    """One offer inside its band; swings are in the unit of the main scenario's figure."""
    offer = band.judged.offer
    return {
        "vendor": offer.vendor, "product": offer.product, "flips": [_flip_json(f) for f in band.flips],
        "open_gates": [c.rule.id for c in band.open_gates], "rank": band.judged.rank, "rank_low": band.rank_low,
        "rank_high": band.rank_high, "swings": [_swing_json(s) for s in band.swings],
        "messages": [t.as_json() for t in sentences(band)],
    }  # fmt: skip


def swap_json(row: WeightSwap) -> dict[str, Any]:
    """One factor's weight now and at the swap (None: no weight of it changes the order)."""
    return {"factor": row.factor.id, "title": row.factor.title.as_json(), "weight": row.now, "swaps_at": row.swap}


def _sweep_json(found: Sweep) -> dict[str, Any]:
    rows = zip(found.points, found.reference, strict=True)
    return {
        "metric": found.metric, "unit": BY_ID[found.metric].unit, "own": found.own, "line": found.line,
        "points": [
            {"value": q.value, "low": q.low, "central": q.central, "high": q.high, "reference": reference}
            for q, reference in rows
        ],
    }  # fmt: skip


def curves_json(assessment: Assessment, judged: Judged) -> dict[str, Any]:
    """The four curves of one offer over its main scenario's figure: utilisation (1), first token or transfer (s)."""
    offer, scenario = judged.offer, assessment.requirement.main.scenario
    figure_of = {"training": "utilization", "inference": "ttft", "bulk": "transfer"}[scenario]
    return {
        "vendor": offer.vendor, "product": offer.product, "scenario": scenario, "figure": figure_of,
        "curves": [_sweep_json(sweep(assessment, judged, metric)) for metric in SWEPT],
    }  # fmt: skip
