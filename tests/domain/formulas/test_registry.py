"""The registry against the contract, and every formula against bad input."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.formulas.formula import Dimension, Example, Formula, Input
from app.domain.formulas.registry import BY_ID, FORMULAS
from app.domain.problems import InputError, Problem
from app.domain.sources import SOURCES, ZERO
from app.domain.text import Text

# The contract's table, copied: id | inputs with their defaults | unit of the result.
CONTRACT = """
gradient_bytes | parameters, bytes_per_element, tensor_parallel=1, pipeline_parallel=1 | byte
training_state_bytes | parameters, bytes_per_parameter=16, zero_stage=0, data_parallel=1 | byte
ring_allreduce_bytes | size, ranks | byte
ring_allreduce_time | size, ranks, bandwidth, hop_latency | s
tree_allreduce_time | size, ranks, bandwidth, hop_latency | s
site_egress_data | size, sites | byte
site_egress_pipeline | tokens, hidden_size, bytes_per_element, cuts=1 | byte
site_egress_expert | tokens, hidden_size, moe_layers, experts_per_token, sites, dispatch_bytes=2, \
combine_bytes=2, deduplicated=0 | byte
line_allreduce_time | size, sites, bandwidth, efficiency=1, hop_latency=0 | s
article_per_gpu_bandwidth | parameters, bytes_per_element, step_compute_time, efficiency | bit/s
step_compute_time | active_parameters, tokens, gpus, peak_flops, mfu, flops_per_parameter_token=6 | s
local_sgd_utilization | parameters, layers, step_compute_time, sync_interval, bits, bandwidth, \
fragment_layers, overlap_steps=0, replicas=2 | 1
local_sgd_bandwidth | parameters, layers, step_compute_time, sync_interval, bits, target_utilization, \
fragment_layers, overlap_steps=0, replicas=2 | bit/s
pipeline_step_time | stages, micro_batches, cut_stage, one_way_delay, extra_warmup, forward_time, \
backward_time | s
header_efficiency | payload, overhead | 1
tcp_mss | mtu, encapsulation, timestamps=0 | byte
fibre_rtt_floor | distance | s
bandwidth_delay_product | bandwidth, rtt | byte
go_back_n_efficiency | packet_loss, bandwidth, rtt, mtu | 1
go_back_n_loss_limit | efficiency, bandwidth, rtt, mtu | 1
mathis_throughput | mss, rtt, packet_loss, constant=1.22 | bit/s
cubic_window | rtt, packet_loss | segments
cubic_throughput | mss, rtt, packet_loss | bit/s
pftk_throughput | mss, rtt, packet_loss, packets_per_ack=1 | bit/s
pfc_headroom | bandwidth, distance, mtu=0, response_time=0 | byte
oversubscription_ratio | access_bandwidth, uplink_bandwidth | 1
expected_maximum_normal | samples | sigma
allowed_downtime | availability, window | s
series_availability | availabilities, common_cause=0 | 1
parallel_availability | availabilities, common_cause=0 | 1
cluster_mtbf | unit_mtbf, units | s
young_interval | checkpoint_time, mtbf | s
daly_interval | checkpoint_time, mtbf | s
standard_tcp_window | packet_loss | segments
nccl_bus_bandwidth | size, time, ranks | byte/s
megatron_step_flops | layers, hidden_size, sequence_length, batch, vocabulary=51200, \
recompute=selective | FLOP
model_flops_utilization | flops, step_time, gpus, peak_flops | 1
training_time | parameters, tokens, gpus, achieved_flops, flops_per_parameter_token=8 | s
kv_bytes_per_token | layers, kv_heads, head_dimension, bytes_per_element, latent=0, rope=0 | byte
transfer_time | size, bandwidth, efficiency=1 | s
loss_upper_bound | packets, lost=0, confidence=0.95 | 1
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in CONTRACT.strip().splitlines()]

# What no number may be, for every input; an input refuses zero unless it says otherwise.
NEVER = [math.nan, math.inf, -math.inf, -1, -1e-9, 1e308, 10**400, True, "seven", object(), {}]


def refusal(formula: Formula, **changed: Any) -> InputError:
    """The error the formula gives for its example with some inputs changed."""
    with pytest.raises(InputError) as caught:
        formula(**{**formula.example.inputs, **changed})
    return caught.value


def outcome(formula: Formula, values: dict[str, Any]) -> float | Problem:
    """The result, or the first problem."""
    try:
        return formula(**values)
    except InputError as error:
        return error.problems[0]


@pytest.mark.parametrize(("name", "inputs", "unit"), ROWS, ids=[row[0] for row in ROWS])
def test_contract(name: str, inputs: str, unit: str) -> None:
    formula = BY_ID[name]
    ours = [i.name if i.default is None else f"{i.name}={i.default}" for i in formula.inputs]
    named = inputs.split(", ")
    assert ours[: len(named)] == named
    assert all(i.default is not None for i in formula.inputs[len(named) :])  # a formula may grow, by choice only
    assert formula.unit == unit


def test_contract_comes_first_and_in_order() -> None:
    assert [formula.id for formula in FORMULAS[: len(ROWS)]] == [row[0] for row in ROWS]
    assert len(BY_ID) == len(FORMULAS)


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.id)
class TestEveryFormula:
    def test_example_holds(self, formula: Formula) -> None:
        example = formula.example
        assert formula(**example.inputs) == pytest.approx(example.expected, rel=example.rel)
        assert example.origin

    def test_says_what_it_is(self, formula: Formula) -> None:
        assert formula.symbolic
        assert formula.source in SOURCES
        assert formula.function.__doc__
        for text in (formula.title, formula.validity, *(item.title for item in formula.inputs)):
            assert any("\u4e00" <= character <= "\u9fff" for character in text.zh)
            assert not any("\u4e00" <= character <= "\u9fff" for character in text.en)

    def test_unknown_input_is_named(self, formula: Formula) -> None:
        (problem,) = refusal(formula, nonsense=1).problems
        assert problem.code == "UNKNOWN_INPUT"
        assert problem.place == f"{formula.id}.nonsense"


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.id)
class TestEveryInput:
    def test_bad_value_is_refused(self, formula: Formula) -> None:
        for item in formula.inputs:
            for value in NEVER:
                given_value = [value] if item.dimension is Dimension.LIST else value
                problem = refusal(formula, **{item.name: given_value}).problems[0]
                assert problem.code in {"NOT_A_NUMBER", "NOT_A_CHOICE", "OUT_OF_RANGE"}, (item.name, value)
                assert problem.place == f"{formula.id}.{item.name}"
                assert item.name in problem.message.zh
                assert item.name in problem.message.en

    def test_missing_is_named(self, formula: Formula) -> None:
        for item in formula.inputs:
            problem = refusal(formula, **{item.name: None}).problems[0]
            assert (problem.code, problem.place) == ("MISSING_INPUT", f"{formula.id}.{item.name}")
            rest = {k: v for k, v in formula.example.inputs.items() if k != item.name}
            result = outcome(formula, rest)
            assert isinstance(result, Problem) is (item.default is None), item.name

    def test_zero_is_refused_or_means_something(self, formula: Formula) -> None:
        for item in formula.inputs:
            value = 0 if item.dimension is not Dimension.LIST else [0]
            result = outcome(formula, {**formula.example.inputs, item.name: value})
            if isinstance(result, Problem):
                assert result.code in {"OUT_OF_RANGE", "NOT_A_CHOICE", "NO_FINITE_RESULT"}, item.name
            else:
                assert math.isfinite(result), item.name

    def test_fraction_of_a_whole_number_is_refused(self, formula: Formula) -> None:
        for item in formula.inputs:
            if item.whole:
                assert "整数" in refusal(formula, **{item.name: 1.5}).problems[0].message.zh

    def test_advice_lies_inside_the_range(self, formula: Formula) -> None:
        for item in formula.inputs:
            low, high = item.advised_low or item.low, item.advised_high or item.high
            assert item.low <= low <= high <= item.high, item.name


@given(data=st.data(), formula=st.sampled_from(FORMULAS))
def test_no_input_in_range_gets_past_as_infinite(data: st.DataObject, formula: Formula) -> None:
    values: dict[str, Any] = {}
    for item in formula.inputs:
        if item.choices:
            words = st.sampled_from(item.choices)
            values[item.name] = data.draw(st.lists(words) if item.dimension is Dimension.LIST else words)
        elif item.dimension is Dimension.LIST:
            values[item.name] = data.draw(st.lists(st.floats(item.low, item.high)))
        else:
            low = 1e-30 if item.above_zero and item.low <= 0 else item.low
            top = min(item.high, 1e4) if item.whole else item.high
            number = data.draw(st.floats(low, top))
            values[item.name] = math.ceil(number) if item.whole else number
    result = outcome(formula, values)
    if isinstance(result, Problem):
        assert result.place.startswith(formula.id)
    else:
        assert math.isfinite(result)


class TestChecks:
    def test_every_bad_input_is_listed(self) -> None:
        with pytest.raises(InputError) as caught:
            BY_ID["transfer_time"](size=-1, bandwidth=0, efficiency=2)
        assert [p.code for p in caught.value.problems] == ["OUT_OF_RANGE"] * 3

    def test_a_list_may_be_text(self) -> None:
        pair = BY_ID["parallel_availability"]
        assert pair(availabilities="0.999, 0.999") == pair(availabilities=[0.999, 0.999])
        assert pair(availabilities=0.999) == pytest.approx(0.999)
        assert BY_ID["tcp_mss"](mtu=1500, encapsulation="vxlan,vlan") == 1406
        assert BY_ID["tcp_mss"](mtu=1500, encapsulation="") == 1460

    @pytest.mark.parametrize("value", ["0.9,x", "2", "-0.1", "nan"])
    def test_bad_list_entry(self, value: str) -> None:
        with pytest.raises(InputError):
            BY_ID["series_availability"](availabilities=value)

    def test_upper_bound_may_be_open(self) -> None:
        problem = refusal(BY_ID["md1_wait"], load=1).problems[0]
        assert "< 1" in problem.message.zh
        assert "< 1" in problem.message.en

    def test_function_that_fails_is_reported(self) -> None:
        formula = Formula(
            id="broken",
            title=Text("坏公式", "Broken"),
            function=lambda *, x: 1 / (x - x),
            inputs=(Input(name="x", dimension=Dimension.COUNT, title=Text("数", "x")),),
            result=Dimension.COUNT,
            symbolic="1/0",
            validity=Text("无", "none"),
            source=ZERO,
            example=Example(inputs={"x": 1}, expected=0, origin=""),
        )
        with pytest.raises(InputError, match="NO_FINITE_RESULT"):
            formula(x=1)


@pytest.mark.parametrize(
    ("name", "changed", "place"),
    [
        ("pipeline_step_time", {"cut_stage": 8}, "cut_stage"),
        ("local_sgd_utilization", {"fragment_layers": 2}, "fragment_layers"),
        ("local_sgd_bandwidth", {"overlap_steps": 5}, "overlap_steps"),
        ("loss_upper_bound", {"packets": 3, "lost": 4}, "lost"),
        ("kv_bytes_per_token", {"kv_heads": 0}, "latent"),
        ("kv_bytes_per_token", {"rope": 64}, "latent"),
        ("go_back_n_loss_need", {"target": 1e9}, "floor"),
        ("series_availability", {"availabilities": []}, "availabilities"),
        ("parallel_availability", {"availabilities": ""}, "availabilities"),
        ("tcp_mss", {"mtu": 100, "encapsulation": ["vxlan", "gre"]}, "mtu"),
        ("training_state_bytes", {"zero_stage": 4}, "zero_stage"),
        ("training_state_bytes", {"zero_stage": 1.5}, "zero_stage"),
    ],
)
def test_one_input_bounds_another(name: str, changed: dict[str, Any], place: str) -> None:
    (problem,) = refusal(BY_ID[name], **changed).problems
    assert problem.code == "OUT_OF_RANGE"
    assert problem.place == f"{name}.{place}"
