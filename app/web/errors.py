"""One mapping from errors to what is answered: a page, a part for htmx, or RFC 9457 problem details.

Every answer has a stable UPPER_SNAKE `code`. Programs (paths under `/api/`, or `Accept` asking for JSON) get
`application/problem+json`; htmx gets the message for its flash area; people get a page.
"""

from __future__ import annotations

import logging
import secrets
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.presentation.templating import render
from app.report.press import PressError
from app.store.errors import StoreError
from app.web.faults import FAULTS, Fault
from app.web.preferences import language_of

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

    from app.domain.text import Language

log = logging.getLogger("app.web")

_BY_STATUS = {f.status: f for f in reversed(FAULTS.values())}  # the first registered of a status wins
_TARGETS = {"HX-Retarget": "#flash", "HX-Reswap": "innerHTML"}


def wants_json(request: Request) -> bool:
    """Whether a program asks: a path under `/api/`, or an `Accept` that names JSON and not HTML."""
    accept = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("json" in accept and "text/html" not in accept)


def as_problem(fault: Fault, language: Language) -> dict[str, Any]:
    """RFC 9457 problem details; `message` carries both languages."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": fault.title.pick(language),
        "status": fault.status,
        "detail": fault.detail.pick(language),
        "code": fault.code,
        "message": fault.detail.as_json(),
    }
    if fault.problems:
        body["problems"] = [problem.as_json() for problem in fault.problems]
    if fault.reference:
        body["reference"] = fault.reference
    return body


def answer(request: Request, fault: Fault) -> Response:
    """The fault as problem details, htmx part or page."""
    language = language_of(request)
    if wants_json(request):
        return JSONResponse(as_problem(fault, language), fault.status, fault.headers, "application/problem+json")
    if request.headers.get("hx-request") == "true":
        html = render("errors/_fault.html", language, fault=fault)
        return HTMLResponse(html, fault.status, fault.headers | _TARGETS)
    return HTMLResponse(render("errors/page.html", language, fault=fault), fault.status, fault.headers)


def _from_http(error: HTTPException) -> Fault:
    fault = _BY_STATUS.get(error.status_code)
    if fault is None:
        fault = replace(FAULTS["BAD_REQUEST"], status=error.status_code)
    return replace(fault, headers=fault.headers | dict(error.headers or {}))


def _from_validation(error: RequestValidationError) -> Fault:
    """FastAPI's own checks (path, query, body), told in our words; the values sent are not repeated."""
    kinds = {str(item["type"]) for item in error.errors()}
    if kinds == {"json_invalid"}:
        return FAULTS["BAD_JSON"]
    problems = [
        Problem(
            str(item["type"]).upper(),
            ".".join(str(part) for part in item["loc"][1:]) or str(item["loc"][0]),
            Text("此处缺失或类型不符。", "Missing here, or of the wrong type."),
        )
        for item in error.errors()
    ]
    return FAULTS["BAD_INPUT"].because(problems=problems)


class WebError(Exception):
    """Raised by the web room itself to answer with a fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


def unexpected(error: Exception) -> Fault:
    """An error nobody foresaw: logged with an id and its place in the program; only the id is shown.

    Its message may hold prices, so it is logged at debug level alone.
    """
    reference = secrets.token_hex(4)
    frames = reversed(traceback.extract_tb(error.__traceback__))
    places = " < ".join(f"{f.filename.rsplit('/app/', 1)[-1]}:{f.lineno}:{f.name}" for f in frames)
    log.error("unexpected %s: %s at %s", reference, type(error).__name__, places)
    log.debug("details of %s", reference, exc_info=error)
    return Fault.unexpected(reference)


def _from_coded(error: StoreError | PressError) -> Fault:
    """An error that brings its own code and sentence."""
    fault = FAULTS.get(error.code)
    return fault.because(error.message) if fault else unexpected(error)


def install(app: FastAPI) -> None:
    """Register the mapping; anything else is left to `security.UnexpectedErrors`."""

    def handle_input(request: Request, error: InputError) -> Response:
        return answer(request, FAULTS["BAD_INPUT"].because(problems=error.problems))

    def handle_http(request: Request, error: HTTPException) -> Response:
        return answer(request, _from_http(error))

    def handle_validation(request: Request, error: RequestValidationError) -> Response:
        return answer(request, _from_validation(error))

    def handle_coded(request: Request, error: StoreError | PressError) -> Response:
        return answer(request, _from_coded(error))

    def handle_web(request: Request, error: WebError) -> Response:
        return answer(request, error.fault)

    app.add_exception_handler(InputError, handle_input)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, handle_http)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, handle_validation)  # type: ignore[arg-type]
    app.add_exception_handler(StoreError, handle_coded)  # type: ignore[arg-type]
    app.add_exception_handler(PressError, handle_coded)  # type: ignore[arg-type]
    app.add_exception_handler(WebError, handle_web)  # type: ignore[arg-type]
