"""What the areas of a sheet accept, and what an entry does to them."""

from __future__ import annotations

from foxclover.clever.bonuses import grant
from foxclover.clever.state import (
    BY_GROUP,
    BY_SUM,
    CELLS,
    DICE,
    FALLING,
    GRID,
    RISING,
    TOP_FACE,
    USES,
    VALUES,
    Player,
    Sheet,
    State,
)


def next_field(sheet: Sheet, mine: Player, area: int) -> int:
    """The leftmost free field of a track."""
    return sheet.cells[area] - mine.room[area]


def open_numbers(sheet: Sheet, mine: Player, area: int) -> int:
    """Mask of the numbers that may be written in the next field of a track."""
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
    """Can any of these dice be entered right now?"""
    for use in range(USES):
        if (
            dice & sheet.use_die[use]
            and mine.open[sheet.use_area[use]] >> state.face[sheet.use_face[use]] & 1
        ):
            return True
    return False


def follow_up_cells(sheet: Sheet, state: State, mine: Player, die: int) -> int:
    """Mask of the cells that a die sent to the platter may still cross."""
    return sheet.follow_cells[die][state.face[die]] & ~mine.crossed[sheet.follow_area]


def any_follow_up(sheet: Sheet, state: State, mine: Player) -> bool:
    """Can any of the dice just sent to the platter still be crossed?"""
    for die in range(DICE):
        if state.follow >> die & 1 and follow_up_cells(sheet, state, mine, die) != 0:
            return True
    return False


def enter(sheet: Sheet, mine: Player, entry: int) -> None:
    """Make an entry, which names the cell of a grid or the number for the next field of a track; score it and hand out its bonuses."""
    area = entry // CELLS
    if sheet.kind[area] == GRID:
        mine.room[area] -= 1
        mark(sheet, mine, area, entry % CELLS)
    else:
        cell = next_field(sheet, mine, area)
        mine.room[area] -= 1
        write(sheet, mine, area, cell, entry % CELLS)


def mark(sheet: Sheet, mine: Player, area: int, cell: int) -> None:
    """Circle or cross a cell of a grid. Where numbers are circled first, lines need circles and points need crosses."""
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
    """One cell of a line is filled; the last one earns its bonus."""
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
    """Points of a sheet as it stands: the areas, and every fox worth the lowest of them."""
    lowest = mine.points[0]
    total = 0
    for points in mine.points:
        total += points
        if points < lowest:
            lowest = points
    return total + mine.foxes * lowest
