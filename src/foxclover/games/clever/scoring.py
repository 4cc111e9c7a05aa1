"""Scores: points by area, foxes, and the order of places."""

from __future__ import annotations

from foxclover.core.ratings import Rating, grade_ratings
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules.moves import ENTRIES, PASS, total_points
from foxclover.games.clever.rules.state import CELLS, PASSIVE, State

TALLIES: tuple[str, ...] = ("foxes",)  # as ``write_tallies`` counts them
TIE_BREAK = "clever.tie_break"


def breakdown(definition: CleverDefinition, state: State, seat: int) -> dict[str, int]:
    """Return the points of each area and of the foxes; they sum to the score."""
    mine = state.seats[seat]
    parts = {area.name: mine.points[index] for index, area in enumerate(definition.areas)}
    return {**parts, "foxes": mine.foxes * min(mine.points)}


def part_of(definition: CleverDefinition, state: State, seat: int, move: int) -> str:
    """Return the area of a move's entry; "" for none."""
    if move >= PASS:
        return ""
    return definition.areas[move % ENTRIES // CELLS].name


def turns_to_come(definition: CleverDefinition, state: State, seat: int) -> int:
    """Count the active turns of a player to come, the current one included."""
    place, now = ((other - state.first) % state.players for other in (seat, state.active))
    had = place < now or (place == now and state.phase == PASSIVE)
    return definition.tables.rounds[state.players] - max(state.round, 1) + (0 if had else 1)


def places(definition: CleverDefinition, state: State) -> list[int]:
    """Return the place of each seat: by total, then by the best area; equals share one."""
    keys = [
        (total_points(state.seats[seat]), *tie_break(state, seat)) for seat in range(state.players)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def tie_break(state: State, seat: int) -> tuple[int]:
    """Return the points of the best area."""
    return (max(state.seats[seat].points),)


def ratings(definition: CleverDefinition) -> list[Rating]:
    """Return the ratings of a solo score, the last for everything below the others."""
    return grade_ratings([*definition.file.rating, None])
