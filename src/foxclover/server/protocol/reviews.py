"""Messages about a finished game: its moments, its review, and better moves.

docs/protocol.md explains them.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from foxclover.core.contract import MoveView, View
from foxclover.review.schema import DecisionFigures, PartFigures, SeatFigures
from foxclover.server.protocol.tables import Numbered
from foxclover.server.protocol.validate import Count, between

# --- page to server


class AskMoments(Numbered):
    """Ask for moments of a finished game, the first after ``first`` moves."""

    type: Literal["moments"]
    first: Count
    count: Annotated[int, between(1, 16)]
    moves: NotRequired[bool]  # with all legal moves of the next player, to find a better one


class AskReview(Numbered):
    """Ask for the review of a finished game."""

    type: Literal["review"]


class AskVerdict(Numbered):
    """Ask for the verdict on another move instead of the mistake after ``at`` moves."""

    type: Literal["verdict"]
    at: Count
    move: Count


class AskLine(Numbered):
    """Ask for the best line instead of the mistake after ``at`` moves."""

    type: Literal["line"]
    at: Count


# --- server to page


class Moment(TypedDict):
    """A finished game after so many moves."""

    at: int
    view: View
    position: str  # as text, see docs/notation.md
    scores: list[int]
    seat: int  # the next to move; -1: chance, or the end
    next: MoveView | None  # their move
    moves: list[MoveView]  # all their legal moves, if asked for
    prompt: str  # the decision that was due


class JudgedDice(TypedDict):
    """Whether the draws of a transcript match their commitments, or the dice of their day."""

    ok: bool
    words: str  # the checks done, or the first problem


class Looked(TypedDict):
    """Answer to LookAt; a finished game gets a table for replay and review."""

    game: str
    players: list[str]  # empty names for a position
    moves: int
    to_act: list[int]  # seats that have to move or roll
    over: bool
    table: str | None
    moment: Moment | None  # the last one; null for games with a table
    dice: JudgedDice | None  # None: dice without commitments


class MomentsMessage(Numbered):
    """Answer to AskMoments; has fewer moments at the end of the game."""

    type: Literal["moments"]
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


class ReviewMessage(Numbered):
    """Answer to AskReview: its progress several times, at last the review."""

    type: Literal["review"]
    progress: float  # 0 to 1
    seats: list[ReviewedSeat] | None


class VerdictMessage(Numbered):
    """Answer to AskVerdict."""

    type: Literal["verdict"]
    at: int
    move: int
    verdict: Literal["best", "good", "better", "played", "worse"]
    difference: float  # loss against the best move: points, or percent of winning


class LineMessage(Numbered):
    """Answer to AskLine: the best move and what its player does best until chance or others act."""

    type: Literal["line"]
    moments: list[Moment]  # from the position before it to the one after its last move
