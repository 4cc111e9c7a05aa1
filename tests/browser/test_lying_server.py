"""The real page at a lying server.

The page detects each lie, or docs/fair-dice.md lists it as undetectable. The liar is a proxy
between the page and an honest server, whose secrets it knows from its data.
"""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from browsing import GAMES, Server, Visitor, invite
from foxclover.cli.check import verify_dice
from foxclover.core.game import game as find_game
from foxclover.dice.fair import Roller, context_of, first_pool, generator, mix, sealed
from foxclover.locale import catalogue
from foxclover.server.stores.sqlite_files import FILE
from foxclover.transcripts.dice_check import read_witness

Json = dict[str, Any]
GANZ = GAMES[GAMES.index("ganz-schoen-clever")]
INVENTED = "0123456789abcdef" * 2
SAY = catalogue("en")


class Liar:
    """Passes everything on, and changes what a lie needs."""

    def __init__(self) -> None:
        self.rolls: list[Json] = []  # requests of the page
        self.page: WebSocketRoute | None = None
        self.server: WebSocketRoute | None = None
        self.draws: dict[int, Json] = {}  # what the server said of them
        self.news = 0  # lines of the log in the last message

    def stand_between(self, page: WebSocketRoute) -> None:
        self.page, self.server = page, page.connect_to_server()
        page.on_message(lambda text: self.send(self.asked(json.loads(str(text)))))
        self.server.on_message(lambda text: self.tell(self.told(json.loads(str(text)))))

    def send(self, message: Json | None) -> None:
        if message is not None and self.server is not None:
            self.server.send(json.dumps(message))

    def tell(self, message: Json | None) -> None:
        if message is not None and self.page is not None:
            self.page.send(json.dumps(message))

    def asked(self, message: Json) -> Json | None:
        """What the page asks, on its way to the server."""
        if message["type"] != "roll":
            return message
        self.rolls.append(message)
        return self.roll(message)

    def roll(self, message: Json) -> Json | None:
        return message

    def told(self, message: Json) -> Json | None:
        """What the server says, on its way to the page."""
        self.news = len(message.get("log", []))
        for entry in message.get("log", []):
            if "seal" in entry:
                self.draws[entry["seal"]["draw"]] = json.loads(json.dumps(entry["seal"]))
                self.draw(entry["seal"])
        return message

    def draw(self, seal: Json) -> None:
        """What the server says of a draw."""


class Grinds(Liar):
    """Replaces the roller's salt by one that gives a roll the server likes."""

    words = "made without your salt"

    def __init__(self, data: Path) -> None:
        super().__init__()
        self.data = data

    def roll(self, message: Json) -> Json | None:
        assert self.page is not None
        code = self.page.url.split("/")[-1]
        with sqlite3.connect(self.data / FILE) as store:
            (root,) = store.execute("SELECT seal FROM tables WHERE code = ?", (code,)).fetchone()
        context = context_of(code, GANZ, 1, 0)
        secret, start = sealed(context, root).secret(1), find_game(GANZ).start(1)
        for number in range(100_000):
            salt = number.to_bytes(16)
            faces = str(start.draw(generator(secret, mix(first_pool(context), Roller(0, salt)))))[
                1::2
            ]
            if sum(map(int, faces)) > 30:
                return {**message, "salt": salt.hex()}
        raise AssertionError("no salt suits")


class AddsSalt(Liar):
    """Says that somebody else's salt was mixed in instead."""

    words = "made without your salt"

    def draw(self, seal: Json) -> None:
        seal["roller"] = {"seat": 1, "salt": INVENTED}


class LeavesSaltOut(Liar):
    """Says that a computer player rolled."""

    words = "made without your salt"

    def draw(self, seal: Json) -> None:
        if seal["draw"] == 2:
            seal["roller"] = {"seat": 0}


class ReplaysSalt(Liar):
    """Uses the salt of the first roll again."""

    words = "used again"

    def draw(self, seal: Json) -> None:
        if seal["draw"] == 2:
            seal["roller"] = self.draws[1]["roller"]


class ReordersSalts(Liar):
    """Exchanges the salts of two draws that the page has seen, when it comes back."""

    words = "changed a draw"

    def draw(self, seal: Json) -> None:
        if self.news > 3 and 2 in self.draws and seal["draw"] <= 2:
            seal["roller"] = self.draws[3 - seal["draw"]]["roller"]


class ReplaysSecret(Liar):
    """Uses the secret of the first draw again."""

    words = "does not belong to the chain"

    def draw(self, seal: Json) -> None:
        if seal["draw"] == 2:
            seal["secret"] = self.draws[1]["secret"]


class SwapsSecret(Liar):
    """Takes another secret when it has seen the salt."""

    words = "does not belong to the chain"

    def draw(self, seal: Json) -> None:
        seal["secret"] = "ab" * 32


class ChangesPool(Liar):
    """A proxy that changes what the page says it has seen."""

    words = "made without your salt"

    def roll(self, message: Json) -> Json | None:
        return {**message, "pool": "00" * 32}


class SaltsComputer(Liar):
    """Mixes an invented salt in before the roll of a computer player, in its name."""

    words = "was not requested by the player to roll"
    alone = False

    def draw(self, seal: Json) -> None:
        if "salt" not in seal.get("roller", {"salt": ""}):
            seal["roller"]["salt"] = INVENTED


class SaltsComputerAsPerson(SaltsComputer):
    """The same in the name of the person who plays, which their page knows best."""

    words = "roll in your name"

    def draw(self, seal: Json) -> None:
        if "salt" not in seal.get("roller", {"salt": ""}):
            seal["roller"] = {"seat": 0, "salt": INVENTED}


class BeginsWithoutPerson(Liar):
    """Makes the first draw without any salt."""

    words = "salt was added, left out or used again"

    def draw(self, seal: Json) -> None:
        seal["roller"].pop("salt", None)


LIARS = (
    AddsSalt,
    LeavesSaltOut,
    ReplaysSalt,
    ReplaysSecret,
    SwapsSecret,
    ChangesPool,
    SaltsComputer,
    SaltsComputerAsPerson,
    BeginsWithoutPerson,
)


def come(browser: Browser, server: Server, liar: Liar, **options: Any) -> Visitor:
    ada = invite(browser, server, **options)
    ada.page.route_web_socket("**/ws/*", liar.stand_between)
    return ada


def is_broken(visitor: Visitor) -> bool:
    return visitor.page.locator(".seal.broken").count() > 0


def roll(visitor: Visitor) -> None:
    visitor.page.keyboard.press("r")
    visitor.page.wait_for_selector(".log-side .log li", state="attached")


@pytest.mark.parametrize("kind", LIARS, ids=lambda kind: kind.__name__)
def test_a_lie_breaks_the_seal(browser: Browser, server: Server, kind: type[Any]) -> None:
    ada = come(browser, server, kind())
    ada.open_game(GANZ, alone=getattr(kind, "alone", True))
    ada.touch_until(lambda: is_broken(ada))
    expect(ada.page.locator(".seal-alarm")).to_contain_text("Do not trust the dice of this table.")
    expect(ada.page.locator(".seal-alarm")).to_contain_text(kind.words)
    ada.page.unroute_all()
    ada.page.reload()
    expect(ada.page.locator(".seal.broken")).to_be_visible()
    ada.context.close()


def test_salts_ground_by_one_who_knows_the_secrets_break_the_seal(
    browser: Browser, server: Server
) -> None:
    """The very attack.

    The chosen roll is the right one of chain and salt, and the transcript of it verifies.
    """
    liar = Grinds(server.data)
    ada = come(browser, server, liar)
    code = ada.open_game(GANZ, alone=True)
    roll(ada)
    expect(ada.page.locator(".seal-alarm")).to_contain_text(Grinds.words)
    text = ada.context.request.get(f"{server.address}/api/tables/{code}/transcript").text()
    assert sum(map(int, re.search("chance: (.*)", text)[1][1::2])) > 30  # type: ignore[index]
    assert verify_dice(text, SAY).problem == "", "a transcript alone does not show it"
    witness = read_witness(save_witness(ada).read_text())
    assert "does not use the salt" in verify_dice(text, SAY, witnesses=[witness]).problem
    ada.context.close()


def save_witness(visitor: Visitor) -> Path:
    visitor.page.click(".seal")
    with visitor.page.expect_download() as saved:
        visitor.page.click("dialog.seal-dialog button:has-text('Save witness file')")
    visitor.page.keyboard.press("Escape")
    return Path(saved.value.path())


class Drops(Liar):
    """Loses the first request, or refuses it, and lets the page ask again."""

    def __init__(self, refusal: str) -> None:
        super().__init__()
        self.refusal = refusal

    def roll(self, message: Json) -> Json | None:
        if len(self.rolls) > 1:
            return message
        if self.refusal:
            self.tell(
                {
                    "type": "refused",
                    "ref": message["ref"],
                    "seq": message["seq"],
                    "reason": self.refusal,
                    "words": "Not now.",
                }
            )
        elif self.page is not None:
            self.page.close()
        return None


@pytest.mark.parametrize("refusal", ["", "stale", "too_fast", "not_saved"])
def test_a_request_that_was_withheld_is_repeated_as_it_was(
    browser: Browser, server: Server, refusal: str
) -> None:
    liar = Drops(refusal)
    ada = come(browser, server, liar)
    ada.open_game(GANZ, alone=True)
    ada.touch_until(lambda: len(liar.rolls) > 0)
    if not refusal:
        ada.page.reload()
    ada.touch_until(lambda: len(liar.draws) > 0)
    first, second = ({**message, "ref": 0} for message in liar.rolls[:2])
    assert first == second, "so the server has no second try"
    expect(ada.page.locator(".seal:not(.broken)")).to_be_visible()
    assert not ada.page.locator(".seal-alarm, .seal-doubt").count()
    ada.context.close()


def test_draws_exchanged_while_the_page_was_away_break_the_seal(
    browser: Browser, server: Server
) -> None:
    liar = ReordersSalts()
    ada = come(browser, server, liar)
    ada.open_game(GANZ, alone=True)
    ada.touch_until(lambda: len(ada.log) > 4 and 2 in liar.draws)
    ada.page.reload()
    expect(ada.page.locator(".seal-alarm")).to_contain_text(ReordersSalts.words)
    ada.context.close()


class RollsInYourName(Liar):
    """Rolls as soon as a roll is due, without having been asked.

    As a server could, or another device of the same person.
    """

    def told(self, message: Json) -> Json | None:
        if message["type"] == "state" and message["rollers"] and not message["log"]:
            self.send(
                {"type": "roll", "ref": 999, "seq": message["seq"], "seat": 0, "salt": INVENTED}
            )
        return super().told(message)


def test_a_roll_in_ones_own_name_breaks_the_seal_unless_one_rolled_elsewhere(
    browser: Browser, server: Server
) -> None:
    liar = RollsInYourName()
    ada = come(browser, server, liar)
    code = ada.open_game(GANZ, alone=True)
    expect(ada.page.locator(".seal-alarm")).to_contain_text("A roll in your name")
    text = ada.context.request.get(f"{server.address}/api/tables/{code}/transcript").text()
    witness = read_witness(save_witness(ada).read_text())
    assert "in the name of the witness" in verify_dice(text, SAY, witnesses=[witness]).problem
    ada.page.click(".seal-alarm button")
    ada.page.click(".seal")
    ada.page.click("dialog.seal-dialog button:has-text('I rolled elsewhere')")
    expect(ada.page.locator(".seal:not(.broken)")).to_be_attached()
    ada.context.close()


def test_tabs_of_one_browser_share_what_they_sent(browser: Browser, server: Server) -> None:
    ada = invite(browser, server)
    code = ada.open_game(GANZ, alone=True)
    tab = ada.context.new_page()
    tab.goto(f"{server.address}/t/{code}")
    tab.wait_for_selector(".stage")
    ada.touch_until(lambda: len(ada.log) > 6)
    ada.wait_until_idle()
    shown = len(ada.log)
    ada.wait_for(lambda: tab.locator(".log-side .log li").count() >= shown, True)
    for page in (tab, ada.page):
        assert not page.locator(".seal.broken, .seal-alarm").count()
    text = ada.context.request.get(f"{server.address}/api/tables/{code}/transcript").text()
    found = verify_dice(text, SAY, witnesses=[read_witness(save_witness(ada).read_text())])
    assert found.problem == ""
    assert "match the witness file" in found.words(SAY)
    ada.context.close()


class SealsNothing(Liar):
    """Says of a table from the beginning that its dice are not sealed."""

    def told(self, message: Json) -> Json | None:
        if message["type"] == "state":
            message["sealing"] = None
        return message


def test_a_server_that_seals_nothing_is_seen_to(browser: Browser, server: Server) -> None:
    ada = invite(browser, server)
    code = ada.open_game(GANZ, alone=True)
    eve = come(browser, server, SealsNothing())
    eve.page.goto(f"{server.address}/t/{code}")
    eve.page.click(".seal.broken")
    expect(eve.page.locator("dialog.seal-dialog")).to_contain_text("Dice not verifiable")
    for visitor in (ada, eve):
        visitor.context.close()
