"""The start page: one press to play; names that a newcomer understands."""

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
def test_one_press_begins_alone_with_a_computer_or_with_friends(
    visit: Visit, game: str, size: dict[str, int]
) -> None:
    for way, seats in (("alone", 1), ("computer", 2), ("friends", 2)):
        ada = visit(viewport=size)
        ada.home()
        ada.page.click(f".g-{game} .way-{way}")
        expect(ada.page.locator(".player")).to_have_count(seats)
        expect(ada.page.locator("dialog.invitation")).to_have_count(1 if way == "friends" else 0)


@SIZES
def test_unfinished_games_come_before_the_cards_and_nothing_moves(
    visit: Visit, size: dict[str, int]
) -> None:
    ada = visit(viewport=size)
    codes = []
    for _ in range(4):
        ada.home()
        ada.page.click(".g-ganz-schoen-clever .way-alone")
        ada.page.wait_for_selector(".stage")
        codes.append(ada.code)
    ada.page.add_init_script(
        "window.shifts = []; new PerformanceObserver((list) => window.shifts.push("
        "...list.getEntries().filter((entry) => entry.sources.some("
        "({ node }) => node?.parentElement?.closest('.waiting, .games'))).map("
        "({ value }) => value))).observe({ type: 'layout-shift', buffered: true })"
    )
    ada.home()
    rows = ada.page.locator(".waiting .table-row")
    expect(rows).to_have_count(3)  # the cards stay in sight
    first, card = rows.first.bounding_box(), ada.page.locator(".game-card").first.bounding_box()
    assert first
    assert card
    assert first["y"] + first["height"] <= card["y"] < size["height"]
    expect(rows.first).to_contain_text("You 0")
    ada.page.wait_for_load_state("networkidle")
    assert ada.page.evaluate("window.shifts") == []
    ada.page.route(f"**/api/tables/{codes[-1]}", lambda _: None)
    ada.home()
    expect(rows.nth(1)).to_contain_text("Ganz schön clever")  # one table never answers
    expect(rows.first).to_contain_text(codes[-1])
    ada.page.unroute(f"**/api/tables/{codes[-1]}")
    ada.home()
    ada.page.locator(".waiting button").click()
    expect(rows).to_have_count(4)
    ada.page.locator(".waiting .table-row", has_text=codes[0]).click()
    ada.page.wait_for_selector(".stage")
    assert ada.code == codes[0]


LIT_STEP = ".prompt-buttons .roll, [data-act]:not([disabled]), button.cell.lit"


def walk_the_tour(visitor: Visitor) -> None:
    """Make the move of each step of a scripted round, up to the last step."""
    words, lit = visitor.page.locator(".tour-words"), visitor.page.locator(LIT_STEP)
    last = 0
    while "Now play." not in (text := words.inner_text()):
        assert (last := last + 1) <= 10
        lit.first.click()
        with suppress(AssertionError):  # a choice of two touches: a die and its field
            expect(words).not_to_have_text(text, timeout=300)
        if words.inner_text() == text:
            visitor.page.locator("button.cell.lit, [data-act]:not([disabled])").first.click()
            expect(words).not_to_have_text(text)
        assert visitor.page.evaluate("document.activeElement !== document.body")


@SIZES
@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_walks_through_a_scripted_round_into_a_real_game(
    visit: Visit, game: str, size: dict[str, int]
) -> None:
    ada = visit(viewport=size)
    ada.home()
    expect(ada.page.locator(".newcomer a")).to_have_text("How to play")
    ada.page.click(f".g-{game} .tour-button")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    walk_the_tour(ada)
    ada.page.get_by_role("button", name="Previous step").click()
    expect(ada.page.locator(".tour-words")).not_to_contain_text("Now play.")
    ada.page.locator(LIT_STEP).first.click()
    assert not [url for url in asked if "/api/tables" in url]
    ada.page.get_by_role("button", name="Start a game").click()
    expect(ada.page.locator(".player")).to_have_count(2)
    ada.home()
    expect(ada.page.locator(".newcomer")).to_have_count(0)


def test_every_game_names_its_designer_and_publisher(visit: Visit) -> None:
    ada = visit()
    ada.home()
    pictures = ada.page.locator(".game-art").evaluate_all("all => all.map((one) => one.innerHTML)")
    assert len(set(pictures)) == len(GAMES)
    named = dict(zip(GAMES, ada.page.locator(".credit").all_inner_texts(), strict=True))
    assert all("Schmidt Spiele" in credit for credit in named.values())
    assert "Jens Merkl" in named["geht-noch-was"]
    assert "Wolfgang Warsch" in named["ganz-schoen-clever"]
    assert "Wolfgang Warsch" in named["doppelt-so-clever"]


def test_levels_are_named_in_an_order_that_everybody_understands(visit: Visit) -> None:
    ada = visit()
    ada.set_up("ganz-schoen-clever")
    names = [
        name.removeprefix("Computer: ")
        for name in ada.page.locator(".seat-row select option").all_inner_texts()
    ]
    assert names == ["Random", "Very easy", "Easy", "Medium", "Strong"]


@SIZES
def test_the_focus_comes_back_after_a_dialog(visit: Visit, size: dict[str, int]) -> None:
    ada = visit(viewport=size)
    ada.open_game("ganz-schoen-clever", alone=True)
    rules = ada.page.get_by_role("button", name="Rules")
    rules.focus()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("dialog.drawer")).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(rules).to_be_focused()


def test_the_letters_on_the_dice_choose_them_in_the_page_s_language(visit: Visit) -> None:
    ada = visit(locale="de-DE")
    ada.open_game("ganz-schoen-clever", alone=True)
    ada.page.keyboard.press("r")
    yellow = ada.page.locator('.tray.hand [data-die="0"]')
    expect(yellow).to_have_attribute("data-key", "g")
    ada.page.keyboard.press("g")
    expect(
        ada.page.locator('[data-die="0"][aria-pressed=true], .slot [data-die="0"]')
    ).to_have_count(1)


def test_a_whole_game_with_arrows_letters_and_enter_alone(visit: Visit) -> None:
    ada = visit()
    ada.open_game("ganz-schoen-clever", alone=True)
    arrows = ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft")
    until = time.monotonic() + 600  # most keys do nothing, the more the slower the page is
    while ada.prompt != "The game is over.":  # a late Enter may have closed the result
        assert time.monotonic() < until, f"the game does not end; the page says: {ada.prompt}"
        keys = [
            ada.chooser.choice("ybgopw123456"),
            *ada.chooser.choices(arrows, k=ada.chooser.randrange(3)),
            "Enter",
            "r",
        ]
        for key in keys:
            ada.page.keyboard.press(key)
        ada.page.wait_for_timeout(15)
