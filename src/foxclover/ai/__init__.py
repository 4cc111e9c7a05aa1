"""Computer players by name: ``agent(name, game)`` chooses moves at a table.

``random`` and ``greedy`` play every game by ``simple``. The others think with a net. One skeleton serves all games; the packages here hold
what differs from family to family: ``family`` and ``families`` name what the skeleton asks of them.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from foxclover.chance import fresh_seed
from foxclover.game import Game, LegalMoves, Move, Position

SIMPLE = ("random", "greedy")
FOR_PEOPLE = ("easy", "medium", "strong")
"""Computer players made for people, weakest first: one that errs like a beginner, one that errs a little, the strongest."""
THINKING = ("net", "search")
"""One look ahead with the net; the net and games played on with it."""
AGENTS = (*SIMPLE, *FOR_PEOPLE, *THINKING)


class UnknownAgent(ValueError):
    """No computer player has this name."""


class Ranked(NamedTuple):
    """A legal move and the final points it promises. The standard error is 0 where a net says so and nothing was tried out."""

    move: Move
    expected: float
    error: float


class Agent(Protocol):
    """A computer player."""

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move for a seat that may act."""


class Adviser(Agent, Protocol):
    """A computer player that can say what it thinks of every move."""

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """All legal moves, the best first."""


def choices(game: Game, position: Position, seat: int) -> LegalMoves:
    """What an agent of a game may choose from; raises ``ValueError`` where there is nothing."""
    if position.game != game:
        raise ValueError(
            f"a computer player of {game.key} cannot choose in a position of {position.game.key}"
        )
    moves = position.legal_moves(seat)
    if not moves:
        raise ValueError(f"seat {seat} has nothing to choose here")
    return moves


def agent(name: str, game: Game, seed: int | None = None) -> Agent:
    """Return the computer player of that name, or one of one's own, ``module:Class``; with a ``seed`` its choices can be repeated."""
    from foxclover.ai.simple import POLICIES, SimpleAgent

    if ":" in name:
        from foxclover.own_agents import OwnAgent

        own = OwnAgent(name, game)
        own.reset(fresh_seed() if seed is None else seed)
        return own
    if name in POLICIES:
        return SimpleAgent(game, POLICIES[name], seed)
    return adviser(name, game, seed)


def adviser(name: str, game: Game, seed: int | None = None) -> Adviser:
    """Return a computer player that thinks; raises ``net_file.NetError`` if its net cannot be used."""
    if name in SIMPLE:
        raise UnknownAgent(
            f"{name!r} ranks no moves; those that do are {', '.join((*FOR_PEOPLE, *THINKING))}"
        )
    if name not in AGENTS:
        raise UnknownAgent(f"{name!r} is no computer player; there are {', '.join(AGENTS)}")
    from foxclover.ai.agents import RatingAgent, SearchAgent
    from foxclover.ai.families import family_of

    strength = family_of(game).STRENGTHS[name]
    return (
        SearchAgent(game, strength, seed) if strength.seconds else RatingAgent(game, strength, seed)
    )
