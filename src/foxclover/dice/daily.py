"""Derive and verify the dice of the daily challenge.

Each day and game has one key for keyed dice. Its hash is published the day before, the key when
the day is closed. Days are UTC days. You may finish a game until one hour after midnight if you
began it before. Then the day is closed, and unfinished games count as given up.
docs/fair-dice-spec.md is the specification.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from hmac import digest
from typing import ClassVar

from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import DrawError, draw_again, keyed

GRACE = 3_600  # seconds after midnight in which you may finish a game of the day
KEY_BYTES = 32
OPEN_SECRET = b"foxclover open daily challenge"  # public: there is no server that could hide one
WORD = "daily"  # first word of the dice entry in a header

_DICE = re.compile(rf"{WORD} (\d{{4}}-\d{{2}}-\d{{2}}) ([0-9a-f]{{64}})(?: ([0-9a-f]{{64}}))?")


class NotOfTheDay(DrawError):
    """A game that was not played with the dice of its day."""

    problems: ClassVar = DrawError.problems | {"key": "the key is not the one that was promised"}


def day_of(seconds: float) -> str:
    """Return the UTC day of a time, such as ``2026-11-16``."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def day_after(day: str, days: int = 1) -> str:
    """Return the day that is ``days`` days later."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def ends(day: str) -> int:
    """Return when the day ends and no game can begin any more, in seconds since 1970."""
    return int(datetime.fromisoformat(f"{day_after(day)}T00:00:00+00:00").timestamp())


def closes(day: str) -> int:
    """Return when games can no longer be finished and everything is published."""
    return ends(day) + GRACE


def day_key(secret: bytes, day: str, game: str) -> bytes:
    """Return the key of a day's dice."""
    return digest(secret, f"daily/1/{day}/{game}".encode(), "sha256")


def open_key(day: str, game: str) -> bytes:
    """Return the public key of a day's dice, for games without a server and without a ranking.

    Anybody can compute it beforehand.
    """
    return day_key(OPEN_SECRET, day, game)


def promise(key: bytes) -> str:
    """Return the hash of a key that is published before the first game with it."""
    return sha256(key).hexdigest()


def dice_words(day: str, key: bytes, with_key: bool) -> str:
    """Return the dice entry of a header for a day's dice: the day and the hash of the key.

    The key itself follows only ``with_key``.
    """
    return f"{WORD} {day} {promise(key)}" + (f" {key.hex()}" if with_key else "")


def read_dice(text: str) -> tuple[str, str, bytes | None] | None:
    """Return the day, the hash and the key, if present, from the dice entry of a header.

    Return ``None`` for other kinds of dice.
    """
    found = _DICE.fullmatch(text)
    return (found[1], found[2], bytes.fromhex(found[3]) if found[3] else None) if found else None


def follow(key: bytes, position: Position) -> keyed:
    """Return the dice of a key, advanced to the end of a game.

    Raises ``NotOfTheDay`` at the first draw that differs.
    """
    dice = keyed(key)
    for draw, (index, expected, move) in enumerate(draw_again(dice, position), 1):
        if expected.number != move.number:
            raise NotOfTheDay("roll", draw, index, expected.text)
    return dice


def verify(promised: str, key: bytes, position: Position) -> int:
    """Check that a key has the published hash and determines every draw of a game.

    Return the number of draws. Raises ``NotOfTheDay`` otherwise.
    """
    if promise(key) != promised:
        raise NotOfTheDay("key")
    follow(key, position)
    return sum(move.seat == CHANCE for move in position.moves_made)
