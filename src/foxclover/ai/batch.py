"""Many games at once, compiled, on as many threads as wanted: compiled code lets go of the interpreter's lock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from foxclover.ai.simple import POLICIES
from foxclover.game import Game, Variant

if TYPE_CHECKING:
    import numpy as np

    Scores = np.ndarray[Any, np.dtype[np.int64]]

CHUNK = 250  # games a thread plays before it reports
SEATS = 4


class Runner(Protocol):
    """Plays games ``first`` to ``first + count - 1`` of a seed, on any thread, and returns their scores and final states."""

    def __call__(self, seed: int, first: int, count: int) -> tuple[Scores, Any]:
        """The same seed and number of a game give the same dice, whoever plays."""


@dataclass(frozen=True)
class Batch:
    """What came of the games; ``scores`` and ``places`` have a row for each game and a column for each seat."""

    scores: Scores
    places: Scores
    parts: dict[str, float]  # mean of each part of the score
    foxes: float
    ms_per_game: float  # of one core


def runner(game: Game, seats: Sequence[str], variant: Variant = Variant.NONE) -> Runner:
    """Return what plays games with these computer players on the seats."""
    if not set(seats) <= set(POLICIES):
        thinking: Runner = import_module(f"foxclover.ai.{game.package}.batch").runner(game, seats, variant)
        return thinking
    import numpy as np

    from foxclover.fast import dtype, link, to_array

    functions = link(game.package, compiled=True)
    state = game.rules.State
    books = to_array(game.book.tables)
    policies = np.array([POLICIES[name] for name in seats] + [0] * (SEATS - len(seats)))

    def run(seed: int, first: int, count: int) -> tuple[Scores, Any]:
        scores = np.zeros((count, SEATS), np.int64)
        tables = np.zeros(count, dtype(state))
        dice_rng, choice_rng, moves = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(game.rules.MOVES, np.int64)
        options = (len(seats), int(variant), policies, seed, first, count)
        functions.play_games(books, to_array(state()), tables, *options, dice_rng, choice_rng, moves, scores)
        return scores[:, : len(seats)], tables

    return run


def play(
    game: Game,
    seats: Sequence[str],
    games: int,
    seed: int,
    workers: int = 1,
    variant: Variant = Variant.NONE,
    tick: Callable[[int], None] = lambda _: None,
) -> Batch:
    """Play ``games`` games with the named computer players on the seats; ``tick`` is told how many more are done."""
    import numpy as np

    from foxclover.fast import from_array

    run = runner(game, seats, variant)
    run(seed, 0, 1)  # compile before the clock runs
    scores = np.zeros((games, len(seats)), np.int64)
    places = np.zeros((games, len(seats)), np.int64)
    parts: dict[str, int] = {}
    count_foxes = getattr(game.scoring, "foxes", lambda *_: 0)  # only the Clever games have them
    foxes = 0
    seconds = 0.0

    def timed(first: int, count: int) -> tuple[int, Scores, Any, float]:
        started = time.thread_time()  # other work on the machine does not count
        result = run(seed, first, count)
        return (first, *result, time.thread_time() - started)

    with ThreadPoolExecutor(workers) as threads:
        jobs = [threads.submit(timed, first, count) for first, count in _chunks(games)]
        for job in as_completed(jobs):
            first, points, finals, spent = job.result()
            seconds += spent
            scores[first : first + len(points)] = points
            for number, row in enumerate(finals, first):
                final = from_array(game.rules.State, row)
                places[number] = game.scoring.places(game.book, final)
                for seat in range(len(seats)):
                    foxes += count_foxes(final, seat)
                    for name, value in game.scoring.breakdown(game.book, final, seat).items():
                        parts[name] = parts.get(name, 0) + int(value)
            tick(len(points))
    results = games * len(seats)
    means = {name: value / results for name, value in parts.items()}
    return Batch(scores, places, means, foxes / results, 1000 * seconds / games)


def _chunks(games: int) -> Iterator[tuple[int, int]]:
    for first in range(0, games, CHUNK):
        yield first, min(CHUNK, games - first)
