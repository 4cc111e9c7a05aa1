"""Computer players in the browser: they think beside everything else, in small steps, so that the page is answered in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from foxclover.ai.agents import Steps
from foxclover.game import Position
from foxclover.server import thinking
from foxclover.server.thinking import Valued

T = TypeVar("T")


class PatientComputers:
    """One thought at a time."""

    def __init__(self) -> None:
        self.levels = list(thinking.OPPONENTS)
        self.turn = asyncio.Lock()
        self.waiting = 0

    def prepare(self, level: str, key: str) -> None:
        """The first thought will do."""

    async def choose(self, level: str, position: Position, seat: int, table: str = "") -> int:  # noqa: ARG002 - all tables are one's own
        """Return the number of the move that a computer player makes."""
        return await self._think(
            thinking.choose_in_steps(level, position.game.key, position.dump(), seat)
        )

    async def rank(self, position: Position, seat: int, client: str = "") -> list[Valued]:  # noqa: ARG002
        """Return the legal moves with what they are worth."""
        return await self._think(thinking.rank_in_steps(position.game.key, position.dump(), seat))

    async def work(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Do something that can wait, a part at a time."""
        async with self.turn:
            await asyncio.sleep(0)
            return call(*arguments)

    async def _think(self, steps: Steps[T]) -> T:
        self.waiting += 1
        try:
            async with self.turn:
                while True:
                    await asyncio.sleep(0)
                    try:
                        next(steps)
                    except StopIteration as end:
                        found: T = end.value
                        return found
        finally:
            self.waiting -= 1
