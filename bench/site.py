"""Measure how large and how quick the game without a server is.

    python bench/site.py [--visits 3] [--games KEY ...]

Print the sizes of the folder, and Chromium's time to the first roll: from an empty cache, and on a
later visit, each in turn with a server. Then print how long computer players take, from the message
that announces their turn to the one with their move.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browser.test_site import sit_down_with
from browsing import GAMES, Folder, Visitor, invite, launch, serving
from foxclover.server.thinking.tasks import OPPONENTS
from foxclover.site.build import build_site

KEPT = "navigator.serviceWorker.controller?.state === 'activated'"
ROLL = "[data-act=roll], .prompt button.primary"
COMPANIES = (
    *((level,) for level in OPPONENTS),
    ("random", "greedy", "easy"),
    ("medium", "strong", "strong"),
)
"""With whom one sits at a table: each level at one for two, and all of them at two for four."""
NOTE_STATES = """
window.states = [];
const own = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
const note = ({ data }) => {
  const message = data === null ? {} : JSON.parse(data);
  if (message.type === "state") {
    const levels = message.seats.map((seat) => seat.level);
    window.states.push({ at: performance.now(), levels, acting: message.acting, seq: message.seq });
  }
};
Object.defineProperty(MessagePort.prototype, "onmessage", {
  ...own,
  set(listener) { own.set.call(this, (event) => { note(event); listener(event); }); },
});
"""
"""The messages that the page receives about its table, and when."""
KEPT_EVENTS = """new Promise((done) => {
  indexedDB.open("foxclover").onsuccess = ({ target: { result: database } }) => {
    const asked = database.transaction("events").objectStore("events").getAll();
    asked.onsuccess = () => done(asked.result.map((event) => JSON.parse(event)[0]));
  };
})"""
"""The seats of all events of the only table, secret decisions included."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--visits", type=int, default=3)
    parser.add_argument(
        "--games",
        nargs="*",
        choices=GAMES,
        default=GAMES,
        help="the games that computer players are timed in",
    )
    args = parser.parse_args()
    print(f"others at work on this machine: {os.getloadavg()[0]:.1f} processes in the last minute")
    with tempfile.TemporaryDirectory() as root, sync_playwright() as playwright:
        folder = Folder(Path(root))
        build_site(folder.site)
        tell_sizes(folder.site)
        browser = launch(playwright)
        if args.visits:
            tell_starts(browser, folder, args.visits)
        for game in args.games:
            tell_thinking(browser, folder, game)
        browser.close()
        folder.end()


def tell_sizes(site: Path) -> None:
    files = [path.read_bytes() for path in site.rglob("*") if path.is_file()]
    packed = sum(min(len(content), len(gzip.compress(content, 6))) for content in files)
    print(
        f"folder: {len(files)} files, {sum(map(len, files)) / 1e6:.2f} MB; "
        f"{packed / 1e6:.2f} MB from a host that packs"
    )


def tell_starts(browser: Browser, folder: Folder, visits: int) -> None:
    first, later, served, sizes, memory = [], [], [], [], []
    with tempfile.TemporaryDirectory() as root, serving(Path(root) / "data") as server:
        for _ in range(visits):
            folder.requests.clear()
            ada = invite(browser, folder, service_workers="allow")
            first.append(until_first_roll(ada))
            sizes.append(asked_for(folder))
            ada.wait_until(KEPT)
            memory.append(memory_of(browser))
            later.append(until_first_roll(again(ada.context, ada)))
            ada.context.close()
            bo = invite(browser, server, service_workers="allow")
            until_first_roll(bo)
            bo.wait_until(KEPT)
            served.append(until_first_roll(again(bo.context, bo)))
            bo.context.close()
    print(
        f"first visit to first roll: {sorted(round(one, 2) for one in first)} s, "
        f"{max(sizes) / 1e6:.2f} MB"
    )
    print(f"later visit to first roll: {sorted(round(one, 2) for one in later)} s")
    print(f"the same with a server: {sorted(round(one, 2) for one in served)} s")
    print(
        f"a later visit takes {median(later) / median(served):.2f} times as long as with a server"
    )
    print(
        "memory of the page's process after the first roll: "
        f"{sorted(round(one / 1e6) for one in memory)} MB"
    )


def again(context: BrowserContext, before: Visitor) -> Visitor:
    before.page.close()
    return Visitor(before.server, context, context.new_page())


def until_first_roll(visitor: Visitor) -> float:
    """Seconds from opening the address until the dice have fallen."""
    began = time.perf_counter()
    visitor.page.goto(visitor.server.address)
    visitor.page.click(f".g-{GAMES[0]} .way-computer", timeout=60_000)
    visitor.page.wait_for_selector(".stage", timeout=60_000)
    visitor.page.locator(ROLL).first.click()
    visitor.page.wait_for_selector(".log-side .log li")
    return time.perf_counter() - began


def asked_for(folder: Folder) -> int:
    """Bytes of all files that were asked for."""
    paths = {
        request.split()[1].split("?")[0].removeprefix(f"/{folder.BASE}").strip("/") or "index.html"
        for request in folder.requests
    }
    return sum(
        (folder.site / path).stat().st_size for path in paths if (folder.site / path).is_file()
    )


def memory_of(browser: Browser) -> int:
    """Bytes that the largest of the browser's processes has to itself or shares in part."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return max(pss(int(process["id"])) for process in processes if process["type"] == "renderer")


def pss(process: int) -> int:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def tell_thinking(browser: Browser, folder: Folder, game: str) -> None:
    """How long computer players take in whole games for two and four."""
    taken: dict[tuple[int, str], list[float]] = {}
    for company in COMPANIES:
        ada = invite(browser, folder)
        ada.context.add_init_script(NOTE_STATES)
        sit_down_with(ada, game, company)
        ada.play_to_the_end()
        for level, milliseconds in thought(
            ada.page.evaluate("window.states"), ada.page.evaluate(KEPT_EVENTS)
        ):
            taken.setdefault((1 + len(company), level), []).append(milliseconds)
        ada.context.close()
    for (seats, level), times in sorted(
        taken.items(), key=lambda item: (item[0][0], OPPONENTS.index(item[0][1]))
    ):
        mean = sum(times) / len(times)
        print(
            f"{game}, {seats} seats, {level}: {len(times)} decisions, mean {mean:.0f} ms, "
            f"longest {max(times):.0f} ms",
            flush=True,
        )


def thought(states: list[dict[str, Any]], events: list[int]) -> Iterator[tuple[str, float]]:
    """Level and milliseconds of each decision.

    Since it was that seat's turn, or since the computer player before it had moved.
    """
    since: dict[int, float] = {}
    known = 0
    for state in states:
        now, levels = state["at"], state["levels"]
        moved = [seat for seat in events[known : state["seq"]] if seat >= 0 and levels[seat]]
        known = state["seq"]
        yield from ((levels[seat], now - since[seat]) for seat in moved if seat in since)
        since = {
            seat: now if moved else since.get(seat, now) for seat in state["acting"] if levels[seat]
        }


if __name__ == "__main__":
    main()
