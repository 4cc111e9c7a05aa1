"""What came of many games."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foxclover.game import Game
from foxclover.own_agents import Maker, label

if TYPE_CHECKING:
    from foxclover.simulation.rooms import Numbers


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

    def __init__(
        self,
        game: Game,
        seats: Sequence[str | Maker],
        seed: int,
        first: int,
        games: int,
        variant: int,
    ) -> None:
        import numpy as np

        blank = game.start(len(seats), variant).state
        self.game, self.seats, self.seed, self.first = game, tuple(map(label, seats)), seed, first
        self.part_names = list(game.scoring.breakdown(game.book, blank, 0))
        self.tally_names = list(game.scoring.tallies(blank, 0))
        shape = (games, len(seats))
        self.scores, self.places = (np.zeros(shape, np.int32) for _ in range(2))
        self.parts, self.tallies = (
            np.zeros((*shape, len(names)), np.int32)
            for names in (self.part_names, self.tally_names)
        )
        self.rounds, self.finished = np.zeros(games, np.int32), np.zeros(games, np.bool_)
        self.seconds = 0.0
        self.lock = threading.Lock()

    def add(self, first: int, results: Any, seconds: float) -> None:
        """Add the results of games ``first`` and following, played in so many seconds of processor time."""
        rows, seats = slice(first - self.first, first - self.first + len(results)), len(self.seats)
        self.scores[rows], self.places[rows], self.rounds[rows] = (
            results.points[:, :seats],
            results.places[:, :seats],
            results.rounds,
        )
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
        figures = (
            self.places[done],
            parts,
            tallies,
            self.rounds[done],
            1000 * self.seconds / len(scores),
        )
        return Outcome(self.game, self.seats, self.seed, numbers, scores, *figures)
