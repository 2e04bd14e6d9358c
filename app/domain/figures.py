"""How a figure is written inside the domain's own sentences: `280.2`, `1,698`, `3.19×10⁻⁶`; never `3.19e-06`."""

from __future__ import annotations

import re

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN_FROM, PLAIN_BELOW, THOUSAND = 1e-3, 1e6, 1e3
DIGITS = re.compile(r"\.(\d+)g")


def number(value: float, digits: int = 4) -> str:
    """A figure with that many significant digits, without an `e`."""
    if value == 0 or PLAIN_FROM <= abs(value) < PLAIN_BELOW:
        rounded = float(f"{value:.{digits}g}")
        return f"{rounded:,.0f}" if abs(rounded) >= THOUSAND else f"{rounded:.{digits}g}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    short = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{short}×10{str(int(exponent)).translate(SUPERSCRIPT)}"


def span(low: float, high: float) -> str:
    """One figure, or a range with an en dash when the ends differ."""
    return number(low) if low == high else f"{number(low)}–{number(high)}"


class Figure(float):
    """A float that writes `{x:.3g}` as `number(x, 3)`; every other format as a float does."""

    def __format__(self, spec: str) -> str:
        found = DIGITS.fullmatch(spec)
        return number(float(self), int(found[1])) if found else float(self).__format__(spec)
