"""The few answers pages give: a page, a part of one, a redirect; each works with and without htmx."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app import __version__
from app.domain.text import Language, Text
from app.presentation.templating import render
from app.web.paths import local_or
from app.web.preferences import actor_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import Request

    from app.web.paths import Nav

FLASH_COOKIE = "flash"
FLASHES: dict[str, Text] = {
    "saved": Text("已保存。", "Saved."),
    "created": Text("项目已建立。", "Project created."),
    "deleted": Text("已删除。", "Deleted."),
    "example": Text("示例项目已载入。", "Example project loaded."),
    "uploaded": Text("文件已收到。", "Files received."),
    "confirmed": Text("已确认。", "Confirmed."),
    "waived": Text("豁免已记录。", "Waiver recorded."),
}


@dataclass(frozen=True, slots=True)
class Shell:
    """What `base.html` needs around a page."""

    here: str
    actor: str
    nav: Nav | None
    flash: Text | None
    version: str = __version__


def is_partial(request: Request) -> bool:
    """Whether htmx asks for a part of the page; a restored or boosted page is asked for in full."""
    headers = request.headers
    return headers.get("hx-request") == "true" and headers.get("hx-request-type") != "full"


def _here(request: Request) -> str:
    """The address a preferences form comes back to: this page without `lang`, or the form's own page."""
    if request.method not in ("GET", "HEAD"):
        return local_or(urlsplit(request.headers.get("referer", "")).path)
    kept = urlencode([(k, v) for k, v in request.query_params.multi_items() if k != "lang"])
    return f"{quote(request.url.path)}?{kept}" if kept else quote(request.url.path)


def page(
    request: Request,
    language: Language,
    template: str,
    *,
    nav: Nav | None = None,
    status_code: int = 200,
    headers: Mapping[str, str] | None = None,
    **context: Any,
) -> HTMLResponse:
    """A whole page, with the shell around it; shows and forgets a message left by `redirect`."""
    code = request.cookies.get(FLASH_COOKIE, "")
    shell = Shell(_here(request), actor_of(request), nav, FLASHES.get(code))
    html = render(template, language, shell=shell, **context)
    response = HTMLResponse(html, status_code=status_code, headers=dict(headers or {}))
    if code:
        response.delete_cookie(FLASH_COOKIE, path="/")
    return response


def partial(
    language: Language,
    template: str,
    *,
    status_code: int = 200,
    headers: Mapping[str, str] | None = None,
    **context: Any,
) -> HTMLResponse:
    """One part of a page for htmx: the same file that the page includes."""
    return HTMLResponse(render(template, language, **context), status_code=status_code, headers=dict(headers or {}))


def redirect(request: Request, url: str, flash: str = "") -> Response:
    """Go on to `url` after a change: 303, or HX-Redirect for htmx. `flash` is a code of `FLASHES`."""
    response: Response
    if request.headers.get("hx-request") == "true":
        response = Response(status_code=204, headers={"HX-Redirect": url})
    else:
        response = RedirectResponse(url, status_code=303)
    if flash in FLASHES:
        response.set_cookie(FLASH_COOKIE, flash, max_age=60, path="/", httponly=True, samesite="lax")
    return response
