"""Both languages are complete, and the catalogues match the templates."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog

from app.domain.text import Language
from app.presentation import catalogues
from app.presentation.i18n import negotiate, parse_language, translations


def test_catalogues_are_complete_and_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    status = catalogues.main(["--check"])
    assert status == 0, capsys.readouterr().err


def test_a_missing_translation_is_named() -> None:
    catalogue = Catalog(locale="zh")
    catalogue.add("Save")
    assert [*catalogues.faults(catalogue)] == ["untranslated: Save"]


def test_a_lost_placeholder_is_named() -> None:
    catalogue = Catalog(locale="zh")
    catalogue.add("%(n)s offers", "份报价")
    assert [*catalogues.faults(catalogue)] == ["placeholders differ: %(n)s offers"]


def test_sentences_come_in_the_language_asked_for() -> None:
    assert translations(Language.ZH).gettext("Close") == "关闭"
    assert translations(Language.EN).gettext("Close") == "Close"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-GB,en;q=0.9", "en"),
        ("en;q=0.2, zh;q=0.9", "zh"),  # the weight decides, not the place
        ("de, en;q=0.5", "en"),  # the first of ours
        ("de, fr", None),
        ("zh;q=0, en", "en"),  # 0 means: not this one
        ("zh;q=banana, en;q=0.1", "en"),
        ("zh;q=nan", None),
        ("", None),
        (None, None),
        ("en" + ",x" * 5000 + ",zh", "en"),  # only the beginning is read
    ],
)
def test_accept_language(header: str | None, expected: str | None) -> None:
    assert negotiate(header) == expected


@pytest.mark.parametrize(("tag", "expected"), [("zh_TW", "zh"), ("EN", "en"), ("english", None), ("../zh", None)])
def test_tags(tag: str, expected: str | None) -> None:
    assert parse_language(tag) == expected
