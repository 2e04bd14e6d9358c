"""The formula library: search it, open one formula, put figures in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.domain.formulas.registry import BY_ID, FORMULAS, TOPIC_OF
from app.domain.formulas.symbols import symbols_of
from app.domain.problems import InputError
from app.domain.text import Text
from app.report.formula_view import BandView, anchor, band_view, search
from app.report.substitution import with_numbers
from app.report.working import source_text, symbols
from app.report.working_view import WorkingLine, amount, described
from app.services.calculation import calculate
from app.web.errors import WebError
from app.web.faults import FAULTS
from app.web.forms import FormState
from app.web.pages.formula_form import command_of, example_of, field_of
from app.web.preferences import LanguageDep
from app.web.responses import is_partial, page, partial

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.fields import Field
    from app.domain.formulas.formula import Formula
    from app.domain.text import Language

router = APIRouter(include_in_schema=False)
MAX_QUERY = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaView:
    """One formula with its form; `result` None until the figures can be computed."""

    id: str
    title: str
    topic: str
    topic_id: str
    symbolic: str
    validity: str
    source: str
    origin: str
    expected: str
    command: str
    fields: tuple[Field, ...]
    state: FormState
    result: WorkingLine | None
    numbers: str
    band: BandView | None
    warnings: tuple[Text, ...]
    is_example: bool


@router.get("/formulas")
def library(request: Request, language: LanguageDep, q: str = "") -> HTMLResponse:
    """Every formula by topic, or those in which every word of the search occurs; htmx asks for the list alone."""
    query = q[:MAX_QUERY]
    groups = search(query, language)
    shown: dict[str, Any] = {"groups": groups, "query": query, "total": len(FORMULAS)}
    shown["count"] = sum(len(group.lines) for group in groups)
    if is_partial(request):
        return partial(language, "formulas/_found.html", **shown)
    return page(request, language, "formulas/page.html", **shown)


@router.get("/formulas/{formula_id}")
def one(request: Request, language: LanguageDep, formula_id: str) -> HTMLResponse:
    """One formula; `?name=value` puts figures in, without any the worked example is shown."""
    formula = BY_ID.get(formula_id)
    if formula is None:
        raise WebError(FAULTS["NOT_FOUND"])
    names = {item.name for item in formula.inputs}
    given: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        if name in names and value.strip():
            given.setdefault(name, []).append(value)
    asked = any(name in names for name in request.query_params)
    typed = {name: ",".join(values) for name, values in given.items()} if asked else example_of(formula)
    view = _view(formula, typed, language, is_example=not asked)
    return page(request, language, "formulas/formula.html", view=view, status_code=422 if view.state.faulty else 200)


def _view(formula: Formula, typed: Mapping[str, str], language: Language, *, is_example: bool) -> FormulaView:
    letters = symbols_of(formula)
    state = FormState({item.name: typed.get(item.name, "") for item in formula.inputs})
    result: WorkingLine | None = None
    numbers, value = "", None
    warnings: tuple[Text, ...] = ()
    try:
        answer: dict[str, Any] = calculate(formula.id, typed)
        value = float(answer["value"])
        result = described(formula, answer["inputs"], value, language)
        numbers = with_numbers(formula, answer["inputs"], language)
        warnings = tuple(Text(**warning["message"]) for warning in answer["warnings"])
    except InputError as error:
        state = state.with_problems(replace(p, place=p.place.removeprefix(f"{formula.id}.")) for p in error.problems)
    return FormulaView(
        id=formula.id,
        title=formula.title.pick(language),
        topic=TOPIC_OF[formula.id].title.pick(language),
        topic_id=anchor(TOPIC_OF[formula.id]),
        symbolic=symbols(formula.symbolic, language),
        validity=formula.validity.pick(language),
        source=source_text(formula.source, language),
        origin=formula.example.origin,
        expected=amount(formula.example.expected, formula.result, language),
        command=command_of(formula, typed),
        fields=tuple(field_of(item, letters.get(item.name, ""), language) for item in formula.inputs),
        state=state,
        result=result,
        numbers=numbers,
        band=band_view(formula.band, formula.result, value, language) if formula.band else None,
        warnings=warnings,
        is_example=is_example,
    )
