"""Playing to win: in the last round a final score is worth the chance that it beats everybody else's."""

from __future__ import annotations

from math import erf, sqrt
from typing import TYPE_CHECKING

from foxclover.ai.climb.leaves import LUCK_NOW, TO_WIN
from foxclover.ai.climb.rolling import solve
from foxclover.climb.state import Deck, State

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Nets, Solver

HIGHEST = 1024
POINTS_OF_A_WIN = 100.0
STILL_IN, OUT = 9.0, 0.8  # how far a rival's final score strays from what is expected of him


def aim_to_win(deck: Deck, known: State, seat: int, nets: Nets, solver: Solver, rival: Solver) -> None:
    """Fill in what each final score is worth, from what was ``known`` when the dice last fell."""
    for points in range(HIGHEST):
        solver.wins[points] = POINTS_OF_A_WIN
    for other in range(known.players):
        if other != seat:
            theirs = known.seats[other]
            solve(deck, known, other, nets, rival, known.roll)
            luck = rival.facts[LUCK_NOW]
            expected = rival.roll[0][luck] if theirs.playing else rival.stop[0][luck]
            stray = STILL_IN if theirs.playing else OUT
            for points in range(HIGHEST):
                solver.wins[points] *= 0.5 + 0.5 * erf((points - expected) / (sqrt(2.0) * stray))
    for points in range(HIGHEST):
        solver.wins[points] += 0.1 * points
    solver.facts[TO_WIN] = 1
