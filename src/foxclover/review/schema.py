"""The shapes of a review: in memory with moves, and as JSON data derived from that.

A server stores the data as it is (``ReviewRecord``), its messages add texts to the same fields, and
``as_data`` selects what ``foxclover review --json`` prints.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict, cast

from foxclover.ai import Ranked
from foxclover.ai.candidates import POINTS_OF_A_WIN
from foxclover.core.move import Move
from foxclover.locale import Translator

DIGITS = 4
FORMAT = 3
"""Version of stored reviews, raised whenever their meaning changes."""
BEST, GOOD, CLOSE = "best", "good", "close"
MISTAKES = INACCURACY, MISTAKE, BLUNDER = "inaccuracy", "mistake", "blunder"
"""Losses that rollouts have confirmed, the smallest first."""


# -- as data


class DecisionFigures(TypedDict):
    """A decision that was made after ``at`` moves."""

    at: int
    round: int
    move: int
    expected: float  # final points after the move played
    loss: float  # points that the best move promises more
    error: float  # standard error of the loss; 0: exact, or without rollouts
    win_loss: float  # lost share of the win, where winning counts


class DiceLuckFigures(TypedDict):
    """The effect on a player of the chance move after ``at`` moves."""

    at: int
    round: int
    luck: float
    expected: float  # final points after it


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
    """The game of a player: start + luck - loss + rest = score."""

    seat: int
    score: float
    start: float
    luck: float
    loss: float
    rest: float
    adjusted: float  # the score with average dice luck
    percentile: float  # share of games with less dice luck
    chances: list[DiceLuckFigures]
    winning: list[list[float]]  # number of moves and chance to win; empty in a solo game
    rounds: list[RoundFigures]


SENT = (DiceLuckFigures, RoundFigures)
"""Parts of messages to the page as they are."""


class DecisionRecord(DecisionFigures):
    """A decision as it is stored."""

    best: int
    verdict: str


class SeatRecord(SeatFigures):
    """A seat as it is stored."""

    decisions: list[DecisionRecord]
    parts: list[PartFigures]


class ReviewRecord(TypedDict):
    """A review as it is stored: without text in any language."""

    format: int
    seats: list[SeatRecord]


# -- in memory


@dataclass(frozen=True)
class Decision:
    """A choice between at least two moves."""

    at: int  # moves made before it
    round: int
    move: Move
    best: Move
    options: tuple[Ranked, ...]  # all legal moves, the best-rated first
    loss: float  # points, never negative
    error: float  # standard error of the loss; 0: exact, or without rollouts
    verdict: str  # BEST to BLUNDER
    part: str  # of the score that the move worked on
    win_loss: float = 0.0  # lost share of the win, where winning counts

    @property
    def counted_loss(self) -> float:
        """Return the loss behind the verdict: points, or points for a win where winning counts."""
        return POINTS_OF_A_WIN * self.win_loss if self.win_loss > 0 else self.loss

    @property
    def expected(self) -> float:
        """Return the final points that the move played promises."""
        return next(
            option.expected for option in self.options if option.move.number == self.move.number
        )


@dataclass(frozen=True)
class DiceLuck:
    """The effect of a chance move on a player."""

    at: int
    round: int
    move: Move
    before: float  # expected final points, the mean over all outcomes
    expected: float  # final points after the outcome
    variance: float

    @property
    def dice_luck(self) -> float:
        """Return the points that chance gave or took."""
        return self.expected - self.before


class Point(NamedTuple):
    """A point of the curve, after ``at`` moves."""

    at: int
    expected: float  # final points
    winning: float  # chance to win; 1 in a solo game


class RoundTotal(NamedTuple):
    """The totals of a round."""

    round: int
    dice_luck: float
    loss: float
    expected: float  # final points at its end
    winning: float


class PartTotal(NamedTuple):
    """The totals of a part of the score."""

    part: str
    points: int
    loss: float  # by decisions that worked on it


@dataclass
class SeatReview:
    """The game of a player: ``start + dice_luck - loss + rest == score``."""

    seat: int
    name: str
    score: float  # final points, expected ones while the game continues
    dice_luck_used: float = 0.0  # share of the dice luck that this way of playing turns into points
    decisions: list[Decision] = field(default_factory=list)
    chances: list[DiceLuck] = field(default_factory=list)
    curve: list[Point] = field(default_factory=list)
    rounds: list[RoundTotal] = field(default_factory=list)
    parts: list[PartTotal] = field(default_factory=list)

    @property
    def start(self) -> float:
        """Return the points that the strongest rating expects at the start."""
        return self.curve[0].expected if self.curve else self.score

    @property
    def dice_luck(self) -> float:
        """Return the points that chance gave."""
        return sum(chance.dice_luck for chance in self.chances)

    @property
    def loss(self) -> float:
        """Return the points that decisions lost."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def rest(self) -> float:
        """Return what ratings did not foresee, and what other players chose."""
        return self.score - self.start - self.dice_luck + self.loss

    @property
    def share_best(self) -> float:
        """Return the share of decisions without a loss."""
        return sum(decision.verdict == BEST for decision in self.decisions) / max(
            len(self.decisions), 1
        )

    @property
    def adjusted(self) -> float:
        """Return the score with average dice luck."""
        return self.score - self.dice_luck_used * self.dice_luck

    @property
    def percentile(self) -> float:
        """Return the share of games with less dice luck."""
        deviation = math.sqrt(sum(chance.variance for chance in self.chances))
        return 0.5 * (1 + math.erf(self.dice_luck / deviation / math.sqrt(2))) if deviation else 0.5

    def mistakes(self) -> list[Decision]:
        """Return confirmed losses, the worst first."""
        return sorted(
            (decision for decision in self.decisions if decision.verdict in MISTAKES),
            key=lambda decision: -decision.counted_loss,
        )


@dataclass
class Review:
    """The review of a game, seat by seat."""

    game: str
    players: int
    over: bool
    seats: list[SeatReview]


# -- from memory to data


def as_record(review: Review) -> ReviewRecord:
    """Return the review without text, for a server to store and show in any language."""
    seats = [_seat_record(seat, review.players > 1) for seat in review.seats]
    return {"format": FORMAT, "seats": seats}


def _seat_record(seat: SeatReview, several: bool) -> SeatRecord:
    figures = _figures(seat, ("start", "luck", "loss", "adjusted"))
    record = {
        "seat": seat.seat,  # from 0
        "score": seat.score,
        **figures,
        # The rounded figures add up, too.
        "rest": round(seat.score - figures["start"] - figures["luck"] + figures["loss"], DIGITS),
        "percentile": round(seat.percentile, 3),
        "decisions": [_figures(made, DecisionRecord.__annotations__) for made in seat.decisions],
        "chances": [_figures(chance, DiceLuckFigures.__annotations__) for chance in seat.chances],
        "winning": [[at, round(winning, DIGITS)] for at, _, winning in seat.curve if several],
        "rounds": [_figures(total, RoundFigures.__annotations__) for total in seat.rounds],
        "parts": [_figures(total, PartFigures.__annotations__) for total in seat.parts],
    }
    return cast(SeatRecord, record)


def _figures(item: object, keys: Iterable[str]) -> dict[str, Any]:
    """Return attributes as JSON values: rounded floats, the numbers of moves."""
    found: dict[str, Any] = {}
    for key in keys:
        value = getattr(item, "dice_luck" if key == "luck" else key)
        if isinstance(value, float):
            value = round(value, DIGITS)
        found[key] = value.number if isinstance(value, Move) else value
    return found


def as_data(review: Review, translate: Translator) -> dict[str, Any]:
    """Return the review as JSON for programs; seats are counted from 1."""
    records = zip(review.seats, as_record(review)["seats"], strict=True)
    return {
        "game": review.game,
        "players": review.players,
        "seats": [_seat_data(seat, record, translate) for seat, record in records],
    }


def _seat_data(seat: SeatReview, record: Any, translate: Translator) -> dict[str, Any]:
    def select(figures: Any, *keys: str) -> dict[str, Any]:
        return {key: figures[key] for key in keys}

    decisions = zip(seat.decisions, record["decisions"], strict=True)
    chances = zip(seat.chances, record["chances"], strict=True)
    return {
        "seat": seat.seat + 1,
        "name": seat.name,
        **select(record, "score", "start", "luck", "loss", "rest", "adjusted"),
        "decisions": [
            {
                **select(figures, "at", "round"),
                "move": made.move.text,
                "words": made.move.words(translate),
                "best": made.best.text,
                **select(figures, "loss", "error"),
                "class": made.verdict,
            }
            for made, figures in decisions
        ],
        "chance": [
            {
                **select(figures, "at", "round"),
                "move": chance.move.text,
                "words": chance.move.words(translate),
                "luck": figures["luck"],
            }
            for chance, figures in chances
        ],
        "areas": {part["part"]: select(part, "points", "loss") for part in record["parts"]},
        "rounds": record["rounds"],
    }
