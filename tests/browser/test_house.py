"""The browser itself works, and draws our typeface: what every other test of this folder stands on."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

FONTS = Path(__file__).parents[2] / "static/fonts"


def test_chromium_loads_both_weights_of_our_font(page: Page) -> None:
    def serve(route):
        name = route.request.url.rsplit("/", 1)[-1]
        if name.endswith(".woff2"):
            route.fulfill(body=(FONTS / name).read_bytes(), content_type="font/woff2")
        else:
            route.fulfill(body="<!doctype html><title>font</title>", content_type="text/html")

    page.route("**/*", serve)
    page.goto("http://localhost/")
    statuses = page.evaluate(
        """async () => {
            const faces = ["Regular", "Bold"].map(style =>
                new FontFace("Linewise Sans SC", `url(/LinewiseSansSC-${style}.woff2)`));
            return (await Promise.all(faces.map(face => face.load()))).map(face => face.status);
        }"""
    )
    assert statuses == ["loaded", "loaded"]
