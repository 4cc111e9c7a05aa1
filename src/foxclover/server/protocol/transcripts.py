"""Requests with a transcript: replay it, or play on from it."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from foxclover.core.rules import MAX_PLAYERS
from foxclover.server.protocol.tables import SeatWish
from foxclover.server.protocol.validate import AtMost, Count, Language, LongText, Pace


class LookAt(TypedDict):
    """POST /api/transcripts."""

    transcript: LongText
    language: NotRequired[Language]


class JudgedDice(TypedDict):
    """Whether the draws of a transcript match their commitments, or the dice of their day."""

    ok: bool
    words: str  # the checks done, or the first problem


class Looked(TypedDict):
    """Answer to LookAt; a finished game gets a table for replay and review."""

    game: str
    players: list[str]
    moves: int
    to_act: list[int]  # seats that have to move or roll
    over: bool
    table: str | None
    dice: JudgedDice | None  # None: dice without commitments


class PlayOn(TypedDict):
    """POST /api/tables/from-transcript: play on at a new table after so many moves."""

    transcript: LongText
    at: Count
    seats: Annotated[list[SeatWish], AtMost(MAX_PLAYERS)]
    same_dice: bool  # repeat the rolls of the transcript wherever they fit
    pace: NotRequired[Pace]
    language: NotRequired[Language]
