"""Many games at once on threads, or on a cluster, and their results as arrays.

Threads run side by side because the kernel releases the GIL.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foxclover.ai.custom_agents import AgentFactory, CustomAgentError, label
from foxclover.core.errors import Picklable
from foxclover.core.game import Game
from foxclover.core.position import Position
from foxclover.core.setup import DEFAULT_SETUP, Setup
from foxclover.kernel import KernelError
from foxclover.simulation.workers import MOST, Moves, Numbers, Runner

if TYPE_CHECKING:
    from foxclover.simulation.cluster import Cluster

CHUNK_SECONDS = 0.1  # how long a thread plays before it reports, unless one game takes longer
KEPT_TOGETHER = 1 << 13  # games handed on at least while others are played
MOST_AT_ONCE = 1 << 14  # games handed on together at most
GROWTH = 16  # how much longer a chunk may be than the one before: the first games are slow


class Run(NamedTuple):
    """The games to play: ``first`` to ``first + games - 1`` of a seed."""

    game: Game
    seats: tuple[str | AgentFactory, ...]
    seed: int
    first: int
    games: int
    setup: Setup = DEFAULT_SETUP


class Callbacks(NamedTuple):
    """Functions called while games are played."""

    # gets how many more games are done
    tick: Callable[[int], None] = lambda _: None
    # gets the number of every game, and its final position with all moves
    each: Callable[[int, Position], None] | None = None
    # gets the number of every game, and all its moves as seat and number
    log: Callable[[int, Moves], None] | None = None
    # gets the results of finished games in their order while others are played
    keep: Callable[[Outcome], None] | None = None


@dataclass(frozen=True)
class Outcome:
    """The results of games: arrays with a row for each game and a column for each seat."""

    game: Game
    seats: tuple[str, ...]  # the names of the agents
    seed: int
    numbers: Numbers  # of the games
    scores: Numbers
    places: Numbers  # 1 is first, equals share a place
    parts: dict[str, Numbers]  # of the score, by name
    tallies: dict[str, Numbers]  # what else is counted
    rounds: Numbers  # a number for each game
    ms_per_game: float  # of one core
    setup: Setup = DEFAULT_SETUP  # options and start player

    def __len__(self) -> int:
        return len(self.scores)


class Unfinished(Picklable, BaseException):
    """Why not all games were played, and the results of the finished ones, if any."""

    def __init__(self, reason: str, outcome: Outcome | None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.outcome = outcome


class Stopped(Unfinished, RuntimeError):
    """The kernel or a custom agent failed in a game."""


class Interrupted(Unfinished, KeyboardInterrupt):
    """The user pressed Ctrl+C."""

    def __init__(self, outcome: Outcome | None) -> None:
        super().__init__("interrupted", outcome)


class Collector:
    """Collects the results of a run, from any thread, and hands them on in their order.

    ``keep`` is called in a thread of its own, so that Ctrl+C does not fall between two rows.
    """

    def __init__(self, run: Run, keep: Callable[[Outcome], None] | None = None) -> None:
        game, shape = run.game, (run.games, len(run.seats))
        blank = game.start_with(len(run.seats), run.setup).state
        self.run, self.keep = run, keep
        self.seats = tuple(map(label, run.seats))
        self.part_names = list(game.scoring.breakdown(game.definition, blank, 0))
        self.tally_names = list(game.scoring.TALLIES)
        self.scores, self.places = (np.zeros(shape, np.int32) for _ in range(2))
        self.parts, self.tallies = (
            np.zeros((*shape, len(names)), np.int32)
            for names in (self.part_names, self.tally_names)
        )
        self.rounds, self.finished = np.zeros(run.games, np.int32), np.zeros(run.games, np.bool_)
        self.seconds = 0.0
        self.kept = 0  # games handed to ``keep`` without a gap
        self.lock = threading.Lock()
        self.thread = ThreadPoolExecutor(1) if keep else None

    def add(self, first: int, results: Any, seconds: float) -> None:
        """Add the results of games ``first`` and following, and their processor time."""
        start, seats = first - self.run.first, slice(len(self.seats))
        rows = slice(start, start + len(results))
        self.scores[rows], self.places[rows] = results.points[:, seats], results.places[:, seats]
        self.rounds[rows] = results.rounds
        self.parts[rows] = results.parts[:, seats, : len(self.part_names)]
        self.tallies[rows] = results.tallies[:, seats, : len(self.tally_names)]
        self.finished[rows] = True
        with self.lock:
            self.seconds += seconds

    def hand_on(self) -> None:
        """Hand some games on if there are enough, but never so many that nothing else is done."""
        if self.thread:
            self.thread.submit(self._keep_next, KEPT_TOGETHER).result()

    def finish(self) -> Outcome | None:
        """Hand all other games on, and return the results of all; None if no game is finished."""
        if self.thread:
            self.thread.submit(self._keep_rest).result()
            self.thread.shutdown()
        return self._outcome(slice(None) if self.finished.all() else self.finished)

    def drop_scattered(self) -> None:
        """Drop finished games behind unfinished ones, so that the run can be continued."""
        if not self.finished.all():
            self.finished[int(self.finished.argmin()) :] = False

    def _keep_next(self, least: int) -> bool:
        """Hand on the next games, up to the first unfinished one, unless there are too few."""
        rest = self.finished[self.kept : self.kept + MOST_AT_ONCE]
        count = len(rest) if rest.all() else int(rest.argmin())
        if count < least:
            return False
        self.kept += count
        self._keep_games(slice(self.kept - count, self.kept))
        return True

    def _keep_rest(self) -> None:
        while self._keep_next(1):
            pass
        scattered = self.finished.copy()
        scattered[: self.kept] = False
        self._keep_games(scattered)

    def _keep_games(self, done: Any) -> None:
        if self.keep and (games := self._outcome(done)):
            self.keep(games)

    def _outcome(self, done: Any) -> Outcome | None:
        scores = self.scores[done]
        if not scores.size:
            return None
        parts, tallies = (
            {name: values[done][:, :, index] for index, name in enumerate(names)}
            for names, values in ((self.part_names, self.parts), (self.tally_names, self.tallies))
        )
        return Outcome(
            self.run.game,
            self.seats,
            self.run.seed,
            (self.run.first + np.arange(len(self.finished)))[done],
            scores,
            self.places[done],
            parts,
            tallies,
            self.rounds[done],
            1000 * self.seconds / len(scores),
            self.run.setup,
        )


class Ranges:
    """Divides the games of a run into chunks that take about the same time each."""

    def __init__(self, run: Run, workers: int, together: int) -> None:
        self.next, self.end = run.first, run.first + run.games
        self.workers, self.together = workers, together
        self.lock = threading.Lock()

    def take(self, count: int) -> range:
        """Return the next games, about ``count``, up to a multiple of ``together``.

        Towards the end they are fewer, so that all threads finish at the same time.
        """
        with self.lock:
            left = self.end - self.next
            stop = self.next + max(1, min(count, left // self.workers, MOST - self.together))
            chunk = range(self.next, min(self.end, -(-stop // self.together) * self.together))
            self.next = chunk.stop
        return chunk


def next_count(played: int, seconds: float, wanted: float) -> int:
    """Return how many games to take next, so that they take the wanted seconds."""
    return max(1, min(GROWTH * played, int(wanted * played / max(seconds, 1e-6))))


class ThreadedRun:
    """A run on threads of this machine."""

    def __init__(self, run: Run, workers: int, callbacks: Callbacks) -> None:
        self.run, self.workers, self.callbacks = run, workers, callbacks
        self.runner = Runner(run.game, run.seats, run.setup)
        self.collector = Collector(run, callbacks.keep)
        self.ranges = Ranges(run, workers, self.runner.together)
        self.reports = SimpleQueue[int | BaseException]()

    def play(self) -> Outcome:
        """Play all games; see ``play``."""
        with ThreadPoolExecutor(self.workers) as threads:
            try:
                for _ in range(self.workers):
                    threads.submit(self._work)
                self._wait()
            except BaseException as error:
                self.runner.stop()
                if not isinstance(error, KernelError | KeyboardInterrupt):
                    raise
                threads.shutdown()
                if isinstance(error, KernelError):
                    raise Stopped(str(error), self.collector.finish()) from error.__cause__
                self.collector.drop_scattered()
                raise Interrupted(self.collector.finish()) from None
        outcome = self.collector.finish()
        assert outcome is not None
        return outcome

    def _wait(self) -> None:
        done = 0
        while done < self.run.games:
            report = self.reports.get()
            if isinstance(report, BaseException):
                raise report
            done += report
            self.callbacks.tick(report)
            self.collector.hand_on()

    def _work(self) -> None:
        count = 1
        try:
            one_by_one = self.callbacks.each or self.callbacks.log
            while chunk := self.ranges.take(1 if one_by_one else count):
                count = next_count(len(chunk), self._play_chunk(chunk), CHUNK_SECONDS)
        except BaseException as error:
            self.reports.put(error)

    def _play_chunk(self, chunk: range) -> float:
        """Play some games; return the processor seconds of this thread."""
        worker = self.runner.worker()
        started = time.thread_time()
        try:
            worker.play(self.run.seed, chunk.start, len(chunk))
            played = len(worker.results())
            for at in range(played if self.callbacks.each or self.callbacks.log else 0):
                if self.callbacks.each:
                    self.callbacks.each(chunk.start + at, worker.replay(at - played))
                if self.callbacks.log:
                    self.callbacks.log(chunk.start + at, worker.moves(at - played))
        except (KernelError, CustomAgentError, OSError) as error:
            failed = chunk.start + len(worker.results())
            raise KernelError(f"{error}, in game {failed} of seed {self.run.seed}") from error
        finally:
            seconds = time.thread_time() - started
            self.collector.add(chunk.start, worker.results(), seconds)
        self.reports.put(len(worker.results()))
        return seconds


def play(
    game: Game,
    seats: Sequence[str | AgentFactory],
    games: int,
    seed: int,
    workers: int | Cluster = 1,
    setup: Setup = DEFAULT_SETUP,
    first: int = 0,
    callbacks: Callbacks = Callbacks(),  # noqa: B008 - immutable
) -> Outcome:
    """Play games ``first`` to ``first + games - 1`` of a seed, on threads or on a cluster.

    Raises ``Stopped``, or ``Interrupted`` at Ctrl+C, with the results of the finished games; of an
    interrupted run only those before the first unfinished game.
    """
    run = Run(game, tuple(seats), seed, first, games, setup)
    if isinstance(workers, int):
        return ThreadedRun(run, workers, callbacks).play()
    return workers.play(run, callbacks)
