"""The command line: results as one JSON document on stdout, problems one a line on stderr, exit 2 on bad input."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from app.domain.problems import InputError, Problem
from app.domain.text import Language, Text
from app.store.errors import StoreError

BAD_INPUT = 2
MAX_BYTES = 64 * 1024 * 1024

app = typer.Typer(
    name="linewise",
    help="Procurement advisor for the dedicated lines of large-model training and inference.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON (always the case; the flag is accepted).")]
PolicyFile = Annotated[Path | None, typer.Option("--policy", help="Policy as JSON; all defaults without it.")]
WorkloadFile = Annotated[Path, typer.Argument(help="Workload as JSON.")]
OfferFiles = Annotated[list[Path], typer.Argument(help="Offers as JSON, or vendor sheets (XLSX, CSV, PDF, DOCX).")]
LanguageOption = Annotated[Language, typer.Option("--lang", help="Language of the document.")]


def _emit(document: Any) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False))


def _data(path: Path) -> bytes:
    """The bytes of a file. Raises `InputError` when it is missing or unreadable, or JSON of an absurd size.

    Of a sheet no more is read than it takes to see that it is too large; the reading room then refuses it.
    """
    try:
        with path.open("rb") as handle:
            data = handle.read(MAX_BYTES + 1)
    except OSError:
        message = Text("文件不存在或无法读取，请核对路径。", "The file is missing or cannot be read; check the path.")
        raise InputError([Problem("FILE_NOT_FOUND", str(path), message)]) from None
    if len(data) > MAX_BYTES and path.suffix.lower() == ".json":
        message = Text("文件超过 64 MiB。", "The file is larger than 64 MiB.")
        raise InputError([Problem("FILE_TOO_LARGE", str(path), message)])
    return data


def _files(paths: list[Path]) -> list[tuple[str, bytes]]:
    return [(path.name, _data(path)) for path in paths]


def _json(path: Path | None) -> Any:
    from app.services.decision import parse_json

    return None if path is None else parse_json(str(path), _data(path))


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    database: Annotated[str | None, typer.Option(help="Database URL; SQLite in the data folder without it.")] = None,
) -> None:
    """Migrate the database and serve the application on loopback."""
    import gc

    import uvicorn

    from app.config import Settings
    from app.web.app import create_app

    settings = Settings.from_environment()
    given = {"host": host, "port": port, "database_url": database}
    settings = settings.model_copy(update={k: v for k, v in given.items() if v is not None})
    print(f"Linewise: http://{settings.host}:{settings.port}", file=sys.stderr)
    server = create_app(settings)
    # What is loaded by now stays for good: the collector need not walk over it again with every request.
    gc.collect()
    gc.freeze()
    uvicorn.run(server, host=settings.host, port=settings.port, log_level="warning", server_header=False)


@app.command()
def extract(files: OfferFiles, json_: JsonFlag = False) -> None:  # noqa: ARG001 - accepted for the contract
    """Read facts from vendor sheets."""
    from app.services import decision

    _emit({"files": [reading.as_json() for reading in decision.extract(_files(files))]})


@app.command()
def requirements(workload: WorkloadFile, policy: PolicyFile = None, json_: JsonFlag = False) -> None:  # noqa: ARG001
    """What a workload asks of a line."""
    from app.services import decision

    _emit(decision.requirement(_json(workload), _json(policy)).as_json())


@app.command()
def assess(workload: WorkloadFile, offers: OfferFiles, policy: PolicyFile = None, json_: JsonFlag = False) -> None:  # noqa: ARG001
    """Judge offers through the four steps, then by cost."""
    from app.services import decision

    found = decision.offers_from(_files(offers))
    _emit(decision.document(decision.assessment(_json(workload), found, _json(policy))))


@app.command()
def sensitivity(workload: WorkloadFile, offers: OfferFiles, policy: PolicyFile = None, json_: JsonFlag = False) -> None:  # noqa: ARG001
    """What would have to change for an offer to pass, to win or to lose."""
    from app.domain import sensitivity_words
    from app.services import decision

    found = decision.offers_from(_files(offers))
    _emit(sensitivity_words.document(decision.assessment(_json(workload), found, _json(policy))))


@app.command()
def report(
    workload: WorkloadFile,
    offers: OfferFiles,
    output: Annotated[Path, typer.Option("-o", "--output", help="PDF to write.")],
    lang: LanguageOption = Language.ZH,
    policy: PolicyFile = None,
) -> None:
    """Write the decision document as PDF."""
    from app.report import pdf
    from app.services import assessing, decision

    found = decision.offers_from(_files(offers))
    judged = decision.assessment(_json(workload), found, _json(policy))
    name = judged.workload.name or workload.stem
    try:
        document = pdf.build_pdf(judged, lang, name=name, snapshot=assessing.frozen_parts(judged))
    except pdf.PressError as error:
        raise InputError([Problem(error.code, str(output), error.message)]) from None
    _write(output, document.data)
    _emit({"file": str(output), "sha256": document.sha256, "content_sha256": document.content_sha256})


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError:
        message = Text(
            "无法写入该文件，请核对目录与权限。", "This file cannot be written; check the folder and its permissions."
        )
        raise InputError([Problem("CANNOT_WRITE", str(path), message)]) from None


@app.command()
def questionnaire(
    output: Annotated[Path, typer.Option("-o", "--output", help="XLSX to write.")],
    workload: Annotated[Path | None, typer.Argument(help="Workload as JSON; its requirement heads the sheet.")] = None,
    lang: LanguageOption = Language.ZH,
) -> None:
    """Write the questionnaire for vendors to fill in; `extract` reads it back exactly."""
    from app.services import asking

    data = asking.questionnaire(lang, _json(workload))
    _write(output, data)
    _emit({"file": str(output)})


@app.command()
def backup(file: Annotated[Path, typer.Argument(help="Archive to write.")]) -> None:
    """Write database and originals to one archive; the server may keep running."""
    from app.config import Settings
    from app.services import keeping

    settings = Settings.from_environment()
    _emit({"file": str(file), **keeping.back_up(settings.url, settings.originals, file).as_json()})


@app.command()
def restore(file: Annotated[Path, typer.Argument(help="Archive to read.")]) -> None:
    """Put a backup in the place of everything; refused while the server runs."""
    from app.config import Settings
    from app.services import keeping

    settings = Settings.from_environment()
    settings.data.mkdir(parents=True, exist_ok=True)
    _emit({"file": str(file), **keeping.restore(settings.url, settings.originals, file).as_json()})


@app.command()
def rules(json_: JsonFlag = False) -> None:  # noqa: ARG001
    """Print the rule book and every parameter with its source."""
    from app.services import decision

    _emit(decision.rules())


@app.command()
def formulas(json_: JsonFlag = False) -> None:  # noqa: ARG001
    """Print every formula with its inputs, units and source."""
    from app.services import calculation

    _emit({"formulas": calculation.catalogue()})


@app.command()
def calc(
    formula: Annotated[str, typer.Argument(help="Formula id.")],
    values: Annotated[list[str] | None, typer.Argument(help="Inputs as name=value, with or without a unit.")] = None,
    json_: JsonFlag = False,  # noqa: ARG001
) -> None:
    """Compute one formula: `linewise calc transfer_time size=14GB bandwidth=1Gbps`."""
    from app.services import calculation

    _emit(calculation.calculate(formula, dict(_named(v) for v in values or [])))


def _named(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        message = Text("请写成 名称=数值，例如 size=14GB。", "Write name=value, for example size=14GB.")
        raise InputError([Problem("NOT_NAMED", text, message)])
    return name.strip(), value.strip()


def main() -> None:
    """Entry point: turns every problem into one line on stderr and exit status 2."""
    try:
        app(standalone_mode=False)
    except InputError as error:
        for problem in error.problems:
            print(f"{problem.code} {problem.place}: {problem.message.zh} {problem.message.en}", file=sys.stderr)
        raise SystemExit(BAD_INPUT) from None
    except StoreError as error:
        print(f"{error.code} database: {error.message.zh} {error.message.en}", file=sys.stderr)
        raise SystemExit(BAD_INPUT) from None
    except (typer.Abort, KeyboardInterrupt):
        raise SystemExit(1) from None
    except BrokenPipeError:  # the reader of our output went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except typer.Exit as stop:
        raise SystemExit(stop.exit_code) from None
    except Exception as error:
        # Usage errors of the command-line library carry their own exit status and sentence.
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):
            print(f"USAGE {error.format_message()}", file=sys.stderr)
            raise SystemExit(BAD_INPUT) from None
        raise
