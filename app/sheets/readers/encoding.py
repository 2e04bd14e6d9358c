"""Bytes of a text file → text: byte-order mark, UTF-8, a declared encoding, GB18030 or Windows-1252."""

from __future__ import annotations

import codecs
import re
from typing import Final

from app.sheets.codes import Refused

_BOMS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig", "UTF-8"),
    (b"\xff\xfe\x00\x00", "utf-32", "UTF-32"),
    (b"\xff\xfe", "utf-16", "UTF-16"),
    (b"\xfe\xff", "utf-16", "UTF-16"),
)
_LADDER: Final = (("utf-8", "UTF-8"), ("gb18030", "GB18030"))
_WIDER: Final = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859-1": "cp1252", "ascii": "utf-8"}


def _codec(declared: str) -> str | None:
    """The codec of a declared encoding, the wider one where the world says the narrower; None for an unknown name."""
    try:
        name = codecs.lookup(declared).name
    except LookupError:
        return None
    return _WIDER.get(name, name)


def _western(data: bytes) -> bool:
    """Whether the bytes beyond ASCII stand alone between letters, as in "Brückner", and not in pairs as in GBK."""
    runs = [len(m.group()) for m in re.finditer(rb"[\x80-\xff]+", data[: 1 << 20])]
    return bool(runs) and sum(n == 1 for n in runs) * 10 >= len(runs) * 7


def decode(data: bytes, declared: str | None = None) -> tuple[str, str]:
    """The text of the bytes and the name of its encoding.

    A file valid as UTF-8 is never taken as GBK; a declared encoding counts when the bytes agree with it.
    Raises `Refused` (ENCODING_UNREADABLE).
    """
    for mark, codec, name in _BOMS:
        if data.startswith(mark):
            try:
                return data.decode(codec), name
            except UnicodeDecodeError:
                raise Refused("ENCODING_UNREADABLE") from None
    said = _codec(declared) if declared else None
    second = ("cp1252", "Windows-1252") if _western(data) else _LADDER[1]
    ladder = (_LADDER[0], (said, said.upper()), second) if said else (_LADDER[0], second)
    for codec, name in ladder:
        try:
            return data.decode(codec), name
        except (UnicodeDecodeError, LookupError):
            continue
    raise Refused("ENCODING_UNREADABLE")
