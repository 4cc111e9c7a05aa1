"""Whole games as text: ``read`` and ``write`` transcripts, and check their dice."""

from foxclover.transcripts.format import (
    ROLLS_OF,
    TITLE,
    TYPED,
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

__all__ = [
    "CONTROL_SIGN",
    "ROLLS_OF",
    "TITLE",
    "TYPED",
    "Followed",
    "Header",
    "Sealing",
    "Seed",
    "Transcript",
    "TranscriptError",
    "last_move",
    "plain_name",
    "read",
    "read_seed",
    "read_start_player",
    "sealed_dice",
    "write",
]
