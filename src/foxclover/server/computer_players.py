"""Computer players, thinking in processes of their own so that no table waits for another."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

from foxclover.game import Position
from foxclover.server import worker
from foxclover.server.worker import Valued

P = ParamSpec("P")
T = TypeVar("T")


class ComputerPlayers:
    """The way to the worker processes. The strongest player compiles its search first, so it has processes of its own."""

    def __init__(self) -> None:
        self.levels = list(worker.LEVELS)
        self._pools = {searching: _new_pool() for searching in (False, True)}

    def prepare(self, level: str, key: str) -> None:
        """Let a worker get ready for a game before its first thought is wanted."""
        with suppress(BrokenProcessPool):  # the first thought will find that out, and mend it
            self._pools[level == worker.ADVISER].submit(worker.prepare, level, key)

    async def choose(self, level: str, position: Position, seat: int) -> int:
        """Return the number of the move that a computer player makes."""
        return await self._think(level == worker.ADVISER, worker.choose, level, position.game.key, position.dump(), seat)

    async def rank(self, position: Position, seat: int) -> list[Valued]:
        """Return the legal moves with what they are worth; raises ``NetError`` where nobody can tell."""
        return await self._think(True, worker.rank, position.game.key, position.dump(), seat)

    def close(self) -> None:
        """End the processes; whatever they think about is not wanted any more."""
        for pool in self._pools.values():
            pool.shutdown(wait=True, cancel_futures=True)

    async def _think(self, searching: bool, thought: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        pool = self._pools[searching]
        try:
            return await asyncio.wrap_future(pool.submit(thought, *args, **kwargs))
        except BrokenProcessPool:
            if self._pools[searching] is pool:
                self._pools[searching] = _new_pool()
            raise


def _new_pool() -> ProcessPoolExecutor:
    """Processes are spawned, not forked: this one has threads and sockets they must not inherit."""
    workers = max(2, (os.cpu_count() or 2) - 1)
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=worker.live_with_parent)
