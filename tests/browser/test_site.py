"""The game without a server: the built folder, served by the plainest of web servers, in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from browsing import GAMES, PHONE, Folder, Visitor, invite
from foxclover import notation
from foxclover.site.build import build_site

Visit = Callable[..., Visitor]
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


def play_on(visitor: Visitor, touches: int) -> None:
    """Make some moves."""
    while touches and not visitor.over:
        if visitor.touch_something():
            touches -= 1
        else:
            visitor.page.wait_for_timeout(15)


def worker_begins_with(visitor: Visitor, script: str) -> None:
    """Let the worker run something before anything else, as if the browser were another one."""

    def change(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=script + answer.text())

    visitor.context.route(WORKER, change)


@pytest.mark.parametrize("levels", COMPANIES, ids="-".join)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_each_level_with_a_reload_in_the_middle(visit: Visit, game: str, levels: tuple[str, ...]) -> None:
    small = levels == COMPANIES[1]
    ada = visit(viewport=PHONE, has_touch=True) if small else visit()
    code = sit_down_with(ada, game, levels)
    play_on(ada, 6)
    before = ada.page.locator(".player-chip, .player").all_inner_texts()
    ada.page.reload()
    ada.page.wait_for_selector(".stage")
    assert (ada.code, ada.page.locator(".player-chip, .player").all_inner_texts()) == (code, before)
    ada.play_to_the_end(tap=small)
    totals = ada.result()
    with ada.page.expect_download() as download:
        ada.page.click("dialog a[download]")
    played = notation.read(download.value.path().read_text(encoding="utf-8")).position
    assert played.over
    assert [played.score(seat) for seat in range(played.players)] == totals


def wait_until_kept(visitor: Visitor) -> None:
    """Wait until the service worker has everything and serves this page."""
    visitor.page.wait_for_function("navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')")
    visitor.page.wait_for_function("navigator.serviceWorker.controller !== null")


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
    ada.open_game(GAMES[2], alone=True)
    play_on(ada, 6)
    assert not [request for request in folder.requests[before:] if "service-worker" not in request]


def test_a_new_version_is_offered_and_taken_when_one_wants_it(browser: Browser, tmp_path: Path) -> None:
    served = Folder(tmp_path)
    build_site(served.site)
    ada = invite(browser, served, service_workers="allow")
    ada.open_game(GAMES[0])
    wait_until_kept(ada)
    keeper = served.site / "service-worker.js"
    facts = served.site / "site.json"
    old = json.loads(facts.read_text(encoding="utf-8"))["version"]
    facts.write_text(facts.read_text(encoding="utf-8").replace(f'"{old}"', '"9.9.9"'), encoding="utf-8")
    keeper.write_text(keeper.read_text(encoding="utf-8").replace('"site.json":"', '"site.json":"new'), encoding="utf-8")
    ada.home()
    assert old in ada.page.locator(".site-facts").inner_text()
    ada.page.get_by_role("button", name="Use it now").click()
    expect(ada.page.locator(".site-facts")).to_contain_text("9.9.9")
    assert ada.faults == []
    ada.context.close()
    served.end()


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
    ada.page.wait_for_timeout(500)
    entries = ".log-side .log li"
    expect(ada.page.locator(entries)).to_have_count(other.locator(entries).count())
    assert ada.page.locator(entries).all_inner_texts() == other.locator(entries).all_inner_texts()


def test_a_browser_without_webassembly_is_told_so(visit: Visit) -> None:
    ada = visit(locale="de-DE", expected=("WebAssembly is not defined",))
    worker_begins_with(ada, "delete self.WebAssembly;")
    ada.home()
    expect(ada.page.locator(".standing")).to_contain_text("WebAssembly")
    expect(ada.page.locator(".standing")).to_contain_text("Ein neuerer kann es")


def test_where_nothing_may_be_saved_one_plays_and_knows_it(visit: Visit) -> None:
    ada = visit()
    worker_begins_with(ada, "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };")
    ada.open_game(GAMES[0], alone=True)
    expect(ada.page.locator(".standing")).to_contain_text("save nothing")
    ada.page.locator(".standing button").click()
    play_on(ada, 4)
    assert len(ada.log) >= 4


def test_an_interrupted_download_is_told_and_can_be_tried_again(visit: Visit) -> None:
    ada = visit(expected=("ERR_FAILED",))
    ada.context.route("**/engine/foxclover-*.zip", lambda route: route.abort())
    ada.home()
    expect(ada.page.locator(".standing")).to_contain_text("could not be loaded completely")
    ada.context.unroute("**/engine/foxclover-*.zip")
    ada.page.locator(".standing button").click()
    expect(ada.page.locator(".standing")).to_have_count(0)
    ada.open_game(GAMES[0])
