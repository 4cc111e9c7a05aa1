"""What a worker process does: rebuild a position, think, answer with plain values."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from foxclover import ai
from foxclover.game import game

FOR_PEOPLE = ("random", "greedy", "easy", "medium", "strong")
LEVELS = tuple(level for level in FOR_PEOPLE if level in ai.AGENTS)
"""The computer players one can invite to a table, weakest first."""


class Valued(NamedTuple):
    """A legal move and the final points it promises, with their standard error."""

    move: int
    expected: float
    error: float


def choose(level: str, key: str, dumped: str, seat: int) -> int:
    """Return the number of the move a computer player makes."""
    return _agent(level, key).choose(game(key).load(dumped), seat).number


def rank(key: str, dumped: str, seat: int) -> list[Valued]:
    """Return all legal moves with what they are worth; none if nobody here can tell."""
    advisor = getattr(_agent(LEVELS[-1], key), "rank", None)
    ranked = advisor(game(key).load(dumped), seat) if advisor else []
    return [Valued(value.move.number, value.expected, value.error) for value in ranked]


def ready() -> None:
    """Answer at once: the process runs."""


@cache
def _agent(level: str, key: str) -> ai.Agent:
    return ai.agent(level, game(key))
