"""The final account: points by level, luck and sets, the order of places, and the ranks of a solo game."""

from __future__ import annotations

from foxclover.climb.moves import BUY, PAY
from foxclover.climb.notation import card_and_level
from foxclover.climb.state import LEVELS, NO_LEVEL, State
from foxclover.climb.tableau import count_active, level_points, set_points, total_points
from foxclover.climb.tables import ClimbBook
from foxclover.ratings import Level, grade_levels


def breakdown(book: ClimbBook, state: State, seat: int) -> dict[str, int]:
    """Points of each level, of luck and, under the solo rules, of sets; they sum to the score."""
    mine = state.seats[seat]
    parts = {
        f"level{level + 1}": level_points(book.tables, state, mine, level)
        for level in reversed(range(LEVELS))
    }
    parts["luck"] = mine.luck
    if state.solo:
        parts["sets"] = set_points(book.tables, state, mine)
    return parts


def part_of(book: ClimbBook, state: State, seat: int, move: int) -> str:
    """The level of the card that is moved, marked or scored; luck where that is paid or taken."""
    if move == PAY or move < BUY:
        return "luck"
    level = card_and_level(state, seat, move)[1]
    return f"level{level + 1}" if level != NO_LEVEL else ""


def turns_to_come(book: ClimbBook, state: State, seat: int) -> int:
    """How many rounds there are still to come, the one that is on included."""
    return book.tables.rounds - max(state.round, 1) + 1


def places(book: ClimbBook, state: State) -> list[int]:
    """Place of each seat: by total, then by unscored cards from the top level down; equals share a place."""
    keys = [
        (total_points(book.tables, state, state.seats[seat]), *tie_break(state, seat))
        for seat in range(state.players)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def tie_break(state: State, seat: int) -> tuple[int, ...]:
    """The unscored cards of each level, from the top down."""
    return tuple(count_active(state.seats[seat], level) for level in reversed(range(LEVELS)))


def levels(book: ClimbBook) -> list[Level]:
    """The ranks of a solo score; below the last there is none."""
    return grade_levels(sorted(book.tables.ranks, reverse=True))


def tallies(state: State, seat: int) -> dict[str, int]:
    """Nothing else is counted."""
    return {}
