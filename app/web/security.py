"""Shields around the whole application, as pure ASGI so that they hold for every answer, errors included.

In the order a request meets them: headers on the way out, the last resort for unexpected errors, the hosts
this server answers to, writes from other sites, the size of the body.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.web.errors import answer, unexpected
from app.web.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_PERMISSIONS = ", ".join(
    f"{name}=()" for name in ("camera", "geolocation", "microphone", "payment", "usb", "browsing-topics")
)
SECURITY_HEADERS: dict[str, str] = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with no-referrer browsers call our own forms "Origin: null"
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": _PERMISSIONS,
    "cache-control": "no-store",
}
_LENGTH_DIGITS = 18
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class SecurityHeaders:
    """Adds `SECURITY_HEADERS` to every answer; a header an answer set itself stays."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on with a `send` that completes the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, complete)


class UnexpectedErrors:
    """Answers an unforeseen error with an id and logs where it happened, never what the data was."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on; after the answer has begun an error can only be logged."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except Exception as error:
            fault = unexpected(error)
            if started:
                raise
            await answer(Request(scope), fault)(scope, receive, send)


class AllowedHosts:
    """Refuses requests for host names that are not ours (DNS rebinding, poisoned links) with 400."""

    def __init__(self, app: ASGIApp, allowed: Iterable[str]) -> None:
        self.app = app
        self.allowed = frozenset(_host_name(name) for name in allowed) | {"localhost", "127.0.0.1", "::1"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on when its host is known."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        hosts = Headers(scope=scope).getlist("host")
        if len(hosts) == 1 and ("*" in self.allowed or _host_name(hosts[0]) in self.allowed):
            await self.app(scope, receive, send)
            return
        await answer(Request(scope), Fault.of("UNKNOWN_HOST"))(scope, receive, send)


def _host_name(host: str) -> str:
    """The name in a Host header without port, brackets and final dot; empty when it is malformed."""
    try:
        return (urlsplit(f"//{host.strip()}").hostname or "").rstrip(".").lower()
    except ValueError:
        return ""


class SameSiteWrites:
    """Refuses writes that another site makes a browser send.

    `Sec-Fetch-Site`, which pages cannot forge, must be same-origin or none; browsers leave it out on plain
    http, and there `Origin` must be this host. A foreign `Origin` is always refused, `null` only where nothing
    vouches for it. A request with neither header comes from a program and is let through.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on when it reads, or when it comes from our own pages or from a program."""
        if scope["type"] != "http" or scope["method"] in _SAFE_METHODS or _from_here(Headers(scope=scope)):
            await self.app(scope, receive, send)
            return
        await answer(Request(scope), Fault.of("CROSS_SITE"))(scope, receive, send)


def _from_here(headers: Headers) -> bool:
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site not in ("same-origin", "none"):
        return False
    if origin is None or (origin == "null" and site is not None):
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Refuses bodies over `limit` bytes (`upload_limit` for multipart): as announced, and by counting."""

    app: ASGIApp
    limit: int
    upload_limit: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on with a `receive` that counts."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        upload = headers.get("content-type", "").lower().startswith("multipart/form-data")
        limit = self.upload_limit if upload else self.limit
        announced = headers.get("content-length", "0")
        if not (announced.isascii() and announced.isdigit()):
            await answer(Request(scope), Fault.of("BAD_REQUEST"))(scope, receive, send)
            return
        if len(announced) > _LENGTH_DIGITS or int(announced) > limit:
            await answer(Request(scope), Fault.of("TOO_LARGE"))(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit:
                raise HTTPException(413)  # the body parsers of FastAPI let this class through
            return message

        await self.app(scope, counted, send)
