"""The whole job without a database: sheets and JSON in, requirement and assessment out.

The command line and the API call these; a project does the same from its rows, so the figures are the same.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.domain import pairs
from app.domain.assessment import Assessment, assess
from app.domain.offers import merge, parse_offers
from app.domain.parameters import PARAMETERS
from app.domain.policy import parse_policy
from app.domain.problems import InputError, Problem
from app.domain.requirement import Requirement, derive
from app.domain.rulebook import RULEBOOK, RULEBOOK_VERSION
from app.domain.text import Text
from app.domain.workload import parse_workload
from app.sheets.sandbox import read_files_safely

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.facts import Offer
    from app.sheets.reading import FileReading

Files = list[tuple[str, bytes]]


def parse_json(name: str, data: bytes) -> Any:
    """Strict JSON: UTF-8, finite numbers. Raises `InputError` (`BAD_JSON`) naming the file and the line."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=refuse)
    except json.JSONDecodeError as error:
        where = Text(f"第 {error.lineno} 行第 {error.colno} 列", f"line {error.lineno}, column {error.colno}")
    except (ValueError, RecursionError):
        where = Text("编码、数值或嵌套", "encoding, a number or the nesting")
    message = Text(
        f"不是可用的 JSON（{where.zh}）：须为 UTF-8，且不含 NaN 或 Infinity。",
        f"Not usable JSON ({where.en}): it must be UTF-8 without NaN or Infinity.",
    )
    raise InputError([Problem("BAD_JSON", name, message)])


def extract(files: Files) -> list[FileReading]:
    """Read vendor sheets in a limited child process; one bad file loses only itself."""
    return read_files_safely(files)


def requirement(workload: object, policy: object = None) -> Requirement:
    """What a workload asks of a line. Raises `InputError`."""
    return derive(parse_workload(workload), parse_policy(policy))


def offers_from(files: Files) -> tuple[Offer, ...]:
    """Offers from JSON files and vendor sheets, in the order given.

    Raises `InputError` with every problem: bad JSON, a refused sheet, an offer given twice, a sheet that names
    no vendor.
    """
    problems: list[Problem] = []
    sheets = [(name, data) for name, data in files if not name.lower().endswith(".json")]
    read = iter(extract(sheets)) if sheets else iter(())
    typed: list[Offer] = []
    found: list[Offer] = []
    for name, data in files:
        if name.lower().endswith(".json"):
            try:
                typed += parse_offers(parse_json(name, data))
            except InputError as error:
                problems += [
                    replace(p, place=p.place if p.place == name else f"{name}: {p.place}") for p in error.problems
                ]
        else:
            found += _from_sheet(next(read), problems)
    if problems:
        raise InputError(problems)
    return (*typed, *merge(found))


def _from_sheet(reading: FileReading, problems: list[Problem]) -> Sequence[Offer]:
    """Offers of one sheet; a refused one is a problem, an unnamed vendor is named after its file."""
    if not reading.offers:
        silent = Text("没有读到报价，请核对内容。", "No offer was found in it; check its content.")
        problems.append(Problem(reading.code or "NO_OFFER_FOUND", reading.name, reading.message or silent))
    return [o if o.vendor else replace(o, vendor=reading.name) for o in reading.offers]


def assessment(workload: object, offers: Sequence[Offer], policy: object = None) -> Assessment:
    """Judge offers against a workload under a policy, both as JSON. Raises `InputError` with every problem."""
    problems: list[Problem] = []
    parsed: list[Any] = []
    for parse, raw in ((parse_workload, workload), (parse_policy, policy)):
        try:
            parsed.append(parse(raw))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return assess(parsed[0], offers, parsed[1])


def document(judged: Assessment) -> dict[str, Any]:
    """The assessment as the command line and the API print it, with the pairs of lines it proposes."""
    return judged.as_json() | pairs.as_json(pairs.propose(judged))


def rules() -> dict[str, Any]:
    """The rule book and every parameter with its source, as `linewise rules` prints them."""
    return {
        "rulebook_version": RULEBOOK_VERSION,
        "rules": [rule.as_json() for rule in RULEBOOK],
        "parameters": [parameter.as_json() for parameter in PARAMETERS],
    }
