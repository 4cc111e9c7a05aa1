"""Computer players, thinking in processes of their own so that no table waits for another."""

from __future__ import annotations

import asyncio
import os
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from foxclover.game import Position
from foxclover.server import thinking, worker
from foxclover.server.errors import RefusalError
from foxclover.server.limits import Limits
from foxclover.server.thinking import Valued

OPPONENT, HINT, WORK = range(3)
"""What is thought about, the most urgent first."""


@dataclass
class _Thought:
    """Something to be thought about: ``owner`` is a table that waits for its opponent, or the client who wants a hint."""

    owner: str
    kind: int
    call: Callable[..., Any]
    arguments: tuple[Any, ...]
    done: asyncio.Future[Any]


class Thinkers:
    """A few processes and a queue before them: opponents first, so many hints for a client, and never all processes for anything else."""

    def __init__(self, hints_per_client: int) -> None:
        self.size = max(2, (os.cpu_count() or 2) - 1)
        self.hints_per_client = hints_per_client
        self._pool = _new_pool(self.size)
        self._waiting: dict[int, deque[_Thought]] = {
            kind: deque() for kind in (OPPONENT, HINT, WORK)
        }
        self._busy = 0
        self._others_busy = 0  # of them with something else than opponents
        self._hints = Counter[str]()  # waiting or busy, by client

    @property
    def waiting(self) -> int:
        """How many thoughts wait for a process."""
        return sum(len(thoughts) for thoughts in self._waiting.values())

    def submit(self, call: Callable[..., Any], *arguments: Any) -> None:
        """Let a process do something that nobody waits for."""
        with suppress(BrokenProcessPool):  # the first thought will find that out, and mend it
            self._pool.submit(call, *arguments)

    async def think(self, owner: str, kind: int, call: Callable[..., Any], *arguments: Any) -> Any:
        """Wait for a turn, then for the answer; who is cancelled while waiting gives the turn to others."""
        hint = kind == HINT
        if hint and self._hints[owner] >= self.hints_per_client:
            raise RefusalError("too_fast")
        thought = _Thought(owner, kind, call, arguments, asyncio.get_running_loop().create_future())
        if hint:
            self._hints[owner] += 1
        self._waiting[kind].append(thought)
        self._next()
        try:
            return await thought.done
        finally:
            if thought in self._waiting[kind]:
                self._waiting[kind].remove(thought)
            if hint:
                self._hints[owner] -= 1
                if not self._hints[owner]:
                    del self._hints[owner]

    def close(self) -> None:
        """End the processes; whatever they think about is not wanted any more."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _next(self) -> None:
        while self._busy < self.size and (thought := self._choose()) is not None:
            self._begin(thought)

    def _choose(self) -> _Thought | None:
        if self._waiting[OPPONENT]:
            return self._waiting[OPPONENT].popleft()
        if self._others_busy >= self.size - 1:
            return None
        return next((thoughts.popleft() for thoughts in self._waiting.values() if thoughts), None)

    def _begin(self, thought: _Thought) -> None:
        pool, loop = self._pool, asyncio.get_running_loop()
        try:
            future = pool.submit(thought.call, *thought.arguments)
        except BrokenProcessPool as error:
            self._mend(pool)
            thought.done.set_exception(error)
            return
        self._busy += 1
        self._others_busy += thought.kind != OPPONENT
        future.add_done_callback(lambda done: _soon(loop, self._ended, pool, thought, done))

    def _ended(self, pool: ProcessPoolExecutor, thought: _Thought, future: Future[Any]) -> None:
        self._busy -= 1
        self._others_busy -= thought.kind != OPPONENT
        error = None if future.cancelled() else future.exception()
        if isinstance(error, BrokenProcessPool):
            self._mend(pool)
        if not thought.done.done():
            if future.cancelled():
                thought.done.cancel()
            elif error is not None:
                thought.done.set_exception(error)
            else:
                thought.done.set_result(future.result())
        self._next()

    def _mend(self, broken: ProcessPoolExecutor) -> None:
        if self._pool is broken:
            self._pool = _new_pool(self.size)


class ComputerPlayers:
    """The way to the worker processes. The strongest player thinks longest, so it has processes of its own."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.levels = list(thinking.OPPONENTS)
        self._thinkers = {
            searching: Thinkers((limits or Limits()).hints_per_client)
            for searching in (False, True)
        }

    @property
    def waiting(self) -> int:
        """How many thoughts wait for a process."""
        return sum(thinkers.waiting for thinkers in self._thinkers.values())

    def prepare(self, level: str, key: str) -> None:
        """Let a worker get ready for a game before its first thought is wanted."""
        self._thinkers[level == thinking.ADVISER].submit(thinking.prepare, level, key)

    async def choose(self, level: str, position: Position, seat: int, table: str = "") -> int:
        """Return the number of the move that a computer player makes."""
        thinkers = self._thinkers[level == thinking.ADVISER]
        move: int = await thinkers.think(
            table, OPPONENT, thinking.choose, level, position.game.key, position.dump(), seat
        )
        return move

    async def rank(self, position: Position, seat: int, client: str = "") -> list[Valued]:
        """Return the legal moves with what they are worth; raises ``NetError`` where nobody can tell."""
        ranked: list[Valued] = await self._thinkers[True].think(
            client, HINT, thinking.rank, position.game.key, position.dump(), seat
        )
        return ranked

    async def work(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Do something that can wait until nobody has anything to think about."""
        return await self._thinkers[True].think("", WORK, call, *arguments)

    def close(self) -> None:
        """End the processes."""
        for thinkers in self._thinkers.values():
            thinkers.close()


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *arguments: Any) -> None:
    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        loop.call_soon_threadsafe(call, *arguments)


def _new_pool(workers: int) -> ProcessPoolExecutor:
    """Processes are spawned, not forked: this one has threads and sockets they must not inherit."""
    return ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=worker.live_with_parent
    )
