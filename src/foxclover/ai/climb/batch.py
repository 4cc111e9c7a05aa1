"""Many games of thinking players at once, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from foxclover.ai.climb import nets
from foxclover.ai.climb.levels import LEVELS
from foxclover.ai.climb.playing import THINKING
from foxclover.ai.levels import Level
from foxclover.ai.simple import POLICIES
from foxclover.climb.state import SEATS, State
from foxclover.game import Game, Variant

if TYPE_CHECKING:
    from foxclover.ai.batch import Runner, Scores
    from foxclover.ai.climb.parts import Nets

SAMPLES = 16  # of cards that may be drawn, for each decision about purchases


def runner(game: Game, seats: Sequence[str], variant: Variant) -> Runner:
    """Return what plays games with these computer players on the seats."""
    return runner_with(nets.shipped_nets(game.key), game, seats, variant)


def runner_with(thought: Nets, game: Game, seats: Sequence[str], variant: Variant) -> Runner:
    """The same with given nets."""
    import numpy as np

    from foxclover.fast import dtype

    play = nets.functions().play_with_minds
    players = [*seats, *["random"] * (SEATS - len(seats))]
    levels = [LEVELS.get(name, Level()) for name in players]
    policies = np.array([POLICIES.get(name, THINKING) for name in players])
    heats = np.array([level.heat for level in levels])
    tries = np.array([level.tries for level in levels])
    to_win = np.array([int(level.to_win) for level in levels])

    def run(seed: int, first: int, count: int) -> tuple[Scores, Any]:
        books, mind, states = nets.workplace(game, thought, SAMPLES)
        scores = np.zeros((count, SEATS), np.int64)
        finals = np.zeros(count, dtype(State))
        play(books, mind, states, len(seats), int(variant), policies, heats, tries, to_win, seed, first, count, scores, finals)
        return scores[:, : len(seats)], finals

    return run
