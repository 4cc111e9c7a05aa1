"""Many games at once, on as many threads as wanted: the kernel lets go of the interpreter's lock."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foxclover.ai.families import Strength, family_of
from foxclover.ai.nets import make_thinker, shipped_net
from foxclover.ai.playing import WITH_NET, Habit
from foxclover.ai.simple import POLICIES
from foxclover.game import Game
from foxclover.kernel import KernelError
from foxclover.kernel.family import SEATS
from foxclover.playouts import Batch, Result

if TYPE_CHECKING:
    import numpy as np

    from foxclover.ai.files import Net

    Scores = np.ndarray[Any, np.dtype[np.int64]]

CHUNK = 250  # games a thread plays before it reports


class Room:
    """One thread's place to play in."""

    def __init__(self, game: Game, seats: Sequence[str], variant: int, net: Net | None) -> None:
        self.state = game.rules.State
        self.players = len(seats)
        thinking = not set(seats) <= set(POLICIES)
        self.instance, self.book, self.mind = make_thinker(game, (net or shipped_net(game)) if thinking else None)
        new = self.instance.new
        self.batch, self.blank, self.scratch = new(Batch), new(self.state), new(self.state)
        self.tables, self.results, self.habits = new(self.state, CHUNK), new(Result, CHUNK), new(Habit, self.players)
        self.batch.players, self.batch.variant = self.players, variant
        strengths = family_of(game).STRENGTHS
        for seat, name in enumerate(seats):
            self.batch.policies[seat] = POLICIES.get(name, WITH_NET)
            strength, habit = strengths.get(name, Strength()), self.habits[seat]
            habit.heat, habit.tries, habit.prior, habit.to_win = strength.heat, strength.tries, strength.prior, int(strength.to_win)

    def play(self, seed: int, first: int, count: int) -> None:
        """Play games; what comes of them can be asked for until the next ones are played."""
        if count > len(self.tables):
            self.tables, self.results = self.instance.new(self.state, count), self.instance.new(Result, count)
        self.batch.seed, self.batch.first, self.batch.count = seed, first, count
        if self.mind is None:
            self.instance.call("play_games", self.book, self.batch, self.blank, self.scratch, self.tables, self.results)
        else:
            self.instance.call("play_with_minds", self.book, self.mind, self.batch, self.habits, self.blank, self.tables, self.results)

    @property
    def played(self) -> int:
        """How many games were played to their end."""
        return int(self.batch.played)

    def scores(self) -> Scores:
        """Their scores, a row for each game."""
        import numpy as np

        results = self.results[: self.played]
        points = [result.points for result in results] if isinstance(results, list) else results.points
        return np.array(points, np.int64).reshape(self.played, SEATS)[:, : self.players]

    def finals(self) -> Any:
        """Their final states, as they lie in the kernel."""
        return self.tables[: self.played]

    def states(self) -> Iterator[Any]:
        """Their final states as records."""
        return (self.instance.read(self.state, table) for table in self.finals())


class Runner:
    """Plays games ``first`` to ``first + count - 1`` of a seed with computer players on the seats, on any thread.

    The same seed and number of a game give the same dice, whoever plays.
    """

    def __init__(self, game: Game, seats: Sequence[str], variant: int = 0, net: Net | None = None) -> None:
        self._make_room: Callable[[], Room] = lambda: Room(game, seats, variant, net)
        self._local = threading.local()
        self._rooms: list[Room] = []
        self._stopped = False

    def __call__(self, seed: int, first: int, count: int) -> tuple[Scores, Any]:
        """Return their scores, and their final states until the next games of this thread are played."""
        room = self.room()
        room.play(seed, first, count)
        return room.scores(), room.finals()

    def room(self) -> Room:
        """The place of this thread."""
        if not hasattr(self._local, "room"):
            self._local.room = self._make_room()
            self._rooms.append(self._local.room)
        room: Room = self._local.room
        room.batch.stop = int(self._stopped)
        return room

    def stop(self) -> None:
        """Let all threads come to an end soon; the games that they are playing are lost, those they have finished are not."""
        self._stopped = True
        for room in self._rooms:
            room.batch.stop = 1


@dataclass(frozen=True)
class Outcome:
    """What came of the games; ``scores`` and ``places`` have a row for each game and a column for each seat."""

    scores: Scores
    places: Scores
    parts: dict[str, float]  # mean of each part of the score
    tallies: dict[str, float]  # mean of what else is counted
    ms_per_game: float  # of one core


class Stopped(RuntimeError):
    """The kernel has stopped in the middle; ``outcome`` is what came of the games that were finished, if any."""

    def __init__(self, reason: str, outcome: Outcome | None) -> None:
        super().__init__(reason)
        self.outcome = outcome


class Tally:
    """Adds up what comes of games that threads play."""

    def __init__(self, game: Game, seats: int, games: int) -> None:
        import numpy as np

        self.game = game
        self.scores, self.places = (np.zeros((games, seats), np.int64) for _ in range(2))
        self.finished = np.zeros(games, np.bool_)
        self.parts: Counter[str] = Counter()
        self.tallies: Counter[str] = Counter()
        self.seconds = 0.0
        self.lock = threading.Lock()

    def add(self, first: int, room: Room, seconds: float) -> None:
        """Add the games that were played in a room, in so many seconds of processor time."""
        scoring, book = self.game.scoring, self.game.book
        with self.lock:
            rows = slice(first, first + room.played)
            self.scores[rows], self.finished[rows] = room.scores(), True
            self.seconds += seconds
            for number, final in enumerate(room.states(), first):
                self.places[number] = scoring.places(book, final)
                for seat in range(room.players):
                    self.tallies.update(scoring.tallies(final, seat))
                    self.parts.update(scoring.breakdown(book, final, seat))

    def outcome(self) -> Outcome | None:
        """What came of the games that were finished; None if there were none."""
        scores, places = self.scores[self.finished], self.places[self.finished]
        if not scores.size:
            return None
        parts, tallies = ({name: value / scores.size for name, value in counted.items()} for counted in (self.parts, self.tallies))
        return Outcome(scores, places, parts, tallies, 1000 * self.seconds / len(scores))


def play(
    game: Game,
    seats: Sequence[str],
    games: int,
    seed: int,
    workers: int = 1,
    variant: int = 0,
    tick: Callable[[int], None] = lambda _: None,
) -> Outcome:
    """Play ``games`` games with the named computer players on the seats; ``tick`` is told how many more are done.

    Raises ``Stopped``, with what came of the games that were finished, if the kernel fails.
    """
    runner, tally = Runner(game, seats, variant), Tally(game, len(seats), games)

    def play_chunk(first: int) -> int:
        room = runner.room()
        started = time.thread_time()  # other work on the machine does not count
        try:
            room.play(seed, first, min(CHUNK, games - first))
        except KernelError as error:
            raise KernelError(f"{error}, in game {first + room.played} of seed {seed}") from None
        finally:
            tally.add(first, room, time.thread_time() - started)
        return room.played

    with ThreadPoolExecutor(workers) as threads:
        try:
            for job in as_completed([threads.submit(play_chunk, first) for first in range(0, games, CHUNK)]):
                tick(job.result())
        except KernelError as error:
            runner.stop()
            threads.shutdown()
            raise Stopped(str(error), tally.outcome()) from None
        except BaseException:
            runner.stop()
            raise
    outcome = tally.outcome()
    assert outcome is not None
    return outcome
