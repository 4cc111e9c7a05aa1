"""What the value net of a Clever game sees of a position, from one player's side.

The position is one right after his move. Inputs are slots with a code each (0 adds nothing), and a few scalars. ``plan`` tells how many
codes each slot of a sheet has.
"""

from __future__ import annotations

from foxclover.clever.areas import follow_up_cells
from foxclover.clever.state import (
    ACTIONS,
    AREAS,
    BONUSES,
    CELLS,
    DICE,
    GRID,
    LINES,
    NO_CHANCE,
    OVER,
    PASSIVE,
    PLACED,
    ROLL_DUE,
    ROLLING,
    ROLLS,
    ROUND_START,
    TAKING,
    VALUES,
    WINDOWS,
    Player,
    Sheet,
    State,
)
from foxclover.records import Record, ints, shorts, singles

# Slots: the course of the game, the dice, the bonuses, the areas; after these the patterns of marked cells.
TIME = 0
TURNS = 1
PASSIVES = 2
ROLL_SLOT = 3
HAND = 4
DIE = 5
BANKED = DIE + DICE
UNLOCKED = BANKED + ACTIONS
FOXES = UNLOCKED + ACTIONS
LOW = FOXES + 1
LOWEST = LOW + 1
FOLLOWS = LOWEST + 1
HEAPED = FOLLOWS + 1
WAYS = HEAPED + BONUSES - PLACED
POINTS = WAYS + BONUSES
COUNT = POINTS + AREAS
LAST = COUNT + AREAS
GAP = LAST + AREAS
PATTERNS = GAP + AREAS

VERSION = 1  # of these inputs; a net learnt for others is refused
SLOTS = 128  # at most
ROWS = 4096  # codes of all slots but 0, at most
PATTERNS_PER_CELL = 4
SCALARS = AREAS + 2
POINTS_CODES = 48
LOW_CODES = 24
BELOW_ZERO = 12  # codes of points begin here
POINTS_STEP = 3
GAP_CODES = 12
GAP_STEP = 4
UNIT = 32.0  # points in a scalar of 1


class Plan(Record):
    """Where the inputs of a sheet stand."""

    slots: int
    rows: int
    base: list[int] = ints(SLOTS)  # the row of a slot's code 0
    cell_slots: list[list[int]] = shorts(
        AREAS * CELLS, PATTERNS_PER_CELL
    )  # slots a marked cell counts in; -1: no more
    cell_weights: list[list[int]] = shorts(AREAS * CELLS, PATTERNS_PER_CELL)
    shows_points: list[int] = ints(AREAS)  # are its points more than a function of its entries
    shows_last: list[int] = ints(AREAS)  # does the number entered last matter


class Inputs(Record):
    """What the net sees of a position."""

    codes: list[int] = shorts(SLOTS)
    scalars: list[float] = singles(SCALARS)


def points_code(points: int, codes: int) -> int:
    """Points in steps."""
    if points < -BELOW_ZERO:
        return 0
    return min((points + BELOW_ZERO) // POINTS_STEP, codes - 1)


def next_roll(state: State, seat: int) -> int:
    """Number of the roll this player is about to make in his turn; 0: none."""
    if state.phase != ROLLING or seat != state.active:
        return 0
    if state.chance == ROLL_DUE:
        return state.roll
    if state.roll < ROLLS and state.hand > 0:
        return state.roll + 1
    return 0


def turn_of(state: State, seat: int) -> int:
    """How many are active before this seat in a round."""
    return (seat - state.first + state.players) % state.players


def turns_begun(state: State) -> int:
    """How many active turns of this round have begun."""
    return 0 if state.phase == ROUND_START else turn_of(state, state.active) + 1


def turns_left(sheet: Sheet, state: State, seat: int) -> int:
    """Active turns of a player that have not begun."""
    return (
        sheet.rounds[state.players]
        - state.round
        + (1 if turn_of(state, seat) >= turns_begun(state) else 0)
    )


def passives_left(sheet: Sheet, state: State, seat: int) -> int:
    """Passive turns in which a player has not yet taken his die."""
    later = sheet.rounds[state.players] - state.round
    if state.phase == OVER:
        return 0
    if state.players == 1:
        return later + (1 if state.phase != PASSIVE or state.chance != NO_CHANCE else 0)
    begun = turns_begun(state)
    count = (
        later * (state.players - 1)
        + state.players
        - begun
        - (1 if turn_of(state, seat) >= begun else 0)
    )
    if seat != state.active:
        mine = state.seats[seat]
        if state.phase == ROLLING or (
            state.phase == WINDOWS and mine.stage == TAKING and mine.heaped == 0
        ):
            count += 1
    return count


def count_entries(sheet: Sheet, mine: Player, area: int) -> int:
    """How many entries a player has made in an area."""
    return sheet.cells[area] * (1 + sheet.circles[area]) - mine.room[area]


def collect(sheet: Sheet, plan: Plan, state: State, seat: int, inputs: Inputs) -> bool:
    """Write the inputs; return whether anything can still happen on this player's sheet."""
    codes = inputs.codes
    for slot in range(plan.slots):
        codes[slot] = 0
    mine = state.seats[seat]
    turns = turns_left(sheet, state, seat)
    passives = passives_left(sheet, state, seat)
    roll = next_roll(state, seat)
    codes[TIME] = (state.players - 1) * 6 + state.round
    codes[TURNS] = turns
    codes[PASSIVES] = passives
    if roll > 0:
        collect_dice(state, roll, codes)
    if state.follow > 0 and seat == state.active:
        codes[FOLLOWS] = count_follow_ups(sheet, state, mine)
    collect_bonuses(sheet, mine, codes)
    collect_points(mine, codes, inputs.scalars)
    for area in range(AREAS):
        made = count_entries(sheet, mine, area)
        codes[COUNT + area] = made
        if sheet.kind[area] == GRID:
            collect_grid(sheet, plan, mine, area, codes)
        if plan.shows_last[area] == 1:
            codes[LAST + area] = made * VALUES + mine.last[area]
        if plan.shows_points[area] == 1:
            codes[POINTS + area] = points_code(mine.points[area], POINTS_CODES)
    return turns + passives + roll + mine.heaped + state.follow > 0


def collect_dice(state: State, roll: int, codes: list[int]) -> None:
    """Before a roll: the dice at hand, and where the others lie with which face."""
    count = 0
    for die in range(DICE):
        if state.hand >> die & 1:
            count += 1
        else:
            codes[DIE + die] = state.face[die] + (6 if state.laid >> die & 1 else 0)
    codes[ROLL_SLOT] = (roll - 1) * DICE + count
    codes[HAND] = (roll - 1) * 64 + state.hand


def count_follow_ups(sheet: Sheet, state: State, mine: Player) -> int:
    """Dice just sent to the platter that can be crossed."""
    count = 0
    for die in range(DICE):
        if state.follow >> die & 1:
            count += 1 if follow_up_cells(sheet, state, mine, die) != 0 else 0
    return min(count, 5)


def collect_bonuses(sheet: Sheet, mine: Player, codes: list[int]) -> None:
    """Actions, the heap, and how near each kind of bonus is: sources one and two entries away."""
    for action in range(ACTIONS):
        codes[BANKED + action] = mine.actions[action]
        codes[UNLOCKED + action] = mine.unlocked[action]
    if mine.heaped > 0:
        for bonus in range(PLACED, sheet.bonuses):
            codes[HEAPED + bonus - PLACED] = min(mine.heap[bonus], 3)
    for line in range(1, LINES):
        left = mine.line_left[line]
        if left == 1:
            codes[WAYS + sheet.line_bonus[line]] += 4
        elif left == 2:
            codes[WAYS + sheet.line_bonus[line]] += 1
    for area in range(AREAS):
        if sheet.kind[area] != GRID:
            cells = sheet.cells[area]
            cell = cells - mine.room[area]
            if cell < cells:
                codes[WAYS + sheet.bonus[area][cell]] += 4
            if cell + 1 < cells:
                codes[WAYS + sheet.bonus[area][cell + 1]] += 1
    codes[WAYS] = 0
    for bonus in range(1, sheet.bonuses):
        codes[WAYS + bonus] = min(codes[WAYS + bonus], 15)


def collect_points(mine: Player, codes: list[int], scalars: list[float]) -> None:
    """Points of the areas, foxes, the lowest area and how far the others are above it."""
    low = mine.points[0]
    lowest = 0
    for area in range(1, AREAS):
        if mine.points[area] < low:
            low = mine.points[area]
            lowest = area
    codes[FOXES] = mine.foxes
    codes[LOW] = mine.foxes * LOW_CODES + points_code(low, LOW_CODES)
    codes[LOWEST] = lowest * 7 + mine.foxes
    for area in range(AREAS):
        codes[GAP + area] = min((mine.points[area] - low) // GAP_STEP, GAP_CODES - 1)
        scalars[area] = mine.points[area] / UNIT
    scalars[AREAS] = low / UNIT
    scalars[AREAS + 1] = low * mine.foxes / UNIT


def collect_grid(sheet: Sheet, plan: Plan, mine: Player, area: int, codes: list[int]) -> None:
    """The patterns of marked cells."""
    crossed = mine.crossed[area]
    circled = mine.circled[area] & ~crossed
    mark = 1 + sheet.circles[area]
    for cell in range(sheet.cells[area]):
        state = mark if crossed >> cell & 1 else circled >> cell & 1
        if state > 0:
            slots = plan.cell_slots[area * CELLS + cell]
            weights = plan.cell_weights[area * CELLS + cell]
            for n in range(PATTERNS_PER_CELL):
                if slots[n] < 0:
                    break
                codes[slots[n]] += state * weights[n]
