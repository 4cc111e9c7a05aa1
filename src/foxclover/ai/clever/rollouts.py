"""Looking further than the net: a game is played on by the net for some decisions, or to its end."""

from __future__ import annotations

from foxclover.ai.clever.mind import Mind
from foxclover.ai.clever.rating import rate_moves
from foxclover.ai.family import NO_EXACT_WAY
from foxclover.clever.areas import total_points
from foxclover.clever.moves import legal
from foxclover.clever.rules import acting, apply, chance_pending, draw
from foxclover.clever.state import AREAS, CHANCE, Player, Sheet, State
from foxclover.playouts import first_seat

DECISIONS = 5  # of the player in a rollout, before the net tells how it will end


def highest_area(mine: Player) -> int:
    """What breaks ties."""
    best = mine.points[0]
    for area in range(1, AREAS):
        if mine.points[area] > best:
            best = mine.points[area]
    return best


def share_of_win(state: State, seat: int) -> float:
    """1 for the winner of a finished game, a part of 1 for each of several winners, else 0."""
    mine = state.seats[seat]
    sharers = 1
    for other in range(state.players):
        if other != seat:
            theirs = state.seats[other]
            difference = total_points(mine) - total_points(theirs)
            if difference == 0:
                difference = highest_area(mine) - highest_area(theirs)
            if difference < 0:
                return 0.0
            if difference == 0:
                sharers += 1
    return 1.0 / sharers


def wants_win(sheet: Sheet, state: State) -> bool:
    """The last round of a game with several players is played for the win."""
    return state.players > 1 and state.round == sheet.rounds[state.players]


def choose_to_win(sheet: Sheet, mind: Mind, seat: int, rng: list[int]) -> int:
    """Moves must be tried out to tell which one wins."""
    return NO_EXACT_WAY


def standing(mind: Mind, seat: int, index: int, best: int) -> float:
    """Every move may be tried beside the best."""
    return mind.trials.ratings[index]


def look_ahead(sheet: Sheet, mind: Mind, seat: int, to_win: bool) -> tuple[float, float]:
    """Play on from ``mind.ahead``, to win to the end of the game; return the player's points, expected or final, and share of the win."""
    state = mind.ahead
    trials = mind.ahead_trials
    made = 0
    while True:
        mask = acting(sheet, state)
        if mask > 0:
            mover = first_seat(mask)
            trials.count = legal(sheet, state, mover, trials.moves)
            best = rate_moves(sheet, mind, state, trials, mover) if trials.count > 1 else 0
            if mover == seat and trials.count > 1 and not to_win:
                made += 1
                if made == DECISIONS:
                    return trials.ratings[best], 0.0
            apply(sheet, state, mover, trials.moves[best])
        elif chance_pending(sheet, state) > 0:
            apply(sheet, state, CHANCE, draw(sheet, state, mind.look_rng))
        else:
            return float(total_points(state.seats[seat])), share_of_win(
                state, seat
            ) if to_win else 0.0
