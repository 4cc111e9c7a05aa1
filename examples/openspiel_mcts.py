"""OpenSpiel's MCTS with random playouts, as an agent for the benchmark.

Install ``foxclover[envs]``. Then run in this folder:
``SIMULATIONS=20 foxclover benchmark openspiel_mcts:MCTS --games 10 --steps 0``
"""

from __future__ import annotations

import os

import numpy as np
from open_spiel.python.algorithms import mcts

from foxclover import Game, Position, envs

SIMULATIONS = int(os.environ.get("SIMULATIONS", "100"))  # of a decision
EXPLORATION = 50.0  # points


class MCTS:
    """Search by random playouts."""

    def __init__(self, game: Game) -> None:
        self.game, self.random = game, np.random.RandomState(1)

    def reset(self, seed: int) -> None:
        """Start a game: the same seed gives the same choices."""
        self.random.seed(seed % 2**32)

    def choose(self, position: Position, seat: int) -> int:
        """Return the move with the most visits."""
        spiel = envs.openspiel_game(self.game.key, position.players)
        state = spiel.new_initial_state()
        state.table = position.state.copy()
        if state.current_player() != seat:  # several seats may act: OpenSpiel asks the first one
            return position.legal_numbers(seat)[0]
        evaluator = mcts.RandomRolloutEvaluator(1, self.random)
        bot = mcts.MCTSBot(
            spiel, EXPLORATION, SIMULATIONS, evaluator, solve=False, random_state=self.random
        )
        return envs.actions(self.game.key, position.players)[bot.step(state)].move
