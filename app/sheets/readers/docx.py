"""DOCX: paragraphs and tables in order, merged cells once, insertions in, deletions and struck words out."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

import docx
from docx.opc.exceptions import PackageNotFoundError
from docx.oxml.ns import qn

from app.sheets.codes import Refused, notice
from app.sheets.document import Cell, Document, Paragraph, Place, Table
from app.sheets.readers.pdf_text import SUPERSCRIPT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.problems import Notice
    from app.sheets.document import Block

_SKIPPED: Final = frozenset(
    {qn("w:instrText"), qn("w:fldData"), "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}
)
_GONE: Final = frozenset({qn("w:del"), qn("w:moveFrom")})
_HIDING: Final = tuple(qn(n) for n in ("w:vanish", "w:strike", "w:dstrike"))
_MAX_SPAN: Final = 200
_MAX_HIDDEN: Final = 50


class _Docx:
    """One document while it is read."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.styles = {s.style_id: (s.name or "").lower() for s in document.styles}
        self.blocks: list[Block] = []
        self.hidden: list[str] = []
        self.tables = 0
        self.paragraphs = 0

    def read(self) -> Document:
        """Blocks in document order."""
        self._body(self.document.element.body)
        notices: list[Notice] = [notice("hidden_value", place="text", quote=t[:200]) for t in self.hidden[:_MAX_HIDDEN]]
        if len(self.hidden) > _MAX_HIDDEN:
            notices.append(notice("hidden_more", count=len(self.hidden) - _MAX_HIDDEN))
        return Document(kind="docx", blocks=tuple(self.blocks), notices=tuple(notices))

    def _body(self, element: Any) -> None:
        for child in element:
            if child.tag == qn("w:p"):
                self._paragraph(child)
            elif child.tag == qn("w:tbl"):
                self._table(child)
            elif child.tag == qn("w:sdt"):
                for content in child.findall(qn("w:sdtContent")):
                    self._body(content)

    def _paragraph(self, element: Any) -> None:
        self.paragraphs += 1
        text = self._text(element)
        if text.strip():
            style = element.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
            name = self.styles.get(style.get(qn("w:val")), "") if style is not None else ""
            heading = name.startswith(("heading", "title", "标题")) or name == "subtitle"
            level = int(name[-1]) if heading and name[-1:].isdigit() else 0
            place = Place(row=self.paragraphs)
            self.blocks.append(Paragraph(text=text.strip(), place=place, heading=heading, level=level))

    # ---- text
    def _text(self, element: Any) -> str:
        """The visible text of an element; what is deleted, hidden or struck goes to `hidden`."""
        parts: list[str] = []
        for run, gone in self._runs(element, gone=False):
            text, unseen = _run_text(run), gone or _hidden(run)
            if unseen and text.strip():
                self.hidden.append(text.strip())
            elif not unseen:
                parts.append(text)
        return "".join(parts)

    def _runs(self, element: Any, *, gone: bool) -> Iterator[tuple[Any, bool]]:
        for child in element:
            if child.tag in _SKIPPED or child.tag == qn("w:tbl"):
                continue
            if child.tag == qn("w:r"):
                yield child, gone
            else:
                yield from self._runs(child, gone=gone or child.tag in _GONE)

    # ---- tables
    def _table(self, element: Any) -> None:
        self.tables += 1
        number = self.tables
        nested: list[Any] = []
        rows: list[tuple[Cell | None, ...]] = []
        above: dict[int, Cell | None] = {}
        for r, row in enumerate(element.findall(qn("w:tr")), start=1):
            deleted = row.find(f"{qn('w:trPr')}/{qn('w:del')}") is not None
            cells: list[Cell | None] = [None] * _skipped_columns(row)
            for cell in _row_cells(row):
                span = _span(cell)
                column = len(cells) + 1
                made = self._cell(cell, Place(table=number, row=r, column=column), above.get(column))
                nested += cell.findall(qn("w:tbl"))
                for offset in range(span):
                    copy = made and (made if offset == 0 else Cell(text=made.text, place=made.place, merged=True))
                    cells.append(copy)
                    above[column + offset] = made
            if deleted:
                self.hidden += [c.text for c in cells if c and not c.merged]
            else:
                rows.append(tuple(cells))
        width = max((len(r) for r in rows), default=0)
        grid = tuple((*r, *[None] * (width - len(r))) for r in rows)
        self.blocks.append(Table(rows=grid, number=number))
        for table in nested:
            self._table(table)

    def _cell(self, element: Any, place: Place, above: Cell | None) -> Cell | None:
        merge = element.find(f"{qn('w:tcPr')}/{qn('w:vMerge')}")
        if merge is not None and merge.get(qn("w:val"), "continue") == "continue":
            return Cell(text=above.text, place=above.place, merged=True) if above else None
        text = "\n".join(t for t in (self._text(p).strip() for p in element.iter(qn("w:p")) if _own(p, element)) if t)
        return Cell(text=text, place=place) if text else None


def _own(paragraph: Any, cell: Any) -> bool:
    """Whether a paragraph stands in this cell and not in a table nested in it."""
    parent = paragraph.getparent()
    while parent is not None and parent is not cell:
        if parent.tag == qn("w:tbl"):
            return False
        parent = parent.getparent()
    return True


def _row_cells(row: Any) -> Iterator[Any]:
    for child in row:
        if child.tag == qn("w:tc"):
            yield child
        elif child.tag == qn("w:sdt"):
            for content in child.findall(qn("w:sdtContent")):
                yield from content.findall(qn("w:tc"))


def _number(element: Any, path: str) -> int:
    found = element.find(path)
    value = found.get(qn("w:val")) if found is not None else None
    return min(_MAX_SPAN, int(value)) if value and value.isdigit() else 0


def _span(cell: Any) -> int:
    return max(1, _number(cell, f"{qn('w:tcPr')}/{qn('w:gridSpan')}"))


def _skipped_columns(row: Any) -> int:
    return _number(row, f"{qn('w:trPr')}/{qn('w:gridBefore')}")


def _on(run: Any, tag: str) -> bool:
    found = run.find(f"{qn('w:rPr')}/{tag}")
    return found is not None and found.get(qn("w:val"), "true") not in {"false", "0", "off"}


def _hidden(run: Any) -> bool:
    if any(_on(run, tag) for tag in _HIDING):
        return True
    color = run.find(f"{qn('w:rPr')}/{qn('w:color')}")
    shaded = run.find(f"{qn('w:rPr')}/{qn('w:shd')}") is not None
    in_cell = any(
        a.tag == qn("w:tc") and a.find(f"{qn('w:tcPr')}/{qn('w:shd')}") is not None for a in run.iterancestors()
    )
    return color is not None and color.get(qn("w:val"), "").upper() == "FFFFFF" and not shaded and not in_cell


def _run_text(run: Any) -> str:
    parts = []
    raised = run.find(f"{qn('w:rPr')}/{qn('w:vertAlign')}")
    superscript = raised is not None and raised.get(qn("w:val")) == "superscript"
    for child in run:
        if child.tag in {qn("w:t"), qn("w:delText")}:
            text = child.text or ""
            parts.append(text.translate(SUPERSCRIPT) if superscript else text)
        elif child.tag in {qn("w:tab"), qn("w:ptab")}:
            parts.append("\t")
        elif child.tag in {qn("w:br"), qn("w:cr")}:
            parts.append("\n")
        elif child.tag == qn("w:noBreakHyphen"):
            parts.append("-")
    return "".join(parts)


def read(data: bytes) -> Document:
    """The document of a DOCX file."""
    try:
        document = docx.Document(io.BytesIO(data))
    except (PackageNotFoundError, KeyError, ValueError, OSError, AttributeError, TypeError) as error:
        raise Refused("ZIP_MALFORMED") from error
    return _Docx(document).read()
