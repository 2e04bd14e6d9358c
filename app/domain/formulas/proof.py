"""How long a test must run without a fault before it proves a promise."""

from __future__ import annotations

import math

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.text import Text


def proof_samples(*, bound: float, confidence: float = c.CONFIDENCE) -> float:
    """Samples without one fault that prove a fault ratio ≤ `bound`: ln(1−c)/ln(1−p), about 3/p at 95 %.

    The inverse of `loss_upper_bound` at nothing lost. `bound` and `confidence` strictly between 0 and 1.
    """
    return math.log(1 - confidence) / math.log1p(-bound)


def _share(name: str, zh: str, en: str, default: float | None = None) -> Input:
    return Input(
        name=name, dimension=Dimension.RATIO, title=Text(zh, en), default=default, above_zero=True, high=1,
        below_high=True,
    )  # fmt: skip


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="proof_samples",
        title=Text("证明上限所需的零故障样本数", "Samples without a fault that prove a bound"),
        function=proof_samples,
        inputs=(
            _share("bound", "要证明的故障率上限", "Fault ratio to be proved"),
            _share("confidence", "置信度", "Confidence", c.CONFIDENCE),
        ),
        result=Dimension.COUNT,
        symbolic="n = ln(1 − confidence) / ln(1 − bound)",
        validity=Text("样本相互独立；突发时需要更多。", "Independent samples; bursts need more."),
        source=s.RULE_OF_THREE,
        example=Example(
            inputs={"bound": 1e-6},
            expected=2995730.776,
            origin="ln 0.05 / ln(1 − 1e-6) = 2.9957323/1e-6 − 1.498: the rule of three",
            rel=1e-8,
        ),
    ),
)
