"""PDF: prose by pdfium, ruled tables by pdfplumber, page by page, with everything left out told."""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pypdfium2
import pypdfium2.raw as pdfium
from pdfminer.pdfexceptions import PDFException
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import PdfminerException

from app.sheets.codes import Refused, notice
from app.sheets.document import Document, Paragraph, Place, Table
from app.sheets.folding import unreadable_share
from app.sheets.readers.pdf_running import alike, is_page_number, running_lines, without_running
from app.sheets.readers.pdf_tables import dark_areas, page_tables
from app.sheets.readers.pdf_text import PageText, inside, page_text, text_lines
from app.sheets.readers.pdf_unruled import complete, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pdfplumber.page import Page

    from app.domain.problems import Notice
    from app.sheets.document import Block, Box
    from app.sheets.readers.aligned_rows import Span
    from app.sheets.readers.pdf_text import Glyph, Line

MAX_PAGES: Final = 300
MAX_BOX: Final = 14_400
MAX_PATHS: Final = 6_000
MAX_SEGMENTS: Final = 60_000
_BAD_SHARE: Final = 0.02
_HEADING: Final = 1.12
_ACTIVE: Final = ((rb"/JavaScript", "JavaScript"), (rb"/Launch", "Launch"), (rb"/EmbeddedFile", "EmbeddedFile"))
_CJK: Final = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
_LIST_START: Final = re.compile(
    r"^(?:[•●▪◦·\-–*]|\(?\d{1,2}[.)、](?!\d)|第[一二三四五六七八九十\d]+[条款]|[（(][一二三四五六七八九十\d]+[)）]|附件|注[:：])"
)
_SENTENCE_END: Final = re.compile(r"[。！？；;.!?:：]$")
# What pdfplumber and pdfminer raise on damaged files, as far as fuzzing shows.
_DAMAGE: Final = (
    PDFException,
    PdfminerException,
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    AssertionError,
)
logging.getLogger("pdfminer").setLevel(logging.CRITICAL)


class _Pdf:
    """One PDF while it is read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.notices: list[Notice] = []
        self.blocks: list[Block] = []
        self.images = 0
        self.partial = False
        self.document = self._open()
        self.running = running_lines(self.document)
        self.framed: dict[str, Paragraph] = {}

    def _open(self) -> pypdfium2.PdfDocument:
        whole = b"%%EOF" in self.data[-4096:]
        try:
            document = pypdfium2.PdfDocument(self.data)
        except pypdfium2.PdfiumError as error:
            if "assword" in str(error):
                raise Refused("UPLOAD_ENCRYPTED") from error
            raise Refused("PDF_MALFORMED" if whole else "FILE_TRUNCATED") from error
        pages = len(document)
        if pages > MAX_PAGES:
            raise Refused("PDF_TOO_MANY_PAGES", limit=MAX_PAGES)
        if not pages:
            raise Refused("PDF_MALFORMED" if whole else "FILE_TRUNCATED")
        if not whole:
            self.notices.append(notice("page_recovered", count=pages))
            self.partial = True
        if pdfium.FPDF_GetSecurityHandlerRevision(document) > 0:
            self.notices.append(notice("encrypted_open"))
        active = [word for pattern, word in _ACTIVE if re.search(pattern, self.data)]
        if active:
            self.notices.append(notice("active_content", quote=", ".join(active)))
        return document

    def read(self) -> Document:
        """All pages; a page that cannot be read is told and skipped."""
        plumber = _plumber(self.data)  # never closed: closing walks damaged pages, and it only holds these bytes
        for index in range(len(self.document)):
            try:
                self._page(index, plumber)
            except pypdfium2.PdfiumError:
                self._skip("page_damaged", index + 1)
        pages = len(self.document)
        if not self.blocks and self.images:
            raise Refused("PAGE_IS_IMAGE")
        if not self.blocks and all(n.code == "page_damaged" for n in self.notices) and self.notices:
            raise Refused("PDF_MALFORMED")
        if not self.blocks and any(n.code == "page_unreadable" for n in self.notices):
            raise Refused("TEXT_UNREADABLE")
        frame = (
            [Paragraph(text="", place=Place(page=pages), heading=True), *self.framed.values()] if self.framed else []
        )
        return Document(
            kind="pdf", blocks=(*self.blocks, *frame), pages=pages, notices=tuple(self.notices), partial=self.partial,
            doubt=any(n.code == "page_recovered" for n in self.notices),
        )  # fmt: skip

    def _skip(self, code: str, page: int, **values: object) -> None:
        self.notices.append(notice(code, page=page, **values))
        self.partial = True

    def _page(self, index: int, plumber: PDF) -> None:
        number = index + 1
        page = self.document[index]
        if max(page.get_size()) > MAX_BOX:
            self._skip("page_box_too_large", number)
            return
        paths, images = _objects(page)
        plumbed = None
        if paths > MAX_PATHS:
            self._skip("page_too_complex", number)
        else:
            plumbed = self._guarded(lambda _: plumber.pages[index], None, number) or None
        text = page_text(page, self._guarded(dark_areas, plumbed, number) if plumbed else [])
        if text.invisible_layer or (not text.visible and images):
            self.images += 1
            self._skip("page_is_image", number)
            return
        self._told(text, number)
        found: tuple[list[Table], list[Box]] = ([], [])
        if plumbed:
            found = self._guarded(lambda p: page_tables(p, text.glyphs, number), plumbed, number) or ([], [])
            plumbed.close()
        glyphs = self._without_frame(text.glyphs, found[1], page.get_height(), number)
        tables, boxes = complete(found[0], found[1], words_of(glyphs), number, _open_spans(self.blocks))
        lines = self._readable(text_lines(glyphs, boxes), number)
        self.blocks += _arranged(lines, tables, number)
        page.close()

    def _without_frame(self, glyphs: list[Glyph], tables: list[Box], height: float, number: int) -> list[Glyph]:
        """Lines at the head and foot of the pages are kept once, page numbers not at all."""
        pages = len(self.document)
        kept, lines = without_running(glyphs, self.running, height, number, pages)
        if any(inside(line.box, t) for line in lines for t in tables):
            return glyphs
        for line in lines:
            if not is_page_number(line.text):
                place = Place(page=number, box=_rounded(line.box))
                self.framed.setdefault(alike(line.text, number, pages), Paragraph(text=line.text, place=place))
        return kept

    def _guarded(self, work: Callable[[Any], Any], page: Page | None, number: int) -> Any:
        """What pdfplumber finds on a page; a page it cannot digest is read as text only."""
        try:
            return work(page)
        except _DAMAGE:
            self._skip("tables_not_read", number)
            return []

    def _told(self, text: PageText, number: int) -> None:
        if text.slanted.strip():
            self.notices.append(notice("watermark", page=number, quote=text.slanted[:80]))
        if text.doubled:
            self.notices.append(notice("duplicated_characters", page=number))
        for run in text.hidden[:20]:
            self.notices.append(notice("hidden_value", place=f"p. {number}", quote=run[:200]))

    def _readable(self, lines: list[Line], number: int) -> list[Line]:
        """Lines that can be decoded; when many cannot, the page is told to a person."""
        share = unreadable_share("".join(line.text for line in lines))
        if share > _BAD_SHARE:
            self._skip("page_unreadable", number, share=round(share * 100))
        return [line for line in lines if line.table is not None or not unreadable_share(line.text)]


def _open_spans(blocks: list[Block]) -> Sequence[Span]:
    """The columns of a table without rules with which the pages before end."""
    last = blocks[-1] if blocks else None
    return last.spans if isinstance(last, Table) else ()


def _rounded(box: Box) -> Box:
    return (round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1))


def _plumber(data: bytes) -> PDF:
    try:
        return PDF.open(io.BytesIO(data))
    except (*_DAMAGE, RecursionError) as error:
        raise Refused("PDF_MALFORMED") from error


def _objects(page: pypdfium2.PdfPage) -> tuple[int, int]:
    """How many strokes and images a page has; long paths count by their segments."""
    paths = segments = images = 0
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            paths += 1
            segments += max(0, pdfium.FPDFPath_CountSegments(item))
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            images += 1
        if paths > MAX_PATHS or segments > MAX_SEGMENTS:
            return MAX_PATHS + 1, images
    return paths, images


def _arranged(lines: list[Line], tables: list[Table], number: int) -> list[Block]:
    """Paragraphs and tables in reading order: a table stands where its first character is read."""
    sizes = Counter({round(line.size, 1): 0 for line in lines})
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    blocks: list[Block] = []
    done: set[int] = set()
    run: list[Line] = []
    for line in lines:
        if line.table is None:
            run.append(line)
        elif line.table not in done:
            blocks += _paragraphs(run, body, number)
            run = []
            done.add(line.table)
            blocks.append(tables[line.table])
    blocks += _paragraphs(run, body, number)
    blocks += [t for i, t in enumerate(tables) if i not in done]
    return blocks


def _paragraphs(lines: list[Line], body: float, number: int) -> list[Block]:
    groups: list[list[Line]] = []
    for line in lines:
        if groups and _continues(groups[-1][-1], line, lines):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_paragraph(g, body, number) for g in groups]


def _continues(last: Line, line: Line, lines: list[Line]) -> bool:
    """Whether a line goes on with the paragraph of the last one."""
    height = max(last.size, 1.0)
    gap = line.box[1] - last.box[3]
    if abs(line.size - last.size) > 0.1 * height or last.bold != line.bold:
        return False
    if gap <= -height and line.box[0] > last.box[0]:  # the next column
        return line.text[:1].islower() and not _SENTENCE_END.search(last.text)
    if not -height < gap < 0.65 * height:
        return False
    if _LIST_START.match(line.text):
        return False
    column = [x for x in lines if abs(x.box[0] - last.box[0]) < 3 * height and abs(x.size - last.size) <= 0.1 * height]
    right = max(x.box[2] for x in column)
    word = 1 if _CJK.match(line.text[:1]) else len(line.text.split(maxsplit=1)[0])
    width = (line.box[2] - line.box[0]) * word / max(1, len(line.text))
    full = last.box[2] + width + 0.3 * height > right - 0.5 * height
    return full and line.box[0] - last.box[0] < 4 * height


def _paragraph(lines: list[Line], body: float, number: int) -> Paragraph:
    text = lines[0].text
    for line in lines[1:]:
        glue = "" if _CJK.match(text[-1:]) and _CJK.match(line.text[:1]) else " "
        text += glue + line.text
    box = (
        min(x.box[0] for x in lines), min(x.box[1] for x in lines),
        max(x.box[2] for x in lines), max(x.box[3] for x in lines),
    )  # fmt: skip
    first = lines[0]
    larger = body > 0 and first.size >= body * _HEADING
    short_bold = first.bold and len(text) <= 60 and not _SENTENCE_END.search(text)  # noqa: PLR2004
    return Paragraph(text=text, place=Place(page=number, box=_rounded(box)), heading=larger or short_bold)


def read(data: bytes) -> Document:
    """The document of a PDF."""
    pdf = _Pdf(data)
    try:
        return pdf.read()
    finally:
        pdf.document.close()
