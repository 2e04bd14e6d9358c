"""Templates parse, escape what they are given, and obey the content security policy."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from app.domain.text import Language, Text
from app.presentation import charts, words
from app.presentation import format as fmt
from app.presentation.parts import Cell, Pair, Panel
from app.presentation.templating import TEMPLATES_DIR, environment, static
from app.presentation.words import FILE, REVIEW, STATE, STATUS, VERDICT
from tests.presentation.styleguide import html

NAMES = sorted(str(p.relative_to(TEMPLATES_DIR)) for p in TEMPLATES_DIR.rglob("*") if p.is_file())
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<b hx-get=/projects>",
    "{{ 7*7 }}",
    "</style><style>*{display:none}</style>",
    "javascript:alert(1)",
    "' onmouseover='alert(1)",
]


class Reader(HTMLParser):
    """Collects every tag with its attributes, and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def read(markup: str) -> Reader:
    reader = Reader()
    reader.feed(markup)
    return reader


def from_string(source: str, **context: Any) -> str:
    """Only tests make templates from strings; they are written here, not data."""
    return environment(Language.ZH).from_string(source).render(**context)


@pytest.mark.parametrize("name", NAMES)
def test_every_template_parses(name: str) -> None:
    environment(Language.ZH).get_template(name)


@pytest.mark.parametrize("name", NAMES)
def test_no_template_does_what_the_policy_forbids(name: str) -> None:
    source = (TEMPLATES_DIR / name).read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe\b|Markup|autoescape\s+false", source)
    assert not re.search(r"\sstyle=|\son[a-z]+=|\shx-on|\bjs:|javascript:", source)
    assert not re.search(r"<script(?![^>]*\bsrc=)", source)
    assert not re.search(r"(?:src|href)=\"https?:", source), "everything is served from here"


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("opened", [False, True])
def test_every_macro_renders(language: Language, opened: bool) -> None:
    reader = read(html(language, opened=opened))
    assert [t for t, _ in reader.tags].count("h1") == 1
    assert reader.tags[0] == ("html", {"lang": "zh-CN" if language is Language.ZH else "en"})
    assert all("style" not in a for _, a in reader.tags)
    ids = [a["id"] for _, a in reader.tags if "id" in a]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("language", list(Language))
def test_every_input_has_a_label_and_its_descriptions_exist(language: Language) -> None:
    reader = read(html(language))
    ids = {a["id"] for _, a in reader.tags if "id" in a}
    labelled = {a.get("for") for t, a in reader.tags if t == "label"}
    for tag, attributes in reader.tags:
        if tag in ("input", "select") and attributes.get("type") not in ("hidden", "checkbox"):
            assert attributes["id"] in labelled
        for described in (attributes.get("aria-describedby") or "").split():
            assert described in ids


def test_summary_links_reach_their_fields() -> None:
    reader = read(html(Language.EN))
    ids = {a.get("id") for _, a in reader.tags}
    links = [a["href"] or "" for t, a in reader.tags if t == "a" and (a.get("href") or "").startswith("#f-")]
    assert links
    assert {link[1:] for link in links} <= ids


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_stays_text(hostile: str) -> None:
    panel = Panel(
        title=hostile, value=hostile, close="/x", reason=hostile, quote=hostile, formula=hostile,
        pairs=(Pair(label=hostile, value=hostile, small=hostile),), sources=((hostile, hostile),),
        notes=(hostile,),
    )  # fmt: skip
    chart = charts.waterfall([charts.Stage(hostile, 1.0, hostile)], 0.5, hostile)
    markup = from_string(
        '{% import "macros/panel.html" as p %}{% import "macros/table.html" as t %}'
        '{% import "macros/chart.html" as c %}{% import "macros/part.html" as e %}'
        "{{ p.evidence(panel) }}{{ t.cell(cell) }}{{ t.offer_head(h, h) }}{{ t.row_head(h, h) }}"
        "{{ c.waterfall(chart, h) }}{{ c.bar(0.5, label=h) }}{{ e.notice(h) }}{{ e.head(h, h) }}{{ e.empty(h, h) }}",
        panel=panel, cell=Cell(status="fail", value=hostile, small=hostile, href="/ok"), chart=chart, h=hostile,
    )  # fmt: skip
    reader = read(markup)
    assert hostile in reader.text
    for tag, attributes in reader.tags:
        assert tag not in ("script", "img", "b2", "style")
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        assert attributes.get("href", "") in ("", "/x", "/ok")
    assert "49" not in reader.text.replace(hostile, "")


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        from_string("{{ misspelt }}")


def test_none_prints_nothing_and_a_text_its_side() -> None:
    assert from_string("[{{ nothing }}|{{ text }}]", nothing=None, text=Text("甲", "A")) == "[|甲]"


def test_static_addresses_change_with_the_content() -> None:
    assert re.fullmatch(r"/static/css/tokens\.css\?v=[0-9a-f]{12}", static("css/tokens.css"))


def test_a_missing_static_file_is_noticed() -> None:
    with pytest.raises(FileNotFoundError):
        static("css/none.css")


def test_every_mark_has_word_shape_and_colour() -> None:
    css = (TEMPLATES_DIR.parent / "static/css/components.css").read_text(encoding="utf-8")
    for table in (STATUS, VERDICT, STATE, REVIEW, FILE):
        for mark in table.values():
            assert f".tag.{mark.look}" in css
            assert f".dot.{mark.look}" in css
            assert mark.sign


def test_bars_stay_inside_their_box() -> None:
    assert charts.bar(1.7, -0.2, 0.4, 0.6) == charts.Bar("100%", ("0%", "40%"), "60%")
    assert charts.bar(None).share is None


def test_waterfall_geometry() -> None:
    # 640 wide, 150 of labels, 70 of figures: 420 for 400 Gbit/s; 280 stand at 150 + 294
    w = charts.waterfall([charts.Stage("a", 400.0, "400"), charts.Stage("b", 300.0, "300")], 280.0, "280")
    assert [(r.width, r.lost_x, r.lost_width) for r in w.rows] == [(420.0, 570.0, 0.0), (315.0, 465.0, 105.0)]
    assert w.floor_x == 444.0


def test_the_readme_lists_every_macro_and_filter() -> None:
    readme = (Path(fmt.__file__).parent / "README.md").read_text(encoding="utf-8")
    macros = [
        name
        for path in (TEMPLATES_DIR / "macros").glob("*.html")
        for name in re.findall(r"{%-? macro ([a-z]\w*)", path.read_text(encoding="utf-8"))
    ]
    filters = fmt.filters(Language.ZH).keys() | words.filters(Language.ZH).keys()
    assert [name for name in (*macros, *filters) if f"`{name}" not in readme] == []
