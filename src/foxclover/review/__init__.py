"""Review games: how good decisions were, and how lucky the dice.

>>> from foxclover import game
>>> from foxclover.dice.sources import seeded
>>> from foxclover.review import review
>>> position, dice = game("ganz").start(), seeded(7)
>>> while not position.over:
...     if position.chance_due:
...         _ = position.roll(dice)
...     else:
...         position.push(position.legal_moves(0)[0])
>>> (seat,) = review(position, tried=False).seats
>>> abs(seat.start + seat.dice_luck - seat.loss + seat.rest - position.score(0)) < 1e-9
True
"""

from __future__ import annotations

from foxclover.review.job import review
from foxclover.review.schema import (
    MISTAKES,
    Decision,
    DiceLuck,
    PartTotal,
    Point,
    Review,
    RoundTotal,
    SeatReview,
)

__all__ = [
    "MISTAKES",
    "Decision",
    "DiceLuck",
    "PartTotal",
    "Point",
    "Review",
    "RoundTotal",
    "SeatReview",
    "review",
]
