"""Composition root of the web application: here settings become a store, shields and routers."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

from app import __version__
from app.config import Settings
from app.presentation.templating import STATIC_DIR
from app.report import press
from app.services.documents import Limits
from app.sheets import sandbox
from app.store.migrate import upgrade
from app.store.unit_of_work import Store
from app.web import errors
from app.web.routers import ROUTERS
from app.web.security import AllowedHosts, BodyLimit, SameSiteWrites, SecurityHeaders, UnexpectedErrors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.responses import Response
    from starlette.types import Scope

MIB = 1024 * 1024
BODY_LIMIT = 8 * MIB
FILES_IN_ONE_BODY = 5  # files of the largest allowed size; the page sends one file a request


class HashedFiles(StaticFiles):
    """Static files: for ever under their content hash (`?v=`), to be checked again without it."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file with its caching rule."""
        response = await super().get_response(path, scope)
        hashed = scope["query_string"].startswith(b"v=")
        rule = "public, max-age=31536000, immutable" if hashed else "no-cache"
        response.headers["cache-control"] = rule
        return response


def create_app(settings: Settings | None = None) -> FastAPI:
    """Build the application; the database is migrated and opened when the server starts."""
    chosen = settings or Settings.from_environment()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        chosen.data.mkdir(parents=True, exist_ok=True)
        upgrade(chosen.url)
        app.state.store = store = Store.open(chosen.url, chosen.originals)
        store.sweep()
        try:
            yield
        finally:
            sandbox.close()
            press.close()
            store.close()

    app = FastAPI(
        title="Linewise",
        version=__version__,
        summary="Procurement advisor for the dedicated lines of large-model training and inference",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        middleware=[  # the outermost first
            Middleware(SecurityHeaders),
            Middleware(UnexpectedErrors),
            Middleware(AllowedHosts, chosen.allowed_hosts),
            Middleware(SameSiteWrites),
            Middleware(BodyLimit, BODY_LIMIT, chosen.max_file_bytes * FILES_IN_ONE_BODY + MIB),
        ],
    )
    app.state.limits = Limits(chosen.max_file_bytes, chosen.max_files)
    errors.install(app)
    app.mount("/static", HashedFiles(directory=STATIC_DIR), name="static")
    for router in ROUTERS:
        app.include_router(router)
    return app
