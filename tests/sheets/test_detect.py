"""Hostile and unusual files: each is refused with its code, and nothing else is touched."""

# ruff: noqa: E501 - rows of data, a case a line
from __future__ import annotations

import io
import struct
import time
import zipfile
from pathlib import Path
from random import Random

import openpyxl
import pytest

from app.sheets.detect import MAX_BYTES, MAX_MEMBERS, kind_of
from app.sheets.reading import label_of_name, read_file
from tests.sheets.makers import csv, docx_of, pdf_lines, raw_pdf, read, repacked, xlsx

BOOK = xlsx([["供应商", "带宽"], ["甲", "10G"]])
PDF = raw_pdf(pdf_lines("Bandwidth 10 Gbps"))
RELS = "_rels/.rels"
SAMPLES = Path(__file__).resolve().parents[1] / "data" / "sheets"


def code(name: str, data: bytes) -> str | None:
    return read(name, data).code


@pytest.mark.parametrize("data", [b"", b"\x00" * 5, b"\xef\xbb\xbf", b"\xff\xfe", b" \r\n"])
@pytest.mark.parametrize("name", ["a.pdf", "a.xlsx", "a.csv"])
def test_empty(name: str, data: bytes) -> None:
    assert code(name, data) == "FILE_EMPTY"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.rtf", b"{\\rtf1 bandwidth 10G}", "UNSUPPORTED_KIND"),
        ("a.png", b"\x89PNG\r\n\x1a\n1234", "UNSUPPORTED_KIND"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"Workbook" * 9, "UNSUPPORTED_KIND"),
        ("noextension", b"bandwidth 10G", "UNSUPPORTED_KIND"),
        ("a.csv", b"<!DOCTYPE html><html></html>", "TYPE_MISMATCH"),
        ("a.pdf", BOOK, "TYPE_MISMATCH"),
        ("a.xlsx", PDF, "TYPE_MISMATCH"),
        ("a.csv", PDF, "TYPE_MISMATCH"),
        ("a.xlsx", docx_of("x"), "TYPE_MISMATCH"),
        ("a.docx", BOOK, "TYPE_MISMATCH"),
        ("a.csv", b"a,b\x00c", "TYPE_MISMATCH"),
        ("a.pdf", b"\x89PNG\r\n\x1a\n1234", "TYPE_MISMATCH"),
        ("a.pdf", PDF + BOOK, "TYPE_AMBIGUOUS"),
        ("a.xlsx", PDF + BOOK, "TYPE_AMBIGUOUS"),
        ("a.xlsx", BOOK[:-1024], "FILE_TRUNCATED"),
        ("a.xlsx", b"PK\x03\x04" + b"x" * 90, "FILE_TRUNCATED"),
        ("a.pdf", b"%PDF-1.7\nnothing", "FILE_TRUNCATED"),
        ("a.pdf", b"%PDF-1.7\nnothing\n%%EOF", "PDF_MALFORMED"),
        ("a.xlsm", BOOK, "MACRO_NOT_ALLOWED"),
        ("a.xlsx", repacked(BOOK, {"xl/vbaProject.bin": b"x"}), "MACRO_NOT_ALLOWED"),
        ("a.xlsx", repacked(BOOK, {"xl/activeX/activeX1.bin": b"x"}), "MACRO_NOT_ALLOWED"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le") + b"x" * 99, "UPLOAD_ENCRYPTED"),
        ("a.xlsx", repacked(BOOK, {"../../outside.txt": b"x"}), "ZIP_MALFORMED"),
        ("a.xlsx", repacked(BOOK, {"/abs.txt": b"x"}), "ZIP_MALFORMED"),
        ("a.xlsx", repacked(BOOK, {"xl/broken.xml": b"<a><b></a>"}), "ZIP_MALFORMED"),
        ("a.pdf", raw_pdf(pdf_lines("x"), extra=b"<< /Filter [ /FlateDecode /FlateDecode /FlateDecode /FlateDecode ] /Length 0 >>"), "PDF_STREAM_LIMIT"),
        ("a.csv", b"\xff\xfeabc", "ENCODING_UNREADABLE"),
        ("a.csv", b"a,b\n\xff\xff,\xff", "ENCODING_UNREADABLE"),
    ],
)  # fmt: skip
def test_refused(name: str, data: bytes, expected: str) -> None:
    reading = read(name, data)
    assert (reading.status, reading.code) == ("refused", expected)
    assert reading.message is not None
    assert reading.offers == ()


def test_macro_workbook_by_its_content_type() -> None:
    with zipfile.ZipFile(io.BytesIO(BOOK)) as archive:
        types = archive.read("[Content_Types].xml")
    changed = types.replace(b"spreadsheetml.sheet.main", b"sheet.macroEnabled.main")
    assert code("a.xlsx", repacked(BOOK, replace={"[Content_Types].xml": changed})) == "MACRO_NOT_ALLOWED"


def test_too_large() -> None:
    assert code("a.csv", b"a" * (MAX_BYTES + 1)) == "FILE_TOO_LARGE"


def test_many_members_are_refused_without_opening_them() -> None:
    data = repacked(BOOK, {f"customXml/i{n}.txt": b"" for n in range(MAX_MEMBERS + 1)})
    start = time.perf_counter()
    assert code("a.xlsx", data) == "ZIP_TOO_MANY_MEMBERS"
    assert time.perf_counter() - start < 5


def test_bomb_stops_while_inflating() -> None:
    data = repacked(BOOK, {"xl/worksheets/sheet9.bin": b"\x00" * (16 * 2**20)})
    assert len(data) < 200_000
    assert code("a.xlsx", data) == "ZIP_TOO_LARGE"


def test_duplicate_names_and_links_are_refused() -> None:
    raw = io.BytesIO(BOOK)
    with zipfile.ZipFile(raw, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("xl/workbook.xml", b"<a/>")
    assert code("a.xlsx", raw.getvalue()) == "ZIP_MALFORMED"
    raw = io.BytesIO(BOOK)
    with zipfile.ZipFile(raw, "a") as archive:
        link = zipfile.ZipInfo("xl/link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/hostname")
    assert code("a.xlsx", raw.getvalue()) == "ZIP_MALFORMED"


def test_forged_sizes_are_refused() -> None:
    entry = b"xl/workbook.xml"
    local = b"PK\x03\x04" + struct.pack("<5H3I2H", 20, 0, 8, 0, 0, 0, 0xFFFFFF00, 0xFFFFFF00, len(entry), 0) + entry
    central = (
        b"PK\x01\x02"
        + struct.pack("<6H3I5H2I", 20, 20, 0, 8, 0, 0, 0, 0xFFFFFF00, 0xFFFFFF00, len(entry), 0, 0, 0, 0, 0, 0)
        + entry
    )
    end = b"PK\x05\x06" + struct.pack("<4H2IH", 0, 0, 2, 2, 2 * len(central), len(local), 0)
    assert code("offer.xlsx", local + central * 2 + end) == "ZIP_MALFORMED"


@pytest.mark.parametrize(
    "dtd",
    [
        b'<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><r>&b;</r>',
        b'<!DOCTYPE r SYSTEM "http://127.0.0.1:9/canary.dtd"><r/>',
        b'<!DOCTYPE r [<!ENTITY c SYSTEM "file:///etc/hostname">]><r>&c;</r>',
    ],
)
@pytest.mark.parametrize("part", [RELS, "xl/sharedStrings.xml"])
def test_any_dtd_is_refused_at_type_detection(part: str, dtd: bytes) -> None:
    data = (
        repacked(BOOK, replace={part: dtd})
        if part == RELS
        else repacked(BOOK, {part: dtd} if part not in names(BOOK) else None, {part: dtd})
    )
    start = time.process_time()
    with pytest.raises(Exception, match="XML_DTD"):
        kind_of("a.xlsx", data)
    assert time.process_time() - start < 1


def names(data: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.namelist()


def test_deep_xml_is_refused() -> None:
    assert code("a.xlsx", repacked(BOOK, {"xl/deep.xml": b"<a>" * 100_000 + b"</a>" * 100_000})) == "XML_TOO_DEEP"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("..\\..\\..\\evil.pdf", "evil.pdf"),
        ("/abs/evil.pdf", "evil.pdf"),
        ("a\x00.pdf", "a.pdf"),
        ("", "unnamed"),
        ("CON.pdf", "CON.pdf"),
        ("报价\u202efdp.exe\u200d\n", "报价fdp.exe"),
        ("<img src=x onerror=alert(1)>.xlsx", "<img src=x onerror=alert(1)>.xlsx"),
        ("长" * 300 + ".xlsx", "长" * 195 + ".xlsx"),
    ],
)
def test_names_are_labels_only(name: str, label: str) -> None:
    assert label_of_name(name) == label
    assert read_file(name, b"").name == label


def test_whole_column_formatting_is_fast() -> None:
    def formatted(book: openpyxl.Workbook) -> None:
        sheet = book["S"]
        for letter in ("A", "XFD"):
            sheet.column_dimensions[letter].width = 12
        sheet.cell(1_048_576, 16_384).number_format = "0.00%"
        sheet.cell(12_000, 3).number_format = "0.00%"

    start = time.perf_counter()
    reading = read("a.xlsx", xlsx([["供应商", "带宽", "月租"], ["甲", "10G", "9000元"]], formatted))
    assert time.perf_counter() - start < 5
    assert len(reading.offers) == 1


def test_gbk_utf8_and_utf16_give_the_same_offers() -> None:
    rows = [["供应商", "带宽", "月费"], ["乙联通", "10G", "9000元"]]
    readings = [read("a.csv", csv(rows, e)) for e in ("gb18030", "utf-8-sig", "utf-16")]
    shapes = [[(o.vendor, [(f.metric, f.value) for f in o.facts]) for o in r.offers] for r in readings]
    assert shapes[0] == shapes[1] == shapes[2]
    assert shapes[0][0][0] == "乙联通"
    assert [any("GB18030" in n.message.en for n in r.notices) for r in readings] == [True, False, False]


def test_damaged_files_never_raise() -> None:
    random = Random(11)  # noqa: S311 - a fixed walk through damaged files
    samples = [p for p in sorted(SAMPLES.iterdir()) if p.suffix != ".txt"]
    for _ in range(120):
        path = random.choice(samples)
        data = bytearray(path.read_bytes())
        for _ in range(random.choice([1, 5, 40])):
            data[random.randrange(len(data))] = random.randrange(256)
        if random.random() < 0.2:
            data = data[: random.randrange(1, len(data))]
        reading = read(path.name, bytes(data))
        assert reading.status in {"read", "partial", "refused"}
        assert reading.as_json()
