"""What a seat sees of the table as plain numbers, for learning: kernel code. ``features`` names them, in the same order."""

from __future__ import annotations

from foxclover.clever.areas import total_points
from foxclover.clever.state import (
    ACTIONS,
    AREAS,
    DICE,
    GRID,
    PLACED,
    ROLL_DUE,
    Player,
    Sheet,
    State,
)


def observe_table(sheet: Sheet, state: State, seat: int, features: list[int]) -> int:
    """Write the table; return how many numbers that are."""
    features[0] = state.round
    features[1] = state.phase
    features[2] = state.roll
    features[3] = (state.active - seat + state.players) % state.players
    features[4] = (state.first - seat + state.players) % state.players
    at = 5
    for die in range(DICE):
        rolling = state.chance == ROLL_DUE and state.hand >> die & 1 == 1
        features[at] = 0 if rolling else state.face[die]
        features[at + 1] = 1 if state.platter >> die & 1 else 2 if state.laid >> die & 1 else 0
        features[at + 2] = state.follow >> die & 1
        at += 3
    return at


def observe(sheet: Sheet, state: State, seat: int, features: list[int]) -> None:
    """Write the table, then the sheets, the seat's own first."""
    at = observe_table(sheet, state, seat, features)
    for turn in range(state.players):
        at = observe_sheet(sheet, state.seats[(seat + turn) % state.players], features, at)


def observe_sheet(sheet: Sheet, mine: Player, features: list[int], at: int) -> int:
    """Write a sheet; return where it ends."""
    features[at] = mine.stage
    features[at + 1] = mine.foxes
    features[at + 2] = total_points(mine)
    at += 3
    for die in range(DICE):
        features[at + die] = mine.used >> die & 1
    at += DICE
    for bonus in range(PLACED, sheet.bonuses):
        features[at] = mine.heap[bonus]
        at += 1
    for action in range(ACTIONS):
        features[at] = mine.actions[action]
        features[at + 1] = mine.unlocked[action]
        at += 2
    for area in range(AREAS):
        features[at] = mine.points[area]
        features[at + 1] = mine.room[area]
        features[at + 2] = mine.last[area]
        at += 3
        cells = sheet.cells[area]
        if sheet.kind[area] == GRID:
            crossed = mine.crossed[area]
            circled = mine.circled[area] | crossed
            for cell in range(cells):
                features[at + cell] = (crossed >> cell & 1) + (circled >> cell & 1)
        else:
            for cell in range(cells):
                features[at + cell] = mine.written[area][cell]
        at += cells
    return at
