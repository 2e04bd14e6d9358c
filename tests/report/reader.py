"""A reader with a pocket calculator: puts the numbers printed on a page into the form printed beside them.

Knows no function of ours: only figures, units, the four operations, powers, min and max, and a table of z(n).
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal

UNITS = {
    "Gbit/s": "1e9", "Mbit/s": "1e6", "bit/s": "1", "TFLOP/s": "1e12", "FLOP/s": "1", "GB/s": "1e9", "byte/s": "1",
    "GB": "1e9", "byte": "1", "ms": "1e-3", "µs": "1e-6", "s": "1", "km": "1", "sigma": "1", "segments": "1",
}  # fmt: skip
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
FIGURE = r"\d+(?:,\d{3})*(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
AMOUNT = re.compile(rf"({FIGURE})(?:[ \u00a0\u202f]({UNIT}))?(?!\w)")
SIGNS = str.maketrans({"·": "*", "×": "*", "−": "-", "÷": "/", "\u00a0": " ", "\u202f": " ", "\u2009": " "})
ALLOWED = re.compile(r"(?:[0-9eE+\-*/(), .]|min|max|ln|sqrt)+")
DIGITS = 7


def figure(text: str) -> str:
    """`1.75×10¹¹` → `1.75e11`, `4,096` → `4096`."""
    mantissa, _, power = text.replace(",", "").partition("×10")
    return f"{mantissa}e{power.translate(RAISED)}" if power else mantissa


def table_of_z(n: int) -> float:
    """Expected maximum of n unit normals, as tables have it: the mean of n·φ·Φ^(n−1), by Simpson's rule."""
    steps, low, high = 4000, -10.0, 10.0
    width = (high - low) / steps

    def at(x: float) -> float:
        return x * n * math.exp(-x * x / 2) / math.sqrt(2 * math.pi) * (0.5 * math.erfc(-x / math.sqrt(2))) ** (n - 1)

    odd = sum(at(low + i * width) for i in range(1, steps, 2))
    even = sum(at(low + i * width) for i in range(2, steps, 2))
    return width / 3 * (at(low) + 4 * odd + 2 * even + at(high))


def plain(text: str) -> str:
    """The printed form as arithmetic in canonical units."""
    text = re.sub(r"z\((\d+)\)", lambda m: f"({table_of_z(int(m[1]))!r})", text)
    text = text.replace("√(", "sqrt(")
    text = re.sub(r"(?<!×10)(?<![⁻⁰¹²³⁴⁵⁶⁷⁸⁹])²", "^2", text)
    text = re.sub(r"(?<=[\d)])\^", "**", text)
    text = AMOUNT.sub(lambda m: f"({figure(m[1])}*{UNITS[m[2]]})" if m[2] else figure(m[1]), text)
    return re.sub(r"(?<=[\d)])\(", "*(", text.translate(SIGNS))


def value(text: str) -> float:
    """What the calculator shows for an expression without names."""
    form = plain(text)
    if not ALLOWED.fullmatch(form):
        message = f"a reader cannot put this in: {text!r} ({form!r})"
        raise ValueError(message)
    return float(eval(form, {"__builtins__": {}}, {"min": min, "max": max, "ln": math.log, "sqrt": math.sqrt}))  # noqa: S307 - figures and operations only


def reckon(line: str) -> float:
    """The result of a printed line `X = …`, worked out from its numbers alone."""
    right = line.split(" = ", 1)[1]
    if line.startswith("z(n)"):  # an integral: looked up
        return table_of_z(int(re.findall(r"·(\d+)·φ", right)[0]))
    if line.startswith("o = Ethernet"):  # headers: their sizes stand behind their names
        return sum(float(part.rsplit(" ", 1)[1]) for part in right.split(" + "))
    if "2^k ≤" in right:  # the largest power of two that fits
        form, bound = right.split(", 2^k ≤ ")
        return value(form.replace("2^k", str(2 ** math.floor(math.log2(value(bound))))))
    right = right.split("; ")[0]  # other cases, in words
    named = re.search(r", (W|τ) = ", right)
    if named is None:
        return value(right)
    form, where = right.split(named[0])
    form = re.sub(rf"(?<=\d){named[1]}", f"·{named[1]}", form)
    return value(form.replace(named[1], f"({value(where)!r})"))


def printed(result: str) -> Decimal:
    """A printed result in canonical units."""
    found = AMOUNT.fullmatch(result)
    if found is None:
        message = f"not a figure: {result!r}"
        raise ValueError(message)
    return Decimal(figure(found[1])) * Decimal(UNITS[found[2]] if found[2] else "1")


def seven(number: float) -> Decimal:
    """A number to the digits that results are printed with."""
    return Context(prec=DIGITS, rounding=ROUND_HALF_UP).create_decimal(repr(number))
