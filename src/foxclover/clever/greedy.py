"""A simple computer player: always the move that brings the most points at once."""

from __future__ import annotations

from foxclover.clever.rules import apply, score
from foxclover.clever.state import Sheet, State
from foxclover.records import assign


def greedy(
    sheet: Sheet, state: State, scratch: State, seat: int, moves: list[int], count: int
) -> int:
    """Index of the move with the highest score right after it; the first of equals, so dice before passing."""
    best = 0
    best_score = -1000
    for index in range(count):
        assign(scratch, state)
        apply(sheet, scratch, seat, moves[index])
        points = score(sheet, scratch, seat)
        if points > best_score:
            best = index
            best_score = points
    return best
