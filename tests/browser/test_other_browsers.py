"""The page and the folder without a server in Firefox and in WebKit: start, play, reload, review.

Chromium runs everything else; these are short.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import FIND_LIT, GAMES, PATIENCE, TO_TOUCH, WHOLE_GAME, Folder, Server, Visitor
from foxclover.site.build import build_site
from webdrivers import Window, open_firefox, open_webkit

Visit = Callable[..., Visitor]
OPEN = {"firefox": open_firefox, "webkit": open_webkit}
REMEMBERED = json.dumps({"pace": 0, "motion": False, "guided": GAMES})
RESULT = "dialog.result"
TOTALS = f"{RESULT} tr.sum td, {RESULT} td.sum"
ENTRIES = ".log-side .log li"
FIND = """(selector, text) => {
  const named = ({ innerText }) => innerText.includes(text);
  const one = [...document.querySelectorAll(selector)].filter(named).at(0);
  if (!one) return null;
  one.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = one.getBoundingClientRect();
  const middle = [x + width / 2, y + height / 2];
  return one.contains(document.elementFromPoint(...middle)) ? middle : null;
}"""
KEPT = "() => navigator.serviceWorker.controller?.state === 'activated'"


@pytest.fixture(scope="module", params=OPEN)
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    with OPEN[request.param]() as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    served = Folder(tmp_path)
    build_site(served.site)
    yield served
    served.end()


class Player:
    """A player who touches whatever the page lights up."""

    def __init__(self, window: Window, home: str) -> None:
        self.window, self.home = window, home
        self.chooser = random.Random(7)
        window.faults.clear()
        window.goto(home)
        window.evaluate("(text) => { localStorage.foxclover = text; }", REMEMBERED)
        window.goto(home)

    def count(self, selector: str) -> int:
        found = self.window.evaluate("(it) => document.querySelectorAll(it).length", selector)
        assert isinstance(found, int)
        return found

    def texts(self, selector: str) -> list[str]:
        found = self.window.evaluate(
            "(it) => [...document.querySelectorAll(it)].map((one) => one.textContent.trim())",
            selector,
        )
        return [str(text) for text in found]

    def wait(self, selector: str) -> None:
        self.wait_until(lambda: self.count(selector) > 0, selector)

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        until = time.monotonic() + PATIENCE / 1_000
        while not holds():
            assert time.monotonic() < until, f"it does not come: {what}"
            time.sleep(0.02)

    def click(self, selector: str, text: str = "") -> None:
        """Click something as soon as it is in sight."""
        self.wait_until(lambda: self.window.evaluate(FIND, selector, text) is not None, selector)
        self.window.click(*self.window.evaluate(FIND, selector, text))

    def touch(self) -> bool:
        """Touch something that is lit, where a person would."""
        found = self.window.evaluate(FIND_LIT, [TO_TOUCH, self.chooser.random()])
        if found is None or found[2]:
            return False
        self.window.click(found[0], found[1])
        return True

    def open_alone(self, game: str) -> str:
        """Open a table for one; return its code."""
        self.click(f".g-{game} .setup-button")
        self.click("dialog .seat-row .round-button")
        self.click("dialog button[type=submit]")
        self.wait(".stage")
        return str(self.window.evaluate("() => location.href.split(/[/=]/).at(-1)"))

    @property
    def log(self) -> list[str]:
        return self.texts(ENTRIES)

    def play(self, *, entries: int = 10_000) -> None:
        """Touch things until the log has so many entries, or the game is over."""
        until = time.monotonic() + WHOLE_GAME
        while len(self.log) < entries and not self.count(RESULT):
            assert time.monotonic() < until, f"the page says: {self.texts('.prompt-words')}"
            if not self.touch():
                time.sleep(0.02)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_alone_is_played_reloaded_and_reviewed(
    window: Window, server: Server, game: str
) -> None:
    ada = Player(window, server.address)
    code = ada.open_alone(game)
    ada.play(entries=6)
    written = ada.log
    window.reload()
    ada.wait(f"{ENTRIES}:nth-child({len(written)})")
    assert ada.log[: len(written)] == written
    ada.play()
    score = server.ask(f"/api/tables/{code}")["scores"]
    assert list(map(int, ada.texts(TOTALS))) == score
    ada.click(f"{RESULT} :is(a, button)", "Review")
    ada.wait(".curve svg")
    assert list(map(int, ada.texts(".account .sum td"))) == score
    assert window.faults == []


def test_the_site_starts_and_goes_on_without_a_network(window: Window, folder: Folder) -> None:
    ada = Player(window, f"{folder.address}/")
    ada.open_alone(GAMES[0])
    ada.play(entries=4)
    written = ada.log
    ada.wait_until(lambda: bool(window.evaluate(KEPT)), "the service worker")
    folder.end()
    window.reload()
    ada.wait(f"{ENTRIES}:nth-child({len(written)})")
    assert ada.log[: len(written)] == written
    window.goto(ada.home)
    ada.wait(".table-row")
    ada.open_alone(GAMES[-1])
    ada.play(entries=4)
    assert window.faults == []


def test_a_browser_that_is_too_old_says_so(visit: Visit) -> None:
    ada = visit(locale="de-DE")
    ada.context.add_init_script("CSS.supports = (one) => one !== 'color'")
    ada.page.goto(ada.server.address)
    expect(ada.page.get_by_text("Dein Browser ist zu alt")).to_be_visible()
    expect(ada.page.get_by_text("needs JavaScript")).to_be_hidden()
    expect(ada.page.locator(".game-card")).to_have_count(0)
