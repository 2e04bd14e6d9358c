"""Units that a value on the command line may carry: one canonical unit a dimension, decimal prefixes.

`parse_quantity("400Gbps", Dimension.RATE)` is 4e11. A bare number is canonical. MiB and its kin are binary.
"""

from __future__ import annotations

import re

from app.domain.formulas.formula import Dimension
from app.domain.problems import InputError, Problem
from app.domain.text import Text

_BITS: dict[str, float] = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_BINARY: dict[str, float] = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}

_BYTES = {f"{p}B": f for p, f in {**_BITS, "K": 1e3, **_BINARY}.items()} | {"byte": 1.0, "bytes": 1.0}
_RATES = {f"{p}{unit}": f for p, f in {**_BITS, "K": 1e3}.items() for unit in ("bps", "bit/s", "b/s")}
_BYTE_RATES = {f"{p}B/s": f for p, f in {**_BITS, **_BINARY}.items()}
_TIMES = {
    "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0,
    "day": 86400.0, "days": 86400.0, "month": 730 * 3600.0, "year": 8760 * 3600.0, "y": 8760 * 3600.0,
}  # fmt: skip
_FLOPS = {f"{p}FLOP": f for p, f in {**_BITS, "E": 1e18}.items()}
_FLOP_RATES = {f"{p}{unit}": f for p, f in {**_BITS, "E": 1e18}.items() for unit in ("FLOPS", "FLOP/s")}

UNITS: dict[Dimension, dict[str, float]] = {
    Dimension.BYTES: _BYTES,
    # A rate in bytes is the same rate in bits.
    Dimension.RATE: _RATES | {u: 8 * f for u, f in _BYTE_RATES.items()},
    Dimension.BYTE_RATE: _BYTE_RATES | {u: f / 8 for u, f in _RATES.items()},
    Dimension.TIME: _TIMES,
    Dimension.LENGTH: {"km": 1.0, "m": 1e-3},
    Dimension.RATIO: {"%": 1e-2, "‰": 1e-3, "ppm": 1e-6},
    Dimension.COUNT: {"k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12},
    Dimension.FLOP: _FLOPS,
    Dimension.FLOP_RATE: _FLOP_RATES,
}
NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(\S*)\s*", re.ASCII)


def parse_quantity(text: str, dimension: Dimension, place: str) -> float:
    """Read a number with an optional unit of `dimension` into the canonical unit.

    Raises `InputError` (`NOT_A_NUMBER`, `UNKNOWN_UNIT`) naming `place`.
    """
    found = NUMBER.fullmatch(text)
    if found is None:
        message = Text(
            f"「{text}」不是数字，例如 350e9 或 400Gbps。", f"“{text}” is not a number; write 350e9 or 400Gbps."
        )
        raise InputError([Problem("NOT_A_NUMBER", place, message)])
    number, unit = float(found[1]), found[2]
    if not unit:
        return number
    factors = UNITS.get(dimension, {})
    if unit not in factors:
        known = ", ".join(factors) or "—"
        message = Text(
            f"不认识单位「{unit}」，可用：{known}。", f"The unit “{unit}” is not known here; there are: {known}."
        )
        raise InputError([Problem("UNKNOWN_UNIT", place, message)])
    return number * factors[unit]
