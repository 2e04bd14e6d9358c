"""The working of a prediction as text: from what the offer promises to utilisation, for each end of its band."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.formulas.formula import Dimension
from app.domain.prediction import Reading
from app.domain.prediction_working import WORDS, EndWorking, prediction_working
from app.domain.text import Language, Text
from app.report.matrix import lines_of
from app.report.origins import of_the_job, of_the_offer, origins
from app.report.substitution import put_in
from app.report.working_view import RESULT_DIGITS, working_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.assessment import Assessment, Judged

GIVEN = "· "
LEAST = Text("有效带宽 = min({rates}) = {w}", "effective rate = min({rates}) = {w}")
LEFT = Text("扣除另一场景所需 {x}：{w}", "less {x} for the other scenario: {w}")
UNLIKE = Text("与中值不同之处：{x}", "unlike the central value: {x}")
INSTEAD = Text("{title} {own}（中值 {other}）", "{title} {own} (central {other})")
TUNED = Text("已调优", "tuned")
AS_MEASURED = Text("回退重传按实测：每窗口丢一包即限速", "go-back-N as measured: paced to one loss a window")
SAME = Text("输入与中值相同", "the same inputs as the central value")
_CONDITIONS = (
    ("rate", Text("最窄段", "Weakest segment"), Dimension.RATE),
    ("contention", Text("网内收敛比", "Contention"), Dimension.RATIO),
    ("rtt", Text("往返时延", "Round-trip time"), Dimension.TIME),
    ("loss", Text("丢包率", "Packet loss ratio"), Dimension.RATIO),
    ("payload", Text("每包净荷", "Payload per packet"), Dimension.BYTES),
    ("window", Text("窗口", "Window"), Dimension.BYTES),
)
_PUT_IN = (
    ("jitter_step_delay", "sigma", Text("抖动标准差", "Standard deviation of jitter"), Dimension.TIME),
    ("exposed_time", "cover", Text("可掩盖的时间", "Cover by overlap"), Dimension.TIME),
)


def prediction_lines(
    assessment: Assessment, offer: Judged, scenario: str, language: Language, ends: Sequence[str]
) -> tuple[str, ...]:
    """Every line from the promises to utilisation, numbered; under each its inputs and where they come from."""
    reading = Reading(offer.offer, assessment.workload, lines_of(assessment, scenario))
    job, need = of_the_job(assessment.workload, assessment.policy), assessment.requirement.working
    worked = {end.end: end for end in prediction_working(reading, ("central", *ends))}
    found: list[str] = []
    for name in ends:
        end = worked.get(name)
        if end is None:
            continue
        found.append(_heading(end, worked.get("central"), language))
        named = of_the_offer(offer.offer, job, name, end.conditions.rate)
        for at, (line, origin) in enumerate(zip(end.lines, origins(end.lines, named, language, need), strict=True)):
            if at == end.job:
                found += _effective(end, language)
            shown = working_line(line, language, origin)
            found += [f"{at + 1}. {shown.line}", GIVEN + shown.given]
        if end.job == len(end.lines):
            found += _effective(end, language)
    return tuple(found)


def _rate(value: float, language: Language, digits: int = RESULT_DIGITS) -> str:
    return put_in(value, Dimension.RATE, language, digits)


def _effective(end: EndWorking, language: Language) -> Iterator[str]:
    rates = ", ".join(put_in(rate, Dimension.RATE, language) for rate in end.rates)
    if len(end.rates) > 1:
        yield LEAST.format(rates=rates, w=_rate(end.effective, language)).pick(language)
    if end.left != end.effective:
        reserved = put_in(end.effective - end.left, Dimension.RATE, language)
        yield LEFT.format(x=reserved, w=_rate(end.left, language)).pick(language)


def _heading(end: EndWorking, central: EndWorking | None, language: Language) -> str:
    title = WORDS[end.end].pick(language)
    if central is None or end.end == "central":
        return title
    unlike = list(_unlike(end, central, language))
    joined = ("；" if language is Language.ZH else "; ").join(unlike)
    said = UNLIKE.format(x=joined).pick(language) if unlike else SAME.pick(language)
    return f"{title}。{said}" if language is Language.ZH else f"{title}; {said}"


def _unlike(end: EndWorking, central: EndWorking, language: Language) -> Iterator[str]:
    """What this end puts in other than the central value."""

    def shown(value: float | None, dimension: Dimension) -> str:
        return TUNED.pick(language) if value is None else put_in(value, dimension, language)

    for name, title, dimension in _CONDITIONS:
        own, other = getattr(end.conditions, name), getattr(central.conditions, name)
        if own != other:
            yield INSTEAD.format(title=title, own=shown(own, dimension), other=shown(other, dimension)).pick(language)
    for formula, name, title, dimension in _PUT_IN:
        own, other = _put(end, formula, name), _put(central, formula, name)
        if own is not None and other is not None and own != other:
            yield INSTEAD.format(title=title, own=shown(own, dimension), other=shown(other, dimension)).pick(language)
    if end.conditions.cautious and any(line.formula == "go_back_n_paced_rate" for line in end.lines):
        yield AS_MEASURED.pick(language)


def _put(end: EndWorking, formula: str, name: str) -> float | None:
    line = next((line for line in end.lines if line.formula == formula), None)
    return None if line is None else line.inputs.get(name)
