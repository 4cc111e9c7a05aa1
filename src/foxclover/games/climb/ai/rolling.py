"""Solve the rolling phase of one player exactly.

A position is a set of marked cards with an amount of luck. Three facts keep the problem small:

- The level reached and the number of rolls follow from the marked cards and the luck.
- The next card is on one of two neighbouring levels, so four small tables hold the chances that
  none of a set of cards is fulfilled.
- The best of the fulfilled cards is the first of a fixed order, so one pass over that order weighs
  a roll.
"""

from __future__ import annotations

from foxclover.core.records import assign
from foxclover.games.climb.ai.after_round import (
    improve,
    mark,
    prepare_endings,
    rate_ending,
    rate_failing,
    start_marked,
)
from foxclover.games.climb.ai.workspace import (
    FAILED,
    MOST_LEFT,
    PAIRS,
    POSITIONS,
    TABLE,
    Nets,
    Solver,
    Workspace,
)
from foxclover.games.climb.rules.evaluation import PAIR, count_missed
from foxclover.games.climb.rules.state import (
    LEVELS,
    ROLLS,
    ROLLS_OF_ROUND,
    SLOTS,
    SPOTS,
    TO_DECIDE,
    Deck,
    State,
)

NEVER = -1e9
UNKNOWN = -1  # no position
NO_ROUND = 0
HASH = 0x9E3779B1  # spreads neighbouring sets over the table
HASH_BITS = 32


def solve(deck: Deck, workspace: Workspace, solver: Solver, state: State, seat: int) -> None:
    """Solve the round of a player from the present position."""
    begin(deck, workspace, solver, state, seat)
    grow(deck, workspace, solver)
    for i in range(solver.count - 1, -1, -1):
        settle(deck, workspace, solver, i)


def begin(deck: Deck, workspace: Workspace, solver: Solver, state: State, seat: int) -> None:
    """Forget the round solved before, and add the present position as the first one."""
    mine = state.seats[seat]
    forget_positions(solver)
    prepare_endings(deck, workspace.net, solver, state, mine)
    solver.round = state.round
    solver.early = 1 if state.roll == 0 else 0
    solver.rolled = state.roll - 1 if mine.stage == TO_DECIDE else state.roll
    if not solver.to_win:  # playing to win uses the rivals' real chances
        fill_others(deck, workspace.net, solver, state)
    for pair in range(PAIRS):
        count_missed(deck, mine, pair, solver.missed[pair], solver.union)
    rate_failing(deck, workspace.net, solver, state, mine, workspace.endings[FAILED])
    first = add_position(solver, mine.marked)
    start_marked(deck, workspace.net, solver, state, mine, workspace.endings[first])
    while improve(deck, workspace.net, solver, workspace.endings[first]):
        pass


def fill_others(deck: Deck, nets: Nets, solver: Solver, state: State) -> None:
    """Fill in how likely each roll of the round is made by others.

    It does not matter who is still in.
    """
    left = min(deck.rounds - state.round, MOST_LEFT)
    for roll in range(ROLLS_OF_ROUND):
        nobody = 1.0
        for _ in range(state.players - 1):
            nobody *= 1.0 - nets.rolling[state.solo][left][roll]
        solver.others[roll] = 1.0 - nobody


# -- the positions


def forget_positions(solver: Solver) -> None:
    """Forget all positions."""
    solver.round = NO_ROUND
    solver.count = 0
    for slot in range(TABLE):
        solver.table[slot] = 0


def slot_of(solver: Solver, marked: int) -> int:
    """Return the slot of the table for a set of marked cards."""
    slot = (marked * HASH & (1 << HASH_BITS) - 1) * TABLE >> HASH_BITS
    while solver.table[slot] != 0 and solver.masks[solver.table[slot] - 1] != marked:
        slot = (slot + 1) % TABLE
    return slot


def find(solver: Solver, marked: int) -> int:
    """Return the position with some marked cards, or ``UNKNOWN``."""
    i = solver.table[slot_of(solver, marked)] - 1
    return i if i < solver.count else UNKNOWN


def add_position(solver: Solver, marked: int) -> int:
    """Add a position with some marked cards and return its index."""
    i = solver.count
    solver.table[slot_of(solver, marked)] = i + 1
    solver.masks[i] = marked
    solver.count += 1
    return i


def open_cards(marked: int, cards: int) -> int:
    """Return the cards that may be marked next."""
    if marked == 0:
        return cards & ((1 << SLOTS) - 1)
    return cards & ~marked & ((1 << PAIR) - 1) << (SLOTS * highest_level(marked))


def highest_level(marked: int) -> int:
    """Return the highest level with a marked card."""
    level = LEVELS - 1
    while marked >> (SLOTS * level) == 0:
        level -= 1
    return level


def grow(deck: Deck, workspace: Workspace, solver: Solver) -> None:
    """List all positions, fewest marked cards first.

    If there are too many, the players of the last whole layer must stop.
    """
    rate_ending(deck, workspace.net, solver, workspace.endings[0], 0, solver.most)
    markers = deck.black_markers + solver.luck + solver.lucky
    layer = 0
    while layer < solver.count and solver.masks[layer].bit_count() < markers:
        end = solver.count
        if not grow_layer(deck, workspace, solver, layer, end):
            solver.count = end
            solver.cut = layer
            return
        layer = end
    solver.cut = solver.count


def grow_layer(deck: Deck, workspace: Workspace, solver: Solver, first: int, end: int) -> bool:
    """List the positions with one more marked card; return whether there was room for all."""
    for i in range(first, end):
        marked = solver.masks[i]
        spots = open_cards(marked, solver.cards)
        for spot in range(SPOTS):
            if spots >> spot & 1 and find(solver, marked | 1 << spot) == UNKNOWN:
                if solver.count == POSITIONS:
                    return False
                ending = workspace.endings[add_position(solver, marked | 1 << spot)]
                assign(ending, workspace.endings[i])
                mark(solver, ending, spot)
                improve(deck, workspace.net, solver, ending)
                rate_ending(deck, workspace.net, solver, ending, 0, solver.most)
    return True


# -- their values


def out_with(solver: Solver, value: list[float], luck: int, rolled: int) -> float:
    """Return the value of being out, given the values of a tableau by luck.

    Further rolls of the others bring some luck.
    """
    total = value[luck]
    for more in range(1, solver.most + 1 - luck):
        if rolled + more < ROLLS_OF_ROUND:
            total += solver.others[rolled + more] * (value[luck + more] - value[luck + more - 1])
    return total


def settle(deck: Deck, workspace: Workspace, solver: Solver, i: int) -> None:
    """Compute the value of a position with each amount of luck from those of later ones."""
    marked = solver.masks[i].bit_count()
    if i < solver.cut:
        list_children(solver, i)
    most = solver.luck + solver.lucky - max(marked - deck.black_markers, 0)
    for luck in range(most + 1):
        # Each roll was answered by a marker or by luck.
        rolled = solver.rolled + marked - solver.marked + most - luck
        stop = out_with(solver, workspace.endings[i].value, luck, rolled)
        roll = NEVER
        if i < solver.cut:
            left = luck if marked < deck.black_markers else luck - 1
            roll = rate_roll(solver, i, luck, left, rolled)
        solver.stop[i][luck] = stop
        solver.roll[i][luck] = roll
        solver.value[i][luck] = max(stop, roll)


def lowest_of_pair(marked: int) -> int:
    """Return the lower of the two levels of the next card."""
    return 0 if marked == 0 else min(highest_level(marked), PAIRS - 1)


def list_children(solver: Solver, i: int) -> None:
    """Find the positions with one more card, by the spots of two levels."""
    marked = solver.masks[i]
    first = SLOTS * lowest_of_pair(marked)
    spots = open_cards(marked, solver.cards) >> first
    for bit in range(PAIR):
        solver.children[bit] = UNKNOWN
        if spots >> bit & 1:
            solver.children[bit] = find(solver, marked | 1 << (first + bit))


def rate_roll(solver: Solver, i: int, luck: int, left: int, rolled: int) -> float:
    """Return the value of one more roll for a player with ``left`` luck after fulfilling.

    A player who cannot fulfil a card has -1.
    """
    otherwise = out_with(solver, solver.failed, luck, rolled + 1)
    if luck > 0:
        otherwise = max(otherwise, solver.value[i][luck - 1])
    count = 0
    if left >= 0:
        for bit in range(PAIR):
            child = solver.children[bit]
            if child != UNKNOWN and solver.value[child][left] > otherwise:
                value = solver.value[child][left]
                at = count
                while at > 0 and solver.best[at - 1] < value:
                    solver.best[at] = solver.best[at - 1]
                    solver.bits[at] = solver.bits[at - 1]
                    at -= 1
                solver.best[at] = value
                solver.bits[at] = 1 << bit
                count += 1
    pair = lowest_of_pair(solver.masks[i])
    wanted = 0
    missed = ROLLS
    total = 0.0
    for at in range(count):
        wanted |= solver.bits[at]
        still = solver.missed[pair][wanted]
        total += (missed - still) * solver.best[at]
        missed = still
    return (total + missed * otherwise) / ROLLS
