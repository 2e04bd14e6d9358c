"""What a browser remembers: the language and the name that signs changes."""

from __future__ import annotations

import unicodedata
from typing import Annotated
from urllib.parse import quote, unquote

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse

from app.domain.text import Language
from app.presentation.i18n import DEFAULT, negotiate, parse_language
from app.web.paths import local_or

LANGUAGE_COOKIE = "language"
ACTOR_COOKIE = "actor"
MAX_ACTOR = 60
_YEAR_S = 365 * 24 * 3600

router = APIRouter(include_in_schema=False)


def language_of(request: Request) -> Language:
    """`?lang=`, else the cookie, else `Accept-Language`, else Chinese."""
    return (
        parse_language(request.query_params.get("lang"))
        or parse_language(request.cookies.get(LANGUAGE_COOKIE))
        or negotiate(request.headers.get("accept-language"))
        or DEFAULT
    )


def clean_actor(raw: str) -> str:
    """A name fit to sign with: one line, printable, at most `MAX_ACTOR` characters."""
    text = unicodedata.normalize("NFC", "".join(c for c in raw if c.isprintable()))
    return " ".join(text.split())[:MAX_ACTOR].strip()


def actor_of(request: Request) -> str:
    """The name this browser signs with, or an empty string."""
    return clean_actor(unquote(request.cookies.get(ACTOR_COOKIE, "")))


LanguageDep = Annotated[Language, Depends(language_of)]
ActorDep = Annotated[str, Depends(actor_of)]


@router.post("/preferences")
def save_preferences(
    request: Request,
    language: Annotated[str | None, Form()] = None,
    actor: Annotated[str | None, Form()] = None,
    next: Annotated[str, Form()] = "/",  # noqa: A002 - the usual name of this form field
) -> RedirectResponse:
    """Remember the language or the name, then go back to the page the form stood on."""
    response = RedirectResponse(local_or(next), status_code=303)
    secure = request.url.scheme == "https"
    chosen = parse_language(language)
    remembered = {LANGUAGE_COOKIE: chosen.value} if chosen else {}
    if actor is not None:
        remembered[ACTOR_COOKIE] = quote(clean_actor(actor))
    for name, value in remembered.items():
        response.set_cookie(name, value, max_age=_YEAR_S, path="/", httponly=True, samesite="lax", secure=secure)
    return response
