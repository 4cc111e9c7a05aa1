"""Phones, keyboards, languages, screen readers: everybody can play."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.test_newcomer import DIALOGS, SETTINGS
from browsing import (
    GAMES,
    PATIENCE,
    PHONE,
    RAW_KEY,
    TO_TOUCH,
    WHOLE_GAME,
    Visitor,
    findings,
    spoken,
)

Visit = Callable[..., Visitor]
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
    ada.touch_times(12, lambda: assert_nothing_sticks_out(ada.page), tap=True)
    if game == "geht-noch-was":
        ada.play_to_the_end(tap=True)
        assert_nothing_sticks_out(ada.page)


@pytest.mark.parametrize("game", GAMES)
def test_the_keyboard_alone_suffices(visit: Visit, game: str) -> None:
    ada = visit()
    ada.home()
    press_until(ada.page, f".g-{game} .setup-button")
    ada.page.keyboard.press("Enter")
    press_until(ada.page, ".seat-row .round-button")
    ada.page.keyboard.press("Enter")
    press_until(ada.page, "dialog button[type=submit]")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector(".stage")
    wanted = len(ada.log) + (1_000 if game == "geht-noch-was" else 12)
    until = time.monotonic() + WHOLE_GAME
    while len(ada.log) < wanted and not ada.over:
        assert time.monotonic() < until, f"the game does not go on; the page says: {ada.prompt}"
        touch_by_keyboard(ada)
    if ada.over:
        ada.page.keyboard.press("Escape")
    ada.page.keyboard.press("?")
    expect(ada.page.locator("dialog.drawer")).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("dialog.drawer")).to_have_count(0)


@pytest.mark.parametrize("focused", ["input[role=switch]", ".log-side .log"])
def test_letters_act_wherever_the_focus_is_that_takes_none_itself(
    visit: Visit, focused: str
) -> None:
    ada = visit()
    ada.open_game("geht-noch-was", alone=True)
    ada.page.locator(focused).focus()
    ada.page.keyboard.press("?")
    expect(ada.page.locator("dialog.drawer")).to_be_visible()


def touch_by_keyboard(visitor: Visitor) -> None:
    """Go on to any of the things that are lit, and press Enter."""
    for _ in range(1 + visitor.chooser.randrange(4)):
        visitor.page.keyboard.press("Tab")
        press_until(visitor.page, TO_TOUCH)
        if visitor.over:
            return
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_timeout(30)


def press_until(page: Page, selector: str) -> None:
    """Press Tab until something that fits the selector has the focus."""
    until = time.monotonic() + PATIENCE / 1_000
    while time.monotonic() < until:
        if page.evaluate(
            "(fits) => document.activeElement?.matches(fits) "
            "|| Boolean(document.querySelector('dialog.result'))",
            selector,
        ):
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

    def assert_no_key_is_shown() -> None:
        assert not RAW_KEY.findall(spoken(ada.page))

    ada.touch_times(5, assert_no_key_is_shown)
    ada.page.get_by_role("button", name=LANGUAGES[language], exact=True).click()
    expect(
        ada.page.locator("dialog.drawer details[open]").first
    ).to_be_visible()  # the rules are fetched when they are opened
    ada.page.evaluate(
        "for (const details of document.querySelectorAll('details')) details.open = true"
    )
    ada.wait_for(lambda: len(ada.page.locator("dialog.drawer").inner_text()) > 2_000, True)
    assert not RAW_KEY.findall(spoken(ada.page))


def test_the_language_changes_in_the_middle_of_a_game(visit: Visit) -> None:
    ada = visit()
    ada.open_game("ganz-schoen-clever", alone=True)
    ada.page.click(".button.roll")
    expect(ada.page.locator(".prompt-words")).to_contain_text("choose a die")
    lines = ada.page.locator(".log-side .log li")
    expect(lines).to_have_count(1)
    ada.page.get_by_role("button", name="Settings").click()
    ada.page.locator(".settings select").first.select_option("de")
    expect(ada.page.locator(".settings")).to_contain_text("Tisch")
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".prompt-words")).to_contain_text("Würfel")
    expect(lines).to_contain_text(["Wurf"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit: Visit, scheme: str) -> None:
    ada = visit(color_scheme=scheme)
    ada.home()
    assert findings(ada.page, moderate=True) == []
    for game in GAMES:
        ada.open_game(game)
        ada.touch_times(10)
        assert findings(ada.page, moderate=True) == []
    ada.play_to_the_end()
    ada.page.click("dialog.result summary[title=More]")
    assert findings(ada.page, moderate=True) == []


def test_axe_finds_nothing_serious_in_dialogs(visit: Visit) -> None:
    ada = visit()
    ada.page.goto(f"{ada.server.address}/how/geht-noch-was")
    expect(ada.page.locator(".tour-words")).to_be_visible()
    assert findings(ada.page, moderate=True) == []
    ada.home()
    ada.page.get_by_role("button", name="Settings").click()
    expect(ada.page.get_by_label("Appearance")).to_be_visible()
    expect(ada.page.get_by_label("Language")).to_be_visible()
    assert findings(ada.page, moderate=True) == []
    ada.page.keyboard.press("Escape")
    ada.set_up("geht-noch-was")
    ada.page.click("summary")
    assert findings(ada.page, moderate=True) == []
    ada.start()
    ada.page.keyboard.press("?")
    expect(ada.page.locator("dialog.drawer details[open]").first).to_be_visible()
    assert findings(ada.page, moderate=True) == []
    ada.page.keyboard.press("Escape")
    for opener in DIALOGS:
        if not opener.startswith("dialog"):  # which is in the dialog before
            expect(ada.page.locator("dialog")).to_have_count(0)
        ada.page.locator(opener).first.click()
        expect(ada.page.locator("dialog")).to_have_count(1)
        assert findings(ada.page, moderate=True) == [], opener
        if opener != SETTINGS:
            ada.page.keyboard.press("Escape")
    ada.page.set_viewport_size(PHONE)
    assert findings(ada.page, moderate=True) == []
    ada.page.get_by_role("button", name="Game log").click()
    expect(ada.page.locator("dialog")).to_have_count(1)
    assert findings(ada.page, moderate=True) == []


def test_bonuses_of_rows_columns_and_diagonals_have_names(visit: Visit) -> None:
    ada = visit()
    ada.open_game("ganz-schoen-clever", alone=True)
    area = ada.page.get_by_role("region", name="Yellow")
    for name in ("Bonus, row a: blue X", "Bonus, diagonal: extra die"):
        expect(area.get_by_role("img", name=name)).to_be_visible()
    coloured = ".bonus:is(.b-yellow, .b-blue, .b-green, .b-orange, .b-purple)"
    expect(ada.page.locator(f".sheet-panel {coloured}").nth(5)).to_be_visible()
    expect(ada.page.locator(f".sheet-panel {coloured}:not(:has(.sign))")).to_have_count(0)
    blue = ada.page.get_by_role("region", name="Blue")
    expect(blue.get_by_role("img", name="Bonus, row 1: orange 5")).to_be_visible()
    expect(blue.get_by_role("img", name="Bonus, column 4: extra die")).to_be_visible()


def test_everything_is_framed_where_the_system_chooses_the_colours(visit: Visit) -> None:
    ada = visit(forced_colors="active")
    ada.open_game("ganz-schoen-clever", alone=True)
    border = "(one) => getComputedStyle(one).borderTopStyle + getComputedStyle(one).borderTopWidth"
    for part in (".prompt", ".player", ".button.roll"):
        assert ada.page.locator(part).first.evaluate(border).startswith("solid")
    ada.page.click(".button.roll")
    lit = ada.page.locator(".die.lit").first
    outline = "(one) => getComputedStyle(one).outlineStyle"
    assert lit.evaluate(outline) == "solid"
