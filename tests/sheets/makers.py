"""Small files for tests: workbooks, archives, PDFs and DOCX documents made in memory."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import docx
import openpyxl

from app.sheets.reading import FileReading, read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from app.domain.facts import Fact


def xlsx(rows: Any, change: Callable[[openpyxl.Workbook], None] | None = None) -> bytes:
    """A workbook of one sheet "S" with these rows; `change` may alter it before it is saved."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "S"
    for row in rows:
        sheet.append(list(row))
    if change:
        change(book)
    raw = io.BytesIO()
    book.save(raw)
    return raw.getvalue()


def csv(rows: Sequence[Sequence[object]], encoding: str = "utf-8") -> bytes:
    """A CSV of these rows."""
    return "\n".join(",".join(f'"{c}"' for c in r) for r in rows).encode(encoding)


def docx_of(*paragraphs: str, table: Sequence[Sequence[str]] = ()) -> bytes:
    """A DOCX of paragraphs and one table."""
    made = docx.Document()
    for text in paragraphs:
        made.add_paragraph(text)
    if table:
        grid = made.add_table(rows=len(table), cols=len(table[0]))
        for r, row in enumerate(table):
            for c, text in enumerate(row):
                grid.cell(r, c).text = text
    raw = io.BytesIO()
    made.save(raw)
    return raw.getvalue()


def repacked(data: bytes, add: Mapping[str, bytes] | None = None, replace: Mapping[str, bytes] | None = None) -> bytes:
    """An archive with members added or replaced."""
    raw = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, (replace or {}).get(name, source.read(name)))
        for name, content in (add or {}).items():
            target.writestr(name, content)
    return raw.getvalue()


def read(name: str, data: bytes) -> FileReading:
    """The reading of a file in this process."""
    return read_file(name, data)


def facts(reading: FileReading, metric: str, vendor: str | None = None, product: str | None = None) -> list[Fact]:
    """All facts of a metric, of one offer if it is named."""
    return [
        f
        for o in reading.offers
        if (vendor is None or o.vendor == vendor) and (product is None or o.product == product)
        for f in o.facts
        if f.metric == metric
    ]


def stated(reading: FileReading, metric: str, vendor: str | None = None, product: str | None = None) -> list[object]:
    """The stated values of a metric."""
    return [f.value for f in facts(reading, metric, vendor, product) if f.state == "stated"]


def codes(reading: FileReading) -> list[str]:
    """The notice codes of a reading."""
    return [n.code for n in reading.notices]


def raw_pdf(
    *contents: bytes, box: str = "0 0 595 842", extra: bytes = b"", catalog: bytes = b"", font: str = "Helvetica"
) -> bytes:
    """A PDF with one page for each content stream (`font` is /F1)."""
    objects: list[bytes] = [b"", b"", f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} >>".encode()]
    kids = []
    for content in contents:
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        resources = "/Resources << /Font << /F1 3 0 R >> >>"
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents {len(objects)} 0 R {resources} >>"
        objects.append(page.encode())
        kids.append(f"{len(objects)} 0 R")
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R " + catalog + b" >>"
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    if extra:
        objects.append(extra)
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    for offset in offsets:
        out.write(b"%010d 00000 n \n" % offset)
    out.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))
    return out.getvalue()


def pdf_lines(*lines: str, size: int = 11) -> bytes:
    """A content stream that writes these lines."""
    parts = [f"BT /F1 {size} Tf 1 0 0 1 60 {780 - 18 * i} Tm ({line}) Tj ET" for i, line in enumerate(lines)]
    return "\n".join(parts).encode("latin-1")
