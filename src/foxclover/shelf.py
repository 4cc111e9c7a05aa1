"""The games there are: found by the heads of their data files, of this package or of one's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from foxclover.contract import Head
from foxclover.data_file import DataFile

HEAD_ENTRIES = ("family", "game", "title", "designer", "year", "publisher", "players")
MOST_PLAYERS = 8
LONGEST_KEY = 40


class UnknownGame(ValueError):
    """No game, or more than one, begins like this."""


@dataclass(frozen=True)
class Item:
    """A game and the file that describes it."""

    head: Head
    file: Path


@cache
def shelf() -> dict[str, Item]:
    """All games that come with the package, by key, in the order they were published."""
    items = [Item(read_head(file.read_bytes(), file.stem), file) for file in Path(__file__).parent.glob("*/*/*.toml")]
    return {item.head.key: item for item in sorted(items, key=lambda item: (item.head.year, item.head.key))}


def find_key(name: str) -> str:
    """The key of a game by any unambiguous beginning of it."""
    found = [key for key in shelf() if key.startswith(name.strip().lower())]
    if len(found) != 1:
        raise UnknownGame(f"{name!r} is no game; the games are {', '.join(shelf())}")
    return found[0]


def read_head(source: bytes, stem: str) -> Head:
    """What a data file says first; its key is the name of the file unless it names a game. Raises ``DataError``."""
    file = DataFile(source)
    file.refuse_errors(stem)
    head = check_head(file, stem)
    file.refuse_errors(stem)
    return head


def check_head(file: DataFile, stem: str) -> Head:
    """The head of a file being checked."""
    return Head(
        key=_key(file, stem),
        family=file.choice(("family",), families()),
        title=file.label(("title",)),
        designer=file.label(("designer",)),
        year=file.whole(("year",), 1, 9999),
        publisher=file.label(("publisher",)),
        players=_players(file),
    )


def _key(file: DataFile, stem: str) -> str:
    """A key is part of file names and addresses."""
    if not file.has(("game",)):
        return re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "game"
    key = file.string(("game",))
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key) or len(key) > LONGEST_KEY:
        file.expected(("game",), f"at most {LONGEST_KEY} small letters and digits, with - between words")
    return key


@cache
def families() -> tuple[str, ...]:
    """The families of games: packages that say so."""
    return tuple(sorted(file.parent.name for file in Path(__file__).parent.glob("*/package.py")))


def _players(file: DataFile) -> range:
    least, most = file.wholes(("players",), 2, 1, MOST_PLAYERS)
    if least > most:
        file.expected(("players",), "the least and the most who can play")
    return range(least, most + 1)
