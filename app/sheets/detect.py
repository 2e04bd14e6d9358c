"""What a file is: extension, content and structure must agree before any reader sees it."""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
import zlib
from typing import Final
from xml.parsers import expat

from app.sheets.codes import Refused

MAX_BYTES: Final = 20 * 2**20
MAX_MEMBERS: Final = 2_000
MAX_INFLATED: Final = 200 * 2**20
MAX_RATIO: Final = 400
MAX_DEPTH: Final = 250
MAX_STREAM: Final = 160 * 2**20  # a page scanned at 600 dpi in colour is 100 MiB
_HEAD: Final = 1 << 18
_RATIO_FROM: Final = 4 * 2**20
_CFB: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_IMAGES: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\x00", b"MM\x00*", b"RIFF")
_BLANK: Final = b"\x00\xef\xbb\xbf\xff\xfe \r\n\t"
_MACROS: Final = re.compile(r"(?:^|/)(?:vbaProject\.bin|vbaData\.xml|activeX/)|macrosheets/", re.IGNORECASE)
_MACRO_TYPE: Final = re.compile(rb"macroEnabled|vbaProject", re.IGNORECASE)
_MAIN: Final = {"xl/workbook.xml": "xlsx", "word/document.xml": "docx", "ppt/presentation.xml": "pptx"}
_STREAM: Final = re.compile(rb"(?<!end)stream\r?\n")
_EXTENSIONS: Final[dict[str, str]] = {
    "xlsx": "xlsx", "csv": "csv", "tsv": "csv", "pdf": "pdf", "docx": "docx",
    "html": "html", "htm": "html", "txt": "txt",
    "xlsm": "xlsm", "docm": "docm", "xltm": "xlsm", "xlsb": "xlsb",
}  # fmt: skip
_TEXTS: Final = frozenset({"csv", "txt", "html"})
_SPREAD_FILTERS: Final = re.compile(rb"/Filter\s*\[(?:\s*/(?:FlateDecode|Fl|LZWDecode|LZW|RunLengthDecode|RL)\b){3,}")


def kind_of(name: str, data: bytes) -> str:
    """The kind of a file (`xlsx`, `csv`, `pdf`, `docx`); raises `Refused`."""
    if not data.strip(_BLANK):
        raise Refused("FILE_EMPTY")
    if len(data) > MAX_BYTES:
        raise Refused("FILE_TOO_LARGE", limit=MAX_BYTES // 2**20)
    extension = name.rpartition(".")[2].strip().lower() if "." in name else ""
    promised = _EXTENSIONS.get(extension, "")
    found = _content(data)
    if found == "cfb":
        _compound(data, promised)
    if promised in {"", "xlsb"}:
        raise Refused("UNSUPPORTED_KIND", kind=_shown(extension))
    if promised in {"xlsm", "docm"}:
        raise Refused("MACRO_NOT_ALLOWED")
    _agree(extension, promised, _office(data) if found == "zip" else found)
    if promised == "pdf":
        _check_streams(data)
    return promised


def _agree(extension: str, promised: str, found: str) -> None:
    """The extension and the content must name the same kind."""
    if found == promised or (promised in _TEXTS and found == "text"):
        return
    raise Refused("TYPE_MISMATCH", extension=_shown(extension), kind=found.upper())


def _shown(extension: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", extension)[:12].upper() or "?"


def _content(data: bytes) -> str:
    """What the bytes are, by their signatures; two signatures at once are refused."""
    head = data[:1024]
    pdf = b"%PDF-" in head
    archive = data.startswith(b"PK\x03\x04") or (pdf and b"PK\x05\x06" in data[-70_000:])
    if pdf and archive:
        raise Refused("TYPE_AMBIGUOUS")
    if pdf:
        return "pdf"
    if archive:
        return "zip"
    if data.startswith(b"PK\x05\x06"):
        raise Refused("FILE_EMPTY")
    if data.startswith(_CFB):
        return "cfb"
    if data.startswith(_IMAGES):
        return "image"
    return _text(head)


def _text(head: bytes) -> str:
    start = head.lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "html"
    if start.startswith(b"{\\rtf"):
        return "rtf"
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return "binary" if b"\x00" in head and not wide else "text"


def _compound(data: bytes, promised: str) -> None:
    """An OLE container: an encrypted office file, or an old format."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise Refused("UPLOAD_ENCRYPTED")
    raise Refused("UNSUPPORTED_KIND", kind="XLS" if promised in {"", "xlsx"} else "DOC")


def _check_streams(data: bytes) -> None:
    """Inflate each compressed stream of a PDF up to a limit, so that no reader meets one beyond it."""
    if _SPREAD_FILTERS.search(data):
        raise Refused("PDF_STREAM_LIMIT")
    for match in _STREAM.finditer(data):
        if b"Fl" not in data[max(0, match.start() - 512) : match.start()]:
            continue
        inflater = zlib.decompressobj()
        grown, piece = 0, data[match.end() : match.end() + MAX_BYTES]
        try:
            while piece and not inflater.eof:
                grown += len(inflater.decompress(piece, 1 << 20))
                piece = inflater.unconsumed_tail
                if grown > MAX_STREAM:
                    raise Refused("PDF_STREAM_LIMIT")
        except zlib.error:
            continue  # damaged or not deflated: the reader will say so


# ---- archives
def _office(data: bytes) -> str:
    """Kind of an office archive after every member was checked, without trusting its headers."""
    archive = _open(data)
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise Refused("ZIP_TOO_MANY_MEMBERS", limit=MAX_MEMBERS)
    _check_members(infos, len(data))
    names = {i.filename for i in infos}
    if any(_MACROS.search(n) for n in names):
        raise Refused("MACRO_NOT_ALLOWED")
    total = 0
    for info in infos:
        total = _inflate(archive, info, total)
    return next((kind for part, kind in _MAIN.items() if part in names), "zip")


def _open(data: bytes) -> zipfile.ZipFile:
    """The archive; one whose directory is missing was cut short."""
    if b"PK\x05\x06" not in data[-70_000:]:
        raise Refused("FILE_TRUNCATED")
    _check_count(data)
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, OverflowError, NotImplementedError) as error:
        raise Refused("ZIP_MALFORMED") from error


def _check_count(data: bytes) -> None:
    """The number of members by the end record, before any directory is built."""
    at = data.rfind(b"PK\x05\x06")
    if at + 22 > len(data):
        raise Refused("FILE_TRUNCATED")
    count = struct.unpack_from("<H", data, at + 10)[0]
    if count > MAX_MEMBERS:
        raise Refused("ZIP_TOO_MANY_MEMBERS", limit=MAX_MEMBERS)


def _check_members(infos: list[zipfile.ZipInfo], size: int) -> None:
    """No duplicate names, no links, no foreign methods, no overlaps, no paths out of the archive."""
    seen: set[str] = set()
    end = 0
    for info in sorted(infos, key=lambda i: i.header_offset):
        mode = info.external_attr >> 16
        outside = info.filename.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", info.filename)
        forged = info.header_offset < end or info.header_offset + info.compress_size > size
        if info.flag_bits & 0x1:
            raise Refused("UPLOAD_ENCRYPTED")
        if stat.S_ISLNK(mode) or outside or forged or info.filename.lower() in seen:
            raise Refused("ZIP_MALFORMED")
        if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise Refused("ZIP_MALFORMED")
        seen.add(info.filename.lower())
        end = info.header_offset + info.compress_size


def _inflate(archive: zipfile.ZipFile, info: zipfile.ZipInfo, total: int) -> int:
    """Inflate one member in pieces, count the real bytes, and look for a DTD or deep nesting in XML."""
    watcher = _XmlWatch() if info.filename.lower().endswith((".xml", ".rels", ".vml")) else None
    own = 0
    try:
        with archive.open(info) as member:
            while piece := member.read(1 << 16):
                total += len(piece)
                own += len(piece)
                if total > MAX_INFLATED or (own > _RATIO_FROM and own > MAX_RATIO * max(1, info.compress_size)):
                    raise Refused("ZIP_TOO_LARGE", limit=MAX_INFLATED // 2**20)
                if watcher:
                    watcher.feed(piece)
            if watcher:
                watcher.feed(b"", last=True)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise Refused("ZIP_MALFORMED") from error
    if info.filename == "[Content_Types].xml" and watcher and _MACRO_TYPE.search(watcher.head):
        raise Refused("MACRO_NOT_ALLOWED")
    return total


class _XmlWatch:
    """A parser that builds nothing: it only stops at a DTD and at deep nesting."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._entity
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._depth = 0
        self.head = b""  # the first bytes, enough for the content types

    def feed(self, piece: bytes, *, last: bool = False) -> None:
        """The next bytes; malformed XML is refused."""
        if len(self.head) < _HEAD:
            self.head += piece
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as error:
            raise Refused("ZIP_MALFORMED") from error

    @staticmethod
    def _doctype(*_: object) -> None:
        raise Refused("XML_DTD")

    @staticmethod
    def _entity(*_: object) -> None:
        raise Refused("XML_DTD")

    def _start(self, _name: str, _attributes: object) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Refused("XML_TOO_DEEP")

    def _end(self, _name: str) -> None:
        self._depth -= 1
