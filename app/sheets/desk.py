"""The desk at which one document is read: what holds for all of it, and where its facts are put down."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from app.sheets import words
from app.sheets.attributes import NOTHING, Attributes
from app.sheets.cells import read_cell
from app.sheets.clauses import sentences
from app.sheets.contexts import Context, Reading, evidence_of
from app.sheets.entries import NOBODY, Entry, Findings
from app.sheets.folding import fold, lowered
from app.sheets.numbers import figures
from app.sheets.numerals import decimal_style
from app.sheets.parts import WHOLE, Part
from app.sheets.prose import read_sentence
from app.sheets.quantities import SURE
from app.sheets.tier_prose import tiers_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sheets.document import Document, Place
    from app.sheets.entries import Owner
    from app.sheets.lexicon import Label

CONFIRM_BELOW: Final = 0.6
_OF_CREDITS: Final = frozenset({"credit_cap", "exclusion"})


class Desk:
    """State of the reading of one document; `findings` grow with every sentence and cell.

    `part` and `heading` say where the reading stands, `crediting` whether lines of thresholds are credits.
    """

    def __init__(self, document: Document, written: Sequence[str]) -> None:
        self.document = document
        self.style = decimal_style(written)
        self.findings = Findings()
        self.heading = ""
        self.section: Label | None = None
        self.lead = NOTHING
        self.part: Part = WHOLE
        self.crediting = False
        self.money_units: set[str] = set()

    @property
    def most(self) -> float:
        """The confidence beyond which no fact of this document goes."""
        return CONFIRM_BELOW if self.document.doubt else SURE

    def far(self, metric: str | None) -> Attributes:
        """What is said from afar: right above the table, then anywhere in the document."""
        return self.lead.over(self.shared(metric or ""))

    def shared(self, metric: str) -> Attributes:
        """What the document says elsewhere of a metric, and of all figures."""
        shared = self.findings.shared
        return shared.get(metric, NOTHING).over(shared.get("*", NOTHING))

    def sentences(self, text: str, place: Place, *, title: bool = False) -> None:
        """Running text, sentence by sentence."""
        for sentence in sentences(text):
            evidence = evidence_of(self.document.kind, place, sentence)
            context = Context(
                evidence=evidence, style=self.style, heading=self.heading, section=self.section,
                legend=self.findings.legend, title=title, confidence=self.most, siblings=self.findings.siblings,
            )  # fmt: skip
            reading = read_sentence(sentence, context)
            tiers = tiers_in(sentence, evidence, crediting=self.crediting)
            if tiers:
                kept = [f for f in reading.facts if f.metric in _OF_CREDITS]
                reading = Reading(facts=[*(replace(t, confidence=min(t.confidence, self.most)) for t in tiers), *kept])
            self.take(reading, NOBODY, place)

    def answer(self, text: str, place: Place, label: Label | None) -> None:
        """The answer to a question about `label`: a cell under that name, and what else its sentences say."""
        if label is None:
            self.sentences(text, place)
            return
        evidence = evidence_of(self.document.kind, place, text)
        context = Context(
            evidence=evidence, label=label, style=self.style, legend=self.findings.legend, confidence=self.most,
            near=Attributes(direction=label.direction, statistic=label.statistic), far=self.far(label.metric),
        )  # fmt: skip
        reading = read_cell(text, context)
        known = {label.metric, *(f.metric for f in reading.facts)}
        for sentence in sentences(text):
            more = read_sentence(sentence, replace(context, label=None))
            reading.facts += [f for f in more.facts if f.metric not in known]
        self.take(reading, NOBODY, place)

    def take(self, reading: Reading, owner: Owner, place: Place, products: tuple[str, ...] = ()) -> None:
        """Put down the facts of a reading with what the document says of them elsewhere; tell what was not read."""
        for fact in reading.facts:
            said = self.shared(fact.metric).for_metric(fact.metric)
            filled = replace(
                fact,
                scope=fact.scope or said.scope,
                period=fact.period or said.period,
                commitment=fact.commitment or said.commitment,
            )
            self.findings.entries.append(Entry(fact=filled, owner=owner.over(self.part.owner), products=products))
        for quote in dict.fromkeys(reading.unread):
            self.findings.unread.append((spot(place), quote))

    def unread(self, text: str, place: Place) -> None:
        """Tell a text that is not taken, when it holds a figure."""
        if any(f.unit or f.kind != "plain" for f in figures(fold(text))):
            self.findings.unread.append((spot(place), text))

    def about_credits(self, text: str, *, heading: bool) -> None:
        """Lines of thresholds are credits below a heading about them, or after a sentence that ends in a colon."""
        pays = bool(words.CREDIT.search(lowered(fold(text))))
        if heading:
            self.crediting = pays
        elif pays and text.rstrip().endswith((":", "：")):
            self.crediting = True


def spot(place: Place) -> str:
    """A place in words: `SLA!C7`, `p. 2`, `row 3`."""
    if place.sheet:
        return f"{place.sheet}!{place.cell or place.row}"
    if place.page:
        return f"p. {place.page}"
    return f"row {place.row}" if place.row else "text"
