"""Requests of a device about puzzles.

docs/protocol.md explains the messages.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from foxclover.core.contract import MoveView
from foxclover.server.protocol.people import Device
from foxclover.server.protocol.reviews import Moment
from foxclover.server.protocol.validate import Count, LongText, Text


class OfPuzzles(Device):
    """What every request about puzzles contains."""

    game: Text
    record: NotRequired[LongText]  # without a server: the ``record`` of the last answer


class AskPuzzle(OfPuzzles):
    """POST /api/puzzles."""

    which: Literal["rated", "streak", "theme", "missed", "day", "named"]
    name: NotRequired[Text]  # the theme, or the id of a named or missed puzzle


class AnswerPuzzle(OfPuzzles):
    """POST /api/puzzles/answer."""

    id: Text
    move: NotRequired[Count]  # without it the solution is shown, and the puzzle counts as missed
    rated: bool  # whether the answer may change the rating
    streak: NotRequired[bool]  # whether it belongs to a streak of ever harder puzzles


class MissedPuzzle(TypedDict):
    """A puzzle to repeat."""

    id: str
    rating: int  # its first one
    themes: list[str]


class PuzzleProgress(TypedDict):
    """A person's results in the puzzles of a game."""

    rating: float
    deviation: float
    tried: int  # rated puzzles
    solved: int  # of these
    streak: int  # puzzles of the present streak
    best: int  # the longest streak
    missed: list[MissedPuzzle]  # to repeat, the latest first, not all if there are many
    missed_count: int  # all of them
    left: int  # puzzles that were not tried yet
    record: str  # without a server: what the page stores


class PuzzleQuestion(TypedDict):
    """Answer to AskPuzzle."""

    id: str
    game: str
    seat: int
    moment: Moment
    rated: bool  # whether the first answer changes the rating
    day: str  # of the puzzle of the day; "" for others
    themes: list[str]  # that this game has puzzles of
    you: PuzzleProgress


class PuzzleOption(TypedDict):
    """A sensible move of a puzzle."""

    move: MoveView
    loss: float  # points behind the best move
    error: float  # standard error of the loss


class PuzzleAnswer(TypedDict):
    """Answer to AnswerPuzzle."""

    id: str
    solved: bool
    best: MoveView
    loss: float  # points lost, at least
    exact: bool  # whether the loss is known and not only its lower bound
    why: list[str]  # what the best move does and the other does not
    options: list[PuzzleOption]  # the best first
    themes: list[str]
    rating: float  # of the puzzle
    deviation: float
    rated: bool
    change: float  # of your rating
    you: PuzzleProgress
