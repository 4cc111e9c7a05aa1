"""Whole games as text: ``read`` and ``write`` transcripts, and check their dice.

``read_games`` reads files of many games.
"""

from foxclover.transcripts.format import (
    ROLLS_OF,
    TITLE,
    TYPED,
    Comment,
    Followed,
    Header,
    Sealing,
    Seed,
    Transcript,
    TranscriptError,
    plain_name,
    read_seed,
    sealed_dice,
    write,
)
from foxclover.transcripts.reading import CONTROL_SIGN, last_move, read, read_start_player
from foxclover.transcripts.stream import Part, read_games, split_games

__all__ = [
    "CONTROL_SIGN",
    "ROLLS_OF",
    "TITLE",
    "TYPED",
    "Comment",
    "Followed",
    "Header",
    "Part",
    "Sealing",
    "Seed",
    "Transcript",
    "TranscriptError",
    "last_move",
    "plain_name",
    "read",
    "read_games",
    "read_seed",
    "read_start_player",
    "sealed_dice",
    "split_games",
    "write",
]
