"""What computer players do wherever they run: rebuild a position, think, answer with plain values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, Protocol

from foxclover import ai
from foxclover.ai.agents import SearchAgent, Steps
from foxclover.game import Position, game

OPPONENTS = (*ai.SIMPLE, *ai.FOR_PEOPLE)
"""The computer players one can invite to a table, weakest first."""
ADVISER = ai.FOR_PEOPLE[-1]
SIMPLER = ai.SIMPLE[-1]
"""Who plays where a net cannot be used."""
NOT_VALUED = -1e6


class Valued(NamedTuple):
    """A legal move and the final points it promises, with their standard error."""

    move: int
    expected: float
    error: float


class Computers(Protocol):
    """The way to the computer players."""

    levels: list[str]

    @property
    def waiting(self) -> int:
        """How many thoughts wait for their turn."""

    def prepare(self, level: str, key: str) -> None:
        """Get ready for a game before the first thought is wanted."""

    async def choose(self, level: str, position: Position, seat: int, table: str = "") -> int:
        """Return the number of the move that a computer player makes."""

    async def rank(self, position: Position, seat: int, client: str = "") -> list[Valued]:
        """Return the legal moves with what they are worth; raises ``NetError`` where nobody can tell."""

    async def work(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Do something that can wait until nobody has anything to think about."""


def choose(level: str, key: str, dumped: str, seat: int) -> int:
    """Return the number of the move a computer player makes."""
    return _agent(level, key).choose(game(key).load(dumped), seat).number


def rank(key: str, dumped: str, seat: int) -> list[Valued]:
    """Return the legal moves with what they are worth, but for those that others plainly beat, which nobody has valued."""
    return _valued(_adviser(key).rank(game(key).load(dumped), seat))


def choose_in_steps(level: str, key: str, dumped: str, seat: int) -> Steps[int]:
    """Choose a move with something else done in between."""
    agent, position = _agent(level, key), game(key).load(dumped)
    if isinstance(agent, SearchAgent):
        return (yield from agent.choose_in_steps(position, seat)).number
    return agent.choose(position, seat).number


def rank_in_steps(key: str, dumped: str, seat: int) -> Steps[list[Valued]]:
    """Rank the moves with something else done in between."""
    adviser = _adviser(key)
    assert isinstance(adviser, SearchAgent)
    return _valued((yield from adviser.rank_in_steps(game(key).load(dumped), seat)))


def _valued(ranked: list[ai.Ranked]) -> list[Valued]:
    return [
        Valued(value.move.number, value.expected, value.error)
        for value in ranked
        if value.expected > NOT_VALUED
    ]


def prepare(level: str, key: str) -> None:
    """Load what a computer player needs, before it is its turn."""
    _agent(level, key)


@cache
def _agent(level: str, key: str) -> ai.Agent:
    return ai.agent(level, game(key))


@cache
def _adviser(key: str) -> ai.Adviser:
    return ai.adviser(ADVISER, game(key))
