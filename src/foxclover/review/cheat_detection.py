"""Whether somebody seems to have known the dice: mistakes that are followed by luck.

What a roll brings is 0 on average whatever was done before it, so for an honest player the luck of a roll has nothing to do with what the
decisions before it have lost. Whoever knows the dice seems to err, and is lucky then. One game seldom suffices to tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from foxclover.review.report import SeatRecord

SUSPICIOUS = 4.0  # standard errors


def foresight(seats: Sequence[SeatRecord]) -> float:
    """How far mistakes and the luck right after them go together in games of one person, in standard errors of an honest player."""
    together, variance = 0.0, 0.0
    for seat in seats:
        pairs = list(_pairs(seat))
        together += sum(loss * luck for loss, luck in pairs)
        variance += (
            sum(luck * luck for _, luck in pairs)
            / max(1, len(pairs))
            * sum(loss * loss for loss, _ in pairs)
        )
    return together / sqrt(variance) if variance else 0.0


def _pairs(seat: SeatRecord) -> Iterator[tuple[float, float]]:
    """What the decisions before each roll have lost, and what it brought."""
    lost, decisions = 0.0, iter([*seat["decisions"], None])
    decision = next(decisions)
    for chance in seat["chances"]:
        while decision is not None and decision["at"] < chance["at"]:
            lost += decision["loss"]
            decision = next(decisions)
        yield lost, chance["luck"]
        lost = 0.0
