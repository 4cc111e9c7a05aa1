"""A custom agent in 30 lines.

It makes the move with the most points after it. Among equal moves it prefers the one that leaves
most moves for the next roll. Run it in this folder:
``foxclover simulate ganz --agent greedy,own_agent:OpenMinded --games 20``
"""

from __future__ import annotations

import random

from foxclover import Game, Move, Position


class OpenMinded:
    """Look one move ahead."""

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
