"""Looking further than the nets: a move is carried on to the player's next rolling, which is solved exactly.

Only the cards drawn on the way are left to chance, and they are the same for all moves compared.
"""

from __future__ import annotations

from foxclover.ai.climb.mind import Mind
from foxclover.ai.climb.rating import rate_moves
from foxclover.ai.climb.rolling import NO_ROUND, solve
from foxclover.ai.family import ROLL_DUE
from foxclover.climb.moves import BUILD, DONE, PUSH, legal
from foxclover.climb.rules import acting, apply, chance_pending, draw
from foxclover.climb.state import (
    LEVELS,
    SPOTS,
    TO_BUILD,
    TO_BUY,
    TO_DECIDE,
    TO_LEAVE,
    TO_LIFT,
    TO_PLACE,
    TO_PUSH,
    Deck,
    State,
)
from foxclover.climb.tableau import total_points
from foxclover.playouts import CHANCE, first_seat

NOT_TRIED = 1e6  # points that keep a move from being tried


def look_ahead(deck: Deck, mind: Mind, seat: int, to_win: bool) -> tuple[float, float]:
    """Carry the player's decisions on until he is about to roll, the others doing as little as possible; return what rolling is worth.

    Nobody knows here who wins.
    """
    state = mind.ahead
    while True:
        mask = acting(deck, state)
        if mask > 0:
            mover = seat if mask >> seat & 1 else first_seat(mask)
            move = move_ahead(deck, mind, state, seat, mover)
            apply(deck, state, mover, move)
        elif chance_pending(deck, state) == ROLL_DUE and state.roll == 0:
            return value_of_round(deck, mind, state, seat), 0.0
        elif chance_pending(deck, state) > 0:
            apply(deck, state, CHANCE, draw(deck, state, mind.look_rng))
        else:
            return float(total_points(deck, state, state.seats[seat])), 0.0


def move_ahead(deck: Deck, mind: Mind, state: State, seat: int, mover: int) -> int:
    """The best-rated move of the player; another one buys nothing, and else does what comes first."""
    trials = mind.ahead_trials
    trials.count = legal(deck, state, mover, trials.moves)
    if mover == seat:
        best = rate_moves(deck, mind, state, seat, trials, mind.look_rng)
        return trials.moves[best]
    return DONE if state.seats[mover].stage == TO_BUY else trials.moves[0]


def value_of_round(deck: Deck, mind: Mind, state: State, seat: int) -> float:
    """What a round is worth that is about to be rolled."""
    solver = mind.solvers[seat]
    solve(deck, mind, solver, state, seat)
    solver.round = NO_ROUND  # it may never be played
    return solver.roll[0][solver.luck]


def standing(mind: Mind, seat: int, index: int, best: int) -> float:
    """The rating of a move, or less if it need not be tried: rolling is exact already, and cards are handled one after another."""
    trials = mind.trials
    stage = mind.here.seats[seat].stage
    exact = stage in (TO_DECIDE, TO_LEAVE, TO_LIFT)
    if (exact and index != best) or card_handled(stage, trials.moves[index]) != card_handled(
        stage, trials.moves[best]
    ):
        return trials.ratings[index] - NOT_TRIED
    return trials.ratings[index]


def card_handled(stage: int, move: int) -> int:
    """Which card a move pushes, scores or builds: cards come one after another, and their order matters little."""
    if stage == TO_PUSH:
        return (move - PUSH) % SPOTS
    if stage in (TO_BUILD, TO_PLACE):
        return (move - BUILD) // LEVELS
    return 0
