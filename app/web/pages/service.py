"""What operators and programmers need: health, and the description of the API from vendored files."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse
from sqlalchemy.exc import SQLAlchemyError

from app import __version__
from app.store.errors import StoreError
from app.web.dependencies import StoreDep
from app.web.preferences import LanguageDep
from app.web.responses import page

router = APIRouter()


@router.get("/health", tags=["service"])
def health(store: StoreDep) -> JSONResponse:
    """Whether the server runs and its database answers; 503 when the database does not."""
    try:
        with store.engine.connect() as connection:
            connection.exec_driver_sql("SELECT 1")
    except (SQLAlchemyError, StoreError):
        body = {"status": "unavailable", "version": __version__, "database": "unreachable"}
        return JSONResponse(body, status_code=503)
    return JSONResponse({"status": "ok", "version": __version__, "database": "ok"})


@router.get("/docs", include_in_schema=False)
def docs(request: Request, language: LanguageDep) -> HTMLResponse:
    """Swagger UI from our own server, without inline script."""
    return page(request, language, "docs/page.html")
