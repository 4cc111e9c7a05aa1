"""The moves of players and of chance as integers, and which are legal.

Legal moves come in ascending order of their numbers. An entry is ``area * CELLS + slot``; the slot is the cell of a grid, or the number
entered on a track (0 for a plain cross).

    0 ..      use a die (to lay it out, to take it, as an extra die, as a follow-up): die * ENTRIES + entry
    PLACE ..  place a bonus of the heap: PLACE + (bonus - PLACED) * ENTRIES + entry
    PASS      lay out or take nothing
    REROLL_ALL
    DONE      no more follow-ups, returns or extra dice
    TAKE_BACK + die
    TIE + mask of the platter, ROLL + faces of the dice at hand as digits to base 6, the first die lowest: moves of chance
"""

from __future__ import annotations

from foxclover.clever.areas import entered_value, follow_up_fits, track_accepts
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


def legal(sheet: Sheet, state: State, seat: int, moves: list[int]) -> int:
    """Write the legal moves of a player who may act into ``moves``; return how many there are."""
    mine = state.seats[seat]
    if mine.heaped > 0:
        return add_placements(sheet, mine, moves)
    stage = mine.stage
    count = 0
    if stage == CHOOSING:
        count = add_uses(sheet, state, mine, state.hand, moves, 0)
        if count == 0 or sheet.optional == 1:
            count = add_move(moves, count, PASS)
        if mine.actions[REROLL] > 0:
            count = add_move(moves, count, REROLL_ALL)
    elif stage == TAKING:
        count = add_uses(sheet, state, mine, state.platter, moves, 0)
        if count == 0:
            count = add_move(moves, add_uses(sheet, state, mine, state.laid, moves, 0), PASS)
        elif sheet.optional == 1:
            count = add_move(moves, count, PASS)
    elif stage == ADDING:
        count = add_move(moves, add_uses(sheet, state, mine, ALL_DICE & ~mine.used, moves, 0), DONE)
    elif stage == FOLLOWING:
        count = add_move(moves, add_follow_ups(sheet, state, mine, moves), DONE)
    elif stage == RETURNING:
        count = add_move(moves, 0, DONE)
        for die in range(DICE):
            if state.platter >> die & 1:
                count = add_move(moves, count, TAKE_BACK + die)
    return count


def add_move(moves: list[int], count: int, move: int) -> int:
    """Append a move to the buffer; return the new count."""
    moves[count] = move
    return count + 1


def add_uses(sheet: Sheet, state: State, mine: Player, dice: int, moves: list[int], count: int) -> int:
    """Add every entry the given dice allow: a coloured die in its area, the joker in all."""
    for die in range(DICE):
        if dice >> die & 1:
            home = sheet.home[die]
            if home < 0:
                for area in range(AREAS):
                    count = add_entries(sheet, mine, area, entered_value(sheet, state, die, area), die * ENTRIES, moves, count)
            elif mine.room[home] > 0:
                count = add_entries(sheet, mine, home, entered_value(sheet, state, die, home), die * ENTRIES, moves, count)
    return count


def add_entries(sheet: Sheet, mine: Player, area: int, value: int, first: int, moves: list[int], count: int) -> int:
    """Add every entry of a number in one area; moves are numbered from ``first``."""
    first += area * CELLS
    if sheet.kind[area] == TRACK:
        if track_accepts(sheet, mine, area, value):
            moves[count] = first + value
            count += 1
        return count
    crossed = mine.crossed[area]
    for cell in sheet.spots[area * VALUES + value]:
        if cell < 0:
            break
        if crossed >> cell & 1 == 0:
            moves[count] = first + cell
            count += 1
    return count


def add_follow_ups(sheet: Sheet, state: State, mine: Player, moves: list[int]) -> int:
    """Add the crosses of dice that the last choice sent to the platter."""
    area = sheet.follow_area
    count = 0
    for die in range(DICE):
        if state.follow >> die & 1:
            for cell in sheet.spots[area * VALUES + state.face[die]]:
                if follow_up_fits(sheet, mine, die, cell):
                    count = add_move(moves, count, die * ENTRIES + area * CELLS + cell)
    return count


def add_placements(sheet: Sheet, mine: Player, moves: list[int]) -> int:
    """Add every way to place a bonus of the heap."""
    count = 0
    for bonus in range(PLACED, sheet.bonuses):
        if mine.heap[bonus] > 0:
            for option in range(sheet.options[bonus]):
                area = sheet.option_area[bonus][option]
                if mine.room[area] > 0:
                    first = PLACE + (bonus - PLACED) * ENTRIES + area * CELLS
                    count = add_bonus_entries(sheet, mine, area, sheet.option_value[bonus][option], first, moves, count)
    return count


def add_bonus_entries(sheet: Sheet, mine: Player, area: int, value: int, first: int, moves: list[int], count: int) -> int:
    """Add every entry of a bonus in an area with room: any open cell of a grid, a given or a free number on a track."""
    if sheet.kind[area] == GRID:
        for cell in range(sheet.cells[area]):
            if mine.crossed[area] >> cell & 1 == 0:
                count = add_move(moves, count, first + cell)
    elif value != FREE:
        count = add_move(moves, count, first + value)
    else:
        paired = sheet.partner[area] >= 0
        for number in range(2 if paired else 1, 13 if paired else 7):
            if track_accepts(sheet, mine, area, number):
                count = add_move(moves, count, first + number)
    return count
