"""The red lines of one scenario as rows: the limit, what binds, the formula with its inputs, the source.

Nothing is judged or derived here. A working the core did not note down is had from the registered formula, so
that every row opens on its inputs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain.formulas.registry import BY_ID
from app.domain.metrics import TRANSPORTS
from app.domain.problems import InputError
from app.domain.text import Language, Text
from app.domain.transport import GO_BACK_N, is_rdma
from app.presentation import format as fmt
from app.report import service_words
from app.report.working import source_text
from app.report.working_view import WorkingLine, closed, described

if TYPE_CHECKING:
    from app.domain.demand import Worked
    from app.domain.lines import Lines
    from app.domain.policy import Policy
    from app.domain.sources import Source
    from app.domain.workload import Workload

MILLI, HOUR = 1e-3, 3600.0
TRANSPORT: dict[str, Text] = {choice.code: choice.label for choice in TRANSPORTS}
_FAR = 10  # from ten times the reference on, the round-trip time decides nothing
OWN = Text("您填写的目标", "Your own figure")


@dataclass(frozen=True, slots=True, kw_only=True)
class RedLine:
    """One line an offer is held against; `metric` is the metric of the vendor's sheet, `id` is `training.rtt`.

    `beside` is the fixed line a source gives, shown but not applied. `working` None: the line is a figure by itself.
    """

    id: str
    metric: str
    title: str
    limit: str
    exact: str
    binds: str
    source: str
    small: str = ""
    beside: str = ""
    working: WorkingLine | None = None


def red_lines(workload: Workload, policy: Policy, lines: Lines, language: Language) -> tuple[RedLine, ...]:
    """The rows of one scenario in the order of the framework."""
    maker = _Maker(workload, policy, lines, language)
    rows = (maker.bandwidth(), maker.rtt(), maker.jitter(), maker.loss(), maker.availability())
    return tuple(row for row in rows if row is not None)


class _Maker:
    """Words for the lines of one scenario in one language."""

    def __init__(self, workload: Workload, policy: Policy, lines: Lines, language: Language) -> None:
        self.workload, self.policy, self.lines, self.language = workload, policy, lines, language

    def say(self, zh: str, en: str, **values: object) -> str:
        """The side of the language, filled in."""
        return closed(Text(zh, en).format(**values).pick(self.language))

    def compute(self, formula: str, **inputs: Any) -> WorkingLine:
        """A registered formula with these inputs."""
        entry = BY_ID[formula]
        try:
            value = entry(**inputs)
        except InputError:  # a limit at its edge, such as a round-trip time of 0: the inputs are shown all the same
            value = math.nan
        return described(entry, inputs, value, self.language)

    def stated(self, source: Source | None, working: WorkingLine | None = None) -> dict[str, Any]:
        """Source of a line: that of its formula, of its parameter, or the buyer."""
        source = working.source if working and source is None else source
        text = OWN.pick(self.language) if source is None else source_text(source, self.language)
        return {"source": text, "working": working}

    def row(self, metric: str, title: Text, **more: Any) -> RedLine:
        """A row of this scenario."""
        return RedLine(id=f"{self.lines.scenario}.{metric}", metric=metric, title=title.pick(self.language), **more)

    # ---- bandwidth

    def bandwidth(self) -> RedLine:
        """Least effective rate each way."""
        lines, title = self.lines, Text("有效带宽（每方向）", "Effective bandwidth, each way")
        if lines.floor is None or lines.target is None:
            binds = self.say("任何带宽都达不到目标时间", "No rate of any size meets the target time")
            return self.row("bandwidth", title, limit="–", exact="–", binds=binds, source="")
        target = fmt.rate(lines.target, self.language)
        small = self.say(
            "目标 {target}，即下限 × {reserve}",
            "target {target}, the floor × {reserve}",
            target=target,
            reserve=fmt.figure(self.policy.reserve, self.language),
        )
        if lines.reserved:
            small += self.say(
                "；另一场景再占 {rate}",
                "; the other scenario takes {rate} more",
                rate=fmt.rate(lines.reserved, self.language),
            )
        working = self._floor_working(lines.floor)
        return self.row(
            "bandwidth",
            title,
            limit=f"≥ {fmt.rate(lines.floor, self.language)}",
            exact=fmt.exact(lines.floor, self.language, "bit/s"),
            small=small,
            binds=self._floor_binds(),
            beside=self.say(
                "文章锚点 {rate}", "the article's anchor is {rate}", rate=fmt.rate(p.ANCHOR_RATE.value, self.language)
            )
            if lines.training
            else "",
            **self.stated(None if working.formula else p.REPLY_BURST.source, working),
        )

    def _floor_working(self, floor: float) -> WorkingLine:
        lines, demand = self.lines, self.lines.training
        if demand is not None:
            return self._last(demand.floor_working(floor, lines.reference.rtt))
        if lines.bulk is not None:
            move = lines.bulk
            return self.compute(
                "bulk_rate", size=move.size, window=move.window, retry_share=move.retry_share,
                round_trips=move.round_trips, rtt=lines.reference.rtt,
            )  # fmt: skip
        return self._service_working(floor)

    def _last(self, working: tuple[Worked, ...]) -> WorkingLine:
        """The last line of a working; the ones before it give its inputs."""
        formula, inputs = working[-1]
        return self.compute(formula, **inputs)

    def _service_working(self, floor: float) -> WorkingLine:
        job, service = self.workload.inference, self.lines.service
        if job is None or service is None:  # pragma: no cover - an inference scenario has both
            raise ValueError(self.lines.scenario)
        inputs = service.first_token_inputs(floor, self.lines.reference.rtt, tail=True)
        if service_words.raised_by_first_token(service, floor) and inputs is not None:
            return self.compute("time_to_first_token", **inputs)
        return service_words.traffic_working(job, service, self.language)

    def _floor_binds(self) -> str:
        lines, demand, wanted = self.lines, self.lines.training, self.lines.wanted
        if lines.bulk is not None:
            return self.say("时间窗 {t}", "The window of {t}", t=fmt.duration(lines.bulk.window, self.language))
        if lines.service is not None:
            return closed(service_words.floor_binds(lines, lines.service).pick(self.language))
        if demand is None or wanted is None:  # pragma: no cover - a training scenario has both
            raise ValueError(lines.scenario)
        budget = fmt.duration(demand.budget, self.language)
        if wanted.sync is not None and math.isclose(demand.budget, wanted.sync):
            return self.say("目标同步时间 {t}", "The target sync time of {t}", t=budget)
        share = fmt.percent(wanted.utilization, self.language)
        if wanted.assumed:
            return self.say(
                "未填目标，按利用率 {u} 核算：同步预算 {t}",
                "No target given; {u} utilisation assumed: a budget of {t}",
                u=share,
                t=budget,
            )
        return self.say("目标利用率 {u}：同步预算 {t}", "Target utilisation {u}: a budget of {t}", u=share, t=budget)

    # ---- round-trip time

    def rtt(self) -> RedLine | None:
        """Longest round-trip time; None when no line of any rate is enough."""
        lines, title = self.lines, Text("往返时延", "Round-trip time")
        if lines.floor is None:
            return None
        floor = self.workload.distance_km
        small = (
            ""
            if not floor
            else self.say(
                "光纤下限 {t}",
                "fibre limit {t}",
                t=fmt.duration(BY_ID["fibre_rtt_floor"](distance=floor), self.language),
            )
        )
        beside = (
            ""
            if lines.service is None
            else self.say(
                "文章参考线 < {t}",
                "the article's reference is < {t}",
                t=fmt.duration(p.INFERENCE_RTT_REFERENCE.value, self.language),
            )
        )
        if lines.training is not None:
            beside = self.say(
                "文章给推理的参考线 < {t}，并按每增 {step} 评估训练；均不作为红线",
                "the article's < {t} is for inference; it weighs training by each further {step}: neither is the limit",
                t=fmt.duration(p.INFERENCE_RTT_REFERENCE.value, self.language),
                step=fmt.duration(p.ARTICLE_RTT_STEP.value, self.language),
            )
        if lines.rtt_limit is None:
            binds = self.say("不设红线", "No limit: nothing depends on it")
            return self.row("rtt", title, limit="–", exact="–", small=small, binds=binds, beside=beside, source="")
        if lines.service is not None:
            looser = service_words.other_limits(lines, lines.service, self.language)
            small = Text("；", "; ").pick(self.language).join(filter(None, (small, looser)))
        sign = "<" if lines.rtt_strict else "≤"
        return self.row(
            "rtt",
            title,
            limit=f"{sign} {fmt.duration(lines.rtt_limit, self.language)}",
            exact=fmt.exact(lines.rtt_limit / MILLI, self.language, "ms"),
            small=small,
            beside=beside,
            binds=self._rtt_binds(lines.rtt_limit),
            **self.stated(None, self._rtt_working(lines.rtt_limit)),
        )

    def _rtt_binds(self, limit: float) -> str:
        lines = self.lines
        if lines.rtt_reason == "hops" and limit >= _FAR * lines.reference.rtt:
            return self.say(
                "约为参考值 {ref} 的 {n} 倍，时延不构成约束",
                "About {n} times the reference {ref}: delay is no constraint",
                ref=fmt.duration(lines.reference.rtt, self.language),
                n=fmt.figure(limit / lines.reference.rtt, self.language, digits=2),
            )
        demand = lines.training
        hops = fmt.figure(demand.hops if demand else 0.0, self.language)
        words = {
            "hops": Text(
                "每次同步依赖 {hops} 个单程，带宽取目标值",
                "{hops} dependent one-way hops per exchange, at the target rate",
            ),
            "window": Text(
                "每流窗口在更长的时延下填不满线路", "The window per stream no longer fills the line beyond this"
            ),
            "ttft": Text(
                "首 token 目标减去预填充、排队与 KV 传输（P95）",
                "First-token target less prefill, queues and cache transfer (p95)",
            ),
            "tpot": Text(
                "每 token 目标减去单站每 token 时间：每个 token 等一个往返",
                "Target per output token less the token time on one site: each token waits one round trip",
            ),
            "user": Text("您自定的上限，须严格小于", "Your own limit; it holds strictly below"),
        }
        return words[lines.rtt_reason].format(hops=hops).pick(self.language)

    def _rtt_working(self, limit: float) -> WorkingLine | None:
        lines, demand, network = self.lines, self.lines.training, self.workload.network
        if lines.rtt_reason == "window":
            return self.compute(
                "window_rtt_limit", bandwidth=lines.floor, window=network.window_bytes, streams=lines.reference.streams
            )
        if lines.rtt_reason == "hops" and demand is not None:
            return self._last(demand.rtt_working(lines.target or 0.0))
        found = None if lines.service is None else service_words.rtt_inputs(lines, lines.service, limit)
        return None if found is None else self.compute(found[0], **found[1])

    # ---- jitter, loss, availability

    def jitter(self) -> RedLine | None:
        """Jitter as a 99th percentile, the standard deviation beside it."""
        lines, demand = self.lines, self.lines.training
        shown = lines.as_json()["jitter_p99_limit_ms"]
        if lines.sigma_limit is None or shown is None:
            return None
        common: dict[str, Any] = {
            "limit": f"P99 ≤ {fmt.duration(shown * MILLI, self.language)}",
            "exact": fmt.exact(shown, self.language, "ms"),
            "small": self.say(
                "标准差 ≤ {t}", "standard deviation ≤ {t}", t=fmt.duration(lines.sigma_limit, self.language)
            ),
        }
        title = Text("抖动", "Inter-packet delay variation")
        if demand is None:
            mark = p.BULK_JITTER if lines.bulk is not None else p.JITTER_MARK
            return self.row(
                "jitter", title, binds=mark.meaning.pick(self.language), **common, **self.stated(mark.source)
            )
        working = self.compute(
            "jitter_step_delay", rounds=demand.jitter_rounds, sigma=lines.sigma_limit, flows=demand.flows
        )
        share = fmt.percent(p.JITTER_BUDGET.value, self.language)
        binds = self.say(
            "最多占单站每步时间的 {u}，按最慢的一流计",
            "At most {u} of the step on one site, for the slowest flow",
            u=share,
        )
        return self.row("jitter", title, binds=binds, **common, **self.stated(p.JITTER_BUDGET.source, working))

    def loss(self) -> RedLine | None:
        """Highest packet loss ratio and whether the need or the cap binds."""
        lines, where = self.lines, self.lines.reference
        if lines.loss_limit is None or lines.floor is None or lines.target is None:
            return None
        if where.transport in GO_BACK_N:
            working = self.compute(
                "go_back_n_loss_need", floor=lines.floor, target=lines.target, payload=where.payload, rtt=where.rtt
            )
        elif where.transport == "tcp_cubic":
            working = self.compute(
                "cubic_loss_limit", mss=where.payload, rtt=where.rtt, bandwidth=lines.floor / where.streams
            )
        else:
            working = self.compute("selective_repeat_loss_limit", efficiency=lines.floor / lines.target)
        cap = p.TCP_LOSS_CAP if lines.training else p.TCP_LOSS_CAP_LOOSE
        cap = p.RDMA_LOSS_CAP if is_rdma(where.transport) else cap
        capped = lines.loss_limit >= cap.value
        transport = TRANSPORT[where.transport].pick(self.language)
        if capped:
            binds = self.say(
                "{t} 自身的需求更宽，按上限取", "{t} by itself would allow more; the cap holds", t=transport
            )
        else:
            binds = self.say("{t} 在长线高速下的损失", "Losses of {t} over a long fast line", t=transport)
        return self.row(
            "packet_loss",
            Text("丢包率", "Packet loss ratio"),
            limit=f"≤ {fmt.ratio(lines.loss_limit, self.language)}",
            exact=fmt.exact(lines.loss_limit, self.language),
            binds=binds,
            beside=self._loss_beside(cap, capped=capped),
            **self.stated(cap.source if capped else None, working),
        )

    def _loss_beside(self, cap: p.Parameter, *, capped: bool) -> str:
        """The article's fixed line for RDMA, else the cap of the transport where it does not bind."""
        value = fmt.ratio(cap.value, self.language)
        if cap is p.RDMA_LOSS_CAP:
            return self.say("文章红线 {cap}", "the article's red line is {cap}", cap=value)
        return "" if capped else self.say("上限 {cap}", "cap {cap}", cap=value)

    def availability(self) -> RedLine:
        """Availability floor, and the outage it allows in a month."""
        lines, floor = self.lines, self.lines.availability_floor
        own = self.policy.availability_floor is not None
        by_scenario = {"inference": p.AVAILABILITY_INFERENCE, "bulk": p.AVAILABILITY_BULK}
        default = by_scenario.get(lines.scenario, p.AVAILABILITY_TRAINING)
        if lines.scenario == "training" and floor == p.AVAILABILITY_LARGE.value:
            default = p.AVAILABILITY_LARGE
        working = self.compute("allowed_downtime", availability=floor, window=self.policy.hours_per_month * HOUR)
        binds = self.say("评审规则中自定", "Set in your rules") if own else default.meaning.pick(self.language)
        return self.row(
            "availability",
            Text("可用性（端到端，按月）", "Availability, end to end, per month"),
            limit=f"≥ {fmt.availability(floor, self.language)}",
            exact=fmt.availability(floor, self.language),
            small=self.say("每月最多中断 {t}", "at most {t} down a month", t=working.value),
            binds=binds,
            beside=self._availability_beside(),
            **self.stated(None if own else default.source, working),
        )

    def _availability_beside(self) -> str:
        """What the job itself asks for at the budget of outages, and the two lines of the article."""
        need = self.lines.availability_need
        shown = None if need is None else math.ceil(need * 1e6) / 1e6  # up: a line that asks for more is still kept
        figures = (shown, p.ARTICLE_AVAILABILITY.value, p.ARTICLE_AVAILABILITY_HIGH.value)
        asked, plain, high = ("" if x is None else fmt.availability(x, self.language) for x in figures)
        article = self.say(
            "文章以 {plain}、{high} 为例", "the article names {plain} and {high}", plain=plain, high=high
        )
        if need is None:
            return article
        own = self.say(
            "按中断最多占一个月的 {budget}、每次修复 4 小时反推，本任务须 ≥ {need}",
            "with outages at most {budget} of the month and repaired in 4 h, this job asks for ≥ {need}",
            budget=fmt.percent(p.OUTAGE_BUDGET.value, self.language),
            need=asked,
        )
        return f"{own}；{article}" if self.language is Language.ZH else f"{own}; {article}"
