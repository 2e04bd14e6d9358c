"""Headers, hosts, cross-site writes, body sizes (threats T32, T36, T44, T68, T69)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import pytest
from starlette.exceptions import HTTPException

from app.web.security import (
    SECURITY_HEADERS,
    AllowedHosts,
    BodyLimit,
    SameSiteWrites,
    SecurityHeaders,
    UnexpectedErrors,
)

if TYPE_CHECKING:
    from starlette.testclient import TestClient
    from starlette.types import Message, Receive, Scope, Send

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class Called:
    """An application that remembers that it was reached, and reads the whole body."""

    def __init__(self) -> None:
        self.reached = False
        self.body = b""

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        self.reached = True
        more = True
        while more:
            message = await receive()
            self.body += message.get("body", b"")
            more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})


def call(app: Any, headers: dict[str, str], method: str = "POST", body: tuple[bytes, ...] = (b"",)) -> list[Message]:
    """One request at the level of ASGI, so that headers are exactly those given."""
    scope: dict[str, Any] = {
        "type": "http", "method": method, "path": "/projects", "raw_path": b"/projects", "query_string": b"",
        "scheme": "http", "server": ("127.0.0.1", 8000), "http_version": "1.1",
        "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in headers.items()],
    }  # fmt: skip
    parts = [{"type": "http.request", "body": b, "more_body": i + 1 < len(body)} for i, b in enumerate(body)]
    sent: list[Message] = []

    async def receive() -> Message:
        return parts.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent


def status(sent: list[Message]) -> int:
    return int(sent[0]["status"])


@pytest.mark.parametrize(
    "path", ["/", "/health", "/nothing", "/api/nothing", "/openapi.json", "/docs", "/static/css/base.css"]
)
def test_every_answer_carries_the_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == CSP
    for name, value in SECURITY_HEADERS.items():
        if name != "cache-control":
            assert headers[name] == value
    if not path.startswith("/static"):
        assert headers["cache-control"] == "no-store"


def test_refusals_carry_the_headers_too(client: TestClient) -> None:
    for answer in (
        client.get("/", headers={"host": "evil.example"}),
        client.post("/projects", headers={"sec-fetch-site": "cross-site"}),
    ):
        assert answer.headers["content-security-policy"] == CSP
        assert answer.headers["cache-control"] == "no-store"


def test_static_files_are_kept_for_ever_only_under_their_hash(client: TestClient) -> None:
    assert "immutable" in client.get("/static/css/base.css?v=0123456789ab").headers["cache-control"]
    assert client.get("/static/css/base.css").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/static/../app/config.py", "/static/%2e%2e/app/config.py", "/static/css"])
def test_static_files_end_at_their_folder(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("host", "reached"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("LOCALHOST.", True),
        ("linewise.corp:443", True),  # configured
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1@evil.example", False),
        ("evil.example/localhost", False),
        ("[::1", False),
        ("", False),
    ],
)
def test_only_our_own_hosts(host: str, reached: bool) -> None:
    inner = Called()
    sent = call(AllowedHosts(inner, ["linewise.corp"]), {"host": host}, "GET")
    assert inner.reached is reached
    assert status(sent) == (200 if reached else 400)


def test_a_request_without_host_is_refused() -> None:
    assert status(call(AllowedHosts(Called(), []), {}, "GET")) == 400


HERE, THERE = "http://localhost:8000", "http://evil.example"


@pytest.mark.parametrize(
    ("site", "origin", "allowed"),
    [
        (None, None, True),  # a program: no browser, no cookies of a person
        ("same-origin", HERE, True),
        ("same-origin", None, True),
        ("none", None, True),  # typed by the person
        (None, HERE, True),  # an old browser on our page
        (None, "http://LOCALHOST:8000", True),
        ("cross-site", THERE, False),
        ("cross-site", None, False),
        ("same-site", "http://other.localhost:8000", False),  # a sibling host
        ("cross-site", HERE, False),  # a forged origin does not outweigh the browser's word
        ("same-origin", THERE, False),  # nor the other way round
        (None, THERE, False),
        ("same-origin", "null", True),  # our own form under a strict referrer policy
        ("cross-site", "null", False),
        (None, "null", False),  # sandboxed frame, file, data address
        (None, "http://localhost:9000", False),  # another program on this machine
        (None, "http://localhost", False),
        (None, "", False),
        (None, "http://[", False),
        ("anything-new", HERE, False),
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_cross_site_writes(site: str | None, origin: str | None, allowed: bool, method: str) -> None:
    headers = {"host": "localhost:8000"}
    headers |= {} if site is None else {"sec-fetch-site": site}
    headers |= {} if origin is None else {"origin": origin}
    inner = Called()
    assert status(call(SameSiteWrites(inner), headers, method)) == (200 if allowed else 403)
    assert inner.reached is allowed


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_from_a_link_elsewhere_is_allowed(method: str) -> None:
    assert status(call(SameSiteWrites(Called()), {"host": "localhost", "sec-fetch-site": "cross-site"}, method)) == 200


def limited(inner: Any) -> Any:
    return BodyLimit(inner, limit=10, upload_limit=20)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"content-length": "10"}, 200),
        ({"content-length": "11"}, 413),
        ({"content-length": "11", "content-type": "multipart/form-data; boundary=x"}, 200),
        ({"content-length": "21", "content-type": "multipart/form-data; boundary=x"}, 413),
        ({"content-length": "9" * 5000}, 413),
        ({"content-length": "-1"}, 400),
        ({"content-length": "ten"}, 400),
        ({"content-length": "１０"}, 400),
    ],
)
def test_announced_length(headers: dict[str, str], expected: int) -> None:
    encoded = {k: v.encode().decode("latin-1") for k, v in headers.items()}
    assert status(call(limited(Called()), {"host": "localhost"} | encoded)) == expected


def test_a_body_without_length_is_counted_as_it_comes() -> None:
    inner = Called()
    with pytest.raises(HTTPException) as caught:
        call(limited(inner), {"host": "localhost"}, body=(b"12345", b"67890", b"1", b"never read"))
    assert caught.value.status_code == 413
    assert inner.body == b"1234567890"


def test_too_large_a_form_is_a_413_page(client: TestClient) -> None:
    def endless() -> Any:
        yield from (b"name=" if i == 0 else b"x" * 65536 for i in range(200))

    answer = client.post("/projects", content=endless(), headers={"content-type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 413
    assert "TOO_LARGE" in answer.text


class Broken:
    """An application that fails while it holds a price."""

    async def __call__(self, _scope: Scope, _receive: Receive, _send: Send) -> None:
        raise RuntimeError("price 88431.27 of 甲山通信")


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_an_unexpected_error_shows_an_id_and_nothing_else(accept: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="app.web"):
        sent = call(SecurityHeaders(UnexpectedErrors(Broken())), {"host": "localhost", "accept": accept})
    body = sent[1]["body"].decode()
    assert status(sent) == 500
    assert "UNEXPECTED" in body
    assert b"content-security-policy" in dict(sent[0]["headers"])
    for secret in ("88431", "甲山", "RuntimeError", "Traceback", "test_security"):
        assert secret not in body
    assert "88431" not in caplog.text
    assert "RuntimeError" in caplog.text
    reference = caplog.records[0].args[0]  # type: ignore[index]
    assert str(reference) in body
