"""Which way every result goes when one input grows; all other inputs are drawn over their whole range."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.formulas.formula import Dimension, Formula, Input
from app.domain.formulas.registry import BY_ID
from tests.domain.formulas.test_any_input import judged, log_uniform, proper

# What an engineer expects: + never falls when the input grows, - never rises. Inputs left out have no such law
# (the number of fragments, a checkpoint interval with its optimum, the padding of a packet, a list or a word).
LAWS = """
gradient_bytes: parameters+ bytes_per_element+ tensor_parallel- pipeline_parallel-
training_state_bytes: parameters+ bytes_per_parameter+ zero_stage- data_parallel-
ring_allreduce_bytes: size+ ranks+
ring_allreduce_time: size+ ranks+ bandwidth- hop_latency+
tree_allreduce_time: size+ ranks+ bandwidth- hop_latency+
site_egress_data: size+ sites+
site_egress_pipeline: tokens+ hidden_size+ bytes_per_element+ cuts+
site_egress_expert: tokens+ hidden_size+ moe_layers+ experts_per_token+ dispatch_bytes+ combine_bytes+
line_allreduce_time: size+ sites+ bandwidth- efficiency- hop_latency+
article_per_gpu_bandwidth: parameters+ bytes_per_element+ step_compute_time- efficiency-
step_compute_time: active_parameters+ tokens+ gpus- peak_flops- mfu- flops_per_parameter_token+
local_sgd_utilization: parameters- step_compute_time+ bits- bandwidth+ replicas- latency-
local_sgd_bandwidth: parameters+ step_compute_time- bits+ target_utilization+ replicas+ latency+
pipeline_step_time: micro_batches+ cut_stage+ one_way_delay+ extra_warmup- forward_time+ backward_time+
header_efficiency: payload+ overhead-
tcp_mss: mtu+ timestamps-
fibre_rtt_floor: distance+
bandwidth_delay_product: bandwidth+ rtt+
go_back_n_efficiency: packet_loss- bandwidth- rtt- mtu+
go_back_n_loss_limit: efficiency- bandwidth- rtt- mtu+
mathis_throughput: mss+ rtt- packet_loss- constant+
cubic_window: rtt+ packet_loss-
cubic_throughput: mss+ rtt- packet_loss-
pftk_throughput: mss+ rtt- packet_loss- packets_per_ack-
pfc_headroom: bandwidth+ distance+ mtu+ response_time+
oversubscription_ratio: access_bandwidth+ uplink_bandwidth-
expected_maximum_normal: samples+
allowed_downtime: availability- window+
series_availability: common_cause+
cluster_mtbf: unit_mtbf+ units-
young_interval: checkpoint_time+ mtbf+
daly_interval: checkpoint_time+ mtbf+
standard_tcp_window: packet_loss-
nccl_bus_bandwidth: size+ time- ranks+
megatron_step_flops: layers+ hidden_size+ sequence_length+ batch+ vocabulary+
model_flops_utilization: flops+ step_time- gpus- peak_flops-
allowed_step_time: deadline+ tokens- tokens_per_step+
training_time: parameters+ tokens+ gpus- achieved_flops- flops_per_parameter_token+
kv_bytes_per_token: layers+ kv_heads+ head_dimension+ bytes_per_element+
transfer_time: size+ bandwidth- efficiency-
loss_upper_bound: packets- lost+ confidence+
article_cluster_volume: parameters+ bytes_per_element+ gpus+
article_expert_volume: tokens+ experts_per_token+ bytes_per_dispatch+
ddp_step_bytes: size+ data_parallel+
zero2_step_bytes: size+ data_parallel+ micro_batches+
zero3_step_bytes: size+ data_parallel+ micro_batches+
tensor_layer_bytes: tensor_parallel+ sequence_length+ hidden_size+ bytes_per_element+ micro_batch+
tensor_line_wait: layers+ rtt+
expert_layer_bytes: tokens+ hidden_size+ experts_per_token+ dispatch_bytes+ combine_bytes+
pipeline_crossings: chunks+
pipeline_break_even: tokens+ hidden_size+ gradient_bytes- activation_bytes+
activation_bytes: sequence_length+ hidden_size+ heads+ tensor_parallel- micro_batch+
ring_scatter_bytes: size+ ranks+
ring_scatter_time: size+ ranks+ bandwidth- hop_latency+
tree_allreduce_bytes: size+
halving_doubling_time: size+ ranks+ bandwidth- hop_latency+
all_to_all_bytes: size+ ranks+
all_to_all_time: size+ ranks+ bandwidth- hop_latency+
broadcast_time: size+ bandwidth- hop_latency+
message_rate: size+ bandwidth+ hop_latency-
scatter_bus_bandwidth: size+ time- ranks+
node_bandwidth: nics+ bandwidth+
two_level_allreduce_time: size+ ranks_per_site+ local_bandwidth- local_hop_latency+ sites+ bandwidth-
    hop_latency+
message_hop: rtt+ software+
mesh_lines: sites+
route_factor: rtt+ distance-
normal_maximum_bound: samples+
jitter_rounds: sites+ micro_batches+ layers+ sync_interval-
mesh_line_bytes: size+ sites-
mesh_allreduce_time: size+ sites- bandwidth- hop_latency+
one_shot_exchange_bytes: size+ sites+
one_shot_exchange_time: size+ bandwidth- hop_latency+
flat_ring_border_bytes: size+ ranks+
flat_ring_latency: ranks+ one_way_delay+
wrong_order_border_bytes: size+ ranks+ sites- crossings+
site_egress_fsdp: size+ sites+ micro_batches+
site_egress_tensor: layers+ tokens+ tensor_parallel+ hidden_size+ bytes_per_element+
site_egress_local_sgd: parameters+ bits+ sites+
model_step_time: flops+ gpus- peak_flops- mfu-
token_rate: sequence_length+ batch+ step_time-
one_site_efficiency: split+ one_site-
observed_mtbf: window+ failures-
local_sgd_stall: size+ bandwidth- step_compute_time- layers- hops+ one_way_delay+
local_sgd_share: step_compute_time+ sync_interval+ stall-
streaming_peak_bytes: size+ fragments-
local_sgd_mean_bytes: size+ sync_interval-
compressed_bytes: size+ width_ratio+ kept+ index_ratio+
compressed_sync_time: size+ reduction- bandwidth- codec_rate-
compressed_gather_bytes: size+ sites+
traffic_reduction: before+ after-
pipeline_message_bytes: sequence_length+ hidden_size+ bytes_per_element+ micro_batch+
pipeline_plain_time: stages+ micro_batches+ forward_time+ backward_time+
pipeline_bubble_share: stages+ micro_batches- chunks-
pipeline_hop_delay: one_way_delay+ size+ bandwidth-
pipeline_warmup_needed: one_way_delay+ forward_time- backward_time-
pipeline_rate_floor: size+ forward_time-
overlap_cover: backward_time+ micro_batches- layers+ overlapped+
sync_budget: step_time+ utilization- cover+ steps+
bandwidth_floor: size+
sync_time: size+ bandwidth- hops+ rtt+ jitter_delay+
exposed_time: sync+ cover- layers-
utilization: step_time+ exposed- steps+
rtt_limit: size- bandwidth+ hops- budget+
window_rtt_limit: bandwidth- window+ streams+
oversubscription_limit: bandwidth+ efficiency+ floor-
window_rate: size+ window-
request_rate: requests+ size+ burst+
rdma_payload: payload+ mtu+
roce_path_mtu: payload+
srv6_bytes: segments+
route_rtt: distance+ route_factor+ equipment+
fibre_distance_limit: rtt+
window_throughput: window+ rtt-
go_back_n_loss_need: floor- target+ payload+ rtt-
selective_repeat_efficiency: packet_loss-
selective_repeat_loss_limit: efficiency-
bbr_throughput: bandwidth+ packet_loss-
go_back_n_packets_at_risk: packet_loss+ bandwidth+ rtt+ mtu-
go_back_n_usable_efficiency: packet_loss- bandwidth- rtt- mtu+
selective_repeat_rounds: packets+ packet_loss+
rdma_timeout: exponent+ retries+
selective_repeat_message_time: size+ bandwidth- rtt+ packet_loss+ mtu- timeout+
erasure_overhead: data_packets- parity_packets+
erasure_block_failure: data_packets+ parity_packets- packet_loss+
erasure_message_time: size+ bandwidth- data_packets- parity_packets+
mathis_loss_limit: mss+ rtt- bandwidth- constant+
cubic_loss_limit: mss+ rtt- bandwidth-
nccl_buffer_rate: channels+ rtt- buffer+
tcp_buffer_rate: buffer+ rtt- streams+ usable+
window_needed: bandwidth+ rtt+ streams-
tcp_streams_needed: bandwidth+ stream_rate-
tcp_aggregate_throughput: streams+ stream_rate+ bandwidth+
transport_goodput: bandwidth+ efficiency+ window+ rtt- loss_rate+ streams+
pfc_distance_limit: buffer+ bandwidth- mtu- response_time-
jitter_step_delay: rounds+ sigma+ flows+
jitter_sigma_limit: budget+ rounds- flows-
expected_maximum_exponential: samples+ mean+
expected_maximum_pareto: samples+ least+ tail_index-
jitter_sigma: jitter+
jitter_excess: tail+ slack-
jitter_linear_time: base_time+ jitter+ slope+
rtt_rise_cost: hops+ rtt_rise+
fair_share: bandwidth+ oversubscription- active-
expected_fullest_path: flows+ paths-
hashing_loss: flows- paths+
burst_rate: mean_rate+ peak_to_mean+ reserve+
leaf_switches: gpus+ gpus_per_server- servers_per_leaf-
tier_oversubscription: down_ports+ down_rate+ up_ports- up_rate-
fabric_ports: leaves+ down_ports+
spine_ports: leaves+ up_ports+ spines-
elastic_break_even_size: base_rate+ burst_rate- switch_time+
proof_samples: bound- confidence+
worst_month_availability: availability+ months-
repair_availability: mtbf+ repair_time-
k_of_n_availability: availability+ needed-
longest_outage: availability- window+ windows+
maintenance_availability: availability+ maintenance- window+
end_to_end_availability: network+ tail+ tails- port+ ports-
rdma_tolerance: retries+ exponent+
outage_count: availability- window+ repair_time-
job_mtbf: unit_mtbf+ units- outages- window+
stall_loss: outages+ length+ sites-
restart_loss: outages+ length+ interval+ restart_time+ detection_time+
availability_need: share- interval+ restart_time+ detection_time+ sites-
lost_gpu_hours: gpus+ lost+
outage_credit: outage+ window- cap+
pro_rata_credit: outage+ window- cap+
available_cycle: checkpoint_time+ mtbf+ restart_time+
expected_run_time: work_time+ checkpoint_time+ restart_time+ mtbf-
gpu_waste_share: checkpoint_time+ restart_time+ mtbf- detection_time+
md1_wait: load+ service_time+
time_to_first_token: round_trips+ rtt+ prefill+ queue+ kv_exposed+
kv_transfer_exposed: transfer+ prefill- layers- one_way_delay+
frame_loss_from_bit_error_ratio: bit_error_ratio+ frame_bytes+
article_group_volume: size+ data_parallel-
article_per_gpu_load: expert_volume+ group_volume+ step_time-
article_ring_round_trips: ranks+
article_ring_latency: ranks+ rtt+
"""
ROWS = dict(re.findall(r"^(\w+):((?:\s+\w+[+-])+)", LAWS, re.MULTILINE))
CASES = [(name, law[:-1], law[-1] == "+") for name, laws in ROWS.items() for law in laws.split()]
ROUNDING = 1e-9  # relative; and below 1e-13 where a result is a difference of nearly equal terms


def size(item: Input) -> st.SearchStrategy[float]:
    """A number of the input, kept below 1e15 so that products stay finite."""
    if item.whole:
        return st.integers(int(item.low), int(min(item.high, max(300, 2 * item.low))))
    low = max(item.low, 1e-12)
    return log_uniform(low, min(item.high, 1e15) * (1 - 1e-9))


def pair(name: str, law: str, data: st.DataObject) -> tuple[float | None, float | None]:
    """The results at two sizes of one input, smaller first; None where the inputs contradict each other."""
    formula: Formula = BY_ID[name]
    values = {
        item.name: data.draw(proper(item) if item.dimension in (Dimension.WORD, Dimension.LIST) else size(item))
        for item in formula.inputs
    }
    moved = next(item for item in formula.inputs if item.name == law)
    one, two = sorted((values[law], data.draw(size(moved))))
    return judged(formula, {**values, law: one}), judged(formula, {**values, law: two})


@pytest.mark.parametrize(("name", "law", "rises"), CASES, ids=[f"{name}-{law}" for name, law, _ in CASES])
@given(data=st.data())
@settings(max_examples=10)
def test_goes_the_way_it_should(name: str, law: str, rises: bool, data: st.DataObject) -> None:
    one, two = pair(name, law, data)
    if one is None or two is None:
        return
    least, most = (one, two) if rises else (two, one)
    assert least <= most * (1 + ROUNDING) + 1e-13


def test_the_laws_are_about_inputs_that_exist() -> None:
    for name, law, _ in CASES:
        assert law in {item.name for item in BY_ID[name].inputs}
