"""The fields of a workload, as data: form, JSON reader, schema and checks all read these lists.

Names and units are those of the contract. Ranges are physical or protocol limits wide enough for any real
job; they exist to stop a slip of the keyboard, not to judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.fields import Choice, Field, Kind
from app.domain.metrics import ENCAPSULATIONS, TRANSPORTS
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBER, INTEGER, FLAG, CHOICE, CHOICES, TEXT = (
    Kind.NUMBER, Kind.INTEGER, Kind.FLAG, Kind.CHOICE, Kind.CHOICES, Kind.TEXT,
)  # fmt: skip

SCENARIOS = (
    Choice("training", Text("训练", "Training")),
    Choice("inference", Text("推理", "Inference")),
    Choice("mixed", Text("训练 + 推理", "Training and inference")),
    Choice("bulk", Text("数据搬运", "Bulk transfer")),
)
CROSSINGS = (
    Choice("data", Text("数据并行", "Data parallel")),
    Choice("pipeline", Text("流水线并行", "Pipeline parallel")),
    Choice("expert", Text("专家并行", "Expert parallel")),
    Choice("tensor", Text("张量并行", "Tensor parallel")),
    Choice("fsdp", Text("全分片（FSDP）", "Fully sharded (FSDP)")),
    Choice("local_sgd", Text("本地 SGD / DiLoCo", "Local SGD / DiLoCo")),
)
INTERCONNECTS = (
    Choice("line", Text("单线（两站点）", "One line (two sites)")),
    Choice("hub", Text("星型", "Hub")),
    Choice("ring", Text("环型", "Ring")),
    Choice("mesh", Text("全互联", "Full mesh")),
)
OVERLAPS = (
    Choice("none", Text("不重叠", "None")),
    Choice("last_micro_batch", Text("仅最后一个微批", "Last micro-batch")),
    Choice("full", Text("完全重叠", "Full")),
)
DISTRIBUTIONS = (
    Choice("over_this_line", Text("各份都走此线", "Every copy over this line")),
    Choice("line_per_site", Text("每个站点各有一条线", "A line of its own for each site")),
)
MODES = (
    Choice("remote", Text("远程推理", "Remote inference")),
    Choice("prefill_decode_split", Text("预填充与解码分离", "Prefill/decode split")),
    Choice("pipeline_split", Text("流水线跨站解码", "Pipeline split")),
)


def _f(name: str, kind: Kind, zh: str, en: str, help_zh: str, help_en: str, **more: Any) -> Field:
    return Field(name=name, kind=kind, title=Text(zh, en), help=Text(help_zh, help_en), **more)


def _table(group: str, *, advanced: bool = False) -> Callable[..., Field]:
    """`_f` with the group filled in, so that the lists below stay one line a field."""

    def make(name: str, kind: Kind, zh: str, en: str, help_zh: str, help_en: str, **more: Any) -> Field:
        return _f(name, kind, zh, en, help_zh, help_en, group=group, **({"advanced": advanced} | more))

    return make


_top, _model, _batch = _table(""), _table("model"), _table("batch")
_layout, _target, _gpu = _table("layout"), _table("target"), _table("gpu")
_expert = _table("expert", advanced=True)
_fault = _table("fault", advanced=True)
_net, _fab = _table("network", advanced=True), _table("fabric", advanced=True)
_inf, _bulk = _table("inference"), _table("bulk")

GROUPS: dict[str, Text] = {
    "model": Text("模型", "Model"),
    "batch": Text("批次与精度", "Batch and precision"),
    "layout": Text("站点与并行", "Sites and parallelism"),
    "target": Text("目标", "Target"),
    "gpu": Text("GPU", "GPU"),
    "expert": Text("专家并行（MoE）", "Experts (MoE)"),
    "fault": Text("检查点与故障", "Checkpoints and faults"),
    "network": Text("己方网络", "Your network"),
    "fabric": Text("己方集群组网", "Your fabric"),
    "inference": Text("推理服务", "Inference service"),
    "bulk": Text("数据搬运", "Bulk transfer"),
}

TOP_FIELDS: tuple[Field, ...] = (
    _top(
        "name",
        TEXT,
        "名称",
        "Name",
        "项目或任务的名称，会印在报告上。",
        "Name of the job; printed on the report.",
        example="175B 双站点",
    ),
    _top(
        "scenario",
        CHOICE,
        "场景",
        "Scenario",
        "训练、推理分开评判；两者都有选「训练 + 推理」。",
        "Training and inference are judged apart; choose both when both run on the line.",
        choices=SCENARIOS,
        required=True,
    ),
    _top(
        "distance_km",
        NUMBER,
        "站点直线距离",
        "Distance between the sites",
        "两站点间的直线距离，用于光纤时延下限。",
        "Straight-line distance; gives the fibre limit of the round-trip time.",
        unit="km",
        low=0,
        high=20000,
        example="500",
    ),
)

TRAINING_FIELDS: tuple[Field, ...] = (
    _model("parameters", NUMBER, "参数量", "Parameters", "模型总参数个数，MoE 含全部专家。", "Total parameters, all experts included.", above_zero=True, high=1e15, required=True, example="1.75e11"),
    _model("active_parameters", NUMBER, "激活参数量", "Active parameters", "MoE 每个 token 实际参与计算的参数；稠密模型留空。", "Parameters active per token in a MoE; leave empty for a dense model.", above_zero=True, high=1e15, example="5.7e10", advanced=True),
    _model("trainable_parameters", NUMBER, "可训练参数量", "Trainable parameters", "只微调一部分时填写；留空表示全部。", "When only a part is trained (LoRA); empty means all.", above_zero=True, high=1e15, example="2e8", advanced=True),
    _model("layers", INTEGER, "层数", "Layers", "Transformer 层数。", "Transformer layers.", low=1, high=10000, required=True, example="96"),
    _model("hidden_size", INTEGER, "隐藏维度", "Hidden size", "每个 token 的激活向量长度。", "Length of one token's activation vector.", low=1, high=1e6, required=True, example="12288"),
    _model("sequence_length", INTEGER, "序列长度", "Sequence length", "每条样本的 token 数。", "Tokens per sequence.", low=1, high=1e8, required=True, unit="token", example="2048"),
    _model("vocabulary", INTEGER, "词表大小", "Vocabulary", "词表条数。", "Entries of the vocabulary.", low=1, high=1e8, default=51200, advanced=True, example="51200"),
    _batch("global_batch_tokens", NUMBER, "全局批大小", "Global batch", "每步处理的 token 总数。", "Tokens per step over all replicas.", above_zero=True, high=1e12, required=True, unit="token", example="262144"),
    _batch("micro_batches", INTEGER, "微批数", "Micro-batches", "每步每个副本的微批个数。", "Micro-batches per step and replica.", low=1, high=1e6, default=1, example="64"),
    _batch("gradient_bytes_per_element", NUMBER, "梯度字节数", "Gradient bytes per element", "FP32 填 4，BF16 填 2，FP8 填 1。", "4 for FP32, 2 for BF16, 1 for FP8.", above_zero=True, high=8, default=2, unit="byte", example="2"),
    _batch("activation_bytes_per_element", NUMBER, "激活字节数", "Activation bytes per element", "跨站激活的精度，BF16 填 2。", "Precision of activations on the line; 2 for BF16.", above_zero=True, high=8, default=2, unit="byte", advanced=True, example="2"),
    _expert("experts_per_token", INTEGER, "每 token 专家数", "Experts per token", "MoE 路由的 top-k。", "Top-k of the MoE router.", low=1, high=1024, example="2"),
    _expert("moe_layers", INTEGER, "MoE 层数", "MoE layers", "含专家的层数。", "Layers that hold experts.", low=1, high=10000, example="58"),
    _expert("dispatch_bytes", NUMBER, "分发字节数", "Dispatch bytes", "分发阶段每元素字节。", "Bytes per element on dispatch.", above_zero=True, high=8, default=2, unit="byte", example="1"),
    _expert("combine_bytes", NUMBER, "合并字节数", "Combine bytes", "合并阶段每元素字节。", "Bytes per element on combine.", above_zero=True, high=8, default=2, unit="byte", example="2"),
    _expert("peak_to_mean", NUMBER, "突发峰均比", "Peak to mean", "专家流量突发倍数，文章给 3–5。", "Burst factor of expert traffic; the article gives 3 to 5.", low=1, high=100, default=4, example="4"),
    _layout("sites", INTEGER, "站点数", "Sites", "参与同一任务的站点个数。", "Sites that share the job.", low=2, high=64, default=2, example="2"),
    _layout("interconnect", CHOICE, "互联方式", "Interconnect", "线路如何连接各站点；留空：两站点为一条线，更多站点按环型。", "How lines connect the sites; empty: one line for two sites, a ring for more.", choices=INTERCONNECTS, advanced=True),
    _layout("gpus", INTEGER, "GPU 总数", "GPUs", "全部站点合计，等于 TP × PP × DP。", "All sites together; equals TP × PP × DP.", low=2, high=1e7, required=True, example="128"),
    _layout("tensor_parallel", INTEGER, "张量并行 TP", "Tensor parallel", "张量并行度。", "Tensor-parallel degree.", low=1, high=1e5, default=1, example="8"),
    _layout("pipeline_parallel", INTEGER, "流水线并行 PP", "Pipeline parallel", "流水线段数。", "Pipeline stages.", low=1, high=1e5, default=1, example="8"),
    _layout("data_parallel", INTEGER, "数据并行 DP", "Data parallel", "数据并行副本数；留空则按 GPU ÷（TP × PP）计算。", "Replicas; empty means GPUs ÷ (TP × PP).", low=1, high=1e7, example="2"),
    _layout("expert_parallel", INTEGER, "专家并行 EP", "Expert parallel", "专家并行度，须整除单站 GPU 数。", "Expert-parallel degree; divides the GPUs of one site.", low=1, high=1e6, default=1, advanced=True, example="1"),
    _layout("zero_stage", INTEGER, "ZeRO 级别", "ZeRO stage", "优化器状态分片级别 0–3。", "Sharding of optimizer state, 0 to 3.", low=0, high=3, default=1, advanced=True, example="1"),
    _layout("crossing", CHOICE, "跨站并行方式", "What crosses the line", "哪一种并行的流量走专线。", "Which parallel dimension runs over the line.", choices=CROSSINGS, default="data"),
    _layout("cut_stage", INTEGER, "切分位置", "Cut after stage", "流水线在第几段之后跨站；留空取中间。", "The line comes after this stage; empty means the middle.", low=1, high=1e5, advanced=True, example="4"),
    _layout("extra_warmup_micro_batches", INTEGER, "额外预热微批", "Extra warm-up micro-batches", "用显存换时延容忍。", "Trades memory for tolerance to delay.", low=0, high=1e4, default=0, advanced=True, example="1"),
    _layout("overlap", CHOICE, "通信重叠", "Overlap", "跨站通信与反向计算的重叠程度。", "How far the exchange hides behind the backward pass.", choices=OVERLAPS, default="last_micro_batch"),
    _layout("sync_interval_steps", INTEGER, "同步间隔", "Sync interval", "每隔多少步同步一次，常规训练填 1。", "Steps between exchanges; 1 for ordinary training.", low=1, high=1e6, default=1, unit="step", advanced=True, example="1"),
    _layout("bits_per_synced_element", NUMBER, "同步精度", "Bits per synced element", "本地 SGD 外层梯度的位宽；留空按梯度精度。", "Bits of outer gradients in local SGD; empty follows the gradient precision.", above_zero=True, high=64, unit="bit", advanced=True, example="4"),
    _layout("fragment_layers", INTEGER, "分片层数", "Fragment layers", "Streaming DiLoCo 的分片层数。", "Layers per fragment of streaming DiLoCo.", low=1, high=1e4, advanced=True, example="3"),
    _layout("overlap_steps", INTEGER, "允许滞后步数", "Overlap steps", "同步结果可晚到几步。", "Inner steps a fragment may arrive late.", low=0, high=1000, default=0, unit="step", advanced=True, example="0"),
    _target("step_compute_s", NUMBER, "单站每步时间", "Step time on one site", "同一任务在单站的每步时间（含气泡）；留空按 MFU 计算。", "Same job's step on one site, bubble included; empty means computed from MFU.", above_zero=True, high=1e6, unit="s", example="13.638"),
    _target("target_sync_s", NUMBER, "目标同步时间", "Target sync time", "每次跨站同步允许的时间。", "Time allowed for one exchange across the line.", above_zero=True, high=1e7, unit="s", example="10"),
    _target("target_utilization", NUMBER, "目标利用率", "Target utilisation", "单站每步时间 ÷ 跨站每步时间，例如 0.9。", "Step time on one site ÷ step time across sites, for example 0.9.", above_zero=True, high=0.9999, example="0.9"),
    _target("total_tokens", NUMBER, "训练总量", "Total tokens", "与期限一起换算允许的每步时间。", "With the deadline gives the allowed step time.", above_zero=True, high=1e18, unit="token", advanced=True, example="3e12"),
    _target("deadline_days", NUMBER, "完成期限", "Deadline", "训练必须在多少天内完成。", "Days in which training must end.", above_zero=True, high=36500, unit="d", advanced=True, example="60"),
    _fault("checkpoint_write_s", NUMBER, "检查点写入时间", "Checkpoint write time", "写一次检查点的时间。", "Time to write one checkpoint.", above_zero=True, high=1e5, default=60.0, unit="s", example="60"),
    _fault("restart_s", NUMBER, "重启时间", "Restart time", "故障后恢复训练的时间。", "Time to resume after a fault.", low=0, high=1e6, default=600.0, unit="s", example="600"),
    _fault("checkpoint_interval_s", NUMBER, "检查点间隔", "Checkpoint interval", "留空按 Young 公式取最优。", "Empty means Young's optimum.", above_zero=True, high=1e7, unit="s", example="3600"),
    _fault("survives_site_loss", FLAG, "断线后可继续", "Survives losing a site", "断线时剩余站点能否继续训练。", "Whether the other sites go on when the line is down.", default=False),
)  # fmt: skip

GPU_FIELDS: tuple[Field, ...] = (
    _gpu("model", TEXT, "型号", "Model", "仅作记录。", "For the record.", example="A100-80"),
    _gpu("peak_tflops", NUMBER, "峰值算力", "Peak", "所用精度的稠密峰值。", "Dense peak at the precision used.", above_zero=True, high=1e6, unit="TFLOPS", example="312"),
    _gpu("mfu", NUMBER, "MFU", "MFU", "模型算力利用率。", "Model FLOPs utilisation.", above_zero=True, high=1, default=0.45, example="0.45"),
    _gpu("memory_gb", NUMBER, "显存", "Memory", "单卡显存。", "Memory per GPU.", above_zero=True, high=1e5, unit="GB", advanced=True, example="80"),
    _gpu("hour_price", NUMBER, "GPU 小时价", "Price per GPU hour", "用于计算等待专线的算力成本；留空则不比较算力成本。", "Prices the GPU time spent waiting; empty leaves it out.", low=0, high=1e6, example="10"),
    _gpu("currency", TEXT, "币种", "Currency", "三位币种代码。", "Three-letter code.", default="CNY", example="CNY"),
    _gpu("mtbf_h", NUMBER, "单卡 MTBF", "MTBF of one GPU", "单卡平均无故障时间。", "Mean time between failures of one GPU.", above_zero=True, high=1e9, default=43800.0, unit="h", advanced=True, example="43800"),
)  # fmt: skip

NETWORK_FIELDS: tuple[Field, ...] = (
    _net("transport", CHOICE, "传输协议", "Transport", "己方网卡与协议；留空：训练按 RDMA 回退重传，推理与搬运按 TCP CUBIC。", "Your NICs and protocol; empty: RDMA go-back-N for training, TCP CUBIC for inference and bulk.", choices=TRANSPORTS),
    _net("streams", INTEGER, "并行流数", "Parallel streams", "同时传输的流或通道数。", "Streams or channels at work at once.", low=1, high=1e5, default=32, example="32"),
    _net("window_bytes", NUMBER, "每流窗口", "Window per stream", "每流在途字节上限；留空视为已调优并列为待验证条件。", "Bytes in flight per stream; empty means tuned, printed as a condition to verify.", above_zero=True, high=1e13, unit="byte", example="4194304"),
    _net("payload_bytes", INTEGER, "RDMA 净荷", "RDMA payload", "RDMA 每包净荷（IB MTU）。", "Payload per RDMA packet (IB MTU).", low=256, high=4096, default=4096, unit="byte", example="4096"),
    _net("encapsulation", CHOICES, "己方封装", "Your encapsulation", "己方在线路上叠加的封装。", "Encapsulation you add on the line.", choices=ENCAPSULATIONS, default=()),
    _net("flows", INTEGER, "同步流数", "Flows in one exchange", "一次同步涉及的流数，用于抖动的最慢流估计。", "Flows in one exchange; the slowest of them ends it.", low=1, high=1e6, default=64, example="64"),
)  # fmt: skip

FABRIC_FIELDS: tuple[Field, ...] = (
    _fab("same_on_all_sites", FLAG, "各站同构", "Same on all sites", "各站轨道、叶脊比例与网卡配置是否一致。", "Whether rails, leaf-spine ratio and NICs are the same at every site."),
    _fab("nics_per_site", INTEGER, "单站网卡数", "NICs per site", "参与跨站通信的网卡数。", "NICs that take part in the exchange.", low=1, high=1e6, example="64"),
    _fab("nic_gbps", NUMBER, "网卡速率", "NIC rate", "单块网卡速率。", "Rate of one NIC.", above_zero=True, high=1e5, unit="Gbit/s", example="400"),
    _fab("leaf_down_ports", INTEGER, "叶交换机下行口", "Leaf down ports", "每台叶交换机下行口数。", "Down ports per leaf.", low=1, high=1e4, example="80"),
    _fab("leaf_up_ports", INTEGER, "叶交换机上行口", "Leaf up ports", "每台叶交换机上行口数。", "Up ports per leaf.", low=1, high=1e4, example="128"),
    _fab("leaf_down_gbps", NUMBER, "叶下行口速率", "Rate of a leaf down port", "留空按网卡速率。", "Empty means the rate of a NIC.", above_zero=True, high=1e5, unit="Gbit/s", example="400"),
    _fab("leaf_up_gbps", NUMBER, "叶上行口速率", "Rate of a leaf up port", "留空与下行口相同。", "Empty means as the down ports.", above_zero=True, high=1e5, unit="Gbit/s", example="400"),
    _fab("leaves", INTEGER, "叶交换机台数", "Leaf switches", "单站叶交换机台数。", "Leaf switches of one site.", low=1, high=1e5, example="128"),
    _fab("spines", INTEGER, "脊交换机台数", "Spine switches", "单站脊交换机台数。", "Spine switches of one site.", low=1, high=1e5, example="128"),
    _fab("other_nics_per_site", INTEGER, "另一站网卡数", "NICs at the other site", "与本站不同时填写。", "Where it differs from this site.", low=1, high=1e6, example="32"),
    _fab("other_nic_gbps", NUMBER, "另一站网卡速率", "NIC rate at the other site", "与本站不同时填写。", "Where it differs from this site.", above_zero=True, high=1e5, unit="Gbit/s", example="200"),
    _fab("other_leaf_down_ports", INTEGER, "另一站叶下行口", "Leaf down ports at the other site", "与本站不同时填写。", "Where it differs from this site.", low=1, high=1e4, example="48"),
    _fab("other_leaf_up_ports", INTEGER, "另一站叶上行口", "Leaf up ports at the other site", "与本站不同时填写。", "Where it differs from this site.", low=1, high=1e4, example="16"),
    _fab("scale_up_gpus", INTEGER, "纵向扩展域", "Scale-up domain", "NVLink 等域内 GPU 数。", "GPUs in one NVLink-like domain.", low=1, high=1e5, example="8"),
)  # fmt: skip

INFERENCE_FIELDS: tuple[Field, ...] = (
    _inf("mode", CHOICES, "推理方式", "Mode", "推理流量如何跨线路，可多选。", "How inference uses the line; several allowed.", choices=MODES, default=("remote",)),
    _inf("requests_per_s", NUMBER, "请求速率", "Requests per second", "经过线路的请求速率。", "Requests per second over the line.", above_zero=True, high=1e9, required=True, unit="1/s", example="50"),
    _inf("prompt_tokens", INTEGER, "提示长度", "Prompt tokens", "平均提示 token 数。", "Mean tokens per prompt.", low=1, high=1e8, required=True, unit="token", example="4096"),
    _inf("prompt_variation", NUMBER, "提示长度变异系数", "Variation of the prompt length", "标准差 ÷ 均值；0 表示等长，越大 KV 排队越久。", "Standard deviation ÷ mean; 0: all alike. Caches queue longer the more it is.", low=0, high=10, default=0.0, advanced=True, example="0.8"),
    _inf("output_tokens", INTEGER, "输出长度", "Output tokens", "平均输出 token 数。", "Mean tokens per reply.", low=1, high=1e8, required=True, unit="token", example="512"),
    _inf("reply_bytes_per_token", NUMBER, "每 token 回传字节", "Reply bytes per token", "流式返回含协议开销，约 200。", "Streamed reply with protocol overhead, about 200.", above_zero=True, high=1e6, default=200.0, unit="byte", advanced=True, example="200"),
    _inf("rtt_limit_ms", NUMBER, "往返时延上限", "Round-trip time limit", "自定上限；文章参考值 5 ms。", "Your own limit; the article's reference is 5 ms.", above_zero=True, high=1e5, unit="ms", example="5"),
    _inf("ttft_target_ms", NUMBER, "首 token 目标", "Time-to-first-token target", "首 token 时间目标。", "Target for the time to the first token.", above_zero=True, high=1e7, unit="ms", example="1000"),
    _inf("tpot_target_ms", NUMBER, "每 token 目标", "Time-per-output-token target", "每个输出 token 的时间目标。", "Target per output token.", above_zero=True, high=1e7, unit="ms", advanced=True, example="50"),
    _inf("prefill_s", NUMBER, "预填充时间", "Prefill time", "一次提示的预填充时间。", "Prefill time of one prompt.", low=0, high=1e5, unit="s", example="0.5"),
    _inf("prefill_instances", INTEGER, "预填充实例数", "Prefill instances", "并行的预填充实例。", "Prefill instances at work.", low=1, high=1e6, advanced=True, example="20"),
    _inf("cache_hit_share", NUMBER, "缓存命中率", "Cache hit share", "无需跨站传 KV 的比例。", "Share of KV that need not cross.", low=0, high=1, default=0.0, advanced=True, example="0"),
    _inf("kv_bytes_per_token", NUMBER, "每 token KV 字节", "KV bytes per token", "留空按层数、KV 头数与维度计算。", "Empty means computed from layers, KV heads and dimension.", above_zero=True, high=1e9, unit="byte", advanced=True, example="70272"),
    _inf("layers", INTEGER, "层数", "Layers", "用于 KV 大小。", "For the KV size.", low=1, high=1e4, advanced=True, example="80"),
    _inf("kv_heads", INTEGER, "KV 头数", "KV heads", "用于 KV 大小。", "For the KV size.", low=1, high=1e4, advanced=True, example="8"),
    _inf("head_dimension", INTEGER, "头维度", "Head dimension", "用于 KV 大小。", "For the KV size.", low=1, high=1e5, advanced=True, example="128"),
    _inf("bytes_per_element", NUMBER, "KV 字节数", "Bytes per element", "KV 精度。", "Precision of the KV cache.", above_zero=True, high=8, default=2.0, unit="byte", advanced=True, example="2"),
    _inf("kv_latent", INTEGER, "MLA 潜向量维度", "MLA latent dimension", "MLA 模型填写，代替 KV 头数与头维度，例如 512。", "For MLA models, instead of KV heads and head dimension; for example 512.", low=1, high=1e5, advanced=True, example="512"),
    _inf("kv_rope", INTEGER, "MLA 位置编码维度", "MLA rotary dimension", "与 MLA 潜向量维度同用，例如 64。", "Goes with the MLA latent dimension; for example 64.", low=0, high=1e5, default=0, advanced=True, example="64"),
    _inf("hidden_size", INTEGER, "隐藏维度", "Hidden size", "流水线跨站时每 token 激活向量长度。", "Length of one token's activation vector; for a pipeline split.", low=1, high=1e6, advanced=True, example="8192"),
    _inf("activation_bytes_per_element", NUMBER, "激活字节数", "Activation bytes per element", "跨站激活的精度，BF16 填 2。", "Precision of activations on the line; 2 for BF16.", above_zero=True, high=8, default=2.0, unit="byte", advanced=True, example="2"),
    _inf("tpot_own_ms", NUMBER, "单站每 token 时间", "Time per output token on one site", "不跨站时每个输出 token 的时间。", "Time per output token without the line.", above_zero=True, high=1e6, unit="ms", advanced=True, example="30"),
    _inf("groups_in_flight", INTEGER, "在途请求组数", "Groups in flight", "流水线跨站时轮流占用两半模型的请求组数。", "Groups of requests that take turns on the two halves of a pipeline split.", low=1, high=1e5, default=1, advanced=True, example="4"),
)  # fmt: skip

BULK_FIELDS: tuple[Field, ...] = (
    _bulk("bytes", NUMBER, "数据量", "Data", "一次要搬运的字节数；完整检查点约为参数量 × 12–16 字节（405B 约 6.5 TB）。", "Bytes to move in one run; a full checkpoint is parameters × 12 to 16 bytes (405B: about 6.5 TB).", above_zero=True, high=1e21, required=True, unit="byte", example="6.5e12"),
    _bulk("window_h", NUMBER, "时间窗", "Window", "必须在多少小时内完成。", "Hours in which it must end.", above_zero=True, high=87600, required=True, unit="h", example="8"),
    _bulk("copies", INTEGER, "份数", "Copies", "分发到几处。", "Destinations.", low=1, high=1e5, default=1, advanced=True, example="1"),
    _bulk("distribution", CHOICE, "分发方式", "Distribution", "多份时：各份都走此线，还是每个站点各有一条线。", "With several copies: all over this line, or a line for each site.", choices=DISTRIBUTIONS, default="over_this_line", advanced=True),
    _bulk("storage_read_gb_per_s", NUMBER, "存储读出速率", "Storage read rate", "源端存储持续读出速率；留空视为不慢于线路。", "Sustained read rate at the source; empty: no slower than the line.", above_zero=True, high=1e6, unit="GB/s", advanced=True, example="5"),
    _bulk("storage_write_gb_per_s", NUMBER, "存储写入速率", "Storage write rate", "目的端存储持续写入速率；留空视为不慢于线路。", "Sustained write rate at the destination; empty: no slower than the line.", above_zero=True, high=1e6, unit="GB/s", advanced=True, example="3"),
    _bulk("retry_share", NUMBER, "重传份额", "Share sent again", "失败重发的数据份额，常见 0.02–0.05。", "Share of the data sent again after failures; 0.02 to 0.05 is usual.", low=0, high=1, default=0.0, advanced=True, example="0.02"),
    _bulk("setup_round_trips", NUMBER, "建立往返次数", "Round trips of setting up", "不能并行的往返次数；小文件多时填 文件数 × 每文件往返 ÷ 并行流数。", "Round trips nothing hides; with many small files: files × round trips each ÷ streams.", low=0, high=1e9, default=3.0, advanced=True, example="3"),
    _bulk("model_parameters", NUMBER, "检查点参数量", "Parameters of the checkpoint", "搬运检查点时填写，用于核对数据量。", "When a checkpoint is moved; the size is held against it.", above_zero=True, high=1e15, advanced=True, example="7e9"),
    _bulk("streams", INTEGER, "并行流数", "Parallel streams", "传输工具的并行流。", "Streams of the transfer tool.", low=1, high=1e5, default=32, advanced=True, example="32"),
)  # fmt: skip

SECTIONS: dict[str, tuple[Field, ...]] = {
    "training": TRAINING_FIELDS,
    "network": NETWORK_FIELDS,
    "fabric": FABRIC_FIELDS,
    "inference": INFERENCE_FIELDS,
    "bulk": BULK_FIELDS,
}
