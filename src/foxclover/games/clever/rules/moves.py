"""The moves of players and of chance as integers, and which are legal.

Legal moves come in ascending order of their numbers. An entry is ``area * CELLS + slot``; the slot is the cell of a grid, or the number
entered on a track (0 for a plain cross).

    0 ..      use a die (to lay it out, to take it, as an extra die, as a follow-up): die * ENTRIES + entry
    PLACE ..  place a bonus of the heap: PLACE + (bonus - PLACED) * ENTRIES + entry
    PASS      lay out or take nothing
    REROLL_ALL
    DONE      no more follow-ups, returns or extra dice
    TAKE_BACK + die
    TIE + mask of the platter, ROLL + faces of the dice at hand as digits to base 6, the first die lowest: moves of chance,
    LOT_OF + seat: another one, who begins
"""

from __future__ import annotations

from foxclover.clever.areas import follow_up_cells
from foxclover.clever.state import (
    ADDING,
    ALL_DICE,
    AREAS,
    BONUSES,
    CELLS,
    CHOOSING,
    DICE,
    FOLLOWING,
    FREE,
    GRID,
    PLACED,
    REROLL,
    RETURNING,
    TAKING,
    TRACK,
    VALUES,
    Player,
    Sheet,
    State,
)

ENTRIES = AREAS * CELLS
PLACE = DICE * ENTRIES
PASS = PLACE + (BONUSES - PLACED) * ENTRIES
REROLL_ALL = PASS + 1
DONE = PASS + 2
TAKE_BACK = PASS + 3
TIE = TAKE_BACK + DICE
ROLL = TIE + ALL_DICE + 1
LOT_OF: int = ROLL + 6**DICE


def legal(sheet: Sheet, state: State, seat: int, moves: list[int]) -> int:
    """Write the legal moves of a player who may act into ``moves``; return how many there are."""
    mine = state.seats[seat]
    if mine.heaped > 0:
        return add_placements(sheet, mine, moves)
    stage = mine.stage
    count = 0
    if stage == CHOOSING:
        count = add_uses(sheet, state, mine, state.hand, moves)
        if count == 0 or sheet.optional == 1:
            moves[count] = PASS
            count += 1
        if mine.actions[REROLL] > 0:
            moves[count] = REROLL_ALL
            count += 1
    elif stage == TAKING:
        count = add_uses(sheet, state, mine, state.platter, moves)
        may_pass = sheet.optional == 1
        if count == 0:
            count = add_uses(sheet, state, mine, state.laid, moves)
            may_pass = True
        if may_pass:
            moves[count] = PASS
            count += 1
    elif stage == ADDING:
        count = add_uses(sheet, state, mine, ALL_DICE & ~mine.used, moves)
        moves[count] = DONE
        count += 1
    elif stage == FOLLOWING:
        count = add_follow_ups(sheet, state, mine, moves)
        moves[count] = DONE
        count += 1
    elif stage == RETURNING:
        moves[0] = DONE
        count = 1
        for die in range(DICE):
            if state.platter >> die & 1:
                moves[count] = TAKE_BACK + die
                count += 1
    return count


def add_uses(sheet: Sheet, state: State, mine: Player, dice: int, moves: list[int]) -> int:
    """Write every entry the given dice allow, a coloured die in its area, the joker in all; return how many."""
    faces = state.face
    numbers = mine.open
    count = 0
    for use, die in enumerate(sheet.use_die):
        if dice & die:
            area = sheet.use_area[use]
            number = faces[sheet.use_face[use]]
            if numbers[area] >> number & 1:
                if sheet.kind[area] == TRACK:
                    moves[count] = sheet.use_move[use] + number
                    count += 1
                else:
                    count = add_cells(
                        sheet, area, number, ~mine.crossed[area], sheet.use_move[use], moves, count
                    )
    return count


def add_cells(
    sheet: Sheet, area: int, number: int, free: int, first: int, moves: list[int], count: int
) -> int:
    """Add the free ones of the cells of a grid that show a number; moves are numbered from ``first``."""
    for cell in sheet.showing[area * VALUES + number]:
        if cell < 0:
            break
        if free >> cell & 1:
            moves[count] = first + cell
            count += 1
    return count


def add_follow_ups(sheet: Sheet, state: State, mine: Player, moves: list[int]) -> int:
    """Write the crosses of dice that the last choice sent to the platter; return how many."""
    area = sheet.follow_area
    count = 0
    for die in range(DICE):
        if state.follow >> die & 1:
            free = follow_up_cells(sheet, state, mine, die)
            count = add_cells(
                sheet, area, state.face[die], free, die * ENTRIES + area * CELLS, moves, count
            )
    return count


def add_placements(sheet: Sheet, mine: Player, moves: list[int]) -> int:
    """Write every way to place a bonus of the heap; return how many."""
    count = 0
    for bonus in range(PLACED, sheet.bonuses):
        if mine.heap[bonus] > 0:
            for option in range(sheet.options[bonus]):
                area = sheet.option_area[bonus][option]
                if mine.room[area] > 0:
                    first = PLACE + (bonus - PLACED) * ENTRIES + area * CELLS
                    count = add_bonus_entries(
                        sheet, mine, area, sheet.option_value[bonus][option], first, moves, count
                    )
    return count


def add_bonus_entries(
    sheet: Sheet, mine: Player, area: int, value: int, first: int, moves: list[int], count: int
) -> int:
    """Add every entry of a bonus in an area with room: any open cell of a grid, a given or a free number on a track."""
    if sheet.kind[area] == GRID:
        crossed = mine.crossed[area]
        for cell in range(sheet.cells[area]):
            if crossed >> cell & 1 == 0:
                moves[count] = first + cell
                count += 1
    elif value != FREE:
        moves[count] = first + value
        count += 1
    else:
        numbers = mine.open[area]
        paired = sheet.paired[area] == 1
        for number in range(2 if paired else 1, 13 if paired else 7):
            if numbers >> number & 1:
                moves[count] = first + number
                count += 1
    return count
