"""Which letter of a symbolic form stands for which input, so that figures can be put in their places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from app.domain.formulas.formula import Formula

# Input -> the letters it goes by, first choice first; its own name, where the form spells it out, comes before all.
_LETTERS: Final[dict[str, str]] = {
    "access_bandwidth": "access", "achieved_flops": "X", "activation_bytes": "b_act", "active": "a",
    "active_parameters": "P_act", "availability": "A", "backward_time": "tb T_bwd", "bandwidth": "C W B B_nic",
    "base_rate": "base", "base_time": "T_0", "batch": "B", "bit_error_ratio": "b", "budget": "B", "buffer": "B",
    "burst_rate": "burst", "bytes_per_dispatch": "bytes", "bytes_per_element": "b", "bytes_per_parameter": "B",
    "checkpoint_time": "δ", "chunks": "v", "codec_rate": "R", "combine_bytes": "b_c", "common_cause": "β",
    "constant": "C", "crossings": "r", "cut_stage": "c", "cuts": "c", "data_packets": "K", "data_parallel": "d",
    "detection_time": "t", "dispatch_bytes": "b_d", "distance": "km", "down_ports": "n_down",
    "down_rate": "R_down", "efficiency": "η", "equipment": "t", "expert_volume": "V_a2a",
    "experts_per_token": "K", "exponent": "x", "exposed": "T_exposed", "extra_warmup": "e", "flops": "F",
    "flops_per_parameter_token": "c", "flows": "f", "forward_time": "tf", "fragments": "F", "frame_bytes": "n",
    "gpus": "N", "gpus_per_server": "g", "gradient_bytes": "b_grad", "group_volume": "V_dp", "groups": "n",
    "head_dimension": "d", "heads": "a", "hidden_size": "h", "hop_latency": "a", "index_ratio": "idx",
    "instances": "n", "interval": "τ", "jitter": "J", "kept": "ρ", "kv_bytes": "KV", "kv_exposed": "KV",
    "kv_heads": "heads", "layers": "L l", "lines": "n", "least": "x_m", "load": "ρ", "local_bandwidth": "B_l",
    "local_hop_latency": "a_l", "loss_rate": "R", "mean": "μ", "mean_rate": "mean", "mean_wait": "W",
    "mfu": "MFU", "micro_batch": "mb", "micro_batches": "m", "moe_layers": "L", "months": "n", "mss": "MSS",
    "mtbf": "M MTBF", "mtu": "MTU", "needed": "k", "nics": "n", "one_site": "x_1", "outages": "n", "one_way_delay": "D",
    "oversubscription": "r", "packet": "n", "packet_loss": "p", "packets": "n q", "packets_per_ack": "b",
    "parameters": "P", "parity_packets": "r", "paths": "g", "peak_flops": "peak", "peak_to_mean": "k",
    "pipeline_parallel": "p", "prefill": "T_prefill", "quantile": "q", "ranks": "N", "ranks_per_site": "n",
    "reduction": "r", "repair_time": "MTTR", "requests": "rps", "response_time": "t", "restart_time": "R",
    "retry_share": "r", "round_trips": "n", "route_factor": "f", "rtt": "RTT", "rtt_rise": "ΔRTT",
    "samples": "n", "segments": "n", "sequence_length": "s", "servers": "c", "servers_per_leaf": "s",
    "service_time": "s", "share": "P", "sigma": "σ", "sites": "k", "size": "S V' V E bytes total",
    "split": "x_k", "stages": "p", "step_compute_time": "T T_step", "step_time": "T T_ref", "steps": "H",
    "stream_rate": "R R_1", "streams": "f", "switch_time": "t", "sync": "T_sync", "sync_interval": "H",
    "tail_index": "a", "target_utilization": "target", "tensor_parallel": "t", "time": "t", "timeout": "RTO",
    "tokens": "G", "tokens_per_step": "G", "transfer": "T_kv", "unit_mtbf": "M₁", "units": "N",
    "up_ports": "n_up", "up_rate": "R_up", "uplink_bandwidth": "uplink", "usable": "u", "utilization": "U",
    "vocabulary": "V", "width_ratio": "w",
}  # fmt: skip
_OTHER: Final = {
    ("mathis_loss_limit", "bandwidth"): "B",
    ("mg1_wait", "variation"): "c",
    ("backward_time", "share"): "share",
    ("jitter_budget", "share"): "share",
    ("promised_sigma", "quantile"): "q",
    ("payload_rate", "header_efficiency"): "η_header",
    ("go_back_n_paced_rate", "header_efficiency"): "η_header",
    ("payload_rate", "loss_efficiency"): "η_loss",
    ("window_rtt_limit", "window"): "wnd",
    ("sync_time", "jitter_delay"): "n·σ·z(flows)",
    ("oversubscription_limit", "efficiency"): "η_header · η_loss",
}
_JOINED: Final = "A-Za-zΑ-Ωα-ω_'"  # what before or after makes a letter part of a longer name


def token(letter: str) -> re.Pattern[str]:
    """Finds a letter of a symbolic form where it stands by itself; a figure may come directly before it."""
    return re.compile(rf"(?<![{_JOINED}]){re.escape(letter)}(?![{_JOINED}0-9₀-₉])")


def right_side(symbolic: str) -> str:
    """The form after what it defines: `V = …`, or `p: …` for an equation that is solved for p."""
    return re.split(r"\s[=≈]\s|^\w+: ", symbolic, maxsplit=1)[-1]


def symbols_of(formula: Formula) -> dict[str, str]:
    """Letter of every input that has one in the symbolic form, in the order of the inputs."""
    form = right_side(formula.symbolic)
    found: dict[str, str] = {}
    for item in formula.inputs:
        given = _OTHER.get((formula.id, item.name))
        letters = [given] if given else [item.name, *_LETTERS.get(item.name, "").split()]
        letter = next((x for x in letters if x not in found.values() and token(x).search(form)), None)
        if letter:
            found[item.name] = letter
    return found
