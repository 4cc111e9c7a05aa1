"""Computer players by name: ``agent(name, game)`` chooses moves at a table.

``random`` and ``greedy`` need no net, the others use one. The code is common to all games:
``stubs`` and ``families`` declare what it needs of a family.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from foxclover.core.errors import expect_type
from foxclover.core.game import Game
from foxclover.core.move import LegalMoves, Move
from foxclover.core.position import Position
from foxclover.dice.sources import check_seed, fresh_seed

SIMPLE = ("random", "greedy")
FOR_PEOPLE = ("easy", "medium", "strong")
"""Computer players for people, weakest first: beginner's errors, small errors, the strongest."""
THINKING = ("net", "search")
"""Ratings of the net; rollouts with the net."""
AGENTS = (*SIMPLE, *FOR_PEOPLE, *THINKING)


class UnknownAgent(ValueError):
    """No computer player has this name."""


class Ranked(NamedTuple):
    """A legal move and its expected final points; the error is 0 for ratings without rollouts."""

    move: Move
    expected: float
    error: float


class Agent(Protocol):
    """A computer player."""

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move for a seat that may act."""


class Adviser(Agent, Protocol):
    """A computer player that ranks moves."""

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """Return all legal moves, the best first."""


def choices(game: Game, position: Position, seat: int) -> LegalMoves:
    """Return the legal moves for an agent; raise ``ValueError`` if there are none."""
    if position.game != game:
        raise ValueError(
            f"a computer player of {game.key} cannot choose in a position of {position.game.key}"
        )
    moves = position.legal_moves(seat)
    if not moves:
        raise ValueError(f"seat {seat} has nothing to choose here")
    return moves


def agent(name: str, game: Game, seed: int | None = None) -> Agent:
    """Return the computer player of a name, or a custom one, ``module:Class``.

    A ``seed`` makes its choices repeatable: a search then counts rollouts instead of seconds.
    """
    from foxclover.ai.agents import SimpleAgent
    from foxclover.ai.families import POLICIES

    seed = None if seed is None else check_seed(seed)
    expect_type(Game, game, f"a computer player is made for a Game, such as game({game!r})")
    if ":" in name:
        from foxclover.ai.custom_agents import CustomAgent

        own = CustomAgent(name, game)
        own.reset(fresh_seed() if seed is None else seed)
        return own
    if name in POLICIES:
        return SimpleAgent(game, POLICIES[name], seed)
    return adviser(name, game, seed)


def adviser(name: str, game: Game, seed: int | None = None) -> Adviser:
    """Return a computer player that ranks moves, with a ``seed`` as in ``agent``.

    Raise ``nets.NetError`` if its net is not usable.
    """
    expect_type(Game, game, f"a computer player is made for a Game, such as game({game!r})")
    if name in SIMPLE:
        raise UnknownAgent(
            f"{name!r} ranks no moves; those that do are {', '.join((*FOR_PEOPLE, *THINKING))}"
        )
    if name not in AGENTS:
        raise UnknownAgent(f"{name!r} is no computer player; there are {', '.join(AGENTS)}")
    from foxclover.ai.agents import RatingAgent, SearchAgent
    from foxclover.ai.families import family_of

    strength = family_of(game).STRENGTHS[name]
    if seed is not None:
        strength = strength._replace(seconds=0.0)
    return (
        SearchAgent(game, strength, seed) if strength.tries else RatingAgent(game, strength, seed)
    )
