"""Phones, keyboards, languages, screen readers: everybody can play."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browsing import GAMES, PHONE, TO_TOUCH, Visitor

Visit = Callable[..., Visitor]
RAW_KEY = re.compile(r"\b(page|rules|server|clever|climb|cli)\.[a-z_]+[.a-z_0-9]*")
LANGUAGES = {"de": "Regeln", "en": "Rules", "nl": "Regels"}


def assert_nothing_sticks_out(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_fits_a_phone(visit: Visit, game: str) -> None:
    ada = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    ada.home()
    assert_nothing_sticks_out(ada.page)
    ada.set_up(game)
    assert_nothing_sticks_out(ada.page)
    ada.start()
    for _ in range(12):
        ada.touch_something(tap=True)
        ada.page.wait_for_timeout(20)
        assert_nothing_sticks_out(ada.page)
    if game == "geht-noch-was":
        ada.play_to_the_end(tap=True)
        assert_nothing_sticks_out(ada.page)


def test_fields_are_large_enough_for_a_finger(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    for game in GAMES[:2]:
        ada.open_game(game, alone=True)
        ada.page.click(".button.roll")
        boxes = [button.bounding_box() for button in ada.page.locator("button.cell.lit, button.die.lit").all()]
        assert boxes
        assert all(box and box["width"] >= 24 and box["height"] >= 24 for box in boxes)


@pytest.mark.parametrize("game", GAMES)
def test_the_keyboard_alone_suffices(visit: Visit, game: str) -> None:
    ada = visit()
    ada.home()
    press_until(ada.page, f".g-{game} .button")
    ada.page.keyboard.press("Enter")
    press_until(ada.page, ".seat-row .round-button")
    ada.page.keyboard.press("Enter")
    press_until(ada.page, "dialog button[type=submit]")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector(".stage")
    for _ in range(60):
        if ada.over:
            break
        before = len(ada.log)
        press_until(ada.page, TO_TOUCH)
        ada.page.keyboard.press("Enter")
        ada.page.wait_for_timeout(40)
        if len(ada.log) == before and ada.page.locator(f"button.cell.lit, .zone-button, {TO_TOUCH}").count() > 1:
            press_until(ada.page, "button.cell.lit, .zone-button, .number-button")
            ada.page.keyboard.press("Enter")
            ada.page.wait_for_timeout(40)
    assert len(ada.log) > 30
    ada.page.keyboard.press("?")
    expect(ada.page.locator("dialog.drawer")).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("dialog.drawer")).to_have_count(0)


def press_until(page: Page, selector: str) -> None:
    """Press Tab until something that fits the selector has the focus."""
    for _ in range(80):
        if page.evaluate("(fits) => document.activeElement?.matches(fits) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_there_in_each_language(visit: Visit, game: str, language: str) -> None:
    ada = visit(locale={"de": "de-AT", "en": "en-US", "nl": "nl-BE"}[language])
    ada.set_up(game)
    assert ada.page.evaluate("document.documentElement.lang") == language
    ada.page.click("summary")
    assert not RAW_KEY.findall(spoken(ada.page))
    ada.start()
    for _ in range(15):
        ada.touch_something()
        ada.page.wait_for_timeout(20)
        assert not RAW_KEY.findall(spoken(ada.page))
    ada.page.get_by_role("button", name=LANGUAGES[language], exact=True).click()
    ada.page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    assert len(ada.page.locator("dialog.drawer").inner_text()) > 2_000
    assert not RAW_KEY.findall(spoken(ada.page))


def spoken(page: Page) -> str:
    """Everything the page says: texts, labels, titles, placeholders."""
    text: str = page.evaluate(
        "() => document.body.innerText + ' ' + [...document.querySelectorAll('[aria-label], [title], [placeholder]')]"
        ".map((one) => `${one.ariaLabel} ${one.title} ${one.getAttribute('placeholder')}`).join(' ')"
    )
    return text


def test_the_language_changes_in_the_middle_of_a_game(visit: Visit) -> None:
    ada = visit()
    ada.open_game("ganz-schoen-clever", alone=True)
    ada.page.click(".button.roll")
    expect(ada.page.locator(".prompt-words")).to_contain_text("choose a die")
    lines = len(ada.log)
    ada.page.get_by_role("button", name="Settings").click()
    ada.page.locator(".settings select").first.select_option("de")
    expect(ada.page.locator(".settings")).to_contain_text("Tisch")
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".prompt-words")).to_contain_text("Würfel")
    assert len(ada.log) == lines
    assert "Wurf" in ada.log[-1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit: Visit, scheme: str) -> None:
    ada = visit(color_scheme=scheme)
    ada.home()
    assert findings(ada.page) == []
    for game in GAMES:
        ada.set_up(game)
        assert findings(ada.page) == []
        ada.start()
        for _ in range(14):
            ada.touch_something()
            ada.page.wait_for_timeout(20)
        assert findings(ada.page) == []
        ada.page.keyboard.press("?")
        assert findings(ada.page) == []
        ada.page.keyboard.press("Escape")
    ada.open_game("geht-noch-was", alone=True)
    ada.play_to_the_end()
    assert findings(ada.page) == []


def findings(page: Page) -> list[Any]:
    """What axe calls serious or worse, short enough to read in a failure."""
    violations = Axe().run(page).response["violations"]
    return [
        (one["id"], node["html"][:160], node["failureSummary"][-220:])
        for one in violations
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
