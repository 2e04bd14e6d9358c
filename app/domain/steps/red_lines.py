"""Step 2, red lines: delay, physics, jitter and loss. The SLA's own elements stand in `sla.py`."""

from __future__ import annotations

from app.domain import parameters as p
from app.domain import sources as s
from app.domain.facts import State
from app.domain.figures import number
from app.domain.figures import span as spread_of
from app.domain.formulas.delay import fibre_rtt_floor
from app.domain.questions import ask
from app.domain.rules import Case, Finding, Grade, Rule, Status, Step, by_span, margin_below
from app.domain.steps.common import GATE, KEY, ORDINARY, facts_of, failed, not_applicable, silence, unknown
from app.domain.terms import JITTER_SIGMAS, Span, Term, contradicted_loss, term
from app.domain.text import Text
from app.domain.transport import is_rdma

MILLI = 1e-3
BINDING = {
    "hops": Text("同步预算", "the sync budget"),
    "window": Text("己方窗口", "your own window"),
    "ttft": Text("首 token 预算", "the time-to-first-token budget"),
    "tpot": Text("每 token 预算", "the per-token budget"),
    "user": Text("采购方自定", "your own limit"),
    "none": Text("—", "—"),
}


def _latency_terms(case: Case) -> tuple[Term, Term]:
    return term(case.offer, "rtt"), term(case.offer, "one_way_delay")


def _latency_questions(case: Case) -> tuple[Text, ...]:
    rtt, one_way = _latency_terms(case)
    if not rtt.readings and not one_way.readings:
        return (ask("rtt"),)
    fact = rtt.fact if rtt.readings else one_way.fact
    questions = []
    if rtt.readings and fact is not None and fact.direction is None:
        questions.append(ask("rtt_direction"))
    if fact is not None and fact.statistic is None:
        questions.append(ask("rtt_statistic"))
    return tuple(questions)


def _declined(*found: Term) -> bool:
    return any(t.state is State.NONE for t in found) and not any(t.readings for t in found)


def _rtt(case: Case) -> Finding:
    limit = case.lines.rtt_limit
    if limit is None:
        return not_applicable(Text("本场景没有往返时延上限。", "This scenario sets no limit on the round-trip time."))
    facts = facts_of(*(t for t in _latency_terms(case) if t.readings or t.state is not State.MISSING))
    required = limit / MILLI
    if _declined(*_latency_terms(case)):
        return failed(
            Text("供应商明确不承诺时延。", "The vendor declines to commit a delay."), facts, required=required
        )
    span = case.reading.rtt_tail
    strict = case.lines.rtt_strict
    if span.worst is None:
        return unknown(
            silence(term(case.offer, "rtt"), Text("往返时延", "round-trip time")),
            ask("rtt"),
            facts=facts,
            required=required,
        )
    status = by_span(span, lambda v: v < limit if strict else v <= limit)
    shown = span.central if span.central is not None and status is not Status.FAIL else span.best
    sign = "<" if strict else "≤"
    reasons = {
        Status.PASS: Text("{both} ms，满足 {sign} {limit} ms（由{why}决定）。", "{both} ms meets {sign} {limit} ms (set by {why})."),
        Status.FAIL: Text("最有利读法也有 {low} ms，不满足 {sign} {limit} ms（由{why}决定）。", "Even the most favourable reading, {low} ms, misses {sign} {limit} ms (set by {why})."),
        Status.UNKNOWN: Text("读作 {both} ms，是否满足 {sign} {limit} ms 取决于方向与统计口径。", "Reads as {both} ms; whether it meets {sign} {limit} ms depends on direction and statistic."),
    }  # fmt: skip
    text = reasons[status].format(
        low=number(span.best / MILLI),
        both=spread_of(span.best / MILLI, span.worst / MILLI),
        limit=number(required),
        sign=sign,
        why=BINDING[case.lines.rtt_reason],
    )
    spread = () if span.worst == span.best else (span.best / MILLI, span.worst / MILLI)
    return Finding(
        status=status, required=required, offered=shown / MILLI, margin=margin_below(span.best if status is Status.FAIL else span.worst, limit), readings=spread,
        reason=text, facts=facts, questions=_latency_questions(case) if status is not Status.FAIL else (),
    )  # fmt: skip


def _rtt_grade(case: Case) -> Grade | None:
    job = case.workload.inference
    own = job is not None and (job.rtt_limit_ms is not None or "pipeline_split" in job.mode)
    return GATE if case.scenario == "inference" and own else None


def _against_own_route(case: Case, required: float) -> Finding | None:
    """A delay that light cannot keep over the vendor's own length of fibre: one of the two is wrong."""
    route, span = term(case.offer, "distance"), case.reading.rtt
    if route.number is None or span.worst is None or not case.reading.fibre_floor <= span.worst:
        return None
    floor = fibre_rtt_floor(distance=route.number)
    if span.worst >= floor:
        return None
    text = Text(
        "{got:.4g} ms 短于其自报光缆长度 {km:.4g} km 所需的 {floor:.4g} ms，两处数值必有一处不对。",
        "{got:.4g} ms is less than the {floor:.4g} ms light needs over the vendor's own {km:.4g} km of fibre; one of "
        "the two is wrong.",
    )
    what = Text("往返时延与光缆长度", "round-trip time and fibre length")
    return Finding(
        status=Status.UNKNOWN, required=required, offered=span.worst / MILLI, margin=span.worst / floor - 1,
        reason=text.format(got=span.worst / MILLI, km=route.number, floor=floor / MILLI),
        facts=facts_of(*(t for t in (*_latency_terms(case), route) if t.readings)),
        questions=(ask("contradiction", what=what),),
    )  # fmt: skip


def _physics(case: Case) -> Finding:
    floor = case.reading.fibre_floor
    if not floor:
        return unknown(
            Text(
                "未填站点距离，无法核对光纤时延下限。",
                "No distance was given, so the fibre limit cannot be checked.",
            ),
            ask("distance"),
        )
    facts = facts_of(*(t for t in _latency_terms(case) if t.readings))
    span = case.reading.rtt
    required = floor / MILLI
    if span.worst is None:
        return unknown(
            Text(
                "资料未写明往返时延，无法核对光纤下限。",
                "The sheet states no round-trip time to hold against the fibre limit.",
            ),
            ask("rtt"),
            required=required,
        )
    if (found := _against_own_route(case, required)) is not None:
        return found
    # Here longer is safer: the claim is impossible when even its longest reading beats light.
    status = by_span(Span(span.worst, span.best, span.central), lambda v: v >= floor)
    detour = span.best > p.DETOUR_FACTOR.value * floor
    reasons = {
        Status.PASS: Text("{low:.4g} ms 不短于光纤下限 {floor:.4g} ms。", "{low:.4g} ms is not below the fibre limit of {floor:.4g} ms."),
        Status.FAIL: Text("{high:.4g} ms 短于光纤极限 {floor:.4g} ms，物理上不可能。", "{high:.4g} ms beats the fibre limit of {floor:.4g} ms: physically impossible."),
        Status.UNKNOWN: Text("读作往返则短于光纤极限 {floor:.4g} ms，读作单向则可能成立，须明确方向。", "As a round trip it beats the fibre limit of {floor:.4g} ms, as one-way it may hold; ask for the direction."),
    }  # fmt: skip
    text = reasons[status].format(low=span.best / MILLI, high=span.worst / MILLI, floor=required)
    straight = status is Status.PASS and span.best < p.STRAIGHT_ROUTE.value * floor
    asked = {
        Status.PASS: (ask("physics"),) if detour else (ask("fibre_map"),) if straight else (),
        Status.FAIL: (ask("physics"),),
        Status.UNKNOWN: (ask("rtt_direction"),),
    }
    return Finding(
        status=status,
        required=required,
        offered=span.best / MILLI,
        margin=span.best / floor - 1,
        reason=text,
        facts=facts,
        questions=asked[status],
    )


def _jitter(case: Case) -> Finding:
    limit = case.lines.sigma_limit
    if limit is None:
        return not_applicable(Text("没有可用的抖动红线。", "There is no jitter limit to hold against."))
    found = term(case.offer, "jitter")
    required = limit / MILLI
    if found.state is State.NONE:
        return failed(
            Text("供应商明确不承诺抖动。", "The vendor declines to commit a jitter."),
            facts_of(found),
            required=required,
        )
    span = case.reading.jitter
    if span.worst is None:
        return unknown(
            Text(
                "资料未写明抖动；只有时延没有抖动，无法判断最慢一流。",
                "The sheet states no jitter; a delay without jitter says nothing of the slowest flow.",
            ),
            ask("jitter"),
            facts=facts_of(found),
            required=required,
        )
    status = by_span(span, lambda v: v <= limit)
    p99 = limit * JITTER_SIGMAS["p99"] / MILLI
    shown = span.worst if status is not Status.FAIL else span.best
    text = {
        Status.PASS: Text("折合标准差 {got:.3g} ms，不超过 {limit:.3g} ms（约合 P99 {p99:.3g} ms）。", "As a standard deviation {got:.3g} ms, within {limit:.3g} ms (about P99 {p99:.3g} ms)."),
        Status.FAIL: Text("折合标准差至少 {got:.3g} ms，超过 {limit:.3g} ms（约合 P99 {p99:.3g} ms）。", "As a standard deviation at least {got:.3g} ms, beyond {limit:.3g} ms (about P99 {p99:.3g} ms)."),
        Status.UNKNOWN: Text("折合标准差最多 {got:.3g} ms，是否不超过 {limit:.3g} ms 取决于抖动的定义。", "As a standard deviation up to {got:.3g} ms; whether it is within {limit:.3g} ms depends on the definition."),
    }[status].format(got=shown / MILLI, limit=required, p99=p99)  # fmt: skip
    unsaid = found.fact is not None and found.fact.statistic is None
    return Finding(
        status=status, required=required, offered=shown / MILLI, margin=margin_below(shown, limit),
        readings=tuple(r / MILLI for r in found.readings), reason=text, facts=facts_of(found),
        questions=(ask("jitter"),) if unsaid and status is not Status.FAIL else (),
    )  # fmt: skip


def _jitter_grade(case: Case) -> Grade | None:
    limit = case.lines.sigma_limit
    if case.scenario == "training" and limit is not None and limit >= p.JITTER_GATE_BELOW.value:
        return KEY
    split = case.workload.inference is not None and "pipeline_split" in case.workload.inference.mode
    return GATE if case.scenario == "inference" and split else None


def _loss(case: Case) -> Finding:
    limit = case.lines.loss_limit
    if limit is None:
        return not_applicable(Text("没有可用的丢包红线。", "There is no loss limit to hold against."))
    found, errors = term(case.offer, "packet_loss"), term(case.offer, "bit_error_ratio")
    span = case.reading.loss
    against = contradicted_loss(case.offer)
    facts = facts_of(*((found, errors) if against else (errors,) if span.derived else (found,)))
    if found.state is State.NONE:
        return failed(
            Text("供应商明确不承诺丢包率。", "The vendor declines to commit a packet loss ratio."),
            facts,
            required=limit,
        )
    if span.worst is None:
        layer_one = term(case.offer, "layer").word in ("wave", "otn")
        questions = (ask("packet_loss"), *((ask("bit_error_ratio"),) if layer_one else ()))
        why = silence(found, Text("丢包率", "packet loss ratio"))
        shown_limit = number(limit, 2)
        text = Text(
            f"{why.zh}没有数值不等于零；承诺 ≤ {shown_limit} 即可通过。",
            f"{why.en} No figure is not zero; a promise of ≤ {shown_limit} would pass.",
        )
        return Finding(status=Status.UNKNOWN, required=limit, reason=text, facts=facts, questions=questions)
    status = by_span(span, lambda v: v <= limit)
    shown = span.best if status is Status.FAIL else span.worst
    text = {
        Status.PASS: Text("{got}{how}，不高于红线 {limit}。", "{got}{how}, within the limit of {limit}."),
        Status.FAIL: Text("{got}{how}，高于红线 {limit}（{times} 倍）。", "{got}{how}, {times} times the limit of {limit}."),
        Status.UNKNOWN: Text("有多个读法，最差 {got}{how}，红线 {limit}。", "Several readings, the worst {got}{how}, against the limit of {limit}."),
    }[status]  # fmt: skip
    digits = next((d for d in range(3, 10) if shown == limit or number(shown, d) != number(limit, d)), 10)
    values = {
        "got": number(shown, digits),
        "limit": number(limit, digits),
        "times": number(shown / limit if limit else 0.0, digits),
    }
    zh, en = ("（由误码率折算）", " (derived from the bit error ratio)") if span.derived else ("", "")
    text = Text(text.zh.format(how=zh, **values), text.en.format(how=en, **values))
    return Finding(
        status=status, required=limit, offered=shown, margin=margin_below(shown, limit),
        readings=(span.best, span.worst) if against else found.readings if len(found.readings) > 1 else (),
        reason=text, facts=facts, questions=_loss_questions(status, against=against),
    )  # fmt: skip


def _loss_questions(status: Status, *, against: bool) -> tuple[Text, ...]:
    """A contradiction is asked about whatever it comes to."""
    contradiction = ask("contradiction", what=Text("丢包率与误码率", "packet loss ratio and bit error ratio"))
    asked = (ask("packet_loss"),) if status is Status.UNKNOWN and not against else ()
    return (*asked, *((contradiction,) if against else ()))


def _loss_grade(case: Case) -> Grade | None:
    rdma = is_rdma(case.reading.transport)
    split = case.workload.inference is not None and "prefill_decode_split" in case.workload.inference.mode
    if case.scenario == "training":
        return GATE if rdma else KEY
    if case.scenario == "inference":
        return GATE if rdma and split else KEY
    return None


RULES: tuple[Rule, ...] = (
    Rule(
        id="latency.rtt", step=Step.RED_LINES, title=Text("往返时延", "Round-trip time"),
        why=Text("每次同步要等待若干个往返；训练看同步预算与窗口，推理看首 token。", "Every exchange waits for round trips; training has a sync budget and a window, inference a first token."),
        formula="rtt_limit", unit="ms", source=s.ARTICLE,
        grades={"training": GATE, "inference": KEY, "bulk": ORDINARY}, check=_rtt, grade_when=_rtt_grade,
    ),
    Rule(
        id="latency.physics", step=Step.RED_LINES, title=Text("光纤时延下限", "Fibre limit"),
        why=Text("比光还快的时延不能写进合同；明显绕行要看路由图。", "A delay faster than light cannot be in a contract; a long detour needs a route map."),
        formula="fibre_rtt_floor", unit="ms", source=s.FIBRE,
        grades={"training": GATE, "inference": GATE, "bulk": ORDINARY}, check=_physics,
    ),
    Rule(
        id="latency.jitter", step=Step.RED_LINES, title=Text("抖动（标准差）", "Inter-packet delay variation (standard deviation)"),
        why=Text("同步以最慢的一流为准，抖动按流数放大。", "An exchange ends with its slowest flow; jitter grows with the number of flows."),
        formula="jitter_sigma_limit", unit="ms", source=s.ORDER_STATISTICS,
        grades={"training": GATE, "inference": KEY, "bulk": ORDINARY}, check=_jitter, grade_when=_jitter_grade,
    ),
    Rule(
        id="loss.packet_loss", step=Step.RED_LINES, title=Text("丢包率", "Packet loss ratio"),
        why=Text("回退重传时一个丢包要重发整个在途窗口，长线高速尤其严重。", "With go-back-N one lost packet resends everything in flight; long fast lines suffer most."),
        formula="go_back_n_loss_need", unit="1", source=s.GO_BACK_N,
        grades={"training": GATE, "inference": KEY, "bulk": ORDINARY}, check=_loss, grade_when=_loss_grade,
    ),
)  # fmt: skip
