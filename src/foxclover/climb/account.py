"""The final account in the kernel: what ``scoring`` tells people, as plain numbers in the same order."""

from __future__ import annotations

from foxclover.climb.state import LEVELS, Deck, State
from foxclover.climb.tableau import count_active, level_points, set_points, total_points


def write_parts(deck: Deck, state: State, seat: int, parts: list[int]) -> None:
    """Write the points of each level from the top down, of luck and of sets."""
    mine = state.seats[seat]
    for level in range(LEVELS):
        parts[LEVELS - 1 - level] = level_points(deck, state, mine, level)
    parts[LEVELS] = mine.luck
    parts[LEVELS + 1] = set_points(deck, state, mine)


def write_tallies(deck: Deck, state: State, seat: int, tallies: list[int]) -> None:
    """Nothing else is counted."""


def is_ahead(deck: Deck, state: State, seat: int, other: int) -> bool:
    """Does a seat stand before another one, by total, then by unscored cards from the top level down?"""
    mine = state.seats[seat]
    theirs = state.seats[other]
    lead = total_points(deck, state, mine) - total_points(deck, state, theirs)
    level = LEVELS
    while lead == 0 and level > 0:
        level -= 1
        lead = count_active(mine, level) - count_active(theirs, level)
    return lead > 0
