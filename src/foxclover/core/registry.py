"""The games there are: found by the heads of their data files, of this package or of one's own."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from foxclover.contract import AnyFamily, Head
from foxclover.data_file import DataError, DataFile, Finding
from foxclover.errors import quote
from foxclover.locale import phrase

MOST_PLAYERS = 8
OWN_FOLDER = "FOXCLOVER_SHEETS"  # names a folder with games of one's own
LONGEST_KEY = 40


class UnknownGame(ValueError):
    """No game begins like this, or those that were ``found``."""

    def __init__(self, name: str, found: Sequence[str] = ()) -> None:
        choice = (
            f"could be {' or '.join(found)}"
            if found
            else f"is no game; the games are {', '.join(shelf())}"
        )
        super().__init__(f"{quote(name)!r} {choice}")
        self.found = found


@dataclass(frozen=True)
class Item:
    """A game and the file that describes it."""

    head: Head
    file: Path


@cache
def shelf() -> dict[str, Item]:
    """All games that come with the package or lie in a folder of one's own, by key, in the order they were published."""
    files = [*Path(__file__).parent.glob("*/*/*.toml")]
    if os.environ.get(OWN_FOLDER):
        files += sorted(Path(os.environ[OWN_FOLDER]).glob("*.toml"))
    items: dict[str, Item] = {}
    for file in files:
        head = read_head(file.read_bytes(), file.stem)
        if head.key in items:
            taken = phrase("data.name_taken", file=items[head.key].file.name, name=head.key)
            raise DataError(file.name, [Finding(1, 0, taken, error=True)])
        items[head.key] = Item(head, file)
    return dict(sorted(items.items(), key=lambda item: (item[1].head.year, item[0])))


def offer_folder(folder: Path | None) -> None:
    """Put the sheets and decks of a folder on the shelf too, here and in processes started from here; None: only the package's."""
    os.environ.pop(OWN_FOLDER, None)
    if folder is not None:
        os.environ[OWN_FOLDER] = str(folder.absolute())
    shelf.cache_clear()


def find_key(name: str) -> str:
    """The key of a game by the whole or any unambiguous beginning of it."""
    wanted = name.strip().lower()
    found = [key for key in shelf() if key.startswith(wanted)]
    if wanted in found:
        return wanted
    if len(found) != 1:
        raise UnknownGame(name, found)
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
        file.expected(("game",), phrase("data.key", most=LONGEST_KEY))
    return key


@cache
def families() -> tuple[str, ...]:
    """The families of games: packages with rules."""
    return tuple(
        sorted(file.parent.name for file in Path(__file__).parent.glob("*/rules.py*"))
    )  # a browser has them compiled


@cache
def find_family(name: str) -> AnyFamily:
    """What the package of a family gives."""
    try:
        return cast(AnyFamily, import_module(f"foxclover.{name}.package").FAMILY)
    except ModuleNotFoundError:
        raise ValueError(f"there is no family of games called {name!r}") from None


def all_families() -> list[AnyFamily]:
    """All families of games."""
    return [find_family(name) for name in families()]


@cache
def book_words() -> tuple[str, ...]:
    """What families call their books."""
    return tuple(family.book_word for family in all_families())


def _players(file: DataFile) -> range:
    least, most = file.wholes(("players",), 2, 1, MOST_PLAYERS)
    if least > most:
        file.expected(("players",), phrase("data.players"))
    return range(least, most + 1)
