"""Chances to win over a game: what is expected of everybody, and how much luck is still to come."""

from __future__ import annotations

import math
from collections.abc import Sequence

STEPS = 161
REACH = 4.0  # deviations looked at, both ways
LEAST = 0.5  # points of uncertainty that are left to the end: they break ties
STEP = 2 * REACH / (STEPS - 1)
MARKS = [number * STEP - REACH for number in range(STEPS)]
WEIGHTS = [math.exp(-mark * mark / 2) for mark in MARKS]


def chances_to_win(expected: Sequence[float], variances: Sequence[float]) -> list[float]:
    """Everybody's chance to have the most points, if final points are spread like bells, independently, around what is expected."""
    deviations = [max(math.sqrt(variance), LEAST) for variance in variances]
    if len(expected) == 2:  # the difference is a bell, too
        below = _bell_below((expected[0] - expected[1]) / math.hypot(*deviations))
        return [below, 1.0 - below]
    shares = []
    for seat, (mean, deviation) in enumerate(zip(expected, deviations, strict=True)):
        total = 0.0
        for mark, weight in zip(MARKS, WEIGHTS, strict=True):
            points = mean + deviation * mark
            for other in range(len(expected)):
                if other != seat:
                    weight *= _bell_below((points - expected[other]) / deviations[other])
            total += weight
        shares.append(total)
    return [share / sum(shares) for share in shares]


def _bell_below(deviations: float) -> float:
    """The share of a bell curve below so many deviations."""
    return 0.5 * math.erfc(-deviations / math.sqrt(2))
