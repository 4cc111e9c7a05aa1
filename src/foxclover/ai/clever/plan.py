"""Which inputs the net of a Clever game has: worked out from the sheet, so that one text serves every sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from foxclover.ai.clever.inputs import (
    BANKED,
    COUNT,
    DIE,
    FOLLOWS,
    FOXES,
    GAP,
    HAND,
    HEAPED,
    LAST,
    LOW,
    LOW_CODES,
    LOWEST,
    PASSIVES,
    PATTERNS,
    PATTERNS_PER_CELL,
    POINTS,
    POINTS_CODES,
    ROLL_SLOT,
    TIME,
    TURNS,
    UNLOCKED,
    WAYS,
)
from foxclover.clever.state import ACTION, ACTIONS, ANY_ORDER, AREAS, BY_GROUP, BY_PAIR, CELLS, DICE, GRID, PLACED, VALUES, Sheet

if TYPE_CHECKING:
    from foxclover.ai.parts import Ints

PATTERN_CELLS = 6  # longer lines are no pattern


class Plan(NamedTuple):
    """Where the inputs of a sheet stand."""

    slots: int
    rows: int
    base: Ints  # the row of a slot's code 0
    cell_slots: Ints  # [area * CELLS + cell][n]: slots a marked cell counts in; -1: no more
    cell_weights: Ints
    shows_points: Ints  # by area: are its points more than a function of its entries
    shows_last: Ints  # by area: does the number entered last matter


def patterns(sheet: Sheet, area: int) -> Iterator[tuple[int, ...]]:
    """Cells of a grid that belong together: lines, groups, and cells with one number; each set once."""
    seen = set()
    whole = range(sheet.cells[area])
    sets = [[cell for cell in whole if line in (sheet.first_line[area][cell], sheet.second_line[area][cell])] for line in range(1, 16)]
    sets += [[cell for cell in whole if sheet.group[area][cell] == group] for group in set(sheet.group[area][: sheet.cells[area]])]
    sets += [[cell for cell in sheet.spots[area * VALUES + value] if cell >= 0] for value in range(VALUES)]
    for cells in map(tuple, sets):
        if 2 <= len(cells) <= PATTERN_CELLS and cells not in seen:
            seen.add(cells)
            yield cells


def make_plan(sheet: Sheet) -> Plan:
    """Work out the inputs for a sheet."""
    import numpy as np

    sizes = dict.fromkeys(range(PATTERNS), 1)
    sizes |= {TIME: 25, TURNS: 7, PASSIVES: 13, ROLL_SLOT: 19, HAND: 192, FOXES: 7, LOW: 7 * LOW_CODES, LOWEST: 35, FOLLOWS: 6}
    sizes |= {DIE + die: 13 for die in range(DICE)}
    for action in range(ACTIONS):
        sizes[BANKED + action] = sizes[UNLOCKED + action] = sheet.action_fields[action] + 1
    for bonus in range(1, sheet.bonuses):
        used = bonus < ACTION or bonus >= PLACED or sheet.action_fields[bonus - ACTION] > 0
        sizes[WAYS + bonus] = 16 if used else 1
        if bonus >= PLACED:
            sizes[HEAPED + bonus - PLACED] = 4
    shows_points = np.zeros(AREAS, np.int64)
    shows_last = np.zeros(AREAS, np.int64)
    cell_slots = np.full((AREAS * CELLS, PATTERNS_PER_CELL), -1, np.int64)
    cell_weights = np.zeros((AREAS * CELLS, PATTERNS_PER_CELL), np.int64)
    slots = PATTERNS
    for area in range(AREAS):
        groups = {sheet.group[area][cell] for cell in range(sheet.cells[area])}
        shows_points[area] = sheet.scoring[area] != BY_GROUP or len(groups) > 1
        shows_last[area] = sheet.kind[area] != GRID and (sheet.order[area] != ANY_ORDER or sheet.scoring[area] == BY_PAIR)
        states = 2 + sheet.circles[area]
        sizes[COUNT + area] = sheet.cells[area] * (1 + sheet.circles[area]) + 1
        sizes[POINTS + area] = POINTS_CODES if shows_points[area] else 1
        sizes[LAST + area] = (sheet.cells[area] + 1) * VALUES if shows_last[area] else 1
        sizes[GAP + area] = 12
        if sheet.kind[area] == GRID:
            for cells in patterns(sheet, area):
                for place, cell in enumerate(cells):
                    free = list(cell_slots[area * CELLS + cell]).index(-1)
                    cell_slots[area * CELLS + cell][free] = slots
                    cell_weights[area * CELLS + cell][free] = states**place
                sizes[slots] = states ** len(cells)
                slots += 1
    lengths = [sizes[slot] - 1 for slot in range(slots)]
    base = np.cumsum([-1, *lengths])  # code 0 has no row
    return Plan(slots, int(base[-1]) + 1, base[:-1].astype(np.int64), cell_slots, cell_weights, shows_points, shows_last)
