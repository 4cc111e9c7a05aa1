"""Take the pictures of the README and of the documents from the running page and terminal.

``python tools/pictures.py``, after ``./play`` has built the page once; ``terminal``, ``readme`` or
``guide`` as an argument takes only these.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browsing import DESKTOP, PHONE, Server, Visitor, invite, launch, serving  # noqa: E402
from cli.test_fullscreen import playing  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
# what browsers show before the page is installed: web/build/install.ts
SCREENSHOTS = {"screenshot-wide": "ganz-schoen-clever", "screenshot-narrow": "phone-light"}
SEED = "2026"
PATIENCE = 4_000  # milliseconds
JUDGED = 600_000  # milliseconds for a review
EXTRA_DIE = ".tray.platter button.die.lit"
JOKER = '.tray.hand button.die.lit[data-die="5"]'
ODDS_ON = """{
  const stored = JSON.parse(localStorage.foxclover ?? "{}");
  localStorage.foxclover = JSON.stringify({ ...stored, odds: true });
}"""


def main() -> None:
    """Take all pictures again, or those of the parts named on the command line."""
    FOLDER.mkdir(exist_ok=True)
    parts = {"readme": take_readme, "guide": take_guide}
    names = sys.argv[1:] or ["terminal", *parts]
    # before Playwright, which has a loop of its own
    drawn = asyncio.run(draw_terminal()) if "terminal" in names else ""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "data") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name in names:
            if name == "terminal":
                take_terminal(browser, drawn)
            else:
                parts[name](browser, server)
        browser.close()
    for name, picture in SCREENSHOTS.items():
        shutil.copy(FOLDER / f"{picture}.png", ROOT / "web" / "public" / f"{name}.png")


async def draw_terminal() -> str:
    """Return the full-screen mode with a hint and the cursor on a field, as SVG."""
    game, players = "ganz-schoen-clever", ("Ada", "Bo:greedy")
    with tempfile.TemporaryDirectory() as folder:
        async with playing(game, Path(folder), players=players, until_round=4) as played:
            await played.asked("move")  # the bonus of the round
            await played.pilot.press("enter")
            await played.asked("roll")
            await played.pilot.press("enter")
            await played.asked("move")
            await played.pilot.press("h")
            await played.until(lambda: "expected points" in played.log("#hints"))
            await played.pilot.press("right", "down")
            await played.pilot.pause()
            # The page may load no fonts from elsewhere.
            return played.app.export_screenshot(title="foxclover play ganz").replace(
                "Fira Code, ", ""
            )


def take_terminal(browser: Browser, drawn: str) -> None:
    """Take the picture of the full-screen mode."""
    page = browser.new_page(viewport={"width": 1238, "height": 782})
    page.set_content(f"<body style='margin: 0'>{drawn}</body>")
    page.screenshot(path=FOLDER / "terminal.png")
    page.close()


def take_readme(browser: Browser, server: Server) -> None:
    """Take the pictures of the README."""
    start = invite(browser, server, viewport={"width": 1280, "height": 880})
    start.home()
    take(start, "start")
    play(browser, server, "ganz-schoen-clever", 40, JOKER, "ganz-schoen-clever", viewport=DESKTOP)
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
    play(browser, server, "geht-noch-was", 50, ".card.met.lit", "geht-noch-was", viewport=DESKTOP)
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


def take_guide(browser: Browser, server: Server) -> None:
    """Take the pictures of docs/first-game.md and docs/guide.md."""
    game = "ganz-schoen-clever"
    play(browser, server, game, 1, JOKER, "guide-first-roll", viewport=DESKTOP)
    phone: dict[str, Any] = {"viewport": PHONE, "device_scale_factor": 2}
    play(browser, server, game, 8, EXTRA_DIE, "guide-extra-die", **phone)
    visitor = invite(browser, server, viewport=DESKTOP)
    start_practice(visitor, game)
    for touch in count():
        if visitor.over:
            break
        # some mistakes, for the review to show
        visitor.touch_something() if touch % 5 == 0 else touch_the_best(visitor)
        visitor.page.wait_for_timeout(30)
    visitor.page.locator("dialog.result").get_by_role("link", name="Review").click()
    visitor.page.wait_for_selector(".curve svg", timeout=JUDGED)
    visitor.page.locator(".worst-one").first.click()
    visitor.page.wait_for_timeout(400)
    take(visitor, "guide-review")


def play(
    browser: Browser, server: Server, game: str, touches: int, until: str, name: str, **look: Any
) -> None:
    """Play a practice game until an element is visible, choose an offered joker, take a picture."""
    visitor = invite(browser, server, **look)
    start_practice(visitor, game)
    while (touches > 0 or visitor.page.locator(until).count() == 0) and not visitor.over:
        touches -= touch_the_best(visitor)
        visitor.page.wait_for_timeout(30)
    if visitor.page.locator(JOKER).count():
        visitor.page.click(JOKER)
    visitor.page.evaluate("scrollTo(0, 0)")
    visitor.page.wait_for_timeout(400)
    take(visitor, name)


def start_practice(visitor: Visitor, game: str) -> None:
    """Start a game with the seed of the pictures, with the odds shown."""
    visitor.set_up(game)
    visitor.page.evaluate(ODDS_ON)
    visitor.page.reload()
    visitor.set_up(game)
    visitor.page.click("summary")
    visitor.page.fill("input[inputmode=numeric]", SEED)
    visitor.start()


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
    """Save what the window shows, in 256 colours: a third of the size."""
    file = FOLDER / f"{name}.png"
    visitor.page.screenshot(path=file)
    visitor.context.close()
    picture = Image.open(file).convert("RGB")
    picture.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
