"""Open the daily challenge in a browser: dice that follow from date and game, without a ranking."""

from __future__ import annotations

import time

from foxclover.dice import daily
from foxclover.server import games
from foxclover.server.context import ServerContext
from foxclover.server.errors import require
from foxclover.server.protocol.identifiers import token_key
from foxclover.server.protocol.people import DailyStarted, StartOpenDaily
from foxclover.server.stores.store import SeatRecord, TableRecord


async def start_daily(context: ServerContext, wish: StartOpenDaily) -> DailyStarted:
    """Open a table with the public dice of today."""
    game, now = games.find(wish["game"]), int(time.time())
    require(1 in game.players, "unknown_game")
    day = daily.day_of(now)
    seat = SeatRecord(wish.get("name", ""), key=token_key(wish["seat"]))
    key = daily.open_key(day, game.key)
    dice = f"{daily.WORD} {day}"
    record = TableRecord("", game.key, 0, None, 0, now, [seat], "", seal=key, dice=dice)
    return {"table": (await context.open(record)).code, "day": day}
