"""Take the pictures of the README from the running page.

``python tools/pictures.py``, after ``./play`` has built the page once.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browsing import DESKTOP, PHONE, Server, Visitor, invite, launch, serving  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
SEED = "2026"
PATIENCE = 4_000  # milliseconds
JOKER = '.tray.hand button.die.lit[data-die="5"]'
ODDS_ON = (
    "localStorage.foxclover = JSON.stringify({ ...JSON.parse(localStorage.foxclover), odds: true })"
)


def main() -> None:
    """Take all pictures again."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "data") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        start = invite(browser, server, viewport={"width": 1280, "height": 880})
        start.home()
        take(start, "start")
        play(
            browser, server, "ganz-schoen-clever", 40, JOKER, "ganz-schoen-clever", viewport=DESKTOP
        )
        play(
            browser,
            server,
            "doppelt-so-clever",
            60,
            JOKER,
            "doppelt-so-clever",
            viewport=DESKTOP,
            color_scheme="dark",
        )
        play(
            browser, server, "geht-noch-was", 50, ".card.met.lit", "geht-noch-was", viewport=DESKTOP
        )
        phone: dict[str, Any] = {"viewport": PHONE, "device_scale_factor": 2}
        play(browser, server, "ganz-schoen-clever", 30, JOKER, "phone-light", **phone)
        play(
            browser,
            server,
            "geht-noch-was",
            44,
            ".card.met.lit",
            "phone-dark",
            color_scheme="dark",
            **phone,
        )
        browser.close()


def play(
    browser: Browser, server: Server, game: str, touches: int, until: str, name: str, **look: Any
) -> None:
    """Play a practice game until an element is visible, choose an offered joker, take a picture."""
    visitor = invite(browser, server, **look)
    visitor.set_up(game)
    visitor.page.evaluate(ODDS_ON)
    visitor.page.reload()
    visitor.set_up(game)
    visitor.page.click("summary")
    visitor.page.fill("input[inputmode=numeric]", SEED)
    visitor.start()
    while (touches > 0 or visitor.page.locator(until).count() == 0) and not visitor.over:
        touches -= touch_the_best(visitor)
        visitor.page.wait_for_timeout(30)
    if visitor.page.locator(JOKER).count():
        visitor.page.click(JOKER)
    visitor.page.evaluate("scrollTo(0, 0)")
    visitor.page.wait_for_timeout(400)
    take(visitor, name)


def touch_the_best(visitor: Visitor) -> bool:
    """Follow the page's own advice, so that the sheets are worth looking at."""
    hint = visitor.page.get_by_role("button", name="Hint")
    if visitor.page.locator(".button.roll").count() or not hint.is_enabled():
        return visitor.touch_something()
    hint.click()
    best = visitor.page.locator(".hint-move:not([disabled])").first
    try:
        best.click(timeout=PATIENCE)
        best.click(timeout=PATIENCE)
    except TooLate:  # the table has moved on, or the advisor is busy
        return visitor.touch_something()
    return True


def take(visitor: Visitor, name: str) -> None:
    """Save a picture of the window."""
    visitor.page.screenshot(path=FOLDER / f"{name}.png")
    visitor.context.close()


if __name__ == "__main__":
    main()
