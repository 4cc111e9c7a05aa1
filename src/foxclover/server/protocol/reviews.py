"""Messages about finished games: looked back at, reviewed, practised. ``protocol`` has all others."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from foxclover.contract import MoveView, View
from foxclover.review.figures import DecisionFigures, PartFigures, SeatFigures
from foxclover.server.bounds import Between, Count


class AskMoments(TypedDict):
    """Look back at a finished game: some moments, the first after ``first`` moves."""

    type: Literal["moments"]
    ref: Count
    first: Count
    count: Annotated[int, Between(1, 16)]
    moves: NotRequired[bool]  # with all legal moves of whoever moves next, to look for a better one


class AskReview(TypedDict):
    """Ask what the decisions of a finished game were worth."""

    type: Literal["review"]
    ref: Count


class AskVerdict(TypedDict):
    """Ask how good another move would have been, after ``at`` moves, where a mistake was made."""

    type: Literal["verdict"]
    ref: Count
    at: Count
    move: Count


class Moment(TypedDict):
    """A finished game after so many moves."""

    at: int
    view: View
    scores: list[int]
    seat: int  # who moves next; -1: chance, or nobody at the end
    next: MoveView | None  # the move a player makes then
    moves: list[MoveView]  # all that he might have made, if asked for
    prompt: str  # what was expected of him


class MomentsMessage(TypedDict):
    """Answer to AskMoments; fewer than asked for at the end."""

    type: Literal["moments"]
    ref: int
    moments: list[Moment]


class ReviewedDecision(DecisionFigures):
    """A decision, and what would have been best."""

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
    """Answer to AskReview: how far it is, again and again, and at last the review."""

    type: Literal["review"]
    ref: int
    progress: float  # share that is done
    seats: list[ReviewedSeat] | None


class VerdictMessage(TypedDict):
    """Answer to AskVerdict."""

    type: Literal["verdict"]
    ref: int
    at: int
    move: int
    verdict: Literal["best", "good", "better", "played", "worse"]
    difference: float  # behind the best move: points, or where winning is what counted hundredths of the win
