"""Step 2, the SLA: availability on one basis, its definition, compensation, repair and failover."""

from __future__ import annotations

from app.domain import parameters as p
from app.domain import sources as s
from app.domain.credits import standard_credit
from app.domain.facts import State
from app.domain.outages import PARTIAL_SCOPES, monthly_span, period_of, tolerance
from app.domain.questions import ask
from app.domain.rules import Case, Finding, Grade, Rule, Status, Step, by_span, margin_above, margin_below
from app.domain.steps.common import GATE, KEY, ORDINARY, facts_of, failed, not_applicable, passed, silence, unknown
from app.domain.terms import PAIR_SCOPES, Span, Term, term
from app.domain.text import Text, percent

HOUR, MILLI = 3600.0, 1e-3


def _scope_doubt(case: Case, found: Term) -> tuple[Text, Text] | None:
    """Why a figure that would pass does not stand for the circuit bought, end to end, and what to ask."""
    scope = found.fact.scope if found.fact is not None else None
    if scope in PAIR_SCOPES and (case.paths or 1) < 2:  # noqa: PLR2004 - a pair is two
        return (
            Text(
                "该数值针对成对电路，不能代表单条电路，须取得单电路承诺。",
                "The figure is for a pair of circuits and never stands for one; ask for the single-circuit figure.",
            ),
            ask("availability"),
        )
    if scope in PARTIAL_SCOPES:
        return (
            Text(
                "该数值不含两端接入，端到端可用性须乘以两端接入后才能比较。",
                "The figure leaves out both access tails; end to end it must be multiplied by them.",
            ),
            ask("scope"),
        )
    return None


def _availability(case: Case) -> Finding:
    floor = case.lines.availability_floor
    found, period = term(case.offer, "availability"), period_of(case)
    facts = facts_of(found)
    if found.state is State.NONE:
        return failed(
            Text(
                "供应商明确不提供可用性承诺，等于没有 SLA。",
                "The vendor declines to commit an availability: there is no SLA.",
            ),
            facts,
            required=floor,
        )
    if not found.readings:
        return unknown(
            silence(found, Text("可用性", "availability")),
            ask("availability"),
            facts=facts,
            required=floor,
        )
    span = monthly_span(found, period)
    raw = max(found.readings)
    offered = span.best if span.worst is None else span.worst

    def find(status: Status, text: Text, *questions: Text, margin: float | None = None) -> Finding:
        return Finding(
            status=status, reason=text, questions=questions, margin=margin, required=floor, offered=offered, facts=facts,
            readings=found.readings if len(found.readings) > 1 else (),
        )  # fmt: skip

    if raw < floor:
        text = Text(
            "{got} 低于下限 {floor}（端到端、按月）。",
            "{got} is below the floor of {floor} (end to end, monthly).",
        )
        return find(
            Status.FAIL, text.format(got=percent(raw, 7), floor=percent(floor, 7)), margin=margin_above(raw, floor)
        )
    doubt = _scope_doubt(case, found)
    if doubt is not None:
        return find(Status.UNKNOWN, *doubt)
    margin = margin_above(offered, floor)
    if by_span(span, lambda v: v >= floor) is Status.PASS:
        text = Text(
            "折算到最差月份 {got}，不低于下限 {floor}。",
            "In the worst month {got}, at or above the floor of {floor}.",
        )
        return find(Status.PASS, text.format(got=percent(offered, 7), floor=percent(floor, 7)), margin=margin)
    text = Text(
        "数值达标，但统计周期长于一月或未写明，最差月份可能只有 {got}（下限 {floor}）。",
        "The figure would pass, but its period is longer than a month or not stated: the worst month may be {got} (floor {floor}).",
    )
    return find(
        Status.UNKNOWN, text.format(got=percent(offered, 7), floor=percent(floor, 7)), ask("period"), margin=margin
    )


def _definition(case: Case) -> Finding:
    found, period = term(case.offer, "availability"), period_of(case)
    facts = facts_of(found)
    if found.state is State.NONE:
        return failed(
            Text("没有可用性承诺，也就没有口径。", "Without an availability there is nothing to define."),
            facts,
        )
    scope = found.fact.scope if found.fact is not None else None
    if scope in PAIR_SCOPES and case.paths is not None and case.paths < 2:  # noqa: PLR2004 - a pair is two
        return failed(
            Text(
                "口径针对成对电路或多端口汇总，而所购为单条电路。",
                "It is defined on a pair or an aggregate while one circuit is bought.",
            ),
            facts,
            required="end_to_end",
            offered=scope,
        )
    excluded = case.offer.of("exclusion")
    commitment = found.fact.commitment if found.fact is not None else None
    open_fields = [
        (not found.readings, Text("数值", "value"), "availability"),
        (scope is None, Text("范围", "scope"), "scope"),
        (
            scope in PARTIAL_SCOPES,
            Text("端到端范围（现仅为部分范围）", "end-to-end scope (now partial)"),
            "scope",
        ),
        (
            scope in PAIR_SCOPES and case.paths is None,
            Text("单电路还是成对", "one circuit or a pair"),
            "paths",
        ),
        (period is None, Text("统计周期", "period"), "period"),
        (commitment is None, Text("承诺性质", "commitment"), "commitment"),
        (
            found.soft,
            Text("合同保证（现为目标、设计或实测）", "a guarantee (now target, design or observed)"),
            "commitment",
        ),
        (not excluded, Text("除外情形", "exclusions"), "exclusions"),
    ]
    missing = [(name, key) for when, name, key in open_fields if when]
    facts = (*facts, *excluded)
    if not missing:
        return passed(
            Text(
                "数值、范围、周期、承诺性质与除外情形均已写明。",
                "Value, scope, period, commitment and exclusions are all stated.",
            ),
            facts,
            required="5/5",
            offered="5/5",
        )
    names = Text("、".join(n.zh for n, _ in missing), ", ".join(n.en for n, _ in missing))
    text = Text(
        "口径不全，无法与其他报价比较：缺{names}。", "Not comparable with other offers: missing {names}."
    ).format(names=names)
    questions = tuple(ask(key) for key in dict.fromkeys(key for _, key in missing))
    return unknown(text, *questions, facts=facts, required="5/5", offered=f"{max(0, 5 - len(missing))}/5")


def _compensation(case: Case) -> Finding:
    credit, cap, claim = (
        standard_credit(case),
        term(case.offer, "credit_cap"),
        term(case.offer, "claim_window"),
    )
    facts = (*case.offer.of("credit_tier"), *facts_of(cap, claim))
    need = p.CREDIT_FLOOR.value
    if any(f.state is State.NONE for f in facts):
        return failed(Text("供应商明确不赔付。", "The vendor declines to compensate."), facts, required=need)
    if credit is None or cap.number is None or claim.number is None:
        return unknown(
            Text("赔付档位、上限或申请期限未写全。", "Credit tiers, cap or claim window are not all stated."),
            ask("credits"),
            facts=facts,
            required=need,
            offered=credit,
        )
    enough = credit >= need and cap.number >= p.CREDIT_CAP_FLOOR.value and claim.number >= p.CLAIM_FLOOR.value
    text = Text(
        "一个月内中断 5 小时赔付月费的 {credit}，上限 {cap}，申请期 {claim:.0f} 天（要求 ≥ {need}、≥ {least}、≥ {days:.0f} 天）。",
        "A 5-hour outage in one month returns {credit} of the monthly charge, cap {cap}, claim within {claim:.0f} days "
        "(asked: ≥ {need}, ≥ {least}, ≥ {days:.0f} days).",
    ).format(
        credit=percent(credit),
        cap=percent(cap.number),
        claim=claim.number,
        need=percent(need),
        least=percent(p.CREDIT_CAP_FLOOR.value),
        days=p.CLAIM_FLOOR.value,
    )
    return Finding(
        status=Status.PASS if enough else Status.FAIL,
        required=need,
        offered=credit,
        margin=margin_above(credit, need),
        reason=text,
        facts=facts,
    )


def _time_limit(case: Case, metric: str, limit: float, scale: float, question: str, unit: str, name: Text) -> Finding:
    """A stated time held against its longest allowed value."""
    found = term(case.offer, metric)
    facts, required = facts_of(found), limit / scale
    if found.state is State.NONE:
        return failed(
            Text("供应商明确不承诺{name}。", "The vendor declines to commit the {name}.").format(name=name),
            facts,
            required=required,
        )
    if not found.readings:
        return unknown(
            silence(found, name),
            ask(question),
            facts=facts,
            required=required,
        )
    span = Span(min(found.readings), max(found.readings), found.number)
    status = by_span(span, lambda v: v <= limit)
    shown = (span.best if status is Status.FAIL else span.worst) or 0.0
    text = Text(
        "{name} {got:.4g} {unit}，上限 {limit:.4g} {unit}。",
        "{name}: {got:.4g} {unit} against at most {limit:.4g} {unit}.",
    )
    return Finding(
        status=status, required=required, offered=shown / scale, margin=margin_below(shown, limit),
        readings=tuple(r / scale for r in found.readings) if len(found.readings) > 1 else (),
        reason=text.format(name=name, got=shown / scale, limit=required, unit=unit), facts=facts,
        questions=(ask(question),) if status is Status.UNKNOWN else (),
    )  # fmt: skip


REPAIR = {"training": p.REPAIR_TRAINING, "inference": p.REPAIR_INFERENCE, "bulk": p.REPAIR_BULK}


def _repair(case: Case) -> Finding:
    return _time_limit(
        case,
        "repair_time",
        REPAIR[case.scenario].value,
        HOUR,
        "repair_time",
        "h",
        Text("业务恢复时限", "restoration time"),
    )


def _repair_grade(case: Case) -> Grade | None:
    return KEY if case.scenario == "inference" and (case.paths or 1) >= 2 else None  # noqa: PLR2004 - a pair is two


def _failover_limit(case: Case) -> float:
    if case.scenario == "training":
        return tolerance(case.reading.transport)
    return p.FAILOVER_INFERENCE.value if case.scenario == "inference" else p.FAILOVER_BULK.value


def _failover(case: Case) -> Finding:
    if case.paths is not None and case.paths < 2:  # noqa: PLR2004 - one path has nothing to fail over to
        return not_applicable(Text("单路径，没有可倒换的路径。", "A single path has nothing to fail over to."))
    return _time_limit(
        case,
        "failover_time",
        _failover_limit(case),
        MILLI,
        "failover",
        "ms",
        Text("保护倒换时间", "failover time"),
    )


def _failover_grade(case: Case) -> Grade | None:
    found = term(case.offer, "availability")
    as_pair = found.fact is not None and found.fact.scope == "pair"
    two = (case.paths or 1) >= 2  # noqa: PLR2004 - a pair is two
    if case.scenario == "training" and two and as_pair:
        return GATE
    return GATE if case.scenario == "inference" and two else None


RULES: tuple[Rule, ...] = (
    Rule(
        id="sla.availability", step=Step.RED_LINES, title=Text("可用性（端到端、按月）", "Availability (end to end, monthly)"),
        why=Text("同一百分数，年度口径的最差月份要差十二倍。", "The same percentage by the year allows a month twelve times worse."),
        formula="worst_month_availability", unit="1", source=s.JUDGEMENT,
        grades={"training": GATE, "inference": GATE, "bulk": ORDINARY}, check=_availability,
    ),
    Rule(
        id="sla.definition", step=Step.RED_LINES, title=Text("可用性口径", "Definition of the SLA"),
        why=Text("口径不同的 SLA 不可比。", "Without one basis comparing SLAs is meaningless."),
        formula="value, scope, period, commitment, exclusions", unit="", source=s.ARTICLE,
        grades={"training": GATE, "inference": GATE, "bulk": KEY}, check=_definition,
    ),
    Rule(
        id="sla.compensation", step=Step.RED_LINES, title=Text("赔付", "Compensation"),
        why=Text("没有力度的赔付约束不了供应商：按比例退 5 小时只有月费的 0.68 %。", "Credits without teeth bind nobody: pro rata, 5 hours return 0.68 % of the month."),
        formula="credit(5 h) ≥ 5 %, cap ≥ 30 %, claim ≥ 30 d", unit="1", source=s.ARTICLE,
        grades={"training": KEY, "inference": KEY, "bulk": ORDINARY}, check=_compensation,
    ),
    Rule(
        id="sla.repair_time", step=Step.RED_LINES, title=Text("故障恢复时限", "Mean time to repair (restoration)"),
        why=Text("恢复业务的时限，不是到场或响应。", "The time to restore service, not to respond or to arrive."),
        formula="repair_time ≤ limit", unit="h", source=s.SLA_SURVEY,
        grades={"training": KEY, "inference": GATE, "bulk": ORDINARY}, check=_repair, grade_when=_repair_grade,
    ),
    Rule(
        id="sla.failover", step=Step.RED_LINES, title=Text("保护倒换", "Failover"),
        why=Text("倒换慢于传输容忍时间，训练任务会整体重启。", "A failover slower than the transport tolerates restarts the whole job."),
        formula="failover_time ≤ transport tolerance", unit="ms", source=s.IBTA,
        grades={"training": KEY, "inference": KEY, "bulk": ORDINARY}, check=_failover, grade_when=_failover_grade,
    ),
)  # fmt: skip
