"""Bad input as values: what is wrong, where, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in what a person or a program sent.

    `code` is a stable UPPER_SNAKE word, `place` the field path (`training.gpus`) or the file name,
    `message` says what is wrong and what to do.
    """

    code: str
    place: str
    message: Text

    def as_json(self) -> dict[str, object]:
        """The problem as the API and the command line print it."""
        return {"code": self.code, "place": self.place, "message": self.message.as_json()}


class InputError(ValueError):
    """Raised when input cannot be used; carries every problem found, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(f"{p.code} {p.place}: {p.message.en}" for p in problems))
        self.problems: tuple[Problem, ...] = tuple(problems)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know that stops nothing; `code` is a stable lower_snake word."""

    code: str
    message: Text

    def as_json(self) -> dict[str, object]:
        """The notice in the form of the contract."""
        return {"code": self.code, "message": self.message.as_json()}
