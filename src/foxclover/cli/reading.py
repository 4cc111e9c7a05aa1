"""Read typed moves: a number in the list, the notation, or words of a language."""

from __future__ import annotations

from foxclover import CHANCE, Move, Position
from foxclover.core.contract import Spelling
from foxclover.core.errors import AmbiguousMove, IllegalMove, MoveError, UnreadableMove, quote
from foxclover.locale import Translator

UNIFORM = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", " ": ""})


class NoSuchNumber(MoveError):
    """No move in the list, of ``legal`` moves, has this number."""


def uniform(text: str) -> str:
    """Return a text without capitals, blanks and umlauts."""
    return "".join(text.lower().split()).translate(UNIFORM)


def shown_text(move: Move, position: Position, translate: Translator) -> str:
    """Return a legal move as it is shown and can be typed."""
    spelling = position.game.words.spell(
        position.game.definition, position.state, move.seat, move.number, translate
    )[0]
    return "".join(words[0] for words in spelling)


def read_move(text: str, position: Position, seat: int, translate: Translator) -> Move:
    """Return the legal move that a text means.

    Raises ``NoSuchNumber`` or one of the three kinds of ``MoveError``.
    """
    moves = position.legal_moves(seat)
    if text.isdecimal():
        if text.isascii() and len(text) < 4 and 1 <= int(text) <= len(moves):
            return moves[int(text) - 1]
        raise NoSuchNumber(text, [move.text for move in moves])
    wanted = uniform(text)
    words, state = position.game.words, position.state
    spelt = [
        [
            _uniform(way)
            for way in words.spell(position.game.definition, state, seat, move.number, translate)
        ]
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
            raise AmbiguousMove(text, [shown_text(move, position, translate) for move in found])
    try:
        return position.parse(text, seat)
    except MoveError as error:
        raise type(error)(
            text,
            [shown_text(move, position, translate) for move in moves],
            None if moves else error.wanted,
        ) from None


def read_chance(text: str, position: Position, translate: Translator) -> Move:
    """Return the chance move of typed dice."""
    if not position.chance_due:
        raise IllegalMove(text)
    return position.parse(
        position.game.words.spell_chance(position.game.definition, text.lower(), translate), CHANCE
    )


def _uniform(spelling: Spelling) -> Spelling:
    return tuple(tuple(uniform(word) for word in words) for words in spelling)


def is_whole(spelling: Spelling, text: str) -> bool:
    """Return whether a text is a whole spelling."""
    if not spelling:
        return not text
    return any(
        text.startswith(word) and is_whole(spelling[1:], text[len(word) :]) for word in spelling[0]
    )


def is_begun(spelling: Spelling, text: str) -> bool:
    """Return whether a text is the beginning of a spelling."""
    if not text or not spelling:
        return not text
    return any(
        word.startswith(text)
        or (text.startswith(word) and is_begun(spelling[1:], text[len(word) :]))
        for word in spelling[0]
    )


REASONS = {UnreadableMove: "unreadable", IllegalMove: "illegal", AmbiguousMove: "ambiguous"}


def move_error(error: MoveError, translate: Translator) -> str:
    """Return what is wrong with the text of a move, and what is legal."""
    if isinstance(error, NoSuchNumber):
        return translate("cli.play.no_number", text=error.text, count=len(error.legal))
    sentence = translate(f"cli.move.{REASONS[type(error)]}", text=quote(error.text))
    if expected := error.expected_in(translate):
        sentence += " " + translate("cli.move.expected", expected=expected)
    return translate("cli.move.line", line=error.line, problem=sentence) if error.line else sentence
