"""The links of a public server are on its pages in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tables import ME, real_server

IMPRINT = "https://example.org/imprint"


@pytest.mark.parametrize("width", [390, 1280])
def test_the_links_are_on_the_start_page_at_a_table_and_lead_to_the_notice(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    with real_server(tmp_path, "--imprint", IMPRINT) as server:
        window = browser.new_context(locale="de-DE", viewport={"width": width, "height": 800})
        page = window.new_page()
        problems: list[str] = []
        page.on("console", lambda said: said.type == "error" and problems.append(said.text))
        code, _ = server.create(ME)
        for path in ("", f"t/{code}", "me"):
            page.goto(server.address + path)
            expect(page.locator("#app h1, #app .table").first).to_be_visible()
            link = page.get_by_role("link", name="Impressum")
            link.click(trial=True)  # scrolls to it, again if the page grows, and finds it uncovered
            assert link.get_attribute("href") == IMPRINT
        page.get_by_role("link", name="Datenschutz").click()
        expect(page.get_by_role("heading", name="Datenschutzerklärung")).to_be_visible()
        page.wait_for_load_state()  # with its style sheet
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("link", name="Zurück zum Spiel").click()
        expect(page.locator("#app h1").first).to_be_visible()
        assert not problems
        window.close()
