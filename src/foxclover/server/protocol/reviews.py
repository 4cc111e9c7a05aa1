"""Messages about finished games: replay, review, exercises."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from foxclover.core.contract import MoveView, View
from foxclover.review.schema import DecisionFigures, PartFigures, SeatFigures
from foxclover.server.protocol.validate import Count, between


class AskMoments(TypedDict):
    """Ask for moments of a finished game, the first after ``first`` moves."""

    type: Literal["moments"]
    ref: Count
    first: Count
    count: Annotated[int, between(1, 16)]
    moves: NotRequired[bool]  # with all legal moves of the next player, to find a better one


class AskReview(TypedDict):
    """Ask for the review of a finished game."""

    type: Literal["review"]
    ref: Count


class AskVerdict(TypedDict):
    """Ask for the verdict on another move instead of the mistake after ``at`` moves."""

    type: Literal["verdict"]
    ref: Count
    at: Count
    move: Count


class Moment(TypedDict):
    """A finished game after so many moves."""

    at: int
    view: View
    scores: list[int]
    seat: int  # the next to move; -1: chance, or the end
    next: MoveView | None  # their move
    moves: list[MoveView]  # all their legal moves, if asked for
    prompt: str  # the decision that was due


class MomentsMessage(TypedDict):
    """Answer to AskMoments; has fewer moments at the end of the game."""

    type: Literal["moments"]
    ref: int
    moments: list[Moment]


class ReviewedDecision(DecisionFigures):
    """A decision and the best move."""

    best: MoveView
    verdict: Literal["best", "good", "close", "inaccuracy", "mistake", "blunder"]


class ReviewedPart(PartFigures):
    """A part of the score with its name."""

    words: str


class ReviewedSeat(SeatFigures):
    """One player's game."""

    decisions: list[ReviewedDecision]
    parts: list[ReviewedPart]


class ReviewMessage(TypedDict):
    """Answer to AskReview: its progress several times, at last the review."""

    type: Literal["review"]
    ref: int
    progress: float  # 0 to 1
    seats: list[ReviewedSeat] | None


class VerdictMessage(TypedDict):
    """Answer to AskVerdict."""

    type: Literal["verdict"]
    ref: int
    at: int
    move: int
    verdict: Literal["best", "good", "better", "played", "worse"]
    # loss against the best move: points, or percent of winning where that counted
    difference: float
