"""Puzzles in the page: solved by touching the sheet, on a phone and on a desktop."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browsing import DESKTOP, GAMES, PHONE, RAW_KEY, findings, spoken

TO_TOUCH = ".stage [data-act]:not([disabled]), .stage button.cell.lit"
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


@SIZES
def test_puzzles_are_solved_one_after_the_other(visit: Visit, size: dict[str, int]) -> None:
    tap = size == PHONE
    clipboard = ["clipboard-read", "clipboard-write"]
    ada = visit(viewport=size, has_touch=tap, permissions=clipboard)
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
            assert findings(ada.page, moderate=True) == []
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
    best = ada.page.locator(".puzzle-options td").first.inner_text()
    ada.page.click("button:has-text('Share result')")
    ada.wait_until("navigator.clipboard.readText().then((text) => text.includes('puzzle of 2'))")
    text = ada.page.evaluate("navigator.clipboard.readText()")
    assert f"/puzzles/{GAMES[-1]}" in text
    assert best not in text, "the solution is not given away"
    ada.page.click("button:has-text('Missed ones')")
    ada.page.wait_for_selector(".prompt:has-text('Not rated.')")
    listed = ada.page.locator(".puzzle-missed li")
    ada.page.click(".puzzle-missed summary")
    with ada.page.expect_response("**/api/puzzles?*") as repeated:
        listed.last.locator("button").click()
    asked = repeated.value.json()
    assert asked["id"] == asked["you"]["missed"][-1]["id"], "the one of the list"
    ada.page.click("button:has-text('Streak')")
    ada.page.wait_for_selector(".prompt:has-text('Streak: 0.')")
    ada.page.click("button:has-text('Show answer')")
    expect(ada.page.locator(".prompt .answer")).to_contain_text("The streak ends after 0.")
    with ada.page.expect_response("**/api/puzzles?*") as renewed:
        ada.page.click("button:has-text('New streak')")
    assert renewed.value.json()["rated"]
    ada.page.locator(".puzzle-theme select").select_option("stay_or_drop_out")
    ada.page.wait_for_selector(".prompt:has-text('One more roll?')")
    ada.page.click(".top-bar button:has-text('Settings')")
    ada.page.locator(".settings select").first.select_option("nl")
    ada.page.keyboard.press("Escape")
    ada.page.wait_for_selector(".prompt:has-text('Zonder rating.')")
    ada.page.click(".top-bar button:has-text('Instellingen')")
    ada.page.locator(".settings select").first.select_option("en")
    ada.page.keyboard.press("Escape")
    ada.page.wait_for_selector(".prompt:has-text('Not rated.')")
    before = figures.inner_text()
    ada.page.click("button:has-text('Show answer')")
    expect(answered).to_have_count(1)
    assert figures.inner_text() == before, "a practised theme is not rated"


def test_puzzles_are_solved_by_the_keyboard_in_every_language(visit: Visit) -> None:
    for game, language in zip(GAMES, ("de-DE", "nl-NL", "en-GB"), strict=True):
        ada = visit(viewport=DESKTOP, locale=language)
        ada.page.goto(f"{ada.server.address}/puzzles/{game}")
        ada.page.wait_for_selector(".prompt .answer")
        answered = ada.page.locator(".puzzle-options")
        while not answered.count():
            ada.page.keyboard.press("ArrowRight")
            ada.page.wait_for_function("fits => document.activeElement.matches(fits)", arg=TO_TOUCH)
            ada.page.keyboard.press("Enter")
            ada.page.wait_for_timeout(50)
            # While a move is judged, Enter would press the button of the next puzzle.
            ada.page.wait_for_function(
                "() => !document.querySelector('.prompt [data-key]:disabled')"
            )
        assert not RAW_KEY.findall(spoken(ada.page))
        expect(ada.page.locator(".prompt .primary")).to_be_focused()
        ada.page.keyboard.press("Enter")
        expect(answered).to_have_count(0)
        ada.page.keyboard.press("h")
        expect(answered).to_have_count(1)
        ada.page.keyboard.press("n")
        expect(answered).to_have_count(0)
