"""A game of Geht noch was? judged after its end: a round is solved once, before its first roll, and every roll is weighed exactly."""

from __future__ import annotations

from foxclover.ai.climb.after_round import prepare_endings, rate_ending, start_marked
from foxclover.ai.climb.mind import RIVAL, Mind
from foxclover.ai.climb.rating import is_solved, rate_moves
from foxclover.ai.climb.rolling import find, solve
from foxclover.ai.climb.search import look_ahead
from foxclover.ai.trials import Trials
from foxclover.beginning import LOT_DUE
from foxclover.climb.state import ROLL_DUE, ROLLING, TO_DECIDE, TO_LEAVE, Deck, State
from foxclover.review.family import MEAN_UNKNOWN
from foxclover.rng import seed_rng


def start_rating(mind: Mind, remembers: bool) -> None:
    """Ratings leave nothing that another could begin with."""


def rate_through(deck: Deck, mind: Mind, state: State, seat: int, trials: Trials) -> int:
    """Rate the legal moves: their ratings take what may follow into account."""
    return rate_moves(deck, mind, state, seat, trials, mind.look_rng)


def concerns(deck: Deck, state: State, seat: int) -> bool:
    """A roll concerns those who are in, a card the one who draws it; who begins is nobody's luck."""
    if state.chance == ROLL_DUE:
        return state.seats[seat].playing == 1
    return state.chance != LOT_DUE and state.draw_seat == seat


def is_at_rest(deck: Deck, state: State, seat: int) -> bool:
    """Who has failed waits for the next round."""
    mine = state.seats[seat]
    return state.phase == ROLLING and mine.playing == 0 and mine.marked == 0


def value_at_rest(deck: Deck, mind: Mind, state: State, seat: int) -> float:
    """What the tableau is worth after the round."""
    mine = state.seats[seat]
    solver = mind.solvers[RIVAL]
    ending = mind.endings[0]
    prepare_endings(deck, mind.net, solver, state, mine)
    start_marked(deck, mind.net, solver, state, mine, ending)
    rate_ending(deck, mind.net, solver, ending, mine.luck, mine.luck)
    return ending.worth[mine.luck]


def known_mean(deck: Deck, mind: Mind, seat: int) -> float:
    """Before a roll: what rolling is worth."""
    state = mind.here
    if state.chance != ROLL_DUE:
        return MEAN_UNKNOWN
    mine = state.seats[seat]
    solver = mind.solvers[seat]
    if state.roll == 0 or not is_solved(mind, solver, state, mine):
        solve(deck, mind, solver, state, seat)
    return solver.roll[find(solver, mine.marked)][mine.luck]


def is_exact(deck: Deck, state: State, seat: int) -> bool:
    """Rolling is."""
    return state.seats[seat].stage in (TO_DECIDE, TO_LEAVE)


def see_end(deck: Deck, mind: Mind, seat: int, seed: int, stream: int) -> tuple[float, float]:
    """Up to the player's next rolling, which is solved exactly."""
    seed_rng(mind.look_rng, seed, stream)
    return look_ahead(deck, mind, seat, False)
