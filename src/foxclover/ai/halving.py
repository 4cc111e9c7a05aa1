"""Trying candidates within a time: after each share of it the weaker half is dropped, so that most tries go to those hard to tell apart."""

from __future__ import annotations

import time
from collections.abc import Callable


def halve(candidates: list[int], seconds: float, try_move: Callable[[int], None], worth: Callable[[int], float]) -> list[int]:
    """Return the candidates in the order found, the best first. The clock is looked at whenever all that are left were tried once more."""
    order = list(candidates)
    left = len(order)
    turns = (left - 1).bit_length()
    started = time.perf_counter()
    for turn in range(1, turns + 1):
        while True:
            for candidate in order[:left]:
                try_move(candidate)
            if time.perf_counter() - started >= seconds * turn / turns:
                break
        order[:left] = sorted(order[:left], key=worth, reverse=True)
        left = (left + 1) // 2
    return order
