"""Many games at once, on as many threads as wanted: the kernel lets go of the interpreter's lock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING

from foxclover.game import Game, Position
from foxclover.kernel import KernelError
from foxclover.own_agents import Maker, OwnAgentError
from foxclover.simulation.outcome import Interrupted, Outcome, Stopped, Tally
from foxclover.simulation.rooms import MOST, Runner

if TYPE_CHECKING:
    from foxclover.simulation.cluster import Cluster

CHUNK_SECONDS = 0.1  # how long a thread plays before it reports, if games take their time
GROWTH = 16  # how much longer a chunk may be than the one before: the first games are slow


class Ranges:
    """Shares games out among threads, in chunks that take about the same time whatever a game costs."""

    def __init__(self, first: int, games: int, workers: int) -> None:
        self.next, self.end = first, first + games
        self.workers = workers
        self.lock = threading.Lock()

    def take(self, count: int) -> range:
        """The next games, about so many; towards the end fewer, so that all threads finish together."""
        with self.lock:
            left = self.end - self.next
            chunk = range(
                self.next, self.next + min(left, max(1, min(count, left // self.workers, MOST)))
            )
            self.next = chunk.stop
        return chunk


def play(
    game: Game,
    seats: Sequence[str | Maker],
    games: int,
    seed: int,
    workers: int | Cluster = 1,
    variant: int = 0,
    tick: Callable[[int], None] = lambda _: None,
    first: int = 0,
    each: Callable[[int, Position], None] | None = None,
) -> Outcome:
    """Play games ``first`` to ``first + games - 1`` of a seed with these computer players on the seats, on threads or on a cluster.

    ``tick`` is told how many more are done, ``each`` the number of every game and how it went. Raises ``Stopped`` or, at Ctrl+C,
    ``Interrupted``, with what came of the games that were finished.
    """
    if not isinstance(workers, int):
        from foxclover.simulation.cluster import Order

        return workers.play(Order(game, tuple(seats), variant, seed), games, first, tick, each)
    runner, tally = Runner(game, seats, variant), Tally(game, seats, seed, first, games, variant)
    ranges, reports = Ranges(first, games, workers), SimpleQueue[int | BaseException]()

    def work() -> None:
        count = 1
        try:
            while chunk := ranges.take(1 if each else count):
                seconds = play_chunk(chunk)
                count = max(
                    1,
                    min(GROWTH * len(chunk), int(CHUNK_SECONDS * len(chunk) / max(seconds, 1e-6))),
                )
        except BaseException as error:
            reports.put(error)

    def play_chunk(chunk: range) -> float:
        room = runner.room()
        started = time.thread_time()  # other work on the machine does not count
        try:
            room.play(seed, chunk.start, len(chunk))
            if each and room.played:
                each(chunk.start, room.replay())
        except (KernelError, OwnAgentError, OSError) as error:
            raise KernelError(
                f"{error}, in game {chunk.start + room.played} of seed {seed}"
            ) from error
        finally:
            seconds = time.thread_time() - started
            tally.add(chunk.start, room.results(), seconds)
        reports.put(room.played)
        return seconds

    with ThreadPoolExecutor(workers) as threads:
        try:
            for _ in range(workers):
                threads.submit(work)
            done = 0
            while done < games:
                told = reports.get()
                if isinstance(told, BaseException):
                    raise told
                done += told
                tick(told)
        except KernelError as error:
            runner.stop()
            threads.shutdown()
            raise Stopped(str(error), tally.outcome()) from error.__cause__
        except KeyboardInterrupt:
            runner.stop()
            threads.shutdown()
            raise Interrupted(tally.outcome()) from None
        except BaseException:
            runner.stop()
            raise
    outcome = tally.outcome()
    assert outcome is not None
    return outcome
