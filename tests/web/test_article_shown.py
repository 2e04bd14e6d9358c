"""All nineteen published differences stand on the requirement page and on paper, in both languages, with figures."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from app.domain.presets import BY_ID
from app.domain.text import Language
from app.report.pdf import build_pdf
from tests.domain.examples import OFFER, judge_all
from tests.report.test_pdf import flat, text_of
from tests.web.test_workload import sent, start

if TYPE_CHECKING:
    from starlette.testclient import TestClient

# By place: figures of both ways and of the reasons; hand arithmetic stands in tests/domain/test_article.py.
SHOWN: dict[str, list[str]] = {
    "1": ["700 GB", "1,399.7 GB", "3.5 PB", "6.9986 PB"],
    "2": ["700 GB", "5.4688 GB", "21.595 GB", "10.94 GB"],
    "3": ["700 GB", "350 GB"],
    "4": ["1,173.2 Gbit/s", "280.21 Gbit/s", "3.2 Tbit/s", "10 s"],
    "5": ["400 GB", "4,000 GB"],
    "6": ["10 GB", "48.75 GB", "24.38 GB"],
    "7": ["10,240 GPU", "81,920 GPU"],
    "8": ["4 GB", "13.304 TB"],
    "9": ["254 RTT", "1 RTT"],
    "10": ["25.4 ms", "0.1 ms", "384", "38.4 ms"],
    "11": ["1×10⁻⁵", "3.1854×10⁻⁶", "4.3116×10⁻⁷", "23"],
    "12": ["8:1", "73.089:1", "32:1"],
    "13": ["8.76 h", "0.73 h", "1.46 h", "52.56 min", "4.38 min", "99.79 %"],
    "14": ["342.19 h", "315.22 h", "3.09 h", "4.38 h"],
    "15": ["0.0015 ms", "4.895 ms", "306 m"],
    "16": ["1,410 byte", "1,354 byte", "1,436"],
    "17": ["3.6167 min", "1.8667 min"],
    "18": ["0.10066 GB", "0.20133 GB"],
    "19": ["1:1", "0.625:1", "0.63:1"],
}


def rows_of(page: str) -> dict[str, str]:
    """The text of the rows of each published place."""
    found: dict[str, str] = {}
    for row in re.findall(r'<tr id="difference-[a-z_]+">(.*?)</tr>', page, re.DOTALL):
        place = re.search(r"<small>(\d+)</small>", row)
        assert place is not None
        words = html.unescape(re.sub(r"<[^>]*>", " ", row))
        found[place[1]] = found.get(place[1], "") + flat(words)
    return found


@pytest.mark.parametrize("language", list(Language))
def test_page(client: TestClient, language: Language) -> None:
    home = start(client, "P")
    assert client.post(f"{home}/workload", data=sent(BY_ID["175b_data"].workload)).status_code == 303
    rows = rows_of(client.get(f"{home}/requirement?lang={language.value}").text)
    assert set(rows) == set(SHOWN)
    missing = {(place, text) for place, texts in SHOWN.items() for text in texts if flat(text) not in rows[place]}
    assert missing == set()
    own = "文章自己的例子" if language is Language.ZH else "thearticle'sownexample"
    assert {place for place, text in rows.items() if own in text} >= {"1", "5", "6", "7", "8", "16", "17", "19"}
    assert all(("用户提供" if language is Language.ZH else "suppliedbytheuser") in text for text in rows.values())


@pytest.mark.parametrize("language", list(Language))
def test_paper(language: Language) -> None:
    moment = datetime(2026, 12, 1, 6, 2, tzinfo=UTC)
    document = build_pdf(judge_all([OFFER]), language, name="P", generated=moment, snapshot={"a": 1})
    text = text_of(document.data)
    assert [figure for texts in SHOWN.values() for figure in texts if flat(figure) not in text] == []
