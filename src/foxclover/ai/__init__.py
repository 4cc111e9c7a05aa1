"""Computer players by name: ``agent(name, game)`` chooses moves at a table, ``batch`` lets them play many games at once."""

from __future__ import annotations

from typing import Protocol

from foxclover.game import Game, Move, Position

AGENTS = ("random", "greedy")
"""All computer players, weakest first."""


class UnknownAgent(ValueError):
    """No computer player has this name."""


class Agent(Protocol):
    """A computer player."""

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move for a seat that may act."""


def agent(name: str, game: Game, seed: int | None = None) -> Agent:
    """Return the computer player of that name; with a ``seed`` its choices can be repeated."""
    from foxclover.ai.simple import POLICIES, SimpleAgent

    if name not in POLICIES:
        raise UnknownAgent(f"{name!r} is no computer player; there are {', '.join(AGENTS)}")
    return SimpleAgent(game, POLICIES[name], seed)
