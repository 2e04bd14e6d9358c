"""What endpoints are handed: the store, the limits of an upload, the body of a JSON request."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Depends, Request

from app.services.documents import Limits
from app.store.unit_of_work import Store
from app.web.errors import WebError
from app.web.faults import FAULTS


def store_of(request: Request) -> Store:
    """The store opened when the server started."""
    store: Store = request.app.state.store
    return store


def limits_of(request: Request) -> Limits:
    """How much one upload may hold."""
    limits: Limits = request.app.state.limits
    return limits


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def parse_json(raw: bytes) -> Any:
    """Strict JSON: UTF-8, no NaN or Infinity, no lone surrogates, no numbers or nesting beyond the parser.

    Raises `WebError` with the code `BAD_JSON`.
    """
    try:
        value = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant)
        if b"\\u" in raw:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise WebError(FAULTS["BAD_JSON"]) from None
    return value


async def _json_body(request: Request) -> Any:
    return parse_json(await request.body())


StoreDep = Annotated[Store, Depends(store_of)]
LimitsDep = Annotated[Limits, Depends(limits_of)]
JsonDep = Annotated[Any, Depends(_json_body)]
