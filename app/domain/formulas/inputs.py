"""Inputs that several formulas share, with the titles a network engineer expects.

A formula takes one as it is, or changes it with `variant(BANDWIDTH, name="floor", ...)`.
"""

from __future__ import annotations

from dataclasses import replace

from app.domain.formulas.constants import ENCAPSULATION_BYTES
from app.domain.formulas.formula import Dimension, Input
from app.domain.text import Text

variant = replace

_MANY = 1e9  # ranks, GPUs, flows: more than any cluster, small enough to stay exact
_FEW = 1e6  # sites, layers, micro-batches

SIZE = Input(name="size", dimension=Dimension.BYTES, title=Text("数据量", "Amount of data"))
BANDWIDTH = Input(
    name="bandwidth",
    dimension=Dimension.RATE,
    title=Text("线路带宽（每方向）", "Line rate, per direction"),
    above_zero=True,
)
EFFICIENCY = Input(
    name="efficiency",
    dimension=Dimension.RATIO,
    title=Text("有效带宽占比", "Usable share of the rate"),
    high=1,
    above_zero=True,
)
RTT = Input(
    name="rtt",
    dimension=Dimension.TIME,
    title=Text("往返时延（RTT）", "Round-trip time"),
    above_zero=True,
)
HOP_LATENCY = Input(
    name="hop_latency",
    dimension=Dimension.TIME,
    title=Text("单跳时延（一次报文，单程）", "Latency of one message hop, one way"),
)
PACKET_LOSS = Input(
    name="packet_loss",
    dimension=Dimension.RATIO,
    title=Text("丢包率", "Packet loss ratio"),
    high=1,
)
TCP_LOSS = replace(PACKET_LOSS, above_zero=True, advised_high=1e-2)
MTU = Input(
    name="mtu",
    dimension=Dimension.BYTES,
    title=Text("单个数据包的字节数", "Bytes of one packet"),
    above_zero=True,
)
MSS = Input(
    name="mss",
    dimension=Dimension.BYTES,
    title=Text("最大报文段长度（MSS）", "Maximum segment size"),
    above_zero=True,
)
RANKS = Input(
    name="ranks",
    dimension=Dimension.COUNT,
    title=Text("参与集合通信的卡数", "Ranks in the collective"),
    low=1,
    high=_MANY,
    whole=True,
)
SITES = Input(
    name="sites",
    dimension=Dimension.COUNT,
    title=Text("站点数", "Number of sites"),
    low=1,
    high=_FEW,
    whole=True,
)
PARAMETERS = Input(
    name="parameters",
    dimension=Dimension.COUNT,
    title=Text("模型参数量", "Model parameters"),
    above_zero=True,
)
BYTES_PER_ELEMENT = Input(
    name="bytes_per_element",
    dimension=Dimension.BYTES,
    title=Text("每个元素的字节数", "Bytes per element"),
    above_zero=True,
)
TENSOR_PARALLEL = Input(
    name="tensor_parallel",
    dimension=Dimension.COUNT,
    title=Text("张量并行度", "Tensor-parallel degree"),
    low=1,
    high=_FEW,
    whole=True,
)
TOKENS = Input(
    name="tokens",
    dimension=Dimension.COUNT,
    title=Text("每步的词元数", "Tokens per step"),
    above_zero=True,
)
HIDDEN_SIZE = Input(
    name="hidden_size",
    dimension=Dimension.COUNT,
    title=Text("隐藏层维度", "Hidden size"),
    above_zero=True,
)
LAYERS = Input(
    name="layers",
    dimension=Dimension.COUNT,
    title=Text("模型层数", "Model layers"),
    low=1,
    high=_FEW,
    whole=True,
)
MICRO_BATCHES = Input(
    name="micro_batches",
    dimension=Dimension.COUNT,
    title=Text("每步的微批次数", "Micro-batches per step"),
    low=1,
    high=_FEW,
    whole=True,
)
GPUS = Input(
    name="gpus",
    dimension=Dimension.COUNT,
    title=Text("GPU 卡数", "Number of GPUs"),
    low=1,
    high=_MANY,
    whole=True,
)
PEAK_FLOPS = Input(
    name="peak_flops",
    dimension=Dimension.FLOP_RATE,
    title=Text("单卡峰值算力", "Peak rate of one GPU"),
    above_zero=True,
)
STEP_COMPUTE_TIME = Input(
    name="step_compute_time",
    dimension=Dimension.TIME,
    title=Text("单步计算时间", "Compute time of one step"),
    above_zero=True,
)
FLOWS = Input(
    name="flows",
    dimension=Dimension.COUNT,
    title=Text("并行流数", "Parallel flows"),
    low=1,
    high=_MANY,
    whole=True,
)
AVAILABILITY = Input(
    name="availability",
    dimension=Dimension.RATIO,
    title=Text("可用性", "Availability"),
    high=1,
)
MTBF = Input(
    name="mtbf",
    dimension=Dimension.TIME,
    title=Text("平均无故障时间（MTBF）", "Mean time between failures"),
    above_zero=True,
)
CHECKPOINT_TIME = Input(
    name="checkpoint_time",
    dimension=Dimension.TIME,
    title=Text("写一次检查点的时间", "Time to write one checkpoint"),
    above_zero=True,
)
ONE_WAY_DELAY = Input(
    name="one_way_delay",
    dimension=Dimension.TIME,
    title=Text("单程时延", "One-way delay"),
)
DISTANCE = Input(
    name="distance",
    dimension=Dimension.LENGTH,
    title=Text("光缆长度", "Fibre length"),
    high=1e6,
)
ENCAPSULATION = Input(
    name="encapsulation",
    dimension=Dimension.LIST,
    title=Text("封装（逗号分隔，可为空）", "Encapsulation, a comma list that may be empty"),
    choices=tuple(ENCAPSULATION_BYTES),
)
CUTS = Input(
    name="cuts",
    dimension=Dimension.COUNT,
    title=Text("跨专线的流水线切口数", "Pipeline cuts over the line"),
    default=1,
    low=1,
    high=1e6,
    whole=True,
)
