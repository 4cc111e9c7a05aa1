"""The simple computer players, ``random`` and ``greedy``, at a table: the same code that plays them in batches, run by CPython."""

from __future__ import annotations

from foxclover.ai import choices
from foxclover.chance import fresh_seed
from foxclover.game import Game, Move, Position
from foxclover.kernel.link import link
from foxclover.playouts import CHOICE_STREAM, GREEDY, RANDOM
from foxclover.rng import seed_rng

POLICIES = {"random": RANDOM, "greedy": GREEDY}


class SimpleAgent:
    """Chooses by one of the policies of ``playouts``."""

    def __init__(self, game: Game, policy: int, seed: int | None = None) -> None:
        self.game = game
        self.policy = policy
        self.functions = link(game.family)
        self.scratch = game.rules.State()
        self.rng = [0, 0, 0, 0]
        self.reset(fresh_seed() if seed is None else seed)

    def reset(self, seed: int) -> None:
        """Begin a new game."""
        seed_rng(self.rng, seed ^ CHOICE_STREAM, 0)

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        moves = choices(self.game, position, seat)
        buffer = [0] * self.game.rules.MOVES
        number = self.functions.choose(
            self.game.book.tables, position.state, self.scratch, self.policy, seat, buffer, self.rng
        )
        return moves[moves.numbers.index(number)]
