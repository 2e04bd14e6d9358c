"""Workloads: presets, contradictions and absurd input."""

from __future__ import annotations

import pytest

from app.domain.policy import parse_policy
from app.domain.presets import PRESETS
from app.domain.problems import InputError
from app.domain.requirement import derive
from app.domain.workload import parse_workload
from tests.domain.examples import workload

# Floors by hand: B as in the contract, cover with its (1 − 1/L); rates in Gbit/s.
FLOORS = {
    # T 4.9011 s; cover (2/3)·4.9011/4·(31/32) = 0.79132; B = 0.54457 + 0.79132 = 1.33589; 112e9/(1.33589 − 0.00073)
    "7b_article": 83.88,
    "7b_local_sgd": 0.9348,  # B = 220 · 4.9011/9 = 119.805; 112e9 / (119.805 − 0.0007)
    "175b_data": 280.21,
    # exposed ≤ 1.51533 s over 62 one-way delays = 24.441 ms each; less 3.671 ms: 20.770 ms for 100.66 MB
    "175b_pipeline": 38.77,
    "175b_1024": 158.17,  # B = 2.5527 + 15.156 = 17.709; 2.8e12 / (17.709 − 0.0073)
    "70b_three_sites": 148.90,  # B = 1.4503 + 8.5930 = 10.0433; 1.49333e12 / (10.0433 − 4 · 2.2028e-3)
    "100b_diloco": 7.322,  # 400e9 / (100 · 4.9172/9)
    "remote_inference": 0.0712704,  # 50 · (512 · 200 + 4096 · 4) · 8 · 1.5 = 71.27e6
    "prefill_decode": 138.16,  # 20 · 70,272 · 8,192 · 8 · 1.5
    "cloud_bulk": 1.80556,  # 52e12 / 28,800
}


@pytest.mark.parametrize(("preset", "floor"), FLOORS.items())
def test_floor_of_the_presets(preset, floor):
    found = derive(parse_workload(workload(preset)), parse_policy(None)).main.floor
    assert found / 1e9 == pytest.approx(floor, rel=5e-4)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.id)
def test_every_preset_is_a_valid_workload_and_comes_back_equal(preset):
    made = parse_workload(preset.workload)
    assert parse_workload(made.as_json()) == made


CONTRADICTIONS = [
    ({"training__tensor_parallel": 4}, "DEGREES_DO_NOT_MULTIPLY", "training.gpus"),
    ({"training__global_batch_tokens": 262145}, "TOKENS_DO_NOT_MATCH", "training.global_batch_tokens"),
    ({"training__sites": 3}, "SITES_DO_NOT_DIVIDE", "training.sites"),
    ({"training__gpu__memory_gb": 16}, "DOES_NOT_FIT", "training.gpu.memory_gb"),
    ({"training__expert_parallel": 7}, "EXPERTS_DO_NOT_DIVIDE", "training.expert_parallel"),
    ({"training__crossing": "pipeline", "training__cut_stage": 8}, "CUT_OUTSIDE", "training.cut_stage"),
    ({"training__crossing": "expert"}, "MISSING", "training.experts_per_token"),
    ({"training__total_tokens": 1e12}, "MISSING", "training.deadline_days"),
    ({"training__gpu__currency": "XXXX"}, "BAD_CURRENCY", "training.gpu.currency"),
    ({"training__gpu__currency": "<b>"}, "BAD_CURRENCY", "training.gpu.currency"),
    ({"training__step_compute_s": ..., "training__gpu__peak_tflops": ...}, "MISSING", "training.step_compute_s"),
]
ABSURD = [
    ({"training__gpus": -128}, "OUT_OF_RANGE", "training.gpus"),
    ({"training__gpus": 128.5}, "NOT_WHOLE", "training.gpus"),
    ({"training__gpus": "128"}, "NOT_A_NUMBER", "training.gpus"),
    ({"training__parameters": 1e308}, "OUT_OF_RANGE", "training.parameters"),
    ({"training__parameters": float("nan")}, "NOT_FINITE", "training.parameters"),
    ({"training__parameters": float("inf")}, "NOT_FINITE", "training.parameters"),
    ({"training__parameters": 10**400}, "NOT_FINITE", "training.parameters"),
    ({"training__parameters": None}, "MISSING", "training.parameters"),
    ({"training__target_utilization": 1.2}, "OUT_OF_RANGE", "training.target_utilization"),
    ({"training__gpu__mfu": 0}, "OUT_OF_RANGE", "training.gpu.mfu"),
    ({"training__overlap": "some"}, "NOT_A_CHOICE", "training.overlap"),
    ({"training__survives_site_loss": "no"}, "NOT_A_FLAG", "training.survives_site_loss"),
    ({"training__gpuz": 1}, "UNKNOWN_FIELD", "training.gpuz"),
    ({"scenario": "gaming"}, "NOT_A_CHOICE", "scenario"),
    ({"scenario": "inference"}, "MISSING", "inference"),
    ({"training": None}, "MISSING", "training"),
    ({"training": 5}, "NOT_AN_OBJECT", "training"),
    ({"name": "x" * 300}, "TOO_LONG", "name"),
    ({"distance_km": -1}, "OUT_OF_RANGE", "distance_km"),
    ({"network": {"streams": 0}}, "OUT_OF_RANGE", "network.streams"),
]


@pytest.mark.parametrize(("changes", "code", "place"), CONTRADICTIONS + ABSURD)
def test_bad_input_names_the_field_in_both_languages(changes, code, place):
    with pytest.raises(InputError) as caught:
        parse_workload(workload(**changes))
    assert (code, place) in [(p.code, p.place) for p in caught.value.problems]
    assert all(p.message.zh and p.message.en for p in caught.value.problems)


@pytest.mark.parametrize("raw", [None, [], "x", 3])
def test_a_workload_is_an_object(raw):
    with pytest.raises(InputError):
        parse_workload(raw)


def test_only_the_scenario_object_is_required():
    job = {"scenario": "bulk", "bulk": {"bytes": 6.5e12, "window_h": 8}}
    assert parse_workload(job).network.streams == 32


def test_a_deadline_sets_the_allowed_step():
    # 1e12 tokens / 262,144 = 3,814,697 steps of 13.638 s = 602.13 days alone; 700 days leave U = 0.8602
    job = workload(training__target_sync_s=..., training__total_tokens=1e12, training__deadline_days=700)
    requirement = derive(parse_workload(job), parse_policy(None))
    assert requirement.main.wanted.utilization == pytest.approx(0.86019, rel=1e-4)
    allowed = next(w.value for w in requirement.working if w.formula == "allowed_step_time")
    assert allowed == pytest.approx(700 * 86400 * 262144 / 1e12)  # 15.854 s a step
    late = workload(training__target_sync_s=..., training__total_tokens=1e12, training__deadline_days=600)
    requirement = derive(parse_workload(late), parse_policy(None))
    assert requirement.main.floor is None
    assert {n.code for n in requirement.warnings} >= {"deadline_impossible", "no_line_can"}


@pytest.mark.parametrize("crossing", ["tensor", "fsdp"])
def test_refused_placements_say_why_and_what_instead(crossing):
    requirement = derive(parse_workload(workload(training__crossing=crossing)), parse_policy(None))
    assert "placement_refused" in {n.code for n in requirement.warnings}
    assert {n.code for n in requirement.advice} & {"consider_pipeline", "consider_local_sgd"}


def test_no_target_is_an_assumption_that_is_printed():
    requirement = derive(parse_workload(workload(training__target_sync_s=...)), parse_policy(None))
    assert "utilization_assumed" in {n.code for n in requirement.warnings}
    assert requirement.main.wanted.utilization == 0.9


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ({"preset": "cheapest"}, "NOT_A_CHOICE"),
        ({"preset": "enterprise", "weights": {"price": 50}}, "WEIGHTS_DO_NOT_ADD"),
        ({"preset": "enterprise", "weights": {"colour": 5}}, "BAD_WEIGHT"),
        ({"grades": {"latency.rtt": "maybe"}}, "BAD_GRADE"),
        ({"grades": {"no.such": "gate"}}, "BAD_GRADE"),
        ({"rates": {"USD": 0}}, "BAD_RATE"),
        ({"weights": {"price": 1}}, "WEIGHTS_NOT_USED"),
        ({"evaluation_date": "tomorrow"}, "NOT_A_DATE"),
        ({"waivers": [{"check": "latency.rtt", "vendor": "甲"}]}, "BAD_WAIVER"),
        ({"reserve": 0.5}, "OUT_OF_RANGE"),
        ({"surprise": 1}, "UNKNOWN_FIELD"),
        ([], "NOT_AN_OBJECT"),
    ],
)
def test_a_bad_policy_is_named(raw, code):
    with pytest.raises(InputError) as caught:
        parse_policy(raw)
    assert code in {p.code for p in caught.value.problems}


def test_a_policy_comes_back_equal():
    raw = {"reserve": 1.3, "rates": {"USD": 7.1}, "grades": {"latency.rtt": "key"}, "evaluation_date": "2026-12-01"}
    made = parse_policy(raw)
    assert parse_policy(made.as_json()) == made
