"""The requirement page as one frozen object: conclusion, advice, red lines, the article beside us, working.

Built from what the core derived; the only figures had here are floors at other utilisations, by the core's own
`floor_of`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from app.domain.advice import floor_of
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.presentation.parts import Pair, Panel
from app.presentation.words import SCENARIO
from app.report.fabric_view import FabricView, fabric_view
from app.report.origins import of_the_job, origins
from app.report.requirement_lines import TRANSPORT, RedLine, red_lines
from app.report.requirement_words import lede_of, title_of
from app.report.sites_view import SitesRow, sites_rows
from app.report.working import symbols
from app.report.working_view import WorkingLine, working_line

if TYPE_CHECKING:
    from app.domain.advice import Advice
    from app.domain.article import Difference, Way
    from app.domain.lines import Lines
    from app.domain.policy import Policy
    from app.domain.requirement import Requirement
    from app.domain.workload import Workload

GIGA, MILLI, MINUTE, HOUR = 1e9, 1e-3, 60.0, 3600.0
NO_LINE = Text("任何线路都做不到", "no line can")
TABLE_DIGITS = 5
# Where a row changes to a larger unit: from this value on, divided by, unit.
LARGER = {"GB": ((1e6, 1e6, "PB"), (1e4, 1e3, "TB")), "Gbit/s": ((1e4, 1e3, "Tbit/s"),)}
SHARES = (0.5, 0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class AdviceCard:
    """Something to weigh before any offer; `href` fills the workload form with it, `code` assesses the offers so."""

    code: str
    title: str
    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Band:
    """The red lines of one scenario with the conditions they were derived at."""

    title: str
    lines: tuple[RedLine, ...]
    reference: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class UtilizationRow:
    """The floor that one utilisation needs; `share` of the largest floor shown, None when no line is enough."""

    utilization: str
    floor: str
    target: str
    times: str
    share: float | None
    own: bool


@dataclass(frozen=True, slots=True)
class WayText:
    """One way to a figure: the figure, its formula and the numbers put in."""

    value: str
    formula: str
    inputs: str


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One figure by the article and by us; `number` is its published place, `example` marks the article's own one."""

    id: str
    number: str
    title: str
    article: WayText
    refined: WayText
    reason: str
    source: str
    example: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementView:
    """Everything the requirement page shows; `base` is its address, figures open at `base/figures/<id>`."""

    base: str
    feasible: bool
    title: str
    lede: str
    advice: tuple[AdviceCard, ...]
    warnings: tuple[str, ...]
    stats: tuple[Pair, ...]
    bands: tuple[Band, ...]
    utilizations: tuple[UtilizationRow, ...]
    differences: tuple[DifferenceRow, ...]
    working: tuple[WorkingLine, ...]
    interconnect: tuple[SitesRow, ...]
    fabric: FabricView | None

    def line(self, line_id: str) -> RedLine | None:
        """The red line with this id."""
        return next((line for band in self.bands for line in band.lines if line.id == line_id), None)

    def panel(self, line_id: str, language: Language) -> Panel | None:
        """Everything behind one red line, or None for an unknown id."""
        line = self.line(line_id)
        return None if line is None else _panel(line, self.base, language)


def requirement_view(
    workload: Workload, policy: Policy, requirement: Requirement, language: Language, base: str, workload_href: str
) -> RequirementView:
    """Put a requirement into words; `workload_href` is the address of the form that advice leads back to."""
    bands = tuple(_band(workload, policy, lines, language) for lines in requirement.lines)
    return RequirementView(
        base=base,
        feasible=all(lines.floor is not None for lines in requirement.lines),
        title=title_of(requirement, language),
        lede=lede_of(workload, requirement, language),
        advice=tuple(_card(advice, language, workload_href) for advice in requirement.advice),
        warnings=tuple(notice.message.pick(language) for notice in requirement.warnings),
        stats=_stats(requirement, bands, language, base),
        bands=bands,
        utilizations=_utilizations(workload, policy, requirement.main, language),
        differences=tuple(_difference(row, language) for row in requirement.differences),
        working=need_working(workload, policy, requirement, language),
        interconnect=sites_rows(workload, policy, requirement, language),
        fabric=fabric_view(requirement.fabric, language),
    )


def need_working(
    workload: Workload, policy: Policy, requirement: Requirement, language: Language
) -> tuple[WorkingLine, ...]:
    """The lines behind the limits, each input with where it comes from."""
    found = origins(requirement.working, of_the_job(workload, policy), language)
    return tuple(working_line(line, language, origin) for line, origin in zip(requirement.working, found, strict=True))


# ---- figures and advice


def _stats(requirement: Requirement, bands: tuple[Band, ...], language: Language, base: str) -> tuple[Pair, ...]:
    """The combined figures; each opens the red line it comes from (of a mixed job, the tighter one)."""
    whole = requirement.as_json()
    by_scenario = [line.as_json() for line in requirement.lines]

    def opened(metric: str, key: str) -> str:
        at = next((i for i, row in enumerate(by_scenario) if row[key] == whole[key]), 0)
        found = next((line for line in bands[at].lines if line.metric == metric), None)
        return f"{base}/figures/{found.id}" if found else ""

    def scaled(key: str, factor: float) -> float | None:
        return None if whole[key] is None else whole[key] * factor

    def pair(label: Text, text: str, metric: str, key: str, small: Text | None = None) -> Pair:
        value = "–" if whole[key] is None else text
        return Pair(
            label=label.pick(language),
            value=value,
            small=small.pick(language) if small else "",
            href="" if whole[key] is None else opened(metric, key),
        )

    rate, duration = fmt.rate, fmt.duration
    return (
        pair(
            Text("带宽下限", "Bandwidth floor"),
            rate(scaled("bandwidth_floor_gbps", GIGA), language),
            "bandwidth",
            "bandwidth_floor_gbps",
            Text("每方向，有效", "each way, effective"),
        ),
        pair(
            Text("目标带宽", "Target bandwidth"),
            rate(scaled("bandwidth_target_gbps", GIGA), language),
            "bandwidth",
            "bandwidth_target_gbps",
            Text("含预留", "with reserve"),
        ),
        pair(
            Text("往返时延", "Round-trip time"),
            duration(scaled("rtt_limit_ms", MILLI), language),
            "rtt",
            "rtt_limit_ms",
            Text("上限", "at most"),
        ),
        pair(
            Text("抖动 P99", "Jitter p99"),
            duration(scaled("jitter_p99_limit_ms", MILLI), language),
            "jitter",
            "jitter_p99_limit_ms",
            Text("上限", "at most"),
        ),
        pair(
            Text("丢包率", "Packet loss"),
            fmt.ratio(whole["packet_loss_limit"], language),
            "packet_loss",
            "packet_loss_limit",
            Text("上限", "at most"),
        ),
        pair(
            Text("可用性", "Availability"),
            fmt.availability(whole["availability_floor"], language),
            "availability",
            "availability_floor",
            Text("端到端，按月，下限", "end to end, per month, at least"),
        ),
    )


def _card(advice: Advice, language: Language, form: str) -> AdviceCard:
    fields = {f"training.{name}": "" if value is None else value for name, value in advice.change.items()}
    title, text = advice.title.pick(language), advice.message.pick(language)
    return AdviceCard(advice.code, title, text, f"{form}?{urlencode(fields)}")


# ---- tables


def _band(workload: Workload, policy: Policy, lines: Lines, language: Language) -> Band:
    where = lines.reference
    distance = workload.distance_km
    how = (
        Text("路由系数 {f} × 光纤下限", "route factor {f} × fibre limit")
        if distance
        else Text("未填距离，取默认值", "no distance given, default")
    )
    pairs = (
        Pair(
            label=Text("参考往返时延", "Round-trip time").pick(language),
            value=fmt.duration(where.rtt, language),
            small=how.format(f=fmt.figure(policy.route_factor, language)).pick(language),
        ),
        Pair(label=Text("传输协议", "Transport").pick(language), value=TRANSPORT[where.transport].pick(language)),
        Pair(
            label=Text("每包净荷", "Payload per packet").pick(language),
            value=fmt.figure(where.payload, language, "byte"),
        ),
        Pair(
            label=Text("标称带宽", "Nominal rate").pick(language),
            value="–" if lines.target is None else fmt.rate(lines.target, language),
            small=Text("取目标带宽", "the target").pick(language),
        ),
    )
    return Band(SCENARIO[lines.scenario].pick(language), red_lines(workload, policy, lines, language), pairs)


def _utilizations(workload: Workload, policy: Policy, lines: Lines, language: Language) -> tuple[UtilizationRow, ...]:
    """What 50, 80, 90 and 95 % would need, with the workload's own target among them."""
    job = workload.training
    if job is None or lines.training is None:
        return ()
    bare = replace(job, target_sync_s=None, total_tokens=None, deadline_days=None)
    rtt, flows = lines.reference.rtt, workload.network.flows
    rows: list[tuple[float, float | None, bool]] = [
        (share, floor_of(replace(bare, target_utilization=share), flows, rtt), False) for share in SHARES
    ]
    if lines.floor is not None:
        reached = lines.training.exchange(lines.floor, rtt, 0.0).utilization
        rows = [row for row in rows if abs(row[0] - reached) > MILLI] + [(reached, lines.floor, True)]
    most = max((floor for _, floor, _ in rows if floor is not None), default=1.0)

    def made(share: float, floor: float | None, own: bool) -> UtilizationRow:
        text = fmt.percent(share, language)
        if floor is None:
            return UtilizationRow(text, NO_LINE.pick(language), "–", "–", None, own)
        times = "" if lines.floor is None else fmt.figure(floor / lines.floor, language, "×", 2)
        target = fmt.rate(floor * policy.reserve, language)
        return UtilizationRow(text, fmt.rate(floor, language), target, times, floor / most, own)

    return tuple(made(*row) for row in sorted(rows, key=lambda row: row[0]))


def _difference(row: Difference, language: Language) -> DifferenceRow:
    def way(found: Way | None) -> WayText:
        if found is None:
            return WayText(NO_LINE.pick(language), "", "")
        return WayText(
            _shown(found.value, row.unit, language), symbols(found.formula, language), symbols(found.inputs, language)
        )

    return DifferenceRow(
        row.id, "" if row.number is None else str(row.number), row.title.pick(language), way(row.article),
        way(row.refined), row.reason.pick(language),
        ("；" if language is Language.ZH else "; ").join(x.title.pick(language) for x in row.sources), row.example,
    )  # fmt: skip


def _shown(value: float, unit: str, language: Language) -> str:
    """Five digits, in the unit of the row or a larger one."""
    factor, named = next(((f, u) for least, f, u in LARGER.get(unit, ()) if value >= least), (1.0, unit))
    return fmt.figure(float(value) / factor, language, "" if named == "1" else named, TABLE_DIGITS)


def _panel(line: RedLine, base: str, language: Language) -> Panel:
    working = line.working
    pairs = [Pair(label=Text("全部位数", "All digits").pick(language), value=line.exact)]
    if line.small:
        pairs.append(Pair(label=Text("另见", "Also").pick(language), value=line.small))
    if line.beside:
        pairs.append(Pair(label=Text("并列参考", "Beside it").pick(language), value=line.beside))
    put_in = () if working is None else tuple(f"{p.label} = {p.value}" for p in working.exact_inputs)
    result = () if working is None else (f"→ {working.exact_value}",)
    return Panel(
        title=line.title,
        value=line.limit,
        close=base,
        reason=line.binds,
        pairs=tuple(pairs),
        formula="" if working is None else working.symbolic,
        working=put_in + result,
        sources=((line.source, ""),) if line.source else (),
        notes=() if working is None else (working.validity,),
    )
