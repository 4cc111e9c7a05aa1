"""Computer players by name: ``agent(name, game)`` chooses moves at a table.

``random`` and ``greedy`` need no net, the others use one. The code is common to all games:
``stubs`` and ``families`` declare what it needs of a family.
"""

from __future__ import annotations

from os import PathLike
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
WITH_NET = (*FOR_PEOPLE, *THINKING)


class UnknownAgent(ValueError):
    """No computer player has this name."""


class Ranked(NamedTuple):
    """A legal move and its expected final points.

    The error is that of the net's values and of rollouts. It is 0 for a net that was not measured.
    """

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


class Named(NamedTuple):
    """A computer player as it is named: ``net``, or ``net=FILE`` with a net of your own."""

    player: str
    net: str = ""  # the file of its net

    @property
    def is_known(self) -> bool:
        """Whether there is such a computer player; custom agents are not looked for."""
        return self.player in (WITH_NET if self.net else AGENTS)


def read_name(name: str) -> Named:
    """Split the name of a computer player from the file of its net."""
    player, _, net = name.partition("=")
    return Named(player, net) if player in WITH_NET else Named(name)


def is_custom(name: str) -> bool:
    """Return whether a name is that of a custom agent, ``module:Class``."""
    named = read_name(name)
    return ":" in named.player


def agent(
    name: str, game: Game, seed: int | None = None, net: str | PathLike[str] | None = None
) -> Agent:
    """Return the computer player of a name, or a custom one, ``module:Class``.

    A ``seed`` makes its choices repeatable: a search then counts rollouts instead of seconds.
    ``net`` is the file of a net of your own, as in the name ``net=FILE``.
    """
    from foxclover.ai.agents import SimpleAgent
    from foxclover.ai.families import POLICIES

    seed = None if seed is None else check_seed(seed)
    expect_type(Game, game, f"a computer player is made for a Game, such as game({game!r})")
    if net and name not in WITH_NET:
        raise UnknownAgent(f"{name!r} uses no net; those that do are {', '.join(WITH_NET)}")
    if is_custom(name):
        from foxclover.ai.custom_agents import CustomAgent

        own = CustomAgent(name, game)
        own.reset(fresh_seed() if seed is None else seed)
        return own
    if name in POLICIES:
        return SimpleAgent(game, POLICIES[name], seed)
    return adviser(name, game, seed, net)


def adviser(
    name: str, game: Game, seed: int | None = None, net: str | PathLike[str] | None = None
) -> Adviser:
    """Return a computer player that ranks moves, with ``seed`` and ``net`` as in ``agent``.

    Raise ``nets.NetError`` if its net is not usable.
    """
    expect_type(Game, game, f"a computer player is made for a Game, such as game({game!r})")
    if name in SIMPLE:
        raise UnknownAgent(f"{name!r} ranks no moves; those that do are {', '.join(WITH_NET)}")
    named = read_name(name)
    if not named.is_known:
        raise UnknownAgent(f"{name!r} is no computer player; there are {', '.join(AGENTS)}")
    from foxclover.ai.agents import RatingAgent, SearchAgent
    from foxclover.ai.families import family_of

    strength, own = family_of(game).STRENGTHS[named.player], net or named.net
    if seed is not None:
        strength = strength._replace(seconds=0.0)
    kind = SearchAgent if strength.tries else RatingAgent
    return kind(game, strength, seed, own)
