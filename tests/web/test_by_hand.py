"""A fresh reader follows the 175B example from the pages alone: the printed inputs give every printed digit."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.prediction import Reading
from app.domain.prediction_working import prediction_working
from app.domain.presets import BY_ID, PRESETS
from app.domain.text import Language
from app.report.cost_working import cost_working
from app.report.pdf import document_html
from app.report.requirement_view import need_working
from app.report.working_view import working_line
from tests.domain.examples import OFFER, judge_all, offer, workload
from tests.report.reader import printed, reckon, seven, table_of_z, value
from tests.web.test_comparison import make  # noqa: F401 - a fixture
from tests.web.test_workload import sent, start

if TYPE_CHECKING:
    from starlette.testclient import TestClient

Row = tuple[str, str, str]  # numbers put in, inputs with their origin, result

# The example with pencil and paper: 175B on two sites, 500 km, two bytes an element.
FIBRE = 9.79e-6 * 500
RTT = FIBRE * 1.5
SIZE = 2 * (2 - 1) / 2 * (1.75e11 * 2)
BACKWARD = 2 / 3 * 13.638
COVER = BACKWARD / 64 * (1 - 1 / 96)
FLOOR = 8 * SIZE / (10 - 2 * RTT / 2)
TARGET = FLOOR * 1.25
JITTER = 0.01 * 13.638


def outage_lines() -> list[float]:
    """Restarts, MTBF, interval and availability that lose 1 % of a month: each from the last, until they stand."""
    month, repair, need = 730 * 3600.0, 4 * 3600.0, 0.99
    for _ in range(100):
        restarts = (1 - need) * month / repair
        mtbf = 1 / (128 / (43_800 * 3600) + restarts / month)
        interval = (2 * 60 * mtbf) ** 0.5
        need = 1 - 0.01 * repair / (repair + interval / 2 + 600)
    return [restarts, mtbf, interval, need]


NEED = [
    FIBRE, RTT, 1.75e11 * 2, SIZE, BACKWARD, COVER, FLOOR, TARGET, 2 * (10 - 8 * SIZE / TARGET) / 2, JITTER,
    table_of_z(64), JITTER / (2 * table_of_z(64)), (1 / FLOOR - 1 / TARGET) * 8 * 4096 / RTT,
    *outage_lines(),
]  # fmt: skip
# The offer: 400 Gbit/s, 10 ms, loss 1e-7, MTU 9,000, VLAN, jitter p99 0.05 ms.
OVERHEAD = 18 + 20 + 20 + 8 + 12 + 4 + 4
HEADERS = 4096 / (4096 + OVERHEAD)
IN_FLIGHT = 400e9 * 0.01 / (8 * 4096)
RESENT = (1 - 1e-7) / (1 - 1e-7 + 1e-7 * IN_FLIGHT)
SIGMA = 5e-5 / 2.326
WAIT = 2 * SIGMA * table_of_z(64)


def rest(rate: float, cover: float) -> list[float]:
    sync = 8 * SIZE / rate + 2 * 0.01 / 2 + WAIT
    exposed = max(sync - cover, sync / 96, 0)
    return [SIGMA, table_of_z(64), WAIT, sync, exposed, 13.638 + exposed, 13.638 / (13.638 + exposed)]


WINDOW = 8 * (32 * 4 * 2**20) / 0.01  # untuned NCCL: 32 channels of 4 MiB
PACED = 8 * 4096 / (1e-7 * 0.01) / 2 * HEADERS
CENTRAL = [4096, OVERHEAD, HEADERS, RESENT, 400e9 * HEADERS * RESENT, *rest(400e9 * HEADERS * RESENT, COVER)]
LOW = [4096, OVERHEAD, HEADERS, RESENT, 400e9 * HEADERS * RESENT, WINDOW, PACED, *rest(WINDOW, 0)]
HIGH = [4096, OVERHEAD, HEADERS, 400e9 * HEADERS, *rest(400e9 * HEADERS, COVER)]


def words(text: str) -> str:
    """Text of a piece of HTML, white space as a reader sees it."""
    return re.sub(r"[ \n]+", " ", html.unescape(re.sub(r"<[^>]*>", "", text))).strip()


def need_rows(page: str) -> list[Row]:
    """The lines of the requirement page."""
    return [row_of(row) for row in re.findall(r'<tr id="line-\d+">(.*?)</tr>', page, re.DOTALL)]


def row_of(row: str) -> Row:
    """Numbers put in, inputs with their origin, and the result of one line."""
    cells = re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)
    numbers, given = re.findall(r"<small[^>]*>(.*?)</small>", cells[0], re.DOTALL)
    return words(numbers), words(given), words(cells[1])


def paper_rows(table: str) -> list[Row]:
    """The same lines in the document."""
    return [row_of(row) for row in re.findall(r"<tr><th>\d+ .*?</tr>", table, re.DOTALL)]


def offer_rows(lines: list[str]) -> list[Row]:
    """The numbered lines of a prediction, each with the line under it."""
    found = []
    for line, given in pairwise(lines):
        if re.match(r"\d+\. ", line):
            numbers, result = line.split(" → ", 1)[1].rsplit(" = ", 1)
            assert given.startswith("· ")
            found.append((numbers, given.removeprefix("· "), result))
    return found


def check(rows: list[Row], by_hand: list[float]) -> None:
    """Every line gives its own result from its own numbers, and the result is that of pencil and paper."""
    for numbers, _, result in rows:
        assert seven(reckon(numbers)) == printed(result), (numbers, result)
    assert [printed(result) for _, _, result in rows] == [seven(n) for n in by_hand]


def check_origins(rows: list[Row], unknown: str) -> None:
    """Every input says where it comes from; an earlier line it names is the one with that figure."""
    for numbers, given, _ in rows:
        for part in given.split(" · "):
            assert re.search(r"\[.+\]$", part), (numbers, part)
            assert unknown not in part, (numbers, part)
            named = EARLIER.search(part.replace("\u00a0", " "))
            if named:
                assert seven(value(named[1])) == printed(rows[int(named[2] or named[3]) - 1][2]), part


EARLIER = re.compile(r" ([\d,.×⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+(?: [\w/]+)?) \[(?:第 (\d+) 行|line (\d+))\]$")
UNKNOWN = {Language.ZH: "由任务推出", Language.EN: "derived from the job"}


@pytest.mark.parametrize("language", list(Language))
def test_the_need(client: TestClient, language: Language) -> None:
    home = start(client, "P")
    assert client.post(f"{home}/workload", data=sent(BY_ID["175b_data"].workload)).status_code == 303
    rows = need_rows(client.get(f"{home}/requirement?lang={language.value}").text)
    check(rows, NEED)
    check_origins(rows, UNKNOWN[language])


TRAINING = [preset.id for preset in PRESETS if preset.workload["scenario"] == "training"]


@pytest.mark.parametrize("preset", TRAINING)
def test_every_training_job_can_be_followed(preset: str) -> None:
    """Whatever crosses the line: each line of need and prediction gives its result from its own numbers."""
    assessment = judge_all([OFFER], BY_ID[preset].workload)
    policy, need = assessment.policy, assessment.requirement
    lines = list(need_working(assessment.workload, policy, need, Language.EN))
    reading = Reading(assessment.offers[0].offer, assessment.workload, need.main)
    for end in prediction_working(reading):
        assert min(end.rates) == pytest.approx(end.effective, rel=1e-12)
        lines += [working_line(line, Language.EN) for line in end.lines]
    for line in lines:
        assert seven(reckon(line.numbers)) == printed(line.result), line.line


@pytest.mark.parametrize(
    "changes",
    [
        {"packet_loss": 5e-5}, {"mtu_bytes": 1500}, {"encapsulation": ["vxlan", "ipsec_gcm"]}, {"oversubscription": 4},
        {"transport": "rdma_selective_repeat"}, {"transport": "tcp_bbr", "packet_loss": 0.01}, {"window_bytes": 1e8},
        {"transport": "tcp_cubic"}, {"jitter_ms": None}, {"rtt_direction": None},
        {"burst_gbps": 800, "switch_time_s": 1},
    ],
)  # fmt: skip
def test_the_effective_rate_is_the_least_of_the_printed_bounds(changes: dict[str, Any]) -> None:
    assessment = judge_all([offer(**changes)])
    ends = prediction_working(Reading(assessment.offers[0].offer, assessment.workload, assessment.requirement.main))
    assert ends
    for end in ends:
        assert min(end.rates) == pytest.approx(end.effective, rel=1e-12)


def split(lines: list[str]) -> dict[str, list[str]]:
    """The lines of each end of the band."""
    ends = {"中值": "central", "Central": "central", "低端": "low", "Low": "low", "高端": "high", "High": "high"}
    found: dict[str, list[str]] = {}
    end = ""
    for line in lines:
        end = next((e for word, e in ends.items() if line.startswith(word)), end)
        found.setdefault(end, []).append(line)
    return found


@pytest.mark.parametrize("language", list(Language))
def test_the_prediction(client: TestClient, make: Any, language: Language) -> None:  # noqa: F811
    base = make([OFFER])
    page = client.get(f"{base}/comparison?lang={language.value}").text
    link = next(a for a in re.findall(r'href="([^"]*)"', page) if "bandwidth.effective" in a)
    panel = client.get(html.unescape(link), headers={"hx-request": "true"}, params={"lang": language.value}).text
    ends = split(
        [words(line) for line in re.findall(r'<p class="formula working(?: given)?">(.*?)</p>', panel, re.DOTALL)]
    )
    for end, by_hand in (("central", CENTRAL), ("low", LOW), ("high", HIGH)):
        rows = offer_rows(ends[end])
        check(rows, by_hand)
        check_origins(rows, UNKNOWN[language])
    least = next(line for line in ends["low"] if "min(" in line and line[0].isalpha() and not line.startswith("R"))
    rates, result = least.split(" = ", 1)[1].rsplit(" = ", 1)
    assert seven(value(rates)) == printed(result) == seven(WINDOW)
    assert "1.34217728×10⁸" in ends["low"][0] and "140.582682292" in ends["low"][0]
    assert "1×10⁻⁷" in ends["high"][0]


# The money: 400,000 a month and 50,000 once with 9 % tax, 24 months; 128 GPUs at 10; 99.99 % and 4 h, 730 h a month;
# two paths, each taken at 99.9 %, switched in 50 ms.
IN_CENTS = (2, 3, 9)
LINE = (400_000 / 1.09 * 24 + 50_000 / 1.09) / 24
GPU = 128 * 10 * 730
MONTH = 730 * 3600
OUTAGES = (1 - 0.9999) * MONTH / (4 * 3600)
SWITCHED = 2 * (1 - 0.999) * MONTH / (4 * 3600)
INTERVAL = (2 * 60 / (128 / (43_800 * 3600) + OUTAGES / MONTH)) ** 0.5
LOST = (OUTAGES * (4 * 3600 + INTERVAL / 2 + 600) + SWITCHED * 0.05) / MONTH
STRETCH = 1 / (CENTRAL[-1] * (1 - LOST))
MONEY = [
    400_000 / 1.09, 50_000 / 1.09, LINE, GPU, OUTAGES, SWITCHED, INTERVAL, LOST, STRETCH, (LINE + GPU) * STRETCH - GPU,
]  # fmt: skip


@pytest.mark.parametrize("language", list(Language))
def test_the_cost(client: TestClient, make: Any, language: Language) -> None:  # noqa: F811
    base = make([OFFER])
    page = client.get(f"{base}/comparison?lang={language.value}").text
    lines = [words(line) for line in re.findall(r'<p class="formula cost-line">(.*?)</p>', page, re.DOTALL)]
    assert len(lines) == len(MONEY)
    for at, (line, by_hand) in enumerate(zip(lines, MONEY, strict=True)):
        numbers, result = re.sub(r" \[.*\]$", "", line).split(" → ")[1].rsplit(" = ", 1)
        if at in IN_CENTS:
            assert f"{value(numbers):,.2f}" == result == f"{by_hand:,.2f}", line
        else:
            assert seven(value(numbers)) == printed(result) == seven(by_hand), line


@pytest.mark.parametrize(
    ("job", "terms"),
    [
        ({}, {"sla__failover_ms": 3000}),
        ({}, {"sla__failover_ms": None}),
        ({}, {"topology__paths": 1}),
        ({}, {"sla__availability": 1, "topology__paths": 1}),
        ({}, {"sla__scope": "network", "sla__period": "year", "sla__repair_time_h": None}),
        ({"training__survives_site_loss": True}, {}),
        ({"training__checkpoint_interval_s": 1800}, {"sla__failover_ms": 3000}),
    ],
)
def test_any_outage_can_be_followed(job: dict[str, Any], terms: dict[str, Any]) -> None:
    """Stalls, restarts, switchovers, tails: each line of the cost gives its result from its own numbers."""
    assessment = judge_all([offer(**terms)], workload(**job))
    lines = cost_working(assessment.offers[0], assessment, Language.EN)
    assert any(" a = " in line for line in lines)
    for line in lines:
        numbers, result = re.sub(r" \[.*\]$", "", line).split(" → ")[1].rsplit(" = ", 1)
        if line.split(". ")[1].startswith(("L", "G", "E")):
            assert f"{value(numbers):,.2f}" == f"{float(result.replace(',', '')):,.2f}", line
        else:
            assert seven(value(numbers)) == printed(result), line


@pytest.mark.parametrize("language", list(Language))
def test_on_paper(language: Language) -> None:
    """The document holds the same lines: the need and the central prediction."""
    page = document_html(judge_all([OFFER]), language, "P", datetime(2026, 12, 1, tzinfo=UTC))
    lines = [words(line) for line in re.findall(r'<span class="formula">(.*?)</span>', page, re.DOTALL)]
    rows = offer_rows(split(lines)["central"])
    check(rows, CENTRAL)
    check_origins(rows, UNKNOWN[language])
    table = page[page.index("<h2>" + ("计算过程" if language is Language.ZH else "Working") + "</h2>") :].split(
        "</table>"
    )[0]
    check(paper_rows(table), NEED)
    check_origins(paper_rows(table), UNKNOWN[language])
