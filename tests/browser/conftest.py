"""A real Chromium for the tests in this folder.

`CHROMIUM` names one; else the usual places are tried. A missing browser is a failure, for `make test`
installs one, but not on Ubuntu, whose package is a stub for a snap: there the tests say why they did not run.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
PLACES = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WAIT_MS = 10_000


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and run them last: Playwright keeps an event loop in the main thread."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


def _is_ubuntu() -> bool:
    try:
        return platform.freedesktop_os_release()["ID"] == "ubuntu"
    except OSError:
        return False


def _is_snap_stub(program: Path) -> bool:
    """Whether this is the script that Ubuntu puts in the browser's place."""
    return _is_ubuntu() and b"snap" in program.read_bytes()[:4096]


def find_chromium() -> str:
    """Path of the browser to test with; skips or fails the test when there is none."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named) or pytest.fail(f"CHROMIUM={named} cannot be started")
    for place in PLACES:
        found = shutil.which(place)
        if found and not _is_snap_stub(Path(found)):
            return found
    if _is_ubuntu():
        pytest.skip("no Chromium: Ubuntu packages it as a snap only; name one with CHROMIUM=/path")
    return pytest.fail("no Chromium: `bash .ci/setup test` installs it, or name one with CHROMIUM=/path")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for the whole run."""
    path = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """An empty page with storage of its own; an error in a script of the page fails the test."""
    context = chromium.new_context(locale="zh-CN", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, f"scripts of the page failed: {errors}"
