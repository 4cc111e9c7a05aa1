"""The game without a server.

The built folder, served by the plainest of web servers, in a browser.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import MISSING, fields
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Locator, Playwright, Route, expect

import site_moves
from browser.test_beginning import walk_the_tour
from browser.test_companion import open_companion
from browser.test_review import JUDGED, SOLVED, practise_one, written
from browsing import GAMES, PHONE, Folder, Visitor, invite, launch
from families import CLEVER
from foxclover import game, puzzles, transcripts
from foxclover.ai import agents
from foxclover.server.stores.store import TableRecord
from foxclover.site import browser as browser_module
from foxclover.site.build import ENGINE, build_site
from foxclover.site.bundle import archive

Visit = Callable[..., Visitor]
ENTRIES = ".log-side .log li"
WORKER = "**/assets/worker-*.js"
COMPANIES = (("random", "easy", "strong"), ("greedy", "medium"))
"""All levels, in few games."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folder]:
    served = Folder(tmp_path_factory.mktemp("site"))
    build_site(served.site)
    yield served
    served.end()


@pytest.fixture
def visit(browser: Browser, folder: Folder) -> Iterator[Visit]:
    visitors: list[Visitor] = []

    def come(**options: object) -> Visitor:
        visitors.append(invite(browser, folder, **options))  # type: ignore[arg-type]
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.context.close()
    assert [visitor.faults for visitor in visitors] == [[] for _ in visitors]


def sit_down_with(visitor: Visitor, game: str, levels: tuple[str, ...]) -> str:
    """Open a table with these computer players."""
    visitor.set_up(game)
    for at, level in enumerate(levels):
        if at:
            visitor.page.click(".add-seats button:first-child")
        visitor.page.locator(".seat-row select").nth(at).select_option(level)
    return visitor.start()


def play_on(visitor: Visitor, moves: int) -> None:
    """Make some moves."""
    wanted = len(visitor.log) + moves
    visitor.touch_until(lambda: visitor.over or len(visitor.log) >= wanted)


def play_until(visitor: Visitor, seen: Locator) -> None:
    """Touch things until the page shows something and is idle."""
    visitor.touch_until(lambda: seen.count() > 0, pause=50)
    visitor.wait_until_idle()


def without_shared_workers(visitor: Visitor) -> None:
    """Give each tab a worker of its own, as in browsers that share none.

    Playwright sees requests, messages and variables of such workers only.
    """
    visitor.context.add_init_script("delete window.SharedWorker")


def worker_begins_with(visitor: Visitor, script: str) -> None:
    """Let the worker run something before anything else, as if the browser were another one."""
    without_shared_workers(visitor)

    def change(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=script + answer.text())

    visitor.context.route(WORKER, change)


@pytest.mark.parametrize("levels", COMPANIES, ids="-".join)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_each_level_with_a_reload_in_the_middle(
    visit: Visit, game: str, levels: tuple[str, ...]
) -> None:
    small = levels == COMPANIES[1]
    ada = visit(viewport=PHONE, has_touch=True) if small else visit()
    code = sit_down_with(ada, game, levels)
    play_on(ada, 6)
    before = ada.log
    ada.page.reload()
    ada.wait_for(lambda: ada.log[: len(before)], before)  # the computer players may have gone on
    assert ada.code == code
    ada.play_to_the_end(tap=small)
    totals = ada.result()
    ada.page.click("dialog.result summary[title=More]")
    with ada.page.expect_download() as download:
        ada.page.click("dialog a[download]")
    played = transcripts.read(download.value.path().read_text(encoding="utf-8")).position
    assert played.over
    assert [played.score(seat) for seat in range(played.players)] == totals
    ada.home()
    ada.page.locator(".panel", has_text="Finished games").locator(".table-row").click()
    expect(ada.page.locator(".replay-bar")).to_be_visible()


def wait_until_kept(visitor: Visitor) -> None:
    """Wait until the service worker has everything and serves this page."""
    visitor.wait_until(
        "navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')"
    )
    visitor.wait_until("navigator.serviceWorker.controller !== null")


def test_the_game_starts_and_goes_on_without_a_network(visit: Visit, folder: Folder) -> None:
    ada = visit(service_workers="allow")
    ada.open_game(GAMES[0])
    play_on(ada, 3)
    wait_until_kept(ada)
    before = len(folder.requests)
    ada.context.set_offline(True)
    ada.page.reload()
    ada.page.wait_for_selector(".stage")
    play_on(ada, 6)
    ada.home()
    expect(ada.page.locator(".table-row")).to_have_count(1)
    ada.page.locator(".card-daily").first.click()  # today's challenge has public dice here
    expect(ada.page.locator(".daily")).to_contain_text("The dice of the daily are public here")
    ada.page.locator(".daily-game button").first.click()
    ada.page.wait_for_selector(".stage")
    code = ada.code
    play_on(ada, 3)
    ada.page.goto(f"{folder.address}/?daily")
    ada.page.get_by_role("link", name="Continue").click()
    ada.page.wait_for_selector(".stage")
    assert ada.code == code
    ada.home()
    ada.page.click(f".g-{GAMES[2]} .tour-button")
    walk_the_tour(ada)
    ada.page.get_by_role("button", name="Start a game").click()
    ada.page.wait_for_selector(".player")
    play_on(ada, 6)
    ada.page.goto(f"{folder.address}/?puzzles={GAMES[1]}")
    ada.page.wait_for_selector(".prompt:has-text('What would you play?')")
    ada.page.click("button:has-text('Show answer')")
    expect(ada.page.locator(".puzzle-options")).to_be_visible()
    expect(ada.page.locator(".puzzle-missed li")).to_have_count(1)
    assert not [request for request in folder.requests[before:] if "service-worker" not in request]


SNAPSHOT = """async (change) => {
  for (const name of (await caches.keys()).filter((one) => one.startsWith("foxclover python"))) {
    const cache = await caches.open(name);
    for (const key of await cache.keys()) {
      if (change) await cache.put(key, new Response(new Uint8Array(1_000)));
      return true;
    }
  }
  return false;
}"""
UNUSABLE = "The snapshot of Python is unusable."


def test_a_later_visit_restores_python_unless_its_snapshot_is_damaged(visit: Visit) -> None:
    ada = visit(expected=(UNUSABLE,))
    without_shared_workers(ada)
    said: list[str] = []
    ada.page.on("console", lambda message: said.append(message.text))
    codes = {ada.open_game(GAMES[0], alone=True)}
    ada.wait_until(f"({SNAPSHOT})(false)")
    for _ in range(2):  # what is drawn by lot differs, though both start from the same memory
        codes.add(ada.open_game(GAMES[2], alone=True))
    assert len(codes) == 3
    play_on(ada, 2)
    assert not [text for text in said if UNUSABLE in text]
    ada.page.evaluate(SNAPSHOT, True)
    ada.open_game(GAMES[0], alone=True)
    play_on(ada, 2)
    assert [text for text in said if UNUSABLE in text]


def test_it_can_be_installed_as_an_app_of_its_own(playwright: Playwright, folder: Folder) -> None:
    browser = launch(playwright)
    ada = invite(browser, folder, service_workers="allow")
    ada.home()
    wait_until_kept(ada)
    installing = ada.context.new_cdp_session(ada.page)
    assert installing.send("Page.getAppId")["appId"] == f"{folder.address}/", (
        "another folder of this host would be another app"
    )
    ada.wait_for(
        lambda: [
            error["errorId"]
            for error in installing.send("Page.getInstallabilityErrors")["installabilityErrors"]
        ],
        ["in-incognito"],
    )
    assert ada.faults == []
    browser.close()


def renew(served: Folder) -> str:
    """Put a new version into the folder; return the old one."""
    keeper = served.site / "service-worker.js"
    facts = served.site / "site.json"
    old: str = json.loads(facts.read_text(encoding="utf-8"))["version"]
    facts.write_text(
        facts.read_text(encoding="utf-8").replace(f'"{old}"', '"9.9.9"'), encoding="utf-8"
    )
    keeper.write_text(
        keeper.read_text(encoding="utf-8").replace('"site.json":"', '"site.json":"new'),
        encoding="utf-8",
    )
    return old


COVERED = """() => [...document.querySelectorAll(
  ".prompt, .prompt .button, .dice-panel, .die, .sheet-panel .cell"
)].filter((one) => {
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const bar = document.querySelector(".notice-bar").getBoundingClientRect();
  return top < bar.bottom && bar.top < bottom && left < bar.right && bar.left < right;
}).map((one) => one.className)"""


def test_a_new_version_covers_nothing_one_plays_with_and_can_wait(
    browser: Browser, tmp_path: Path
) -> None:
    served = Folder(tmp_path)
    build_site(served.site)
    ada = invite(
        browser,
        served,
        service_workers="allow",
        locale="de-DE",
        viewport={"width": 360, "height": 640},
        has_touch=True,
    )
    ada.open_game(GAMES[0], alone=True)
    ada.page.click(".button.roll")
    wait_until_kept(ada)
    renew(served)
    ada.page.reload()
    later = ada.page.get_by_role("button", name="Später")
    expect(later).to_be_visible()
    ada.wait_until_idle()
    for width, height in ((360, 640), (390, 844), (844, 390), (768, 1024), (1366, 768)):
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.wait_until(f"innerWidth === {width}")
        ada.wait_for(lambda: ada.page.evaluate(COVERED), [])
    later.click()
    expect(later).to_have_count(0)
    play_on(ada, 2)
    assert ada.faults == []
    ada.context.close()
    served.end()


OFFER = """() => {
  const event = new Event("beforeinstallprompt", { cancelable: true });
  event.prompt = async () => { window.prompted = true; };
  dispatchEvent(event);
  return event.defaultPrevented;
}"""


def test_a_button_installs_the_page_where_the_browser_offers_that(visit: Visit) -> None:
    ada = visit()
    ada.home()
    install = ada.page.get_by_role("button", name="Install app")
    expect(install).to_have_count(0)
    assert ada.page.evaluate(OFFER), "the browser shows no banner of its own"
    install.click()
    ada.wait_until("window.prompted")
    expect(install).to_have_count(0)


def test_the_policy_of_the_page_forbids_scripts_from_elsewhere(visit: Visit) -> None:
    ada = visit(expected=("Content Security Policy",))
    ada.home()
    assert not ada.page.evaluate(
        "() => new Promise((done) => {"
        "  const script = document.createElement('script');"
        "  script.textContent = 'window.injected = true';"
        "  document.head.append(script);"
        "  setTimeout(() => done(window.injected === true));"
        "})"
    )


def test_an_open_tab_can_load_its_parts_after_another_one_took_a_new_version(
    browser: Browser, tmp_path: Path
) -> None:
    served = Folder(tmp_path)
    build_site(served.site)
    ada = invite(browser, served, service_workers="allow")
    ada.home()
    wait_until_kept(ada)
    (part,) = (served.site / "assets").glob("open-transcript-*.js")
    old = f"assets/{part.name}"
    renew(served)
    keeper = served.site / "service-worker.js"
    keeper.write_text(
        keeper.read_text(encoding="utf-8").replace(old, "assets/other.js"), encoding="utf-8"
    )
    part.rename(part.with_name("other.js"))
    bo = Visitor(served, ada.context, ada.context.new_page())
    bo.home()
    bo.page.get_by_role("button", name="Update now").click()
    expect(bo.page.locator(".site-facts")).to_contain_text("9.9.9")
    ada.page.get_by_role("link", name="Open a game").click()
    expect(ada.page.locator("textarea")).to_be_visible()
    assert ada.faults == []
    ada.context.close()
    served.end()


def test_a_new_version_is_offered_and_taken_when_one_wants_it(
    browser: Browser, tmp_path: Path
) -> None:
    served = Folder(tmp_path)
    build_site(served.site)
    ada = invite(browser, served, service_workers="allow")
    ada.open_game(GAMES[0])
    wait_until_kept(ada)
    old = renew(served)
    ada.home()
    expect(ada.page.locator(".site-facts")).to_contain_text(old)
    ada.page.get_by_role("button", name="Update now").click()
    expect(ada.page.locator(".site-facts")).to_contain_text("9.9.9")
    assert ada.faults == []
    ada.context.close()
    served.end()


def test_a_tab_that_is_killed_loses_nothing_that_was_shown(visit: Visit) -> None:
    ada = visit()
    ada.open_game(GAMES[2])
    play_on(ada, 8)
    before, address = ada.log, ada.page.url
    with suppress(Error):  # nobody is left to answer
        ada.page.goto("chrome://crash", timeout=5_000)
    again = Visitor(ada.server, ada.context, ada.context.new_page())
    again.page.goto(address)
    again.wait_for(lambda: again.log[: len(before)], before)
    play_on(again, 4)


def test_two_tabs_at_one_table_see_the_same_and_neither_loses_anything(visit: Visit) -> None:
    ada = visit()
    ada.set_up(GAMES[0])
    ada.start()
    other = ada.context.new_page()
    other.goto(ada.page.url)
    other.wait_for_selector(".stage")
    play_on(ada, 4)
    twin = Visitor(ada.server, ada.context, other)
    play_on(twin, 4)
    ada.wait_for(lambda: ada.log == twin.log, True)


WORKERS = """async () => (await navigator.locks.query()).held
  .map(({ name }) => name)
  .filter((name) => name.startsWith("foxclover worker"))"""


def test_tabs_share_a_worker_and_play_on_without_the_first_of_them(visit: Visit) -> None:
    ada = visit()
    ada.open_game(GAMES[0], alone=True)
    play_on(ada, 2)
    twin = Visitor(ada.server, ada.context, ada.context.new_page())
    twin.page.goto(ada.page.url)
    twin.page.wait_for_selector(".stage")
    (worker,) = twin.page.evaluate(WORKERS)
    play_on(twin, 2)
    ada.page.close()
    play_on(twin, 2)
    assert twin.page.evaluate(WORKERS) == [worker]


def test_a_worker_that_crashes_is_replaced(browser: Browser, visit: Visit) -> None:
    ada = visit()
    ada.open_game(GAMES[0], alone=True)
    play_on(ada, 2)
    before = ada.log
    (worker,) = ada.page.evaluate(WORKERS)
    session = browser.new_browser_cdp_session()
    for target in session.send("Target.getTargets")["targetInfos"]:
        if target["type"] == "shared_worker":
            session.send("Target.closeTarget", {"targetId": target["targetId"]})
    ada.wait_for(lambda: worker in ada.page.evaluate(WORKERS), False)
    play_on(ada, 2)
    assert ada.log[: len(before)] == before


def test_leaving_a_table_goes_to_the_start_page_of_the_folder(visit: Visit) -> None:
    ada = visit()
    ada.open_game(GAMES[0])
    ada.page.locator(".top-buttons button").last.click()
    ada.page.get_by_role("button", name="Who is playing?").click()
    ada.page.get_by_role("button", name="Leave seat").click()
    ada.page.get_by_role("button", name="Leave for good?").click()
    ada.page.wait_for_selector(".game-card")
    assert ada.page.url == f"{ada.server.address}/"


def test_a_browser_without_webassembly_is_told_so(visit: Visit) -> None:
    ada = visit(locale="de-DE", expected=("WebAssembly is not defined",))
    worker_begins_with(ada, "delete self.WebAssembly;")
    ada.home()
    expect(ada.page.locator(".notice-bar")).to_contain_text("WebAssembly")
    expect(ada.page.locator(".notice-bar")).to_contain_text("Nutze einen neueren Browser")


def test_opened_as_a_file_the_page_says_what_it_needs(browser: Browser, folder: Folder) -> None:
    page = browser.new_page()
    page.goto((folder.site / "index.html").as_uri())
    expect(page.locator("body")).to_contain_text("a web server: opened as a file it does not start")
    page.close()


def test_where_nothing_may_be_saved_one_plays_and_knows_it(visit: Visit) -> None:
    ada = visit()
    worker_begins_with(
        ada, "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };"
    )
    ada.open_game(GAMES[0], alone=True)
    expect(ada.page.locator(".notice-bar")).to_contain_text("does not let the page save anything")
    ada.page.locator(".notice-bar button").click()
    play_on(ada, 12)
    assert len(ada.log) >= 4


def test_an_interrupted_download_is_told_and_can_be_tried_again(visit: Visit) -> None:
    ada = visit(expected=("ERR_FAILED",))
    without_shared_workers(ada)
    ada.context.route("**/engine/foxclover-*.tar.gz", lambda route: route.abort())
    ada.home()
    expect(ada.page.locator(".notice-bar")).to_contain_text("could not be loaded completely")
    ada.context.unroute("**/engine/foxclover-*.tar.gz")
    ada.page.locator(".notice-bar button").click()
    expect(ada.page.locator(".notice-bar")).to_have_count(0)
    ada.open_game(GAMES[0])


def look_at(visitor: Visitor, text: str) -> None:
    """Paste a transcript on the page, and wait until it is judged."""
    visitor.home()
    visitor.page.get_by_role("link", name="Open a game").click()
    visitor.page.fill("textarea", text)
    visitor.page.click("form button[type=submit]")
    visitor.page.locator(".worst-one").first.wait_for(timeout=JUDGED)


def without_names(lines: list[str]) -> list[str]:
    """Return the moves in a log, without the marks of a review."""
    return [re.sub(r" [?!]+\w+$", "", line.partition(": ")[2]) for line in lines]


@pytest.mark.parametrize(
    ("game", "players"), [(game, 1 if game in CLEVER else 3) for game in GAMES]
)
def test_a_game_from_elsewhere_is_reviewed_practised_and_played_on(
    visit: Visit, game: str, players: int
) -> None:
    ada = visit()
    look_at(ada, written(game, players))
    for at in range(1, players):
        ada.page.locator(".player").nth(at).click()
        expect(ada.page.locator(".player").nth(at)).to_have_attribute("aria-pressed", "true")
        expect(ada.page.locator(".account .sum td")).to_have_text(
            str(transcripts.read(written(game, players)).position.score(at))
        )
    ada.page.locator(".worst-one").first.click()
    expect(ada.page.locator(".compare")).to_contain_text("better:")
    ada.page.locator(".review .button.wide").click()
    ada.touch_until(lambda: ada.page.locator(SOLVED).count() > 0, pause=50)
    expect(ada.page.locator(".review")).to_contain_text("Solved: 1 of")
    ada.page.reload()  # to the same exercises, for which the review is needed again
    expect(ada.page.locator(".review")).to_contain_text("Solved: 1 of")
    practise_one(ada)
    ada.page.goto(f"{ada.page.url.removesuffix('mistakes')}20")
    ada.page.get_by_role("button", name="Play from here").click()
    before = ada.page.locator(".log-links li").all_text_contents()[:20]
    replay = ada.page.url
    ada.page.get_by_role("button", name="Play on").click()
    ada.page.wait_for_url(lambda address: address != replay)
    # the same moves, by players of other names, and what chance and computers do at once
    ada.wait_for(lambda: without_names(ada.log[:20]), without_names(before))
    play_on(ada, 4)


def test_a_review_is_kept_with_its_table_and_a_moment_of_it_shared_as_a_link(visit: Visit) -> None:
    ada = visit(permissions=["clipboard-read", "clipboard-write"])
    look_at(ada, written("geht-noch-was"))
    change_kept(
        ada,
        "reviews",
        "const review = JSON.parse(found); "
        "review.seats[0].decisions.forEach((one) => { one.loss = 777; });"
        "store.put(JSON.stringify(review), code);",
    )
    # the stored review, not a new one
    expect(ada.page.locator(".worst-one").first).to_contain_text("777")
    ada.page.goto(ada.page.url.replace("m=0", "m=20"))
    ada.page.get_by_role("button", name="Play from here").click()
    ada.page.get_by_role("button", name="Copy link").click()
    ada.wait_until("navigator.clipboard.readText().then((text) => text.startsWith('http'))")
    link = ada.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{ada.server.address}/")
    ada.page.goto(link)
    expect(ada.page.locator(".review-side")).to_contain_text("after 20 moves")
    ada.page.get_by_role("button", name="Copy short link").click()
    ada.wait_until("navigator.clipboard.readText().then((text) => text.includes('round:'))")
    short = ada.page.evaluate("navigator.clipboard.readText()")
    ada.page.get_by_role("button", name="Play on").click()
    expect(ada.page.locator(ENTRIES)).to_have_count(20)
    ada.page.goto(short)
    expect(ada.page.locator(".stage .levels")).to_be_visible()
    ada.page.get_by_role("button", name="Play on").click()
    ada.touch_until(lambda: len(ada.log) >= 2)
    ada.page.reload()
    ada.wait_for(lambda: len(ada.log) >= 2, True)


def test_the_same_seeds_give_the_same_moves_in_this_browser_as_in_python(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents, "time", agents.time)  # the clock is put back afterwards
    opened = Path(browser_module.__file__).read_text(encoding="utf-8")
    added = {
        "site_moves.py": Path(site_moves.__file__).read_text(encoding="utf-8"),
        "foxclover/site/browser.py": (
            f"{opened}\nimport js, site_moves\njs.some_moves = site_moves.some_moves\n"
        ),
    }
    bundle = io.BytesIO(gzip.decompress(archive(ENGINE)))
    with tarfile.open(fileobj=bundle, mode="a") as packed:
        for name, text in added.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            packed.addfile(entry, io.BytesIO(text.encode()))
    ada = visit()
    without_shared_workers(ada)
    ada.context.route(
        "**/engine/foxclover-*.tar.gz",
        lambda route: route.fulfill(body=gzip.compress(bundle.getvalue())),
    )
    ada.home()
    expect(ada.page.locator(".notice-bar")).to_have_count(0)
    (worker,) = ada.page.workers
    here, there = (
        json.loads(site_moves.some_moves()),
        json.loads(worker.evaluate("() => self.some_moves()")),
    )
    assert len(here) == 3 * 4 * 2
    assert there == here


def test_real_dice_are_entered_in_a_whole_game(visit: Visit) -> None:
    ada = visit(viewport=PHONE, has_touch=True)
    open_companion(ada, GAMES[0])
    assert not ada.page.locator(".button.roll").count()
    ada.play_to_the_end(tap=True)
    assert ada.result()


def test_finished_games_of_this_browser_have_statistics(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    ada.open_game(GAMES[2], alone=True)
    ada.play_to_the_end()
    (score,) = ada.result()
    ada.open_game(GAMES[0], alone=True)  # not finished, and not counted
    ada.home()
    ada.page.click(".me-link")
    expect(ada.page.locator(".me-game")).to_have_count(1)
    expect(ada.page.locator(".me-game")).to_contain_text(f"Ada {score}")
    expect(ada.page.get_by_text("Games", exact=True).first).to_be_visible()
    with ada.page.expect_download() as download:
        ada.page.locator(".me-game button").nth(1).click()
    text = download.value.path().read_text(encoding="utf-8")
    assert transcripts.read(text).position.score(0) == score
    ada.page.locator(".me-game button").nth(0).click()
    expect(ada.page.locator(".replay-bar")).to_be_visible()


def test_puzzles_are_rated_in_this_browser(visit: Visit) -> None:
    ada = visit(viewport=PHONE)
    ada.home()
    ada.page.click("a[href='./?puzzles']")
    answered, figures = ada.page.locator(".puzzle-options"), ada.page.locator(".puzzle-figures")
    ada.page.wait_for_selector(".prompt:has-text('What would you play?')")
    ada.touch_until(lambda: answered.count() > 0, pause=50)
    rating = figures.locator("strong").inner_text()
    assert rating != "1500"
    ada.page.reload()
    expect(figures.locator("strong")).to_have_text(rating)
    expect(ada.page.locator(".review-side")).to_contain_text(
        f"New puzzles left: {len(puzzles.load(game(GAMES[0]))) - 1}."
    )


def test_a_move_that_finds_the_storage_full_is_not_made_and_can_be_made_later(visit: Visit) -> None:
    ada = visit(expected=("",))  # the console tells it too, in many lines
    without_shared_workers(ada)
    ada.open_game(GAMES[0], alone=True)
    play_until(ada, ada.page.locator(ENTRIES).nth(2))
    before = ada.log
    (worker,) = ada.page.workers
    worker.evaluate("() => void (self.spacious = IDBObjectStore.prototype.add)")
    worker.evaluate(
        "() => void (IDBObjectStore.prototype.add = () => { "
        "throw new DOMException('full', 'QuotaExceededError'); })"
    )
    play_until(ada, ada.page.get_by_text("Check whether this browser’s storage is full"))
    assert ada.log == before
    worker.evaluate("() => void (IDBObjectStore.prototype.add = self.spacious)")
    play_until(ada, ada.page.locator(ENTRIES).nth(len(before)))
    after = ada.log
    assert after[: len(before)] == before
    ada.page.reload()
    ada.wait_for(lambda: ada.log, after)


def change_kept(visitor: Visitor, store: str, change: str) -> None:
    """Change the stored data of the current table and reload the page.

    ``change`` is JavaScript with ``found`` in a ``store``, by its ``code``.
    """
    visitor.page.evaluate(
        """([name, code]) => new Promise((done, failed) => {
          const opening = indexedDB.open("foxclover");
          opening.onsuccess = () => {
            const transaction = opening.result.transaction(
              ["tables", "events", "reviews"], "readwrite"
            );
            const store = transaction.objectStore(name);
            store.get(code).onsuccess = ({ target: { result: found } }) =>
              ((found, store, events, code) => { CHANGE })(
                found, store, transaction.objectStore("events"), code
              );
            transaction.oncomplete = () => { opening.result.close(); done(); };
            transaction.onabort = () => failed(transaction.error);
          };
        })""".replace("CHANGE", change),  # the page's policy forbids a new Function
        [store, re.split("[=&]", visitor.page.url)[1]],
    )
    visitor.page.reload()


def change_kept_table(visitor: Visitor, change: str) -> None:
    """Change the record or events of the current table, as another version would."""
    visitor.wait_until_idle()  # so that no move under way puts the old ones back
    change = (
        f"const record = JSON.parse(found.record); {change}; "
        f"store.put({{ ...found, record: JSON.stringify(record) }}, code);"
    )
    change_kept(visitor, "tables", change)


def test_a_table_of_an_older_version_is_played_on(visit: Visit) -> None:
    ada = visit()
    ada.set_up(GAMES[0])
    # no provably fair dice, as in older versions
    ada.page.check("dialog .check:has-text('Real dice') input")
    ada.start()
    play_until(ada, ada.page.locator(ENTRIES).nth(2))
    before = ada.log
    told = [
        one.name
        for one in fields(TableRecord)
        if one.default is MISSING and one.default_factory is MISSING
    ]
    change_kept_table(
        ada,
        f"for (const name of Object.keys(record)) if (!{told}.includes(name)) delete record[name];"
        "record.forgotten = 1;"
        "events.openCursor(IDBKeyRange.bound([code, 0], [code, Infinity]))"
        ".onsuccess = ({ target: { result: found } }) => {"
        "  if (found) { found.update(JSON.stringify(JSON.parse(found.value).slice(0, 3))); "
        "found.continue(); } };",
    )
    ada.wait_for(lambda: ada.log[: len(before)], before)
    play_on(ada, 2)


@pytest.mark.parametrize(
    "change",
    ["delete record.seats", "events.put('[0, \"nonsense\", 0]', [code, 0])"],
    ids=["record", "moves"],
)
def test_a_table_that_this_version_cannot_read_is_told_and_kept(visit: Visit, change: str) -> None:
    ada = visit(expected=("",))  # as above
    ada.open_game(GAMES[0], alone=True)
    play_on(ada, 2)
    change_kept_table(ada, change)
    expect(ada.page.get_by_text("This version cannot read")).to_be_visible()


def test_a_page_older_than_the_tables_it_finds_says_so(visit: Visit) -> None:
    ada = visit(expected=("status of 404",))  # a text has no icon
    ada.page.goto(f"{ada.server.address}/licences.txt")
    ada.page.evaluate(
        "new Promise((done) => { indexedDB.open('foxclover', 1_000)"
        ".onsuccess = ({ target }) => { target.result.close(); done(); }; })"
    )
    ada.home()
    expect(ada.page.locator(".notice-bar")).to_contain_text("newer version of the game is in use")
