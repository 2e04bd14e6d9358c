"""`POST /api/v1/formulas/{id}` for every formula: the worked example comes out, bad input is a 422 that names it."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.formulas.registry import FORMULAS, TOPICS

BAD: list[Any] = [-1, "many", True, {}, [{}], 1e308]


def places(reply):
    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/problem+json"
    problems = reply.json()["problems"]
    assert all(problem["message"]["zh"] and problem["message"]["en"] for problem in problems)
    return {problem["place"]: problem["code"] for problem in problems}


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: f.id)
def test_every_formula_over_the_api(client, formula):
    path = f"/api/v1/formulas/{formula.id}"
    example = {k: list(v) if isinstance(v, tuple) else v for k, v in formula.example.inputs.items()}
    reply = client.post(path, json=example)
    assert reply.status_code == 200
    assert reply.json()["value"] == pytest.approx(formula.example.expected, rel=formula.example.rel)
    required = {f"{formula.id}.{item.name}": "MISSING_INPUT" for item in formula.inputs if item.default is None}
    assert places(client.post(path, json={})) == required if required else client.post(path, json={}).status_code == 200
    assert places(client.post(path, json=example | {"nonsense": 1})) == {f"{formula.id}.nonsense": "UNKNOWN_INPUT"}
    for item in formula.inputs:
        for bad in BAD:
            code = places(client.post(path, json=example | {item.name: bad}))[f"{formula.id}.{item.name}"]
            assert code in {"OUT_OF_RANGE", "NOT_A_NUMBER", "NOT_A_CHOICE"}, (item.name, bad)


def test_the_list_says_all_a_form_needs(client):
    listed = client.get("/api/v1/formulas").json()["formulas"]
    assert [formula["id"] for formula in listed] == [formula.id for formula in FORMULAS]
    assert {formula["topic"] for formula in listed} == {topic.id for topic in TOPICS}
    loss = next(f for f in listed if f["id"] == "mathis_throughput")
    limits = next(i for i in loss["inputs"] if i["name"] == "packet_loss")
    assert (limits["low"], limits["high"], limits["above_zero"], limits["advised_high"]) == (0, 1, True, 0.01)
    assert (loss["band"]["low"], loss["band"]["high"]) == (1, 4)
