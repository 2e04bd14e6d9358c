"""The working of a figure: which formula, with which inputs, gave which result. Shown beside every number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.domain.formulas.registry import BY_ID

if TYPE_CHECKING:
    from app.domain.demand import Worked


@dataclass(frozen=True, slots=True)
class Working:
    """One line of working: formula id, inputs put in, result in the formula's canonical unit."""

    formula: str
    inputs: dict[str, Any]
    value: float
    unit: str

    def as_json(self) -> dict[str, Any]:
        """The line in the form of the contract."""
        return {"formula": self.formula, "inputs": self.inputs, "value": self.value, "unit": self.unit}


@dataclass(slots=True)
class Ledger:
    """Computes by registered formulas and remembers every line in order."""

    lines: list[Working] = field(default_factory=list)

    def compute(self, formula: str, **inputs: Any) -> float:
        """Compute a registered formula with checked inputs and note the line, defaults included."""
        entry = BY_ID[formula]
        put_in = entry.check(inputs)
        value = entry(**put_in)
        plain = {k: list(v) if isinstance(v, tuple) else v for k, v in put_in.items()}
        self.lines.append(Working(formula, plain, value, entry.unit))
        return value

    def show(self, lines: tuple[Worked, ...]) -> None:
        """Compute and note lines that another function has put together."""
        for formula, inputs in lines:
            self.compute(formula, **inputs)
