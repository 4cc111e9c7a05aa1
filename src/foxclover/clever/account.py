"""The final account in the kernel: what ``scoring`` tells people, as plain numbers in the same order."""

from __future__ import annotations

from foxclover.clever.areas import total_points
from foxclover.clever.state import AREAS, Player, Sheet, State


def write_parts(sheet: Sheet, state: State, seat: int, parts: list[int]) -> None:
    """Write the points of each area, then those of the foxes."""
    mine = state.seats[seat]
    rest = total_points(mine)
    for area in range(AREAS):
        parts[area] = mine.points[area]
        rest -= mine.points[area]
    parts[AREAS] = rest


def write_tallies(sheet: Sheet, state: State, seat: int, tallies: list[int]) -> None:
    """Write how many foxes a seat has."""
    tallies[0] = state.seats[seat].foxes


def is_ahead(sheet: Sheet, state: State, seat: int, other: int) -> bool:
    """Does a seat stand before another one, by total, then by the best single area?"""
    mine = state.seats[seat]
    theirs = state.seats[other]
    lead = total_points(mine) - total_points(theirs)
    return lead > 0 or (lead == 0 and best_area(mine) > best_area(theirs))


def best_area(mine: Player) -> int:
    """Points of the best area."""
    best = mine.points[0]
    for points in mine.points:
        best = max(best, points)
    return best
