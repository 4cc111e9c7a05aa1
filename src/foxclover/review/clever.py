"""A Clever game judged after its end: where dice may still be added or returned, the best use of them counts, not stopping."""

from __future__ import annotations

from foxclover.ai.clever.mind import Mind
from foxclover.ai.clever.rating import rate_as_last, start_rating
from foxclover.ai.clever.rollouts import share_of_win
from foxclover.beginning import LOT_DUE
from foxclover.clever.areas import total_points
from foxclover.clever.moves import legal
from foxclover.clever.rules import acting, apply, chance_pending, draw
from foxclover.clever.state import CHANCE, PASSIVE, SEATS, Sheet, State
from foxclover.playouts import first_seat
from foxclover.review.family import MEAN_UNKNOWN
from foxclover.rng import seed_rng

SEED_BITS = 32  # the number of a turn stands above them


def move_ahead(sheet: Sheet, mind: Mind, state: State, seat: int, mover: int) -> int:
    """Everybody plays by the net."""
    trials = mind.ahead_trials
    trials.count = legal(sheet, state, mover, trials.moves)
    best = rate_as_last(sheet, mind, state, trials, mover) if trials.count > 1 else 0
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
    start_rating(mind, False)
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
