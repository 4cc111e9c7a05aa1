"""A whole game played by the engine and by a referee side by side."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from foxclover.chance import seeded
from foxclover.game import CHANCE, Position

Habit = Callable[[random.Random, list[str]], str]


def anything(rng: random.Random, texts: list[str]) -> str:
    return rng.choice(texts)


def play_on(
    position: Position, referee: Any, compare: Callable[[Position, Any], None], habit: Habit, seed: int, rng: random.Random
) -> None:
    """Play to the end with everybody moving by habit, and compare before every move and at the end."""
    dice = seeded(seed)
    while not position.over:
        compare(position, referee)
        seat = rng.choice(sorted(position.to_act))
        if seat == CHANCE:
            move = dice.draw(position)
        else:
            moves = {move.text: move for move in position.legal_moves(seat)}
            move = moves[habit(rng, list(moves))]
        position.push_unchecked(move)
        referee.play(seat, move.text)
    compare(position, referee)
    assert set(position.winners) == referee.winners()
