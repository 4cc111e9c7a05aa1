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


def live_with_parent() -> None:
    """Leave Ctrl+C to the server, and end when it ends, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)


def ready() -> None:
    """Answer at once: the process runs."""


@cache
def _agent(level: str, key: str) -> ai.Agent:
    return ai.agent(level, game(key))
