"""Moving data in bulk."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula
from app.domain.text import Text


def transfer_time(*, size: float, bandwidth: float, efficiency: float = 1) -> float:
    """Time to move an amount: 8·size/(η·B), s. Storage rates and retries are the caller's."""
    return c.BITS_PER_BYTE * size / (bandwidth * efficiency)


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="transfer_time",
        title=Text("传输时间", "Transfer time"),
        function=transfer_time,
        inputs=(i.SIZE, i.BANDWIDTH, i.variant(i.EFFICIENCY, default=1)),
        result=Dimension.TIME,
        symbolic="T = 8·size / (η·B)",
        validity=Text("十进制前缀；存储读写不慢于线路。", "Decimal prefixes; storage no slower than the line."),
        source=s.DECIMAL_PREFIX,
        example=Example(inputs={"size": 14e9, "bandwidth": 1e9}, expected=112, origin="8 × 14 GB / 1 Gbit/s"),
    ),
)
