"""Which inputs the net of a Clever game has: worked out from the sheet, so that one text serves every sheet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from foxclover.ai.clever import inputs
from foxclover.ai.clever.inputs import PATTERNS_PER_CELL, ROWS, SLOTS, Plan
from foxclover.clever.state import (
    ACTION,
    ACTIONS,
    ANY_ORDER,
    AREAS,
    BY_GROUP,
    BY_PAIR,
    CELLS,
    DICE,
    GRID,
    PLACED,
    VALUES,
    Sheet,
)
from foxclover.net_file import NetError

PATTERN_CELLS = 6  # longer lines are no pattern


def patterns(sheet: Sheet, area: int) -> Iterator[tuple[int, ...]]:
    """Cells of a grid that belong together: lines, groups, and cells with one number; each set once."""
    seen = set()
    whole = range(sheet.cells[area])
    sets = [
        [
            cell
            for cell in whole
            if line in (sheet.first_line[area][cell], sheet.second_line[area][cell])
        ]
        for line in range(1, 16)
    ]
    sets += [
        [cell for cell in whole if sheet.group[area][cell] == group]
        for group in set(sheet.group[area][: sheet.cells[area]])
    ]
    sets += [
        [cell for cell in sheet.showing[area * VALUES + value] if cell >= 0]
        for value in range(VALUES)
    ]
    for cells in map(tuple, sets):
        if 2 <= len(cells) <= PATTERN_CELLS and cells not in seen:
            seen.add(cells)
            yield cells


def make_plan(sheet: Sheet) -> Plan:
    """Work out the inputs for a sheet; raises ``NetError`` if they are too many."""
    plan = Plan()
    sizes = dict.fromkeys(range(inputs.PATTERNS), 1)
    sizes |= {
        inputs.TIME: 25,
        inputs.TURNS: 7,
        inputs.PASSIVES: 13,
        inputs.ROLL_SLOT: 19,
        inputs.HAND: 192,
    }
    sizes |= {
        inputs.FOXES: 7,
        inputs.LOW: 7 * inputs.LOW_CODES,
        inputs.LOWEST: 35,
        inputs.FOLLOWS: 6,
    }
    sizes |= {inputs.DIE + die: 13 for die in range(DICE)}
    for action in range(ACTIONS):
        sizes[inputs.BANKED + action] = sizes[inputs.UNLOCKED + action] = (
            sheet.action_fields[action] + 1
        )
    for bonus in range(1, sheet.bonuses):
        used = bonus < ACTION or bonus >= PLACED or sheet.action_fields[bonus - ACTION] > 0
        sizes[inputs.WAYS + bonus] = 16 if used else 1
        if bonus >= PLACED:
            sizes[inputs.HEAPED + bonus - PLACED] = 4
    for slots in plan.cell_slots:
        slots[:] = [-1] * PATTERNS_PER_CELL
    for area in range(AREAS):
        groups = {sheet.group[area][cell] for cell in range(sheet.cells[area])}
        track = sheet.kind[area] != GRID
        plan.shows_points[area] = int(sheet.scoring[area] != BY_GROUP or len(groups) > 1)
        plan.shows_last[area] = int(
            track and (sheet.order[area] != ANY_ORDER or sheet.scoring[area] == BY_PAIR)
        )
        sizes[inputs.COUNT + area] = sheet.cells[area] * (1 + sheet.circles[area]) + 1
        sizes[inputs.POINTS + area] = inputs.POINTS_CODES if plan.shows_points[area] else 1
        sizes[inputs.LAST + area] = (sheet.cells[area] + 1) * VALUES if plan.shows_last[area] else 1
        sizes[inputs.GAP + area] = inputs.GAP_CODES
        if not track:
            _add_patterns(sheet, area, plan, sizes)
    plan.slots = len(sizes)
    base = list(
        accumulate((sizes[slot] - 1 for slot in range(plan.slots)), initial=-1)
    )  # code 0 has no row
    plan.rows = base.pop() + 1
    if plan.slots > SLOTS or plan.rows > ROWS:
        raise NetError(
            f"the sheet has {plan.slots} inputs with {plan.rows} states, more than the {SLOTS} and {ROWS} a net can take"
        )
    plan.base[: plan.slots] = base
    return plan


def _add_patterns(sheet: Sheet, area: int, plan: Plan, sizes: dict[int, int]) -> None:
    """A slot for every pattern of a grid."""
    states = 2 + sheet.circles[area]
    for cells in patterns(sheet, area):
        slot = len(sizes)
        for digit, cell in enumerate(cells):
            free = plan.cell_slots[area * CELLS + cell].index(-1)
            plan.cell_slots[area * CELLS + cell][free] = slot
            plan.cell_weights[area * CELLS + cell][free] = states**digit
        sizes[slot] = states ** len(cells)
