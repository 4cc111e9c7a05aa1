"""Detect players who seem to know the dice: mistakes followed by dice luck.

The luck of a roll is 0 on average, no matter what was decided before. So an honest player's luck is
independent of the losses before the roll. A player who knows the dice seems to err and is lucky
afterwards. One game is rarely enough to detect that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from foxclover.review.schema import SeatRecord

SUSPICIOUS = 4.0  # standard errors


def foresight(seats: Sequence[SeatRecord]) -> float:
    """Return the covariance of losses and the dice luck after them in standard errors.

    The standard error is that of an honest player. All games are those of one person.
    """
    covariance, variance = 0.0, 0.0
    for seat in seats:
        pairs = list(_pairs(seat))
        covariance += sum(loss * luck for loss, luck in pairs)
        variance += (
            sum(luck * luck for _, luck in pairs)
            / max(1, len(pairs))
            * sum(loss * loss for loss, _ in pairs)
        )
    return covariance / sqrt(variance) if variance else 0.0


def _pairs(seat: SeatRecord) -> Iterator[tuple[float, float]]:
    """Yield what the decisions before each roll lost, and the luck of the roll."""
    lost, decisions = 0.0, iter([*seat["decisions"], None])
    decision = next(decisions)
    for chance in seat["chances"]:
        while decision is not None and decision["at"] < chance["at"]:
            lost += decision["loss"]
            decision = next(decisions)
        yield lost, chance["luck"]
        lost = 0.0
