"""Many games at once, on as many threads as wanted: the kernel lets go of the interpreter's lock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from foxclover.accounts import Result
from foxclover.ai.families import Strength, family_of
from foxclover.ai.nets import make_thinker, shipped_net
from foxclover.ai.own import Maker, OwnAgentError, OwnRoom, label
from foxclover.ai.playing import WITH_NET, Habit
from foxclover.ai.simple import POLICIES
from foxclover.game import CHANCE, Game, Position
from foxclover.kernel import KernelError, open_kernel
from foxclover.playouts import LOG, LOG_SEATS, Batch

if TYPE_CHECKING:
    import numpy as np

    from foxclover.ai.files import Net

    Numbers = np.ndarray[Any, np.dtype[np.signedinteger[Any]]]

CHUNK = 8192  # games a thread plays at most before it reports
CHUNK_SECONDS = 0.1  # how long it plays if games take their time
GROWTH = 16  # how much longer a chunk may be than the one before: the first games are slow


class AnyRoom(Protocol):
    """One thread's place to play in."""

    def play(self, seed: int, first: int, count: int) -> None:
        """Play games; what comes of them can be asked for until the next ones are played."""

    @property
    def played(self) -> int:
        """How many games were played to their end."""

    def results(self) -> Any:
        """What came of them, as an array of ``Result``."""

    def set_stop(self, stop: bool) -> None:
        """End soon, or not; may be called from any thread."""

    def replay(self) -> Position:
        """The last game, move by move."""


class Room:
    """A place to play in the kernel."""

    def __init__(self, game: Game, seats: Sequence[str], variant: int, net: Net | None) -> None:
        self.game = game
        self.mind = None
        if set(seats) <= set(POLICIES):
            self.instance = open_kernel(game.family).instance()
            self.book = self.instance.new(type(game.book.tables))
            self.instance.set(self.book, game.book.tables)
        else:
            self.instance, self.book, self.mind = make_thinker(game, net or shipped_net(game))
        new, state = self.instance.new, game.rules.State
        self.batch, self.blank, self.scratch, self.table = new(Batch), new(state), new(state), new(state)
        self.places, self.habits = new(Result, 1), new(Habit, len(seats))
        self.batch.players, self.batch.variant = len(seats), variant
        strengths = family_of(game).STRENGTHS
        for seat, name in enumerate(seats):
            self.batch.policies[seat] = POLICIES.get(name, WITH_NET)
            strength, habit = strengths.get(name, Strength()), self.habits[seat]
            habit.heat, habit.tries, habit.prior, habit.to_win = strength.heat, strength.tries, strength.prior, int(strength.to_win)

    def play(self, seed: int, first: int, count: int) -> None:
        """Play games; what comes of them can be asked for until the next ones are played."""
        if count > len(self.places):
            self.places = self.instance.new(Result, max(count, min(2 * len(self.places), CHUNK)))
        self.batch.seed, self.batch.first, self.batch.count = seed, first, count
        if self.mind is None:
            self.instance.call("play_games", self.book, self.batch, self.blank, self.scratch, self.table, self.places)
        else:
            self.instance.call("play_with_minds", self.book, self.mind, self.batch, self.habits, self.blank, self.places)

    @property
    def played(self) -> int:
        """How many games were played to their end."""
        return int(self.batch.played)

    def results(self) -> Any:
        """What came of them, as an array of ``Result``."""
        from foxclover.kernel.arrays import to_array

        results = self.places[: self.played]
        return to_array(Result, *results) if isinstance(results, list) else results

    def set_stop(self, stop: bool) -> None:
        """End soon, or not; may be called from any thread."""
        self.batch.stop = int(stop)

    def replay(self) -> Position:
        """The last game, move by move."""
        if self.batch.logged > LOG:
            raise ValueError(f"a game of {self.batch.logged:,} moves is too long to be written down")
        position = self.game.start(int(self.batch.players), int(self.batch.variant))
        for entry in self.batch.log[: self.batch.logged]:
            number, seat = divmod(int(entry), LOG_SEATS)
            position.push_unchecked(position.move(seat - 1 if seat else CHANCE, number))
        return position


class Runner:
    """Plays games ``first`` to ``first + count - 1`` of a seed with computer players on the seats, on any thread.

    The same seed and number of a game give the same dice, whoever plays.
    """

    def __init__(self, game: Game, seats: Sequence[str | Maker], variant: int = 0, net: Net | None = None) -> None:
        own = any(not isinstance(seat, str) or ":" in seat for seat in seats)
        self._make_room: Callable[[], AnyRoom] = lambda: (
            OwnRoom(game, seats, variant) if own else Room(game, [str(seat) for seat in seats], variant, net)
        )
        self._players = len(seats)
        self._local = threading.local()
        self._rooms: list[AnyRoom] = []
        self._stopped = False

    def __call__(self, seed: int, first: int, count: int) -> Numbers:
        """Return their scores, a row for each game."""
        room = self.room()
        room.play(seed, first, count)
        scores: Numbers = room.results().points[:, : self._players].copy()
        return scores

    def room(self) -> AnyRoom:
        """The place of this thread."""
        if not hasattr(self._local, "room"):
            self._local.room = self._make_room()
            self._rooms.append(self._local.room)
        room: AnyRoom = self._local.room
        room.set_stop(self._stopped)
        return room

    def stop(self) -> None:
        """Let all threads come to an end soon; the games that they are playing are lost, those they have finished are not."""
        self._stopped = True
        for room in self._rooms:
            room.set_stop(True)


@dataclass(frozen=True)
class Outcome:
    """What came of the games: arrays with a row for each game and a column for each seat."""

    game: Game
    seats: tuple[str, ...]  # who played
    seed: int
    numbers: Numbers  # which games of the seed
    scores: Numbers
    places: Numbers  # 1 is first, equals share a place
    parts: dict[str, Numbers]  # of the score, by name
    tallies: dict[str, Numbers]  # what else is counted
    rounds: Numbers  # a number for each game
    ms_per_game: float  # of one core

    def __len__(self) -> int:
        return len(self.scores)


class Unfinished:
    """Why not all games were played, and what came of those that were finished, if any."""

    def __init__(self, reason: str, outcome: Outcome | None) -> None:
        self.reason = reason
        self.outcome = outcome


class Stopped(Unfinished, RuntimeError):
    """The kernel, or an agent of one's own, has failed in the middle."""

    def __init__(self, reason: str, outcome: Outcome | None) -> None:
        RuntimeError.__init__(self, reason)
        Unfinished.__init__(self, reason, outcome)


class Interrupted(Unfinished, KeyboardInterrupt):
    """Somebody did not want to wait for the rest."""

    def __init__(self, outcome: Outcome | None) -> None:
        Unfinished.__init__(self, "interrupted", outcome)


class Tally:
    """Collects what comes of games that threads play, ``first`` and following."""

    def __init__(self, game: Game, seats: Sequence[str | Maker], seed: int, first: int, games: int, variant: int) -> None:
        import numpy as np

        blank = game.start(len(seats), variant).state
        self.game, self.seats, self.seed, self.first = game, tuple(map(label, seats)), seed, first
        self.part_names = list(game.scoring.breakdown(game.book, blank, 0))
        self.tally_names = list(game.scoring.tallies(blank, 0))
        shape = (games, len(seats))
        self.scores, self.places = (np.zeros(shape, np.int32) for _ in range(2))
        self.parts, self.tallies = (np.zeros((*shape, len(names)), np.int32) for names in (self.part_names, self.tally_names))
        self.rounds, self.finished = np.zeros(games, np.int32), np.zeros(games, np.bool_)
        self.seconds = 0.0
        self.lock = threading.Lock()

    def add(self, first: int, room: AnyRoom, seconds: float) -> None:
        """Add the games that were played in a room, in so many seconds of processor time."""
        rows, seats = slice(first - self.first, first - self.first + room.played), len(self.seats)
        results = room.results()
        self.scores[rows], self.places[rows], self.rounds[rows] = results.points[:, :seats], results.places[:, :seats], results.rounds
        self.parts[rows] = results.parts[:, :seats, : len(self.part_names)]
        self.tallies[rows] = results.tallies[:, :seats, : len(self.tally_names)]
        self.finished[rows] = True
        with self.lock:
            self.seconds += seconds

    def outcome(self) -> Outcome | None:
        """What came of the games that were finished; None if there were none."""
        import numpy as np

        done = slice(None) if self.finished.all() else self.finished
        scores = self.scores[done]
        if not scores.size:
            return None
        parts, tallies = (
            {name: values[done][:, :, index] for index, name in enumerate(names)}
            for names, values in ((self.part_names, self.parts), (self.tally_names, self.tallies))
        )
        numbers = (self.first + np.arange(len(self.finished)))[done]
        figures = (self.places[done], parts, tallies, self.rounds[done], 1000 * self.seconds / len(scores))
        return Outcome(self.game, self.seats, self.seed, numbers, scores, *figures)


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
            chunk = range(self.next, self.next + min(left, max(1, min(count, left // self.workers, CHUNK))))
            self.next = chunk.stop
        return chunk


def play(
    game: Game,
    seats: Sequence[str | Maker],
    games: int,
    seed: int,
    workers: int = 1,
    variant: int = 0,
    tick: Callable[[int], None] = lambda _: None,
    first: int = 0,
    each: Callable[[int, Position], None] | None = None,
) -> Outcome:
    """Play games ``first`` to ``first + games - 1`` of a seed with these computer players on the seats.

    ``tick`` is told how many more are done, ``each`` the number of every game and how it went. Raises ``Stopped`` or, at Ctrl+C,
    ``Interrupted``, with what came of the games that were finished.
    """
    runner, tally = Runner(game, seats, variant), Tally(game, seats, seed, first, games, variant)
    ranges, reports = Ranges(first, games, workers), SimpleQueue[int | BaseException]()

    def work() -> None:
        count = 1
        try:
            while chunk := ranges.take(1 if each else count):
                seconds = play_chunk(chunk)
                count = max(1, min(GROWTH * len(chunk), int(CHUNK_SECONDS * len(chunk) / max(seconds, 1e-6))))
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
            raise KernelError(f"{error}, in game {chunk.start + room.played} of seed {seed}") from error
        finally:
            seconds = time.thread_time() - started
            tally.add(chunk.start, room, seconds)
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
