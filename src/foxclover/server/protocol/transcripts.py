"""Requests that bring a transcript: to look at it, or to play on."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from foxclover.server.bounds import AtMost, Count, Language, LongText, Pace
from foxclover.server.protocol import SeatWish
from foxclover.shelf import MOST_PLAYERS


class LookAt(TypedDict):
    """POST /api/transcripts"""

    transcript: LongText
    language: NotRequired[Language]


class JudgedDice(TypedDict):
    """Whether the draws of a transcript are those that were sealed, or those of its day."""

    ok: bool
    words: str  # what was checked, or the first thing that is wrong


class Looked(TypedDict):
    """Answer to LookAt: a transcript that was replayed. A finished game is kept as a table to look back at, one that is on as none."""

    game: str
    players: list[str]
    moves: int
    to_act: list[int]  # seats that are to move or to roll
    over: bool
    table: str | None
    dice: JudgedDice | None  # None: dice that nobody sealed


class PlayOn(TypedDict):
    """POST /api/tables/from-transcript: a new table, at which the game goes on after so many moves of the transcript."""

    transcript: LongText
    at: Count
    seats: Annotated[list[SeatWish], AtMost(MOST_PLAYERS)]
    same_dice: bool  # rolls are those of the transcript wherever they fit, else fresh
    pace: NotRequired[Pace]
    language: NotRequired[Language]
