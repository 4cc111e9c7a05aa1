"""The games there are: found by the heads of their data files, of this package or of one's own."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from foxclover.contract import Head

ENTRIES: dict[str, type] = {"family": str, "title": str, "designer": str, "year": int, "publisher": str, "players": list}
MOST_PLAYERS = 8


class UnknownGame(ValueError):
    """No game, or more than one, begins like this."""


class HeadError(ValueError):
    """A data file that does not say which game it is."""


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
    """What a data file says first; its key is the name of the file unless it names a game."""
    try:
        data = tomllib.loads(source.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise HeadError(f"{stem}: not a TOML file: {error}") from None
    for entry, kind in ENTRIES.items():
        if not isinstance(data.get(entry), kind):
            raise HeadError(f"{stem}: the entry {entry} is missing or wrong: the head of a game names {', '.join(ENTRIES)}")
    return Head(
        key=str(data.get("game", stem)),
        family=data["family"],
        title=data["title"],
        designer=data["designer"],
        year=data["year"],
        publisher=data["publisher"],
        players=_players(data["players"], stem),
    )


def _players(bounds: list[Any], stem: str) -> range:
    if len(bounds) != 2 or not all(isinstance(bound, int) for bound in bounds) or not 1 <= bounds[0] <= bounds[1] <= MOST_PLAYERS:
        raise HeadError(f"{stem}: players must be the least and the most, from 1 to {MOST_PLAYERS}, not {bounds}")
    return range(bounds[0], bounds[1] + 1)
