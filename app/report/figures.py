"""How the figures of a check are written: what is asked, what is offered, the margin; by the check's id.

Only formatting: a unit is chosen and digits are cut, nothing is computed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from app.domain.text import Language, Text
from app.presentation import format as fmt
from app.presentation.words import YES_NO

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.rules import Figure, Verdict

PAGE_DIGITS, PANEL_DIGITS = 3, 6
_SECOND_IN_MS = 1000.0


class Kind(StrEnum):
    """What the figure of a check measures."""

    RATE = "rate"
    MILLISECONDS = "ms"
    HOURS = "h"
    RATIO = "ratio"
    AVAILABILITY = "availability"
    SHARE = "share"
    CONTENTION = "contention"
    PATHS = "paths"
    SCORE = "score"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Shape:
    """Kind of a check's figure and the sign before what is asked."""

    kind: Kind
    sign: str


SHAPES: dict[str, Shape] = {
    "bandwidth.end_to_end": Shape(Kind.RATE, "≥"),
    "bandwidth.effective": Shape(Kind.RATE, "≥"),
    "latency.rtt": Shape(Kind.MILLISECONDS, "≤"),
    "latency.physics": Shape(Kind.MILLISECONDS, "≥"),
    "latency.jitter": Shape(Kind.MILLISECONDS, "≤"),
    "loss.packet_loss": Shape(Kind.RATIO, "≤"),
    "sla.availability": Shape(Kind.AVAILABILITY, "≥"),
    "sla.definition": Shape(Kind.SCORE, ""),
    "sla.compensation": Shape(Kind.SHARE, "≥"),
    "sla.repair_time": Shape(Kind.HOURS, "≤"),
    "sla.failover": Shape(Kind.MILLISECONDS, "≤"),
    "topology.oversubscription": Shape(Kind.CONTENTION, "≤"),
    "topology.redundancy": Shape(Kind.PATHS, "≥"),
}
FLAG = Shape(Kind.FLAG, "")
_WANTED = Text("须满足", "required")
_ALL_FIVE = Text("五要素写明", "all five elements")
_PATHS = Text("{n} 条分离路径", "{n} diverse paths")
_ONE_PATH = Text("1 条路径", "1 path")
_MANY_PATHS = Text("{n} 条路径", "{n} paths")
_HOURS = Text("小时", "h")


def shape(check: str) -> Shape:
    """The shape of a check's figure; what is not listed is a yes or no."""
    return SHAPES.get(check, FLAG)


def milliseconds(value: float, language: Language, digits: int = PAGE_DIGITS) -> str:
    """`0.0215 ms`, `10 ms`, from one second on `2.01 s`."""
    if abs(value) >= _SECOND_IN_MS:
        return fmt.figure(value / _SECOND_IN_MS, language, "s", digits)
    return fmt.figure(value, language, "ms", digits)


def _rate(value: float, language: Language, digits: int) -> str:
    return fmt.figure(value, language, "Gbit/s", digits)


def _hours(value: float, language: Language, digits: int) -> str:
    return fmt.figure(value, language, _HOURS.pick(language), digits)


def _ratio(value: float, language: Language, _digits: int) -> str:
    return fmt.ratio(value, language)


def _availability(value: float, language: Language, _digits: int) -> str:
    return fmt.percent(value, language, PANEL_DIGITS)


def _contention(value: float, language: Language, digits: int) -> str:
    return fmt.figure(value, language, ":1", digits)


def _paths(value: float, language: Language, _digits: int = 0) -> str:
    count = int(value)
    return (_ONE_PATH if count == 1 else _MANY_PATHS.format(n=count)).pick(language)


WRITERS: dict[Kind, Callable[[float, Language, int], str]] = {
    Kind.RATE: _rate,
    Kind.MILLISECONDS: milliseconds,
    Kind.HOURS: _hours,
    Kind.RATIO: _ratio,
    Kind.AVAILABILITY: _availability,
    Kind.SHARE: fmt.percent,
    Kind.CONTENTION: _contention,
    Kind.PATHS: _paths,
}


def written(kind: Kind, value: Figure, language: Language, digits: int = PAGE_DIGITS, *, unit: bool = True) -> str:
    """One figure of a check as text; a rate may go without its unit, which stands once in the row's head."""
    if isinstance(value, bool):
        return YES_NO[value].pick(language)
    if value is None or isinstance(value, str):
        return fmt.UNKNOWN.pick(language) if value is None else value
    if kind not in WRITERS or (kind is Kind.RATE and not unit):
        return fmt.figure(float(value), language, "", digits)
    return WRITERS[kind](float(value), language, digits)


def required(verdict: Verdict, language: Language, digits: int = PAGE_DIGITS, *, strict: bool = False) -> str:
    """What a check asks, with its sign; empty when it asks for nothing that can be written."""
    value, form = verdict.finding.required, shape(verdict.rule.id)
    if value is None:
        return ""
    if form.kind is Kind.SCORE:
        return _ALL_FIVE.pick(language)
    if isinstance(value, bool):
        return _WANTED.pick(language)
    if form.kind is Kind.PATHS:
        return f"{form.sign} {_PATHS.format(n=int(float(value))).pick(language)}"
    sign = "<" if strict else form.sign
    return f"{sign} {written(form.kind, value, language, digits)}".strip()


_EXPONENT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?)0*(\d+)\b")
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def readable(text: str) -> str:
    """A sentence of the domain with `3.2e-06` written as people write it."""

    def power(match: re.Match[str]) -> str:
        sign = "-" if match[2] == "-" else ""
        return f"{match[1]}×10{(sign + match[3]).translate(_SUPERSCRIPTS)}"

    return _EXPONENT.sub(power, text)


_BRACKETS = re.compile(r"（[^）]*）| ?\([^)]*\)")


def short_title(verdict: Verdict, language: Language) -> str:
    """The title of a check without its bracket, as it stands inside a sentence."""
    return lowered(_BRACKETS.sub("", verdict.rule.title.pick(language)), language)


def lowered(text: str, language: Language) -> str:
    """A title as it stands inside an English sentence; an abbreviation keeps its capitals."""
    lower = language is Language.EN and len(text) > 1 and text[1].islower()
    return text[0].lower() + text[1:] if lower else text
