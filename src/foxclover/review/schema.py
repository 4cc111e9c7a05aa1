"""What a review that is kept and one that is told have in common: figures without a word of any language."""

from __future__ import annotations

from typing import TypedDict


class DecisionFigures(TypedDict):
    """A choice that was made after ``at`` moves."""

    at: int
    round: int
    move: int
    expected: float  # final points that the move played promises
    loss: float  # points, by which the best promises more
    error: float  # of the loss; 0: exact, or a rating alone
    win_loss: float  # share of the win lost, where winning is what counted


class LuckFigures(TypedDict):
    """What the move of chance after ``at`` moves brought a player."""

    at: int
    round: int
    luck: float
    expected: float  # final points, after it


class RoundFigures(TypedDict):
    """A round; ``expected`` and ``winning`` at its end."""

    round: int
    luck: float
    loss: float
    expected: float
    winning: float


class PartFigures(TypedDict):
    """A part of the score."""

    part: str
    points: int
    loss: float  # by decisions that worked on it


class SeatFigures(TypedDict):
    """One player's game: start + luck - loss + rest = score."""

    seat: int
    score: float
    start: float
    luck: float
    loss: float
    rest: float
    adjusted: float  # the score with ordinary luck
    percentile: float  # share of games with less luck
    chances: list[LuckFigures]
    winning: list[list[float]]  # after so many moves, the chance to win; none alone
    rounds: list[RoundFigures]
