"""Extract the sentences of templates and code, bring both catalogues up to date, report what is missing.

`python -m app.presentation.catalogues` rewrites the catalogues; `--check` only compares.
Exit 1 when a sentence lacks its Chinese, when a placeholder differs, or (with `--check`) when one is stale.
"""

from __future__ import annotations

import io
import re
import sys
from typing import TYPE_CHECKING

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from app.domain.text import Language
from app.presentation.i18n import catalogue_path
from app.presentation.templating import PROJECT_ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

_METHODS = [("app/**.py", "python"), ("templates/**.html", "jinja2")]
_OPTIONS = {"templates/**.html": {"trimmed": "true", "silent": "false"}}
_FOLDERS = ("app", "templates")
_PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]")


def extract() -> Catalog:
    """All sentences found in the templates and in `app/`, in alphabetical order when written."""
    catalogue = Catalog(charset="utf-8")
    for folder in _FOLDERS:
        methods = [(pattern.removeprefix(f"{folder}/"), method) for pattern, method in _METHODS]
        options = {pattern.removeprefix(f"{folder}/"): given for pattern, given in _OPTIONS.items()}
        found = extract_from_dir(PROJECT_ROOT / folder, methods, options)
        for _file, _line, message, _comments, context in found:
            catalogue.add(message, context=context)
    return catalogue


def updated(language: Language, template: Catalog) -> Catalog:
    """The catalogue of `language` with exactly the sentences of `template`; English repeats its ids."""
    path = catalogue_path(language)
    known = Catalog(locale=language.value, charset="utf-8")
    if path.exists():
        known = read_po(io.BytesIO(path.read_bytes()), locale=language.value, charset="utf-8")
    known.update(template, no_fuzzy_matching=True)
    known.obsolete.clear()
    if language is Language.EN:
        for message in known:
            message.string = message.id
    return known


def as_po(catalogue: Catalog) -> bytes:
    """The catalogue as text: sorted and without places or dates, so that parallel work merges."""
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=0, no_location=True, omit_header=True, sort_output=True)
    return buffer.getvalue().lstrip(b"\n")


def faults(catalogue: Catalog) -> Iterator[str]:
    """Sentences without translation and sentences whose placeholders differ, one line each."""
    for message in catalogue:
        if not message.id:
            continue
        ids, strings = _forms(message.id), _forms(message.string)
        if not all(strings):
            yield f"untranslated: {ids[0]}"
        elif {*_PLACEHOLDER.findall(" ".join(strings))} != {*_PLACEHOLDER.findall(" ".join(ids))}:
            yield f"placeholders differ: {ids[0]}"


def _forms(given: object) -> tuple[str, ...]:
    """Singular and plural of a sentence, or the one form it has."""
    return tuple(str(form or "") for form in (given if isinstance(given, (list, tuple)) else (given,)))


def main(arguments: list[str]) -> int:
    """Update or check; returns the exit status."""
    template = extract()
    bad = 0
    for language in Language:
        catalogue = updated(language, template)
        text, path = as_po(catalogue), catalogue_path(language)
        lines = [*faults(catalogue)]
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        elif not path.exists() or path.read_bytes() != text:
            lines.append("stale: run `make i18n`")
        for line in lines:
            sys.stderr.write(f"{path.relative_to(PROJECT_ROOT)}: {line}\n")
        bad += len(lines)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
