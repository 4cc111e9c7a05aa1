"""The seal in the page: whole at an honest server, broken at one that picks rolls."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, WebSocketRoute, expect

from browsing import GAMES, PHONE, Server, Visitor, invite
from foxclover import seeded, transcripts
from foxclover.core.game import game as find_game
from test_fair_dice import played


def another_roll(key: str) -> str:
    """A roll that a game could begin with."""
    return find_game(key).start().roll(seeded(1)).text


def pick_roll(message: dict[str, Any], first: dict[str, Any]) -> None:
    """Tell of another first roll than the one that was sealed."""
    first["text"] = another_roll(message["game"])


def show_other_dice(message: dict[str, Any], _: dict[str, Any]) -> None:
    """Tell of the roll that was sealed, and show another one."""
    for die in message["view"]["dice"]:
        die["face"] = die["face"] % 6 + 1


def keep_secret(_: dict[str, Any], first: dict[str, Any]) -> None:
    """Roll without the dice that were sealed."""
    del first["seal"]


LIES = (
    *((game, pick_roll, "The roll was manipulated") for game in GAMES),
    ("ganz-schoen-clever", show_other_dice, "The roll was manipulated"),
    ("ganz-schoen-clever", keep_secret, "without its secret"),
)


def be_dishonest(visitor: Visitor, lie: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    """Stand between page and server, and lie to the page about the first roll."""

    def told(text: str) -> str:
        message: dict[str, Any] = json.loads(text)
        for entry in message.get("log", []):
            if entry["seat"] == -1 and entry["index"] == 0:
                lie(message, entry)
        return json.dumps(message)

    def stand_between(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()
        server_side.on_message(lambda text: page_side.send(told(str(text))))

    visitor.page.route_web_socket("**/ws/*", stand_between)


def roll(visitor: Visitor) -> None:
    visitor.page.keyboard.press("r")
    visitor.page.wait_for_selector(".log-side .log li", state="attached")


def test_the_seal_is_whole_counts_draws_and_tells_what_it_means(
    browser: Browser, server: Server
) -> None:
    for game in GAMES:
        ada = invite(browser, server, viewport=PHONE)
        ada.open_game(game, alone=True)
        roll(ada)
        ada.page.click(".seal")
        told = ada.page.locator("dialog.seal-dialog")
        expect(told).to_contain_text(re.compile("1|one draw"))
        expect(told).to_contain_text("The server alone cannot choose a roll that you request")
        assert not ada.page.locator(".seal.broken, .seal-alarm").count()
        ada.page.reload()
        ada.page.wait_for_selector(".seal:not(.broken)")
        assert not ada.faults
        ada.context.close()


def test_a_server_that_picks_rolls_breaks_the_seal(browser: Browser, server: Server) -> None:
    for game, lie, why in LIES:
        ada = invite(browser, server)
        be_dishonest(ada, lie)
        ada.open_game(game, alone=True)
        roll(ada)
        ada.page.wait_for_selector(".seal.broken")
        expect(ada.page.locator(".seal-alarm")).to_contain_text(why)
        ada.page.click(".seal")
        expect(ada.page.locator("dialog.seal-dialog")).to_contain_text("Dice check failed")
        ada.page.keyboard.press("Escape")
        ada.page.click(".seal-alarm button")  # it lies over what is asked
        expect(ada.page.locator(".seal-alarm")).to_have_count(0)
        expect(ada.page.locator(".seal.broken")).to_be_visible()
        ada.context.close()


def test_a_sealed_transcript_that_is_looked_at_is_judged(browser: Browser, server: Server) -> None:
    transcript = played("ganz", 1)
    text = transcripts.write(transcript.header, transcript.position, transcript.seals)
    ada = invite(browser, server, viewport=PHONE)
    ada.page.goto(server.address + "/look")
    line = next(
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if line.startswith("chance:")
    )
    damaged = text.replace("seal: ", "seal: " + "0" * 64 + "#", 1)
    for shown, verdict in (
        (text, "follow from the secrets and the salts"),
        (damaged, f"Line {line}: The secret of draw 1"),
    ):
        ada.page.fill(".look-text textarea", shown)
        ada.page.click("form button[type=submit]")
        ada.page.wait_for_selector(f".judged-dice:has-text('{verdict}')")
    ada.page.click("a:has-text('Replay and review')")
    ada.page.wait_for_selector(".look-back")
    assert not ada.faults


def test_practice_dice_have_no_seal(browser: Browser, server: Server) -> None:
    ada = invite(browser, server)
    ada.set_up(GAMES[0])
    ada.page.click("details.more summary")
    ada.page.fill("details.more input[inputmode=numeric]", "7")
    ada.start()
    assert not ada.page.locator(".seal").count()


def test_a_check_takes_less_than_5_ms(browser: Browser, server: Server) -> None:
    ada = invite(browser, server)
    ada.page.add_init_script(
        """(() => {
          window.spent = [];
          const set = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
          Object.defineProperty(WebSocket.prototype, "onmessage", { ...set, set(take) {
            set.set.call(this, (event) => {
              const before = performance.now();
              take(event);
              if (JSON.parse(event.data).log?.some((entry) => entry.seal)) {
                window.spent.push(performance.now() - before);
              }
            });
          } });
        })()"""
    )
    ada.open_game(GAMES[0], alone=True)
    roll(ada)
    spent: list[float] = []
    # every reload checks the whole log anew; several tries, since other programs take time too
    for _ in range(60):
        ada.page.reload()
        ada.page.wait_for_selector(".seal:not(.broken)")
        spent += ada.page.evaluate("window.spent")
        if spent and min(spent) < 5:
            return
    raise AssertionError(f"milliseconds for a message taken, with its draw checked: {spent}")
