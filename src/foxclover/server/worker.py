"""What a worker process does: rebuild a position, think, answer with plain values."""

from __future__ import annotations

import os
import signal
from functools import cache
from multiprocessing import parent_process
from threading import Thread
from typing import NamedTuple

from foxclover import ai
from foxclover.game import game

LEVELS = (*ai.SIMPLE, *ai.LEVELS)
"""The computer players one can invite to a table, weakest first."""
ADVISER = ai.LEVELS[-1]
NOT_VALUED = -1e6


class Valued(NamedTuple):
    """A legal move and the final points it promises, with their standard error."""

    move: int
    expected: float
    error: float


def choose(level: str, key: str, dumped: str, seat: int) -> int:
    """Return the number of the move a computer player makes."""
    return _agent(level, key).choose(game(key).load(dumped), seat).number


def rank(key: str, dumped: str, seat: int) -> list[Valued]:
    """Return the legal moves with what they are worth, but for those that others plainly beat, which nobody has valued."""
    ranked = _adviser(key).rank(game(key).load(dumped), seat)
    return [Valued(value.move.number, value.expected, value.error) for value in ranked if value.expected > NOT_VALUED]


def prepare(level: str, key: str) -> None:
    """Load what a computer player needs, before it is its turn."""
    _agent(level, key)


def live_with_parent() -> None:
    """Leave Ctrl+C to the server, and end when it ends, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)


@cache
def _agent(level: str, key: str) -> ai.Agent:
    return ai.agent(level, game(key))


@cache
def _adviser(key: str) -> ai.Adviser:
    return ai.adviser(ADVISER, game(key))
