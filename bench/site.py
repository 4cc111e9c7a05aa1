"""How large and how quick is the game without a server? Sizes of the folder, and Chromium's time from nothing to the first roll.

python bench/site.py [--visits 3]
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browsing import GAMES, Folder, Visitor, invite, launch
from foxclover.server.thinking import OPPONENTS
from foxclover.site.build import build_site

ROLL = "[data-act=roll], .prompt button.primary"
CHOOSING = """
import json, time
from foxclover.ai import agent
from foxclover.chance import seeded
from foxclover.game import game

def seconds(key, level):
    position, dice, player = game(key).start(2), seeded(3), agent(level, game(key), 3)
    taken = []
    while not position.over and len(taken) < 30:
        if position.chance_due:
            position.roll(dice)
            continue
        began = time.perf_counter()
        move = player.choose(position, position.acting[0])
        taken.append(time.perf_counter() - began)
        position.push(move)
    return sorted(taken)

json.dumps({level: seconds(%r, level) for level in %r})
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=3)
    visits = parser.parse_args().visits
    with tempfile.TemporaryDirectory() as root, sync_playwright() as playwright:
        folder = Folder(Path(root))
        build_site(folder.site)
        tell_sizes(folder.site)
        browser = launch(playwright)
        tell_starts(browser, folder, visits)
        browser.close()
        folder.end()
    tell_decisions()


def tell_sizes(site: Path) -> None:
    files = [path.read_bytes() for path in site.rglob("*") if path.is_file()]
    packed = sum(min(len(content), len(gzip.compress(content, 6))) for content in files)
    print(f"folder: {len(files)} files, {sum(map(len, files)) / 1e6:.2f} MB; {packed / 1e6:.2f} MB from a host that packs")


def tell_starts(browser: Browser, folder: Folder, visits: int) -> None:
    first, later, sizes, memory = [], [], [], []
    for _ in range(visits):
        folder.requests.clear()
        ada = invite(browser, folder, service_workers="allow")
        first.append(until_first_roll(ada))
        sizes.append(asked_for(folder))
        ada.page.wait_for_function("navigator.serviceWorker.controller !== null", timeout=60_000)
        memory.append(memory_of(browser))
        later.append(until_first_roll(again(ada.context, ada)))
        ada.context.close()
    print(f"first visit to first roll: {sorted(round(one, 2) for one in first)} s, {max(sizes) / 1e6:.2f} MB")
    print(f"later visit to first roll: {sorted(round(one, 2) for one in later)} s")
    print(f"memory of the page's process after the first roll: {sorted(round(one / 1e6) for one in memory)} MB")


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
    paths = {request.split()[1].split("?")[0].removeprefix(f"/{folder.BASE}").strip("/") or "index.html" for request in folder.requests}
    return sum((folder.site / path).stat().st_size for path in paths if (folder.site / path).is_file())


def memory_of(browser: Browser) -> int:
    """Bytes that the largest of the browser's processes has to itself or shares in part."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return max(pss(int(process["id"])) for process in told if process["type"] == "renderer")


def pss(process: int) -> int:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def tell_decisions() -> None:
    """How long computer players think, in Node, for two."""
    root = Path(__file__).parents[1]
    for key in GAMES:
        command = [Path(sys.executable).with_name("node"), root / "tests/site/run.mjs", CHOOSING % (key, OPPONENTS)]
        taken = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        told = ", ".join(f"{level} {1000 * times[len(times) // 2]:.0f} and {1000 * times[-1]:.0f} ms" for level, times in taken.items())
        print(f"{key}, median and longest of {len(taken['strong'])} decisions: {told}")


if __name__ == "__main__":
    main()
