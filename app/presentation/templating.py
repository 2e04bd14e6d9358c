"""The one Jinja environment of pages, partials and PDF, per language.

Autoescape is on for every template, an unknown name is an error, a `Text` prints its own side, and None
prints nothing (formatters turn None into words before it gets here). No template is ever made from data.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.domain.text import Language, Text
from app.presentation import charts, parts, units, words
from app.presentation import format as fmt
from app.presentation.i18n import DEFAULT, HTML_LANG, NAMES, translations

PROJECT_ROOT = Path(__file__).resolve().parents[2]
TEMPLATES_DIR = PROJECT_ROOT / "templates"
STATIC_DIR = PROJECT_ROOT / "static"
_HASH_LENGTH = 12


@cache
def _content_hash(path: str, _modified: int) -> str:
    return hashlib.sha256((STATIC_DIR / path).read_bytes()).hexdigest()[:_HASH_LENGTH]


def static(path: str) -> str:
    """Address of a static file, with its content hash, so that it may be cached for ever.

    Raises `FileNotFoundError` for a file that is not there: a template with a wrong name fails its test.
    """
    return f"/static/{path}?v={_content_hash(path, (STATIC_DIR / path).stat().st_mtime_ns)}"


@cache
def environment(language: Language = DEFAULT) -> Environment:
    """The environment whose filters, sentences and `Text` values speak `language`."""

    def finalize(value: object) -> object:
        if isinstance(value, Text):
            return value.pick(language)
        return "" if value is None else value

    env = Environment(
        loader=FileSystemLoader(TEMPLATES_DIR),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalize,
    )
    catalogue = translations(language)
    env.install_gettext_translations(catalogue, newstyle=True)  # type: ignore[attr-defined]
    env.globals.update(language=language.value, html_lang=HTML_LANG[language], languages=NAMES, static=static)
    env.globals.update(bar_geometry=charts.bar, waterfall_geometry=charts.waterfall)
    env.filters.update(fmt.filters(language) | words.filters(language) | units.filters(language))
    env.filters["groups_in_order"] = parts.groups_in_order
    env.tests["cjk"] = fmt.has_cjk
    return env


def render(name: str, language: Language | str, /, **context: Any) -> str:
    """Render the template `name` in `language`; raises `UndefinedError` when the context lacks a name."""
    return environment(Language(language)).get_template(name).render(**context)
