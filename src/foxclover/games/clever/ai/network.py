"""The value net of a Clever game: its inputs, weights, evaluation cache and workspace.

An input slot has one of several states (its code); code 0 adds nothing to the first hidden layer,
any other code adds its row. From one position to the next only the slots that changed are updated.
"""

from __future__ import annotations

from foxclover.ai.candidates import Candidates
from foxclover.core.records import Record, ints, one, rows, shorts, singles
from foxclover.core.rules import NO_CHANCE, ROLL_DUE
from foxclover.games.clever.rules.moves import follow_up_cells
from foxclover.games.clever.rules.state import (
    ACTIONS,
    AREAS,
    BONUSES,
    CELLS,
    DICE,
    GRID,
    LINES,
    OVER,
    PASSIVE,
    PLACED,
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
from foxclover.kernel.vectors import (
    BITS,
    differing_bits,
    exchange_rows,
    lowest_bit,
    positive_bits,
    weigh_rows,
)

# Slots: the course of the game, the dice, the bonuses, the areas; after these the patterns of
# marked cells.
TIME, TURNS, PASSIVES, ROLL_SLOT, HAND, DIE = range(6)
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


class FeatureLayout(Record):
    """The layout of the inputs of a sheet."""

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
    """The inputs of the net for a position right after a player's move."""

    codes: list[int] = shorts(SLOTS)
    scalars: list[float] = singles(SCALARS)


def points_code(points: int, codes: int) -> int:
    """Return the code of points, in steps."""
    if points < -BELOW_ZERO:
        return 0
    return min((points + BELOW_ZERO) // POINTS_STEP, codes - 1)


def next_roll(state: State, seat: int) -> int:
    """Return the number of the roll that a player is about to make in their turn; 0: none."""
    if state.phase != ROLLING or seat != state.active:
        return 0
    if state.chance == ROLL_DUE:
        return state.roll
    if state.roll < ROLLS and state.hand > 0:
        return state.roll + 1
    return 0


def turn_of(state: State, seat: int) -> int:
    """Return how many seats are active before this one in a round."""
    return (seat - state.first + state.players) % state.players


def turns_begun(state: State) -> int:
    """Count the active turns of this round that have begun."""
    return 0 if state.phase == ROUND_START else turn_of(state, state.active) + 1


def turns_left(sheet: Sheet, state: State, seat: int) -> int:
    """Count the active turns of a player that have not begun."""
    return (
        sheet.rounds[state.players]
        - state.round
        + (1 if turn_of(state, seat) >= turns_begun(state) else 0)
    )


def passives_left(sheet: Sheet, state: State, seat: int) -> int:
    """Count the passive turns in which a player has not yet taken a die."""
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
    """Count the entries of a player in an area."""
    return sheet.cells[area] * (1 + sheet.circles[area]) - mine.room[area]


def collect(
    sheet: Sheet, feature_layout: FeatureLayout, state: State, seat: int, inputs: Inputs
) -> bool:
    """Write the inputs; return whether anything can still happen on this player's sheet."""
    codes = inputs.codes
    for slot in range(feature_layout.slots):
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
            collect_grid(sheet, feature_layout, mine, area, codes)
        if feature_layout.shows_last[area] == 1:
            codes[LAST + area] = made * VALUES + mine.last[area]
        if feature_layout.shows_points[area] == 1:
            codes[POINTS + area] = points_code(mine.points[area], POINTS_CODES)
    return turns + passives + roll + mine.heaped + state.follow > 0


def collect_dice(state: State, roll: int, codes: list[int]) -> None:
    """Write the dice in hand before a roll, and place and face of the others."""
    for die in range(DICE):
        if state.hand >> die & 1 == 0:
            codes[DIE + die] = state.face[die] + (6 if state.laid >> die & 1 else 0)
    codes[ROLL_SLOT] = (roll - 1) * DICE + state.hand.bit_count()
    codes[HAND] = (roll - 1) * 64 + state.hand


def count_follow_ups(sheet: Sheet, state: State, mine: Player) -> int:
    """Count the dice just sent to the platter that can be crossed."""
    count = 0
    for die in range(DICE):
        if state.follow >> die & 1:
            count += 1 if follow_up_cells(sheet, state, mine, die) != 0 else 0
    return min(count, 5)


def collect_bonuses(sheet: Sheet, mine: Player, codes: list[int]) -> None:
    """Write actions, the heap, and the sources of each bonus one and two entries away."""
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
    """Write the points of the areas, foxes, the lowest area and the gaps to it."""
    low, lowest = mine.points[0], 0
    for area in range(1, AREAS):
        if mine.points[area] < low:
            low, lowest = mine.points[area], area
    codes[FOXES] = mine.foxes
    codes[LOW] = mine.foxes * LOW_CODES + points_code(low, LOW_CODES)
    codes[LOWEST] = lowest * 7 + mine.foxes
    for area in range(AREAS):
        codes[GAP + area] = min((mine.points[area] - low) // GAP_STEP, GAP_CODES - 1)
        scalars[area] = mine.points[area] / UNIT
    scalars[AREAS] = low / UNIT
    scalars[AREAS + 1] = low * mine.foxes / UNIT


def collect_grid(
    sheet: Sheet, feature_layout: FeatureLayout, mine: Player, area: int, codes: list[int]
) -> None:
    """Write the patterns of marked cells."""
    crossed = mine.crossed[area]
    circled = mine.circled[area] & ~crossed
    mark = 1 + sheet.circles[area]
    for cell in range(sheet.cells[area]):
        state = mark if crossed >> cell & 1 else circled >> cell & 1
        if state > 0:
            slots = feature_layout.cell_slots[area * CELLS + cell]
            weights = feature_layout.cell_weights[area * CELLS + cell]
            for n in range(PATTERNS_PER_CELL):
                if slots[n] < 0:
                    break
                codes[slots[n]] += state * weights[n]


FIRST, SECOND = 192, 64  # widths of the hidden layers
NO_ROW = ROWS  # the row of every slot's code 0


class Net(Record):
    """The weights."""

    rows: list[list[float]] = singles(
        ROWS + 1, FIRST
    )  # a row for each state of an input slot; the last one stays 0
    scalars: list[list[float]] = singles(SCALARS, FIRST)
    first: list[float] = singles(FIRST)  # bias of the first hidden layer
    weights: list[list[float]] = singles(FIRST, SECOND)
    second: list[float] = singles(SECOND)  # bias of the second hidden layer
    out: list[float] = singles(SECOND)
    bias: list[float] = singles(1)


class Activations(Record):
    """The state of a net that evaluates positions one after another."""

    seen: Inputs = one(Inputs)  # the inputs of ``sums``
    removed: list[int] = ints(SLOTS)  # rows that are to be taken out
    added: list[int] = ints(SLOTS)  # and for each one that is to be put in
    sums: list[float] = singles(FIRST)  # of the first hidden layer, before its threshold
    firing: list[int] = ints(FIRST)  # which of them are positive
    hidden: list[float] = singles(SECOND)


def restart_sums(net: Net, feature_layout: FeatureLayout, activations: Activations) -> None:
    """Start from the blank position, so that rounding errors do not accumulate."""
    for slot in range(feature_layout.slots):
        activations.seen.codes[slot] = 0
    for scalar in range(SCALARS):
        activations.seen.scalars[scalar] = 0.0
    for i in range(FIRST):
        activations.sums[i] = net.first[i]


def find_changes(feature_layout: FeatureLayout, activations: Activations, inputs: Inputs) -> int:
    """Write which rows new inputs take out and put in; return how many."""
    count = 0
    for start in range(0, SLOTS, BITS):
        bits = differing_bits(activations.seen.codes, inputs.codes, start)
        while bits != 0:
            slot = start + lowest_bit(bits)
            bits &= bits - 1
            old, new = activations.seen.codes[slot], inputs.codes[slot]
            activations.seen.codes[slot] = new
            activations.removed[count] = feature_layout.base[slot] + old if old > 0 else NO_ROW
            activations.added[count] = feature_layout.base[slot] + new if new > 0 else NO_ROW
            count += 1
    return count


def find_firing(activations: Activations) -> int:
    """Write which sums of the first hidden layer are positive; return how many."""
    count = 0
    for start in range(0, FIRST, BITS):
        bits = positive_bits(activations.sums, start)
        while bits != 0:
            activations.firing[count] = start + lowest_bit(bits)
            bits &= bits - 1
            count += 1
    return count


def update_sums(
    net: Net, feature_layout: FeatureLayout, activations: Activations, inputs: Inputs
) -> None:
    """Update the first hidden layer to new inputs."""
    sums = activations.sums
    seen = activations.seen
    exchange_rows(
        sums,
        net.rows,
        activations.added,
        activations.removed,
        find_changes(feature_layout, activations, inputs),
        FIRST,
    )
    for scalar in range(SCALARS):
        change = inputs.scalars[scalar] - seen.scalars[scalar]
        if change != 0:
            seen.scalars[scalar] = inputs.scalars[scalar]
            for i in range(FIRST):
                sums[i] += change * net.scalars[scalar][i]


def output(net: Net, activations: Activations) -> float:
    """Return the output for the inputs that the first hidden layer holds."""
    hidden = activations.hidden
    for j in range(SECOND):
        hidden[j] = net.second[j]
    weigh_rows(
        hidden, net.weights, activations.firing, activations.sums, find_firing(activations), SECOND
    )
    # Two sums, so that one addition need not wait for the other.
    even = net.bias[0]
    zero = even - even  # of the weights' own type
    odd = zero
    for j in range(0, SECOND, 2):
        even += max(hidden[j], zero) * net.out[j]
        odd += max(hidden[j + 1], zero) * net.out[j + 1]
    return even + odd


CACHE_SLOTS = 2048
SCATTER = 40503  # rows of inputs that are alike are kept far apart
SCATTERED = 12  # bits of the product that depend on too little


class CachedValue(Record):
    """A cached evaluation."""

    time: int  # when it was seen
    output: float
    inputs: Inputs = one(Inputs)


class EvalCache(Record):
    """The evaluations of the latest positions, in slots by their inputs."""

    in_use: int
    time: int  # what was seen earlier is forgotten
    entries: list[CachedValue] = rows(CachedValue, CACHE_SLOTS)


def clear_cache(eval_cache: EvalCache, in_use: bool) -> None:
    """Clear the cache and switch it on or off."""
    eval_cache.in_use = 1 if in_use else 0
    eval_cache.time += 1


def cache_slot(feature_layout: FeatureLayout, inputs: Inputs) -> int:
    """Return the slot of a position."""
    total = 0
    for slot in range(feature_layout.slots):
        row = feature_layout.base[slot] + inputs.codes[slot]
        total += row * row
    return (total * SCATTER >> SCATTERED) % CACHE_SLOTS


def is_cached(
    feature_layout: FeatureLayout, eval_cache: EvalCache, at: int, inputs: Inputs
) -> bool:
    """Return whether a slot holds exactly this position."""
    found = eval_cache.entries[at]
    if found.time != eval_cache.time:
        return False
    for scalar in range(SCALARS):
        if found.inputs.scalars[scalar] != inputs.scalars[scalar]:
            return False
    differing = 0
    for slot in range(feature_layout.slots):
        differing |= found.inputs.codes[slot] ^ inputs.codes[slot]
    return differing == 0


class Workspace(Record):
    """The memory of one thread; ``ai.stubs.Workspace`` documents the shared fields."""

    here: State = one(State)
    pre_roll_state: State = one(State)
    ahead: State = one(State)
    candidates: Candidates = one(Candidates)
    rate_all: int
    no_cache: int
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)
    look_rng: list[int] = ints(4)
    feature_layout: FeatureLayout = one(FeatureLayout)
    net: Net = one(Net)
    activations: Activations = one(Activations)
    inputs: Inputs = one(Inputs)  # of a position after a move
    eval_cache: EvalCache = one(EvalCache)
    after: State = one(State)  # a position after a move
    ahead_candidates: Candidates = one(Candidates)  # of ``ahead``
    further: State = one(State)  # a position after a move and what may follow it at once
    further_candidates: Candidates = one(Candidates)
