"""Run computer players in the browser.

They compute in small steps on the event loop, so that requests of the page are answered in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from foxclover.ai.agents import Steps
from foxclover.core.position import Position
from foxclover.server.thinking import tasks as thinking
from foxclover.server.thinking.tasks import T, Ts, Valued


class PatientComputers:
    """Computer players that run one computation at a time."""

    def __init__(self) -> None:
        self.strengths = list(thinking.OPPONENTS)
        self.turn = asyncio.Lock()
        self.waiting = 0

    def prepare(self, strength: str, key: str) -> None:
        """Do nothing: the first computation loads the computer player."""

    async def choose(self, strength: str, position: Position, seat: int, table: str = "") -> int:  # noqa: ARG002 - all tables are local
        """Return the number of the move that a computer player makes."""
        return await self._think(
            thinking.choose_in_steps(strength, position.game.key, position.dump(), seat)
        )

    async def rank(self, position: Position, seat: int, client: str = "") -> list[Valued]:  # noqa: ARG002
        """Return the legal moves with their values."""
        return await self._think(thinking.rank_in_steps(position.game.key, position.dump(), seat))

    async def work(self, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Run a call that can wait until no other computation runs."""
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
