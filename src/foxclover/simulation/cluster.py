"""Many games on a Ray cluster: ranges of them are shared out, and what is lost with a node is played again.

Every game is decided by its seed and number, so that the outcome is the same wherever and however often it is played.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from foxclover import __version__
from foxclover.game import CHANCE, Game, Position
from foxclover.kernel import KernelError
from foxclover.own_agents import Maker, OwnAgentError, find
from foxclover.simulation.batch import GROWTH, Ranges
from foxclover.simulation.outcome import Interrupted, Outcome, Stopped, Tally
from foxclover.simulation.rooms import Runner

if TYPE_CHECKING:
    from foxclover.simulation.rooms import Numbers

PIECE_SECONDS = (
    0.5  # how long a piece of work should take: long enough for the way to another machine
)
AHEAD = 2  # pieces that wait for each core, so that none is ever idle
REACHED = 5.0  # seconds after which a head node that does not answer is given up

ResultT = TypeVar("ResultT")
Log = list[tuple[int, int]]
"""Seats and numbers of the moves of a game."""


class ClusterError(RuntimeError):
    """The cluster cannot be reached, or was lost as a whole."""


class Order(NamedTuple):
    """What is to be played; the same for all pieces of a run."""

    game: Game
    seats: tuple[str | Maker, ...]
    variant: int
    seed: int
    version: str = __version__


class Piece(NamedTuple):
    """What came of a range of games; ``problem`` is why not all of them were played."""

    first: int
    asked: int
    results: Numbers
    logs: list[Log]
    seconds: float
    problem: str

    @property
    def played(self) -> int:
        """How many games were played to their end."""
        return len(self.results)


class Cluster:
    """A connection to a Ray cluster; ``with Cluster(address) as cluster`` closes it."""

    def __init__(self, address: str) -> None:
        import ray

        _reach(address)
        try:
            ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise ClusterError(
                f"there is no Ray cluster at {address}: {_first_line(error)}"
            ) from None
        self.address = address
        self.ray: Any = ray

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.ray.shutdown()

    @property
    def cores(self) -> int:
        """How many cores the cluster has now."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def put(self, value: object) -> Any:
        """Lay something down where every piece of work can take it from."""
        return self.ray.put(value)

    def start(self, function: Callable[..., ResultT], *arguments: object) -> Any:
        """Let a function run somewhere; it is run again if its node or process is lost."""
        return self.ray.remote(max_retries=-1)(function).remote(*arguments)

    def wait(self, pending: Sequence[Any]) -> tuple[Any, Any]:
        """The first of some pieces of work that is done, and its result."""
        (ready,), _ = self.ray.wait(list(pending), num_returns=1)
        return ready, self.result(ready)

    def result(self, pending: Any) -> Any:
        """What a piece of work came to."""
        try:
            return self.ray.get(pending)
        except self.ray.exceptions.RaySystemError as error:
            raise ClusterError(
                f"the Ray cluster at {self.address} was lost: {_first_line(error)}"
            ) from None
        except self.ray.exceptions.RayTaskError as error:
            raise ClusterError(
                f"a node of {self.address} cannot work: {_last_line(error)}"
            ) from None

    def map(
        self, function: Callable[..., ResultT], jobs: Iterable[tuple[object, ...]]
    ) -> Iterator[ResultT]:
        """What a function makes of the arguments of each job, in their order."""
        started = [self.start(function, *job) for job in jobs]
        return (self.result(pending) for pending in started)

    def play(
        self,
        order: Order,
        games: int,
        first: int = 0,
        tick: Callable[[int], None] = lambda _: None,
        each: Callable[[int, Position], None] | None = None,
    ) -> Outcome:
        """Play games ``first`` to ``first + games - 1`` as ``batch.play`` does, and with the same outcome."""
        tally = Tally(order.game, order.seats, order.seed, first, games, order.variant)
        ranges, count = Ranges(first, games, AHEAD * self.cores), 1
        sent = self.put(order._replace(seats=self._carried(order.seats)))
        pending: dict[Any, None] = {}
        try:
            while True:
                while len(pending) < AHEAD * self.cores and (chunk := ranges.take(count)):
                    pending[
                        self.start(play_piece, sent, chunk.start, len(chunk), each is not None)
                    ] = None
                if not pending:
                    break
                done, piece = self.wait(list(pending))
                del pending[done]
                tally.add(piece.first, piece.results, piece.seconds)
                if each:
                    for number, log in enumerate(piece.logs, piece.first):
                        each(number, _replay(order, log))
                if piece.problem:
                    raise Stopped(
                        f"{piece.problem}, in game {piece.first + piece.played} of seed {order.seed}",
                        tally.outcome(),
                    )
                tick(piece.played)
                count = max(
                    1,
                    min(
                        GROWTH * piece.played,
                        int(PIECE_SECONDS * piece.played / max(piece.seconds, 1e-6)),
                    ),
                )
        except ClusterError as error:
            raise Stopped(str(error), tally.outcome()) from None
        except KeyboardInterrupt:
            raise Interrupted(tally.outcome()) from None
        finally:
            for left in pending:
                self.ray.cancel(left, force=True)
        outcome = tally.outcome()
        assert outcome is not None
        return outcome

    def _carried(self, seats: Sequence[str | Maker]) -> tuple[str | Maker, ...]:
        """Agents of one's own as what makes them, which travels to nodes that do not have their module."""
        cloudpickle: Any = self.ray.cloudpickle
        makers = tuple(
            find(seat) if isinstance(seat, str) and ":" in seat else seat for seat in seats
        )
        for maker in makers:
            if (
                not isinstance(maker, str)
                and (module := getattr(maker, "__module__", "__main__")) != "__main__"
            ):
                cloudpickle.register_pickle_by_value(import_module(module))
        return makers


def play_piece(order: Order, first: int, count: int, logged: bool) -> Piece:
    """Play a range of games on a node."""
    import numpy as np

    if order.version != __version__:
        raise ClusterError(f"it has foxclover {__version__}, not {order.version}")
    room = _runner(order).room()
    started = time.process_time()
    results, logs, problem = [], list[Log](), ""
    for start in range(first, first + count, 1 if logged else count):
        try:
            room.play(order.seed, start, 1 if logged else count)
            if logged and room.played:
                logs.append([(move.seat, move.number) for move in room.replay().moves_made])
        except (KernelError, OwnAgentError, OSError) as error:
            problem = str(error)
        results.append(room.results().copy())
        if problem:
            break
    return Piece(
        first,
        count,
        np.concatenate(results).view(np.recarray),
        logs,
        time.process_time() - started,
        problem,
    )


@lru_cache(maxsize=4)
def _runner(order: Order) -> Runner:
    """What plays on this node; made once a process."""
    return Runner(order.game, order.seats, order.variant)


def _replay(order: Order, log: Log) -> Position:
    position = order.game.start(len(order.seats), order.variant)
    for seat, number in log:
        position.push_unchecked(position.move(seat if seat >= 0 else CHANCE, number))
    return position


def _reach(address: str) -> None:
    """Ray itself tries for minutes; whether anything listens is known in a moment."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return  # "auto" and the like are found by Ray
    try:
        socket.create_connection((host, int(port)), REACHED).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(f"there is no Ray cluster at {address}: {_first_line(error)}") from None


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")


def _last_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[-1].rstrip(".")
