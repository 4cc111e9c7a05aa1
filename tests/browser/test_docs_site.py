"""The documentation site in a browser, under the policy that the server sends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import DESKTOP, PHONE, findings
from documentation import built_site
from foxclover.server.http.app import HEADERS

PAGES = ("index.html", "first-game.html", "rules.html", "api/games.html", "command-line.html")


class Handler(SimpleHTTPRequestHandler):
    """Sends the files with the headers of the server."""

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    handler = partial(Handler, directory=str(built_site()))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def open_page(browser: Browser, faults: list[str], **look: Any) -> Page:
    page = browser.new_context(**look).new_page()
    page.on("console", lambda message: faults.append(message.text))  # a refused script or style
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", lambda request: faults.append(request.url))
    return page


@pytest.mark.parametrize(
    ("size", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")], ids=["phone", "desktop"]
)
def test_pages_fit_work_under_the_policy_and_are_accessible(
    browser: Browser, address: str, size: Any, scheme: Any
) -> None:
    faults: list[str] = []
    page = open_page(browser, faults, viewport=size, color_scheme=scheme)
    for name in PAGES:
        page.goto(f"{address}/{name}")
        expect(page.locator("h1")).to_have_count(1)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size["width"], f"{name} is wider than the window"
        assert findings(page) == [], name
    page.context.close()
    assert faults == []


def test_the_search_finds_pages_without_a_server(browser: Browser, address: str) -> None:
    faults: list[str] = []
    page = open_page(browser, faults, viewport=DESKTOP)
    page.goto(f"{address}/rules.html")
    page.locator("input[name=q]").fill("platter")
    page.keyboard.press("Enter")
    expect(page.locator(".search li").first).to_be_visible()
    expect(page.locator(".search a", has_text="Player guide").first).to_be_visible()
    page.context.close()
    assert faults == []
