"""What decisions were worth and how lucky one was: ``review(position)`` judges a game by its moves.

>>> from foxclover import game
>>> from foxclover.chance import seeded
>>> from foxclover.review import review
>>> position, dice = game("ganz").start(), seeded(7)
>>> while not position.over:
...     if position.chance_due:
...         _ = position.roll(dice)
...     else:
...         position.push(position.legal_moves(0)[0])
>>> (seat,) = review(position, tried=False).seats
>>> abs(seat.start + seat.luck - seat.loss + seat.rest - position.score(0)) < 1e-9
True
"""

from __future__ import annotations

from foxclover.review.account import (
    MISTAKES,
    Decision,
    Luck,
    PartSum,
    Point,
    Review,
    RoundSum,
    SeatReview,
)
from foxclover.review.reviewing import review

__all__ = [
    "MISTAKES",
    "Decision",
    "Luck",
    "PartSum",
    "Point",
    "Review",
    "RoundSum",
    "SeatReview",
    "review",
]
