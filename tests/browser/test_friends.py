import signal
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from browsing import REFUSED, Server, Visitor, serving

Visit = Callable[..., Visitor]


def open_for_a_friend(host: Visitor, game: str) -> tuple[str, str]:
    """Open a table with a free seat; return its code and the path of the invitation."""
    host.set_up(game)
    host.page.click(".seat-row .round-button")
    host.page.click(".add-seats >> text=friend")
    with host.page.expect_response(lambda answer: "/api/tables?" in answer.url) as made:
        code = host.start()
    return code, made.value.json()["link"]


def join(friend: Visitor, path: str, name: str) -> None:
    friend.page.goto(f"{friend.server.address}{path}")
    friend.page.fill(".invited input", name)
    friend.page.click(".invited button[type=submit]")
    friend.page.wait_for_selector(".stage")


def play_a_while(players: list[Visitor], touches: int) -> None:
    while touches > 0 and not any(player.over for player in players):
        for player in players:
            touches -= player.touch_something()


def settle(players: list[Visitor]) -> list[str]:
    """Wait until all see the same, and tell what."""
    seen: list[list[str]] = []
    for _ in range(50):
        logs = [player.log for player in players]
        if logs == seen and all(log == logs[0] for log in logs):
            return logs[0]
        seen = logs
        players[0].page.wait_for_timeout(100)
    raise AssertionError(f"they see different games: {seen}")


def test_two_browsers_by_link_survive_a_reload_and_a_killed_server(visit: Visit, tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        ada, bo = visit(server, expected=REFUSED), visit(server, expected=REFUSED)
        code, path = open_for_a_friend(ada, "ganz-schoen-clever")
        join(bo, path, "Bo")
        play_a_while([ada, bo], 12)
        before = settle([ada, bo])
        bo.page.reload()
        bo.page.wait_for_selector(".stage")
        assert settle([ada, bo]) == before
        play_a_while([ada, bo], 8)
        before = settle([ada, bo])
        assert len(before) > 12
        scores = server.ask(f"/api/tables/{code}")["scores"]

        server.end(signal.SIGKILL)
        expect(ada.page.locator(".offline")).to_be_visible()
        server.start()
        for player in (ada, bo):
            expect(player.page.locator(".offline")).to_have_count(0)
        assert settle([ada, bo]) == before
        assert server.ask(f"/api/tables/{code}")["scores"] == scores

        while not (ada.over and bo.over):
            play_a_while([ada, bo], 2)
        assert ada.result() == bo.result() == server.ask(f"/api/tables/{code}")["scores"]


def test_a_third_browser_watches_and_changes_nothing(visit: Visit, server: Server) -> None:
    ada, cleo = visit(), visit()
    code = ada.open_game("ganz-schoen-clever", alone=True)
    cleo.page.goto(f"{server.address}/t/{code}")
    expect(cleo.page.locator(".watching")).to_be_visible()
    play_a_while([ada], 5)
    settle([ada, cleo])
    assert cleo.touchable() == 0


def test_two_people_at_one_device_see_whose_turn_it_is(visit: Visit) -> None:
    ada = visit()
    ada.set_up("doppelt-so-clever")
    ada.page.click(".seat-row .round-button")
    ada.page.click(".add-seats >> text=this device")
    ada.page.locator(".seat-row input").nth(1).fill("Bo")
    ada.start()
    shown = set()
    for _ in range(25):
        ada.touch_something()
        ada.page.wait_for_timeout(30)
        shown.add(ada.page.locator('.player[aria-pressed="true"] .player-name').inner_text())
    assert shown == {"Ada", "Bo"}


def test_an_unfinished_game_is_offered_again_and_codes_are_read_as_people_write_them(visit: Visit, server: Server) -> None:
    ada = visit()
    code = ada.open_game("geht-noch-was")
    ada.home()
    ada.page.click(".table-row")
    ada.page.wait_for_selector(".stage")
    assert ada.code == code
    bo = visit()
    bo.home()
    bo.page.fill(".home-more input", f" {code.upper()} ")
    bo.page.press(".home-more input", "Enter")
    bo.page.wait_for_selector(".stage")
    assert bo.code == code


def test_a_move_is_taken_back_until_the_dice_fall(visit: Visit) -> None:
    ada = visit()
    ada.open_game("ganz-schoen-clever", alone=True)
    ada.page.click(".button.roll")
    expect(ada.page.locator(".die.lit").first).to_be_visible()
    points = ada.page.locator(".player-points").inner_text()
    while ada.page.locator(".button.roll").count() == 0:
        ada.touch_something()
        ada.page.wait_for_timeout(50)
    written = ada.page.locator(".cell.crossed, .cell.written").count()
    assert written > 0
    while (undo := ada.page.get_by_role("button", name="Undo")).is_enabled():
        undo.click()
        ada.page.wait_for_timeout(50)
    assert ada.page.locator(".cell.crossed, .cell.written").count() < written
    assert ada.page.locator(".player-points").inner_text() == points


def test_cards_are_carried_to_their_place(visit: Visit) -> None:
    ada = visit()
    ada.open_game("geht-noch-was", alone=True)
    card = ada.page.locator(".waiting-cards button.card.lit")
    offers = ada.page.locator(".bonus-button:has(.card-back)")
    while card.count() == 0:
        assert not ada.over
        if offers.count():
            offers.first.click()
        else:
            ada.touch_something()
        ada.page.wait_for_timeout(30)
    number = card.first.get_attribute("data-card")
    levels = [ada.page.locator(f'[data-zone="active:{level}"]') for level in range(3)]
    level = next(level for level in levels if level.locator("[data-card]").count() < 4)
    card.first.drag_to(level)
    expect(level.locator(f'[data-card="{number}"]')).to_be_visible()
