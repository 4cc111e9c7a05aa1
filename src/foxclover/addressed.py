"""The same dice whatever one chooses: every die, card and lot has an address, and what it shows is a keyed hash of it.

A stream of random numbers falls out of step at the first different choice; addresses do not. Two players with the same key meet the same
rolls as long as they roll the same dice, which makes games comparable. docs/fair-dice.md lists the addresses.
"""

from __future__ import annotations

from collections import Counter
from hmac import digest

from foxclover.game import CHANCE, Move, Position

UNEVEN = 252  # the bytes from here on would favour some faces
FACES = 6


class addressed:  # noqa: N801 - read as a phrase, like the other dice
    """Dice of a key. A game that is replayed must draw from the beginning, so that dice rolled again are counted."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._rolled = Counter[str]()

    def draw(self, position: Position) -> Move:
        """The chance move that is due."""
        game = position.game
        return position.move(
            CHANCE, game.contract.addresses.chance(game.book, position.state, self)
        )

    def face(self, address: str) -> int:
        """What the die at an address shows: the first even byte of its hashes."""
        block = 0
        while True:
            for byte in digest(self.key, f"{address}#{block}".encode(), "sha256"):
                if byte < UNEVEN:
                    return 1 + byte % FACES
            block += 1

    def rank(self, address: str) -> bytes:
        """Where something stands in an order that nobody chose: the smallest comes first."""
        return digest(self.key, address.encode(), "sha256")

    def attempt(self, roll: str) -> int:
        """How often this roll has been made before; it counts from now on."""
        self._rolled[roll] += 1
        return self._rolled[roll] - 1
