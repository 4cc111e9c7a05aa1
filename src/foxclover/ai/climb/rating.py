"""Every legal move of a player rated by the final points it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.building import rate_building
from foxclover.ai.climb.buying import rate_bonus, rate_buying, rate_exchange
from foxclover.ai.climb.leaves import COUNT, CUT, LAST, SOLO, flip, improve, mark, may_rise, prepare_leaves, rate_leaf, start_leaf
from foxclover.ai.climb.rolling import out_with, solve
from foxclover.climb.layout import black_left
from foxclover.climb.moves import DONE, FAIL, FULFIL, LIFT, PAY, PUSH, SCORE, STAY
from foxclover.climb.piles import count_bits
from foxclover.climb.rules import lift
from foxclover.climb.state import (
    LEVELS,
    PLACES,
    SLOTS,
    TO_BUY,
    TO_DECIDE,
    TO_EXCHANGE,
    TO_LEAVE,
    TO_LIFT,
    TO_PUSH,
    TO_TAKE,
    Deck,
    Player,
    State,
)
from foxclover.records import assign

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Desk, Floats, Nets, Solver

FAILED = 4096
WORST = -1e9


def rate(
    deck: Deck,
    state: State,
    scratch: State,
    seat: int,
    nets: Nets,
    solver: Solver,
    desk: Desk,
    rng: list[int],
    moves: list[int],
    count: int,
    ratings: Floats,
    solved: int,
) -> int:
    """Rate the legal moves; return the index of the best. ``solved``: the solver knows this player's round already."""
    mine = state.seats[seat]
    stage = mine.stage
    if stage in (TO_DECIDE, TO_LEAVE):
        rate_rolling(deck, state, seat, nets, solver, moves, count, ratings, solved)
    elif stage == TO_PUSH:
        rate_pushing(deck, state, mine, nets, solver, moves, count, ratings)
    elif stage == TO_LIFT:
        for n in range(count):
            assign(scratch, state)
            ratings[n] = rate_lift(deck, scratch, scratch.seats[seat], nets, solver, moves[n])
    elif stage == TO_TAKE:
        rate_bonus(deck, state, mine, nets, desk, rng, moves, count, ratings)
    elif stage == TO_BUY:
        rate_buying(deck, state, mine, nets, desk, rng, moves, count, ratings)
    elif stage == TO_EXCHANGE:
        rate_exchange(deck, state, mine, nets, desk, rng, moves, count, ratings)
    else:
        rate_building(deck, state, mine, nets, desk, moves, count, ratings)
    best = 0
    for n in range(1, count):
        if ratings[n] > ratings[best]:
            best = n
    return best


# -- rolling --------------------------------------------------------------------------------------------------------------


def rate_rolling(
    deck: Deck, state: State, seat: int, nets: Nets, solver: Solver, moves: list[int], count: int, ratings: Floats, solved: int
) -> None:
    """Fulfil, pay, fail; stay or go."""
    mine = state.seats[seat]
    deciding = mine.stage == TO_DECIDE
    rolled = state.roll - 1 if deciding else state.roll
    here = solver.found[mine.marked] if solved else -1
    if here < 0 or here >= solver.facts[CUT]:
        solve(deck, state, seat, nets, solver, rolled)
        here = 0
    luck = min(mine.luck, 4)
    spends = black_left(deck, mine) == 0
    for n in range(count):
        move = moves[n]
        if move >= FULFIL:
            ratings[n] = solver.value[solver.found[mine.marked | 1 << (move - FULFIL)]][luck - 1 if spends else luck]
        elif move == PAY:
            ratings[n] = solver.value[here][luck - 1]
        elif move == FAIL:
            ratings[n] = out_with(solver, FAILED, luck, state.roll)
        elif move == STAY:
            ratings[n] = solver.roll[here][luck]
        else:
            ratings[n] = solver.stop[here][luck]


# -- pushing --------------------------------------------------------------------------------------------------------------


def start_pushing(deck: Deck, state: State, mine: Player, nets: Nets, solver: Solver) -> None:
    """All marked cards scored, as position 0 of the solver."""
    for i in range(solver.facts[COUNT]):
        solver.found[solver.masks[i]] = -1
    solver.facts[COUNT] = 0
    prepare_leaves(deck, state, mine, nets, solver)
    start_leaf(deck, state, mine, nets, solver, 0)
    for place in range(PLACES):
        if mine.marked >> place & 1:
            mark(solver, 0, place)


def rate_pushing(deck: Deck, state: State, mine: Player, nets: Nets, solver: Solver, moves: list[int], count: int, ratings: Floats) -> None:
    """Rate pushing and scoring each marked card by the best way to handle all that contains it."""
    start_pushing(deck, state, mine, nets, solver)
    luck = min(mine.luck, 4)
    for n in range(count):
        ratings[n] = WORST
    for code in range(1 << count_bits(mine.marked)):
        if push_by_code(deck, solver, code):
            rate_leaf(deck, nets, solver, mine.marked, solver.pushed[0], solver.hidden[0], solver.points[0], luck, luck, solver.keep[0])
            for n in range(count):
                place = moves[n] - SCORE if moves[n] >= SCORE else moves[n] - PUSH
                pushes = moves[n] < SCORE
                if pushes == bool(solver.pushed[0] >> place & 1):
                    ratings[n] = max(ratings[n], solver.keep[0][luck] - 1e-6 * turn_of(deck, solver, place, pushes))
                elif solver.facts[LAST]:
                    ratings[n] = max(ratings[n], solver.keep[0][luck] - solver.gains[place])


def turn_of(deck: Deck, solver: Solver, place: int, pushes: bool) -> int:
    """Whose turn comes first: cards to push, from the top, to make room; last those whose scoring lifts others, the easy ones first."""
    level = place // SLOTS
    if pushes:
        return LEVELS - level
    if solver.facts[SOLO] and deck.lifts[level] > 0:
        return LEVELS * (2 + solver.colours[place]) + level
    return 2 * LEVELS - level


def push_by_code(deck: Deck, solver: Solver, code: int) -> bool:
    """Push the marked cards that the bits of a code name and score the others; False if there is no room for that."""
    mask = solver.masks[0]
    for place in range(PLACES):
        if mask >> place & 1:
            if code & 1 != solver.pushed[0] >> place & 1:
                flip(solver, 0, place)
            code >>= 1
    for place in range(PLACES):
        bit = 1 << place
        if solver.pushed[0] & bit and not may_rise(deck, solver, mask, solver.pushed[0] & ~bit, place):
            return False
    return True


def rate_lift(deck: Deck, state: State, mine: Player, nets: Nets, solver: Solver, move: int) -> float:
    """Solo rules: what pushing a scored card leads to, the marked cards still to come being handled well."""
    if move == DONE:
        mine.lifts = 0
    else:
        lift(mine, move - LIFT)
    start_pushing(deck, state, mine, nets, solver)
    luck = min(mine.luck, 4)
    while improve(deck, nets, solver, 0, mine.marked, luck, solver.keep[0]):
        pass
    rate_leaf(deck, nets, solver, solver.masks[0], solver.pushed[0], solver.hidden[0], solver.points[0], luck, luck, solver.keep[0])
    return float(solver.keep[0][luck])
