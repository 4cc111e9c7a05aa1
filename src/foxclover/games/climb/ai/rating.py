"""Every legal move of a player rated by the final points it leads to."""

from __future__ import annotations

from foxclover.ai.climb.after_round import (
    flip,
    improve,
    may_rise,
    prepare_endings,
    rate_ending,
    start_marked,
)
from foxclover.ai.climb.building import rate_building
from foxclover.ai.climb.buying import rate_bonus, rate_buying, rate_exchange
from foxclover.ai.climb.mind import Ending, Mind, Solver
from foxclover.ai.climb.rolling import NO_ROUND, find, out_with, solve
from foxclover.ai.trials import Trials, best_rated
from foxclover.climb.moves import DONE, FAIL, FULFIL, LIFT, PAY, PUSH, SCORE, STAY
from foxclover.climb.rules import lift
from foxclover.climb.state import (
    LEVELS,
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
from foxclover.climb.tableau import black_left
from foxclover.records import assign
from foxclover.rng import below

WORST = -1e9
IN_TURN = 1e-6  # cards that may wait come after those that may not
GRAINS = 1 << 20  # of an error of judgement


def is_forced(mind: Mind) -> bool:
    """May the only move be made without rating it? No: a round is solved when its first move is rated, and then remembered."""
    return False


def forget(mind: Mind) -> None:
    """Another game begins: no round of it is solved."""
    for solver in mind.solvers:
        solver.round = NO_ROUND


def rate(deck: Deck, mind: Mind, seat: int) -> int:
    """Rate the legal moves in ``mind.trials``, those of ``mind.here``, by expected final points; return the index of the best."""
    return rate_moves(deck, mind, mind.here, seat, mind.trials, mind.choice_rng)


def misjudge(ratings: list[float], count: int, heat: float, rng: list[int]) -> int:
    """The best move after every rating was mistaken by up to ``heat`` points either way."""
    best = 0
    best_rating = 0.0
    for n in range(count):
        error = below(rng, 2 * GRAINS) / GRAINS - 1.0
        rating = ratings[n] + heat * error
        if n == 0 or rating > best_rating:
            best = n
            best_rating = rating
    return best


def rate_moves(
    deck: Deck, mind: Mind, state: State, seat: int, trials: Trials, rng: list[int]
) -> int:
    """Rate the legal moves of any position; return the index of the best."""
    mine = state.seats[seat]
    stage = mine.stage
    if stage in (TO_DECIDE, TO_LEAVE):
        rate_rolling(deck, mind, state, seat, trials)
    elif stage == TO_PUSH:
        rate_pushing(deck, mind, mind.solvers[seat], state, mine, trials)
    elif stage == TO_LIFT:
        for n in range(trials.count):
            assign(mind.after, state)
            trials.ratings[n] = rate_lift(
                deck, mind, mind.solvers[seat], mind.after, mind.after.seats[seat], trials.moves[n]
            )
    elif stage == TO_TAKE:
        rate_bonus(deck, mind, state, mine, trials, rng)
    elif stage == TO_BUY:
        rate_buying(deck, mind, state, mine, trials, rng)
    elif stage == TO_EXCHANGE:
        rate_exchange(deck, mind, state, mine, trials, rng)
    else:
        rate_building(deck, mind, state, mine, trials)
    return best_rated(trials)


# -- rolling --------------------------------------------------------------------------------------------------------------


def is_solved(mind: Mind, solver: Solver, state: State, mine: Player) -> bool:
    """Is this round of the game played on solved already, from here or from where the player stood before?"""
    if mind.fresh or solver.round != state.round:
        return False
    if state.roll == 1 and mine.stage == TO_DECIDE and not solver.early:
        return False
    here = find(solver, mine.marked)
    return 0 <= here < solver.cut


def rate_rolling(deck: Deck, mind: Mind, state: State, seat: int, trials: Trials) -> None:
    """Fulfil, pay, fail; stay or go."""
    mine = state.seats[seat]
    solver = mind.solvers[seat]
    if not is_solved(mind, solver, state, mine):
        solve(deck, mind, solver, state, seat)
    here = find(solver, mine.marked)
    luck = mine.luck
    after_marking = luck - 1 if black_left(deck, mine) == 0 else luck
    for n in range(trials.count):
        move = trials.moves[n]
        if move >= FULFIL:
            trials.ratings[n] = solver.value[find(solver, mine.marked | 1 << (move - FULFIL))][
                after_marking
            ]
        elif move == PAY:
            trials.ratings[n] = solver.value[here][luck - 1]
        elif move == FAIL:
            trials.ratings[n] = out_with(solver, solver.failed, luck, state.roll)
        elif move == STAY:
            trials.ratings[n] = solver.roll[here][luck]
        else:
            trials.ratings[n] = solver.stop[here][luck]


# -- pushing --------------------------------------------------------------------------------------------------------------


def start_pushing(deck: Deck, mind: Mind, solver: Solver, state: State, mine: Player) -> None:
    """All marked cards scored, as the first ending."""
    solver.round = NO_ROUND
    prepare_endings(deck, mind.net, solver, state, mine)
    start_marked(deck, mind.net, solver, state, mine, mind.endings[0])


def rate_pushing(
    deck: Deck, mind: Mind, solver: Solver, state: State, mine: Player, trials: Trials
) -> None:
    """Rate pushing and scoring each marked card by the best way to handle all that contains it."""
    start_pushing(deck, mind, solver, state, mine)
    ending = mind.endings[0]
    luck = mine.luck
    for n in range(trials.count):
        trials.ratings[n] = WORST
    for code in range(1 << mine.marked.bit_count()):
        if push_by_code(deck, solver, ending, code):
            rate_ending(deck, mind.net, solver, ending, luck, luck)
            for n in range(trials.count):
                pushes = trials.moves[n] < SCORE
                spot = trials.moves[n] - PUSH if pushes else trials.moves[n] - SCORE
                if pushes == bool(ending.pushed >> spot & 1):
                    trials.ratings[n] = max(
                        trials.ratings[n],
                        ending.worth[luck] - IN_TURN * turn_of(deck, solver, spot, pushes),
                    )
                elif solver.last:
                    trials.ratings[n] = max(
                        trials.ratings[n], ending.worth[luck] - solver.gains[spot]
                    )


def turn_of(deck: Deck, solver: Solver, spot: int, pushes: bool) -> int:
    """Whose turn comes first: cards to push, from the top, to make room; last those whose scoring lifts others, the easy ones first."""
    level = spot // SLOTS
    if pushes:
        return LEVELS - level
    if solver.solo and deck.lifts[level] > 0:
        return LEVELS * (2 + solver.colours[spot]) + level
    return 2 * LEVELS - level


def push_by_code(deck: Deck, solver: Solver, ending: Ending, code: int) -> bool:
    """Push the marked cards that the bits of a code name and score the others; False if there is no room for that."""
    for spot in range(len(solver.colours)):
        if ending.marked >> spot & 1:
            if code & 1 != ending.pushed >> spot & 1:
                flip(solver, ending, spot)
            code >>= 1
    for spot in range(len(solver.colours)):
        bit = 1 << spot
        if ending.pushed & bit and not may_rise(
            deck, solver, ending.marked, ending.pushed & ~bit, spot
        ):
            return False
    return True


def rate_lift(
    deck: Deck, mind: Mind, solver: Solver, state: State, mine: Player, move: int
) -> float:
    """Solo rules: what pushing a scored card leads to, the marked cards still to come being handled well."""
    if move == DONE:
        mine.lifts = 0
    else:
        lift(mine, move - LIFT)
    start_pushing(deck, mind, solver, state, mine)
    ending = mind.endings[0]
    while improve(deck, mind.net, solver, ending, mine.luck):
        pass
    rate_ending(deck, mind.net, solver, ending, mine.luck, mine.luck)
    return ending.worth[mine.luck]
