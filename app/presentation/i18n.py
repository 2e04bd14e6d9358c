"""Languages and their catalogues.

Sentences of templates are English message ids looked up in `locale/<language>/LC_MESSAGES/messages.po`.
The catalogues are compiled in memory when first used, so no binary file can go stale.
Sentences of Python code are `Text(zh, en)` and need no catalogue.
"""

from __future__ import annotations

import gettext
import io
from functools import cache
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from app.domain.text import Language

LOCALE_DIR = Path(__file__).parent / "locale"
DEFAULT = Language.ZH
NAMES: dict[Language, str] = {Language.ZH: "中文", Language.EN: "English"}
HTML_LANG: dict[Language, str] = {Language.ZH: "zh-CN", Language.EN: "en"}
_MAX_HEADER = 500


def catalogue_path(language: Language) -> Path:
    """Where the catalogue of `language` lies."""
    return LOCALE_DIR / language.value / "LC_MESSAGES" / "messages.po"


@cache
def translations(language: Language) -> gettext.GNUTranslations:
    """The compiled catalogue of `language`."""
    with catalogue_path(language).open("rb") as source:
        catalogue = read_po(source, locale=language.value, charset="utf-8")
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def parse_language(raw: str | None) -> Language | None:
    """Return the language a tag such as `zh`, `zh-CN` or `en_GB` names, or None for any other."""
    head = (raw or "").strip().lower().replace("_", "-").split("-", 1)[0]
    return Language(head) if head in {item.value for item in Language} else None


def negotiate(accept_language: str | None) -> Language | None:
    """Pick the language an `Accept-Language` header prefers among ours, or None if it names neither.

    Broken weights count as 0; only the first 500 characters are looked at.
    """
    best: tuple[float, Language] | None = None
    for part in (accept_language or "")[:_MAX_HEADER].split(","):
        tag, _, parameter = part.partition(";")
        language = parse_language(tag)
        weight = _weight(parameter)
        if language and weight > 0 and (best is None or weight > best[0]):
            best = (weight, language)
    return best[1] if best else None


def _weight(parameter: str) -> float:
    name, _, raw = parameter.partition("=")
    if not name.strip():
        return 1.0
    try:
        weight = float(raw) if name.strip().lower() == "q" else 0.0
    except ValueError:
        return 0.0
    return weight if 0 <= weight <= 1 else 0.0
