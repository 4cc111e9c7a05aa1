"""Messages about finished games: looked back at, reviewed, practised. ``protocol`` has all others."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from foxclover.contract import MoveView, View
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


class ReviewedDecision(TypedDict):
    """A choice that was made after ``at`` moves."""

    at: int
    round: int
    move: int
    best: MoveView
    expected: float  # final points that the move played promises
    loss: float  # points, by which the best promises more
    error: float  # of the loss; 0: exact, or a rating alone
    verdict: Literal["best", "good", "close", "inaccuracy", "mistake", "blunder"]
    win_loss: float  # share of the win lost, where winning is what counted


class ReviewedLuck(TypedDict):
    """What the move of chance after ``at`` moves brought a player."""

    at: int
    round: int
    luck: float
    expected: float  # final points, after it


class ReviewedRound(TypedDict):
    """A round in figures; ``expected`` and ``winning`` at its end."""

    round: int
    luck: float
    loss: float
    expected: float
    winning: float


class ReviewedPart(TypedDict):
    """A part of the score."""

    part: str
    words: str
    points: int
    loss: float  # by decisions that worked on it


class ReviewedSeat(TypedDict):
    """One player's game: start + luck - loss + rest = score."""

    seat: int
    score: float
    start: float
    luck: float
    loss: float
    rest: float
    adjusted: float  # the score with ordinary luck
    percentile: float  # share of games with less luck
    decisions: list[ReviewedDecision]
    chances: list[ReviewedLuck]
    winning: list[list[float]]  # after so many moves, the chance to win; none alone
    rounds: list[ReviewedRound]
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
    difference: float  # points behind the best move
