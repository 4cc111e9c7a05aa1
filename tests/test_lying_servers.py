"""Servers that lie about sealed dice.

Each tries to make the rolls of a game suit it, and leaves a transcript. Where the transcript shows
it, ``verify`` fails. What a transcript cannot show, the witness file of a player does.
What cannot be detected is listed in docs/fair-dice.md and tested here, too.
"""

from __future__ import annotations

import json
import random

import pytest

from foxclover import CHANCE, transcripts
from foxclover.cli.check import verify_dice
from foxclover.core.game import game
from foxclover.dice.fair import Roller, Seal, context_of, generator, mark_of, mix, sealed
from foxclover.locale import catalogue
from foxclover.transcripts import Header
from foxclover.transcripts.dice_check import FORMAT, DiceCheck, Witness, WitnessError, read_witness

SAY = catalogue("en")
ADA, BO, ROBOT = range(3)
ROLLS = 12  # of each game
CONTENT = 4  # a lying server wants at least so many points a die
TRIES = 400


class Page:
    """What an honest page sends and notes, whatever the server does."""

    def __init__(self, seat: int, context: bytes, chance: random.Random) -> None:
        self.seat = seat
        self.context = context
        self.chance = chance
        self.marks: list[bytes] = []
        self.requests: dict[int, Roller] = {}

    def request(self) -> Roller:
        """Roll: the same request for the same draw, however often it is asked for."""
        return self.requests.setdefault(
            len(self.marks) + 1, Roller(self.seat, self.chance.randbytes(16))
        )

    def file(self, commitment: bytes) -> str:
        return json.dumps(
            {
                "format": FORMAT,
                "context": self.context.decode(),
                "commitment": commitment.hex(),
                "marks": [mark.hex() for mark in self.marks],
                "requests": [
                    {"draw": draw, "seat": made.seat, "salt": made.salt.hex()}
                    for draw, made in self.requests.items()
                ],
                "held": [{"seat": self.seat, "first": 1, "last": len(self.marks)}],
            }
        )


class Server:
    """An honest server and its table of two persons and a computer player.

    Those that lie are made from it.
    """

    key = "ganz-schoen-clever"
    problem = ""  # that ``verify`` finds in the transcript
    testimony = ""  # and with the witness files of both

    def __init__(self, seed: int = 1) -> None:
        self.chance = random.Random(seed)
        self.position = game(self.key).start(3)
        self.context = context_of("bcdfgh", self.key, 3, 0)
        self.dice = sealed(self.context, self.chance.randbytes(32))
        self.commitment = self.dice.commitment
        self.seals: dict[int, Seal] = {}
        self.pages = {seat: Page(seat, self.context, self.chance) for seat in (ADA, BO)}
        self.rolled = 0

    def play(self) -> None:
        while self.rolled < ROLLS and not self.position.over:
            if not self.position.chance_due:
                self.position.push(
                    self.chance.choice(self.position.legal_moves(self.position.acting[0]))
                )
            elif not self.position.rollers:
                self.draw(None)
            elif self.position.rollers[0] == ROBOT:
                self.computer_rolls()
            else:
                self.person_rolls(self.position.rollers[0])

    def person_rolls(self, seat: int) -> None:
        self.answer(self.pages[seat].request())

    def answer(self, request: Roller) -> None:
        """Roll, with the request of a page known."""
        self.draw(request)

    def computer_rolls(self) -> None:
        self.draw(Roller(ROBOT))

    def draw(self, roller: Roller | None, secret: bytes = b"") -> None:
        """Make a draw, publish it, and let all pages note it."""
        if roller is not None and roller.salt:
            self.dice.mix(roller)
        number = self.dice.drawn + 1
        seal = self.dice.seal(number, roller)
        seal = Seal(secret or seal.secret, roller, seal.next)
        move = self.position.draw(generator(seal.secret, self.dice.pool))
        self.dice.happened()
        self.rolled += bool(self.position.rollers)
        self.seals[len(self.position.moves_made)] = seal
        self.position.push(move)
        for page in self.pages.values():
            page.marks.append(mark_of(self.dice.pool, move.text, seal.next))

    def suits(self, roller: Roller, secret: bytes = b"") -> bool:
        """Whether a roll with this salt would be as good as the server likes."""
        roll = self.position.draw(
            generator(secret or self.dice.secret(self.dice.drawn + 1), mix(self.dice.pool, roller))
        )
        faces = [int(sign) for sign in roll.text if sign.isdigit()]
        return sum(faces) >= CONTENT * len(faces)

    def ground(self, seat: int) -> Roller:
        """Invent salts until one suits."""
        tried = [Roller(seat, self.chance.randbytes(16)) for _ in range(TRIES)]
        return next((roller for roller in tried if self.suits(roller)), tried[0])

    def transcript(self) -> str:
        header = Header(
            self.position.game,
            ["Ada", "Bo", "Robot:random"],
            transcripts.sealed_dice("bcdfgh", self.commitment),
        )
        return transcripts.write(header, self.position, self.seals)

    def witnesses(self) -> list[Witness]:
        return [read_witness(page.file(self.commitment)) for page in self.pages.values()]


class InventsSalt(Server):
    """Leaves the roller's salt out and takes one of its own, in their name."""

    testimony = "does not use the salt that the witness sent"

    def answer(self, request: Roller) -> None:
        self.draw(request if self.suits(request) else self.ground(request.seat))


class InventsOthersSalt(Server):
    """Takes an invented salt in the name of a player who is not to roll."""

    problem = "not to roll"

    def answer(self, request: Roller) -> None:
        self.draw(
            request if self.suits(request) else self.ground(BO if request.seat == ADA else ADA)
        )


class AddsSaltToComputer(Server):
    """Invents a salt of a person before the roll of a computer player."""

    problem = "not to roll"

    def computer_rolls(self) -> None:
        self.draw(self.ground(ADA))


class MakesComputerSalt(Server):
    """Pretends that a person rolled where a computer player sits.

    The page sees the player, the transcript says only who sits there now.
    """

    def computer_rolls(self) -> None:
        self.draw(self.ground(ROBOT))


class AddsSaltToCard(Server):
    """Invents a salt where no dice are rolled."""

    key = "geht-noch-was"
    problem = "no salt could be added"

    def draw(self, roller: Roller | None, secret: bytes = b"") -> None:
        super().draw(roller or Roller(ADA, self.chance.randbytes(16)), secret)


class Withholds(Server):
    """Drops a request until the page repeats it: which changes nothing."""

    def person_rolls(self, seat: int) -> None:
        lost = self.pages[seat].request()
        assert self.pages[seat].request() == lost
        super().person_rolls(seat)


class RefusesAndRollsItself(Server):
    """Refuses a request that does not suit, and claims that a computer player rolled."""

    testimony = "does not use the salt that the witness sent"

    def answer(self, request: Roller) -> None:
        self.draw(request if self.dice.drawn == 0 or self.suits(request) else Roller(request.seat))


class BeginsWithoutPersons(Server):
    """Makes the first draw with no salt at all, after it has tried many roots."""

    problem = "No person added a salt before draw 1"

    def answer(self, request: Roller) -> None:
        self.draw(request if self.dice.drawn else Roller(request.seat))


class ReplaysSalt(Server):
    """Uses a salt that the roller sent before."""

    problem = "was used before"

    def answer(self, request: Roller) -> None:
        old = self.pages[request.seat].requests.get(1)
        self.draw(old if old and self.dice.drawn else request)


class ReplaysSecret(Server):
    """Uses the secret of an earlier draw."""

    problem = "does not belong to the chain"

    def answer(self, request: Roller) -> None:
        self.draw(request, self.dice.secret(1))


class SwapsSecret(Server):
    """Takes another secret when it has seen the salt."""

    problem = "does not belong to the chain"

    def answer(self, request: Roller) -> None:
        for _ in range(TRIES):
            secret = self.chance.randbytes(32)
            if self.suits(request, secret):
                return self.draw(request, secret)
        return self.draw(request)


class SwapsRoot(Server):
    """Draws with another chain than the one it committed to."""

    problem = "does not belong to the chain"

    def answer(self, request: Roller) -> None:
        if not self.dice.drawn:
            self.dice.root = self.chance.randbytes(32)
            self.dice._chains.clear()
        self.draw(request)


class RollsForAbsent(Server):
    """Rolls in the name of a person who is away. Only that person can know."""

    testimony = "in the name of the witness"

    def person_rolls(self, seat: int) -> None:
        if seat == BO:
            self.draw(self.ground(BO))
        else:
            super().person_rolls(seat)


class Colludes(Server):
    """Chooses the salt together with the player who rolls: a limit that cannot be found out."""

    def person_rolls(self, seat: int) -> None:
        if seat == BO:
            self.pages[BO].requests[self.dice.drawn + 1] = self.ground(BO)
        super().person_rolls(seat)


HONEST = (Server, Withholds)
LIARS = (
    InventsSalt,
    InventsOthersSalt,
    AddsSaltToComputer,
    AddsSaltToCard,
    RefusesAndRollsItself,
    BeginsWithoutPersons,
    ReplaysSalt,
    ReplaysSecret,
    SwapsSecret,
    SwapsRoot,
    RollsForAbsent,
)
UNKNOWABLE = (Colludes, MakesComputerSalt)


def played(kind: type[Server]) -> Server:
    server = kind()
    server.play()
    assert server.rolled == ROLLS
    return server


def draws(server: Server) -> int:
    return sum(move.seat == CHANCE for move in server.position.moves_made)


@pytest.mark.parametrize("kind", [*HONEST, *UNKNOWABLE], ids=lambda kind: kind.__name__)
def test_nothing_is_found_where_nothing_can_be(kind: type[Server]) -> None:
    server = played(kind)
    for witnesses in ([], server.witnesses()):
        found = verify_dice(server.transcript(), SAY, witnesses=witnesses)
        assert (found.problem, found.draws) == ("", draws(server))


@pytest.mark.parametrize("kind", LIARS, ids=lambda kind: kind.__name__)
def test_a_lying_server_is_found_out(kind: type[Server]) -> None:
    server = played(kind)
    alone, witnessed = (
        verify_dice(server.transcript(), SAY),
        verify_dice(server.transcript(), SAY, witnesses=server.witnesses()),
    )
    assert kind.problem in alone.problem
    assert bool(kind.problem) == bool(alone.problem), "a transcript alone does not show everything"
    assert (kind.problem or kind.testimony) in witnessed.problem
    assert witnessed.problem.startswith("Line ")


def test_an_honest_verdict_names_who_can_confirm_it() -> None:
    server = played(Server)
    assert "Rolls of computer players: Robot" in verify_dice(server.transcript(), SAY).words(SAY)
    assert "--witness" in verify_dice(server.transcript(), SAY).words(SAY)
    assert "match 2 witness files" in verify_dice(
        server.transcript(), SAY, witnesses=server.witnesses()
    ).words(SAY)
    pretended = played(MakesComputerSalt)
    assert "Only those people can confirm" in verify_dice(pretended.transcript(), SAY).words(SAY)


def test_two_devices_of_a_person_testify_together() -> None:
    server = played(Server)
    (phone, bo) = server.witnesses()
    half = len(phone.marks) // 2
    first = Witness(
        phone.context,
        phone.commitment,
        phone.marks,
        {at: made for at, made in phone.requests.items() if at <= half},
        phone.held,
    )
    second = Witness(
        phone.context,
        phone.commitment,
        phone.marks,
        {at: made for at, made in phone.requests.items() if at > half},
        phone.held,
    )
    assert (
        "in the name of the witness"
        in verify_dice(server.transcript(), SAY, witnesses=[first, bo]).problem
    )
    assert verify_dice(server.transcript(), SAY, witnesses=[first, second, bo]).problem == ""


def test_a_draw_that_a_page_saw_otherwise_is_found() -> None:
    server, other = played(Server), Server(seed=2)
    server.pages[ADA].marks[3] = bytes(16)
    assert (
        "Draw 4 differs from the one in the witness file"
        in verify_dice(server.transcript(), SAY, witnesses=server.witnesses()).problem
    )
    other.play()
    assert verify_dice(server.transcript(), SAY, witnesses=other.witnesses()) == DiceCheck(
        0, SAY("dice_check.witness.other")
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"format": "foxclover witness 2"}',
        "[" * 100_000,
        '{"format": 7, "marks": 3}',
    ],
)
def test_what_is_no_witness_is_refused(text: str) -> None:
    with pytest.raises(WitnessError):
        read_witness(text)
