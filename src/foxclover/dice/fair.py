"""Provably fair dice: no party controls a roll alone, and you can verify every roll afterwards.

docs/fair-dice-spec.md is the specification. The server holds chains of secrets and publishes the
commitment of each chain before its use. A player who rolls names the entropy pool they have seen
and mixes in a salt. The next secret and the pool determine a draw, and the secret is published
with it. Only a person's roll changes the pool, so the server cannot influence the draw after it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from hashlib import sha256
from hmac import digest
from typing import ClassVar, NamedTuple

from foxclover.core.contract import AnyState
from foxclover.core.move import Move
from foxclover.core.position import SEATS_OF_MASK, Position
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import DrawError

VERSION = 2
DICE = f"sealed {VERSION}"  # how tables and transcripts name these dice
LENGTH = 256  # secrets per chain; the next chain continues where it ends
STRIDE = 32  # distance of the cached secrets; those between are hashed again on demand
SECRET_BYTES = 32
SALT_BYTES = 16
STATE_BYTES = 16  # of the state of the generator
MARK_BYTES = 16


@dataclass(frozen=True)
class Roller:
    """The seat that rolled: a person with the salt of their page, or a computer player without."""

    seat: int
    salt: bytes = b""


@dataclass(frozen=True)
class Seal:
    """The data published with a draw: its secret and the seat that rolled.

    The first draw of a chain also publishes the commitment of the next chain.
    """

    secret: bytes
    roller: Roller | None = None  # None for a card or a tie
    next: bytes = b""


class Draw(NamedTuple):
    """A verified draw."""

    move: int  # its index among the moves of the game
    roller: Roller | None
    mark: bytes


class SealError(DrawError):
    """A draw that is not provably fair."""

    problems: ClassVar = DrawError.problems | {
        "missing": "draw {draw} has no secret",
        "chain": "the secret of draw {draw} does not belong to the chain",
        "next": "draw {draw} does not publish the commitment of the next chain, or must not",
        "roller": "draw {draw} does not say who rolled",
        "foreign": "draw {draw} was rolled by a seat that was not to roll",
        "added": "draw {draw} is no roll, but a salt was added before it",
        "unsalted": "no person added a salt before draw {draw}",
        "repeated": "the salt of draw {draw} was used before",
    }


def context_of(code: str, game: str, players: int, variant: int) -> bytes:
    """Return the context that binds secrets to one table, so that draws fit no other table."""
    return f"foxclover/seal/{VERSION} {code} {game} {players} {variant}".encode()


def new_root() -> bytes:
    """Return the secret from which all chains of a new table are derived; never publish it."""
    return secrets.token_bytes(SECRET_BYTES)


def last_secret(context: bytes, root: bytes, number: int) -> bytes:
    """Return the last secret of a chain, counted from 0."""
    return sha256(b"last\n" + context + b"\n" + root + b"\n" + str(number).encode()).digest()


def before(context: bytes, secret: bytes) -> bytes:
    """Return the secret before this one in its chain."""
    return sha256(b"chain\n" + context + b"\n" + secret).digest()


def first_pool(context: bytes) -> bytes:
    """Return the initial entropy pool, before any salt."""
    return sha256(b"pool\n" + context).digest()


def mix(pool: bytes, roller: Roller) -> bytes:
    """Return the pool with the salt of a roller mixed in."""
    return sha256(b"salt\n" + pool + b"\n" + bytes([roller.seat]) + b"\n" + roller.salt).digest()


def mark_of(pool: bytes, text: str, following: bytes) -> bytes:
    """Return the mark of a draw, which a page records for its witness file."""
    return sha256(b"mark\n" + pool + b"\n" + text.encode() + b"\n" + following).digest()[
        :MARK_BYTES
    ]


def generator(secret: bytes, pool: bytes) -> list[int]:
    """Return the state of the generator that makes a draw."""
    drawn = digest(secret, pool, "sha256")[:STATE_BYTES]
    return [int.from_bytes(drawn[at : at + 4], "little") for at in range(0, STATE_BYTES, 4)]


class Chain:
    """A hash chain of secrets of a table, from the last one back to the commitment."""

    def __init__(self, context: bytes, last: bytes) -> None:
        self.context = context
        kept, secret = [last], last
        for number in range(LENGTH - 1, -1, -1):
            secret = before(context, secret)
            if number % STRIDE == 0:
                kept.append(secret)
        self._kept = kept[::-1]
        self._stretch: tuple[int, list[bytes]] = (-1, [])

    @property
    def commitment(self) -> bytes:
        """Return the hash that is published before the first secret of the chain is used."""
        return self._kept[0]

    def secret(self, number: int) -> bytes:
        """Return a secret, counted from 1."""
        stretch = -(-number // STRIDE)
        if self._stretch[0] != stretch:
            secret, found = self._kept[stretch], []
            for _ in range(STRIDE):
                found.append(secret)
                secret = before(self.context, secret)
            self._stretch = stretch, found
        return self._stretch[1][stretch * STRIDE - number]


class sealed:  # noqa: N801 - read as a phrase, like the other dice
    """The dice of a table: draw with the next secret and the entropy pool."""

    def __init__(self, context: bytes, root: bytes) -> None:
        self.context = context
        self.root = root
        self.pool = first_pool(context)
        self.drawn = 0
        self.roller: Roller | None = None  # set if a salt was mixed in for the next draw
        self.salts: frozenset[bytes] = frozenset()  # all salts so far, since none may repeat
        self._chains: dict[int, Chain] = {}

    def copy(self) -> sealed:
        """Return an independent copy that continues from the current draw."""
        return copy(self)

    @property
    def commitment(self) -> bytes:
        """Return the commitment of the first chain, published when the table was created."""
        return self._chain(0).commitment

    def mix(self, roller: Roller) -> None:
        """Mix in the salt of the person who rolls next."""
        self.pool = mix(self.pool, roller)
        self.roller = roller
        self.salts |= {roller.salt}

    def draw(self, position: Position) -> Move:
        """Return the chance move that is due; call ``happened`` after making it."""
        return position.draw(generator(self.secret(self.drawn + 1), self.pool))

    def happened(self) -> Roller | None:
        """Count a draw that was made, now or in a replayed log.

        Return the person who rolled, if any.
        """
        self.drawn += 1
        roller, self.roller = self.roller, None
        return roller

    def secret(self, draw: int) -> bytes:
        """Return the secret of a draw, counted from 1.

        Do not publish it before the draw is made.
        """
        return self._chain((draw - 1) // LENGTH).secret((draw - 1) % LENGTH + 1)

    def seal(self, draw: int, roller: Roller | None) -> Seal:
        """Return the data to publish with a draw."""
        number, place = divmod(draw - 1, LENGTH)
        return Seal(self.secret(draw), roller, b"" if place else self._chain(number + 1).commitment)

    def _chain(self, number: int) -> Chain:
        if number not in self._chains:
            self._chains[number] = Chain(self.context, last_secret(self.context, self.root, number))
        return self._chains[number]


class _Verifier:
    """Verifier of the draws of a game, called in their order."""

    def __init__(
        self, context: bytes, commitment: bytes, position: Position, seals: Mapping[int, Seal]
    ) -> None:
        self.context = context
        self.game = position.game
        self.seals = seals
        self.pool = first_pool(context)
        self.expected = commitment  # the hash of the next secret
        self.following = b""  # the commitment of the next chain
        self.salts: set[bytes] = set()
        self.draws: list[Draw] = []

    def check(self, index: int, state: AnyState, move: Move) -> None:
        number = len(self.draws) + 1
        seal = self.seals.get(index)
        if seal is None:
            raise SealError("missing", number, index)
        if problem := self._secret_problem(seal, number) or self._roller_problem(
            seal.roller, state
        ):
            raise SealError(problem, number, index)
        if seal.roller is not None and seal.roller.salt:
            self.salts.add(seal.roller.salt)
            self.pool = mix(self.pool, seal.roller)
        drawn = self.game.rules.draw(
            self.game.definition.tables, state, generator(seal.secret, self.pool)
        )
        if drawn != move.number:
            expected = self.game.notation.move_text(self.game.definition, state, CHANCE, drawn)
            raise SealError("roll", number, index, expected)
        self.draws.append(Draw(index, seal.roller, mark_of(self.pool, move.text, seal.next)))

    def _secret_problem(self, seal: Seal, number: int) -> str:
        first = (number - 1) % LENGTH == 0
        if before(self.context, seal.secret) != (
            self.following if first and number > 1 else self.expected
        ):
            return "chain"
        if bool(seal.next) != first:
            return "next"
        self.expected, self.following = seal.secret, seal.next or self.following
        return ""

    def _roller_problem(self, roller: Roller | None, state: AnyState) -> str:
        rollers = SEATS_OF_MASK[self.game.rules.rollers(self.game.definition.tables, state)]
        if roller is None:
            return "roller" if rollers else ""
        if not rollers:
            return "added"
        if not roller.salt and not self.draws:
            return "unsalted"
        # Any seat may make the first roll, so that a person can add a salt.
        if roller.seat not in rollers and self.draws:
            return "foreign"
        return "repeated" if roller.salt in self.salts else ""


def verify(
    context: bytes, commitment: bytes, position: Position, seals: Mapping[int, Seal]
) -> list[Draw]:
    """Verify every draw of a game; ``seals`` maps the index of a move to its seal.

    Return the draws. Raises ``SealError`` for the first wrong one.
    """
    verifier = _Verifier(context, commitment, position, seals)
    for index, (state, move) in enumerate(position.history()):
        if move.seat == CHANCE:
            verifier.check(index, state, move)
    return verifier.draws
