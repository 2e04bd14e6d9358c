"""The form of a whole offer: drawn from the metric registry, read back to the offer JSON of the contract.

Blank is not stated; a flag may be answered with no; a figure may be declined ("not committed", `false`). Input
names are the JSON paths; `no.<path>` is the box that declines, rows are `segments.0.name`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from app.domain.fields import Choice
from app.domain.metrics import BY_ID, GROUPS, METRICS, Metric, MetricKind
from app.domain.offer_reader import ATTRIBUTE_CHOICES
from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.report.fact_words import PERCENT, TITLES, plain, unit_of
from app.services.typed_values import typed_value
from app.web.forms import MAX_ROWS, FormState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.domain.text import Language
    from app.web.forms import Submitted

FIGURES = (MetricKind.QUANTITY, MetricKind.MONEY)
NONE = Choice("none", Text("明确没有", "None at all"))
BASES = (
    Choice("", Text("按可用性", "by availability")),
    Choice("outage_duration", Text("按中断时长", "by length of outage")),
)
BLANK_ROWS = 2
NAMES: dict[str, Text] = {
    "vendor": Text("供应商", "Vendor"),
    "product": Text("产品", "Product"),
    "price.currency": Text("币种", "Currency"),
}
_ROW = re.compile(r"(segments|sla\.credit_tiers)[.\[](\d{1,3})\]?\.?(.*)\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One input of the form; `look` is `figure`, `flag`, `choice`, `choices`, `date` or `text`."""

    name: str
    title: Text
    look: str
    metric: str = ""
    choices: tuple[Choice, ...] = ()
    example: str = ""

    @property
    def refusal(self) -> str:
        """The name of the box that says the vendor does not commit; empty where there is none."""
        metric = BY_ID.get(self.metric)
        return f"no.{self.name}" if metric and metric.kind is MetricKind.QUANTITY else ""

    def unit(self, language: Language) -> str:
        """The unit inside the field."""
        return unit_of(BY_ID[self.metric], language) if self.look == "figure" else ""


@dataclass(frozen=True, slots=True)
class InputGroup:
    """One group of the form."""

    code: str
    title: Text
    inputs: tuple[Input, ...]
    rows: str = ""


_LOOKS = {
    MetricKind.QUANTITY: "figure", MetricKind.MONEY: "figure", MetricKind.FLAG: "flag", MetricKind.CHOICE: "choice",
    MetricKind.LIST: "choices", MetricKind.DATE: "date", MetricKind.TEXT: "text",
}  # fmt: skip
_EXAMPLES = {
    "bandwidth": "400", "rtt": "10", "jitter": "0.05", "packet_loss": "1e-7", "availability": "99.99%",
    "oversubscription": "1", "repair_time": "4", "failover_time": "50", "credit_cap": "50%", "tax_rate": "9%",
    "monthly_charge": "400000", "contract_term": "24",
}  # fmt: skip


def _inputs(metric: Metric) -> Iterator[Input]:
    choices = metric.choices
    if metric.kind is MetricKind.LIST and all(c.code != "none" for c in choices):
        choices = (*choices, NONE)
    yield Input(
        name=metric.path, title=metric.title, look=_LOOKS[metric.kind], metric=metric.id, choices=choices,
        example=_EXAMPLES.get(metric.id, ""),
    )  # fmt: skip
    for attribute, path in metric.attributes:
        title = Text(f"{metric.title.zh}：{TITLES[attribute].zh}", f"{metric.title.en}: {TITLES[attribute].en.lower()}")
        yield Input(name=path, title=title, look="choice", choices=ATTRIBUTE_CHOICES[attribute])


def _groups() -> Iterator[InputGroup]:
    for group in GROUPS:
        metrics = [m for m in METRICS if m.group == group.code and m.path]
        inputs = [i for m in metrics if m.kind in _LOOKS for i in _inputs(m)]
        if group.code == "price":
            inputs.insert(2, Input(name="price.currency", title=NAMES["price.currency"], look="text", example="CNY"))
        rows = next((m.path for m in metrics if m.kind in (MetricKind.SEGMENTS, MetricKind.TIERS)), "")
        yield InputGroup(group.code, group.label, tuple(inputs), rows)


INPUT_GROUPS: tuple[InputGroup, ...] = tuple(_groups())
INPUTS: dict[str, Input] = {i.name: i for g in INPUT_GROUPS for i in g.inputs}
ROW_FIGURES: dict[str, str] = {"bandwidth_gbps": "segment_bandwidth", "credit": "credit_tier"}
_NAMES: dict[str, Text] = {
    "vendor": Text("供应商", "Vendor"), "product": Text("产品", "Product"), "name": Text("段名", "Segment"),
}  # fmt: skip


def _named(problem: Problem) -> Text:
    """The sentence of a problem, with the name of the input where the domain leaves it to the page."""
    title = _NAMES.get(problem.place.rpartition(".")[2])
    if title is None or problem.code not in ("TOO_LONG", "NOT_TEXT"):
        return problem.message
    return Text(f"「{title.zh}」{problem.message.zh}", f"“{title.en}”: {problem.message.en}")


@dataclass(frozen=True, slots=True)
class OfferForm:
    """What was submitted: the JSON of what could be read, the strings as typed, and what could not be read.

    `rows` maps the place of a row in the JSON to its number in the form.
    """

    json: dict[str, Any]
    state: FormState
    rows: dict[str, list[int]]

    def with_problems(self, error: InputError) -> OfferForm:
        """The same form with the problems of the domain beside their inputs."""
        placed = [Problem(p.code, self._place(p.place), _named(p)) for p in error.problems]
        return replace(self, state=self.state.with_problems(placed))

    def _place(self, place: str) -> str:
        place = re.sub(r"\Aoffers?(\[\d+\])?\.?", "", place) or "vendor"
        row = _ROW.match(place)
        if row is None:
            return place
        numbers = self.rows.get(row[1], [])
        number = numbers[int(row[2])] if int(row[2]) < len(numbers) else int(row[2])
        last = row[3] or ("credit" if row[1] != "segments" else "bandwidth_gbps")
        return f"{row[1]}.{number}.{last}"


def _put(target: dict[str, Any], path: str, value: Any) -> None:
    head, _, tail = path.partition(".")
    if tail:
        target.setdefault(head, {})[tail] = value
    else:
        target[head] = value


def _figure(metric_id: str, typed: str) -> float | int:
    metric = BY_ID[metric_id]
    value = typed_value(metric, typed)
    shown = value / metric.scale if isinstance(value, Decimal) else Decimal(0)
    return int(shown) if shown == shown.to_integral_value() and abs(shown) < 10**15 else float(shown)


class _Reading:
    """Collects the strings, the JSON and the problems of one submitted form."""

    def __init__(self, form: Submitted) -> None:
        self.form = form
        self.json: dict[str, Any] = {}
        self.values: dict[str, str] = {}
        self.problems: list[Problem] = []

    def text(self, name: str) -> str:
        """The last string sent under a name, kept as typed."""
        sent = [t for t in self.form.getlist(name) if isinstance(t, str)]
        self.values[name] = sent[-1] if sent else ""
        return self.values[name].strip()

    def figure(self, name: str, metric: str, typed: str) -> float | int | None:
        """A typed figure in the unit of its JSON key; a problem beside `name` when it cannot be read."""
        if not typed:
            return None
        try:
            return _figure(metric, typed)
        except InputError as error:
            self.problems += [Problem(p.code, name, p.message) for p in error.problems]
            return None

    def one(self, item: Input) -> None:
        """One input of a group."""
        if item.look == "choices":
            codes = [t for t in self.form.getlist(item.name) if isinstance(t, str) and t.strip()]
            self.values[item.name] = ",".join(c for c in codes if "," not in c)
            self.values |= {f"{item.name}.other": "\n".join(c for c in codes if not _listed(item, c))}
            if codes:
                _put(self.json, item.name, [] if codes == ["none"] and item.metric != "exclusion" else codes)
            return
        typed = self.text(item.name)
        if item.refusal and self.text(item.refusal) == "true":
            _put(self.json, item.name, False)
            if typed:
                message = Text(
                    "已勾选「不承诺」，请清空数值或取消勾选。", "Clear the figure or the tick “not committed”."
                )
                self.problems.append(Problem("TWO_ANSWERS", item.name, message))
        elif item.look == "figure":
            _put(self.json, item.name, self.figure(item.name, item.metric, typed))
        elif item.look == "flag":
            _put(self.json, item.name, {"true": True, "false": False}.get(typed, typed or None))
        else:
            _put(self.json, item.name, typed or None)

    def rows(self, place: str, keys: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows of a group in which something was typed, with their numbers."""
        pattern = re.compile(re.escape(place) + r"\.(\d{1,3})\.")
        numbers = sorted({int(m[1]) for name in self.form.keys() if (m := pattern.match(name))})  # noqa: SIM118
        for number in numbers[:MAX_ROWS]:
            row = {key: self.text(f"{place}.{number}.{key}") for key in keys}
            if any(value for key, value in row.items() if key != "basis"):
                yield number, row

    def segments(self) -> list[int]:
        """The rows of segments."""
        found = []
        for number, row in self.rows("segments", ("name", "bandwidth_gbps")):
            name = f"segments.{number}.bandwidth_gbps"
            rate = self.figure(name, "segment_bandwidth", row["bandwidth_gbps"])
            self.json.setdefault("segments", []).append({"name": row["name"] or None, "bandwidth_gbps": rate})
            found.append(number)
        return found

    def tiers(self) -> list[int]:
        """The rows of credit tiers; bounds are availabilities, or lengths of time for tiers by outage."""
        found, tiers = [], []
        for number, row in self.rows("sla.credit_tiers", ("from", "to", "credit", "basis")):
            place = f"sla.credit_tiers.{number}"
            bound = "switch_time" if row["basis"] else "availability"
            tier: dict[str, Any] = {key: self.figure(f"{place}.{key}", bound, row[key]) for key in ("from", "to")}
            tier["credit"] = self.figure(f"{place}.credit", "credit_tier", row["credit"])
            tiers.append(tier | ({"basis": row["basis"]} if row["basis"] else {}))
            found.append(number)
        if tiers:
            _put(self.json, "sla.credit_tiers", tiers)
        return found


def _listed(item: Input, code: str) -> bool:
    return any(c.code == code for c in item.choices)


def read_offer(form: Submitted) -> OfferForm:
    """Read the whole form."""
    reading = _Reading(form)
    reading.text("actor")
    for name in ("vendor", "product"):
        reading.json[name] = reading.text(name) or None
    for item in INPUTS.values():
        reading.one(item)
    rows = {"segments": reading.segments(), "sla.credit_tiers": reading.tiers()}
    return OfferForm(reading.json, FormState(reading.values).with_problems(reading.problems), rows)


def _at(raw: Mapping[str, Any], path: str) -> Any:
    head, _, tail = path.partition(".")
    value = raw.get(head)
    return value.get(tail) if tail and isinstance(value, dict) else None if tail else value


def _write(metric_id: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return "" if value is None else str(value)
    number = Decimal(repr(value))
    return f"{plain(number.scaleb(2))}%" if metric_id in PERCENT else plain(number)


def state_of(raw: Mapping[str, Any]) -> FormState:
    """The form of an offer given as contract JSON."""
    values = {name: str(raw.get(name) or "") for name in ("vendor", "product")}
    for name, item in INPUTS.items():
        value = _at(raw, name)
        if item.look == "choices":
            chosen = ["none"] if value == [] else list(value or ())
            values[name] = ",".join(c for c in chosen if "," not in c)
            values[f"{name}.other"] = "\n".join(c for c in chosen if not _listed(item, c))
        elif item.refusal and value is False:
            values |= {name: "", item.refusal: "true"}
        elif item.look == "flag":
            values[name] = "" if value is None else str(value).lower()
        else:
            values[name] = _write(item.metric, value)
    for number, row in enumerate(raw.get("segments") or ()):
        values[f"segments.{number}.name"] = str(row.get("name") or "")
        values[f"segments.{number}.bandwidth_gbps"] = _write("segment_bandwidth", row.get("bandwidth_gbps"))
    for number, row in enumerate(_at(raw, "sla.credit_tiers") or ()):
        place, timed = f"sla.credit_tiers.{number}", row.get("basis") == "outage_duration"
        for key in ("from", "to"):
            bound = _write("" if timed else "availability", row.get(key))
            values[f"{place}.{key}"] = f"{bound} s" if timed and bound else bound
        values |= {
            f"{place}.credit": _write("credit_tier", row.get("credit")),
            f"{place}.basis": row.get("basis") or "",
        }
    return FormState(values)


def row_numbers(state: FormState, place: str) -> list[int]:
    """The rows to draw: those with something in them, and a few blank ones."""
    pattern = re.compile(re.escape(place) + r"\.(\d{1,3})\.")
    used = sorted({int(m[1]) for name, value in state.values.items() if value and (m := pattern.match(name))})
    first = used[-1] + 1 if used else 0
    return [*used, *range(first, first + BLANK_ROWS)]


def differences(mine: FormState, theirs: FormState) -> list[tuple[Text, str, str]]:
    """Title, what was typed and what is stored now, for every input where the two differ."""
    found = []
    for name in dict.fromkeys([*mine.values, *theirs.values]):
        left, right = mine.value(name), theirs.value(name)
        item = INPUTS.get(name.removeprefix("no."))
        title = NAMES.get(name) or (item.title if item else Text(name, name))
        if left != right and name != "actor":
            found.append((title, left, right))
    return found
