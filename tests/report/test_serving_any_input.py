"""Any inference service and any bulk move inside the ranges of the form: a verdict, or a clear refusal."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.assessment import assess
from app.domain.fields import Field, Kind
from app.domain.offers import parse_offers
from app.domain.policy import parse_policy
from app.domain.problems import InputError
from app.domain.text import Language
from app.domain.workload import parse_workload
from app.domain.workload_fields import BULK_FIELDS, INFERENCE_FIELDS
from app.report.comparison import comparison_view
from app.report.requirement_view import requirement_view
from tests.domain.examples import offer, workload


def values(field: Field) -> st.SearchStrategy[Any]:
    """Values of one field over its whole range, by orders of magnitude; left out where it may be."""
    if field.choices:
        codes = [choice.code for choice in field.choices]
        if field.kind is Kind.CHOICES:
            return st.lists(st.sampled_from(codes), min_size=1, unique=True)
        return st.sampled_from(codes)
    low, high = max(field.low or 0.0, 1e-6), field.high or 1e12
    number = st.floats(math.log10(low), math.log10(high)).map(lambda e: float(min(max(10**e, low), high)))
    whole: st.SearchStrategy[Any] = number.map(int) if field.kind is Kind.INTEGER else number
    return whole if field.required else st.none() | whole


def section(fields: tuple[Field, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """A whole object of the workload."""
    return st.fixed_dictionaries({field.name: values(field) for field in fields}).map(
        lambda raw: {name: value for name, value in raw.items() if value is not None}
    )


def tried(job: dict[str, Any]) -> None:
    """Judges one offer and draws both pages; nothing but a clear refusal may come instead."""
    try:
        parsed = parse_workload(job)
    except InputError:
        return
    judged = assess(parsed, parse_offers([offer(distance_km=200)]), parse_policy(None))
    json.dumps([judged.requirement.as_json(), [x.as_json() for x in judged.offers]], allow_nan=False)
    for language in Language:
        assert requirement_view(parsed, parse_policy(None), judged.requirement, language, "/r", "/w").bands
        assert comparison_view(judged, language).cards


@settings(max_examples=150, deadline=None)
@given(section(INFERENCE_FIELDS), st.none() | st.floats(1, 20000))
def test_any_service(job: dict[str, Any], distance: float | None) -> None:
    tried({"scenario": "inference", "distance_km": distance, "inference": job})


@settings(max_examples=100, deadline=None)
@given(section(BULK_FIELDS), st.none() | st.floats(1, 20000))
def test_any_move(job: dict[str, Any], distance: float | None) -> None:
    tried({"scenario": "bulk", "distance_km": distance, "bulk": job})


@settings(max_examples=50, deadline=None)
@given(section(INFERENCE_FIELDS))
def test_any_service_beside_training(job: dict[str, Any]) -> None:
    tried(workload() | {"scenario": "mixed", "inference": job})
