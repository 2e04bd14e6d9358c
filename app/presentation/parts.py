"""Small view objects that the macros draw: cell, panel, pair; text in them is already formatted.

Reports and pages fill them; `templates/macros/` only places them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.fields import Field


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A label with its value; `small` is a quieter second line, `href` opens the figure."""

    label: str
    value: str
    small: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of the matrix: a status code of `words.STATUS`, the value, what stands small under it.

    `href` is the address of its panel; without one the cell does not open.
    """

    status: str
    value: str
    small: str = ""
    href: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Everything behind one figure, in the order of the page.

    `status`/`kind` choose the mark, `quote` is the vendor's wording, `pairs` file, place and definition,
    `formula` the symbolic form, `working` the form with numbers put in, `sources` (title, address) pairs,
    `close` the address of the page without the panel.
    """

    title: str
    value: str
    close: str
    status: str = ""
    kind: str = "status"
    reason: str = ""
    quote: str = ""
    pairs: tuple[Pair, ...] = ()
    formula: str = ""
    working: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """The fields of one group of a form."""

    name: str
    fields: tuple[Field, ...]


def groups_in_order(fields: Sequence[Field]) -> list[FieldGroup]:
    """Fields by group, groups and fields in the order they are declared."""
    names = dict.fromkeys(f.group for f in fields)
    return [FieldGroup(name, tuple(f for f in fields if f.group == name)) for name in names]
