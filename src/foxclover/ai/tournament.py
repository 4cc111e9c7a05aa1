"""Computer players against each other: every deal of dice is played once in each order of seats, so that no seat profits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from foxclover.ai import batch
from foxclover.game import Game


def play(
    game: Game,
    agents: Sequence[str],
    games: int,
    seed: int,
    workers: int = 1,
    variant: int = 0,
    tick: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """Play at least ``games`` games; return for each agent its share of wins (a shared win counts in parts) and its mean score."""
    import numpy as np

    turns = len(agents)
    deals = -(-games // turns)
    wins = np.zeros((turns, deals, turns))  # rotation, deal, agent
    scores = np.zeros((turns, deals, turns))
    for turn in range(turns):
        order = [(seat + turn) % turns for seat in range(turns)]
        result = batch.play(game, [agents[index] for index in order], deals, seed, workers, variant, tick)
        first = result.places == 1
        wins[turn][:, order] = first / first.sum(axis=1, keepdims=True)
        scores[turn][:, order] = result.scores
    shares = wins.mean(axis=0)  # the games of one deal share their dice, so the error is that of the deals
    errors = shares.std(axis=0, ddof=1) / deals**0.5 if deals > 1 else np.zeros(turns)
    seats = [
        {"agent": name, "wins": float(shares[:, index].mean()), "se": float(errors[index]), "mean": float(scores[:, :, index].mean())}
        for index, name in enumerate(agents)
    ]
    return {"game": game.key, "players": turns, "games": deals * turns, "seed": seed, "seats": seats}
