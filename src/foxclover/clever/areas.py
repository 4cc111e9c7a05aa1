"""What the areas of a sheet accept, and what an entry does to them."""

from __future__ import annotations

from foxclover.clever.bonuses import grant
from foxclover.clever.state import ANY_ORDER, AREAS, BY_GROUP, BY_SUM, DICE, GRID, RISING, TOP_FACE, VALUES, Player, Sheet, State


def entered_value(sheet: Sheet, state: State, die: int, area: int) -> int:
    """The number a die enters in an area: its face, or the sum with its partner wherever that lies."""
    partner = sheet.partner[area]
    if partner >= 0:
        return state.face[partner] + state.face[sheet.joker]
    return state.face[die]


def next_field(sheet: Sheet, mine: Player, area: int) -> int:
    """The leftmost free field of a track."""
    return sheet.cells[area] - mine.room[area]


def track_accepts(sheet: Sheet, mine: Player, area: int, value: int) -> bool:
    """May this number be written in the next field of a track?"""
    room = mine.room[area]
    if room == 0 or value < sheet.minimum[area][sheet.cells[area] - room]:
        return False
    order = sheet.order[area]
    if order == ANY_ORDER:
        return True
    last = mine.last[area]
    if order == RISING:
        return value > last or last == TOP_FACE
    return value <= last or last == 0


def accepts(sheet: Sheet, mine: Player, area: int, value: int) -> bool:
    """Is there a place for this number in an area?"""
    if sheet.kind[area] != GRID:
        return track_accepts(sheet, mine, area, value)
    for cell in sheet.spots[area * VALUES + value]:
        if cell >= 0 and mine.crossed[area] >> cell & 1 == 0:
            return True
    return False


def any_usable(sheet: Sheet, state: State, mine: Player, dice: int) -> bool:
    """Can any of these dice be entered right now?"""
    for die in range(DICE):
        if dice >> die & 1:
            for area in range(AREAS):
                home = sheet.home[die]
                if (home == area or home < 0) and accepts(sheet, mine, area, entered_value(sheet, state, die, area)):
                    return True
    return False


def follow_up_fits(sheet: Sheet, mine: Player, die: int, cell: int) -> bool:
    """May a die sent to the platter be crossed in this cell? Own face, own row; the joker and its like in any row."""
    if cell < 0 or mine.crossed[sheet.follow_area] >> cell & 1:
        return False
    return sheet.die_row[die] < 0 or sheet.die_row[die] == sheet.cell_row[sheet.follow_area][cell]


def any_follow_up(sheet: Sheet, state: State, mine: Player) -> bool:
    """Can any of the dice just sent to the platter still be crossed?"""
    for die in range(DICE):
        if state.follow >> die & 1:
            for cell in sheet.spots[sheet.follow_area * VALUES + state.face[die]]:
                if follow_up_fits(sheet, mine, die, cell):
                    return True
    return False


def enter(sheet: Sheet, mine: Player, area: int, cell: int, value: int) -> None:
    """Make one entry: circle, cross or write, score it and hand out the bonuses it earns."""
    mine.room[area] -= 1
    if sheet.kind[area] == GRID:
        mark(sheet, mine, area, cell)
    else:
        write(sheet, mine, area, cell, value)


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
