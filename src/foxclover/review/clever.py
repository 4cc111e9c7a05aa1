"""A Clever game judged after its end: where dice may still be added or returned, the best use of them counts, not stopping."""

from __future__ import annotations

from foxclover.ai.clever.mind import Mind
from foxclover.ai.clever.rating import WORST, rate_moves
from foxclover.ai.clever.rollouts import share_of_win
from foxclover.ai.trials import Trials, best_rated
from foxclover.beginning import LOT_DUE
from foxclover.clever.areas import total_points
from foxclover.clever.moves import legal
from foxclover.clever.rules import acting, apply, chance_pending, draw
from foxclover.clever.state import CHANCE, CLOSED, PASSIVE, SEATS, Sheet, State
from foxclover.playouts import first_seat
from foxclover.records import assign
from foxclover.review.family import MEAN_UNKNOWN
from foxclover.rng import seed_rng

SEED_BITS = 32  # the number of a turn stands above them


def rate_through(sheet: Sheet, mind: Mind, state: State, seat: int, trials: Trials) -> int:
    """Rate the legal moves; after each the player goes on as the net would, until he rolls or others are to act."""
    best = rate_moves(sheet, mind, state, trials, seat)
    mends = False
    for index in range(trials.count):
        if trials.ratings[index] > WORST:
            assign(mind.further, state)
            apply(sheet, mind.further, seat, trials.moves[index])
            if goes_on(mind.further, state, seat):
                trials.ratings[index] = go_further(sheet, mind, seat)
                mends = True
    return best_rated(trials) if mends else best


def goes_on(state: State, before: State, seat: int) -> bool:
    """Does the turn that a player was in still ask him for something?"""
    return state.seats[seat].stage != CLOSED and state.phase == before.phase and state.round == before.round


def go_further(sheet: Sheet, mind: Mind, seat: int) -> float:
    """What the best-rated way on from ``mind.further`` is worth, up to the next roll or the next player."""
    state = mind.further
    trials = mind.further_trials
    phase = state.phase
    turn = state.round
    worth = 0.0
    while state.seats[seat].stage != CLOSED and state.phase == phase and state.round == turn:
        trials.count = legal(sheet, state, seat, trials.moves)
        best = rate_moves(sheet, mind, state, trials, seat)
        worth = trials.ratings[best]
        apply(sheet, state, seat, trials.moves[best])
    return worth


def move_ahead(sheet: Sheet, mind: Mind, state: State, seat: int, mover: int) -> int:
    """Everybody plays by the net."""
    trials = mind.ahead_trials
    trials.count = legal(sheet, state, mover, trials.moves)
    best = rate_moves(sheet, mind, state, trials, mover) if trials.count > 1 else 0
    return trials.moves[best]


def concerns(sheet: Sheet, state: State, seat: int) -> bool:
    """Every roll fills the sheet of the player or the platter of the others; who begins is nobody's luck."""
    return state.chance != LOT_DUE


def is_at_rest(sheet: Sheet, state: State, seat: int) -> bool:
    """The net rates positions right after a player's move only."""
    return False


def value_at_rest(sheet: Sheet, mind: Mind, state: State, seat: int) -> float:
    """The points on the sheet."""
    return float(total_points(state.seats[seat]))


def known_mean(sheet: Sheet, mind: Mind, seat: int) -> float:
    """Nothing is solved exactly."""
    return MEAN_UNKNOWN


def is_exact(sheet: Sheet, state: State, seat: int) -> bool:
    """Nothing is solved exactly."""
    return False


def see_end(sheet: Sheet, mind: Mind, seat: int, seed: int, stream: int) -> tuple[float, float]:
    """Everybody plays on by the net to the end of the game; every turn has dice of its own, so that turns of other length shift nothing."""
    state = mind.ahead
    seed_rng(mind.look_rng, seed, stream)
    turn = 0
    while True:
        mask = acting(sheet, state)
        if mask > 0:
            mover = first_seat(mask)
            move = move_ahead(sheet, mind, state, seat, mover)
            apply(sheet, state, mover, move)
        elif chance_pending(sheet, state) > 0:
            now = (state.round * SEATS + state.active) * 2 + (1 if state.phase == PASSIVE else 0)
            if now != turn:
                turn = now
                seed_rng(mind.look_rng, seed ^ now << SEED_BITS, stream)
            apply(sheet, state, CHANCE, draw(sheet, state, mind.look_rng))
        else:
            return float(total_points(state.seats[seat])), share_of_win(state, seat)
