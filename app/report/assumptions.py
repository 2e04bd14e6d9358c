"""What the figures rest on besides the offers: the job as given, the buyer's rules, every parameter with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.fabric import same_fabric
from app.domain.fields import Kind
from app.domain.metrics import TRANSPORTS
from app.domain.parameters import PARAMETERS
from app.domain.policy import POLICY_FIELDS
from app.domain.text import Language, Text
from app.domain.workload_fields import (
    BULK_FIELDS,
    FABRIC_FIELDS,
    GPU_FIELDS,
    INFERENCE_FIELDS,
    NETWORK_FIELDS,
    TOP_FIELDS,
    TRAINING_FIELDS,
)
from app.presentation import format as fmt
from app.presentation.parts import Pair
from app.presentation.units import unit_word
from app.presentation.words import YES_NO
from app.report.working import source_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.assessment import Assessment
    from app.domain.fields import Field
    from app.domain.parameters import Parameter

_LARGE = 1e6
ASSUMED = Text("默认", "default")
CHANGED = Text("采购方改为 {x}", "set to {x} by the buyer")
WINDOW = Text(
    "己方窗口视为已调优（须在验收时核实）；区间低端按未调优的 NCCL 默认 32 通道 × 4 MiB 计算。",
    "Your own windows count as tuned, to be verified at acceptance; the low end of each band takes untuned NCCL, "
    "32 channels × 4 MiB.",
)
LOW_END = Text(
    "区间低端另按重叠比所填少一级、回退重传按实测（每窗口丢包即塌陷）计；高端按承诺的最有利读法、无丢包计，并计入跟得上任务节拍的突发速率。",
    "The low end also takes overlap one setting less than stated and go-back-N as measured (it collapses once every "
    "window loses a packet); the high end takes the most favourable reading without loss, and a burst rate that can "
    "follow the job.",
)
TRANSPORT = Text("传输协议未填，按{t}计。", "No transport was given; {t} is taken.")
SILENT_JITTER = Text(
    "{names}未写抖动：预测按供应商常见的最大承诺 10 ms 计，抖动检查仍为待澄清。",
    "{names} say nothing on jitter: the prediction takes the highest figure vendors commonly give, 10 ms; "
    "the check stays open.",
)
REPAIR = Text(
    "{names}未写恢复时限：中断成本按 4 小时计。",
    "{names} give no restoration time: outages are priced at 4 hours each.",
)
FABRIC = Text("己方组网未填，按各站同构计。", "Your fabric is not described; it is taken as the same on all sites.")
NO_PRICE = Text("未填 GPU 单价，等待的算力没有计价。", "No GPU price was given, so waiting GPU time has no price.")
MODEL = Text(
    "有效带宽、同步时间与利用率是模型预测，不是实测；以验收测试为准。",
    "Effective rate, sync time and utilisation are predictions of a model, not measurements; "
    "the acceptance test decides.",
)
NAMES = Text(
    "确认人与修改人的姓名由使用者自行填写，系统不核验身份。",
    "Names of those who confirmed or corrected figures are typed by themselves; the system does not verify identities.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRow:
    """One parameter: meaning, value, plausible range, source; `note` says what the buyer set instead."""

    meaning: str
    value: str
    range: str
    source: str
    note: str


def _value(value: float, unit: str, language: Language) -> str:
    if unit == "s":
        return fmt.duration(value, language)
    if unit == "byte" and value >= _LARGE:
        return fmt.size(value, language)
    scaled = {"bit/s": (1e9, "Gbit/s")}.get(unit)
    if scaled is not None and value >= scaled[0]:
        return fmt.figure(value / scaled[0], language, scaled[1], 6)
    return fmt.figure(float(value), language, unit_word(unit, language, value), 6)


def parameter_rows(assessment: Assessment, language: Language) -> tuple[ParameterRow, ...]:
    """Every parameter of the rule book, with what the buyer's policy set in its place."""
    return tuple(_parameter(q, assessment, language) for q in PARAMETERS)


def _parameter(parameter: Parameter, assessment: Assessment, language: Language) -> ParameterRow:
    own = getattr(assessment.policy, parameter.id, None)
    changed = isinstance(own, (int, float)) and not isinstance(own, bool) and float(own) != parameter.value
    ends = [_value(v, parameter.unit, language) for v in (parameter.low, parameter.high)]
    note = CHANGED.format(x=_value(float(own or 0), parameter.unit, language)).pick(language) if changed else ""
    return ParameterRow(
        meaning=parameter.meaning.pick(language), value=_value(parameter.value, parameter.unit, language),
        range=f"{ends[0]} – {ends[1]}", source=source_text(parameter.source, language), note=note,
    )  # fmt: skip


def workload_pairs(assessment: Assessment, language: Language) -> tuple[Pair, ...]:
    """The job as it was given: every field with a value; a default says so."""
    job = assessment.workload
    sections: list[tuple[Sequence[Field], Any]] = [(TOP_FIELDS, job)]
    if job.training is not None:
        sections += [(TRAINING_FIELDS, job.training), (GPU_FIELDS, job.training.gpu)]
    if job.inference is not None:
        sections.append((INFERENCE_FIELDS, job.inference))
    if job.bulk is not None:
        sections.append((BULK_FIELDS, job.bulk))
    sections += [(NETWORK_FIELDS, job.network), (FABRIC_FIELDS, job.fabric)]
    return tuple(pair for fields, holder in sections for pair in _pairs(fields, holder, language))


def policy_pairs(assessment: Assessment, language: Language) -> tuple[Pair, ...]:
    """The buyer's rules in force."""
    return tuple(_pairs(POLICY_FIELDS, assessment.policy, language))


def _pairs(fields: Sequence[Field], holder: object, language: Language) -> Iterator[Pair]:
    for item in fields:
        value = getattr(holder, item.name, None)
        if value is None or value == ():
            continue
        default = item.default is not None and value == item.default
        yield Pair(
            label=item.title.pick(language), value=_field(item, value, language),
            small=ASSUMED.pick(language) if default else "",
        )  # fmt: skip


def _field(item: Field, value: Any, language: Language) -> str:
    if isinstance(value, bool):
        return YES_NO[value].pick(language)
    if item.kind in (Kind.CHOICE, Kind.CHOICES):
        codes = value if isinstance(value, tuple) else (value,)
        labels = {c.code: c.label.pick(language) for c in item.choices}
        return ", ".join(labels.get(str(c), str(c)) for c in codes)
    unit = unit_word(item.unit, language, value if isinstance(value, (int, float)) else None)
    if isinstance(value, int):
        return fmt.figure(value, language, unit)
    if isinstance(value, float):
        return fmt.figure(value, language, unit, 6)
    return fmt.day(value, language) if item.kind is Kind.DATE else str(value)


def assumption_notes(assessment: Assessment, names: Sequence[str], language: Language) -> tuple[str, ...]:
    """What was taken for granted, in sentences."""
    job, notes = assessment.workload, [MODEL]
    if job.network.window_bytes is None and job.training is not None:
        notes.append(WINDOW)
    if job.training is not None:
        notes.append(LOW_END)
    if job.network.transport is None:
        transport = assessment.requirement.main.reference.transport
        notes.append(TRANSPORT.format(t=next(c.label for c in TRANSPORTS if c.code == transport)))
    silent = [n for n, o in zip(names, assessment.offers, strict=True) if not o.offer.of("jitter")]
    hasty = [n for n, o in zip(names, assessment.offers, strict=True) if not o.offer.of("repair_time")]
    joined = "、" if language is Language.ZH else ", "
    if silent and job.training is not None:
        notes.append(SILENT_JITTER.format(names=joined.join(silent)))
    if hasty and job.training is not None:
        notes.append(REPAIR.format(names=joined.join(hasty)))
    alike = job.fabric.same_on_all_sites if job.training is None else same_fabric(job.fabric, job.training)
    if alike is None:
        notes.append(FABRIC)
    if job.training is not None and job.training.gpu.hour_price is None:
        notes.append(NO_PRICE)
    return tuple(n.pick(language) for n in (*notes, NAMES))
