"""Many games on a Ray cluster.

Nodes play ranges of games; ranges lost with a node are played again. Seed and number fix a game, so
that the outcome does not depend on where and how often it is played.
"""

from __future__ import annotations

import ctypes
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

import numpy as np

from foxclover import __version__
from foxclover.ai import is_custom
from foxclover.ai.custom_agents import AgentFactory, CustomAgentError, find
from foxclover.kernel import KernelError
from foxclover.simulation.batch import (
    Callbacks,
    Collector,
    Interrupted,
    Outcome,
    Ranges,
    Run,
    Stopped,
    next_count,
)
from foxclover.simulation.workers import Numbers, Runner, divide, games_together, replay

PIECE_SECONDS = 0.5  # of work in a task: long compared to sending it to another machine
AHEAD = 2  # tasks queued for each core, so that none is idle
REACHED = 5.0  # seconds to wait for the head node to answer

SIGACTION = 256  # bytes that hold a handler, at least
TRAPS = (signal.SIGSEGV, signal.SIGILL, signal.SIGFPE)
"""Signals by which wasmtime notices errors of the kernel."""

ResultT = TypeVar("ResultT")
Log = list[tuple[int, int]]  # the seats and numbers of a game's moves


class ClusterError(RuntimeError):
    """The cluster cannot be reached, or was lost as a whole."""


class Piece(NamedTuple):
    """The results of a range of games; ``problem`` is why not all of them were played."""

    first: int
    results: Numbers
    logs: list[Log]
    seconds: float
    problem: str


class Cluster:
    """A connection to a Ray cluster; ``with Cluster(address) as cluster`` closes it."""

    def __init__(self, address: str) -> None:
        import ray

        _reach(address)
        try:
            with trap_handlers_kept():
                ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise ClusterError(
                f"there is no Ray cluster at {address}: {_lines(error)[0]}"
            ) from None
        self.address = address
        self.ray: Any = ray

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        with trap_handlers_kept():
            self.ray.shutdown()

    @property
    def cores(self) -> int:
        """Return how many cores the cluster has now."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def put(self, value: object) -> Any:
        """Put an object into the object store, and return its reference."""
        return self.ray.put(value)

    def start(self, function: Callable[..., ResultT], *arguments: object) -> Any:
        """Start a task on any node; it runs again if its node or process is lost."""
        return self.ray.remote(max_retries=-1)(function).remote(*arguments)

    def wait(self, pending: Sequence[Any]) -> tuple[Any, Any]:
        """Wait for one of some tasks; return it with its result."""
        (ready,), _ = self.ray.wait(list(pending), num_returns=1)
        return ready, self.result(ready)

    def result(self, pending: Any) -> Any:
        """Return the result of a task."""
        try:
            return self.ray.get(pending)
        except self.ray.exceptions.RaySystemError as error:
            raise ClusterError(
                f"the Ray cluster at {self.address} was lost: {_lines(error)[0]}"
            ) from None
        except self.ray.exceptions.RayTaskError as error:
            raise ClusterError(
                f"a node of {self.address} cannot work: {_lines(error)[-1]}"
            ) from None

    def map(
        self, function: Callable[..., ResultT], jobs: Iterable[tuple[object, ...]]
    ) -> Iterator[ResultT]:
        """Call a function with the arguments of each job, and return the results in their order."""
        started = [self.start(function, *job) for job in jobs]
        return (self.result(pending) for pending in started)

    def play(self, run: Run, callbacks: Callbacks) -> Outcome:
        """Play a run as ``batch.play`` does, with the same outcome."""
        collector = Collector(run, callbacks.keep)
        pending: dict[Any, None] = {}
        try:
            self._play(run, callbacks, collector, pending)
        except ClusterError as error:
            raise Stopped(str(error), collector.finish()) from None
        except KeyboardInterrupt:
            collector.drop_scattered()
            raise Interrupted(collector.finish()) from None
        finally:
            for left in pending:
                self.ray.cancel(left, force=True)
        outcome = collector.finish()
        assert outcome is not None
        return outcome

    def _play(
        self, run: Run, callbacks: Callbacks, collector: Collector, pending: dict[Any, None]
    ) -> None:
        ranges, count = Ranges(run, AHEAD * self.cores, games_together(run.seats)), 1
        sent = self.put(run._replace(seats=self._carried(run.seats)))
        logged = bool(callbacks.each or callbacks.log)
        while True:
            while len(pending) < AHEAD * self.cores and (chunk := ranges.take(count)):
                pending[self.start(play_piece, sent, __version__, chunk, logged)] = None
            if not pending:
                return
            done, piece = self.wait(list(pending))
            del pending[done]
            collector.add(piece.first, piece.results, piece.seconds)
            for number, log in enumerate(piece.logs, piece.first):
                if callbacks.each:
                    callbacks.each(number, replay(run.game, len(run.seats), run.setup, log))
                if callbacks.log:
                    callbacks.log(number, log)
            if piece.problem:
                failed = piece.first + len(piece.results)
                raise ClusterError(f"{piece.problem}, in game {failed} of seed {run.seed}")
            callbacks.tick(len(piece.results))
            collector.hand_on()
            count = next_count(len(piece.results), piece.seconds, PIECE_SECONDS)

    def _carried(self, seats: Sequence[str | AgentFactory]) -> tuple[str | AgentFactory, ...]:
        """Return custom agents as their factories, pickled by value: nodes lack their modules."""
        cloudpickle: Any = self.ray.cloudpickle
        makers = tuple(
            find(seat) if isinstance(seat, str) and is_custom(seat) else seat for seat in seats
        )
        for maker in makers:
            if (
                not isinstance(maker, str)
                and (module := getattr(maker, "__module__", "__main__")) != "__main__"
            ):
                cloudpickle.register_pickle_by_value(import_module(module))
        return makers


@contextmanager
def trap_handlers_kept() -> Iterator[None]:
    """Restore wasmtime's signal handlers at the end.

    Ray replaces them with its own, and later with none: an error of the kernel would end the
    process.
    """
    if sys.platform == "win32":
        yield
        return
    libc = ctypes.CDLL(None)
    kept = {number: ctypes.create_string_buffer(SIGACTION) for number in TRAPS}
    for number, handler in kept.items():
        libc.sigaction(number, None, handler)
    try:
        yield
    finally:
        for number, handler in kept.items():
            libc.sigaction(number, handler, None)


def play_piece(run: Run, version: str, games: range, logged: bool) -> Piece:
    """Play some games of a run on a node."""
    if version != __version__:
        raise ClusterError(f"it has foxclover {__version__}, not {version}")
    runner = _runner(run)
    worker = runner.worker()
    started = time.process_time()
    results, logs, problem = [], list[Log](), ""
    for part in divide(games.start, len(games), runner.together) if logged else [games]:
        try:
            worker.play(run.seed, part.start, len(part))
            for at in range(-len(worker.results()) if logged else 0, 0):
                logs.append(list(worker.moves(at)))
        except (KernelError, CustomAgentError, OSError) as error:
            problem = str(error)
        results.append(worker.results().copy())
        if problem:
            break
    played = np.concatenate(results).view(np.recarray)
    return Piece(games.start, played, logs, time.process_time() - started, problem)


@lru_cache(maxsize=4)
def _runner(run: Run) -> Runner:
    """Return the runner of this process for a run."""
    return Runner(run.game, run.seats, run.setup)


def _reach(address: str) -> None:
    """Raise at once if nothing listens at an address, where Ray would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return  # "auto" and the like are found by Ray
    try:
        socket.create_connection((host, int(port)), REACHED).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(f"there is no Ray cluster at {address}: {_lines(error)[0]}") from None


def _lines(error: BaseException) -> list[str]:
    return [line.rstrip(".") for line in (str(error).strip() or type(error).__name__).splitlines()]
