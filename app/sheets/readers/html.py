"""HTML: the main content of a saved page as paragraphs and tables; menus, hidden and struck words are only told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from selectolax.lexbor import LexborHTMLParser

from app.sheets.codes import notice
from app.sheets.document import Cell, Document, Paragraph, Place, Table
from app.sheets.readers.encoding import decode
from app.sheets.readers.html_parts import (
    BLOCKS,
    HEADINGS,
    LEGAL,
    SKIPPED,
    STRUCK,
    hidden_by_rules,
    is_frame,
    is_hidden,
    is_layout,
    is_sidebar,
    shown_sign,
    span,
)
from app.sheets.readers.pdf_text import SUPERSCRIPT

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from app.domain.problems import Notice
    from app.sheets.document import Block

MAX_DEPTH: Final = 120
MAX_CELLS: Final = 200_000
MAX_COLUMNS: Final = 1_000
_MAX_TOLD = 50
_MAX_HEADING = 60
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_-]{2,40})", re.IGNORECASE)
_BREAK: Final = "\v"
_SPACE: Final = re.compile(r"[ \t\r\n\f\u00a0]+")
_SENTENCE_END: Final = re.compile(r"[。！？；;.!?，,]$")


class _Page:
    """One page while it is read: `blocks` grow in document order, `told` holds what was left out."""

    def __init__(self, hidden: set[int]) -> None:
        self.hidden = hidden
        self.blocks: list[Block] = []
        self.told: list[tuple[str, str]] = []
        self.tables = 0
        self.cells = 0
        self.cut = False
        self._line: list[str] = []
        self._bold: list[bool] = []

    # ---- flow
    def flow(self, node: LexborNode, depth: int = 0, *, bold: bool = False) -> None:
        """Everything inside a node: text gathers to a paragraph, blocks end it."""
        if depth > MAX_DEPTH:
            self.cut = True
            return
        for child in node.iter(include_text=True):
            if child.is_text_node:
                self._say(child.text_content or "", bold=bold)
            elif child.is_element_node and not self._left_out(child):
                self._element(child, depth, bold=bold)

    def _say(self, text: str, *, bold: bool = False) -> None:
        if text:
            self._line.append(text)
            if text.strip():
                self._bold.append(bold)

    def _element(self, node: LexborNode, depth: int, *, bold: bool) -> None:
        tag = node.tag or ""
        if tag == "br":
            self._line.append(_BREAK)
        elif tag == "sup":
            self._say((node.text() or "").strip().translate(SUPERSCRIPT), bold=bold)
        elif tag in {"img", "input"}:
            self._say(shown_sign(node))
        elif tag == "table":
            self.end()
            self._table(node, depth)
        elif tag == "dl":
            self.end()
            self._definitions(node, depth)
        elif tag in HEADINGS:
            self.end()
            self.flow(node, depth + 1)
            self.end(heading=True, level=int(tag[1]) if tag[1:].isdigit() else 0)
        elif tag in BLOCKS:
            self.end()
            self.flow(node, depth + 1, bold=bold)
            self.end()
        else:
            self.flow(node, depth + 1, bold=bold or tag in {"b", "strong"})

    def end(self, *, heading: bool = False, level: int = 0) -> None:
        """Close the paragraph that is being gathered; a short one that is all bold is a heading."""
        lines = (_SPACE.sub(" ", line).strip() for line in "".join(self._line).split(_BREAK))
        text = "\n".join(line for line in lines if line)
        strong = bool(self._bold) and all(self._bold) and len(text) <= _MAX_HEADING
        self._line, self._bold = [], []
        if LEGAL.search(text):
            self.told.append(("page_frame", text))
        elif text:
            place = Place(row=len(self.blocks) + 1)
            heading = heading or (strong and not _SENTENCE_END.search(text))
            self.blocks.append(Paragraph(text=text, place=place, heading=heading, level=level))

    def _left_out(self, node: LexborNode) -> bool:
        """Whether a node is no content; what a person cannot see or what frames the page is told."""
        tag = node.tag or ""
        if tag in SKIPPED:
            return True
        unseen = tag in STRUCK or node.mem_id in self.hidden or is_hidden(node)
        if unseen or is_frame(node):
            self.tell("hidden_value" if unseen else "page_frame", node)
            return True
        return False

    def tell(self, code: str, node: LexborNode) -> None:
        """What was left out, when it holds a figure."""
        text = _SPACE.sub(" ", node.text(separator=" ") or "").strip()
        if any(c.isdigit() for c in text):
            self.told.append((code, text))

    def around(self, main: LexborNode) -> None:
        """Everything outside the main part frames it."""
        node = main
        while node.tag != "body" and node.parent is not None:
            for other in node.parent.iter():
                if other.mem_id != node.mem_id and other.tag not in SKIPPED:
                    self.tell("page_frame", other)
            node = node.parent

    # ---- tables
    def _table(self, node: LexborNode, depth: int) -> None:
        """A table of data becomes a grid; one that only arranges the page is read as flow."""
        if is_layout(node):
            for part in node.css("td, th, caption"):
                if _owner(part) == node.mem_id and is_sidebar(part):
                    self.tell("page_frame", part)
                elif _owner(part) == node.mem_id and not self._left_out(part):
                    self.end()
                    self.flow(part, depth + 3)
                    self.end()
            return
        self.tables += 1
        grid: dict[tuple[int, int], Cell] = {}
        row = 0
        for part in node.css("caption, tr"):
            if self._left_out(part):
                continue
            if part.tag == "caption":
                self.flow(part, depth + 1)
                self.end(heading=True)
                continue
            row += 1
            self._row(part, row, grid, depth)
        if grid:
            width = max(c for _, c in grid)
            rows = tuple(tuple(grid.get((r, c)) for c in range(1, width + 1)) for r in range(1, row + 1))
            self.blocks.append(Table(rows=rows, number=self.tables))

    def _row(self, node: LexborNode, row: int, grid: dict[tuple[int, int], Cell], depth: int) -> None:
        column = 1
        for part in node.iter():
            if part.tag not in {"td", "th"} or self._left_out(part):
                continue
            while (row, column) in grid:
                column += 1
            across, down = span(part, "colspan"), span(part, "rowspan")
            text = self._cell_text(part, depth)
            place = Place(table=self.tables, row=row, column=column)
            for r in range(row, row + down):
                for c in range(column, min(column + across, MAX_COLUMNS + 1)):
                    if self.cells > MAX_CELLS:
                        self.cut = True
                        return
                    self.cells += 1
                    first = (r, c) == (row, column)
                    grid.setdefault((r, c), Cell(text=text, place=place, merged=not first))
            column += across

    def _cell_text(self, node: LexborNode, depth: int) -> str:
        """The words of a cell: its paragraphs and lines, a line each."""
        inner = _Page(self.hidden)
        inner.cells = self.cells
        inner.flow(node, depth + 1)
        inner.end()
        self.told += inner.told
        self.cut = self.cut or inner.cut
        return "\n".join(b.text for b in inner.blocks if isinstance(b, Paragraph))

    def _definitions(self, node: LexborNode, depth: int) -> None:
        """`<dl>`: terms with what is said of them, as a table of two columns."""
        self.tables += 1
        rows: list[tuple[Cell, Cell]] = []
        term: Cell | None = None
        for part in node.css("dt, dd"):
            if self._left_out(part):
                continue
            column = 1 if part.tag == "dt" else 2
            text = self._cell_text(part, depth)
            cell = Cell(text=text, place=Place(table=self.tables, row=len(rows) + 1, column=column))
            if column == 1:
                term = cell
            elif term is not None and text:
                rows.append((term, cell))
        if rows:
            self.blocks.append(Table(rows=tuple(rows), number=self.tables))


def _owner(cell: LexborNode) -> int | None:
    """The table that a cell belongs to."""
    parent = cell.parent
    while parent is not None and parent.tag != "table":
        parent = parent.parent
    return None if parent is None else parent.mem_id


def _notices(page: _Page) -> list[Notice]:
    told = list(dict.fromkeys(page.told))
    notices = [
        notice(code, place="text", quote=text[:200]) if code == "hidden_value" else notice(code, quote=text[:200])
        for code, text in told[:_MAX_TOLD]
    ]
    if len(told) > _MAX_TOLD:
        notices.append(notice("hidden_more", count=len(told) - _MAX_TOLD))
    if page.cut:
        notices.append(notice("nested_too_deep", limit=MAX_DEPTH))
    return notices


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    """What the page itself calls its content: a single `<main>`, else a single `<article>`, else the body."""
    for selector in ("main, [role=main]", "article"):
        found = [n for n in tree.css(selector) if n.parent is not None]
        if len(found) == 1 and (found[0].text() or "").strip():
            return found[0]
    return tree.body


def parse(text: str, *, notices: tuple[Notice, ...] = ()) -> Document:
    """The document of an HTML text."""
    tree = LexborHTMLParser(text)
    main = _main(tree)
    blocks: list[Block] = []
    if main is None:
        return Document(kind="html", blocks=(), notices=notices)
    title = tree.css_first("head > title")
    if title is not None and (said := _SPACE.sub(" ", title.text() or "").strip()):
        blocks.append(Paragraph(text=said, place=Place(row=0), heading=True))
    page = _Page(hidden_by_rules(tree))
    page.flow(main)
    page.end()
    page.around(main)
    return Document(
        kind="html", blocks=(*blocks, *page.blocks), notices=(*notices, *_notices(page)), partial=page.cut
    )  # fmt: skip


def read(data: bytes) -> Document:
    """The document of an HTML file; nothing it refers to is fetched, nothing in it is run."""
    declared = _CHARSET.search(data[:4096])
    text, encoding = decode(data, declared.group(1).decode() if declared else None)
    return parse(text, notices=() if encoding == "UTF-8" else (notice("encoding", encoding=encoding),))
