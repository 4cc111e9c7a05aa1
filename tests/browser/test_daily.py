"""The daily challenge in the page: begun once, finished, on the list, and among friends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browsing import DESKTOP, PHONE, REFUSED, findings, serving

# The challenge of the day before, as if it had been finished.
YESTERDAY_TOO = """() => {
  const [key, day] = ["foxclover.dailies", new Date(Date.now() - 86_400_000).toISOString()];
  const dailies = JSON.parse(localStorage[key]);
  dailies["geht-noch-was"] = [[day.slice(0, 10), 12]];
  localStorage[key] = JSON.stringify(dailies);
}"""


def test_the_game_of_the_day_is_played_once_and_stands_on_the_list(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    ada.home()
    ada.page.click("a[href='/daily']")
    ada.page.fill("input[placeholder='Your name on the leaderboard']", "Ada")
    ada.page.click("button:has-text('Save')")
    ada.page.wait_for_selector(
        "input[placeholder='Your name on the leaderboard']", state="detached"
    )
    expect(ada.page.locator(".daily-game")).to_have_count(3)
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    ada.page.click(".daily-game >> nth=0 >> button:has-text('Start')")
    ada.page.wait_for_selector(".stage")
    assert ada.page.locator("button[aria-label='Hint']:not([disabled])").count() == 0, (
        "nobody is helped"
    )
    code = ada.code
    ada.page.goto(ada.server.address + "/daily")
    ada.page.click(".daily-game >> nth=0 >> button:has-text('Continue')")
    ada.page.wait_for_selector(".stage")
    assert ada.code == code
    ada.play_to_the_end()
    points = ada.result()[0]
    ada.home()
    card = ada.page.locator(".g-ganz-schoen-clever")
    expect(card).to_contain_text(f"Best: {points}")
    expect(card.locator(".card-daily")).to_have_text(f"Today’s challenge: {points} points")
    ada.page.evaluate(YESTERDAY_TOO)
    ada.page.reload()
    expect(card.locator(".card-daily")).to_contain_text("2 days in a row")
    ada.page.click("a[href='/daily']")
    ada.page.wait_for_selector(f".daily-game:has-text('{points} points')")
    ada.page.wait_for_selector(f".daily-board .you:has-text('{points}')")
    lost = ada.page.locator(".daily-board .you td").nth(2)
    expect(lost).to_have_text(re.compile(r"^\d+\.\d\d$"))
    lost_per_decision = lost.inner_text()
    ada.page.fill("input[placeholder='Name of the new group']", "Week")
    ada.page.click("button:has-text('Create group')")
    ada.page.click("button:has-text('Results')")
    ada.page.locator(".week select").first.select_option("ganz-schoen-clever")
    expect(ada.page.locator(".week-scroll .you .sum")).to_have_text(str(points))
    ada.page.locator(".week select").nth(2).select_option("skill")
    expect(ada.page.locator(".week-scroll .you .sum")).to_have_text(lost_per_decision)
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert findings(ada.page, moderate=True) == []
    ada.page.goto(ada.server.address + "/me")
    expect(ada.page.locator(".skill")).to_contain_text(f"{lost_per_decision} points lost")
    bo = visit(viewport=DESKTOP)
    bo.page.goto(f"{bo.server.address}/t/{code}")
    bo.page.wait_for_selector("text=This game uses the dice of the day")
    bo.page.goto(bo.server.address + "/daily")
    bo.page.wait_for_selector(f".daily-board tr:has-text('Ada'):has-text('{points}')")
    assert bo.page.locator(".daily-board .you").count() == 0


def test_friends_have_a_list_of_their_own(visit: Visit) -> None:
    ada, bo = visit(), visit(viewport=PHONE, expected=("status of 404",))  # a code that is wrong
    for visitor in (ada, bo):
        visitor.page.goto(visitor.server.address + "/daily")
        visitor.page.wait_for_selector(".daily-game")
    ada.page.fill("input[placeholder='Name of the new group']", "Friends")
    ada.page.click("button:has-text('Create group')")
    code = ada.page.locator("li:has-text('1 member') small").inner_text().rpartition("· ")[2]
    bo.page.fill("input[placeholder='Group code']", "wrong one")
    bo.page.click("button:has-text('Join')")
    bo.page.wait_for_selector("text=There is no group with this code")
    bo.page.fill("input[placeholder='Group code']", code)
    bo.page.click("button:has-text('Join')")
    bo.page.wait_for_selector("li:has-text('2 members')")
    bo.page.select_option("select[aria-label='Group']", label="Friends")
    bo.page.wait_for_selector(".daily-board .you:has-text('not started'):has-text('You')")
    expect(bo.page.locator(".daily-board tbody tr")).to_have_count(2)
    bo.page.click("button:has-text('Results')")
    bo.page.wait_for_selector(".group-results .you")
    expect(bo.page.locator(".group-results > .daily-board tbody tr")).to_have_count(2)
    expect(bo.page.locator(".group-results .you .report")).to_have_count(0)
    for reported, reasons in ((".group-results .report button", 2), ("li .report button", 1)):
        bo.page.locator(reported).first.click()
        expect(bo.page.locator("dialog .row button")).to_have_count(reasons)
        bo.page.locator("dialog .row button").first.click()
        expect(bo.page.locator("dialog [role=status]")).to_be_visible()
        bo.page.keyboard.press("Escape")
    assert bo.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_page_of_the_day_speaks_every_language_and_can_be_used_by_everybody(
    visit: Visit,
) -> None:
    for locale, words in (
        ("de-DE", "Tagesaufgabe"),
        ("nl-NL", "Dagelijkse uitdaging"),
        ("en-GB", "Daily challenge"),
    ):
        ada = visit(locale=locale, viewport=PHONE)
        ada.page.goto(ada.server.address + "/daily")
        ada.page.wait_for_selector(".daily-game")
        expect(ada.page.locator("h1")).to_contain_text(words)
        assert findings(ada.page, moderate=True) == []


DAY = 86_400


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_an_unfinished_game_of_yesterday_says_that_it_counts_as_given_up(
    visit: Visit, tmp_path: Path, size: dict[str, int]
) -> None:
    with serving(tmp_path / "data") as server:
        ada = visit(server, viewport=size, expected=REFUSED)
        ada.page.goto(server.address + "/daily")
        ada.page.click(".daily-game >> nth=1 >> button:has-text('Start')")
        ada.page.wait_for_selector(".stage")
        ada.page.click(".button.roll")
        ada.wait_until_idle()
        assert ada.page.locator("dialog").count() == 0, "its day is not over"
        code = ada.code
        ada.page.goto(server.address + "/daily")
        expect(ada.page.get_by_role("button", pressed=True)).to_have_text("Doppelt so clever")
        server.end()
        server.ahead = DAY
        server.start()
        ada.page.reload()
        expect(ada.page.locator(".notice")).to_contain_text("Doppelt so clever")
        expect(ada.page.locator(".notice")).to_contain_text("yesterday")
        server.end()
        server.ahead = 2 * DAY
        server.start()
        ada.home()
        ada.page.click(".table-row")
        told = ada.page.locator("dialog", has_text="This day is over")
        expect(told).to_contain_text("counts as given up")
        told.get_by_role("button", name="Play on").click()
        expect(told).to_have_count(0)
        ada.play_to_the_end()
        expect(ada.page.locator("dialog.result")).to_contain_text("counts as given up")
        ada.page.reload()
        expect(ada.page.locator("dialog.result")).to_contain_text("counts as given up")
        assert ada.code == code
        ada.page.click("dialog.result a:has-text('Daily challenge')")
        ada.page.wait_for_selector(".daily-game")
