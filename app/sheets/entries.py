"""What the extractor hands to `offers.py`: a fact and whom it belongs to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from app.domain.facts import Fact
    from app.sheets.attributes import Attributes
    from app.sheets.corrections import Correction


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Vendor and product a fact belongs to; None = the document as a whole."""

    vendor: str | None = None
    product: str | None = None

    def over(self, other: Owner) -> Owner:
        """This owner, with what it leaves open taken from `other`."""
        return Owner(vendor=self.vendor or other.vendor, product=self.product or other.product)


NOBODY: Final = Owner()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A fact with its owner; `products` narrows a shared fact to the products it names."""

    fact: Fact
    owner: Owner = NOBODY
    products: tuple[str, ...] = ()


@dataclass(slots=True)
class Findings:
    """Everything read from one document; `signed` is the company whose letterhead or signature it bears.

    `siblings` are names of products that running text tells apart (E-Line Standard, E-Line Premier).
    """

    entries: list[Entry] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    names: list[Owner] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    signed: str | None = None
    shared: dict[str, Attributes] = field(default_factory=dict)
    legend: dict[str, str] = field(default_factory=dict)
    corrections: list[Correction] = field(default_factory=list)
    siblings: tuple[str, ...] = ()
    by_reference: list[str] = field(default_factory=list)
