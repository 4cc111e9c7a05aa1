"""The rolling phase of one player solved exactly: all sets of cards he may come to have marked, with all luck he may have left.

Three facts keep it small. Where he stands follows from the set of marked cards (its highest level) and his luck; so does how often has
been rolled. The next card lies on one of two neighbouring levels; so the chances that none of a set of cards is fulfilled fill four small
tables. And the best card among those fulfilled is the first of a fixed order, so that one roll is weighed by going down that order once.
"""

from __future__ import annotations

from foxclover.ai.climb.after_round import (
    improve,
    mark,
    prepare_endings,
    rate_ending,
    rate_failing,
    start_marked,
)
from foxclover.ai.climb.mind import FAILED, PAIRS, POSITIONS, TABLE, Mind, Solver
from foxclover.ai.climb.network import MOST_LEFT, Nets
from foxclover.climb.solver import PAIR, count_missed
from foxclover.climb.state import (
    LEVELS,
    ROLLS,
    ROLLS_OF_ROUND,
    SLOTS,
    SPOTS,
    TO_DECIDE,
    Deck,
    State,
)
from foxclover.records import assign

NEVER = -1e9
UNKNOWN = -1  # no position
NO_ROUND = 0
HASH = 0x9E3779B1  # spreads neighbouring sets over the table
HASH_BITS = 32


def solve(deck: Deck, mind: Mind, solver: Solver, state: State, seat: int) -> None:
    """Solve the round from where a player stands."""
    begin(deck, mind, solver, state, seat)
    grow(deck, mind, solver)
    for i in range(solver.count - 1, -1, -1):
        settle(deck, mind, solver, i)


def begin(deck: Deck, mind: Mind, solver: Solver, state: State, seat: int) -> None:
    """Forget the round solved before; where the player stands is the first position."""
    mine = state.seats[seat]
    forget_positions(solver)
    prepare_endings(deck, mind.net, solver, state, mine)
    solver.round = state.round
    solver.early = 1 if state.roll == 0 else 0
    solver.rolled = state.roll - 1 if mine.stage == TO_DECIDE else state.roll
    if not solver.to_win:  # who plays to win knows more
        fill_others(deck, mind.net, solver, state)
    for pair in range(PAIRS):
        count_missed(deck, mine, pair, solver.missed[pair], solver.union)
    rate_failing(deck, mind.net, solver, state, mine, mind.endings[FAILED])
    first = add_position(solver, mine.marked)
    start_marked(deck, mind.net, solver, state, mine, mind.endings[first])
    while improve(deck, mind.net, solver, mind.endings[first], solver.luck):
        pass


def fill_others(deck: Deck, nets: Nets, solver: Solver, state: State) -> None:
    """How likely each roll of the round is to be made by others; he does not look at who is still in."""
    left = min(deck.rounds - state.round, MOST_LEFT)
    for roll in range(ROLLS_OF_ROUND):
        nobody = 1.0
        for _ in range(state.players - 1):
            nobody *= 1.0 - nets.rolling[state.solo][left][roll]
        solver.others[roll] = 1.0 - nobody


# -- the positions --------------------------------------------------------------------------------------------------------


def forget_positions(solver: Solver) -> None:
    """Nothing is known of any round."""
    solver.round = NO_ROUND
    solver.count = 0
    for slot in range(TABLE):
        solver.table[slot] = 0


def slot_of(solver: Solver, marked: int) -> int:
    """Where the table tells about a set of marked cards, or would tell."""
    slot = (marked * HASH & (1 << HASH_BITS) - 1) * TABLE >> HASH_BITS
    while solver.table[slot] != 0 and solver.masks[solver.table[slot] - 1] != marked:
        slot = (slot + 1) % TABLE
    return slot


def find(solver: Solver, marked: int) -> int:
    """The position with these marked cards, or ``UNKNOWN``."""
    i = solver.table[slot_of(solver, marked)] - 1
    return i if i < solver.count else UNKNOWN


def add_position(solver: Solver, marked: int) -> int:
    """A new position with these marked cards."""
    i = solver.count
    solver.table[slot_of(solver, marked)] = i + 1
    solver.masks[i] = marked
    solver.count += 1
    return i


def candidates(marked: int, cards: int) -> int:
    """The cards that may be marked next."""
    if marked == 0:
        return cards & ((1 << SLOTS) - 1)
    top = highest_level(marked)
    return cards & ~marked & ((1 << PAIR) - 1) << (SLOTS * top)


def highest_level(marked: int) -> int:
    """The highest level with a marked card."""
    level = LEVELS - 1
    while marked >> (SLOTS * level) == 0:
        level -= 1
    return level


def grow(deck: Deck, mind: Mind, solver: Solver) -> None:
    """List all positions, fewest marked cards first; if there are too many, the last whole layer must stop."""
    rate_ending(deck, mind.net, solver, mind.endings[0], 0, solver.clover)
    markers = deck.black_markers + solver.luck + solver.lucky
    layer = 0
    while layer < solver.count and solver.masks[layer].bit_count() < markers:
        end = solver.count
        if not grow_layer(deck, mind, solver, layer, end):
            solver.count = end
            solver.cut = layer
            return
        layer = end
    solver.cut = solver.count


def grow_layer(deck: Deck, mind: Mind, solver: Solver, first: int, end: int) -> bool:
    """List the positions with one more marked card; tell whether there was room for all."""
    for i in range(first, end):
        marked = solver.masks[i]
        spots = candidates(marked, solver.cards)
        for spot in range(SPOTS):
            if spots >> spot & 1 and find(solver, marked | 1 << spot) == UNKNOWN:
                if solver.count == POSITIONS:
                    return False
                child = add_position(solver, marked | 1 << spot)
                ending = mind.endings[child]
                assign(ending, mind.endings[i])
                mark(solver, ending, spot)
                improve(deck, mind.net, solver, ending, solver.luck)
                rate_ending(deck, mind.net, solver, ending, 0, solver.clover)
    return True


# -- their values ---------------------------------------------------------------------------------------------------------


def out_with(solver: Solver, worth: list[float], luck: int, rolled: int) -> float:
    """What being out is worth with a tableau, by its worth with each amount of luck: the others' further rolls bring some."""
    total = worth[luck]
    for more in range(1, solver.clover + 1 - luck):
        if rolled + more < ROLLS_OF_ROUND:
            total += solver.others[rolled + more] * (worth[luck + more] - worth[luck + more - 1])
    return total


def luck_spent(deck: Deck, solver: Solver, marked: int) -> int:
    """The luck that will have gone to cards when so many are marked."""
    return max(marked - deck.black_markers, 0) - solver.lucky


def rolls_answered(deck: Deck, solver: Solver, marked: int, luck: int) -> int:
    """How often will have been rolled when so many cards are marked and so much luck is left."""
    return (
        solver.rolled
        + marked
        - solver.marked
        + solver.luck
        - luck
        - luck_spent(deck, solver, marked)
    )


def settle(deck: Deck, mind: Mind, solver: Solver, i: int) -> None:
    """Find what a position is worth with each amount of luck, that of all later ones being known."""
    marked = solver.masks[i].bit_count()
    if i < solver.cut:
        list_children(solver, i)
    for luck in range(solver.luck - luck_spent(deck, solver, marked) + 1):
        rolled = rolls_answered(deck, solver, marked, luck)
        stop = out_with(solver, mind.endings[i].worth, luck, rolled)
        roll = NEVER
        if i < solver.cut:
            left = luck if marked < deck.black_markers else luck - 1
            roll = rate_roll(solver, i, luck, left, rolled)
        solver.stop[i][luck] = stop
        solver.roll[i][luck] = roll
        solver.value[i][luck] = max(stop, roll)


def lowest_of_pair(marked: int) -> int:
    """The lower one of the two levels on which the next card lies."""
    return 0 if marked == 0 else min(highest_level(marked), PAIRS - 1)


def list_children(solver: Solver, i: int) -> None:
    """Find the positions one card further, by the spots of two levels."""
    marked = solver.masks[i]
    first = SLOTS * lowest_of_pair(marked)
    spots = candidates(marked, solver.cards) >> first
    for bit in range(PAIR):
        solver.children[bit] = UNKNOWN
        if spots >> bit & 1:
            solver.children[bit] = find(solver, marked | 1 << (first + bit))


def rate_roll(solver: Solver, i: int, luck: int, left: int, rolled: int) -> float:
    """What one more roll is worth to a player who will have ``left`` luck after fulfilling a card; -1: he cannot."""
    otherwise = out_with(solver, solver.failed, luck, rolled + 1)
    if luck > 0:
        otherwise = max(otherwise, solver.value[i][luck - 1])
    count = 0
    if left >= 0:
        for bit in range(PAIR):
            child = solver.children[bit]
            if child != UNKNOWN and solver.value[child][left] > otherwise:
                worth = solver.value[child][left]
                at = count
                while at > 0 and solver.best[at - 1] < worth:
                    solver.best[at] = solver.best[at - 1]
                    solver.bits[at] = solver.bits[at - 1]
                    at -= 1
                solver.best[at] = worth
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
