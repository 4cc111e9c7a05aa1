"""Many games of thinking players at once, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from foxclover.ai.clever import nets
from foxclover.ai.clever.levels import LEVELS
from foxclover.ai.clever.playing import THINKING
from foxclover.ai.levels import Level
from foxclover.ai.simple import POLICIES
from foxclover.clever.state import SEATS, State
from foxclover.game import Game, Variant

if TYPE_CHECKING:
    from foxclover.ai.batch import Runner, Scores
    from foxclover.ai.parts import Net


def runner(game: Game, seats: Sequence[str], _: Variant) -> Runner:
    """Return what plays games with these computer players on the seats."""
    return runner_with(nets.shipped_net(game), game, seats)


def runner_with(net: Net, game: Game, seats: Sequence[str]) -> Runner:
    """The same with a given net."""
    import numpy as np

    from foxclover.fast import dtype

    play = nets.functions().play_with_minds
    players = [*seats, *["random"] * (SEATS - len(seats))]
    levels = [LEVELS.get(name, Level()) for name in players]
    policies = np.array([POLICIES.get(name, THINKING) for name in players])
    heats = np.array([level.heat for level in levels])
    rollouts = np.array([level.tries for level in levels])
    to_win = np.array([int(level.to_win) for level in levels])

    def run(seed: int, first: int, count: int) -> tuple[Scores, Any]:
        books, mind, states = nets.workplace(game, net)
        scores = np.zeros((count, SEATS), np.int64)
        finals = np.zeros(count, dtype(State))
        play(books, mind, states, len(seats), policies, heats, rollouts, to_win, seed, first, count, scores, finals)
        return scores[:, : len(seats)], finals.view(np.recarray)

    return run
