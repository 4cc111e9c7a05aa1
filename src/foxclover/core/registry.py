"""Find games by the headers of their data files, in this package or in a custom folder."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from foxclover.core.contract import AnyFamily, Head
from foxclover.core.data_file import DataError, DataFile, Finding
from foxclover.core.errors import Picklable, quote
from foxclover.core.rules import MAX_PLAYERS
from foxclover.locale import lazy_message

FOLDER_VARIABLE = "FOXCLOVER_SHEETS"  # names a folder with custom games
LONGEST_KEY = 40
GAMES = Path(__file__).parents[1] / "games"  # has one package per family


class UnknownGame(Picklable, ValueError):
    """A name that fits no game, or several that were ``found``."""

    def __init__(self, name: str, found: Sequence[str] = ()) -> None:
        choice = (
            f"could be {' or '.join(found)}"
            if found
            else f"is no game; the games are {', '.join(game_entries())}"
        )
        super().__init__(f"{quote(name)!r} {choice}")
        self.found = found


@dataclass(frozen=True)
class GameEntry:
    """A game and the file that describes it."""

    head: Head
    file: Path


@cache
def game_entries() -> dict[str, GameEntry]:
    """Return all games by key, in the order of their publication."""
    files = [*GAMES.glob("*/*/*.toml")]
    if os.environ.get(FOLDER_VARIABLE):
        files += sorted(Path(os.environ[FOLDER_VARIABLE]).glob("*.toml"))
    entries: dict[str, GameEntry] = {}
    for file in files:
        head = read_head(file.read_bytes(), file.stem)
        if head.key in entries:
            taken = lazy_message("data.name_taken", file=entries[head.key].file.name, name=head.key)
            raise DataError(file.name, [Finding(1, 0, taken, error=True)])
        entries[head.key] = GameEntry(head, file)
    return dict(sorted(entries.items(), key=lambda item: (item[1].head.year, item[0])))


def add_search_path(folder: Path | None) -> None:
    """Add the games of a folder, here and in child processes; None removes them."""
    os.environ.pop(FOLDER_VARIABLE, None)
    if folder is not None:
        os.environ[FOLDER_VARIABLE] = str(folder.absolute())
    game_entries.cache_clear()


def find_key(name: str) -> str:
    """Return the key of a game by any unambiguous beginning of it."""
    wanted = name.strip().lower()
    found = [key for key in game_entries() if key.startswith(wanted)]
    if wanted in found:
        return wanted
    if len(found) != 1:
        raise UnknownGame(name, found)
    return found[0]


def read_head(source: bytes, stem: str) -> Head:
    """Read the header of a data file; raises ``DataError``.

    The key is the name of the file unless the header has one.
    """
    file = DataFile(source)
    file.refuse_errors(stem)
    head = check_head(file, stem)
    file.refuse_errors(stem)
    return head


def check_head(file: DataFile, stem: str) -> Head:
    """Read the header of a file, and note what is wrong with it."""
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
    """Return the key, which is part of file names and URLs."""
    if not file.has(("game",)):
        return re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "game"
    key = file.string(("game",))
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key) or len(key) > LONGEST_KEY:
        file.expected(("game",), lazy_message("data.key", most=LONGEST_KEY))
    return key


@cache
def families() -> tuple[str, ...]:
    """Return the names of the families of games."""
    return tuple(sorted(folder.parent.name for folder in GAMES.glob("*/rules")))


def import_part(family: str, part: str) -> Any:
    """Import a module of a family's package: the only way from shared code to a family."""
    return import_module(f"foxclover.games.{family}.{part}")


@cache
def find_family(name: str) -> AnyFamily:
    """Return the contract of a family."""
    try:
        return cast(AnyFamily, import_part(name, "family").FAMILY)
    except ModuleNotFoundError:
        raise ValueError(f"there is no family of games called {name!r}") from None


def all_families() -> list[AnyFamily]:
    """Return the contracts of all families."""
    return [find_family(name) for name in families()]


@cache
def kinds() -> tuple[str, ...]:
    """Return the kinds of definitions: "sheet", "deck" and so on."""
    return tuple(family.kind for family in all_families())


def _players(file: DataFile) -> range:
    least, most = file.wholes(("players",), 2, 1, MAX_PLAYERS)
    if least > most:
        file.expected(("players",), lazy_message("data.players"))
    return range(least, most + 1)
