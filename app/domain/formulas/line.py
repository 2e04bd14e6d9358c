"""The line against the job: budget, cover, floor, exposed time, utilisation and the limits inverted from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain import sources as s
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

BITS = 8


def overlap_cover(backward_time: float, micro_batches: int, layers: int, overlapped: float) -> float:
    """Seconds of backward pass that can hide the exchange.

    `overlapped` is 0 (none), 1 (only the last micro-batch) or 2 (the whole backward pass):
    cover = T_bwd / m · (1 − 1/L) for 1, T_bwd · (1 − 1/L) for 2. Source: models 3.2, DDP buckets.
    """
    if not overlapped:
        return 0.0
    whole = backward_time * (1 - 1 / layers)
    return whole if overlapped > 1 else whole / micro_batches


def sync_budget(step_time: float, utilization: float, cover: float, steps: int) -> float:
    """Seconds one exchange may take so that utilisation reaches the target: H·(1/U − 1)·T_ref + cover."""
    return steps * (1 / utilization - 1) * step_time + cover


def bandwidth_floor(size: float, budget: float, hops: float, rtt: float) -> float:
    """Least effective rate (bit/s): 8E / (B − hops·RTT/2). Zero when latency alone uses up the budget: no line can."""
    room = budget - hops * rtt / 2
    return BITS * size / room if room > 0 else 0.0


def sync_time(size: float, bandwidth: float, hops: float, rtt: float, jitter_delay: float) -> float:
    """Seconds of one exchange: 8E/W + hops·RTT/2 + the wait for the slowest flow."""
    return BITS * size / bandwidth + hops * rtt / 2 + jitter_delay


def exposed_time(sync: float, cover: float, layers: int, overlapped: float) -> float:
    """Seconds the GPUs wait: max(T_sync − cover, T_sync/L, 0); without overlap all of it. Source: models 3.2."""
    return max(sync - cover, sync / layers) if overlapped else sync


def utilization(step_time: float, exposed: float, steps: int) -> float:
    """T_ref / T_step with T_step = T_ref + exposed/H: efficiency against one site."""
    return step_time / (step_time + exposed / steps)


def rtt_limit(size: float, bandwidth: float, hops: float, budget: float) -> float:
    """Longest round-trip time (s) that meets the budget at a rate: 2·(B − 8E/W)/hops. Zero when the rate alone fails."""
    return max(0.0, 2 * (budget - BITS * size / bandwidth) / hops)


def window_rtt_limit(bandwidth: float, window: float, streams: int) -> float:
    """Longest round-trip time (s) at which a window still fills the rate: 8·f·wnd/W."""
    return BITS * window * streams / bandwidth


def oversubscription_limit(bandwidth: float, efficiency: float, floor: float) -> float:
    """Highest contention that still leaves the floor: W·η/floor, at least 1."""
    return max(1.0, bandwidth * efficiency / floor)


def window_rate(size: float, window: float) -> float:
    """Least rate (bit/s) that moves `size` inside a window: 8·size/window."""
    return BITS * size / window


def request_rate(requests: float, size: float, burst: float) -> float:
    """Rate (bit/s) of a service: 8 · requests per second · bytes per request · burst factor."""
    return BITS * requests * size * burst


def _i(name: str, dimension: Dimension, zh: str, en: str, **more: float | bool) -> Input:
    return Input(name=name, dimension=dimension, title=Text(zh, en), **more)  # type: ignore[arg-type]


_SIZE = _i("size", Dimension.BYTES, "跨站数据量", "Bytes across the line")
_RATE = _i("bandwidth", Dimension.RATE, "有效带宽", "Effective rate", above_zero=True)
_HOPS = _i("hops", Dimension.COUNT, "依赖的单程跳数", "Dependent one-way hops")
_RTT = _i("rtt", Dimension.TIME, "往返时延", "Round-trip time")
_STEP = _i("step_time", Dimension.TIME, "单站每步时间", "Step time on one site", above_zero=True)
_LAYERS = _i("layers", Dimension.COUNT, "层数", "Layers", low=1, whole=True)
_COVER = _i("cover", Dimension.TIME, "可掩盖时间", "Cover")
_BUDGET = _i("budget", Dimension.TIME, "同步预算", "Sync budget", above_zero=True)
_OVERLAP = _i("overlapped", Dimension.COUNT, "重叠方式（0/1/2）", "Overlap setting (0, 1, 2)", high=2, whole=True)
_STEPS = _i("steps", Dimension.COUNT, "同步间隔步数", "Steps per exchange", low=1, whole=True)


def _no_line_can(values: Mapping[str, Any]) -> Text | None:
    if values["hops"] * values["rtt"] / 2 < values["budget"]:
        return None
    return Text(
        "仅时延就已用完预算：任何带宽都不够，结果记为 0。",
        "Latency alone uses up the budget: no rate is enough, hence 0.",
    )


def _rate_alone_fails(values: Mapping[str, Any]) -> Text | None:
    if BITS * values["size"] / values["bandwidth"] < values["budget"]:
        return None
    return Text(
        "仅传输就已用完预算：往返时延再短也不够，结果记为 0。",
        "The transfer alone uses up the budget: no round trip is short enough, hence 0.",
    )


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="overlap_cover", title=Text("可掩盖的通信时间", "Cover by overlap"), function=overlap_cover,
        inputs=(
            _i("backward_time", Dimension.TIME, "反向计算时间", "Backward time"),
            _i("micro_batches", Dimension.COUNT, "微批数", "Micro-batches", low=1, whole=True),
            _LAYERS, _OVERLAP,
        ),
        result=Dimension.TIME, symbolic="cover = T_bwd / m · (1 − 1/L)", source=s.MEGATRON,
        validity=Text(
            "梯度按层分桶，反向一结束即发送；完全重叠时 m 取 1",
            "Gradients in per-layer buckets, sent as the backward pass ends; with full overlap m counts as 1",
        ),
        example=Example(
            inputs={"backward_time": 9.092, "micro_batches": 64, "layers": 96, "overlapped": 1},
            expected=0.140583, rel=1e-4, origin="9.092/64 = 0.142063; × 95/96 = 0.140583",
        ),
    ),
    Formula(
        id="sync_budget", title=Text("同步预算", "Sync budget"), function=sync_budget,
        inputs=(
            _STEP, _i("utilization", Dimension.RATIO, "目标利用率", "Target utilisation", above_zero=True, high=1),
            _COVER, _STEPS,
        ),
        result=Dimension.TIME, symbolic="B = H · (1/U − 1) · T_ref + cover", source=s.STREAMING,
        validity=Text("利用率按同一任务单站每步时间计", "Utilisation against the same job on one site"),
        example=Example(
            inputs={"step_time": 9.0, "utilization": 0.9, "cover": 0.5, "steps": 1}, expected=1.5,
            origin="(1/0.9 − 1)·9 = 1; + 0.5 = 1.5",
        ),
    ),
    Formula(
        id="bandwidth_floor", title=Text("带宽下限", "Bandwidth floor"), function=bandwidth_floor,
        inputs=(_SIZE, _BUDGET, _HOPS, _RTT),
        result=Dimension.RATE, symbolic="floor = 8E / (B − hops · RTT/2)", source=s.ARTICLE,
        validity=Text("结果为有效带宽；时延已用完预算时为 0（任何线路都不够）", "An effective rate; 0 when latency alone uses up the budget (no line can)"),
        example=Example(
            inputs={"size": 350e9, "budget": 10.0, "hops": 2, "rtt": 0.0073425}, expected=280.2057e9, rel=1e-6,
            origin="8·350e9 / (10 − 0.0073425) = 2.8e12 / 9.9926575",
        ),
        caution=_no_line_can,
    ),
    Formula(
        id="sync_time", title=Text("一次跨站同步时间", "Time of one exchange"), function=sync_time,
        inputs=(_SIZE, _RATE, _HOPS, _RTT, _i("jitter_delay", Dimension.TIME, "抖动等待", "Wait for jitter")),
        result=Dimension.TIME, symbolic="T_sync = 8E/W + hops · RTT/2 + n·σ·z(flows)", source=s.NCCL_TESTS,
        validity=Text("两级规约：站内规约、跨站交换、站内收集", "Two-level exchange: reduce inside, exchange across, gather inside"),
        example=Example(
            inputs={"size": 350e9, "bandwidth": 387.05e9, "hops": 2, "rtt": 0.010, "jitter_delay": 0.0},
            expected=7.2442, rel=1e-4, origin="2.8e12/387.05e9 = 7.2342; + 0.010",
        ),
    ),
    Formula(
        id="exposed_time", title=Text("未被掩盖的同步时间", "Exposed sync time"), function=exposed_time,
        inputs=(_i("sync", Dimension.TIME, "同步时间", "Sync time"), _COVER, _LAYERS, _OVERLAP),
        result=Dimension.TIME, symbolic="T_exposed = max(T_sync − cover, T_sync / L, 0)", source=s.MEGATRON,
        validity=Text("末层梯度总有 1/L 无法掩盖", "The last layer's 1/L can never hide"),
        example=Example(
            inputs={"sync": 7.244, "cover": 0.1406, "layers": 96, "overlapped": 1}, expected=7.1034, rel=1e-6,
            origin="7.244 − 0.1406 = 7.1034",
        ),
    ),
    Formula(
        id="utilization", title=Text("利用率（相对单站）", "Utilisation against one site"), function=utilization,
        inputs=(_STEP, _i("exposed", Dimension.TIME, "暴露的同步时间", "Exposed sync time"), _STEPS),
        result=Dimension.RATIO, symbolic="U = T_ref / (T_ref + T_exposed / H)", source=s.STREAMING,
        validity=Text("不同于 MFU：只计线路造成的等待", "Not MFU: counts only the wait caused by the line"),
        example=Example(
            inputs={"step_time": 13.638, "exposed": 7.1037, "steps": 1}, expected=0.65751, rel=1e-4,
            origin="13.638 / 20.7417 = 0.65751",
        ),
    ),
    Formula(
        id="rtt_limit", title=Text("往返时延红线", "Round-trip time limit"), function=rtt_limit,
        inputs=(_SIZE, _RATE, _i("hops", Dimension.COUNT, "依赖的单程跳数", "Dependent one-way hops", above_zero=True), _BUDGET),
        result=Dimension.TIME, symbolic="RTT_max = 2 · (B − 8E/W) / hops", source=s.NCCL_TESTS,
        validity=Text("其余条件取参考值；0 表示带宽已不够", "All else at reference; 0 means the rate alone fails"),
        example=Example(
            inputs={"size": 350e9, "bandwidth": 350e9, "hops": 2, "budget": 10.0}, expected=2.0,
            origin="8·350e9/350e9 = 8; 2·(10 − 8)/2 = 2",
        ),
        caution=_rate_alone_fails,
    ),
    Formula(
        id="window_rtt_limit", title=Text("窗口允许的往返时延", "Round-trip time a window allows"), function=window_rtt_limit,
        inputs=(
            _RATE, _i("window", Dimension.BYTES, "每流窗口", "Window per stream", above_zero=True),
            _i("streams", Dimension.COUNT, "并行流数", "Streams", low=1, whole=True),
        ),
        result=Dimension.TIME, symbolic="RTT_max = 8 · f · wnd / W", source=s.NCCL_TESTS,
        validity=Text("窗口用满时", "With the window full"),
        example=Example(
            inputs={"bandwidth": 280e9, "window": 4194304, "streams": 32}, expected=0.003834792, rel=1e-6,
            origin="8·32·4194304 / 280e9 = 3.8348e-3",
        ),
    ),
    Formula(
        id="oversubscription_limit", title=Text("收敛比上限", "Oversubscription limit"), function=oversubscription_limit,
        inputs=(
            _RATE, _i("efficiency", Dimension.RATIO, "封装与丢包效率", "Header and loss efficiency", high=1),
            _i("floor", Dimension.RATE, "带宽下限", "Bandwidth floor", above_zero=True),
        ),
        result=Dimension.RATIO, symbolic="r_max = max(1, W · η_header · η_loss / floor)", source=s.ARTICLE,
        validity=Text("集合通信时所有成员同时活跃", "Collectives make all members active at once"),
        example=Example(
            inputs={"bandwidth": 400e9, "efficiency": 0.98, "floor": 280e9}, expected=1.4, origin="392/280 = 1.4",
        ),
    ),
    Formula(
        id="window_rate", title=Text("时间窗所需带宽", "Rate for a window"), function=window_rate,
        inputs=(_SIZE, _i("window", Dimension.TIME, "时间窗", "Window", above_zero=True)),
        result=Dimension.RATE, symbolic="W = 8 · bytes / window", source=s.ARTICLE,
        validity=Text("窗口内持续传输", "Sending without a break inside the window"),
        example=Example(
            inputs={"size": 6.5e12, "window": 28800}, expected=1.8055556e9, rel=1e-6, origin="52e12 / 28,800",
        ),
    ),
    Formula(
        id="request_rate", title=Text("推理服务所需带宽", "Rate of an inference service"), function=request_rate,
        inputs=(
            _i("requests", Dimension.COUNT, "每秒请求数", "Requests per second", above_zero=True),
            _i("size", Dimension.BYTES, "每次请求跨线字节", "Bytes per request over the line"),
            _i("burst", Dimension.RATIO, "突发系数", "Burst factor", low=1),
        ),
        result=Dimension.RATE, symbolic="W = 8 · rps · bytes · burst", source=s.DISTSERVE,
        validity=Text("平均流量乘突发系数；排队另算", "Mean traffic times a burst factor; queueing is reckoned apart"),
        example=Example(
            inputs={"requests": 50, "size": 118784, "burst": 1.5}, expected=71.2704e6, origin="8 · 50 · 118,784 · 1.5",
        ),
    ),
)  # fmt: skip
