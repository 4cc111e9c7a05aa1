"""The addresses of dice and cards: what chance does at them is the same for everybody who gets there."""

from __future__ import annotations

from foxclover.beginning import LOT_DUE
from foxclover.climb.conditions import BLUE_DICE, RED_DICE, outcome_of
from foxclover.climb.deck_file import COLOUR_NAMES
from foxclover.climb.piles import count_shuffled, first_under, nth_shuffled
from foxclover.climb.state import COLOURS, ROLL_DUE, State
from foxclover.climb.tables import ClimbBook
from foxclover.contract import Hashes


def chance(book: ClimbBook, state: State, hashes: Hashes) -> int:
    """The chance move that is due."""
    if state.chance == LOT_DUE:
        return min(range(state.players), key=lambda seat: hashes.rank(f"lot/{seat}"))
    if state.chance == ROLL_DUE:
        where = f"roll/{state.round}/{state.roll + 1}"
        blue = [hashes.face(f"{where}/blue {die}") for die in range(BLUE_DICE)]
        return outcome_of(blue, [hashes.face(f"{where}/red {die}") for die in range(RED_DICE)])
    count = count_shuffled(state, state.draw_colour)
    if count == 0:
        return first_under(state, state.draw_colour)
    cards = [nth_shuffled(state, state.draw_colour, n) for n in range(count)]
    return min(cards, key=lambda card: hashes.rank(_address(book, card)))


def _address(book: ClimbBook, card: int) -> str:
    """Of a card: its colour and number; of its twin in the second copy of the game, that too."""
    copy, colour = divmod(card // 64, COLOURS)
    return f"card/{COLOUR_NAMES[colour]}/{book.tables.number[card]}" + (f"/{copy}" if copy else "")
