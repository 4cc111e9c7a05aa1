"""A custom agent.

Among moves that leave it equally many points, it keeps most moves open for the next roll. Try it
from this folder: ``foxclover simulate ganz --agent greedy,own_agent:OpenMinded --games 20``
"""

from __future__ import annotations

import random

from foxclover import Game, Move, Position


class OpenMinded:
    """Looks one move ahead."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.random = random.Random()

    def reset(self, seed: int) -> None:
        """Start a game: the same seed gives the same game."""
        self.random.seed(seed)

    def choose(self, position: Position, seat: int) -> Move:
        """Return the move with the most points after it.

        Among equals the one with the most moves after it, then any.
        """

        def promise(move: Move) -> tuple[int, int, float]:
            ahead = position.copy()
            ahead.push(move)
            return ahead.score(seat), len(ahead.legal_moves(seat)), self.random.random()

        return max(position.legal_moves(seat), key=promise)
