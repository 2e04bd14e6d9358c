"""Preferences, redirects, errors, JSON bodies, the list of projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.report.press import PressError
from app.store.errors import BusyError, ConflictError, DatabaseFaultError, NotFoundError, StorageFullError
from app.web import errors
from app.web.dependencies import parse_json
from app.web.faults import FAULTS
from app.web.paths import is_local, project
from app.web.preferences import clean_actor

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.testclient import TestClient


def test_health(client: TestClient) -> None:
    assert client.get("/health").json()["status"] == "ok"


@pytest.mark.parametrize(
    ("query", "cookie", "header", "expected"),
    [
        ("", None, None, "zh-CN"),  # Chinese is the default
        ("", None, "en-US,en;q=0.9", "en"),
        ("", "zh", "en-US", "zh-CN"),  # what was chosen outweighs the browser
        ("?lang=en", "zh", "zh", "en"),  # the address outweighs both
        ("?lang=xx", "en", None, "en"),
    ],
)
def test_language(client: TestClient, query: str, cookie: str | None, header: str | None, expected: str) -> None:
    cookies = {"cookie": f"language={cookie}"} if cookie else {}
    answer = client.get(f"/{query}", headers={"accept-language": header or "", **cookies})
    assert f'<html lang="{expected}">' in answer.text


def test_the_language_switch_comes_back_to_its_page(client: TestClient) -> None:
    answer = client.post("/preferences", data={"language": "en", "next": "/projects/7/offers?vendor=a"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/projects/7/offers?vendor=a")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("language=en;")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_the_page_says_where_it_stands_without_the_language(client: TestClient) -> None:
    assert 'name="next" value="/?a=1&amp;b=%26"' in client.get("/?a=1&lang=en&b=%26").text


@pytest.mark.parametrize(
    "target", ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "", "/a\r\nX: y",
               "/\t/evil.example", "\\\\evil", "/a b"],
)  # fmt: skip
def test_no_way_out_by_redirect(client: TestClient, target: str) -> None:
    assert not is_local(target)
    assert client.post("/preferences", data={"language": "en", "next": target}).headers["location"] == "/"


def test_a_name_is_cleaned_and_kept(client: TestClient) -> None:
    client.post("/preferences", data={"actor": "  王工\u202e\n <b>" + "x" * 200, "next": "/"})
    text = client.get("/").text
    assert "王工 &lt;b&gt;xxx" in text
    assert "\u202e" not in text
    assert len(clean_actor("x" * 200)) == 60


def test_paths_are_quoted() -> None:
    assert project("a/b", "offers", "甲 1") == "/projects/a%2Fb/offers/%E7%94%B2%201"


# ---- errors

RAISED: dict[str, tuple[Exception, int, str]] = {
    "input": (InputError([Problem("OUT_OF_RANGE", "training.gpus", Text("太少", "Too few"))]), 422, "BAD_INPUT"),
    "missing": (NotFoundError("project", "secret-id"), 404, "NOT_FOUND"),
    "conflict": (ConflictError("offer", "1", expected=1, actual=2, changed_by="李工"), 409, "CONFLICT"),
    "full": (StorageFullError(), 507, "STORAGE_FULL"),
    "busy": (BusyError(), 503, "BUSY"),
    "large": (errors.WebError(FAULTS["TOO_LARGE"]), 413, "TOO_LARGE"),
    "refused": (DatabaseFaultError("IntegrityError"), 500, "UNEXPECTED"),
    "slow": (PressError("REPORT_TIMEOUT", Text("慢", "Slow")), 503, "REPORT_TIMEOUT"),
    "bug": (ZeroDivisionError("88431.27"), 500, "UNEXPECTED"),
}


@pytest.fixture(scope="module")
def failing(app: FastAPI) -> FastAPI:
    """Routes that raise each error there is."""

    def add(path: str, error: Exception) -> None:
        def fail() -> None:
            raise error

        app.add_api_route(path, fail, include_in_schema=False)

    for name, (error, _, _) in RAISED.items():
        add(f"/api/failing/{name}", error)
        add(f"/failing/{name}", error)
    return app


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("name", RAISED)
def test_programs_get_problem_details(client: TestClient, name: str) -> None:
    _, status, code = RAISED[name]
    answer = client.get(f"/api/failing/{name}", headers={"accept-language": "en"})
    body = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, body["status"], body["code"]) == (status, status, code)
    assert body["title"]
    assert body["message"].keys() == {"zh", "en"}
    assert ("Retry-After" in answer.headers) == (code == "BUSY")


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("name", RAISED)
def test_people_get_a_page(client: TestClient, name: str) -> None:
    _, status, code = RAISED[name]
    answer = client.get(f"/failing/{name}", headers={"accept": "text/html"})
    assert answer.status_code == status
    assert answer.text.startswith("<!doctype html>")
    assert code in answer.text
    assert "88431" not in answer.text
    assert "secret-id" not in answer.text


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("name", RAISED)
def test_htmx_gets_a_part_for_the_flash_area(client: TestClient, name: str) -> None:
    _, status, code = RAISED[name]
    answer = client.get(f"/failing/{name}", headers={"accept": "text/html", "hx-request": "true"})
    assert answer.status_code == status
    assert answer.headers["hx-retarget"] == "#flash"
    assert answer.text.startswith('<div class="notice bad"')
    assert code in answer.text


@pytest.mark.usefixtures("failing")
def test_every_problem_is_listed(client: TestClient) -> None:
    assert client.get("/api/failing/input").json()["problems"] == [
        {"code": "OUT_OF_RANGE", "place": "training.gpus", "message": {"zh": "太少", "en": "Too few"}}
    ]
    assert "太少" in client.get("/failing/input", headers={"accept": "text/html"}).text


def test_a_wrong_method_names_the_right_one(client: TestClient) -> None:
    answer = client.delete("/health", headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, "METHOD_NOT_ALLOWED", "GET")


@pytest.mark.parametrize(
    "raw",
    [b"{", b"", b'{"a": NaN}', b"[Infinity]", b"-Infinity", b"\xff\xfe", b'"\\ud800"', b"[" * 100_000, b"1" * 5000,
     b"{'a': 1}"],
)  # fmt: skip
def test_what_is_not_json(raw: bytes) -> None:
    with pytest.raises(errors.WebError) as caught:
        parse_json(raw)
    assert caught.value.fault.code == "BAD_JSON"


def test_strict_json_is_read() -> None:
    assert parse_json('\ufeff{"甲": [1e-7, null, "\\u7532"]}'.encode()) == {"甲": [1e-7, None, "甲"]}


# ---- projects


def create(client: TestClient, name: str, **more: Any) -> Any:
    return client.post("/projects", data={"name": name}, **more)


def test_a_project_is_made_listed_and_deleted(client: TestClient) -> None:
    answer = create(client, "张江—乌兰察布 400G")
    assert answer.status_code == 303
    path, _, step = answer.headers["location"].rpartition("/")
    assert step == "workload"
    listed = client.get("/")
    assert "张江—乌兰察布 400G" in listed.text
    assert "项目已建立" in listed.text  # the message waits for the next page, once
    assert "项目已建立" not in client.get("/").text
    asked = client.get(f"{path}/delete")
    assert "永久删除" in asked.text
    assert client.post(f"{path}/delete", data={"version": "999"}).status_code == 409
    assert client.post(f"{path}/delete", data={"version": "1"}).headers["location"] == "/"
    assert client.get(f"{path}/delete").status_code == 404


def test_a_project_without_a_name_is_asked_for_again(client: TestClient) -> None:
    answer = create(client, "   ")
    assert answer.status_code == 422
    assert 'class="problems"' in answer.text
    assert 'aria-invalid="true"' in answer.text


def test_htmx_is_sent_on_by_a_header(client: TestClient) -> None:
    answer = create(client, "a", headers={"hx-request": "true"})
    assert answer.status_code == 204
    assert answer.headers["hx-redirect"].endswith("/workload")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ('"><img src=x onerror=alert(1)>', "&#34;&gt;&lt;img src=x onerror=alert(1)&gt;"),
        ("<b hx-get=/x>", "&lt;b hx-get=/x&gt;"),
        ("{{7*7}}", "{{7*7}}"),
    ],
)
def test_names_are_shown_as_they_are(client: TestClient, name: str, shown: str) -> None:
    create(client, name)
    for text in (client.get("/").text, create(client, name + "x" * 200).text):
        assert shown in text
        assert shown == name or name not in text


def test_somebody_elses_id_is_not_found(client: TestClient) -> None:
    assert client.get("/projects/nothing/delete").status_code == 404
    assert client.post("/projects/nothing/delete", data={"version": "1"}).status_code == 404
