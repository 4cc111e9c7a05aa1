"""List the finished games that a browser stores, for the statistics of the page."""

from __future__ import annotations

import asyncio
import json
from typing import cast

from foxclover.locale import Translator
from foxclover.review.schema import FORMAT, ReviewRecord
from foxclover.server.errors import RefusalError
from foxclover.server.people import finished_games, skills
from foxclover.server.protocol.people import FinishedGame, GameReview, History, UnreadableGame
from foxclover.server.stores.store import Store, TableRecord
from foxclover.server.tables.master import Master


class FinishedGames:
    """The games of the first seat of this browser at each of its tables."""

    def __init__(self, store: Store) -> None:
        self.store = store
        # games of tables by number of events, since replaying them takes time
        self._known: dict[tuple[str, int], FinishedGame | None] = {}

    async def history(self, translate: Translator) -> History:
        """Return all finished games, the newest first, and the tables that cannot be read."""
        games: list[FinishedGame] = []
        unreadable: list[UnreadableGame] = []
        async for code in self.store.codes():
            await asyncio.sleep(0)  # answer the page in between
            try:
                game = await self._game(code)
            except RefusalError as refusal:
                unreadable.append({"table": code, "words": refusal.words(translate)})
            else:
                if game is not None:
                    games.append({**game, "review": await self._review(game)})
        games.sort(key=lambda game: game["at"], reverse=True)
        return {
            "games": games,
            "unreadable": unreadable,
            "skills": skills.ratings(games),
            "reviewing": 0,  # only on request: the browser computes reviews itself
        }

    async def _game(self, code: str) -> FinishedGame | None:
        record = await self.store.load(code)
        if record is None:
            return None
        key = code, len(record.events)
        if key not in self._known:
            self._known[key] = _read(record)
        return self._known[key]

    async def _review(self, game: FinishedGame) -> GameReview | None:
        text = await self.store.review(game["id"])
        record: ReviewRecord | None = json.loads(text) if text else None
        if record is None or record["format"] != FORMAT:
            return None
        return finished_games.of_review(record["seats"][game["seat"]])


def _read(record: TableRecord) -> FinishedGame | None:
    """Return the game of a table; ``None`` if it is not over or nobody here plays in it.

    A game that starts from a position does not count either.
    """
    seat = next((n for n, held in enumerate(record.seats) if held.key is not None), None)
    if seat is None or record.start:
        return None
    master = Master(record)
    if not master.position.over:
        return None
    at, body, _, _ = finished_games.of_master(master, seat)
    return cast(
        FinishedGame, {"id": record.code, "at": at, **body, "table": record.code, "review": None}
    )
