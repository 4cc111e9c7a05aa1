"""Learning while playing, what others did, how it ended, and how it feels."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from browsing import DESKTOP, GAMES, PHONE, Visitor

Visit = Callable[..., Visitor]
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


@SIZES
@pytest.mark.parametrize("game", GAMES)
def test_a_first_game_is_guided_through_every_situation_and_can_be_left(visit: Visit, game: str, size: dict[str, int]) -> None:
    ada = visit(viewport=size, guided=True)
    ada.open_game(game)
    coach, told = ada.page.locator(".coach"), set()
    for _ in range(60):
        while coach.count():
            told.add(coach.locator("p").inner_text())
            coach.get_by_role("button", name="Got it").click()
            ada.page.wait_for_timeout(20)
        with suppress(AssertionError):  # the next explanation may just have come
            ada.touch_something()
        ada.page.wait_for_timeout(30)
        if len(told) >= 5 or ada.over:
            break
    assert len(told) >= 5
    ada.page.keyboard.press("?")
    ada.page.get_by_role("button", name="Guide me").click()
    expect(coach).to_have_count(1)
    coach.get_by_role("button", name="Leave").click()
    expect(coach).to_have_count(0)
    ada.open_game(game)
    expect(coach).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_have_pictures_drawn_from_what_is_printed(visit: Visit, game: str) -> None:
    ada = visit()
    ada.open_game(game, alone=True)
    ada.page.keyboard.press("?")
    assert ada.page.locator(".rules-picture .cell, .rules-picture .card").count() > 5


def test_what_is_touched_and_held_says_what_it_is_and_does_nothing(visit: Visit) -> None:
    ada = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    ada.open_game("ganz-schoen-clever", alone=True)
    finger = ada.context.new_cdp_session(ada.page)
    box = ada.page.locator(".c-orange .area-head").bounding_box()
    assert box is not None
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": box["x"] + 20, "y": box["y"] + 8}]})
    expect(ada.page.locator(".bubble")).to_contain_text("multiply")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_the_last_move_of_the_others_is_marked_on_their_sheets(visit: Visit) -> None:
    ada = visit(viewport={"width": 1440, "height": 900})
    ada.open_game("ganz-schoen-clever")
    until = time.monotonic() + 30
    while ada.page.locator(".other .cell.fresh").count() == 0:
        assert time.monotonic() < until
        ada.touch_something()
        ada.page.wait_for_timeout(20)


@SIZES
def test_the_result_has_bars_is_kept_and_can_be_shared_as_a_picture(visit: Visit, size: dict[str, int]) -> None:
    ada = visit(viewport=size)
    ada.set_up("geht-noch-was")
    for _ in range(2):
        ada.page.click(".add-seats button >> nth=0")
    ada.start()
    ada.play_to_the_end()
    assert ada.page.locator("dialog.result .bar").count() >= 4 * 6
    assert ada.page.evaluate("document.querySelector('.result-scroll').scrollWidth <= document.querySelector('.result-scroll').clientWidth")
    expect(ada.page.locator("dialog.result")).to_contain_text("first result")
    with ada.page.expect_download() as download:
        ada.page.get_by_role("button", name="Picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_sounds_and_movement_have_switches_that_are_remembered(visit: Visit) -> None:
    ada = visit(reduced_motion="no-preference")
    ada.open_game("ganz-schoen-clever", alone=True)
    for name in ("Sounds", "Animations"):
        ada.page.get_by_role("button", name="Settings").click()
        switch = ada.page.get_by_role("switch", name=name)
        assert switch.is_checked()
        switch.uncheck()
        ada.page.keyboard.press("Escape")
    ada.page.reload()
    ada.page.click(".button.roll")
    expect(ada.page.locator(".die.lit").first).to_be_visible()
    assert ada.page.evaluate("getComputedStyle(document.querySelector('.die-body')).animationName") == "none"
