"""A document becomes findings: cells and sentences with their context, read one by one."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from app.domain.metrics import BY_ID, MetricKind
from app.sheets import words
from app.sheets.attributes import NOTHING, Attributes, attributes_in, carries
from app.sheets.cells import phrase_facts, read_cell
from app.sheets.clauses import sentences
from app.sheets.continuations import join
from app.sheets.document import Document, Paragraph, Table, cell_in, text_in
from app.sheets.entries import Entry, Findings, Owner
from app.sheets.folding import NAME_LIMIT, clean_label, fold, lowered
from app.sheets.headers import distinct
from app.sheets.labels import asked_label, condition_of, label_of, role_of, words_before_figure
from app.sheets.layout import Column, Layout, analyse
from app.sheets.lexicon import labels_in
from app.sheets.numbers import figures
from app.sheets.numerals import decimal_style
from app.sheets.owners import OWNER_ROLES, column_owners, name_in, owner_of, owner_role, pairs, part_names
from app.sheets.parts import WHOLE, option_name, plan
from app.sheets.prose import aside, beside, lead_in, read_sentence, remark_facts, said_elsewhere
from app.sheets.quantities import SURE
from app.sheets.segments import SEGMENT, names_segment, segment_of
from app.sheets.statements import Context, Reading, evidence_of, with_note
from app.sheets.survey import Survey, money_units
from app.sheets.tiers import chosen_products, is_ditto, tier

if TYPE_CHECKING:
    from app.domain.facts import Fact
    from app.sheets.document import Cell, Place, Row
    from app.sheets.lexicon import Label

_CONFIRM_BELOW: Final = 0.6
_VALUES: Final = frozenset({"response", "name", "observed", "target", "case", "year"})


class Extractor:
    """Reads one document; `findings` grows block by block."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._blocks = join(document.blocks)
        self._style = decimal_style(self._written())
        self._heading = ""
        self._section: Label | None = None
        self._lead = NOTHING
        self._columns_lost = False
        self._part = WHOLE
        self._money_units: set[str] = set()
        self._table_units: set[str] = set()
        self.findings = Findings()

    def _written(self) -> list[str]:
        texts = []
        for block in self._document.blocks:
            if isinstance(block, Paragraph):
                texts.append(fold(block.text))
            else:
                texts += [fold(c.text) for r in block.rows for c in r if c and not c.number and not c.merged]
        return texts

    def run(self) -> Findings:
        """Two passes: what is said about everything first, then the facts."""
        layouts = {id(b): analyse(b) for b in self._blocks if isinstance(b, Table)}
        self._money_units = Survey(self.findings).run(self._blocks, layouts)
        for block, part in zip(self._blocks, plan(self._blocks), strict=True):
            self._part = part
            if isinstance(block, Paragraph):
                self._paragraph(block)
            elif part.asked and not any(c.role in {"response", "name"} and c.text for c in layouts[id(block)].columns):
                self._asked(block)
            else:
                self._table(layouts[id(block)])
                self._lead = NOTHING
        return self.findings

    # ---- what is said from afar
    def _far(self, metric: str | None) -> Attributes:
        return self._lead.over(self._shared(metric or ""))

    def _shared(self, metric: str) -> Attributes:
        """What the document says elsewhere of a metric, and of all figures."""
        shared = self.findings.shared
        return shared.get(metric, NOTHING).over(shared.get("*", NOTHING))

    # ---- running text
    def _paragraph(self, block: Paragraph) -> None:
        if block.heading:
            self._heading = block.text
            self._columns_lost = False
            label, _ = label_of(re.sub(r"^[\d.、\s]+", "", block.text))
            self._section = label if label and label.metric and label.sure else None
            self._lead = NOTHING
        else:
            self._lead = lead_in(block.text).over(self._lead)
        if self._lost_columns(block.text):
            self._unread(block.text, block.place)
            return
        if self._part.asked:
            self._unread(block.text, block.place)
            return
        named = any(o.product for o in pairs(block.text)) or block.text in self.findings.titles
        named = named or bool(option_name(block.text))
        self._sentences(block.text, block.place, title=block.heading or named)

    def _asked(self, table: Table) -> None:
        """A table of the buyer's own wishes: told, never taken."""
        for row in table.rows:
            cells = [c for c in row if c and c.text.strip() and not c.merged]
            if cells:
                self._unread(" | ".join(c.text for c in cells), cells[0].place)

    def _unread(self, text: str, place: Place) -> None:
        if any(f.unit or f.kind != "plain" for f in figures(fold(text))):
            self.findings.unread.append((_spot(place), text))

    def _lost_columns(self, text: str) -> bool:
        """A heading line of a table whose columns were lost: below it nobody can tell asked from offered."""
        roles = [role_of(word) for word in text.split()]
        if "requirement" in roles and len({r for r in roles if r}) > 1:
            self._columns_lost = True
        return self._columns_lost

    def _sentences(self, text: str, place: Place, *, title: bool = False) -> None:
        for sentence in sentences(text):
            context = Context(
                evidence=evidence_of(self._document.kind, place, sentence), style=self._style,
                heading=self._heading, section=self._section, legend=self.findings.legend,
                title=title,
                confidence=_CONFIRM_BELOW if self._document.doubt else SURE,
            )  # fmt: skip
            self._take(read_sentence(sentence, context), Owner(), place)

    def _take(self, reading: Reading, owner: Owner, place: Place, products: tuple[str, ...] = ()) -> None:
        for fact in reading.facts:
            said = self._shared(fact.metric).for_metric(fact.metric)
            filled = replace(
                fact,
                scope=fact.scope or said.scope,
                period=fact.period or said.period,
                commitment=fact.commitment or said.commitment,
            )
            self.findings.entries.append(Entry(fact=filled, owner=owner.over(self._part.owner), products=products))
        for quote in dict.fromkeys(reading.unread):
            self.findings.unread.append((_spot(place), quote))

    # ---- tables
    def _table(self, layout: Layout) -> None:
        self._table_units = {u for c in layout.captions for u in money_units(c.text)}
        for cell in layout.captions:
            self._sentences(cell.text, cell.place, title=True)
        if layout.kind == "columns":
            self._by_columns(layout)
        elif layout.kind == "rows":
            self._by_rows(layout)
        elif layout.kind == "credits":
            self._credits(layout)
        else:
            self._loose(layout)
        for cell in layout.notes:
            self._sentences(cell.text, cell.place)

    def _context(self, cell: Cell, column: Column, units: tuple[str, ...], label_text: str) -> Context:
        label = column.label
        metric = label.metric if label else None
        near = attributes_in(fold(label_text))
        if label:
            near = replace(
                near, direction=near.direction or label.direction, statistic=near.statistic or label.statistic
            )
        evidence = evidence_of(self._document.kind, cell.place, cell.text, cell.note)
        if label_text.strip() and label_text.strip() != cell.text.strip():
            evidence = replace(evidence, label=clean_label(label_text, NAME_LIMIT))
        if cell.merged:
            evidence = with_note(evidence, ("from_merged_cell",))
        return Context(
            evidence=evidence, condition=_label_condition(label, label_text), label=label,
            units=(*units, *self._caption_units(metric)), near=near, far=self._far(metric),
            confidence=min(column.confidence, _CONFIRM_BELOW if cell.doubt or self._document.doubt else 1.0),
            style="dot" if cell.number else self._style, legend=self.findings.legend, number=cell.number,
        )  # fmt: skip

    def _caption_units(self, metric: str | None) -> tuple[str, ...]:
        """The unit of money that the title of the table names (单位：万元/年), else the only one of the document."""
        if metric not in BY_ID or BY_ID[str(metric)].kind is not MetricKind.MONEY:
            return ()
        units = self._table_units or self._money_units
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
        self._take(reading, owner, cell.place)

    def _by_columns(self, layout: Layout) -> None:
        above: dict[str, str] = {}
        for row in layout.body:
            cells = layout.table.rows[row]
            names = {c.role: name_in(cells, c, above) for c in layout.columns if c.role in {*OWNER_ROLES, "condition"}}
            owner = owner_of(names)
            filled = [(c, cell) for c in layout.columns if (cell := cell_in(cells, c.index)) and cell.text.strip()]
            if not any(c.role == "metric" for c, _ in filled) or self._example(cells):
                self._lone_note(cells)
                continue
            remarks = [cell.text for c, cell in filled if c.role == "remark"]
            for column, cell in filled:
                if column.role == "metric":
                    context = self._context(cell, column, (column.text,), column.text)
                    context = replace(context, near=_with_remarks(context, remarks))
                    self._read(cell, self._conditioned(context, names.get("condition", "")), owner)
                elif column.role in {"remark", ""}:
                    self._read(cell, self._context(cell, column, (), ""), owner)

    def _conditioned(self, context: Context, condition: str) -> Context:
        if not condition:
            return context
        if context.label and context.label.metric == "bandwidth" and names_segment(condition):
            return replace(context, label=SEGMENT, condition=condition)
        return replace(
            context,
            condition="; ".join(c for c in (condition, context.condition) if c),
            near=context.near.over(attributes_in(fold(condition)).for_metric("availability")),
        )

    def _by_rows(self, layout: Layout) -> None:
        units = [c for c in layout.columns if c.role == "unit"]
        values = [c for c in layout.columns if c.role in _VALUES]
        owners = [c for c in layout.columns if c.role in OWNER_ROLES and c.index != layout.label]
        self._before(layout)
        vendor_known = any(n.vendor for n in self.findings.names)
        across = column_owners(layout, values, vendor_known=vendor_known)
        above: dict[str, str] = {}
        named, within = part_names(layout), Owner()
        for row in layout.body:
            cells = layout.table.rows[row]
            if row in named:
                within = named[row]
                continue
            names = {c.role: name_in(cells, c, above) for c in owners}
            label_cell = cell_in(cells, layout.label)
            if label_cell is None or not label_cell.text.strip() or self._example(cells):
                continue
            label, confidence = (asked_label if layout.asked else label_of)(label_cell.text)
            texts = [c.text for u in units if (c := cell_in(cells, u.index))]
            texts += _asked_texts(label_cell.text) if layout.asked else [label_cell.text]
            if owner_role(texts[-1]):
                continue
            owner = owner_of(names).over(within)
            said = self._remarks(cells, layout, owner)
            seen: set[Place] = set()
            for column in values:
                cell = cell_in(cells, column.index)
                if cell is None or not cell.text.strip():
                    continue
                whose = owner.over(across[column.index])
                if cell.merged and cell.place in seen and whose == owner and column.role != "case":
                    continue
                seen.add(cell.place)
                self._row_cell(cell, replace(column, label=label, confidence=confidence), tuple(texts), whose, said)

    def _before(self, layout: Layout) -> None:
        """Lines above the heading (`Quotation valid until | 2027-02-28`) hold for all offers."""
        for row in layout.before:
            cells = distinct(layout.table, row)
            label, confidence = label_of(cells[0].text)
            if len(cells) == 2 and label is not None and not owner_role(cells[0].text):  # noqa: PLR2004
                column = Column(index=1, role="response", label=label, confidence=confidence)
                self._row_cell(cells[1], column, (cells[0].text,), Owner(), NOTHING)

    def _remarks(self, cells: Row, layout: Layout, owner: Owner) -> Attributes:
        """What the remark columns of a row say about its figures; what stands there by itself is taken."""
        said = NOTHING
        for column in (c for c in layout.columns if c.role in {"remark", "period", "condition"}):
            cell = cell_in(cells, column.index)
            if cell is None or not cell.text.strip():
                continue
            said = said.over(aside(f"按{cell.text}" if column.role == "period" else cell.text))
            if column.role == "remark":
                evidence = evidence_of(self._document.kind, cell.place, cell.text)
                context = Context(evidence=evidence, confidence=_CONFIRM_BELOW if self._document.doubt else SURE)
                self._take(remark_facts(cell.text, context), owner, cell.place)
        return said

    def _lone_note(self, cells: Row) -> None:
        """A sentence that stands alone in a row of a table is running text."""
        said = [c for c in cells if c and c.text.strip() and not c.merged]
        if len(said) == 1 and words.NOTE_ROW.search(fold(said[0].text)):
            self._sentences(said[0].text, said[0].place)

    def _example(self, cells: Row) -> bool:
        """A row that shows how to fill in the sheet: told, never taken."""
        said = [c for c in cells if c and c.text.strip()]
        if not any(words.EXAMPLE_ROW.search(lowered(fold(c.text))) for c in said[:2]):
            return False
        self.findings.unread.append((_spot(said[0].place), " | ".join(c.text for c in said)))
        return True

    def _row_cell(
        self, cell: Cell, column: Column, texts: tuple[str, ...], owner: Owner, said: Attributes
    ) -> None:  # fmt: skip
        if column.role == "year":
            self._take(Reading(unread=[f"{column.text}: {cell.text}"]), owner, cell.place)
            return
        context = self._context(cell, column, (*texts, column.text if column.role != "name" else ""), texts[-1])
        heading = clean_label(" ".join(dict.fromkeys((texts[-1], *texts[:-1]))), NAME_LIMIT)  # the label, then its unit
        context = replace(context, near=beside(context.near, said), evidence=replace(context.evidence, label=heading))
        if column.role in {"observed", "target"}:
            context = replace(context, near=replace(context.near, commitment=column.role))
        elif column.role in {"response", "case"} and column.text:
            context = replace(context, near=context.near.over(attributes_in(fold(column.text))))
        if column.role == "case":
            context = replace(context, condition="; ".join(c for c in (column.text, context.condition) if c))
        if column.label is None and label_of(cell.text)[0] is None:
            context = replace(context, heading=texts[-1])
        self._read(cell, context, owner, only_with_commitment=column.role in {"observed", "target"})

    def _credits(self, layout: Layout) -> None:
        measure = next((c for c in layout.columns if c.role == "measure"), None)
        selector = next((c for c in layout.columns if c.role in {"condition", "product"}), None)
        chosen: tuple[str, ...] = ()
        for row in layout.body:
            cells = layout.table.rows[row]
            if selector and (text := text_in(cells, selector.index)) and not is_ditto(text):
                chosen = chosen_products(text)
            for column in (c for c in layout.columns if c.role == "credit"):
                cell = cell_in(cells, column.index)
                if measure is None or cell is None or not cell.text.strip():
                    continue
                quote = f"{text_in(cells, measure.index)} | {cell.text}"
                evidence = evidence_of(self._document.kind, cell.place, quote)
                fact = tier(text_in(cells, measure.index), cell.text, (measure.text, column.text), evidence)
                facts: list[Fact] = [fact] if fact else []
                self._take(Reading(facts=facts, unread=[] if fact else [quote]), Owner(), cell.place, chosen)

    def _loose(self, layout: Layout) -> None:
        """A table without any label we know: its cells are read as running text."""
        for row in layout.body:
            for cell in layout.table.rows[row]:
                if cell and cell.text.strip() and not cell.merged and not cell.number:
                    self._sentences(cell.text, cell.place)


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


def _spot(place: Place) -> str:
    """A place in words: `SLA!C7`, `p. 2`, `row 3`."""
    if place.sheet:
        return f"{place.sheet}!{place.cell or place.row}"
    if place.page:
        return f"p. {place.page}"
    return f"row {place.row}" if place.row else "text"
