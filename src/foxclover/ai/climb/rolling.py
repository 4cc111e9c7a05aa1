"""The rolling phase of one player solved exactly: all sets of cards he may come to have marked, with all luck he may have left.

Three facts keep it small. Where he stands follows from the set of marked cards (its highest level) and his luck; so does how often has
been rolled. The next card lies on one of two neighbouring levels; so the chances that none of a set of cards is fulfilled fill four small
tables. And the best card among those fulfilled is the first of a fixed order, so that one roll is weighed by going down that order once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.inputs import LUCKS
from foxclover.ai.climb.leaves import (
    CARDS,
    COUNT,
    CUT,
    FAILED,
    LIMIT,
    LUCK_NOW,
    LUCKY_NOW,
    MARKED_NOW,
    ROLLED,
    TO_WIN,
    improve,
    mark,
    prepare_leaves,
    rate_failing,
    rate_leaf,
    start_leaf,
)
from foxclover.ai.climb.vectors import copy_row
from foxclover.climb.piles import count_bits
from foxclover.climb.solver import count_missed
from foxclover.climb.state import LEVELS, PLACES, ROLLS, SLOTS, Deck, State

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Floats, Nets, Number, Solver

PAIRS = 4
ROLLS_OF_ROUND = 16
NEVER = -1e9


def solve(deck: Deck, state: State, seat: int, nets: Nets, solver: Solver, rolled: int) -> None:
    """Solve the round from where the player stands, ``rolled`` rolls having been answered."""
    begin(deck, state, seat, nets, solver, rolled)
    grow(deck, nets, solver)
    for i in range(solver.facts[COUNT] - 1, -1, -1):
        settle(deck, solver, i)


def begin(deck: Deck, state: State, seat: int, nets: Nets, solver: Solver, rolled: int) -> None:
    """Forget the round solved before; where the player stands is the first position."""
    mine = state.seats[seat]
    facts = solver.facts
    for i in range(facts[COUNT]):
        solver.found[solver.masks[i]] = -1
    prepare_leaves(deck, state, mine, nets, solver)
    facts[ROLLED] = rolled
    if not facts[TO_WIN]:  # who plays to win knows more
        fill_others(deck, state, nets, solver.others)
    for pair in range(PAIRS):
        count_missed(deck, mine, pair, solver.missed[pair], solver.union)
    rate_failing(deck, state, mine, nets, solver)
    start_leaf(deck, state, mine, nets, solver, 0)
    for place in range(PLACES):
        if mine.marked >> place & 1:
            mark(solver, 0, place)
    while improve(deck, nets, solver, 0, mine.marked, facts[LUCK_NOW], solver.keep[0]):
        pass
    solver.found[solver.masks[0]] = 0
    facts[COUNT] = 1


def fill_others(deck: Deck, state: State, nets: Nets, others: Floats) -> None:
    """How likely each roll of the round is to be made by others; he does not look at who is still in."""
    left = min(deck.rounds - state.round, 4)
    for roll in range(ROLLS_OF_ROUND):
        nobody = 1.0
        for _ in range(state.players - 1):
            nobody *= 1.0 - nets.rolling[state.solo][left][roll]
        others[roll] = 1.0 - nobody


# -- the positions --------------------------------------------------------------------------------------------------------


def candidates(mask: int, cards: int) -> int:
    """The cards that may be marked next."""
    if mask == 0:
        return cards & ((1 << SLOTS) - 1)
    top = highest_level(mask)
    return cards & ~mask & ((1 << 2 * SLOTS) - 1) << (SLOTS * top)


def highest_level(mask: int) -> int:
    """The highest level with a marked card."""
    level = LEVELS - 1
    while mask >> (SLOTS * level) == 0:
        level -= 1
    return level


def grow(deck: Deck, nets: Nets, solver: Solver) -> None:
    """List all positions, fewest marked cards first; if there are too many, the last whole layer must stop."""
    facts = solver.facts
    rate_position(deck, nets, solver, 0)
    markers = deck.black_markers + facts[LUCK_NOW] + facts[LUCKY_NOW]
    layer = 0
    while layer < facts[COUNT] and count_bits(solver.masks[layer]) < markers:
        end = facts[COUNT]
        if not grow_layer(deck, nets, solver, layer, end):
            facts[CUT] = layer
            return
        layer = end
    facts[CUT] = facts[COUNT]


def grow_layer(deck: Deck, nets: Nets, solver: Solver, first: int, end: int) -> bool:
    """List the positions with one more marked card; tell whether there was room for all."""
    facts = solver.facts
    for i in range(first, end):
        places = candidates(solver.masks[i], facts[CARDS])
        for place in range(PLACES):
            mask = solver.masks[i] | 1 << place
            if places >> place & 1 and solver.found[mask] < 0:
                child = facts[COUNT]
                if child == facts[LIMIT]:
                    for late in range(end, child):
                        solver.found[solver.masks[late]] = -1
                    facts[COUNT] = end
                    return False
                facts[COUNT] += 1
                solver.found[mask] = child
                solver.masks[child] = solver.masks[i]
                solver.pushed[child] = solver.pushed[i]
                solver.points[child] = solver.points[i]
                copy_row(solver.hidden[child], solver.hidden[i])
                mark(solver, child, place)
                improve(deck, nets, solver, child, mask, facts[LUCK_NOW], solver.keep[child])
                rate_position(deck, nets, solver, child)
    return True


def rate_position(deck: Deck, nets: Nets, solver: Solver, i: int) -> None:
    """What the layout is worth that comes of these marked cards."""
    rate_leaf(deck, nets, solver, solver.masks[i], solver.pushed[i], solver.hidden[i], solver.points[i], 0, LUCKS - 1, solver.keep[i])


# -- their values ---------------------------------------------------------------------------------------------------------


def out_with(solver: Solver, i: int, luck: int, rolled: int) -> float:
    """What being out is worth, with the luck that the others' further rolls bring."""
    worth: float = keep_with(solver, solver.keep[i], luck, rolled)
    return worth


def keep_with(solver: Solver, keep: list[Number], luck: int, rolled: int) -> Number:
    """The same of a layout, or of many at once, from what it is worth with each amount of luck."""
    luck = min(luck, LUCKS - 1)
    worth = keep[luck]
    for more in range(1, LUCKS - luck):
        if rolled + more < ROLLS_OF_ROUND:
            worth = worth + solver.others[rolled + more] * (keep[luck + more] - keep[luck + more - 1])
    return worth


def luck_spent(deck: Deck, solver: Solver, marked: int) -> int:
    """The luck that will have gone to cards when so many are marked."""
    return max(marked - deck.black_markers, 0) - solver.facts[LUCKY_NOW]


def rolls_answered(deck: Deck, solver: Solver, marked: int, luck: int) -> int:
    """How often will have been rolled when so many cards are marked and so much luck is left."""
    facts = solver.facts
    return facts[ROLLED] + marked - facts[MARKED_NOW] + facts[LUCK_NOW] - luck - luck_spent(deck, solver, marked)


def settle(deck: Deck, solver: Solver, i: int) -> None:
    """Find what a position is worth with each amount of luck, that of all later ones being known."""
    facts = solver.facts
    marked = count_bits(solver.masks[i])
    for luck in range(facts[LUCK_NOW] - luck_spent(deck, solver, marked) + 1):
        rolled = rolls_answered(deck, solver, marked, luck)
        stop = out_with(solver, i, luck, rolled)
        roll = NEVER if i >= facts[CUT] else rate_roll(deck, solver, i, marked, luck, rolled)
        solver.stop[i][luck] = stop
        solver.roll[i][luck] = roll
        solver.value[i][luck] = max(stop, roll)


def rate_roll(deck: Deck, solver: Solver, i: int, marked: int, luck: int, rolled: int) -> float:
    """What one more roll is worth."""
    mask = solver.masks[i]
    otherwise = out_with(solver, FAILED, luck, rolled + 1)
    if luck > 0:
        otherwise = max(otherwise, solver.value[i][luck - 1])
    left = luck if marked < deck.black_markers else luck - 1
    pair = 0 if mask == 0 else min(highest_level(mask), PAIRS - 1)
    count = 0
    if left >= 0:
        places = candidates(mask, solver.facts[CARDS]) >> (SLOTS * pair)
        for bit in range(2 * SLOTS):
            if places >> bit & 1:
                child = solver.found[mask | 1 << (SLOTS * pair + bit)]
                worth = solver.value[child][left]
                if worth > otherwise:
                    at = count
                    while at > 0 and solver.best[at - 1] < worth:
                        solver.best[at] = solver.best[at - 1]
                        solver.bits[at] = solver.bits[at - 1]
                        at -= 1
                    solver.best[at] = worth
                    solver.bits[at] = 1 << bit
                    count += 1
    wanted = 0
    missed = ROLLS
    total = 0.0
    for at in range(count):
        wanted |= solver.bits[at]
        still = solver.missed[pair][wanted]
        total += (missed - still) * solver.best[at]
        missed = still
    return (total + missed * otherwise) / ROLLS
