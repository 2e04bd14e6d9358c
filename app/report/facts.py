"""One fact of an offer as evidence: value, definition, place in the file, words, who stands behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.metrics import BY_ID, MetricKind
from app.domain.remarks import tell
from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.report.fact_words import place_words, qualifiers, value_words

if TYPE_CHECKING:
    from app.domain.facts import Evidence, Fact

LONGEST = 2000
_CUT = Text("……（共 {n} 字，其余见原件）", "… ({n} characters; the rest is in the original)")
_PERSON = Text("人工录入", "typed in")
_DATA = Text("结构化数据", "structured data")
_UNCONFIRMED = Text("未经人工确认", "not confirmed by a person")
_AS_DATA = Text("随结构化数据提供", "given as data")
_SELF = Text("{name}（姓名自填）", "{name} (self-declared)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactView:
    """A fact ready to be shown. `hash` is the start of the file's SHA-256, empty for what came without a file."""

    title: str
    value: str
    definition: str
    quote: str
    file: str
    place: str
    hash: str
    confirmed: str
    note: str


def fact_view(fact: Fact, language: Language) -> FactView:
    """Format one fact."""
    evidence = fact.evidence
    told = tell(evidence.remarks)
    return FactView(
        title=BY_ID[fact.metric].title.pick(language), value=value_text(fact, language),
        definition=cut(definition(fact, language), language), quote=words_of(evidence, language),
        file=cut(evidence.file or "", language), place=place(evidence, language), hash=(evidence.sha256 or "")[:12],
        confirmed=confirmed(fact, language), note=cut(told.pick(language) if told else "", language),
    )  # fmt: skip


def words_of(evidence: Evidence, language: Language) -> str:
    """The vendor's words; what was typed or given as data repeats the value only and is left out."""
    return "" if evidence.file is None and evidence.reader in ("json", "person") else cut(evidence.words, language)


def cut(text: str, language: Language) -> str:
    """Text of others, at most 2,000 characters, saying how long it was."""
    return text if len(text) <= LONGEST else text[:LONGEST] + _CUT.format(n=len(text)).pick(language)


def value_text(fact: Fact, language: Language) -> str:
    """The value as it is read on every page; a segment brings its name, a small ratio its exponent."""
    metric = BY_ID[fact.metric]
    text = value_words(fact, language)
    if metric.kind is MetricKind.SEGMENTS and fact.condition:
        text = f"{fact.condition} {text}"
    return cut(text or fmt.UNKNOWN.pick(language), language)


def definition(fact: Fact, language: Language) -> str:
    """Statistic, direction, scope, period, commitment and condition, as far as they are said."""
    words = qualifiers(fact, language)
    if BY_ID[fact.metric].kind is MetricKind.SEGMENTS:
        words = tuple(w for w in words if w != fact.condition)
    return " · ".join(words)


def place(evidence: Evidence, language: Language) -> str:
    """Where in the file; for data the path, for what a person typed just that."""
    words = place_words(evidence, language)
    if not words and not evidence.file:
        words = (_PERSON if evidence.reader == "person" else _DATA).pick(language)
    return cut(words or evidence.path or "", language)


def confirmed(fact: Fact, language: Language) -> str:
    """Who stands behind the reading. Names are typed by the people themselves, and that is said."""
    if fact.confirmed_by is None:
        return _UNCONFIRMED.pick(language)
    if fact.confirmed_by == "json":
        return _AS_DATA.pick(language)
    return _SELF.format(name=fact.confirmed_by).pick(language)
