"""Presses, keys and failed downloads leave the board usable."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, expect

from browser.conftest import Visit
from browsing import PHONE, Visitor

GAME = "ganz-schoen-clever"
UNDO = ".tool[title='Undo']:enabled"
TWO_MOVES = ".log-side .log li.by-player + li.by-player:last-child"


LIFTED = "touchEnd"  # a click follows, at least in Chromium
TAKEN = "touchCancel"  # the system has taken the touch, as for a menu: no click follows


def hold(visitor: Visitor, element: Locator, end: str = LIFTED) -> None:
    """Hold a finger on an element until it explains itself, then end the touch."""
    box = element.bounding_box()
    assert box
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touches = visitor.context.new_cdp_session(visitor.page)
    touches.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
    visitor.page.wait_for_selector(".bubble")
    touches.send("Input.dispatchTouchEvent", {"type": end, "touchPoints": []})


def rolled(visit: Visit) -> Visitor:
    ada = visit(viewport=PHONE, has_touch=True)
    ada.open_game(GAME, alone=True)
    ada.page.tap(".button.roll")
    ada.page.wait_for_selector("button.die.lit")
    return ada


def test_a_held_press_explains_and_chooses_nothing(visit: Visit) -> None:
    ada = rolled(visit)
    die = ada.page.locator("button.die.lit").first
    hold(ada, die)
    expect(ada.page.locator(".bubble")).to_be_visible()
    expect(die).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("end", [LIFTED, TAKEN])
def test_the_tap_after_a_held_press_counts(visit: Visit, end: str) -> None:
    ada = rolled(visit)
    hold(ada, ada.page.locator("button.die.lit").first, end)
    other = ada.page.locator("button.die.lit").nth(1)
    other.tap()
    assert other.get_attribute("aria-pressed") == "true", "while the bubble would still be shown"


def test_holding_the_undo_key_takes_back_one_move(visit: Visit) -> None:
    ada = visit()
    sent: list[str] = []
    ada.page.on(
        "websocket",
        lambda opened: opened.on("framesent", lambda text: sent.append(json.loads(text)["type"])),
    )
    ada.open_game("geht-noch-was", alone=True)
    ada.touch_until(lambda: ada.asks_with(TWO_MOVES))
    ada.wait_for(lambda: ada.asks_with(UNDO), True)
    before = len(ada.log)
    ada.page.keyboard.down("u")
    ada.wait_for(lambda: len(ada.log), before - 1)
    ada.wait_for(lambda: ada.asks_with(UNDO), True)
    ada.page.keyboard.down("u")  # the key is still held: the browser repeats it
    ada.page.keyboard.up("u")
    ada.page.keyboard.press("?")  # handled after it
    expect(ada.page.locator("dialog .rules")).to_be_visible()
    assert sent.count("undo") == 1


def test_a_dialog_that_cannot_be_loaded_leaves_the_board_usable(visit: Visit) -> None:
    ada = visit(expected=("ERR_FAILED", "net::ERR", "Failed to load resource", "Failed to fetch"))
    ada.open_game(GAME, alone=True)
    ada.page.route("**/assets/dialogs-*", lambda route: route.abort())
    ada.page.get_by_role("button", name="Rules").click()
    failure = ada.page.locator("dialog", has_text="does not answer")
    expect(failure).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(failure).to_have_count(0)
    ada.page.click(".button.roll")
    ada.page.wait_for_selector("button.die.lit")
    ada.page.unroute("**/assets/dialogs-*")
    ada.page.get_by_role("button", name="Rules").click()
    expect(ada.page.locator("dialog .rules")).to_be_visible()
