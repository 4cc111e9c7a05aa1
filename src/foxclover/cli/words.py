"""Names for people that several commands print."""

from __future__ import annotations

from foxclover.errors import AmbiguousMove, IllegalMove, MoveError, UnreadableMove
from foxclover.game import Game
from foxclover.locale import Say

REASONS = {UnreadableMove: "unreadable", IllegalMove: "illegal", AmbiguousMove: "ambiguous"}


def part_name(game: Game, part: str, say: Say) -> str:
    """A part of the score: an area by its colour, or what the game calls it."""
    try:
        return say(f"{game.package}.colour.{part}")
    except KeyError:
        return say(f"{game.package}.score.{part}")


def move_error(error: MoveError, say: Say) -> str:
    """What is wrong with the text of a move, and what would have been legal."""
    sentence = say(f"cli.move.{REASONS[type(error)]}", text=error.text)
    if error.expected:
        sentence += " " + say("cli.move.expected", expected=error.expected)
    return say("cli.move.line", line=error.line, problem=sentence) if error.line else sentence
