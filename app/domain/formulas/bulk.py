"""Moving data in bulk."""

from __future__ import annotations

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.text import Text


def transfer_time(*, size: float, bandwidth: float, efficiency: float = 1) -> float:
    """Time to move an amount: 8·size/(η·B), s. Storage rates and retries are the caller's."""
    return c.BITS_PER_BYTE * size / (bandwidth * efficiency)


def bulk_time(
    *, size: float, bandwidth: float, storage: float = 0, retry_share: float = 0, round_trips: float = 0, rtt: float = 0
) -> float:
    """Time of a bulk move: 8·size·(1+r)/min(W, storage) + n·RTT, s.

    W effective rate of the line, storage the slower of reading and writing (bit/s, 0 = no limit), r share sent again,
    n round trips of setting up that nothing hides.
    """
    rate = min(bandwidth, storage) if storage > 0 else bandwidth
    return c.BITS_PER_BYTE * size * (1 + retry_share) / rate + round_trips * rtt


def bulk_rate(*, size: float, window: float, retry_share: float = 0, round_trips: float = 0, rtt: float = 0) -> float:
    """Least rate for a bulk move inside a window: 8·size·(1+r)/(window − n·RTT), bit/s; 0 if setting up takes all."""
    room = window - round_trips * rtt
    return c.BITS_PER_BYTE * size * (1 + retry_share) / room if room > 0 else 0.0


def checkpoint_bytes(*, parameters: float, bytes_per_parameter: float = 16) -> float:
    """Size of a full training checkpoint: parameters × 12 to 16, bytes (weights, master copy, optimiser moments)."""
    return parameters * bytes_per_parameter


_STORAGE = Input(
    name="storage",
    dimension=Dimension.RATE,
    title=Text("存储速率（0 = 不限）", "Storage rate (0: no limit)"),
    default=0,
)
_RETRY = Input(
    name="retry_share", dimension=Dimension.RATIO, title=Text("重传份额", "Share sent again"), default=0, high=1
)
_SETUP = Input(
    name="round_trips",
    dimension=Dimension.COUNT,
    title=Text("建立连接的往返次数", "Round trips of setting up"),
    default=0,
)
_SETUP_RTT = i.variant(i.RTT, default=0, above_zero=False)

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
    Formula(
        id="bulk_time",
        title=Text("搬运时间", "Time of a bulk move"),
        function=bulk_time,
        inputs=(i.SIZE, i.BANDWIDTH, _STORAGE, _RETRY, _SETUP, _SETUP_RTT),
        result=Dimension.TIME,
        symbolic="T = 8·size·(1+r) / min(W, storage) + n·RTT",
        validity=Text("W 为有效速率。", "W is the effective rate."),
        source=s.DECIMAL_PREFIX,
        example=Example(
            inputs={
                "size": 1e12,
                "bandwidth": 10e9,
                "storage": 8e9,
                "retry_share": 0.02,
                "round_trips": 100,
                "rtt": 0.01,
            },
            expected=1021,
            origin="8 × 1 TB × 1.02 / 8 Gbit/s + 100 × 10 ms",
        ),
    ),
    Formula(
        id="bulk_rate",
        title=Text("时间窗内搬完所需速率", "Rate for a move inside a window"),
        function=bulk_rate,
        inputs=(
            i.SIZE,
            Input(name="window", dimension=Dimension.TIME, title=Text("时间窗", "Window"), above_zero=True),
            _RETRY,
            _SETUP,
            _SETUP_RTT,
        ),
        result=Dimension.RATE,
        symbolic="W = 8·size·(1+r) / (window − n·RTT)",
        validity=Text("0 表示建立连接就用完了时间窗。", "0 means that setting up takes the whole window."),
        source=s.DECIMAL_PREFIX,
        example=Example(
            inputs={"size": 1e12, "window": 1021, "retry_share": 0.02, "round_trips": 100, "rtt": 0.01},
            expected=8e9,
            origin="8 × 1 TB × 1.02 / (1,021 − 1)",
        ),
    ),
    Formula(
        id="checkpoint_bytes",
        title=Text("完整检查点大小", "Size of a full checkpoint"),
        function=checkpoint_bytes,
        inputs=(
            i.PARAMETERS,
            Input(
                name="bytes_per_parameter",
                dimension=Dimension.BYTES,
                title=Text("每参数字节", "Bytes per parameter"),
                default=16,
                above_zero=True,
                advised_low=12,
                advised_high=16,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="size = P · 12…16 B",
        validity=Text(
            "含优化器状态；只存权重时 BF16 为 2 B。", "With optimiser state; weights alone in BF16 take 2 B."
        ),
        source=s.ZERO,
        example=Example(
            inputs={"parameters": 405e9, "bytes_per_parameter": 16},
            expected=6.48e12,
            origin="405 × 10⁹ × 16, the 6.5 TB",
        ),
    ),
)
