"""Moves as integers, which of them are legal, and what entries and bonuses do.

Legal moves are in ascending order of their numbers. An entry is ``area * CELLS + slot``; the slot
is the cell of a grid, or the number entered on a track (0 for a plain cross).

    0 ..            use a die: die * ENTRIES + entry
    PLACE ..        place a bonus of the heap: PLACE + (bonus - PLACED) * ENTRIES + entry
    PASS            choose no die
    REROLL_ALL
    DONE            no more follow-ups, returns or extra dice
    TAKE_BACK + die
    TIE + mask      chance: the dice on the platter
    ROLL + faces    chance: the dice in hand as digits to base 6, the first die lowest
    LOT_OF + seat   chance: the start player
"""

from __future__ import annotations

from foxclover.games.clever.rules.state import (
    ACTION,
    ADDING,
    ALL_DICE,
    AREAS,
    BONUSES,
    BY_GROUP,
    BY_SUM,
    CELLS,
    CHOOSING,
    DICE,
    FALLING,
    FOLLOWING,
    FOX,
    FREE,
    GRID,
    NOTHING,
    PLACED,
    REROLL,
    RETURNING,
    RISING,
    TAKING,
    TOP_FACE,
    TRACK,
    USES,
    VALUES,
    Player,
    Sheet,
    State,
)


def next_field(sheet: Sheet, mine: Player, area: int) -> int:
    """Return the leftmost free field of a track."""
    return sheet.cells[area] - mine.room[area]


def open_numbers(sheet: Sheet, mine: Player, area: int) -> int:
    """Return the mask of the numbers that the next field of a track takes."""
    if mine.room[area] == 0:
        return 0
    numbers = sheet.takes[area][next_field(sheet, mine, area)]
    order = sheet.order[area]
    last = mine.last[area]
    if order == RISING and last != TOP_FACE:
        numbers &= -2 << last
    elif order == FALLING and last != 0:
        numbers &= ~(-2 << last)
    return numbers


def any_usable(sheet: Sheet, state: State, mine: Player, dice: int) -> bool:
    """Return whether any of these dice can be entered now."""
    for use in range(USES):
        if (
            dice & sheet.use_die[use]
            and mine.open[sheet.use_area[use]] >> state.face[sheet.use_face[use]] & 1
        ):
            return True
    return False


def follow_up_cells(sheet: Sheet, state: State, mine: Player, die: int) -> int:
    """Return the mask of the cells that a die sent to the platter may still cross."""
    return sheet.follow_cells[die][state.face[die]] & ~mine.crossed[sheet.follow_area]


def any_follow_up(sheet: Sheet, state: State, mine: Player) -> bool:
    """Return whether any die just sent to the platter can still be crossed."""
    for die in range(DICE):
        if state.follow >> die & 1 and follow_up_cells(sheet, state, mine, die) != 0:
            return True
    return False


def enter(sheet: Sheet, mine: Player, entry: int) -> None:
    """Make an entry, score it and grant its bonuses."""
    area = entry // CELLS
    if sheet.kind[area] == GRID:
        mine.room[area] -= 1
        mark(sheet, mine, area, entry % CELLS)
    else:
        cell = next_field(sheet, mine, area)
        mine.room[area] -= 1
        write(sheet, mine, area, cell, entry % CELLS)


def mark(sheet: Sheet, mine: Player, area: int, cell: int) -> None:
    """Circle or cross a cell of a grid.

    Where numbers are circled first, lines need circles and points need crosses.
    """
    bit = 1 << cell
    first = (mine.circled[area] | mine.crossed[area]) & bit == 0
    if first:
        count_down(sheet, mine, sheet.first_line[area][cell])
        count_down(sheet, mine, sheet.second_line[area][cell])
    if first and sheet.circles[area] == 1:
        mine.circled[area] |= bit
    else:
        mine.crossed[area] |= bit
        number = sheet.number[area][cell]
        if sheet.shown[area * VALUES + number] & ~mine.crossed[area] == 0:
            mine.open[area] &= ~(1 << number)
        score_group(sheet, mine, area, cell)


def count_down(sheet: Sheet, mine: Player, line: int) -> None:
    """Count a filled cell of a line; the last one earns its bonus."""
    if line > 0:
        mine.line_left[line] -= 1
        if mine.line_left[line] == 0:
            grant(sheet, mine, sheet.line_bonus[line])


def write(sheet: Sheet, mine: Player, area: int, cell: int, value: int) -> None:
    """Write a number in a field of a track (0: a plain cross)."""
    number = value * sheet.factor[area][cell]
    mine.written[area][cell] = number
    mine.last[area] = value
    mine.open[area] = open_numbers(sheet, mine, area)
    mine.crossed[area] |= 1 << cell
    scoring = sheet.scoring[area]
    if scoring == BY_GROUP:
        score_group(sheet, mine, area, cell)
    elif scoring == BY_SUM:
        mine.points[area] += number
    elif cell % 2 == 1:
        mine.points[area] += mine.written[area][cell - 1] - number
    if value >= sheet.bonus_minimum[area][cell]:
        grant(sheet, mine, sheet.bonus[area][cell])


def score_group(sheet: Sheet, mine: Player, area: int, cell: int) -> None:
    """Count a cross or entry in the group of its cell."""
    group = sheet.group[area][cell]
    mine.points[area] += sheet.gain[group][mine.grouped[group]]
    mine.grouped[group] += 1


def total_points(mine: Player) -> int:
    """Return the points of a sheet: the areas, and the lowest of them for every fox."""
    lowest = mine.points[0]
    total = 0
    for points in mine.points:
        total += points
        if points < lowest:
            lowest = points
    return total + mine.foxes * lowest


def grant(sheet: Sheet, mine: Player, bonus: int) -> None:
    """Give a bonus; the last field of an action track gives another one."""
    if bonus == FOX:
        mine.foxes += 1
    elif bonus >= PLACED:
        mine.heap[bonus] += 1
        mine.heaped += 1
    elif bonus != NOTHING:
        action = bonus - ACTION
        mine.actions[action] += 1
        mine.unlocked[action] += 1
        if mine.unlocked[action] == sheet.action_fields[action]:
            grant(sheet, mine, sheet.action_end[action])


def can_be_placed(sheet: Sheet, mine: Player, bonus: int) -> bool:
    """Return whether any area of a bonus has room for it."""
    for option in range(sheet.options[bonus]):
        if mine.room[sheet.option_area[bonus][option]] > 0:
            return True
    return False


def drop_lost(sheet: Sheet, mine: Player) -> None:
    """Drop the bonuses without room."""
    for bonus in range(PLACED, sheet.bonuses):
        if mine.heap[bonus] > 0 and not can_be_placed(sheet, mine, bonus):
            mine.heaped -= mine.heap[bonus]
            mine.heap[bonus] = 0


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
    """Write every entry of the given dice; return how many.

    A coloured die fits its area, the joker all of them.
    """
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
    """Add the free cells of a grid that show a number, as moves from ``first`` on."""
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
    """Add every entry of a bonus in an area with room.

    A bonus fills any open cell of a grid, or a given or free number on a track.
    """
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
