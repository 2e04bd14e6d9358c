"""Column types that behave the same on SQLite and PostgreSQL."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import DateTime, Text
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

_UNSTORABLE = {0: "\ufffd"} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def utc_now() -> datetime:
    """The time now, aware, in UTC."""
    return datetime.now(UTC)


def storable(text: str) -> str:
    """Replace what no database keeps (NUL and lone surrogates) by U+FFFD."""
    return text.translate(_UNSTORABLE)


def canonical(value: object) -> str:
    """Canonical JSON: sorted keys, no spaces, UTF-8, finite numbers only (contract, rule 10)."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


class UtcTime(TypeDecorator[datetime]):
    """An instant: aware in, UTC stored, aware out. SQLite forgets the zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a time without zone; SQLite gets the UTC wall time."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs a zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Answer in UTC whatever zone the session of the database has."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class PlainText(TypeDecorator[str]):
    """Text of any length, cleaned of what no database keeps."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Clean the text on its way in."""
        del dialect
        return None if value is None else storable(value)


class Json(TypeDecorator[Any]):
    """A JSON value kept as canonical text, so that its bytes are the same on every database."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write canonical JSON; None is SQL NULL."""
        del dialect
        return None if value is None else storable(canonical(value))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read it back."""
        del dialect
        return None if value is None else json.loads(value)
