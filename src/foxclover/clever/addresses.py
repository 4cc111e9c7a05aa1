"""The addresses of dice: what chance does at them is the same for everybody who gets there."""

from __future__ import annotations

from foxclover.beginning import LOT_DUE
from foxclover.clever.moves import LOT_OF, ROLL, TIE
from foxclover.clever.notation import dice_at_hand
from foxclover.clever.rules import outcomes
from foxclover.clever.state import DICE, PASSIVE, ROLL_DUE, State
from foxclover.clever.tables import CleverBook
from foxclover.clever.turns import nth_platter
from foxclover.contract import Hashes


def chance(book: CleverBook, state: State, hashes: Hashes) -> int:
    """The chance move that is due."""
    if state.chance == LOT_DUE:
        return LOT_OF + min(range(state.players), key=lambda seat: hashes.rank(f"lot/{seat}"))
    if state.chance != ROLL_DUE:
        return TIE + _served(book, state, hashes)
    if state.phase == PASSIVE:
        where = f"passive/{state.round}"
    else:
        roll = f"roll/{state.round}/{state.active}/{state.roll}"
        where = f"{roll}/{hashes.attempt(roll)}"
    faces = [hashes.face(f"{where}/{book.dice[die]}") for die in dice_at_hand(state)]
    number = 0
    for face in reversed(faces):
        number = 6 * number + face - 1
    return ROLL + number


def _served(book: CleverBook, state: State, hashes: Hashes) -> int:
    """The dice served where some tie: those whose hashes come first."""
    ranks = [hashes.rank(f"tie/{state.round}/{book.dice[die]}") for die in range(DICE)]
    possible = [nth_platter(state, n) for n in range(outcomes(state))]
    return min(
        possible, key=lambda mask: sorted(ranks[die] for die in range(DICE) if mask >> die & 1)
    )
