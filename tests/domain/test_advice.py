"""Advice before any verdict: other placements at half the floor or less, each of which can be assessed."""

from __future__ import annotations

import pytest

from app.domain.advice import with_advice
from app.domain.policy import parse_policy
from app.domain.problems import InputError
from app.domain.requirement import Requirement, derive
from app.domain.workload import parse_workload
from tests.domain.examples import workload


def required(preset: str = "175b_data", **changes: object) -> Requirement:
    return derive(parse_workload(workload(preset, **changes)), parse_policy(None))


def said(requirement: Requirement, code: str) -> str:
    return next(a.message.en for a in requirement.advice if a.code == code)


def test_parameters_against_tokens_times_width():
    # Data moves P·b = 175e9 · 2 = 350 GB, a pipeline cut G·h·b = 262,144 · 12,288 · 2 = 6.44 GB: 49 times P > G·h.
    text = said(required(), "consider_pipeline")
    assert "6.44 GB cross per step on average instead of 350 GB" in text


def test_data_is_advised_where_a_batch_outweighs_the_model():
    # 7B with 52 M tokens and h = 4,096: G·h·b = 430 GB a step against P·b = 14 GB.
    asked = required(
        "7b_article", training__crossing="pipeline", training__pipeline_parallel=2, training__data_parallel=16,
        training__micro_batches=800, training__global_batch_tokens=52428800, training__overlap="full",
    )  # fmt: skip
    assert "14 GB cross per step on average instead of 429 GB" in said(asked, "consider_data")


@pytest.mark.parametrize(("crossing", "words"), [("fsdp", "HSDP"), ("tensor", "data parallel across the line")])
def test_what_is_refused_gets_an_alternative(crossing, words):
    asked = required(training__crossing=crossing)
    assert "placement_refused" in [w.code for w in asked.warnings]
    assert words in said(asked, "consider_data")


def test_extra_warm_up_is_advised_for_a_plain_pipeline_cut():
    # tau = 13.638 / 71 = 0.1921 s, tf = 0.064 s, D = 3.67 ms: e = ceil(2 · (0.0037 + 0.064) / 0.192) = 1.
    asked = required("175b_pipeline")
    assert "1 extra warm-up micro-batches" in said(asked, "consider_warmup")


def test_advice_is_assessed_as_it_says():
    job = parse_workload(workload())
    requirement = derive(job, parse_policy(None))
    changed = with_advice(job, requirement.advice, "consider_pipeline")
    assert changed.training is not None and changed.training.crossing == "pipeline"
    floor = derive(changed, parse_policy(None)).main.floor
    assert floor is not None and requirement.main.floor is not None
    assert floor <= requirement.main.floor / 2


def test_advice_that_is_not_there_is_refused():
    job = parse_workload(workload())
    with pytest.raises(InputError) as caught:
        with_advice(job, (), "consider_pipeline")
    assert caught.value.problems[0].code == "NO_SUCH_ADVICE"


def test_a_pipeline_over_three_sites_pays_for_two_lines():
    # 70B, p = 6, m = 96 over three sites: the last line after 4 stages; 96 − 2 + 2 = 96 delays and 2 more.
    three = {
        "training__crossing": "pipeline", "training__pipeline_parallel": 6, "training__data_parallel": 8,
        "training__global_batch_tokens": 4096 * 8 * 96,
    }  # fmt: skip
    demand = required("70b_three_sites", **three).main.training
    assert demand is not None and demand.hops == 98
    with pytest.raises(InputError) as caught:
        required("70b_three_sites", **three | {"training__pipeline_parallel": 4, "training__data_parallel": 12})
    assert "TOO_FEW_STAGES" in [q.code for q in caught.value.problems]
