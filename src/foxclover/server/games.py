"""The games as the server offers them."""

from __future__ import annotations

from functools import cache

from foxclover.beginning import LOT
from foxclover.contract import Layout
from foxclover.game import Game, game, games
from foxclover.locale import FALLBACK, catalogue
from foxclover.server.errors import RefusalError
from foxclover.server.protocol import GameInfo, TableOptions


def find(key: str) -> Game:
    """Return a game by its whole key."""
    if key not in games():
        raise RefusalError("unknown_game")
    return game(key)


def infos() -> list[GameInfo]:
    """Return all games."""
    return [_info(find(key)) for key in games()]


@cache
def layout(key: str, language: str) -> Layout:
    """Return what is printed on a game's sheets or cards."""
    return find(key).layout(catalogue(language))


def variant(key: str, options: TableOptions, players: int) -> int:
    """Return the variant a table plays; options of another game are left aside, and so is who begins in a game alone."""
    chosen = find(key)
    wanted = dict(options)
    begins = options.get("begins", 0) if players > 1 else 0
    if begins >= players:
        raise RefusalError("bad_message", what="begins")
    return chosen.variant(
        [option.name for option in chosen.options if wanted.get(option.name)],
        LOT if begins < 0 else begins,
    )


def rating(key: str, total: int) -> tuple[int, int]:
    """Return the level a player alone has reached, 0 for the best, and the points to the next one."""
    step, steps, missing = find(key).rating(total)
    return steps - step, missing


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
    }
