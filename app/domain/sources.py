"""Where a formula, a threshold or a weight comes from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.text import Text


class SourceKind(StrEnum):
    """How strong a source is. `judgement` is our own opinion and says so wherever it is shown."""

    STANDARD = "standard"
    PUBLISHED = "published"
    MEASURED = "measured"
    VENDOR = "vendor"
    JUDGEMENT = "judgement"


@dataclass(frozen=True, slots=True)
class Source:
    """One source: stable id, kind, title in both languages and, where public, an address or a number."""

    id: str
    kind: SourceKind
    title: Text
    reference: str = ""

    def as_json(self) -> dict[str, object]:
        """The source as the API and the command line print it."""
        return {
            "id": self.id,
            "kind": self.kind.value,
            "title": self.title.as_json(),
            "reference": self.reference,
        }


def _source(id_: str, kind: SourceKind, zh: str, en: str, reference: str = "") -> Source:
    return Source(id_, kind, Text(zh, en), reference)


_STD, _PUB, _MEA, _JUD = SourceKind.STANDARD, SourceKind.PUBLISHED, SourceKind.MEASURED, SourceKind.JUDGEMENT

ARTICLE = _source(
    "article.lines",
    _PUB,
    "专线选型文章（用户提供）",
    "Dedicated-line selection article (supplied by the user)",
)
ARTICLE_CLUSTER = _source(
    "article.cluster",
    _PUB,
    "智算集群网络需求文章（用户提供）",
    "AI cluster network requirements article (supplied by the user)",
)
ARTICLE_CLOUD = _source(
    "article.cloud", _PUB, "上云专线文章（用户提供）", "Cloud dedicated-line article (supplied by the user)"
)
MEGATRON = _source(
    "megatron-2021",
    _PUB,
    "Narayanan 等：Megatron-LM 2021",
    "Narayanan et al., Megatron-LM 2021",
    "arXiv 2104.04473",
)
KORTHIKANTI = _source(
    "korthikanti-2022",
    _PUB,
    "Korthikanti 等：激活重算",
    "Korthikanti et al., activation recomputation",
    "arXiv 2205.05198",
)
ZERO = _source("zero-2019", _PUB, "Rajbhandari 等：ZeRO", "Rajbhandari et al., ZeRO", "arXiv 1910.02054")
NCCL_TESTS = _source("nccl-tests", _PUB, "nccl-tests 性能说明", "nccl-tests PERFORMANCE.md", "NVIDIA/nccl-tests")
GPIPE = _source("gpipe-2018", _PUB, "Huang 等：GPipe", "Huang et al., GPipe", "arXiv 1811.06965")
TREE = _source(
    "double-tree-2009",
    _PUB,
    "Sanders 等：双二叉树",
    "Sanders et al., double binary trees",
    "doi 10.1016/j.parco.2009.09.001",
)
STREAMING = _source(
    "streaming-diloco-2025",
    _PUB,
    "Streaming DiLoCo 及其耗时模型",
    "Streaming DiLoCo and its wall-clock model",
    "arXiv 2501.18512, 2503.09799",
)
DEEPSEEK = _source("deepseek-2025", _PUB, "DeepSeek-V3 架构剖析", "Insights into DeepSeek-V3", "arXiv 2505.09343")
MATHIS = _source(
    "mathis-1997", _PUB, "Mathis 等：TCP 吞吐", "Mathis et al., TCP throughput", "doi 10.1145/263932.264023"
)
RFC5348 = _source("rfc-5348", _STD, "RFC 5348（PFTK 公式）", "RFC 5348 (PFTK equation)", "RFC 5348")
RFC9438 = _source("rfc-9438", _STD, "RFC 9438（CUBIC）", "RFC 9438 (CUBIC)", "RFC 9438")
RFC8312 = _source("rfc-8312", _STD, "RFC 8312 表 1", "RFC 8312 Table 1", "RFC 8312")
RFC3393 = _source("rfc-3393", _STD, "RFC 3393（时延变化）", "RFC 3393 (IPDV)", "RFC 3393")
IEEE8023 = _source(
    "ieee-802.3",
    _STD,
    "IEEE 802.3 与封装头长度",
    "IEEE 802.3 and header lengths",
    "IEEE 802.3, RFC 7348, RFC 2784, RFC 4303, IEEE 802.1AE",
)
IBTA = _source("ibta-rocev2", _STD, "IBTA RoCEv2 附录 A17", "IBTA RoCEv2, Annex A17", "IBTA A17")
IBTA_TIMEOUT = _source(
    "ibta-ack-timeout",
    _STD,
    "InfiniBand 规范：本地 ACK 超时与重试次数",
    "InfiniBand specification, local ACK time-out and retry count",
    "IBTA volume 1, 9.7.6.1.3",
)
AVAILABLE_CYCLE = _source(
    "checkpoint-availability-2024",
    _PUB,
    "使可用性最大的检查点周期",
    "The checkpoint cycle of the highest availability",
    "arXiv 2410.18124",
)
GO_BACK_N = _source(
    "go-back-n",
    _PUB,
    "回退 N 帧教科书公式",
    "Textbook go-back-N",
    "Bertsekas and Gallager, Data Networks, 2.4",
)
FIBRE = _source("fibre-g652", _STD, "单模光纤群折射率 1.4682", "Single-mode fibre, group index 1.4682", "ITU-T G.652")
PFC_CISCO = _source("pfc-headroom", _PUB, "PFC 缓存余量白皮书", "PFC buffer headroom white paper", "IEEE 802.1Qbb")
ORDER_STATISTICS = _source(
    "order-statistics",
    _PUB,
    "正态顺序统计量",
    "Normal order statistics",
    "David and Nagaraja, Order Statistics",
)
AVAILABILITY_ALGEBRA = _source(
    "availability-algebra",
    _STD,
    "可用性串并联",
    "Availability of series and parallel systems",
    "ITU-T G.911, IEC 61078",
)
YOUNG = _source("young-1974", _PUB, "Young 检查点间隔", "Young, checkpoint interval", "doi 10.1145/361147.361115")
DALY = _source("daly-2006", _PUB, "Daly 检查点间隔", "Daly, checkpoint interval", "doi 10.1016/j.future.2004.11.016")
Y1541 = _source("itu-y1541", _STD, "ITU-T Y.1541 性能等级", "ITU-T Y.1541 network performance classes", "ITU-T Y.1541")
RULE_OF_THREE = _source(
    "binomial-bound",
    _PUB,
    "二项分布上限（三之法则）",
    "Binomial upper bound (rule of three)",
    "Clopper and Pearson 1934",
)
DECIMAL_PREFIX = _source("si-prefix", _STD, "SI 十进制前缀", "SI decimal prefixes", "ISO 80000-1")
SLA_SURVEY = _source("sla-survey", _MEA, "公开 SLA 文件的取值分布", "Ranges seen in public SLA documents")
RING = _source(
    "ring-2009",
    _PUB,
    "Patarasuk 与 Yuan：带宽最优的 AllReduce",
    "Patarasuk and Yuan, bandwidth-optimal all-reduce",
    "doi 10.1016/j.jpdc.2008.09.002",
)
IRN = _source(
    "irn-2018",
    _PUB,
    "Mittal 等：RDMA 的选择重传（IRN）",
    "Mittal et al., selective repeat for RDMA (IRN)",
    "arXiv 1806.08159",
)
BBR = _source("bbr-2016", _PUB, "Cardwell 等：BBR", "Cardwell et al., BBR", "doi 10.1145/3009824")
QUEUE = _source(
    "pollaczek-khinchine",
    _PUB,
    "Pollaczek–Khinchine 排队公式",
    "Pollaczek-Khinchine queueing formula",
    "Kleinrock, Queueing Systems I, 5.6",
)
DISTSERVE = _source(
    "distserve-2024",
    _PUB,
    "DistServe：预填充与解码分离",
    "DistServe, prefill and decode apart",
    "arXiv 2401.09670",
)
PREFILL_SERVICE = _source(
    "prfaas-2026",
    _PUB,
    "PrfaaS：跨数据中心的预填充服务",
    "PrfaaS, prefill as a service across data centres",
    "arXiv 2604.15039",
)
BIT_ERRORS = _source(
    "independent-bit-errors",
    _STD,
    "独立比特误码下的误帧率",
    "Frame loss from independent bit errors",
    "IEEE 802.3, RFC 3819 section 8.1",
)
PIPELINE_RUN = _source(
    "1f1b-simulation",
    _MEA,
    "自建 1F1B 离散事件仿真（测试中可重跑）",
    "Own 1F1B discrete-event run, repeated in the tests",
    "tests/domain/formulas/test_pipeline.py; arXiv 2510.12064",
)
ESNET = _source(
    "esnet-loss-test",
    _MEA,
    "ESnet：丢包对 TCP 吞吐的影响（实测）",
    "ESnet, measured TCP throughput under loss",
    "fasterdata.es.net",
)
BBR_TEST = _source(
    "bbr-dumazet",
    _MEA,
    "Dumazet：BBR 与 CUBIC 在 1 % 丢包下的实测",
    "Dumazet, BBR and CUBIC measured at 1% loss",
    "unix.stackexchange.com 71051",
)
GO_BACK_N_TEST = _source(
    "roce-loss-2019",
    _MEA,
    "Wang 等：RoCEv2 丢包实测",
    "Wang et al., RoCEv2 measured under loss",
    "doi 10.1109/ICCCN.2019.8846946",
)
NCCL_ISSUES = _source(
    "nccl-tests-issues",
    _MEA,
    "nccl-tests 公开讨论中的实测带宽",
    "Bandwidths measured in nccl-tests discussions",
    "NVIDIA/nccl-tests issues 119, 232, 319",
)
RING_TEST = _source(
    "ring-latency-test",
    _MEA,
    "8 字节环形 AllReduce 时延实测（16 至 64 卡）",
    "8-byte ring all-reduce measured on 16 to 64 ranks",
    "p3dn with EFA",
)
CALCULON = _source(
    "calculon", _MEA, "Calculon 仿真对照", "Calculon, compared run by run", "github.com/calculon-ai/calculon"
)
SDR_RDMA = _source(
    "sdr-rdma-2025",
    _PUB,
    "SDR-RDMA：长距 RDMA 的软件可靠性",
    "SDR-RDMA, reliability of long-haul RDMA in software",
    "arXiv 2505.05366",
)
NCCL_DOCS = _source(
    "nccl-environment",
    _PUB,
    "NCCL 环境变量说明",
    "NCCL environment variables",
    "NVIDIA NCCL documentation, NCCL_BUFFSIZE",
)
ECMP_BINS = _source(
    "occupancy",
    _PUB,
    "球盒模型：最满的盒",
    "Occupancy problem, the fullest bin",
    "Johnson and Kotz, Urn Models; RFC 2992",
)
JITTER_TEST = _source(
    "juniper-jitter-test",
    _MEA,
    "Juniper 抖动注入实测（32 张 A100）",
    "Juniper test with injected jitter, 32 A100",
    "read through Badu Networks",
)
INTELLECT = _source("intellect-1", _MEA, "INTELLECT-1 技术报告", "INTELLECT-1 technical report", "arXiv 2412.01152")
DEMO = _source("demo-2024", _PUB, "DeMo：解耦动量压缩", "DeMo, decoupled momentum", "arXiv 2411.19870")
RFC8754 = _source("rfc-8754", _STD, "RFC 8754（SRv6 段路由头）", "RFC 8754 (SRv6 header)", "RFC 8754")
RFC4303 = _source(
    "rfc-4303", _STD, "RFC 4303 与 RFC 4106（ESP、AES-GCM）", "RFC 4303 and 4106 (ESP, AES-GCM)", "RFC 4303"
)
ROUTES = _source(
    "rtt-survey",
    _MEA,
    "公开线路往返时延与大圆距离对照",
    "Published round trips against great circles",
    "robirahman/miri-decentralized-training-report",
)
LLAMA3 = _source("llama-3", _MEA, "Llama 3 训练中断统计", "Interruptions of the Llama 3 training", "arXiv 2407.21783")
TELECOM_500 = _source(
    "china-telecom-500km",
    _MEA,
    "中国电信 500 公里分布式训练试点",
    "China Telecom, training over 500 km",
    "developingtelecoms.com 18795",
)
TELECOM_120 = _source(
    "china-telecom-120km",
    _MEA,
    "中国电信 120 公里试点：断一路 800G 波长",
    "China Telecom, 120 km: one 800G wave lost",
    "meatechwatch.com 28249",
)
JUDGEMENT = _source("judgement", _JUD, "我方判断", "Judgement")

SOURCES: tuple[Source, ...] = tuple(v for v in list(globals().values()) if isinstance(v, Source))
