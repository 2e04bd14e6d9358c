"""Settings, read once from the environment at the edge and handed inwards as plain values.

Only `app.cli`, `app.web.app` and `migrations/env.py` import this module; a test holds that.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.problems import InputError, Problem
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "LINEWISE_"


class Settings(BaseModel):
    """Every setting with its default; the environment variable is `LINEWISE_` + the name in capitals."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: Annotated[Path, Field(description="Folder of the database and the original files")] = Path("data")
    database_url: Annotated[
        str | None, Field(description="PostgreSQL address; without it SQLite in the data folder is used")
    ] = None
    host: Annotated[str, Field(description="Address the server listens on", min_length=1)] = "127.0.0.1"
    port: Annotated[int, Field(description="Port the server listens on", ge=0, le=65535)] = 8000
    allowed_hosts: Annotated[
        tuple[str, ...], Field(description="Host names the server answers to, separated by commas")
    ] = ("localhost", "127.0.0.1", "[::1]")
    max_file_mb: Annotated[int, Field(description="Largest file in an upload, in MiB", ge=1, le=200)] = 20
    max_files: Annotated[int, Field(description="Most files in one upload", ge=1, le=200)] = 20

    @property
    def url(self) -> str:
        """Address of the database: the one given, else SQLite in the data folder."""
        return self.database_url or f"sqlite:///{(self.data / 'linewise.sqlite3').resolve()}"

    @property
    def originals(self) -> Path:
        """Folder of the uploaded files, kept by content hash."""
        return self.data / "originals"

    @property
    def max_file_bytes(self) -> int:
        """Largest file in an upload, in bytes."""
        return self.max_file_mb * 1024 * 1024

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the settings; an empty variable counts as absent.

        Raises `InputError` naming each variable that cannot be used.
        """
        given = os.environ if environment is None else environment
        raw: dict[str, object] = {
            name: given[PREFIX + name.upper()]
            for name in cls.model_fields
            if given.get(PREFIX + name.upper(), "").strip()
        }
        if isinstance(hosts := raw.get("allowed_hosts"), str):
            raw["allowed_hosts"] = tuple(h.strip() for h in hosts.split(",") if h.strip())
        try:
            return cls.model_validate(raw)
        except ValidationError as error:
            raise InputError([_problem(str(e["loc"][0]), e["msg"]) for e in error.errors()]) from None


def _problem(name: str, reason: str) -> Problem:
    variable = PREFIX + name.upper()
    message = Text("环境变量 {v} 无法使用：{r}", "The environment variable {v} cannot be used: {r}")
    return Problem("BAD_SETTING", variable, message.format(v=variable, r=reason))
