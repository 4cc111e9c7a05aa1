"""What a worker process does: rebuild a position, think, answer with plain values."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from foxclover.game import Position, game


class Valued(NamedTuple):
    """A legal move and the final points it promises, with their standard error."""

    move: int
    expected: float
    error: float


def choose(level: str, key: str, dumped: str, seat: int) -> int:
    """Return the number of the move a computer player makes."""
    return LEVELS[level](game(key).load(dumped), seat)


def rank(key: str, dumped: str, seat: int) -> list[Valued]:
    """Return all legal moves with what they are worth; none if nobody here can tell."""
    return []


def ready() -> None:
    """Answer at once: the process runs."""


def _random(position: Position, seat: int) -> int:
    return secrets.choice(position.legal_numbers(seat))


def _greedy(position: Position, seat: int) -> int:
    moves = position.legal_numbers(seat)
    package = import_module(f"foxclover.{position.game.package}.greedy")
    index: int = package.greedy(position.game.book.tables, position.state, position.state.copy(), seat, moves, len(moves))
    return moves[index]


LEVELS: dict[str, Callable[[Position, int], int]] = {"random": _random, "greedy": _greedy}
"""Computer players by name, weakest first."""
