"""Readers of file formats: the only place where format libraries are imported.

A reader is a frozen object with a kind, its extensions and a function from bytes to a `Document`. The module
of a format is imported when the first such file arrives.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.sheets.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One format: `module` has a function `read(data: bytes) -> Document`."""

    kind: str
    extensions: tuple[str, ...]
    module: str

    def accepts(self, kind: str) -> bool:
        """Whether this reader reads files of `kind` (as `detect.kind_of` names it)."""
        return kind == self.kind

    def read(self, data: bytes) -> Document:
        """Read the bytes; raises `app.sheets.codes.Refused` with a code."""
        function = cast("Callable[[bytes], Document]", importlib.import_module(self.module).read)
        return function(data)


READERS: Final[tuple[Reader, ...]] = (
    Reader(kind="xlsx", extensions=("xlsx",), module="app.sheets.readers.xlsx"),
    Reader(kind="csv", extensions=("csv", "tsv"), module="app.sheets.readers.csv"),
    Reader(kind="pdf", extensions=("pdf",), module="app.sheets.readers.pdf"),
    Reader(kind="html", extensions=("html", "htm"), module="app.sheets.readers.html"),
    Reader(kind="txt", extensions=("txt",), module="app.sheets.readers.text"),
    Reader(kind="docx", extensions=("docx",), module="app.sheets.readers.docx"),
)


def reader_for(kind: str) -> Reader | None:
    """The reader of a kind, None without one."""
    return next((r for r in READERS if r.accepts(kind)), None)
