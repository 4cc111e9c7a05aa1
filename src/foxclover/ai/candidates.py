"""Legal moves with what is known of each: the rating, and what trying it out gave. Moves are told apart by their index."""

from __future__ import annotations

from foxclover.playouts import MOVES
from foxclover.records import Record, floats, ints

WIDTH = 6  # moves tried, at most
MARGIN = 6.0  # points behind the best beyond which a move is not tried
POINTS_OF_A_WIN = 100.0


class Trials(Record):
    """The moves of one decision."""

    count: int  # legal moves
    moves: list[int] = ints(MOVES)
    ratings: list[float] = floats(MOVES)  # expected final points
    standings: list[float] = floats(MOVES)  # ratings by which moves are picked to be tried
    order: list[int] = ints(MOVES)  # indices of the moves, the best first
    tries: list[int] = ints(MOVES)
    sums: list[float] = floats(MOVES)  # of the points of all tries
    squares: list[float] = floats(MOVES)
    wins: list[float] = floats(MOVES)


def best_rated(trials: Trials) -> int:
    """The move with the best rating."""
    best = 0
    for index in range(1, trials.count):
        if trials.ratings[index] > trials.ratings[best]:
            best = index
    return best


def pick_candidates(trials: Trials) -> int:
    """Order the moves by their standings, none of them tried yet; return how many are worth trying."""
    for index in range(trials.count):
        trials.order[index] = index
        trials.tries[index] = 0
        trials.sums[index] = 0.0
        trials.squares[index] = 0.0
        trials.wins[index] = 0.0
    picked = 0
    for at in range(trials.count):
        best = at
        for other in range(at + 1, trials.count):
            if trials.standings[trials.order[other]] > trials.standings[trials.order[best]]:
                best = other
        trials.order[at], trials.order[best] = trials.order[best], trials.order[at]
        if (
            at < WIDTH
            and trials.standings[trials.order[at]] > trials.standings[trials.order[0]] - MARGIN
        ):
            picked = at + 1
    return picked


def note_try(trials: Trials, index: int, points: float, won: float) -> None:
    """Add what one more try of a move gave."""
    trials.tries[index] += 1
    trials.sums[index] += points
    trials.squares[index] += points * points
    trials.wins[index] += won


def worth(trials: Trials, index: int, prior: float, to_win: bool) -> float:
    """How good a move is that was tried; its rating counts as much as ``prior`` tries."""
    points = (prior * trials.ratings[index] + trials.sums[index]) / (prior + trials.tries[index])
    if to_win:
        points += POINTS_OF_A_WIN * trials.wins[index] / trials.tries[index]
    return points


def drop_weaker_half(trials: Trials, left: int, prior: float, to_win: bool) -> int:
    """Order the first moves of the order, all of them tried, by their worth; return how many are to be tried again."""
    for at in range(left):
        best = at
        for other in range(at + 1, left):
            if worth(trials, trials.order[other], prior, to_win) > worth(
                trials, trials.order[best], prior, to_win
            ):
                best = other
        trials.order[at], trials.order[best] = trials.order[best], trials.order[at]
    return (left + 1) // 2
