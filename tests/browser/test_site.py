"""The game without a server: the built folder, served by the plainest of web servers, in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Route

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
