"""Lines of text people type: names, labels, reasons. Cleaned, bounded, never trusted as anything but text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath

from app.domain.problems import InputError, Problem
from app.domain.text import Text

FILE_LABEL_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of line: the place its problems name, what people call it, and how long it may be."""

    place: str
    title: Text
    limit: int


ACTOR = Line("actor", Text("您的姓名", "your name"), 60)
PROJECT_NAME = Line("name", Text("项目名称", "the name of the project"), 120)
VENDOR = Line("vendor", Text("供应商名称", "the name of the vendor"), 200)
PRODUCT = Line("product", Text("产品名称", "the name of the product"), 200)
REASON = Line("reason", Text("理由", "the reason"), 500)


def tidy(raw: str) -> str:
    """One printable line: composed characters, single spaces, no control or invisible characters."""
    return "".join(c for c in " ".join(unicodedata.normalize("NFC", raw).split()) if c.isprintable()).strip()


def clean(line: Line, raw: str | None, *, required: bool = True) -> str:
    """Clean one line. Raises `InputError` when it is too long, or empty although required."""
    value = tidy(raw or "")
    if not value and required:
        message = Text(f"请填写{line.title.zh}。", f"Enter {line.title.en}.")
        raise InputError([Problem("MISSING", line.place, message)])
    if len(value) > line.limit:
        message = Text(
            f"{line.title.zh}有 {len(value)} 个字符，最多 {line.limit} 个，请缩短。",
            f"Shorten {line.title.en}: it has {len(value)} characters, the limit is {line.limit}.",
        )
        raise InputError([Problem("TOO_LONG", line.place, message)])
    return value


def clean_actor(raw: str | None, *, required: bool = True) -> str:
    """The name a person gave: self-declared, printed as such. Empty is allowed where nothing is judged."""
    return clean(ACTOR, raw, required=required)


def file_label(raw: str | None) -> str:
    """A name to show for an uploaded file: no path, no tricks, shortened in the middle to keep its ending."""
    last = (raw or "").replace("\\", "/").rsplit("/", 1)[-1]
    label = tidy(last) or "file"
    if len(label) <= FILE_LABEL_CHARACTERS:
        return label
    ending = PurePosixPath(label).suffix[:12]
    return label[: FILE_LABEL_CHARACTERS - len(ending) - 1] + "…" + ending
