"""The whole application on an empty folder, called in process."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

from app.config import Settings
from app.web.app import create_app

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # starlette would rather have httpx2; httpx works and is locked
    from starlette.testclient import TestClient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """The application; one database for the tests of a session, which make projects of their own."""
    return create_app(Settings(data=tmp_path_factory.mktemp("web"), max_file_mb=1))


@pytest.fixture(scope="session")
def server(app: FastAPI) -> Iterator[TestClient]:
    """The started application."""
    with TestClient(app, base_url="http://localhost", follow_redirects=False) as client:
        yield client


@pytest.fixture
def client(server: TestClient) -> Iterator[TestClient]:
    """A browser without cookies that speaks Chinese by default."""
    server.cookies.clear()
    yield server
    server.cookies.clear()
