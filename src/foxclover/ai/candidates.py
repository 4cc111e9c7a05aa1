"""Legal moves with ratings and results of rollouts, by index: kernel code."""

from __future__ import annotations

from foxclover.core.records import Record, floats, ints
from foxclover.core.rules import MAX_MOVES

WIDTH = 6  # moves with rollouts, at most
MARGIN = 6.0  # a move that is further behind the best gets no rollouts
POINTS_OF_A_WIN = 100.0


class Candidates(Record):
    """The moves of one decision."""

    count: int  # legal moves
    moves: list[int] = ints(MAX_MOVES)
    ratings: list[float] = floats(MAX_MOVES)  # expected final points
    priorities: list[float] = floats(MAX_MOVES)  # ratings that select moves for rollouts
    order: list[int] = ints(MAX_MOVES)  # indices of the moves, the best first
    tries: list[int] = ints(MAX_MOVES)
    sums: list[float] = floats(MAX_MOVES)  # of the points of all rollouts
    squares: list[float] = floats(MAX_MOVES)
    wins: list[float] = floats(MAX_MOVES)


def best_rated(candidates: Candidates) -> int:
    """Return the index of the best rating."""
    best = 0
    for index in range(1, candidates.count):
        if candidates.ratings[index] > candidates.ratings[best]:
            best = index
    return best


def pick_candidates(candidates: Candidates) -> int:
    """Order the moves by priority, without rollouts yet; return how many deserve rollouts."""
    for index in range(candidates.count):
        candidates.order[index] = index
        candidates.tries[index] = 0
        candidates.sums[index] = 0.0
        candidates.squares[index] = 0.0
        candidates.wins[index] = 0.0
    picked = 0
    for at in range(candidates.count):
        best = at
        for other in range(at + 1, candidates.count):
            if (
                candidates.priorities[candidates.order[other]]
                > candidates.priorities[candidates.order[best]]
            ):
                best = other
        candidates.order[at], candidates.order[best] = candidates.order[best], candidates.order[at]
        if (
            at < WIDTH
            and candidates.priorities[candidates.order[at]]
            > candidates.priorities[candidates.order[0]] - MARGIN
        ):
            picked = at + 1
    return picked


def note_try(candidates: Candidates, index: int, points: float, won: float) -> None:
    """Add the result of a rollout."""
    candidates.tries[index] += 1
    candidates.sums[index] += points
    candidates.squares[index] += points * points
    candidates.wins[index] += won


def value(candidates: Candidates, index: int, prior: float, to_win: bool) -> float:
    """Return the value of a move; its rating counts as much as ``prior`` rollouts."""
    points = (prior * candidates.ratings[index] + candidates.sums[index]) / (
        prior + candidates.tries[index]
    )
    if to_win:
        points += POINTS_OF_A_WIN * candidates.wins[index] / candidates.tries[index]
    return points


def drop_weaker_half(candidates: Candidates, left: int, prior: float, to_win: bool) -> int:
    """Order the first moves of the order by value; return how many get further rollouts."""
    for at in range(left):
        best = at
        for other in range(at + 1, left):
            if value(candidates, candidates.order[other], prior, to_win) > value(
                candidates, candidates.order[best], prior, to_win
            ):
                best = other
        candidates.order[at], candidates.order[best] = candidates.order[best], candidates.order[at]
    return (left + 1) // 2
