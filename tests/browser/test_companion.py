"""Real dice: whole games by taps on a phone, a mistake mended, and each on his own phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import WebSocketRoute

from browser.conftest import Visit
from browsing import GAMES, PHONE, Visitor


def open_companion(visitor: Visitor, game: str, *, alone: bool = True) -> None:
    visitor.set_up(game)
    if alone:
        visitor.page.click(".seat-row .round-button")
    visitor.page.check("dialog .check:has-text('Real dice') input")
    visitor.start()
    visitor.page.wait_for_selector(".entry")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_taps_on_a_phone(visit: Visit, game: str) -> None:
    ada = visit(viewport=PHONE, has_touch=True)
    open_companion(ada, game)
    assert not ada.page.locator(".button.roll").count(), "nobody rolls here but people"
    ada.play_to_the_end(tap=True)
    assert ada.result()


def test_six_taps_enter_six_dice_and_a_mistake_is_mended(visit: Visit) -> None:
    ada = visit(viewport=PHONE, has_touch=True)
    open_companion(ada, GAMES[0])
    for face in (3, 2, 4, 1, 6, 5):
        ada.page.tap(f".entry-face[data-key='{face}']")
    ada.page.tap(".tool[title='Undo']")
    ada.page.wait_for_selector(".entry")
    for face in (3, 2, 4, 1, 6):
        ada.page.tap(f".entry-face[data-key='{face}']")
    ada.page.tap(".entry-die >> nth=0")  # one of them again, before the last
    ada.page.tap(".entry-face[data-key='1']")
    ada.page.tap(".entry-face[data-key='5']")
    ada.page.wait_for_selector(".entry", state="detached")
    ada.wait_for(lambda: ada.log, ["Roll: yellow 1, blue 2, green 4, orange 1, purple 6, white 5"])


def test_a_roll_that_was_lost_on_the_way_is_sent_again(visit: Visit) -> None:
    ada, lost = visit(viewport=PHONE, has_touch=True), 0

    def lose_first(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def carry(text: str | bytes) -> None:
            nonlocal lost
            if '"enter"' in str(text) and lost == 0:
                lost += 1
                page_side.close()
            else:
                server_side.send(text)

        page_side.on_message(carry)

    ada.page.route_web_socket("**/ws/*", lose_first)
    open_companion(ada, GAMES[0])
    for face in (3, 2, 4, 1, 6, 5):
        ada.page.tap(f".entry-face[data-key='{face}']")
    ada.wait_for(lambda: lost, 1)
    ada.page.wait_for_selector(".entry", state="detached")
    assert (lost, ada.log) == (1, ["Roll: yellow 3, blue 2, green 4, orange 1, purple 6, white 5"])


def test_keys_enter_a_roll_too(visit: Visit) -> None:
    ada = visit()
    open_companion(ada, GAMES[0])
    ada.page.keyboard.type("32")
    ada.page.keyboard.press("Backspace")
    ada.page.keyboard.type("54165")
    ada.wait_for(lambda: ada.log, ["Roll: yellow 3, blue 5, green 4, orange 1, purple 6, white 5"])


def test_a_card_is_found_by_its_number_and_an_impossible_one_refused(visit: Visit) -> None:
    ada = visit()
    open_companion(ada, "geht-noch-was")
    ada.page.keyboard.type("1" * 7)
    fail = ada.page.get_by_role("button", name="Fail")
    fail.click()  # who fails draws a green card
    fail.click()  # a card could be fulfilled, so it is asked once more
    ada.page.wait_for_selector(".entry-outcome")
    ada.page.fill(".entry input", "999")
    ada.page.press(".entry input", "Enter")
    ada.page.wait_for_selector("text=is not possible here")
    number = ada.page.locator(".entry-number").first.inner_text()
    before = len(ada.log)
    ada.page.fill(".entry input", number)
    ada.page.press(".entry input", "Enter")
    ada.page.wait_for_selector(f".log-side .log li >> nth={before}")
