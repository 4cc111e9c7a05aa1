"""Looking further than the net: the best-looking moves are tried in games played on by the net, all with the same dice.

After a share of the rollouts the weaker half of the moves is dropped, so that most rollouts go to the moves that are hard to tell apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.clever.policy import HERE, ROLLOUT, rate
from foxclover.clever.areas import total_points
from foxclover.clever.moves import legal
from foxclover.clever.rules import acting, apply, chance_pending, draw
from foxclover.clever.state import AREAS, CHANCE, Player, Sheet, State
from foxclover.playouts import first_seat
from foxclover.records import assign
from foxclover.rng import seed_rng

if TYPE_CHECKING:
    from foxclover.ai.clever.mind import Mind

WIDTH = 6  # moves tried, at most
MARGIN = 6.0  # points behind the best rating beyond which a move is not tried
DECISIONS = 5  # of the player in a rollout, before the net tells how it will end
ENDLESS = 1000  # to the end of the game
PRIOR = 50  # rollouts that the net's own rating counts for
POINTS_OF_A_WIN = 100.0  # near the end of a game with several players


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


def is_last_round(sheet: Sheet, state: State) -> bool:
    """Is it time to play for the win, not for points?"""
    return state.players > 1 and state.round == sheet.rounds[state.players]


def roll_out(sheet: Sheet, mind: Mind, states: list[State], seat: int, decisions: int) -> float:
    """Play on from ``states[ROLLOUT]`` for a number of the player's decisions; return his points, expected or final."""
    state = states[ROLLOUT]
    made = 0
    while True:
        mask = acting(sheet, state)
        if mask > 0:
            mover = first_seat(mask)
            count = legal(sheet, state, mover, mind.moves)
            best = rate(sheet, mind, states, ROLLOUT, mover, count) if count > 1 else 0
            if mover == seat and count > 1:
                made += 1
                if made == decisions:
                    expected: float = mind.ratings[best]
                    return expected
            apply(sheet, state, mover, mind.moves[best])
        elif chance_pending(sheet, state) > 0:
            apply(sheet, state, CHANCE, draw(sheet, state, mind.rollout_rng))
        else:
            return float(total_points(state.seats[seat]))


def try_move(sheet: Sheet, mind: Mind, states: list[State], seat: int, index: int, number: int, seed: int, decisions: int) -> None:
    """Make rollouts of a candidate; the n-th of every candidate has the same dice."""
    for _ in range(number):
        seed_rng(mind.rollout_rng, seed, mind.counts[index])
        assign(states[ROLLOUT], states[HERE])
        apply(sheet, states[ROLLOUT], seat, mind.candidates[index])
        points = roll_out(sheet, mind, states, seat, decisions)
        mind.counts[index] += 1
        mind.sums[index] += points
        mind.squares[index] += points * points
        if decisions == ENDLESS:
            mind.wins[index] += share_of_win(states[ROLLOUT], seat)


def worth(mind: Mind, index: int, to_win: bool) -> float:
    """How good a candidate is, as far as the net and the rollouts tell."""
    points: float = (PRIOR * mind.promise[index] + mind.sums[index]) / (PRIOR + mind.counts[index])
    if to_win:
        points += POINTS_OF_A_WIN * mind.wins[index] / mind.counts[index]
    return points


def swap(mind: Mind, a: int, b: int) -> None:
    """Exchange two candidates."""
    mind.candidates[a], mind.candidates[b] = mind.candidates[b], mind.candidates[a]
    mind.promise[a], mind.promise[b] = mind.promise[b], mind.promise[a]
    mind.counts[a], mind.counts[b] = mind.counts[b], mind.counts[a]
    mind.sums[a], mind.sums[b] = mind.sums[b], mind.sums[a]
    mind.squares[a], mind.squares[b] = mind.squares[b], mind.squares[a]
    mind.wins[a], mind.wins[b] = mind.wins[b], mind.wins[a]


def list_candidates(sheet: Sheet, mind: Mind, states: list[State], seat: int) -> int:
    """All legal moves with their ratings, the best first; return how many are worth trying."""
    count = legal(sheet, states[HERE], seat, mind.moves)
    rate(sheet, mind, states, HERE, seat, count)
    for index in range(count):
        mind.candidates[index] = mind.moves[index]
        mind.promise[index] = mind.ratings[index]
        mind.counts[index] = 0
        mind.sums[index] = 0
        mind.squares[index] = 0
        mind.wins[index] = 0
    tried = 0
    for place in range(count):
        best = place
        for index in range(place + 1, count):
            if mind.promise[index] > mind.promise[best]:
                best = index
        swap(mind, place, best)
        if place < WIDTH and mind.promise[place] > mind.promise[0] - MARGIN:
            tried = place + 1
    return tried


def search(sheet: Sheet, mind: Mind, states: list[State], seat: int, rollouts: int, to_win: bool, seed: int) -> int:
    """Find the best move for ``states[HERE]`` with about this many rollouts; to win, they go to the end of the game."""
    decisions = ENDLESS if to_win else DECISIONS
    left = list_candidates(sheet, mind, states, seat)
    rounds = 0
    while 1 << rounds < left:
        rounds += 1
    while left > 1:
        number = max(1, rollouts // (rounds * left))
        for index in range(left):
            try_move(sheet, mind, states, seat, index, number, seed, decisions)
        for place in range(left):
            best = place
            for index in range(place + 1, left):
                if worth(mind, index, to_win) > worth(mind, best, to_win):
                    best = index
            swap(mind, place, best)
        left = (left + 1) // 2
    best_move: int = mind.candidates[0]
    return best_move
