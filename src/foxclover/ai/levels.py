"""How thinking computer players differ, and how those that search get ready."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple


class Level(NamedTuple):
    """A way to think."""

    heat: float = 0.0  # points by which it misjudges moves
    seconds: float = 0.0  # to think at a table
    tries: int = 0  # of moves, instead, where games must be repeatable
    to_win: bool = False  # in the last round winning counts, not points


def in_background(work: Callable[[], None]) -> threading.Event:
    """Do something that takes long, such as compiling; the event tells when it is done."""
    done = threading.Event()

    def run() -> None:
        work()
        done.set()

    threading.Thread(target=run, name="compile", daemon=True).start()
    return done
