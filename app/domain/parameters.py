"""Every threshold and default of the model, once: value, unit, range, meaning and source.

No formula and no rule carries a bare constant; it takes it from here. Those that a buyer may change are read
through `app.domain.policy`; the report prints the default and the value used.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.domain import sources as s
from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number: `low`/`high` is the range in which it is plausible; `source` may be `judgement`."""

    id: str
    value: float
    unit: str
    low: float
    high: float
    source: s.Source
    meaning: Text

    def as_json(self) -> dict[str, object]:
        """The parameter as `linewise rules` and the API print it."""
        return {
            "id": self.id,
            "value": self.value,
            "unit": self.unit,
            "low": self.low,
            "high": self.high,
            "source": self.source.as_json(),
            "meaning": self.meaning.as_json(),
        }


def _p(id_: str, value: float, unit: str, low: float, high: float, source: s.Source, zh: str, en: str) -> Parameter:
    return Parameter(id_, value, unit, low, high, source, Text(zh, en))


# A row a parameter: id, value, unit, low, high, source, meaning.
# fmt: off
RESERVE = _p("reserve", 1.25, "1", 1.0, 3.0, s.ARTICLE, "目标带宽 = 下限 × 1.25，文章建议预留 20–30 %", "target = floor × 1.25; the article asks for 20–30 % in reserve")
ROUTE_FACTOR = _p("route_factor", 1.5, "1", 1.0, 4.0, s.JUDGEMENT, "光缆路由 ÷ 直线距离，陆地常见 1.3–1.6", "fibre route ÷ straight line; 1.3–1.6 is usual on land")
RTT_WITHOUT_DISTANCE = _p("rtt_without_distance", 0.010, "s", 0.001, 0.1, s.JUDGEMENT, "未填距离时的参考往返时延", "reference round-trip time when no distance is given")
DEFAULT_UTILIZATION = _p("default_utilization", 0.90, "1", 0.5, 0.99, s.JUDGEMENT, "未给目标时的利用率目标", "utilisation target when none is given")
BACKWARD_SHARE = _p("backward_share", 2 / 3, "1", 0.5, 0.75, s.MEGATRON, "反向计算占每步计算的份额", "share of a step's compute in the backward pass")
TARGET_TOLERANCE = _p("target_tolerance", 0.005, "1", 0.0, 0.05, s.JUDGEMENT, "按本报价预测超出目标不到此份额不判不通过，红线与封装取整由买方承担", "a prediction may miss the target by this share; lines are drawn net of headers and rounded")
JITTER_BUDGET = _p("jitter_budget", 0.01, "1", 0.001, 0.05, s.JUDGEMENT, "抖动最多可占单站每步时间的份额", "share of the step on one site that jitter may take")
RDMA_LOSS_CAP = _p("rdma_loss_cap", 1e-5, "1", 1e-9, 1e-3, s.ARTICLE, "RDMA 丢包率上限：文章红线 1×10⁻⁵", "loss cap for RDMA: the article's red line of 1e-5")
TCP_LOSS_CAP = _p("tcp_loss_cap", 1e-4, "1", 1e-6, 1e-2, s.Y1541, "TCP 训练丢包率上限", "loss cap for training over TCP" )
TCP_LOSS_CAP_LOOSE = _p("tcp_loss_cap_loose", 1e-3, "1", 1e-6, 1e-2, s.Y1541, "TCP 推理与搬运丢包率上限（Y.1541 0–4 级）", "loss cap for inference and bulk over TCP (Y.1541 classes 0–4)")
JITTER_GATE_BELOW = _p("jitter_gate_below", 0.010, "s", 0.001, 0.1, s.SLA_SURVEY, "抖动红线低于此值才作为门槛，即供应商常见的最大承诺", "jitter is a gate only below this limit, the highest figure vendors commonly give")
JITTER_MARK = _p("jitter_mark", 0.001, "s", 1e-5, 0.01, s.JUDGEMENT, "抖动 P99 标杆", "mark for the p99 jitter" )
BULK_JITTER = _p("bulk_jitter", 0.010, "s", 0.001, 0.1, s.SLA_SURVEY, "数据搬运的抖动上限", "jitter limit for bulk transfer")
INFERENCE_RTT_REFERENCE = _p("inference_rtt_reference", 0.005, "s", 0.001, 0.05, s.ARTICLE, "远程推理公开参考值，严格小于 5 ms，并非绝对值", "public reference for remote inference, strictly below 5 ms, not absolute")
ANCHOR_RATE = _p("anchor_rate", 400e9, "bit/s", 1e9, 1e13, s.ARTICLE, "文章的带宽锚点 400 Gbit/s", "the article's anchor of 400 Gbit/s")
ARTICLE_OVERSUBSCRIPTION = _p("article_oversubscription", 8, "1", 1, 64, s.ARTICLE, "文章举例的收敛比 8:1", "the article's oversubscription example of 8:1")
ARTICLE_RTT_STEP = _p("article_rtt_step", 100e-6, "s", 1e-6, 1e-2, s.ARTICLE, "文章：往返时延每增 100 µs", "the article: each further 100 µs of round-trip time")
ARTICLE_SMALL_MESSAGE = _p("article_small_message", 1.5e-6, "s", 1e-7, 1e-4, s.ARTICLE_CLUSTER, "文章引用的「1.5 µs 完成规约」", "the article's “all-reduce in 1.5 µs”")
AVAILABILITY_TRAINING = _p("availability_training", 0.999, "1", 0.99, 0.99999, s.JUDGEMENT, "训练：端到端月度可用性下限", "training: end-to-end monthly availability floor")
AVAILABILITY_LARGE = _p("availability_large", 0.9995, "1", 0.99, 0.99999, s.JUDGEMENT, "4,096 GPU 及以上的可用性下限", "availability floor from 4,096 GPUs")
LARGE_CLUSTER = _p("large_cluster", 4096, "1", 512, 100000, s.JUDGEMENT, "大集群起点（GPU 数）", "GPUs from which a cluster counts as large")
AVAILABILITY_INFERENCE = _p("availability_inference", 0.9995, "1", 0.99, 0.99999, s.JUDGEMENT, "推理：端到端月度可用性下限", "inference: end-to-end monthly availability floor")
AVAILABILITY_BULK = _p("availability_bulk", 0.995, "1", 0.9, 0.99999, s.SLA_SURVEY, "数据搬运：可用性下限", "bulk: availability floor")
STANDARD_OUTAGE = _p("standard_outage", 5 * 3600.0, "s", 3600, 86400, s.JUDGEMENT, "比较赔付用的标准中断：一个月内 5 小时", "standard outage for comparing credits: 5 hours in one month")
CREDIT_FLOOR = _p("credit_floor", 0.05, "1", 0.0, 1.0, s.JUDGEMENT, "标准中断应赔付月费的份额", "share of the monthly charge the standard outage should return")
CREDIT_CAP_FLOOR = _p("credit_cap_floor", 0.30, "1", 0.0, 1.0, s.SLA_SURVEY, "赔付上限不低于月费的份额", "least cap on credits as a share of the monthly charge")
CLAIM_FLOOR = _p("claim_floor", 30, "day", 1, 365, s.SLA_SURVEY, "申请期限不少于 30 天", "claim window of at least 30 days" )
REPAIR_TRAINING = _p("repair_training", 8 * 3600.0, "s", 1800, 172800, s.JUDGEMENT, "训练：恢复时限上限", "training: longest restoration time")
REPAIR_INFERENCE = _p("repair_inference", 4 * 3600.0, "s", 1800, 172800, s.SLA_SURVEY, "推理：恢复时限上限，最常见的承诺", "inference: longest restoration time, the commonest promise")
REPAIR_BULK = _p("repair_bulk", 24 * 3600.0, "s", 1800, 172800, s.SLA_SURVEY, "数据搬运：恢复时限上限", "bulk: longest restoration time")
REPAIR_ASSUMED = _p("repair_assumed", 4 * 3600.0, "s", 1800, 86400, s.SLA_SURVEY, "未给恢复时限时用于中断成本的假设", "assumed for the cost of outages when no restoration time is given")
FAILOVER_RDMA = _p("failover_rdma", 0.5, "s", 0.05, 30, s.IBTA, "RDMA 重传超时 14 时可容忍的中断", "outage that RDMA survives at a timeout exponent of 14")
FAILOVER_TCP = _p("failover_tcp", 30.0, "s", 1, 900, s.JUDGEMENT, "TCP 训练连接可容忍的中断，与通信库的超时同量级", "outage that a training job over TCP outlasts, of the order of its library's time-outs")
DETECTION = _p("detection", 60.0, "s", 0.5, 1800, s.JUDGEMENT, "作业发现线路中断所需时间；通信库看门狗默认 10–30 分钟", "time in which a job notices a dead line; the watchdog of a library waits 10 to 30 minutes by default")
OUTAGE_BUDGET = _p("outage_budget", 0.01, "1", 0.001, 0.05, s.JUDGEMENT, "线路中断最多可使作业损失的月时间份额", "share of the month that outages of the line may take from the job")
TAIL_AVAILABILITY = _p("tail_availability", 0.999, "1", 0.995, 0.9999, s.JUDGEMENT, "可用性未含接入时，每段接入的假设值", "assumed for each access tail where the availability leaves them out")
PORT_AVAILABILITY = _p("port_availability", 0.9995, "1", 0.999, 0.9999, s.SLA_SURVEY, "云端口可用性的假设值", "assumed for a cloud port")
PATH_AVAILABILITY = _p("path_availability", 0.999, "1", 0.995, 0.9999, s.JUDGEMENT, "双路径中单条路径的可用性，决定倒换次数", "availability of one of two paths, which gives the number of switchovers")
ARTICLE_AVAILABILITY = _p("article_availability", 0.999, "1", 0.999, 0.999, s.ARTICLE, "文章举例的可用性 99.9 %", "the article's example of 99.9 % availability")
ARTICLE_AVAILABILITY_HIGH = _p("article_availability_high", 0.9999, "1", 0.9999, 0.9999, s.ARTICLE, "文章举例的可用性 99.99 %", "the article's example of 99.99 % availability")
FAILOVER_INFERENCE = _p("failover_inference", 1.0, "s", 0.05, 30, s.JUDGEMENT, "推理可容忍的倒换时间，约一次首 token", "failover that inference survives, about one first token")
FAILOVER_BULK = _p("failover_bulk", 180.0, "s", 1, 600, s.JUDGEMENT, "数据搬运可容忍的倒换时间（BGP 保持时间）", "failover that bulk survives (BGP hold time)")
HEADROOM_BUFFER = _p("headroom_buffer", 64e6, "byte", 1e6, 1e9, s.JUDGEMENT, "片上共享缓存量级；余量超过它时须说明无损机制", "order of a shared on-chip buffer; beyond it the lossless mechanism must be named")
REDUNDANCY_GATE = _p("redundancy_gate", 1024, "1", 64, 100000, s.JUDGEMENT, "从此规模起双路径为门槛", "GPUs from which two paths are a gate")
DETOUR_FACTOR = _p("detour_factor", 2.5, "1", 1.5, 5, s.JUDGEMENT, "时延超过光纤下限的倍数时询问路由", "times the fibre limit beyond which the route is asked for")
STRAIGHT_ROUTE = _p("straight_route", 1.15, "1", 1.0, 1.5, s.ROUTES, "时延低于光纤下限的此倍数时索取路由图；公开最好线路为 1.06 倍", "times the fibre limit below which the fibre map is asked for; the best published route has 1.06")
SWITCH_DELAY = _p("switch_delay", 5.6e-6, "s", 1.5e-6, 1e-5, s.DEEPSEEK, "不超过此值的时延是交换机或小消息数值（64 字节实测 2.8–5.6 µs），不是线路", "a delay up to this is a figure of a switch or a small message (64 bytes measured at 2.8–5.6 µs), not of a line")
NIC_RATE = _p("nic_rate", 400e9, "bit/s", 25e9, 1.6e12, s.ARTICLE, "未填网卡速率时的假设", "assumed rate of a NIC when none is given")
SCALE_UP = _p("scale_up", 8, "1", 1, 576, s.ARTICLE_CLUSTER, "未填纵向扩展域时的假设：每台服务器 8 块 GPU", "assumed scale-up domain when none is given: 8 GPUs a server")
SWITCH_CAPACITY = _p("switch_capacity", 102.4e12, "bit/s", 12.8e12, 204.8e12, s.JUDGEMENT, "目前最大的单芯片交换容量；一台叶或脊的端口合计不能超过它", "largest single-chip switch at present; the ports of one leaf or spine cannot add up to more")
FIELD_RATIO = _p("field_ratio", 32, "1", 32, 32, s.TELECOM_500, "公开试点中网卡合计与线路之比，仍保持单站效率的 97 %", "sum of NICs over the line in a published pilot that kept 97% of one site's efficiency")
FIELD_KEPT = _p("field_kept", 0.97, "1", 0.97, 0.99, s.TELECOM_500, "该试点保持的效率（下限）", "efficiency kept in that pilot, low end")
PFC_SPREAD = _p("pfc_spread", 0.30, "1", 0.10, 0.50, s.ARTICLE_CLUSTER, "情景：PFC 拥塞扩散使可用带宽减少的份额；文章给 30 % 以上", "scenario: share of the rate that spreading PFC congestion takes; the article says 30% and more")
WAVE_RATE = _p("wave_rate", 400e9, "bit/s", 100e9, 1.6e12, s.JUDGEMENT, "情景：一路波长的速率", "scenario: rate of one wave")
WAVE_LOSS = _p("wave_loss", 0.40, "1", 0.40, 1.0, s.TELECOM_120, "情景：断一路 800G 波长时算力效率的损失（至少）", "scenario: computing efficiency lost when one 800G wave fails, at least")
FLOW_SPREAD = _p("flow_spread", 4, "1", 1, 16, s.JUDGEMENT, "情景：同时活跃的大流数可能多或少的倍数", "scenario: times by which the large flows at work may be more or fewer")
DETOUR_RTT = _p("detour_rtt", 2.0, "1", 1.2, 4.0, s.JUDGEMENT, "情景：倒换到备用路由后往返时延的倍数", "scenario: times the round trip on the other route after switching")
MEAN_TO_TAIL = _p("mean_to_tail", 1.5, "1", 1.0, 3.0, s.JUDGEMENT, "只有均值且无抖动时，尾部时延按均值的 1.5 倍计", "tail of the round-trip time when only a mean and no jitter is given")
REVERSE_SHARE = _p("reverse_share", 0.10, "1", 0.01, 1.0, s.JUDGEMENT, "推理与搬运：反方向不低于 10 %（确认与控制）", "inference and bulk: the other direction carries at least 10 % (acknowledgements, control)")
GO_BACK_N_COLLAPSE = _p("go_back_n_collapse", 1e-3, "1", 1e-4, 1e-2, s.IRN, "丢包率超过此值时回退重传实测接近不可用", "packet loss ratio above which go-back-N was measured as close to unusable")
NCCL_CHANNELS = _p("nccl_channels", 32, "1", 1, 64, s.NCCL_TESTS, "未调优时的通道数", "channels when nothing is tuned" )
NCCL_BUFFER = _p("nccl_buffer", 4 * 2**20, "byte", 2**19, 2**26, s.NCCL_TESTS, "未调优时每通道缓冲", "buffer per channel when nothing is tuned")
CONGESTION_CAP = _p("congestion_cap", 0.9, "1", 0.5, 1.0, s.JUDGEMENT, "多流 TCP 的拥塞丢包使其不超过 90 %", "several TCP streams stop at 90 %: their losses are not independent")
PLATFORM_SHARE = _p("platform_share", 0.60, "1", 0.0, 1.0, s.JUDGEMENT, "第四步须得满分的 60 %", "step 4 needs 60 % of its points")
CONFIDENCE_FLOOR = _p("confidence_floor", 0.9, "1", 0.0, 1.0, s.JUDGEMENT, "未确认且把握低于此值的读数不能决定门槛", "an unconfirmed reading below this confidence decides no gate")
REPLY_BURST = _p("reply_burst", 1.5, "1", 1.0, 5.0, s.JUDGEMENT, "推理流量突发系数", "burst factor of inference traffic" )
PROMPT_BYTES = _p("prompt_bytes", 4, "byte", 2, 8, s.JUDGEMENT, "每个提示 token 的字节数", "bytes per prompt token" )
ROUND_TRIPS_WARM = _p("round_trips_warm", 1, "1", 1, 3, s.JUDGEMENT, "热连接的往返次数", "round trips on a warm connection" )
ROUND_TRIPS_COLD = _p("round_trips_cold", 3, "1", 2, 4, s.JUDGEMENT, "冷连接的往返次数（TCP 与 TLS 握手）；用于区间下端", "round trips on a cold connection (TCP and TLS); used at the low end of the band")
WAIT_QUANTILE = _p("wait_quantile", 0.95, "1", 0.5, 0.999, s.JUDGEMENT, "判定首 token 时延所用的分位", "quantile of the wait by which the time to first token is judged")
RETRY_DOUBT = _p("retry_doubt", 0.05, "1", 0.02, 0.1, s.JUDGEMENT, "搬运时重发的份额（区间下端）；常见 2–5 %", "share of a bulk move sent again at the low end of the band; 2 to 5 % is usual")
PROMPT_VARIATION_DOUBT = _p("prompt_variation_doubt", 1, "1", 0, 2, s.JUDGEMENT, "区间下端的提示长度变异系数：长短不一时 KV 等待加倍", "variation of the prompt length at the low end of the band: unequal prompts double the wait of caches")
HIDDEN_ASSUMED = _p("hidden_assumed", 8192, "1", 4096, 16384, s.JUDGEMENT, "流水线跨站而未填隐藏维度时的假设", "hidden size assumed for a decode cut by the line when none is given")
CHECKPOINT_LOW = _p("checkpoint_low", 12, "byte", 2, 16, s.ZERO, "完整检查点每参数至少字节", "least bytes per parameter of a full checkpoint")
CHECKPOINT_HIGH = _p("checkpoint_high", 16, "byte", 12, 20, s.ZERO, "完整检查点每参数至多字节", "most bytes per parameter of a full checkpoint")
LINK_EFFICIENCY = _p("link_efficiency", 0.93, "1", 0.8, 1.0, s.NCCL_TESTS, "大消息的线路效率", "line efficiency of large messages")
HOURS_PER_MONTH = _p("hours_per_month", 730, "h", 672, 744, s.JUDGEMENT, "每月小时数 8,760 ÷ 12", "hours per month, 8,760 ÷ 12" )
DUTY = _p("duty", 1, "1", 0.01, 1, s.JUDGEMENT, "任务占月时间的份额", "share of the month the job runs")
ARTICLE_EFFICIENCY = _p("article_efficiency", 0.7, "1", 0.1, 1, s.ARTICLE_CLUSTER, "文章的并行通信效率", "the article's parallel communication efficiency")
ARTICLE_GRADIENT_BYTES = _p("article_gradient_bytes", 4, "byte", 1, 8, s.ARTICLE_CLUSTER, "文章的梯度字节数（FP32）", "the article's gradient bytes (FP32)")
HORIZON = _p("horizon_months", 24, "month", 1, 120, s.JUDGEMENT, "成本比较期", "months over which cost is compared" )
HALF_FLOOR = _p("half_floor", 0.5, "1", 0.1, 1.0, s.JUDGEMENT, "换一种方案的下限不高于一半时给出建议", "another placement is advised when its floor is at most half")
EXPERT_RTT = _p("expert_rtt", 0.001, "s", 1e-4, 1e-2, s.JUDGEMENT, "专家并行跨站可接受的往返时延", "round-trip time up to which experts may cross the line")
OVERLAP_DOUBT = _p("overlap_doubt", 1.05, "1", 1.0, 2.0, s.JUDGEMENT, "少一级重叠使下限升高超过此倍数时提示", "said when one setting less of overlap raises the floor by more than this factor")
LOCAL_INTERVAL = _p("local_interval", 100, "1", 1, 1000, s.STREAMING, "公开结果中收敛质量接近的同步间隔（步）", "steps between exchanges up to which published runs stay near parity")
LOCAL_OVERLAP = _p("local_overlap", 5, "1", 0, 30, s.STREAMING, "公开结果中可容忍的延迟步数", "steps of delay up to which published runs stay near parity")
COMMON_CAUSE_PROVEN = _p("common_cause_proven", 0.02, "1", 0.0, 0.5, s.JUDGEMENT, "路由分离有证明时的共因份额", "common-cause share of proven diverse paths")
COMMON_CAUSE_UNPROVEN = _p("common_cause_unproven", 0.1, "1", 0.0, 1.0, s.JUDGEMENT, "未证明分离时的共因份额", "common-cause share of paths not proven diverse")
COMMON_CAUSE_SHARED = _p("common_cause_shared", 0.5, "1", 0.2, 1.0, s.JUDGEMENT, "同沟同缆时的共因份额", "common-cause share of paths in one duct")

# fmt: on
PARAMETERS: tuple[Parameter, ...] = tuple(v for v in list(globals().values()) if isinstance(v, Parameter))
BY_ID: dict[str, Parameter] = {p.id: p for p in PARAMETERS}
