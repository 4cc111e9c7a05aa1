"""Computer players in worker processes, so that no table waits for another."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, cast

from foxclover.core.position import Position
from foxclover.server.errors import RefusalError
from foxclover.server.limits.rate_limits import Limits, count_down
from foxclover.server.logs import SHORT, write_to_stderr
from foxclover.server.thinking import tasks as thinking
from foxclover.server.thinking.tasks import T, Ts, Valued

OPPONENT, HINT, WORK = range(3)  # kinds of thoughts, the most urgent first


@dataclass
class _Thought:
    kind: int
    call: Callable[..., Any]
    arguments: tuple[Any, ...]
    done: asyncio.Future[Any]
    tries: int  # left, if the pool breaks


class Thinkers:
    """A pool of processes with a queue.

    Opponents come first. Hints are limited by client. One process is always left to opponents.
    """

    def __init__(self, hints_per_client: int) -> None:
        self.size = max(2, (os.cpu_count() or 2) - 1)
        self.hints_per_client = hints_per_client
        self._pool = _new_pool(self.size)
        self._waiting: tuple[deque[_Thought], ...] = (deque(), deque(), deque())  # by kind
        self._busy = 0
        self._others_busy = 0  # with hints or work
        self._hints = Counter[str]()  # waiting or busy, by client

    @property
    def waiting(self) -> int:
        """Return the number of thoughts that wait for a process."""
        return sum(map(len, self._waiting))

    def submit(self, call: Callable[..., Any], *arguments: Any) -> None:
        """Run a call whose result nobody needs."""
        with suppress(BrokenProcessPool):  # the next thought replaces the pool
            self._pool.submit(call, *arguments)

    async def think(self, owner: str, kind: int, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Wait for a free process, then for the answer; cancelling frees the place.

        The owner is a table that waits for its opponent, or a client.
        """
        hint = kind == HINT
        if hint and self._hints[owner] >= self.hints_per_client:
            raise RefusalError("too_fast")
        done = asyncio.get_running_loop().create_future()
        # texts from outside may be what breaks the pool
        thought = _Thought(kind, call, arguments, done, tries=1 if kind == WORK else 2)
        if hint:
            self._hints[owner] += 1
        self._waiting[kind].append(thought)
        self._start_waiting()
        try:
            return cast(T, await thought.done)
        finally:
            if thought in self._waiting[kind]:
                self._waiting[kind].remove(thought)
            if hint:
                count_down(self._hints, owner)

    def close(self) -> None:
        """End the processes and drop their work."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _start_waiting(self) -> None:
        while self._busy < self.size and (thought := self._choose()) is not None:
            self._start(thought)

    def _choose(self) -> _Thought | None:
        if self._waiting[OPPONENT]:
            return self._waiting[OPPONENT].popleft()
        if self._others_busy >= self.size - 1:
            return None
        return next((thoughts.popleft() for thoughts in self._waiting if thoughts), None)

    def _start(self, thought: _Thought) -> None:
        loop = asyncio.get_running_loop()
        try:
            future = self._pool.submit(thought.call, *thought.arguments)
        except BrokenProcessPool:  # since the last thought
            self._replace(self._pool)
            future = self._pool.submit(thought.call, *thought.arguments)
        pool = self._pool
        thought.tries -= 1
        self._busy += 1
        self._others_busy += thought.kind != OPPONENT
        future.add_done_callback(lambda done: _soon(loop, self._ended, pool, thought, done))

    def _ended(self, pool: ProcessPoolExecutor, thought: _Thought, future: Future[Any]) -> None:
        self._busy -= 1
        self._others_busy -= thought.kind != OPPONENT
        error = None if future.cancelled() else future.exception()
        if isinstance(error, BrokenProcessPool):
            self._replace(pool)
        if isinstance(error, BrokenProcessPool) and thought.tries and not thought.done.done():
            self._waiting[thought.kind].appendleft(thought)
        elif not thought.done.done():
            if future.cancelled():
                thought.done.cancel()
            elif error is not None:
                thought.done.set_exception(error)
            else:
                thought.done.set_result(future.result())
        self._start_waiting()

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        if self._pool is broken:
            self._pool = _new_pool(self.size)


class ComputerPlayers:
    """The worker processes; the strongest player thinks longest, so it has its own."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.strengths = list(thinking.OPPONENTS)
        self._thinkers = {
            searching: Thinkers((limits or Limits()).hints_per_client)
            for searching in (False, True)
        }

    @property
    def waiting(self) -> int:
        """Return the number of thoughts that wait for a process."""
        return sum(thinkers.waiting for thinkers in self._thinkers.values())

    def prepare(self, strength: str, key: str) -> None:
        """Load a game in a worker before its first decision."""
        self._thinkers[strength == thinking.ADVISER].submit(thinking.prepare, strength, key)

    async def choose(self, strength: str, position: Position, seat: int, table: str = "") -> int:
        """Return the number of the move that a computer player chooses."""
        return await self._thinkers[strength == thinking.ADVISER].think(
            table, OPPONENT, thinking.choose, strength, position.game.key, position.dump(), seat
        )

    async def rank(self, position: Position, seat: int, client: str = "") -> list[Valued]:
        """Return the legal moves with their values; raises ``NetError`` without a usable net."""
        return await self._thinkers[True].think(
            client, HINT, thinking.rank, position.game.key, position.dump(), seat
        )

    async def work(self, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Run a call that can wait until no player thinks."""
        return await self._thinkers[True].think("", WORK, call, *arguments)

    def close(self) -> None:
        """End the processes."""
        for thinkers in self._thinkers.values():
            thinkers.close()


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *arguments: Any) -> None:
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(call, *arguments)


def _new_pool(workers: int) -> ProcessPoolExecutor:
    """Spawn processes instead of forking them: they must not inherit threads and sockets."""
    return ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=live_with_parent
    )


def live_with_parent(level: int = logging.WARNING, addresses: str = SHORT) -> None:
    """Leave Ctrl+C to the parent process, and end this one with it, even if it was killed."""
    write_to_stderr(level, addresses)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)
