"""The whole job in a real browser, in both languages: form → sheets → review → comparison → report.

Screenshots of every page are kept under `tests/artefacts/` for people to look at.
"""

from __future__ import annotations

import io
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pdfplumber
import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect

from app.config import Settings
from app.services import example
from app.web.app import create_app

ARTEFACTS = Path(__file__).parents[1] / "artefacts"
SHEETS = Path(__file__).parents[1] / "data" / "sheets"
UPLOADS = ["wide_tabs.csv", "response.pdf", "lines.docx", "products_in_columns.xlsx"]
HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The application on a free loopback port with an empty data folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = Settings(data=tmp_path_factory.mktemp("data"), port=port)
    server = uvicorn.Server(uvicorn.Config(create_app(settings), host="127.0.0.1", port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(30)


@pytest.fixture(params=["zh", "en"])
def visitor(request, chromium: Browser) -> Iterator[tuple[Page, str]]:
    """A browser set to one language; a script error or a policy violation fails the test."""
    language = request.param
    context = chromium.new_context(
        locale="zh-CN" if language == "zh" else "en-GB", viewport={"width": 1360, "height": 900}
    )
    context.set_default_timeout(20_000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page, language
    context.close()
    assert faults == []


def keep(page: Page, name: str, language: str) -> None:
    """A screenshot for people, and what no page may do: overflow sideways."""
    ARTEFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}-{language}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1360


def start_project(page: Page, address: str, name: str) -> str:
    page.goto(address)
    page.locator("input[name=name]").fill(name)
    page.locator("form[action='/projects'] button.primary").click()
    page.wait_for_url("**/workload**")
    return page.url.split("?")[0].rsplit("/", 1)[0]


def test_the_whole_job(visitor, address):
    page, language = visitor
    project = start_project(page, address, f"Journey {language}")
    page.locator("a[href*='preset=175b_data']").first.click()
    expect(page.locator("input[name='training.gpus']")).to_have_value("128")
    keep(page, "1-workload", language)
    page.locator("form button.primary").last.click()
    page.wait_for_url("**/requirement**")
    expect(page.locator("h1")).to_contain_text("280")
    keep(page, "2-requirement", language)

    page.goto(f"{project}/sheets")
    page.locator("input[type=file]").set_input_files([SHEETS / name for name in UPLOADS])
    for name in UPLOADS:  # each file is sent by itself; the page shows the list when all are in
        expect(page.locator("main tbody")).to_contain_text(name)
    keep(page, "3-sheets", language)

    page.goto(f"{project}/offers")
    keep(page, "4-offers", language)
    all_at_once = page.locator("#review-tools form[action$='/confirm']")
    all_at_once.locator("input[name=actor]").fill("Wang")
    all_at_once.locator("button").click()
    expect(page.locator("main")).to_contain_text("Wang")
    expect(page.locator("#review-tools form")).to_have_count(0)
    keep(page, "4-offers-confirmed", language)

    page.goto(f"{project}/comparison")
    expect(page.locator("h1")).to_be_visible()
    keep(page, "5-comparison", language)
    page.locator("table.matrix a.cell").first.click()
    expect(page.locator("#panel")).to_contain_text("Gbit/s")
    keep(page, "5-comparison-panel", language)
    page.keyboard.press("Escape")

    page.goto(f"{project}/report")
    keep(page, "6-report", language)
    reply = page.request.get(f"{project}/report.pdf?lang={language}")
    assert reply.status == 200
    with pdfplumber.open(io.BytesIO(reply.body())) as document:
        text = document.pages[0].extract_text()
        assert len(document.pages) > 5
    assert ("280" in text) or ("Gbit/s" in text)
    (ARTEFACTS / f"report-{language}.pdf").write_bytes(reply.body())


def test_the_example_shows_one_of_each_verdict(visitor, address):
    page, language = visitor
    page.goto(address)
    page.locator("form[action='/projects/example'] button").first.click()
    page.wait_for_url("**/comparison**")
    words = {"zh": ("推荐", "否决", "待澄清"), "en": ("Recommended", "Rejected", "Conditional")}[language]
    for word in words:
        expect(page.locator(".cards")).to_contain_text(word)
    keep(page, "7-example", language)


def test_english_pages_hold_no_chinese_but_the_users_own(visitor, address):
    page, language = visitor
    if language == "zh":
        page.goto(f"{address}/formulas")
        assert HAN.search(page.locator("main").inner_text())
        return
    project = start_project(page, address, "Plain English")
    for step in ("workload", "requirement", "sheets", "offers", "comparison", "report"):
        page.goto(f"{project}/{step}")
        text = page.locator("main").inner_text()
        assert not HAN.search(text), f"{step}: {HAN.search(text)}"
    page.goto(f"{address}/formulas")
    assert not HAN.search(page.locator("main").inner_text())


def test_the_switch_of_language_persists(visitor, address):
    page, language = visitor
    page.goto(address)
    other = "English" if language == "zh" else "中文"
    page.get_by_text(other, exact=True).click()
    page.goto(f"{address}/formulas")
    assert page.locator("html").get_attribute("lang") == ("en" if language == "zh" else "zh-CN")


def test_without_scripts_the_job_can_be_done(chromium: Browser, address):
    context = chromium.new_context(java_script_enabled=False, locale="zh-CN")
    page = context.new_page()
    project = start_project(page, address, "No script")
    page.goto(f"{project}/workload?preset=175b_data")
    page.locator("form button.primary").last.click()
    page.wait_for_url("**/requirement**")
    page.goto(f"{project}/sheets")
    name, content = example.example_files()[0]
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )
    page.locator("noscript button, form[enctype] button").first.click()
    page.goto(f"{project}/comparison")
    assert "甲山" in page.locator("main").inner_text()
    context.close()
