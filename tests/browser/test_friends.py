import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import (
    DESKTOP,
    NETWORK,
    PATIENCE,
    PHONE,
    REFUSED,
    WHOLE_GAME,
    Server,
    Visitor,
    findings,
    serving,
)

Visit = Callable[..., Visitor]


def open_for_a_friend(host: Visitor, game: str) -> str:
    """Open a table with a free seat; returns the link of the invitation."""
    host.set_up(game)
    host.page.click(".seat-row .round-button")
    host.page.click(".add-seats >> text=friend")
    host.start()
    link = host.page.locator("dialog .link-row input").input_value()
    host.page.keyboard.press("Escape")
    return link


def join(friend: Visitor, link: str, name: str) -> None:
    friend.page.goto(link)
    friend.page.fill(".invited input", name)
    friend.page.click(".invited button[type=submit]")
    friend.page.wait_for_selector(".stage")


def play_a_while(players: list[Visitor], touches: int, entries: int = 0) -> None:
    """Touch things so many times, and until the log has so many entries."""
    until = time.monotonic() + WHOLE_GAME
    while (touches > 0 or len(players[0].log) < entries) and not any(
        player.over for player in players
    ):
        assert time.monotonic() < until, f"nobody can go on; the page says: {players[0].prompt}"
        for player in players:
            touches -= player.touch_something()


def settle(players: list[Visitor]) -> list[list[str]]:
    """Wait until all see the same, but for undisclosed decisions, and return what each sees."""
    seen: list[list[str]] = []
    until = time.monotonic() + PATIENCE / 1_000
    while time.monotonic() < until:
        logs = [player.log for player in players]
        if (
            logs == seen
            and all(player.answered for player in players)
            and all(told(log) == told(logs[0]) for log in logs)
        ):
            return logs
        seen = logs
        players[0].page.wait_for_timeout(300)
    raise AssertionError(f"they see different games: {seen}")


def play_to_the_end_together(host: Visitor, friend: Visitor) -> None:
    def both_see_the_end() -> bool:
        friend.touch_something()
        return host.over and friend.over

    host.touch_until(both_see_the_end)


def told(log: list[str]) -> list[str]:
    """What stands before the last roll."""
    rolls = [at for at, line in enumerate(log) if line.startswith("Roll:")]
    return log[: rolls[-1]] if rolls else log


def test_two_browsers_by_link_survive_a_reload_and_a_killed_server(
    visit: Visit, tmp_path: Path
) -> None:
    with serving(tmp_path / "data") as server:
        ada, bo = visit(server, expected=REFUSED), visit(server, expected=REFUSED)
        join(bo, open_for_a_friend(ada, "geht-noch-was"), "Bo")
        code = ada.code
        play_a_while([ada, bo], 12)
        before = settle([ada, bo])
        bo.page.reload()
        ada.wait_for(lambda: [ada.log, bo.log], before)
        play_a_while([ada, bo], 8, entries=13)
        before = settle([ada, bo])
        assert len(before[0]) > 12
        scores = server.ask(f"/api/tables/{code}")["scores"]

        server.end(signal.SIGKILL)
        expect(ada.page.locator(".offline")).to_be_visible()
        server.start()
        for player in (ada, bo):
            expect(player.page.locator(".offline")).to_have_count(0)
        ada.wait_for(lambda: [ada.log, bo.log], before)
        assert server.ask(f"/api/tables/{code}")["scores"] == scores

        play_to_the_end_together(ada, bo)
        assert ada.result() == bo.result() == server.ask(f"/api/tables/{code}")["scores"]


def test_the_lucky_fairy_who_has_dropped_out_rolls_on_for_the_others(visit: Visit) -> None:
    ada, bo = visit(), visit()
    join(bo, open_for_a_friend(ada, "geht-noch-was"), "Bo")
    expect(bo.page.locator(".prompt-words")).to_contain_text("Ada is rolling")
    ada.page.click(".button.roll")
    for player, then in ((ada, "out"), (bo, "stay")):
        player.page.click(".move-pay")
        player.page.click(f".move-{then}")
    expect(ada.page.locator(".prompt-words")).to_contain_text("Roll the dice")
    expect(bo.page.locator(".prompt-words")).to_contain_text("Ada is rolling")
    expect(bo.page.locator(".button.roll")).to_have_count(0)
    ada.page.click(".prompt .tool:has-text('Why?')")
    expect(ada.page.locator("dialog")).to_contain_text("You are the lucky fairy of this round")
    ada.page.keyboard.press("Escape")
    ada.page.click(".button.roll")
    expect(bo.page.locator(".move-fail")).to_be_visible()
    expect(ada.page.locator(".button.roll")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_an_invitation_is_a_link_and_a_picture_and_the_code_alone_lets_one_watch(
    visit: Visit, server: Server, size: dict[str, int]
) -> None:
    ada, bo, cleo = visit(viewport=size), visit(viewport=size), visit(viewport=size)
    link = open_for_a_friend(ada, "ganz-schoen-clever")
    assert link.startswith(f"{server.address}/t/{ada.code}#")
    ada.page.click(".players .button")
    ada.wait_until("document.querySelector('dialog .qr')?.naturalWidth > 0")
    cleo.page.goto(f"{server.address}/t/{ada.code}")
    expect(cleo.page.locator(".watching")).to_be_visible()
    join(bo, link, "Bo")
    expect(bo.page.locator(".watching")).to_have_count(0)
    late = visit(viewport=size)
    late.page.goto(link)  # the table is full now
    expect(late.page.locator(".watching")).to_be_visible()


class Elsewhere(Server):
    """The server as others in its network see it."""

    @property
    def address(self) -> str:
        return f"http://{NETWORK}:{self.port}"


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_one_press_lets_the_network_in_and_one_shuts_it_out(
    visit: Visit, tmp_path: Path, size: dict[str, int]
) -> None:
    with serving(tmp_path / "data", reachable=False) as server:
        ada = visit(server, viewport=size, expected=REFUSED)
        bo = visit(Elsewhere(server.data, server.port), viewport=size, expected=REFUSED)
        ada.set_up("geht-noch-was")
        ada.page.click(".add-seats >> text=friend")
        ada.start()
        invitation = ada.page.locator("dialog.invitation")
        expect(invitation).to_contain_text("Only this device can reach the game")
        assert invitation.locator(".qr").count() == 0
        press = invitation.locator(".network-switch button")
        press.click()
        expect(invitation.locator(".qr")).to_be_visible()
        expect(press).to_be_focused()
        assert findings(ada.page) == []
        link = invitation.locator(".link-row input")
        expect(link).to_have_value(
            re.compile(re.escape(f"http://{NETWORK}:{server.port}/t/{ada.code}#"))
        )
        join(bo, link.input_value(), "Bo")
        expect(ada.page.locator("dialog.invitation")).to_be_visible()
        press.click()
        expect(bo.page.locator(".offline")).to_be_visible()
        expect(invitation.locator(".qr")).to_have_count(0)
        press.click()
        expect(bo.page.locator(".offline")).to_have_count(0)


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
    shown: set[str] = set()

    def both_were_shown() -> bool:
        shown.update(
            ada.page.locator('.player[aria-pressed="true"] .player-name').all_inner_texts()
        )
        return shown == {"Ada", "Bo"}

    ada.touch_until(both_were_shown)


def test_an_unfinished_game_is_offered_again_and_codes_are_read_as_people_write_them(
    visit: Visit, server: Server
) -> None:
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
    written = ada.page.locator(".cell.crossed, .cell.written")
    ada.touch_until(lambda: written.count() > 0, among=".die.lit, button.cell.lit", pause=50)
    expect(ada.page.locator(".button.roll")).to_be_visible()
    ada.page.get_by_role("button", name="Undo").click()
    expect(written).to_have_count(0)
    expect(ada.page.locator(".player-points")).to_have_text(points)


def test_cards_are_carried_to_their_place(visit: Visit) -> None:
    ada = visit()
    ada.open_game("geht-noch-was", alone=True)
    card = ada.page.locator(".waiting-cards button.card.lit")

    def card_is_lit() -> bool:
        if ada.over:  # without a card to be placed
            ada.open_game("geht-noch-was", alone=True)
        if card.count() > 0:
            return True
        ada.touch_something(among=".bonus-button:has(.card-back):not([disabled])")
        return False

    ada.touch_until(card_is_lit, pause=30)
    number = card.first.get_attribute("data-card")
    levels = [ada.page.locator(f'[data-zone="active:{level}"]') for level in range(3)]
    level = next(level for level in levels if level.locator("[data-card]").count() < 4)
    card.first.drag_to(level)
    expect(level.locator(f'[data-card="{number}"]')).to_be_visible()


def react(player: Visitor, words: str) -> None:
    player.page.get_by_role("button", name="React", exact=True).click()
    expect(player.page.locator(".reaction")).to_have_count(6)
    player.page.get_by_role("button", name=words).click()


def mute(viewer: Visitor, name: str, *, among: list[str]) -> None:
    """Switch off the reactions of one of the players who are offered."""
    viewer.page.locator(".react").click()
    switches = viewer.page.get_by_role("switch", name="Show reactions of")
    expect(switches).to_have_count(len(among))
    for other in among:
        expect(viewer.page.get_by_role("switch", name=f"of {other}")).to_be_checked()
    viewer.page.get_by_role("switch", name=f"of {name}").uncheck()
    viewer.page.keyboard.press("Escape")


def test_friends_react_until_one_mutes_it_and_a_spectator_says_who_watches(visit: Visit) -> None:
    ada, bo, eve = visit(viewport=PHONE), visit(), visit(viewport=PHONE)
    join(bo, open_for_a_friend(ada, "ganz-schoen-clever"), "Bo")
    bubble = ada.page.locator(".reaction-bubble")
    expect(ada.page.get_by_role("button", name="React")).to_be_visible()
    bo.page.get_by_role("button", name="React").click()
    bo.page.get_by_role("button", name="What luck!").click()
    expect(bubble).to_be_visible()
    expect(bubble).to_contain_text("Bo")
    expect(bubble).to_contain_text("What luck!")
    expect(bubble).to_be_hidden()
    eve.page.goto(f"{eve.server.address}/t/{ada.code}")
    expect(eve.page.locator(".watching")).to_be_visible()
    names = eve.page.locator(".player-name")
    assert names.evaluate_all("all => all.map((name) => name.scrollWidth > name.clientWidth)") == [
        False,
        False,
    ]
    seen_by_eve = eve.page.locator(".reaction-bubble")
    mute(eve, "Bo", among=["Ada", "Bo"])
    expect(eve.page.get_by_role("button", name="Ouch!")).to_have_count(0)
    react(bo, "Ouch!")
    expect(bubble).to_contain_text("Ouch!")
    expect(bubble).to_be_hidden()
    react(ada, "Wow!")
    expect(seen_by_eve).to_contain_text("Wow!")
    expect(seen_by_eve).not_to_contain_text("Bo")
    mute(ada, "Bo", among=["Bo"])
    react(bo, "Thanks!")
    expect(bo.page.locator(".reaction-bubble")).to_contain_text("Thanks!")
    expect(bubble).to_be_hidden()
    ada.page.reload()
    ada.page.get_by_role("button", name="React").click()
    expect(ada.page.get_by_role("switch", name="of Bo")).not_to_be_checked()
    ada.page.get_by_role("switch", name="of Bo").check()
    ada.page.get_by_role("switch", name="Show reactions", exact=True).uncheck()
    expect(ada.page.get_by_role("switch", name="of Bo")).to_have_count(0)
    assert findings(ada.page) == []
    ada.page.keyboard.press("Escape")
    react(bo, "Ha ha!")
    expect(bo.page.locator(".reaction-bubble")).to_contain_text("Ha ha!")
    expect(bubble).to_be_hidden()
    eve.page.get_by_role("button", name="Settings").click()
    eve.page.get_by_label("Your name for the players").fill("Eve")
    eve.page.keyboard.press("Enter")
    bo.page.get_by_role("button", name="Settings").click()
    expect(bo.page.locator("dialog")).to_contain_text("1 person watching: Eve")
    eve.page.reload()
    expect(eve.page.locator(".watching")).to_be_visible()
    expect(bo.page.locator("dialog")).to_contain_text("1 person watching: Eve")


SIZES = pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])


def show_seats(player: Visitor) -> None:
    player.page.locator(".top-buttons button").last.click()
    player.page.get_by_role("button", name="Who is playing?").click()


@SIZES
def test_a_computer_plays_for_a_friend_who_stays_away_until_he_comes_back(
    visit: Visit, viewport: dict[str, int]
) -> None:
    ada, bo = visit(viewport=viewport), visit(viewport=viewport)
    join(bo, open_for_a_friend(ada, "ganz-schoen-clever"), "Bo")
    expect(ada.page.locator(".player .away")).to_have_count(0)
    address = bo.page.url
    bo.page.close()
    expect(ada.page.locator(".player .away")).to_have_text(re.compile(r"away <?\d min"))
    ada.touch_until(
        lambda: ada.touchable() == 0 and ada.page.locator(".prompt >> text=Don’t wait").count() > 0
    )
    ada.page.get_by_role("button", name="Don’t wait").click()
    line = ada.page.locator(".seat-line").nth(1)
    expect(line).to_contain_text(re.compile(r"away for <?\d min"))
    ada.page.select_option("dialog .choice select", "greedy")
    line.get_by_role("button", name="Use computer player").click()
    expect(line).to_contain_text("Computer player: Very easy")
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".prompt-words")).not_to_contain_text("Waiting for Bo")
    bo.page = bo.context.new_page()
    bo.page.goto(address)
    expect(bo.page.locator(".prompt-words")).to_have_text("A computer player plays for you.")
    bo.page.get_by_role("button", name="Take over again").click()
    expect(bo.page.get_by_role("button", name="Take over again")).to_have_count(0)
    made = bo.page.locator(".log .by-player.p-1")
    before = made.count()
    ada.touch_until(lambda: bo.touch_something() and made.count() > before)


@SIZES
def test_a_seat_that_is_left_goes_to_whoever_opens_the_invitation(
    visit: Visit, viewport: dict[str, int]
) -> None:
    ada, bo, cy = visit(viewport=viewport), visit(viewport=viewport), visit(viewport=viewport)
    link = open_for_a_friend(ada, "geht-noch-was")
    join(bo, link, "Bo")
    show_seats(bo)
    own = bo.page.locator(".seat-line").nth(1)
    expect(own.get_by_role("button", name="Leave seat")).to_be_visible()
    assert bo.page.locator(".seat-line").nth(0).get_by_role("button").count() == 0, (
        "others' seats are not his to change"
    )
    own.get_by_role("button", name="Leave seat").click()
    own.get_by_role("button", name="Leave for good?").click()
    bo.page.wait_for_selector(".game-card")
    assert bo.page.locator(".table-row").count() == 0, "nothing is left to go on with"
    expect(ada.page.locator(".player.open")).to_have_count(1)
    join(cy, link, "Cy")
    expect(ada.page.locator(".player-name").nth(1)).to_have_text("Cy")
    show_seats(ada)
    assert (
        ada.page.locator(".seat-line").nth(1).get_by_role("button", name="Free seat now").count()
        == 0
    ), "who is here stays"
    cy.page.close()
    ada.page.locator(".seat-line").nth(1).get_by_role("button", name="Free seat now").click()
    ada.page.wait_for_selector("text=left less than a minute ago")
    ada.page.get_by_role("button", name="Use computer player").nth(1).click()
    expect(ada.page.locator(".seat-line").nth(1)).to_contain_text("Computer player")
