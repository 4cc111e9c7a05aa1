"""What all thinking computer players at a table have in common: they rate every legal move."""

from __future__ import annotations

from foxclover.ai import Ranked
from foxclover.ai.levels import Level
from foxclover.chance import fresh_seed
from foxclover.game import Game, Move, Position
from foxclover.playouts import CHOICE_STREAM
from foxclover.rng import seed_rng


class Thinker:
    """Takes the move with the best rating, or at an easy level one whose rating it mistakes for that."""

    def __init__(self, game: Game, level: Level, seed: int | None = None) -> None:
        self.game = game
        self.level = level
        self.rng = [0, 0, 0, 0]
        seed_rng(self.rng, (fresh_seed() if seed is None else seed) ^ CHOICE_STREAM, 0)

    def rate(self, position: Position, seat: int) -> list[float]:
        """Expected final points of every legal move that may be the best; the others may have less."""
        raise NotImplementedError

    def rate_all(self, position: Position, seat: int) -> list[float]:
        """Expected final points of every legal move."""
        return self.rate(position, seat)

    def mistake(self, ratings: list[float]) -> int:
        """The index of the best rating after each was misjudged as the level says."""
        raise NotImplementedError

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        moves: list[Move] = position.legal_moves(seat)
        if len(moves) == 1:
            return moves[0]
        ratings = self.rate(position, seat)
        return moves[self.mistake(ratings) if self.level.heat else ratings.index(max(ratings))]

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """All legal moves, the best first."""
        rated = zip(position.legal_moves(seat), self.rate_all(position, seat), strict=True)
        return sorted((Ranked(move, rating, 0.0) for move, rating in rated), key=lambda value: -value.expected)
