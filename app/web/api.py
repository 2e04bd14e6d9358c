"""The API: the whole job for programs, without a project. Same services as the command line, same figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, File, Query, UploadFile
from fastapi.responses import JSONResponse, Response

from app.domain import sensitivity_words
from app.domain.fields import json_schema
from app.domain.offers import parse_offers
from app.domain.problems import InputError, Problem
from app.domain.text import Language, Text
from app.domain.workload_fields import GPU_FIELDS, SECTIONS, TOP_FIELDS
from app.report import pdf
from app.services import assessing, calculation, decision
from app.web.dependencies import JsonDep, LimitsDep

if TYPE_CHECKING:
    from app.domain.assessment import Assessment

router = APIRouter(prefix="/api/v1", tags=["api"])


def _workload_schema() -> dict[str, Any]:
    schema = json_schema(TOP_FIELDS)
    for name, fields in SECTIONS.items():
        section: dict[str, Any] = json_schema(fields)
        if name == "training":
            section["properties"]["gpu"] = json_schema(GPU_FIELDS)
        schema["properties"][name] = section
    return schema


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    """OpenAPI description of a JSON body that our own reader checks."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


OFFERS_SCHEMA = {"type": "array", "items": {"type": "object", "required": ["vendor"]}}
ASSESSMENT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["workload", "offers"],
    "properties": {"workload": _workload_schema(), "offers": OFFERS_SCHEMA, "policy": {"type": ["object", "null"]}},
}
ASSESSMENT_FIELDS = frozenset(ASSESSMENT_SCHEMA["properties"])


@router.post("/extractions")
def extractions(limits: LimitsDep, file: Annotated[list[UploadFile], File()]) -> JSONResponse:
    """Read facts from vendor sheets; a refused file has a code and loses only itself."""
    if len(file) > limits.files:
        message = Text(f"一次最多 {limits.files} 个文件。", f"At most {limits.files} files at once.")
        raise InputError([Problem("TOO_MANY_FILES", "file", message)])
    files = [(upload.filename or "", upload.file.read(limits.file_bytes + 1)) for upload in file]
    return JSONResponse({"files": [reading.as_json() for reading in decision.extract(files)]})


@router.post("/requirements", openapi_extra=_body(_workload_schema()))
def requirements(body: JsonDep) -> JSONResponse:
    """What a workload asks of a line."""
    return JSONResponse(decision.requirement(body).as_json())


def _assessed(body: object) -> Assessment:
    if not isinstance(body, dict) or not ASSESSMENT_FIELDS.issuperset(body):
        message = Text(
            "请求体应为对象：workload、offers，以及可选的 policy。",
            "The body is an object with workload, offers and, if wanted, policy.",
        )
        raise InputError([Problem("NOT_AN_OBJECT", "body", message)])
    return decision.assessment(body.get("workload"), parse_offers(body.get("offers")), body.get("policy"))


@router.post("/assessments", openapi_extra=_body(ASSESSMENT_SCHEMA))
def assessments(body: JsonDep) -> JSONResponse:
    """Judge offers through the four steps, then by cost."""
    return JSONResponse(decision.document(_assessed(body)))


@router.post("/sensitivity", openapi_extra=_body(ASSESSMENT_SCHEMA))
def what_would_change(body: JsonDep) -> JSONResponse:
    """What would have to change: why-not, break-even and room, swaps of weights, bands and curves."""
    return JSONResponse(sensitivity_words.document(_assessed(body)))


@router.post("/reports", openapi_extra=_body(ASSESSMENT_SCHEMA))
def reports(body: JsonDep, lang: Annotated[Language, Query()] = Language.ZH) -> Response:
    """The decision document as PDF."""
    judged = _assessed(body)
    name = judged.workload.name or "Linewise"
    document = pdf.build_pdf(judged, lang, name=name, snapshot=assessing.frozen_parts(judged))
    headers = {"Content-Disposition": 'attachment; filename="linewise-report.pdf"'}
    return Response(document.data, media_type="application/pdf", headers=headers)


@router.get("/formulas")
def formulas() -> JSONResponse:
    """Every formula with its inputs, units, symbolic form, validity, source and worked example."""
    return JSONResponse({"formulas": calculation.catalogue()})


@router.post("/formulas/{formula_id}", openapi_extra=_body({"type": "object", "description": "Inputs by name."}))
def formula(formula_id: str, body: JsonDep) -> JSONResponse:
    """Compute one formula from named values; a value may carry a unit (`400Gbps`)."""
    if not isinstance(body, dict):
        message = Text("请求体应为 {名称: 数值} 的对象。", "The body is an object of name: value.")
        raise InputError([Problem("NOT_AN_OBJECT", "body", message)])
    return JSONResponse(calculation.calculate(formula_id, body))
