"""Moves of the Clever games as short texts, both ways.

y>y3a   use the yellow die: the 3 in row a of yellow     w>g4    the white die as a green 4
b>b9    blue and white together: 9                        s>s4b   the silver 4 in the blue row
+y5a    place a bonus: the 5 in row a of yellow           +gx     the next green field      +o6   a 6 in orange
pass    lay out or take nothing                           reroll  throw the dice at hand again
<b      return the blue die from the platter              done    no more crosses, returns or extra dice
y3b2g4o1p6w5   a roll (chance)                            =ybo    dice served where they tied (chance)
begins 2       the lot: who begins (chance)
"""

from __future__ import annotations

import re

from foxclover.beginning import LOT_DUE
from foxclover.clever.moves import (
    DONE,
    ENTRIES,
    LOT_OF,
    PASS,
    PLACE,
    REROLL_ALL,
    ROLL,
    TAKE_BACK,
    TIE,
)
from foxclover.clever.state import CELLS, CHANCE, DICE, ROLL_DUE, State
from foxclover.clever.tables import CleverBook, colour
from foxclover.clever.turns import is_platter
from foxclover.errors import IllegalMove, UnreadableMove
from foxclover.locale import phrase
from foxclover.lots import lot_text, parse_lot

_READABLE = re.compile(
    r"[a-z](>([a-z](\d{1,2}[a-z]?)?)?)?|\+([a-z](x|\d{1,2}[a-z]?)?)?|pass|done|reroll|<[a-z]?"
)


def is_readable(text: str) -> bool:
    """Could this be a player's move, or the beginning of one?"""
    return _READABLE.fullmatch(text) is not None


def move_text(book: CleverBook, state: State, seat: int, move: int) -> str:
    """The canonical text of a legal move."""
    if seat == CHANCE:
        return chance_text(book, state, move)
    return player_text(book, move)


def player_text(book: CleverBook, move: int) -> str:
    """The same of a player's move: it needs no position."""
    if move < PLACE:
        return f"{book.letters[move // ENTRIES]}>{entry_text(book, move % ENTRIES)}"
    if move < PASS:
        return f"+{entry_text(book, (move - PLACE) % ENTRIES)}"
    if move >= TAKE_BACK:
        return f"<{book.letters[move - TAKE_BACK]}"
    return {PASS: "pass", REROLL_ALL: "reroll", DONE: "done"}[move]


def entry_text(book: CleverBook, entry: int) -> str:
    """An entry: letter of the area, then the cell of a grid or the number on a track (x for a plain cross)."""
    area = book.areas[entry // CELLS]
    slot = entry % CELLS
    if area.kind == "grid":
        return area.letter + area.cells[slot].name
    return area.letter + (str(slot) if slot else "x")


def chance_text(book: CleverBook, state: State, move: int) -> str:
    """A roll of the dice at hand, the dice served, or who begins."""
    if move >= LOT_OF:
        return lot_text(move - LOT_OF)
    if move < ROLL:
        return "=" + "".join(
            letter for die, letter in enumerate(book.letters) if (move - TIE) >> die & 1
        )
    text = ""
    digits = move - ROLL
    for die in dice_at_hand(state):
        text += f"{book.letters[die]}{1 + digits % 6}"
        digits //= 6
    return text


def dice_at_hand(state: State) -> list[int]:
    """The dice that are rolled next."""
    return [die for die in range(DICE) if state.hand >> die & 1]


def parse_chance(book: CleverBook, state: State, text: str) -> int:
    """Read a roll (with letters in any order, or just the faces in the order of the dice at hand), the dice served, or who begins."""
    if state.chance == LOT_DUE:
        return LOT_OF + parse_lot(text, state.players)
    bare = re.sub(r"[\s,]+", "", text.lower())
    if state.chance == ROLL_DUE:
        return ROLL + _faces(book, dice_at_hand(state), bare, text)
    if not re.fullmatch(r"=?[a-z]+", bare):
        raise UnreadableMove(
            text, wanted=phrase("expected.served", example="=" + "".join(book.letters[:3]))
        )
    mask = sum(1 << book.letters.index(letter) for letter in set(bare) & set(book.letters))
    if not is_platter(state, mask) or set(bare) - {"=", *book.letters}:
        raise IllegalMove(text, wanted=phrase("expected.lowest"))
    return TIE + mask


def _faces(book: CleverBook, dice: list[int], bare: str, text: str) -> int:
    """The faces of a roll as digits to base 6."""
    example = "".join(f"{book.letters[die]}{1 + die % 6}" for die in dice)
    if not re.fullmatch(r"(\d+|([a-z]\d)+)", bare):
        raise UnreadableMove(text, wanted=phrase("expected.roll", example=example))
    faces = (
        bare
        if bare.isdigit()
        else "".join(
            bare[bare.find(book.letters[die]) + 1] for die in dice if book.letters[die] in bare
        )
    )
    known = bare.isdigit() or sorted(bare[::2]) == sorted(book.letters[die] for die in dice)
    if not known or len(faces) != len(dice) or not all(face in "123456" for face in faces):
        raise IllegalMove(
            text,
            wanted=phrase(
                "expected.faces",
                dice=lambda say: ", ".join(colour(book, book.dice[die], say) for die in dice),
            ),
        )
    return sum((int(face) - 1) * 6**index for index, face in enumerate(faces))
