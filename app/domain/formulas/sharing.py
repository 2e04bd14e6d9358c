"""Contention: what many members ask of one uplink."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula
from app.domain.text import Text


def oversubscription_ratio(*, access_bandwidth: float, uplink_bandwidth: float) -> float:
    """Sum of the access rates over the uplink rate; 8 means 8:1. Below 1 the uplink is over-built."""
    return access_bandwidth / uplink_bandwidth


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="oversubscription_ratio",
        title=Text("收敛比", "Oversubscription ratio"),
        function=oversubscription_ratio,
        inputs=(
            i.variant(i.BANDWIDTH, name="access_bandwidth", title=Text("接入带宽合计", "Sum of the access rates")),
            i.variant(i.BANDWIDTH, name="uplink_bandwidth", title=Text("上联带宽", "Uplink rate")),
        ),
        result=Dimension.RATIO,
        symbolic="r = Σ access / uplink",
        validity=Text(
            "比值本身不判优劣，要看需求与线路之比。",
            "The ratio itself is no verdict; demand against the line is.",
        ),
        source=s.ARTICLE,
        example=Example(
            inputs={"access_bandwidth": 3.2e12, "uplink_bandwidth": 400e9},
            expected=8,
            origin="8 × 400G / 400G",
        ),
    ),
)
