"""What breaks a pool of processes, and what notices that; the processes import it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any


class Unreadable:
    """An answer that the server cannot unpickle."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)


def answer_unreadably(others: Path) -> Unreadable:
    """Break the pool as soon as another task runs in it."""
    while not others.exists():
        time.sleep(0.01)
    return Unreadable()


def think_until_it_breaks(mark: Path) -> str:
    """Think for ever at the first try, and answer at the second."""
    if mark.exists():
        return "thought"
    mark.touch()
    while True:
        time.sleep(1)
