"""Figures of an offer that cannot be, or that nobody should take without proof: each is named and asked about.

A rule looks at one offer and answers with a sentence or with nothing. It never changes a verdict: what a figure is
worth to a gate is decided in `steps/`; here the reader learns which figures to doubt, and the vendor is asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from app.domain import parameters as p
from app.domain import sources as s
from app.domain.figures import number
from app.domain.formulas.delay import fibre_rtt_floor
from app.domain.formulas.proof import proof_samples
from app.domain.questions import ask
from app.domain.terms import term
from app.domain.text import Text, percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.facts import Fact
    from app.domain.rules import Case
    from app.domain.sources import Source

DELAYS = ("rtt", "one_way_delay")
GIGA, MILLI, MICRO, HOUR, DAY_H = 1e9, 1e-3, 1e-6, 3600.0, 24.0
COLLECTIVE = re.compile(r"all-?reduce|collective|in-network|集合通信|归约|规约|网内计算", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Doubt:
    """What one rule found: `message` names the figures, `question` is what the vendor (or the buyer) is asked."""

    code: str
    message: Text
    question: Text

    def as_json(self) -> dict[str, Any]:
        """The doubt in the form of the contract."""
        return {"code": self.code, "message": self.message.as_json(), "question": self.question.as_json()}


Found = tuple[Text, Text]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plausible:
    """One rule of plausibility: `look` answers (message, question), or None when nothing is odd.

    `metrics` are those whose figures it doubts.
    """

    id: str
    title: Text
    source: Source
    metrics: frozenset[str]
    look: Callable[[Case], Found | None]


def plausibility(case: Case) -> tuple[Doubt, ...]:
    """Everything that is odd about one offer, in the order of the rules."""
    found = ((rule.id, rule.look(case)) for rule in RULES)
    return tuple(Doubt(code, *odd) for code, odd in found if odd is not None)


# ---- delay


def _below_light(case: Case) -> Found | None:
    floor, span = case.reading.fibre_floor, case.reading.rtt
    if not floor or span.worst is None or span.worst >= floor:
        return None
    text = Text(
        "往返时延 {got:.4g} ms 短于直线距离的光纤极限 {floor:.4g} ms，物理上不可能。",
        "A round trip of {got:.4g} ms beats the {floor:.4g} ms light needs over the straight line: impossible.",
    )
    return text.format(got=span.worst / MILLI, floor=floor / MILLI), ask("physics")


def _close_to_light(case: Case) -> Found | None:
    floor, span = case.reading.fibre_floor, case.reading.rtt
    if not floor or span.worst is None or not floor <= span.best < p.STRAIGHT_ROUTE.value * floor:
        return None
    text = Text(
        "往返时延 {got:.4g} ms 只有光纤极限 {floor:.4g} ms 的 {times:.3g} 倍，几乎要求光缆走直线，须看路由图。",
        "A round trip of {got:.4g} ms is only {times:.3g} times the fibre limit of {floor:.4g} ms: the cable would "
        "have to run almost straight; ask for the fibre map.",
    )
    values = {"got": span.best / MILLI, "floor": floor / MILLI, "times": span.best / floor}
    return text.format(**values), ask("fibre_map")


def _detour(case: Case) -> Found | None:
    floor, span = case.reading.fibre_floor, case.reading.rtt
    if not floor or span.worst is None or span.best <= p.DETOUR_FACTOR.value * floor:
        return None
    text = Text(
        "往返时延 {got:.4g} ms 是光纤极限 {floor:.4g} ms 的 {times:.3g} 倍，路由可能明显绕行。",
        "A round trip of {got:.4g} ms is {times:.3g} times the fibre limit of {floor:.4g} ms: it may be a detour.",
    )
    values = {"got": span.best / MILLI, "floor": floor / MILLI, "times": span.best / floor}
    return text.format(**values), ask("physics")


def _below_own_route(case: Case) -> Found | None:
    route, span = term(case.offer, "distance").number, case.reading.rtt
    if not route or span.worst is None or span.worst >= fibre_rtt_floor(distance=route):
        return None
    text = Text(
        "往返时延 {got:.4g} ms 短于其自报光缆长度 {km:.4g} km 所需的 {floor:.4g} ms，两处数值必有一处不对。",
        "A round trip of {got:.4g} ms is less than the {floor:.4g} ms light needs over the vendor's own {km:.4g} km of "
        "fibre; one of the two is wrong.",
    )
    floor = fibre_rtt_floor(distance=route) / MILLI
    return text.format(got=span.worst / MILLI, km=route, floor=floor), _contradiction(
        "往返时延与光缆长度", "round-trip time and fibre length"
    )


def _route_below_line(case: Case) -> Found | None:
    route, line = term(case.offer, "distance").number, case.workload.distance_km
    if route is None or not line or route >= line:
        return None
    text = Text(
        "自报光缆长度 {km:.4g} km 短于两站点的直线距离 {line:.4g} km，不可能是端到端长度。",
        "The fibre length given, {km:.4g} km, is shorter than the {line:.4g} km straight line between the sites; it "
        "cannot be end to end.",
    )
    return text.format(km=route, line=float(line)), ask("fibre_map")


def _jitter_above_delay(case: Case) -> Found | None:
    jitter, span = term(case.offer, "jitter").readings, case.reading.rtt
    if not jitter or span.worst is None or min(jitter) <= span.worst:
        return None
    text = Text(
        "抖动 {jitter:.4g} ms 大于往返时延 {rtt:.4g} ms，两处数值必有一处不对。",
        "A jitter of {jitter:.4g} ms is larger than the round trip of {rtt:.4g} ms; one of the two is wrong.",
    )
    values = {"jitter": min(jitter) / MILLI, "rtt": span.worst / MILLI}
    return text.format(**values), _contradiction("抖动与往返时延", "jitter and round-trip time")


def _one_way_above_round_trip(case: Case) -> Found | None:
    one_way, rtt = term(case.offer, "one_way_delay").readings, term(case.offer, "rtt").readings
    if not one_way or not rtt or min(one_way) <= max(rtt):
        return None
    text = Text(
        "单向时延 {one:.4g} ms 大于往返时延 {rtt:.4g} ms，两处数值必有一处不对。",
        "A one-way delay of {one:.4g} ms is longer than the round trip of {rtt:.4g} ms; one of the two is wrong.",
    )
    values = {"one": min(one_way) / MILLI, "rtt": max(rtt) / MILLI}
    return text.format(**values), _contradiction("单向时延与往返时延", "one-way delay and round-trip time")


def _collective_figure(case: Case) -> Found | None:
    floor = case.reading.fibre_floor
    for fact in (*case.offer.of("rtt"), *case.offer.of("one_way_delay")):
        if not isinstance(fact.value, Decimal):
            continue
        tiny = 0 < fact.value <= p.SWITCH_DELAY.value and not 0 < floor <= fact.value
        if tiny or COLLECTIVE.search(fact.evidence.words):
            text = Text(
                "{got:.4g} µs 是交换机、端口或小消息规约的数值，不是线路时延：其间光往返只走 {km:.3g} km。",
                "{got:.4g} µs is a figure of a switch, a port or a small all-reduce, no line's: in that time light "
                "goes {km:.3g} km there and back.",
            )
            km = float(fact.value) / fibre_rtt_floor(distance=1)
            return text.format(got=float(fact.value) / MICRO, km=km), ask("rtt")
    return None


# ---- promises without a limit


def _loss_zero(case: Case) -> Found | None:
    if term(case.offer, "packet_loss").number != 0:
        return None
    return _zero(case, Text("丢包率", "packet loss ratio"))


def _bit_errors_zero(case: Case) -> Found | None:
    if term(case.offer, "bit_error_ratio").number != 0:
        return None
    return _zero(case, Text("误码率", "bit error ratio"))


def _zero(case: Case, name: Text) -> Found:
    limit = case.lines.loss_limit or p.RDMA_LOSS_CAP.value
    samples = number(proof_samples(bound=limit), 3)
    message = Text(
        "{name}写为 0：没有线路能保证永不丢包。要以 95 % 把握证明不高于 {limit}，须连续 {n} 个包无一丢失（3/n 法则）。",
        "A {name} of exactly 0: no line can promise that. To show with 95% confidence that it is within {limit}, "
        "{n} packets in a row must arrive (the 3/n rule).",
    ).format(name=name, limit=number(limit, 3), n=samples)
    return message, ask("zero_loss", name=name, n=samples)


def _always_available(case: Case) -> Found | None:
    found = term(case.offer, "availability").number
    if found is None or found < 1:
        return None
    repair = term(case.offer, "repair_time").number or p.REPAIR_ASSUMED.value
    # At most one outage start an hour at this chance keeps the floor: (1 − A) / hours to repair.
    chance = min((1 - case.lines.availability_floor) * HOUR / repair, 0.5)
    days = number(proof_samples(bound=chance) / DAY_H, 3)
    message = Text(
        "可用性写为 100 %：没有线路永不中断。按每次修复 {h:.3g} h，要以 95 % 把握证明不低于 {floor}，"
        "须连续 {days} 天无中断（3/n 法则）。",
        "An availability of 100%: there is no line that never fails. At {h:.3g} h per repair, {days} days without an "
        "outage would show with 95% confidence that it is at least {floor} (the 3/n rule).",
    ).format(h=repair / HOUR, floor=percent(case.lines.availability_floor, 6), days=days)
    return message, ask("full_availability")


# ---- rates


def _rate_above_segment(case: Case) -> Found | None:
    committed = term(case.offer, "committed_rate").number
    rate = term(case.offer, "bandwidth").number if committed is None else committed
    if rate is None:
        return None
    narrow = [f for f in case.offer.of("segment_bandwidth") if isinstance(f.value, Decimal) and f.value < rate]
    if not narrow:
        return None
    least = min(narrow, key=_rate_of)
    text = Text(
        "所报带宽 {rate:.4g} Gbit/s 高于自身分段「{name}」的 {got:.4g} Gbit/s，全程只能按最窄段计。",
        "The {rate:.4g} Gbit/s quoted exceed the offer's own segment “{name}” with {got:.4g} Gbit/s; the narrowest "
        "segment counts for the whole way.",
    )
    message = text.format(rate=rate / GIGA, name=least.condition or "?", got=_rate_of(least) / GIGA)
    return message, _contradiction("所报带宽与分段带宽", "quoted rate and rate of a segment")


def _rate_of(fact: Fact) -> float:
    return float(fact.value) if isinstance(fact.value, Decimal) else 0.0


def _committed_above_nominal(case: Case) -> Found | None:
    committed, nominal = term(case.offer, "committed_rate").number, term(case.offer, "bandwidth").number
    if committed is None or nominal is None or committed <= nominal:
        return None
    text = Text(
        "承诺速率 {cir:.4g} Gbit/s 高于标称带宽 {rate:.4g} Gbit/s，端口装不下这个承诺。",
        "The committed rate of {cir:.4g} Gbit/s is above the nominal {rate:.4g} Gbit/s; the port cannot carry it.",
    )
    values = {"cir": committed / GIGA, "rate": nominal / GIGA}
    return text.format(**values), _contradiction("承诺速率与标称带宽", "committed and nominal rate")


def _burst_below_base(case: Case) -> Found | None:
    burst = term(case.offer, "burst_rate").number
    base = term(case.offer, "committed_rate").number or term(case.offer, "bandwidth").number
    if burst is None or base is None or burst >= base:
        return None
    text = Text(
        "突发速率 {burst:.4g} Gbit/s 低于基线速率 {base:.4g} Gbit/s。",
        "The burst rate of {burst:.4g} Gbit/s is below the base rate of {base:.4g} Gbit/s.",
    )
    return text.format(burst=burst / GIGA, base=base / GIGA), ask("elastic_bandwidth")


def _burst_denied(case: Case) -> Found | None:
    """Bandwidth said to be fixed, with a burst rate or a switching time all the same."""
    named = [n for n in ("burst_rate", "switch_time") if term(case.offer, n).number is not None]
    if term(case.offer, "elastic_bandwidth").flag is not False or not named:
        return None
    text = Text(
        "写明不支持弹性带宽，却给出了突发速率或切换时间。",
        "Elastic bandwidth is denied, yet a burst rate or a switching time is given.",
    )
    return text, _contradiction("弹性带宽与突发速率", "elastic bandwidth and burst rate")


def _contention_below_one(case: Case) -> Found | None:
    ratio = term(case.offer, "oversubscription").number
    if ratio is None or ratio >= 1:
        return None
    text = Text(
        "收敛比 {x:.4g}:1 小于 1：可能写反，按 1:1 计。",
        "A contention of {x:.4g}:1 is below 1: perhaps the ratio is upside down; 1:1 is taken.",
    )
    return text.format(x=ratio), ask("oversubscription")


# ---- credits


def _credit_above_charge(case: Case) -> Found | None:
    tiers = [float(f.value) for f in case.offer.of("credit_tier") if isinstance(f.value, Decimal)]
    most = max([*tiers, term(case.offer, "credit_cap").number or 0.0])
    if most <= 1:
        return None
    text = Text(
        "赔付 {x} 超过一个月的月租，请确认是否为百分数误填或以多个月为基数。",
        "A credit of {x} is more than a month's charge: a slip of the percent sign, or a base of several months?",
    )
    return text.format(x=percent(most, 4)), ask("credits")


def _tiers(case: Case) -> list[tuple[float, float, float, bool]]:
    """Bounded tiers as (from, to, credit, by length of the outage), each once, in order."""
    return sorted({
        (float(f.lower), float(f.upper), float(f.value), f.basis is not None)
        for f in case.offer.of("credit_tier")
        if isinstance(f.value, Decimal) and f.lower is not None and f.upper is not None
    })  # fmt: skip


def _tiers_overlap(case: Case) -> Found | None:
    for (low, high, _, basis), (low2, high2, _, basis2) in pairwise(_tiers(case)):
        if basis == basis2 and low2 < high:
            text = Text(
                "赔付档位 {a} 与 {b} 重叠，同一次中断有两个赔付比例。",
                "The credit tiers {a} and {b} overlap: one outage has two credits.",
            )
            names = {"a": _tier_name(low, high, basis), "b": _tier_name(low2, high2, basis2)}
            return text.format(**names), _contradiction("赔付档位", "credit tiers")
    return None


def _tiers_rise(case: Case) -> Found | None:
    for (low, high, credit, basis), (low2, high2, credit2, basis2) in pairwise(_tiers(case)):
        # Credit must fall as availability rises, and rise with the length of the outage.
        if basis == basis2 and (credit2 < credit if basis else credit2 > credit):
            text = Text(
                "赔付档位 {a} 赔 {x}，而更轻的 {b} 反而赔 {y}。",
                "The credit tier {a} pays {x}, and the milder {b} pays {y}.",
            )
            worse, milder = ((low2, high2, credit2), (low, high, credit))[:: 1 if basis else -1]
            message = text.format(
                a=_tier_name(*worse[:2], basis),
                x=percent(worse[2]),
                b=_tier_name(*milder[:2], basis),
                y=percent(milder[2]),
            )
            return message, _contradiction("赔付档位", "credit tiers")
    return None


def _tier_name(low: float, high: float, by_length: bool) -> Text:
    if by_length:
        shown = f"{number(low / HOUR, 3)}–{number(high / HOUR, 3)} h"
        return Text(shown, shown)
    return Text(f"{percent(low, 6).zh}–{percent(high, 6).zh}", f"{percent(low, 6).en}–{percent(high, 6).en}")


def _contradiction(zh: str, en: str) -> Text:
    return ask("contradiction", what=Text(zh, en))


def _rule(id_: str, zh: str, en: str, source: Source, look: Callable[[Case], Found | None], *metrics: str) -> Plausible:
    return Plausible(id=id_, title=Text(zh, en), source=source, metrics=frozenset(metrics), look=look)


# fmt: off
RULES: tuple[Plausible, ...] = (
    _rule("rtt_below_light", "时延快过光", "Faster than light", s.FIBRE, _below_light, *DELAYS),
    _rule("rtt_close_to_light", "时延过于接近光纤极限", "Very close to the fibre limit", s.ROUTES, _close_to_light, *DELAYS),
    _rule("rtt_detour", "时延显示绕行", "A detour", s.ROUTES, _detour, *DELAYS),
    _rule("rtt_below_own_route", "时延与自报光缆长度矛盾", "Delay against the stated route", s.FIBRE, _below_own_route, *DELAYS, "distance"),
    _rule("route_below_straight_line", "光缆短于直线距离", "Route below the straight line", s.FIBRE, _route_below_line, "distance"),
    _rule("jitter_above_rtt", "抖动大于时延", "Jitter above the delay", s.RFC3393, _jitter_above_delay, "jitter"),
    _rule("one_way_above_rtt", "单向大于往返", "One way longer than both", s.RFC3393, _one_way_above_round_trip, *DELAYS),
    _rule("not_a_line_figure", "不是线路指标", "Not a figure of the line", s.DEEPSEEK, _collective_figure, *DELAYS),
    _rule("loss_zero", "零丢包", "Loss of zero", s.RULE_OF_THREE, _loss_zero, "packet_loss"),
    _rule("bit_errors_zero", "零误码", "Bit errors of zero", s.RULE_OF_THREE, _bit_errors_zero, "bit_error_ratio"),
    _rule("availability_full", "可用性 100 %", "Availability of 100%", s.RULE_OF_THREE, _always_available, "availability"),
    _rule("rate_above_segment", "带宽高于自身分段", "Rate above a segment", s.ARTICLE, _rate_above_segment, "bandwidth", "committed_rate", "segment_bandwidth"),
    _rule("committed_above_nominal", "承诺高于标称", "Committed above nominal", s.ARTICLE, _committed_above_nominal, "committed_rate"),
    _rule("burst_below_base", "突发低于基线", "Burst below base", s.ARTICLE, _burst_below_base, "burst_rate"),
    _rule("burst_denied", "弹性带宽自相矛盾", "Elastic bandwidth denied and given", s.ARTICLE, _burst_denied, "burst_rate", "switch_time"),
    _rule("contention_below_one", "收敛比小于 1", "Contention below 1", s.ARTICLE, _contention_below_one, "oversubscription"),
    _rule("credit_above_charge", "赔付超过月租", "Credit above the charge", s.SLA_SURVEY, _credit_above_charge, "credit_tier", "credit_cap"),
    _rule("tiers_overlap", "赔付档位重叠", "Credit tiers overlap", s.SLA_SURVEY, _tiers_overlap, "credit_tier"),
    _rule("tiers_rise", "赔付随可用性升高", "Credits rise with availability", s.SLA_SURVEY, _tiers_rise, "credit_tier"),
)
# fmt: on
BY_ID: dict[str, Plausible] = {rule.id: rule for rule in RULES}
