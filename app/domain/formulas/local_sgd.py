"""Local SGD (DiLoCo) over a line: share of time the GPUs compute, and the rate a share needs.

Per-layer schedule of the Streaming DiLoCo paper. A layer costs T/(3L) forward and 2T/(3L) backward. At its
step a layer of the fragment hands over one message when its backward pass ends; the line is one first-in,
first-out channel; `overlap_steps` + 1 steps later the layer may not start its forward pass before the message
has arrived. Fragments hold every F-th layer and are sent at evenly spaced steps of the round. The line's
`latency` delays a message without holding the next one back.
"""

from __future__ import annotations

import math
from collections import deque
from functools import lru_cache
from typing import Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input, refused
from app.domain.formulas.placement import BITS
from app.domain.text import Text

MOST_LAYERS: Final = 500  # far beyond any model, small enough to answer at once
LONGEST_OVERLAP: Final = 30  # steps; three times the longest published
_DOUBLINGS: Final = 200
_HALVINGS: Final = 48


@lru_cache(maxsize=64)
def _sends(layers: int, fragments: int, interval: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """(step of the round, its layers from last to first), by step; strided fragments, evenly spaced."""
    steps: dict[int, list[int]] = {}
    for fragment in range(fragments):
        steps.setdefault(fragment * interval // fragments, []).extend(range(fragment, layers, fragments))
    return tuple((step, tuple(sorted(steps[step], reverse=True))) for step in sorted(steps))


class _Schedule:
    """One replica and the line; times in units of one step's compute.

    A round only adds and takes maxima, so in the long run its length is the greatest mean of a cycle of
    dependences, which Karp's theorem reads off as many rounds as the state has entries.
    """

    def __init__(self, layers: int, fragments: int, interval: int, overlap: int) -> None:
        self.sends = _sends(layers, fragments, interval)
        self.interval = interval
        self.overlap = overlap
        self.forward = (1 - c.BACKWARD_SHARE) / layers
        self.backward = c.BACKWARD_SHARE / layers
        arrive = [step + 1 + overlap for step, _ in self.sends]
        early = range(1, 2 + (1 + overlap) // interval)
        self.waiting = sorted(at - n * interval for at in arrive for n in early if at >= n * interval)

    def round_time(self, message: float, latency: float) -> float:
        """Mean length of a round, for messages that take `message` each and arrive `latency` later."""
        size = 2 + len(self.waiting)
        states = [(0.0,) * size]
        for _ in range(size):
            states.append(self._round(states[-1], message, latency))
        last = states.pop()
        return max(min((last[v] - earlier[v]) / (size - n) for n, earlier in enumerate(states)) for v in range(size))

    def _round(self, state: tuple[float, ...], message: float, latency: float) -> tuple[float, ...]:
        """From one round's start to the next: (start of the step, line idle again, starts imposed later)."""
        clock, free = state[:2]
        queue = deque(zip(self.waiting, state[2:], strict=True))
        at = 0
        for step, fragment in (*self.sends, (self.interval, ())):
            while queue and queue[0][0] <= min(step, self.interval - 1):
                due, imposed = queue.popleft()
                clock, at = max(clock + due - at, imposed), due
            clock, at = clock + step - at, step
            imposed = -math.inf
            for layer in fragment:
                free = max(free, clock + 1 - layer * self.backward) + message
                imposed = max(imposed, free + latency - layer * self.forward)
            if fragment:
                queue.append((step + 1 + self.overlap, imposed))
        return (clock, free, *(imposed for _, imposed in queue))


def _schedule(
    layers: float, fragment_layers: float, sync_interval: float, overlap_steps: float, formula: str
) -> _Schedule:
    if fragment_layers > layers:
        raise refused(
            f"{formula}.fragment_layers",
            f"每个片段的层数 {fragment_layers:g} 不能多于模型层数 {layers:g}。",
            f"A fragment of {fragment_layers:g} layers cannot exceed the model's {layers:g}.",
        )
    if overlap_steps > sync_interval:
        raise refused(
            f"{formula}.overlap_steps",
            f"重叠步数 {overlap_steps:g} 不能多于同步间隔 {sync_interval:g} 步。",
            f"An overlap of {overlap_steps:g} steps cannot exceed the interval of {sync_interval:g}.",
        )
    fragments = math.ceil(layers / fragment_layers)
    return _Schedule(int(layers), fragments, int(sync_interval), int(overlap_steps))


def _message_bits(parameters: float, layers: float, bits: float, replicas: float) -> float:
    return 2 * (replicas - 1) / replicas * parameters * bits / layers


def local_sgd_utilization(  # noqa: PLR0913 - the contract names nine inputs
    *,
    parameters: float,
    layers: float,
    step_compute_time: float,
    sync_interval: float,
    bits: float,
    bandwidth: float,
    fragment_layers: float,
    overlap_steps: float = 0,
    replicas: float = 2,
    latency: float = 0,
) -> float:
    """Share of time spent computing, ratio, by the per-layer schedule (module docstring).

    Ordinary data parallelism is `sync_interval` 1 and one fragment of all layers. Source: arXiv 2501.18512.
    Raises `InputError` when a fragment has more layers than the model, or the overlap exceeds the interval.
    """
    schedule = _schedule(layers, fragment_layers, sync_interval, overlap_steps, "local_sgd_utilization")
    message = _message_bits(parameters, layers, bits, replicas) / (bandwidth * step_compute_time)
    return sync_interval / schedule.round_time(message, latency / step_compute_time)


def local_sgd_bandwidth(  # noqa: PLR0913 - the contract names nine inputs
    *,
    parameters: float,
    layers: float,
    step_compute_time: float,
    sync_interval: float,
    bits: float,
    target_utilization: float,
    fragment_layers: float,
    overlap_steps: float = 0,
    replicas: float = 2,
    latency: float = 0,
) -> float:
    """Least line rate with `local_sgd_utilization` ≥ target, bit/s, by bisection; 0 for one replica.

    Raises `InputError` when the latency alone keeps every rate below the target.
    """
    schedule = _schedule(layers, fragment_layers, sync_interval, overlap_steps, "local_sgd_bandwidth")
    message = _message_bits(parameters, layers, bits, replicas) / step_compute_time  # bit/s for one step each
    if message <= 0:
        return 0.0
    longest = sync_interval / target_utilization  # round, in steps
    delay = latency / step_compute_time
    if schedule.round_time(0.0, delay) > longest:
        raise refused(
            "local_sgd_bandwidth.latency",
            f"仅时延 {latency:g} s 就使利用率达不到目标，任何带宽都不够。",
            f"The latency of {latency:g} s alone keeps the share below the target, whatever the rate.",
        )
    # The search runs in messages per step; near the answer all messages of a round take a round.
    high = low = layers / sync_interval
    # Double or halve until the target lies between low (fails) and high (meets it).
    for _ in range(_DOUBLINGS):
        if schedule.round_time(1 / high, delay) <= longest:
            break
        low, high = high, 2 * high
    for _ in range(_DOUBLINGS):
        if schedule.round_time(1 / low, delay) > longest:
            break
        low, high = low / 2, low
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        if not low < middle < high:
            break
        low, high = (low, middle) if schedule.round_time(1 / middle, delay) <= longest else (middle, high)
    return high * message


_INPUTS: tuple[Input, ...] = (
    i.PARAMETERS,
    i.variant(i.LAYERS, high=MOST_LAYERS),
    i.STEP_COMPUTE_TIME,
    Input(
        name="sync_interval",
        dimension=Dimension.COUNT,
        title=Text("同步间隔（步）", "Steps between synchronisations"),
        low=1,
        high=1e6,
        whole=True,
        advised_high=100,
    ),
    BITS,
    i.BANDWIDTH,
    Input(
        name="fragment_layers",
        dimension=Dimension.COUNT,
        title=Text("每个片段的层数", "Layers per fragment"),
        low=1,
        high=MOST_LAYERS,
        whole=True,
    ),
    Input(
        name="overlap_steps",
        dimension=Dimension.COUNT,
        title=Text("通信可重叠的步数", "Steps a message may take"),
        default=0,
        high=LONGEST_OVERLAP,
        whole=True,
        advised_high=5,
    ),
    i.variant(i.SITES, name="replicas", title=Text("副本数（站点数）", "Replicas, one per site"), default=2),
    Input(
        name="latency",
        dimension=Dimension.TIME,
        title=Text("每条报文的线路时延（各跳之和）", "Latency of a message over the line, all hops"),
        default=0,
        high=1e4,
    ),
)
_TARGET = Input(
    name="target_utilization",
    dimension=Dimension.RATIO,
    title=Text("目标算力利用率", "Target share of time computing"),
    above_zero=True,
    high=1,
    below_high=True,
)
_VALIDITY = Text(
    "论文忽略时延；其数值落在间隔 1.207 倍的网格点上，按 1.25 倍区间比较。",
    "The paper ignores latency; its figures lie on a grid of steps ×1.207, so compare within a factor 1.25.",
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="local_sgd_utilization",
        title=Text("本地 SGD：算力利用率", "Local SGD: share of time computing"),
        function=local_sgd_utilization,
        inputs=_INPUTS,
        result=Dimension.RATIO,
        symbolic="U = H·T / round(P·bits/L per layer, first in first out, strided fragments)",
        validity=_VALIDITY,
        source=s.STREAMING,
        band=Band(
            low=0.97,
            high=1.03,
            words=Text(
                "与论文表 1 的训练时长相差不超过 3 %。", "Within 3% of the training times of the paper's Table 1."
            ),
            source=s.STREAMING,
        ),
        example=Example(
            inputs={
                "parameters": 1e9,
                "layers": 1,
                "step_compute_time": 1,
                "sync_interval": 4,
                "bits": 8,
                "bandwidth": 8e9,
                "fragment_layers": 1,
            },
            expected=0.8,
            origin="one layer: 8e9 bit / 8 Gbit/s = 1 s blocks every 4 s of compute: 4/5",
        ),
    ),
    Formula(
        id="local_sgd_bandwidth",
        title=Text("本地 SGD：所需带宽", "Local SGD: rate needed"),
        function=local_sgd_bandwidth,
        inputs=tuple(_TARGET if item is i.BANDWIDTH else item for item in _INPUTS),
        result=Dimension.RATE,
        symbolic="W: U(W) = target",
        validity=_VALIDITY,
        source=s.STREAMING,
        band=Band(
            low=0.8,
            high=1.25,
            words=Text(
                "论文数值落在间隔 1.207 倍的网格点上，向下取点；全部 52 格在 1.25 倍区间内。",
                "The paper's figures lie on a grid of steps ×1.207 and read as the point below; "
                "every cell is inside a factor 1.25.",
            ),
            source=s.STREAMING,
        ),
        example=Example(
            inputs={
                "parameters": 1e9,
                "layers": 1,
                "step_compute_time": 1,
                "sync_interval": 4,
                "bits": 8,
                "target_utilization": 0.8,
                "fragment_layers": 1,
            },
            expected=8e9,
            origin="the inverse: 1 s for 8e9 bit",
        ),
    ),
)
