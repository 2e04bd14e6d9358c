"""What a file is: extension, content and structure must agree before any reader sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.sheets.codes import Refused, refusal

if TYPE_CHECKING:
    from app.sheets.reading import FileReading

MAX_BYTES: Final = 20 * 2**20


def too_large(name: str, data: bytes) -> FileReading:
    """The refusal of a file over the size limit."""
    from app.sheets.reading import refused

    return refused(name, data, "FILE_TOO_LARGE", refusal("FILE_TOO_LARGE", limit=MAX_BYTES // 2**20))


def kind_of(name: str, data: bytes) -> str:
    """The kind of a file (`xlsx`, `csv`, `pdf`, `docx`); raises `Refused`."""
    if not data.strip(b"\x00\xef\xbb\xbf\xff\xfe \r\n\t"):
        raise Refused("FILE_EMPTY")
    extension = name.rpartition(".")[2].lower()
    return {"tsv": "csv"}.get(extension, extension)
