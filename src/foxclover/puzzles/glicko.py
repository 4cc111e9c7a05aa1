"""The Glicko-2 rating system, after Mark Glickman's paper of 2022.

http://www.glicko.net/glicko/glicko2.pdf names the steps that the comments refer to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

SCALE = 173.7178  # points of a rating for a unit of the internal scale
CENTRE = 1500.0
TAU = 0.5  # how fast volatility may change
PRECISION = 1e-6
LEAST_DEVIATION, MOST_DEVIATION = 45.0, 350.0


class Rating(NamedTuple):
    """A rating with its uncertainty."""

    value: float = CENTRE
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06


class Result(NamedTuple):
    """A game against an opponent: 1 for a win, 0 for a loss."""

    opponent: Rating
    score: float


def expected_score(player: Rating, opponent: Rating) -> float:
    """Return the chance that a player solves a puzzle, or wins."""
    weight = _weight(math.hypot(player.deviation, opponent.deviation) / SCALE)
    return 1 / (1 + math.exp(-weight * (player.value - opponent.value) / SCALE))


def update(player: Rating, results: Sequence[Result]) -> Rating:
    """Return the rating after the results of one rating period."""
    mu, phi = (player.value - CENTRE) / SCALE, player.deviation / SCALE
    if not results:  # step 6 for a player who did not compete
        return player._replace(deviation=_bounded(math.hypot(phi, player.volatility) * SCALE))
    information = surprise = 0.0
    for opponent, score in results:  # steps 3 and 4
        weight = _weight(opponent.deviation / SCALE)
        expected = 1 / (1 + math.exp(-weight * (mu - (opponent.value - CENTRE) / SCALE)))
        information += weight**2 * expected * (1 - expected)
        surprise += weight * (score - expected)
    variance = 1 / information
    volatility = _volatility(phi, player.volatility, variance, variance * surprise)
    before = math.hypot(phi, volatility)  # step 6
    after = 1 / math.sqrt(1 / before**2 + information)  # step 7
    value = SCALE * (mu + after**2 * surprise) + CENTRE
    return Rating(value, _bounded(after * SCALE), volatility)


def _weight(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * (phi / math.pi) ** 2)


def _bounded(deviation: float) -> float:
    """Keep a deviation within bounds: old ratings stay able to move, and none is unknown."""
    return min(max(deviation, LEAST_DEVIATION), MOST_DEVIATION)


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Return the new volatility (step 5, by the Illinois algorithm)."""
    start = math.log(sigma**2)

    def slope(x: float) -> float:
        spread = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - start) / TAU**2

    low = start
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
