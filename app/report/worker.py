"""The printing child: turns HTML into PDF with WeasyPrint, one document at a time, and reaches nothing else.

Started by `app.report.press` as `python -m app.report.worker`. It knows neither the domain nor the templates: it
gets finished HTML, one style sheet and two fonts of our own, and refuses every other address (T26).
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import resource
import struct
import sys
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from weasyprint import CSS, HTML, Attachment
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

if TYPE_CHECKING:
    from typing import BinaryIO

LENGTH: Final = struct.Struct("!II")
MEMORY_LIMIT: Final = 1024 * 2**20
SCHEME: Final = "linewise:"
_STATIC: Final = Path(__file__).resolve().parents[2] / "static"
# The only things a document may ask for: our two fonts. No file, no network, no data of anybody.
ASSETS: Final = {
    f"{SCHEME}{name}": _STATIC / "fonts" / name for name in ("LinewiseSansSC-Regular.ttf", "LinewiseSansSC-Bold.ttf")
}
SHEET: Final = _STATIC / "css" / "report.css"


class Refused(FatalURLFetchingError):  # type: ignore[misc]  # noqa: N818 - ends the build, in the library's own way
    """A document asked for something that is not ours."""


class OwnAssets(URLFetcher):  # type: ignore[misc]
    """Gives our fonts and nothing else; anything else stops the build loudly."""

    def __init__(self) -> None:
        super().__init__(allowed_protocols=(), allow_redirects=False, fail_on_errors=True)

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:  # noqa: ARG002 - their shape
        """One of `ASSETS`; raises `Refused` for every other address."""
        path = ASSETS.get(url)
        if path is None:
            raise Refused("only the report's own fonts may be loaded")
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": "font/ttf"})


@dataclass(frozen=True, slots=True)
class _Kit:
    """What stays warm between documents."""

    fetcher: OwnAssets
    fonts: FontConfiguration
    sheet: CSS


def kit() -> _Kit:
    """Fetcher, fonts and the parsed style sheet."""
    fetcher, fonts = OwnAssets(), FontConfiguration()
    sheet = CSS(string=SHEET.read_text(encoding="utf-8"), base_url=SCHEME, url_fetcher=fetcher, font_config=fonts)
    return _Kit(fetcher, fonts, sheet)


def render_pdf(html: str, tools: _Kit, attachment: str | None = None, moment: str | None = None) -> bytes:
    """The PDF of a finished page. Same HTML, same bytes: id and dates come from what is given, not from the clock."""
    when = datetime.fromisoformat(moment) if moment else datetime(2000, 1, 1, tzinfo=UTC)
    files = (
        [
            Attachment(
                string=attachment, name="linewise.json", description="Inputs and results of this assessment",
                created=when, modified=when, relationship="Source", url_fetcher=tools.fetcher,
            )
        ]
        if attachment
        else None
    )  # fmt: skip
    document = HTML(string=html, base_url=SCHEME, url_fetcher=tools.fetcher)
    pdf: bytes = document.write_pdf(
        stylesheets=[tools.sheet], font_config=tools.fonts, presentational_hints=False, pdf_tags=True,
        pdf_identifier=sha256(html.encode()).digest()[:16], attachments=files, custom_metadata=True,
    )  # fmt: skip
    return pdf


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def _memory() -> int:
    """Bytes this process holds now. (`ru_maxrss` would count what the parent held before the child was born.)"""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * resource.getpagesize()


def _answer(job: dict[str, Any], tools: _Kit) -> tuple[dict[str, Any], bytes]:
    try:
        pdf = render_pdf(job["html"], tools, job.get("attachment"), job.get("moment"))
    except (Exception, FatalURLFetchingError) as error:  # noqa: BLE001 - one bad document must not end the child
        return {"error": type(error).__name__}, b""
    return {"memory": _memory()}, pdf


def _watch_parent(parent: int) -> None:
    """End when the parent has gone, even in the middle of a document."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main() -> None:
    """Answer jobs from standard input until it ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing a library prints may reach the answers
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    tools = kit()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            (size,) = struct.unpack("!I", _exactly(source, 4))
            head, pdf = _answer(json.loads(_exactly(source, size)), tools)
            raw = json.dumps(head).encode()
            sink.write(LENGTH.pack(len(raw), len(pdf)) + raw + pdf)
            sink.flush()


if __name__ == "__main__":
    main()
