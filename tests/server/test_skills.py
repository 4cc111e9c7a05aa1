"""Skill ratings on a server: reviews nobody waits for, ratings of games, days and weeks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from foxclover.server.people import skills
from foxclover.server.stores.store import Store
from foxclover.server.tables.looking_back import Reviews
from stores import TABLE, in_files
from tables import CLIMB, GANZ, ME, ROBOT, ServerContext


def test_each_game_and_company_has_its_own_rating() -> None:
    def played(game: str, players: int, loss: float) -> dict[str, Any]:
        review = {"loss": loss, "decisions": 10} if loss else None
        return {"game": game, "scores": [1] * players, "review": review, "table": f"{game}{loss}"}

    games = [
        played(GANZ, 1, 20.0),
        played(GANZ, 2, 5.0),
        played(CLIMB, 1, 0.0),
        played(GANZ, 1, 40.0),
        played("a sheet that is gone", 1, 3.0),
    ]
    found = {(rating["game"], rating["several"]): rating for rating in skills.ratings(games)}
    assert set(found) == {(GANZ, False), (GANZ, True)}
    assert found[GANZ, False]["curve"] == [4.0, 3.0], "the oldest first"
    assert skills.unreviewed(games) == [f"{CLIMB}0.0"]
    many = [played(GANZ, 1, 0.0) for _ in range(30)]
    assert len(skills.unreviewed(many)) == 20, "older games do not count"


def test_queued_reviews_delay_no_move(
    server: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = server.client.app.state.lobby  # type: ignore[attr-defined]
    asked = []

    async def never(call: Any, *_: Any) -> Any:
        asked.append(call)
        await asyncio.Event().wait()

    monkeypatch.setattr(lobby.context.computers, "work", never)
    code, tokens = server.create(ME)
    with server.sit(code, *tokens) as guest:
        while not guest.state["over"]:
            guest.play()

    async def queue() -> int:
        return int(lobby.reviews.queue([code]))

    assert server.client.portal.call(queue) == 1  # type: ignore[attr-defined]
    code, tokens = server.create(ME, ROBOT)
    with server.sit(code, *tokens) as guest:
        guest.play_to("move")
        guest.play()
    assert len(asked) == 1, "the review still waits"


def test_a_table_that_cannot_be_reviewed_is_tried_once() -> None:
    class Broken:
        tried = 0

        async def load(self, code: str) -> Any:
            self.tried += 1
            raise ValueError(code)

    async def run() -> None:
        store = Broken()
        reviews = Reviews(SimpleNamespace(store=store))  # type: ignore[arg-type]
        for expected in (1, 0):
            assert reviews.queue(["bcdfgh"]) == expected
            await asyncio.sleep(0.01)
        assert store.tried == 1

    asyncio.run(run())


def test_a_review_of_a_deleted_table_is_not_stored(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create(TABLE)
        await store.keep_review(TABLE.code, "one")
        await store.keep_review(TABLE.code, "two")
        assert await store.review(TABLE.code) == "two"
        await store.remove(TABLE.code)
        await store.keep_review(TABLE.code, "three")
        assert await store.review(TABLE.code) is None

    in_files(tmp_path, work)
