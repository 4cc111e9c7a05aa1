"""Tasks of computer players, wherever they run: load a position, think, return plain values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, Protocol, TypeVar, TypeVarTuple

from foxclover import ai
from foxclover.ai.agents import SearchAgent, Steps
from foxclover.core.game import game
from foxclover.core.position import Position

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

OPPONENTS = (*ai.SIMPLE, *ai.FOR_PEOPLE)
"""The computer players for tables, weakest first."""
ADVISER = ai.FOR_PEOPLE[-1]
SIMPLER = ai.SIMPLE[-1]
"""The replacement for a player whose net cannot be used."""
NOT_VALUED = -1e6


class Valued(NamedTuple):
    """A legal move with its expected final points and their standard error."""

    move: int
    expected: float
    error: float


class Computers(Protocol):
    """The computer players as tables use them."""

    strengths: list[str]

    @property
    def waiting(self) -> int:
        """Return the number of waiting thoughts."""

    def prepare(self, strength: str, key: str) -> None:
        """Load a game before the first thought."""

    async def choose(self, strength: str, position: Position, seat: int, table: str = "") -> int:
        """Return the number of the move that a computer player chooses."""

    async def rank(self, position: Position, seat: int, client: str = "") -> list[Valued]:
        """Return the legal moves with their values; raises ``NetError`` without a usable net."""

    async def work(self, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Run a call that can wait until no player thinks."""


def choose(strength: str, key: str, dumped: str, seat: int) -> int:
    """Return the number of the move that a computer player chooses."""
    return _agent(strength, key).choose(game(key).load(dumped), seat).number


def rank(key: str, dumped: str, seat: int) -> list[Valued]:
    """Return the legal moves with their values, without those that were dropped unvalued."""
    return _valued(_adviser(key).rank(game(key).load(dumped), seat))


def choose_in_steps(strength: str, key: str, dumped: str, seat: int) -> Steps[int]:
    """Choose a move in steps."""
    agent, position = _agent(strength, key), game(key).load(dumped)
    if isinstance(agent, SearchAgent):
        return (yield from agent.choose_in_steps(position, seat)).number
    return agent.choose(position, seat).number


def rank_in_steps(key: str, dumped: str, seat: int) -> Steps[list[Valued]]:
    """Rank the legal moves in steps."""
    adviser = _adviser(key)
    assert isinstance(adviser, SearchAgent)
    return _valued((yield from adviser.rank_in_steps(game(key).load(dumped), seat)))


def _valued(ranked: list[ai.Ranked]) -> list[Valued]:
    return [
        Valued(value.move.number, value.expected, value.error)
        for value in ranked
        if value.expected > NOT_VALUED
    ]


def prepare(strength: str, key: str) -> None:
    """Load a computer player."""
    _agent(strength, key)


@cache
def _agent(strength: str, key: str) -> ai.Agent:
    return ai.agent(strength, game(key))


@cache
def _adviser(key: str) -> ai.Adviser:
    return ai.adviser(ADVISER, game(key))
