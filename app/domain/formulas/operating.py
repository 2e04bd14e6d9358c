"""One operating point of a line: what is added to the need, what is left of a rate, how long the step becomes."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.text import Text


def target_rate(*, floor: float, reserve: float) -> float:
    """Rate to order: floor·reserve, bit/s; the article asks for 20 to 30 % in reserve."""
    return floor * reserve


def backward_time(*, step_time: float, share: float = c.BACKWARD_SHARE) -> float:
    """Backward pass of a step: share·T, s; twice the forward pass, so two thirds."""
    return share * step_time


def jitter_budget(*, step_time: float, share: float, steps: float = 1) -> float:
    """Time jitter may take of one exchange: share·T·H, s."""
    return share * step_time * steps


def payload_rate(
    *, bandwidth: float, oversubscription: float = 1, header_efficiency: float = 1, loss_efficiency: float = 1
) -> float:
    """Rate left for payload: C/max(1, r)·η_header·η_loss, bit/s; windows and streams may cap it further."""
    return bandwidth / max(1.0, oversubscription) * header_efficiency * loss_efficiency


def waiting_step_time(*, step_time: float, exposed: float, steps: float = 1) -> float:
    """Mean step with the wait for the line: T_ref + T_exposed/H, s."""
    return step_time + exposed / steps


def promised_sigma(*, jitter: float, quantile: float) -> float:
    """Standard deviation behind a promised statistic: J/q, s; q as agreed for all bidders (p99: 2.326)."""
    return jitter / quantile


def go_back_n_paced_rate(*, payload: float, packet_loss: float, rtt: float, header_efficiency: float = 1) -> float:
    """Half the rate at which a window loses one packet (p·W = 1): 8·payload/(p·RTT)/2·η_header, bit/s."""
    return c.BITS_PER_BYTE * payload / (packet_loss * rtt) / 2 * header_efficiency


def _i(name: str, dimension: Dimension, zh: str, en: str, **more: float | bool) -> Input:
    return Input(name=name, dimension=dimension, title=Text(zh, en), **more)  # type: ignore[arg-type]


_STEP = _i("step_time", Dimension.TIME, "单站每步时间", "Step time on one site", above_zero=True)
_STEPS = _i("steps", Dimension.COUNT, "同步间隔步数", "Steps per exchange", low=1, whole=True, default=1)
_SHARE = _i("share", Dimension.RATIO, "占每步的份额", "Share of the step", above_zero=True, high=1)
_BACKWARD = _i("share", Dimension.RATIO, "反向所占份额", "Share of the backward pass", high=1, default=c.BACKWARD_SHARE)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="target_rate", title=Text("目标带宽", "Target rate"), function=target_rate,
        inputs=(
            _i("floor", Dimension.RATE, "带宽下限", "Bandwidth floor"),
            _i("reserve", Dimension.RATIO, "预留倍数", "Reserve factor", low=1, high=10),
        ),
        result=Dimension.RATE, symbolic="target = floor · reserve", source=s.ARTICLE,
        validity=Text("文章建议预留 20–30 %", "The article asks for 20 to 30 % in reserve"),
        example=Example(
            inputs={"floor": 280e9, "reserve": 1.25}, expected=350e9, origin="280 × 1.25",
        ),
    ),
    Formula(
        id="backward_time", title=Text("反向计算时间", "Backward time"), function=backward_time,
        inputs=(_STEP, _BACKWARD),
        result=Dimension.TIME, symbolic="T_bwd = share · T_ref", source=s.MEGATRON,
        validity=Text("反向约为前向的两倍；全量重算时四分之三", "Twice the forward pass; 3/4 with full recompute"),
        example=Example(inputs={"step_time": 13.638}, expected=9.092, origin="13.638 × 2/3"),
    ),
    Formula(
        id="jitter_budget", title=Text("抖动预算", "Jitter budget"), function=jitter_budget,
        inputs=(_STEP, _SHARE, _STEPS),
        result=Dimension.TIME, symbolic="B = share · T_ref · H", source=s.JUDGEMENT,
        validity=Text("每次同步因抖动最多可损失的时间", "What one exchange may lose to jitter at most"),
        example=Example(inputs={"step_time": 13.638, "share": 0.01}, expected=0.13638, origin="13.638 × 0.01"),
    ),
    Formula(
        id="payload_rate", title=Text("有效带宽", "Effective rate"), function=payload_rate,
        inputs=(
            i.BANDWIDTH,
            _i("oversubscription", Dimension.RATIO, "网内收敛比", "Contention inside the carrier", default=1),
            _i("header_efficiency", Dimension.RATIO, "封装效率", "Header efficiency", default=1, high=1),
            _i("loss_efficiency", Dimension.RATIO, "丢包后效率", "Efficiency under loss", default=1, high=1),
        ),
        result=Dimension.RATE, symbolic="W = C / max(1, r) · η_header · η_loss", source=s.ARTICLE,
        validity=Text("窗口与并行流另行封顶", "Windows and streams may cap it further"),
        example=Example(
            inputs={"bandwidth": 400e9, "oversubscription": 2, "header_efficiency": 0.98, "loss_efficiency": 0.9},
            expected=176.4e9, origin="400 / 2 × 0.98 × 0.9",
        ),
    ),
    Formula(
        id="waiting_step_time", title=Text("含等待的每步时间", "Step with the wait for the line"),
        function=waiting_step_time,
        inputs=(_STEP, _i("exposed", Dimension.TIME, "暴露的同步时间", "Exposed sync time"), _STEPS),
        result=Dimension.TIME, symbolic="T_step = T_ref + T_exposed / H", source=s.STREAMING,
        validity=Text("H 步同步一次时按步均摊", "Spread over the steps between two exchanges"),
        example=Example(inputs={"step_time": 13.638, "exposed": 7.104}, expected=20.742, origin="13.638 + 7.104"),
    ),
    Formula(
        id="go_back_n_paced_rate", title=Text("回退重传：限速到每窗口丢一包", "Go-back-N paced to one loss a window"),
        function=go_back_n_paced_rate,
        inputs=(
            _i("payload", Dimension.BYTES, "每包净荷", "Payload per packet", above_zero=True),
            _i("packet_loss", Dimension.RATIO, "丢包率", "Packet loss ratio", above_zero=True, high=1),
            _i("rtt", Dimension.TIME, "往返时延", "Round-trip time", above_zero=True),
            _i("header_efficiency", Dimension.RATIO, "封装效率", "Header efficiency", default=1, high=1),
        ),
        result=Dimension.RATE, symbolic="R = 8·payload / (p·RTT) / 2 · η_header", source=s.IRN,
        validity=Text("丢包率 1×10⁻³ 以上实测接近不可用", "Above a loss of 1e-3 measured as close to unusable"),
        example=Example(
            inputs={"payload": 4096, "packet_loss": 6e-6, "rtt": 0.01}, expected=273.0666667e9, rel=1e-6,
            origin="32,768 / 6e-8 / 2",
        ),
    ),
    Formula(
        id="promised_sigma", title=Text("由承诺的抖动得标准差", "Standard deviation behind a promised jitter"),
        function=promised_sigma,
        inputs=(
            _i("jitter", Dimension.TIME, "承诺的抖动", "Promised jitter"),
            _i("quantile", Dimension.RATIO, "分位数对应的 σ 倍数", "Sigmas of the statistic", above_zero=True, high=10),
        ),
        result=Dimension.TIME, symbolic="σ = J / q", source=s.ORDER_STATISTICS,
        validity=Text(
            "正态分布：均值 1.128，P95 1.645，P99 2.326，P99.9 3.09",
            "Normal law: mean 1.128, p95 1.645, p99 2.326, p99.9 3.09",
        ),
        example=Example(inputs={"jitter": 1e-3, "quantile": 2.326}, expected=1e-3 / 2.326, origin="1 ms / 2.326"),
    ),
)  # fmt: skip
