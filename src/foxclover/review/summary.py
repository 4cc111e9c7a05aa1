"""What a review tells: of each seat its decisions, its luck, and how they add up to its score."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from foxclover.ai import Ranked
from foxclover.ai.trials import POINTS_OF_A_WIN
from foxclover.game import Move

BEST, GOOD, CLOSE, INACCURACY, MISTAKE, BLUNDER = (
    "best",
    "good",
    "close",
    "inaccuracy",
    "mistake",
    "blunder",
)
MISTAKES = (INACCURACY, MISTAKE, BLUNDER)
"""Losses that trying the moves out has confirmed, the smallest first."""


@dataclass(frozen=True)
class Decision:
    """A choice between at least two moves."""

    at: int  # moves made before it
    round: int
    move: Move
    best: Move
    options: tuple[
        Ranked, ...
    ]  # all legal moves, the best-rated first; the error is 0 where a rating is all there is
    loss: float  # points, never negative
    error: float  # of the loss; 0 where a rating is all there is, or exact
    verdict: str  # BEST to BLUNDER
    part: str  # of the score that the move worked on
    win_loss: float = 0.0  # share of the win lost, where winning is what counted

    @property
    def judged(self) -> float:
        """The loss that it is judged by: its points, or where winning is what counted points for a win."""
        return POINTS_OF_A_WIN * self.win_loss if self.win_loss > 0 else self.loss

    @property
    def played(self) -> float:
        """The final points that the move played promises."""
        return next(
            option.expected for option in self.options if option.move.number == self.move.number
        )


@dataclass(frozen=True)
class Luck:
    """What a move of chance brought a player."""

    at: int
    round: int
    move: Move
    before: float  # final points to be expected, the mean over all that might have come
    after: float
    variance: float

    @property
    def luck(self) -> float:
        """Points that chance gave, or took."""
        return self.after - self.before


class Point(NamedTuple):
    """A moment of the curve, after so many moves."""

    at: int
    expected: float  # final points
    winning: float  # chance to win; 1 in a solo game


class RoundSum(NamedTuple):
    """A round in figures."""

    round: int
    luck: float
    loss: float
    expected: float  # final points, at its end
    winning: float


class PartSum(NamedTuple):
    """A part of the score in figures."""

    points: int
    loss: float  # by decisions that worked on it


@dataclass
class SeatReview:
    """One player's game: ``start + luck - loss + rest == score``."""

    seat: int
    name: str
    score: float  # final points; of a game that is still on, those to be expected
    use_of_luck: float = 0.0  # share of its luck that becomes points with play like this
    decisions: list[Decision] = field(default_factory=list)
    chances: list[Luck] = field(default_factory=list)
    curve: list[Point] = field(default_factory=list)
    rounds: list[RoundSum] = field(default_factory=list)
    parts: dict[str, PartSum] = field(default_factory=dict)

    @property
    def start(self) -> float:
        """What the strongest rating expects at the beginning."""
        return self.curve[0].expected if self.curve else self.score

    @property
    def luck(self) -> float:
        """Points that chance gave."""
        return sum(chance.luck for chance in self.chances)

    @property
    def loss(self) -> float:
        """Points that decisions lost."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def rest(self) -> float:
        """What ratings did not foresee, and what others chose."""
        return self.score - self.start - self.luck + self.loss

    @property
    def share_best(self) -> float:
        """The share of decisions that could not have been better."""
        return sum(decision.verdict == BEST for decision in self.decisions) / max(
            len(self.decisions), 1
        )

    @property
    def adjusted(self) -> float:
        """The score with ordinary luck."""
        return self.score - self.use_of_luck * self.luck

    @property
    def percentile(self) -> float:
        """The share of games with less luck."""
        deviation = math.sqrt(sum(chance.variance for chance in self.chances))
        return 0.5 * (1 + math.erf(self.luck / deviation / math.sqrt(2))) if deviation else 0.5

    def mistakes(self) -> list[Decision]:
        """Confirmed losses, the worst first."""
        return sorted(
            (decision for decision in self.decisions if decision.verdict in MISTAKES),
            key=lambda decision: -decision.judged,
        )


@dataclass
class Review:
    """A game judged, seat by seat."""

    game: str
    players: int
    over: bool
    seats: list[SeatReview]
