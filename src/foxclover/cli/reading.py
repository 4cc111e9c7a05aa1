"""What a person types: a move by its number, in the notation, or with the letters and words of a language."""

from __future__ import annotations

from foxclover.contract import Spelling
from foxclover.errors import AmbiguousMove, IllegalMove, MoveError
from foxclover.game import CHANCE, Move, Position
from foxclover.locale import Say

UNIFORM = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", " ": ""})


class NoSuchNumber(Exception):
    """No legal move has this number."""


def uniform(text: str) -> str:
    """A text without what people type in different ways: capitals, blanks, umlauts."""
    return "".join(text.lower().split()).translate(UNIFORM)


def shown_text(move: Move, position: Position, say: Say) -> str:
    """A legal move as it is shown and can be typed."""
    spelling = position.game.words.spell(
        position.game.book, position.state, move.seat, move.number, say
    )[0]
    return "".join(words[0] for words in spelling)


def read_move(text: str, position: Position, seat: int, say: Say) -> Move:
    """Find the legal move that is meant; raises ``NoSuchNumber`` or one of the three kinds of ``MoveError``."""
    moves = position.legal_moves(seat)
    if text.isdecimal():
        if text.isascii() and len(text) < 4 and 1 <= int(text) <= len(moves):
            return moves[int(text) - 1]
        raise NoSuchNumber(text)
    wanted = uniform(text)
    words, state = position.game.words, position.state
    spelt = [
        [_uniform(way) for way in words.spell(position.game.book, state, seat, move.number, say)]
        for move in moves
    ]
    for fits, first in (
        (is_whole, None),
        (is_begun, 1),
        (is_begun, None),
    ):  # what is shown goes before other ways to type it
        found = [
            move
            for move, ways in zip(moves, spelt, strict=True)
            if any(fits(way, wanted) for way in ways[:first])
        ]
        exact = [move for move in found if uniform(move.text) == wanted]
        if len(exact or found) == 1:
            return (exact or found)[0]
        if found:
            raise AmbiguousMove(text, [shown_text(move, position, say) for move in found])
    try:
        return position.parse(text, seat)
    except MoveError as error:
        raise type(error)(
            text,
            [shown_text(move, position, say) for move in moves],
            None if moves else error.wanted,
        ) from None


def read_chance(text: str, position: Position, say: Say) -> Move:
    """Read what chance did on a real table."""
    if not position.chance_due:
        raise IllegalMove(text)
    return position.parse(
        position.game.words.spell_chance(position.game.book, text.lower(), say), CHANCE
    )


def _uniform(spelling: Spelling) -> Spelling:
    return tuple(tuple(uniform(word) for word in words) for words in spelling)


def is_whole(spelling: Spelling, text: str) -> bool:
    """Is this the whole of a spelling?"""
    if not spelling:
        return not text
    return any(
        text.startswith(word) and is_whole(spelling[1:], text[len(word) :]) for word in spelling[0]
    )


def is_begun(spelling: Spelling, text: str) -> bool:
    """Is this the beginning of a spelling?"""
    if not text or not spelling:
        return not text
    return any(
        word.startswith(text)
        or (text.startswith(word) and is_begun(spelling[1:], text[len(word) :]))
        for word in spelling[0]
    )
