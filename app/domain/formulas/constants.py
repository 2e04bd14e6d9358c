"""Constants of nature and of protocols that the formulas use; nothing here is a threshold or a choice."""

from __future__ import annotations

from typing import Final

BITS_PER_BYTE: Final = 8

# Fibre: ITU-T G.652, group index 1.4682; rounded as the contract writes it (2 x 4.895 us/km).
FIBRE_RTT_PER_KM: Final = 9.79e-6  # s/km, there and back
FIBRE_DELAY_PER_KM: Final = FIBRE_RTT_PER_KM / 2  # s/km, one way

# Headers, bytes. IEEE 802.3 (frame 14 + FCS 4; preamble 8 + gap 12), RFC 791, 768, 9293, 7323, IBTA A17.
ETHERNET: Final = 18
PREAMBLE_AND_GAP: Final = 20
IPV4: Final = 20
UDP: Final = 8
TCP: Final = 20
TCP_TIMESTAMPS: Final = 12
BTH: Final = 12
ICRC: Final = 4
ROCE_OVERHEAD: Final = ETHERNET + PREAMBLE_AND_GAP + IPV4 + UDP + BTH + ICRC  # 82
IPV4_MTU_MIN: Final = 68  # RFC 791
IP_PACKET_MAX: Final = 65_535  # RFC 791, 16-bit length
IB_PAYLOAD_MIN: Final = 256  # IBTA, smallest path MTU
IB_TIMEOUT_UNIT: Final = 4.096e-6  # s, IBTA 11.2.4.2: the local ACK time-out is this times 2^x

# Bytes one encapsulation adds to a packet. A second MPLS label is a second `mpls`.
# ESP with AES-GCM: outer IPv4 20, SPI and sequence 8, IV 8, ICV 16, trailer 2, padding 0 to 3 counted as 2.
ENCAPSULATION_BYTES: Final[dict[str, int]] = {
    "vlan": 4,
    "qinq": 8,
    "vxlan": 50,
    "gre": 24,
    "mpls": 4,
    "ipsec_gcm": 56,
    "macsec": 32,
}

# TCP response functions.
MATHIS_CONSTANT: Final = 1.22  # sqrt(3/2), every packet acknowledged
STANDARD_TCP_CONSTANT: Final = 1.2  # RFC 8312 section 5.1
CUBIC_SCALING: Final = 0.4  # C, RFC 9438 section 5
CUBIC_DECREASE: Final = 0.7  # beta, RFC 9438 section 4.6
PFTK_RTO_IN_RTT: Final = 4  # RFC 5348 section 3.1
BBR_LOSS_TOLERATED: Final = 0.15  # design point of BBR v1
BBR_LOSS_COLLAPSE: Final = 0.20  # 1 - 1/1.25: the probing gain no longer makes up for what is lost

# Training state of mixed-precision Adam, bytes per parameter (ZeRO section 3.1).
ADAM_OPTIMIZER_BYTES: Final = 12  # FP32 master copy 4, momentum 4, variance 4
BF16_WEIGHT_BYTES: Final = 2
STATE_BYTES: Final = 16  # 2 weights + 2 gradients + 12 optimizer
SMALLEST_ADAM_STATE: Final = 14  # FP8 weights 1 + gradients 1 + 12
OPTIMIZER_SHARE: Final = 0.75  # 12 of 16, for recipes smaller than mixed-precision Adam
ZERO_OPTIMIZER: Final = 1  # ZeRO stage that splits the optimizer state
ZERO_GRADIENTS: Final = 2
ZERO_WEIGHTS: Final = 3
FSDP_PASSES: Final = 3  # weights gathered forward and backward, gradients scattered
TENSOR_ALLREDUCES: Final = 4  # per layer and micro-batch: 2 forward, 2 backward

# FLOP per parameter and token, Megatron-LM 2021.
FLOP_PER_PARAMETER_TOKEN: Final = 6  # 2 forward, 4 backward
FLOP_WITH_RECOMPUTE: Final = 8  # one more forward pass
GPT_VOCABULARY: Final = 51_200

BACKWARD_SHARE: Final = 2 / 3  # of a step's compute: the backward pass costs two forward passes
CONFIDENCE: Final = 0.95
