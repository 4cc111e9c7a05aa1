"""The lot that tells who begins, as text: a move of chance in every game."""

from __future__ import annotations

import re

from foxclover.errors import IllegalMove, UnreadableMove
from foxclover.locale import Say, phrase

WORD = "begins"


def lot_text(seat: int) -> str:
    """The lot as a move of chance."""
    return f"{WORD} {seat + 1}"


def parse_lot(text: str, players: int) -> int:
    """The seat that was drawn; raises ``MoveError``."""
    found = re.fullmatch(rf"(?:{WORD})?([0-9]+)", re.sub(r"\s+", "", text.lower()))
    if found is None:
        raise UnreadableMove(text, wanted=phrase("expected.lot", example=lot_text(players - 1)))
    if not 1 <= int(found[1][:3]) <= players:
        raise IllegalMove(text, wanted=phrase("expected.seat", most=players))
    return int(found[1]) - 1


def lot_words(seat: int, say: Say) -> str:
    """The lot as a sentence."""
    return say("lot.drawn", seat=seat + 1)
