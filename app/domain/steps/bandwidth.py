"""Step 1, bandwidth base: the weakest segment, the effective rate, both directions."""

from __future__ import annotations

from dataclasses import replace

from app.domain import sources as s
from app.domain.facts import Fact, State
from app.domain.figures import number
from app.domain.formulas.tcp import cubic_throughput
from app.domain.formulas.windows import tcp_streams_needed
from app.domain.prediction import cautious
from app.domain.questions import ask
from app.domain.rules import Case, Finding, Rule, Status, Step, by_span, margin_above
from app.domain.steps.common import GATE, ORDINARY, facts_of, silence
from app.domain.steps.promise import held_to_the_outcome
from app.domain.terms import CIRCUIT_LAYERS, Term, term
from app.domain.text import Text
from app.domain.transport import effective_rate

GIGA = 1e9
NO_LINE = Text(
    "任何带宽的专线都达不到当前目标，请先调整任务（跨站并行方式、存储）或目标。",
    "No line of any rate can meet this target; change the job (placement, storage) or the target first.",
)

NOT_BOTH = Text(
    "供应商不同时保证双向带宽，而训练两个方向同时满载。",
    "The vendor does not guarantee both directions at once, and training loads both.",
)
NOT_BOTH_ASK = Text(
    "供应商不同时保证双向带宽；反方向不低于一成即可使用，请供应商写明反方向速率。",
    "The vendor does not guarantee both directions at once; a tenth the other way is enough, so ask for that rate.",
)
UNTUNED = Text(
    "注意：若己方窗口未调优（32 通道 × 4 MiB），只有 {low:.4g} Gbit/s，须验收核实。",
    "Mind: with an untuned window of your own (32 channels × 4 MiB) only {low:.4g} Gbit/s; verify at acceptance.",
)
COLLAPSED = Text(
    "注意：丢包率 {loss} 下每个窗口都会丢包，回退重传的实测会跌到 {low:.4g} Gbit/s，须验收核实。",
    "Mind: at a loss of {loss} every window loses a packet, and go-back-N measured falls to {low:.4g} Gbit/s; "
    "verify at acceptance.",
)


def _end_to_end(case: Case) -> Finding:
    need, span = case.lines.need, case.reading.rate
    segments = case.offer.of("segment_bandwidth")
    rate = term(case.offer, "committed_rate")
    rate = rate if rate.readings else term(case.offer, "bandwidth")
    facts = (*facts_of(rate), *segments)
    if need is None:
        return Finding(status=Status.FAIL, reason=NO_LINE, facts=facts, by_vendor=False)
    required = need / GIGA
    if span.best == float("inf"):
        status = Status.FAIL if rate.state is State.NONE else Status.UNKNOWN
        return Finding(
            status=status, required=required, facts=facts, questions=(ask("bandwidth"),),
            reason=silence(rate, Text("带宽", "bandwidth")),
        )  # fmt: skip
    status = by_span(span, lambda v: v >= need)
    shown = span.best if span.worst is None else span.worst
    weakest = _weakest_name(segments, rate)
    reasons = {
        Status.PASS: Text("{where} {got:.4g} Gbit/s，不低于下限 {need:.4g} Gbit/s。", "{where} {got:.4g} Gbit/s, at or above the floor of {need:.4g} Gbit/s."),
        Status.FAIL: Text("{where}只有 {got:.4g} Gbit/s，低于下限 {need:.4g}；须提高到下限以上才能通过。", "{where} is only {got:.4g} Gbit/s, below the floor of {need:.4g}; it must be raised above the floor to pass."),
        Status.UNKNOWN: Text("{where}已知 {got:.4g} Gbit/s，但有分段或读法未定，请供应商逐段承诺。", "{where} is {got:.4g} Gbit/s as far as known, but a segment or a reading is open; ask for each segment."),
    }  # fmt: skip
    questions = () if segments and span.known else (ask("segments"),)
    whole = rate.fact is not None and rate.fact.scope == "end_to_end"
    return Finding(
        status=status, required=required, offered=shown / GIGA, margin=margin_above(shown, need),
        readings=tuple(v / GIGA for v in rate.readings) if len(rate.readings) > 1 else (),
        reason=_summed(case, reasons[status].format(where=weakest, got=shown / GIGA, need=required)),
        facts=facts, questions=() if whole and status is Status.PASS else questions,
    )  # fmt: skip


SUM = Text(
    "{text}下限为{one} {a:.4g} 与{other} {b:.4g} Gbit/s 之和。",
    "{text} The floor is the sum of {one} {a:.4g} and {other} {b:.4g} Gbit/s.",
)
NAMES = {"training": Text("训练", "training"), "inference": Text("推理", "inference")}


def _summed(case: Case, text: Text) -> Text:
    """Names both demands of a mixed job, whose sum the line must carry."""
    lines = case.lines
    if not lines.reserved or lines.floor is None:
        return text
    other = next(name for name in case.workload.scenarios if name != lines.scenario)
    values = {"a": lines.floor / GIGA, "b": lines.reserved / GIGA}
    return SUM.format(text=text, one=NAMES[lines.scenario], other=NAMES[other], **values)


def _weakest_name(segments: tuple[Fact, ...], rate: Term) -> Text:
    known = [f for f in segments if f.value is not None]
    least = min(known, key=lambda f: float(str(f.value)), default=None)
    if least is None or (rate.readings and min(rate.readings) < float(str(least.value))):
        return Text("所报带宽", "The quoted rate")
    name = least.condition or "?"
    return Text(f"最窄段「{name}」", f"The weakest segment “{name}”")


def _effective(case: Case) -> Finding:
    need, reading = case.lines.need, case.reading
    names = ("packet_loss", "rtt", "oversubscription", "mtu", "committed_rate", "bandwidth")
    facts = facts_of(*(t for t in (term(case.offer, n) for n in names) if t.fact is not None))
    questions = _open_questions(case)
    if need is None:
        return Finding(status=Status.FAIL, reason=NO_LINE, facts=facts, by_vendor=False)
    best = effective_rate(reading.best) if reading.best else None
    worst = effective_rate(reading.worst) if reading.worst else None
    central = effective_rate(reading.central) if reading.central else None
    if best is None:
        return Finding(
            status=Status.UNKNOWN, required=need / GIGA, facts=facts, questions=questions,
            reason=Text("没有带宽，无法计算有效带宽。", "Without a bandwidth there is no effective rate."),
        )  # fmt: skip
    shown = best if central is None else central
    if best < need:
        status = Status.FAIL
        text = Text(
            "即使按最有利读法也只有 {got:.4g} Gbit/s 有效带宽，低于下限 {need:.4g}。{flip}",
            "Even at the most favourable reading the effective rate is {got:.4g} Gbit/s, below the floor of {need:.4g}.{flip}",
        )
        shown = best if central is None else min(best, central)
    elif worst is not None and worst >= need:
        status = Status.PASS
        text = Text(
            "扣除最窄段、收敛、封装、窗口与丢包后有 {got:.4g} Gbit/s，不低于下限 {need:.4g}。{flip}",
            "After weakest segment, contention, headers, window and loss {got:.4g} Gbit/s are left, at or above the floor of {need:.4g}.{flip}",
        )
    else:
        status = Status.UNKNOWN
        text = Text(
            "最有利时有 {best:.4g} Gbit/s，但丢包率、收敛比或时延未写明或读法不一，无法确认不低于下限 {need:.4g}。{flip}",
            "At best {best:.4g} Gbit/s, but loss, contention or delay is not stated or reads in more than one way, so the floor of {need:.4g} is not assured.{flip}",
        )
    flip = _flip(case, need) if status is Status.PASS else _streams(case, need)
    return held_to_the_outcome(case, Finding(
        status=status, required=need / GIGA, offered=shown / GIGA, margin=margin_above(shown, need),
        readings=() if worst is None or worst == best else (worst / GIGA, best / GIGA),
        reason=_summed(case, text.format(got=shown / GIGA, need=need / GIGA, best=best / GIGA, flip=flip or "")),
        facts=facts, questions=questions if status is not Status.PASS else _asked_anyway(case),
    ), questions)  # fmt: skip


def _asked_anyway(case: Case) -> tuple[Text, ...]:
    """A frame size nobody stated is asked for even where every plausible one is enough."""
    return (ask("mtu"),) if case.reading.mtu.derived else ()


def _flip(case: Case, need: float) -> Text | None:
    """Warns when the low end of the band lies below the floor, and says what would have to go wrong (policy 0.7)."""
    reading, low = case.reading, cautious(case.reading)
    if reading.worst is None or low is None:
        return None
    found = [
        text.format(low=rate / GIGA, loss=number(low.loss))
        for text, rate in (
            (UNTUNED, effective_rate(replace(reading.worst, window=low.window))),
            (COLLAPSED, effective_rate(replace(reading.worst, cautious=True))),
        )
        if rate < need
    ]
    return Text("".join(t.zh for t in found), "".join(f" {t.en}" for t in found)) if found else None


def _streams(case: Case, need: float) -> Text | None:
    """How many TCP streams would carry the floor, when only their number is in the way; they are the buyer's own."""
    c = case.reading.central or case.reading.best
    if c is None or c.transport != "tcp_cubic" or c.loss <= 0 or c.rtt <= 0 or not c.payload:
        return None
    one = cubic_throughput(mss=c.payload, rtt=c.rtt, packet_loss=c.loss)
    streams = tcp_streams_needed(bandwidth=need, stream_rate=one)
    if streams <= c.streams or effective_rate(replace(c, streams=int(streams))) < need:
        return None
    text = Text(
        "按此丢包与时延，己方把 TCP 并行流由 {now} 条加到 {streams} 条即可达到下限。",
        " At this loss and delay {streams} TCP streams of your own instead of {now} would reach the floor.",
    )
    return text.format(now=c.streams, streams=f"{streams:,.0f}")


def _open_questions(case: Case) -> tuple[Text, ...]:
    reading = case.reading
    rtt = term(case.offer, "rtt")
    undirected = rtt.fact is not None and rtt.fact.direction is None and rtt.state is State.STATED
    rows = (
        (not reading.loss.known or reading.loss.best != reading.loss.worst, "packet_loss"),
        (not reading.rtt.known, "rtt"),
        (undirected, "rtt_direction"),
        (not reading.contention.known, "oversubscription"),
        (reading.mtu.best != reading.mtu.worst, "mtu"),
    )
    return tuple(ask(key) for when, key in rows if when)


def _symmetric(case: Case) -> Finding:
    found = term(case.offer, "symmetric_bandwidth")
    layer = term(case.offer, "layer").word
    if found.flag is True:
        return Finding(
            status=Status.PASS,
            required=True,
            offered=True,
            facts=facts_of(found),
            reason=Text("双向带宽同时保证。", "Both directions are guaranteed at once."),
        )
    if found.flag is False:
        return Finding(
            status=Status.FAIL,
            required=True,
            offered=False,
            facts=facts_of(found),
            reason=NOT_BOTH if case.scenario == "training" else NOT_BOTH_ASK,
            questions=() if case.scenario == "training" else (ask("symmetric_bandwidth"),),
        )
    if found.state is State.MISSING and layer in CIRCUIT_LAYERS:
        return Finding(
            status=Status.PASS,
            required=True,
            offered=None,
            facts=facts_of(term(case.offer, "layer")),
            reason=Text(
                "波长、OTN 或以太网电路为全双工，按双向对称计。",
                "A wave, OTN or Ethernet circuit is full duplex; taken as symmetric.",
            ),
        )
    return Finding(
        status=Status.UNKNOWN,
        required=True,
        offered=found.flag,
        facts=facts_of(found),
        questions=(ask("symmetric_bandwidth"), *(() if layer else (ask("layer"),))),
        reason=Text("未写明双向带宽是否同时保证。", "Not stated whether both directions are guaranteed at once."),
    )


RULES: tuple[Rule, ...] = (
    Rule(
        id="bandwidth.end_to_end", step=Step.BANDWIDTH, title=Text("端到端带宽", "End-to-end bandwidth"),
        why=Text("一端的数字没有意义：A 端出口、中段、Z 端接入里最窄的一段决定全程。", "One end's number means nothing: the narrowest of egress, middle and access decides."),
        formula="min(segments) ≥ floor", unit="Gbit/s", source=s.ARTICLE, grades={"training": GATE, "inference": GATE, "bulk": GATE}, check=_end_to_end,
    ),
    Rule(
        id="bandwidth.effective", step=Step.BANDWIDTH, title=Text("有效带宽", "Effective bandwidth"),
        why=Text("带宽不等于效率：收敛、封装、窗口与丢包之后剩下的才用得上。", "Bandwidth is not efficiency: what is left after contention, headers, window and loss is what counts."),
        formula="W = weakest / r × η_header × η_loss ≥ floor", unit="Gbit/s", source=s.ARTICLE, grades={"training": GATE, "inference": GATE, "bulk": GATE}, check=_effective,
    ),
    Rule(
        id="bandwidth.symmetric", step=Step.BANDWIDTH, title=Text("双向带宽", "Symmetric bandwidth"),
        why=Text("规约时两个方向同时满载。", "A reduction loads both directions at once."),
        formula="both directions ≥ floor", unit="", source=s.ARTICLE, grades={"training": GATE, "inference": ORDINARY, "bulk": ORDINARY}, check=_symmetric,
    ),
)  # fmt: skip
