"""What a game starts with: options, a start player, and a position if it is not the usual one.

Stored games and the kernel hold the first two as one number: ``Game.pack`` and ``Game.unpack``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from foxclover.core.errors import UnreadableMove
from foxclover.core.rules import RANDOM
from foxclover.locale import LazyMessage, Translator, lazy_message

WORD = "begins"


class Option(NamedTuple):
    """A way to vary a game, for the whole table."""

    name: str
    bit: int  # of the packed number
    players: range  # numbers of players that have the choice


class Setup(NamedTuple):
    """What a game starts with."""

    options: tuple[str, ...] = ()  # names, in the order in which the family lists them
    start_player: int = 0  # a seat, or ``RANDOM``
    position: str = ""  # where the game starts, as text; "" for the usual start

    def check(self, players: int) -> None:
        """Raise ``ValueError`` for a start player that a number of players cannot have."""
        seat = self.start_player
        if seat and not (players > 1 and (seat == RANDOM or 0 < seat < players)):
            drawn = "start player can be drawn" if seat == RANDOM else f"seat {seat} can begin"
            raise ValueError(f"no {drawn} in a game of {players}")


DEFAULT_SETUP = Setup()


def start_player_text(seat: int) -> str:
    """Write the draw of a start player as a chance move."""
    return f"{WORD} {seat + 1}"


def parse_start_player(text: str, players: int) -> int:
    """Return the seat that a text names, at the table or not; raises ``UnreadableMove``."""
    found = re.fullmatch(rf"(?:{WORD})?0*([0-9]{{1,3}})", re.sub(r"\s+", "", text.lower()))
    if found is None:
        example = start_player_text(players - 1)
        raise UnreadableMove(text, wanted=lazy_message("expected.start_player", example=example))
    return int(found[1]) - 1


def expected_start_player(players: int) -> LazyMessage:
    """Describe the seats that can be drawn."""
    return lazy_message("expected.seat", most=players)


def describe_start_player(seat: int, translate: Translator) -> str:
    """Describe the draw of a start player in a sentence."""
    return translate("start_player.drawn", seat=seat + 1)
