"""Puzzles in the page: solved by touching the sheet, on a phone and on a desktop."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browsing import DESKTOP, GAMES, PHONE, findings

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


@SIZES
def test_puzzles_are_solved_one_after_the_other(visit: Visit, size: dict[str, int]) -> None:
    tap = size == PHONE
    ada = visit(viewport=size, has_touch=tap)
    ada.home()
    ada.page.click("a[href='/puzzles']")
    answered = ada.page.locator(".puzzle-options")
    figures = ada.page.locator(".puzzle-figures")
    for game in GAMES:
        ada.page.goto(f"{ada.server.address}/puzzles/{game}")
        ada.page.wait_for_selector(".prompt:has-text('What would you play?')")
        expect(figures).to_have_text("1500 ± 350")
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        if game == GAMES[0]:
            assert findings(ada.page) == []
        ada.touch_until(lambda: answered.count() > 0, tap=tap, pause=50)
        expect(figures).not_to_contain_text("1500 ± 350")
        assert answered.locator("tbody tr").count() >= 2
        rating = figures.locator("strong").inner_text()
        ada.page.click("button:has-text('Next puzzle')")
        expect(answered).to_have_count(0)
        ada.page.reload()
        expect(figures.locator("strong")).to_have_text(rating)
    with ada.page.expect_response("**/api/puzzles?*"):
        ada.page.click("button:has-text('Puzzle of the day')")
    ada.page.click("button:has-text('Show answer')")
    expect(ada.page.locator("button:has-text('Share result')")).to_be_visible()
    ada.page.click("button:has-text('Missed ones')")
    ada.page.wait_for_selector(".prompt:has-text('Not rated.')")
    ada.page.locator(".puzzle-theme select").select_option("stay_or_drop_out")
    ada.page.wait_for_selector(".prompt:has-text('One more roll?')")
    before = figures.inner_text()
    ada.page.click("button:has-text('Show answer')")
    expect(answered).to_have_count(1)
    assert figures.inner_text() == before, "a practised theme is not rated"
