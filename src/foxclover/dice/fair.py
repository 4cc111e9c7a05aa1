"""Sealed dice: rolls that nobody can choose or know before, and that everybody can check afterwards. docs/fair-dice.md specifies them.

Whoever keeps the table holds a chain of secrets and has told its anchor; players stir salts of their own into the cup. A draw comes from
the next secret of the chain and from the cup, and the secret is published with it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from hmac import digest

from foxclover.game import CHANCE, Move, Position

LENGTH = 1024  # secrets of a chain; no game draws as often
STRIDE = 32  # of so many secrets one is kept, and those between are hashed again when they are due
SECRET_BYTES = 32
SALT_BYTES = 16
STATE_BYTES = 16  # of the generator


@dataclass(frozen=True)
class Salt:
    """What a player has stirred into the cup."""

    seat: int
    salt: bytes


@dataclass(frozen=True)
class Seal:
    """What is published with a draw: its secret, and the salts stirred in since the draw before."""

    secret: bytes
    salts: tuple[Salt, ...] = ()


class SealError(ValueError):
    """A draw that is not what was sealed. ``draw`` counts draws from 1, ``move`` moves from 0; ``problem`` is one of ``PROBLEMS``."""

    def __init__(self, problem: str, draw: int = 0, move: int = -1, expected: str = "") -> None:
        self.problem = problem
        self.draw = draw
        self.move = move
        self.expected = expected
        super().__init__(PROBLEMS[problem].format(draw=draw, expected=expected))


PROBLEMS = {
    "missing": "draw {draw} comes without its secret",
    "chain": "the secret of draw {draw} does not belong to the chain",
    "roll": "draw {draw} should have been {expected}",
    "end": "the chain has no secret for draw {draw}",
}


def title(code: str, game: str, players: int, variant: int) -> bytes:
    """What ties a chain to one table, so that no draw can be shown as another table's."""
    return f"foxclover/seal/1 {code} {game} {players} {variant}".encode()


def new_last() -> bytes:
    """The end of a new chain, from which all of it follows."""
    return secrets.token_bytes(SECRET_BYTES)


def before(name: bytes, secret: bytes) -> bytes:
    """The secret before this one in the chain of a table."""
    return sha256(b"chain\n" + name + b"\n" + secret).digest()


def empty_cup(name: bytes) -> bytes:
    """The cup into which nobody has stirred anything."""
    return sha256(b"cup\n" + name).digest()


def stirred(cup: bytes, salt: Salt) -> bytes:
    """The cup with one more salt."""
    return sha256(b"salt\n" + cup + b"\n" + bytes([salt.seat]) + b"\n" + salt.salt).digest()


def generator(secret: bytes, cup: bytes) -> list[int]:
    """The state of the generator that makes a draw."""
    drawn = digest(secret, cup, "sha256")[:STATE_BYTES]
    return [int.from_bytes(drawn[at : at + 4], "little") for at in range(0, STATE_BYTES, 4)]


class Chain:
    """The secrets of one table, from the last one back to the anchor."""

    def __init__(self, name: bytes, last: bytes) -> None:
        self.name = name
        kept = [last]
        secret = last
        for number in range(LENGTH - 1, -1, -1):
            secret = before(name, secret)
            if number % STRIDE == 0:
                kept.append(secret)
        self._kept = kept[::-1]
        self._stretch: tuple[int, list[bytes]] = (-1, [])

    @property
    def anchor(self) -> bytes:
        """What is told when the table is made."""
        return self._kept[0]

    def secret(self, draw: int) -> bytes:
        """The secret of a draw, counted from 1; nobody may see it before the draw is made."""
        if draw > LENGTH:
            raise SealError("end", draw)
        stretch = -(-draw // STRIDE)
        if self._stretch[0] != stretch:
            secret, found = self._kept[stretch], []
            for _ in range(STRIDE):
                found.append(secret)
                secret = before(self.name, secret)
            self._stretch = stretch, found
        return self._stretch[1][stretch * STRIDE - draw]


class sealed:  # noqa: N801 - read as a phrase, like the other dice
    """The dice of a table: draws with the next secret of its chain and what is in the cup."""

    def __init__(self, name: bytes, last: bytes) -> None:
        self.name = name
        self.last = last
        self.cup = empty_cup(name)
        self.drawn = 0
        self.fresh: tuple[Salt, ...] = ()  # stirred in since the last draw
        self.stirrers: frozenset[int] = frozenset()

    def copy(self) -> sealed:
        """Dice that go on from here by themselves."""
        twin = sealed.__new__(sealed)
        twin.__dict__.update(self.__dict__)
        return twin

    @cached_property
    def chain(self) -> Chain:
        """The secrets, worked out when the first of them is needed."""
        return Chain(self.name, self.last)

    @property
    def anchor(self) -> bytes:
        """What everybody was told when the table was made."""
        return self.chain.anchor

    def stir(self, salt: Salt) -> None:
        """Put a player's salt into the cup."""
        self.cup = stirred(self.cup, salt)
        self.fresh += (salt,)
        self.stirrers |= {salt.seat}

    def draw(self, position: Position) -> Move:
        """The chance move that is due; ``happened`` must follow when it has been made."""
        return position.draw(generator(self.secret(self.drawn + 1), self.cup))

    def happened(self) -> tuple[Salt, ...]:
        """A draw was made, now or in a log that is read again; return the salts that stand before it."""
        self.drawn += 1
        salts, self.fresh = self.fresh, ()
        return salts

    def secret(self, draw: int) -> bytes:
        """The secret of a draw."""
        return self.chain.secret(draw)


def verify(name: bytes, anchor: bytes, position: Position, seals: Mapping[int, Seal]) -> int:
    """Check every draw of a game, given with the seals of its moves by their index; return how many draws there are.

    Raises ``SealError`` for the first one that is wrong.
    """
    rules, book = position.game.rules, position.game.book
    secret, cup, draw = anchor, empty_cup(name), 0
    for index, (state, move) in enumerate(position.history()):
        if move.seat != CHANCE:
            continue
        draw += 1
        if index not in seals:
            raise SealError("missing", draw, index)
        if before(name, seals[index].secret) != secret:
            raise SealError("chain", draw, index)
        secret = seals[index].secret
        for salt in seals[index].salts:
            cup = stirred(cup, salt)
        number = rules.draw(book.tables, state, generator(secret, cup))
        if number != move.number:
            raise SealError(
                "roll", draw, index, position.game.notation.move_text(book, state, CHANCE, number)
            )
    return draw
