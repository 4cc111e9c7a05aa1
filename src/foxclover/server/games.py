"""The games as the server offers them."""

from __future__ import annotations

from functools import cache
from typing import Literal, cast

from foxclover.game import GAMES, Game, Variant, game
from foxclover.server.errors import RefusalError
from foxclover.server.protocol import GameInfo, Layout, TableOptions


def find(key: str) -> Game:
    """Return a game by its whole key."""
    if key not in GAMES:
        raise RefusalError("unknown_game")
    return game(key)


@cache
def infos() -> list[GameInfo]:
    """Return all games."""
    return [_info(find(key)) for key in GAMES]


@cache
def layout(key: str) -> Layout:
    """Return what is printed on a game's sheets or cards."""
    return cast(Layout, find(key).layout())


def variant(key: str, options: TableOptions) -> Variant:
    """Return the variant a table plays; options of another game are left aside."""
    chosen = Variant.NONE
    if "solo_rules" in _options(key) and options.get("solo_rules"):
        chosen |= Variant.SOLO_RULES
    if "free_placement" in _options(key) and options.get("free_placement"):
        chosen |= Variant.FREE_PLACEMENT
    return chosen


def rating(key: str, total: int) -> int:
    """Return the band a player alone has reached, 0 for the best."""
    printed = layout(key)
    if printed["kind"] == "clever":
        return sum(1 for lowest in printed["rating"] if total < lowest)
    return sum(1 for lowest in printed["ranks"] if total < lowest)


def _info(entry: Game) -> GameInfo:
    return {
        "key": entry.key,
        "name": entry.name,
        "kind": "climb" if entry.package == "climb" else "clever",
        "players": list(entry.players),
        "options": _options(entry.key),
    }


def _options(key: str) -> list[Literal["solo_rules", "free_placement"]]:
    return ["solo_rules", "free_placement"] if GAMES[key] == "climb" else []
