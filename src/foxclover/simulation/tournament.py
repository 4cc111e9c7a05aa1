"""Computer players against each other: every deal of dice is played once in each order of seats, so that no seat profits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from foxclover.game import Position
from foxclover.own_agents import Maker
from foxclover.simulation.outcome import Interrupted, Outcome, Stopped

if TYPE_CHECKING:
    from foxclover.simulation.rows import Rows


def play(
    agents: Sequence[str | Maker],
    games: int,
    play_batch: Callable[..., Outcome],
    each: Callable[[int, int, Position], None] | None = None,
    keep: Callable[[Rows], None] = lambda _: None,
) -> dict[str, Any]:
    """Play at least ``games`` games; return for each agent its share of wins (a shared win counts in parts) and its mean score.

    ``play_batch`` is ``batch.play`` with all but its seats, games and ``each``. ``keep`` is given the rows of the games, ``each`` the order
    of seats, the number and the course of every game.
    """
    from foxclover.simulation import rows

    turns = len(agents)
    tables: list[Rows] = []
    for turn in range(turns):
        order = [(seat + turn) % turns for seat in range(turns)]
        told = partial(each, turn) if each else None
        seats = [agents[index] for index in order]
        try:
            outcome = play_batch(seats=seats, games=-(-games // turns), each=told)
        except (Stopped, Interrupted) as error:
            if error.outcome:
                keep(rows.to_rows(error.outcome, turn, order))
            raise
        tables.append(rows.to_rows(outcome, turn, order))
        keep(tables[-1])
    return summary(rows.join(tables))


def summary(rows: Rows) -> dict[str, Any]:
    """What the rows of a tournament tell."""
    import numpy as np

    players = int(rows["player"].max())
    by_game = (-1, players)
    first = (rows["place"] == 1).reshape(by_game)
    wins = (first / first.sum(axis=1, keepdims=True)).ravel()
    keys = np.stack([rows["seed"], rows["number"]], axis=1)
    _, deal = np.unique(keys, axis=0, return_inverse=True)
    deals = int(deal.max()) + 1
    seats = []
    for player in range(1, players + 1):
        mine = rows["player"] == player
        played = np.bincount(deal[mine], minlength=deals)
        shares = (np.bincount(deal[mine], wins[mine], deals) / np.maximum(played, 1))[played > 0]
        # The games of one deal share their dice, so the error is that of the deals.
        error = float(shares.std(ddof=1)) / len(shares) ** 0.5 if len(shares) > 1 else 0.0
        name, mean = str(rows["agent"][mine][0]), float(rows["points"][mine].mean())
        seats.append({"agent": name, "wins": float(shares.mean()), "se": error, "mean": mean})
    head = {
        "game": str(rows["game"][0]),
        "players": players,
        "games": len(rows["points"]) // players,
        "seed": int(rows["seed"][0]),
    }
    return {**head, "seats": seats}
