"""The daily challenge: for each day and game one key of addressed dice, promised the day before and told when the day is closed.

Days are those of UTC. A game begun before midnight may be finished within the hour after it; then the day is closed, what is not
finished counts as given up, and the key is told. docs/fair-dice.md specifies it.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from hmac import digest

from foxclover.addressed import addressed
from foxclover.game import CHANCE, Position

GRACE = 3_600  # seconds after midnight in which a game of the day may be finished
KEY_BYTES = 32
WORD = "daily"  # begins what a header says of such dice

_DICE = re.compile(rf"{WORD} (\d{{4}}-\d{{2}}-\d{{2}}) ([0-9a-f]{{64}})(?: ([0-9a-f]{{64}}))?")


class NotOfTheDay(ValueError):
    """A game not played with the dice of its day: ``problem`` is "key", or "roll" with its ``draw``, from 1, and ``move``, from 0."""

    def __init__(self, problem: str, draw: int = 0, move: int = -1, expected: str = "") -> None:
        self.problem = problem
        self.draw = draw
        self.move = move
        self.expected = expected
        super().__init__(
            f"draw {draw} should have been {expected}"
            if draw
            else "the key is not the one that was promised"
        )


def day_of(seconds: float) -> str:
    """The day of a moment, as ``2026-11-16``."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def day_after(day: str, days: int = 1) -> str:
    """Another day, so many days later."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def ends(day: str) -> int:
    """When nobody can begin any more, in seconds since 1970."""
    return int(datetime.fromisoformat(f"{day_after(day)}T00:00:00+00:00").timestamp())


def closes(day: str) -> int:
    """When nobody can finish any more and everything is told."""
    return ends(day) + GRACE


def day_key(secret: bytes, day: str, game: str) -> bytes:
    """The key of a day's dice."""
    return digest(secret, f"daily/1/{day}/{game}".encode(), "sha256")


def promise(key: bytes) -> str:
    """What is told of a key before anybody plays with it."""
    return sha256(key).hexdigest()


def dice_words(day: str, key: bytes, told: bool) -> str:
    """What a header says of a day's dice: the day, what was promised, and the key when it may be told."""
    return f"{WORD} {day} {promise(key)}" + (f" {key.hex()}" if told else "")


def read_dice(text: str) -> tuple[str, str, bytes | None] | None:
    """The day, the promise and the key, if it is told, of a header; None where the dice are of another kind."""
    found = _DICE.fullmatch(text)
    return (found[1], found[2], bytes.fromhex(found[3]) if found[3] else None) if found else None


def follow(key: bytes, position: Position) -> addressed:
    """The dice of a key, as far rolled as a game goes; raises ``NotOfTheDay`` at the first draw that is another one."""
    dice, draw = addressed(key), 0
    replay = position.game.start(position.players, position.variant)
    for index, move in enumerate(position.moves_made):
        if move.seat == CHANCE:
            draw += 1
            expected = dice.draw(replay)
            if expected.number != move.number:
                raise NotOfTheDay("roll", draw, index, expected.text)
        replay.push_unchecked(move)
    return dice


def verify(promised: str, key: bytes, position: Position) -> int:
    """Check that a key was promised and every draw of a game is its; return how many draws there are."""
    if promise(key) != promised:
        raise NotOfTheDay("key")
    follow(key, position)
    return sum(move.seat == CHANCE for move in position.moves_made)
