"""Every error a service raises, in one place for the rooms above; each says what to do in both languages."""

from app.domain.problems import InputError
from app.store.errors import (
    BusyError,
    ConflictError,
    DatabaseFaultError,
    DatabaseRefusedError,
    NotFoundError,
    StorageFullError,
    StoreError,
)

__all__ = [
    "BusyError",
    "ConflictError",
    "DatabaseFaultError",
    "DatabaseRefusedError",
    "InputError",
    "NotFoundError",
    "StorageFullError",
    "StoreError",
]
