"""The cells of one table with their context: by columns, by rows, credits, or words only."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING, Final

from app.domain.metrics import BY_ID, MetricKind
from app.sheets import words
from app.sheets.attributes import NOTHING, Attributes, attributes_in, carries, remainder
from app.sheets.cells import phrase_facts, read_cell
from app.sheets.clauses import sentences
from app.sheets.contexts import Context, Reading, evidence_of, with_note
from app.sheets.desk import CONFIRM_BELOW, Desk, spot
from app.sheets.document import cell_in, text_in
from app.sheets.entries import NOBODY, Owner
from app.sheets.folding import NAME_LIMIT, clean_label, fold, lowered
from app.sheets.headers import distinct
from app.sheets.labels import MAX_LABEL, asked_label, condition_of, label_of, words_before_figure
from app.sheets.layout import Column, Layout
from app.sheets.lexicon import labels_in
from app.sheets.numbers import figures
from app.sheets.owners import OWNER_ROLES, column_owners, name_in, owner_of, owner_role, part_names
from app.sheets.prose import aside, beside, read_sentence, remark_facts, said_elsewhere
from app.sheets.segments import SEGMENT, names_segment, segment_of
from app.sheets.survey import money_units
from app.sheets.tiers import chosen_products, is_ditto, tier

if TYPE_CHECKING:
    from app.domain.facts import Fact
    from app.sheets.document import Cell, Place, Row
    from app.sheets.lexicon import Label

_VALUES: Final = frozenset({"response", "name", "observed", "target", "case", "year"})
_RATES: Final = frozenset({"bandwidth", "committed_rate"})
_GIGA: Final = 10**9
_MAX_CASE: Final = 24


class TableReader:
    """Reads one table to a desk."""

    def __init__(self, desk: Desk, layout: Layout) -> None:
        self.desk = desk
        self.layout = layout
        self.units = {u for c in layout.captions for u in money_units(c.text)}

    def read(self) -> None:
        """Titles, the body by its layout, notes."""
        ways = {"columns": self._by_columns, "rows": self._by_rows, "credits": self._credits}
        for cell in self.layout.captions:
            self.desk.sentences(cell.text, cell.place, title=True)
        ways.get(self.layout.kind, self._loose)()
        for cell in self.layout.notes:
            self.desk.sentences(cell.text, cell.place)

    def _context(self, cell: Cell, column: Column, units: tuple[str, ...], label_text: str) -> Context:
        label = column.label
        metric = label.metric if label else None
        near = attributes_in(fold(label_text))
        if label:
            near = replace(
                near, direction=near.direction or label.direction, statistic=near.statistic or label.statistic
            )
        evidence = evidence_of(self.desk.document.kind, cell.place, cell.text, cell.note)
        if label_text.strip() and label_text.strip() != cell.text.strip():
            evidence = replace(evidence, label=clean_label(label_text, NAME_LIMIT))
        if cell.merged:
            evidence = with_note(evidence, ("from_merged_cell",))
        return Context(
            evidence=evidence, condition=_label_condition(label, label_text), label=label,
            units=(*units, *self._caption_units(metric)), near=near, far=self.desk.far(metric),
            confidence=min(column.confidence, CONFIRM_BELOW if cell.doubt or self.desk.document.doubt else 1.0),
            style="dot" if cell.number else self.desk.style, legend=self.desk.findings.legend, number=cell.number,
        )  # fmt: skip

    def _caption_units(self, metric: str | None) -> tuple[str, ...]:
        """The unit of money that the title of the table names (单位：万元/年), else the only one of the document."""
        if metric not in BY_ID or BY_ID[str(metric)].kind is not MetricKind.MONEY:
            return ()
        units = self.units or self.desk.money_units
        return tuple(units) if len(units) == 1 else ()

    def _read(self, cell: Cell, context: Context, owner: Owner, *, only_with_commitment: bool = False) -> None:
        if context.label is not None and context.label.metric is not None:
            reading = read_cell(cell.text, context)
        else:
            reading = Reading()
            for sentence in sentences(cell.text):
                reading.add(read_sentence(sentence, context))
            known = {f.metric for f in reading.facts}
            reading.facts += [f for f in phrase_facts(cell.text, context) if f.metric not in known]
            reading.facts = [replace(f, evidence=replace(f.evidence, quote=cell.text)) for f in reading.facts]
        if only_with_commitment:  # a price or a length cannot be marked as observed, so it is told, not taken
            kept = [f for f in reading.facts if carries(f.metric, "commitment")]
            reading = Reading(facts=kept, unread=reading.unread or ([cell.text] if reading.facts and not kept else []))
        self.desk.take(reading, owner, cell.place)

    def _by_columns(self) -> None:
        above: dict[str, str] = {}
        rungs = self._rungs()
        for row in self.layout.body:
            cells = self.layout.table.rows[row]
            names = {
                c.role: name_in(cells, c, above) for c in self.layout.columns if c.role in {*OWNER_ROLES, "condition"}
            }
            owner = owner_of(names)
            if row in rungs:
                owner = replace(owner, product=f"{owner.product} {rungs[row]}")
            filled = [(c, cell) for c in self.layout.columns if (cell := cell_in(cells, c.index)) and cell.text.strip()]
            if not any(c.role == "metric" for c, _ in filled) or self._example(cells):
                self._lone_note(cells)
                continue
            remarks = [cell.text for c, cell in filled if c.role == "remark"]
            for column, cell in filled:
                if column.role == "metric":
                    context = self._context(cell, column, (column.text,), column.text)
                    context = replace(context, near=_with_remarks(context, remarks))
                    for condition in (column.case, names.get("condition", "")):
                        context = self._conditioned(context, condition)
                    self._read(cell, context, owner)
                elif column.role in {"remark", ""}:
                    self._read(cell, self._context(cell, column, (), ""), owner)

    def _rungs(self) -> dict[int, str]:
        """Rows of a price ladder: one product at several rates is several offers, told apart by the rate."""
        above: dict[str, str] = {}
        owners = [c for c in self.layout.columns if c.role in OWNER_ROLES]
        rate = next((c for c in self.layout.columns if c.label and c.label.metric in _RATES), None)
        if rate is None or not any(c.role == "product" for c in owners):
            return {}
        found: dict[Owner, dict[int, str]] = {}
        for row in self.layout.body:
            cells = self.layout.table.rows[row]
            owner = owner_of({c.role: name_in(cells, c, above) for c in owners})
            cell = cell_in(cells, rate.index)
            if cell is None or owner.product is None:
                continue
            facts = read_cell(cell.text, self._context(cell, rate, (rate.text,), rate.text)).facts
            values = [f.value for f in facts if f.metric in _RATES and isinstance(f.value, Decimal)]
            if len(values) == 1:
                found.setdefault(owner, {})[row] = _rate_name(values[0])
        return {
            row: name
            for rows in found.values()
            if len(set(rows.values())) > 1
            for row, name in rows.items()
        }  # fmt: skip

    def _conditioned(self, context: Context, condition: str) -> Context:
        if not condition:
            return context
        if context.label and context.label.metric == "bandwidth" and names_segment(condition):
            return replace(context, label=SEGMENT, condition=condition)
        return replace(
            context,
            condition="; ".join(dict.fromkeys(c for c in (condition, context.condition) if c)),
            near=context.near.over(attributes_in(fold(condition)).for_metric("availability")),
        )

    def _by_rows(self) -> None:
        units = [c for c in self.layout.columns if c.role == "unit"]
        values = [c for c in self.layout.columns if c.role in _VALUES]
        owners = [c for c in self.layout.columns if c.role in OWNER_ROLES and c.index != self.layout.label]
        self._before()
        vendor_known = any(n.vendor for n in self.desk.findings.names) or self.desk.findings.signed is not None
        across = column_owners(self.layout, values, vendor_known=vendor_known)
        above: dict[str, str] = {}
        named, within = part_names(self.layout), Owner()
        for row in self.layout.body:
            cells = self.layout.table.rows[row]
            if row in named:
                within = named[row]
                continue
            names = {c.role: name_in(cells, c, above) for c in owners}
            label_cell = cell_in(cells, self.layout.label)
            if label_cell is None or not label_cell.text.strip() or self._example(cells):
                continue
            label, confidence = (asked_label if self.layout.asked else label_of)(label_cell.text)
            texts = [c.text for u in units if (c := cell_in(cells, u.index))]
            texts += _asked_texts(label_cell.text) if self.layout.asked else [label_cell.text]
            if owner_role(texts[-1]):
                continue
            owner = owner_of(names).over(within)
            said = self._remarks(cells, owner)
            case = self._case(cells, label_cell)
            seen: set[Place] = set()
            for column in values:
                cell = cell_in(cells, column.index)
                if cell is None or not cell.text.strip():
                    continue
                whose = owner.over(across[column.index])
                if cell.merged and cell.place in seen and whose == owner and column.role != "case":
                    continue
                seen.add(cell.place)
                known = replace(column, label=label, confidence=confidence, case=case)
                self._row_cell(cell, known, tuple(texts), whose, said)

    def _case(self, cells: Row, label: Cell) -> str:
        """The remark that tells rows under one label apart (有保护 | 无保护), or any short one that is a condition."""
        for column in (c for c in self.layout.columns if c.role in {"remark", "condition"}):
            text = text_in(cells, column.index).strip()
            shared = sum(_label_place(self.layout, row) == label.place for row in self.layout.body) > 1
            if text and (column.role == "condition" or (len(text) <= _MAX_CASE and shared)):
                return text
        return ""

    def _before(self) -> None:
        """Lines above the heading (`Quotation valid until | 2027-02-28`) hold for all offers."""
        for row in self.layout.before:
            cells = distinct(self.layout.table, row)
            label, confidence = label_of(cells[0].text)
            if len(cells) == 2 and label is not None and not owner_role(cells[0].text):  # noqa: PLR2004
                column = Column(index=1, role="response", label=label, confidence=confidence)
                self._row_cell(cells[1], column, (cells[0].text,), Owner(), NOTHING)

    def _remarks(self, cells: Row, owner: Owner) -> Attributes:
        """What the remark columns of a row say about its figures; what stands there by itself is taken."""
        said = NOTHING
        for column in (c for c in self.layout.columns if c.role in {"remark", "period"}):
            cell = cell_in(cells, column.index)
            if cell is None or not cell.text.strip():
                continue
            said = said.over(aside(f"按{cell.text}" if column.role == "period" else cell.text))
            if column.role == "remark":
                evidence = evidence_of(self.desk.document.kind, cell.place, cell.text)
                context = Context(evidence=evidence, confidence=self.desk.most)
                self.desk.take(remark_facts(cell.text, context), owner, cell.place)
        return said

    def _lone_note(self, cells: Row) -> None:
        """A row without a figure of any column (`Remarks: | …`) is running text."""
        for cell in (c for c in cells if c and c.text.strip() and not c.merged):
            if words.NOTE_ROW.search(fold(cell.text)) or len(cell.text) > MAX_LABEL:
                self.desk.sentences(cell.text, cell.place)

    def _example(self, cells: Row) -> bool:
        """A row that shows how to fill in the sheet: told, never taken."""
        said = [c for c in cells if c and c.text.strip()]
        if not any(words.EXAMPLE_ROW.search(lowered(fold(c.text))) for c in said[:2]):
            return False
        self.desk.findings.unread.append((spot(said[0].place), " | ".join(c.text for c in said)))
        return True

    def _row_cell(
        self, cell: Cell, column: Column, texts: tuple[str, ...], owner: Owner, said: Attributes
    ) -> None:  # fmt: skip
        if column.role == "year":
            self.desk.take(Reading(unread=[f"{column.text}: {cell.text}"]), owner, cell.place)
            return
        context = self._context(cell, column, (*texts, column.text if column.role != "name" else ""), texts[-1])
        heading = clean_label(" ".join(dict.fromkeys((texts[-1], *texts[:-1]))), NAME_LIMIT)  # the label, then its unit
        context = replace(context, near=beside(context.near, said), evidence=replace(context.evidence, label=heading))
        if column.role in {"observed", "target"}:
            context = replace(context, near=replace(context.near, commitment=column.role))
        elif column.role in {"response", "case"} and column.text:
            context = replace(context, near=context.near.over(attributes_in(fold(column.text))))
        if column.role == "case":
            context = self._conditioned(context, column.text)
        context = self._conditioned(context, column.case)
        if column.label is None and label_of(cell.text)[0] is None:
            context = replace(context, heading=texts[-1])
        self._read(cell, context, owner, only_with_commitment=column.role in {"observed", "target"})

    def _credits(self) -> None:
        measures = [c for c in self.layout.columns if c.role == "measure"]
        selector = next((c for c in self.layout.columns if c.role in {"condition", "product"}), None)
        chosen: tuple[str, ...] = ()
        for row in self.layout.body:
            cells = self.layout.table.rows[row]
            if selector and (text := text_in(cells, selector.index)) and not is_ditto(text):
                chosen = chosen_products(text)
            for column, measure in product((c for c in self.layout.columns if c.role == "credit"), measures):
                cell = cell_in(cells, column.index)
                if cell is None or not cell.text.strip():
                    continue
                quote = f"{text_in(cells, measure.index)} | {cell.text}"
                evidence = evidence_of(self.desk.document.kind, cell.place, quote)
                fact = tier(text_in(cells, measure.index), cell.text, (measure.text, column.text), evidence)
                if fact and len(measures) > 1:  # each column of thresholds is a case: protected, unprotected
                    fact = replace(fact, condition=remainder(fold(measure.text)) or None)
                facts: list[Fact] = [fact] if fact else []
                self.desk.take(Reading(facts=facts, unread=[] if fact else [quote]), NOBODY, cell.place, chosen)

    def _loose(self) -> None:
        """A table without any label we know: its cells are read as running text."""
        for row in self.layout.body:
            for cell in self.layout.table.rows[row]:
                if cell and cell.text.strip() and not cell.merged and not cell.number:
                    self.desk.sentences(cell.text, cell.place)


def _label_place(layout: Layout, row: int) -> Place | None:
    cell = cell_in(layout.table.rows[row], layout.label)
    return cell.place if cell else None


def _rate_name(rate: Decimal) -> str:
    """A rate as it stands in the name of a product: 10G, 500M."""
    return f"{(rate / _GIGA).normalize():f}G" if rate >= _GIGA else f"{(rate / 10**6).normalize():f}M"


def _asked_texts(text: str) -> list[str]:
    """The unit after the figure of a requirement, and its words before the figure."""
    tail = re.sub(r"^.*\d\s*", "", fold(text)) if any(c.isdigit() for c in text) else ""
    return [tail, words_before_figure(text)]


def _label_condition(label: Label | None, text: str) -> str:
    if label is None:
        return ""
    return segment_of(text) or "" if label.metric == SEGMENT.metric else condition_of(text)


def _with_remarks(context: Context, remarks: list[str]) -> Attributes:
    """The attributes of a figure with what the remarks of its row say: about its metric, or about the whole row."""
    near = context.near
    metric = context.label.metric if context.label else None
    for remark in remarks:
        named = said_elsewhere(remark)
        about = {h.label.metric for h in labels_in(fold(remark))} - {None}
        if metric in named:
            near = beside(near, named[metric])
        elif not about and not any(f.unit for f in figures(fold(remark))):
            near = beside(near, aside(remark))
    return near
