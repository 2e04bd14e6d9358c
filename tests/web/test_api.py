"""The API: same figures as the command line, problem details for bad input."""

from __future__ import annotations

import pytest

from app.domain.pairs import as_json as as_pairs
from app.domain.pairs import propose
from app.domain.sensitivity_words import document
from tests.domain.examples import WORKLOAD, judge_all, offer

OFFERS = [offer(), offer(vendor="乙河", packet_loss=None)]
BODY = {"workload": WORKLOAD, "offers": OFFERS, "policy": None}


def test_assessments_are_those_of_the_core(client):
    reply = client.post("/api/v1/assessments", json=BODY)
    assert reply.status_code == 200
    judged = judge_all(OFFERS)
    assert reply.json() == judged.as_json() | as_pairs(propose(judged))


def test_what_would_change_is_that_of_the_core(client):
    reply = client.post("/api/v1/sensitivity", json=BODY)
    assert reply.status_code == 200
    assert reply.json() == document(judge_all(OFFERS))
    assert [w["vendor"] for w in reply.json()["why_not"]] == ["乙河"]


def test_requirements(client):
    reply = client.post("/api/v1/requirements", json=WORKLOAD)
    assert reply.json()["bandwidth_floor_gbps"] == pytest.approx(280.2057, rel=1e-5)


def test_reports_are_pdf_in_both_languages(client):
    for language in ("zh", "en"):
        reply = client.post(f"/api/v1/reports?lang={language}", json=BODY)
        assert reply.status_code == 200
        assert reply.headers["content-type"] == "application/pdf"
        assert reply.headers["content-disposition"].startswith("attachment")
        assert reply.content.startswith(b"%PDF")
    assert client.post("/api/v1/reports?lang=fr", json=BODY).status_code == 422


def test_extractions_lose_only_the_bad_file(client):
    good = ("o.csv", "供应商,带宽,往返时延(ms)\n甲山通信,400 Gbit/s,10\n".encode(), "text/csv")
    bad = ("bad.pdf", b"", "application/pdf")
    reply = client.post("/api/v1/extractions", files=[("file", good), ("file", bad)])
    assert reply.status_code == 200
    one, two = reply.json()["files"]
    assert one["offers"][0]["vendor"] == "甲山通信"
    assert (two["status"], two["code"]) == ("refused", "FILE_EMPTY")


def test_formulas_are_listed_and_computed(client):
    assert len(client.get("/api/v1/formulas").json()["formulas"]) > 41
    reply = client.post("/api/v1/formulas/transfer_time", json={"size": 14e9, "bandwidth": "1Gbps"})
    assert reply.json()["value"] == pytest.approx(112)  # 8 · 14e9 / 1e9


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/api/v1/assessments", {"workload": WORKLOAD, "offers": []}, "NO_OFFERS"),
        ("/api/v1/assessments", {"workload": WORKLOAD, "offers": [offer(rtt_ms=-1)]}, "OUT_OF_RANGE"),
        ("/api/v1/assessments", [1], "NOT_AN_OBJECT"),
        ("/api/v1/assessments", {"workload": None, "offers": [offer()]}, "NOT_AN_OBJECT"),
        ("/api/v1/requirements", {"scenario": "training"}, "MISSING"),
        ("/api/v1/requirements", "text", "NOT_AN_OBJECT"),
        ("/api/v1/formulas/nothing", {}, "UNKNOWN_FORMULA"),
        ("/api/v1/formulas/transfer_time", {"size": -1, "bandwidth": 1}, "OUT_OF_RANGE"),
    ],
)
def test_bad_input_is_problem_details(client, path, body, code):
    reply = client.post(path, json=body)
    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/problem+json"
    document = reply.json()
    assert document["status"] == 422
    assert code in [p["code"] for p in document["problems"]]
    assert all(p["message"]["zh"] and p["message"]["en"] for p in document["problems"])


@pytest.mark.parametrize("raw", [b"{", b'{"a": NaN}', b'{"a": Infinity}', b"\xff\xfe", b"[" * 100_000])
def test_what_is_not_json_is_refused(client, raw):
    reply = client.post("/api/v1/requirements", content=raw, headers={"content-type": "application/json"})
    assert reply.status_code in (400, 422)
    assert reply.json()["code"] == "BAD_JSON"


def test_the_api_is_described(client):
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/api/v1/extractions", "/api/v1/requirements", "/api/v1/assessments", "/api/v1/reports"} <= set(paths)
