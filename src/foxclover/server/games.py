"""The games that the server offers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from foxclover.core.contract import Layout
from foxclover.core.game import Game, game, game_names
from foxclover.core.rules import RANDOM
from foxclover.locale import FALLBACK, catalogue
from foxclover.server.errors import RefusalError, require
from foxclover.server.protocol.tables import GameInfo, TableOptions
from foxclover.server.protocol.validate import FamilyOptions

OF_TABLES = TableOptions.__annotations__.keys() - FamilyOptions.__annotations__.keys()
"""Options of every game."""


def find(key: str) -> Game:
    """Return a game by its key, or refuse an unknown one."""
    require(key in game_names(), "unknown_game")
    return game(key)


def infos() -> list[GameInfo]:
    """Return the descriptions of all games."""
    return [_info(find(key)) for key in game_names()]


@cache
def layout(key: str, language: str) -> Layout:
    """Return what is printed on a game's sheets or cards."""
    return find(key).layout(catalogue(language))


def pack_options(key: str, options: TableOptions, players: int) -> int:
    """Return the number that the options of a table are stored as.

    The start player of a solo game is ignored. Raises ``RefusalError`` for other games' options.
    """
    chosen, wanted = find(key), dict(options)
    known = {*OF_TABLES, *(option.name for option in chosen.options)}
    if other := sorted(wanted.keys() - known):
        raise RefusalError("unknown_option", option=other[0], options=", ".join(sorted(known)))
    begins = options.get("begins", 0) if players > 1 else 0
    require(begins < players, "bad_message", what="begins")
    names = [option.name for option in chosen.options if wanted.get(option.name)]
    return chosen.pack(chosen.setup(names, RANDOM if begins < 0 else begins))


def drop_start_player(key: str, variant: int) -> int:
    """Return the number of the same options with the first seat as start player."""
    chosen = find(key)
    return chosen.pack(chosen.unpack(variant)._replace(start_player=0))


def rating(key: str, total: int) -> tuple[int, int]:
    """Return the rating of a solo game, 0 for the best, and the points missing to the next one."""
    step, steps, missing = find(key).rating(total)
    return steps - step, missing


def tour_script(entry: Game) -> str:
    """Return the script of a game's round for newcomers, or nothing; see ``tours``."""
    file = files(f"foxclover.games.{entry.family}") / "tours" / f"{entry.key}.txt"
    return file.read_text(encoding="ascii") if file.is_file() else ""


def _info(entry: Game) -> GameInfo:
    return {
        "key": entry.key,
        "name": entry.name,
        "designer": entry.head.designer,
        "publisher": entry.head.publisher,
        "kind": entry.family,
        "paints": layout(entry.key, FALLBACK)["paints"],
        "players": list(entry.players),
        "options": [option.name for option in entry.options],
        "tour": tour_script(entry) != "",
    }
