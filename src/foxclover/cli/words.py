"""Names for people that several commands print."""

from __future__ import annotations

from foxclover.errors import AmbiguousMove, IllegalMove, MoveError, UnreadableMove, quote
from foxclover.locale import Say

REASONS = {UnreadableMove: "unreadable", IllegalMove: "illegal", AmbiguousMove: "ambiguous"}


def move_error(error: MoveError, say: Say) -> str:
    """What is wrong with the text of a move, and what would have been legal."""
    sentence = say(f"cli.move.{REASONS[type(error)]}", text=quote(error.text))
    if expected := error.expected_in(say):
        sentence += " " + say("cli.move.expected", expected=expected)
    return say("cli.move.line", line=error.line, problem=sentence) if error.line else sentence
